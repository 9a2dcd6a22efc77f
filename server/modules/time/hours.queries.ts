import { type RawBuilder, sql } from 'kysely'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import {
  byFigure,
  type HoursFigure,
  type HoursFilters,
  type HoursRow,
  type HoursSort,
  hoursFigures,
  type ProjectionParts,
} from '#contract/time/hours-summary.ts'
import { countsNow, hasCounted } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { columnName } from '#server/core/database/rows.ts'
import { type Days, type Months, nearestMonths, type SignedDays } from '#server/core/runtime/months.ts'
import { personalFilter } from '../scheduling/personal-filters.queries.ts'
import { plannedMinutes } from '../scheduling/planned-hours.queries.ts'

/** The day that it is now where the program is. */
export const todayExpression = (programId: number) =>
  sql<string>`(select (now() at time zone time_zone)::date from program where id = ${programId})`

/** A row as the statement below has it; `project` says what each figure means. */
interface FlatRow extends Omit<HoursRow, 'Parts'>, ProjectionParts {}

type Part = RawBuilder<unknown>
const all = (parts: readonly Part[]): Part => (parts.length === 0 ? sql`true` : sql.join(parts, sql` and `))

export interface HoursOf {
  programId: number
  /** Whose personal filters are meant. */
  accountId: number
  filter: HoursFilters & {
    /** Of one student alone, of any level and also without access, by the indexes of students. */
    StudentId?: number
    /** Of these students alone, of any level and also without access. */
    StudentIds?: readonly number[]
  }
  /** Whether the program has absences made up. */
  areMadeUp: boolean
}

/**
 * The common table `rows` with the hours of every student of the filter and what they will come to. It adds up what is kept
 * with the changes: minutes by student and rotation, shifts by whether they were over at the last full hour, and with area,
 * site or days the sums by month. Only shifts around now, and the days of months that the period cuts, are looked at singly.
 */
