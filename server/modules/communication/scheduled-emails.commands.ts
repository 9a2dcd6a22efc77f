import { sql } from 'kysely'
import { EmailState } from '#contract/communication/scheduled-emails.ts'
import type { Db } from '#server/core/database/pool.ts'
import { mayCancel, mayRetry } from './scheduled-emails.queries.ts'

/** Queues failed emails again; the blacklist is asked again when they are due. Answers how many. */
export const retryEmails = async (db: Db, ids: readonly number[]): Promise<number> => {
  const { rows } =
    await sql`update mail m set status = ${EmailState.Queued}::smallint, status_message = '', attempts = 0,
      send_after = now(), blocked_at = null, cancelled_at = null
    where m.id = any (${[...ids]}::bigint[]) and ${mayRetry} returning m.id`.execute(db)
  return rows.length
}

/** Keeps waiting emails from being sent; one that is on its way already is left alone. Answers how many. */
export const cancelEmails = async (db: Db, ids: readonly number[], byName: string): Promise<number> => {
  const { rows } = await sql`update mail m set status = ${EmailState.Error}::smallint, cancelled_at = now(),
      status_message = ${`Canceled by ${byName}. It was not sent.`}
    where m.id = any (${[...ids]}::bigint[]) and ${mayCancel} returning m.id`.execute(db)
  return rows.length
}
