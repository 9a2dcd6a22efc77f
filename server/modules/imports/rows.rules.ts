import { isBlank } from '#contract/core/blank.ts'
import { DateOnly } from '#contract/core/fields.ts'
import type { Importable, ImportField } from '#contract/core/import-fields.ts'
import { problems } from '#contract/core/problems.ts'
import { fromText } from '#contract/core/spreadsheet-text.ts'
import { fitsForm } from '#contract/core/writing.ts'
import type { ImportError } from '#contract/imports/imports.ts'
import { type ColumnMapping, hasChoices, type ValueMapping } from '#contract/imports/imports-rules.ts'
import { isTimeZone, stripMarkup } from '#contract/sites/sites-rules.ts'
import { type FieldChoices, type Read, shorten } from '#server/core/imports/choices.ts'
import type { ReadRow, Value } from '#server/core/imports/plan.ts'
import type { Table } from './parse.rules.ts'

/** What stands for "nothing" in public data sets, besides an empty cell. */
const isEmpty = (text: string): boolean =>
  isBlank(text) || /^(not available|n\/a|null|-999(\.0+)?)$/i.test(text)

/** What people write where they have no phone number. */
const isNone = (text: string): boolean => /^(none|unknown|[–-]+)$/i.test(text)

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u2028\u2029]/

/** The choices of each field that is one. */
export type ChoicesByField = Readonly<Record<string, FieldChoices>>

const readNumber = (text: string): number =>
  /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?([eE][+-]?\d{1,2})?$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : Number.NaN

/** A ZIP code. Spreadsheets take its first zero for nothing. */
const postalCode = (text: string): Read =>
  /^\d{4}(-?\d{4})?$/.test(text)
    ? { value: `0${text}`, note: `${text} is read as 0${text}: ZIP codes have five digits.` }
    : { value: text }

