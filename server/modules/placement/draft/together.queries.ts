import { sql } from 'kysely'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { listOtherPlans } from '#contract/placement/drafts.ts'
import { fewest } from '#contract/shared-sites/shared-places.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { DraftKey } from './drafts.queries.ts'

/** A draft of several that are solved together. */
export interface Member {
  ProgramId: number
  PlanId: number
  DraftId: number
  Program: string
  /** In the plan when the run was begun. */
  Students: number
  /** That its program has to keep the plan open to others. */
  IsByConsent: boolean
}

/** A plan of another program that could be solved together with one of the running program. */
export type OtherPlan = AnswerOf<typeof listOtherPlans>['Plans'][number] & { Count: number; IsOpen: boolean }

/** By program and plan. */
export const listPlansToSolveWith = async (db: Db, planId: number): Promise<OtherPlan[]> =>
  (
    await sql<OtherPlan>`select program_id as "ProgramId", program as "Program", plan_id as "PlanId", plan as "Plan",
      start_date as "StartDate", end_date as "EndDate", students as "Count",
      case when students >= ${fewest} then students end as "Students", is_open as "IsOpen", sites as "Sites"
    from plans_to_solve_with(${planId}) order by lower(program) collate alphabetical, lower(plan) collate alphabetical, plan_id`.execute(
      db,
    )
  ).rows

/** The drafts that the next run of a draft is of, the one that began it first; none when it is solved alone. */
export const listRunMembers = async (db: Db, { programId, draftId }: DraftKey): Promise<Member[]> => {
  const { rows } = await sql<{ together: Member[] }>`select together from placement_draft
    where program_id = ${programId} and id = ${draftId} and is_joint`.execute(db)
  return rows[0]?.together ?? []
}

/** Notes in a draft which drafts are solved together with it. */
export const saveMembers = async (
  db: Db,
  { programId, draftId }: DraftKey,
  members: readonly Member[],
): Promise<void> => {
  await sql`update placement_draft set together = ${JSON.stringify(members)}::jsonb, is_joint = true
    where program_id = ${programId} and id = ${draftId}`.execute(db)
}

/** Has the next runs of a draft be of itself alone. */
export const leaveRun = async (db: Db, { programId, draftId }: DraftKey): Promise<void> => {
  await sql`update placement_draft set is_joint = false where program_id = ${programId} and id = ${draftId}`.execute(
    db,
  )
}

/** Where a draft is; undefined once it or its plan is deleted. */
export const findDraftState = async (
  db: Db,
  { programId, draftId }: DraftKey,
): Promise<string | undefined> => {
  const { rows } = await sql<{ state: string }>`select d.state from placement_draft d
    join placement_plan p on p.program_id = d.program_id and p.id = d.plan_id and p.deleted_at is null
    where d.program_id = ${programId} and d.id = ${draftId} and d.deleted_at is null`.execute(db)
  return rows[0]?.state
}

/** Takes what a run has put into a draft out again. */
export const emptyDraft = async (db: Db, { programId, draftId }: DraftKey): Promise<void> => {
  await sql`delete from placement_cell where program_id = ${programId} and draft_id = ${draftId} and not is_locked`.execute(
    db,
  )
  await sql`update placement_draft set figures = '{}' where program_id = ${programId} and id = ${draftId}`.execute(
    db,
  )
}
