import { sql } from 'kysely'
import { addDays, mondayOf } from '#contract/core/calendar.ts'
import type { Home } from '#contract/reports/reports.ts'
import type { Db } from '#server/core/database/pool.ts'
import { expiredOn } from '../requirements/expired.queries.ts'
import { isUnrecorded, shouldHaveBegun } from '../time/attendance.queries.ts'

type Counts = Pick<
  Home,
  | 'NotClockedIn'
  | 'LateEvaluations'
  | 'ExpiredRequirements'
  | 'WaitingLogs'
  | 'AtRisk'
  | 'SuspendedExams'
  | 'SimulationsToApprove'
> & {
  /** Names of students with an unmatched punch. */
  Unmatched: string
}

/** Days in which supervisors verify by themselves; what waits longer is for the program to look at. */
const daysToVerify = 7

/** Everything that waits besides time records, in one statement; each part is answered by an index of the program. */
export const countWaiting = async (db: Db, programId: number, today: string): Promise<Counts> => {
  const names = (from: ReturnType<typeof sql>) =>
    sql<string>`(select coalesce(string_agg(n, ', '), '') from (${from} limit 4) as f (n))`
  const { rows } = await sql<Record<string, number | string>>`
    select m.missing, e.late, e.oldest, q.expired, q.soonest, k.at_risk, l.waiting, l.since, x.suspended, y.simulations, y.first_simulation,
      ${names(sql`select distinct a.last_name from time_record r join account a on a.id = r.student_id
        where r.program_id = ${programId} and r.partner_id is null and r.kind in ('in', 'out') and r.deleted_at is null
        and r.status = 'pending' and r.date < ${today}::date`)} as unmatched_names
    from (select count(*) as missing from shift_assignment a
      join account u on u.program_id = a.program_id and u.id = a.student_id and u.deleted_at is null
      where a.program_id = ${programId} and a.date = ${today}::date and a.removed_at is null
        and ${shouldHaveBegun} and ${isUnrecorded}) m,
    (select count(*) as late, coalesce(${today}::date - min(end_date), 0) as oldest from evaluation
      where program_id = ${programId} and not is_completed and stopped_at is null and end_date < ${today}::date and deleted_at is null) e,
    (select count(*) as expired, min(s.expires_on)::text as soonest ${expiredOn(programId, today)}) q,
    (select count(*) as waiting, min(date)::text as since from procedure_log
      where program_id = ${programId} and state = 'submitted' and deleted_at is null and date < ${today}::date - ${daysToVerify}::int) l,
    (select count(*) as at_risk from student_progress where program_id = ${programId} and risks <> '{}') k,
    (select count(*) as suspended from exam_attempt where program_id = ${programId} and state = 'suspended') x,
    (select count(*) as simulations, min(date)::text as first_simulation from exam_attempt
      where program_id = ${programId} and state = 'open' and is_simulated and simulation_approved_at is null) y`.execute(
    db,
  )
  const row = rows[0]!
  const number = (name: string): number => Number(row[name])
  const text = (name: string): string => (row[name] === null ? '' : String(row[name]))
  return {
    Unmatched: text('unmatched_names'),
    NotClockedIn: { Count: number('missing'), Detail: '' },
    LateEvaluations: { Count: number('late'), Detail: text('oldest') },
    ExpiredRequirements: { Count: number('expired'), Detail: text('soonest') },
    AtRisk: { Count: number('at_risk'), Detail: '' },
    SuspendedExams: { Count: number('suspended'), Detail: '' },
    SimulationsToApprove: { Count: number('simulations'), Detail: text('first_simulation') },
    WaitingLogs: { Count: number('waiting'), Detail: text('since') },
  }
}

/** Today's shifts by type, with those of last night that still go on: who is there, who has left, who has not come. */
export const atSitesNow = async (db: Db, programId: number, today: string): Promise<Home['AtSitesNow']> => {
  const { rows } = await sql<Home['AtSitesNow'][number]>`
    select s.type as "ShiftType", to_char(min(s.start_time), 'HH24:MI') as "StartTime", to_char(max(s.end_time), 'HH24:MI') as "EndTime",
      count(*) as "Expected", min(a.starts_at) <= now() as "HasBegun", max(a.ends_at) <= now() as "HasEnded",
      count(*) filter (where c.is_open) as "In", count(*) filter (where not c.is_open) as "Left"
    from shift_assignment a join site_shift s on s.program_id = a.program_id and s.id = a.site_shift_id
    cross join lateral (select bool_or(r.partner_id is null) as is_open from time_record r
      where r.program_id = a.program_id and r.assignment_id = a.id and r.kind = 'in' and r.deleted_at is null) c
    where a.program_id = ${programId} and a.removed_at is null
      and (a.date = ${today}::date or (a.date = ${today}::date - 1 and a.ends_at > now()))
    group by s.type order by min(s.start_time), s.type`.execute(db)
  return rows
}

export const capacityToday = async (
  db: Db,
  programId: number,
  today: string,
): Promise<Home['CapacityToday']> => {
  const { rows } = await sql<Home['CapacityToday'][number]>`
    select t.id as "SiteId", t.name as "Site", sum(d.placed)::integer as "Placed", sum(s.capacity)::integer as "Places"
    from shift_day d
    join site_shift s on s.program_id = d.program_id and s.id = d.site_shift_id
    join site t on t.program_id = s.program_id and t.id = s.site_id
    where d.program_id = ${programId} and d.date = ${today}::date and d.placed > 0
    group by t.id, t.name order by sum(d.placed) desc, t.name limit 6`.execute(db)
  return rows
}

export const endingAgreements = async (
  db: Db,
  programId: number,
  today: string,
): Promise<Home['Agreements']> => {
  const { rows } = await sql<Home['Agreements'][number]>`
    select a.id as "AgreementId", t.id as "SiteId", t.name as "Site", a.termination_date as "TerminationDate", a.termination_date - ${today}::date as "Days"
    from affiliate_agreement a join site t on t.program_id = a.program_id and t.id = a.site_id and t.deleted_at is null
    where a.program_id = ${programId} and a.is_active and a.deleted_at is null
      and a.termination_date between ${today}::date and ${today}::date + 90
    order by a.termination_date limit 3`.execute(db)
  return rows
}

/** Worked minutes of the last eight weeks, Mondays first. */
export const hoursByWeek = async (db: Db, programId: number, today: string): Promise<Home['Weeks']> => {
  const last = mondayOf(today)
  const { rows } = await sql<Home['Weeks'][number]>`
    select w::date as "Monday", coalesce(sum(s.minutes - s.pending_minutes), 0) as "ApprovedMinutes",
      coalesce(sum(s.pending_minutes), 0) as "PendingMinutes"
    from generate_series(${addDays(last, -49)}::timestamp, ${last}::timestamp, interval '7 days') w
    left join week_sum s on s.program_id = ${programId} and s.monday = w::date
      and s.monday between ${addDays(last, -49)}::date and ${last}::date
    group by 1 order by 1`.execute(db)
  return rows
}
