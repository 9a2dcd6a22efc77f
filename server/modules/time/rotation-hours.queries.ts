import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { HoursTotals } from './hours.queries.ts'

/**
 * What the hours of a whole rotation come to, in minutes: the totals of the hours summary for that rotation without any other
 * filter, for the home page. The summary joins its figures to each student's row; here they are added up by student in one
 * pass over the kept sums and the few shifts since them, and students are looked up in an index alone.
 */
export const sumRotation = async (
  db: Db,
  programId: number,
  rotationId: number,
): Promise<Pick<HoursTotals, 'Students' | 'Approved' | 'Target' | 'Finish'>> => {
  const untilAs = (value: string) =>
    sql`(select coalesce((select ${sql.raw(value)} from plan_until p where p.program_id = ${programId}), '-infinity'))`
  const { rows } = await sql<Pick<HoursTotals, 'Students' | 'Approved' | 'Target' | 'Finish'>>`
    with parts as (
      select h.student_id, h.approved_minutes as approved, h.pending_minutes as pending, 0 as ahead, 0 as past, 0 as away,
        0 as makeup, 1 as rows
      from student_hours h where h.program_id = ${programId} and h.rotation_id = ${rotationId}
      union all
      select p.student_id, 0, 0, p.minutes - p.past_minutes, p.past_shifts, 0, 0, p.shifts
      from plan_sum p where p.program_id = ${programId} and p.rotation_id = ${rotationId}
      union all
      -- Shifts since the moment of the sums: those that are over, or have been recorded, are no longer ahead.
      select a.student_id, 0, 0,
        case when a.ends_at <= now() or 0 < (select count(*) from time_record r where r.program_id = a.program_id
            and r.assignment_id = a.id and r.kind in ('out', 'absence', 'exception') and r.deleted_at is null
            and r.status <> 'rejected')
          then -(extract(epoch from a.ends_at - a.starts_at)::integer / 60) else 0 end,
        (a.ends_at <= now())::integer, 0, 0, 0
      from shift_assignment a
      where a.program_id = ${programId} and a.rotation_id = ${rotationId} and a.removed_at is null
        -- The day of a shift is that of its begin where its site is, which is at most 14 hours from that here.
        and a.date >= ${untilAs("(p.until - interval '38 hours')::date")}
        and a.date <= (select (now() + interval '14 hours')::date)
        and a.ends_at > ${untilAs('p.until')} and a.starts_at <= now()
      union all
      select r.student_id, 0, 0, 0, 0, 1, 0, 0 from time_record r
      where r.program_id = ${programId} and r.rotation_id = ${rotationId} and r.kind = 'absence' and r.deleted_at is null
        and r.status <> 'rejected' and r.occurred_at <= now()
      union all
      select r.student_id, 0, 0, 0, 0, 0, r.minutes, 0 from time_record r
      where r.program_id = ${programId} and r.rotation_id = ${rotationId} and r.kind = 'makeup' and r.status = 'pending'
        and r.deleted_at is null and r.occurred_at > now()),
    students as (
      select p.student_id, sum(p.approved) as approved, greatest(0, sum(p.pending) - sum(p.makeup)) + sum(p.makeup) as pending,
        sum(p.ahead) as ahead, sum(p.past) as past, sum(p.away) as away
      from parts p group by p.student_id having sum(p.rows) <> 0),
    projected as (
      select s.approved, s.approved + s.pending + s.ahead - case when s.away > 0 and s.past > 0
        then round(s.ahead * least(s.away, s.past)::numeric / s.past)::integer else 0 end as projection
      from students s
      where s.student_id in (select u.id from account u where u.program_id = ${programId}
        and u.access_level = ${sql.lit(Level.Student)} and u.deleted_at is null and u.deactivated_at is null)),
    target as (
      select coalesce((select t.target_minutes from rotation t where t.program_id = ${programId} and t.id = ${rotationId}), 0) as minutes)
    select count(p.approved) as "Students", coalesce(sum(p.approved), 0) as "Approved", count(p.approved) * t.minutes as "Target",
      count(*) filter (where p.projection >= t.minutes) as "Finish"
    from target t left join projected p on true group by t.minutes`.execute(db)
  // The target is there also where no student is.
  return rows[0]!
}
