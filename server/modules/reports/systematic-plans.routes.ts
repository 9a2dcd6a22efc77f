import { reportFailures } from '#contract/reports/failures.ts'
import * as contract from '#contract/reports/systematic-plans.ts'
import type { Db } from '#server/core/database/pool.ts'
import { pdfFile } from '#server/core/files/pdf.ts'
import { tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { momentIn } from '#server/core/runtime/today.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import {
  copyYear,
  insertGoal,
  insertOutcome,
  setDeleted,
  updateGoal,
  updateOutcome,
} from './systematic-plans.commands.ts'
import {
  awaitPlan,
  countGoals,
  findGoal,
  findOutcome,
  getProgramYear,
  listGoals,
  listYears,
} from './systematic-plans.queries.ts'

const getGoal = async (db: Db, programId: number, goalId: number) => {
  const goal = await findGoal(db, programId, goalId)
  if (!goal) throw fail(reportFailures.no_goal)
  return goal
}

const getOutcome = async (db: Db, programId: number, outcomeId: number): Promise<contract.PlanOutcome> => {
  const outcome = await findOutcome(db, programId, outcomeId)
  if (!outcome) throw fail(reportFailures.no_outcome)
  return outcome
}

interface PlanRow extends Partial<Omit<contract.PlanOutcome, 'Id'>> {
  Goal: string
}
const column = (title: string, value: (row: PlanRow) => string | undefined) => ({
  title,
  width: title === 'When' || title === 'Who' ? 16 : 34,
  value: (row: PlanRow) => value(row) ?? '',
})
const columns = [
  column('Goal', (row) => row.Goal),
  column('Outcome', (row) => row.Outcome),
  column('Measure', (row) => row.Measure),
  column('Benchmark', (row) => row.Benchmark),
  column('When', (row) => row.When),
  column('Who', (row) => row.Who),
  column('Result', (row) => row.Result),
  column('Action', (row) => row.Action),
]

/** One row for each outcome under its goal; a goal without any has its own row. */
const rowsOf = (goals: readonly contract.PlanGoal[]): PlanRow[] =>
  goals.flatMap(({ Text, Outcomes }) =>
    Outcomes.length === 0 ? [{ Goal: Text }] : Outcomes.map((outcome) => ({ ...outcome, Goal: Text })),
  )

export const systematicPlanRoutes = [
  handle(contract.getPlan, async ({ db, params: { programId }, query }) => {
    const current = await getProgramYear(db, programId)
    const Year = query.Year ?? current
    const years = await listYears(db, programId)
    return {
      Year,
      Years: [...new Set([...years, current])].toSorted((a, b) => b - a),
      Goals: await listGoals(db, programId, Year),
    }
  }),

  handle(contract.exportPlan, async ({ db, params: { programId }, query: { Year, Format }, user }) => {
    const name = `Systematic plan ${Year}`
    const rows = rowsOf(await listGoals(db, programId, Year))
    if (Format !== 'pdf') return tableFile(Format, name, columns, rows)
    const program = await findProgramContext(db, programId)
    return pdfFile(name, {
      title: name,
      lines: program ? [`${program.Name} · ${program.CollegeName}`] : [],
      columns: columns.map(({ title }) => ({ title })),
      // A goal is printed once, above its outcomes.
      rows: rows
        .map((row, index) => (row.Goal === rows[index - 1]?.Goal ? { ...row, Goal: '' } : row))
        .map((row) => columns.map(({ value }) => value(row))),
      by: user.Name,
      at: momentIn(user.TimeZone),
    })
  }),

  handle(contract.addGoal, async ({ db, params: { programId }, body, user, audit }) => {
    await awaitPlan(db, programId)
    if ((await countGoals(db, programId, body.Year)) >= contract.maxGoals)
      throw fail(reportFailures.too_many_goals, { Year: body.Year, Count: contract.maxGoals }, 'Text')
    const goal = await insertGoal(db, programId, { year: body.Year, text: body.Text, accountId: user.Id })
    audit.detail = { GoalId: goal.Id, ...body }
    return goal
  }),

  handle(contract.changeGoal, async ({ db, params: { programId, goalId }, body, audit }) => {
    const before = await getGoal(db, programId, goalId)
    await updateGoal(db, programId, goalId, body.Text)
    audit.detail = { Before: before.Text, After: body.Text }
  }),

  handle(contract.removeGoal, async ({ db, params: { programId, goalId }, audit }) => {
    audit.detail = { ...(await getGoal(db, programId, goalId)) }
    await setDeleted(db, 'plan_goal', { programId, id: goalId, isDeleted: true })
  }),

  handle(contract.restoreGoal, async ({ db, params: { programId, goalId }, audit }) => {
    if (!(await setDeleted(db, 'plan_goal', { programId, id: goalId, isDeleted: false })))
      throw fail(reportFailures.no_goal)
    audit.detail = { ...(await getGoal(db, programId, goalId)) }
  }),

  handle(contract.addOutcome, async ({ db, params: { programId, goalId }, body, user, audit }) => {
    await awaitPlan(db, programId)
    const goal = await getGoal(db, programId, goalId)
    if (goal.Outcomes >= contract.maxOutcomes)
      throw fail(reportFailures.too_many_outcomes, { Count: contract.maxOutcomes }, 'Outcome')
    const id = await insertOutcome(db, programId, { goalId, outcome: body.Outcome, accountId: user.Id })
    audit.detail = { GoalId: goalId, OutcomeId: id, Outcome: body.Outcome }
    return getOutcome(db, programId, id)
  }),

  handle(contract.changeOutcome, async ({ db, params: { programId, outcomeId }, body, audit }) => {
    const before = await getOutcome(db, programId, outcomeId)
    await updateOutcome(db, programId, outcomeId, body)
    const names = Object.keys(body) as (keyof typeof body)[]
    audit.detail = {
      Before: Object.fromEntries(names.map((name) => [name, before[name].slice(0, 400)])),
      After: Object.fromEntries(names.map((name) => [name, body[name]?.slice(0, 400)])),
    }
    return getOutcome(db, programId, outcomeId)
  }),

  handle(contract.removeOutcome, async ({ db, params: { programId, outcomeId }, audit }) => {
    const { Outcome } = await getOutcome(db, programId, outcomeId)
    await setDeleted(db, 'plan_outcome', { programId, id: outcomeId, isDeleted: true })
    audit.detail = { OutcomeId: outcomeId, Outcome }
  }),

  handle(contract.restoreOutcome, async ({ db, params: { programId, outcomeId }, audit }) => {
    await refuseDeletedParent(db, programId, {
      table: 'plan_outcome',
      ids: [outcomeId],
      parent: 'plan_goal',
      by: 'goal_id',
      name: 'text',
    })
    await setDeleted(db, 'plan_outcome', { programId, id: outcomeId, isDeleted: false })
    const { Outcome } = await getOutcome(db, programId, outcomeId)
    audit.detail = { OutcomeId: outcomeId, Outcome }
  }),

  handle(contract.copyPlan, async ({ db, params: { programId }, body, user, audit }) => {
    await awaitPlan(db, programId)
    const { FromYear, ToYear } = body
    if ((await countGoals(db, programId, FromYear)) === 0)
      throw fail(reportFailures.empty, { FromYear }, 'FromYear')
    if ((await countGoals(db, programId, ToYear)) > 0)
      throw fail(reportFailures.year_taken, { ToYear }, 'ToYear')
    const copied = await copyYear(db, programId, { from: FromYear, to: ToYear, accountId: user.Id })
    audit.detail = { ...body, ...copied }
    return copied
  }),
]
