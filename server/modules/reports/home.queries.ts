import { type RawBuilder, sql } from 'kysely'
import { addDays, weekOf } from '#contract/core/calendar.ts'
import type { Home } from '#contract/reports/reports.ts'
import type { Db } from '#server/core/database/pool.ts'
import { expiredOn } from '../requirements/expired.queries.ts'
import { isUnrecordedToday, shouldHaveBegun, workedDays } from '../time/attendance.queries.ts'
import { type CountedRecords, countedToday, running } from '../time/records.queries.ts'
import { type RotationHours, rotationHours } from '../time/rotation-hours.queries.ts'
import { shiftsOfToday } from '../time/today.queries.ts'

/** Days in which supervisors verify by themselves; what waits longer is for the program to look at. */
const daysToVerify = 7

/** Shifts of today that should have begun and that nobody has recorded; few are left for the records of a day. */
const notClockedIn = (today: string) => sql`
  select count(*) as "Count", '' as "Detail" from today a
  where a.date = ${today}::date and ${shouldHaveBegun} and not a.is_recorded and ${isUnrecordedToday}
    and (select u.deleted_at is null from account u where u.program_id = a.program_id and u.id = a.student_id)`

/** Names of students with an unmatched punch. */
const unmatched = (programId: number, today: string) => sql`
  select coalesce(string_agg(n, ', '), '') as "Names" from (
    select distinct coalesce(nullif(a.last_name, ''), a.first_name) from time_record r join account a on a.id = r.student_id
    where r.program_id = ${programId} and r.partner_id is null and r.kind in ('in', 'out') and r.deleted_at is null
      and r.status = 'pending' and r.date < ${today}::date limit 4) as f (n)`

/** Evaluations past their day, and by how many days the oldest of them. */
const lateEvaluations = (programId: number, today: string) => sql`
  select count(*) as "Count", coalesce(${today}::date - min(end_date), 0)::text as "Detail" from evaluation
  where program_id = ${programId} and not is_completed and stopped_at is null and end_date < ${today}::date and deleted_at is null`

const expiredRequirements = (programId: number, today: string) => sql`
  select count(*) as "Count", coalesce(min(s.expires_on)::text, '') as "Detail" ${expiredOn(programId, today)}`

const waitingLogs = (programId: number, today: string) => sql`
  select count(*) as "Count", coalesce(min(date)::text, '') as "Detail" from procedure_log
  where program_id = ${programId} and state = 'submitted' and deleted_at is null and date < ${today}::date - ${daysToVerify}::int`

const suspendedExams = (programId: number) => sql`
  select count(*) as "Count", '' as "Detail" from exam_attempt where program_id = ${programId} and state = 'suspended'`

const simulationsToApprove = (programId: number) => sql`
  select count(*) as "Count", coalesce(min(date)::text, '') as "Detail" from exam_attempt
  where program_id = ${programId} and state = 'open' and is_simulated and simulation_approved_at is null`

const offeredPlaces = (programId: number) => sql`
  select count(*) as "Count", coalesce((array_agg(s.name order by r.answered_at, r.id))[1], '') as "Detail"
  from place_request r join site s on s.program_id = r.program_id and s.id = r.site_id
  where r.program_id = ${programId} and r.withdrawn_at is null and r.answer is not null and r.is_accepted is null`

/** Today's shifts by type, with those of last night that still go on: who is there, who has left, who has not come. */
const atSitesNow = (programId: number, today: string) => sql`
  select s.type as "ShiftType", to_char(min(s.start_time), 'HH24:MI') as "StartTime", to_char(max(s.end_time), 'HH24:MI') as "EndTime",
    sum(c.expected)::integer as "Expected", min(c.starts_at) <= now() as "HasBegun", max(c.ends_at) <= now() as "HasEnded",
    sum(c.here)::integer as "In", sum(c.away)::integer as "Left"
  from (select a.site_shift_id, count(*) as expected, min(a.starts_at) as starts_at, max(a.ends_at) as ends_at,
      count(*) filter (where a.is_open) as here, count(*) filter (where not a.is_open) as away
    from today a where a.date = ${today}::date or (a.date = ${today}::date - 1 and a.ends_at > now()) group by 1) c
  join site_shift s on s.program_id = ${programId} and s.id = c.site_shift_id
  group by s.type order by min(s.start_time), s.type`

/** Students who are clocked in without a shift. */
const inWithoutShift = (programId: number) => sql`
  select count(*)::integer from time_record r cross join (select null::timestamptz as ends_at) a
  where r.program_id = ${programId} and r.deleted_at is null and r.status = 'pending' and r.assignment_id is null and ${running}`

