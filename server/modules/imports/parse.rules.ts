import type { Info, Parser } from 'csv-parse'
import type { ImportField } from '#contract/core/import-fields.ts'
import type { ImportError } from '#contract/imports/imports.ts'
import { matchColumns } from '#contract/imports/imports-rules.ts'

/** A row of the file: the line it begins on, or the row of the sheet, counted from 1, and its cells. */
export interface TableRow {
  line: number
  cells: string[]
}
export interface Table {
  columns: string[]
  rows: TableRow[]
  /** What makes the file unreadable as a table; the rows before it are there. */
  errors: ImportError[]
  /** Rows that are wider or narrower than the header. */
  unfit?: TableRow[]
  /** Rows of a sheet that are hidden, and so left out. */
  hiddenRows?: number
  /** What was read differently from how the file has it, shown before anything is imported. */
  notes?: ImportError[]
}

/** What the first cell of the notes row of a sample file begins with. */
export const notesMark = '# '

const separators = [',', ';', '\t'] as const

/** How many rows may come before the column names: a title, a date, who made the file. */
export const mostTitles = 10

/** The sign between cells: the one that occurs most often in the header, outside quotes; rows above it have none. */
export const separatorOf = (text: string): string => {
  const counts = new Map<string, number>(separators.map((sign) => [sign, 0]))
  let isQuoted = false
  let titles = 0
  for (const sign of text.slice(0, 100_000)) {
    const isEnd = sign === '\n' || sign === '\r'
    if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (isEnd && [...counts.values()].some((count) => count > 0)) break
    else if (sign === '\n' && ++titles > mostTitles) break
    else if (counts.has(sign)) counts.set(sign, counts.get(sign)! + 1)
  }
  return separators.reduce((best, sign) => (counts.get(sign)! > counts.get(best)! ? sign : best), ',')
}

/** What Excel writes above a CSV file for itself: the sign between cells. */
const separatorLine = /^sep=(.)\r?\n/i

const chunkLength = 512 * 1024

const feed = async (parser: Parser, text: string): Promise<void> => {
  for (let at = 0; at < text.length && !parser.destroyed; at += chunkLength) {
    parser.write(text.slice(at, at + chunkLength))
    // Other requests are answered between the pieces of a large file.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (!parser.destroyed) parser.end()
}

interface Parsed {
  record: string[]
  info: Info
}

const sentences: Record<string, (line: number) => string> = {
  CSV_QUOTE_NOT_CLOSED: (line) =>
    `A quote opens in row ${line} and never closes. Close it, or double it inside the text.`,
  INVALID_OPENING_QUOTE: () =>
    'There is a quote inside a cell that is not quoted. Put the cell in quotes and double the quote.',
  CSV_INVALID_CLOSING_QUOTE: () => 'Text follows a closing quote. Double the quotes that belong to the text.',
}

/** The name of a column as its header cell says it; '' where it says nothing. */
export const columnTitle = (cell: string): string => cell.normalize('NFC').trim()

/** The names of the columns; one without gets its number. */
export const columnsOf = (header: readonly string[]): string[] =>
  header.map((cell, index) => columnTitle(cell) || `Column ${index + 1}`)

/** Which row names the columns: the first, or where that names none the one of the next few that names most. */
export const headerAt = (
  rows: readonly { cells: readonly string[] }[],
  fields: readonly ImportField[],
): number => {
  const counts = rows
    .slice(0, mostTitles + 1)
    .map(({ cells }) => Object.keys(matchColumns(fields, columnsOf(cells))).length)
  const [first = 0] = counts
  const most = Math.max(...counts, 0)
  return first > 1 || most < 2 ? 0 : counts.indexOf(most)
}

/** That rows above the names of the columns were left out; nothing where there are none. */
export const titleNotes = (lines: readonly number[]): ImportError[] => {
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined) return []
  const Message =
    first === last
      ? `Row ${first} is above the names of the columns and is left out.`
      : `Rows ${first} to ${last} are above the names of the columns and are left out.`
  return [{ Row: first, Column: '', Message }]
}

