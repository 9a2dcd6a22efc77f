import type { ImportError } from '#contract/imports.ts'
import type { ColumnMapping } from '#contract/imports-rules.ts'
import { Level } from '#contract/levels.ts'
import { observesDaylightSaving } from '#contract/sites-rules.ts'
import { freeUserName, userNameStem } from '#server/core/user-names.ts'
import { doubledKeys, type ReadRow, type Value } from './rows.rules.ts'

/** A row of the database by column name. */
export type Entity = Record<string, Value | null>
export interface Existing extends Entity {
  id: number
}
export interface Change {
  id: number
  before: Entity
  after: Entity
  /** The whole row as it will be, in the columns that an import writes. */
  row: Entity
}
/** What an import would do. */
export interface Plan {
  added: Entity[]
  changed: Change[]
  unchanged: number
  errors: ImportError[]
}

/** Our field → its column in the database. */
export const siteColumns: Record<string, string> = {
  Name: 'name',
  ExternalLocationId: 'external_location_id',
  Code: 'code',
  ContractName: 'contract_name',
  Area: 'area_id',
  Type: 'type',
  Address: 'address',
  City: 'city',
  State: 'state',
  Zip: 'zip',
  Phone: 'phone',
  County: 'county',
  Website: 'website',
  Beds: 'beds',
  Capacity: 'capacity',
  Latitude: 'latitude',
  Longitude: 'longitude',
  Precision: 'precision_m',
  TimeZone: 'time_zone',
  Status: 'is_active',
  Notes: 'notes',
}
export const accountColumns: Record<string, string> = {
  FirstName: 'first_name',
  LastName: 'last_name',
  MiddleName: 'middle_name',
  Suffix: 'suffix',
  EmailAddress: 'email',
  UserName: 'user_name',
  PhoneNumber: 'phone',
  ZipCode: 'zip',
  Institution: 'institution',
  Area: 'area_id',
  StudentNumber: 'student_number',
  StudentLevel: 'student_level_id',
  Cohort: 'cohort',
  Role: 'access_level',
}
export const collegeColumns: Record<string, string> = {
  Name: 'name',
  IpedsId: 'ipeds_id',
  Address: 'address',
  City: 'city',
  State: 'state',
  Zip: 'zip',
  Phone: 'phone',
  Website: 'website',
  Latitude: 'latitude',
  Longitude: 'longitude',
}

const toEntity = ({ values }: ReadRow, columns: Record<string, string>): Entity =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [columns[field]!, value]))

/** An empty cell changes nothing; what differs is a change with its old value. */
export const changeOf = (existing: Existing, given: Entity): Change | undefined => {
  const names = Object.keys(given).filter((name) => existing[name] !== given[name])
  if (names.length === 0) return undefined
  const pick = (from: Entity): Entity => Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
  const { id, ...row } = existing
  return { id, before: pick(existing), after: pick(given), row: { ...row, ...given } }
}

/** Keys of places as people call them. */
const importLabel = (field: string): string => (field === 'IpedsId' ? 'IPEDS ID' : 'External ID')

const lower = (value: unknown): string => String(value ?? '').toLowerCase()

const indexBy = <T>(rows: readonly T[], keyOf: (row: T) => string | undefined): Map<string, T[]> => {
  const index = new Map<string, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key === undefined) continue
    const same = index.get(key)
    if (same) same.push(row)
    else index.set(key, [row])
  }
  return index
}

/**
 * Things with a place and a key of their own: sites by ExternalLocationId, colleges by IPEDS id; where the file gives none,
 * by name, city and state. Two rows may not mean the same thing.
 */
