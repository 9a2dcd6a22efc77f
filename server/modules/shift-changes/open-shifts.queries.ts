import { sql } from 'kysely'
import type { Out } from '#contract/core/endpoint.ts'
import {
  type listOpenShifts as listCall,
  type OpenShift,
  type OpenShiftFilters,
  type OpenShiftSort,
  type OwnOpenShift,
  openShiftFilters,
  type SignupState,
} from '#contract/shift-changes/open-shifts.ts'
import { countsNow } from '#server/core/database/counts.ts'
import { whereOf } from '#server/core/database/filters.ts'
import type { Db } from '#server/core/database/pool.ts'
import { takenBy } from '../scheduling/rotations.queries.ts'

const state = sql`case when o.closed_at is not null or o.closes_at <= now() then 'closed'
  when o.taken >= o.places then 'full' else 'open' end`

const shiftColumns = sql`o.id as "Id", o.date as "Date", to_char(h.start_time, 'HH24:MI') as "StartTime",
  to_char(h.end_time, 'HH24:MI') as "EndTime", (o.date + h.start_time) at time zone s.time_zone as "StartsAt",
  h.code as "ShiftCode", h.type as "ShiftType", s.name as "Site", r.name as "Rotation", o.places as "Places",
  o.taken as "Taken", o.waiting as "Waiting", o.note as "Note", o.closes_at as "ClosesAt"`

const staffColumns = sql`${shiftColumns}, o.rotation_id as "RotationId", o.site_shift_id as "SiteShiftId", h.site_id as "SiteId",
  o.level_ids::int[] as "LevelIds", ${state} as "State",
  round(extract(epoch from (o.date + h.start_time) at time zone s.time_zone - o.closes_at) / 3600)::int as "ClosesHoursBefore",
  coalesce((select array_agg(l.name order by l.id) from student_level l
    where l.program_id = o.program_id and l.id = any (o.level_ids)), '{}') as "Levels"`

const joined = sql`open_shift o
  join site_shift h on h.program_id = o.program_id and h.id = o.site_shift_id
  join site s on s.program_id = h.program_id and s.id = h.site_id
  join rotation r on r.program_id = o.program_id and r.id = o.rotation_id`

const sortKeys = {
  Date: sql`o.date`,
  Site: sql`lower(s.name)`,
  Rotation: sql`lower(r.name)`,
  Taken: sql`o.taken`,
  Waiting: sql`o.waiting`,
} as const

const filtered = (programId: number, filters: OpenShiftFilters) =>
  sql`o.program_id = ${programId} and ${whereOf(openShiftFilters, filters, 'o', {
    State: (value) => sql`${state} = ${value}`,
    SiteId: (id) => sql`h.site_id = ${id}`,
  })}`

const orderOf = (sort: OpenShiftSort) => {
  const key = sortKeys[sort.replace('-', '') as keyof typeof sortKeys]
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  return sql`${key} ${direction}, o.date ${direction}, o.id ${direction}`
}

