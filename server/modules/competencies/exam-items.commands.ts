import { sql } from 'kysely'
import type { ExamItem, ScoreInput } from '#contract/competencies/exam-items.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey } from '#server/core/database/rows.ts'

const values = ({ Name, IsActive }: ScoreInput) => ({ name: Name, is_active: IsActive })

export const addScore = (db: Db, programId: number, input: ScoreInput): Promise<number> =>
  addRow(db, 'competency_score', { program_id: programId, ...values(input) })

/** Changes a score, not its values. */
export const changeScore = (db: Db, key: RowKey, input: ScoreInput): Promise<boolean> =>
  changeRow(db, 'competency_score', key, values(input))

/** Writes the values in their order; those left out go, and items lose them as their default. */
export const writeValues = async (
  db: Db,
  programId: number,
  scoreId: number,
  sent: ScoreInput['Values'],
): Promise<void> => {
  const rows = sent.map(({ Id, Label, Value, IsPassing }, index) => ({
    id: Id,
    label: Label,
    value: Value,
    is_passing: IsPassing,
    position: index + 1,
  }))
  const kept = rows.flatMap(({ id }) => (id === null ? [] : [id]))
  await sql`
    with gone as (update competency_score_value set deleted_at = now()
      where program_id = ${programId} and score_id = ${scoreId} and deleted_at is null and id <> all (${kept}::bigint[])
      returning id)
    update comp_exam_item set default_value_id = null
    where program_id = ${programId} and default_value_id in (select id from gone)`.execute(db)
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id bigint, label text, value numeric,
    is_passing boolean, position integer)`
  await sql`update competency_score_value v
    set label = n.label, value = n.value, is_passing = n.is_passing, position = n.position from ${given}
    where v.program_id = ${programId} and v.score_id = ${scoreId} and v.id = n.id`.execute(db)
  await sql`insert into competency_score_value (program_id, score_id, label, value, is_passing, position)
    select ${programId}, ${scoreId}, n.label, n.value, n.is_passing, n.position from ${given}
    where n.id is null order by n.position`.execute(db)
}

type ItemRules = Omit<ExamItem, 'Id' | 'Text'>

export const insertItems = async (
  db: Db,
  programId: number,
  procedureId: number,
  texts: readonly string[],
  { ScoreId, DefaultValueId, IsCritical }: ItemRules,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into comp_exam_item (program_id, skill_id, text, position, score_id, default_value_id, is_critical)
    select ${programId}::bigint, ${procedureId}::bigint, n.text, n.nth + coalesce((select max(position) from comp_exam_item
        where program_id = ${programId} and skill_id = ${procedureId} and deleted_at is null), 0),
      ${ScoreId}::bigint, ${DefaultValueId}::bigint, ${IsCritical}::boolean
    from unnest(${[...texts]}::text[]) with ordinality as n (text, nth) order by n.nth returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id).toSorted((a, b) => a - b)
}

export const changeItem = (db: Db, key: RowKey, input: Omit<ExamItem, 'Id'>): Promise<boolean> =>
  changeRow(db, 'comp_exam_item', key, {
    text: input.Text,
    score_id: input.ScoreId,
    default_value_id: input.DefaultValueId,
    is_critical: input.IsCritical,
  })

/** Gives the items of one procedure to others, behind what they have; what they have by the same text stays. */
export const copyItems = async (
  db: Db,
  programId: number,
  from: number,
  to: readonly number[],
): Promise<{ id: number; skill_id: number }[]> => {
  const { rows } = await sql<{ id: number; skill_id: number }>`
    insert into comp_exam_item (program_id, skill_id, text, position, score_id, default_value_id, is_critical)
    select i.program_id, s, i.text, i.position + coalesce((select max(o.position) from comp_exam_item o
        where o.program_id = i.program_id and o.skill_id = s and o.deleted_at is null), 0),
      i.score_id, i.default_value_id, i.is_critical
    from comp_exam_item i cross join unnest(${[...to]}::bigint[]) s
    where i.program_id = ${programId} and i.skill_id = ${from} and i.deleted_at is null and s <> ${from}
      and not exists (select from comp_exam_item o where o.program_id = i.program_id and o.skill_id = s
        and lower(o.text) = lower(i.text) and o.deleted_at is null)
    order by s, i.position, i.id returning id, skill_id`.execute(db)
  return rows
}
