import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type Notice, queueCoordinatorNotices } from '#server/core/mail/notices.ts'

/**
 * Tells every coordinator of the program within the product; `link` is an address of it or empty. With an `email` its line
 * goes into the digest of each.
 */
export const notifyCoordinators = async (
  db: Db,
  programId: number,
  told: { kind: string; text: string; link: string; email?: Omit<Notice, 'accountId'> },
): Promise<void> => {
  await sql`insert into notification (program_id, account_id, kind, text, link)
    select program_id, id, ${told.kind}, ${told.text}, ${told.link} from account
    where program_id = ${programId} and access_level = ${Level.Coord} and deactivated_at is null
      and deleted_at is null`.execute(db)
  if (told.email) await queueCoordinatorNotices(db, programId, told.email)
}

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
