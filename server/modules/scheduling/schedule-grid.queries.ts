import { type RawBuilder, sql } from 'kysely'
import {
  type AgreementFacts,
  type PlacementRule,
  type ShiftFacts,
  strictnessOf,
} from '#contract/scheduling/scheduling-rules.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { countsNow, hasCounted } from '#server/core/database/counts.ts'
import { type Db, plannedForItsValues } from '#server/core/database/pool.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'
import { activeAgreements, type PlacingProgram } from './placement.queries.ts'
import { takenBy } from './rotations.queries.ts'

/** What the visualization is narrowed to. */
export interface GridFilters {
  FromDate: string
  ThroughDate: string
  RotationId?: number | undefined
  AreaId?: number | undefined
  SiteId?: number | undefined
  StudentLevelId?: number | undefined
}

/** The assignments of a student, `u`, that the filters and the scope leave. */
const shownAssignments = (
  programId: number,
  scope: SiteScope,
  { FromDate, ThroughDate, RotationId, AreaId, SiteId }: GridFilters,
): RawBuilder<unknown> => sql`select from shift_assignment a
  where a.program_id = u.program_id and a.student_id = u.id and a.removed_at is null
    and a.date between ${FromDate} and ${ThroughDate}
    ${RotationId ? sql`and a.rotation_id = ${RotationId}` : sql``}
    ${SiteId ? sql`and a.site_id = ${SiteId}` : sql``}
    ${AreaId ? sql`and a.site_id in (select id from site where program_id = ${programId} and area_id = ${AreaId})` : sql``}
    and ${inScope(scope, 'a.program_id', 'a.site_id')}`

/** Whether the rotation takes the student, `u`. */
const isTaken = (rotationId: number): RawBuilder<boolean> => sql<boolean>`exists (select from rotation r
  where r.program_id = u.program_id and r.id = ${rotationId}
    and ${takenBy('u', 'r')})`

/**
 * The students of the picture, as `from account u where …`: every active one, with a rotation those whom it takes or who are
 * placed in it, and with a site or area, or for a supervisor, those who are placed there in these days.
 */
const gridStudents = (programId: number, scope: SiteScope, filters: GridFilters): RawBuilder<unknown> => {
  const { RotationId, StudentLevelId } = filters
  const isPlaced = sql`exists (${shownAssignments(programId, scope, filters)})`
  const isNarrow = filters.SiteId || filters.AreaId || scope.supervisorId !== null
  return sql`from account u
    where u.program_id = ${programId} and (${countsNow('u')} or (${hasCounted('u')} and ${isPlaced}))
      ${StudentLevelId ? sql`and u.student_level_id = ${StudentLevelId}` : sql``}
      ${isNarrow ? sql`and ${isPlaced}` : RotationId ? sql`and (${isTaken(RotationId)} or ${isPlaced})` : sql``}`
}

const byName = sql`lower(u.last_name), lower(u.first_name), u.id`

