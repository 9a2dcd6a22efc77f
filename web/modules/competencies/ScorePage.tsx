import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type CompetencyScore,
  createCompetencyScore,
  listCompetencyScores,
  updateCompetencyScore,
} from '#contract/competencies/exam-items.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { fieldId, useEditForm } from '#web/ui/form/use-edit-form.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { Page } from '#web/ui/Page.tsx'
import { SortableList } from '#web/ui/SortableList.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import { designed } from './use-lists.ts'

/** A value as it is typed; `Key` stays the same while the row moves. */
interface ValueDraft {
  Key: string
  Id: number | null
  Label: string
  Value: string
  IsPassing: boolean
}

const fewest = 2
const most = 20
const numberOf = (text: string): number | null =>
  /^-?\d{1,5}([.]\d{1,2})?$/.test(text.trim()) ? Number(text) : null

/** A score: its values with labels, points, order, and which of them pass. */
export function ScorePage() {
  const words = useWords()
  const programId = useProgramId()
  const [{ id }] = useAddress({ id: null as number | null })
  const scores = useRead(listCompetencyScores, { params: { programId }, query: {} }, { keepsLast: false })
  const source = scores.data?.find(({ Id }) => Id === id)
  if (scores.error) return <ReadProblem read={scores} />
  if (!scores.data) return null
  if (id !== null && !source) return <PageProblem kind="not-found" text={words('competencies.noScore')} />
  return <ScoreForm programId={programId} source={source} />
}

function ScoreForm({ programId, source }: { programId: number; source: CompetencyScore | undefined }) {
  const words = useWords()
  const create = useSave(createCompetencyScore, designed)
  const update = useSave(updateCompetencyScore, designed)
  const [lastKey, setLastKey] = useState(100)
  const draftOf = (key: number, Label = '', Value = '', IsPassing = true): ValueDraft => ({
    Key: `new${key}`,
    Id: null,
    Label,
    Value,
    IsPassing,
  })
  const form = useEditForm({
    initialValues: {
      Name: source?.Name ?? '',
      IsActive: source?.IsActive ?? true,
      Values: source
        ? source.Values.map((value) => ({
            ...value,
            Key: String(value.Id),
            Value: value.Value === null ? '' : String(value.Value),
          }))
        : [draftOf(1, '', '1', false), draftOf(2, '', '2'), draftOf(3, '', '3')],
    } as { Name: string; IsActive: boolean; Values: ValueDraft[] },
    rules: { Name: required() },
    draftKey: `competency-score-${programId}-${source?.Id ?? 0}`,
    labels: Object.fromEntries(
      Array.from({ length: most }, (_each, index) => [
        [`Values.${index}.Label`, words('competencies.labelOf', { number: index + 1 })],
        [`Values.${index}.Value`, words('competencies.pointsOf', { number: index + 1 })],
      ]).flat(),
    ),
    save: async ({ Name, IsActive, Values }) => {
      const problems = Values.flatMap(({ Label, Value }, index) => [
        ...(Label.trim()
          ? []
          : [{ Field: `Values.${index}.Label`, Message: words('competencies.labelMissing') }]),
        ...(Value.trim() === '' || numberOf(Value) !== null
          ? []
          : [{ Field: `Values.${index}.Value`, Message: words('competencies.pointsWrong') }]),
      ])
      if (problems.length > 0) return problems
      const body = {
        Name,
        IsActive,
        Values: Values.map(({ Id, Label, Value, IsPassing }) => ({
          Id,
          Label,
          Value: numberOf(Value),
          IsPassing,
        })),
      }
      return source
        ? update.run({ params: { programId, scoreId: source.Id }, body }, { basedOn: source })
        : create.run({ params: { programId }, body })
    },
  })
  const { Values } = form.values
  const setValues = (next: ValueDraft[]) => form.set('Values', next)
  const change = (key: string, part: Partial<ValueDraft>) =>
    setValues(Values.map((value) => (value.Key === key ? { ...value, ...part } : value)))
  const leave = () => leaveTo('/admin/competencies/scores')
  const saved = () => {
    toast.done(words('competencies.saved', { name: form.values.Name.trim() }))
    leave()
  }
  return (
    <Page
      title={source?.Name ?? words('competencies.newScore')}
      breadcrumb={
        <PageLink href="/new/admin/competencies/scores">{words('competencies.scoresTitle')}</PageLink>
      }
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!source} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('competencies.score')} purpose={words('competencies.scorePurpose')}>
          <TextField label={words('competencies.name')} required maxLength={100} {...form.field('Name')} />
          <CheckField label={words('competencies.isActive')} {...form.field('IsActive')} />
        </FormSection>
        <FormSection name={words('competencies.values')} purpose={words('competencies.valuesPurpose')} wide>
          <div className={`${classes.scoreRow} ${classes.scoreHead}`} aria-hidden>
            <span>{words('competencies.label')}</span>
            <span>{words('competencies.points')}</span>
            <span />
            <span />
          </div>
          <SortableList
            label={words('competencies.values')}
            onOrder={(keys) =>
              setValues(keys.flatMap((key) => Values.find((value) => value.Key === key) ?? []))
            }
            entries={Values.map((value, index) => ({
              key: value.Key,
              label: value.Label || words('competencies.valueNumber', { number: index + 1 }),
              content: (
                <ValueRow
                  value={value}
                  index={index}
                  errors={form.errors}
                  onChange={(part) => change(value.Key, part)}
                  whyNotRemove={Values.length <= fewest && words('competencies.twoValues')}
                  onRemove={() => setValues(Values.filter(({ Key }) => Key !== value.Key))}
                />
              ),
            }))}
          />
          <FullWidth>
            <DisabledReason reason={Values.length >= most && words('competencies.mostValues')}>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
                onClick={() => {
                  setLastKey(lastKey + 1)
                  setValues([...Values, draftOf(lastKey + 1)])
                }}
              >
                {words('competencies.addValue')}
              </Button>
            </DisabledReason>
          </FullWidth>
        </FormSection>
      </Form>
    </Page>
  )
}

function ValueRow(props: {
  value: ValueDraft
  index: number
  errors: Record<string, string>
  onChange: (part: Partial<ValueDraft>) => void
  whyNotRemove: string | false
  onRemove: () => void
}) {
  const { value, index, errors, onChange } = props
  const words = useWords()
  const number = { number: index + 1 }
  const text = (field: 'Label' | 'Value', label: string, maxLength: number) => (
    <TextInput
      id={fieldId(`Values.${index}.${field}`)}
      aria-label={label}
      maxLength={maxLength}
      value={value[field]}
      error={errors[`Values.${index}.${field}`]}
      {...(field === 'Value' && { inputMode: 'decimal' })}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
    />
  )
  return (
    <div className={classes.scoreRow}>
      {text('Label', words('competencies.labelOf', number), 100)}
      {text('Value', words('competencies.pointsOf', number), 8)}
      <label className={classes.tick}>
        <input
          type="checkbox"
          className="p-tick"
          aria-label={`${words('competencies.passes')}: ${value.Label || words('competencies.valueNumber', number)}`}
          checked={value.IsPassing}
          onChange={(event) => onChange({ IsPassing: event.currentTarget.checked })}
        />
        {words('competencies.passes')}
      </label>
      <DisabledReason reason={props.whyNotRemove}>
        <button
          type="button"
          className={classes.iconButton}
          aria-label={`${words('competencies.delete')}: ${value.Label || words('competencies.valueNumber', number)}`}
          onClick={props.onRemove}
        >
          <IconTrash size={16} stroke={1.75} aria-hidden />
        </button>
      </DisabledReason>
    </div>
  )
}
