import { sql } from 'kysely'
import type { Draft, Why } from '#contract/placement/drafts.ts'
import { placementFailures } from '#contract/placement/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { loadPlan } from '../plan/load-plan.queries.ts'
import { indexedPlanOf } from '../plan/plan-cache.rules.ts'
import { instanceOf } from '../solve/plan-instance.rules.ts'
import { type DraftCell, type Drafted, solutionOf } from './draft.rules.ts'
import { findDraft, listOrderCells, lockDraftRow } from './drafts.queries.ts'

interface At {
  programId: number
  planId: number
  draftId: number
}

export const getDraft = async (db: Db, { programId, ...at }: At): Promise<Draft> => {
  const draft = await findDraft(db, programId, at)
  if (!draft) throw fail(placementFailures.no_draft)
  return draft
}

/** Whether a draft waits to be solved, or is being solved. */
export const isOpen = ({ State }: Draft): boolean => State === 'queued' || State === 'running'

/** Locks a draft that is not being solved, so that nobody else changes it until the call is over. */
export const lockStillDraft = async (db: Db, at: At): Promise<Draft> => {
  if (!(await lockDraftRow(db, at.programId, at))) throw fail(placementFailures.no_draft)
  const draft = await getDraft(db, at)
  if (isOpen(draft)) throw fail(placementFailures.running, { Name: draft.Name })
  return draft
}

/** A draft with its plan as the solver gets both now. */
export const loadDrafted = async (
  db: Db,
  { programId, planId, draftId }: At,
  draft: Draft,
): Promise<Drafted> => {
  const beside = draft.Together.length > 0 ? draftId : undefined
  const plan = await loadPlan(db, programId, planId, draft.Weights, beside)
  const indexed = indexedPlanOf(programId, planId, plan)
  const cells = await listOrderCells(db, { programId, draftId })
  const { instance } = instanceOf(indexed, { weights: draft.Weights, places: draft.Places, cells })
  return { indexed, instance, solution: solutionOf(indexed, cells) }
}

/** A place as it was accepted. */
export interface AcceptedCell extends DraftCell {
  /** In words for the student, with nothing about others. */
  Reason: string
  /** For staff, as the draft explained it then; absent in older acceptances. */
  Why?: readonly Pick<Why, 'SiteId' | 'Site' | 'Rank' | 'IsOwn' | 'Text'>[]
}

/** How a place of a draft was explained when it was accepted; undefined if it is not accepted, or the draft has another place by now. */
export const findAcceptedCell = async (
  db: Db,
  programId: number,
  { draftId, studentId, block }: { draftId: number; studentId: number; block: number },
): Promise<{ cell: AcceptedCell; acceptedAt: string } | undefined> =>
  (
    await sql<{ cell: AcceptedCell; acceptedAt: string }>`select e as cell, a.accepted_at as "acceptedAt"
      from placement_acceptance a, jsonb_array_elements(a.cells) e
      join placement_cell c on c.program_id = ${programId} and c.draft_id = ${draftId} and c.student_id = ${studentId}
        and c.block = ${block}
      where a.program_id = ${programId} and a.draft_id = ${draftId} and a.undone_at is null
        and (e ->> 'StudentId')::bigint = ${studentId} and (e ->> 'Block')::smallint = ${block}
        and (e ->> 'SiteShiftId')::bigint = c.site_shift_id
      order by a.id desc limit 1`.execute(db)
  ).rows[0]
