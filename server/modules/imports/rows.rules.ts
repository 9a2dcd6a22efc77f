import { DateOnly } from '#contract/fields.ts'
import type { ImportError } from '#contract/imports.ts'
import {
  type ColumnMapping,
  type ImportField,
  type ImportKind,
  importFields,
} from '#contract/imports-rules.ts'
import { Level } from '#contract/levels.ts'
import { isTimeZone, stripMarkup } from '#contract/sites-rules.ts'
import type { Table } from './parse.rules.ts'

/** A value of our own: text, a number, yes or no; absent where the cell is empty. */
export type Value = string | number | boolean
export interface ReadRow {
  line: number
  values: Record<string, Value>
}

/** The names that cells may refer to, by their text in lower case. */
export interface Known {
  areas: ReadonlyMap<string, number>
  levels: ReadonlyMap<string, number>
  /** By name, code and external id; null where several sites share the text. */
  sites: ReadonlyMap<string, number | null>
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

type Read = { value: Value } | { problem: string } | undefined

const readNumber = (text: string): number =>
  /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?([eE][+-]?\d{1,2})?$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : Number.NaN

const readers: Record<ImportField['value'], (text: string, field: ImportField, known: Known) => Read> = {
  text: (value) => ({ value }),
  name: (text) => {
    const value = stripMarkup(text)
    return value ? { value } : { problem: 'is nothing but markup' }
  },
  email: (value) =>
    /^[^\s@<>"(),:;\\]+@[^\s@.,]+(\.[^\s@.,]+)+$/.test(value)
      ? { value }
      : { problem: 'is not an e-mail address' },
  userName: (value) =>
    /^[A-Za-z0-9]+$/.test(value) ? { value } : { problem: 'may have letters and digits only' },
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
  open: (text) => {
    if (/^(open|active|yes|y|true|1)$/i.test(text)) return { value: true }
    if (/^(closed|inactive|no|n|false|0)$/i.test(text)) return { value: false }
    return { problem: 'must be OPEN or CLOSED' }
  },
  level: (text, _field, { levels }) => named(levels, text, 'student level'),
  area: (text, _field, { areas }) => named(areas, text, 'area'),
  site: (text, _field, { sites }) =>
    sites.get(text.toLowerCase()) === null
      ? { problem: 'names several sites of this program; write the code' }
      : named(sites, text, 'site'),
  role: (text, _field, { ownLevel }) => {
    const level = roles[text.toLowerCase().replace(/[^a-z]/g, '')]
    if (level === undefined)
      return {
        problem:
          'is no role: use Admin, Director, Coordinator, Faculty, Supervisor, Site employee or Generic employee',
      }
    return level <= ownLevel ? { value: level } : { problem: 'is a role above your own' }
  },
  date: (text) => {
    const value = readDate(text)
    return value === undefined ? { problem: 'is no date such as 11/19/2026' } : { value }
  },
  verificationType: (text) => {
    const plain = text.toLowerCase().replace(/[^a-z0-9]/g, '')
    if (/^(1|background|backgroundcheck|backgroundchecks|criminalbackgroundcheck)$/.test(plain))
      return { value: 1 }
    if (/^(2|immunization|immunizations|immunisation|immunisations|vaccination|health)$/.test(plain))
      return { value: 2 }
    return { problem: 'must be Background check or Immunization' }
  },
  zone: (value) => (isTimeZone(value) ? { value } : { problem: 'is no time zone such as America/New_York' }),
}

/** mm/dd/yyyy, mm/dd/yy of this century, or YYYY-MM-DD with any time behind it (product 2 #7). */
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

const named = (names: ReadonlyMap<string, number | null>, text: string, what: string): Read => {
  const value = names.get(text.toLowerCase()) ?? undefined
  return value === undefined ? { problem: `names no ${what} of this program` } : { value }
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)

/** Reads a cell as its field. A formula stays the text it is; the apostrophe that our own files put before it goes. */
const readCell = (raw: string, field: ImportField, known: Known): Read => {
  const text = raw
    .normalize('NFC')
    .trim()
    .replace(/^'(?=[=+\-@])/, '')
  if (isEmpty(text)) return undefined
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

/** What is wrong with the mapping itself, told at the header: a field without its column, a column that stands twice. */
export const mappingErrors = (
  kind: ImportKind,
  columns: readonly string[],
  mapping: ColumnMapping,
): ImportError[] => {
  const errors: ImportError[] = []
  const fields = importFields[kind]
  const at = (Column: string, Message: string) => errors.push({ Row: 1, Column, Message })
  const taken = new Map<string, string>()
  for (const [field, column] of Object.entries(mapping)) {
    if (!fields.some(({ name }) => name === field)) at(field, `${shorten(field)} is no field of ${kind}.`)
    const count = columns.filter((each) => each.toLowerCase() === column.toLowerCase()).length
    if (!columns.includes(column)) at(column, `The file has no column ${shorten(column)}.`)
    else if (count > 1) at(column, `The column ${shorten(column)} stands ${count} times. Rename all but one.`)
    const other = taken.get(column)
    if (other) at(column, `The column ${shorten(column)} is matched to ${other} and to ${field}. Choose one.`)
    taken.set(column, field)
  }
  for (const { name, isRequired } of fields)
    if (isRequired && !mapping[name]) at(name, `No column is matched to ${name}, which is required.`)
  return errors
}

/** Reads the rows of a table by a mapping that has no errors. Every cell that does not fit is told by row and column. */
export const readRows = (
  kind: ImportKind,
  table: Table,
  mapping: ColumnMapping,
  known: Known,
): { rows: ReadRow[]; errors: ImportError[] } => {
  const errors: ImportError[] = []
  const used = importFields[kind]
    .filter(({ name }) => mapping[name] !== undefined)
    .map((field) => ({ field, index: table.columns.indexOf(mapping[field.name]!) }))
  const rows = table.rows.map(({ line, cells }) => {
    const values: Record<string, Value> = {}
    let isPlaceTold = false
    for (const { field, index } of used) {
      const column = table.columns[index]!
      const tell = (Message: string) => errors.push({ Row: line, Column: column, Message })
      const read = readCell(cells[index] ?? '', field, known)
      if (read === undefined) {
        if (field.isRequired) tell(`${field.name} is required and empty.`)
      } else if ('problem' in read) {
        tell(`${field.name} ${read.problem}.`)
        isPlaceTold ||= field.name === 'Latitude' || field.name === 'Longitude'
      } else values[field.name] = read.value
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
    return { line, values }
  })
  return { rows, errors }
}

/** Rows whose key stands in an earlier row, told with that row. `keyOf` answers undefined for a row without a key. */
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
    else errors.push({ Row: row.line, Column: column, Message: `${what} stands in row ${earlier} already.` })
  }
  return errors
}
