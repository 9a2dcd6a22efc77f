import { sql } from 'kysely'
import type { ClearanceChecks } from '#contract/clinical-records/clinical-records.ts'
import {
  examWeeks,
  type Forecast,
  forecastOf,
  hoursForecast,
  hourWeeks,
  isCohortLate,
  middleOf,
  type PacePart,
  paceForecast,
  type Risk,
  type RiskRule,
  risksOf,
  shareOf,
} from '#contract/progress/forecast-rules.ts'
import type { Progress } from '#contract/progress/progress.ts'
import type { HoursRow } from '#contract/time/hours-summary.ts'
import { lateAfterMinutes } from '#contract/time/insight.ts'
import { shortBy } from '#contract/time/short-by.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readChecks } from '../clinical-records/standing.queries.ts'
import { aheadDays, listShiftsAhead, missedShare } from '../time/ahead.queries.ts'
import { readHours } from '../time/hours.queries.ts'
import { type HoursInRotation, readRunningHours } from '../time/rotation-hours.queries.ts'
import { lacks } from './set-up.queries.ts'

/** Of attendance. */
const attendanceDays = 120

type Figures = Omit<Progress, 'Notes' | 'Plans'>

interface FactRow {
  studentId: number
  minutes: number
  weeks: number
  exams: number
  absences: number
  late: number
  madeUp: number
  percent: number | null
  overdue: number
  endsOn: string | null
  cohort: string | null
  levelId: number | null
  lacks: Progress['Lacks']
}

/** What is called at risk: by the program, and by levels that have rules of their own. */
export interface RiskRules {
  program: RiskRule
  levels: readonly (RiskRule & { StudentLevelId: number })[]
}

type Shares = Record<PacePart, number | null>

/** Students of a cohort besides those that are asked about, as they were counted last. */
interface CohortCount {
  middles: Shares
  forecasts: Forecast[]
}

/** The cohorts of these students, as they were counted last. */
const readCohorts = async (
  db: Db,
  programId: number,
  cohorts: readonly string[],
): Promise<Map<string, CohortCount>> => {
  const { rows } = await sql<{
    cohort: string
    hours: number[]
    exams: number[]
    forecasts: Forecast[]
  }>`
    select u.cohort,
      coalesce(json_agg(100.0 * least(p.hours_done, p.hours_needed) / nullif(p.hours_needed, 0)) filter (where p.hours_needed > 0), '[]') as hours,
      coalesce(json_agg(100.0 * least(p.exams_done, p.exams_needed) / nullif(p.exams_needed, 0)) filter (where p.exams_needed > 0), '[]') as exams,
      json_agg(json_build_object('CompletesOn', p.completes_on, 'DecidedBy', p.decided_by)) as forecasts
    from student_progress p join account u on u.program_id = p.program_id and u.id = p.student_id
    where p.program_id = ${programId} and u.cohort = any (${[...cohorts]}::text[]) group by 1`.execute(db)
  return new Map(
    rows.map(({ cohort, hours, exams, forecasts }) => [
      cohort,
      { middles: { hours: middleOf(hours), competencies: middleOf(exams) }, forecasts },
    ]),
  )
}

/** The month in which these cohorts have, or will have, their first hours. */
const readStarts = async (
  db: Db,
  programId: number,
  cohorts: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await sql<{ cohort: string; month: string }>`
    select u.cohort, min(t.month) as month from account u
    join time_sum t on t.program_id = u.program_id and t.student_id = u.id and t.records > 0
    where u.program_id = ${programId} and u.cohort = any (${[...cohorts]}::text[]) group by 1`.execute(db)
  return new Map(rows.map(({ cohort, month }) => [cohort, month]))
}

