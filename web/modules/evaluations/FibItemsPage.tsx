import { useMemo } from 'react'
import { createFibItem, updateFibItem } from '#contract/evaluations/evaluation-items.ts'
import { useSave } from '#web/api/use-call.ts'
import { SelectCell } from '#web/ui/grid/InlineCells.tsx'
import { type InlineColumn, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { ItemScreen, useItemRemoval } from './ItemScreen.tsx'
import {
  cellOptionsOf,
  inputOptions,
  type NumberedItem,
  numberedItems,
  printChoices,
  readChoices,
} from './item-choices.ts'
import { itemColumns } from './item-columns.tsx'
import { designed, everyCategory, useDesign } from './use-design.ts'

/** The choices are edited as one line of text. */
type FibRow = NumberedItem & { ChoicesText: string }

/** Fill-in-the-blank items: what is answered in words, figures, days and choices. */
export function FibItemsPage() {
  const words = useWords()
  const design = useDesign('fib')
  const { params, categoryId } = design
  const template = design.template.data
  const create = useSave(createFibItem, designed)
  const update = useSave(updateFibItem, designed)
  const removal = useItemRemoval(params)
  const inline = useInlineEdit<FibRow>({
    rowKey: ({ Id }) => Id,
    blank: () => ({
      Id: 0,
      Number: 0,
      CategoryId: categoryId || (template?.Categories[0]?.Id ?? 0),
      Kind: 'fib',
      Text: '',
      ScoreTypeId: null,
      GroupId: null,
      InputType: 'long',
      Choices: [],
      ChoicesText: '',
      IsMandatory: false,
    }),
    check: ({ Text, InputType, ChoicesText }) => {
      const errors: Record<string, string> = {}
      if (!Text.trim()) errors.Text = words('evaluations.textMissing')
      if (InputType === 'choice' && readChoices(ChoicesText).length < 2)
        errors.InputType = words('evaluations.choicesMissing')
      return errors
    },
    save: ({ Id: itemId, CategoryId, Text, ScoreTypeId, InputType, ChoicesText, IsMandatory }, isNew) => {
      const body = {
        CategoryId,
        Text,
        ScoreTypeId,
        InputType: InputType ?? ('long' as const),
        Choices: InputType === 'choice' ? readChoices(ChoicesText) : [],
        IsMandatory,
      }
      return isNew ? create.run({ params, body }) : update.run({ params: { ...params, itemId }, body })
    },
    remove: ({ Id }) => removal.remove([Id]),
    undo: ({ Id }) => removal.restore([Id]),
    deleted: ({ Text }) => words('evaluations.deleted', { name: Text }),
  })
  const rows = useMemo(
    () =>
      template &&
      numberedItems(template.Items, 'fib', categoryId).map((item) => ({
        ...item,
        ChoicesText: printChoices(item.Choices),
      })),
    [template, categoryId],
  )
  const columns = useMemo((): InlineColumn<FibRow>[] => {
    const { Categories = [], ScoreTypes = [] } = template ?? {}
    const common = itemColumns<FibRow>(words, Categories)
    const inputs = inputOptions(words)
    const inputOf = ({ InputType }: FibRow) => inputs.find(({ value }) => value === InputType)?.label ?? '–'
    return [
      {
        id: 'Id',
        header: words('evaluations.id'),
        width: 80,
        hidden: true,
        cell: ({ Id }) => Id || '',
      },
      common.number,
      common.text,
      ...(categoryId === everyCategory ? [{ ...common.category, width: 160 }] : []),
      {
        id: 'ScoreTypeId',
        header: words('evaluations.responseScoreType'),
        width: 190,
        cell: (row) => ScoreTypes.find(({ Id }) => Id === row.ScoreTypeId)?.Title ?? '–',
        edit: (editor) => (
          <SelectCell
            editor={editor}
            field="ScoreTypeId"
            label={words('evaluations.responseScoreType')}
            none={words('evaluations.noScore')}
            options={cellOptionsOf(
              ScoreTypes.filter((type) => !type.IsDeleted || type.Id === editor.draft.ScoreTypeId),
            )}
          />
        ),
      },
      {
        id: 'InputType',
        header: words('evaluations.inputType'),
        width: 230,
        cell: (row) => (row.InputType === 'choice' ? `${inputOf(row)}: ${row.ChoicesText}` : inputOf(row)),
        edit: (editor) => (
          <div className={classes.inputCell}>
            <SelectCell
              editor={editor}
              field="InputType"
              label={words('evaluations.inputType')}
              options={inputs}
            />
            {editor.draft.InputType === 'choice' && (
              <TextCell
                editor={{ draft: editor.draft, set: editor.set }}
                field="ChoicesText"
                label={words('evaluations.choicesHint')}
                maxLength={5_000}
              />
            )}
          </div>
        ),
      },
      { ...common.mandatory, width: 100 },
    ]
  }, [template, categoryId, words])
  return <ItemScreen kind="fib" design={design} inline={inline} columns={columns} rows={rows} />
}
