import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { Id } from '#contract/core/fields.ts'
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
import { enqueue } from '#server/core/runtime/jobs.ts'
import { type RiskRules, readFigures } from './facts.queries.ts'

const isStudying = countsNow('u')

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

export const saveRules = async (db: Db, programId: number, rules: ProgressRules): Promise<void> => {
  const { Cohorts: _cohorts, Levels, ...own } = rules
  const columns = sql`days_late, behind_by, absences_above, late_above, evaluation_below, has_requirements, requirements_above, has_remediation`
  const excluded = sql`excluded.days_late, excluded.behind_by, excluded.absences_above, excluded.late_above, excluded.evaluation_below,
    excluded.has_requirements, excluded.requirements_above, excluded.has_remediation`
  const given = (rows: readonly object[]) => sql`
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n ("StudentLevelId" smallint, "DaysLate" smallint, "BehindBy" smallint,
      "AbsencesAbove" smallint, "LateAbove" smallint, "EvaluationBelow" smallint, "HasRequirements" boolean, "RequirementsAbove" smallint,
      "HasRemediation" boolean)`
  const values = sql`"DaysLate", "BehindBy", "AbsencesAbove", "LateAbove", "EvaluationBelow", "HasRequirements", "RequirementsAbove",
    "HasRemediation"`
  // Its row makes other saves wait, the first one too.
  await sql`insert into risk_rule (program_id, ${columns}) select ${programId}, ${values} ${given([own])}
    on conflict (program_id) do update set (${columns}) = (${excluded})`.execute(db)
  await sql`delete from risk_rule_level where program_id = ${programId}`.execute(db)
  await sql`insert into risk_rule_level (program_id, level_id, ${columns})
    select ${programId}, n."StudentLevelId", ${values} ${given(Levels)}
    join student_level l on l.program_id = ${programId} and l.id = n."StudentLevelId"`.execute(db)
  // Cohorts that are not named keep their ends.
  await sql`delete from cohort_end where program_id = ${programId}
    and cohort = any (${rules.Cohorts.map(({ Cohort }) => Cohort)}::text[])`.execute(db)
  await sql`insert into cohort_end (program_id, cohort, ends_on)
    select ${programId}, c."Cohort", c."EndsOn"
    from jsonb_to_recordset(${JSON.stringify(rules.Cohorts)}::jsonb) as c ("Cohort" text, "EndsOn" date)
    where c."EndsOn" is not null`.execute(db)
}

/** Programs whose students were not counted yet on their present day. */
export const listDuePrograms = async (db: Db): Promise<{ program_id: number; time_zone: string }[]> => {
  const { rows } = await sql<{ program_id: number; time_zone: string }>`
    select program_id, time_zone from programs_without_progress()`.execute(db)
  return rows
}

/** The job that counts a program's students anew. */
export const countingJob = { name: 'progress:program', payload: z.object({ programId: Id }) }

/** Has a program's students counted anew soon after the caller's transaction; however many ask at once, it happens once. */
export const askToCount = (db: Db, programId: number): Promise<void> =>
  enqueue(db, countingJob, { programId }, { jobKey: `progress:${programId}` })

