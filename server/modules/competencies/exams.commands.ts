import { sql } from 'kysely'
import { type ExamWay, firstValue, type ScaleValue } from '#contract/competencies/exam-rules.ts'
import type { Patient } from '#contract/competencies/log-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { RowKey } from '#server/core/database/rows.ts'
import { newShortCode, type OfStudent } from './exams.queries.ts'

export interface NewAttempt extends OfStudent {
  procedureId: number
  recheckId: number | null
  siteId: number | null
  isSimulated: boolean
  patient: Patient
  way: ExamWay
  examinerId: number | null
  rosterId: number | null
  passingPercent: number | null
  commentBelow: number | null
  today: string
}

interface DesignedItem {
  text: string
  isCritical: boolean
  defaultValueId: number | null
  scale: ScaleValue[]
}

/** The exam items of a procedure as they are now. */
const listDesigned = async (db: Db, programId: number, procedureId: number): Promise<DesignedItem[]> => {
  const { rows } = await sql<DesignedItem>`
    select i.text, i.is_critical as "isCritical", i.default_value_id as "defaultValueId",
      coalesce((select jsonb_agg(jsonb_build_object('Id', v.id, 'Label', v.label, 'Value', v.value, 'IsPassing', v.is_passing)
          order by v.position, v.id)
        from competency_score_value v where v.program_id = i.program_id and v.score_id = i.score_id and v.deleted_at is null), '[]')
        as scale
    from comp_exam_item i where i.program_id = ${programId} and i.skill_id = ${procedureId} and i.deleted_at is null
    order by i.position, i.id`.execute(db)
  return rows
}

/** Keeps an attempt, numbered through all versions of its procedure, with a copy of the items. The caller holds the lock of the student's logs. */
export const insertAttempt = async (db: Db, made: NewAttempt): Promise<number> => {
  const { programId, studentId } = made
  const items = await listDesigned(db, programId, made.procedureId)
  const { rows } = await sql<{ id: number }>`
    insert into exam_attempt (program_id, student_id, skill_id, recheck_id, number, date, site_id, is_simulated, patient, way,
      examiner_id, roster_id, passing_percent, comment_below, short_code, created_by, updated_by)
    select ${programId}, ${studentId}, ${made.procedureId}, ${made.recheckId}, coalesce(max(number), 0) + 1, ${made.today}::date,
      ${made.siteId}::bigint, ${made.isSimulated}::boolean, ${made.patient}, ${made.way}, ${made.examinerId}::bigint,
      ${made.rosterId}::bigint, ${made.passingPercent}::smallint, ${made.commentBelow}::numeric, ${newShortCode()},
      ${studentId}::bigint, ${studentId}::bigint
    from exam_attempt where program_id = ${programId} and student_id = ${studentId} and skill_id in (
      select k.id from skill q join skill k on k.program_id = q.program_id and k.lineage = q.lineage
      where q.program_id = ${programId} and q.id = ${made.procedureId})
    returning id`.execute(db)
  const { id } = rows[0]!
  await sql`insert into exam_attempt_item (program_id, attempt_id, position, text, is_critical, scale, value_id)
    select ${programId}, ${id}, "Position", "Text", "IsCritical", "Scale", "ValueId"
    from jsonb_to_recordset(${JSON.stringify(
      items.map((item, index) => ({
        Position: index + 1,
        Text: item.text,
        IsCritical: item.isCritical,
        Scale: item.scale,
        ValueId: firstValue({ IsCritical: item.isCritical, DefaultValueId: item.defaultValueId }),
      })),
    )}::jsonb) as n ("Position" smallint, "Text" text, "IsCritical" boolean, "Scale" jsonb, "ValueId" bigint)`.execute(
    db,
  )
  return id
}

/** Sets scores and comments of items. The caller holds the lock of the attempt. */
export const saveItems = async (
  db: Db,
  programId: number,
  attemptId: number,
  items: readonly { Position: number; ValueId: number | null; Comment: string }[],
): Promise<void> => {
  await sql`update exam_attempt_item i set value_id = n."ValueId", comment = n."Comment", updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as n ("Position" smallint, "ValueId" bigint, "Comment" text)
    where i.program_id = ${programId} and i.attempt_id = ${attemptId} and i.position = n."Position"`.execute(
    db,
  )
}

export const markStarted = async (db: Db, programId: number, attemptId: number): Promise<void> => {
  await sql`update exam_attempt set started_at = coalesce(started_at, now())
    where program_id = ${programId} and id = ${attemptId} and started_at is null`.execute(db)
}

/** Asks another examiner. */
export const askExaminer = async (
  db: Db,
  { programId, id }: RowKey,
  { way, rosterId, examinerId }: Pick<NewAttempt, 'way' | 'rosterId' | 'examinerId'>,
): Promise<void> => {
  await sql`update exam_attempt set way = ${way}, roster_id = ${rosterId}, examiner_id = ${examinerId}, revision = revision + 1
    where program_id = ${programId} and id = ${id}`.execute(db)
}

/** Ends an attempt that no longer counts. */
export const endAttempt = async (
  db: Db,
  { programId, id }: RowKey,
  { as, reason, by }: { as: 'withdrawn' | 'voided'; reason: string; by: number },
): Promise<void> => {
  await sql`update exam_attempt set state = ${as}, ended_reason = ${reason}, ended_at = now(), ended_by = ${by},
      revision = revision + 1
    where program_id = ${programId} and id = ${id}`.execute(db)
}
