import { checkPlanRules } from '#contract/placement/conflicts.ts'
import { handle } from '#server/core/http/handle.ts'
import { loadPlan } from '../plan/load-plan.queries.ts'
import { askConflict } from './conflicts.process.ts'

export const conflictRoutes = [
  handle(checkPlanRules, async ({ db, hasLeft, params: { programId, planId } }) => {
    const plan = await loadPlan(db, programId, planId)
    if (plan.Students.length === 0 || plan.Shifts.length === 0) return { Conflict: null }
    return { Conflict: (await askConflict(plan, hasLeft)) ?? null }
  }),
]
