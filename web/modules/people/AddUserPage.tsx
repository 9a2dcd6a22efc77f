import { Alert } from '@mantine/core'
import { useState } from 'react'
import { listAreas } from '#contract/areas.ts'
import { levels } from '#contract/levels.ts'
import { createUser, hasAssignedSites, listUsers, mayAddLevel, searchUsers } from '#contract/people.ts'
import { listSites } from '#contract/sites.ts'
import { PageRedirect, usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useAppState, useUser } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { all, leastLetters, required, validEmail } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { levelName } from '#web/words/level-name.ts'
import { useTerm, useWords } from '#web/words/use-words.ts'

/** Add User (specification 3 §2, §5); without a chosen program it goes to Manage users (D3-123). */
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
}

function AddUserForm({ programId }: { programId: number }) {
  const words = useWords()
  const term = useTerm()
  const navigate = usePageNavigate()
  const me = useUser()
  const areas = useRead(listAreas, { params: { programId }, query: {} })
  const create = useSave(createUser, { refresh: [searchUsers, listUsers] })
  const [warning, setWarning] = useState<string>()
  const form = useEditForm({
    initialValues: empty,
    rules: {
      areaId: required(),
      accessLevel: required(),
      username: all(required(), (value: string) =>
        /^[A-Za-z0-9]*$/.test(value) ? null : words('people.lettersAndDigits'),
      ),
      password: all(required(), leastLetters(8)),
      confirm: all(required(), (value: string, values: { password: string }) =>
        value === values.password ? null : words('people.mismatch'),
      ),
      firstName: required(),
      lastName: required(),
      zipCode: required(),
      phoneNumber: required(),
      emailAddress: all(required(), validEmail()),
    },
    draftKey: `add-user-${programId}`,
    save: async ({ confirm: _repeated, ...values }) => {
      setWarning(undefined)
      try {
        return await create.run({
          body: {
            ...values,
            areaId: Number(values.areaId),
            accessLevel: Number(values.accessLevel),
            supervisorSiteIds: values.supervisorSiteIds.map(Number),
          },
        })
      } catch (error) {
        setWarning((error as Error).message)
        throw error
      }
    },
    // The specification wants the server's message in a box of its own.
    onFailure: () => true,
  })
  const level = Number(form.values.accessLevel ?? 0)
  const takesSites = hasAssignedSites(level)
  const sites = useRead(listSites, { params: { programId } }, { isEnabled: takesSites })
  const leave = () => navigate('/admin/manage-users')
  const saved = () => {
    toast.done(words('people.added'))
    leave()
  }
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
        <FormSection name={words('people.roleSection')} purpose={words('people.rolePurpose')}>
          <SelectField
            label={words('people.area')}
            required
            options={(areas.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            {...form.field('areaId')}
          />
          <SelectField
            label={words('people.role')}
            required
            options={levels
              .filter(({ Id }) => mayAddLevel(me.AccessLevel, Id))
              .map(({ Id }) => ({ value: String(Id), label: levelName(Id, term) }))}
            {...form.field('accessLevel')}
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
        </FormSection>
        <FormSection name={words('people.accountSection')} purpose={words('people.accountPurpose')}>
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
        </FormSection>
        <FormSection name={words('people.personSection')} purpose={words('people.personPurpose')}>
          <TextField
            label={words('people.firstName')}
            required
            maxLength={255}
            {...form.field('firstName')}
          />
          <TextField label={words('people.lastName')} required maxLength={255} {...form.field('lastName')} />
          <TextField label={words('people.middleName')} maxLength={255} {...form.field('middleName')} />
          <TextField label={words('people.suffix')} maxLength={50} {...form.field('suffix')} />
          <TextField label={words('people.email')} required maxLength={255} {...form.field('emailAddress')} />
          <TextField label={words('people.phone')} required maxLength={50} {...form.field('phoneNumber')} />
          <TextField label={words('people.zip')} required maxLength={50} {...form.field('zipCode')} />
          <TextField label={words('people.institution')} maxLength={255} {...form.field('institution')} />
        </FormSection>
      </Form>
    </Page>
  )
}
