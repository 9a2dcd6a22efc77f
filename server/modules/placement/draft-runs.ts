import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Db } from '#server/core/database/pool.ts'
import { transaction } from '#server/core/database/pool.ts'
import { enqueue, job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import type { DraftProgress, DraftTask } from './drafting.ts'
import {
  addProblems,
  beatDraft,
  type ClaimedDraft,
  claimDraft,
  type DraftKey,
  endDraft,
  giveBack,
  listLostDrafts,
  listOrderCells,
  saveCells,
  saveFigures,
} from './drafts.queries.ts'
import { loadPlanFacts } from './facts.queries.ts'
import { changesSince } from './plan-changes.ts'
import type { PlanFacts } from './plan-facts.ts'
import { stepsOf } from './plan-instance.ts'
import { findPlacementPlan } from './plans.queries.ts'

/** The file that solves plans, in a process of its own. */
export const draftProgram = fileURLToPath(new URL('../../draft.ts', import.meta.url))
const RunPayload = z.object({ programId: z.number().int(), draftId: z.number().int() })
const jobName = 'placement:draft'
const beatMilliseconds = 1_000
/** What a run has found is kept at most so often before it ends. */
const keepMilliseconds = 5_000

/** Has the worker make a draft, in the caller's transaction. */
export const enqueueDraft = (db: Db, key: DraftKey): Promise<void> =>
  enqueue(db, { name: jobName, payload: RunPayload }, key, { jobKey: `draft:${key.draftId}` })

const noDraft =
  'No shift runs on the weekdays and of the types that the groups allow. The ready check says more.'

/** What a draft does not know of, since it happened while it was made; nothing where the plan itself is gone. */
const changesMeanwhile = async (
  db: Db,
  { programId }: DraftKey,
  { planId, input: { Weights } }: ClaimedDraft,
  before: PlanFacts,
): Promise<string[]> =>
  (await findPlacementPlan(db, programId, planId))
    ? changesSince(before, await loadPlanFacts(db, programId, planId, Weights))
    : []

/**
 * Makes drafts in processes of their own, one at a time: the solver takes all of a processor and much memory, and whatever ends it ends
 * nothing else. What it finds is kept while it runs, so that a run that is begun again goes on from there.
 */
export const createDraftRunner = () => {
  const children = new Set<ChildProcess>()
  let isStopped = false

  const run = async (key: DraftKey, { pool, log }: Services): Promise<void> => {
    if (isStopped) throw new Error('The worker is stopping; the draft is begun again after it.')
    const inProgram = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
      transaction(pool, { accountId: null, programIds: [key.programId] }, work)
    const claimed = await inProgram((db) => claimDraft(db, key))
    if (!claimed) return
    const { Effort, Weights, Places } = claimed.input
    const task = await inProgram(
      async (db): Promise<DraftTask> => ({
        facts: await loadPlanFacts(db, key.programId, claimed.planId, Weights),
        order: {
          seed: claimed.seed,
          effort: Effort,
          weights: Weights,
          places: Places,
          cells: await listOrderCells(db, key),
        },
      }),
    )
    if (isStopped) {
      await inProgram((db) => giveBack(db, key, { isStopped }))
      return
    }
    if (task.facts.Students.length === 0 || task.facts.Shifts.length === 0) {
      await inProgram((db) => endDraft(db, key, { state: 'failed', error: noDraft }))
      return
    }
    const child = fork(draftProgram, [], {
      execArgv: ['--max-old-space-size=1024'],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    children.add(child)
    let latest: DraftProgress = { step: 0, steps: stepsOf[Effort], isLast: false, expectedSeconds: 0 }
    let found: DraftProgress | undefined
    let keptAt = Date.now()
    let wish: '' | 'stop' | undefined = ''
    child.on('message', (progress: DraftProgress) => {
      latest = progress
      if (progress.cells) found = progress
    })
    const keep = async () => {
      const best = found
      found = undefined
      keptAt = Date.now()
      await inProgram(async (db) => {
        if (best?.cells) await saveCells(db, key, best.cells)
        if (best?.figures) await saveFigures(db, key, best.figures)
      })
    }
    /** One look at a time: what the run is told and what it has found. */
    let looking: Promise<void> = Promise.resolve()
    const look = async () => {
      try {
        wish = await inProgram((db) => beatDraft(db, key, latest))
        if (wish !== '') child.kill('SIGKILL')
        else if (found && Date.now() - keptAt >= keepMilliseconds) await keep()
      } catch (error) {
        log.warn({ err: error }, 'The progress of a draft could not be kept')
      }
    }
    let isLooking = false
    const timer = setInterval(() => {
      if (isLooking) return
      isLooking = true
      looking = look().finally(() => {
        isLooking = false
      })
    }, beatMilliseconds)
    const ended = once(child, 'exit')
    child.send(task)
    const [code, signal] = (await ended) as [number | null, string | null]
    clearInterval(timer)
    children.delete(child)
    await looking
    // It was deleted, or somebody else has it by now.
    if (wish === undefined) return
    await keep()
    const isOver = code === 0 && latest.isLast
    if (isOver || wish !== '') {
      await inProgram(async (db) => {
        await beatDraft(db, key, latest)
        await addProblems(db, key, await changesMeanwhile(db, key, claimed, task.facts))
        await endDraft(db, key, { state: isOver ? 'done' : 'stopped' })
      })
      return
    }
    log.warn(`The process of draft ${key.draftId} ended with ${code ?? signal}`)
    await inProgram(async (db) => {
      if (await giveBack(db, key, { isStopped })) await enqueueDraft(db, key)
    })
  }

  return {
    run,
    job: job({ name: jobName, payload: RunPayload, work: run }),
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
export const draftUpkeep = job({
  name: 'placement:upkeep',
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, { pool }) => {
    for (const lost of await listLostDrafts(pool))
      await transaction(pool, { accountId: null, programIds: [lost.programId] }, async (db) => {
        if (await giveBack(db, lost)) await enqueueDraft(db, lost)
      })
  },
})
