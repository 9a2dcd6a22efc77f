import { sql } from 'kysely'
import { addDays } from '#contract/core/calendar.ts'
import type { TimeFilters, TimeGroup, TimeSort, TimeTotal } from '#contract/time/time-summaries.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type Days, monthOf, nearestMonths } from '#server/core/runtime/months.ts'
import { plannedMinutes } from '../scheduling/planned-hours.queries.ts'
import { workedDays } from './attendance.queries.ts'

type Part = ReturnType<typeof sql>

export interface TimeSums {
  Approved: number
  Pending: number
  Absence: number
  Planned: number | null
  Students: number
  Records: number
}
export interface TimeWeek {
  Week: string
  Monday: string
  Approved: number
  Pending: number
}

interface Group {
  /** The column that keeps the rows of a grouping apart, and what it needs joined. */
  by: Part
  of?: Part
  key: Part
  id: Part
  name: Part
  from: Part
}
const groupsOf = (programId: number): Record<TimeGroup, Group> => ({
  student: {
    by: sql`f.student_id`,
    key: sql`'student-' || f.by`,
    id: sql`f.by`,
    name: sql`listed_name(u.last_name, u.first_name)`,
    from: sql`join account u on u.program_id = ${programId} and u.id = f.by`,
  },
  site: {
    by: sql`f.site_id`,
    key: sql`'site-' || coalesce(nullif(f.by, 0)::text, '-')`,
    id: sql`nullif(f.by, 0)`,
    name: sql`coalesce(s.name, '')`,
    from: sql`left join site s on s.program_id = ${programId} and s.id = f.by`,
  },
  area: {
    by: sql`coalesce(x.area_id, 0)`,
    of: sql`left join site x on x.program_id = ${programId} and x.id = f.site_id`,
    key: sql`'area-' || coalesce(nullif(f.by, 0)::text, '-')`,
    id: sql`nullif(f.by, 0)`,
    name: sql`coalesce(r.name, '')`,
    from: sql`left join area r on r.program_id = ${programId} and r.id = f.by`,
  },
  month: {
    by: sql`f.month`,
    key: sql`to_char(f.by, 'YYYY-MM')`,
    id: sql`null::bigint`,
    name: sql`to_char(f.by, 'YYYY-MM')`,
    from: sql``,
  },
  type: { by: sql`f.kind`, key: sql`f.by`, id: sql`null::bigint`, name: sql`f.by`, from: sql`` },
})

const all = (parts: readonly Part[]): Part => sql.join(parts, sql` and `)

/** What the filters but those of dates ask of rows with the columns of the sums. */
const narrowed = (
  programId: number,
  { RotationId, AreaId, SiteId, StudentId, StudentLevelIds, Cohort }: TimeFilters,
  column: (name: string) => Part,
): Part[] => [
  sql`${column('program_id')} = ${programId}`,
  ...(RotationId ? [sql`${column('rotation_id')} = ${RotationId}`] : []),
  ...(SiteId ? [sql`${column('site_id')} = ${SiteId}`] : []),
  ...(AreaId
    ? [
        sql`${column('site_id')} in (select x.id from site x where x.program_id = ${programId} and x.area_id = ${AreaId})`,
      ]
    : []),
  ...(StudentId ? [sql`${column('student_id')} = ${StudentId}`] : []),
  ...(StudentLevelIds?.length
    ? [
        sql`${column('student_id')} in (select x.id from account x where x.program_id = ${programId}
          and x.student_level_id = any (${StudentLevelIds}::smallint[]))`,
      ]
    : []),
  ...(Cohort
    ? [
        sql`${column('student_id')} in (select x.id from account x where x.program_id = ${programId} and x.cohort = ${Cohort})`,
      ]
    : []),
]

const columnOf = (alias: string) => (name: string) => sql`${sql.ref(`${alias}.${name}`)}`
/** The records that count, as every sum has it. */
const counts = sql`t.deleted_at is null and t.status <> 'rejected' and t.is_matched and t.kind <> 'in'`
const pending = sql`case when t.status = 'pending' then t.minutes else 0 end`

