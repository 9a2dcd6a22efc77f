import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { judgeFacts, readFacts, type Which } from './standings.queries.ts'

/** Keeps what these students and requirements come to now; all of the program where neither is named. */
export const keepStandings = async (db: Db, programId: number, which: Which): Promise<void> => {
  const judged = judgeFacts(await readFacts(db, programId, which))
  const rows = judged.map(({ studentId, requirementId, siteId, standing }) => ({
    student_id: studentId,
    requirement_id: requirementId,
    site_id: siteId,
    status: standing.Status,
    completed_on: standing.CompletedOn,
    expires_on: standing.ExpiresOn,
    is_waiting: standing.IsWaiting,
    is_returned: standing.IsReturned,
    exemption: standing.Exemption,
    next: standing.Next,
  }))
  const { studentIds, requirementIds } = which
  await sql`
    with kept as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (student_id bigint, requirement_id bigint, site_id bigint,
        status text, completed_on date, expires_on date, is_waiting boolean, is_returned boolean, exemption text, next jsonb)),
    gone as (
      delete from student_requirement s where s.program_id = ${programId}
        and ${studentIds ? sql`s.student_id = any (${[...studentIds]}::bigint[])` : sql`true`}
        and ${requirementIds ? sql`s.requirement_id = any (${[...requirementIds]}::bigint[])` : sql`true`}
        and not exists (select from kept k where k.student_id = s.student_id and k.requirement_id = s.requirement_id
          and k.site_id = s.site_id))
    insert into student_requirement as s (program_id, student_id, requirement_id, site_id, status, completed_on, expires_on,
      is_waiting, is_returned, exemption, next)
    select ${programId}, k.student_id, k.requirement_id, k.site_id, k.status, k.completed_on, k.expires_on, k.is_waiting,
      k.is_returned, k.exemption, nullif(k.next, 'null')
    from kept k
    on conflict (program_id, student_id, requirement_id, site_id) do update set status = excluded.status,
      completed_on = excluded.completed_on, expires_on = excluded.expires_on, is_waiting = excluded.is_waiting,
      is_returned = excluded.is_returned, exemption = excluded.exemption, next = excluded.next
    where (s.status, s.completed_on, s.expires_on, s.is_waiting, s.is_returned, s.exemption, s.next) is distinct from
      (excluded.status, excluded.completed_on, excluded.expires_on, excluded.is_waiting, excluded.is_returned, excluded.exemption,
        excluded.next)`.execute(db)
}
