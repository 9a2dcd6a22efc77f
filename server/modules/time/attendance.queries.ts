import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { lateAfterMinutes, missedAfterMinutes } from '#contract/time/insight.ts'
import type { Db } from '#server/core/database/pool.ts'
import { plannedMinutes } from '../scheduling/planned-hours.queries.ts'
import { changedDays } from './kept.queries.ts'

/** How far back days are kept. */
export const keptDays = 400

/** The figures of a day. */
export interface AttendanceDay {
  Date: string
  Shifts: number
  PlannedMinutes: number
  ApprovedMinutes: number
  PendingMinutes: number
  AbsenceMinutes: number
  Absences: number
  Late: number
  Missed: number
}

/** From when and through when records can be of the shift `a`. */
export const recordsFrom = sql`a.starts_at - interval '1 day'`
export const recordsThrough = sql`a.ends_at + interval '12 hours'`

const isUnrecordedBetween = (
  from: RawBuilder<unknown>,
  through: RawBuilder<unknown>,
) => sql`not exists (select from time_record r
  where r.program_id = a.program_id and r.student_id = a.student_id and r.deleted_at is null and r.status <> 'rejected'
    and r.occurred_at between ${from} and ${through} and (r.assignment_id = a.id or r.date = a.date))`

/** Whether nobody has recorded the shift `a`: any record of the shift or of its day speaks for it. */
export const isUnrecorded = isUnrecordedBetween(recordsFrom, recordsThrough)

/**
 * The same for a shift `a` of `shiftsOfToday`, which has both moments as columns: row-level security lets an index be asked for
 * them, and not for what is reckoned from others.
 */
export const isUnrecordedToday = isUnrecordedBetween(sql`a.records_from`, sql`a.records_through`)

/** Whether the student of the shift `a` should have come by now, although the shift may still go on. */
export const shouldHaveBegun = sql`a.starts_at < now() - make_interval(mins => ${sql.lit(missedAfterMinutes)})`

/** Kept days of a period in which nothing has changed since. */
export const keptDaysOf = (programId: number, from: RawBuilder<unknown>, through: RawBuilder<unknown>) => sql`
  select k.* from attendance_day k where k.program_id = ${programId} and k.date between ${from} and ${through}
    and exists (select from event_seen s where s.program_id = ${programId} and s.reader = 'attendance')
    and k.date not in (${changedDays(programId)})`

/**
 * Adds up the days of `wanted` (a column `date`) of one program: as Time Totals, All records and Missed records count, so
 * that each figure is the length of the list behind it.
 */
export const factsOf = (programId: number, wanted: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select w.date, a.shifts, a.planned_minutes, r.approved_minutes, r.pending_minutes, r.absence_minutes, r.absences, r.late,
    a.missed, a.missed_shifts
  from (${wanted}) w
  cross join lateral (
    select count(*)::integer as shifts, coalesce(sum(a.minutes), 0)::integer as planned_minutes,
      -- Those of people who were deleted since are nobody's to record.
      (count(*) filter (where a.is_missed and exists (select from account u where u.program_id = ${programId} and u.id = a.student_id
        and u.deleted_at is null)))::integer as missed,
      coalesce(array_agg(a.id) filter (where a.is_missed), '{}') as missed_shifts
    from (
      select a.id, a.student_id, ${plannedMinutes('a')} as minutes, a.ends_at < now() and ${isUnrecorded} as is_missed
      from shift_assignment a where a.program_id = ${programId} and a.date = w.date and a.removed_at is null
      -- Looked up once ("offset 0") for both figures.
      offset 0) a) a
  cross join lateral (
    select coalesce(sum(r.minutes) filter (where r.kind in ('out', 'exception', 'makeup') and r.is_matched
        and r.status = 'approved'), 0)::integer as approved_minutes,
      coalesce(sum(r.minutes) filter (where r.kind in ('out', 'exception', 'makeup') and r.is_matched
        and r.status = 'pending'), 0)::integer as pending_minutes,
      coalesce(sum(r.minutes) filter (where r.kind = 'absence'), 0)::integer as absence_minutes,
      (count(*) filter (where r.kind = 'absence'))::integer as absences,
      (count(*) filter (where r.kind = 'in' and r.offset_minutes > ${sql.lit(lateAfterMinutes)}))::integer as late
    from time_record r where r.program_id = ${programId} and r.date = w.date and r.deleted_at is null
      and r.status <> 'rejected' and r.occurred_at >= (w.date - interval '1 day')::timestamptz
      and r.occurred_at < (w.date + interval '2 days')::timestamptz) r`

/** Worked minutes of the days of a period, `approved` and `pending`: of kept days as they are kept, of the others from an index alone. */
export const workedDays = (programId: number, from: RawBuilder<unknown>, through: RawBuilder<unknown>) => sql`
  with kept as materialized (select d.date, d.approved_minutes as approved, d.pending_minutes as pending
    from (${keptDaysOf(programId, from, through)}) d)
  select k.date, k.approved, k.pending from kept k
  union all
  select d::date, r.approved, r.pending
  from generate_series(${from}::timestamp, ${through}::timestamp, interval '1 day') d
  cross join lateral (
    select coalesce(sum(t.minutes) filter (where t.status = 'approved'), 0) as approved,
      coalesce(sum(t.minutes) filter (where t.status = 'pending'), 0) as pending
    from time_record t where t.program_id = ${programId} and t.date = d::date and t.deleted_at is null and t.status <> 'rejected'
      and t.is_matched and t.minutes > 0 and t.kind not in ('in', 'absence')) r
  where d::date not in (select k.date from kept k)`

/** The days of a period, also those without anything. Kept days are read, the others counted. */
export const readAttendance = async (
  db: Db,
  programId: number,
  { from, through }: { from: string; through: string },
): Promise<AttendanceDay[]> => {
  const { rows } = await sql<AttendanceDay>`
    with kept as materialized (
      select k.date, k.shifts, k.planned_minutes, k.approved_minutes, k.pending_minutes, k.absence_minutes, k.absences,
        k.late, k.missed
      from (${keptDaysOf(programId, sql`${from}::date`, sql`${through}::date`)}) k),
    days as (
      select * from kept
      union all
      select f.date, f.shifts, f.planned_minutes, f.approved_minutes, f.pending_minutes, f.absence_minutes, f.absences, f.late, f.missed
      from (${factsOf(
        programId,
        sql`select d::date as date from generate_series(${from}::date, ${through}::date, interval '1 day') d
          where not exists (select from kept k where k.date = d::date)`,
      )}) f)
    select date as "Date", shifts as "Shifts", planned_minutes as "PlannedMinutes", approved_minutes as "ApprovedMinutes",
      pending_minutes as "PendingMinutes", absence_minutes as "AbsenceMinutes", absences as "Absences", late as "Late",
      missed as "Missed"
    from days order by date`.execute(db)
  return rows
}

/** Programs with days to keep. */
export const listDuePrograms = async (
  everywhere: pg.Pool,
): Promise<{ program_id: number; time_zone: string }[]> =>
  (
    await everywhere.query<{ program_id: number; time_zone: string }>(`
      select p.id as program_id, p.time_zone from program p
      left join event_seen s on s.program_id = p.id and s.reader = 'attendance'
      where p.deleted_at is null and (s.seen is null
        or exists (select from events_since(p.id, s.seen) e where e.kind in ('assignment', 'time-record', 'person'))
        or (select count(*) from attendance_day d where d.program_id = p.id
          and d.date between (now() at time zone p.time_zone)::date - ${keptDays} and (now() at time zone p.time_zone)::date - 1)
          < ${keptDays})
      order by p.id`)
  ).rows