/** The sites with most students today. */
const capacityToday = (programId: number, today: string) => sql`
  select t.id as "SiteId", t.name as "Site", sum(d.placed)::integer as "Placed", sum(s.capacity)::integer as "Places"
  from shift_day d
  join site_shift s on s.program_id = d.program_id and s.id = d.site_shift_id
  join site t on t.program_id = s.program_id and t.id = s.site_id
  where d.program_id = ${programId} and d.date = ${today}::date and d.placed > 0
  group by t.id, t.name order by sum(d.placed) desc, t.name limit 6`

/** Those that end soon, and the last one of a site that has ended while students still come. */
const endingAgreements = (programId: number, today: string) => sql`
  select a.id as "AgreementId", t.id as "SiteId", t.name as "Site", a.termination_date as "TerminationDate",
    a.termination_date - ${today}::date as "Days"
  from affiliate_agreement a join site t on t.program_id = a.program_id and t.id = a.site_id and t.deleted_at is null
  where a.program_id = ${programId} and a.is_active and a.deleted_at is null
    and a.termination_date <= ${today}::date + 90
    and (a.termination_date >= ${today}::date
      or exists (select from shift_assignment s
          where s.program_id = a.program_id and s.site_id = a.site_id and s.removed_at is null and s.date >= ${today}::date)
        and not exists (select from affiliate_agreement n
          where n.program_id = a.program_id and n.site_id = a.site_id and n.is_active and n.deleted_at is null
            and (n.termination_date is null or (n.termination_date, n.id) > (a.termination_date, a.id))))
  order by a.termination_date limit 3`

/** Worked minutes of the last eight weeks, the oldest first. */
const hoursByWeek = (programId: number, today: string) => {
  const last = weekOf(today)
  return sql`
    select w::date as "Week", w::date + 1 as "Monday", coalesce(s.approved, 0) as "ApprovedMinutes", coalesce(s.pending, 0) as "PendingMinutes"
    from generate_series(${addDays(last, -49)}::timestamp, ${last}::timestamp, interval '7 days') w
    left join (
      select week_of(d.date) as week, sum(d.approved) as approved, sum(d.pending) as pending
      from (${workedDays(programId, sql`${addDays(last, -49)}::date`, sql`${addDays(last, 6)}::date`)}) d group by 1) s on s.week = w::date
    order by 1`
}

const one = (part: RawBuilder<unknown>) => sql`(select row_to_json(p) from (${part}) p)`
const rowsOf = (part: RawBuilder<unknown>) => sql`(select coalesce(json_agg(p), '[]') from (${part}) p)`

type HomeParts = Pick<
  Home,
  | 'NotClockedIn'
  | 'LateEvaluations'
  | 'ExpiredRequirements'
  | 'WaitingLogs'
  | 'SuspendedExams'
  | 'SimulationsToApprove'
  | 'OfferedPlaces'
  | 'AtSitesNow'
  | 'InWithoutShift'
  | 'CapacityToday'
  | 'Agreements'
  | 'Weeks'
> & {
  Unmatched: { Names: string }
  Records: CountedRecords
  Hours: RotationHours | null
}

/**
 * What the home page shows besides news, in one round trip: each part is answered by an index of the program, and the shifts
 * of today are read once for those that look at them. Hours are those of the rotation, null without one.
 */
export const readHome = async (
  db: Db,
  programId: number,
  { today, rotationId }: { today: string; rotationId: number | undefined },
): Promise<HomeParts> => {
  const { rows } = await sql<HomeParts>`
    with ${shiftsOfToday(programId, today)}
    select ${one(notClockedIn(today))} as "NotClockedIn", ${one(countedToday(programId))} as "Records",
      ${rotationId === undefined ? sql`null` : one(rotationHours(programId, rotationId))} as "Hours", ${one(unmatched(programId, today))} as "Unmatched",
      ${one(lateEvaluations(programId, today))} as "LateEvaluations",
      ${one(expiredRequirements(programId, today))} as "ExpiredRequirements",
      ${one(waitingLogs(programId, today))} as "WaitingLogs",
      ${one(suspendedExams(programId))} as "SuspendedExams", ${one(simulationsToApprove(programId))} as "SimulationsToApprove",
      ${one(offeredPlaces(programId))} as "OfferedPlaces",
      ${rowsOf(atSitesNow(programId, today))} as "AtSitesNow", (${inWithoutShift(programId)}) as "InWithoutShift",
      ${rowsOf(capacityToday(programId, today))} as "CapacityToday",
      ${rowsOf(endingAgreements(programId, today))} as "Agreements", ${rowsOf(hoursByWeek(programId, today))} as "Weeks"`.execute(
    db,
  )
  // A select without a table has one row.
  return rows[0]!
}
