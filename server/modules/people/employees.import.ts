import { sql } from 'kysely'
import type { ImportError } from '#contract/imports/imports.ts'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import type { ImportDefinition, ProgramScope } from '#server/core/imports/definition.ts'
import {
  duplicateKeys,
  type Existing,
  emptyPlan,
  lower,
  type Plan,
  planChange,
  type ReadRow,
} from '#server/core/imports/plan.ts'
import { columnTypes, tableStore } from '#server/core/imports/table-store.ts'
import { listNamedSites } from '../sites/site-choices.queries.ts'

const { text, id, day } = columnTypes

const store = tableStore({
  table: 'employee',
  columns: {
    site_id: { field: 'Site', ...id },
    first_name: { field: 'FirstName', ...text },
    last_name: { field: 'LastName', ...text },
    email: { field: 'Email', ...text },
    dob: { field: 'Dob', ...day },
    registry_number: { field: 'RegistryNumber', ...text },
    num_sdms: { field: 'NumSdms', ...text },
    num_ardms: { field: 'NumArdms', ...text },
    num_arrt: { field: 'NumArrt', ...text },
    num_cci: { field: 'NumCci', ...text },
    num_card_up: { field: 'NumCardUp', ...text },
  },
  name: sql`t.first_name || ' ' || t.last_name`,
})

const personKey = (email: unknown, first: unknown, last: unknown): string =>
  [email, first, last].map(lower).join('\u0000')

/**
 * What an import of employees would do. An employee is known by the registry number, and without one by email address and
 * name, for several share the address of their site. Empty cells change nothing.
 */
const planEmployees = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
): Plan => {
  const numberOf = ({ values }: ReadRow) =>
    values.RegistryNumber === undefined ? undefined : lower(values.RegistryNumber)
  const personOf = ({ values }: ReadRow) => personKey(values.Email, values.FirstName, values.LastName)
  const errors: ImportError[] = [
    ...duplicateKeys(rows, mapping.RegistryNumber ?? 'RegistryNumber', numberOf, 'registry number'),
    ...duplicateKeys(
      rows,
      mapping.Email ?? 'Email',
      // A row that lacks one of these is reported already.
      (row) => (numberOf(row) === undefined && row.values.Email !== undefined ? personOf(row) : undefined),
      'person',
    ),
  ]
  const plan = emptyPlan(errors)
  const byNumber = Map.groupBy(
    existing.filter(({ registry_number }) => registry_number !== ''),
    ({ registry_number }) => lower(registry_number),
  )
  const byPerson = Map.groupBy(existing, (row) => personKey(row.email, row.first_name, row.last_name))
  const met = new Map<number, number>()
  for (const row of rows) {
    const number = numberOf(row)
    const known = number === undefined ? undefined : byNumber.get(number)
    // A number that is new here may be the first one of somebody who is known without.
    const found =
      known ??
      (byPerson.get(personOf(row)) ?? []).filter(
        ({ registry_number }) => number === undefined || registry_number === '',
      )
    const tell = (Message: string) =>
      errors.push({ Row: row.line, Column: mapping.Email ?? 'Email', Message })
    if (found.length > 1) {
      tell(
        `${found.length} employees have this ${known ? 'registry number' : 'name and address'}. Change them by hand.`,
      )
      continue
    }
    const given = store.toEntity(row)
    const [before] = found
    if (!before) {
      plan.added.push(given)
      continue
    }
    const earlier = met.get(before.id)
    if (earlier !== undefined) {
      tell(`This is the same employee as in row ${earlier}.`)
      continue
    }
    met.set(before.id, row.line)
    planChange(plan, before, given, row.line)
  }
  return plan
}

export const employeeImport: ImportDefinition = {
  store,
  async listChoices({ db, programId }: ProgramScope) {
    return { Site: await listNamedSites(db, programId) }
  },
  async plan(scope, rows, mapping) {
    return planEmployees(rows, await store.listExisting(scope), mapping)
  },
}
