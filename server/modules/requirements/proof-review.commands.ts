import { sql } from 'kysely'
import type { EventField } from '#contract/requirements/requirement-fields.ts'
import type { ExemptionKind } from '#contract/requirements/requirement-rules.ts'
import type { Db } from '#server/core/database/pool.ts'

export const decide = async (
  db: Db,
  { programId, proofId, by }: { programId: number; proofId: number; by: number },
  {
    state,
    reason,
    events,
  }: { state: 'accepted' | 'returned'; reason: string; events: readonly EventField[] },
): Promise<void> => {
  await sql`update requirement_proof set state = ${state}, return_reason = ${reason}, events = ${JSON.stringify(events)}::jsonb,
      decided_at = now(), decided_by = ${by}, updated_by = ${by}, revision = revision + 1
    where program_id = ${programId} and id = ${proofId}`.execute(db)
}

export const reopen = async (
  db: Db,
  { programId, proofId, by }: { programId: number; proofId: number; by: number },
): Promise<void> => {
  await sql`update requirement_proof set state = 'submitted', return_reason = '', decided_at = null, decided_by = null,
      updated_by = ${by}, revision = revision + 1
    where program_id = ${programId} and id = ${proofId}`.execute(db)
}

export const insertExemptions = async (
  db: Db,
  exemption: {
    programId: number
    studentIds: readonly number[]
    requirementId: number
    kind: ExemptionKind
    reason: string
    until: string | null
    by: number
  },
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into requirement_exemption (program_id, student_id, requirement_id, kind, reason, until_on, created_by)
    select ${exemption.programId}, student, ${exemption.requirementId}, ${exemption.kind}, ${exemption.reason}, ${exemption.until},
      ${exemption.by}
    from unnest(${[...exemption.studentIds]}::bigint[]) as student
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

export const endExemptions = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  by: number,
): Promise<number> => {
  const { numAffectedRows } = await sql`update requirement_exemption set ended_at = now(), ended_by = ${by}
    where program_id = ${programId} and id = any (${[...ids]}::bigint[]) and ended_at is null`.execute(db)
  return Number(numAffectedRows ?? 0)
}
