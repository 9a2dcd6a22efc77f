import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { HoursTotals } from './hours.queries.ts'

export type RotationHours = Pick<HoursTotals, 'Students' | 'Approved' | 'Target' | 'Finish'>

/**
 * What the hours of a whole rotation come to, in minutes: the totals of the hours summary for that rotation without any other
 * filter, for the home page. The summary joins its figures to each student's row; here they are added up by student in one
 * pass over the kept sums and the few shifts since them, and students are looked up in an index alone. Part of a statement
 * that begins with `shiftsOfToday`; one row, also where no student is.
 */
export const rotationHours = (programId: number, rotationId: number) => sql`
  with parts as (
    select h.student_id, h.approved_minutes as approved, h.pending_minutes as pending, 0 as ahead, 0 as past, 0 as away,
      0 as makeup, 1 as rows
    from student_hours h where h.program_id = ${programId} and h.rotation_id = ${rotationId}
    union all
    select p.student_id, 0, 0, p.minutes - p.past_minutes, p.past_shifts, 0, 0, p.shifts
    from plan_sum p where p.program_id = ${programId} and p.rotation_id = ${rotationId}
    union all
    -- Shifts since the moment of the sums: those that are over, or have been recorded, are no longer ahead.
    select a.student_id, 0, 0, -(extract(epoch from a.ends_at - a.starts_at)::integer / 60), (a.ends_at <= now())::integer, 0, 0, 0
    from today a
    where a.rotation_id = ${rotationId} and a.is_since and a.starts_at <= now() and (a.ends_at <= now() or a.is_over)
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
  from target t left join projected p on true group by t.minutes`
