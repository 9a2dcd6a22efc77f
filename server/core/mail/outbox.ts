import { type RawBuilder, sql } from 'kysely'
import { EmailState } from '#contract/communication/scheduled-emails.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Queues failed emails `m` again that `which` allows; the blacklist is asked again when they are due. Answers how many. */
export const retryEmails = async (
  db: Db,
  ids: readonly number[],
  which: RawBuilder<boolean>,
): Promise<number> => {
  const { numAffectedRows } =
    await sql`update mail m set status = ${EmailState.Queued}::smallint, status_message = '', attempts = 0,
      send_after = now(), blocked_at = null, cancelled_at = null
    where m.id = any (${[...ids]}::bigint[]) and ${which}`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Keeps waiting emails from being sent, those of everybody or of one sender; one that is on its way already is left alone. Answers how many.
 */
export const cancelEmails = async (
  db: Db,
  ids: readonly number[],
  byName: string,
  senderId?: number,
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('mail')
    .set({
      status: EmailState.Error,
      cancelled_at: sql`now()`,
      status_message: `Canceled by ${byName}. It was not sent.`,
    })
    .where(sql<boolean>`id = any (${[...ids]}::bigint[])`)
    .$if(senderId !== undefined, (query) => query.where('created_by', '=', senderId!))
    .where('status', '=', EmailState.Queued)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
