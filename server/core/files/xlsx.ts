import { setImmediate as others } from 'node:timers/promises'
import type { Cell, TableColumn } from './csv.ts'
import { columnName } from './xlsx-values.ts'
import { openZip, PackedPart } from './zip.ts'

/** Excel's own limits. */
const rowLimit = 1_048_576
const maxCharacters = 32_767
const rowsAChunk = 200

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Style indexes of `styles`: 1 is the bold header, 2 a date as mm/dd/yyyy, 3 plain text, 4 hours with two decimals. */
const styles = `${head}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="mm/dd/yyyy"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="2" applyNumberFormat="1"/></cellXfs></styleSheet>`

// XML 1.0 cannot hold these at all; U+FFFE, U+FFFF and lone surrogates neither.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const impossible = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** What nearly all cells are: nothing in them needs another form. */
const isPlain = /^[\t\n !#-%'-;=?-^`-\uD7FF]*$/

const xmlText = (text: string): string =>
  text.length <= maxCharacters && isPlain.test(text)
    ? text
    : text
        .slice(0, maxCharacters)
        .toWellFormed()
        .replace(impossible, '')
        // Excel reads _x0041_ as a letter, so a text that looks so is escaped by its underscore.
        .replace(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_')
        .replace(/[&<>"\r]/g, (sign) => escapes[sign]!)

/** Days since 1899-12-30, as spreadsheets count them; undefined for what they cannot count. */
const serialDay = (date: string): number | undefined => {
  const days = Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / 86_400_000 + 25_569
  return Number.isInteger(days) && days > 60 ? days : undefined
}

/** A cell behind its reference, which the row writes: ` t="…"><v>…</v></c>`. */
const textCell = (text: string, style: number): string =>
  ` t="inlineStr" s="${style}"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`

/** Most texts that a workbook keeps in its table of texts, and the longest of them; any other is written into its cell. */
const maxShared = 20_000
const maxSharedCharacters = 100

/**
 * The table of texts of a workbook. Names, places and codes come again and again: written once and pointed to, a sheet is a
 * third as long, and so is the work to pack it. It ends at a limit, so that memory does not follow the number of rows.
 */
class SharedTexts {
  /** The cells by their text. */
  private readonly cells = new Map<string, string>()
  private readonly items: string[] = []

  cellOf(text: string): string {
    const known = this.cells.get(text)
    if (known !== undefined) return known
    if (text.length > maxSharedCharacters || this.items.length === maxShared) return textCell(text, 3)
    const cell = ` t="s" s="3"><v>${this.items.length}</v></c>`
    this.items.push(`<si><t xml:space="preserve">${xmlText(text)}</t></si>`)
    this.cells.set(text, cell)
    return cell
  }

  xml(): string {
    return `${head}<sst xmlns="${main}" uniqueCount="${this.items.length}">${this.items.join('')}</sst>`
  }
}

const maxKnownDays = 5_000

/** What a day is written as; a table has few of them, each in many rows. */
const dayWriter = (texts: SharedTexts): ((date: string) => string) => {
  const known = new Map<string, string>()
  return (date) => {
    const found = known.get(date)
    if (found !== undefined) return found
    const day = serialDay(date)
    const cell = day === undefined ? texts.cellOf(date) : ` s="2"><v>${day}</v></c>`
    if (known.size < maxKnownDays) known.set(date, cell)
    return cell
  }
}

/** The cell behind its reference; '' where nothing is in it. */
type CellWriter = (cell: Cell) => string

/** How the cells of each column are written. */
const writersOf = (columns: readonly TableColumn[], texts: SharedTexts): CellWriter[] => {
  const day = dayWriter(texts)
  return columns.map(({ kind }) => (cell) => {
    if (cell === null || cell === undefined || cell === '') return ''
    if (typeof cell === 'string')
      return kind === 'date'
        ? day(cell)
        : kind === 'year' && /^\d{4}$/.test(cell)
          ? `><v>${cell}</v></c>`
          : texts.cellOf(cell)
    if (typeof cell === 'boolean') return texts.cellOf(cell ? 'Yes' : 'No')
    if (!Number.isFinite(cell)) return ''
    return kind === 'hours' ? ` s="4"><v>${cell / 60}</v></c>` : `><v>${cell}</v></c>`
  })
}

/** The sheet up to its first row of data. */
const sheetStart = (columns: readonly TableColumn[]): string =>
  `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns
    .map(
      ({ width, title, kind }, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${width ?? Math.max(12, title.length + 3)}"${kind === 'text' ? ' style="3"' : ''} customWidth="1"/>`,
    )
    .join('')}</cols><sheetData><row r="1">${columns
    .map(({ title }, index) => `<c r="${columnName(index)}1"${textCell(title, 1)}`)
    .join('')}</row>`
const sheetEnd = '</sheetData></worksheet>'

/** A small sheet of its own behind the rows. */
export interface NotesSheet {
  name: string
  columns: readonly TableColumn[]
  rows: readonly (readonly Cell[])[]
}

/** A row has no more cells than there are columns. Readers that stream know a cell by its reference alone. */
const rowWriter = (columns: readonly TableColumn[], texts: SharedTexts) => {
  const writers = writersOf(columns, texts)
  const starts = columns.map((_, index) => `<c r="${columnName(index)}`)
  return (row: readonly Cell[], number: number): string => {
    let xml = `<row r="${number}">`
    for (let index = 0; index < row.length; index++) {
      const cell = writers[index]!(row[index])
      if (cell) xml += `${starts[index]!}${number}"${cell}`
    }
    return `${xml}</row>`
  }
}

/**
 * An XLSX file as it streams: memory stays the same whatever the number of rows, and rows beyond Excel's 1,048,576 go on
 * on another sheet. Text is written as strings, which no spreadsheet runs as a formula; days are real dates.
 *
 * @param sheetName at most 31 characters; signs that Excel forbids are left out
 * @param notes another sheet behind the rows
 */
export async function* xlsxFile(
  sheetName: string,
  columns: readonly TableColumn[],
  rows: AsyncIterable<readonly Cell[]>,
  notes?: NotesSheet,
): AsyncGenerator<Uint8Array> {
  const name = sheetName.replace(/[[\]:*?/\\']/g, '').slice(0, 27) || 'Sheet'
  const { zip, take } = openZip()
  let sheets = 0
  const openSheet = async (own = columns): Promise<PackedPart> => {
    const file = new PackedPart(`xl/worksheets/sheet${++sheets}.xml`)
    zip.add(file)
    await file.write(sheetStart(own))
    return file
  }
  const addPart = async (path: string, xml: string): Promise<void> => {
    const part = new PackedPart(path)
    zip.add(part)
    await part.end(xml)
  }

  const texts = new SharedTexts()
  const write = rowWriter(columns, texts)
  let sheet = await openSheet()
  try {
    let rowsInSheet = 1
    let waiting = ''
    let waitingRows = 0
    for await (const row of rows) {
      if (rowsInSheet === rowLimit) {
        await sheet.end(waiting + sheetEnd)
        waiting = ''
        waitingRows = 0
        sheet = await openSheet()
        rowsInSheet = 1
      }
      rowsInSheet++
      waiting += write(row, rowsInSheet)
      waitingRows++
      if (waitingRows === rowsAChunk) {
        await sheet.write(waiting)
        waiting = ''
        waitingRows = 0
        yield* take()
        await others()
      }
    }
    await sheet.end(waiting + sheetEnd)
    if (notes) {
      sheet = await openSheet(notes.columns)
      const writeNote = rowWriter(notes.columns, texts)
      await sheet.end(notes.rows.map((row, at) => writeNote(row, at + 2)).join('') + sheetEnd)
    }
  } finally {
    sheet.terminate()
  }

  const all = Array.from({ length: sheets }, (_, index) => index + 1)
  const sheetNames = all.map((number) =>
    notes && number === sheets ? notes.name : number === 1 ? name : `${name} ${number}`,
  )
  await addPart(
    '[Content_Types].xml',
    `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${sheetType}.sharedStrings+xml"/>${all
      .map(
        (number) =>
          `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
      )
      .join('')}</Types>`,
  )
  await addPart(
    '_rels/.rels',
    `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  await addPart(
    'xl/workbook.xml',
    `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${all
      .map(
        (number) =>
          `<sheet name="${xmlText(sheetNames[number - 1]!)}" sheetId="${number}" r:id="rId${number}"/>`,
      )
      .join('')}</sheets></workbook>`,
  )
  await addPart(
    'xl/_rels/workbook.xml.rels',
    `${head}<Relationships xmlns="${packages}/relationships">${all
      .map(
        (number) =>
          `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="rId${sheets + 1}" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId${sheets + 2}" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  )
  await addPart('xl/styles.xml', styles)
  await addPart('xl/sharedStrings.xml', texts.xml())
  zip.end()
  yield* take()
}
