import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { Level } from '#contract/core/levels.ts'
import { defaultRiskRule, type RiskRule } from '#contract/progress/forecast-rules.ts'
import type {
  ProgressFilters,
  ProgressRow,
  ProgressRules,
  ProgressSort,
} from '#contract/progress/progress.ts'
import { countsNow } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { type RiskRules, readFigures } from './facts.queries.ts'
import { isNotSetUp, lacks } from './set-up.queries.ts'

export const isStudying = countsNow('u')

const ruleColumns = sql`days_late as "DaysLate", behind_by as "BehindBy", absences_above as "AbsencesAbove", late_above as "LateAbove",
  evaluation_below as "EvaluationBelow", has_requirements as "HasRequirements", requirements_above as "RequirementsAbove",
  has_remediation as "HasRemediation"`

/** The rule of the program, and those of levels that have their own. */
export const readRisks = async (db: Db, programId: number): Promise<RiskRules> => {
  const own =
    await sql<RiskRule>`select ${ruleColumns} from risk_rule where program_id = ${programId}`.execute(db)
  const levels = await sql<RiskRule & { StudentLevelId: number }>`
    select r.level_id::integer as "StudentLevelId", ${ruleColumns} from risk_rule_level r
    where r.program_id = ${programId} order by r.level_id`.execute(db)
  return { program: own.rows[0] ?? defaultRiskRule, levels: levels.rows }
}

/** The rule with all cohorts that have students, or a planned end. */
export const readRules = async (db: Db, programId: number): Promise<ProgressRules> => {
  const { rows } = await sql<ProgressRules['Cohorts'][number]>`
    select k.cohort as "Cohort", e.ends_on as "EndsOn"
    from (select distinct u.cohort from account u
        where u.program_id = ${programId} and ${isStudying} and u.cohort <> ''
      union select c.cohort from cohort_end c where c.program_id = ${programId}) k
    left join cohort_end e on e.program_id = ${programId} and e.cohort = k.cohort
    order by k.cohort`.execute(db)
  const { program, levels } = await readRisks(db, programId)
  return { ...program, Levels: [...levels], Cohorts: rows }
}

/** Events of records that progress counts. */
export const counted = ['time-record', 'assignment', 'person', 'evaluation', 'requirement', 'competency']

/** Programs of which something was not counted yet. Numbers of transactions begin anew in a restored copy. */
export const listDuePrograms = async (
  everywhere: pg.Pool,
): Promise<{ program_id: number; time_zone: string }[]> => {
  const { rows } = await everywhere.query<{ program_id: number; time_zone: string }>(
    `
    select p.id as program_id, p.time_zone from program p
    left join progress_count k on k.program_id = p.id
    where p.deleted_at is null
      and exists (select from account u where u.program_id = p.id and u.access_level = ${Level.Student} and u.deactivated_at is null
        and u.deleted_at is null)
      and (k.counted_on is distinct from (now() at time zone p.time_zone)::date
        or pg_snapshot_xmax(k.counted_in) > pg_snapshot_xmax(pg_current_snapshot())
        or not pg_visible_in_snapshot(k.goals_at, k.counted_in)
        or exists (select from domain_event c where c.program_id = p.id and c.kind = any ($1) and c.transaction >= pg_snapshot_xmin(k.counted_in)
          and not pg_visible_in_snapshot(c.transaction, k.counted_in)))`,
    [counted],
  )
  return rows
}

interface Uncounted {
  studentIds: number[]
  isEverybody: boolean
  /** How many of the others were at risk when they were counted. */
  atRisk: number
}

/** Who of a program is to be counted: all, or those whose records have changed since the last count; who has begun or left since has as well. */
const findUncounted = async (db: Db, programId: number, today: string): Promise<Uncounted> => {
  const { rows } = await sql<Uncounted>`
    with k as materialized (select counted_in from progress_count
      where program_id = ${programId} and counted_on = ${today}::date and pg_visible_in_snapshot(goals_at, counted_in)
        and pg_snapshot_xmax(counted_in) <= pg_snapshot_xmax(pg_current_snapshot())),
    changed as materialized (
      select c.kind, c.record_id, c.student_id from domain_event c
      where c.program_id = ${programId} and c.kind = any (${counted}::text[])
        and c.transaction >= (select pg_snapshot_xmin(counted_in) from k)
        and not pg_visible_in_snapshot(c.transaction, (select counted_in from k))),
    touched as materialized (
      select case kind when 'person' then record_id else student_id end as id from changed where kind <> 'evaluation'
      union
      select e.subject_id from changed c join evaluation e on e.program_id = ${programId} and e.id = c.record_id
      where c.kind = 'evaluation'
      union
      select p.student_id from student_progress p
      where p.program_id = ${programId} and p.counted_at = '-infinity' and exists (select from k))
    select coalesce(array_agg(s.id order by s.id), '{}') as "studentIds", not exists (select from k) as "isEverybody",
      (select count(*) from student_progress p where p.program_id = ${programId} and p.risks <> '{}'
        and p.student_id not in (select id from touched) and exists (select from k)) as "atRisk"
    from (
      -- By person ("offset 0"): the few of them are not looked for among everybody.
      select u.id from touched t cross join lateral (
        select u.id from account u where u.program_id = ${programId} and u.id = t.id and ${isStudying} offset 0) u
      union all
      select u.id from account u where u.program_id = ${programId} and ${isStudying} and not exists (select from k)) s`.execute(
    db,
  )
  // A select of sums has one row.
  return rows[0]!
}

