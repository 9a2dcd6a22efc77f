import { sql } from 'kysely'
import { type ProgramOptions, readOptions } from '#contract/programs/program-options.ts'
import type { RequirementFacts } from '#contract/scheduling/requirement-fault.ts'
import {
  type AgreementFacts,
  dayKey,
  type Facts,
  type Placement,
  type RotationFacts,
  type ShiftFacts,
  type StudentFacts,
  sharedKey,
} from '#contract/scheduling/scheduling-rules.ts'
import { countsNow } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'

/** What a set of requests is about. */
export interface Wanted {
  rotationIds: readonly number[]
  siteShiftIds: readonly number[]
  studentIds: readonly number[]
  /** The days requested; a week around them is looked at. */
  dates: readonly string[]
}

/** A shift with what turns its wall-clock times into moments. */
export interface TimedShift extends ShiftFacts {
  StartTime: string
  EndTime: string
  TimeZone: string
}

export interface LoadedFacts extends Facts {
  Rotations: Map<number, RotationFacts>
  Shifts: Map<number, TimedShift>
  Students: Map<number, StudentFacts>
}

export interface PlacingProgram {
  Options: ProgramOptions
  ActiveFrom: string | null
  ActiveThrough: string | null
  TimeZone: string
}

export const getPlacingProgram = async (db: Db, programId: number): Promise<PlacingProgram> => {
  const row = await db
    .selectFrom('program')
    .select(['options', 'active_from', 'active_through', 'time_zone'])
    .where('id', '=', programId)
    .executeTakeFirstOrThrow()
  return {
    Options: readOptions(row.options),
    ActiveFrom: row.active_from,
    ActiveThrough: row.active_through,
    TimeZone: row.time_zone,
  }
}

/** Locks students in the order of their ids, so that no two writers place the same person at once. */
export const lockStudents = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
): Promise<void> => {
  await sql`select id from account where program_id = ${programId} and id = any (${[...studentIds]}::bigint[])
    order by id for no key update`.execute(db)
}

/**
 * Places left at sites of the running program that it shares with others, by `sharedKey`, on the days: the counter of all programs. Locking,
 * it stays as read until the transaction ends; lock the days of the shifts before.
 */
export const readSharedPlaces = async (
  db: Db,
  siteIds: readonly number[],
  dates: readonly string[],
  { isLocking }: { isLocking: boolean },
): Promise<Map<string, number>> => {
  const { rows } = await sql<{ site_id: number; date: string; free: number }>`
    select site_id, date, free from shared_free(${[...new Set(siteIds)]}::bigint[], ${[...new Set(dates)]}::date[], ${isLocking})`.execute(
    db,
  )
  return new Map(rows.map(({ site_id, date, free }) => [sharedKey(site_id, date), free]))
}

const readDays = async (
  db: Db,
  programId: number,
  siteShiftIds: readonly number[],
  dates: readonly string[],
): Promise<Map<string, { Placed: number; Capacity: number }>> => {
  const rows = await db
    .selectFrom('shift_day')
    .select(['site_shift_id', 'date', 'placed', 'capacity'])
    .where('program_id', '=', programId)
    .where('site_shift_id', '=', sql<number>`any (${[...siteShiftIds]}::bigint[])`)
    .where('date', '=', sql<string>`any (${[...dates]}::date[])`)
    .execute()
  return new Map(
    rows.map(({ site_shift_id, date, placed, capacity }) => [
      dayKey(site_shift_id, date),
      { Placed: placed, Capacity: capacity },
    ]),
  )
}

/** The rotations of the ids that are not deleted. Locking, they stay so until the transaction ends. */
export const findRotationFacts = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  { isLocking = false } = {},
): Promise<RotationFacts[]> => {
  const { rows } =
    await sql<RotationFacts>`select r.id as "Id", r.name as "Name", r.start_date as "StartDate",
      r.end_date as "EndDate", r.cohorts as "Cohorts",
      coalesce((select array_agg(l.level_id::int) from rotation_level l
        where l.program_id = r.program_id and l.rotation_id = r.id), '{}') as "StudentLevelIds"
    from rotation r
    where r.program_id = ${programId} and r.id = any (${[...ids]}::bigint[]) and r.deleted_at is null
    order by r.id ${isLocking ? sql`for share of r` : sql``}`.execute(db)
  return rows
}

