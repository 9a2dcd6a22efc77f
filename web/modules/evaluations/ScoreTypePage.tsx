import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  createScoreType,
  listScoreTypes,
  type ScoreTypeRow,
  updateScoreType,
} from '#contract/evaluations/score-types.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { fieldId, useEditForm } from '#web/ui/form/use-edit-form.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { Page } from '#web/ui/Page.tsx'
import { SortableList } from '#web/ui/SortableList.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { designed } from './use-design.ts'

/** A score as it is typed; `Key` stays the same while the row moves. */
interface ScoreDraft {
  Key: string
  Id: number | null
  Label: string
  Value: string
  IsNotApplicable: boolean
  NeedsComment: boolean
}

const maxScores = 20
const numberOf = (text: string): number | null =>
  /^-?\d{1,5}([.]\d{1,2})?$/.test(text.trim()) ? Number(text) : null

/** The scores of a score type: label, value, order, N/A, and where a comment is required. */
export function ScoreTypePage() {
  const programId = useProgramId()
  const [{ template, id }] = useAddress({ template: null as number | null, id: null as number | null })
  const words = useWords()
  const params = { programId, templateId: template ?? 0 }
  const types = useRead(
    listScoreTypes,
    { params, query: {} },
    { isEnabled: template !== null, keepsLast: false },
  )
  const source = types.data?.find(({ Id }) => Id === id)
  if (template === null) return <PageProblem kind="not-found" text={words('evaluations.noTemplate')} />
  if (types.error) return <ReadProblem read={types} />
  if (!types.data) return null
  if (id !== null && !source) return <PageProblem kind="not-found" text={words('evaluations.noScoreType')} />
  return <ScoreTypeForm params={params} source={source} />
}

function ScoreTypeForm(props: {
  params: { programId: number; templateId: number }
  source: ScoreTypeRow | undefined
}) {
  const { params, source } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const create = useSave(createScoreType, designed)
  const update = useSave(updateScoreType, designed)
  const [threshold, setThreshold] = useState('')
  const [lastKey, setLastKey] = useState(100)
  const draftOf = (key: number, part: Partial<ScoreDraft> = {}): ScoreDraft => ({
    Key: `new${key}`,
    Id: null,
    Label: '',
    Value: '',
    IsNotApplicable: false,
    NeedsComment: false,
    ...part,
  })
  const form = useEditForm({
    initialValues: {
      Title: source?.Title ?? '',
      Values: source
        ? source.Values.map((value) => ({
            ...value,
            Key: String(value.Id),
            Value: value.Value === null ? '' : String(value.Value),
          }))
        : [1, 2, 3].map((value) => draftOf(value, { Value: String(value) })),
    } as { Title: string; Values: ScoreDraft[] },
    rules: { Title: required() },
    draftKey: `score-type-${params.templateId}-${source?.Id ?? 0}`,
    labels: Object.fromEntries(
      Array.from({ length: maxScores }, (_each, index) => [
        [`Values.${index}.Label`, words('evaluations.labelOf', { number: index + 1 })],
        [`Values.${index}.Value`, words('evaluations.valueOf', { number: index + 1 })],
      ]).flat(),
    ),
    save: async ({ Title, Values }) => {
      const problems = Values.flatMap((value, index) => [
        ...(value.Label.trim()
          ? []
          : [{ Field: `Values.${index}.Label`, Message: words('evaluations.labelMissing') }]),
        ...(value.IsNotApplicable || numberOf(value.Value) !== null
          ? []
          : [{ Field: `Values.${index}.Value`, Message: words('evaluations.valueMissing') }]),
      ])
      if (problems.length > 0) return problems
      const body = {
        Title,
        Values: Values.map(({ Id, Label, Value, IsNotApplicable, NeedsComment }) => ({
          Id,
          Label,
          Value: IsNotApplicable ? null : numberOf(Value),
          IsNotApplicable,
          NeedsComment,
        })),
      }
      return source
        ? update.run({ params: { ...params, scoreTypeId: source.Id }, body }, { basedOn: source })
        : create.run({ params, body })
    },
  })
  const { Values } = form.values
  const setValues = (next: ScoreDraft[]) => form.set('Values', next)
  const change = (key: string, part: Partial<ScoreDraft>) =>
    setValues(Values.map((value) => (value.Key === key ? { ...value, ...part } : value)))
  const add = () => {
    setLastKey(lastKey + 1)
    setValues([...Values, draftOf(lastKey + 1)])
  }
  const requireBelow = (text: string) => {
    setThreshold(text)
    const least = numberOf(text)
    if (least === null) return
    setValues(
      Values.map((value) => ({
        ...value,
        NeedsComment: !value.IsNotApplicable && (numberOf(value.Value) ?? least) < least,
      })),
    )
  }
  const list = `/new/admin/evaluations/score-types?template=${params.templateId}` as const
  const leave = () => navigate('/admin/evaluations/score-types', { search: { template: params.templateId } })
  const saved = () => {
    toast.done(words('evaluations.savedTemplate', { name: form.values.Title.trim() }))
    leave()
  }
  return (
    <Page
      title={source?.Title ?? words('evaluations.newScoreType')}
      breadcrumb={<PageLink href={list}>{words('evaluations.scoreTypesTitle')}</PageLink>}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!source} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('evaluations.scoreType')} purpose={words('evaluations.scoreTypePurpose')}>
          <TextField label={words('evaluations.title')} required maxLength={255} {...form.field('Title')} />
        </FormSection>
        <FormSection
          name={words('evaluations.scoreValues')}
          purpose={words('evaluations.scoreValuesPurpose')}
          wide
        >
          <div className={classes.scoreHead} aria-hidden>
            <span>{words('evaluations.label')}</span>
            <span>{words('evaluations.value')}</span>
          </div>
          <SortableList
            label={words('evaluations.scoreValues')}
            onOrder={(keys) =>
              setValues(keys.flatMap((key) => Values.find((value) => value.Key === key) ?? []))
            }
            entries={Values.map((value, index) => ({
              key: value.Key,
              label: value.Label || words('evaluations.scoreNumber', { number: index + 1 }),
              content: (
                <ScoreRow
                  value={value}
                  index={index}
                  errors={form.errors}
                  onChange={(part) => change(value.Key, part)}
                  whyNotRemove={Values.length === 1 && words('evaluations.oneScore')}
                  onRemove={() => setValues(Values.filter(({ Key }) => Key !== value.Key))}
                />
              ),
            }))}
          />
          <FullWidth>
            <div className={classes.belowScores}>
              <DisabledReason reason={Values.length >= maxScores && words('evaluations.maxScores')}>
                <Button
                  variant="default"
                  leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
                  onClick={add}
                >
                  {words('evaluations.addScore')}
                </Button>
              </DisabledReason>
              <TextInput
                label={words('evaluations.threshold')}
                description={words('evaluations.thresholdHint')}
                inputWrapperOrder={['label', 'input', 'description']}
                inputMode="decimal"
                maxLength={8}
                value={threshold}
                onChange={(event) => requireBelow(event.currentTarget.value)}
              />
            </div>
          </FullWidth>
        </FormSection>
      </Form>
    </Page>
  )
}