/** What of the last weeks is looked at, by student. */
const listFacts = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
  today: string,
): Promise<FactRow[]> => {
  // By student ("offset 0"): joined as sets, whoever they are is read anew for each of them by the plan that suits few.
  const { rows } = await sql<FactRow>`
    select u.id as "studentId", coalesce(o.minutes, 0)::integer as minutes,
      coalesce(least(${hourWeeks}, greatest(1, ceil((${today}::date - o.since + 1) / 7.0))), 1)::integer as weeks,
      x.exams::integer as exams, a.absences::integer as absences, a.late::integer as late, a.made_up::integer as "madeUp",
      e.percent, d.plans::integer as overdue, c.ends_on as "endsOn", u.cohort, u.student_level_id::integer as "levelId",
      ${lacks} as "lacks"
    from unnest(${[...studentIds]}::bigint[]) w (id)
    cross join lateral (select u.* from account u where u.program_id = ${programId} and u.id = w.id offset 0) u
    cross join lateral (
      select sum(r.minutes) as minutes, min(r.date) as since from time_record r
      where r.program_id = ${programId} and r.student_id = w.id and r.deleted_at is null and r.status <> 'rejected' and r.is_matched
        and r.kind in ('out', 'exception', 'makeup') and r.date > ${today}::date - ${hourWeeks * 7}::int and r.date <= ${today}::date
        and r.occurred_at > (${today}::date - ${hourWeeks * 7 + 2}::int)::timestamptz
      offset 0) o
    cross join lateral (
      select count(*) filter (where r.kind = 'absence') as absences, count(*) filter (where r.kind = 'makeup') as made_up,
        count(*) filter (where r.kind = 'in' and r.offset_minutes > ${lateAfterMinutes}) as late
      from time_record r
      where r.program_id = ${programId} and r.student_id = w.id and r.deleted_at is null and r.status <> 'rejected'
        and r.date > ${today}::date - ${attendanceDays}::int and r.date <= ${today}::date
        and r.occurred_at > (${today}::date - ${attendanceDays + 2}::int)::timestamptz
      offset 0) a
    cross join lateral (
      select count(*) as exams from exam_attempt a
      where a.program_id = ${programId} and a.student_id = w.id and a.state = 'passed' and a.recheck_id is null
        and a.date > ${today}::date - ${examWeeks * 7}::int
      offset 0) x
    cross join lateral (
      select round(100 * avg(x.scale_share), 1) as percent from evaluation e
      join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and not t.is_anonymous
      join evaluation_answer x on x.program_id = e.program_id and x.evaluation_id = e.id and x.scale_share is not null
      where e.program_id = ${programId} and e.subject_id = w.id and e.deleted_at is null and e.is_completed
        and e.date > ${today}::date - 365
      offset 0) e
    cross join lateral (
      select count(*) as plans from remediation_plan p
      where p.program_id = ${programId} and p.student_id = w.id and p.state = 'open' and p.due_on < ${today}::date
      offset 0) d
    left join cohort_end c on c.program_id = ${programId} and c.cohort = u.cohort`.execute(db)
  return rows
}

/** The rotation whose hours leave most open; null where none does. */
const shortestIn = (rotations: readonly HoursInRotation[]): Progress['Hours']['ShortIn'] => {
  const [shortest] = rotations
    .filter((hours) => shortBy(hours) > 0)
    .toSorted((one, other) => shortBy(other) - shortBy(one))
  if (!shortest) return null
  const { StudentId: _student, ...figures } = shortest
  return figures
}

const middleOfAsked = (parts: readonly { Done: number; Needed: number }[]): number | null =>
  middleOf(parts.filter(({ Needed }) => Needed > 0).map(shareOf))