/** The shifts of the ids that are not deleted. Locking, they stay so until the transaction ends. */
export const findShiftFacts = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  { isLocking }: { isLocking: boolean },
): Promise<TimedShift[]> => {
  const { rows } = await sql<TimedShift>`select h.id as "Id", h.code as "Code", h.site_id as "SiteId",
      s.name as "Site", h.weekdays::int[] as "Weekdays", h.start_date as "StartDate", h.end_date as "EndDate",
      h.capacity as "Capacity", to_char(h.start_time, 'HH24:MI') as "StartTime",
      to_char(h.end_time, 'HH24:MI') as "EndTime", s.time_zone as "TimeZone"
    from site_shift h join site s on s.program_id = h.program_id and s.id = h.site_id
    where h.program_id = ${programId} and h.id = any (${[...ids]}::bigint[]) and h.deleted_at is null
    order by h.id ${isLocking ? sql`for share of h` : sql``}`.execute(db)
  return rows
}

const inOrder = sql`k.status in ('accepted', 'inProgress', 'waived')`

/** What a proof that is in order ends before; anything that ends, without a day. */
const endsBefore = (until: string | undefined) =>
  until === undefined ? sql`k.expires_on is not null` : sql`k.expires_on < ${until}::date`

/** What keeps students out, or what is asked besides. */
const ofEffect = (blocks: boolean) => (blocks ? sql`q.blocks_placement` : sql`not q.blocks_placement`)

/** What the program asks of each student everywhere and is not in order, or ends. */
const listNeeds = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  until: string | undefined,
  blocks: boolean,
) =>
  (
    await sql<RequirementFacts & { StudentId: number }>`
    select u.id as "StudentId", q.name as "Name", coalesce(k.status, 'missing') as "Status", k.expires_on as "ExpiresOn", q.rule as "Rule"
    from requirement q
    join account u on u.program_id = q.program_id and u.id = any (${[...ids]}::bigint[])
    left join student_requirement k on k.program_id = q.program_id and k.student_id = u.id and k.requirement_id = q.id and k.site_id = 0
    where q.program_id = ${programId} and ${ofEffect(blocks)} and q.deleted_at is null and q.scope = 'program'
      and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort)
      and (k.status is null or not ${inOrder} or ${endsBefore(until)})
    order by u.id, k.expires_on nulls first, q.id`.execute(db)
  ).rows

/** What sites ask of each student besides; of these sites, or of all. Only what may be not in order for them. */
const listSiteNeeds = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  siteIds: readonly number[] | undefined,
  until: string | undefined,
  blocks: boolean,
) =>
  (
    await sql<RequirementFacts & { StudentId: number }>`
    select u.id as "StudentId", q.name as "Name", coalesce(k.status, 'missing') as "Status", k.expires_on as "ExpiresOn", q.rule as "Rule",
      r.site_id as "SiteId", r.max_age_days as "MaxAgeDays", k.completed_on as "CompletedOn", f.day as "FirstDay",
      coalesce(k.status = 'waived' and not k.exemption = any (r.accepts), false) as "IsExemptionRefused"
    from site_requirement r
    join requirement q on q.program_id = r.program_id and q.id = r.requirement_id and q.deleted_at is null and ${ofEffect(blocks)}
    join account u on u.program_id = q.program_id and u.id = any (${[...ids]}::bigint[])
    left join student_requirement k on k.program_id = q.program_id and k.student_id = u.id and k.requirement_id = q.id
      and k.site_id = case q.scope when 'perSite' then r.site_id else 0 end
    left join lateral (select min(a.date) as day from shift_assignment a
      where r.max_age_days is not null and a.program_id = r.program_id and a.student_id = u.id and a.removed_at is null
        and a.site_id = r.site_id) f on true
    where r.program_id = ${programId} and ${siteIds ? sql`r.site_id = any (${[...siteIds]}::bigint[])` : sql`true`}
      and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort)
      and r.is_asked and (r.max_age_days is not null or k.status = 'waived'
        or (q.scope <> 'program' and (k.status is null or not ${inOrder} or ${endsBefore(until)})))
    order by u.id, k.expires_on nulls first, q.id`.execute(db)
  ).rows