/** Rows of the sums by month, and where a month is not whole its records and shifts one by one. */
const factsOf = (programId: number, filter: TimeFilters, hasPlan: boolean): Part => {
  const { Type, FromDate, ThroughDate } = filter
  const { first, last, broken, days } = nearestMonths(FromDate, ThroughDate)
  const within = (alias: string, day: Days): Part =>
    all([
      ...narrowed(programId, filter, columnOf(alias)),
      sql`${sql.ref(`${alias}.date`)} between ${day.from}::date and ${day.through}::date`,
    ])
  const whole = sql`select t.student_id, t.site_id, t.rotation_id, t.month, t.kind, t.records, t.minutes, t.pending_minutes
    from time_sum t where ${all([
      ...narrowed(programId, filter, columnOf('t')),
      ...(Type ? [sql`t.kind = ${Type}`] : []),
      ...(hasPlan ? [] : [sql`t.kind <> 'planned'`]),
      ...(first ? [sql`t.month >= ${first}::date`] : []),
      ...(last ? [sql`t.month <= ${last}::date`] : []),
      ...(broken.length > 0 ? [sql`t.month <> all (${broken}::date[])`] : []),
    ])}`
  const single = days.flatMap((day) => {
    const signed = (minutes: Part): Part => (day.sign === 1 ? minutes : sql`-(${minutes})`)
    return [
      sql`select t.student_id, coalesce(t.site_id, 0), coalesce(t.rotation_id, 0), ${monthOf(day.from)}::date, t.kind, ${signed(sql`1`)},
        ${signed(sql`t.minutes`)}, ${signed(pending)}
      from time_record t where ${within('t', day)} and ${counts} ${Type ? sql`and t.kind = ${Type}` : sql``}
        -- Records are found by their moment, which is within a day of their date anywhere on earth.
        and t.occurred_at >= ${addDays(day.from, -1)}::timestamptz and t.occurred_at < ${addDays(day.through, 2)}::timestamptz`,
      ...(hasPlan
        ? [
            sql`select a.student_id, a.site_id, a.rotation_id, ${monthOf(day.from)}::date, 'planned', ${signed(sql`1`)},
              ${signed(plannedMinutes('a'))}, 0
            from shift_assignment a where ${within('a', day)} and a.removed_at is null`,
          ]
        : []),
    ]
  })
  return sql.join([whole, ...single], sql` union all `)
}

/**
 * Worked minutes of the last ten weeks with time in them; for students of some levels or of a cohort, of the last ten of all students. What
 * the whole program worked is read from its kept days, everything narrower from records: of a place or a student from all they have, of
 * others from those of these weeks.
 */
const weeksOf = (programId: number, filter: TimeFilters): Part => {
  const { Type, FromDate, ThroughDate, StudentId, SiteId, AreaId } = filter
  const records = (of: TimeFilters, ...more: Part[]): Part =>
    sql`time_record t where ${all([
      ...narrowed(programId, of, columnOf('t')),
      sql`${counts} and t.minutes > 0 and t.kind <> 'absence'`,
      ...(Type ? [sql`t.kind = ${Type}`] : []),
      ...(FromDate ? [sql`t.date >= ${FromDate}::date`] : []),
      ...(ThroughDate ? [sql`t.date <= ${ThroughDate}::date`] : []),
      ...more,
    ])}`
  const worked = (from: Part): Part =>
    sql`select t.date, t.minutes - ${pending} as approved, ${pending} as pending from ${from}`
  const byWeek = (days: Part): Part =>
    sql`select week_of(w.date) as "Week", week_of(w.date) + 1 as "Monday", sum(w.approved) as "Approved", sum(w.pending) as "Pending"
      from (${days}) w group by 1 having sum(w.approved + w.pending) <> 0 order by 1 desc limit 10`
  if (StudentId || SiteId || AreaId) return byWeek(worked(records(filter)))
  const latest = (...more: Part[]): Part =>
    sql`select t.date from ${records({ ...filter, StudentLevelIds: undefined, Cohort: undefined }, ...more)}
      order by t.date desc limit 1`
  const first = sql`(select greatest(min(week_of(date)), ${FromDate ?? '-infinity'}::date) from latest)`
  const isWhole = !Type && narrowed(programId, filter, columnOf('t')).length === 1
  return sql`
    with recursive latest (date, place) as (
      select d.date, 1 from (${latest()}) d
      union all
      select d.date, l.place + 1 from latest l cross join lateral (${latest(sql`t.date < week_of(l.date)`)}) d where l.place < 10)
    ${byWeek(
      isWhole
        ? workedDays(programId, first, sql`(select max(date) from latest)`)
        : worked(records(filter, sql`t.date >= ${first}`)),
    )}`
}

/** What is kept of students in rotations, as rows of `parts` below. */
const keptParts = (programId: number, filter: TimeFilters): Part => sql`
  select t.student_id as by, t.student_id, t.rotation_id, t.records, t.approved_minutes as approved, t.pending_minutes as pending,
    t.absence_minutes as absence, t.planned_minutes as planned
  from student_hours t where ${all(narrowed(programId, filter, columnOf('t')))} and t.records + t.shifts <> 0`

/** Figures by which rows are put in order, as they are called in the answer. */
const sortColumns = ['Students', 'Records', 'Approved', 'Pending', 'Absence', 'Planned', 'Target'] as const

