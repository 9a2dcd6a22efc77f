import { sql } from 'kysely'
import { placementFailures } from '#contract/placement/failures.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { DraftKey } from './drafts.queries.ts'
import { listPlansToSolveWith, type OtherPlan } from './together.across.ts'

/** A draft of several that are solved together. */
export interface Member {
  ProgramId: number
  PlanId: number
  DraftId: number
  Program: string
  /** In the plan when the run was started. */
  Students: number
  /** Whether its program must keep the plan open to others. */
  IsByConsent: boolean
}

/** The drafts of a draft's next run, the one that started it first; empty if it is solved alone. */
export const listRunMembers = async (db: Db, { programId, draftId }: DraftKey): Promise<Member[]> => {
  const { rows } = await sql<{ together: Member[] }>`select together from placement_draft
    where program_id = ${programId} and id = ${draftId} and is_joint`.execute(db)
  return rows[0]?.together ?? []
}

/** The state of a draft; undefined once it or its plan is deleted. */
export const findDraftState = async (
  db: Db,
  { programId, draftId }: DraftKey,
): Promise<string | undefined> => {
  const { rows } = await sql<{ state: string }>`select d.state from placement_draft d
    join placement_plan p on p.program_id = d.program_id and p.id = d.plan_id and p.deleted_at is null
    where d.program_id = ${programId} and d.id = ${draftId} and d.deleted_at is null`.execute(db)
  return rows[0]?.state
}

export const maxDrafts = 20

/** For the audit: the other programs of a run. */
export const together = (members: readonly Member[], programId: number) => {
  const others = members.filter(({ ProgramId }) => ProgramId !== programId)
  return others.length > 0 ? { SolvedWith: others.map(({ Program }) => Program).join(', ') } : {}
}

/** Runs work in each other program of a run, with an audit row there if an action is given, then returns to the own program. */
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
 * The plans of other programs that a draft is to be solved with. Each must be of the same college, at a site that both share, in the same
 * weeks, and open to others unless the caller may plan everywhere.
 */
export const findOtherPlans = async (
  db: Db,
  { programId, planId }: { programId: number; planId: number },
  wanted: readonly { ProgramId: number; PlanId: number }[],
  isSuperAdmin: boolean,
): Promise<OtherPlan[]> => {
  if (wanted.length === 0) return []
  const found = await listPlansToSolveWith(db, programId, planId)
  return wanted.map(({ ProgramId, PlanId }) => {
    const plan = found.find((each) => each.ProgramId === ProgramId && each.PlanId === PlanId)
    if (!plan) throw fail(placementFailures.no_such_plan)
    if (!plan.IsOpen && !isSuperAdmin)
      throw fail(placementFailures.not_open_to_others, { Program: plan.Program, Plan: plan.Plan })
    return plan
  })
}
