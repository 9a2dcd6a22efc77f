import { sql } from 'kysely'
import { expectedExams, fewestOnPace, type TermTarget } from '#contract/competencies/pace-rules.ts'
import type { Db } from '#server/core/database/pool.ts'

export const listTermTargets = async (db: Db, programId: number, listId: number): Promise<TermTarget[]> => {
  const { rows } = await sql<TermTarget>`
    select name as "Name", cohort as "Cohort", from_date as "FromDate", through_date as "ThroughDate", exams as "Exams"
    from competency_term_target where program_id = ${programId} and list_id = ${listId}
    order by from_date, id`.execute(db)
  return rows
}

/** The pace of a list on a day. */
export interface Pace {
  hasTargets: boolean
  /** Exams expected by the day of a student of the cohort. */
  expected: (cohort: string | null) => number | null
  /** The fewest exams with which nobody is behind: of cohorts that have targets of their own, and of all others. */
  byCohort: Readonly<Record<string, number>>
  others: number
}

export const paceOf = (targets: readonly TermTarget[], today: string): Pace => {
  const cohorts = [...new Set(targets.flatMap(({ Cohort }) => (Cohort === null ? [] : [Cohort])))]
  const known = new Map<string | null, number | null>()
  const expected = (cohort: string | null): number | null => {
    if (!known.has(cohort)) known.set(cohort, expectedExams(targets, cohort, today))
    return known.get(cohort) ?? null
  }
  return {
    hasTargets: targets.length > 0,
    expected,
    byCohort: Object.fromEntries(cohorts.map((cohort) => [cohort, fewestOnPace(expected(cohort))])),
    others: fewestOnPace(expected(null)),
  }
}
