import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { setRowsDeleted } from '#server/core/database/rows.ts'

interface NewChecks {
  programId: number
  procedureId: number
  studentIds: readonly number[]
  date: string
  by: number
}

/** Keeps that students showed a procedure in the lab; who has shown it before stays as they are. Answers the ids of the new checks. */
export const addLabChecks = async (
  db: Db,
  { programId, procedureId, studentIds, date, by }: NewChecks,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into lab_check (program_id, student_id, skill_id, checked_on, faculty_id, created_by)
    select ${programId}, id, ${procedureId}, ${date}::date, ${by}, ${by} from unnest(${[...studentIds]}::bigint[]) as id
    on conflict (program_id, student_id, skill_id) where deleted_at is null do nothing returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export const setLabChecksDeleted = (
  db: Db,
  programId: number,
  ids: readonly number[],
  isDeleted: boolean,
): Promise<number> => setRowsDeleted(db, 'lab_check', programId, ids, isDeleted)
