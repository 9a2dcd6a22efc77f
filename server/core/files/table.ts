import { type Cell, csvFile, type TableColumn } from './csv.ts'
import type { FileAnswer } from './file-answer.ts'
import { xlsxFile } from './xlsx.ts'

/** A column of a download: its title, and what a row says in it. */
export interface ExportColumn<Row> extends TableColumn {
  value: (row: Row) => Cell
  /** Whether the last row has its sum. */
  isSummed?: boolean
}

/** Hours and, beside them, the whole minutes that they come from. A file that has them ends with their sums. */
export const hoursColumns = <Row>(
  title: string,
  minutes: (row: Row) => number | null,
): ExportColumn<Row>[] => [
  { title, kind: 'hours', value: minutes, isSummed: true },
  { title: `${title} (minutes)`, kind: 'number', value: minutes, isSummed: true },
]

/** The number that a student has at the college; zeros in front of it stay. */
export const studentNumberColumn = <Row>(value: (row: Row) => string | null): ExportColumn<Row> => ({
  title: 'Student ID',
  kind: 'text',
  width: 14,
  value,
})

/** The number of a record, by which it is found again, and the number that its student has at the college. */
export const recordColumns = <Row extends { Id: number | null; StudentId: number }>(
  numberOf: (studentId: number) => string,
): ExportColumn<Row>[] => [
  { title: 'Record ID', kind: 'number', value: ({ Id }) => Id },
  studentNumberColumn(({ StudentId }) => numberOf(StudentId)),
]

/** More rows than these take a workbook longer than anybody should wait. */
export const directWorkbookRows = 20_000

/** A column of a printed table. */
export interface PrintedColumn<Row> {
  title: string
  isFigure?: boolean
  value: (row: Row) => string
}

const plus = (sum: Cell, cell: Cell): Cell => (typeof cell === 'number' ? Number(sum ?? 0) + cell : sum)

/** The cells of the rows, then one row of sums for each group, in the order in which they occur. */
async function* cellsOf<Row>(
  columns: readonly ExportColumn<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  groupOf: (row: Row) => string,
): AsyncGenerator<Cell[]> {
  const isSummed = columns.some((column) => column.isSummed)
  const sums = new Map<string, Cell[]>()
  for await (const row of rows) {
    const cells = columns.map(({ value }) => value(row))
    yield cells
    if (!isSummed) continue
    const group = groupOf(row)
    const sum = sums.get(group) ?? columns.map(({ isSummed }, at) => (at === 0 && !isSummed ? group : null))
    sums.set(
      group,
      sum.map((each, at) => (columns[at]!.isSummed ? plus(each, cells[at]) : each)),
    )
  }
  yield* sums.values()
}

/**
 * Rows as a streamed download in the format asked for; `name` is the file's name without its ending.
 *
 * @param groupOf what is summed by itself, where rows of different kinds do not add up
 */
export const tableFile = <Row>(
  format: 'csv' | 'xlsx',
  name: string,
  columns: readonly ExportColumn<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  groupOf: (row: Row) => string = () => 'Total',
): FileAnswer =>
  format === 'csv'
    ? {
        name: `${name}.csv`,
        type: 'text/csv; charset=utf-8',
        chunks: csvFile(columns, cellsOf(columns, rows, groupOf)),
      }
    : {
        name: `${name}.xlsx`,
        type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        chunks: xlsxFile(name, columns, cellsOf(columns, rows, groupOf)),
        ...(Array.isArray(rows) && { size: { rows: rows.length, direct: directWorkbookRows } }),
      }
