import { sql } from 'kysely'
import type { BlacklistEntry } from '#contract/communication/email-blacklist.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** Whose list it is: a program's, or with null the installation's. */
export type Owner = number | null

const entries = (db: Db, owner: Owner, search: string) =>
  db
    .selectFrom('email_block')
    .where('program_id', owner === null ? 'is' : '=', owner)
    .where('removed_at', 'is', null)
    .where(isFound(sql`address`, search))

export const pageBlacklist = async (
  db: Db,
  owner: Owner,
  { search, sort, page, pageSize }: { search: string; sort: string; page: number; pageSize: number },
) => {
  const { Total } = await entries(db, owner, search)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const Items: BlacklistEntry[] = await entries(db, owner, search)
    .select(['id as Id', 'address as Email'])
    .orderBy(
      sort.endsWith('Id') ? 'id' : sql`address collate alphabetical`,
      sort.startsWith('-') ? 'desc' : 'asc',
    )
    .offset((page - 1) * pageSize)
    .limit(pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

export const streamBlacklist = (
  db: Db,
  owner: Owner,
  search: string,
): AsyncIterable<{ id: number; address: string }> =>
  entries(db, owner, search).select(['id', 'address']).orderBy(sql`address collate alphabetical`).stream(500)

/** How many active people of the program have an address at each of the domains ('@example.org'); super admins ask for themselves. */
export const countPeopleOf = async (
  db: Db,
  programId: number | null,
  domains: readonly string[],
): Promise<{ domain: string; count: number }[]> => {
  if (domains.length === 0) return []
  const { rows } = await sql<{ domain: string; count: number }>`
    select '@' || split_part(lower(email), '@', 2) as domain, count(*) as count from account
    where program_id is not distinct from ${programId} and deleted_at is null and deactivated_at is null
      and '@' || split_part(lower(email), '@', 2) = any (${[...domains]}::text[])
    group by 1 order by 2 desc`.execute(db)
  return rows
}