/** How far these students are on a day, and who of them is at risk by the program's rule. */
export const readFigures = async (
  db: Db,
  programId: number,
  {
    studentIds,
    rules,
    today,
    isEverybody,
  }: { studentIds: readonly number[]; rules: RiskRules; today: string; isEverybody: boolean },
): Promise<Map<number, Figures>> => {
  const filter = isEverybody ? {} : { StudentIds: studentIds }
  const [facts, checks, projected, running] = await Promise.all([
    listFacts(db, programId, studentIds, today),
    readChecks(db, programId, studentIds),
    readHours(db, { programId, accountId: 0, filter, areMadeUp: false }),
    readRunningHours(db, programId, today, studentIds),
  ])
  const inRotations = Map.groupBy(running, ({ StudentId }) => StudentId)
  const hoursOf = new Map(projected.map((row) => [row.StudentId, row]))
  // Where the shifts are enough, each may be the one that is; where they are not, the last one says from when on the pace counts.
  const open = projected.filter(
    ({ StudentId, Parts }) => Parts.Earned < (checks.get(StudentId)?.Hours.Needed ?? 0),
  )
  const isEnough = ({ StudentId, Projection }: HoursRow): boolean =>
    Projection >= (checks.get(StudentId)?.Hours.Needed ?? 0)
  const idOf = ({ StudentId }: HoursRow): number => StudentId
  const ahead = await listShiftsAhead(db, programId, {
    whole: open.filter(isEnough).map(idOf),
    others: open.filter((row) => !isEnough(row)).map(idOf),
  })
  const examsOf = ({ Mandatory, Electives }: ClearanceChecks) => ({
    Done: Mandatory.Done + Electives.Done,
    Needed: Mandatory.Needed + Electives.Needed,
  })
  const named = facts.flatMap(({ cohort, studentId }) => {
    const check = checks.get(studentId)
    return cohort && check ? [{ cohort, check }] : []
  })
  const cohorts = Map.groupBy(named, ({ cohort }) => cohort)
  const ruleOf = new Map(rules.levels.map((each) => [each.StudentLevelId, each]))
  const forecasts = facts.flatMap((row) => {
    const check = checks.get(row.studentId)
    const hours = hoursOf.get(row.studentId)
    if (!check || !hours) return []
    const { Done, Needed } = check.Hours
    const PerWeek = Math.round((row.minutes / row.weeks) * 10) / 10
    const { Parts, Projection } = hours
    const Ahead = aheadDays(ahead.get(row.studentId) ?? [], Parts)
    const hoursFacts = { Done, Needed, PerWeek, Earned: Parts.Earned, Projection, Ahead }
    const Hours = {
      Done,
      Pending: Math.max(0, Parts.Earned - Done),
      Needed,
      PerWeek,
      Projection,
      ...hoursForecast({ ...hoursFacts, MissedShare: missedShare(Parts) }, today),
      ShortIn: shortestIn(inRotations.get(row.studentId) ?? []),
    }
    const Exams = {
      ...examsOf(check),
      PerWeek: Math.round((row.exams / examWeeks) * 100) / 100,
    }
    const forecast = forecastOf(
      [
        { Part: 'hours', Needed, IsDone: Done >= Needed, DoneOn: Hours.DoneOn },
        paceForecast({ Part: 'competencies', ...Exams }, today),
      ],
      today,
    )
    return [{ row, Hours, Exams, forecast, Requirements: check.Requirements }]
  })
  const counts = isEverybody
    ? new Map(
        [...cohorts].map(([cohort, own]): [string, CohortCount] => [
          cohort,
          {
            middles: {
              hours: middleOfAsked(own.map(({ check }) => check.Hours)),
              competencies: middleOfAsked(own.map(({ check }) => examsOf(check))),
            },
            forecasts: forecasts.filter(({ row }) => row.cohort === cohort).map(({ forecast }) => forecast),
          },
        ]),
      )
    : await readCohorts(db, programId, [...cohorts.keys()])
  const starts = await readStarts(db, programId, [...cohorts.keys()])
  const ends = new Map(facts.map(({ cohort, endsOn }) => [cohort, endsOn]))
  const late = new Set(
    [...counts].flatMap(([cohort, { forecasts: Forecasts }]) =>
      isCohortLate(
        { StartsOn: starts.get(cohort) ?? null, EndsOn: ends.get(cohort) ?? null, Forecasts },
        today,
      )
        ? [cohort]
        : [],
    ),
  )
  return new Map(
    forecasts.map(({ row, Hours, Exams, forecast, Requirements }): [number, Figures] => {
      const RequirementsMissing = Requirements.Needed - Requirements.Done
      const part = forecast.DecidedBy
      const middle = part === null ? null : (counts.get(row.cohort ?? '')?.middles[part] ?? null)
      const Risks: Risk[] = risksOf(ruleOf.get(row.levelId ?? 0) ?? rules.program, {
        ...forecast,
        Behind: middle === null ? null : middle - shareOf(part === 'hours' ? Hours : Exams),
        IsCohortLate: late.has(row.cohort ?? ''),
        HasCohortBegun: middle === null || middle > 0,
        EndsOn: row.endsOn,
        ShortMinutes: Hours.ShortIn ? shortBy(Hours.ShortIn) : 0,
        Absences: row.absences,
        Late: row.late,
        EvaluationPercent: row.percent,
        RequirementsMissing,
        OverduePlans: row.overdue,
        IsSetUp: row.lacks.length === 0,
      })
      return [
        row.studentId,
        {
          Hours,
          Exams,
          RequirementsMissing,
          Absences: row.absences,
          Late: row.late,
          MadeUp: row.madeUp,
          EvaluationPercent: row.percent,
          ...forecast,
          EndsOn: row.endsOn,
          Risks,
          Lacks: row.lacks,
        },
      ]
    }),
  )
}
