import { DateOnly } from '#contract/fields.ts'
import type { ImportError } from '#contract/imports.ts'
import {
  type ColumnMapping,
  hasChoices,
  type ImportField,
  type ImportKind,
  importFields,
  type ValueMapping,
  verificationStatuses,
} from '#contract/imports-rules.ts'
import { Level } from '#contract/levels.ts'
import { isTimeZone, stripMarkup } from '#contract/sites-rules.ts'
import type { Table } from './parse.rules.ts'
import { statusOf } from './verification-status.rules.ts'

/** A value of our own: text, a number, yes or no; absent where the cell is empty. */
export type Value = string | number | boolean
export interface ReadRow {
  line: number
  values: Record<string, Value>
  /** Fields whose cell was told as wrong. */
  unread?: readonly string[]
}

/** The names that cells may refer to, by their text in lower case. */
export interface Known {
  areas: ReadonlyMap<string, number>
  levels: ReadonlyMap<string, number>
  /** By name, code and external id; null where several sites share the text. */
  sites: ReadonlyMap<string, number | null>
  /** The same names as people write them. */
  names: Record<'area' | 'level' | 'site', readonly string[]>
  /** The importing person's level: nobody makes an account above her own. */
  ownLevel: number
}

/** What stands for "nothing" in public data sets, besides an empty cell. */
const isEmpty = (text: string): boolean => /^(|not available|n\/a|null|-999(\.0+)?)$/i.test(text)

const roles: Record<string, number> = {
  admin: Level.Admin,
  administrator: Level.Admin,
  director: Level.Director,
  programdirector: Level.Director,
  coord: Level.Coord,
  coordinator: Level.Coord,
  clinicalcoordinator: Level.Coord,
  faculty: Level.Faculty,
  clinicalinstructor: Level.Faculty,
  ccunderhood: Level.CCUnderHood,
  supervisor: Level.Supervisor,
  preceptor: Level.Supervisor,
  siteemployee: Level.SiteEmployee,
  genericemployee: Level.GenericEmployee,
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u2028\u2029]/

const roleNames: readonly [string, number][] = [
  ['Admin', Level.Admin],
  ['Director', Level.Director],
  ['Coordinator', Level.Coord],
  ['Faculty', Level.Faculty],
  ['Supervisor', Level.Supervisor],
  ['Site employee', Level.SiteEmployee],
  ['Generic employee', Level.GenericEmployee],
]

/** A program may have more sites than anybody looks through. */
const mostSites = 500

/** The fixed set of a field; empty where it has none. */
export const choicesOf = (
  field: ImportField,
  known: Pick<Known, 'names' | 'ownLevel'>,
): readonly string[] => {
  switch (field.value) {
    case 'open':
      return ['Open', 'Closed']
    case 'area':
    case 'level':
      return known.names[field.value]
    case 'site':
      return known.names.site.length > mostSites ? [] : known.names.site
    case 'role':
      return roleNames.filter(([, level]) => level <= known.ownLevel).map(([name]) => name)
    case 'verificationType':
      return ['Background check', 'Immunization']
    case 'verificationStatus':
      return verificationStatuses
    default:
      return []
  }
}

/** A problem reads behind the field's name and before the text; a sentence is whole by itself. */
type Read = { value: Value } | { problem: string } | { sentence: string } | undefined

const mostOffered = 8

/** '"1st year" is not a student level. Use Level 1, Level 2 or Graduating.' */
const notAmong = (text: string, what: string, choices: readonly string[]): { sentence: string } => {
  const offered = choices.slice(0, mostOffered)
  const use =
    offered.length === 0
      ? ''
      : choices.length > mostOffered
        ? ` Use ${offered.join(', ')} or another one of the program.`
        : ` Use ${offered.length > 1 ? `${offered.slice(0, -1).join(', ')} or ` : ''}${offered.at(-1)}.`
  return { sentence: `“${shorten(text)}” is not ${what}.${use}` }
}

const readNumber = (text: string): number =>
  /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?([eE][+-]?\d{1,2})?$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : Number.NaN

