import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
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

export const saveLevelNames = async (
  db: Db,
  programId: number,
  levels: readonly { Id: number; Name: string }[],
): Promise<void> => {
  await db
    .insertInto('student_level')
    .values(levels.map(({ Id, Name }) => ({ program_id: programId, id: Id, name: Name })))
    .onConflict((conflicting) =>
      conflicting.columns(['program_id', 'id']).doUpdateSet({ name: sql`excluded.name` }),
    )
    .execute()
}

/** Gives students their levels; answers who is there, with the level they had. */
export const assignLevels = async (
  db: Db,
  programId: number,
  wanted: readonly { UserId: number; StudentLevelId: number | null }[],
): Promise<{ id: number; before: number | null }[]> => {
  const { rows } = await sql<{ id: number; before: number | null }>`
    update account u set student_level_id = w."StudentLevelId"
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w ("UserId" bigint, "StudentLevelId" smallint),
      account old
    where u.program_id = ${programId} and u.id = w."UserId" and u.access_level = ${Level.Student}
      and u.deleted_at is null and old.program_id = u.program_id and old.id = u.id
    returning u.id, old.student_level_id as before`.execute(db)
  return rows
}