const hoursRows = ({ programId, accountId, filter, areMadeUp }: HoursOf): Part => {
  const { RotationId, AreaId, SiteId, FromDate, ThroughDate, StudentId, StudentIds } = filter
  const levels = filter.StudentLevelIds?.length
    ? filter.StudentLevelIds
    : filter.StudentLevelId
      ? [filter.StudentLevelId]
      : null
  const isNarrow = Boolean(AreaId || SiteId || FromDate || ThroughDate || filter.MySites)
  const ofStudents = (alias: string): Part =>
    all([
      sql`${sql.ref(`${alias}.program_id`)} = ${programId}`,
      ...(StudentId ? [sql`${sql.ref(`${alias}.student_id`)} = ${StudentId}`] : []),
      ...(StudentIds ? [sql`${sql.ref(`${alias}.student_id`)} = any (${[...StudentIds]}::bigint[])`] : []),
      ...(RotationId ? [sql`${sql.ref(`${alias}.rotation_id`)} = ${RotationId}`] : []),
    ])
  const parts = (alias: string, noSite: Part = sql`null`): Part => {
    const site = sql`nullif(${sql.ref(`${alias}.site_id`)}, ${noSite})`
    return all([
      ofStudents(alias),
      ...(SiteId ? [sql`${sql.ref(`${alias}.site_id`)} = ${SiteId}`] : []),
      ...(AreaId
        ? [
            sql`${sql.ref(`${alias}.site_id`)} in (select x.id from site x where x.program_id = ${programId} and x.area_id = ${AreaId})`,
          ]
        : []),
      ...(filter.MySites ? [personalFilter(accountId, 'site', site)] : []),
    ])
  }
  const inDays = (alias: string, { from, through }: Days): Part =>
    sql`${parts(alias)} and ${sql.ref(`${alias}.date`)} between ${from}::date and ${through}::date`
  const monthsOf = ({ first, last, broken }: Omit<Months, 'days'>): Part =>
    all([
      ...(first ? [sql`s.month >= ${first}::date`] : []),
      ...(last ? [sql`s.month <= ${last}::date`] : []),
      ...(broken.length > 0 ? [sql`s.month <> all (${broken}::date[])`] : []),
    ])
  const signed = ({ sign }: SignedDays, value: Part): Part => (sign === 1 ? value : sql`-(${value})`)
  // Counted and not "exists", so that only the few shifts of this hour are looked up and not all records hashed.
  const isRecorded = sql`0 < (select count(*) from time_record r where r.program_id = a.program_id and r.assignment_id = a.id
    and r.kind in ('out', 'absence', 'exception') and r.deleted_at is null and r.status <> 'rejected')`

  // All of it in a subquery: "coalesce" beside it would keep row-level security from using the index.
  const untilAs = (value: Part) =>
    sql`(select coalesce((select ${value} from plan_until p where p.program_id = ${programId}), '-infinity'))`

  const kept = {
    // In one rotation a student has one row.
    sums: RotationId
      ? sql`select h.student_id, h.approved_minutes as approved, h.pending_minutes as pending, h.absence_minutes as absence,
            h.makeup_minutes as makeup
          from student_hours h where ${ofStudents('h')} and h.records <> 0`
      : sql`select h.student_id, sum(h.approved_minutes) as approved, sum(h.pending_minutes) as pending,
            sum(h.absence_minutes) as absence, sum(h.makeup_minutes) as makeup
          from student_hours h where ${ofStudents('h')} group by h.student_id having sum(h.records) <> 0`,
    // Of the shifts since the moment of the sums, those that have begun: they are over or under way.
    shifts: sql`select p.student_id, p.rotation_id, p.shifts, p.shifts - p.past_shifts as ahead, p.planned_minutes - p.past_minutes as minutes,
        p.past_shifts as past
      from student_hours p where ${ofStudents('p')}
      union all
      select a.student_id, a.rotation_id, 0, case when a.is_done then -1 else 0 end,
        case when a.is_done then -a.minutes else 0 end, a.is_over::integer
      from (
        select a.student_id, a.rotation_id, ${plannedMinutes('a')} as minutes, a.ends_at <= now() as is_over,
          case when a.ends_at <= now() then true else ${isRecorded} end as is_done
        from shift_assignment a where ${parts('a')} and a.removed_at is null
          -- The day of a shift is that of its begin where its site is, which is at most 14 hours from that here.
          and a.date >= ${untilAs(sql`(p.until - interval '38 hours')::date`)}
          and a.date <= (select (now() + interval '14 hours')::date)
          and a.ends_at > ${untilAs(sql`p.until`)} and a.starts_at <= now()) a`,
  }
  const narrow = () => {
    const day = (distance: number) => new Date(Date.now() + distance * 86_400_000).toISOString().slice(0, 10)
    // Shifts of the days around now are looked at one by one. What lies before them is past, what lies behind them ahead.
    const [first, last] = [day(-2), day(2)]
    const earlier = (one: string, other: string | undefined) =>
      other !== undefined && other < one ? other : one
    const later = (one: string, other: string | undefined) =>
      other !== undefined && other > one ? other : one
    const around = { from: later(first, FromDate), through: earlier(last, ThroughDate) }
    const records = nearestMonths(FromDate, ThroughDate)
    const past = nearestMonths(FromDate, earlier(addDays(first, -1), ThroughDate))
    const ahead = nearestMonths(later(addDays(last, 1), FromDate), ThroughDate)
    const isAhead = monthsOf(ahead)
    const ofDays = (each: SignedDays, columns: Part) => sql`
      select a.student_id, a.rotation_id, ${signed(each, sql`1`)}, ${columns}
      from shift_assignment a where ${inDays('a', each)} and a.removed_at is null`
    return {
      sums: sql`select f.student_id, sum(f.minutes - f.pending) filter (where f.kind <> 'absence') as approved,
          sum(f.pending) filter (where f.kind <> 'absence') as pending, sum(f.minutes) filter (where f.kind = 'absence') as absence,
          sum(f.minutes) filter (where f.kind = 'makeup') as makeup
        from (${sql.join(
          [
            sql`select s.student_id, s.kind, s.records, s.minutes, s.pending_minutes as pending from time_sum s
              where ${parts('s', sql`0`)} and ${monthsOf(records)} and s.kind <> 'planned'`,
            ...records.days.map(
              (
                each,
              ) => sql`select r.student_id, r.kind, ${signed(each, sql`1`)}, ${signed(each, sql`r.minutes`)},
                ${signed(each, sql`case when r.status = 'pending' then r.minutes else 0 end`)}
              from time_record r where ${inDays('r', each)} and r.deleted_at is null and r.status <> 'rejected' and r.is_matched
                and r.kind <> 'in' and r.occurred_at >= ${addDays(each.from, -1)}::timestamptz
                and r.occurred_at < ${addDays(each.through, 2)}::timestamptz`,
            ),
          ],
          sql` union all `,
        )}) f group by f.student_id having sum(f.records) <> 0`,
      shifts: sql.join(
        [
          sql`select s.student_id, s.rotation_id, s.records as shifts, case when ${isAhead} then s.records else 0 end as ahead,
              case when ${isAhead} then s.minutes else 0 end as minutes, case when ${isAhead} then 0 else s.records end as past
            from time_sum s
            where ${parts('s', sql`0`)} and (${monthsOf(past)} or ${isAhead}) and s.kind = 'planned'`,
          ...past.days.map((each) => ofDays(each, sql`0, 0, ${signed(each, sql`1`)}`)),
          ...ahead.days.map((each) =>
            ofDays(each, sql`${signed(each, sql`1`)}, ${signed(each, plannedMinutes('a'))}, 0`),
          ),
          sql`select a.student_id, a.rotation_id, 1, a.is_ahead::integer, case when a.is_ahead then a.minutes else 0 end,
              a.is_over::integer
            from (
              select a.student_id, a.rotation_id, ${plannedMinutes('a')} as minutes, a.ends_at <= now() as is_over,
                case when a.ends_at <= now() then false when a.starts_at > now() then true else not ${isRecorded} end as is_ahead
              from shift_assignment a where ${inDays('a', around)} and a.removed_at is null) a`,
        ],
        sql` union all `,
      ),
    }
  }
  const { sums, shifts } = isNarrow ? narrow() : kept
  const shiftsBy = (
    columns: Part,
  ) => sql`select ${columns}, sum(s.minutes)::integer as assigned, sum(s.ahead)::integer as assigned_shifts,
      sum(s.past)::integer as past_days
    from (${shifts}) s group by ${columns} having sum(s.shifts) <> 0`
  // One rotation has one target; of several, those count in which a student has shifts.
  const placed = RotationId
    ? shiftsBy(sql`s.student_id`)
    : sql`select p.student_id, sum(p.assigned) as assigned, sum(p.assigned_shifts) as assigned_shifts, sum(p.past_days) as past_days,
          sum(t.target_minutes) as target
        from (${shiftsBy(sql`s.student_id, s.rotation_id`)}) p
        left join rotation t on t.program_id = ${programId} and t.id = p.rotation_id and t.deleted_at is null
        group by 1`
  // By the day alone: absences and makeups have small indexes of their own, which the planner leaves for that of moments.
  const single = all([
    parts('r'),
    ...(FromDate ? [sql`r.date >= ${FromDate}::date`] : []),
    ...(ThroughDate ? [sql`r.date <= ${ThroughDate}::date`] : []),
  ])
  return sql`
    sums as materialized (${sums}),
    placed as materialized (${placed}),
    makeups as materialized (
      select r.student_id, sum(r.minutes) as minutes, min(r.date) as date from time_record r
      where ${single} and r.kind = 'makeup' and r.status = 'pending' and r.deleted_at is null
        and r.occurred_at > now() group by r.student_id),
    absences as materialized (
      select r.student_id, count(*) as days from time_record r
      where ${single} and r.kind = 'absence' and r.deleted_at is null and r.status <> 'rejected'
        and r.occurred_at <= now() group by r.student_id),
    facts as (
      select u.id, listed_name(u.last_name, u.first_name) as name, lower(u.last_name) as last, lower(u.first_name) as first,
        u.student_level_id, u.cohort,
        ${
          RotationId
            ? sql`(select t.target_minutes from rotation t where t.program_id = ${programId} and t.id = ${RotationId})`
            : sql`coalesce(w.target, 0)`
        } as target,
        coalesce(h.approved, 0) as approved, coalesce(h.pending, 0) as pending,
        ${areMadeUp ? sql`greatest(0, coalesce(h.absence, 0) - coalesce(h.makeup, 0))` : sql`0`} as makeup,
        coalesce(h.approved, 0) + greatest(0, coalesce(h.pending, 0) - coalesce(m.minutes, 0)) as earned,
        coalesce(w.assigned, 0) as assigned, coalesce(w.assigned_shifts, 0) as assigned_shifts,
        case when b.days > 0 and w.past_days > 0
          then -round(w.assigned * least(b.days, w.past_days)::numeric / w.past_days)::integer else 0 end as absence,
        coalesce(b.days, 0) as absent_days, coalesce(w.past_days, 0) as past_days,
        coalesce(m.minutes, 0) as makeup_planned, m.date as makeup_date
      from account u
      left join sums h on h.student_id = u.id
      left join placed w on w.student_id = u.id
      left join makeups m on m.student_id = u.id
      left join absences b on b.student_id = u.id
      where u.program_id = ${programId} and u.deleted_at is null
        and ${
          StudentId
            ? sql`u.id = ${StudentId}`
            : StudentIds
              ? sql`u.id = any (${[...StudentIds]}::bigint[])`
              : RotationId || isNarrow
                ? hasCounted('u')
                : countsNow('u')
        }
        and ${levels ? sql`u.student_level_id = any (${levels}::smallint[])` : sql`true`}
        and ${filter.Cohort ? sql`u.cohort = ${filter.Cohort}` : sql`true`}
        and ${RotationId || isNarrow ? sql`(h.student_id is not null or w.student_id is not null)` : sql`true`}
        and ${filter.MyStudents ? personalFilter(accountId, 'student', sql`u.id`) : sql`true`}),
    rows as (
      select f.*, f.earned + f.assigned + f.absence + f.makeup_planned as projection from facts f
      where ${filter.IsShort ? sql`f.earned + f.assigned + f.absence + f.makeup_planned < f.target` : sql`true`})`
}

