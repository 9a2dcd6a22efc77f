import { asText } from '#contract/core/spreadsheet-text.ts'
import type { ImportResult } from '#contract/imports/imports.ts'

const cell = (value: string): string => {
  const text = asText(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * The rows with errors as they are in the file, each behind what is wrong with it, to be fixed and imported again; with a mark
 * so that spreadsheets read it as UTF-8.
 */
export const refusedAsCsv = (
  { Columns, Errors, Refused }: Pick<ImportResult, 'Columns' | 'Errors' | 'Refused'>,
  problem: string,
): string => {
  const messages = Map.groupBy(Errors, ({ Row }) => Row)
  const rows = Refused.map(({ Row, Cells }) => [
    (messages.get(Row) ?? []).map(({ Message }) => Message).join(' '),
    ...Cells,
  ])
  return `\uFEFF${[[problem, ...Columns], ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
