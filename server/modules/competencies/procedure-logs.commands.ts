import { type RawBuilder, sql } from 'kysely'
import { undoableHours } from '#contract/competencies/log-verification.ts'
import type { LogLine } from '#contract/competencies/procedure-logs.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { RowKey } from '#server/core/database/rows.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'
import { lockLogs, openAgain } from './procedure-logs.queries.ts'

interface NewEntries {
  programId: number
  studentId: number
  date: string
  assignmentId: number | null
  siteId: number | null
  supervisorId: number | null
}

/** The columns of a line, as `jsonb_to_recordset` reads them. */
const lineRecord = sql`"Key" uuid, "ProcedureId" bigint, "LevelId" bigint, "Count" smallint, "Patient" text, "Repeats" smallint,
  "RepeatReason" text, "Radiographer" text, "PathologyId" bigint, "OtherPathology" text, "Note" text`

export const insertEntries = async (
  db: Db,
  entries: NewEntries,
  lines: readonly (LogLine & { Key: string })[],
): Promise<{ Key: string; Id: number }[]> => {
  const { programId, studentId, date, assignmentId, siteId, supervisorId } = entries
  const { rows } = await sql<{ Key: string; Id: number }>`
    insert into procedure_log (program_id, student_id, date, assignment_id, site_id, supervisor_id, created_by, updated_by, key,
      skill_id, level_id, count, patient, repeats, repeat_reason, radiographer, pathology_id, other_pathology, note)
    select ${programId}::bigint, ${studentId}::bigint, ${date}::date, ${assignmentId}::bigint, ${siteId}::bigint,
      ${supervisorId}::bigint, ${studentId}::bigint, ${studentId}::bigint, "Key", "ProcedureId", "LevelId", "Count", "Patient",
      "Repeats", "RepeatReason", "Radiographer", "PathologyId", "OtherPathology", "Note"
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as n (${lineRecord})
    returning key as "Key", id as "Id"`.execute(db)
  return rows
}

/** Sets what a line says; `more` are further columns, each after a comma. */
export const updateLine = async (
  db: Db,
  { programId, logId, by }: { programId: number; logId: number; by: number },
  line: LogLine,
  more: RawBuilder<unknown> = sql``,
): Promise<void> => {
  await sql`update procedure_log set skill_id = ${line.ProcedureId}, level_id = ${line.LevelId}, count = ${line.Count},
      patient = ${line.Patient}, repeats = ${line.Repeats}, repeat_reason = ${line.RepeatReason},
      radiographer = ${line.Radiographer}, pathology_id = ${line.PathologyId}, other_pathology = ${line.OtherPathology},
      note = ${line.Note}, revision = revision + 1, updated_by = ${by} ${more}
    where program_id = ${programId} and id = ${logId}`.execute(db)
}

export const removeEntry = async (db: Db, programId: number, logId: number, by: number): Promise<void> => {
  await sql`update procedure_log set deleted_at = now(), revision = revision + 1, updated_by = ${by}
    where program_id = ${programId} and id = ${logId}`.execute(db)
}

/** Brings a deleted entry of a student back as it was; false where there is none. Its student is locked. */
export const restoreEntry = async (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  logId: number,
): Promise<boolean> => {
  await lockLogs(db, [studentId])
  const { rows } =
    await sql`update procedure_log set deleted_at = null, revision = revision + 1, updated_by = ${studentId}
    where program_id = ${programId} and id = ${logId} and student_id = ${studentId} and deleted_at is not null
    returning id`.execute(db)
  return rows.length > 0
}

/** Names the caller as who verifies a student's day, of what waits within the scope. Answers how much there is. */
export const takeOver = async (
  db: Db,
  { programId, accountId, scope }: { programId: number; accountId: number; scope: SiteScope },
  day: { StudentId: number; Date: string },
): Promise<number> => {
  await lockLogs(db, [day.StudentId])
  const { rows } = await sql`
    update procedure_log l set taken_from = supervisor_id, taken_at = now(), supervisor_id = ${accountId}, revision = revision + 1,
      updated_by = ${accountId}
    where l.program_id = ${programId} and l.student_id = ${day.StudentId} and l.date = ${day.Date}::date and l.state = 'submitted'
      and l.deleted_at is null and l.supervisor_id is distinct from ${accountId}
      and ${inScope(scope, 'l.program_id', 'l.site_id')}
    returning l.id`.execute(db)
  return rows.length
}

