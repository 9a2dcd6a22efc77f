import { posix } from 'node:path'
import { damaged, hasPassword, openParts, type Parts, tooLarge, UnreadableWorkbook } from './xlsx-parts.ts'
import { columnAt, type NumberForm, numberForm, numberText, unescaped } from './xlsx-values.ts'

/** A row with something in it; `number` is the sheet's own, from 1. */
export interface SheetRow {
  number: number
  /** What each cell shows, from column A; '' where it is empty. */
  cells: string[]
}

export interface Sheet {
  name: string
  /** The first `rowLimit` of them. */
  rows: SheetRow[]
  /** How many rows have something in them, also those that were not kept. */
  rowCount: number
  /** Rows with something in them that are hidden or filtered away, and so left out. */
  hiddenRows: number
  /** Cells that are merged over several rows, by their first column. */
  merged: { column: number; from: number; to: number }[]
}

export interface WorkbookChoice {
  /** Whether a sheet with such a row is the one that is wanted. */
  fits: (header: readonly string[]) => boolean
  /** So many rows with something in them may be above that row. */
  rowsAbove?: number
  /** Whether a sheet with such a first row is passed over, even where it is the only one. */
  isPassedOver: (header: readonly string[]) => boolean
  rowLimit: number
}

/** A table of the product has 30 columns at most; sheets often have some beside them. */
const maxColumns = 500
/** The same rows as CSV may have no more characters, however often a workbook refers to one text. */
const maxCharacters = 50 * 1024 * 1024
const maxCells = 8_000_000

const emptyWorkbook = (): UnreadableWorkbook =>
  new UnreadableWorkbook('The workbook is empty. Fill a sheet with a header row and the rows below it.')

const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b
/** What Excel wrote before 2007, and the wrapping of workbooks with a password. */
const isCompound = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0

/** Whether bytes are a workbook of any age, or another archive: nothing that is read as text. */
export const isWorkbook = (bytes: Uint8Array): boolean => isArchive(bytes) || isCompound(bytes)

const refuseCompound = (bytes: Buffer): UnreadableWorkbook =>
  bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    ? hasPassword()
    : new UnreadableWorkbook(
        'This is an old Excel workbook (.xls). Save it in Excel as .xlsx or CSV, and choose that file.',
      )

const refuseArchive = (parts: Parts): UnreadableWorkbook => {
  if (parts.has('xl/workbook.bin'))
    return new UnreadableWorkbook(
      'This is a binary Excel workbook (.xlsb). Save it in Excel as .xlsx or CSV, and choose that file.',
    )
  return new UnreadableWorkbook(
    parts.has('content.xml') || parts.has('Index/Document.iwa')
      ? 'This spreadsheet was not saved by Excel. Save it as Excel (.xlsx) or CSV, and choose that file.'
      : 'This is an archive, not a workbook. Choose a CSV file or an Excel workbook (.xlsx).',
  )
}

interface Relation {
  type: string
  path: string
}

/** What a part refers to, by its ids. */
const readRelations = async (parts: Parts, of: string): Promise<Map<string, Relation>> => {
  const found = new Map<string, Relation>()
  const path = posix.join(posix.dirname(of), '_rels', `${posix.basename(of)}.rels`)
  if (!parts.has(path)) return found
  await parts.read(path, {
    open: (name, { Id, Type, Target }) => {
      if (name !== 'Relationship' || !Id || !Type || !Target) return
      const target = Target.startsWith('/')
        ? Target.slice(1)
        : posix.join(posix.dirname(of), Target.replaceAll('\\', '/'))
      found.set(Id, { type: posix.basename(Type), path: target })
    },
  })
  return found
}

interface SheetEntry {
  name: string
  path: string
}

/** The attribute of a name, whatever the prefix of its space. */
const attribute = (attributes: Record<string, string>, name: string): string | undefined =>
  Object.entries(attributes).find(([key]) => key.slice(key.indexOf(':') + 1) === name)?.[1]

const isYes = (value: string | undefined): boolean => value === '1' || value === 'true'

interface Workbook {
  sheets: SheetEntry[]
  isFrom1904: boolean
  relations: ReadonlyMap<string, Relation>
}

