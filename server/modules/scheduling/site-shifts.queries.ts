import { sql } from 'kysely'
import type { Out } from '#contract/core/endpoint.ts'
import type {
  listSiteShifts as listSiteShiftsCall,
  ShiftType,
  SiteShift,
} from '#contract/scheduling/site-shifts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'

type Query = Out<NonNullable<(typeof listSiteShiftsCall)['query']>>

const siteShifts = (db: Db, programId: number, scope: SiteScope) =>
  db
    .selectFrom('site_shift as h')
    .innerJoin('site as s', (join) =>
      join.onRef('s.program_id', '=', 'h.program_id').onRef('s.id', '=', 'h.site_id'),
    )
    .where('h.program_id', '=', programId)
    .where('h.deleted_at', 'is', null)
    .where(inScope(scope, 'h.program_id', 'h.site_id'))

const columns = [
  'h.id as Id',
  'h.site_id as SiteId',
  's.name as Site',
  's.code as SiteCode',
  'h.code as Code',
  'h.name as Name',
  sql<ShiftType>`h.type`.as('Type'),
  sql<number[]>`h.weekdays::int[]`.as('Weekdays'),
  sql<string>`to_char(h.start_time, 'HH24:MI')`.as('StartTime'),
  sql<string>`to_char(h.end_time, 'HH24:MI')`.as('EndTime'),
  'h.capacity as Capacity',
  'h.start_date as StartDate',
  'h.end_date as EndDate',
  's.time_zone as TimeZone',
  sql<number>`(select count(*) from shift_assignment a
    where a.program_id = h.program_id and a.site_shift_id = h.id and a.removed_at is null)`.as(
    'AssignmentCount',
  ),
] as const

/** One page of site shifts and how many there are in all. */
export const listSiteShifts = async (
  db: Db,
  programId: number,
  scope: SiteScope,
  query: Query,
): Promise<{ Items: SiteShift[]; Total: number; Page: number; PageSize: number }> => {
  const filtered = siteShifts(db, programId, scope)
    .where(
      isFound(
        sql`h.code || ' ' || h.name || ' ' || s.name || ' ' || s.code || ' ' || to_char(h.start_time, 'HH24:MI')`,
        query.search ?? '',
      ),
    )
    .$if(Boolean(query.SiteId), (found) => found.where('h.site_id', '=', query.SiteId!))
    .$if(Boolean(query.AreaId), (found) => found.where('s.area_id', '=', query.AreaId!))
    .$if(Boolean(query.Type), (found) => found.where('h.type', '=', query.Type!))
    .$if(Boolean(query.ActiveFrom), (found) => found.where('h.end_date', '>=', query.ActiveFrom!))
  const key = {
    Code: sql`lower(h.code)`,
    Name: sql`lower(h.name)`,
    Site: sql`lower(s.name)`,
    Type: sql`h.type`,
    StartTime: sql`h.start_time`,
    Capacity: sql`h.capacity`,
    StartDate: sql`h.start_date`,
    EndDate: sql`h.end_date`,
  }[query.sort.replace('-', '') as 'Code']
  const Items = await filtered
    .select(columns)
    .orderBy(key, query.sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy('h.id')
    .limit(query.pageSize)
    .offset((query.page - 1) * query.pageSize)
    .execute()
  const { Total } = await filtered.select(sql<number>`count(*)`.as('Total')).executeTakeFirstOrThrow()
  return { Items, Total, Page: query.page, PageSize: query.pageSize }
}

export const findSiteShift = (
  db: Db,
  programId: number,
  scope: SiteScope,
  siteShiftId: number,
): Promise<SiteShift | undefined> =>
  siteShifts(db, programId, scope).select(columns).where('h.id', '=', siteShiftId).executeTakeFirst()

/** Locks the shift against assignments and other changes; answers its code, also of a deleted one. */
export const lockSiteShift = (db: Db, programId: number, siteShiftId: number) =>
  db
    .selectFrom('site_shift')
    .select(['id', 'code', 'deleted_at'])
    .where('program_id', '=', programId)
    .where('id', '=', siteShiftId)
    .forUpdate()
    .executeTakeFirst()

export const isShiftCodeTaken = async (
  db: Db,
  programId: number,
  code: string,
  exceptId: number,
): Promise<boolean> => {
  const taken = await db
    .selectFrom('site_shift')
    .select('id')
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)
    .where(sql`lower(code)`, '=', code.toLowerCase())
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return Boolean(taken)
}

/** The name and zone of a site of the program; undefined for one that is not there. */
export const findSite = (db: Db, programId: number, siteId: number) =>
  db
    .selectFrom('site')
    .select(['id', 'name', 'time_zone'])
    .where('program_id', '=', programId)
    .where('id', '=', siteId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** The first day from `fromDate` on that holds more students than `capacity`. */
export const findOverfullDay = (
  db: Db,
  programId: number,
  siteShiftId: number,
  fromDate: string,
  capacity: number,
): Promise<{ date: string; placed: number } | undefined> =>
  db
    .selectFrom('shift_day')
    .select(['date', 'placed'])
    .where('program_id', '=', programId)
    .where('site_shift_id', '=', siteShiftId)
    .where('date', '>=', fromDate)
    .where('placed', '>', capacity)
    .orderBy('date')
    .forUpdate()
    .executeTakeFirst()

/** The dates from `fromDate` on that the shift holds students on. */
export const listAssignedDates = async (
  db: Db,
  programId: number,
  siteShiftId: number,
  fromDate: string,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('shift_assignment')
    .select('date')
    .distinct()
    .where('program_id', '=', programId)
    .where('site_shift_id', '=', siteShiftId)
    .where('date', '>=', fromDate)
    .where('removed_at', 'is', null)
    .execute()
  return rows.map(({ date }) => date)
}

/** Moments of one day of a shift, ISO 8601. */
export interface DayTimes {
  date: string
  starts_at: string
  ends_at: string
}

/** The first student on the shift whose other assignments the new times would overlap. */
export const findTimesOverlap = async (
  db: Db,
  programId: number,
  siteShiftId: number,
  times: readonly DayTimes[],
): Promise<{ date: string; name: string; code: string } | undefined> => {
  const { rows } = await sql<{ date: string; name: string; code: string }>`
    select a.date, u.first_name || ' ' || u.last_name as name, h.code
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as t (date date, starts_at timestamptz, ends_at timestamptz)
    join shift_assignment a on a.program_id = ${programId} and a.site_shift_id = ${siteShiftId} and a.date = t.date
      and a.removed_at is null
    join shift_assignment o on o.program_id = a.program_id and o.student_id = a.student_id and o.id <> a.id
      and o.site_shift_id <> a.site_shift_id and o.removed_at is null
      and tstzrange(o.starts_at, o.ends_at) && tstzrange(t.starts_at, t.ends_at)
    join site_shift h on h.program_id = o.program_id and h.id = o.site_shift_id
    join account u on u.program_id = a.program_id and u.id = a.student_id
    order by a.date limit 1`.execute(db)
  return rows[0]
}