/** Gives back what the caller took over of a day and has not decided yet: it is whose it was before. */
export const giveBack = async (
  db: Db,
  { programId, accountId }: { programId: number; accountId: number },
  day: { StudentId: number; Date: string },
): Promise<number> => {
  await lockLogs(db, [day.StudentId])
  const { rows } = await sql`
    update procedure_log l set supervisor_id = taken_from, taken_from = null, taken_at = null, revision = revision + 1,
      updated_by = ${accountId}
    where l.program_id = ${programId} and l.student_id = ${day.StudentId} and l.date = ${day.Date}::date and l.state = 'submitted'
      and l.deleted_at is null and l.supervisor_id = ${accountId} and l.taken_at is not null
    returning l.id`.execute(db)
  return rows.length
}

/** Corrects a count; a radiographer is kept where there are repeats. */
export const correctCount = async (
  db: Db,
  { programId, id }: RowKey,
  { count, radiographer }: { count: number; radiographer: string },
): Promise<void> => {
  await sql`update procedure_log set count = ${count},
      radiographer = case when repeats > 0 then ${radiographer} else '' end
    where program_id = ${programId} and id = ${id}`.execute(db)
}

export const returnEntry = async (
  db: Db,
  { programId, id }: RowKey,
  { reason, by }: { reason: string; by: number },
): Promise<void> => {
  await sql`update procedure_log set state = 'returned', return_reason = ${reason}, decided_at = now(), decided_by = ${by},
      updated_by = ${by}, revision = revision + 1
    where program_id = ${programId} and id = ${id}`.execute(db)
}

/** Lets an entry wait again. */
export const reopenEntry = async (db: Db, { programId, id }: RowKey, by: number): Promise<void> => {
  await sql`update procedure_log set revision = revision + 1, updated_by = ${by} ${openAgain}
    where program_id = ${programId} and id = ${id}`.execute(db)
}

export const verify = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  by: number,
): Promise<void> => {
  await sql`update procedure_log set state = 'verified', decided_at = now(), decided_by = ${by}, updated_by = ${by},
      revision = revision + 1
    where program_id = ${programId} and id = any (${[...ids]}::bigint[])`.execute(db)
}

/**
 * Takes back what the caller verified within a day: the entries wait again, with the counts that were corrected meanwhile as they were.
 * Answers which could be taken back.
 */
export const unverify = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  by: number,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    update procedure_log l set count = coalesce((select (h.before ->> 'Count')::int from procedure_log_change h
        where h.program_id = l.program_id and h.log_id = l.id and h.at = l.decided_at), l.count),
      revision = revision + 1, updated_by = ${by} ${openAgain}
    where l.program_id = ${programId} and l.id = any (${[...ids]}::bigint[]) and l.state = 'verified' and l.decided_by = ${by}
      and l.decided_at > now() - make_interval(hours => ${undoableHours}) returning l.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Keeps what an entry says now, before a change by somebody else than its student. */
export const keepOldValues = async (
  db: Db,
  { programId, logId, by, reason }: { programId: number; logId: number; by: number; reason: string },
): Promise<void> => {
  await sql`insert into procedure_log_change (program_id, log_id, by_id, reason, before)
    select program_id, id, ${by}, ${reason}, jsonb_build_object('ProcedureId', skill_id, 'LevelId', level_id, 'Count', count,
      'Patient', patient, 'Repeats', repeats, 'RepeatReason', repeat_reason, 'Radiographer', radiographer,
      'PathologyId', pathology_id, 'OtherPathology', other_pathology, 'Note', note, 'State', state)
    from procedure_log where program_id = ${programId} and id = ${logId}`.execute(db)
}
