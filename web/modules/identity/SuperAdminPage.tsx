import { AdminArea, hasAdminArea } from '#contract/core/levels.ts'
import {
  areaNames,
  areasOf,
  createSuperAdmin,
  getSuperAdmin,
  listSuperAdmins,
  maskOf,
  type SuperAdmin,
  updateSuperAdmin,
} from '#contract/identity/super-admins.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useUser } from '#web/api/use-state.ts'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { all, required, validEmail } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** A super admin: name, email address and areas; a new one is emailed the way to a password. */
export function SuperAdminPage() {
  const words = useWords()
  const me = useUser()
  const [{ id }] = useAddress({ id: null as number | null })
  const found = useRead(
    getSuperAdmin,
    { params: { superAdminId: id ?? 0 } },
    { isEnabled: id !== null, staleMs: 0, keepsLast: false },
  )
  if (id === null) return <SuperAdminForm person={undefined} />
  if (found.error) return <ReadProblem read={found} />
  if (!found.data) return null
  if (!found.data.CanEdit)
    return (
      <PageProblem
        kind="error"
        text={words(found.data.Id === me.Id ? 'superAdmins.yourself' : 'superAdmins.beyond')}
      />
    )
  return <SuperAdminForm key={found.data.Id} person={found.data} />
}

const hasTicks = (values: Record<string, unknown>): boolean =>
  values.Everything === true || areaNames.some((name) => values[name] === true)

function SuperAdminForm({ person }: { person: SuperAdmin | undefined }) {
  const words = useWords()
  const { SuperAdminAreas: holds } = useUser()
  const refresh = { refresh: [listSuperAdmins, getSuperAdmin] }
  const create = useSave(createSuperAdmin, refresh)
  const update = useSave(updateSuperAdmin, refresh)
  const held = areasOf(person?.Areas ?? 0)
  const form = useEditForm({
    initialValues: {
      FirstName: person?.FirstName ?? '',
      LastName: person?.LastName ?? '',
      EmailAddress: person?.EmailAddress ?? '',
      UserName: person?.UserName ?? '',
      Everything: person?.Areas === 0,
      Roles: held.includes('Roles'),
      Payments: held.includes('Payments'),
      CustomReports: held.includes('CustomReports'),
      RolesLimited: held.includes('RolesLimited'),
      Email: held.includes('Email'),
      AdminNews: held.includes('AdminNews'),
    },
    rules: {
      FirstName: required(),
      LastName: required(),
      EmailAddress: all(required(), validEmail()),
      UserName: required(),
      Roles: (_value, values) => (hasTicks(values) ? null : words('superAdmins.chooseOne')),
    },
    draftKey: `super-admin-${person?.Id ?? 0}`,
    save: ({ Everything, UserName, FirstName, LastName, EmailAddress, ...ticks }) => {
      const Areas = Everything ? 0 : maskOf(areaNames.filter((name) => ticks[name]))
      const body = { FirstName, LastName, EmailAddress, Areas }
      return person
        ? update.run({ params: { superAdminId: person.Id }, body }, { basedOn: person })
        : create.run({ body: { ...body, UserName } })
    },
  })
  const leave = () => leaveTo('/admin/super-admins')
  const { FirstName, LastName, Everything } = form.values
  const saved = () => {
    const name = `${FirstName.trim()} ${LastName.trim()}`
    toast.done(words(person ? 'superAdmins.saved' : 'superAdmins.added', { name }))
    leave()
  }
  const isFree = !holds
  return (
    <Page
      title={person ? `${person.FirstName} ${person.LastName}` : words('superAdmins.newTitle')}
      breadcrumb={words('superAdmins.title')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!person} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection
          name={words('superAdmins.person')}
          purpose={words(person ? 'superAdmins.savedPersonPurpose' : 'superAdmins.personPurpose')}
        >
          <TextField
            label={words('superAdmins.firstName')}
            required
            maxLength={255}
            {...form.field('FirstName')}
          />
          <TextField
            label={words('superAdmins.lastName')}
            required
            maxLength={255}
            {...form.field('LastName')}
          />
          <TextField
            label={words('superAdmins.email')}
            type="email"
            required
            maxLength={255}
            {...form.field('EmailAddress')}
          />
          <TextField
            label={words('superAdmins.userName')}
            hint={words('superAdmins.userNameHint')}
            required
            maxLength={50}
            lockedBecause={person !== undefined && words('superAdmins.userNameLocked')}
            {...form.field('UserName')}
          />
        </FormSection>
        <FormSection name={words('superAdmins.areas')} purpose={words('superAdmins.areasPurpose')}>
          {isFree && (
            <FullWidth>
              <CheckField label={words('superAdmins.everything')} {...form.field('Everything')} />
            </FullWidth>
          )}
          {!Everything &&
            areaNames.map((name) => (
              <FullWidth key={name}>
                <CheckField
                  label={words(`superAdmins.${name}`)}
                  description={words(`superAdmins.${name}About`)}
                  lockedBecause={!hasAdminArea(holds, AdminArea[name]) && words('superAdmins.notYours')}
                  {...form.field(name)}
                />
              </FullWidth>
            ))}
        </FormSection>
      </Form>
    </Page>
  )
}
