import { sql } from 'kysely'
import { addDays, formatDate } from '#contract/core/calendar.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import { timeFailures } from '#contract/time/failures.ts'
import { type Doubt, type DoubtCode, muchLongerMinutes } from '#contract/time/insight.ts'
import { atSite } from '#contract/time/wording.ts'
import { msOf } from '#server/core/database/moments.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'
import { lockTimeOfRecords } from './lock.queries.ts'
import { refuseSamePunch } from './pairs.queries.ts'
import { isRemovalAsked } from './punch.queries.ts'
import { longestPair } from './punch.rules.ts'
import { momentOf, wallClock } from './zone.rules.ts'

/** What a change of a record has to know; moments in milliseconds. */
export interface ChangeableRecord {
  id: number
  studentId: number
  kind: 'in' | 'out' | 'exception' | 'absence' | 'makeup'
  at: number
  date: string
  endsAt: number | null
  siteId: number | null
  siteName: string | null
  zone: string
  rotationId: number | null
  status: 'pending' | 'approved' | 'rejected'
  /** Of a pair: a half that was rejected or deleted by itself has no other one until it comes back. */
  partnerId: number | null
  partnerAt: number | null
  partnerReasons: Doubt[] | null
  isPartnerApproved: boolean
  reasons: Doubt[]
  changeTo: number | null
  /** The change asked for is to take the clock-in back. */
  isRemoval: boolean
  changeStatus: string | null
  shift: {
    assignmentId: number
    rotationId: number
    shiftType: string
    siteId: number
    startsAt: number
    endsAt: number
  } | null
  forbidsSupervisors: boolean
}

/**
 * The record with its other half, after the time of its student was locked; undefined when it is not there or outside the
 * scope. `deleted` finds a deleted one.
 */
export const lockRecord = async (
  db: Db,
  programId: number,
  recordId: number,
  { scope, studentId, deleted = false }: { scope?: SiteScope; studentId?: number; deleted?: boolean },
): Promise<ChangeableRecord | undefined> => {
  await lockTimeOfRecords(db, { where: sql`r.program_id = ${programId} and r.id = ${recordId}` })
  const { rows } = await sql<ChangeableRecord>`
    select r.id, r.student_id as "studentId", r.kind, ${msOf('r.occurred_at')} as at, r.date, ${msOf('r.ends_at')} as "endsAt",
      r.site_id as "siteId", s.name as "siteName", coalesce(s.time_zone, p.time_zone) as zone, r.rotation_id as "rotationId", r.status,
      q.id as "partnerId", ${msOf('q.occurred_at')} as "partnerAt", r.reasons,
      q.reasons as "partnerReasons", q.status is not distinct from 'approved' as "isPartnerApproved",
      ${msOf('r.change_to')} as "changeTo", r.change_status as "changeStatus", r.change_is_removal as "isRemoval",
      coalesce(s.forbid_cs_logclock_editing, false) as "forbidsSupervisors",
      case when a.id is not null then jsonb_build_object('assignmentId', a.id, 'rotationId', a.rotation_id,
        'shiftType', x.type, 'siteId', a.site_id, 'startsAt', ${msOf('a.starts_at')}, 'endsAt', ${msOf('a.ends_at')}) end as shift
    from time_record r join program p on p.id = r.program_id
    left join site s on s.program_id = r.program_id and s.id = r.site_id
    left join time_record q on q.program_id = r.program_id and q.id = r.partner_id and q.partner_id = r.id
    left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id
    left join site_shift x on x.program_id = a.program_id and x.id = a.site_shift_id
    where r.program_id = ${programId} and r.id = ${recordId}
      and r.deleted_at is ${deleted ? sql`not null` : sql`null`}
      and ${scope ? inScope(scope, 'r.program_id', 'r.site_id') : sql`true`}
      and ${studentId === undefined ? sql`true` : sql`r.student_id = ${studentId}`}
    for update of r`.execute(db)
  return rows[0]
}

/**
 * The moment of a wall-clock time. A time that the clocks skip is refused with the reason, one that comes twice unless it is told
 * which is meant.
 */