const readers: Record<ImportField['value'], (text: string, field: ImportField, known: Known) => Read> = {
  text: (value) => ({ value }),
  name: (text) => {
    const value = stripMarkup(text)
    return value ? { value } : { problem: 'has no text besides markup' }
  },
  email: (value) =>
    /^[^\s@<>"(),:;\\]+@[^\s@.,]+(\.[^\s@.,]+)+$/.test(value)
      ? { value }
      : { problem: 'is not an email address' },
  userName: (value) =>
    /^[A-Za-z0-9]+$/.test(value) ? { value } : { problem: 'can have letters and digits only' },
  whole: (text, { most, name }) => {
    const value = readNumber(text)
    if (!Number.isInteger(value)) return { problem: 'is not a whole number' }
    const least = name === 'Precision' ? 10 : 0
    return value >= least && value <= most
      ? { value }
      : { problem: `must lie between ${least} and ${most.toLocaleString('en-US')}` }
  },
  latitude: (text) => coordinate(text, 90),
  longitude: (text) => coordinate(text, 180),
  open: (text, field, known) => {
    if (/^(open|active|yes|y|true|1)$/i.test(text)) return { value: true }
    if (/^(closed|inactive|no|n|false|0)$/i.test(text)) return { value: false }
    return notAmong(text, 'a status', choicesOf(field, known))
  },
  level: (text, field, known) => named(known.levels, text, 'a student level', choicesOf(field, known)),
  area: (text, field, known) => named(known.areas, text, 'an area', choicesOf(field, known)),
  site: (text, _field, { sites }) =>
    sites.get(text.toLowerCase()) === null
      ? { problem: 'names several sites of this program; write the code' }
      : named(sites, text, 'a site of this program', []),
  role: (text, field, known) => {
    const level = roles[text.toLowerCase().replace(/[^a-z]/g, '')]
    if (level === undefined) return notAmong(text, 'a role', choicesOf(field, known))
    return level <= known.ownLevel ? { value: level } : { problem: 'is a role above your own' }
  },
  verificationStatus: (text, field, known) =>
    statusOf(text) === undefined
      ? notAmong(text, 'a known status', choicesOf(field, known))
      : { value: text },
  date: (text) => {
    const value = readDate(text)
    return value === undefined ? { problem: 'is not a date such as 11/19/2026' } : { value }
  },
  verificationType: (text, field, known) => {
    const plain = text.toLowerCase().replace(/[^a-z0-9]/g, '')
    if (/^(1|background|backgroundcheck|backgroundchecks|criminalbackgroundcheck)$/.test(plain))
      return { value: 1 }
    if (/^(2|immunization|immunizations|immunisation|immunisations|vaccination|health)$/.test(plain))
      return { value: 2 }
    return notAmong(text, 'a type', choicesOf(field, known))
  },
  zone: (value) =>
    isTimeZone(value) ? { value } : { problem: 'is not a time zone such as America/New_York' },
}

/** mm/dd/yyyy, mm/dd/yy of this century, or YYYY-MM-DD with any time behind it. */
const readDate = (text: string): string | undefined => {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/.exec(text)
  const [, month = '', day = '', year = ''] = american ?? []
  const written = american
    ? `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    : text.replace(/[T ]\d{2}:\d{2}.*$/, '')
  return DateOnly.safeParse(written).data
}

const coordinate = (text: string, most: number): Read => {
  const value = readNumber(text)
  if (!Number.isFinite(value)) return { problem: 'is not a number' }
  return Math.abs(value) <= most
    ? { value }
    : { problem: `lies off the globe: it must be between -${most} and ${most}` }
}

const named = (
  names: ReadonlyMap<string, number | null>,
  text: string,
  what: string,
  choices: readonly string[],
): Read => {
  const value = names.get(text.toLowerCase()) ?? undefined
  return value === undefined ? notAmong(text, what, choices) : { value }
}

/** What spreadsheets show where a formula fails. */
const failedFormula = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/i

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)

/** Reads a cell as its field. A formula stays the text it is; the apostrophe that our own files put before it goes. */
const readCell = (raw: string, field: ImportField, known: Known): Read => {
  const text = raw
    .normalize('NFC')
    .trim()
    .replace(/^'(?=[=+\-@])/, '')
  if (isEmpty(text)) return undefined
  if (failedFormula.test(text)) return { problem: `is a formula that failed: ${text}` }
  if (control.test(text)) return { problem: 'holds control characters' }
  if (field.name !== 'Notes' && /[\r\n\t]/.test(text)) return { problem: 'must be one line' }
  const isText = ['text', 'name', 'email', 'userName', 'site'].includes(field.value)
  if (text.length > (isText ? field.most : 100))
    return {
      problem: `has ${text.length.toLocaleString('en-US')} characters; at most ${(isText ? field.most : 100).toLocaleString('en-US')} fit`,
    }
  const read = readers[field.value](text, field, known)
  return read && 'problem' in read ? { problem: `${read.problem}: ${shorten(text)}` } : read
}

/** What is wrong with the mapping itself, told at the header: a field without its column, a column that occurs twice. */
export const mappingErrors = (
  kind: ImportKind,
  columns: readonly string[],
  mapping: ColumnMapping,
): ImportError[] => {
  const errors: ImportError[] = []
  const fields = importFields[kind]
  const at = (Column: string, Message: string) => errors.push({ Row: 1, Column, Message })
  const labelOf = (field: string) => fields.find(({ name }) => name === field)?.label ?? shorten(field)
  const taken = new Map<string, string>()
  for (const [field, column] of Object.entries(mapping)) {
    if (!fields.some(({ name }) => name === field)) at(field, `${shorten(field)} is not a field of ${kind}.`)
    const count = columns.filter((each) => each.toLowerCase() === column.toLowerCase()).length
    if (!columns.includes(column)) at(column, `The file has no column ${shorten(column)}.`)
    else if (count > 1)
      at(column, `The file has ${count} columns named ${shorten(column)}. Rename all but one.`)
    const other = taken.get(column)
    if (other)
      at(
        column,
        `The column ${shorten(column)} is matched to ${labelOf(other)} and to ${labelOf(field)}. Choose one.`,
      )
    taken.set(column, field)
  }
  for (const { name, label, isRequired } of fields)
    if (isRequired && !mapping[name]) at(label, `No column is matched to ${label}, which is required.`)
  return errors
}

/** A value of the file that a column with a fixed set of values does not know by itself. */
export interface OtherValue {
  Field: string
  Text: string
  Rows: number
  To: string | null
}

const mostValues = 200

/** Reads the rows of a table by a mapping that has no errors. Every cell that does not fit is told by row and column. */
export const readRows = (
  kind: ImportKind,
  table: Table,
  mapping: ColumnMapping,
  known: Known,
  matched: ValueMapping = {},
): { rows: ReadRow[]; errors: ImportError[]; values: OtherValue[] } => {
  const errors: ImportError[] = []
  const others = new Map<string, OtherValue>()
  const used = importFields[kind]
    .filter(({ name }) => mapping[name] !== undefined)
    .map((field) => ({
      field,
      index: table.columns.indexOf(mapping[field.name]!),
      ours: hasChoices(field)
        ? new Map(Object.entries(matched[field.name] ?? {}).map(([theirs, to]) => [valueKey(theirs), to]))
        : undefined,
    }))
  const rows = table.rows.map(({ line, cells }) => {
    const values: Record<string, Value> = {}
    const unread: string[] = []
    let isPlaceTold = false
    for (const { field, index, ours } of used) {
      const column = table.columns[index]!
      const tell = (Message: string) => errors.push({ Row: line, Column: column, Message })
      const raw = cells[index] ?? ''
      let read = readCell(raw, field, known)
      if (ours) {
        const key = valueKey(raw)
        let to = ours.get(key) ?? null
        if (to !== null) {
          const meant = readCell(to, field, known)
          // What it was matched to may be gone by now.
          if (meant && !('value' in meant)) to = null
          else read = meant
        }
        if (to !== null || (read && !('value' in read))) {
          const other = others.get(`${field.name} ${key}`)
          if (other) other.Rows++
          else if (others.size < mostValues)
            others.set(`${field.name} ${key}`, {
              Field: field.name,
              Text: raw.trim().slice(0, 255),
              Rows: 1,
              To: to,
            })
        }
      }
      if (read === undefined) {
        if (field.isRequired) tell(`${field.label} is required and empty.`)
      } else if ('value' in read) values[field.name] = read.value
      else {
        unread.push(field.name)
        tell('sentence' in read ? read.sentence : `${field.label} ${read.problem}.`)
        isPlaceTold ||= field.name === 'Latitude' || field.name === 'Longitude'
      }
    }
    const hasLatitude = values.Latitude !== undefined
    if (hasLatitude !== (values.Longitude !== undefined) && !isPlaceTold) {
      const [given, missing] = hasLatitude ? ['Latitude', 'Longitude'] : ['Longitude', 'Latitude']
      errors.push({
        Row: line,
        Column: mapping[missing!] ?? mapping[given!]!,
        Message: `${missing} is empty while ${given} is given.`,
      })
    }
    return { line, values, unread }
  })
  return { rows, errors, values: [...others.values()] }
}

/** A file's value as it is compared. */
const valueKey = (text: string): string => text.normalize('NFC').trim().toLowerCase()

/** Rows whose key is in an earlier row, told with that row. `keyOf` answers undefined for a row without a key. */
export const doubledKeys = (
  rows: readonly ReadRow[],
  column: string,
  keyOf: (row: ReadRow) => string | undefined,
  what: string,
): ImportError[] => {
  const first = new Map<string, number>()
  const errors: ImportError[] = []
  for (const row of rows) {
    const key = keyOf(row)
    if (key === undefined) continue
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, row.line)
    else
      errors.push({ Row: row.line, Column: column, Message: `Duplicate ${what} (also in row ${earlier}).` })
  }
  return errors
}
