import type { ImportError } from '#contract/imports.ts'
import type { ColumnMapping } from '#contract/imports-rules.ts'
import { changeOf, type Entity, type Existing, type Plan } from './plan.rules.ts'
import { doubledKeys, type ReadRow } from './rows.rules.ts'

const columns: Record<string, string> = {
  Site: 'site_id',
  FirstName: 'first_name',
  LastName: 'last_name',
  Email: 'email',
  Dob: 'dob',
  RegistryNumber: 'registry_number',
  NumSdms: 'num_sdms',
  NumArdms: 'num_ardms',
  NumArrt: 'num_arrt',
  NumCci: 'num_cci',
  NumCardUp: 'num_card_up',
}
const lower = (value: unknown): string => String(value ?? '').toLowerCase()
const personKey = (email: unknown, first: unknown, last: unknown): string =>
  [email, first, last].map(lower).join('\u0000')

/**
 * What an import of employees would do. An employee is known by the registry number, and without one by email address and
 * name, for several share the address of their site. Empty cells change nothing.
 */
export const planEmployees = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
): Plan => {
  const numberOf = ({ values }: ReadRow) =>
    values.RegistryNumber === undefined ? undefined : lower(values.RegistryNumber)
  const personOf = ({ values }: ReadRow) => personKey(values.Email, values.FirstName, values.LastName)
  const errors: ImportError[] = [
    ...doubledKeys(rows, mapping.RegistryNumber ?? 'RegistryNumber', numberOf, 'registry number'),
    ...doubledKeys(
      rows,
      mapping.Email ?? 'Email',
      // A row that lacks one of these is told already.
      (row) => (numberOf(row) === undefined && row.values.Email !== undefined ? personOf(row) : undefined),
      'person',
    ),
  ]
  const plan: Plan = { added: [], changed: [], unchanged: 0, errors }
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
    const given: Entity = Object.fromEntries(
      Object.entries(row.values).map(([field, value]) => [columns[field]!, value]),
    )
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
    const change = changeOf(before, given)
    if (change) plan.changed.push(change)
    else plan.unchanged++
  }
  return plan
}