const readers: Record<Exclude<ImportField['value'], 'choice'>, (text: string, field: ImportField) => Read> = {
  text: (value, { writing }) => (writing === 'postalCode' ? postalCode(value) : { value }),
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
  whole: (text, { max, min = 0 }) => {
    const value = readNumber(text)
    if (!Number.isInteger(value)) return { problem: 'is not a whole number' }
    return value >= min && value <= max
      ? { value }
      : { problem: `must lie between ${min} and ${max.toLocaleString('en-US')}` }
  },
  latitude: (text) => coordinate(text, 90),
  longitude: (text) => coordinate(text, 180),
  date: (text) => {
    const value = readDate(text)
    return value === undefined ? { problem: 'is not a date such as 11/19/2026' } : { value }
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

const coordinate = (text: string, max: number): Read => {
  const value = readNumber(text)
  if (!Number.isFinite(value)) return { problem: 'is not a number' }
  return Math.abs(value) <= max
    ? { value }
    : { problem: `lies off the globe: it must be between -${max} and ${max}` }
}

/** What spreadsheets show where a formula fails. */
const failedFormula = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/i

const isNumber = ({ value }: ImportField): boolean =>
  value === 'whole' || value === 'latitude' || value === 'longitude'

const readChoice = (text: string, { name }: ImportField, choices: ChoicesByField): Read => {
  const own = choices[name]
  if (!own) throw new Error(`The definition of the import names no choices for ${name}.`)
  return own.read(text)
}

/** Reads a cell as its field. A formula stays the text it is; the apostrophes that our own files put before one go. */
const readCell = (raw: string, field: ImportField, choices: ChoicesByField): Read | undefined => {
  const text = fromText(raw.normalize('NFC').trim())
  if (isEmpty(text) || (field.writing !== 'name' && field.writing && isNone(text))) return undefined
  if (failedFormula.test(text)) return { problem: `is a formula that failed: ${text}` }
  if (control.test(text)) return { problem: 'holds control characters' }
  if (!field.hasLines && /[\r\n\t]/.test(text)) return { problem: 'must be one line' }
  const max = isNumber(field) ? 100 : field.max
  if (text.length > max)
    return {
      problem: `has ${text.length.toLocaleString('en-US')} characters; at most ${max.toLocaleString('en-US')} fit`,
    }
  const read = field.value === 'choice' ? readChoice(text, field, choices) : readers[field.value](text, field)
  return 'problem' in read ? { problem: `${read.problem}: ${shorten(text)}` } : read
}

/** What is wrong with the mapping itself, reported at the header: a field without its column, a column that occurs twice. */
export const mappingErrors = (
  { key, fields }: Pick<Importable, 'key' | 'fields'>,
  columns: readonly string[],
  mapping: ColumnMapping,
): ImportError[] => {
  const errors: ImportError[] = []
  const at = (Column: string, Message: string) => errors.push({ Row: 1, Column, Message })
  const labelOf = (field: string) => fields.find(({ name }) => name === field)?.label ?? shorten(field)
  const taken = new Map<string, string>()
  for (const [field, column] of Object.entries(mapping)) {
    if (!fields.some(({ name }) => name === field)) at(field, `${shorten(field)} is not a field of ${key}.`)
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
  for (const { name, label, isRequired, unless } of fields)
    if (isRequired && !mapping[name] && !(unless && mapping[unless]))
      at(label, `No column is matched to ${label}, which is required.`)
  return errors
}

/** A value of the file that a column with a fixed set of values does not know by itself. */
export interface OtherValue {
  Field: string
  Text: string
  Rows: number
  To: string | null
}

/** A text that is not in the form of its field: an error unless it is what is there already. */
export interface Misfit {
  Field: string
  Value: Value
  error: ImportError
}

const maxValues = 200

/** Reads the rows of a table by a mapping that has no errors. Every cell that does not fit is reported by row and column. */
export const readRows = (
  fields: readonly ImportField[],
  table: Table,
  mapping: ColumnMapping,
  choices: ChoicesByField,
  matched: ValueMapping = {},
): {
  rows: ReadRow[]
  errors: ImportError[]
  warnings: ImportError[]
  values: OtherValue[]
  misfits: Misfit[]
} => {
  const misfits: Misfit[] = []
  const errors: ImportError[] = []
  const warnings: ImportError[] = []
  const others = new Map<string, OtherValue>()
  const used = fields
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
      let read = readCell(raw, field, choices)
      if (ours) {
        const key = valueKey(raw)
        let to = ours.get(key) ?? null
        if (to !== null) {
          const meant = readCell(to, field, choices)
          // What it was matched to may be gone by now.
          if (meant && !('value' in meant)) to = null
          else read = meant
        }
        if (to !== null || (read && !('value' in read))) {
          const other = others.get(`${field.name} ${key}`)
          if (other) other.Rows++
          else if (others.size < maxValues)
            others.set(`${field.name} ${key}`, {
              Field: field.name,
              Text: raw.trim().slice(0, 255),
              Rows: 1,
              To: to,
            })
        }
      }
      if (read === undefined) {
        if (field.isRequired && !(field.unless && field.unless in values))
          tell(`${field.label} is required and empty.`)
      } else if ('value' in read) {
        values[field.name] = read.value
        const problem =
          field.writing && !fitsForm(field.writing, String(read.value)) && problems[field.writing].en
        if (problem)
          misfits.push({
            Field: field.name,
            Value: read.value,
            error: {
              Row: line,
              Column: column,
              Message: `${field.label} ${problem}: ${shorten(String(read.value))}.`,
            },
          })
        if (read.note) warnings.push({ Row: line, Column: column, Message: read.note })
      } else {
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
        // One is missing while the other is given.
        Column: mapping[missing!] ?? mapping[given!]!,
        Message: `${missing} is empty while ${given} is given.`,
      })
    }
    return { line, values, unread }
  })
  return { rows, errors, warnings, values: [...others.values()], misfits }
}

/** A file's value as it is compared. */
const valueKey = (text: string): string => text.normalize('NFC').trim().toLowerCase()
