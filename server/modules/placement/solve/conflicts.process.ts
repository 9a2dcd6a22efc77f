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

/** What the process is told that only looks for rules which cannot be kept together. */
export interface ConflictTask {
  plan: Plan
}

/** What it answers; without a conflict when it found nothing within its limits. */
export interface ConflictAnswer {
  conflict: Conflict | undefined
}

/** A search is ended after so long; its nodes end it before on all but the largest plans. */
const mostMilliseconds = 45_000

/**
 * Asks a process of its own which rules of a plan cannot be kept together, so that no call waits while it looks. It ends when nobody
 * waits for it any longer.
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
  // What cannot be sent to a process that was ended says nothing new.
  child.on('error', () => {})
  const task: ConflictTask = { plan }
  child.send(task)
  await ended.catch((error: unknown) => {
    refuseAbandoned(hasLeft)
    throw error
  })
  return answer?.conflict
}

/** Whether the rules of a plan can be kept together at all, before any draft. */
export const findPlanConflict = async ({ plan }: ConflictTask): Promise<ConflictAnswer> => {
  const indexed = indexPlan(plan)
  const { instance } = instanceOf(indexed, { weights: usualWeights, places: [], cells: [] })
  return { conflict: findConflict(await openHighs(), { indexed, instance }) }
}
