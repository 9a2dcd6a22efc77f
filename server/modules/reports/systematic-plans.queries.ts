import { sql } from 'kysely'
import type { OutcomeField, PlanGoal, PlanOutcome } from '#contract/reports/systematic-plans.ts'
import type { Db } from '#server/core/database/pool.ts'

const columns = {
  Outcome: 'outcome',
  Measure: 'measure',
  Benchmark: 'benchmark',
  When: 'timing',
  Who: 'responsible',
  Result: 'result',
  Action: 'action',
} as const satisfies Record<OutcomeField | 'Outcome', string>

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

export const insertGoal = async (
  db: Db,
  programId: number,
  goal: { year: number; text: string; accountId: number },
): Promise<PlanGoal> => {
  const { id } = await db
    .insertInto('plan_goal')
    .values({
      program_id: programId,
      year: goal.year,
      text: goal.text,
      created_by: goal.accountId,
      updated_by: goal.accountId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { Id: id, Text: goal.text, Outcomes: [] }
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

export const updateGoal = async (db: Db, programId: number, goalId: number, text: string): Promise<void> => {
  await db
    .updateTable('plan_goal')
    .set({ text })
    .where('program_id', '=', programId)
    .where('id', '=', goalId)
    .execute()
}

/** Deletes a row or brings it back; false when it is not there, or is so already. */
export const setDeleted = async (
  db: Db,
  table: 'plan_goal' | 'plan_outcome',
  { programId, id, isDeleted }: { programId: number; id: number; isDeleted: boolean },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ deleted_at: isDeleted ? sql`now()` : null })
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

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

export const insertOutcome = async (
  db: Db,
  programId: number,
  { goalId, outcome, accountId }: { goalId: number; outcome: string; accountId: number },
): Promise<number> => {
  const { id } = await db
    .insertInto('plan_outcome')
    .values({
      program_id: programId,
      goal_id: goalId,
      outcome,
      created_by: accountId,
      updated_by: accountId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes the texts that are named. */
export const updateOutcome = async (
  db: Db,
  programId: number,
  outcomeId: number,
  change: Partial<Record<keyof typeof columns, string | undefined>>,
): Promise<void> => {
  const set = Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) => {
      const text = change[name as keyof typeof columns]
      return text === undefined ? [] : [[column, text]]
    }),
  )
  await db
    .updateTable('plan_outcome')
    .set(set)
    .where('program_id', '=', programId)
    .where('id', '=', outcomeId)
    .execute()
}

/** Copies goals and outcomes of a year into another, in one statement and in their order; results and actions stay behind. */
export const copyYear = async (
  db: Db,
  programId: number,
  { from, to, accountId }: { from: number; to: number; accountId: number },
): Promise<{ Goals: number; Outcomes: number }> => {
  const { rows } = await sql<{ Goals: number; Outcomes: number }>`
    with old as (
      select id, text, row_number() over (order by id) as place from plan_goal
      where program_id = ${programId} and year = ${from} and deleted_at is null),
    made as (
      insert into plan_goal (program_id, year, text, created_by, updated_by)
      select ${programId}, ${to}, text, ${accountId}::bigint, ${accountId}::bigint from old order by place
      returning id),
    new as (select id, row_number() over (order by id) as place from made),
    copied as (
      insert into plan_outcome (program_id, goal_id, outcome, measure, benchmark, timing, responsible, created_by,
        updated_by)
      select ${programId}, new.id, o.outcome, o.measure, o.benchmark, o.timing, o.responsible, ${accountId}::bigint,
        ${accountId}::bigint
      from old join new on new.place = old.place
      join plan_outcome o on o.program_id = ${programId} and o.goal_id = old.id and o.deleted_at is null
      order by new.place, o.id
      returning id)
    select (select count(*) from made) as "Goals", (select count(*) from copied) as "Outcomes"`.execute(db)
  return rows[0]!
}
