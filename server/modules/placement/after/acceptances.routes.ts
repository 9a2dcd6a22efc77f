import * as contract from '#contract/placement/acceptances.ts'
import { placementFailures } from '#contract/placement/failures.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { lockDays, markRemoved } from '../../scheduling/placement.commands.ts'
import { getPlacingProgram, lockStudents } from '../../scheduling/placement.queries.ts'
import { placeNew } from '../../scheduling/placing.commands.ts'
import type { PlacementRequest } from '../../scheduling/placing.queries.ts'
import { type Breach, listBreaches } from '../draft/breaches.rules.ts'
import { cellsOf } from '../draft/draft.rules.ts'
import { type AcceptedCell, loadDrafted, lockStillDraft } from '../draft/drafted.queries.ts'
import { explainForRecord } from '../draft/explain.rules.ts'
import { datesOf } from '../plan/faults.rules.ts'
import { indexPlan } from '../plan/indexed-plan.rules.ts'
import { loadPlan } from '../plan/load-plan.queries.ts'
import { getPlacementPlanById, isOut, lockPlan } from '../plan/plans.queries.ts'
import { instanceOf } from '../solve/plan-instance.rules.ts'
import { insertAcceptance, markUndone, savePoints, setPublished } from './acceptances.commands.ts'
import { findAcceptance, listAcceptancesOf, listAhead } from './acceptances.queries.ts'
import { notifyPlaced } from './result-emails.commands.ts'
import { notifyPlacedSince, notifyTakenBack } from './result-emails.queries.ts'

/** Refuses with all reasons, in the shape of other refused placements: one line per student affected. */
const refuse = (breaches: readonly Breach[]): never => {
  const more = breaches.length > 1 ? ` (and ${breaches.length - 1} more)` : ''
  throw fail(
    placementFailures.refused,
    { Reason: breaches[0]?.text ?? '', More: more },
    {
      extra: {
        Added: 0,
        Ids: [],
        Refused: breaches.flatMap(({ text, rule, about }) =>
          about.map((each) => ({ ...each, Rule: rule, Message: text })),
        ),
        Warnings: [],
      },
    },
  )
}

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b)

