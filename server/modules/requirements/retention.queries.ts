import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Days before proofs are deleted on which staff are told. */
export const noticeDays = 30

/** Whose proofs are to be deleted today: staff were told a month ago. */
export const listDue = async (
  db: Db,
  programId: number,
  { days, today }: { days: number; today: string },
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select student_id as id from proof_retention
    where program_id = ${programId} and purged_at is null and left_on + ${days}::int <= ${today}::date
      and told_on + ${noticeDays}::int <= ${today}::date
    order by student_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** What is stored of a student's proofs, by the keys of the file store. */
export const listProofFiles = async (db: Db, programId: number, studentId: number): Promise<string[]> => {
  const { rows } = await sql<{ key: string }>`
    select f.store_key as key from requirement_proof p
    join requirement_proof_file x on x.program_id = p.program_id and x.proof_id = p.id
    join stored_file f on f.id = x.file_id
    where p.program_id = ${programId} and p.student_id = ${studentId}`.execute(db)
  return rows.map(({ key }) => key)
}

export const listDirectors = async (
  db: Db,
  programId: number,
): Promise<{ id: number; first: string; email: string }[]> => {
  const { rows } = await sql<{ id: number; first: string; email: string }>`
    select id, first_name as first, email from account
    where program_id = ${programId} and access_level in (${Level.Director}, ${Level.Coord}) and email <> ''
      and deleted_at is null and deactivated_at is null order by id`.execute(db)
  return rows
}
