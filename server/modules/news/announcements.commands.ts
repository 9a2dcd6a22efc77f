import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** Keeps that a person acknowledged; a second time changes nothing. */
export const acknowledge = async (
  db: Db,
  programId: number,
  announcementId: number,
  accountId: number,
): Promise<void> => {
  await db
    .insertInto('announcement_reader')
    .values({ program_id: programId, announcement_id: announcementId, account_id: accountId })
    .onConflict((clash) => clash.doNothing())
    .execute()
}

/** The active people of the levels, if the announcement was never sent by email; it counts as sent from now on. */
export const takeReaders = async (
  db: Db,
  programId: number,
  announcementId: number,
  levels: readonly number[],
): Promise<{ Id: number; FirstName: string; Email: string }[]> => {
  const { numUpdatedRows } = await db
    .updateTable('announcement')
    .set({ told_at: sql`now()` })
    .where('program_id', '=', programId)
    .where('id', '=', announcementId)
    .where('told_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return []
  return db
    .selectFrom('account')
    .select(['id as Id', 'first_name as FirstName', 'email as Email'])
    .where('program_id', '=', programId)
    .where('access_level', 'in', [...levels])
    .where('deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .execute()
}
