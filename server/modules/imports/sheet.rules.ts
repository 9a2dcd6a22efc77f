import type { ImportField } from '#contract/core/import-fields.ts'
import { matchColumns, sampleNotes } from '#contract/imports/imports-rules.ts'
import type { Sheet } from '#server/core/files/xlsx-reader.ts'
import { columnName } from '#server/core/files/xlsx-values.ts'
import { columnsOf, columnTitle, notesMark, type Table } from './parse.rules.ts'

/** Whether a sheet with such a header holds rows of these fields: it has a column for each that is required. */
export const fitsFields = (fields: readonly ImportField[], header: readonly string[]): boolean => {
  const mapping = matchColumns(fields, columnsOf(header))
  return fields.every(
    ({ name, isRequired, unless }) =>
      !isRequired || mapping[name] !== undefined || (unless !== undefined && mapping[unless] !== undefined),
  )
}

/** Whether a sheet is the notes of our own sample files. */
export const isNotesSheet = (header: readonly string[]): boolean =>
  sampleNotes.every((title, index) => header[index] === title)

/** A sheet as a table: the first row names the columns, and a column without a name has its letter for one. */
export const tableOfSheet = ({ rows: [header, ...rows], hiddenRows }: Sheet): Table => {
  if (rows[0]?.cells[0]?.startsWith(notesMark)) rows.shift()
  const names = header?.cells.map(columnTitle) ?? []
  const isFilled: boolean[] = names.map((name) => name !== '')
  for (const { cells } of rows) for (const [at, cell] of cells.entries()) if (cell !== '') isFilled[at] = true
  const used = [...isFilled.keys()].filter((at) => isFilled[at])
  return {
    columns: used.map((at) => names[at] || `Column ${columnName(at)}`),
    rows: rows.map(({ number, cells }) => ({ line: number, cells: used.map((at) => cells[at] ?? '') })),
    errors: [],
    hiddenRows,
  }
}
