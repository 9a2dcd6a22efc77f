import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import {
  duplicateKeys,
  type Entity,
  type Existing,
  emptyPlan,
  indexBy,
  lower,
  type Plan,
  planChange,
  type ReadRow,
} from './plan.ts'

/** How things with a name and a place are known again. */
interface Places {
  toEntity(row: ReadRow): Entity
  /** The field of the key, as the file may give it, its column, and as people call it. */
  key: { field: string; column: string; label: string }
  /** 'site' */
  what: string
  /** Adds what follows from a row and from what was there. */
  complete?: (given: Entity, before: Existing | undefined) => Entity
}

/**
 * Plans things with a name, a place and their own key: known by the key or, where the file gives none, by name, city and
 * state. Two rows may not mean the same thing.
 */
export const planPlaces = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  { toEntity, key: { field, column, label }, what, complete = (given) => given }: Places,
): Plan => {
  const keyOf = (row: ReadRow) => (row.values[field] === undefined ? undefined : String(row.values[field]))
  const nameOf = (from: Record<string, unknown>, name: string, city: string, state: string) =>
    [from[name], from[city], from[state]].map(lower).join('\u0000')
  const nameColumn = mapping.Name ?? 'Name'
  const errors = [
    ...duplicateKeys(rows, mapping[field] ?? field, keyOf, label),
    ...duplicateKeys(
      rows,
      nameColumn,
      (row) => (keyOf(row) === undefined ? nameOf(row.values, 'Name', 'City', 'State') : undefined),
      `${what} name, city and state`,
    ),
  ]
  const byKey = indexBy(existing, (row) => (row[column] === null ? undefined : String(row[column])))
  const byName = indexBy(existing, (row) => nameOf(row, 'name', 'city', 'state'))
  const byBareName = indexBy(existing, (row) => lower(row.name))
  const plan = emptyPlan(errors)
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
        `${found.length} ${what}s have this name, city and state. Add the column ${label} to tell them apart.`,
      )
      continue
    }
    const [before] = found
    if (before) {
      const earlier = met.get(before.id)
      if (earlier !== undefined) tell(`This is the same ${what} as in row ${earlier}.`)
      met.set(before.id, row.line)
    }
    const given = complete(toEntity(row), before)
    if (before) {
      planChange(plan, before, given, row.line)
      continue
    }
    plan.added.push(given)
    const [other] = byBareName.get(lower(row.values.Name)) ?? []
    if (!other) continue
    const place = [other.city, other.state].filter(Boolean).join(', ')
    plan.warnings.push({
      Row: row.line,
      Column: nameColumn,
      Message: `There is a ${what} of this name already${place && ` in ${place}`}, and this row adds another. If they are the same, give both the ${label} or the same city and state.`,
    })
  }
  return plan
}