export const momentAt = (
  date: string,
  time: string,
  zone: string,
  { field = 'Time', isSecond }: { field?: 'Time' | 'EndTime'; isSecond?: boolean | undefined } = {},
): number => {
  const moment = momentOf(date, time, zone)
  if ('at' in moment) {
    if (moment.again === undefined) return moment.at
    if (isSecond !== undefined) return isSecond ? moment.again : moment.at
    throw fail(timeFailures.repeated_time, { Date: formatDate(date), Time: time }, field)
  }
  throw fail(
    timeFailures.skipped_time,
    { Date: formatDate(date), SkippedFrom: moment.skippedFrom, SkippedTo: moment.skippedTo, Time: time },
    field,
  )
}

const hour = 3_600_000

/** How long hours that end on the day after may be: much longer than every shift of the program is a slip of the pen. */
const longestOverMidnight = async (db: Db, programId: number): Promise<number> => {
  const { rows } = await sql<{ minutes: number | null }>`
    select max(mod((extract(epoch from end_time - start_time) / 60)::int + 1439, 1440) + 1) as minutes from site_shift
    where program_id = ${programId} and deleted_at is null`.execute(db)
  return Math.min(longestPair(null), ((rows[0]!.minutes ?? 12 * 60) + muchLongerMinutes) * 60_000)
}

const lengthText = (milliseconds: number): string =>
  `${Math.floor(milliseconds / hour)} h ${Math.round((milliseconds % hour) / 60_000)} min`

/** When reported hours begin and end, as a person says it. */
export interface Said {
  Date: string
  Time: string
  TimeIsSecond?: boolean | undefined
  EndTime?: string | undefined
  EndDate?: string | undefined
  EndTimeIsSecond?: boolean | undefined
}

/**
 * Begin and end of reported hours; an end before the begin is on the next day, within a bound, and so is an equal one that says so.
 *
 * @throws Failure 422 where they cannot be
 */
export const spanAt = async (
  db: Db,
  programId: number,
  { Date: date, Time: time, EndTime: endTime, EndDate: endDate, ...which }: Said,
  zone: string,
): Promise<{ at: number; endsAt: number | null }> => {
  const at = momentAt(date, time, zone, { isSecond: which.TimeIsSecond })
  if (!endTime) return { at, endsAt: null }
  const dayAfter = addDays(date, 1)
  const end = { field: 'EndTime' as const, isSecond: which.EndTimeIsSecond }
  const endOn = (day: string) => momentAt(day, endTime, zone, end)
  const isDayAfter = endDate === dayAfter
  // 01:30 to 01:10 on the same night, where that hour comes twice.
  const sameDay =
    !isDayAfter && (endTime > time || 'again' in momentOf(date, endTime, zone)) ? endOn(date) : undefined
  if (!isDayAfter && endTime === time && (sameDay === undefined || sameDay === at))
    throw fail(timeFailures.same_time, { Time: time }, 'EndTime')
  if (sameDay !== undefined && sameDay > at && (endDate ?? date) === date) return { at, endsAt: sameDay }
  if (endDate !== undefined && !isDayAfter)
    throw fail(timeFailures.ends_too_late, { Date: formatDate(date), Time: time }, 'EndDate')
  const endsAt = endOn(dayAfter)
  const longest = await longestOverMidnight(db, programId)
  // As the clocks show it: a shift of a day may last an hour longer, and so may hours in its place.
  if (Date.parse(`${dayAfter}T${endTime}Z`) - Date.parse(`${date}T${time}Z`) > longest)
    throw fail(
      timeFailures.too_long_overnight,
      { Time: time, EndTime: endTime, Length: lengthText(endsAt - at), Longest: lengthText(longest) },
      'EndTime',
    )
  return { at, endsAt }
}

export interface SiteZone {
  id: number
  name: string
  zone: string
}

export const getSiteZone = async (
  db: Db,
  programId: number,
  siteId: number,
  scope: SiteScope = { supervisorId: null },
): Promise<SiteZone> => {
  const { rows } = await sql<SiteZone>`select s.id, s.name, s.time_zone as zone from site s
    where s.program_id = ${programId} and s.id = ${siteId} and s.deleted_at is null
      and ${inScope(scope, 's.program_id', 's.id')}`.execute(db)
  if (!rows[0]) throw fail(siteFailures.no_site)
  return rows[0]
}

export interface DayShift {
  assignmentId: number
  rotationId: number
  shiftType: ShiftType
  siteId: number
  siteName: string
  zone: string
  startsAt: number
  endsAt: number
}

