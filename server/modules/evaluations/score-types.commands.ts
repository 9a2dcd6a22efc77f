import { sql } from 'kysely'
import type { ScoreTypeInput } from '#contract/evaluations/score-types.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

/** Deletes an active score type and purges a deleted one. */
export const deleteOrPurge = (
  db: Db,
  programId: number,
  templateId: number,
  scoreTypeId: number,
): Promise<unknown> =>
  db
    .updateTable('score_type')
    .set({
      purged_at: sql`case when deleted_at is null then null else now() end`,
      deleted_at: sql`coalesce(deleted_at, now())`,
    })
    .where('program_id', '=', programId)
    .where('template_id', '=', templateId)
    .where('id', '=', scoreTypeId)
    .execute()

export const addScoreType = (db: Db, programId: number, templateId: number, title: string): Promise<number> =>
  addRow(db, 'score_type', { program_id: programId, template_id: templateId, title })

export const renameScoreType = (db: Db, key: RowKey, title: string): Promise<boolean> =>
  changeRow(db, 'score_type', key, { title })

export const restoreScoreType = (db: Db, key: RowKey): Promise<boolean> =>
  setRowDeleted(db, 'score_type', key, false)

/** Writes the values in their order: those with an id change, new ones are added, those left out go off the form. */
export const writeValues = async (
  db: Db,
  programId: number,
  scoreTypeId: number,
  values: ScoreTypeInput['Values'],
): Promise<void> => {
  const rows = values.map((value, index) => ({
    id: value.Id,
    label: value.Label,
    value: value.IsNotApplicable ? null : value.Value,
    position: index + 1,
    is_not_applicable: value.IsNotApplicable,
    needs_comment: value.NeedsComment,
  }))
  const kept = rows.flatMap(({ id }) => (id === null ? [] : [id]))
  await sql`update score_value set deleted_at = now() where program_id = ${programId}
    and score_type_id = ${scoreTypeId} and deleted_at is null and id <> all (${kept}::bigint[])`.execute(db)
  await sql`update score_value v set label = n.label, value = n.value, position = n.position,
      is_not_applicable = n.is_not_applicable, needs_comment = n.needs_comment
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id bigint, label text, value numeric, position integer,
      is_not_applicable boolean, needs_comment boolean)
    where v.program_id = ${programId} and v.score_type_id = ${scoreTypeId} and v.id = n.id`.execute(db)
  const added = rows.filter(({ id }) => id === null)
  if (added.length === 0) return
  await db
    .insertInto('score_value')
    .values(
      added.map(({ id: _new, ...row }) => ({ ...row, program_id: programId, score_type_id: scoreTypeId })),
    )
    .execute()
}
