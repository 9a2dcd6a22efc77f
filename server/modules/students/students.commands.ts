import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

export const setNoteDeleted = async (
  db: Db,
  programId: number,
  noteId: number,
  isDeleted: boolean,
): Promise<void> => {
  await db
    .updateTable('student_note')
    .set({ deleted_at: isDeleted ? sql`now()` : null })
    .where('program_id', '=', programId)
    .where('id', '=', noteId)
    .execute()
}