const planPlaces = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  {
    columns,
    keyField,
    what,
    complete,
  }: {
    columns: Record<string, string>
    keyField: string
    what: string
    complete: (given: Entity, before: Existing | undefined) => Entity
  },
): Plan => {
  const keyColumn = columns[keyField]!
  const keyOf = (row: ReadRow) =>
    row.values[keyField] === undefined ? undefined : String(row.values[keyField])
  const nameOf = (from: Record<string, unknown>, name: string, city: string, state: string) =>
    [from[name], from[city], from[state]].map(lower).join('\u0000')
  const nameColumn = mapping.Name ?? 'Name'
  const errors = [
    ...doubledKeys(rows, mapping[keyField] ?? keyField, keyOf, importLabel(keyField)),
    ...doubledKeys(
      rows,
      nameColumn,
      (row) => (keyOf(row) === undefined ? nameOf(row.values, 'Name', 'City', 'State') : undefined),
      `${what} name, city and state`,
    ),
  ]
  const byKey = indexBy(existing, (row) => (row[keyColumn] === null ? undefined : String(row[keyColumn])))
  const byName = indexBy(existing, (row) => nameOf(row, 'name', 'city', 'state'))
  const plan: Plan = { added: [], changed: [], unchanged: 0, errors }
  const met = new Map<number, number>()
  for (const row of rows) {
    const key = keyOf(row)
    const found =
      key === undefined
        ? (byName.get(nameOf(row.values, 'Name', 'City', 'State')) ?? [])
        : (byKey.get(key) ?? [])
    const tell = (Message: string) => errors.push({ Row: row.line, Column: nameColumn, Message })
    if (found.length > 1) {
      tell(
        `${found.length} ${what}s have this name, city and state. Add the column ${importLabel(keyField)} to tell them apart.`,
      )
      continue
    }
    const [before] = found
    if (before) {
      const earlier = met.get(before.id)
      if (earlier !== undefined) tell(`This is the same ${what} as in row ${earlier}.`)
      met.set(before.id, row.line)
    }
    const given = complete(toEntity(row, columns), before)
    if (!before) {
      plan.added.push(given)
      continue
    }
    const change = changeOf(before, given)
    if (change) plan.changed.push(change)
    else plan.unchanged++
  }
  return plan
}

/** `zoneAt` looks up the zone of a place; `programZone` is for sites without one. */
export const planSites = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  {
    zoneAt,
    programZone,
    year,
  }: { zoneAt: (lat: number, lng: number) => string; programZone: string; year: number },
): Plan => {
  const daylight = new Map<string, boolean>()
  const isDst = (zone: string): boolean => {
    if (!daylight.has(zone)) daylight.set(zone, observesDaylightSaving(zone, year))
    return daylight.get(zone)!
  }
  const complete = (given: Entity, before: Existing | undefined): Entity => {
    const { latitude, longitude } = given
    const hasPlace = typeof latitude === 'number' && typeof longitude === 'number'
    let zone = given.time_zone as string | undefined
    if (!zone && hasPlace) {
      const isMoved = !before || before.latitude !== latitude || before.longitude !== longitude
      // A zone that somebody set by hand stays; one that came from the old place follows to the new one.
      const isDerived =
        !before ||
        before.latitude === null ||
        before.time_zone === zoneAt(before.latitude as number, before.longitude as number)
      if (isMoved && isDerived) zone = zoneAt(latitude, longitude)
    }
    zone ??= before ? undefined : programZone
    return zone ? { ...given, time_zone: zone, is_dst: isDst(zone) } : given
  }
  return planPlaces(rows, existing, mapping, {
    columns: siteColumns,
    keyField: 'ExternalLocationId',
    what: 'site',
    complete,
  })
}

export const planColleges = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
): Plan =>
  planPlaces(rows, existing, mapping, {
    columns: collegeColumns,
    keyField: 'IpedsId',
    what: 'college',
    complete: (given) => given,
  })

/** What the installation says about user names: those of `wanted` and of the stems that are taken, in lower case. */
export interface NameQuestion {
  wanted: string[]
  stems: string[]
}
export const namesToAsk = (rows: readonly ReadRow[]): NameQuestion => {
  const wanted = new Set<string>()
  const stems = new Set<string>()
  for (const { values } of rows) {
    if (values.UserName) wanted.add(lower(values.UserName))
    else stems.add(userNameStem(String(values.FirstName ?? ''), String(values.LastName ?? '')))
  }
  return { wanted: [...wanted], stems: [...stems] }
}

/**
 * Students are known by their number, then by user name, then by address; staff by user name or address. User names are
 * given or made from the name, and never change. `taken` are the answers to `namesToAsk`.
 */
