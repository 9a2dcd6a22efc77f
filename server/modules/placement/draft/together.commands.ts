import { sql } from 'kysely'
import type { z } from 'zod'
import type { DraftInput } from '#contract/placement/drafts.ts'
import { placementFailures } from '#contract/placement/failures.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { notifyCoordinators } from '#server/core/mail/notices.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { lockPlan } from '../plan/plans.queries.ts'
import { allStepsOf } from '../solve/plan-instance.rules.ts'
import { insertDraft } from './drafts.commands.ts'
import type { DraftKey } from './drafts.queries.ts'
import type { OtherPlan } from './together.across.ts'
import { type Member, maxDrafts } from './together.queries.ts'

/** Records in a draft which drafts are solved together with it. */
export const saveMembers = async (
  db: Db,
  { programId, draftId }: DraftKey,
  members: readonly Member[],
): Promise<void> => {
  await sql`update placement_draft set together = ${JSON.stringify(members)}::jsonb, is_joint = true
    where program_id = ${programId} and id = ${draftId}`.execute(db)
}

/** Makes the next runs of a draft solve it alone. */
export const leaveRun = async (db: Db, { programId, draftId }: DraftKey): Promise<void> => {
  await sql`update placement_draft set is_joint = false where program_id = ${programId} and id = ${draftId}`.execute(
    db,
  )
}

/** Removes what a run has put into a draft. */
export const emptyDraft = async (db: Db, { programId, draftId }: DraftKey): Promise<void> => {
  await sql`delete from placement_cell where program_id = ${programId} and draft_id = ${draftId} and not is_locked`.execute(
    db,
  )
  await sql`update placement_draft set figures = '{}' where program_id = ${programId} and id = ${draftId}`.execute(
    db,
  )
}

interface Beginner {
  programId: number
  plan: { Id: number; Name: string }
  draftId: number
  program: string
  students: number
  isSuperAdmin: boolean
  accountId: number
}

/** Gives each plan that is solved with a draft a draft of its own, and tells its coordinators. */
export const addDraftsOfOthers = async (
  db: Db,
  others: readonly OtherPlan[],
  body: z.output<typeof DraftInput>,
  by: Beginner,
): Promise<Member[]> => {
  const { programId, plan, draftId, program } = by
  const members: Member[] = [
    {
      ProgramId: programId,
      PlanId: plan.Id,
      DraftId: draftId,
      Program: program,
      Students: by.students,
      IsByConsent: false,
    },
  ]
  for (const { ProgramId, PlanId, Program, Count } of others) {
    await workOn(db, [ProgramId])
    const own = await lockPlan(db, ProgramId, PlanId)
    if (own.DraftCount >= maxDrafts)
      throw fail(placementFailures.too_many_drafts_of_others, {
        Name: own.Name,
        Program,
        Count: maxDrafts,
      })
    const input = {
      Name: `With ${program}`.slice(0, 60),
      Seed: body.Seed,
      Effort: body.Effort,
      Weights: own.Rules.Weights ?? usualWeights,
      Places: [],
    }
    const id = await insertDraft(
      db,
      ProgramId,
      {
        planId: PlanId,
        accountId: null,
        steps: allStepsOf(body.Effort),
      },
      input,
    )
    members.push({
      ProgramId,
      PlanId,
      DraftId: id,
      Program,
      Students: Count,
      IsByConsent: !by.isSuperAdmin,
    })
    await writeAudit(db, {
      programId: ProgramId,
      accountId: by.accountId,
      action: 'placement: solved together',
      address: null,
      detail: { Id: id, PlanId, ...input, SolvedWith: program },
    })
    await notifyCoordinators(db, ProgramId, {
      kind: 'placement_together',
      text: `${program} solves ${own.Name} together with a plan of its own. A new draft of yours shows the result`,
      link: `/new/admin/placement/${PlanId}/drafts`,
    })
  }
  for (const { ProgramId, DraftId } of members) {
    await workOn(db, [ProgramId])
    await saveMembers(db, { programId: ProgramId, draftId: DraftId }, members)
  }
  await workOn(db, [programId])
  return members
}
