import { sql } from 'kysely'
import type { Attempt } from '#contract/competencies/exams.ts'
import { Level } from '#contract/core/levels.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { findProofOf, findSignedAttempt } from './exam-access.across.ts'
import { attemptColumns, attemptJoins } from './exams.queries.ts'

/** The open exams for which an account is asked, by itself or by its entry in a roster; the oldest first. */
export const listAsked = async (
  db: Db,
  programId: number,
  accountId: number,
): Promise<(Attempt & { Student: string })[]> => {
  const { rows } = await sql<Attempt & { Student: string }>`
    select ${attemptColumns}, trim(u.first_name || ' ' || u.last_name) as "Student" from (
      select id from exam_attempt where program_id = ${programId} and examiner_id = ${accountId} and state = 'open'
      union all
      select o.id from exam_examiner e join exam_attempt o on o.program_id = e.program_id and o.roster_id = e.id and o.state = 'open'
      where e.program_id = ${programId} and e.account_id = ${accountId} and e.deleted_at is null) asked
    join exam_attempt a on a.program_id = ${programId} and a.id = asked.id ${attemptJoins}
    join account u on u.program_id = a.program_id and u.id = a.student_id
    order by a.id limit 200`.execute(db)
  return rows
}

export interface ProofRow {
  programId: number
  attemptId: number
  endsAt: string
  isOpen: boolean
}

/** What a token opens; works on its program from then on. */
export const findProof = async (db: Db, hash: Buffer): Promise<ProofRow | undefined> => {
  const found = await findProofOf(db, hash)
  if (!found) return undefined
  await workOn(db, [found.programId])
  const { rows } =
    await sql<ProofRow>`select program_id as "programId", attempt_id as "attemptId", token_expires_at as "endsAt",
      ended_at is null and token_expires_at > now() as "isOpen"
    from exam_proof where program_id = ${found.programId} and id = ${found.id}`.execute(db)
  return rows[0]
}

interface SignatureRow {
  programId: number
  attemptId: number
  program: string
  text: string
  name: string
  signedAt: string
  disputedAt: string | null
}

/** What was signed, by the link of its email; works on its program from then on. */
export const findSignature = async (db: Db, hash: Buffer): Promise<SignatureRow | undefined> => {
  const found = await findSignedAttempt(db, hash)
  if (!found) return undefined
  await workOn(db, [found.programId])
  const { rows } =
    await sql<SignatureRow>`select g.program_id as "programId", g.attempt_id as "attemptId", p.name as program,
      g.text, g.name, g.signed_at as "signedAt", g.disputed_at as "disputedAt"
    from exam_signature g join program p on p.id = g.program_id
    where g.program_id = ${found.programId} and g.attempt_id = ${found.attemptId}`.execute(db)
  return rows[0]
}

/** Those of the program who decide about suspended exams: at most 50. */
export const listCoordinators = async (db: Db, programId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select id from account
    where program_id = ${programId} and access_level between ${Level.Coord} and ${Level.Director} and deleted_at is null
      and deactivated_at is null
    order by id limit 50`.execute(db)
  return rows.map(({ id }) => id)
}
