import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, RequiredLine, Text } from '#contract/core/fields.ts'

/** Systematic plans: what a program tells its accreditor about its goals, year by year. */

const long = 2000
const Year = z.number().int().min(1990).max(2099)

/** The columns of an outcome besides the outcome itself, in the order of the table and of the files. */
export const outcomeFields = ['Measure', 'Benchmark', 'When', 'Who', 'Result', 'Action'] as const
export type OutcomeField = (typeof outcomeFields)[number]

export const PlanOutcome = z.object({
  Id,
  Outcome: z.string(),
  Measure: z.string(),
  Benchmark: z.string(),
  When: z.string(),
  Who: z.string(),
  Result: z.string(),
  Action: z.string(),
})
export type PlanOutcome = z.infer<typeof PlanOutcome>

export const PlanGoal = z.object({ Id, Text: z.string(), Outcomes: z.array(PlanOutcome) })
export type PlanGoal = z.infer<typeof PlanGoal>

const oneGoal = z.strictObject({ programId: Id, goalId: Id })
const oneOutcome = z.strictObject({ programId: Id, outcomeId: Id })

export const getPlan = endpoint({
  method: 'GET',
  path: '/programs/:programId/systematic-plans',
  may: 'systematic-plans.read',
  summary: 'The plan of a year with its goals and outcomes, in the order they were added',
  params: InProgram,
  query: z.strictObject({
    /** The program's current year unless given. */
    Year: Year.optional(),
  }),
  answer: z.object({
    Year,
    /** Those that have goals, and the current one, newest first. */
    Years: z.array(Year),
    Goals: z.array(PlanGoal),
  }),
})

export const exportPlan = endpoint({
  method: 'GET',
  path: '/programs/:programId/systematic-plans/export',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'systematic-plans.read',
  summary: 'The plan of a year as a file, one row for each outcome',
  params: InProgram,
  query: z.strictObject({ Year, Format: z.enum(['xlsx', 'csv', 'pdf']).default('xlsx') }),
  answers: 'file',
})

/** Most goals of a year, and most outcomes of a goal. */
export const maxGoals = 50
export const maxOutcomes = 50

export const addGoal = endpoint({
  method: 'POST',
  path: '/programs/:programId/systematic-plans/goals',
  may: 'systematic-plans.write',
  summary: 'Add a goal to a year',
  params: InProgram,
  body: z.strictObject({ Year, Text: RequiredLine(500) }),
  answer: PlanGoal,
  errors: { 422: 'the year has 50 goals' },
})

export const changeGoal = endpoint({
  method: 'POST',
  path: '/programs/:programId/systematic-plans/goals/:goalId',
  may: 'systematic-plans.write',
  summary: 'Change the text of a goal',
  params: oneGoal,
  body: z.strictObject({ Text: RequiredLine(500) }),
})

export const removeGoal = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/systematic-plans/goals/:goalId',
  may: 'systematic-plans.write',
  summary: 'Delete a goal with its outcomes',
  params: oneGoal,
})

export const restoreGoal = endpoint({
  method: 'POST',
  path: '/programs/:programId/systematic-plans/goals/:goalId/restore',
  may: 'systematic-plans.write',
  summary: 'Bring a deleted goal back with its outcomes',
  params: oneGoal,
})

const RequiredText = Text(long)
  .transform((text) => text.trim())
  .pipe(z.string().min(1, 'is required'))
const Words = Text(long).transform((text) => text.trim())
const fields = {
  Measure: Words,
  Benchmark: Words,
  When: Words,
  Who: Words,
  Result: Words,
  Action: Words,
}

export const addOutcome = endpoint({
  method: 'POST',
  path: '/programs/:programId/systematic-plans/goals/:goalId/outcomes',
  may: 'systematic-plans.write',
  summary: 'Add an outcome to a goal',
  params: oneGoal,
  body: z.strictObject({ Outcome: RequiredText }),
  answer: PlanOutcome,
  errors: { 422: 'the goal has 50 outcomes' },
})

export const changeOutcome = endpoint({
  method: 'POST',
  path: '/programs/:programId/systematic-plans/outcomes/:outcomeId',
  may: 'systematic-plans.write',
  summary: 'Change some of an outcome’s texts; those that are not named stay',
  params: oneOutcome,
  body: z
    .strictObject({ Outcome: RequiredText, ...fields })
    .partial()
    .refine((body) => Object.values(body).some((text) => text !== undefined), 'must name a text to change'),
  answer: PlanOutcome,
})

export const removeOutcome = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/systematic-plans/outcomes/:outcomeId',
  may: 'systematic-plans.write',
  summary: 'Delete an outcome',
  params: oneOutcome,
})

export const restoreOutcome = endpoint({
  method: 'POST',
  path: '/programs/:programId/systematic-plans/outcomes/:outcomeId/restore',
  may: 'systematic-plans.write',
  summary: 'Bring a deleted outcome back',
  params: oneOutcome,
})

export const copyPlan = endpoint({
  method: 'POST',
  path: '/programs/:programId/systematic-plans/copies',
  may: 'systematic-plans.write',
  summary: 'Copy the goals and outcomes of a year into another that has none; results and actions begin anew',
  params: InProgram,
  body: z
    .strictObject({ FromYear: Year, ToYear: Year })
    .refine(({ FromYear, ToYear }) => FromYear !== ToYear, {
      path: ['ToYear'],
      message: 'must be another year',
    }),
  answer: z.object({ Goals: z.number().int(), Outcomes: z.number().int() }),
  errors: { 409: 'the other year has goals already', 422: 'the year has no goals' },
})
