import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import type { Db } from '#server/core/database/pool.ts'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import { enqueue, job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { allStepsOf } from '../solve/plan-instance.rules.ts'
import { startSolver } from '../solve/solver.process.ts'
import type { DraftProgress, DraftTask } from './drafting.process.ts'
import { requeueDraft } from './drafts.commands.ts'
import { type DraftKey, listLostDrafts } from './drafts.queries.ts'
import { beginRun, dropWithdrawn, endRun, failIfEmpty, heartbeatRun, saveFound } from './runs.commands.ts'
import { isStopRequested, type Run, remainingOf, withDraft } from './runs.queries.ts'

const RunPayload = z.object({ programId: z.number().int(), draftId: z.number().int() })
const jobName = 'placement:draft'
const beatMilliseconds = 1_000
/** How often at most a run's findings are saved before it ends. */
const keepMilliseconds = 5_000

/** Queues a draft for the worker, in the caller's transaction. */
export const enqueueDraft = (db: Db, key: DraftKey): Promise<void> =>
  enqueue(db, { name: jobName, payload: RunPayload }, key, { jobKey: `draft:${key.draftId}` })

/** A process that makes drafts. */
interface DraftProcess {
  child: ChildProcess
  /** Its latest progress. */
  latest: () => DraftProgress
  /** The best drafts found since the last call; undefined if none are better. */
  takeFound: () => DraftProgress['found']
  /** Resolves when the process ends: `isOver` if it completed its run, and how it ended. */
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
 * Checks a run every second while its process works: records progress, saves what it has found, and kills the process if somebody wants it
 * to stop or all drafts are deleted. One check at a time.
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
    /** Ends watching, after the check in progress. */
    end: async (): Promise<void> => {
      clearInterval(timer)
      await looking
    },
  }
}

/**
 * Makes drafts in processes of their own, one at a time: the solver takes a whole core and much memory, and if it crashes nothing else
 * does. Findings are saved while it runs, so that a restarted run continues from there. Plans that are solved together are each read and
 * written in a transaction of their program.
 */
export const createDraftRunner = () => {
  const children = new Set<ChildProcess>()
  let isStopped = false

  /** Requeues the drafts of a run, and the run itself if its lead may try again. */
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
    // It was deleted, or another worker has claimed it.
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
    /** The ids of the running processes. */
    processes: () => [...children].map(({ pid }) => pid),
    /** Kills what runs; the next worker starts it again. */
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

/** Requeues runs whose worker has sent no heartbeat for a minute, and those that nobody claimed. */
export const requeueLostDrafts = job({
  name: 'placement:upkeep',
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, { pool, everywhere }) => {
    for (const lost of await listLostDrafts(everywhere))
      await inProgram(pool, lost.programId, async (db) => {
        if (await requeueDraft(db, lost)) await enqueueDraft(db, lost)
      })
  },
})
