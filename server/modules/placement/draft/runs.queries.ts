import type pg from 'pg'
import type { Db } from '#server/core/database/pool.ts'
import { transaction } from '#server/core/database/pool.ts'
import { changesSince } from '../plan/changes.rules.ts'
import { loadPlan, loadSharingPlan } from '../plan/load-plan.queries.ts'
import { findPlacementPlan } from '../plan/plans.queries.ts'
import type { DraftPart, DraftProgress, FoundDraft } from './drafting.process.ts'
import {
  addProblems,
  type ClaimedDraft,
  claimDraft,
  type DraftKey,
  endDraft,
  heartbeatDraft,
  listOrderCells,
  saveCells,
  saveFigures,
} from './drafts.queries.ts'
import {
  emptyDraft,
  findDraftState,
  leaveRun,
  listPlansToSolveWith,
  listRunMembers,
  type Member,
} from './together.queries.ts'

const noDraft =
  'No shift runs on the weekdays and of the types that the groups allow. The ready check says more.'

const again = 'Nothing was placed. Solve again for this plan alone, or make a draft with other plans.'
const left = (program: string): string =>
  `The plan of ${program} can no longer be solved together with this one: it was deleted, has ended, or is not open to other programs any longer.`

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

/** Which drafts a run is of, before any is begun. */
interface Called {
  pool: pg.Pool
  /** None where a draft is solved alone. */
  members: readonly Member[]
  keys: readonly DraftKey[]
  /** The draft whose job is the run: of several, the one that began it. */
  lead: DraftKey
}

/** A run that has taken its drafts. */
export interface Run extends Called {
  /** The lead is the first, and by its effort and seed all are solved. */
  running: readonly Running[]
}

/** Works on a draft in a transaction of its program. */
export const withDraft = <T>(
  { pool }: Pick<Called, 'pool'>,
  { programId }: DraftKey,
  work: (db: Db) => Promise<T>,
): Promise<T> => transaction(pool, { accountId: null, programIds: [programId] }, work)

/** The drafts of a run that were not deleted meanwhile. */
export const remainingOf = ({ running }: Run): Running[] => running.filter(({ wish }) => wish !== undefined)

/** Whether somebody has asked to stop a run, by any of its drafts. */
export const isStopRequested = ({ running }: Run): boolean => running.some(({ wish }) => wish === 'stop')

const isAlone = ({ running }: Run): boolean => running.length === 1

const failAll = async (at: Called, keys: readonly DraftKey[], error: string): Promise<void> => {
  for (const key of keys)
    await withDraft(at, key, async (db) => {
      await endDraft(db, key, { state: 'failed', error })
      await leaveRun(db, key)
    })
}

const call = async (pool: pg.Pool, asked: DraftKey): Promise<Called> => {
  const members = await withDraft({ pool }, asked, (db) => listRunMembers(db, asked))
  const keys = members.map(({ ProgramId, DraftId }) => ({ programId: ProgramId, draftId: DraftId }))
  return { pool, members, keys, lead: keys[0] ?? asked }
}

/** The member among these whose plan may not take part any longer. */
const findLeft = async (
  { members: [leader], lead, ...at }: Called,
  among: readonly Member[],
): Promise<Member | undefined> => {
  if (!leader) return undefined
  const plans = await withDraft(at, lead, (db) => listPlansToSolveWith(db, leader.PlanId))
  return among.find(
    (member) =>
      member !== leader &&
      !plans.some((plan) => plan.PlanId === member.PlanId && (plan.IsOpen || !member.IsByConsent)),
  )
}

/** Takes the draft that leads; undefined when it does not wait any longer, which the others are told where it was deleted. */
const claimLead = async (called: Called): Promise<ClaimedDraft | undefined> => {
  const { lead, keys, members } = called
  const claimed = await withDraft(called, lead, (db) => claimDraft(db, lead))
  if (claimed || keys.length === 0) return claimed
  const state = await withDraft(called, lead, (db) => findDraftState(db, lead))
  if (state === undefined)
    await failAll(
      called,
      keys.slice(1),
      `The draft of ${members[0]?.Program} that began this was deleted. ${again}`,
    )
  return undefined
}

/** Reads what a draft is solved with. */
const loadPart = (called: Called, key: DraftKey, { planId, input }: ClaimedDraft): Promise<DraftPart> =>
  withDraft(called, key, async (db) => {
    const { Weights, Places } = input
    // Alone, what drafts hold that were solved together with it is taken.
    const beside = called.keys.length === 0 ? key.draftId : undefined
    const { plan, shared } = await loadSharingPlan(db, key.programId, planId, Weights, beside)
    return {
      plan,
      shared,
      order: { weights: Weights, places: Places, cells: await listOrderCells(db, key) },
    }
  })

