import { checkPlanRules } from '#contract/placement/conflicts.ts'
import { handle } from '#server/core/http/handle.ts'
import { loadPlanFacts } from '../plan/load-plan.queries.ts'
import { askConflict } from './conflicts.process.ts'

export const conflictRoutes = [
  handle(checkPlanRules, async ({ db, hasLeft, params: { programId, planId } }) => {
    const facts = await loadPlanFacts(db, programId, planId)
    if (facts.Students.length === 0 || facts.Shifts.length === 0) return { Conflict: null }
    return { Conflict: (await askConflict(facts, hasLeft)) ?? null }
  }),
]
