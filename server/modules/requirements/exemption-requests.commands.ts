import { sql } from 'kysely'
import type { ExemptionKind } from '#contract/requirements/requirement-rules.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Keeps what a student asks for; undefined where something waits already. */
export const insertRequest = async (
  db: Db,
  request: {
    programId: number
    studentId: number
    requirementId: number
    kind: ExemptionKind
    reason: string
    until: string | null
  },
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    insert into requirement_request (program_id, student_id, requirement_id, kind, reason, until_on)
    values (${request.programId}, ${request.studentId}, ${request.requirementId}, ${request.kind}, ${request.reason}, ${request.until})
    on conflict (program_id, student_id, requirement_id) where state = 'open' do nothing returning id`.execute(
    db,
  )
  return rows[0]?.id
}

/** Whether one was open. */
export const withdrawRequest = async (
  db: Db,
  at: { programId: number; studentId: number; requirementId: number },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`update requirement_request
    set state = 'withdrawn', decided_at = now(), decided_by = ${at.studentId}
    where program_id = ${at.programId} and student_id = ${at.studentId} and requirement_id = ${at.requirementId}
      and state = 'open'`.execute(db)
  return numAffectedRows === 1n
}

export const decideRequest = async (
  db: Db,
  { programId, requestId, by }: { programId: number; requestId: number; by: number },
  decision: { kind: ExemptionKind; until: string | null; answer: string; exemptionId: number | null },
): Promise<void> => {
  await sql`update requirement_request set state = ${decision.exemptionId === null ? 'declined' : 'granted'}, kind = ${decision.kind},
      until_on = ${decision.until}, answer = ${decision.answer}, exemption_id = ${decision.exemptionId}, decided_at = now(),
      decided_by = ${by}
    where program_id = ${programId} and id = ${requestId}`.execute(db)
}