/** The figures of whoever was not counted yet, as rows of `student_progress`. */
const countFound = async (db: Db, programId: number, today: string, found: Uncounted) => {
  if (found.studentIds.length === 0) return []
  const figures = await readFigures(db, programId, {
    ...found,
    rules: await readRisks(db, programId),
    today,
  })
  return [...figures].map(([student_id, each]) => ({
    student_id,
    hours_done: each.Hours.Done,
    hours_pending: each.Hours.Pending,
    hours_needed: each.Hours.Needed,
    hours_per_week: each.Hours.PerWeek,
    hours_on: each.Hours.DoneOn,
    hours_by: each.Hours.By,
    hours_short: each.Hours.ShortMinutes,
    hours_projection: each.Hours.Projection,
    hours_short_in: each.Hours.ShortIn,
    exams_done: each.Exams.Done,
    exams_needed: each.Exams.Needed,
    exams_per_week: each.Exams.PerWeek,
    requirements_missing: each.RequirementsMissing,
    absences: each.Absences,
    late: each.Late,
    made_up: each.MadeUp,
    evaluation_percent: each.EvaluationPercent,
    completes_on: each.CompletesOn,
    decided_by: each.DecidedBy,
    risks: each.Risks,
  }))
}
type CountedRows = Awaited<ReturnType<typeof countFound>>

/** The same of whoever is not counted in this moment. */
export const countUncounted = async (db: Db, programId: number, today: string): Promise<CountedRows> =>
  countFound(db, programId, today, await findUncounted(db, programId, today))

export const columnTypes: Record<keyof CountedRows[number], string> = {
  student_id: 'bigint',
  hours_done: 'integer',
  hours_pending: 'integer',
  hours_needed: 'integer',
  hours_per_week: 'numeric',
  hours_on: 'date',
  hours_by: 'text',
  hours_short: 'integer',
  hours_projection: 'integer',
  hours_short_in: 'jsonb',
  exams_done: 'smallint',
  exams_needed: 'smallint',
  exams_per_week: 'numeric',
  requirements_missing: 'smallint',
  absences: 'smallint',
  late: 'smallint',
  made_up: 'smallint',
  evaluation_percent: 'numeric',
  completes_on: 'date',
  decided_by: 'text',
  risks: 'text[]',
}
export const columns = sql.raw(Object.keys(columnTypes).join(', '))
export const asRows = (rows: CountedRows) => sql`
  (select ${columns} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (${sql.raw(
    Object.entries(columnTypes)
      .map(([name, type]) => `${name} ${type}`)
      .join(', '),
  )}))`

const sortColumns: Record<string, RawBuilder<unknown>> = {
  CompletesOn: sql`coalesce(p.completes_on, 'infinity')`,
  Student: sql`null`,
  Hours: sql`p.hours_done::numeric / nullif(p.hours_needed, 0)`,
  Exams: sql`p.exams_done::numeric / nullif(p.exams_needed, 0)`,
  Absences: sql`p.absences`,
  // How much is at stake: more reasons first, and of as many the later day.
  Risks: sql`cardinality(p.risks) * 10000 + case when 'forecast' = any (p.risks)
    then least(9999, coalesce(p.completes_on - current_date, 9999)) else 0 end`,
}

const found = (programId: number, { search, Cohort, StudentLevelId }: ProgressFilters) => sql`
  u.program_id = ${programId} and ${isStudying}
    and ${Cohort === undefined ? sql`true` : sql`u.cohort = ${Cohort}`}
    and ${StudentLevelId === undefined ? sql`true` : sql`u.student_level_id = ${StudentLevelId}::bigint`}
    and ${
      search === ''
        ? sql`true`
        : isFound(sql`u.first_name || ' ' || u.last_name || ' ' || coalesce(u.student_number, '')`, search)
    }`

interface Counted {
  total: number
  risk: number
  new_count: number
  as_of: string
}

/**
 * Everybody who is found is looked at once, with no more than the order needs: for the page, and for the counts beside it. What was
 * counted comes first and by itself: it meets the students in one pass, not in a look-up each. Names, which part those with the
 * same figure, are read of these alone.
 */