const columnOf = (figure: HoursFigure): Part => sql.ref(`r.${columnName(figure)}`)

/** The columns of `rows` as the contract names them. */
const asAnswer = sql`r.id as "StudentId", r.name as "Student", r.student_level_id as "StudentLevelId", l.name as "StudentLevel", r.cohort as "Cohort",
  ${sql.join(hoursFigures.map(({ name }) => sql`${columnOf(name)} as ${sql.id(name)}`))}, r.projection as "Projection",
  r.projection - r.target as "Difference", r.earned as "Earned", r.assigned as "Assigned", r.assigned_shifts as "AssignedShifts",
  r.absence as "UsualAbsence", r.absent_days as "AbsentDays", r.past_days as "PastDays",
  r.makeup_planned as "MakeupPlanned", r.makeup_date as "MakeupDate"`
const withLevel = (programId: number) =>
  sql`left join student_level l on l.program_id = ${programId} and l.id = r.student_level_id`

const asRow = ({
  Earned,
  Assigned,
  AssignedShifts,
  UsualAbsence,
  AbsentDays,
  PastDays,
  MakeupPlanned,
  MakeupDate,
  ...row
}: FlatRow): HoursRow => ({
  ...row,
  Parts: {
    Earned,
    Assigned,
    AssignedShifts,
    UsualAbsence,
    AbsentDays,
    PastDays,
    MakeupPlanned,
    MakeupDate,
  },
})

