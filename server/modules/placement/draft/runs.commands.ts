import type pg from 'pg'
import { changesSince } from '../plan/changes.rules.ts'
import { loadPlan, loadSharingPlan } from '../plan/load-plan.queries.ts'
import { findPlacementPlan } from '../plan/plans.queries.ts'
import type { DraftPart, DraftProgress, FoundDraft } from './drafting.process.ts'
import {
  addProblems,
  type ClaimedDraft,
  claimDraft,
  endDraft,
  heartbeatDraft,
  saveCells,
  saveFigures,
} from './drafts.commands.ts'
import { type DraftKey, listOrderCells } from './drafts.queries.ts'
import { type Called, type Run, type Running, remainingOf, withDraft } from './runs.queries.ts'
import { listPlansToSolveWith } from './together.across.ts'
import { emptyDraft, leaveRun } from './together.commands.ts'
import { findDraftState, listRunMembers, type Member } from './together.queries.ts'

const noDraft =
  'No shift runs on the weekdays and of the types that the groups allow. The ready check says more.'

const again = 'Nothing was placed. Solve again for this plan alone, or make a draft with other plans.'
const left = (program: string): string =>
  `The plan of ${program} can no longer be solved together with this one: it was deleted, has ended, or is not open to other programs any longer.`

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

/** The first of these members whose plan may no longer take part. */
const findLeft = async (
  { members: [leader], lead, ...at }: Called,
  among: readonly Member[],
): Promise<Member | undefined> => {
  if (!leader) return undefined
  const plans = await withDraft(at, lead, (db) => listPlansToSolveWith(db, leader.ProgramId, leader.PlanId))
  return among.find(
    (member) =>
      member !== leader &&
      !plans.some((plan) => plan.PlanId === member.PlanId && (plan.IsOpen || !member.IsByConsent)),
  )
}

/** Claims the lead; undefined if it is no longer queued. If it was deleted, the other drafts fail and say so. */
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

/** Loads what a draft is solved from. */
const loadPart = (called: Called, key: DraftKey, { planId, input }: ClaimedDraft): Promise<DraftPart> =>
  withDraft(called, key, async (db) => {
    const { Weights, Places } = input
    // If it is solved alone, places held by drafts that were solved together with it count as taken.
    const beside = called.keys.length === 0 ? key.draftId : undefined
    const { plan, shared } = await loadSharingPlan(db, key.programId, planId, Weights, beside)
    return {
      plan,
      shared,
      order: { weights: Weights, places: Places, cells: await listOrderCells(db, key) },
    }
  })

/** Claims and loads all drafts of a run; answers the program's name if one cannot be claimed. */
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
 * Claims the drafts of a run. Undefined if there is nothing to solve: the lead is not queued, or all drafts have failed by now and say
 * why.
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

/** Fails all drafts of a run if a plan has no students or no shifts; answers whether it did. */
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

/** Records the progress of a run and reads what users want of its drafts. A draft deleted meanwhile drops out. */
export const heartbeatRun = async (run: Run, progress: DraftProgress): Promise<void> => {
  for (const each of run.running)
    if (each.wish !== undefined)
      each.wish = await withDraft(run, each.key, (db) => heartbeatDraft(db, each.key, progress))
}

/** Saves what a run has found in those of its drafts that are not deleted. */
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

/** Fails the drafts whose programs may no longer be solved together with the others, and empties them. */
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

/** What has changed in the plan of a draft since its run started; nothing if the plan is gone. */
const changesMeanwhile = (run: Run, { key, claimed, part }: Running): Promise<string[]> =>
  withDraft(run, key, async (db) => {
    const { planId, input } = claimed
    const beside = isAlone(run) ? key.draftId : undefined
    return (await findPlacementPlan(db, key.programId, planId))
      ? changesSince(part.plan, await loadPlan(db, key.programId, planId, input.Weights, beside))
      : []
  })

/** Ends the drafts of a run, each listing what has changed meanwhile in its plan and in the other plans. */
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
