import type { z } from 'zod'
import type * as contract from '#contract/placement/drafts.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { conflict, Failure, notFound } from '#server/core/runtime/failure.ts'
import { notifyCoordinators } from '../../communication/notifications.queries.ts'
import { lockPlan } from '../plan/plans.routes.ts'
import { allStepsOf } from '../solve/plan-instance.rules.ts'
import { type DraftKey, insertDraft } from './drafts.queries.ts'
import { listPlansToSolveWith, type Member, type OtherPlan, saveMembers } from './together.queries.ts'

export const maxDrafts = 20

/** For the audit: the other programs of a run. */
export const together = (members: readonly Member[], programId: number) => {
  const others = members.filter(({ ProgramId }) => ProgramId !== programId)
  return others.length > 0 ? { SolvedWith: others.map(({ Program }) => Program).join(', ') } : {}
}

/** Does something in each program of a run but the own one, with a row in its audit where an action is given, and comes back to this. */
export const inOthers = async (
  db: Db,
  programId: number,
  members: readonly Member[],
  work: (key: DraftKey) => Promise<void>,
  audited?: { accountId: number; action: string },
): Promise<void> => {
  const by = members.find(({ ProgramId }) => ProgramId === programId)?.Program
  for (const { ProgramId, DraftId } of members) {
    if (ProgramId === programId) continue
    await workOn(db, [ProgramId])
    await work({ programId: ProgramId, draftId: DraftId })
    if (audited)
      await writeAudit(db, {
        ...audited,
        programId: ProgramId,
        address: null,
        detail: { Id: DraftId, SolvedWith: by },
      })
  }
  await workOn(db, [programId])
}

/**
 * The plans of other programs that a draft is to be solved with, each checked against those that there are: of the college, at a site that
 * both share, in the same weeks, and open to others unless the caller may plan everywhere.
 */
export const findOtherPlans = async (
  db: Db,
  planId: number,
  wanted: readonly { ProgramId: number; PlanId: number }[],
  isSuperAdmin: boolean,
): Promise<OtherPlan[]> => {
  if (wanted.length === 0) return []
  const found = await listPlansToSolveWith(db, planId)
  return wanted.map(({ ProgramId, PlanId }) => {
    const plan = found.find((each) => each.ProgramId === ProgramId && each.PlanId === PlanId)
    if (!plan) throw notFound('One of the plans of other programs')
    if (!plan.IsOpen && !isSuperAdmin)
      throw new Failure(
        403,
        'not_open',
        `${plan.Program} has not opened ${plan.Plan} to other programs, so you may not solve it with yours. Nothing was made. Ask its coordinator to open it in the plan’s form.`,
      )
    return plan
  })
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
  body: z.output<typeof contract.DraftInput>,
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
      throw conflict(
        'too_many',
        `${own.Name} of ${Program} has ${maxDrafts} drafts, and a plan has no more. Nothing was added. Ask its coordinator to delete one.`,
      )
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
