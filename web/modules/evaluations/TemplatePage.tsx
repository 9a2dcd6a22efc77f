import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  createEvaluationTemplate,
  DueRule,
  EvaluatorRole,
  getEvaluationTemplate,
  listEvaluationTemplates,
  listFormTypes,
  SubjectRole,
  searchEvaluationTemplates,
  type TemplateDetail,
  type TemplateInput,
  updateEvaluationTemplate,
} from '#contract/evaluations.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { FormBody, type FormParts } from './FormBody.tsx'
import { parseQuestions, parseScores, printQuestions, printScores } from './outline.ts'
import type { AnswerState } from './use-kept-answers.ts'

/** A template with its questions as lines; `copy` in the address begins with another one's. */
export function TemplatePage() {
  const programId = useProgramId()
  const [{ id, copy }] = useAddress({ id: null as number | null, copy: null as number | null })
  const source = id ?? copy
  const template = useRead(
    getEvaluationTemplate,
    { params: { programId, templateId: source ?? 0 } },
    { isEnabled: source !== null, keepsLast: false },
  )
  if (template.error) return <PageMessage kind="not-found" text={template.error.message} />
  if (source !== null && !template.data) return null
  return <TemplateForm programId={programId} source={template.data} isNew={id === null} />
}

/** The parts as the form shows them, with places for ids: what the preview draws. */
const previewOf = (input: TemplateInput): FormParts => ({
  ScoreTypes: (input.ScoreTypes ?? []).map((type, at) => ({
    Id: at + 1,
    Title: type.Title,
    Values: type.Values.map((value, place) => ({
      Id: at * 100 + place + 1,
      Label: value.Label,
      Value: value.Value,
      IsNotApplicable: value.IsNotApplicable ?? false,
      NeedsComment: value.NeedsComment ?? false,
    })),
  })),
  Groups: (input.Groups ?? []).map((group, at) => ({ Id: at + 1, ...group })),
  Categories: input.Categories.map((category, at) => ({ Id: at + 1, ...category })),
  Items: [
    ...(input.Items ?? []).map((item, at) => ({
      Id: at + 1,
      CategoryId: item.Category + 1,
      Kind: 'scored' as const,
      Text: item.Text,
      ScoreTypeId: item.ScoreType + 1,
      GroupId: item.Group === null || item.Group === undefined ? null : item.Group + 1,
      InputType: null,
      Choices: [],
      IsMandatory: item.IsMandatory ?? false,
    })),
    ...(input.FibItems ?? []).map((item, at) => ({
      Id: 1_000 + at,
      CategoryId: item.Category + 1,
      Kind: 'fib' as const,
      Text: item.Text,
      ScoreTypeId: null,
      GroupId: null,
      InputType: item.InputType,
      Choices: item.Choices ?? [],
      IsMandatory: item.IsMandatory ?? false,
    })),
  ],
})

type TemplateFields = {
  Title: string
  FormTypeId: string | null
  EvaluatorRole: string | null
  SubjectRole: string | null
  Instructions: string
  IsAnonymous: boolean
  DueRule: string | null
  DueDays: number | null
  DueDate: string | null
  Scores: string
  Threshold: number | null
  HasNotApplicable: boolean
  Questions: string
}

