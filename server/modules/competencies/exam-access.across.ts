import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

interface Attempt {
  programId: number
  attemptId: number
}

/** The open exam of a short code. */
export const findAttemptByCode = async (db: Db, code: string): Promise<Attempt | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<Attempt>`
      select a.program_id as "programId", a.id as "attemptId"
      from exam_attempt a join program p on p.id = a.program_id and p.deleted_at is null
      where a.short_code = ${code} and a.state = 'open'`,
  )
  return found
}

/** Which proof a token is of. */
export const findProofOf = async (
  db: Db,
  hash: Buffer,
): Promise<{ programId: number; id: number } | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<{ programId: number; id: number }>`
      select e.program_id as "programId", e.id
      from exam_proof e join program p on p.id = e.program_id and p.deleted_at is null
      where e.token_hash = ${hash}`,
  )
  return found
}

/** The exam whose signature the link of its email leads to. */
export const findSignedAttempt = async (db: Db, hash: Buffer): Promise<Attempt | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<Attempt>`
      select s.program_id as "programId", s.attempt_id as "attemptId"
      from exam_signature s join program p on p.id = s.program_id and p.deleted_at is null
      where s.dispute_hash = ${hash}`,
  )
  return found
}
