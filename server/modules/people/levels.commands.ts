import type { Db } from '#server/core/database/pool.ts'
import { changeRow, type RowKey } from '#server/core/database/rows.ts'

/** Gives a student another cohort and level. */
export const moveStudent = (
  db: Db,
  key: RowKey,
  { cohort, level }: { cohort: string | null; level: number | null },
): Promise<boolean> => changeRow(db, 'account', key, { cohort, student_level_id: level })

/** Takes levels away from everything that has them, also from former students, then the levels themselves. */
export const clearLevels = async (db: Db, programId: number, levels: readonly number[]): Promise<void> => {
  await db
    .updateTable('account')
    .set({ student_level_id: null })
    .where('program_id', '=', programId)
    .where('student_level_id', 'in', levels)
    .execute()
  for (const table of ['rotation_level', 'evaluation_template_level'] as const)
    await db.deleteFrom(table).where('program_id', '=', programId).where('level_id', 'in', levels).execute()
  await db.deleteFrom('student_level').where('program_id', '=', programId).where('id', 'in', levels).execute()
}
