import { sql } from 'kysely'
import type { ScoreTypeInput, ScoreTypeRow } from '#contract/evaluations/score-types.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Score types of a template with their values and how many items use them; purged ones are never among them. */
const scoreTypes = async (
  db: Db,
  programId: number,
  templateId: number,
  where: ReturnType<typeof sql>,
): Promise<ScoreTypeRow[]> => {
  const { rows } = await sql<ScoreTypeRow>`
    select s.id as "Id", s.title as "Title", s.deleted_at is not null as "IsDeleted",
      coalesce((select json_agg(json_build_object('Id', v.id, 'Label', v.label, 'Value', v.value,
          'IsNotApplicable', v.is_not_applicable, 'NeedsComment', v.needs_comment) order by v.position, v.id)
        from score_value v where v.program_id = s.program_id and v.score_type_id = s.id and v.deleted_at is null), '[]') as "Values",
      (select count(*) from evaluation_item i
        join evaluation_category c on c.program_id = i.program_id and c.id = i.category_id and c.deleted_at is null
        where i.program_id = s.program_id and i.template_id = s.template_id and i.score_type_id = s.id
          and i.deleted_at is null) as "ItemCount"
    from score_type s
    where s.program_id = ${programId} and s.template_id = ${templateId} and s.purged_at is null and ${where}
    order by lower(s.title), s.id`.execute(db)
  return rows
}

export const listScoreTypes = (
  db: Db,
  programId: number,
  templateId: number,
  isDeleted: boolean,
): Promise<ScoreTypeRow[]> =>
  scoreTypes(db, programId, templateId, isDeleted ? sql`s.deleted_at is not null` : sql`s.deleted_at is null`)

export const findScoreType = async (
  db: Db,
  programId: number,
  templateId: number,
  scoreTypeId: number,
): Promise<ScoreTypeRow | undefined> =>
  (await scoreTypes(db, programId, templateId, sql`s.id = ${scoreTypeId}`))[0]

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

export const insertScoreType = async (
  db: Db,
  programId: number,
  templateId: number,
  title: string,
): Promise<number> => {
  const { id } = await db
    .insertInto('score_type')
    .values({ program_id: programId, template_id: templateId, title })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

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
