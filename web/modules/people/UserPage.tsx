import { useEffect, useRef } from 'react'
import { listAreas } from '#contract/areas/areas.ts'
import { previewStudentMove } from '#contract/competencies/list-moves.ts'
import { Level, levels } from '#contract/core/levels.ts'
import { type DirectoryField, directoryFields } from '#contract/people/directory-fields.ts'
import {
  getUser,
  hasAssignedSites,
  listStudentLevels,
  listUsers,
  mayGiveLevel,
  searchUsers,
  type UserDetail,
  updateUser,
} from '#contract/people/people.ts'
import { isNamed } from '#contract/people/person-fields.ts'
import { listSites } from '#contract/sites/sites.ts'
import { CallError } from '#web/api/call.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useUser } from '#web/api/use-state.ts'
import { useRoleOptions } from '#web/shared/role-options.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { all, required, validEmail } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { DirectoryFields } from './DirectoryFields.tsx'
import { changesAnything, StudentMove } from './StudentMove.tsx'

/** One person: everything but the user name can be changed. */
export function UserPage() {
  const programId = useProgramId()
  const [{ id }] = useAddress({ id: 0 })
  const user = useRead(
    getUser,
    { params: { programId, userId: id } },
    { isEnabled: id > 0, keepsLast: false },
  )
  if (user.error) return <ReadProblem read={user} />
  if (!user.data) return null
  return <UserForm user={user.data} programId={programId} />
}

const idText = (id: number | null): string | null => (id === null ? null : String(id))