const sortColumns: Record<string, Part> = {
  Student: sql`r.last`,
  StudentLevel: sql`coalesce(r.student_level_id, 0)`,
  ...byFigure(columnOf),
  Projection: sql`r.projection`,
  Difference: sql`r.projection - r.target`,
}
const sortColumnOf = (sort: HoursSort): Part => sortColumns[sort.replace('-', '')]!
/** Rows in the order asked for; the same value by name. */
const ordered = (sort: HoursSort): Part => {
  const way = sort.startsWith('-') ? sql`desc` : sql`asc`
  return sort.endsWith('Student')
    ? sql`r.last ${way}, r.first ${way}, r.id`
    : sql`${sortColumnOf(sort)} ${way}, r.last, r.first, r.id`
}

/** Leaves the rows that can be among the first `most`, so that of the others no name is brought into order. */
const limitToTop = (sort: HoursSort, most: number): Part => {
  const column = sortColumnOf(sort)
  const isDown = sort.startsWith('-')
  const last = sql`(select ${column} from rows r order by 1 ${isDown ? sql`desc` : sql`asc`} limit 1 offset ${most - 1})`
  return sql`coalesce(${column} ${isDown ? sql`>=` : sql`<=`} ${last}, true)`
}

/** The hours of every student of the filter, with what they will come to. */
export const readHours = async (db: Db, of: HoursOf, sort: HoursSort = 'Student'): Promise<HoursRow[]> => {
  const { rows } = await sql<FlatRow>`with ${hoursRows(of)}
    select ${asAnswer} from rows r ${withLevel(of.programId)} order by ${ordered(sort)}`.execute(db)
  return rows.map(asRow)
}

export interface HoursTotals extends Record<HoursFigure, number> {
  Students: number
  /** Students whose projection reaches the target. */
  Finish: number
}
const totalsOf = sql`count(*) as "Students",
  ${sql.join(hoursFigures.map(({ name }) => sql`coalesce(sum(${columnOf(name)}), 0) as ${sql.id(name)}`))},
  count(*) filter (where r.projection >= r.target) as "Finish"`