/** Requirements of the students that are not in order, or will run out, and keep nobody out of a shift. */
export const listAdvisedNeeds = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly RequirementFacts[]>> =>
  Map.groupBy(
    [
      ...(await listNeeds(db, programId, ids, undefined, false)),
      ...(await listSiteNeeds(db, programId, ids, undefined, undefined, false)),
    ],
    ({ StudentId }) => StudentId,
  )

/**
 * Active students of the ids, with every requirement that keeps them out now or will run out, before the day `until` where one is given;
 * of what sites ask besides, at these sites, or at all.
 */
export const findStudentFacts = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  siteIds?: readonly number[],
  until?: string,
): Promise<StudentFacts[]> => {
  const { rows } =
    await sql<StudentFacts>`select u.id as "Id", u.first_name as "FirstName", u.last_name as "LastName",
      u.student_level_id::int as "StudentLevelId", l.name as "LevelName", u.cohort as "Cohort", u.leaves_on as "LeavesOn",
      '{}'::text[] as "Requirements"
    from account u
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    where u.program_id = ${programId} and u.id = any (${[...ids]}::bigint[])
      and ${countsNow('u')}`.execute(db)
  const needs = await listNeeds(db, programId, ids, until, true)
  const siteNeeds = await listSiteNeeds(db, programId, ids, siteIds, until, true)
  const byStudent = Map.groupBy([...needs, ...siteNeeds], ({ StudentId }) => StudentId)
  return rows.map((student) => ({ ...student, Requirements: byStudent.get(student.Id) ?? [] }))
}

