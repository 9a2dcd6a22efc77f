import { type RawBuilder, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { HoursFilters, HoursRow, HoursSort } from '#contract/time/hours-summary.ts'
import type { Db } from '#server/core/database/pool.ts'
import { makeupOwed, project } from './projection.rules.ts'

/** The day that it is now where the program is. */
export const todayOf = (programId: number) =>
  sql<string>`(select (now() at time zone time_zone)::date from program where id = ${programId})`

interface HoursFacts {
  StudentId: number
  Student: string
  StudentLevelId: number | null
  StudentLevel: string | null
  target: number
  approved: number
  pending: number
  absence: number
  makeup: number
  makeup_planned: number
  makeup_date: string | null
  assigned: number
  assigned_shifts: number
  past_days: number
  absent_days: number
}

/**
 * The hours of every student of the filter, with their projection. Without area, site and days the sums kept with
 * the records answer (`student_hours`); with them the records of those days and sites are added up.
 */
export const readHours = async (
  db: Db,
  programId: number,
  accountId: number,
  filter: HoursFilters & {
    /** Of one student alone, of any level and also without access, by the indexes of students. */
    StudentId?: number
  },
  areMadeUp: boolean,
): Promise<HoursRow[]> => {
  const { RotationId, AreaId, SiteId, FromDate, ThroughDate, StudentId } = filter
  const levels = filter.StudentLevelIds?.length
    ? filter.StudentLevelIds
    : filter.StudentLevelId
      ? [filter.StudentLevelId]
      : null
  const isNarrow = Boolean(AreaId || SiteId || FromDate || ThroughDate || filter.MySites)
  const personal = (enabled: string, ids: string, column: string) =>
    sql`not exists (select from personal_filter f where f.account_id = ${accountId}
      and f.${sql.ref(enabled)} and not (${sql.ref(column)} = any (f.${sql.ref(ids)})))`
  const siteParts = (column: string) => [
    ...(SiteId ? [sql`${sql.ref(column)} = ${SiteId}`] : []),
    ...(AreaId
      ? [
          sql`${sql.ref(column)} in (select x.id from site x where x.program_id = ${programId} and x.area_id = ${AreaId})`,
        ]
      : []),
    ...(filter.MySites ? [personal('is_site_enabled', 'site_ids', column)] : []),
  ]
  const all = (parts: ReturnType<typeof sql>[]) =>
    parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)
  const recordParts = all([
    ...(StudentId ? [sql`r.student_id = ${StudentId}`] : []),
    ...siteParts('r.site_id'),
    ...(RotationId ? [sql`r.rotation_id = ${RotationId}`] : []),
    ...(FromDate
      ? [sql`r.date >= ${FromDate}::date and r.occurred_at >= ${FromDate}::date - interval '1 day'`]
      : []),
    ...(ThroughDate
      ? [sql`r.date <= ${ThroughDate}::date and r.occurred_at < ${ThroughDate}::date + interval '2 days'`]
      : []),
  ])
  const assignmentParts = all([
    ...(StudentId ? [sql`a.student_id = ${StudentId}`] : []),
    ...siteParts('a.site_id'),
    ...(RotationId ? [sql`a.rotation_id = ${RotationId}`] : []),
    ...(FromDate ? [sql`a.date >= ${FromDate}::date`] : []),
    ...(ThroughDate ? [sql`a.date <= ${ThroughDate}::date`] : []),
  ])
  const sums = isNarrow
    ? sql`select r.student_id,
          coalesce(sum(r.minutes) filter (where r.kind <> 'absence' and r.status = 'approved'), 0) as approved,
          coalesce(sum(r.minutes) filter (where r.kind <> 'absence' and r.status = 'pending'), 0) as pending,
          coalesce(sum(r.minutes) filter (where r.kind = 'absence'), 0) as absence,
          coalesce(sum(r.minutes) filter (where r.kind = 'makeup'), 0) as makeup
        from time_record r
        where r.program_id = ${programId} and r.deleted_at is null and r.status <> 'rejected' and r.is_matched
          and r.kind <> 'in' and ${recordParts} group by r.student_id`
    : sql`select h.student_id, sum(h.approved_minutes) as approved, sum(h.pending_minutes) as pending,
          sum(h.absence_minutes) as absence, sum(h.makeup_minutes) as makeup
        from student_hours h where h.program_id = ${programId}
          and ${StudentId ? sql`h.student_id = ${StudentId}` : sql`true`}
          and ${RotationId ? sql`h.rotation_id = ${RotationId}` : sql`true`} group by h.student_id`
  const { rows } = await sql<HoursFacts>`
    with sums as materialized (${sums}),
    placed as materialized (
      select a.student_id,
        coalesce(sum(extract(epoch from a.ends_at - a.starts_at) / 60) filter (where a.is_ahead), 0)::int as assigned,
        count(*) filter (where a.is_ahead)::int as assigned_shifts,
        count(*) filter (where a.ends_at <= now())::int as past_days,
        ${RotationId ? sql`null::bigint[]` : sql`array_agg(distinct a.rotation_id)`} as rotations
      from (
        select a.student_id, a.rotation_id, a.starts_at, a.ends_at,
          -- Counted and not "exists", so that only the few shifts of this hour are looked up and not all records hashed.
          case when a.ends_at <= now() then false when a.starts_at > now() then true else 0 = (
            select count(*) from time_record r where r.program_id = a.program_id and r.assignment_id = a.id
              and r.kind in ('out', 'absence', 'exception') and r.deleted_at is null and r.status <> 'rejected') end as is_ahead
        from shift_assignment a
        where a.program_id = ${programId} and a.removed_at is null and ${assignmentParts}) a
      group by a.student_id),
    makeups as materialized (
      select r.student_id, sum(r.minutes) as minutes, min(r.date) as date from time_record r
      where r.program_id = ${programId} and r.kind = 'makeup' and r.status = 'pending' and r.deleted_at is null
        and r.occurred_at > now() and ${recordParts} group by r.student_id),
    absences as materialized (
      select r.student_id, count(*) as days from time_record r
      where r.program_id = ${programId} and r.kind = 'absence' and r.deleted_at is null and r.status <> 'rejected'
        and r.occurred_at <= now() and ${recordParts} group by r.student_id)
    select u.id as "StudentId", u.last_name || ', ' || u.first_name as "Student", u.student_level_id as "StudentLevelId",
      l.name as "StudentLevel",
      ${
        RotationId
          ? sql`(select t.target_minutes from rotation t where t.program_id = ${programId} and t.id = ${RotationId})`
          : sql`coalesce((select sum(t.target_minutes) from rotation t where t.program_id = ${programId}
              and t.id = any (w.rotations) and t.deleted_at is null), 0)`
      } as target,
      coalesce(h.approved, 0) as approved, coalesce(h.pending, 0) as pending, coalesce(h.absence, 0) as absence,
      coalesce(h.makeup, 0) as makeup, coalesce(m.minutes, 0) as makeup_planned, m.date as makeup_date,
      coalesce(w.assigned, 0) as assigned, coalesce(w.assigned_shifts, 0) as assigned_shifts,
      coalesce(w.past_days, 0) as past_days, coalesce(b.days, 0) as absent_days
    from account u
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    left join sums h on h.student_id = u.id
    left join placed w on w.student_id = u.id
    left join makeups m on m.student_id = u.id
    left join absences b on b.student_id = u.id
    where u.program_id = ${programId} and u.deleted_at is null
      and ${
        StudentId
          ? sql`u.id = ${StudentId}`
          : sql`u.access_level = ${Level.Student} and u.deactivated_at is null`
      }
      and ${levels ? sql`u.student_level_id = any (${levels}::smallint[])` : sql`true`}
      and ${RotationId || isNarrow ? sql`(h.student_id is not null or w.student_id is not null)` : sql`true`}
      and ${filter.MyStudents ? personal('is_student_enabled', 'student_ids', 'u.id') : sql`true`}`.execute(
    db,
  )
  return rows.map((row) => {
    const { minutes, parts } = project({
      approved: row.approved,
      pending: row.pending,
      makeupPlanned: row.makeup_planned,
      makeupDate: row.makeup_date,
      assigned: row.assigned,
      assignedShifts: row.assigned_shifts,
      absentDays: row.absent_days,
      pastDays: row.past_days,
    })
    return {
      StudentId: row.StudentId,
      Student: row.Student,
      StudentLevelId: row.StudentLevelId,
      StudentLevel: row.StudentLevel,
      Approved: row.approved,
      Pending: row.pending,
      Makeup: makeupOwed(row.absence, row.makeup, areMadeUp),
      Target: row.target,
      Projection: minutes,
      Difference: minutes - row.target,
      Parts: parts,
    }
  })
}

