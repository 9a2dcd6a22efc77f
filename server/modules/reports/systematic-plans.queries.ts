import { sql } from 'kysely'
import type { PlanGoal, PlanOutcome } from '#contract/reports/systematic-plans.ts'
import type { Db } from '#server/core/database/pool.ts'

const outcomes = (db: Db, programId: number) =>
  db
    .selectFrom('plan_outcome as o')
    .select(['o.id as Id', 'o.goal_id as goalId', 'o.outcome as Outcome', 'o.measure as Measure'])
    .select(['o.benchmark as Benchmark', 'o.timing as When', 'o.responsible as Who'])
    .select(['o.result as Result', 'o.action as Action'])
    .where('o.program_id', '=', programId)
    .where('o.deleted_at', 'is', null)

const goals = (db: Db, programId: number) =>
  db.selectFrom('plan_goal as g').where('g.program_id', '=', programId).where('g.deleted_at', 'is', null)

/** The goals of a year with their outcomes, in the order they were added. */
export const listGoals = async (db: Db, programId: number, year: number): Promise<PlanGoal[]> => {
  const found = await goals(db, programId)
    .select(['g.id as Id', 'g.text as Text'])
    .where('g.year', '=', year)
    .orderBy('g.id')
    .execute()
  const below = Map.groupBy(
    await outcomes(db, programId)
      .where('o.goal_id', 'in', goals(db, programId).select('g.id').where('g.year', '=', year))
      .orderBy('o.id')
      .execute(),
    ({ goalId }) => goalId,
  )
  return found.map((goal) => ({
    ...goal,
    Outcomes: (below.get(goal.Id) ?? []).map(({ goalId: _goalId, ...outcome }) => outcome),
  }))
}

/** The years that have goals, newest first. */
export const listYears = async (db: Db, programId: number): Promise<number[]> =>
  (await goals(db, programId).select('g.year').distinct().orderBy('g.year', 'desc').execute()).map(
    ({ year }) => year,
  )

/** The year on the program's calendar. */
export const getProgramYear = async (db: Db, programId: number): Promise<number> => {
  const { year } = await db
    .selectFrom('program')
    .select(sql<number>`extract(year from now() at time zone time_zone)::integer`.as('year'))
    .where('id', '=', programId)
    .executeTakeFirstOrThrow()
  return year
}

/** Holds other changes to the program's plan back, so that neither limits nor copies pass each other. */
export const awaitPlan = async (db: Db, programId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`systematic-plan:${programId}`}, 0))`.execute(db)
}

export const countGoals = async (db: Db, programId: number, year: number): Promise<number> => {
  const { count } = await goals(db, programId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('g.year', '=', year)
    .executeTakeFirstOrThrow()
  return count
}

export const findGoal = (
  db: Db,
  programId: number,
  goalId: number,
): Promise<{ Text: string; Year: number; Outcomes: number } | undefined> =>
  goals(db, programId)
    .select(['g.text as Text', 'g.year as Year'])
    .select(
      sql<number>`(select count(*) from plan_outcome o where o.program_id = g.program_id and o.goal_id = g.id
        and o.deleted_at is null)`.as('Outcomes'),
    )
    .where('g.id', '=', goalId)
    .executeTakeFirst()

/** An outcome of a goal that is there. */
export const findOutcome = async (
  db: Db,
  programId: number,
  outcomeId: number,
): Promise<PlanOutcome | undefined> => {
  const row = await outcomes(db, programId)
    .innerJoin('plan_goal as g', (join) =>
      join
        .onRef('g.program_id', '=', 'o.program_id')
        .onRef('g.id', '=', 'o.goal_id')
        .on('g.deleted_at', 'is', null),
    )
    .where('o.id', '=', outcomeId)
    .executeTakeFirst()
  if (!row) return undefined
  const { goalId: _goalId, ...outcome } = row
  return outcome
}
