import { type RawBuilder, sql } from 'kysely'

type Part = RawBuilder<boolean>

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`)
const isThere = (alias: string) => sql`${column(alias, 'deleted_at')} is null`

/** People of a program who have ended: their import was undone, or they were merged into another account. Nothing new is theirs. */
export const endedPeople = (programId: number): RawBuilder<unknown> =>
  sql`select x.id from account x where x.program_id = ${programId} and x.deleted_at is not null
    union all select m.merged_id from account_merge m where m.program_id = ${programId} and m.undone_at is null`

/**
 * Whether the account counts as a student on a day: the rule of `countsOn` in `contract/people/who-counts.ts` (`docs/decisions/who-counts-when.md`).
 */
export const countsOn = (alias: string, day: RawBuilder<unknown>): Part =>
  sql`${column(alias, 'counts_through')} >= ${day} and ${isThere(alias)}`

/** The same for now and every day to come: written as the indexes of accounts are. */
export const countsNow = (alias: string): Part =>
  sql`${column(alias, 'access_level')} = 39 and ${column(alias, 'deactivated_at')} is null and ${isThere(alias)}`

/** The same for some day: for sums of a span, in which nothing stands after the last day of whoever has left. */
export const hasCounted = (alias: string): Part =>
  sql`${column(alias, 'counts_through')} is not null and ${isThere(alias)}`
