import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { setImmediate as others } from 'node:timers/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { type AsyncFlateStreamHandler, type ZipInputFile, ZipPassThrough } from 'fflate'
import type { Cell, TableColumn } from './csv.ts'
import { openZip } from './zip.ts'

/** Excel's own limits. */
const rowLimit = 1_048_576
const maxCharacters = 32_767
const rowsAChunk = 200

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Style indexes of `styles`: 1 is the bold header, 2 a date as mm/dd/yyyy, 3 plain text. */
const styles = `${head}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="mm/dd/yyyy"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`

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

const textCell = (text: string, style: number): string =>
  `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`

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
    const cell = `<c t="s" s="3"><v>${this.items.length}</v></c>`
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
    const cell = day === undefined ? texts.cellOf(date) : `<c s="2"><v>${day}</v></c>`
    if (known.size < maxKnownDays) known.set(date, cell)
    return cell
  }
}

type CellWriter = (cell: Cell) => string

/** How the cells of each column are written. */
const writersOf = (columns: readonly TableColumn[], texts: SharedTexts): CellWriter[] => {
  const day = dayWriter(texts)
  return columns.map(({ kind }) => (cell) => {
    if (cell === null || cell === undefined || cell === '') return '<c/>'
    if (typeof cell === 'string') return kind === 'date' ? day(cell) : texts.cellOf(cell)
    if (typeof cell === 'number') return Number.isFinite(cell) ? `<c><v>${cell}</v></c>` : '<c/>'
    return texts.cellOf(cell ? 'Yes' : 'No')
  })
}

const sheetStart = (columns: readonly TableColumn[]): string =>
  `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns
    .map(
      ({ width, title, kind }, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${width ?? Math.max(12, title.length + 3)}"${kind === 'text' ? ' style="3"' : ''} customWidth="1"/>`,
    )
    .join('')}</cols><sheetData><row>${columns.map(({ title }) => textCell(title, 1)).join('')}</row>`
const sheetEnd = '</sheetData></worksheet>'

/** A part of the archive, packed by zlib on its own thread, so that other calls are answered meanwhile. */
class PackedPart implements ZipInputFile {
  readonly filename: string
  readonly compression = 8
  size = 0
  crc = 0
  ondata?: AsyncFlateStreamHandler
  private readonly packer = createDeflateRaw({ level: 3 })

  constructor(filename: string) {
    this.filename = filename
    // The archive sets `ondata` when it takes the file, before anything is written.
    this.packer.on('data', (chunk: Buffer) => this.ondata!(null, chunk as Buffer<ArrayBuffer>, false))
    this.packer.on('end', () => this.ondata!(null, new Uint8Array(), true))
  }

  /** Adds a piece of the sheet; waits while the packer has enough to do. */
  async write(xml: string): Promise<void> {
    const bytes = Buffer.from(xml)
    this.size += bytes.length
    this.crc = crc32(bytes, this.crc)
    if (!this.packer.write(bytes)) await once(this.packer, 'drain')
  }

  async end(xml: string): Promise<void> {
    await this.write(xml)
    this.packer.end()
    await finished(this.packer)
  }

  /** Gives the packer's memory back when the download is broken off. */
  terminate = (): void => {
    this.packer.destroy()
  }
}

const encoder = new TextEncoder()

/** A small sheet of its own behind the rows. */
export interface NotesSheet {
  name: string
  columns: readonly TableColumn[]
  rows: readonly (readonly Cell[])[]
}

/** A row has no more cells than there are columns. */
const rowXml = (row: readonly Cell[], writers: readonly CellWriter[]): string => {
  let xml = '<row>'
  for (let index = 0; index < row.length; index++) xml += writers[index]!(row[index])
  return `${xml}</row>`
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
  const addPart = (path: string, xml: string): void => {
    const part = new ZipPassThrough(path)
    zip.add(part)
    part.push(encoder.encode(xml), true)
  }

  const texts = new SharedTexts()
  const writers = writersOf(columns, texts)
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
      waiting += rowXml(row, writers)
      rowsInSheet++
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
      const noteWriters = writersOf(notes.columns, texts)
      await sheet.end(notes.rows.map((row) => rowXml(row, noteWriters)).join('') + sheetEnd)
    }
  } finally {
    sheet.terminate()
  }

  const all = Array.from({ length: sheets }, (_, index) => index + 1)
  const sheetNames = all.map((number) =>
    notes && number === sheets ? notes.name : number === 1 ? name : `${name} ${number}`,
  )
  addPart(
    '[Content_Types].xml',
    `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${sheetType}.sharedStrings+xml"/>${all
      .map(
        (number) =>
          `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
      )
      .join('')}</Types>`,
  )
  addPart(
    '_rels/.rels',
    `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  addPart(
    'xl/workbook.xml',
    `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${all
      .map(
        (number) =>
          `<sheet name="${xmlText(sheetNames[number - 1]!)}" sheetId="${number}" r:id="rId${number}"/>`,
      )
      .join('')}</sheets></workbook>`,
  )
  addPart(
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
  addPart('xl/styles.xml', styles)
  const textsPart = new PackedPart('xl/sharedStrings.xml')
  zip.add(textsPart)
  await textsPart.end(texts.xml())
  zip.end()
  yield* take()
}