function ScoreRow(props: {
  value: ScoreDraft
  index: number
  errors: Record<string, string>
  onChange: (part: Partial<ScoreDraft>) => void
  whyNotRemove: string | false
  onRemove: () => void
}) {
  const { value, index, errors, onChange } = props
  const words = useWords()
  const number = { number: index + 1 }
  return (
    <div className={classes.scoreRow}>
      <TextInput
        id={fieldId(`Values.${index}.Label`)}
        aria-label={words('evaluations.labelOf', number)}
        maxLength={255}
        value={value.Label}
        error={errors[`Values.${index}.Label`]}
        onChange={(event) => onChange({ Label: event.currentTarget.value })}
      />
      <TextInput
        id={fieldId(`Values.${index}.Value`)}
        aria-label={words('evaluations.valueOf', number)}
        inputMode="decimal"
        maxLength={8}
        placeholder={value.IsNotApplicable ? '–' : undefined}
        value={value.IsNotApplicable ? '' : value.Value}
        readOnly={value.IsNotApplicable}
        error={errors[`Values.${index}.Value`]}
        onChange={(event) => onChange({ Value: event.currentTarget.value })}
      />
      <label className={classes.tick}>
        <input
          type="checkbox"
          className="p-tick"
          aria-label={`${words('evaluations.notApplicable')}: ${words('evaluations.scoreNumber', number)}`}
          checked={value.IsNotApplicable}
          onChange={(event) => onChange({ IsNotApplicable: event.currentTarget.checked })}
        />
        {words('evaluations.notApplicable')}
      </label>
      <label className={classes.tick}>
        <input
          type="checkbox"
          className="p-tick"
          aria-label={`${words('evaluations.commentRequired')}: ${words('evaluations.scoreNumber', number)}`}
          checked={value.NeedsComment}
          onChange={(event) => onChange({ NeedsComment: event.currentTarget.checked })}
        />
        {words('evaluations.commentRequired')}
      </label>
      <DisabledReason reason={props.whyNotRemove}>
        <button
          type="button"
          className={classes.iconButton}
          aria-label={`${words('evaluations.delete')}: ${value.Label || words('evaluations.scoreNumber', number)}`}
          onClick={props.onRemove}
        >
          <IconTrash size={16} stroke={1.75} aria-hidden />
        </button>
      </DisabledReason>
    </div>
  )
}
