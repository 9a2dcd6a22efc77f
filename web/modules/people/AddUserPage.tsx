import { IconChevronDown } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { listAreas } from '#contract/areas/areas.ts'
import { levels } from '#contract/core/levels.ts'
import { AlikePeople } from '#contract/people/alike.ts'
import {
  createUser,
  hasAssignedSites,
  inviteUser,
  listUsers,
  mayAddLevel,
  searchUsers,
} from '#contract/people/people.ts'
import { isNamed, listedName } from '#contract/people/person-fields.ts'
import { listSites } from '#contract/sites/sites.ts'
import { leaveTo, PageRedirect } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useAppState, useUser } from '#web/api/use-state.ts'
import { useRoleOptions } from '#web/shared/role-options.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Alert } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { all, minLength, type Rule, required, validEmail } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/**
 * Add User: name, email and role, and a mailed link sets the password. Under More details staff may
 * set user name and password themselves, with everything that the specification requires then. Without a chosen program it goes
 * to Manage users.
 */
export function AddUserPage() {
  const { data: state } = useAppState()
  if (!state) return null
  if (!state.ProgramId) return <PageRedirect to="/admin/manage-users" />
  return <AddUserForm programId={state.ProgramId} />
}

const empty = {
  areaId: null as string | null,
  accessLevel: null as string | null,
  username: '',
  password: '',
  confirm: '',
  firstName: '',
  middleName: '',
  lastName: '',
  suffix: '',
  institution: '',
  zipCode: '',
  phoneNumber: '',
  emailAddress: '',
  supervisorSiteIds: [] as string[],
  /** Staff set user name and password themselves. */
  hasPassword: false,
}
type Values = typeof empty

/** What More details shows. */
const details: readonly (keyof Values)[] = [
  'areaId',
  'phoneNumber',
  'middleName',
  'suffix',
  'zipCode',
  'institution',
  'username',
  'password',
  'confirm',
  'supervisorSiteIds',
]

/** A rule that holds only where staff set the password. */
const withPassword =
  <V,>(rule: Rule<V, Values>): Rule<V, Values> =>
  (value, values) =>
    values.hasPassword ? rule(value, values) : null