/** One page of the open shifts that the filters name. */
export const pageOpenShifts = async (
  db: Db,
  programId: number,
  { page, pageSize, sort, ...filters }: Out<NonNullable<(typeof listCall)['query']>>,
) => {
  const { rows } = await sql<OpenShift>`select ${staffColumns} from ${joined}
    where ${filtered(programId, filters)} order by ${orderOf(sort)}
    limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  const total = await sql<{ count: number }>`select count(*)::int as count from ${joined}
    where ${filtered(programId, filters)}`.execute(db)
  return { Items: rows, Total: total.rows[0]!.count, Page: page, PageSize: pageSize }
}

/** A line of the export: an open shift with one of its students, or with none. */
export interface OpenShiftLine extends OpenShift {
  Student: string | null
  SignupState: 'placed' | 'waiting' | null
}

export const listOpenShiftLines = async (
  db: Db,
  programId: number,
  sort: OpenShiftSort,
  filters: OpenShiftFilters,
): Promise<OpenShiftLine[]> => {
  const { rows } =
    await sql<OpenShiftLine>`select ${staffColumns}, listed_name(u.last_name, u.first_name) as "Student", g.state as "SignupState"
    from ${joined}
    left join open_shift_signup g on g.program_id = o.program_id and g.open_shift_id = o.id and g.state <> 'ended'
    left join account u on u.program_id = g.program_id and u.id = g.student_id
    where ${filtered(programId, filters)} order by ${orderOf(sort)}, g.state, g.id`.execute(db)
  return rows
}

export const findOpenShift = async (
  db: Db,
  programId: number,
  id: number,
): Promise<OpenShift | undefined> => {
  const { rows } = await sql<OpenShift>`select ${staffColumns} from ${joined}
    where o.program_id = ${programId} and o.id = ${id}`.execute(db)
  return rows[0]
}

export const listSignups = async (db: Db, programId: number, openShiftId: number) => {
  const { rows } = await sql<{
    Id: number
    StudentId: number
    Student: string
    State: SignupState
    Hindrance: string
    At: string
  }>`select g.id as "Id", g.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student",
      coalesce(g.ended_as, g.state) as "State", g.hindrance as "Hindrance", coalesce(g.ended_at, g.created_at) as "At"
    from open_shift_signup g join account u on u.program_id = g.program_id and u.id = g.student_id
    where g.program_id = ${programId} and g.open_shift_id = ${openShiftId}
    order by array_position('{placed,waiting,ended}', g.state), g.id`.execute(db)
  return rows
}

/** Of the days, those on which the shift can be opened: with when sign-up ends, by the wall clock of the site. */
export interface OpenDay {
  date: string
  closesAt: string
  isOver: boolean
}

export const readOpenDays = async (
  db: Db,
  programId: number,
  siteShiftId: number,
  dates: readonly string[],
  hoursBefore: number,
): Promise<OpenDay[]> => {
  const { rows } = await sql<OpenDay>`
    select d.date, d.closes as "closesAt", d.closes <= now() as "isOver" from (
      select each.date, (each.date + h.start_time) at time zone s.time_zone - make_interval(hours => ${hoursBefore}) as closes
      from unnest(${[...dates]}::date[]) as each (date)
      join site_shift h on h.program_id = ${programId} and h.id = ${siteShiftId}
      join site s on s.program_id = h.program_id and s.id = h.site_id) d order by d.date`.execute(db)
  return rows
}

/** Most students that the shift takes on one of the days: the day with the fewest. */
export const findFewestPlaces = async (
  db: Db,
  programId: number,
  siteShiftId: number,
  dates: readonly string[],
): Promise<{ date: string; places: number }> => {
  const { rows } = await sql<{ date: string; places: number }>`
    select each.date, coalesce(d.capacity, h.capacity) as places
    from site_shift h cross join unnest(${[...dates]}::date[]) as each (date)
    left join shift_day d on d.program_id = h.program_id and d.site_shift_id = h.id and d.date = each.date
    where h.program_id = ${programId} and h.id = ${siteShiftId} order by places, each.date limit 1`.execute(
    db,
  )
  return rows[0]!
}

/** How many of the ids are levels of the program. */
export const countLevels = async (db: Db, programId: number, ids: readonly number[]): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from student_level
    where program_id = ${programId} and id = any (${[...ids]}::bigint[])`.execute(db)
  return rows[0]!.count
}

/** Active students whom the rotation takes, of these levels or of all. */
export const listAnnouncedTo = async (
  db: Db,
  programId: number,
  rotationId: number,
  levelIds: readonly number[],
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select u.id from account u join rotation r on r.program_id = ${programId} and r.id = ${rotationId}
    where u.program_id = ${programId} and ${countsNow('u')}
      and (cardinality(${[...levelIds]}::int[]) = 0 or u.student_level_id = any (${[...levelIds]}::int[]))
      and ${takenBy('u', 'r')}
    order by u.id`.execute(db)
  return rows.map(({ id }) => id)
}

// Changes of one open shift -------------------------------------------------------------------------------------------

/** An open shift as far as signing up needs. */
export interface OpenRow {
  id: number
  rotationId: number
  siteShiftId: number
  date: string
  levelIds: number[]
  places: number
  taken: number
  waiting: number
  isOver: boolean
  /** `01/15/2030 07:00, Harbor General Hospital`, for messages. */
  line: string
}

const openRow = sql`o.id, o.rotation_id as "rotationId", o.site_shift_id as "siteShiftId", o.date, o.level_ids::int[] as "levelIds",
  o.places, o.taken, o.waiting, o.closed_at is not null or o.closes_at <= clock_timestamp() as "isOver",
  to_char(o.date, 'MM/DD/YYYY') || ' ' || to_char(h.start_time, 'HH24:MI') || '–' || to_char(h.end_time, 'HH24:MI') || ', ' || s.name as line`

export const findOpenRow = async (
  db: Db,
  programId: number,
  id: number,
  { isLocking = false } = {},
): Promise<OpenRow | undefined> => {
  const { rows } = await sql<OpenRow>`select ${openRow} from ${joined}
    where o.program_id = ${programId} and o.id = ${id} ${isLocking ? sql`for update of o` : sql``}`.execute(
    db,
  )
  return rows[0]
}

export interface Signup {
  id: number
  state: 'placed' | 'waiting'
  assignmentId: number | null
}

/** The sign-up of a student that has not ended. */
export const findSignup = async (
  db: Db,
  programId: number,
  openShiftId: number,
  studentId: number,
): Promise<Signup | undefined> => {
  const { rows } = await sql<Signup>`select id, state, assignment_id as "assignmentId" from open_shift_signup
    where program_id = ${programId} and open_shift_id = ${openShiftId} and student_id = ${studentId} and state <> 'ended'`.execute(
    db,
  )
  return rows[0]
}

/** How many wait before this sign-up, and itself. */
export const placeInLine = async (
  db: Db,
  programId: number,
  openShiftId: number,
  id: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from open_shift_signup
    where program_id = ${programId} and open_shift_id = ${openShiftId} and state = 'waiting' and id <= ${id}`.execute(
    db,
  )
  return rows[0]!.count
}

