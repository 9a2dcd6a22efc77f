import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Conflict } from '#contract/placement/conflicts.ts'
import { refuseAbandoned } from '#server/core/database/cancel.ts'
import { draftProgram } from '../draft/draft.process.ts'
import type { ConflictAnswer, ConflictTask } from '../draft/drafting.process.ts'
import type { PlanFacts } from '../plan/plan.rules.ts'

/** A search is ended after so long; its nodes end it before on all but the largest plans. */
const mostMilliseconds = 45_000

/**
 * Asks a process of its own which rules of a plan cannot be kept together, so that no call waits while it looks. It ends when nobody
 * waits for it any longer.
 *
 * @throws AbandonedError when whoever asked has left
 */
export const askConflict = async (facts: PlanFacts, hasLeft?: AbortSignal): Promise<Conflict | undefined> => {
  refuseAbandoned(hasLeft)
  const child = fork(draftProgram, [], {
    execArgv: ['--max-old-space-size=512'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
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
  const task: ConflictTask = { facts }
  child.send(task)
  await ended.catch((error: unknown) => {
    refuseAbandoned(hasLeft)
    throw error
  })
  return answer?.conflict
}
