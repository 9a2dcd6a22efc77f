import { sql } from 'kysely'
import { EmailState } from '#contract/communication/scheduled-emails.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Keeps the person's waiting emails from being sent; answers how many. */
export const cancelSent = async (
  db: Db,
  senderId: number,
  ids: readonly number[],
  byName: string,
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set({
      status: EmailState.Error,
      cancelled_at: sql`now()`,
      status_message: `Canceled by ${byName}. It was not sent.`,
    })
    .where(sql<boolean>`id = any (${[...ids]}::bigint[])`)
    .where('created_by', '=', senderId)
    .where('status', '=', EmailState.Queued)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