function UserForm({ user, programId }: { user: UserDetail; programId: number }) {
  const words = useWords()
  const rolesOf = useRoleOptions()
  const me = useUser()
  const inProgram = { params: { programId } }
  const areas = useRead(listAreas, { ...inProgram, query: {} })
  const studentLevels = useRead(listStudentLevels, inProgram)
  const update = useSave(updateUser, { refresh: [searchUsers, listUsers, getUser] })
  const name = `${user.FirstName} ${user.LastName}`.trim()
  const { Id: _id, UserName: _userName, IsActive: _isActive, IsTestUser, Directory, ...rest } = user
  const preview = useSave(previewStudentMove, { refresh: [] })
  /** Asks before another cohort or level changes what is asked of a student. */
  const isMoveWanted = async (values: {
    AccessLevel: string | null
    Cohort: string
    StudentLevelId: string | null
  }): Promise<boolean> => {
    const Cohort = values.Cohort.trim() || null
    const StudentLevelId = values.StudentLevelId === null ? null : Number(values.StudentLevelId)
    const isStudent = user.AccessLevel === Level.Student && Number(values.AccessLevel) === Level.Student
    if (!isStudent || (Cohort === user.Cohort && StudentLevelId === user.StudentLevelId)) return true
    const found = await preview.run({
      params: { programId, userId: user.Id },
      body: { Cohort, StudentLevelId },
    })
    return (
      !changesAnything(found) ||
      confirm({
        title: words('people.moveTitle', { name }),
        text: words('people.moveKept'),
        detail: <StudentMove found={found} />,
        verb: words('people.move'),
      })
    )
  }
  const form = useEditForm({
    initialValues: {
      ...rest,
      AreaId: idText(user.AreaId),
      AccessLevel: String(user.AccessLevel) as string | null,
      StudentNumber: user.StudentNumber ?? '',
      StudentLevelId: idText(user.StudentLevelId),
      Cohort: user.Cohort ?? '',
      SupervisorSiteIds: user.SupervisorSiteIds.map(String),
      KeptFields: (Directory?.Kept ?? []) as string[],
    },
    rules: {
      AccessLevel: required(),
      LastName: (value: string, values: { FirstName: string }) =>
        isNamed(values.FirstName, value) ? null : required()(value, values),
      EmailAddress: user.EmailAddress === '' ? validEmail() : all(required(), validEmail()),
    },
    draftKey: `user-${user.Id}`,
    save: async (values) => {
      if (!(await isMoveWanted(values))) throw new Error(words('people.moveCanceled'))
      const body = {
        ...values,
        AreaId: values.AreaId === null ? null : Number(values.AreaId),
        AccessLevel: Number(values.AccessLevel),
        StudentNumber: values.StudentNumber.trim() || null,
        StudentLevelId: values.StudentLevelId === null ? null : Number(values.StudentLevelId),
        Cohort: values.Cohort.trim() || null,
        SupervisorSiteIds: values.SupervisorSiteIds.map(Number),
        KeptFields: directoryFields.filter((field) => values.KeptFields.includes(field)),
      }
      const at = { params: { programId, userId: user.Id } }
      try {
        return await update.run({ ...at, body }, { basedOn: user })
      } catch (error) {
        const isShared = error instanceof CallError && error.code === 'student_number'
        const keeps =
          isShared &&
          (await confirm({
            title: words('people.sharedTitle'),
            text: words('people.sharedQuestion', { message: error.message }),
            verb: words('people.keepBoth'),
          }))
        if (!keeps) throw error
        return update.run({ ...at, body: { ...body, AllowsSharedStudentNumber: true } }, { basedOn: user })
      }
    },
  })
  const lockedBecause = (field: DirectoryField): string | false =>
    Directory?.Fields.includes(field) === true &&
    !form.values.KeptFields.includes(field) &&
    words('people.fromDirectory', { name: Directory.Name })
  const level = Number(form.values.AccessLevel ?? 0)
  const takesSites = hasAssignedSites(level)
  const sites = useRead(listSites, inProgram, { isEnabled: takesSites })
  const leave = () => leaveTo('/admin/manage-users')
  const saved = () => {
    toast.done(words('people.saved', { name }))
    leave()
  }
  const becomesAlumnus = user.AccessLevel === Level.Student && level === Level.Alumnus
  const isSure = useRef(false)
  const askAlumnus = () =>
    confirm({ text: words('people.alumnusQuestion', { name }), verb: words('people.makeAlumnus') })
  /** However a student becomes an alumnus, the question comes before the save. */
  const asking = {
    ...form,
    submit: async () => {
      if (becomesAlumnus && !(await askAlumnus())) return false
      return form.submit()
    },
  }
  const makeAlumnus = async () => {
    if (!(await askAlumnus())) return
    isSure.current = true
    form.set('AccessLevel', String(Level.Alumnus))
  }
  // The form saves the role that it holds, which it does from the next picture on.
  const { submit } = form
  useEffect(() => {
    if (!becomesAlumnus || !isSure.current) return
    isSure.current = false
    void submit().then((isSaved) => isSaved && savedNow.current())
  }, [becomesAlumnus, submit])
  const savedNow = useRef(saved)
  savedNow.current = saved
  const choices = levels
    .map(({ Id }) => Id)
    .filter((each) => each === user.AccessLevel || mayGiveLevel(me.AccessLevel, each) || each === level)
  return (
    <Page
      title={name}
      count={user.UserName}
      breadcrumb={<PageLink href="/new/admin/manage-users">{words('people.title')}</PageLink>}
      actions={<FormActions form={asking} onCancel={leave} onSaved={saved} />}
      inset
    >
      <Form form={asking} onCancel={leave} onSaved={saved}>
        <FormSection name={words('people.personSection')} purpose={words('people.personPurpose')}>
          <TextField
            label={words('people.firstName')}
            maxLength={255}
            lockedBecause={lockedBecause('FirstName')}
            {...form.field('FirstName')}
          />
          <TextField
            label={words('people.lastName')}
            required={form.values.FirstName.trim() === ''}
            maxLength={255}
            lockedBecause={lockedBecause('LastName')}
            {...form.field('LastName')}
          />
          <TextField
            label={words('people.middleName')}
            maxLength={255}
            lockedBecause={lockedBecause('MiddleName')}
            {...form.field('MiddleName')}
          />
          <TextField
            label={words('people.suffix')}
            maxLength={50}
            lockedBecause={lockedBecause('Suffix')}
            {...form.field('Suffix')}
          />
          <TextField
            label={words('people.email')}
            required={user.EmailAddress !== ''}
            maxLength={255}
            lockedBecause={lockedBecause('EmailAddress')}
            {...form.field('EmailAddress')}
          />
          <TextField
            label={words('people.phone')}
            maxLength={50}
            lockedBecause={lockedBecause('PhoneNumber')}
            {...form.field('PhoneNumber')}
          />
          <TextField label={words('people.zip')} maxLength={50} {...form.field('ZipCode')} />
          <TextField label={words('people.institution')} maxLength={255} {...form.field('Institution')} />
          {Directory && (
            <FullWidth>
              <DirectoryFields
                directory={Directory.Name}
                fields={Directory.Fields}
                kept={form.values.KeptFields}
                onTake={(field) => form.set('KeptFields', [...form.values.KeptFields, field])}
                onGiveBack={(field) => {
                  // What was typed meanwhile is not the directory's.
                  form.set(field, user[field] ?? '')
                  form.set(
                    'KeptFields',
                    form.values.KeptFields.filter((each) => each !== field),
                  )
                }}
              />
            </FullWidth>
          )}
        </FormSection>
        <FormSection name={words('people.roleSection')} purpose={words('people.rolePurpose')}>
          <SelectField
            label={words('people.role')}
            required
            lockedBecause={IsTestUser && words('people.testUser')}
            options={rolesOf(choices, user.AccessLevel)}
            {...form.field('AccessLevel')}
          />
          <SelectField
            label={words('people.area')}
            options={(areas.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            {...form.field('AreaId')}
          />
          {takesSites && (
            <FullWidth>
              <MultiSelectField
                label={words('people.assignSites')}
                options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
                {...form.field('SupervisorSiteIds')}
              />
            </FullWidth>
          )}
          {user.AccessLevel === Level.Student && level === Level.Student && (
            <FullWidth>
              <Button variant="default" onClick={() => void makeAlumnus()}>
                {words('people.makeAlumnus')}
              </Button>
            </FullWidth>
          )}
        </FormSection>
        {level === Level.Student && (
          <FormSection name={words('people.studentSection')} purpose={words('people.studentPurpose')}>
            <TextField
              label={words('people.studentNumber')}
              maxLength={50}
              lockedBecause={lockedBecause('StudentNumber')}
              {...form.field('StudentNumber')}
            />
            <SelectField
              label={words('people.studentLevel')}
              options={(studentLevels.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
              {...form.field('StudentLevelId')}
            />
            <TextField label={words('people.cohort')} maxLength={100} {...form.field('Cohort')} />
          </FormSection>
        )}
      </Form>
    </Page>
  )
}
