import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Conflict } from '#contract/placement/conflicts.ts'
import { draftProgram } from './draft-runs.ts'
import type { ConflictAnswer, ConflictTask } from './drafting.ts'
import type { PlanFacts } from './model.ts'

/** A search is ended after so long; its nodes end it before on all but the largest plans. */
const mostMilliseconds = 45_000

/** Asks a process of its own which rules of a plan cannot be kept together, so that no call waits while it looks. */
export const askConflict = async (facts: PlanFacts): Promise<Conflict | undefined> => {
  const child = fork(draftProgram, [], {
    execArgv: ['--max-old-space-size=512'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    timeout: mostMilliseconds,
    killSignal: 'SIGKILL',
  })
  let answer: ConflictAnswer | undefined
  child.once('message', (message: ConflictAnswer) => {
    answer = message
  })
  const ended = once(child, 'exit')
  const task: ConflictTask = { facts }
  child.send(task)
  await ended
  return answer?.conflict
}