const selected = async (
  db: Db,
  { programId, today }: { programId: number; today: string },
  filters: ProgressFilters & { sort: ProgressSort },
  part?: { offset: number; limit: number },
): Promise<(ProgressRow & Counted)[]> => {
  const uncounted = await countUncounted(db, programId, today)
  const progress =
    uncounted.length === 0
      ? sql`(select * from student_progress where program_id = ${programId})`
      : sql`(select ${columns} from student_progress where program_id = ${programId}
            and student_id <> all (${uncounted.map(({ student_id }) => student_id)}::bigint[])
          union all select ${columns} from ${asRows(uncounted)} c)`
  const isDown = filters.sort.startsWith('-')
  // The sort is one of those that the call declares.
  const column = sortColumns[filters.sort.replace('-', '')]!
  const direction = sql.raw(isDown ? 'desc nulls last' : 'asc nulls last')
  const nameDirection = sql.raw(filters.sort === '-Student' ? 'desc' : 'asc')
  const order = sql`e.place ${direction}, e.last ${nameDirection}, e.first, e.student_id`
  const { rows } = await sql<ProgressRow & Counted>`
    with counted as materialized (
      select p.student_id, p.risks <> '{}' as is_at_risk, ${column} as place from ${progress} p),
    everybody as materialized (
      select p.*, ${isNotSetUp} as is_new from counted p join account u on u.id = p.student_id where ${found(programId, filters)}),
    counts as (select count(*) as total, count(*) filter (where is_at_risk) as risk, count(*) filter (where is_new) as new_count, now() as as_of from everybody),
    first as (
      select e.student_id, e.place from everybody e where ${filters.IsAtRisk ? sql`e.is_at_risk` : sql`true`}
        and ${filters.IsNotSetUp ? sql`e.is_new` : sql`true`}
      order by e.place ${direction} ${part ? sql`fetch first (${part.offset + part.limit}) rows with ties` : sql``}),
    named as (
      select f.*, lower(u.last_name) as last, lower(u.first_name) as first from first f join account u on u.id = f.student_id)
    select p.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", coalesce(u.cohort, '') as "Cohort",
      l.name as "StudentLevel",
      json_build_object('Done', p.hours_done, 'Pending', p.hours_pending, 'Needed', p.hours_needed, 'PerWeek', p.hours_per_week, 'DoneOn', p.hours_on, 'By', p.hours_by,
        'Projection', p.hours_projection, 'ShortMinutes', p.hours_short, 'ShortIn', p.hours_short_in) as "Hours",
      json_build_object('Done', p.exams_done, 'Needed', p.exams_needed, 'PerWeek', p.exams_per_week) as "Exams",
      p.requirements_missing as "RequirementsMissing", p.absences as "Absences", p.late as "Late", p.made_up as "MadeUp",
      p.evaluation_percent as "EvaluationPercent", p.completes_on as "CompletesOn", p.decided_by as "DecidedBy", c.ends_on as "EndsOn",
      p.risks as "Risks", coalesce(${lacks}, '{}') as "Lacks", n.total, n.risk, n.new_count, n.as_of
    from counts n
    left join lateral (select * from named e order by ${order}
      ${part ? sql`limit ${part.limit} offset ${part.offset}` : sql``}) e on true
    left join ${progress} p on p.student_id = e.student_id
    left join account u on u.id = e.student_id
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    left join cohort_end c on c.program_id = u.program_id and c.cohort = u.cohort
    order by ${order}`.execute(db)
  return rows
}

/** Without the counts, which are beside every row. Where nobody is found, they are beside one that is nobody. */
const withoutCounts = (rows: readonly (ProgressRow & Counted)[]): ProgressRow[] =>
  rows
    .filter(({ StudentId }) => StudentId !== null)
    .map(({ total: _total, risk: _risk, new_count: _new, as_of: _asOf, ...row }) => row)

/** So many are counted for one figure; more are the job's, within a minute. */
const mostCountedNow = 100

const countedAtRisk = async (db: Db, programId: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from student_progress p join account u on u.program_id = p.program_id and u.id = p.student_id
    where p.program_id = ${programId} and p.risks <> '{}' and ${isStudying}`.execute(db)
  // A select of sums has one row.
  return rows[0]!.count
}

/**
 * How many students of the list of all are at risk, as it says: of what was counted, and of what has changed since. Where a day, a
 * restore or an import has left everybody of a large program to be counted, those of the last count until the job has been there.
 */
export const countAtRisk = async (
  db: Db,
  { programId, today }: { programId: number; today: string },
): Promise<number> => {
  const found = await findUncounted(db, programId, today)
  if (found.studentIds.length > mostCountedNow) return countedAtRisk(db, programId)
  const counted = await countFound(db, programId, today, found)
  return found.atRisk + counted.filter(({ risks }) => risks.length > 0).length
}

/** A page of students by how far they are. */
export const pageProgress = async (
  db: Db,
  at: { programId: number; today: string },
  { page, pageSize, ...filters }: ProgressFilters & { sort: ProgressSort; page: number; pageSize: number },
) => {
  const rows = await selected(db, at, filters, { offset: (page - 1) * pageSize, limit: pageSize })
  // There is always one with the counts.
  const { total, risk, new_count, as_of } = rows[0]!
  return {
    Items: withoutCounts(rows),
    Total: filters.IsNotSetUp ? new_count : filters.IsAtRisk ? risk : total,
    Page: page,
    PageSize: pageSize,
    AsOf: as_of,
    AtRisk: risk,
    NotSetUp: new_count,
  }
}

export const listAllProgress = async (
  db: Db,
  at: { programId: number; today: string },
  filters: ProgressFilters & { sort: ProgressSort },
): Promise<ProgressRow[]> => withoutCounts(await selected(db, at, filters))
