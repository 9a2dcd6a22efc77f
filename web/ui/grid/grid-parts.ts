import type { ReactNode } from 'react'
import type { useColumnChoice } from './column-choice.ts'
import type { GridColumn, GridProps } from './grid-types.ts'

/** What `Grid` hands to its table and its cards. */
export type GridParts<Row> = {
  grid: GridProps<Row>
  rows: Row[]
  columns: GridColumn<Row>[]
  choice: ReturnType<typeof useColumnChoice<Row>>
  sort: string | undefined
  onSort: (sort: string) => void
}

/** What a cell shows; the field itself when the column has no `cell`. */
export function contentOf<Row>(column: GridColumn<Row>, row: Row): ReactNode {
  if (column.cell) return column.cell(row)
  const value = (row as Record<string, unknown>)[column.id]
  return value === null || value === undefined || value === '' ? '–' : String(value)
}

/** The full text behind a cell that may be cut. */
export function textOf<Row>(column: GridColumn<Row>, row: Row, content: ReactNode): string | undefined {
  if (column.text) return column.text(row)
  return typeof content === 'string' || typeof content === 'number' ? String(content) : undefined
}

/** The column that names a row: the identity column, else the first. */
export function titleOf<Row>(columns: readonly GridColumn<Row>[]): GridColumn<Row> | undefined {
  return columns.find((column) => column.identity) ?? columns[0]
}

/** What the row is called in labels. */
export function nameOf<Row>(columns: readonly GridColumn<Row>[], row: Row): string {
  const column = titleOf(columns)
  if (!column) return ''
  return textOf(column, row, contentOf(column, row)) ?? ''
}

/** How a row looks apart from its cells. Plain values only, so that a memoized row sees what has changed. */
export type RowLook = {
  isTickable: boolean
  isTicked: boolean
  /** Why it cannot be ticked. */
  refusal: string | undefined
  /** Whether a press opens it. */
  opens: boolean
  tone: 'chosen' | 'now' | 'quiet' | undefined
  warning: string | undefined
}

export function lookOf<Row>(grid: GridProps<Row>, row: Row): RowLook {
  const { selection, openKey } = grid
  const key = grid.rowKey(row)
  const isTicked = selection?.selected.has(key) ?? false
  const isOpen = openKey !== undefined && openKey === key
  return {
    isTickable: Boolean(selection),
    isTicked,
    refusal: selection?.reason?.(row) || undefined,
    opens: Boolean(grid.onOpen),
    tone: isTicked || isOpen ? 'chosen' : grid.tone?.(row),
    warning: grid.warning?.(row) || undefined,
  }
}
