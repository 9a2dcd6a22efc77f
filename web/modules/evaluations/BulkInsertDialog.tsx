import { useMemo } from 'react'
import { insertFibItems, insertItems, removeItems } from '#contract/evaluations/evaluation-items.ts'
import type { InputType, Item, TemplateDetail } from '#contract/evaluations/evaluations.ts'
import { readItemLines } from '#contract/evaluations/evaluations-rules.ts'
import { useSave } from '#web/api/use-call.ts'
import { LinesPreview } from '#web/shared/LinesPreview.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { inputOptions, optionsOf, readChoices } from './item-choices.ts'
import { type Design, designed } from './use-design.ts'

export interface BulkInsertProps {
  kind: Item['Kind']
  template: TemplateDetail
  params: Design['params']
  categoryId: number
  onClose: () => void
}

const idOf = (text: string | null): number | null => (text ? Number(text) : null)

/** Pasted lines become items, one each; what will be added and what is refused is there before. */
export function BulkInsertDialog({ kind, template, params, categoryId, onClose }: BulkInsertProps) {
  const words = useWords()
  const insert = useSave(insertItems, designed)
  const insertFib = useSave(insertFibItems, designed)
  const remove = useSave(removeItems, designed)
  const scoreTypes = optionsOf(template.ScoreTypes.filter(({ IsDeleted }) => !IsDeleted))
  const form = useEditForm({
    initialValues: {
      CategoryId: String(categoryId || template.Categories[0]?.Id || '') as string | null,
      ScoreTypeId: (kind === 'scored' ? (scoreTypes[0]?.value ?? null) : null) as string | null,
      GroupId: null as string | null,
      InputType: 'long' as string | null,
      Choices: '',
      IsMandatory: false,
      Lines: '',
    },
    rules: {
      CategoryId: required(),
      ScoreTypeId: (value: string | null) =>
        kind === 'scored' && !value ? words('evaluations.scoreTypeMissing') : null,
      Choices: (text: string, { InputType: type }: { InputType: string | null }) =>
        type === 'choice' && readChoices(text).length < 2 ? words('evaluations.choicesMissing') : null,
    },
    save: async (values) => {
      const question = {
        CategoryId: Number(values.CategoryId),
        IsMandatory: values.IsMandatory,
        Lines: values.Lines,
      }
      const { Items } =
        kind === 'scored'
          ? await insert.run({
              params,
              body: { ...question, ScoreTypeId: Number(values.ScoreTypeId), GroupId: idOf(values.GroupId) },
            })
          : await insertFib.run({
              params,
              body: {
                ...question,
                InputType: values.InputType as InputType,
                Choices: values.InputType === 'choice' ? readChoices(values.Choices) : [],
                ScoreTypeId: idOf(values.ScoreTypeId),
              },
            })
      toast.done({
        title: words('evaluations.inserted', { count: Items.length }),
        undo: () => void attempt(() => remove.run({ params, body: { Ids: Items.map(({ Id }) => Id) } })),
      })
      onClose()
    },
  })
  const { values } = form
  const existing = useMemo(
    () => template.Items.filter(({ Kind }) => Kind === kind).map(({ Text }) => Text),
    [template, kind],
  )
  const lines = useMemo(() => readItemLines(values.Lines, existing), [values.Lines, existing])
  const { Taken, Refused } = lines
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.bulkInsert')}
      subtitle={template.Title}
      width={720}
      stayOnOutsideClick
      summary={Taken.length > 0 && words('evaluations.willInsert', { count: Taken.length })}
      refusal={Refused.length > 0 && words('evaluations.willRefuse', { count: Refused.length })}
      actions={
        <DisabledReason reason={Taken.length === 0 && words('evaluations.pasteFirst')}>
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('evaluations.insert')}
          </Button>
        </DisabledReason>
      }
    >
      <Form form={form} onCancel={onClose}>
        <div className={classes.twoColumns}>
          <SelectField
            label={words('evaluations.category')}
            required
            options={optionsOf(template.Categories)}
            {...form.field('CategoryId')}
          />
          {kind === 'fib' && (
            <SelectField
              label={words('evaluations.inputType')}
              required
              options={inputOptions(words)}
              {...form.field('InputType')}
            />
          )}
          {kind === 'fib' && values.InputType === 'choice' && (
            <TextField
              label={words('evaluations.choices')}
              required
              maxLength={5_000}
              description={words('evaluations.choicesHint')}
              {...form.field('Choices')}
            />
          )}
          <SelectField
            label={words(kind === 'scored' ? 'evaluations.scoreType' : 'evaluations.responseScoreType')}
            required={kind === 'scored'}
            options={scoreTypes}
            {...form.field('ScoreTypeId')}
          />
          {kind === 'scored' && (
            <SelectField
              label={words('evaluations.groupName')}
              options={optionsOf(template.Groups)}
              {...form.field('GroupId')}
            />
          )}
        </div>
        <CheckField label={words('evaluations.mandatory')} {...form.field('IsMandatory')} />
        <TextAreaField
          label={words('evaluations.lines')}
          description={words('evaluations.linesHint')}
          rows={6}
          {...form.field('Lines')}
        />
      </Form>
      <LinesPreview
        read={lines}
        takenLabel={words('evaluations.willInsert', { count: Taken.length })}
        refusedLabel={words('evaluations.willRefuse', { count: Refused.length })}
        reasonOf={(reason) => words(`evaluations.refused_${reason}`)}
      />
    </Dialog>
  )
}
