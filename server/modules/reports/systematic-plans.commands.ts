import { sql } from 'kysely'
import type { OutcomeField, PlanGoal } from '#contract/reports/systematic-plans.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, setRowDeleted } from '#server/core/database/rows.ts'

const columns = {
  Outcome: 'outcome',
  Measure: 'measure',
  Benchmark: 'benchmark',
  When: 'timing',
  Who: 'responsible',
  Result: 'result',
  Action: 'action',
} as const satisfies Record<OutcomeField | 'Outcome', string>

export const insertGoal = async (
  db: Db,
  programId: number,
  goal: { year: number; text: string; accountId: number },
): Promise<PlanGoal> => {
  const id = await addRow(db, 'plan_goal', {
    program_id: programId,
    year: goal.year,
    text: goal.text,
    created_by: goal.accountId,
    updated_by: goal.accountId,
  })
  return { Id: id, Text: goal.text, Outcomes: [] }
}

export const updateGoal = async (db: Db, programId: number, goalId: number, text: string): Promise<void> => {
  await db
    .updateTable('plan_goal')
    .set({ text })
    .where('program_id', '=', programId)
    .where('id', '=', goalId)
    .execute()
}

/** Deletes a row or brings it back; false when it is not there, or is so already. */
export const setDeleted = (
  db: Db,
  table: 'plan_goal' | 'plan_outcome',
  { programId, id, isDeleted }: { programId: number; id: number; isDeleted: boolean },
): Promise<boolean> => setRowDeleted(db, table, { programId, id }, isDeleted)

export const insertOutcome = (
  db: Db,
  programId: number,
  { goalId, outcome, accountId }: { goalId: number; outcome: string; accountId: number },
): Promise<number> =>
  addRow(db, 'plan_outcome', {
    program_id: programId,
    goal_id: goalId,
    outcome,
    created_by: accountId,
    updated_by: accountId,
  })

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