export const countGridStudents = async (
  db: Db,
  programId: number,
  scope: SiteScope,
  filters: GridFilters,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count ${gridStudents(programId, scope, filters)}`.execute(db)
  return rows[0]?.count ?? 0
}

export interface GridStudent {
  Id: number
  LastName: string
  FirstName: string
  StudentLevelId: number | null
  /** Where they are in the order of names, from 0. */
  Row: number
  /** Their assignments from a week before the picture to a week after it: six numbers each, see `unpackCells`. */
  Cells: string
}

const columns = sql`u.id as "Id", u.last_name as "LastName", u.first_name as "FirstName",
  u.student_level_id::int as "StudentLevelId"`

/** Students with their assignments, each student's packed into one text: an object for each would cost more than finding them. */
const withCells = async (
  db: Db,
  programId: number,
  students: RawBuilder<unknown>,
  { FromDate, ThroughDate }: GridFilters,
): Promise<GridStudent[]> => {
  const { rows } = await sql<GridStudent>`
    with student as materialized (${students})
    select student.*, coalesce(c.cells, '') as "Cells" from student
    left join lateral (
      select string_agg(concat_ws(',', a.id, a.date - ${FromDate}::date, a.site_shift_id, a.rotation_id,
        (date_part('epoch', a.starts_at) / 60)::int, (date_part('epoch', a.ends_at) / 60)::int), ',') as cells
      from shift_assignment a
      where a.program_id = ${programId} and a.student_id = student."Id" and a.removed_at is null
        and a.date between ${FromDate}::date - 7 and ${ThroughDate}::date + 7) c on true
    order by student."Row"`.execute(db)
  return rows
}

/** A page of the picture, in the order of names. */
export const pageGridStudents = (
  db: Db,
  programId: number,
  scope: SiteScope,
  filters: GridFilters & { Offset: number; Limit: number },
): Promise<GridStudent[]> =>
  withCells(
    db,
    programId,
    sql`select page.*, ${filters.Offset}::int + row_number() over () - 1 as "Row"
      from (select ${columns} ${gridStudents(programId, scope, filters)}
        order by ${byName} offset ${filters.Offset} limit ${filters.Limit}) page`,
    filters,
  )

/** Those of the students who are in the picture. */
export const findGridStudents = (
  db: Db,
  programId: number,
  scope: SiteScope,
  filters: GridFilters,
  ids: readonly number[],
): Promise<GridStudent[]> =>
  withCells(
    db,
    programId,
    sql`select everybody.* from (select ${columns}, row_number() over (order by ${byName}) - 1 as "Row"
      ${gridStudents(programId, scope, filters)}) everybody join unnest(${[...ids]}::bigint[]) as chosen (id) on chosen.id = "Id"`,
    filters,
  )

export interface GridShift {
  Id: number
  Code: string
  Type: ShiftType
  SiteId: number
  AreaId: number | null
  Site: string
  SiteCode: string
  StartTime: string
  EndTime: string
}

export const listGridShifts = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<GridShift[]> => {
  const { rows } =
    await sql<GridShift>`select h.id as "Id", h.code as "Code", h.type as "Type", h.site_id as "SiteId",
      s.area_id as "AreaId", s.name as "Site", s.code as "SiteCode",
      to_char(h.start_time, 'HH24:MI') as "StartTime", to_char(h.end_time, 'HH24:MI') as "EndTime"
    from site_shift h join site s on s.program_id = h.program_id and s.id = h.site_id
    where h.program_id = ${programId} and h.id = any (${[...ids]}::bigint[])
    order by h.code, h.id`.execute(db)
  return rows
}

/** A shift with the counters of its days, packed into one text: day after FromDate, placed, places; see `unpackDays`. */
export interface CountedShift extends ShiftFacts {
  Days: string
}

/** The shifts within sites, area and scope, with what is placed on them in these days. */
export const listCountedShifts = async (
  db: Db,
  programId: number,
  scope: SiteScope,
  { FromDate, ThroughDate, AreaId, SiteId }: GridFilters,
): Promise<CountedShift[]> => {
  const { rows } =
    await sql<CountedShift>`select h.id as "Id", h.code as "Code", h.site_id as "SiteId", s.name as "Site",
      h.weekdays::int[] as "Weekdays", h.start_date as "StartDate", h.end_date as "EndDate", h.capacity as "Capacity",
      coalesce(string_agg(concat_ws(',', d.date - ${FromDate}::date, d.placed, d.capacity), ','), '') as "Days"
    from site_shift h
    join site s on s.program_id = h.program_id and s.id = h.site_id
    left join shift_day d on d.program_id = h.program_id and d.site_shift_id = h.id
      and d.date between ${FromDate} and ${ThroughDate}
    where h.program_id = ${programId} and h.deleted_at is null
      ${SiteId ? sql`and h.site_id = ${SiteId}` : sql``}
      ${AreaId ? sql`and s.area_id = ${AreaId}` : sql``}
      and ${inScope(scope, 'h.program_id', 'h.site_id')}
    group by h.program_id, h.id, s.program_id, s.id`.execute(db)
  return rows
}

/** The agreements in force, now or at another time, of all sites. */
export const listAllAgreements = (db: Db, programId: number): Promise<AgreementFacts[]> =>
  activeAgreements(db, programId).execute()

/** A day of a shift. */
export interface ShiftDate {
  SiteShiftId: number
  Date: string
}

/**
 * Everybody who may be in conflict with a rule of the program, and some who are not: who is on one of the broken days, outside the
 * dates of a rotation, lacks what is required, or has more hours than a day or week may hold. The rules themselves are not
 * written twice: they look at these few afterwards.
 */
export const findConflictStudents = async (
  db: Db,
  programId: number,
  { Options }: PlacingProgram,
  { FromDate, ThroughDate }: GridFilters,
  brokenDays: readonly ShiftDate[],
): Promise<number[]> => {
  const isHeld = (rule: PlacementRule) => strictnessOf(Options, rule) !== 'off'
  const parts: RawBuilder<unknown>[] = []
  if (brokenDays.length > 0) {
    parts.push(sql`select a.student_id
      from unnest(${brokenDays.map(({ SiteShiftId }) => SiteShiftId)}::bigint[],
        ${brokenDays.map(({ Date: date }) => date)}::date[]) as broken (site_shift_id, date)
      join shift_assignment a on a.program_id = ${programId} and a.site_shift_id = broken.site_shift_id
        and a.date = broken.date and a.removed_at is null`)
  }
  if (isHeld('rotation_dates')) {
    parts.push(sql`select a.student_id
      from rotation r
      cross join lateral (values (${FromDate}::date, least(${ThroughDate}, r.start_date - 1)),
        (greatest(${FromDate}, r.end_date + 1), ${ThroughDate}::date)) as outside (first, last)
      join shift_assignment a on a.program_id = r.program_id and a.rotation_id = r.id and a.removed_at is null
        and a.date between outside.first and outside.last
      where r.program_id = ${programId}`)
  }
  if (isHeld('compliance')) {
    // Read as a whole and compared by a hash: looking up what each student has of each requirement costs ten times as much.
    parts.push(sql`select u.id as student_id
      from requirement q
      join account u on u.program_id = q.program_id and ${countsNow('u')}
      left join in_order k on k.student_id = u.id and k.requirement_id = q.id
      where q.program_id = ${programId} and q.blocks_placement and q.deleted_at is null and q.scope = 'program'
        and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort) and k.student_id is null`)
    // Of what sites ask besides, whoever goes there may lack something.
    parts.push(sql`select a.student_id
      from site_requirement r
      join requirement q on q.program_id = r.program_id and q.id = r.requirement_id and q.blocks_placement and q.deleted_at is null
      join shift_assignment a on a.program_id = r.program_id and a.site_id = r.site_id and a.removed_at is null
        and a.date between ${FromDate}::date and ${ThroughDate}::date
      left join student_requirement k on k.program_id = q.program_id and k.student_id = a.student_id and k.requirement_id = q.id
        and k.site_id = case q.scope when 'perSite' then r.site_id else 0 end
      where r.program_id = ${programId} and r.is_asked and (r.max_age_days is not null or k.status = 'waived' or (q.scope <> 'program'
        and (k.status is null or k.status not in ('accepted', 'inProgress', 'waived') or k.expires_on < ${ThroughDate})))`)
  }
  const isOver: RawBuilder<unknown>[] = []
  if (isHeld('hours_per_week'))
    isOver.push(
      sql`sum(ends_at - starts_at) > make_interval(mins => ${Math.floor(Options.MostHoursPerWeek * 60)}::int)`,
    )
  if (isHeld('hours_per_day')) {
    // More than one on a day: more than there are different days, which are bits here.
    isOver.push(sql`max(ends_at - starts_at) > make_interval(mins => ${Math.floor(Options.MostHoursPerDay * 60)}::int)
      or count(*) > bit_count(bit_or(1 << (date - '2000-01-03'::date) % 7)::bit(8))`)
  }
  if (isOver.length > 0) {
    parts.push(sql`select student_id from shift_assignment
      where program_id = ${programId} and removed_at is null
        and date between ${FromDate}::date - 7 and ${ThroughDate}::date + 7
      group by student_id, (date - '2000-01-03'::date) / 7
      having ${sql.join(isOver, sql` or `)}`)
  }
  if (parts.length === 0) return []
  const { rows } = await sql<{ student_id: number }>`${plannedForItsValues}
    with in_order as materialized (
      select k.student_id, k.requirement_id from student_requirement k
      where k.program_id = ${programId} and k.site_id = 0 and k.status in ('accepted', 'inProgress', 'waived')
        and (k.expires_on is null or k.expires_on >= ${ThroughDate}::date))
    ${sql.join(parts, sql` union `)}`.execute(db)
  // A single part names a student once for each week.
  return [...new Set(rows.map(({ student_id }) => student_id))]
}

/** The sites of a supervisor; undefined for staff, who see them all. */
export const findVisibleSites = async (
  db: Db,
  programId: number,
  { supervisorId }: SiteScope,
): Promise<Set<number> | undefined> => {
  if (supervisorId === null) return undefined
  const rows = await db
    .selectFrom('supervisor_site')
    .select('site_id')
    .where('program_id', '=', programId)
    .where('account_id', '=', supervisorId)
    .execute()
  return new Set(rows.map(({ site_id }) => site_id))
}
