import { sql } from 'kysely'
import type { StoredSums, WrongSum } from '#server/core/runtime/sum-check.ts'
import { recountRotations } from './kept.commands.ts'
import { changedShifts, changedStudents, keptAround, rightNow, studentsByTime } from './kept.queries.ts'

/** What the sums by month lack: positive or negative rows that would make them right. */
const missingTime = (programId: number) => sql`
    select program_id, student_id, rotation_id, site_id, month, kind, sum(records)::integer as records, sum(minutes)::integer as minutes,
      sum(pending_minutes)::integer as pending_minutes
    from (
      select r.program_id, r.student_id, coalesce(r.rotation_id, 0) as rotation_id, coalesce(r.site_id, 0) as site_id,
        date_trunc('month', r.date)::date as month, r.kind, 1 as records, r.minutes,
        case when r.status = 'pending' then r.minutes else 0 end as pending_minutes
      from time_record r
      where r.program_id = ${programId} and r.kind <> 'in' and r.is_matched and r.status <> 'rejected'
        and r.deleted_at is null
      union all
      select a.program_id, a.student_id, a.rotation_id, a.site_id, date_trunc('month', a.date)::date, 'planned', 1,
        shift_minutes(a.starts_at, a.ends_at) - a.meal_minutes, 0
      from shift_assignment a where a.program_id = ${programId} and a.removed_at is null
      union all
      select program_id, student_id, rotation_id, site_id, month, kind, -records, -minutes, -pending_minutes from time_sum
      where program_id = ${programId}) a
    group by 1, 2, 3, 4, 5, 6 having (sum(records), sum(minutes), sum(pending_minutes)) <> (0, 0, 0)`

export const missingHours = (programId: number) => sql`
    select program_id, student_id, rotation_id, sum(approved)::integer, sum(pending)::integer, sum(absence)::integer,
      sum(makeup)::integer, sum(records)::integer, sum(shifts)::integer, sum(planned)::integer, sum(past_shifts)::integer,
      sum(past_minutes)::integer
    from (
      select r.program_id, r.student_id, coalesce(r.rotation_id, 0) as rotation_id,
        case when r.kind <> 'absence' and r.status = 'approved' then r.minutes else 0 end as approved,
        case when r.kind <> 'absence' and r.status = 'pending' then r.minutes else 0 end as pending,
        case when r.kind = 'absence' then r.minutes else 0 end as absence,
        case when r.kind = 'makeup' then r.minutes else 0 end as makeup, 1 as records, 0 as shifts, 0 as planned,
        0 as past_shifts, 0 as past_minutes
      from time_record r
      where r.program_id = ${programId} and r.kind <> 'in' and r.is_matched and r.status <> 'rejected'
        and r.deleted_at is null
      union all
      select a.program_id, a.student_id, a.rotation_id, 0, 0, 0, 0, 0, 1, m.minutes, coalesce((a.ends_at <= p.until)::integer, 0),
        case when a.ends_at <= p.until then m.minutes else 0 end
      from shift_assignment a left join plan_until p on p.program_id = a.program_id
      cross join lateral (select shift_minutes(a.starts_at, a.ends_at) - a.meal_minutes as minutes) m
      where a.program_id = ${programId} and a.removed_at is null
      union all
      select program_id, student_id, rotation_id, -approved_minutes, -pending_minutes, -absence_minutes, -makeup_minutes, -records, -shifts,
        -planned_minutes, -past_shifts, -past_minutes
      from student_hours where program_id = ${programId}) a
    group by 1, 2, 3
    having (sum(approved), sum(pending), sum(absence), sum(makeup), sum(records), sum(shifts), sum(planned),
      sum(past_shifts), sum(past_minutes)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)`

/** How many of the kept rows of rotations are wrong, those left out that count anew anyway. */
export const wrongRotations = (programId: number) => sql<WrongSum>`
    with left_out as materialized (
      select c.id as student_id from (${changedStudents(programId)}) c (id)
      union ${studentsByTime(programId, rightNow)}),
    everybody as materialized (
      select array_agg(s.student_id) as ids from (
        select h.student_id from student_hours h where h.program_id = ${programId}) s),
    counted as materialized (
      select c.student_id, c.rotation_id, c.approved_minutes, c.projected_minutes
      from everybody e cross join lateral student_rotations(${programId}, e.ids, now()) c)
    select 'rotation_student' as name, count(*) as keys from counted c
    full join (select * from rotation_student where program_id = ${programId}) s on s.student_id = c.student_id and s.rotation_id = c.rotation_id
    where (s.approved_minutes, s.projected_minutes) is distinct from (c.approved_minutes, c.projected_minutes)
      and not exists (select from left_out l where l.student_id = coalesce(s.student_id, c.student_id))
    union all
    select 'shift_kept', count(*)
    from (select * from shift_kept where program_id = ${programId}) k
    full join (
      select s.* from (select array_agg(a.id) as ids from shift_assignment a where a.program_id = ${programId} and a.removed_at is null
        and a.date between current_date - 1 and current_date + 1) w cross join lateral shifts_with_records(${programId}, w.ids) s) s
      on s.assignment_id = k.assignment_id
    where coalesce(s.date, k.date) between current_date - 1 and current_date + 1
      and exists (select from event_seen e where e.program_id = ${programId} and e.reader = 'rotations'
        and coalesce(s.date, k.date) between e.seen_at::date - ${sql.lit(keptAround.before)} and e.seen_at::date + ${sql.lit(keptAround.after)})
      and k is distinct from s
      and coalesce(s.assignment_id, k.assignment_id) not in (${changedShifts(programId)})`

/** The sums of time records and shifts, and what is kept of rotations. */
export const timeSums: StoredSums = {
  of: 'time',
  wrong: (programId) => sql`
    select 'time_sum' as name, count(*) as keys from (${missingTime(programId)}) t
    union all select 'student_hours', count(*) from (${missingHours(programId)}) t
    union all select * from (${wrongRotations(programId)}) t`,
  async recount(db, programId) {
    // Of two at once, the second would add the same again.
    await sql`select pg_advisory_xact_lock(hashtext('time sums'))`.execute(db)
    await sql`insert into time_sum as s ${missingTime(programId)} order by 1, 2, 3, 4, 5, 6
      on conflict (program_id, student_id, rotation_id, site_id, month, kind) do update set records = s.records + excluded.records,
        minutes = s.minutes + excluded.minutes, pending_minutes = s.pending_minutes + excluded.pending_minutes`.execute(
      db,
    )
    await sql`insert into student_hours as h ${missingHours(programId)} order by program_id, student_id, rotation_id
      on conflict (program_id, student_id, rotation_id) do update set
        approved_minutes = h.approved_minutes + excluded.approved_minutes,
        pending_minutes = h.pending_minutes + excluded.pending_minutes,
        absence_minutes = h.absence_minutes + excluded.absence_minutes,
        makeup_minutes = h.makeup_minutes + excluded.makeup_minutes, records = h.records + excluded.records,
        shifts = h.shifts + excluded.shifts, planned_minutes = h.planned_minutes + excluded.planned_minutes,
        past_shifts = h.past_shifts + excluded.past_shifts, past_minutes = h.past_minutes + excluded.past_minutes`.execute(
      db,
    )
    await recountRotations(db, programId)
  },
}
