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

/** What the row is called in labels: the identity column's text, else the first column's. */
export function nameOf<Row>(columns: readonly GridColumn<Row>[], row: Row): string {
  const column = columns.find((candidate) => candidate.identity) ?? columns[0]
  if (!column) return ''
  return textOf(column, row, contentOf(column, row)) ?? ''
}
