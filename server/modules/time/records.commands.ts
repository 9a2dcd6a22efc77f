import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { conditions, type RecordFilter, type RecordView, recordJoins, zone } from './records.queries.ts'

/** Emails to students about unmatched punches: one row a student, with what to tell. */
export const takeUnmatched = async (db: Db, view: RecordView, filter: RecordFilter) => {
  const { where, joins: needed } = conditions(view, { ...filter, Status: 'pending', Insight: 'u' })
  const { rows } = await sql<{
    StudentId: number
    FirstName: string
    Email: string
    Records: { Kind: 'in' | 'out'; Date: string; Time: string; Site: string | null }[]
  }>`
    with chosen as materialized (
      select r.id from time_record r ${needed} where ${where}
        and coalesce(r.mailed_at, '-infinity') < now() - interval '1 day'
      order by r.student_id, r.id for update of r),
    told as (
      update time_record r set mailed_at = now() from chosen, account u
      where r.program_id = ${view.programId} and r.id = chosen.id and u.program_id = r.program_id
        and u.id = r.student_id and u.email <> '' returning r.*)
    select r.student_id as "StudentId", u.first_name as "FirstName", u.email as "Email",
      jsonb_agg(jsonb_build_object('Kind', r.kind, 'Date', r.date, 'Time', to_char(r.occurred_at at time zone ${zone}, 'HH24:MI'),
        'Site', s.name) order by r.occurred_at) as "Records"
    from chosen c join time_record r on r.program_id = ${view.programId} and r.id = c.id ${recordJoins}
    group by r.student_id, u.first_name, u.email`.execute(db)
  return rows
}
