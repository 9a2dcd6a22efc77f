import { z } from 'zod'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { isObject } from '#contract/core/is-object.ts'
import { fail } from '#server/core/runtime/failure.ts'

type Fields = Record<string, unknown>
type Rows = readonly Fields[]

/** The rows of a list of this name in a body or an answer. */
export const rowsOf = (value: unknown, name: string): Rows | undefined => {
  const rows = isObject(value) ? value[name] : undefined
  return Array.isArray(rows) ? rows.filter(isObject) : undefined
}
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The row of a list by the fields that tell which is which; a new one, whose id is empty, is no other's. */
const keyOf = (row: Fields, fields: readonly string[]): string | undefined =>
  fields.length === 1 && row[fields[0]!] == null
    ? undefined
    : JSON.stringify(fields.map((field) => row[field] ?? null))

/** Which of these rows is the same as another one. */
export const findRow = (rows: Rows, wanted: Fields, key: readonly string[]): Fields | undefined => {
  const which = keyOf(wanted, key)
  return which === undefined ? undefined : rows.find((row) => keyOf(row, key) === which)
}

const shapeOf = (schema: unknown): Fields => {
  let at = schema
  while (at instanceof z.ZodDefault || at instanceof z.ZodOptional) at = at.unwrap()
  if (at instanceof z.ZodArray) return shapeOf(at.element)
  return at instanceof z.ZodObject ? at.shape : {}
}
/** The fields of the rows of a list that a dotted name leads to, with their schemas. */
export const shapeAt = (body: unknown, path: string): Fields =>
  path.split('.').reduce((shape, name) => shapeOf(shape[name]), shapeOf(body))

interface Sides {
  sent: Rows
  seen: Rows
  current: Rows
}

/**
 * What a list of rows says of those that are there: rows that the caller has not seen stay, and of a row what only others have changed or removed.
 * `conflict` is told of what both have changed, or one removed and the other changed.
 */
const mergedRows = (
  path: string,
  { sent, seen, current }: Sides,
  within: {
    declared: Readonly<Record<string, readonly string[]>>
    body: z.ZodType | undefined
    conflict: () => void
  },
): Fields[] => {
  const { declared, body, conflict } = within
  const key = declared[path]!
  const fields = Object.keys(shapeAt(body, path))
  const inner = Object.keys(declared)
    .filter((name) => name.startsWith(`${path}.`))
    .map((name) => name.slice(path.length + 1))
  const plain = (row: Fields) => Object.keys(row).filter((name) => !inner.includes(name))
  const listsOf = (...[row, old, there]: (Fields | undefined)[]): [string, Sides][] =>
    inner.map((list) => [
      list,
      { sent: rowsOf(row, list) ?? [], seen: rowsOf(old, list) ?? [], current: rowsOf(there, list) ?? [] },
    ])
  const own = (row: Fields) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)))
  const written = sent.flatMap((row) => {
    const [old, there] = [findRow(seen, row, key), findRow(current, row, key)]
    const merged = { ...row }
    for (const [list, sides] of listsOf(row, old, there))
      merged[list] = mergedRows(`${path}.${list}`, sides, within)
    if (!old) return [merged]
    if (!there) {
      const isTouched = plain(row).some((name) => !(name in old) || !isSame(row[name], old[name]))
      if (isTouched) conflict()
      return []
    }
    for (const name of plain(old)) {
      if (!(name in row) || isSame(there[name], old[name])) continue
      if (isSame(row[name], old[name])) merged[name] = there[name]
      else if (!isSame(row[name], there[name])) conflict()
    }
    return [merged]
  })
  for (const old of seen) {
    const there = findRow(current, old, key)
    if (!there || findRow(sent, old, key)) continue
    if (plain(old).some((name) => !isSame(old[name], there[name]))) conflict()
    // Rows that were in it when it was seen go with it; those that others have added or changed since are in the way.
    for (const [list, sides] of listsOf({}, old, there))
      if (mergedRows(`${path}.${list}`, sides, within).length > 0) conflict()
  }
  const unseen = current.filter((row) => !findRow(sent, row, key) && !findRow(seen, row, key))
  return [...written, ...unseen.map(own)]
}

/** Whether a body has one of the lists whose rows stay unless they were seen. */
export const hasKeptRows = ({ basis }: AnyEndpoint, raw: unknown): boolean =>
  Object.keys(basis?.rows ?? {}).some((name) => isObject(raw) && name.split('.')[0]! in raw)

/**
 * A body with the rows that are there and that its caller does not say to have seen, in `Seen` or by `If-Match` (`hasSeen`);
 * `conflicts` names the lists in which somebody else has changed the same.
 *
 * @throws Failure 409 `stale` where the rows that stay do not go together with those that were sent
 */
export const withKeptRows = (
  { basis, body, takes }: AnyEndpoint,
  parsed: unknown,
  current: unknown,
  hasSeen: (field: string) => boolean,
): { body: unknown; conflicts: string[] } => {
  const conflicts = new Set<string>()
  if (!isObject(parsed) || !isObject(current)) return { body: parsed, conflicts: [] }
  const declared = basis?.rows ?? {}
  const whole: Fields = { ...parsed }
  /** By list, how many rows were sent: behind them are those that are there. */
  const counts = new Map<string, number>()
  for (const name of Object.keys(declared)) {
    const path = name.split('.')
    // Of several parts the first says which; of a list within a list, its own list has written it.
    const part = takes === 'multipart' ? path.shift()! : undefined
    if (path.length > 1) continue
    const at = part === undefined ? whole : whole[part]
    const sent = rowsOf(at, path[0]!)
    const there = rowsOf(current, path[0]!)
    if (!isObject(at) || !sent || !there) continue
    const told = rowsOf(at.Seen, path[0]!)
    if (!told && hasSeen(path[0]!)) continue
    const seen = told ?? []
    const conflict = () => void conflicts.add(path[0]!)
    const rows = mergedRows(name, { sent, seen, current: there }, { declared, body, conflict })
    if (isSame(rows, sent)) continue
    counts.set(path[0]!, sent.length)
    if (part === undefined) whole[path[0]!] = rows
    else whole[part] = { ...at, [path[0]!]: rows }
  }
  if (counts.size === 0 || conflicts.size > 0) return { body: parsed, conflicts: [...conflicts] }
  const checked = body?.safeParse(whole)
  const isOfRowThere = ({ path }: z.core.$ZodIssue): boolean =>
    path.some((name, at) => Number(path[at + 1]) >= (counts.get(String(name)) ?? Number.POSITIVE_INFINITY))
  if (checked?.success) return { body: checked.data, conflicts: [] }
  // Rows that nobody sends are what they are.
  if (checked?.error.issues.every(isOfRowThere)) return { body: whole, conflicts: [] }
  throw fail(coreFailures.rows_added, { extra: { ChangedBy: null, ChangedAt: null } })
}
