import type { ImportError } from '#contract/imports/imports.ts'

/** A value of our own: text, a number, yes or no; absent where the cell is empty. */
export type Value = string | number | boolean

/** A row of the file as it was read, by the names of the fields. */
export interface ReadRow {
  line: number
  values: Record<string, Value>
  /** Fields whose cell was reported as wrong. */
  unread?: readonly string[]
}

/** A row of the database by column name. */
export type Entity = Record<string, Value | null>
export interface Existing extends Entity {
  id: number
}
/** What a row of the file changes, and nothing else of the record: both have the columns that differ. */
export interface Change {
  id: number
  /** The row of the file. */
  line: number
  /** Whose record it is, as it is called now; '' for what has no name of its own. */
  name: string
  /** What the columns held when the import was planned; it writes only where they still do. */
  before: Entity
  after: Entity
}

/** What an import would do. */
export interface Plan {
  added: Entity[]
  changed: Change[]
  unchanged: number
  errors: ImportError[]
  /** What may be wrong and keeps nothing out. */
  warnings: ImportError[]
}

export const emptyPlan = (errors: ImportError[] = []): Plan => ({
  added: [],
  changed: [],
  unchanged: 0,
  errors,
  warnings: [],
})

/** What a record is called: "Last, First (email or student number)" of a person, as two may have one name; else its name. */
export const recordName = ({ last_name, first_name, email, student_number, name }: Entity): string => {
  if (typeof last_name !== 'string') return typeof name === 'string' ? name : ''
  const told = [last_name, first_name].filter(Boolean).join(', ')
  return email || student_number ? `${told} (${email || student_number})` : told
}

/** An empty cell changes nothing; what differs is a change with its old value, and `together` go with it though they are equal. */
export const changeOf = (
  existing: Existing,
  given: Entity,
  line: number,
  together: readonly string[] = [],
): Change | undefined => {
  const differing = Object.keys(given).filter((name) => existing[name] !== given[name])
  if (differing.length === 0) return undefined
  const names = [...new Set([...differing, ...together])]
  const pick = (from: Entity): Entity => Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
  return { id: existing.id, line, name: recordName(existing), before: pick(existing), after: pick(given) }
}

/** Adds what a row changes to the plan, or counts it as unchanged. */
export const planChange = (
  plan: Plan,
  ...[existing, given, line, together]: Parameters<typeof changeOf>
): void => {
  const change = changeOf(existing, given, line, together)
  if (change) plan.changed.push(change)
  else plan.unchanged++
}

/** Rows whose key is in an earlier row, told with that row. `keyOf` answers undefined for a row without a key. */
export const duplicateKeys = (
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

/** Text as keys compare it. */
export const lower = (value: unknown): string => String(value ?? '').toLowerCase()

/** The rows of each key, where a row may have none, one or several; an empty key is none. */
export const indexBy = <T>(
  rows: readonly T[],
  keysOf: (row: T) => string | undefined | readonly string[],
): ReadonlyMap<string, T[]> => {
  const index = new Map<string, T[]>()
  for (const row of rows) {
    const keys = keysOf(row) ?? []
    for (const key of new Set(typeof keys === 'string' ? [keys] : keys)) {
      if (key === '') continue
      const same = index.get(key)
      if (same) same.push(row)
      else index.set(key, [row])
    }
  }
  return index
}
