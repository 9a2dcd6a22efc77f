import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { KeptNotice } from '#server/core/mail/notices.ts'

/** Takes all lines of those people and topics of which one is due. */
export const takeDue = async (db: Db, programId: number): Promise<(KeptNotice & { is_held: boolean })[]> => {
  const { rows } = await sql<KeptNotice & { id: number; is_held: boolean }>`
    with due as (select distinct account_id, label from email_notice
      where program_id = ${programId} and due_at <= now()),
    taken as (delete from email_notice n using due d
      where n.program_id = ${programId} and n.account_id = d.account_id and n.label = d.label
      returning n.id, n.account_id, n.label, n.subject_key, n.before, n.after, n.is_held)
    select * from taken order by id`.execute(db)
  return rows
}