/**
 * A student's shifts on a day, at one site if it is given, and the rotation they are in on it. `withNightBefore` adds the
 * shifts of the day before that end on this one: a clock-out at 07:23 belongs to the night.
 */
export const readDay = async (
  db: Db,
  programId: number,
  studentId: number,
  date: string,
  siteId: number | undefined,
  { withNightBefore = false } = {},
): Promise<{ shifts: DayShift[]; rotationId: number | null }> => {
  const { rows } = await sql<{ shifts: DayShift[]; rotationId: number | null }>`
    select coalesce((select jsonb_agg(jsonb_build_object('assignmentId', a.id, 'rotationId', a.rotation_id,
        'shiftType', x.type, 'siteId', a.site_id, 'siteName', s.name, 'zone', s.time_zone,
        'startsAt', ${msOf('a.starts_at')}, 'endsAt', ${msOf('a.ends_at')}) order by a.starts_at)
      from shift_assignment a
      join site_shift x on x.program_id = a.program_id and x.id = a.site_shift_id
      join site s on s.program_id = a.program_id and s.id = a.site_id
      where a.program_id = ${programId} and a.student_id = ${studentId}
        and (a.date = ${date}::date or ${withNightBefore} and a.date = ${date}::date - 1
          and (a.ends_at at time zone s.time_zone)::date = ${date}::date)
        and a.removed_at is null and (${siteId ?? null}::bigint is null or a.site_id = ${siteId ?? null}::bigint)), '[]') as shifts,
      (select a.rotation_id from shift_assignment a
        join rotation t on t.program_id = a.program_id and t.id = a.rotation_id
          and ${date}::date between t.start_date and t.end_date
        where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
        order by abs(a.date - ${date}::date) limit 1) as "rotationId"`.execute(db)
  return rows[0]!
}

/** A clock-in that runs, until now: its shift ended no more than four hours ago, or it began within 16 hours. */
const runningSpan = sql`(r.kind = 'in' and r.partner_id is null and not ${isRemovalAsked} and r.occurred_at between now() - interval '30 hours' and now()
  and coalesce((select a.ends_at + interval '4 hours' from shift_assignment a
    where a.program_id = r.program_id and a.id = r.assignment_id), r.occurred_at + interval '16 hours') > now())`

/** Refuses hours that overlap others of the student, so that none count twice. */
export const refuseOverlap = async (
  db: Db,
  programId: number,
  studentId: number,
  from: number,
  to: number,
  exceptIds: readonly number[],
  /** An absence is no hours: it may be told while somebody is clocked in. */
  { withRunning = true }: { withRunning?: boolean } = {},
): Promise<void> => {
  const { rows } = await sql<{
    from: number
    to: number
    isRunning: boolean
    site: string | null
    zone: string
  }>`
    select ${msOf('f.from_at')} as from, ${msOf('f.to_at')} as to, f.is_running as "isRunning", s.name as site,
      coalesce(s.time_zone, p.time_zone) as zone
    from (
      select r.program_id, r.site_id, coalesce(q.occurred_at, r.occurred_at) as from_at,
        case when r.kind = 'in' then now() else coalesce(r.ends_at, r.occurred_at) end as to_at, r.kind = 'in' as is_running
      from time_record r
      left join time_record q on q.program_id = r.program_id and q.id = r.partner_id
      where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null
        and r.status <> 'rejected' and not (r.id = any (${[...exceptIds]}::bigint[]))
        and (r.kind = 'out' and r.partner_id is not null or r.kind not in ('in', 'out') and r.ends_at is not null or ${withRunning} and ${runningSpan})
        and r.occurred_at between to_timestamp(${from / 1000}) - interval '2 days' and to_timestamp(${to / 1000}) + interval '2 days'
    ) f join program p on p.id = f.program_id
    left join site s on s.program_id = f.program_id and s.id = f.site_id
    where f.from_at < to_timestamp(${to / 1000}) and f.to_at > to_timestamp(${from / 1000})
    order by f.from_at limit 1`.execute(db)
  const found = rows[0]
  if (!found) return
  const begin = wallClock(found.from, found.zone)
  const end = wallClock(found.to, found.zone)
  if (found.isRunning)
    throw fail(
      timeFailures.clock_in_runs,
      { Date: formatDate(begin.date), Time: begin.time, At: atSite(found.site) },
      'Time',
    )
  throw fail(
    timeFailures.overlap,
    { Date: formatDate(begin.date), Time: begin.time, EndTime: end.time, At: atSite(found.site) },
    'Time',
  )
}

