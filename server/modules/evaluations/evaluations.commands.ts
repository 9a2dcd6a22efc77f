import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { FormWords } from '#contract/evaluations/evaluations.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type NewRow } from '#server/core/database/rows.ts'
import {
  type EvaluationFilter,
  filtered,
  type KeptEvaluation,
  momentFor,
  nextAnonymousNumber,
  type Viewer,
} from './evaluations.queries.ts'

export const addEvaluation = (db: Db, values: NewRow<'evaluation'>): Promise<number> =>
  addRow(db, 'evaluation', values)

/** Adds an evaluation that its subject asks for; answers its id, nothing when the same one waits already. */
export const addRequestedEvaluation = async (
  db: Db,
  values: NewRow<'evaluation'>,
): Promise<number | undefined> => {
  const made = await db
    .insertInto('evaluation')
    .values({ ...values, is_requested: true })
    .onConflict((existing) => existing.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** Marks an evaluation as submitted, with the words of its form. */
export const submitEvaluation = async (
  db: Db,
  programId: number,
  { id, template_id, is_anonymous }: KeptEvaluation,
  { form, signedName, mean }: { form: FormWords; signedName: string; mean: number | null },
): Promise<void> => {
  await changeRow(
    db,
    'evaluation',
    { programId, id },
    {
      is_completed: true,
      submitted_at: momentFor(is_anonymous),
      anonymous_number: is_anonymous ? await nextAnonymousNumber(db, programId, template_id) : null,
      form_id: await saveForm(db, programId, template_id, form),
      signed_name: is_anonymous ? '' : signedName,
      total_score: mean === null ? null : mean.toFixed(2),
    },
  )
}

/** Deletes what was not submitted; answers how many went. */
export const deleteEvaluations = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('evaluation')
    .set({ deleted_at: sql`now()` })
    .where('program_id', '=', programId)
    .where('id', 'in', ids)
    .where('is_completed', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Brings back what was deleted by hand, not what lost its occasion; answers how many came back. */
export const restoreEvaluations = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('evaluation')
    .set({ deleted_at: null })
    .where('program_id', '=', programId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is not', null)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export const storeAnswers = async (
  db: Db,
  programId: number,
  { id, is_anonymous }: KeptEvaluation,
  answers: readonly {
    ItemId: number
    ScoreValueId: number | null
    Text: string | null
    Comment: string | null
  }[],
): Promise<void> => {
  if (answers.length === 0) return
  await sql`insert into evaluation_answer (program_id, evaluation_id, item_id, score_value_id, text, comment, answered_at)
    select ${programId}, ${id}, "ItemId", "ScoreValueId", "Text", "Comment", ${momentFor(is_anonymous)}
    from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as a
      ("ItemId" bigint, "ScoreValueId" bigint, "Text" text, "Comment" text)
    on conflict (program_id, evaluation_id, item_id) do update set score_value_id = excluded.score_value_id,
      text = excluded.text, comment = excluded.comment, answered_at = excluded.answered_at`.execute(db)
}

/**
 * Fixes what an evaluation says when it is submitted: answers to what the form no longer asks go, and each score keeps its
 * value.
 */
export const fixAnswers = async (
  db: Db,
  programId: number,
  evaluationId: number,
  answers: readonly {
    ItemId: number
    ScoreValueId: number | null
    Score: number | null
    Share: number | null
    IsLow: boolean
  }[],
): Promise<void> => {
  await sql`delete from evaluation_answer where program_id = ${programId} and evaluation_id = ${evaluationId}
    and item_id <> all (${answers.map(({ ItemId }) => ItemId)}::bigint[])`.execute(db)
  await sql`update evaluation_answer a set score_value_id = s."ScoreValueId", score = s."Score", scale_share = s."Share",
      is_low = s."IsLow"
    from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as s
      ("ItemId" bigint, "ScoreValueId" bigint, "Score" numeric, "Share" numeric, "IsLow" boolean)
    where a.program_id = ${programId} and a.evaluation_id = ${evaluationId} and a.item_id = s."ItemId"`.execute(
    db,
  )
}

/** Keeps a form word for word and answers its id; the same words are kept once. */
export const saveForm = async (
  db: Db,
  programId: number,
  templateId: number,
  form: FormWords,
): Promise<number> => {
  const content = JSON.stringify(form)
  const hash = createHash('sha256').update(content).digest()
  await db
    .insertInto('evaluation_form')
    .values({
      program_id: programId,
      template_id: templateId,
      hash,
      content,
      made_at: momentFor(form.IsAnonymous),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { id } = await db
    .selectFrom('evaluation_form')
    .select('id')
    .where('program_id', '=', programId)
    .where('template_id', '=', templateId)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  return id
}

/** The ids of the evaluations that are named, or that match a filter. */
const selected = (
  programId: number,
  viewer: Viewer,
  { Ids, Filter }: { Ids?: readonly number[] | undefined; Filter?: EvaluationFilter | undefined },
) =>
  Filter
    ? sql`(select e.id ${filtered(programId, viewer, Filter)})`
    : sql`(select unnest(${[...(Ids ?? [])]}::bigint[]))`
type Selection = Parameters<typeof selected>[2]

/** Moves the due date of open evaluations, and answers the dates before with the ids that had them. */
export const extendEvaluations = async (
  db: Db,
  programId: number,
  viewer: Viewer,
  selection: Selection,
  { Days, EndDate }: { Days?: number | undefined; EndDate?: string | null | undefined },
): Promise<{ EndDate: string | null; Ids: number[] }[]> => {
  const due = Days === undefined ? sql`${EndDate ?? null}::date` : sql`e.end_date + ${Days}::integer`
  const { rows } = await sql<{ EndDate: string | null; Ids: number[] }>`
    with before as (select e.id, e.end_date from evaluation e
      where e.program_id = ${programId} and e.id in ${selected(programId, viewer, selection)} and e.deleted_at is null
        and not e.is_completed and e.stopped_at is null and e.end_date is distinct from ${due} for update of e),
    changed as (update evaluation e set end_date = ${due} from before b
      where e.program_id = ${programId} and e.id = b.id returning e.id)
    select b.end_date as "EndDate", json_agg(b.id order by b.id) as "Ids" from before b join changed c on c.id = b.id
    group by b.end_date order by b.end_date`.execute(db)
  return rows
}

/** Stops open evaluations, or resumes stopped ones, and answers their ids. */
export const setStopped = async (
  db: Db,
  programId: number,
  viewer: Viewer,
  selection: Selection,
  isStopped: boolean,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    update evaluation e set stopped_at = ${isStopped ? sql`now()` : null}, stopped_by = ${isStopped ? viewer.Id : null}::bigint
    where e.program_id = ${programId} and e.id in ${selected(programId, viewer, selection)} and e.deleted_at is null
      and not e.is_completed and ${isStopped ? sql`e.stopped_at is null` : sql`e.stopped_at is not null`}
    returning e.id`.execute(db)
  return rows.map(({ id }) => id)
}
