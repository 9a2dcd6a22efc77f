import { sql } from 'kysely'
import type { EventField, Proof } from '#contract/requirements/requirement-fields.ts'
import type { Db } from '#server/core/database/pool.ts'

export interface NewProof {
  programId: number
  studentId: number
  requirementId: number
  siteId: number | null
  version: number
  events: readonly EventField[]
  note: string
  key: string
  by: number
  source: Proof['Source']
  /** Staff and signatures need no decision. */
  isAccepted: boolean
  vendor?: string
  signature?: { name: string; text: string; from: string }
}

export const insertProof = async (db: Db, proof: NewProof): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into requirement_proof (program_id, student_id, requirement_id, site_id, version, events, note, key, created_by, updated_by,
      source, state, decided_at, decided_by, vendor, signed_name, signed_text, signed_from)
    values (${proof.programId}, ${proof.studentId}, ${proof.requirementId}, ${proof.siteId}, ${proof.version},
      ${JSON.stringify(proof.events)}::jsonb, ${proof.note}, ${proof.key}::uuid, ${proof.by}, ${proof.by}, ${proof.source},
      ${proof.isAccepted ? 'accepted' : 'submitted'}, ${proof.isAccepted ? sql`now()` : null},
      ${proof.isAccepted ? proof.by : null}, ${proof.vendor ?? ''}, ${proof.signature?.name ?? ''},
      ${proof.signature?.text ?? ''}, ${proof.signature?.from ?? ''})
    returning id`.execute(db)
  return rows[0]!.id
}

export const insertProofFiles = async (
  db: Db,
  programId: number,
  proofId: number,
  fileIds: readonly number[],
): Promise<void> => {
  if (fileIds.length === 0) return
  await sql`insert into requirement_proof_file (program_id, proof_id, position, file_id)
    select ${programId}, ${proofId}, f.position - 1, f.id from unnest(${[...fileIds]}::bigint[]) with ordinality as f (id, position)`.execute(
    db,
  )
}

export const withdraw = async (db: Db, programId: number, proofId: number, by: number): Promise<void> => {
  await sql`update requirement_proof set deleted_at = now(), revision = revision + 1, updated_by = ${by}
    where program_id = ${programId} and id = ${proofId}`.execute(db)
}
