import { useState } from 'react'
import { changeItemInputs, changeItemScores } from '#contract/evaluations/evaluation-items.ts'
import type { InputType, Item, TemplateDetail } from '#contract/evaluations/evaluations.ts'
import { useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { inputOptions, optionsOf, printChoices, readChoices } from './item-choices.ts'
import { type Design, designed } from './use-design.ts'

export interface BulkChangeProps {
  kind: Item['Kind']
  template: TemplateDetail
  params: Design['params']
  /** The ticked rows. */
  items: readonly Item[]
  onClose: () => void
  onChanged: () => void
}

/** Items by what they share, so that undoing gives each back what it had. */
const grouped = <Value,>(items: readonly Item[], telling: (item: Item) => Value) => {
  const groups = new Map<string, { value: Value; Ids: number[] }>()
  for (const item of items) {
    const value = telling(item)
    const key = JSON.stringify(value)
    const group = groups.get(key) ?? { value, Ids: [] }
    group.Ids.push(item.Id)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Bulk Score Change and Bulk Input Change: the ticked items get another score type or input type. */
export function BulkChangeDialog(props: BulkChangeProps) {
  const { kind, template, params, items, onClose, onChanged } = props
  const words = useWords()
  const scores = useSave(changeItemScores, designed)
  const inputs = useSave(changeItemInputs, designed)
  const [value, setValue] = useState<string | null>(null)
  const [choices, setChoices] = useState('')
  const Ids = items.map(({ Id }) => Id)
  const undo = async () => {
    if (kind === 'scored') {
      for (const group of grouped(items, (item) => item.ScoreTypeId ?? 0)) {
        await scores.run({ params, body: { Ids: group.Ids, ScoreTypeId: group.value } })
      }
      return
    }
    const before = (item: Item) => ({ InputType: item.InputType ?? 'long', Choices: item.Choices })
    for (const group of grouped(items, before)) {
      await inputs.run({ params, body: { Ids: group.Ids, ...group.value } })
    }
  }
  const change = () =>
    attempt(async () => {
      const { Changed } =
        kind === 'scored'
          ? await scores.run({ params, body: { Ids, ScoreTypeId: Number(value) } })
          : await inputs.run({
              params,
              body: {
                Ids,
                InputType: value as InputType,
                Choices: value === 'choice' ? readChoices(choices) : [],
              },
            })
      toast.done({
        title: words('evaluations.changedItems', { count: Changed }),
        undo: () => void attempt(undo),
      })
      onChanged()
    })
  const reason = !value
    ? words(kind === 'scored' ? 'evaluations.chooseScoreType' : 'evaluations.chooseInputType')
    : value === 'choice' && readChoices(choices).length < 2 && words('evaluations.choicesMissing')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words(kind === 'scored' ? 'evaluations.bulkScoreChange' : 'evaluations.bulkInputChange')}
      subtitle={template.Title}
      summary={words('evaluations.willChange', { count: items.length })}
      actions={
        <DialogActions
          verb={words('evaluations.change')}
          onCancel={onClose}
          onRun={() => void change()}
          isRunning={scores.isRunning || inputs.isRunning}
          reason={reason}
        />
      }
    >
      <div className={classes.stack}>
        {kind === 'scored' ? (
          <SelectField
            name="ScoreTypeId"
            label={words('evaluations.scoreType')}
            required
            options={optionsOf(template.ScoreTypes.filter(({ IsDeleted }) => !IsDeleted))}
            value={value}
            onChange={setValue}
          />
        ) : (
          <SelectField
            name="InputType"
            label={words('evaluations.inputType')}
            required
            options={inputOptions(words)}
            value={value}
            onChange={(next) => {
              setValue(next)
              setChoices(printChoices(items.find((item) => item.Choices.length > 0)?.Choices ?? []))
            }}
          />
        )}
        {kind === 'fib' && value === 'choice' && (
          <TextField
            name="Choices"
            label={words('evaluations.choices')}
            required
            maxLength={5_000}
            description={words('evaluations.choicesHint')}
            value={choices}
            onChange={setChoices}
          />
        )}
        <p className={classes.quiet}>{words('evaluations.changeNote')}</p>
      </div>
    </Dialog>
  )
}