/** What has no value is as nothing; the same value is by name, as people read names. */
const ordered = (sort: TimeSort): Part => {
  const way = sort.startsWith('-') ? sql`desc` : sql`asc`
  // A tab is before every blank: Reyes, Zoe comes before Reyes Montoya, Ana.
  const name = sql`replace(r."Name", ', ', E'\\t') collate alphabetical`
  const column = sortColumns.find((each) => each === sort.replace('-', ''))
  return column
    ? sql`coalesce(${sql.ref(`r.${column}`)}, 0) ${way}, ${name}, r."Key"`
    : sql`${name} ${way}, r."Key"`
}

/**
 * Rows of the grouping, of one page where it is given, with how many there are, the sums over all of them, and the last weeks with
 * time in them.
 */
export const readTimeTotals = async (
  db: Db,
  programId: number,
  filter: TimeFilters,
  { by, sort, page }: { by: TimeGroup; sort: TimeSort; page?: { page: number; pageSize: number } },
): Promise<{ rows: TimeTotal[]; count: number; totals: TimeSums; weeks: TimeWeek[] }> => {
  const { AreaId, SiteId, Type, FromDate, ThroughDate } = filter
  const hasPlan = !Type && by !== 'type'
  const hasTarget = by === 'student' && !(AreaId || SiteId || Type || FromDate || ThroughDate)
  const group = groupsOf(programId)[by]
  const planned = hasPlan ? sql`coalesce(sum(planned), 0)` : sql`null::bigint`
  const sums = sql`coalesce(sum(records), 0) as "Records", coalesce(sum(approved), 0) as "Approved",
    coalesce(sum(pending), 0) as "Pending", coalesce(sum(absence), 0) as "Absence", ${planned} as "Planned"`
  const parts = hasTarget
    ? sql`parts as materialized (${keptParts(programId, filter)})`
    : sql`kinds as (
      -- By kind and student first: few rows are left to tell kinds apart, and students are counted without keeping their names.
      select ${group.by} as by, f.student_id, f.kind,
        sum(f.records)::integer as records, sum(f.minutes)::integer as minutes, sum(f.pending_minutes)::integer as pending_minutes
      from (${factsOf(programId, filter, hasPlan)}) f ${group.of ?? sql``} group by 1, 2, 3),
    parts as materialized (
      select k.by, k.student_id, coalesce(sum(k.records) filter (where k.kind <> 'planned'), 0)::integer as records,
        coalesce(sum(k.minutes - k.pending_minutes) filter (where k.kind in ('out', 'exception', 'makeup')), 0)::integer as approved,
        coalesce(sum(k.pending_minutes) filter (where k.kind in ('out', 'exception', 'makeup')), 0)::integer as pending,
        coalesce(sum(k.minutes) filter (where k.kind = 'absence'), 0)::integer as absence,
        coalesce(sum(k.minutes) filter (where k.kind = 'planned'), 0)::integer as planned
      from kinds k group by 1, 2 having sum(k.records) <> 0)`
  const { rows } = await sql<{
    rows: TimeTotal[]
    count: number
    totals: TimeSums
    weeks: TimeWeek[]
  }>`
    with ${parts},
    sums as materialized (
      select by, ${by === 'student' ? sql`1` : sql`count(*)`} as "Students", ${sums}, ${
        hasTarget ? sql`coalesce(sum(o.minutes), 0)` : sql`null::bigint`
      } as "Target"
      from parts ${
        // Each student once for each rotation, so each target counts once.
        hasTarget
          ? sql`left join (select id, target_minutes as minutes from rotation
              where program_id = ${programId} and deleted_at is null) o on o.id = parts.rotation_id`
          : sql``
      } group by by),
    rows as (
      select ${group.key} as "Key", ${group.id} as "Id", ${group.name} as "Name", f."Students", f."Records", f."Approved",
        f."Pending", f."Absence", f."Planned", f."Target"
      from sums f ${group.from})
    select coalesce((select json_agg(p) from (select r.* from rows r order by ${ordered(sort)}
        ${page ? sql`limit ${page.pageSize} offset ${(page.page - 1) * page.pageSize}` : sql``}) p), '[]') as rows,
      (select count(*) from rows) as count,
      (select row_to_json(t) from (select ${
        by === 'student'
          ? sql`(select count(*) from sums)`
          : sql`(select count(*) from (select from parts group by student_id) s)`
      } as "Students", ${sums} from parts) t) as totals,
      coalesce((select json_agg(weeks order by "Week") from (${weeksOf(programId, filter)}) weeks), '[]') as weeks`.execute(
    db,
  )
  return rows[0]!
}