function AddUserForm({ programId }: { programId: number }) {
  const words = useWords()
  const rolesOf = useRoleOptions()
  const me = useUser()
  const areas = useRead(listAreas, { params: { programId }, query: {} })
  const create = useSave(createUser, { refresh: [searchUsers, listUsers] })
  const invite = useSave(inviteUser, { refresh: [searchUsers, listUsers] })
  const [isOpen, setOpen] = useState(false)
  const [warning, setWarning] = useState<string>()
  const form = useEditForm({
    initialValues: empty,
    rules: {
      areaId: withPassword(required()),
      accessLevel: required(),
      username: withPassword(
        all(required(), (value: string) =>
          /^[A-Za-z0-9]*$/.test(value) ? null : words('people.lettersAndDigits'),
        ),
      ),
      password: withPassword(all(required(), minLength(8))),
      confirm: withPassword(
        all(required(), (value: string, values: { password: string }) =>
          value === values.password ? null : words('people.mismatch'),
        ),
      ),
      firstName: withPassword(required()),
      lastName: (value: string, values: Values) =>
        !values.hasPassword && isNamed(values.firstName, value) ? null : required()(value, values),
      zipCode: withPassword(required()),
      phoneNumber: withPassword(required()),
      emailAddress: all(required(), validEmail()),
    },
    draftKey: `add-user-${programId}`,
    save: async ({ confirm: _repeated, hasPassword, username, password, ...values }) => {
      setWarning(undefined)
      const body = {
        ...values,
        accessLevel: Number(values.accessLevel),
        supervisorSiteIds: values.supervisorSiteIds.map(Number),
      }
      const areaId = values.areaId === null ? null : Number(values.areaId)
      try {
        return hasPassword
          ? await create.run({ body: { ...body, username, password, areaId: areaId ?? 0 } })
          : await invite.run({ body: { ...body, areaId } })
      } catch (error) {
        const { message } = error as Error
        setWarning(message)
        // Shown only there: as a refusal of a field it would be shown twice.
        throw new Error(message)
      }
    },
    // The specification wants the server's message in its own box.
    onFailure: () => true,
  })
  const level = Number(form.values.accessLevel ?? 0)
  const takesSites = hasAssignedSites(level)
  const sites = useRead(listSites, { params: { programId } }, { isEnabled: takesSites })
  const leave = () => leaveTo('/admin/manage-users')
  const { hasPassword, emailAddress } = form.values
  const saved = () => {
    toast.done({
      title: words('people.added'),
      ...(!hasPassword && { detail: words('people.invited', { email: emailAddress }) }),
    })
    leave()
  }
  // Text of an earlier visit, or an error, is never out of sight.
  const isDetailed =
    isOpen || hasPassword || form.changed.some((name) => details.includes(name)) || takesSites
  return (
    <Page
      title={words('people.addTitle')}
      breadcrumb={<PageLink href="/new/admin/manage-users">{words('people.title')}</PageLink>}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always />}
      above={
        warning && (
          <Alert color="yellow" role="alert">
            {warning}
          </Alert>
        )
      }
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('people.personSection')} purpose={words('people.invitePurpose')}>
          <TextField
            label={words('people.firstName')}
            required={hasPassword}
            maxLength={255}
            {...form.field('firstName')}
          />
          <TextField
            label={words('people.lastName')}
            required={hasPassword || form.values.firstName.trim() === ''}
            maxLength={255}
            {...form.field('lastName')}
          />
          <TextField label={words('people.email')} required maxLength={255} {...form.field('emailAddress')} />
          <AlikeNotice
            programId={programId}
            first={form.values.firstName}
            last={form.values.lastName}
            email={emailAddress}
          />
          <SelectField
            label={words('people.role')}
            required
            options={rolesOf(levels.map(({ Id }) => Id).filter((each) => mayAddLevel(me.AccessLevel, each)))}
            {...form.field('accessLevel')}
          />
          {!isDetailed && (
            <FullWidth>
              <Button
                variant="subtle"
                color="gray"
                data-quiet
                leftSection={<IconChevronDown size={16} stroke={1.75} aria-hidden />}
                onClick={() => setOpen(true)}
              >
                {words('people.moreDetails')}
              </Button>
            </FullWidth>
          )}
        </FormSection>
        {isDetailed && (
          <>
            <FormSection name={words('people.detailsSection')} purpose={words('people.personPurpose')}>
              <SelectField
                label={words('people.area')}
                required={hasPassword}
                options={(areas.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
                {...form.field('areaId')}
              />
              <TextField
                label={words('people.phone')}
                required={hasPassword}
                maxLength={50}
                {...form.field('phoneNumber')}
              />
              {takesSites && (
                <FullWidth>
                  <MultiSelectField
                    label={words('people.assignSites')}
                    options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
                    {...form.field('supervisorSiteIds')}
                  />
                </FullWidth>
              )}
              <TextField label={words('people.middleName')} maxLength={255} {...form.field('middleName')} />
              <TextField label={words('people.suffix')} maxLength={50} {...form.field('suffix')} />
              <TextField
                label={words('people.zip')}
                required={hasPassword}
                maxLength={50}
                {...form.field('zipCode')}
              />
              <TextField label={words('people.institution')} maxLength={255} {...form.field('institution')} />
            </FormSection>
            <FormSection name={words('people.accountSection')} purpose={words('people.accountPurpose')}>
              <FullWidth>
                <CheckField
                  label={words('people.setPassword')}
                  description={words('people.setPasswordDetail')}
                  {...form.field('hasPassword')}
                />
              </FullWidth>
              {hasPassword && (
                <>
                  <FullWidth>
                    <TextField
                      label={words('people.userName')}
                      required
                      maxLength={50}
                      autoComplete="off"
                      {...form.field('username')}
                    />
                  </FullWidth>
                  <TextField
                    label={words('people.password')}
                    type="password"
                    autoComplete="new-password"
                    required
                    maxLength={50}
                    description={words('people.passwordHint')}
                    {...form.field('password')}
                  />
                  <TextField
                    label={words('people.confirmPassword')}
                    type="password"
                    autoComplete="new-password"
                    required
                    maxLength={50}
                    {...form.field('confirm')}
                  />
                </>
              )}
            </FormSection>
          </>
        )}
      </Form>
    </Page>
  )
}

/** Who of the program the new person may be: whoever has the email, or nearly the name. It keeps nobody from adding them. */
function AlikeNotice(props: { programId: number; first: string; last: string; email: string }) {
  const { programId, first, last } = props
  const words = useWords()
  const people = useRead(listUsers, { params: { programId } }).data
  const alike = useMemo(() => new AlikePeople(people ?? []), [people])
  const email = props.email.trim().toLowerCase()
  const same =
    email === '' ? undefined : people?.find(({ EmailAddress }) => EmailAddress.toLowerCase() === email)
  const found = same ?? alike.find({ FirstName: first, LastName: last })
  if (!found) return null
  return (
    <FullWidth>
      <Alert color="yellow" role="status">
        {words(same ? 'people.sameEmail' : 'people.alike', {
          name: listedName(found),
          email: found.EmailAddress || found.UserName,
        })}{' '}
        <PageLink href={`/new/admin/manage-users/edit?id=${found.Id}`}>{words('people.alikeOpen')}</PageLink>
      </Alert>
    </FullWidth>
  )
}