/** Counts all students of a program anew, and forgets those who have left. */
export const countProgress = async (db: Db, programId: number, today: string): Promise<void> => {
  const { rows } = await sql<{ id: number }>`select u.id from account u
    where u.program_id = ${programId} and ${isStudying} order by u.id`.execute(db)
  const studentIds = rows.map(({ id }) => id)
  const figures = await readFigures(db, programId, {
    studentIds,
    rules: await readRisks(db, programId),
    today,
    isEverybody: true,
  })
  const counted = [...figures].map(([student_id, each]) => ({
    student_id,
    hours_done: each.Hours.Done,
    hours_needed: each.Hours.Needed,
    hours_per_week: each.Hours.PerWeek,
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
  await sql`delete from student_progress p where p.program_id = ${programId}
    and p.student_id <> all (${studentIds}::bigint[])`.execute(db)
  await sql`insert into student_progress as p
      (program_id, student_id, hours_done, hours_needed, hours_per_week, exams_done, exams_needed, exams_per_week,
        requirements_missing, absences, late, made_up, evaluation_percent, completes_on, decided_by, risks)
    select ${programId}, c.student_id, c.hours_done, c.hours_needed, c.hours_per_week, c.exams_done, c.exams_needed, c.exams_per_week,
      c.requirements_missing, c.absences, c.late, c.made_up, c.evaluation_percent, c.completes_on, c.decided_by, c.risks
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as c (student_id bigint, hours_done integer, hours_needed integer,
      hours_per_week numeric, exams_done smallint, exams_needed smallint, exams_per_week numeric, requirements_missing smallint,
      absences smallint, late smallint, made_up smallint, evaluation_percent numeric, completes_on date, decided_by text, risks text[])
    on conflict (program_id, student_id) do update set counted_at = now(), hours_done = excluded.hours_done,
      hours_needed = excluded.hours_needed, hours_per_week = excluded.hours_per_week, exams_done = excluded.exams_done,
      exams_needed = excluded.exams_needed, exams_per_week = excluded.exams_per_week,
      requirements_missing = excluded.requirements_missing, absences = excluded.absences, late = excluded.late,
      made_up = excluded.made_up, evaluation_percent = excluded.evaluation_percent, completes_on = excluded.completes_on,
      decided_by = excluded.decided_by, risks = excluded.risks`.execute(db)
}

const sortColumns: Record<string, RawBuilder<unknown>> = {
  CompletesOn: sql`coalesce(p.completes_on, 'infinity')`,
  Student: sql`null`,
  Hours: sql`p.hours_done::numeric / nullif(p.hours_needed, 0)`,
  Exams: sql`p.exams_done::numeric / nullif(p.exams_needed, 0)`,
  Absences: sql`p.absences`,
  // How much is at stake: more reasons first, and of as many the later day.
  Risks: sql`cardinality(p.risks) * 10000 + case when 'forecast' = any (p.risks)
    then least(9999, coalesce(p.completes_on - p.counted_at::date, 9999)) else 0 end`,
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
  as_of: string | null
}

/**
 * Everybody who is found is looked at once, with no more than the order needs: for the page, and for the counts beside it. What was
 * counted comes first and by itself: it meets the students in one pass, not in a look-up each. Names, which part those with the
 * same figure, are read of these alone.
 */
const selected = (
  programId: number,
  filters: ProgressFilters & { sort: ProgressSort },
  part?: { offset: number; limit: number },
) => {
  const isDown = filters.sort.startsWith('-')
  // The sort is one of those that the call declares.
  const column = sortColumns[filters.sort.replace('-', '')]!
  const direction = sql.raw(isDown ? 'desc nulls last' : 'asc nulls last')
  const nameDirection = sql.raw(filters.sort === '-Student' ? 'desc' : 'asc')
  const order = sql`e.place ${direction}, e.last ${nameDirection}, e.first, e.student_id`
  return sql<ProgressRow & Counted>`
    with counted as materialized (
      select p.student_id, p.counted_at, p.risks <> '{}' as is_at_risk, ${column} as place
      from student_progress p where p.program_id = ${programId}),
    everybody as materialized (
      select p.* from counted p join account u on u.id = p.student_id where ${found(programId, filters)}),
    counts as (select count(*) as total, count(*) filter (where is_at_risk) as risk, max(counted_at) as as_of from everybody),
    first as (
      select e.student_id, e.place from everybody e where ${filters.IsAtRisk ? sql`e.is_at_risk` : sql`true`}
      order by e.place ${direction} ${part ? sql`fetch first (${part.offset + part.limit}) rows with ties` : sql``}),
    named as (
      select f.*, lower(u.last_name) as last, lower(u.first_name) as first from first f join account u on u.id = f.student_id)
    select p.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", coalesce(u.cohort, '') as "Cohort",
      l.name as "StudentLevel",
      json_build_object('Done', p.hours_done, 'Needed', p.hours_needed, 'PerWeek', p.hours_per_week) as "Hours",
      json_build_object('Done', p.exams_done, 'Needed', p.exams_needed, 'PerWeek', p.exams_per_week) as "Exams",
      p.requirements_missing as "RequirementsMissing", p.absences as "Absences", p.late as "Late", p.made_up as "MadeUp",
      p.evaluation_percent as "EvaluationPercent", p.completes_on as "CompletesOn", p.decided_by as "DecidedBy", c.ends_on as "EndsOn",
      p.risks as "Risks", n.total, n.risk, n.as_of
    from counts n
    left join lateral (select * from named e order by ${order}
      ${part ? sql`limit ${part.limit} offset ${part.offset}` : sql``}) e on true
    left join student_progress p on p.program_id = ${programId} and p.student_id = e.student_id
    left join account u on u.id = e.student_id
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    left join cohort_end c on c.program_id = u.program_id and c.cohort = u.cohort
    order by ${order}`
}

/** Without the counts, which are beside every row. Where nobody is found, they are beside one that is nobody. */
const withoutCounts = (rows: readonly (ProgressRow & Counted)[]): ProgressRow[] =>
  rows
    .filter(({ StudentId }) => StudentId !== null)
    .map(({ total: _total, risk: _risk, as_of: _asOf, ...row }) => row)

/** A page of students by how far they are, as the job has counted them. */
export const pageProgress = async (
  db: Db,
  programId: number,
  { page, pageSize, ...filters }: ProgressFilters & { sort: ProgressSort; page: number; pageSize: number },
) => {
  const { rows } = await selected(programId, filters, {
    offset: (page - 1) * pageSize,
    limit: pageSize,
  }).execute(db)
  // There is always one with the counts.
  const { total, risk, as_of } = rows[0]!
  return {
    Items: withoutCounts(rows),
    Total: filters.IsAtRisk ? risk : total,
    Page: page,
    PageSize: pageSize,
    AsOf: as_of,
    AtRisk: risk,
  }
}

export const listAllProgress = async (
  db: Db,
  programId: number,
  filters: ProgressFilters & { sort: ProgressSort },
): Promise<ProgressRow[]> => withoutCounts((await selected(programId, filters).execute(db)).rows)
