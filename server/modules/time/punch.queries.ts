import { sql } from 'kysely'
import { type ProgramOptions, readOptions } from '#contract/program-options.ts'
import type { OwnRecord } from '#contract/time.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { NewPunch, Position, PunchFacts, ShiftFacts, SiteFacts } from './punch.rules.ts'
import { ownSelection } from './records.queries.ts'

export interface Surroundings {
  /** The database's clock, which all processes share; milliseconds. */
  now: number
  sites: SiteFacts[]
  shifts: ShiftFacts[]
  punches: PunchFacts[]
  /** The rotation the student is in at the moment, for punches that belong to no assignment. */
  rotationId: number | null
  /** The punch that this key has made already. */
  earlierId: number | null
}

export interface ClockProgram {
  timeZone: string
  options: ProgramOptions
}

/** The student's program; with `lock`, other punches of the student wait until this transaction ends. */
export const readClockProgram = async (
  db: Db,
  programId: number,
  studentId: number,
  lock: boolean,
): Promise<ClockProgram> => {
  const { rows } = await sql<{ time_zone: string; options: unknown }>`
    select p.time_zone, p.options ${
      lock ? sql`, pg_advisory_xact_lock(hashtextextended(${`clock:${studentId}`}, 0))` : sql``
    } from program p where p.id = ${programId}`.execute(db)
  return { timeZone: rows[0]!.time_zone, options: readOptions(rows[0]!.options) }
}

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`

/** Everything that decides a punch, read in one statement: shifts, punches and sites around a moment (now unless given). */
export const readSurroundings = async (
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
): Promise<Surroundings> => {
  const { programId, studentId, position } = asked
  const latitude = position?.latitude ?? null
  const longitude = position?.longitude ?? null
  const { rows } = await sql<Surroundings>`
    with moment as materialized (
      select clock_timestamp() as now, coalesce(${asked.at ?? null}::timestamptz, clock_timestamp()) as at),
    shifts as (
      select a.id, a.rotation_id, a.site_id, x.type, a.starts_at, a.ends_at
      from shift_assignment a join site_shift x on x.program_id = a.program_id and x.id = a.site_shift_id
      where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
        and a.date between (select (at - interval '2 days')::date from moment)
        and (select (at + interval '2 days')::date from moment)),
    punches as (
      select r.id, r.kind, r.occurred_at, r.site_id, r.partner_id, q.occurred_at as partner_at, r.assignment_id,
        r.rotation_id, r.shift_type, a.ends_at, coalesce(r.latitude, s.latitude) as latitude,
        coalesce(r.longitude, s.longitude) as longitude
      from time_record r
      left join time_record q on q.program_id = r.program_id and q.id = r.partner_id
      left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id
      left join site s on s.program_id = r.program_id and s.id = r.site_id
      where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null
        and r.kind in ('in', 'out') and r.status <> 'rejected'
        and r.occurred_at between (select at - interval '3 days' from moment)
        and (select at + interval '2 days' from moment)),
    networks as (
      select distinct on (n.site_id) n.site_id, n.name from site_network n
      where n.program_id = ${programId} and n.range >>= ${asked.address}::inet
      order by n.site_id, masklen(n.range) desc, n.name),
    near as (
      select s.id from site s where s.program_id = ${programId} and s.deleted_at is null and s.is_active
        and s.latitude between ${latitude}::float8 - 0.05 and ${latitude}::float8 + 0.05
        and s.longitude between ${longitude}::float8 - 0.1 and ${longitude}::float8 + 0.1
      order by abs(s.latitude - ${latitude}::float8) + abs(s.longitude - ${longitude}::float8) limit 20),
    candidates as (
      select site_id as id from shifts union select site_id from punches union select site_id from networks
      union select id from near union select ${asked.siteId ?? null}::bigint)
    select ${ms('m.now')} as now,
      coalesce((select jsonb_agg(jsonb_build_object('assignmentId', h.id, 'rotationId', h.rotation_id, 'siteId', h.site_id,
        'shiftType', h.type, 'startsAt', ${ms('h.starts_at')}, 'endsAt', ${ms('h.ends_at')}) order by h.starts_at)
        from shifts h), '[]') as shifts,
      coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'kind', r.kind, 'at', ${ms('r.occurred_at')},
        'siteId', r.site_id, 'partnerId', r.partner_id, 'partnerAt', ${ms('r.partner_at')},
        'assignmentId', r.assignment_id, 'rotationId', r.rotation_id, 'shiftType', r.shift_type,
        'shiftEndsAt', ${ms('r.ends_at')}, 'latitude', r.latitude, 'longitude', r.longitude) order by r.occurred_at, r.id)
        from punches r), '[]') as punches,
      coalesce((select jsonb_agg(jsonb_build_object('siteId', s.id, 'name', s.name, 'timeZone', s.time_zone,
        'latitude', s.latitude, 'longitude', s.longitude, 'precisionM', s.precision_m,
        'allowOvernight', s.allow_overnight, 'allowMulticlock', s.allow_multiclock,
        'rejectInaccuratePins', s.reject_inaccurate_pins, 'rejectAccuracyM', s.reject_accuracy_m,
        'networkName', n.name) order by s.id)
        from candidates c join site s on s.program_id = ${programId} and s.id = c.id and s.deleted_at is null
        left join networks n on n.site_id = s.id), '[]') as sites,
      (select a.rotation_id from shift_assignment a
        join rotation t on t.program_id = a.program_id and t.id = a.rotation_id
          and m.at::date between t.start_date - 1 and t.end_date + 1
        where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
        order by abs(a.date - m.at::date) limit 1) as "rotationId",
      (select r.id from time_record r where r.program_id = ${programId} and r.student_id = ${studentId}
        and r.idempotency_key = ${asked.key ?? null}) as "earlierId"
    from moment m`.execute(db)
  return rows[0]!
}

/** Keeps a punch, joins it with its other half and answers it as its student sees it: one statement. */
export const keepPunch = async (
  db: Db,
  who: { programId: number; studentId: number; key: string; address: string; rotationId: number | null },
  kind: 'in' | 'out',
  punch: NewPunch,
): Promise<OwnRecord> => {
  const { rows } = await sql<OwnRecord>`
    with made as (
      insert into time_record (program_id, student_id, site_id, kind, occurred_at, date, source, assignment_id,
        rotation_id, partner_id, minutes, insight, reasons, latitude, longitude, accuracy_m, distance_m, is_inside,
        address, network_name, shift_type, offset_minutes, idempotency_key, created_by)
      values (${who.programId}, ${who.studentId}, ${punch.siteId}, ${kind}, to_timestamp(${punch.at / 1000}),
        ${punch.date}, ${punch.source}, ${punch.shift?.assignmentId ?? null}, ${punch.rotationId ?? who.rotationId},
        ${punch.partner?.id ?? null}, ${punch.minutes}, ${punch.insight}, ${JSON.stringify(punch.reasons)}::jsonb,
        ${punch.latitude}, ${punch.longitude}, ${punch.accuracyM}, ${punch.distanceM}, ${punch.isInside},
        ${who.address}::inet, ${punch.networkName}, ${punch.shiftType}, ${punch.offset}, ${who.key}, ${who.studentId})
      returning *),
    paired as (
      update time_record q set partner_id = made.id from made
      where q.program_id = made.program_id and q.id = made.partner_id)
    select ${ownSelection.columns} from made r ${ownSelection.joins}`.execute(db)
  return rows[0]!
}
