import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Notice } from '#server/core/mail/notices.ts'

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
  if (!told.email) return
  const { label, key, line } = told.email
  await sql`insert into email_notice (program_id, account_id, label, subject_key, after)
    select program_id, id, ${label}, ${key}, ${line} from account
    where program_id = ${programId} and access_level = ${Level.Coord} and deactivated_at is null
      and deleted_at is null`.execute(db)
}