export const acceptanceRoutes = [
  handle(contract.listAcceptances, async ({ db, params: { programId, planId } }) => {
    await getPlacementPlanById(db, programId, planId)
    return { Acceptances: await listAcceptancesOf(db, programId, planId) }
  }),

  handle(contract.acceptDraft, async ({ db, params, body, user, audit }) => {
    const { programId, planId, draftId } = params
    const locked = await lockPlan(db, programId, planId)
    const draft = await lockStillDraft(db, params)
    const drafted = await loadDrafted(db, params, draft)
    const { indexed, solution } = drafted
    const { plan, blocks, fixed } = indexed
    const isWanted = (i: number, b: number) =>
      (body.Blocks.length === 0 || body.Blocks.includes(b)) &&
      (body.StudentIds.length === 0 || body.StudentIds.includes(plan.Students[i]?.Id ?? 0))
    // What was accepted before stays, whatever the draft says now.
    const next = fixed.slice()
    for (let at = 0; at < next.length; at++)
      if ((fixed[at] ?? -1) < 0 && isWanted(Math.floor(at / blocks), at % blocks))
        next[at] = solution[at] ?? -1
    const isNew = (at: number) => (fixed[at] ?? -1) < 0 && (next[at] ?? -1) >= 0
    const cells = cellsOf(
      indexed,
      next.map((o, at) => (isNew(at) ? o : -1)),
    )
    if (cells.length === 0) throw fail(placementFailures.nothing_left, { Name: draft.Name })
    // A what-if may count on places that do not exist: what is accepted is checked against those that do.
    // Places held by drafts of other programs do not count as taken until those are accepted.
    const real =
      draft.Together.length === 0 ? indexed : indexPlan(await loadPlan(db, programId, planId, draft.Weights))
    const { instance } = instanceOf(real, { weights: draft.Weights, places: [], cells: [] })
    const breaches = listBreaches({ indexed: real, instance, solution: fixed }, next)
    if (breaches.length > 0) refuse(breaches)
    const indexOf = new Map(plan.Students.map(({ Id }, i) => [Id, i]))
    const requests = cells.flatMap(({ StudentId, Block, SiteShiftId, RotationId }): PlacementRequest[] => {
      const i = indexOf.get(StudentId) ?? 0
      const option = indexed.options[next[i * blocks + Block] ?? -1]
      return option
        ? datesOf(plan, option, indexed.groupOf[i] ?? -1, Block).map((date) => ({
            RotationId,
            SiteShiftId,
            StudentId,
            Date: date,
          }))
        : []
    })
    const program = await getPlacingProgram(db, programId)
    const placed = await placeNew(db, { programId, program, requests }, user.Id, { isAllOrNothing: true })
    const accepted = cells.map(
      (cell): AcceptedCell => ({
        ...cell,
        ...explainForRecord(drafted, indexOf.get(cell.StudentId) ?? 0, cell.Block),
      }),
    )
    const id = await insertAcceptance(
      db,
      programId,
      { planId, draftId, accountId: user.Id },
      accepted,
      placed.Ids,
    )
    await savePoints(db, programId, planId)
    const StudentIds = distinct(cells.map(({ StudentId }) => StudentId))
    if (isOut(locked)) await notifyPlacedSince(db, programId, locked, StudentIds)
    audit.detail = {
      Id: id,
      PlanId: planId,
      DraftId: draftId,
      Blocks: body.Blocks,
      StudentIds: StudentIds.slice(0, 200),
      Cells: cells.length,
      Shifts: placed.Added,
    }
    // It was inserted above.
    return (await listAcceptancesOf(db, programId, planId, id))[0]!
  }),

  handle(contract.undoAcceptance, async ({ db, params, user, audit }) => {
    const { programId, planId, acceptanceId } = params
    const plan = await lockPlan(db, programId, planId)
    const found = await findAcceptance(db, programId, planId, acceptanceId)
    if (!found) throw fail(placementFailures.no_acceptance)
    if (found.isUndone) throw fail(placementFailures.undone_already)
    const ids = distinct(found.cells.map(({ StudentId }) => StudentId))
    await lockStudents(db, programId, ids)
    // A shift that another student has by now no longer belongs to this plan.
    const given = new Set(found.cells.map(({ StudentId, SiteShiftId }) => `${StudentId} ${SiteShiftId}`))
    const ahead = (await listAhead(db, programId, found.ids)).filter(({ StudentId, SiteShiftId }) =>
      given.has(`${StudentId} ${SiteShiftId}`),
    )
    if (ahead.length === 0) {
      const [acceptance] = await listAcceptancesOf(db, programId, planId, acceptanceId)
      if (acceptance && acceptance.Begun > 0) throw fail(placementFailures.shifts_begun)
    }
    await lockDays(
      db,
      programId,
      ahead.map(({ SiteShiftId, Date: date }) => ({ siteShiftId: SiteShiftId, date })),
    )
    const Removed =
      ahead.length === 0
        ? 0
        : await markRemoved(
            db,
            programId,
            user.Id,
            ahead.map(({ Id }) => Id),
          )
    await markUndone(db, programId, acceptanceId, user.Id)
    await savePoints(db, programId, planId)
    if (isOut(plan)) await notifyTakenBack(db, programId, plan, ids)
    // What is accepted later is published anew, and its students are told then.
    const { AcceptedCount } = await getPlacementPlanById(db, programId, planId)
    const IsHidden = plan.PublishedAt !== null && AcceptedCount === 0
    if (IsHidden) await setPublished(db, programId, planId, { IsPublished: false, Date: null, Time: null })
    const Kept = found.ids.length - Removed
    audit.detail = { Id: acceptanceId, PlanId: planId, Removed, Kept, IsHidden }
    return { Removed, Kept, IsHidden }
  }),

  handle(contract.publishPlan, async ({ db, params: { programId, planId }, body, audit }) => {
    const plan = await lockPlan(db, programId, planId)
    if (body.IsPublished && plan.AcceptedCount === 0)
      throw fail(placementFailures.nothing_accepted, { Name: plan.Name })
    const PublishedAt = await setPublished(db, programId, planId, body)
    const told = await notifyPlaced(db, programId, plan)
    audit.detail = { PlanId: planId, PublishedAt, Told: told }
    return { PublishedAt }
  }),
]
