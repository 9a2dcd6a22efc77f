import { sql } from 'kysely'
import { finishDate } from '#contract/progress/forecast-rules.ts'
import type { ClockShift, Ledger } from '#contract/time/clock.ts'
import type { Db } from '#server/core/database/pool.ts'
import { plannedMinutes } from '../scheduling/planned-hours.queries.ts'
import { sitePhone } from '../sites/site-phone.queries.ts'
import { aheadDays, isAhead, missedShare } from './ahead.queries.ts'
import { rotationNearest } from './hours.queries.ts'
import { makeupOwed, project } from './projection.rules.ts'

const shiftColumns = sql`a.id as "AssignmentId", a.site_id as "SiteId", s.name as "Site",
  concat_ws(', ', nullif(s.address, ''), nullif(s.city, ''), nullif(s.state, '')) as "Address", s.phone as "Phone", ${sitePhone} as "Contact",
  x.code as "ShiftCode", x.name as "ShiftName", x.type as "ShiftType", t.name as "Rotation", a.date as "Date",
  to_char(a.starts_at at time zone s.time_zone, 'HH24:MI') as "StartTime",
  to_char(a.ends_at at time zone s.time_zone, 'HH24:MI') as "EndTime",
  a.starts_at as "StartsAt", a.ends_at as "EndsAt", s.latitude as "Latitude", s.longitude as "Longitude",
  s.precision_m as "Precision"`

/** The shifts that run today (also one of yesterday's night) and the first one after them. */
export const listClockShifts = async (
  db: Db,
  programId: number,
  studentId: number,
  today: string,
): Promise<{ Shifts: ClockShift[]; NextShift: ClockShift | null }> => {
  const { rows } = await sql<ClockShift & { IsNext: boolean }>`
    with found as (
      (select a.*, false as is_next from shift_assignment a
        where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
          and (a.date = ${today}::date or (a.date = ${today}::date - 1 and a.ends_at > now() - interval '2 hours')))
      union all
      (select a.*, true from shift_assignment a
        where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
          and a.date > ${today}::date order by a.date, a.starts_at limit 1))
    select ${shiftColumns}, a.is_next as "IsNext" from found a
    join site s on s.program_id = a.program_id and s.id = a.site_id
    join site_shift x on x.program_id = a.program_id and x.id = a.site_shift_id
    join rotation t on t.program_id = a.program_id and t.id = a.rotation_id
    order by a.starts_at`.execute(db)
  const plain = ({ IsNext: _next, ...shift }: ClockShift & { IsNext: boolean }): ClockShift => shift
  const next = rows.find(({ IsNext }) => IsNext)
  return { Shifts: rows.filter(({ IsNext }) => !IsNext).map(plain), NextShift: next ? plain(next) : null }
}

/** The sites of the student's assignments, by name. */
export const listOwnSites = async (db: Db, programId: number, studentId: number) => {
  const { rows } = await sql<{ SiteId: number; Name: string }>`
    select s.id as "SiteId", s.name as "Name" from site s
    where s.program_id = ${programId} and s.deleted_at is null and s.id in (
      select a.site_id from shift_assignment a
      where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null)
    order by lower(s.name)`.execute(db)
  return rows
}

interface LedgerRow {
  Rotation: string | null
  RotationEndDate: string | null
  target: number
  approved: number
  pending: number
  absence: number
  makeup: number
  planned: number
  past_days: number
  absent_days: number
  makeup_planned: number
  makeup_date: string | null
  ahead: { date: string; minutes: number }[]
}

/** The hours of the rotation whose assignments are nearest to today; of everything where there is none. */
export const readLedger = async (
  db: Db,
  programId: number,
  studentId: number,
  today: string,
  areMadeUp: boolean,
): Promise<Ledger> => {
  const { rows } = await sql<LedgerRow>`
    with current as materialized (${rotationNearest(programId, studentId, today)}),
    hours as (
      select coalesce(sum(h.approved_minutes), 0) as approved, coalesce(sum(h.pending_minutes), 0) as pending,
        coalesce(sum(h.absence_minutes), 0) as absence, coalesce(sum(h.makeup_minutes), 0) as makeup
      from student_hours h where h.program_id = ${programId} and h.student_id = ${studentId}
        and (h.rotation_id = (select id from current) or not exists (select from current))),
    placed as (
      select a.date, a.ends_at, ${plannedMinutes('a')} as minutes, ${isAhead('a')} as is_ahead
      from current c join shift_assignment a on a.program_id = ${programId} and a.student_id = ${studentId}
        and a.rotation_id = c.id and a.removed_at is null),
    makeups as (
      select coalesce(sum(r.minutes), 0) as minutes, min(r.date) as date from time_record r
      where r.program_id = ${programId} and r.student_id = ${studentId} and r.kind = 'makeup' and r.status = 'pending'
        and r.deleted_at is null and r.occurred_at > now()
        and (r.rotation_id = (select id from current) or not exists (select from current)))
    select c.name as "Rotation", c.end_date as "RotationEndDate", coalesce(c.target_minutes, 0) as target, h.*,
      coalesce((select sum(minutes) from placed where ends_at <= now()), 0) as planned,
      (select count(*) from placed where ends_at <= now()) as past_days,
      (select count(*) from time_record r where r.program_id = ${programId} and r.student_id = ${studentId}
        and r.kind = 'absence' and r.deleted_at is null and r.status <> 'rejected' and r.occurred_at <= now()
        and (r.rotation_id = c.id or c.id is null)) as absent_days,
      m.minutes as makeup_planned, m.date as makeup_date,
      coalesce((select jsonb_agg(jsonb_build_object('date', date, 'minutes', minutes) order by date)
        from placed where is_ahead), '[]') as ahead
    from hours h cross join makeups m left join current c on true`.execute(db)
  const row = rows[0]!
  const assigned = row.ahead.reduce((sum, { minutes }) => sum + minutes, 0)
  const { minutes: projected, parts } = project({
    approved: row.approved,
    pending: row.pending,
    makeupPlanned: row.makeup_planned,
    makeupDate: row.makeup_date,
    assigned,
    assignedShifts: row.ahead.length,
    absentDays: row.absent_days,
    pastDays: row.past_days,
  })
  return {
    Rotation: row.Rotation,
    RotationEndDate: row.RotationEndDate,
    ApprovedMinutes: row.approved,
    PendingMinutes: Math.max(0, row.pending - row.makeup_planned),
    OwedMinutes: Math.max(0, row.target - parts.Earned),
    MakeupPlannedMinutes: row.makeup_planned,
    MakeupOwedMinutes: makeupOwed(row.absence, row.makeup, areMadeUp),
    TargetMinutes: row.target,
    PlannedMinutes: row.planned,
    ProjectedMinutes: projected,
    ProjectedFinishDate: finishDate(
      parts.Earned,
      row.target,
      missedShare(parts),
      aheadDays(row.ahead, parts),
      today,
    ),
  }
}
