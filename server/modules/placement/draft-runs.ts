import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Db } from '#server/core/database/pool.ts'
import { transaction } from '#server/core/database/pool.ts'
import { enqueue, job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import type { DraftPart, DraftProgress, DraftTask } from './drafting.ts'
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
import { loadPlanFacts, loadSharingFacts } from './facts.queries.ts'
import { changesSince } from './plan-changes.ts'
import type { PlanFacts } from './plan-facts.ts'
import { stepsOf } from './plan-instance.ts'
import { findPlacementPlan } from './plans.queries.ts'
import {
  emptyDraft,
  findDraftState,
  leaveRun,
  listPlansToSolveWith,
  listRunMembers,
  type Member,
} from './together.queries.ts'

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

const again = 'Nothing was placed. Solve again for this plan alone, or make a draft with other plans.'
const left = (program: string): string =>
  `The plan of ${program} can no longer be solved together with this one: it was deleted, has ended, or is not open to other programs any longer.`

/** What of a plan has changed since a run began; nothing where the plan itself is gone. */
const changesMeanwhile = async (
  db: Db,
  { programId }: DraftKey,
  { planId, input: { Weights } }: ClaimedDraft,
  before: PlanFacts,
  besideDraft: number | undefined,
): Promise<string[]> =>
  (await findPlacementPlan(db, programId, planId))
    ? changesSince(before, await loadPlanFacts(db, programId, planId, Weights, besideDraft))
    : []

/** A draft of a run: one, or each of several that are solved together. */
interface Running {
  key: DraftKey
  /** Of the program, where there are several. */
  program: string
  claimed: ClaimedDraft
  part: DraftPart
  /** What somebody wishes of it: undefined once it is deleted. */
  wish: '' | 'stop' | undefined
}

/**
 * Makes drafts in processes of their own, one at a time: the solver takes all of a processor and much memory, and whatever ends it ends
 * nothing else. What it finds is kept while it runs, so that a run that is begun again goes on from there. Plans that are solved together are
 * read and written each in a transaction of its program.
 */
export const createDraftRunner = () => {
  const children = new Set<ChildProcess>()
  let isStopped = false

  const run = async (asked: DraftKey, { pool, log }: Services): Promise<void> => {
    if (isStopped) throw new Error('The worker is stopping; the draft is begun again after it.')
    const inProgram = <T>(programId: number, work: (db: Db) => Promise<T>): Promise<T> =>
      transaction(pool, { accountId: null, programIds: [programId] }, work)
    const ofDraft = <T>({ programId }: DraftKey, work: (db: Db) => Promise<T>): Promise<T> =>
      inProgram(programId, work)
    const members = await ofDraft(asked, (db) => listRunMembers(db, asked))
    const keys = members.map(({ ProgramId, DraftId }) => ({ programId: ProgramId, draftId: DraftId }))
    // A run of several is the run of the draft that began it.
    const lead = keys[0] ?? asked
    const failAll = async (keysOfAll: readonly DraftKey[], error: string): Promise<void> => {
      for (const key of keysOfAll)
        await ofDraft(key, async (db) => {
          await endDraft(db, key, { state: 'failed', error })
          await leaveRun(db, key)
        })
    }
    const first = await ofDraft(lead, (db) => claimDraft(db, lead))
    if (!first) {
      const state = await ofDraft(lead, (db) => findDraftState(db, lead))
      if (keys.length > 0 && state === undefined)
        await failAll(
          keys.slice(1),
          `The draft of ${members[0]?.Program} that began this was deleted. ${again}`,
        )
      return
    }
    /** The program of a plan that may not take part any longer. */
    const findLeft = async (among: readonly Member[]): Promise<Member | undefined> => {
      if (!members[0]) return undefined
      const { PlanId } = members[0]
      const plans = await ofDraft(lead, (db) => listPlansToSolveWith(db, PlanId))
      return among.find(
        (member) =>
          member !== members[0] &&
          !plans.some((plan) => plan.PlanId === member.PlanId && (plan.IsOpen || !member.IsByConsent)),
      )
    }
    const missing = await findLeft(members)
    if (missing) {
      await failAll(keys, `${left(missing.Program)} ${again}`)
      return
    }
    const running: Running[] = []
    for (const key of keys.length > 0 ? keys : [lead]) {
      const program = members.find(({ DraftId }) => DraftId === key.draftId)?.Program ?? ''
      const claimed =
        key === lead ? first : await ofDraft(key, (db) => claimDraft(db, key, { isWithOthers: true }))
      if (!claimed) {
        await failAll(keys, `${program} has deleted or stopped its draft. ${again}`)
        return
      }
      const { Weights, Places } = claimed.input
      const part = await ofDraft(key, async (db): Promise<DraftPart> => {
        // Alone, what drafts hold that were solved together with it is taken.
        const beside = keys.length === 0 ? key.draftId : undefined
        const { facts, shared } = await loadSharingFacts(db, key.programId, claimed.planId, Weights, beside)
        return {
          facts,
          shared,
          order: { weights: Weights, places: Places, cells: await listOrderCells(db, key) },
        }
      })
      running.push({ key, program, claimed, part, wish: '' })
    }
    const isAlone = running.length === 1
    if (isStopped) {
      for (const { key } of running) await ofDraft(key, (db) => giveBack(db, key, { isStopped }))
      return
    }
    const empty = running.find(
      ({ part: { facts } }) => facts.Students.length === 0 || facts.Shifts.length === 0,
    )
    if (empty) {
      await failAll(
        running.map(({ key }) => key),
        isAlone ? noDraft : `${empty.program}: ${noDraft}`,
      )
      return
    }
    const { Effort } = first.input
    const child = fork(draftProgram, [], {
      execArgv: ['--max-old-space-size=1024'],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    children.add(child)
    let latest: DraftProgress = { step: 0, steps: stepsOf[Effort], isLast: false, expectedSeconds: 0 }
    let found: DraftProgress['found']
    let keptAt = Date.now()
    child.on('message', (progress: DraftProgress) => {
      latest = progress
      if (progress.found) found = progress.found
    })
    const present = () => running.filter(({ wish }) => wish !== undefined)
    const isWished = () => running.some(({ wish }) => wish === 'stop')
    const keep = async () => {
      const best = found
      found = undefined
      keptAt = Date.now()
      for (const [at, { key, wish }] of running.entries()) {
        const own = best?.[at]
        if (own && wish !== undefined)
          await ofDraft(key, async (db) => {
            await saveCells(db, key, own.cells)
            await saveFigures(db, key, own.figures)
          })
      }
    }
    /** One look at a time: what the run is told and what it has found. A draft that is deleted meanwhile leaves the others. */
    let looking: Promise<void> = Promise.resolve()
    const look = async () => {
      try {
        for (const each of running)
          if (each.wish !== undefined)
            each.wish = await ofDraft(each.key, (db) => beatDraft(db, each.key, latest))
        if (isWished() || present().length === 0) child.kill('SIGKILL')
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
    child.send({
      parts: running.map(({ part }) => part),
      seed: first.seed,
      effort: Effort,
    } satisfies DraftTask)
    const [code, signal] = (await ended) as [number | null, string | null]
    clearInterval(timer)
    children.delete(child)
    await looking
    // It was deleted, or somebody else has it by now.
    if (present().length === 0) return
    const isOver = code === 0 && latest.isLast
    if (!isOver && !isWished()) {
      await keep()
      log.warn(`The process of draft ${lead.draftId} ended with ${code ?? signal}`)
      await giveBackAll(present().map(({ key }) => key))
      return
    }
    if (!isAlone) await dropThoseWhoLeft()
    await keep()
    const gone = running.filter(({ wish }) => wish === undefined)
    const changes = new Map<Running, string[]>()
    for (const each of present()) {
      const { key, claimed, part } = each
      const beside = isAlone ? key.draftId : undefined
      changes.set(each, await ofDraft(key, (db) => changesMeanwhile(db, key, claimed, part.facts, beside)))
    }
    for (const each of present())
      await ofDraft(each.key, async (db) => {
        const { key } = each
        const ofOthers = [...changes].filter(([other, texts]) => other !== each && texts.length > 0)
        await beatDraft(db, key, latest)
        await addProblems(db, key, [
          ...(changes.get(each) ?? []),
          ...ofOthers.map(
            ([{ program }]) =>
              `${program} changed its plan while these were solved together. Solve again to use what holds now.`,
          ),
          ...gone.map(
            ({ program }) =>
              `${program} no longer takes part: its draft or its consent was taken back while this was solved. Places that its students had in it are free; solve again to use them.`,
          ),
        ])
        await endDraft(db, key, { state: isOver ? 'done' : 'stopped' })
        if (gone.length > 0) await leaveRun(db, key)
      })

    /** Has the drafts wait again; one that has failed takes the others with it. */
    async function giveBackAll(keysOfAll: readonly DraftKey[]): Promise<void> {
      for (const key of keysOfAll)
        await ofDraft(key, async (db) => {
          const isBack = await giveBack(db, key, { isStopped })
          if (isBack && key.draftId === lead.draftId) await enqueueDraft(db, key)
        })
    }

    /** Ends the drafts whose programs may not be solved with the others any longer, and takes out what they were given. */
    async function dropThoseWhoLeft(): Promise<void> {
      const [own] = running
      if (own && (await ofDraft(own.key, (db) => findDraftState(db, own.key))) === undefined)
        own.wish = undefined
      while (own?.wish !== undefined) {
        const still = members.filter(({ DraftId }) => present().some(({ key }) => key.draftId === DraftId))
        const member = await findLeft(still)
        const each = member && running.find(({ key }) => key.draftId === member.DraftId)
        if (!each) return
        await ofDraft(each.key, async (db) => {
          await emptyDraft(db, each.key)
          await leaveRun(db, each.key)
          await endDraft(db, each.key, {
            state: 'failed',
            error: `This plan is no longer open to be solved together with that of ${members[0]?.Program}. ${again}`,
          })
        })
        each.wish = undefined
      }
    }
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