/** Takes all drafts of a run with what they are solved with; the program of one that cannot be taken. */
const claimAll = async (called: Called, first: ClaimedDraft): Promise<Running[] | string> => {
  const { keys, lead, members } = called
  const running: Running[] = []
  for (const key of keys.length > 0 ? keys : [lead]) {
    const program = members.find(({ DraftId }) => DraftId === key.draftId)?.Program ?? ''
    const claimed =
      key === lead ? first : await withDraft(called, key, (db) => claimDraft(db, key, { isWithOthers: true }))
    if (!claimed) return program
    running.push({ key, program, claimed, part: await loadPart(called, key, claimed), wish: '' })
  }
  return running
}

/**
 * Takes the drafts of a run. Undefined where there is nothing to solve: the lead does not wait, or all drafts have failed by now
 * and say why.
 */
export const beginRun = async (pool: pg.Pool, asked: DraftKey): Promise<Run | undefined> => {
  const called = await call(pool, asked)
  const first = await claimLead(called)
  if (!first) return undefined
  const missing = await findLeft(called, called.members)
  if (missing) {
    await failAll(called, called.keys, `${left(missing.Program)} ${again}`)
    return undefined
  }
  const running = await claimAll(called, first)
  if (typeof running === 'string') {
    await failAll(called, called.keys, `${running} has deleted or stopped its draft. ${again}`)
    return undefined
  }
  return { ...called, running }
}

/** Ends the drafts of a run as failed where a plan has nobody or nowhere to place; whether it did. */
export const failIfEmpty = async (run: Run): Promise<boolean> => {
  const empty = run.running.find(
    ({ part: { plan } }) => plan.Students.length === 0 || plan.Shifts.length === 0,
  )
  if (!empty) return false
  await failAll(
    run,
    run.running.map(({ key }) => key),
    isAlone(run) ? noDraft : `${empty.program}: ${noDraft}`,
  )
  return true
}

/** Notes how far a run is, and reads what somebody wishes of its drafts. A draft that is deleted meanwhile leaves the others. */
export const heartbeatRun = async (run: Run, progress: DraftProgress): Promise<void> => {
  for (const each of run.running)
    if (each.wish !== undefined)
      each.wish = await withDraft(run, each.key, (db) => heartbeatDraft(db, each.key, progress))
}

/** Keeps what a run has found, by draft, of those that are not deleted. */
export const saveFound = async (run: Run, found: readonly FoundDraft[] | undefined): Promise<void> => {
  for (const [at, { key, wish }] of run.running.entries()) {
    const own = found?.[at]
    if (own && wish !== undefined)
      await withDraft(run, key, async (db) => {
        await saveCells(db, key, own.cells)
        await saveFigures(db, key, own.figures)
      })
  }
}

/** Ends the drafts whose programs may not be solved with the others any longer, and takes out what they were given. */
export const dropWithdrawn = async (run: Run): Promise<void> => {
  const { running, members } = run
  const [own] = running
  if (!own || isAlone(run)) return
  if ((await withDraft(run, own.key, (db) => findDraftState(db, own.key))) === undefined) own.wish = undefined
  while (own.wish !== undefined) {
    const present = remainingOf(run)
    const still = members.filter(({ DraftId }) => present.some(({ key }) => key.draftId === DraftId))
    const member = await findLeft(run, still)
    const each = member && running.find(({ key }) => key.draftId === member.DraftId)
    if (!each) return
    await withDraft(run, each.key, async (db) => {
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

/** What of the plan of a draft has changed since its run began; nothing where the plan itself is gone. */
const changesMeanwhile = (run: Run, { key, claimed, part }: Running): Promise<string[]> =>
  withDraft(run, key, async (db) => {
    const { planId, input } = claimed
    const beside = isAlone(run) ? key.draftId : undefined
    return (await findPlacementPlan(db, key.programId, planId))
      ? changesSince(part.plan, await loadPlan(db, key.programId, planId, input.Weights, beside))
      : []
  })

/** Ends the drafts of a run, each with what has changed meanwhile in its plan and in those of the others. */
export const endRun = async (run: Run, latest: DraftProgress, state: 'done' | 'stopped'): Promise<void> => {
  const gone = run.running.filter(({ wish }) => wish === undefined)
  const changes = new Map<Running, string[]>()
  for (const each of remainingOf(run)) changes.set(each, await changesMeanwhile(run, each))
  for (const each of remainingOf(run))
    await withDraft(run, each.key, async (db) => {
      const { key } = each
      const ofOthers = [...changes].filter(([other, texts]) => other !== each && texts.length > 0)
      await heartbeatDraft(db, key, latest)
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
      await endDraft(db, key, { state })
      if (gone.length > 0) await leaveRun(db, key)
    })
}
