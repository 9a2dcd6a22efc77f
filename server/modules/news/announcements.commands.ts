import { sql } from 'kysely'
import type { z } from 'zod'
import type { AnnouncementInput } from '#contract/news/announcements.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

/** An announcement whose text is HTML that has been cleaned. */
type Input = z.output<typeof AnnouncementInput>

const values = (input: Input) => ({
  category: input.Category,
  html: input.Text,
  is_active: input.IsActive,
  hides_acknowledged: input.HideAcknowledged,
  shows_all: input.ShowAllActive,
})

export const addAnnouncement = (
  db: Db,
  programId: number,
  accountId: number,
  input: Input,
): Promise<number> =>
  addRow(db, 'announcement', { ...values(input), program_id: programId, created_by: accountId })

export const changeAnnouncement = (db: Db, key: RowKey, input: Input): Promise<boolean> =>
  changeRow(db, 'announcement', key, values(input))

export const setAnnouncementActive = (db: Db, key: RowKey, isActive: boolean): Promise<boolean> =>
  changeRow(db, 'announcement', key, { is_active: isActive })

export const setAnnouncementDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'announcement', key, isDeleted)

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
