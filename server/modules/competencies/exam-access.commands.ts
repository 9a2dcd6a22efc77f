import { sql } from 'kysely'
import { codeMinutes, gradingMinutes } from '#contract/competencies/exam-rules.ts'
import type { Db } from '#server/core/database/pool.ts'

interface NewProof {
  programId: number
  attemptId: number
  examinerId: number | null
  rosterId: number | null
  email: string
  codeHash: Buffer
}

/** Ends the code of an attempt and its token. */
export const endProofs = async (db: Db, programId: number, attemptId: number): Promise<void> => {
  await sql`update exam_proof set ended_at = now()
    where program_id = ${programId} and attempt_id = ${attemptId} and ended_at is null`.execute(db)
}

/** Keeps a code in place of the one before, whose token ends too. The caller holds the lock of the attempt. Answers when it expires. */
export const insertProof = async (db: Db, proof: NewProof): Promise<string> => {
  const { programId, attemptId } = proof
  await endProofs(db, programId, attemptId)
  const { rows } = await sql<{ expiresAt: string }>`
    insert into exam_proof (program_id, attempt_id, examiner_id, roster_id, email, code_hash, code_expires_at)
    values (${programId}, ${attemptId}, ${proof.examinerId}, ${proof.rosterId}, ${proof.email}, ${proof.codeHash},
      now() + make_interval(mins => ${codeMinutes}))
    returning code_expires_at as "expiresAt"`.execute(db)
  return rows[0]!.expiresAt
}

/** Uses a code up; undefined where somebody else was first. Answers until when its token grades. */
export const spendProof = async (
  db: Db,
  programId: number,
  proofId: number,
  tokenHash: Buffer,
): Promise<string | undefined> => {
  const { rows } = await sql<{ endsAt: string }>`
    update exam_proof set proved_at = now(), token_hash = ${tokenHash},
      token_expires_at = now() + make_interval(mins => ${gradingMinutes})
    where program_id = ${programId} and id = ${proofId} and proved_at is null and ended_at is null and code_expires_at > now()
    returning token_expires_at as "endsAt"`.execute(db)
  return rows[0]?.endsAt
}
