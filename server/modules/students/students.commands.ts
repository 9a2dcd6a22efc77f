import type { BodyOf } from '#contract/core/endpoint.ts'
import type { addStudentNote } from '#contract/students/students.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

/** Adds a note about a student; answers its id. */
export const addNote = (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  accountId: number,
  input: BodyOf<typeof addStudentNote>,
): Promise<number> =>
  addRow(db, 'student_note', {
    program_id: programId,
    student_id: studentId,
    text: input.Text,
    is_shared: input.IsShared,
    created_by: accountId,
    updated_by: accountId,
  })

export const setNoteDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'student_note', key, isDeleted)
