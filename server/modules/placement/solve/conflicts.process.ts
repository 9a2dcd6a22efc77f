import { once } from 'node:events'
import type { Conflict } from '#contract/placement/conflicts.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import { refuseAbandoned } from '#server/core/database/cancel.ts'
import { indexPlan } from '../plan/indexed-plan.rules.ts'
import type { Plan } from '../plan/plan.rules.ts'
import { findConflict } from './conflicts.rules.ts'
import { openHighs } from './linear.solver.ts'
import { instanceOf } from './plan-instance.rules.ts'
import { startSolver } from './solver.process.ts'

/** The task of a process that only looks for rules that cannot be kept together. */
export interface ConflictTask {
  plan: Plan
}

/** Its answer; without a conflict if it found none within its limits. */
export interface ConflictAnswer {
  conflict: Conflict | undefined
}

/** A search ends after this time; except on the largest plans, its node limit ends it earlier. */
const mostMilliseconds = 45_000

/**
 * Finds rules of a plan that cannot be kept together, in a process of its own so that it holds up no other call. The process ends when
 * nobody waits for it any longer.
 *
 * @throws AbandonedError when whoever asked has left
 */
export const askConflict = async (plan: Plan, hasLeft?: AbortSignal): Promise<Conflict | undefined> => {
  refuseAbandoned(hasLeft)
  const child = startSolver(512, {
    timeout: mostMilliseconds,
    killSignal: 'SIGKILL',
    ...(hasLeft && { signal: hasLeft }),
  })
  let answer: ConflictAnswer | undefined
  child.once('message', (message: ConflictAnswer) => {
    answer = message
  })
  const ended = once(child, 'exit')
  // A failure to send to a process that was ended says nothing new.
  child.on('error', () => {})
  const task: ConflictTask = { plan }
  child.send(task)
  await ended.catch((error: unknown) => {
    refuseAbandoned(hasLeft)
    throw error
  })
  return answer?.conflict
}

/** Looks for rules of a plan that cannot be kept together, before any draft. */
export const findPlanConflict = async ({ plan }: ConflictTask): Promise<ConflictAnswer> => {
  const indexed = indexPlan(plan)
  const { instance } = instanceOf(indexed, { weights: usualWeights, places: [], cells: [] })
  return { conflict: findConflict(await openHighs(), { indexed, instance }) }
}
