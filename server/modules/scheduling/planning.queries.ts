import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { RotationFacts } from '#contract/scheduling/scheduling-rules.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'

export interface PlanStudent {
  Id: number
  LastName: string
  FirstName: string
  StudentLevelId: number | null
  StudentLevel: string | null
  Days: number
}

/** The students whom the rotation takes and those who are in it already, by name, with their days in it. */
export const listPlanStudents = async (
  db: Db,
  programId: number,
  { Id: rotationId, StudentLevelIds, Cohorts }: RotationFacts,
  { areAllShown }: { areAllShown: boolean },
): Promise<PlanStudent[]> => {
  const { rows } = await sql<PlanStudent>`
    select u.id as "Id", u.last_name as "LastName", u.first_name as "FirstName",
      u.student_level_id::int as "StudentLevelId", l.name as "StudentLevel", coalesce(p.days, 0) as "Days"
    from account u
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    left join (select student_id, count(*) as days from shift_assignment
      where program_id = ${programId} and rotation_id = ${rotationId} and removed_at is null
      group by student_id) p on p.student_id = u.id
    where u.program_id = ${programId} and u.access_level = ${Level.Student} and u.deleted_at is null
      and u.deactivated_at is null
      and (p.days > 0 or ${areAllShown}::boolean or (
        (cardinality(${[...StudentLevelIds]}::int[]) = 0 or u.student_level_id = any (${[...StudentLevelIds]}::int[]))
        and (cardinality(${[...Cohorts]}::text[]) = 0 or u.cohort = any (${[...Cohorts]}::text[]))))
    order by lower(u.last_name), lower(u.first_name), u.id`.execute(db)
  return rows
}

export interface AssignedRow {
  Id: number
  StudentId: number
  SiteShiftId: number
  Date: string
}

/** The assignments of a rotation in a stretch of days. */
export const listAssigned = (
  db: Db,
  programId: number,
  rotationId: number,
  fromDate: string,
  throughDate: string,
): Promise<AssignedRow[]> =>
  db
    .selectFrom('shift_assignment')
    .select(['id as Id', 'student_id as StudentId', 'site_shift_id as SiteShiftId', 'date as Date'])
    .where('program_id', '=', programId)
    .where('rotation_id', '=', rotationId)
    .where('date', '>=', fromDate)
    .where('date', '<=', throughDate)
    .where('removed_at', 'is', null)
    .orderBy('date')
    .orderBy('id')
    .execute()

/** What the visualization is narrowed to. */
export interface GridFilters {
  FromDate: string
  ThroughDate: string
  RotationId?: number | undefined
  AreaId?: number | undefined
  SiteId?: number | undefined
  StudentLevelId?: number | undefined
}

export interface GridStudent {
  Id: number
  LastName: string
  FirstName: string
  StudentLevelId: number | null
}

/**
 * The rows of the picture by name: every active student, with a rotation those whom it takes or who are placed in it, and
 * with a site or area, or for a supervisor, those who are placed there in these days.
 */
export const listGridStudents = async (
  db: Db,
  programId: number,
  scope: SiteScope,
  filters: GridFilters,
): Promise<GridStudent[]> => {
  const { FromDate, ThroughDate } = filters
  const [RotationId, AreaId, SiteId, StudentLevelId] = [
    filters.RotationId ?? null,
    filters.AreaId ?? null,
    filters.SiteId ?? null,
    filters.StudentLevelId ?? null,
  ]
  const isPlaced = sql`exists (select from shift_assignment a
    where a.program_id = u.program_id and a.student_id = u.id and a.removed_at is null
      and a.date between ${FromDate} and ${ThroughDate}
      and (${RotationId}::bigint is null or a.rotation_id = ${RotationId})
      and (${SiteId}::bigint is null or a.site_id = ${SiteId})
      and (${AreaId}::bigint is null or a.site_id in (select id from site
        where program_id = ${programId} and area_id = ${AreaId}))
      and ${inScope(scope, 'a.program_id', 'a.site_id')})`
  const isNarrow = SiteId !== null || AreaId !== null || scope.supervisorId !== null
  const isTaken = sql`(${RotationId}::bigint is null or exists (select from rotation r
    where r.program_id = u.program_id and r.id = ${RotationId}
      and (cardinality(r.cohorts) = 0 or u.cohort = any (r.cohorts))
      and (not exists (select from rotation_level l where l.program_id = r.program_id and l.rotation_id = r.id)
        or exists (select from rotation_level l where l.program_id = r.program_id and l.rotation_id = r.id
          and l.level_id = u.student_level_id))))`
  const { rows } = await sql<GridStudent>`
    select u.id as "Id", u.last_name as "LastName", u.first_name as "FirstName",
      u.student_level_id::int as "StudentLevelId"
    from account u
    where u.program_id = ${programId} and u.access_level = ${Level.Student} and u.deleted_at is null
      and u.deactivated_at is null
      and (${StudentLevelId}::int is null or u.student_level_id = ${StudentLevelId})
      and ${isNarrow ? isPlaced : sql`(${isTaken} or ${isPlaced})`}
    order by lower(u.last_name), lower(u.first_name), u.id`.execute(db)
  return rows
}

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

