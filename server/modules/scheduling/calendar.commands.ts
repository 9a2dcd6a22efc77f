import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** Whose calendar it is. */
export interface CalendarOwner {
  program_id: number
  account_id: number
}

/** Ends the address of a calendar: whoever has it reads nothing any more. */
export const endFeed = async (db: Db, { program_id, account_id }: CalendarOwner): Promise<void> => {
  await db
    .deleteFrom('calendar_feed')
    .where('program_id', '=', program_id)
    .where('account_id', '=', account_id)
    .execute()
}

/** Opens a calendar under the hash of a new secret; the address that it had ends with that. */
export const openFeed = async (db: Db, whose: CalendarOwner, token_hash: Buffer): Promise<void> => {
  await db
    .insertInto('calendar_feed')
    .values({ ...whose, token_hash })
    .onConflict((kept) =>
      kept.columns(['program_id', 'account_id']).doUpdateSet({
        token_hash,
        created_at: sql<string>`now()`,
        last_read_at: null,
      }),
    )
    .execute()
}

/** Notes that a calendar was read by the secret with this hash, once a minute. */
export const noteFeedRead = async (
  db: Db,
  { program_id, account_id }: CalendarOwner,
  tokenHash: Buffer,
): Promise<void> => {
  await sql`update calendar_feed set last_read_at = now() where program_id = ${program_id} and account_id = ${account_id}
    and token_hash = ${tokenHash} and (last_read_at is null or last_read_at < now() - interval '1 minute')`.execute(
    db,
  )
}
