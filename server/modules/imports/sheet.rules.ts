import type { ImportField } from '#contract/core/import-fields.ts'
import { matchColumns, sampleNotes } from '#contract/imports/imports-rules.ts'
import type { Sheet } from '#server/core/files/xlsx-reader.ts'
import { columnName } from '#server/core/files/xlsx-values.ts'
import { columnsOf, columnTitle, headerAt, notesMark, type Table, titleNotes } from './parse.rules.ts'

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

/**
 * A sheet as a table: the first row that names columns is the header, and a column without a name has its letter for one. What is merged over several rows
 * is the value of each.
 */
export const tableOfSheet = (
  { rows: all, hiddenRows, merged }: Sheet,
  fields: readonly ImportField[] = [],
): Table => {
  const start = headerAt(all, fields)
  const [header, ...rows] = all.slice(start)
  if (rows[0]?.cells[0]?.startsWith(notesMark)) rows.shift()
  const names = header?.cells.map(columnTitle) ?? []
  const isFilled: boolean[] = names.map((name) => name !== '')
  for (const { cells } of rows) for (const [at, cell] of cells.entries()) if (cell !== '') isFilled[at] = true
  const used = [...isFilled.keys()].filter((at) => isFilled[at])
  const byNumber = new Map(rows.map((row) => [row.number, row.cells]))
  const notes = titleNotes(all.slice(0, start).map(({ number }) => number))
  for (const { column, from, to } of merged) {
    const value = byNumber.get(from)?.[column] ?? ''
    if (value === '') continue
    for (let number = from + 1; number <= to; number++) {
      const cells = byNumber.get(number)
      if (!cells) continue
      while (cells.length < column) cells.push('')
      cells[column] = value
    }
    notes.push({
      Row: from,
      Column: names[column] || `Column ${columnName(column)}`,
      Message: `${value} is merged over rows ${from} to ${to} and counts for each.`,
    })
  }
  return {
    columns: used.map((at) => names[at] || `Column ${columnName(at)}`),
    rows: rows.map(({ number, cells }) => ({ line: number, cells: used.map((at) => cells[at] ?? '') })),
    errors: [],
    hiddenRows,
    notes,
  }
}
