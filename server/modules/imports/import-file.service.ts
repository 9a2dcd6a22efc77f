import type { ImportField } from '#contract/core/import-fields.ts'
import { maxImportRows } from '#contract/imports/imports.ts'
import { UnreadableWorkbook } from '#server/core/files/xlsx-parts.ts'
import { isWorkbook, readWorkbook } from '#server/core/files/xlsx-reader.ts'
import { decodeText } from './decode.rules.ts'
import { mostTitles, readTable, type Table, withNames } from './parse.rules.ts'
import { fitsFields, isNotesSheet, tableOfSheet } from './sheet.rules.ts'

const unreadable = (Message: string, table?: Table): Table => ({
  columns: [],
  ...table,
  rows: [],
  errors: [{ Row: 1, Column: '', Message }],
})

const tooMany = (rows: number): string =>
  `The file has ${rows.toLocaleString('en-US')} rows; at most ${maxImportRows.toLocaleString('en-US')} fit. Split it.`

const readSheetOf = async (bytes: Buffer, fields: readonly ImportField[]): Promise<Table> => {
  try {
    const sheet = await readWorkbook(bytes, {
      fits: (header) => fitsFields(fields, header),
      rowsAbove: mostTitles,
      isPassedOver: isNotesSheet,
      // The header comes on top, and in our own samples the notes; in others some titles.
      rowLimit: maxImportRows + 2 + mostTitles,
    })
    const table = withNames(tableOfSheet(sheet, fields), fields)
    const above = sheet.rowCount - table.rows.length
    return sheet.rowCount > maxImportRows + Math.min(above, mostTitles + 1)
      ? unreadable(tooMany(sheet.rowCount - 1), table)
      : table
  } catch (error) {
    if (error instanceof UnreadableWorkbook) return unreadable(error.message)
    throw error
  }
}

/**
 * Reads the file of an import, CSV or an Excel workbook, by what it holds and not by its name. What cannot be read becomes
 * an error at the header.
 */
export const readImportFile = async (bytes: Buffer, fields: readonly ImportField[]): Promise<Table> => {
  if (isWorkbook(bytes)) return readSheetOf(bytes, fields)
  const decoded = decodeText(bytes)
  if ('problem' in decoded) return unreadable(decoded.problem)
  const table = withNames(await readTable(decoded.text, fields), fields)
  return table.rows.length > maxImportRows ? unreadable(tooMany(table.rows.length), table) : table
}
