import { asText } from '#contract/core/spreadsheet-text.ts'

/** A value of a downloaded table: text, a number, a day 'YYYY-MM-DD' (see the column's kind), yes or no, or nothing. */
export type Cell = string | number | boolean | null | undefined

/** A column of a downloaded table. */
export interface TableColumn {
  title: string
  /**
   * `date`: the cell holds 'YYYY-MM-DD'. `hours`: it holds minutes and is written as hours, unrounded, so that they add up.
   * `text`: what people add below stays as they type it, with zeros in front. `year`: a text of four figures is a number.
   */
  kind?: 'text' | 'number' | 'date' | 'hours' | 'year'
  /** Width in characters, for spreadsheets. */
  width?: number
}

/** Excel reads a file as UTF-8 by this mark only. */
const byteOrderMark = '\uFEFF'

const dateText = (date: string): string =>
  /^\d{4}-\d{2}-\d{2}/.test(date) ? `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}` : date

const csvCell = (cell: Cell, kind: TableColumn['kind']): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(kind === 'hours' ? cell / 60 : cell)
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No'
  const text = kind === 'date' ? dateText(cell) : cell
  const safe = asText(text)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of a CSV file with its line break; text that a spreadsheet would run as a formula gets an apostrophe. */
export const csvLine = (cells: readonly Cell[], columns: readonly TableColumn[] = []): string =>
  `${cells.map((cell, index) => csvCell(cell, columns[index]?.kind)).join(',')}\r\n`

const linesAChunk = 500

/** A CSV file (RFC 4180, UTF-8 with its mark, header row) as it streams; dates are written as mm/dd/yyyy. */
export async function* csvFile(
  columns: readonly TableColumn[],
  rows: AsyncIterable<readonly Cell[]>,
): AsyncGenerator<string> {
  let text = byteOrderMark + csvLine(columns.map(({ title }) => title))
  let lines = 0
  for await (const row of rows) {
    text += csvLine(row, columns)
    lines++
    if (lines % linesAChunk === 0) {
      yield text
      text = ''
    }
  }
  if (text) yield text
}
