import { sql } from 'kysely'
import type { ScoreTypeRow } from '#contract/evaluations/score-types.ts'
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
