import { sql } from 'kysely'
import type { BlacklistEntry } from '#contract/communication/email-blacklist.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Owner } from './blacklist.queries.ts'

/** Adds what is not there yet; of two that add the same, one adds it. */
export const addEntries = (
  db: Db,
  owner: Owner,
  addresses: readonly string[],
  accountId: number,
): Promise<BlacklistEntry[]> =>
  db
    .insertInto('email_block')
    .values(addresses.map((address) => ({ program_id: owner, address, created_by: accountId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id as Id', 'address as Email'])
    .execute()

/** Removes an entry, or brings it back; undefined when there is none to do it to. */
export const setRemoved = (
  db: Db,
  owner: Owner,
  id: number,
  isRemoved: boolean,
): Promise<BlacklistEntry | undefined> =>
  db
    .updateTable('email_block')
    .set({ removed_at: isRemoved ? sql`now()` : null })
    .where('program_id', owner === null ? 'is' : '=', owner)
    .where('id', '=', id)
    .where('removed_at', isRemoved ? 'is' : 'is not', null)
    .returning(['id as Id', 'address as Email'])
    .executeTakeFirst()
