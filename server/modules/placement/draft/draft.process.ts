import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { allStepsOf } from '../solve/plan-instance.rules.ts'
import type { DraftProgress, DraftTask } from './drafting.process.ts'

/** The file that solves plans, in a process of its own. */
export const draftProgram = fileURLToPath(new URL('../../../draft.ts', import.meta.url))

/** A process that makes drafts. */
export interface DraftProcess {
  child: ChildProcess
  /** How far it has come. */
  latest: () => DraftProgress
  /** The best drafts that it has found since this was asked last; undefined when none are better. */
  takeFound: () => DraftProgress['found']
  /** Once it has ended: `isOver` when it came to the end of its run, and how it ended. */
  ended: Promise<{ isOver: boolean; how: number | string | null }>
}

/** Starts a process for a task. */
export const startDraftProcess = (task: DraftTask): DraftProcess => {
  const child = fork(draftProgram, [], {
    execArgv: ['--max-old-space-size=1024'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let latest: DraftProgress = { step: 0, steps: allStepsOf(task.effort), isLast: false, expectedSeconds: 0 }
  let found: DraftProgress['found']
  child.on('message', (progress: DraftProgress) => {
    latest = progress
    if (progress.found) found = progress.found
  })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  child.send(task)
  return {
    child,
    latest: () => latest,
    takeFound: () => {
      const best = found
      found = undefined
      return best
    },
    ended: ended.then(([code, signal]) => ({ isOver: code === 0 && latest.isLast, how: code ?? signal })),
  }
}