/** Per day from FromDate on: students placed and places of the shifts that run, within sites, area and scope. */
export const listDayCapacity = async (
  db: Db,
  programId: number,
  scope: SiteScope,
  { FromDate, ThroughDate, AreaId, SiteId }: GridFilters,
): Promise<{ Placed: number; Places: number }[]> => {
  const { rows } = await sql<{ Placed: number; Places: number }>`
    select coalesce(sum(d.placed), 0) as "Placed",
      coalesce(sum(case when d.placed is not null then d.capacity else h.capacity end), 0) as "Places"
    from generate_series(${FromDate}::date, ${ThroughDate}::date, interval '1 day') as day (at)
    left join site_shift h on h.program_id = ${programId} and h.deleted_at is null
      and day.at::date between h.start_date and h.end_date
      and extract(dow from day.at)::smallint = any (h.weekdays)
      and (${SiteId ?? null}::bigint is null or h.site_id = ${SiteId ?? null})
      and (${AreaId ?? null}::bigint is null or h.site_id in (select id from site
        where program_id = ${programId} and area_id = ${AreaId ?? null}))
      and ${inScope(scope, 'h.program_id', 'h.site_id')}
    left join shift_day d on d.program_id = h.program_id and d.site_shift_id = h.id and d.date = day.at::date
    group by day.at order by day.at`.execute(db)
  return rows
}

/** A student's own shifts within these days. */
export const listOwnShifts = async (
  db: Db,
  programId: number,
  studentId: number,
  fromDate: string,
  throughDate: string,
) =>
  db
    .selectFrom('shift_assignment as a')
    .innerJoin('rotation as r', (join) =>
      join.onRef('r.program_id', '=', 'a.program_id').onRef('r.id', '=', 'a.rotation_id'),
    )
    .innerJoin('site_shift as h', (join) =>
      join.onRef('h.program_id', '=', 'a.program_id').onRef('h.id', '=', 'a.site_shift_id'),
    )
    .innerJoin('site as s', (join) =>
      join.onRef('s.program_id', '=', 'a.program_id').onRef('s.id', '=', 'a.site_id'),
    )
    .select([
      'a.id as Id',
      'a.date as Date',
      sql<string>`to_char(h.start_time, 'HH24:MI')`.as('StartTime'),
      sql<string>`to_char(h.end_time, 'HH24:MI')`.as('EndTime'),
      'a.starts_at as StartsAt',
      'a.ends_at as EndsAt',
      's.time_zone as TimeZone',
      'r.name as Rotation',
      'h.code as ShiftCode',
      'h.name as ShiftName',
      sql<ShiftType>`h.type`.as('ShiftType'),
      's.name as Site',
      sql<string>`concat_ws(', ', nullif(s.address, ''), nullif(s.city, ''), nullif(trim(s.state || ' ' || s.zip), ''))`.as(
        'Address',
      ),
      's.latitude as Latitude',
      's.longitude as Longitude',
      's.phone as Phone',
    ])
    .where('a.program_id', '=', programId)
    .where('a.student_id', '=', studentId)
    .where('a.removed_at', 'is', null)
    .where('a.date', '>=', fromDate)
    .where('a.date', '<=', throughDate)
    .orderBy('a.starts_at')
    .execute()