/** Refuses a time of a record under which its hours, or those of its pair, would overlap others of the student. */
export const refuseOverlapOf = async (
  db: Db,
  programId: number,
  record: Pick<ChangeableRecord, 'id' | 'studentId' | 'kind' | 'at' | 'partnerId' | 'partnerAt'>,
  at: number,
  endsAt: number | null = null,
): Promise<void> => {
  const isPunch = record.kind === 'in' || record.kind === 'out'
  // What a clock-in without its other half would take in before it was made.
  const alone = record.kind === 'in' ? Math.max(at + 1, record.at) : at + 1
  const other = isPunch ? (record.partnerAt ?? alone) : (endsAt ?? at + 1)
  if (isPunch && Math.floor(at / 60_000) !== Math.floor(record.at / 60_000))
    await refuseSamePunch(
      db,
      programId,
      { studentId: record.studentId, kind: record.kind as 'in', at },
      record.id,
    )
  await refuseOverlap(db, programId, record.studentId, Math.min(at, other), Math.max(at, other), [
    record.id,
    record.partnerId ?? 0,
  ])
}

/** Refuses a pair whose end comes before its begin, or that is longer than the longest one can be, in milliseconds. */
export const refuseBadPair = (
  kind: 'in' | 'out',
  at: number,
  partnerAt: number | null,
  longest: number,
): void => {
  if (partnerAt === null) return
  const [from, to] = kind === 'in' ? [at, partnerAt] : [partnerAt, at]
  if (to <= from) {
    throw fail(timeFailures.out_before_in, 'Time')
  }
  if (to - from > longest) {
    throw fail(timeFailures.too_long, { Longest: Math.floor(longest / hour) }, 'Time')
  }
}

/** The doubts and the insight of a record without (or with) one doubt more. */
export const withDoubt = (reasons: readonly Doubt[], doubt: DoubtCode, is: boolean): Doubt[] => [
  ...reasons.filter(({ Code }) => Code !== doubt),
  ...(is ? [{ Code: doubt }] : []),
]

/** The record that an Idempotency-Key of a student has made, also one that was deleted. */
export const findToldRecord = async (db: Db, programId: number, studentId: number, key: string) => {
  const { rows } = await sql<{ id: number; hash: Buffer | null }>`
    select r.id, r.request_hash as hash from time_record r
    where r.program_id = ${programId} and r.student_id = ${studentId} and r.idempotency_key = ${key}`.execute(
    db,
  )
  return rows[0]
}

/**
 * The unmatched punch that another half at a moment belongs to, with the longest its pair can be: the named one, or the nearest that the
 * clock would not take for forgotten, four hours around its shift or sixteen hours without one.
 */
export const findOtherHalf = async (
  db: Db,
  programId: number,
  studentId: number,
  kind: 'in' | 'out',
  at: number,
  partnerId: number | undefined,
): Promise<{ id: number; at: number; siteId: number | null; longest: number } | undefined> => {
  const isIn = kind === 'in'
  const moment = sql`to_timestamp(${at / 1000})`
  const { rows } = await sql<{
    id: number
    at: number
    siteId: number | null
    shift: { startsAt: number; endsAt: number } | null
  }>`
    select r.id, ${msOf('r.occurred_at')} as at, r.site_id as "siteId", case when a.id is not null
      then jsonb_build_object('startsAt', ${msOf('a.starts_at')}, 'endsAt', ${msOf('a.ends_at')}) end as shift
    from time_record r
    left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id
    where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null and r.status <> 'rejected'
      and r.kind = ${isIn ? 'out' : 'in'} and r.partner_id is null
      and ${
        partnerId === undefined
          ? isIn
            ? sql`r.occurred_at > ${moment} and ${moment} >= coalesce(a.starts_at - interval '4 hours', r.occurred_at - interval '16 hours')`
            : sql`r.occurred_at < ${moment} and ${moment} <= coalesce(a.ends_at + interval '4 hours', r.occurred_at + interval '16 hours')`
          : sql`r.id = ${partnerId}`
      }
    order by abs(extract(epoch from r.occurred_at) - ${at / 1000}) limit 1`.execute(db)
  const found = rows[0]
  return found && { ...found, longest: longestPair(found.shift) }
}
