import { createGraduate, type Graduate, getGraduate, updateGraduate } from '#contract/graduates/graduates.ts'
import { examResults, placements, withdrawalReasons } from '#contract/graduates/measures-rules.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { measured } from './measured.ts'

/** Add or edit a person who entered the program. */
export function GraduatePage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const programId = useProgramId()
  const graduate = useRead(
    getGraduate,
    { params: { programId, graduateId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false },
  )
  return (
    <EditPage id={id} read={graduate}>
      {(found) => <GraduateForm graduate={found} programId={programId} />}
    </EditPage>
  )
}

const fresh: Omit<Graduate, 'Id' | 'UserId'> = {
  FirstName: '',
  LastName: '',
  StudentNumber: '',
  Cohort: '',
  Exam: '',
  Notes: '',
  EnteredOn: null,
  GraduatedOn: null,
  WithdrewOn: null,
  WithdrawalReason: null,
  FirstAttemptOn: null,
  FirstAttemptResult: null,
  PassedOn: null,
  HighCutOn: null,
  Placement: null,
  StartedWorkOn: null,
}

function GraduateForm({ graduate, programId }: { graduate: Graduate | undefined; programId: number }) {
  const words = useWords()
  const create = useSave(createGraduate, measured)
  const update = useSave(updateGraduate, measured)
  const { Id: _, UserId: _user, ...kept } = graduate ?? { Id: 0, UserId: null, ...fresh }
  const form = useEditForm({
    initialValues: kept,
    rules: { FirstName: required(), LastName: required() },
    draftKey: `graduate-${programId}-${graduate?.Id ?? 0}`,
    save: (body) =>
      graduate
        ? update.run({ params: { programId, graduateId: graduate.Id }, body }, { basedOn: graduate })
        : create.run({ params: { programId }, body }),
  })
  const { values } = form
  const leave = () => leaveTo('/admin/graduates')
  const saved = () => {
    toast.done(words('graduates.saved', { name: `${values.FirstName.trim()} ${values.LastName.trim()}` }))
    leave()
  }
  /** A first attempt that was passed is the day of passing, too. */
  const setFirst = (more: Partial<Pick<Graduate, 'FirstAttemptOn' | 'FirstAttemptResult'>>) => {
    const { FirstAttemptOn, FirstAttemptResult } = { ...values, ...more }
    form.set('FirstAttemptOn', FirstAttemptOn)
    form.set('FirstAttemptResult', FirstAttemptResult)
    if (FirstAttemptResult === 'passed' || FirstAttemptResult === 'high') {
      form.set('PassedOn', FirstAttemptOn)
      if (FirstAttemptResult === 'high') form.set('HighCutOn', FirstAttemptOn)
    }
  }
  const isEmployed = values.Placement === 'field' || values.Placement === 'otherField'
  return (
    <Page
      title={graduate ? `${graduate.FirstName} ${graduate.LastName}` : words('graduates.newTitle')}
      breadcrumb={<PageLink href="/new/admin/graduates">{words('graduates.title')}</PageLink>}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!graduate} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('graduates.person')} purpose={words('graduates.personPurpose')}>
          <TextField
            label={words('graduates.firstName')}
            required
            maxLength={100}
            {...form.field('FirstName')}
          />
          <TextField
            label={words('graduates.lastName')}
            required
            maxLength={100}
            {...form.field('LastName')}
          />
          <TextField
            label={words('graduates.studentNumber')}
            maxLength={50}
            {...form.field('StudentNumber')}
          />
          <TextField label={words('graduates.cohort')} maxLength={100} {...form.field('Cohort')} />
        </FormSection>
        <FormSection name={words('graduates.program')} purpose={words('graduates.programPurpose')}>
          <DateField label={words('graduates.entered')} {...form.field('EnteredOn')} />
          <DateField label={words('graduates.graduated')} {...form.field('GraduatedOn')} />
          <DateField label={words('graduates.withdrew')} {...form.field('WithdrewOn')} />
          <SelectField
            label={words('graduates.reason')}
            options={withdrawalReasons.map((value) => ({ value, label: words(`graduates.reason_${value}`) }))}
            {...form.field('WithdrawalReason')}
            onChange={(reason) =>
              form.set('WithdrawalReason', withdrawalReasons.find((each) => each === reason) ?? null)
            }
          />
        </FormSection>
        <FormSection name={words('graduates.examSection')} purpose={words('graduates.examPurpose')}>
          <FullWidth>
            <TextField
              label={words('graduates.exam')}
              description={words('graduates.examHint')}
              maxLength={100}
              {...form.field('Exam')}
            />
          </FullWidth>
          <DateField
            label={words('graduates.firstAttempt')}
            {...form.field('FirstAttemptOn')}
            onChange={(FirstAttemptOn) => setFirst({ FirstAttemptOn })}
          />
          <SelectField
            label={words('graduates.firstResult')}
            options={examResults.map((value) => ({ value, label: words(`graduates.result_${value}`) }))}
            {...form.field('FirstAttemptResult')}
            onChange={(result) =>
              setFirst({ FirstAttemptResult: examResults.find((each) => each === result) ?? null })
            }
          />
          <DateField
            label={words('graduates.passed')}
            description={words('graduates.passedHint')}
            {...form.field('PassedOn')}
          />
          <DateField
            label={words('graduates.highCut')}
            description={words('graduates.highCutHint')}
            {...form.field('HighCutOn')}
          />
        </FormSection>
        <FormSection name={words('graduates.work')} purpose={words('graduates.workPurpose')}>
          <SelectField
            label={words('graduates.placement')}
            options={placements.map((value) => ({ value, label: words(`graduates.placement_${value}`) }))}
            {...form.field('Placement')}
            onChange={(placement) => {
              const next = placements.find((each) => each === placement) ?? null
              form.set('Placement', next)
              if (next !== 'field' && next !== 'otherField') form.set('StartedWorkOn', null)
            }}
          />
          {isEmployed && (
            <DateField label={words('graduates.startedWork')} {...form.field('StartedWorkOn')} />
          )}
          <FullWidth>
            <TextAreaField label={words('graduates.notes')} maxLength={2000} {...form.field('Notes')} />
          </FullWidth>
        </FormSection>
      </Form>
    </Page>
  )
}