function TemplateForm({
  programId,
  source,
  isNew,
}: {
  programId: number
  source: TemplateDetail | undefined
  isNew: boolean
}) {
  const words = useWords()
  const navigate = useNavigate()
  const formTypes = useRead(listFormTypes, { params: { programId } })
  const refresh = { refresh: [searchEvaluationTemplates, listEvaluationTemplates, getEvaluationTemplate] }
  const create = useSave(createEvaluationTemplate, refresh)
  const update = useSave(updateEvaluationTemplate, refresh)
  const [isPreviewed, setPreviewed] = useState(false)
  const [tried, setTried] = useState<ReadonlyMap<number, AnswerState>>(new Map())
  const scores = source?.ScoreTypes[0]?.Values ?? []
  const threshold = scores.filter(({ NeedsComment }) => NeedsComment).map(({ Value }) => (Value ?? 0) + 1)
  const bodyOf = (values: TemplateFields): TemplateInput => {
    const questions = parseQuestions(values.Questions, words('evaluations.questions'))
    const text = values.Instructions.trim()
    return {
      Title: values.Title,
      FormTypeId: values.FormTypeId ? Number(values.FormTypeId) : null,
      EvaluatorRole: values.IsAnonymous
        ? 'anonymous'
        : (values.EvaluatorRole as TemplateInput['EvaluatorRole']),
      SubjectRole: values.SubjectRole as TemplateInput['SubjectRole'],
      Instructions: text
        ? `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')}</p>`
        : '',
      IsAnonymous: values.IsAnonymous,
      IsActive: source?.IsActive ?? true,
      DueRule: values.DueRule as TemplateInput['DueRule'],
      DueDays: values.DueDays ?? 7,
      DueDate: values.DueDate,
      ScoreTypes: [
        {
          Title: source?.ScoreTypes[0]?.Title ?? words('evaluations.scoreLines'),
          Values: parseScores(values.Scores, values.Threshold, values.HasNotApplicable),
        },
      ],
      Groups: questions.hasGroup
        ? [{ Name: source?.Groups[0]?.Name ?? words('evaluations.group'), IsMandatory: true }]
        : [],
      Categories:
        questions.Categories.length > 0 ? questions.Categories : [{ Name: words('evaluations.questions') }],
      Items: questions.Items,
      FibItems: questions.FibItems,
    }
  }
  const form = useEditForm<TemplateFields>({
    initialValues: {
      Title: isNew && source ? `${source.Title} 2` : (source?.Title ?? ''),
      FormTypeId: (source?.FormTypeId ? String(source.FormTypeId) : null) as string | null,
      EvaluatorRole: (source?.EvaluatorRole ?? 'supervisor') as string | null,
      SubjectRole: (source?.SubjectRole ?? 'student') as string | null,
      Instructions: (source?.Instructions ?? '').replace(/<[^>]+>/g, '').trim(),
      IsAnonymous: source?.IsAnonymous ?? false,
      DueRule: (source?.DueRule ?? 'after_shift') as string | null,
      DueDays: (source?.DueDays ?? 7) as number | null,
      DueDate: source?.DueDate ?? null,
      Scores:
        scores.length > 0
          ? printScores(scores)
          : 'Strongly disagree = 1\nDisagree = 2\nNeutral = 3\nAgree = 4\nStrongly agree = 5',
      Threshold: (source ? (threshold.length > 0 ? Math.max(...threshold) : null) : 3) as number | null,
      HasNotApplicable: source ? scores.some(({ IsNotApplicable }) => IsNotApplicable) : true,
      Questions: source ? printQuestions(source) : '',
    },
    rules: {
      Title: required(),
      EvaluatorRole: required(),
      SubjectRole: required(),
      Scores: required(words('evaluations.scoresEmpty')),
      Questions: required(words('evaluations.questionsEmpty')),
    },
    draftKey: `evaluation-template-${programId}-${isNew ? 0 : source?.Id}`,
    save: (values) => {
      const body = bodyOf(values)
      return isNew || !source
        ? create.run({ params: { programId }, body })
        : update.run({ params: { programId, templateId: source.Id }, body })
    },
  })
  const leave = () => void navigate({ to: '/admin/evaluations/templates' } as never)
  const saved = () => {
    toast.done(words('evaluations.savedTemplate', { name: form.values.Title.trim() }))
    leave()
  }
  const role = (name: string) => ({
    value: name,
    label: words(`evaluations.role_${name}` as 'evaluations.role_student'),
  })
  return (
    <Page
      title={isNew ? words('evaluations.newTemplate') : (source?.Title ?? '')}
      breadcrumb={
        <RouterLink href="/new/admin/evaluations/templates">{words('evaluations.templates')}</RouterLink>
      }
      actions={
        <>
          <Button variant="default" onClick={() => setPreviewed(true)}>
            {words('evaluations.preview')}
          </Button>
          <FormActions form={form} onCancel={leave} onSaved={saved} always={isNew} />
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
            options={EvaluatorRole.options.filter((name) => name !== 'anonymous').map(role)}
            {...(form.values.IsAnonymous && { lockedBecause: words('evaluations.isAnonymous') })}
            {...form.field('EvaluatorRole')}
          />
          <SelectField
            label={words('evaluations.whom')}
            required
            options={SubjectRole.options.map(role)}
            {...form.field('SubjectRole')}
          />
          <FullWidth>
            <CheckField label={words('evaluations.isAnonymous')} {...form.field('IsAnonymous')} />
          </FullWidth>
          <FullWidth>
            <TextAreaField
              label={words('evaluations.instructions')}
              maxLength={5_000}
              {...form.field('Instructions')}
            />
          </FullWidth>
        </FormSection>
        <FormSection name={words('evaluations.dueSection')} purpose={words('evaluations.duePurpose')}>
          <SelectField
            label={words('evaluations.dueRule')}
            required
            options={DueRule.options.map((rule) => ({
              value: rule,
              label: words(`evaluations.due_${rule}`),
            }))}
            {...form.field('DueRule')}
          />
          {form.values.DueRule === 'fixed' ? (
            <DateField label={words('evaluations.dueDate')} required {...form.field('DueDate')} />
          ) : (
            <NumberField label={words('evaluations.dueDays')} min={0} max={365} {...form.field('DueDays')} />
          )}
        </FormSection>
        <FormSection name={words('evaluations.scoresSection')} purpose={words('evaluations.scoresPurpose')}>
          <FullWidth>
            <TextAreaField
              label={words('evaluations.scoreLines')}
              required
              rows={6}
              maxLength={5_000}
              {...form.field('Scores')}
            />
          </FullWidth>
          <NumberField label={words('evaluations.threshold')} {...form.field('Threshold')} />
          <CheckField label={words('evaluations.withNa')} {...form.field('HasNotApplicable')} />
        </FormSection>
        <FormSection
          name={words('evaluations.questionsSection')}
          purpose={words('evaluations.questionsPurpose')}
          wide
        >
          <TextAreaField
            label={words('evaluations.questions')}
            required
            rows={14}
            maxLength={100_000}
            {...form.field('Questions')}
          />
        </FormSection>
      </Form>
      <Dialog
        opened={isPreviewed}
        onClose={() => setPreviewed(false)}
        title={form.values.Title || words('evaluations.newTemplate')}
        subtitle={words('evaluations.previewTitle')}
        width={640}
      >
        <div className={classes.preview}>
          <FormBody
            form={previewOf(bodyOf(form.values))}
            answers={tried}
            onAnswer={(itemId, change) =>
              setTried((before) =>
                new Map(before).set(itemId, {
                  ...(before.get(itemId) ?? {
                    ItemId: itemId,
                    ScoreValueId: null,
                    Text: null,
                    Comment: null,
                  }),
                  ...change,
                }),
              )
            }
          />
        </div>
      </Dialog>
    </Page>
  )
}
