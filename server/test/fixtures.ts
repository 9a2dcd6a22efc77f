import { join } from 'node:path'
import type { ClientBase } from 'pg'

/** Where releases have left a small installation each. */
export const fixtureFolder = join(import.meta.dirname, '..', '..', 'test', 'fixtures')

/** Under which what is in them is sealed. */
export const fixtureKey = 'the key of every fixture of a release'

export interface Figures {
  /** By table. */
  rows: Record<string, number>
  /** Of hours, evaluations and standings, and what waits. */
  sums: Record<string, number | string>
}

/** What an upgrade must leave as it is; which changes have been heard begins anew in a restored database. */
export const readFigures = async (client: ClientBase): Promise<Figures> => {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('migration', 'restored_copy', 'change_epoch', 'event_seen', 'change_horizon') order by c.relname collate "C"`,
  )
  const rows: Record<string, number> = {}
  for (const { name } of tables) {
    const counted = await client.query<{ count: number }>(`select count(*)::integer as count from ${name}`)
    if (counted.rows[0]!.count > 0) rows[name] = counted.rows[0]!.count
  }
  const sums = await client.query(
    `select (select sum(minutes)::text from time_sum) as "minutes",
       (select sum(minutes)::text from time_record where deleted_at is null) as "recordedMinutes",
       (select md5(string_agg(a::text, ',' order by a.evaluation_id, a.item_id)) from (select evaluation_id, item_id, score, text from evaluation_answer) a) as "answers",
       (select md5(string_agg(concat_ws(' ', student_id, requirement_id, status), ',' order by student_id, requirement_id)) from student_requirement) as "standings",
       (select count(*)::integer from mail where status = 1) as "waitingMail",
       (select encode(head, 'hex') from audit_seal order by id desc limit 1) as "auditHead"`,
  )
  return { rows, sums: sums.rows[0] }
}