/** Rows in the order asked for; the same value by name. */
export const sortHours = (rows: readonly HoursRow[], sort: HoursSort): HoursRow[] => {
  const isDown = sort.startsWith('-')
  const field = sort.replace('-', '') as 'Student' | 'Projection'
  const key = (row: HoursRow): string | number =>
    (field as string) === 'StudentLevel'
      ? (row.StudentLevelId ?? 0)
      : field === 'Student'
        ? row.Student.toLowerCase()
        : row[field]
  return rows.toSorted((one, other) => {
    const [a, b] = [key(one), key(other)]
    const order = a < b ? -1 : a > b ? 1 : 0
    return (isDown ? -order : order) || (one.Student.toLowerCase() < other.Student.toLowerCase() ? -1 : 1)
  })
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
              and ${todayOf(programId)} between t.start_date and t.end_date)`
    } as "EndDate",
      case when f.is_student_enabled then cardinality(f.student_ids) end as student_filter,
      case when f.is_site_enabled then cardinality(f.site_ids) end as site_filter,
      (select count(*) from account u where u.program_id = ${programId} and u.access_level = ${Level.Student}
        and u.deleted_at is null and u.deactivated_at is null) as students,
      (select count(*) from site s where s.program_id = ${programId} and s.deleted_at is null and s.is_active) as sites
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