const readWorkbookPart = async (parts: Parts, path: string): Promise<Workbook> => {
  const relations = await readRelations(parts, path)
  const sheets: SheetEntry[] = []
  let isFrom1904 = false
  await parts.read(path, {
    open: (name, attributes) => {
      if (name === 'workbookPr') isFrom1904 = isYes(attributes.date1904)
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return
      const target = relations.get(attribute(attributes, 'id') ?? '')
      // Charts have pages of their own among the sheets.
      if (target?.type === 'worksheet') sheets.push({ name: attributes.name ?? '', path: target.path })
    },
  })
  return { sheets, isFrom1904, relations }
}

const readStyles = async (parts: Parts, path: string): Promise<NumberForm[]> => {
  const codes = new Map<number, string>()
  const forms: NumberForm[] = []
  let isInside = false
  await parts.read(path, {
    open: (name, attributes) => {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      else if (name === 'cellXfs') isInside = true
      else if (name === 'xf' && isInside) {
        const id = Number(attributes.numFmtId ?? 0)
        forms.push(numberForm(id, codes.get(id)))
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isInside = false
    },
  })
  return forms
}

/** Collects the text of a string: its runs one after the other, without the phonetic text. */
const textCollector = () => {
  let text = ''
  let isText = false
  let isReading = false
  return {
    open: (name: string) => {
      if (name === 't') isText = !isReading
      else if (name === 'rPh') isReading = true
    },
    text: (piece: string) => {
      if (isText) text += piece
    },
    close: (name: string) => {
      if (name === 't') isText = false
      else if (name === 'rPh') isReading = false
    },
    take: (): string => {
      const whole = unescaped(text)
      text = ''
      return whole
    },
  }
}

const readStrings = async (parts: Parts, path: string): Promise<string[]> => {
  const strings: string[] = []
  const collector = textCollector()
  await parts.read(path, {
    ...collector,
    close: (name) => {
      collector.close(name)
      if (name === 'si') strings.push(collector.take())
    },
  })
  return strings
}

interface Shared {
  strings: readonly string[]
  forms: readonly NumberForm[]
  isFrom1904: boolean
}

/** What a cell shows, by its type (ECMA-376 18.18.11); undefined where it refers to a string that is not there. */
const textOfCell = (
  raw: string,
  { type, form }: { type: string; form: NumberForm },
  { strings, isFrom1904 }: Pick<Shared, 'strings' | 'isFrom1904'>,
): string | undefined => {
  switch (type) {
    case 's':
      return strings[Number(raw)]
    case 'b':
      return raw === '1' ? 'TRUE' : 'FALSE'
    case '':
    case 'n':
      return numberText(raw, form, isFrom1904)
    case 'str':
      return unescaped(raw)
    default:
      return raw
  }
}

/** As many as a list of people with their groups has. */
const maxMerged = 10_000

/** The cells that a reference such as A1:B3 is merged of, where these are several rows. */
const mergedOf = (reference: string | undefined): Sheet['merged'] => {
  const [first = '', last = ''] = (reference ?? '').split(':')
  const column = columnAt(first)
  const [from, to] = [first, last].map((cell) => Number(/\d+$/.exec(cell)?.[0] ?? Number.NaN))
  return column !== undefined && from !== undefined && to !== undefined && from < to
    ? [{ column, from, to }]
    : []
}

/** The rows of a sheet; undefined as soon as `isWanted` has refused its first rows. */
const readSheet = async (
  parts: Parts,
  { name: sheetName, path }: SheetEntry,
  { strings, forms, isFrom1904 }: Shared,
  {
    rowLimit,
    rowsAbove,
    isWanted,
  }: { rowLimit: number; rowsAbove: number; isWanted: (header: readonly string[]) => boolean },
): Promise<Sheet | undefined> => {
  const sheet: Sheet = { name: sheetName, rows: [], rowCount: 0, hiddenRows: 0, merged: [] }
  const inline = textCollector()
  let isTaken = false
  let isRefused = false
  let rowNumber = 0
  let isHidden = false
  let cells: string[] = []
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let isValue = false
  let characters = 0
  let cellCount = 0

  const closeCell = () => {
    const isInline = type === 'inlineStr'
    const raw = isInline ? inline.take() : value
    if (raw === '') return
    const text = textOfCell(raw, { type, form: forms[style] ?? 'number' }, { strings, isFrom1904 })
    if (text === undefined) throw damaged()
    if (text.trim() === '') return
    if (column >= maxColumns)
      throw new UnreadableWorkbook(
        `The sheet ${sheetName} has more than ${maxColumns} columns. Delete those that are not imported, and choose the file again.`,
      )
    characters += text.length
    cellCount += column + 1 - cells.length
    if (characters > maxCharacters || cellCount > maxCells) throw tooLarge()
    while (cells.length < column) cells.push('')
    cells[column] = text
  }
  const closeRow = () => {
    if (cells.length === 0 || isRefused) return
    if (isHidden) {
      sheet.hiddenRows++
      return
    }
    if (!isTaken) {
      isTaken = isWanted(cells)
      isRefused = !isTaken && sheet.rowCount >= rowsAbove
    }
    sheet.rowCount++
    if (sheet.rows.length < rowLimit) sheet.rows.push({ number: rowNumber, cells })
  }

  await parts.read(path, {
    isDone: () => isRefused,
    open: (name, attributes) => {
      if (name === 'row') {
        const before = rowNumber
        rowNumber = attributes.r === undefined ? before + 1 : Number(attributes.r)
        if (!Number.isInteger(rowNumber) || rowNumber <= before) throw damaged()
        isHidden = isYes(attributes.hidden)
        cells = []
        column = -1
      } else if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : (columnAt(attributes.r) ?? -1)
        if (column < 0) throw damaged()
        type = attributes.t ?? ''
        style = Number(attributes.s ?? 0)
        value = ''
      } else if (name === 'v') isValue = true
      else if (name === 'mergeCell' && sheet.merged.length < maxMerged)
        sheet.merged.push(...mergedOf(attributes.ref))
      else inline.open(name)
    },
    text: (text) => {
      if (isValue) value += text
      else inline.text(text)
    },
    close: (name) => {
      if (name === 'v') isValue = false
      else if (name === 'c') closeCell()
      else if (name === 'row') closeRow()
      else inline.close(name)
    },
  })
  return isTaken ? sheet : undefined
}

