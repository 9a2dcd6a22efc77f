import { type Cell, csvFile, type TableColumn } from './csv.ts'
import type { FileAnswer } from './file-answer.ts'
import { xlsxFile } from './xlsx.ts'

/** A column of a download: its title, and what a row says in it. */
export interface ExportColumn<Row> extends TableColumn {
  value: (row: Row) => Cell
}

/** More rows than these take a workbook longer than anybody should wait. */
export const directWorkbookRows = 20_000

/** A column of a printed table. */
export interface PrintedColumn<Row> {
  title: string
  isFigure?: boolean
  value: (row: Row) => string
}

async function* cellsOf<Row>(
  columns: readonly ExportColumn<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncGenerator<Cell[]> {
  for await (const row of rows) yield columns.map(({ value }) => value(row))
}

/** Rows as a streamed download in the format asked for; `name` is the file's name without its ending. */
export const tableFile = <Row>(
  format: 'csv' | 'xlsx',
  name: string,
  columns: readonly ExportColumn<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
): FileAnswer =>
  format === 'csv'
    ? {
        name: `${name}.csv`,
        type: 'text/csv; charset=utf-8',
        chunks: csvFile(columns, cellsOf(columns, rows)),
      }
    : {
        name: `${name}.xlsx`,
        type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        chunks: xlsxFile(name, columns, cellsOf(columns, rows)),
        ...(Array.isArray(rows) && { size: { rows: rows.length, direct: directWorkbookRows } }),
      }
