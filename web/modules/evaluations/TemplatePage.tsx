import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { automaticProblem, isMadeByRule } from '#contract/evaluations/evaluation-making-rules.ts'
import {
  createEvaluationTemplate,
  dueRules,
  evaluatorRoles,
  getEvaluationTemplate,
  subjectRoles,
  type TemplateDetail,
  updateEvaluationTemplate,
} from '#contract/evaluations/evaluations.ts'
import { listFormTypes } from '#contract/evaluations/form-types.ts'
import { listStudentLevels } from '#contract/people/people.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { usePictureUpload } from '#web/api/use-picture-upload.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AutomaticSection, RemindersSection } from './AutomaticSections.tsx'
import { FormPreview } from './FormPreview.tsx'
import { TemplateNav } from './TemplateNav.tsx'
import { ruleOf, type TemplateFields } from './template-fields.ts'
import { designed } from './use-design.ts'

/** A template's settings: who evaluates whom, instructions, due rule. What it asks has screens of its own. */
export function TemplatePage() {
  const programId = useProgramId()
  const [{ id }] = useAddress({ id: null as number | null })
  const template = useRead(
    getEvaluationTemplate,
    { params: { programId, templateId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false },
  )
  return (
    <EditPage id={id} read={template}>
      {(found) => <TemplateForm programId={programId} source={found} />}
    </EditPage>
  )
}

const automaticWords = {
  AutomaticFrom: 'evaluations.dateMissing',
  MakeDate: 'evaluations.dateMissing',
  MakeEach: 'evaluations.eachMissing',
  MakePersonIds: 'evaluations.peopleMissing',
} as const

/** The switch counts only where a rule is possible; it keeps its place while who evaluates whom is changed. */
const isAutomatic = (values: TemplateFields): boolean =>
  values.IsAutomatic && !values.IsAnonymous && isMadeByRule(ruleOf(values))

function TemplateForm({ programId, source }: { programId: number; source: TemplateDetail | undefined }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const timeZone = useTimeZone()
  const formTypes = useRead(listFormTypes, { params: { programId } })
  const levels = useRead(listStudentLevels, { params: { programId } })
  const create = useSave(createEvaluationTemplate, designed)
  const update = useSave(updateEvaluationTemplate, designed)
  const [isPreviewed, setPreviewed] = useState(false)
  const uploadPicture = usePictureUpload(programId)
  const open = (page: 'templates' | 'items' | 'order-items', search: Record<string, string> = {}) =>
    navigate(`/admin/evaluations/${page}`, { search })
  const form = useEditForm<TemplateFields>({
    initialValues: {
      Title: source?.Title ?? '',
      FormTypeId: source?.FormTypeId ? String(source.FormTypeId) : null,
      EvaluatorRole: source?.EvaluatorRole ?? 'supervisor',
      SubjectRole: source?.SubjectRole ?? 'student',
      Instructions: source?.Instructions ?? '',
      IsAnonymous: source?.IsAnonymous ?? false,
      IsActive: source?.IsActive ?? true,
      IsShownToSubject: source?.IsShownToSubject ?? true,
      DueRule: source?.DueRule ?? 'after_shift',
      DueDays: source?.DueDays ?? 7,
      DueDate: source?.DueDate ?? null,
      StudentLevelIds: (source?.StudentLevelIds ?? []).map(String),
      IsAutomatic: source?.IsAutomatic ?? false,
      AutomaticFrom: source?.AutomaticFrom ?? dateOfInstant(Date.now(), timeZone),
      MakeOn: source?.MakeOn ?? 'shift',
      MakeDays: source?.MakeDays ?? 0,
      MakeDate: source?.MakeDate ?? null,
      MakeEach: source?.MakeEach ?? 'shift',
      MakePersonIds: (source?.MakePersonIds ?? []).map(String),
      RemindBefore: source ? source.RemindBefore : 3,
      RemindOnDay: source?.RemindOnDay ?? true,
      RemindEvery: source?.RemindEvery ?? 7,
      RemindMost: source?.RemindMost ?? 3,
      EscalateAfter: source?.EscalateAfter ?? null,
      MayBeAsked: source?.MayBeAsked ?? false,
    },
    rules: {
      Title: required(),
      EvaluatorRole: required(),
      SubjectRole: required(),
      DueDate: (date: string | null, { DueRule: rule }: TemplateFields) =>
        rule === 'fixed' && !date ? words('evaluations.dayMissing') : null,
      ...Object.fromEntries(
        Object.entries(automaticWords).map(([name, text]) => [
          name,
          (_value: unknown, values: TemplateFields) =>
            automaticProblem({ ...ruleOf(values), IsAutomatic: isAutomatic(values) })?.field === name
              ? words(text)
              : null,
        ]),
      ),
    },
    draftKey: `evaluation-template-${programId}-${source?.Id ?? 0}`,
    save: async (values) => {
      const settings = {
        ...ruleOf(values),
        Title: values.Title,
        FormTypeId: values.FormTypeId ? Number(values.FormTypeId) : null,
        Instructions: values.Instructions,
        IsActive: values.IsActive,
        IsShownToSubject: values.IsShownToSubject,
        IsAutomatic: isAutomatic(values),
        RemindBefore: values.RemindBefore,
        RemindOnDay: values.RemindOnDay,
        RemindEvery: values.RemindEvery ?? 7,
        RemindMost: values.RemindMost ?? 0,
        EscalateAfter: values.EscalateAfter,
        MayBeAsked: values.MayBeAsked,
      }
      if (source)
        return update.run(
          { params: { programId, templateId: source.Id }, body: settings },
          { basedOn: source },
        )
      // A category and a scale to begin with: the first item can be written at once.
      const made = await create.run({
        params: { programId },
        body: {
          ...settings,
          Categories: [{ Name: words('evaluations.firstCategory') }],
          ScoreTypes: [
            {
              Title: words('evaluations.firstScale'),
              Values: [
                ...[1, 2, 3, 4, 5].map((Value) => ({
                  Label: words(`evaluations.scale_${Value as 1 | 2 | 3 | 4 | 5}`),
                  Value,
                  NeedsComment: Value < 3,
                })),
                { Label: words('evaluations.notApplicable'), Value: null, IsNotApplicable: true },
              ],
            },
          ],
        },
      })
      open('items', { template: String(made.Id) })
      return made
    },
  })
  const leave = () => open('templates')
  const saved = () => {
    toast.done(words('evaluations.savedTemplate', { name: form.values.Title.trim() }))
    if (source) leave()
  }
  const role = (name: string) => ({
    value: name,
    label: words(`evaluations.role_${name}` as 'evaluations.role_student'),
  })
  const inUse = Boolean(source && source.EvaluationCount > 0) && words('evaluations.inUse')
  return (
    <Page
      title={source?.Title ?? words('evaluations.newTemplate')}
      breadcrumb={<TemplateNav templateId={source?.Id ?? 0} current="templates/edit" />}
      actions={
        <>
          {source && (
            <Button
              variant="default"
              leftSection={<IconEye size={17} stroke={1.75} aria-hidden />}
              onClick={() => setPreviewed(true)}
            >
              {words('evaluations.preview')}
            </Button>
          )}
          <FormActions form={form} onCancel={leave} onSaved={saved} always={!source} />
        </>
      }
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('evaluations.formSection')} purpose={words('evaluations.formPurpose')}>
          <TextField label={words('evaluations.title')} required maxLength={255} {...form.field('Title')} />
          <SelectField
            label={words('evaluations.formType')}
            options={(formTypes.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            {...form.field('FormTypeId')}
          />
          <SelectField
            label={words('evaluations.who')}
            required
            options={evaluatorRoles.filter((name) => name !== 'anonymous').map(role)}
            lockedBecause={inUse || (form.values.IsAnonymous && words('evaluations.isAnonymous'))}
            {...form.field('EvaluatorRole')}
          />
          <SelectField
            label={words('evaluations.whom')}
            required
            options={subjectRoles.map(role)}
            lockedBecause={inUse}
            {...form.field('SubjectRole')}
          />
          <FullWidth>
            <MultiSelectField
              label={words('evaluations.studentLevels')}
              placeholder={words('evaluations.allLevels')}
              description={words('evaluations.studentLevelsHint')}
              options={(levels.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
              {...form.field('StudentLevelIds')}
            />
          </FullWidth>
          <FullWidth>
            <CheckField
              label={words('evaluations.isAnonymous')}
              lockedBecause={inUse}
              {...form.field('IsAnonymous')}
            />
          </FullWidth>
          <FullWidth>
            <CheckField
              label={words('evaluations.isShownToSubject')}
              description={words('evaluations.isShownToSubjectHint')}
              {...form.field('IsShownToSubject')}
            />
          </FullWidth>
          <FullWidth>
            <CheckField
              label={words('evaluations.isActive')}
              description={words('evaluations.isActiveHint')}
              {...form.field('IsActive')}
            />
          </FullWidth>
          <FullWidth>
            <CheckField
              label={words('evaluations.mayBeAsked')}
              description={words('evaluations.mayBeAskedHint')}
              {...form.field('MayBeAsked')}
            />
          </FullWidth>
        </FormSection>
        <FormSection
          name={words('evaluations.instructions')}
          purpose={words('evaluations.instructionsPurpose')}
          wide
        >
          <RichText
            label={words('evaluations.instructions')}
            hideLabel
            height={160}
            value={form.values.Instructions}
            onChange={(html) => form.set('Instructions', html)}
            // Whoever answers an anonymous form is not signed in, and would not see a picture.
            {...(!form.values.IsAnonymous && { onUploadImage: uploadPicture })}
            {...(form.errors.Instructions && { error: form.errors.Instructions })}
          />
        </FormSection>
        <FormSection name={words('evaluations.dueSection')} purpose={words('evaluations.duePurpose')}>
          <SelectField
            label={words('evaluations.dueRule')}
            required
            options={dueRules.map((rule) => ({
              value: rule,
              label: words(`evaluations.due_${rule}`),
            }))}
            {...form.field('DueRule')}
          />
          {form.values.DueRule === 'fixed' ? (
            <DateField label={words('evaluations.dueDate')} required {...form.field('DueDate')} />
          ) : (
            form.values.DueRule !== 'none' && (
              <NumberField
                label={words('evaluations.dueDays')}
                min={0}
                max={365}
                {...form.field('DueDays')}
              />
            )
          )}
        </FormSection>
        <AutomaticSection programId={programId} form={form} source={source} />
        <RemindersSection form={form} />
      </Form>
      {source && isPreviewed && (
        <FormPreview
          template={{ ...source, Title: form.values.Title, Instructions: source.Instructions }}
          onClose={() => setPreviewed(false)}
        />
      )}
    </Page>
  )
}