/**
 * Reads one sheet of an Excel workbook (.xlsx, .xlsm): of the visible ones the first whose first row `fits`, and else the
 * first with anything in it. Formulas give the value that Excel kept; hidden and empty rows are left out.
 *
 * @throws UnreadableWorkbook for what is no such workbook, is damaged, empty, has a password or unfolds to too much
 */
export const readWorkbook = async (
  bytes: Buffer,
  { fits, rowsAbove = 0, isPassedOver, rowLimit }: WorkbookChoice,
): Promise<Sheet> => {
  if (isCompound(bytes)) throw refuseCompound(bytes)
  const parts = await openParts(bytes)
  const fromRoot = [...(await readRelations(parts, '')).values()]
  const path = fromRoot.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  if (!path.endsWith('.xml') || !path.startsWith('xl/') || !parts.has(path)) throw refuseArchive(parts)
  const { sheets, isFrom1904, relations } = await readWorkbookPart(parts, path)
  const partOf = (type: string): string | undefined =>
    [...relations.values()].find((relation) => relation.type === type && parts.has(relation.path))?.path
  const [styles, strings] = [partOf('styles'), partOf('sharedStrings')]
  const shared = {
    forms: styles ? await readStyles(parts, styles) : [],
    strings: strings ? await readStrings(parts, strings) : [],
    isFrom1904,
  }
  const isAny = (header: readonly string[]) => !isPassedOver(header)
  const ways = [
    { rowsAbove, isWanted: (header: readonly string[]) => isAny(header) && fits(header) },
    { rowsAbove: 0, isWanted: isAny },
  ]
  for (const way of ways)
    for (const each of sheets) {
      const sheet = await readSheet(parts, each, shared, { rowLimit, ...way })
      if (sheet && sheet.rowCount > 0) return sheet
    }
  throw emptyWorkbook()
}
