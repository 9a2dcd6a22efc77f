import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

export interface EnteredDoses {
  Deep: number | null
  Lens: number | null
  Shallow: number | null
}

/** Its id; undefined where a reading of this student, period and badge is there. */
export const insertDose = async (
  db: Db,
  programId: number,
  row: EnteredDoses & {
    StudentId: number
    Badge: string
    From: string
    Through: string
    limit: number
    by: number
  },
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    insert into dose_reading (program_id, student_id, badge, from_date, through_date, deep, lens, shallow, is_over, created_by, updated_by)
    values (${programId}, ${row.StudentId}, ${row.Badge}, ${row.From}, ${row.Through}, ${row.Deep}, ${row.Lens}, ${row.Shallow},
      ${(row.Deep ?? 0) >= row.limit}, ${row.by}, ${row.by})
    on conflict (program_id, student_id, from_date, through_date, lower(badge)) where deleted_at is null do nothing
    returning id`.execute(db)
  return rows[0]?.id
}

/** What was said of the doses before, by the student and by whoever reviewed them, is about other doses. */
export const correctDose = async (
  db: Db,
  programId: number,
  readingId: number,
  row: EnteredDoses & { limit: number; by: number },
): Promise<void> => {
  await sql`update dose_reading set deep = ${row.Deep}, lens = ${row.Lens}, shallow = ${row.Shallow},
      is_over = ${(row.Deep ?? 0) >= row.limit}, acknowledged_at = null, reviewed_at = null, reviewed_by = null, review_note = '',
      updated_by = ${row.by}
    where program_id = ${programId} and id = ${readingId} and deleted_at is null`.execute(db)
}

export const removeDose = async (db: Db, programId: number, readingId: number, by: number): Promise<void> => {
  await sql`update dose_reading set deleted_at = now(), updated_by = ${by}
    where program_id = ${programId} and id = ${readingId} and deleted_at is null`.execute(db)
}

/** Brings a removed reading back, unless one of the same student, period and badge is there; whether it did. */
export const restoreDose = async (
  db: Db,
  programId: number,
  readingId: number,
  by: number,
): Promise<'restored' | 'taken' | undefined> => {
  const { rows } = await sql<{ is_taken: boolean }>`
    select exists (select from dose_reading y where y.program_id = d.program_id and y.student_id = d.student_id
      and y.from_date = d.from_date and y.through_date = d.through_date and lower(y.badge) = lower(d.badge)
      and y.deleted_at is null) as is_taken
    from dose_reading d join account u on u.program_id = d.program_id and u.id = d.student_id and u.deleted_at is null
    where d.program_id = ${programId} and d.id = ${readingId} and d.deleted_at is not null for update of d`.execute(
    db,
  )
  const [found] = rows
  if (!found) return undefined
  if (found.is_taken) return 'taken'
  await sql`update dose_reading set deleted_at = null, updated_by = ${by}
    where program_id = ${programId} and id = ${readingId}`.execute(db)
  return 'restored'
}

/** Whether it was above the limit and nobody had looked at it. */
export const reviewDose = async (
  db: Db,
  { programId, readingId, by, note }: { programId: number; readingId: number; by: number; note: string },
): Promise<boolean> => {
  const { numAffectedRows } =
    await sql`update dose_reading set reviewed_at = now(), reviewed_by = ${by}, review_note = ${note}
    where program_id = ${programId} and id = ${readingId} and is_over and reviewed_at is null and deleted_at is null`.execute(
      db,
    )
  return numAffectedRows === 1n
}

export const acknowledgeDoses = async (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  ids: readonly number[],
): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`update dose_reading set acknowledged_at = now()
    where program_id = ${programId} and student_id = ${studentId} and id = any (${[...ids]}::bigint[])
      and acknowledged_at is null and deleted_at is null`.execute(db)
  return Number(numAffectedRows)
}

/** Marks readings at or above the limit that nobody has looked at; a corrected one may be below it again. */
export const markOver = async (db: Db, programId: number, importId: number, limit: number): Promise<void> => {
  await sql`update dose_reading set is_over = coalesce(deep, 0) >= ${limit}
    where program_id = ${programId} and reviewed_at is null and deleted_at is null
      and (import_id = ${importId} or id in (select entity_id from import_change where import_id = ${importId}))`.execute(
    db,
  )
}
