import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** Keeps that a person has read what they were told: all of it, or these. */
export const markRead = async (
  db: Db,
  programId: number,
  accountId: number,
  ids: readonly number[] | undefined,
): Promise<void> => {
  await db
    .updateTable('notification')
    .set({ read_at: sql`now()` })
    .where('program_id', '=', programId)
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids?.length ? ids : [0]))
    .execute()
}