/** Moments that decide whether a student may still drop a shift themselves. */
export const readDropTimes = async (
  db: Db,
  programId: number,
  assignmentId: number,
  hours: number,
): Promise<{ hasStarted: boolean; isLate: boolean }> => {
  const { rows } = await sql<{ hasStarted: boolean; isLate: boolean }>`
    select starts_at <= clock_timestamp() as "hasStarted",
      starts_at - make_interval(hours => ${hours}) <= clock_timestamp() as "isLate"
    from shift_assignment where program_id = ${programId} and id = ${assignmentId}`.execute(db)
  return rows[0]!
}

// The waiting list ----------------------------------------------------------------------------------------------------

export interface Waiting {
  id: number
  studentId: number
  hindrance: string
}

/** Those who wait, in order; as many as one round looks at. */
export const listWaiting = async (db: Db, programId: number, openShiftId: number): Promise<Waiting[]> => {
  const { rows } = await sql<Waiting>`select id, student_id as "studentId", hindrance from open_shift_signup
    where program_id = ${programId} and open_shift_id = ${openShiftId} and state = 'waiting' order by id limit 200`.execute(
    db,
  )
  return rows
}

/** Open shifts with a waiting list: over, so that the list ends, or with a free place. */
export const listMovable = async (db: Db, programId: number): Promise<{ id: number; isOver: boolean }[]> => {
  const { rows } = await sql<{ id: number; isOver: boolean }>`
    select id, closed_at is not null or closes_at <= now() as "isOver" from open_shift
    where program_id = ${programId} and waiting > 0 and (taken < places or closes_at <= now() or closed_at is not null)
    order by id`.execute(db)
  return rows
}

// A student's own -----------------------------------------------------------------------------------------------------

/** A student's open shift before the rules are looked at. */
export interface OwnRow extends Omit<OwnOpenShift, 'Blocked'> {
  RotationId: number
  SiteShiftId: number
}

/** What a student may sign up for, or has: of their level and rotations, not over, the next first. */
export const pageOwnOpenShifts = async (
  db: Db,
  { programId, studentId, dropHours }: { programId: number; studentId: number; dropHours: number },
  { page, pageSize, show }: { page: number; pageSize: number; show: 'open' | 'own' },
): Promise<{ rows: OwnRow[]; total: number }> => {
  const chosen = sql`from ${joined}
    join account u on u.program_id = o.program_id and u.id = ${studentId}
    left join open_shift_signup g on g.program_id = o.program_id and g.open_shift_id = o.id and g.student_id = u.id
      and g.state <> 'ended'
    where o.program_id = ${programId} and o.date >= current_date - 1 and h.deleted_at is null and r.deleted_at is null
      and ${
        show === 'own'
          ? sql`g.id is not null and (o.date + h.start_time) at time zone s.time_zone > now()`
          : sql`o.closed_at is null and o.closes_at > now() and g.id is null
        and (cardinality(o.level_ids) = 0 or u.student_level_id = any (o.level_ids))
        and ${takenBy('u', 'r')}`
      }`
  const { rows } =
    await sql<OwnRow>`select ${shiftColumns}, o.rotation_id as "RotationId", o.site_shift_id as "SiteShiftId",
      coalesce(g.state = 'placed', false) as "IsPlaced",
      case when g.state = 'waiting' then (select count(*)::int from open_shift_signup w where w.program_id = o.program_id
        and w.open_shift_id = o.id and w.state = 'waiting' and w.id <= g.id) end as "WaitingAs",
      (o.date + h.start_time) at time zone s.time_zone - make_interval(hours => ${dropHours}) as "DropsUntil",
      coalesce(exists (select from shift_request c where c.program_id = g.program_id and c.assignment_id = g.assignment_id
        and c.kind = 'drop' and c.state = 'pending'), false) as "IsDropAsked"
    ${chosen} order by o.date, h.start_time, o.id limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(
      db,
    )
  const total = await sql<{ count: number }>`select count(*)::int as count ${chosen}`.execute(db)
  return { rows, total: total.rows[0]!.count }
}
