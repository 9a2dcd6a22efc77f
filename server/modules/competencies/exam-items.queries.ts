import { type RawBuilder, sql } from 'kysely'
import type { CompetencyScore, ExamItem } from '#contract/competencies/exam-items.ts'
import type { Db } from '#server/core/database/pool.ts'

const selectScores = async (
  db: Db,
  programId: number,
  where: RawBuilder<unknown>,
): Promise<CompetencyScore[]> => {
  const { rows } = await sql<CompetencyScore>`
    select s.id as "Id", s.name as "Name", s.is_active as "IsActive",
      coalesce((select json_agg(json_build_object('Id', v.id, 'Label', v.label, 'Value', v.value, 'IsPassing', v.is_passing)
          order by v.position, v.id)
        from competency_score_value v where v.program_id = s.program_id and v.score_id = s.id and v.deleted_at is null), '[]') as "Values",
      (select count(*) from comp_exam_item i
        where i.program_id = s.program_id and i.score_id = s.id and i.deleted_at is null) as "ItemCount"
    from competency_score s where s.program_id = ${programId} and ${where}
    order by s.is_active desc, lower(s.name), s.id`.execute(db)
  return rows
}

export const listScores = (db: Db, programId: number, isDeleted: boolean): Promise<CompetencyScore[]> =>
  selectScores(db, programId, isDeleted ? sql`s.deleted_at is not null` : sql`s.deleted_at is null`)

export const findScore = async (
  db: Db,
  programId: number,
  scoreId: number,
): Promise<CompetencyScore | undefined> =>
  (await selectScores(db, programId, sql`s.id = ${scoreId} and s.deleted_at is null`))[0]

/** The name of a procedure whose list is there; undefined otherwise. */
export const findProcedureName = async (
  db: Db,
  programId: number,
  procedureId: number,
): Promise<string | undefined> => (await listLiveProcedures(db, programId, [procedureId]))[0]?.name

/** Those of the procedures that are there, with their major studies and lists. */
export const listLiveProcedures = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> => {
  const { rows } = await sql<{ id: number; name: string }>`
    select s.id, s.name from skill s
    join major_study m on m.program_id = s.program_id and m.id = s.major_study_id and m.deleted_at is null
    join competency_list l on l.program_id = m.program_id and l.id = m.list_id and l.deleted_at is null
    where s.program_id = ${programId} and s.id = any (${[...ids]}::bigint[]) and s.deleted_at is null`.execute(
    db,
  )
  return rows
}

export const listItems = async (
  db: Db,
  programId: number,
  procedureId: number,
  itemId?: number,
): Promise<ExamItem[]> =>
  db
    .selectFrom('comp_exam_item')
    .select([
      'id as Id',
      'text as Text',
      'score_id as ScoreId',
      'default_value_id as DefaultValueId',
      'is_critical as IsCritical',
    ])
    .where('program_id', '=', programId)
    .where('skill_id', '=', procedureId)
    .where('deleted_at', 'is', null)
    .$if(itemId !== undefined, (query) => query.where('id', '=', itemId!))
    .orderBy('position')
    .orderBy('id')
    .execute()
