import { sql } from 'kysely'
import type { RecheckKind } from '#contract/competencies/exam-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { RowKey } from '#server/core/database/rows.ts'
import type { LockedAttempt } from './exams.queries.ts'

/** Keeps what a student should practice after a failed attempt. */
export const saveRemediation = async (
  db: Db,
  { programId, id }: RowKey,
  text: string,
  by: number,
): Promise<void> => {
  await sql`update exam_attempt set remediation = ${text}, remediation_at = now(), remediation_by = ${by},
      revision = revision + 1
    where program_id = ${programId} and id = ${id}`.execute(db)
}

/** Approves that an exam is simulated; who approved it first stays. */
export const approveSimulation = async (db: Db, { programId, id }: RowKey, by: number): Promise<void> => {
  await sql`update exam_attempt set simulation_approved_at = now(), simulation_approved_by = ${by}, revision = revision + 1
    where program_id = ${programId} and id = ${id} and simulation_approved_at is null`.execute(db)
}

/** Lets a suspended attempt count again, with the result that it had. */
export const reinstateAttempt = async (
  db: Db,
  { programId, id }: RowKey,
  { reason, by }: { reason: string; by: number },
): Promise<void> => {
  await sql`update exam_attempt set state = result, ended_reason = ${reason}, ended_at = now(), ended_by = ${by},
      revision = revision + 1
    where program_id = ${programId} and id = ${id}`.execute(db)
}

interface NewRechecks {
  programId: number
  studentIds: readonly number[]
  kind: RecheckKind
  dueOn: string | null
  procedureId: number | null
  count: number
  by: number
}

/**
 * Makes rechecks of what students have passed and do not wait to repeat already: of one procedure, or of some that are drawn for
 * each. Answers whose they are.
 */
export const insertRechecks = async (
  db: Db,
  { programId, studentIds, kind, dueOn, procedureId, count, by }: NewRechecks,
): Promise<{ studentId: number; procedure: string }[]> => {
  const { rows } = await sql<{ studentId: number; procedure: string }>`
    with passed as materialized (
      select distinct on (a.student_id, k.lineage) a.student_id, a.skill_id, k.lineage
      from exam_attempt a join skill k on k.program_id = a.program_id and k.id = a.skill_id
      where a.program_id = ${programId} and a.student_id = any (${[...studentIds]}::bigint[]) and a.state = 'passed'
        and a.recheck_id is null
        and (${procedureId}::bigint is null or k.lineage = (select lineage from skill where program_id = ${programId} and id = ${procedureId}))
        and not exists (select from exam_recheck c join skill q on q.program_id = c.program_id and q.id = c.skill_id
          where c.program_id = a.program_id and c.student_id = a.student_id and c.state in ('open', 'failed')
            and q.lineage = k.lineage)
      order by a.student_id, k.lineage, a.id desc),
    drawn as (select *, row_number() over (partition by student_id order by random()) as place from passed),
    made as (
      insert into exam_recheck (program_id, student_id, skill_id, kind, due_on, created_by, updated_by)
      select ${programId}, student_id, skill_id, ${kind}, ${dueOn}::date, ${by}::bigint, ${by}::bigint from drawn where place <= ${count}
      on conflict do nothing returning student_id, skill_id)
    select made.student_id as "studentId", k.name as procedure from made
    join skill k on k.program_id = ${programId} and k.id = made.skill_id`.execute(db)
  return rows
}

export const cancelWaiting = async (db: Db, programId: number, ids: readonly number[]): Promise<number> => {
  const { numAffectedRows } = await sql`update exam_recheck set state = 'canceled'
    where program_id = ${programId} and id = any (${[...ids]}::bigint[]) and state in ('open', 'failed')`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** A recheck follows the newest of its attempts that counts; without one it waits. */
export const followRecheck = async (
  db: Db,
  programId: number,
  { recheckId }: LockedAttempt,
): Promise<void> => {
  if (recheckId === null) return
  await sql`update exam_recheck c set state = coalesce((select a.state from exam_attempt a
      where a.program_id = c.program_id and a.recheck_id = c.id and a.state in ('passed', 'failed') order by a.graded_at desc limit 1),
      'open')
    where c.program_id = ${programId} and c.id = ${recheckId} and c.state <> 'canceled'`.execute(db)
}
