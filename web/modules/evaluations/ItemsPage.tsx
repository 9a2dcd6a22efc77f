import { useMemo } from 'react'
import { createItem, updateItem } from '#contract/evaluations/evaluation-items.ts'
import { useSave } from '#web/api/use-call.ts'
import { SelectCell } from '#web/ui/grid/InlineCells.tsx'
import { type InlineColumn, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ItemScreen, useItemRemoval } from './ItemScreen.tsx'
import { cellOptionsOf, type NumberedItem, numberedItems } from './item-choices.ts'
import { itemColumns } from './item-columns.tsx'
import { designed, everyCategory, useDesign } from './use-design.ts'

/** Categorized items: what is scored, by category. */
export function ItemsPage() {
  const words = useWords()
  const design = useDesign('scored')
  const { params, categoryId } = design
  const template = design.template.data
  const create = useSave(createItem, designed)
  const update = useSave(updateItem, designed)
  const removal = useItemRemoval(params)
  const inline = useInlineEdit<NumberedItem>({
    rowKey: ({ Id }) => Id,
    blank: () => ({
      Id: 0,
      Number: 0,
      CategoryId: categoryId || (template?.Categories[0]?.Id ?? 0),
      Kind: 'scored',
      Text: '',
      ScoreTypeId: template?.ScoreTypes.find(({ IsDeleted }) => !IsDeleted)?.Id ?? null,
      GroupId: null,
      InputType: null,
      Choices: [],
      IsMandatory: false,
    }),
    check: ({ Text }): Record<string, string> =>
      Text.trim() ? {} : { Text: words('evaluations.textMissing') },
    save: ({ Id: itemId, CategoryId, Text, ScoreTypeId, GroupId, IsMandatory }, isNew) => {
      const body = { CategoryId, Text, ScoreTypeId: ScoreTypeId ?? 0, GroupId, IsMandatory }
      return isNew ? create.run({ params, body }) : update.run({ params: { ...params, itemId }, body })
    },
    remove: ({ Id }) => removal.remove([Id]),
    undo: ({ Id }) => removal.restore([Id]),
    deleted: ({ Text }) => words('evaluations.deleted', { name: Text }),
  })
  const rows = useMemo(
    () => template && numberedItems(template.Items, 'scored', categoryId),
    [template, categoryId],
  )
  const columns = useMemo((): InlineColumn<NumberedItem>[] => {
    const { Categories = [], Groups = [], ScoreTypes = [] } = template ?? {}
    const common = itemColumns<NumberedItem>(words, Categories)
    const nameOf = (list: { Id: number; Name: string }[], id: number | null) =>
      list.find(({ Id }) => Id === id)?.Name ?? '–'
    const scoreTypeOf = ({ ScoreTypeId }: NumberedItem) => {
      const type = ScoreTypes.find(({ Id }) => Id === ScoreTypeId)
      if (!type) return '–'
      return type.IsDeleted ? words('evaluations.deletedScoreType', { name: type.Title }) : type.Title
    }
    const isOneRequired = ({ GroupId }: NumberedItem) =>
      Groups.some(({ Id, IsMandatory }) => Id === GroupId && IsMandatory)
    return [
      { id: 'Id', header: words('evaluations.id'), width: 68, cell: ({ Id }) => Id || '' },
      common.number,
      common.text,
      ...(categoryId === everyCategory ? [{ ...common.category, width: 130 }] : []),
      {
        id: 'ScoreTypeId',
        header: words('evaluations.scoreType'),
        width: 150,
        cell: scoreTypeOf,
        edit: (editor) => (
          <SelectCell
            editor={editor}
            field="ScoreTypeId"
            label={words('evaluations.scoreType')}
            options={cellOptionsOf(
              ScoreTypes.filter((type) => !type.IsDeleted || type.Id === editor.draft.ScoreTypeId),
            )}
          />
        ),
      },
      {
        id: 'GroupId',
        header: words('evaluations.groupName'),
        width: 110,
        cell: (row) => nameOf(Groups, row.GroupId),
        edit: (editor) => (
          <SelectCell
            editor={editor}
            field="GroupId"
            label={words('evaluations.groupName')}
            none={words('evaluations.noGroup')}
            options={cellOptionsOf(Groups)}
          />
        ),
      },
      {
        id: 'IsGroupMandatory',
        header: words('evaluations.mandatoryGroup'),
        width: 132,
        cell: (row) => (isOneRequired(row) ? words('evaluations.atLeastOne') : '–'),
      },
      { ...common.mandatory, width: 96 },
    ]
  }, [template, categoryId, words])
  return <ItemScreen kind="scored" design={design} inline={inline} columns={columns} rows={rows} />
}