export const planPeople = (
  kind: 'students' | 'staff',
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  { taken, ownLevel }: { taken: readonly string[]; ownLevel: number },
): Plan => {
  const textOf = (row: ReadRow, field: string) =>
    row.values[field] === undefined ? undefined : lower(row.values[field])
  const columnOf = (field: string) => mapping[field] ?? field
  const errors = [
    ...doubledKeys(rows, columnOf('StudentNumber'), (row) => textOf(row, 'StudentNumber'), 'student ID'),
    ...doubledKeys(rows, columnOf('UserName'), (row) => textOf(row, 'UserName'), 'user name'),
    ...doubledKeys(
      rows,
      columnOf('EmailAddress'),
      (row) =>
        row.values.StudentNumber === undefined && row.values.UserName === undefined
          ? textOf(row, 'EmailAddress')
          : undefined,
      'email',
    ),
  ]
  const byNumber = indexBy(existing, ({ student_number: number }) => (number ? lower(number) : undefined))
  const byUserName = indexBy(existing, ({ user_name: name }) => lower(name))
  const byEmail = indexBy(existing, ({ email }) => (email ? lower(email) : undefined))
  const takenNames = new Set([...taken, ...rows.flatMap((row) => textOf(row, 'UserName') ?? [])])
  const takenElsewhere = new Set(taken)
  const counters = new Map<string, number>()
  const met = new Map<number, number>()
  const plan: Plan = { added: [], changed: [], unchanged: 0, errors }

  for (const row of rows) {
    const tell = (field: string, Message: string) =>
      errors.push({ Row: row.line, Column: columnOf(field), Message })
    const number = textOf(row, 'StudentNumber')
    const userName = textOf(row, 'UserName')
    const email = textOf(row, 'EmailAddress')
    let found = number === undefined ? [] : (byNumber.get(number) ?? [])
    if (found.length === 0 && userName !== undefined) found = byUserName.get(userName) ?? []
    if (found.length === 0 && userName === undefined && email !== undefined)
      found = (byEmail.get(email) ?? []).filter(
        ({ student_number }) => number === undefined || !student_number,
      )
    if (found.length > 1) {
      tell(
        'EmailAddress',
        `${found.length} people have this email. Add the column User name to tell them apart.`,
      )
      continue
    }
    const given = toEntity(row, accountColumns)
    const [before] = found
    if (!before) {
      if (userName !== undefined && takenElsewhere.has(userName)) {
        tell('UserName', `The user name ${row.values.UserName} is taken. Choose another one.`)
        continue
      }
      const stem = userNameStem(String(given.first_name ?? ''), String(given.last_name ?? ''))
      plan.added.push({
        ...given,
        user_name: given.user_name ?? freeUserName(stem, takenNames, counters),
        access_level: kind === 'students' ? Level.Student : (given.access_level ?? Level.GenericEmployee),
        is_email_confirmed: false,
      })
      continue
    }
    const earlier = met.get(before.id)
    if (earlier !== undefined) {
      tell('EmailAddress', `This is the same person as in row ${earlier}.`)
      continue
    }
    met.set(before.id, row.line)
    const isStudent = before.access_level === Level.Student
    if (isStudent !== (kind === 'students')) {
      tell(
        'UserName',
        `${before.user_name} is ${isStudent ? 'a student' : 'no student'} and cannot be imported as ${kind}.`,
      )
      continue
    }
    if ((before.access_level as number) > ownLevel) {
      tell('Role', `${before.user_name} has a role above your own.`)
      continue
    }
    if (userName !== undefined && lower(before.user_name) !== userName) {
      tell('UserName', `The user name of this person is ${before.user_name}; user names never change.`)
      continue
    }
    delete given.user_name
    if (given.email !== undefined) {
      // The same address written in another case is the same address.
      if (lower(given.email) === lower(before.email)) delete given.email
      else given.is_email_confirmed = false
    }
    const change = changeOf(before, given)
    if (change) plan.changed.push(change)
    else plan.unchanged++
  }
  return plan
}
