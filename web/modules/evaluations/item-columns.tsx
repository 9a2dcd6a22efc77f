import type { ItemCategory } from '#contract/evaluations/evaluations.ts'
import { longestItem } from '#contract/evaluations/evaluations-rules.ts'
import { CheckCell, SelectCell } from '#web/ui/grid/InlineCells.tsx'
import { type InlineColumn, TextCell } from '#web/ui/grid/InlineGrid.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { cellOptionsOf, type NumberedItem } from './item-choices.ts'

/** The columns that scored and fill-in items have in common. */
export const itemColumns = <Row extends NumberedItem>(words: Words, categories: readonly ItemCategory[]) => {
  const number: InlineColumn<Row> = {
    id: 'Number',
    header: '#',
    width: 48,
    align: 'end',
    cell: (row) => row.Number || '',
  }
  const text: InlineColumn<Row> = {
    id: 'Text',
    header: words('evaluations.itemText'),
    identity: true,
    grow: 3,
    minWidth: 240,
    edit: (editor) => (
      <TextCell editor={editor} field="Text" label={words('evaluations.itemText')} maxLength={longestItem} />
    ),
  }
  const category: InlineColumn<Row> = {
    id: 'CategoryId',
    header: words('evaluations.category'),
    cell: (row) => categories.find(({ Id }) => Id === row.CategoryId)?.Name ?? '–',
    edit: (editor) => (
      <SelectCell
        editor={editor}
        field="CategoryId"
        label={words('evaluations.category')}
        options={cellOptionsOf(categories)}
      />
    ),
  }
  const mandatory: InlineColumn<Row> = {
    id: 'IsMandatory',
    header: words('evaluations.mandatory'),
    cell: (row) => (row.IsMandatory ? words('evaluations.yes') : '–'),
    edit: (editor) => (
      <CheckCell editor={editor} field="IsMandatory" label={words('evaluations.mandatory')} />
    ),
  }
  return { number, text, category, mandatory }
}