/** Names of people as lists show them: 'Okafor, Ada'. */
export const listStudentNames = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: number
    name: string
  }>`select id, listed_name(last_name, first_name) as name
    from account where program_id = ${programId} and id = any (${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What students are placed on in a stretch of days. */
export const listPlacements = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
  fromDate: string,
  throughDate: string,
): Promise<(Placement & { Id: number })[]> => {
  const { rows } = await sql<Placement & { Id: number }>`select id as "Id", student_id as "StudentId",
      site_shift_id as "SiteShiftId", rotation_id as "RotationId", date as "Date",
      (extract(epoch from starts_at) * 1000)::bigint as "StartsAt",
      (extract(epoch from ends_at) * 1000)::bigint as "EndsAt"
    from shift_assignment
    where program_id = ${programId} and removed_at is null and student_id = any (${[...studentIds]}::bigint[])
      and date between ${fromDate}::date - 7 and ${throughDate}::date + 7`.execute(db)
  return rows
}

export const listDaysOffBetween = async (db: Db, programId: number, fromDate: string, throughDate: string) =>
  db
    .selectFrom('day_off')
    .select(['name as Name', 'start_date as StartDate', 'end_date as EndDate'])
    .where('program_id', '=', programId)
    .where('start_date', '<=', throughDate)
    .where('end_date', '>=', fromDate)
    .orderBy('start_date')
    .execute()

/** Agreements in force, now or at another time. */
export const activeAgreements = (db: Db, programId: number) =>
  db
    .selectFrom('affiliate_agreement')
    .select(['site_id as SiteId', 'initial_date as InitialDate', 'termination_date as TerminationDate'])
    .where('program_id', '=', programId)
    .where('is_active', '=', true)
    .where('is_approved', '=', true)
    .where('deleted_at', 'is', null)

/** Those with the sites of the shifts. */
const listAgreements = (db: Db, programId: number, siteIds: readonly number[]): Promise<AgreementFacts[]> =>
  activeAgreements(db, programId)
    .where('site_id', '=', sql<number>`any (${[...siteIds]}::bigint[])`)
    .execute()

const byId = <T extends { Id: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.Id, row]))

/**
 * Everything that the rules look at, in a constant number of statements. Locking, students, rotations, shifts and the
 * counters of the requested days stay as read until the transaction ends; lock the students before.
 */
export const loadFacts = async (
  db: Db,
  programId: number,
  program: PlacingProgram,
  wanted: Wanted,
  { isLocking }: { isLocking: boolean },
): Promise<LoadedFacts> => {
  const sorted = wanted.dates.toSorted()
  const from = sorted[0]!
  const through = sorted.at(-1)!
  const students = await findStudentFacts(db, programId, wanted.studentIds)
  const placed = await listPlacements(db, programId, wanted.studentIds, from, through)
  const rotations = await findRotationFacts(db, programId, wanted.rotationIds, { isLocking })
  const shiftIds = [...new Set([...wanted.siteShiftIds, ...placed.map(({ SiteShiftId }) => SiteShiftId)])]
  const shifts = await findShiftFacts(db, programId, shiftIds, { isLocking })
  const wantedIds = new Set(wanted.siteShiftIds)
  const siteIds = shifts.filter(({ Id }) => wantedIds.has(Id)).map(({ SiteId }) => SiteId)
  return {
    ...program,
    Rotations: byId(rotations),
    Shifts: byId(shifts),
    Students: byId(students),
    DaysOff: await listDaysOffBetween(db, programId, from, through),
    Agreements: await listAgreements(db, programId, siteIds),
    Placed: placed,
    Taken: isLocking
      ? new Map()
      : await readDays(db, programId, wanted.siteShiftIds, [...new Set(wanted.dates)]),
    Shared: isLocking ? new Map() : await readSharedPlaces(db, siteIds, wanted.dates, { isLocking }),
  }
}

/** Facts for looking at assignments that exist already: the shifts, rotations and students that they name. */
export const loadFactsOf = async (
  db: Db,
  programId: number,
  program: PlacingProgram,
  assignments: readonly Placement[],
  fromDate: string,
  throughDate: string,
): Promise<LoadedFacts> => {
  const ids = (pick: (placement: Placement) => number) => [...new Set(assignments.map(pick))]
  const shifts = await findShiftFacts(
    db,
    programId,
    ids(({ SiteShiftId }) => SiteShiftId),
    { isLocking: false },
  )
  const siteIds = [...new Set(shifts.map(({ SiteId }) => SiteId))]
  // What ends after all of them keeps nobody out.
  const last = assignments.reduce((day, { Date: date }) => (date > day ? date : day), throughDate)
  return {
    ...program,
    Rotations: byId(
      await findRotationFacts(
        db,
        programId,
        ids(({ RotationId }) => RotationId),
      ),
    ),
    Shifts: byId(shifts),
    Students: byId(
      await findStudentFacts(
        db,
        programId,
        ids(({ StudentId }) => StudentId),
        siteIds,
        last,
      ),
    ),
    DaysOff: await listDaysOffBetween(db, programId, fromDate, throughDate),
    Agreements: await listAgreements(db, programId, siteIds),
    Placed: assignments,
    Taken: new Map(),
  }
}

/** An assignment as far as changing it needs. */
export interface AssignmentRow {
  Id: number
  StudentId: number
  RotationId: number
  SiteShiftId: number
  Date: string
}

/** The assignments of the ids that are there, or that were removed. */
export const findAssignments = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  { areRemoved = false } = {},
): Promise<AssignmentRow[]> => {
  const { rows } =
    await sql<AssignmentRow>`select id as "Id", student_id as "StudentId", rotation_id as "RotationId",
      site_shift_id as "SiteShiftId", date as "Date"
    from shift_assignment
    where program_id = ${programId} and id = any (${[...ids]}::bigint[])
      and ${areRemoved ? sql`removed_at is not null` : sql`removed_at is null`}
    order by date, id`.execute(db)
  return rows
}
