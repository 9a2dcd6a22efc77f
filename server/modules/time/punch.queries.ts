import { type RawBuilder, sql } from 'kysely'
import { type ProgramOptions, readOptions } from '#contract/programs/program-options.ts'
import type { HoursRule } from '#contract/time/rules-of-hours.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readRules } from './credit.queries.ts'
import { studentTimeLock } from './lock.queries.ts'
import type { Position, PunchFacts, ShiftFacts, SiteFacts } from './punch.rules.ts'

export interface PunchContext {
  /** The database's clock, which all processes share; milliseconds. */
  now: number
  sites: SiteFacts[]
  shifts: ShiftFacts[]
  punches: PunchFacts[]
  /** Reported time: exceptions, absences and planned makeup with their end. */
  reported: { from: number; to: number }[]
  /** What this key has made already, and the fingerprint of what was told then. */
  earlierId: number | null
  earlierHash: string | null
}

export interface ClockProgram {
  timeZone: string
  options: ProgramOptions
  rules: HoursRule[]
}

/** The student asks to take back the clock-in: it does not run meanwhile. */
export const isRemovalAsked = sql<boolean>`(r.change_is_removal and r.change_status = 'asked')`

/** The student's program; with `lock`, other writes of the student's time wait until this transaction ends. */
export const readClockProgram = async (
  db: Db,
  programId: number,
  studentId: number,
  lock: boolean,
): Promise<ClockProgram> => {
  const { rows } = await sql<{ time_zone: string; options: unknown; hours_rules: unknown }>`
    select p.time_zone, p.options, p.hours_rules ${
      lock ? sql`, ${studentTimeLock(studentId)}` : sql``
    } from program p where p.id = ${programId}`.execute(db)
  const { time_zone, options, hours_rules } = rows[0]!
  return { timeZone: time_zone, options: readOptions(options), rules: readRules(hours_rules) }
}

/** Whole milliseconds: what a punch is decided by is what it is kept and told as. */
const ms = (moment: RawBuilder<unknown>) => sql`trunc(extract(epoch from ${moment}) * 1000)::float8`

/**
 * Everything that decides a punch, read in one statement: shifts, punches and sites around a moment (now unless given). A
 * site that is asked for is the only one that comes beside those of the punches; without one come all that may be meant.
 */
export const readPunchContext = async (
  db: Db,
  asked: {
    programId: number
    studentId: number
    at?: string | undefined
    siteId?: number | undefined
    position?: Position | undefined
    address: string
    key?: string | undefined
  },
): Promise<PunchContext> => {
  const { programId, studentId, siteId, position } = asked
  const latitude = position?.latitude ?? null
  const longitude = position?.longitude ?? null
  // The statement's own time: a student's second punch waits for the first one's lock in the statement before this one.
  const now = sql`statement_timestamp()`
  const at = sql`coalesce(${asked.at ?? null}::timestamptz, ${now})`
  const candidates =
    siteId === undefined
      ? sql`select site_id from shifts
        union select n.site_id from site_network n
          where n.program_id = ${programId} and n.range >>= ${asked.address}::inet
        union (select s.id from site s where s.program_id = ${programId} and s.deleted_at is null and s.is_active
          and s.latitude between ${latitude}::float8 - 0.05 and ${latitude}::float8 + 0.05
          and s.longitude between ${longitude}::float8 - 0.1 and ${longitude}::float8 + 0.1
          order by abs(s.latitude - ${latitude}::float8) + abs(s.longitude - ${longitude}::float8) limit 20)`
      : sql`select ${siteId}::bigint`
  const { rows } = await sql<PunchContext>`
    with shifts as (
      select a.id, a.rotation_id, a.site_id, x.type, a.starts_at, a.ends_at
      from shift_assignment a join site_shift x on x.program_id = a.program_id and x.id = a.site_shift_id
      where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
        and a.date between (${at} - interval '2 days')::date and (${at} + interval '2 days')::date),
    punches as (
      select r.* from time_record r
      where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null
        and r.kind in ('in', 'out') and r.status <> 'rejected' and not ${isRemovalAsked}
        and r.occurred_at between ${at} - interval '3 days' and ${at} + interval '2 days'),
    earlier as (
      select r.id, encode(r.request_hash, 'hex') as hash from time_record r
      where r.program_id = ${programId} and r.student_id = ${studentId} and r.idempotency_key = ${asked.key ?? null}),
    reported as (
      select r.occurred_at, r.ends_at from time_record r
      where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null
        and r.kind not in ('in', 'out') and r.status <> 'rejected' and r.ends_at > ${at} - interval '1 day'
        and r.occurred_at between ${at} - interval '2 days' and ${at})
    select ${ms(now)} as now,
      coalesce((select jsonb_agg(jsonb_build_object('assignmentId', h.id, 'rotationId', h.rotation_id, 'siteId', h.site_id,
        'shiftType', h.type, 'startsAt', ${ms(sql`h.starts_at`)}, 'endsAt', ${ms(sql`h.ends_at`)}) order by h.starts_at)
        from shifts h), '[]') as shifts,
      coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'kind', r.kind, 'at', ${ms(sql`r.occurred_at`)},
        'siteId', r.site_id, 'partnerId', r.partner_id, 'assignmentId', r.assignment_id, 'rotationId', r.rotation_id,
        'shiftType', r.shift_type, 'latitude', r.latitude, 'longitude', r.longitude,
        'insight', case when r.status = 'pending' then r.insight else 1 end,
        'isChangeAsked', r.change_status is not distinct from 'asked') order by r.occurred_at, r.id)
        from punches r), '[]') as punches,
      coalesce((select jsonb_agg(jsonb_build_object('from', ${ms(sql`r.occurred_at`)}, 'to', ${ms(sql`r.ends_at`)}))
        from reported r), '[]') as reported,
      coalesce((select jsonb_agg(jsonb_build_object('siteId', s.id, 'name', s.name, 'timeZone', s.time_zone,
        'latitude', s.latitude, 'longitude', s.longitude, 'precisionM', s.precision_m,
        'allowOvernight', s.allow_overnight, 'allowMulticlock', s.allow_multiclock,
        'rejectInaccuratePins', s.reject_inaccurate_pins, 'rejectAccuracyM', s.reject_accuracy_m,
        'networkName', (select n.name from site_network n
          where n.program_id = ${programId} and n.site_id = s.id and n.range >>= ${asked.address}::inet
          order by masklen(n.range) desc, n.name limit 1)) order by s.id)
        from (select site_id as id from punches union ${candidates}) c
        join site s on s.program_id = ${programId} and s.id = c.id and s.deleted_at is null), '[]') as sites,
      (select id from earlier) as "earlierId", (select hash from earlier) as "earlierHash"`.execute(db)
  return rows[0]!
}