/** A page of the rows, with the totals and projections, ascending, of all. */
export const pageHours = async (
  db: Db,
  of: HoursOf,
  { sort, page, pageSize }: { sort: HoursSort; page: number; pageSize: number },
): Promise<{ items: HoursRow[]; totals: HoursTotals; projections: number[] }> => {
  const { rows } = await sql<{
    items: FlatRow[]
    totals: HoursTotals
    projections: number[]
  }>`with ${hoursRows(of)},
    page as materialized (
      select r.*, row_number() over () as place
      from (select r.* from rows r ${sort.endsWith('Student') ? sql`` : sql`where ${limitToTop(sort, page * pageSize)}`}
        order by ${ordered(sort)} limit ${pageSize} offset ${(page - 1) * pageSize}) r)
    select coalesce((select json_agg(i order by i.place) from (select ${asAnswer}, r.place from page r ${withLevel(of.programId)}) i), '[]') as items,
      (select row_to_json(t) from (select ${totalsOf} from rows r) t) as totals,
      coalesce((select json_agg(r.projection order by r.projection) from rows r), '[]') as projections`.execute(
    db,
  )
  const { items, totals, projections } = rows[0]!
  return { items: items.map((item) => asRow(item)), totals, projections }
}

/** The rotation `t` whose assignments of a student are nearest to a day, as SQL. */
export const rotationNearest = (programId: number, studentId: number, today: string) => sql`
  select t.* from shift_assignment a join rotation t on t.program_id = a.program_id and t.id = a.rotation_id
  where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
  order by abs(a.date - ${today}::date), a.date limit 1`

/** The rotation of a student: the one whose assignments are nearest to a day. */
export const rotationOfStudent = async (db: Db, programId: number, studentId: number, today: string) => {
  const { rows } = await sql<{ id: number; name: string; start_date: string; end_date: string }>`
    select id, name, start_date, end_date from (${rotationNearest(programId, studentId, today)}) r`.execute(
    db,
  )
  return rows[0]
}

/** The rotation that runs on a day, the one that began last. */
export const currentRotation = (db: Db, programId: number, today: string | RawBuilder<string>) =>
  db
    .selectFrom('rotation')
    .select(['id', 'name', 'start_date', 'end_date'])
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)
    .where('start_date', '<=', today)
    .where('end_date', '>=', today)
    .orderBy('start_date', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The day up to which is projected, and how much of the program the personal filters leave. */
export const readHoursFrame = async (db: Db, programId: number, accountId: number, filter: HoursFilters) => {
  const { rows } = await sql<{
    EndDate: string | null
    student_filter: number | null
    students: number
    site_filter: number | null
    sites: number
  }>`
    select ${
      filter.ThroughDate
        ? sql`${filter.ThroughDate}::date`
        : filter.RotationId
          ? sql`(select t.end_date from rotation t where t.program_id = ${programId} and t.id = ${filter.RotationId})`
          : sql`(select max(t.end_date) from rotation t where t.program_id = ${programId} and t.deleted_at is null
              and ${todayExpression(programId)} between t.start_date and t.end_date)`
    } as "EndDate",
      case when f.is_student_enabled then cardinality(f.student_ids) end as student_filter,
      case when f.is_site_enabled then cardinality(f.site_ids) end as site_filter,
      case when f.is_student_enabled then (select count(*) from account u where u.program_id = ${programId}
        and u.access_level = ${Level.Student} and u.deleted_at is null and u.deactivated_at is null) else 0 end as students,
      case when f.is_site_enabled then (select count(*) from site s where s.program_id = ${programId} and s.deleted_at is null
        and s.is_active) else 0 end as sites
    from (select 1) one left join personal_filter f on f.account_id = ${accountId}`.execute(db)
  const row = rows[0]!
  return {
    EndDate: row.EndDate,
    PersonalFilter: {
      Students:
        filter.MyStudents && row.student_filter !== null
          ? { Chosen: row.student_filter, Of: row.students }
          : null,
      Sites: filter.MySites && row.site_filter !== null ? { Chosen: row.site_filter, Of: row.sites } : null,
    },
  }
}

/** The names of what a report is narrowed to: rotation, area, site, levels. */
export const readFilterNames = async (
  db: Db,
  programId: number,
  { RotationId, AreaId, SiteId, levels }: HoursFilters & { levels: readonly number[] },
): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from rotation where program_id = ${programId} and id = ${RotationId ?? 0}
    union all select name from area where program_id = ${programId} and id = ${AreaId ?? 0}
    union all select name from site where program_id = ${programId} and id = ${SiteId ?? 0}
    union all select name from student_level where program_id = ${programId} and id = any (${[...levels]}::smallint[])`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}
