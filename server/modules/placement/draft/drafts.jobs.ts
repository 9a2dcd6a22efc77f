import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import type { Db } from '#server/core/database/pool.ts'
import { transaction } from '#server/core/database/pool.ts'
import { enqueue, job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { allStepsOf } from '../solve/plan-instance.rules.ts'
import { startSolver } from '../solve/solver.process.ts'
import type { DraftProgress, DraftTask } from './drafting.process.ts'
import { type DraftKey, listLostDrafts, requeueDraft } from './drafts.queries.ts'
import {
  beginRun,
  dropWithdrawn,
  endRun,
  failIfEmpty,
  heartbeatRun,
  isStopRequested,
  type Run,
  remainingOf,
  saveFound,
  withDraft,
} from './runs.queries.ts'

const RunPayload = z.object({ programId: z.number().int(), draftId: z.number().int() })
const jobName = 'placement:draft'
const beatMilliseconds = 1_000
/** What a run has found is kept at most so often before it ends. */
const keepMilliseconds = 5_000

/** Has the worker make a draft, in the caller's transaction. */
export const enqueueDraft = (db: Db, key: DraftKey): Promise<void> =>
  enqueue(db, { name: jobName, payload: RunPayload }, key, { jobKey: `draft:${key.draftId}` })

/** A process that makes drafts. */
interface DraftProcess {
  child: ChildProcess
  /** How far it has come. */
  latest: () => DraftProgress
  /** The best drafts that it has found since this was asked last; undefined when none are better. */
  takeFound: () => DraftProgress['found']
  /** Once it has ended: `isOver` when it came to the end of its run, and how it ended. */
  ended: Promise<{ isOver: boolean; how: number | string | null }>
}

/** Starts a process for a task. */
const startDraftProcess = (task: DraftTask): DraftProcess => {
  const child = startSolver(1024)
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

/**
 * Looks at a run every second while its process works: tells how far it is, keeps what it has found, and ends the process
 * when somebody wants it to stop or all drafts are deleted. One look at a time.
 */
const watch = (run: Run, { child, latest, takeFound }: DraftProcess, log: Services['log']) => {
  let keptAt = Date.now()
  const look = async () => {
    try {
      await heartbeatRun(run, latest())
      if (isStopRequested(run) || remainingOf(run).length === 0) child.kill('SIGKILL')
      else if (Date.now() - keptAt >= keepMilliseconds) {
        const found = takeFound()
        if (!found) return
        keptAt = Date.now()
        await saveFound(run, found)
      }
    } catch (error) {
      log.warn({ err: error }, 'The progress of a draft could not be kept')
    }
  }
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined
    })
  }, beatMilliseconds)
  return {
    /** Ends it, after the look that is on. */
    end: async (): Promise<void> => {
      clearInterval(timer)
      await looking
    },
  }
}

/**
 * Makes drafts in processes of their own, one at a time: the solver takes all of a processor and much memory, and whatever ends it ends
 * nothing else. What it finds is kept while it runs, so that a run that is begun again goes on from there. Plans that are solved together are
 * read and written each in a transaction of its program.
 */
export const createDraftRunner = () => {
  const children = new Set<ChildProcess>()
  let isStopped = false

  /** Has the drafts of a run wait again; one that has failed takes the others with it. */
  const requeueAll = async (run: Run): Promise<void> => {
    for (const { key } of remainingOf(run))
      await withDraft(run, key, async (db) => {
        const isBack = await requeueDraft(db, key, { isStopped })
        if (isBack && key.draftId === run.lead.draftId) await enqueueDraft(db, key)
      })
  }

  const solve = async (run: Run, log: Services['log']) => {
    const [lead] = run.running
    if (!lead) throw new Error('A run has no draft.')
    const solving = startDraftProcess({
      parts: run.running.map(({ part }) => part),
      seed: lead.claimed.seed,
      effort: lead.claimed.input.Effort,
    })
    const watching = watch(run, solving, log)
    children.add(solving.child)
    const ended = await solving.ended
    children.delete(solving.child)
    await watching.end()
    return { ...ended, latest: solving.latest(), found: solving.takeFound() }
  }

  const work = async (asked: DraftKey, { pool, log }: Pick<Services, 'pool' | 'log'>): Promise<void> => {
    if (isStopped) throw new Error('The worker is stopping; the draft is begun again after it.')
    const run = await beginRun(pool, asked)
    if (!run) return
    if (isStopped) {
      for (const { key } of run.running)
        await withDraft(run, key, (db) => requeueDraft(db, key, { isStopped }))
      return
    }
    if (await failIfEmpty(run)) return
    const { isOver, how, latest, found } = await solve(run, log)
    // It was deleted, or somebody else has it by now.
    if (remainingOf(run).length === 0) return
    const isEnded = isOver || isStopRequested(run)
    if (isEnded) await dropWithdrawn(run)
    await saveFound(run, found)
    if (isEnded) {
      await endRun(run, latest, isOver ? 'done' : 'stopped')
      return
    }
    log.warn(`The process of draft ${run.lead.draftId} ended with ${how}`)
    await requeueAll(run)
  }

  return {
    run: work,
    job: job({ name: jobName, payload: RunPayload, work }),
    /** The ids of the processes that work now. */
    processes: () => [...children].map(({ pid }) => pid),
    /** Ends what runs; it is begun again by the next worker. */
    stop: async (): Promise<void> => {
      isStopped = true
      await Promise.all(
        [...children].map(async (child) => {
          const ended = once(child, 'exit')
          child.kill('SIGKILL')
          await ended
        }),
      )
    },
  }
}

/** Has runs begun again whose worker gave no sign for a minute, and those that nobody took. */
export const requeueLostDrafts = job({
  name: 'placement:upkeep',
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, { pool }) => {
    for (const lost of await listLostDrafts(pool))
      await transaction(pool, { accountId: null, programIds: [lost.programId] }, async (db) => {
        if (await requeueDraft(db, lost)) await enqueueDraft(db, lost)
      })
  },
})
