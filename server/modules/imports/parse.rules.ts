import type { Info, Parser } from 'csv-parse'
import type { ImportError } from '#contract/imports/imports.ts'

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
}

/** What the first cell of the notes row of a sample file begins with. */
export const notesMark = '# '

const separators = [',', ';', '\t'] as const

/** The sign between cells: the one that occurs most often in the header, outside quotes. */
export const separatorOf = (text: string): string => {
  const counts = new Map<string, number>(separators.map((sign) => [sign, 0]))
  let isQuoted = false
  for (const sign of text.slice(0, 100_000)) {
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && (sign === '\n' || sign === '\r')) break
    else if (!isQuoted && counts.has(sign)) counts.set(sign, counts.get(sign)! + 1)
  }
  return separators.reduce((best, sign) => (counts.get(sign)! > counts.get(best)! ? sign : best), ',')
}

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

/** Takes the first line as the header; a row must be as wide, so that nothing of it is lost. */
const tableOf = (lines: readonly TableRow[], errors: ImportError[]): Table => {
  const [header, ...rows] = lines
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
  return { columns, rows: fitting, errors, unfit }
}

/**
 * Splits CSV text (RFC 4180; commas, semicolons or tabs; any line breaks) into a header and rows. Never throws: what
 * cannot be read becomes an error with its row. Empty lines are left out; a row must be as wide as the header, so that
 * nothing of it is lost.
 */
export const readTable = async (text: string): Promise<Table> => {
  const records: Parsed[] = []
  const errors: ImportError[] = []
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const { parse } = await import('csv-parse')
  const parser = parse({
    info: true,
    relax_column_count: true,
    delimiter: separatorOf(source),
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
      const line = (records.at(-1)?.info.lines ?? 0) + 1
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

  let line = 1
  const lines: TableRow[] = []
  for (const { record, info } of records) {
    if (record.some((cell) => cell !== '')) lines.push({ line, cells: record })
    line = info.lines + 1
  }
  return tableOf(lines, errors)
}