/** Takes the first line that names columns as the header; a row must be as wide, so that nothing of it is lost. */
const tableOf = (all: readonly TableRow[], errors: ImportError[], fields: readonly ImportField[]): Table => {
  const start = headerAt(all, fields)
  const [header, ...rows] = all.slice(start)
  const notes = titleNotes(all.slice(0, start).map(({ line }) => line))
  if (!header) {
    if (errors.length === 0)
      errors.push({
        Row: 1,
        Column: '',
        Message: 'The file has no header row. Its first line names the columns.',
      })
    return { columns: [], rows: [], errors }
  }
  const columns = columnsOf(header.cells)
  const width = columns.length
  // The notes row of our own sample files, which says what each column takes.
  if (rows[0]?.cells[0]?.startsWith(notesMark)) rows.shift()
  const fitting: TableRow[] = []
  const unfit: TableRow[] = []
  for (const row of rows) {
    while (row.cells.length > width && row.cells.at(-1) === '') row.cells.pop()
    if (row.cells.length === width) fitting.push(row)
    else {
      unfit.push(row)
      errors.push({
        Row: row.line,
        Column: '',
        Message: `The row has ${row.cells.length} ${row.cells.length === 1 ? 'cell' : 'cells'} where the header has ${width}.`,
      })
    }
  }
  return { columns, rows: fitting, errors, unfit, notes }
}

/**
 * Splits CSV text (RFC 4180; commas, semicolons or tabs; any line breaks) into a header and rows. Never throws: what
 * cannot be read becomes an error with its row. Empty lines are left out; a row must be as wide as the header, so that
 * nothing of it is lost. Rows above the header are left out where `fields` tell which it is.
 */
export const readTable = async (text: string, fields: readonly ImportField[] = []): Promise<Table> => {
  const records: Parsed[] = []
  const errors: ImportError[] = []
  const whole = text.startsWith('\uFEFF') ? text.slice(1) : text
  const [said = '', separator] = separatorLine.exec(whole) ?? []
  const source = whole.slice(said.length)
  const before = said === '' ? 0 : 1
  const { parse } = await import('csv-parse')
  const parser = parse({
    info: true,
    relax_column_count: true,
    delimiter: separator ?? separatorOf(source),
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: false,
  })
  const ended = new Promise<void>((resolve) => {
    parser.on('readable', () => {
      for (let next = parser.read() as Parsed | null; next; next = parser.read() as Parsed | null)
        records.push(next)
    })
    parser.once('end', resolve)
    parser.once('error', (error: Error & { code?: string }) => {
      const line = (records.at(-1)?.info.lines ?? 0) + 1 + before
      const sentence = sentences[error.code ?? '']
      errors.push({
        Row: line,
        Column: '',
        Message: sentence?.(line) ?? 'This row cannot be read as CSV. Check its quotes and separators.',
      })
      resolve()
    })
    parser.once('close', resolve)
  })
  await Promise.all([feed(parser, source), ended])

  let line = 1 + before
  const lines: TableRow[] = []
  for (const { record, info } of records) {
    if (record.some((cell) => cell !== '')) lines.push({ line, cells: record })
    line = info.lines + 1 + before
  }
  return tableOf(lines, errors, fields)
}

const wholeName = /^(full |student |person )?name( \(?last,? first\)?)?$|^last,? first$|^(student|person)$/i

/**
 * A table with first and last names, where it has both in one column: before and behind a comma, else the last word is the last name. One word alone is
 * a last name. The column stays as it is.
 */
export const withNames = (table: Table, fields: readonly ImportField[]): Table => {
  const [first, last] = ['FirstName', 'LastName'].map((name) => fields.find((field) => field.name === name))
  const mapping = matchColumns(fields, table.columns)
  if (!first || !last || mapping.FirstName || mapping.LastName) return table
  const at = table.columns.findIndex((column) => wholeName.test(column))
  const taken = Object.values(mapping)
  if (at < 0 || taken.includes(table.columns[at]!)) return table
  const split = (cell: string): [string, string] => {
    const comma = cell.indexOf(',')
    if (comma >= 0) return [cell.slice(0, comma).trim(), cell.slice(comma + 1).trim()]
    const words = cell.trim().split(/\s+/)
    return [words.at(-1) ?? '', words.slice(0, -1).join(' ')]
  }
  const widened = ({ line, cells }: TableRow): TableRow => ({
    line,
    cells: [...cells, ...split(cells[at] ?? '')],
  })
  return {
    ...table,
    columns: [...table.columns, last.label, first.label],
    rows: table.rows.map(widened),
    notes: [
      ...(table.notes ?? []),
      {
        Row: 1,
        Column: table.columns[at]!,
        Message: `${table.columns[at]} is split into last and first names. Check them in the preview.`,
      },
    ],
  }
}
