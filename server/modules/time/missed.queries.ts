import { sql } from 'kysely'
import type { MissedRecord } from '#contract/time/missed-shifts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { personalFilter } from '../scheduling/personal-filters.queries.ts'
import { plannedMinutes } from '../scheduling/planned-hours.queries.ts'
import { inScope } from '../sites/scope.queries.ts'
import { isUnrecorded, keptDaysOf, shouldHaveBegun } from './attendance.queries.ts'
import { todayExpression } from './hours.queries.ts'
import type { RecordView } from './records.queries.ts'

export interface MissedFilter {
  AreaId?: number | undefined
  SiteId?: number | undefined
  StudentId?: number | undefined
  StudentLevelId?: number | undefined
  FromDate?: string | undefined
  ThroughDate?: string | undefined
  MyStudents?: boolean | undefined
  MySites?: boolean | undefined
  IsBegun?: boolean | undefined
}

const listedDays = 30

const columns = sql`a.id as "AssignmentId", a.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student",
  u.student_level_id as "StudentLevelId", l.name as "StudentLevel", a.site_id as "SiteId", s.name as "Location",
  a.date as "Date", to_char(a.starts_at at time zone s.time_zone, 'HH24:MI') as "StartTime",
  to_char(a.ends_at at time zone s.time_zone, 'HH24:MI') as "EndTime", a.ends_at as "EndsAt", x.code as "ShiftCode",
  x.type as "ShiftType", t.name as "Rotation",
  ${plannedMinutes('a')} as "Minutes"`

const joins = sql`
  join account u on u.program_id = a.program_id and u.id = a.student_id and u.deleted_at is null
  left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
  join site s on s.program_id = a.program_id and s.id = a.site_id
  join site_shift x on x.program_id = a.program_id and x.id = a.site_shift_id
  join rotation t on t.program_id = a.program_id and t.id = a.rotation_id`

/** Whether the shift `a` can be missed yet. */
const isDue = ({ IsBegun }: MissedFilter) => (IsBegun ? shouldHaveBegun : sql`a.ends_at < now()`)

/** What the filter and the caller's view ask of the shift `a`, with student `u` and site `s`. */
const conditions = ({ programId, scope, accountId }: RecordView, filter: MissedFilter) => {
  const parts = [
    sql`a.program_id = ${programId} and a.removed_at is null and ${isDue(filter)}`,
    ...(filter.SiteId ? [sql`a.site_id = ${filter.SiteId}`] : []),
    ...(filter.StudentId ? [sql`a.student_id = ${filter.StudentId}`] : []),
    ...(filter.AreaId ? [sql`s.area_id = ${filter.AreaId}`] : []),
    ...(filter.StudentLevelId ? [sql`u.student_level_id = ${filter.StudentLevelId}`] : []),
    ...(filter.MyStudents ? [personalFilter(accountId, 'student', sql.ref('a.student_id'))] : []),
    ...(filter.MySites ? [personalFilter(accountId, 'site', sql.ref('a.site_id'))] : []),
    inScope(scope, 'a.program_id', 'a.site_id'),
  ]
  return sql.join(parts, sql` and `)
}

/** The period of a filter, the last month where it names none. */
const periodOf = (programId: number, { FromDate, ThroughDate }: MissedFilter) => ({
  from: FromDate ? sql`${FromDate}::date` : sql`${todayExpression(programId)} - ${listedDays}::int`,
  through: ThroughDate ? sql`${ThroughDate}::date` : todayExpression(programId),
})

/** Shifts without any record that have passed or, if the filter asks so, begun: newest first, and how many there are. */
export const listMissed = async (
  db: Db,
  view: RecordView,
  filter: MissedFilter,
  page: { page: number; pageSize: number },
) => {
  const { programId } = view
  const { from, through } = periodOf(programId, filter)
  const needed = sql`a.program_id, a.id, a.date, a.student_id, a.site_id, a.starts_at, a.ends_at, a.removed_at`
  const { rows } = await sql<MissedRecord & { Total: number }>`
    with period as materialized (
      select greatest(${from}, (select min(a.date) from shift_assignment a where a.program_id = ${programId} and a.removed_at is null))
        as first, ${through} as last),
    kept as materialized (
      select k.date, k.missed_shifts from (${keptDaysOf(programId, sql`(select first from period)`, sql`(select last from period)`)}) k),
    -- "Offset 0" keeps the order of the steps: days, then their shifts, then what the filter asks of the few that are left.
    missed as materialized (
      select a.* from kept k cross join lateral unnest(k.missed_shifts) m (id)
      cross join lateral (
        select ${needed} from shift_assignment a where a.program_id = ${programId} and a.id = m.id offset 0) a
      union all
      select a.*
      from (select d::date as date from period, generate_series(period.first::timestamp, period.last, interval '1 day') d
        where d::date not in (select date from kept)) o
      cross join lateral (
        select ${needed} from shift_assignment a
        where a.program_id = ${programId} and a.date = o.date and a.removed_at is null and ${isDue(filter)} and ${isUnrecorded}
        offset 0) a),
    found as materialized (
      select a.id, a.date from missed a
      join account u on u.program_id = a.program_id and u.id = a.student_id and u.deleted_at is null
      join site s on s.program_id = a.program_id and s.id = a.site_id
      where ${conditions(view, filter)}),
    page as materialized (
      select f.id from found f order by f.date desc, f.id desc limit ${page.pageSize} offset ${(page.page - 1) * page.pageSize})
    select ${columns}, (select count(*) from found) as "Total" from page f
    join shift_assignment a on a.program_id = ${programId} and a.id = f.id ${joins} order by a.date desc, a.id desc`.execute(
    db,
  )
  return {
    Items: rows.map(({ Total: _total, ...row }) => row),
    Total: rows[0]?.Total ?? 0,
    Page: page.page,
    PageSize: page.pageSize,
  }
}

/** The missed shifts among those named, also those that still go on, by student, with where to write. */
export const listMissedOfStudents = async (db: Db, view: RecordView, assignmentIds: readonly number[]) => {
  const { rows } = await sql<{
    StudentId: number
    FirstName: string
    Email: string
    Shifts: { Date: string; StartTime: string; Site: string }[]
  }>`
    select a.student_id as "StudentId", u.first_name as "FirstName", u.email as "Email",
      jsonb_agg(jsonb_build_object('Date', a.date, 'StartTime', to_char(a.starts_at at time zone s.time_zone, 'HH24:MI'),
        'Site', s.name) order by a.date) as "Shifts"
    from shift_assignment a ${joins}
    where ${conditions(view, { IsBegun: true })} and a.date <= ${todayExpression(view.programId)} and a.id = any (${[...assignmentIds]}::bigint[])
      and ${isUnrecorded}
    group by a.student_id, u.first_name, u.email`.execute(db)
  return rows
}
