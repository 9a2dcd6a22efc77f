import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** The lock of one student's time, for a statement that runs anyway; it is held until the transaction ends. */
export const studentTimeLock = (studentId: number | RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock(hashtextextended('clock:' || ${studentId}::bigint, 0))`

/**
 * Makes every other write of the student's time wait until this transaction ends. It must be a separate statement before
 * anything of that time is read: a statement sees what was committed when it began, which is before it got the lock.
 */
export const lockStudentTime = async (db: Db, studentId: number): Promise<void> => {
  await sql`select ${studentTimeLock(studentId)}`.execute(db)
}

/**
 * The same for all students of the records that `from` and `where` find on `time_record r`. They are locked in the order of
 * their ids, so that two decisions about the same students wait for each other instead of dying. Answers the students.
 */
export const lockTimeOfRecords = async (
  db: Db,
  records: { joins?: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with students as materialized (
      select distinct r.student_id as id from time_record r ${records.joins ?? sql``} where ${records.where} order by 1)
    select id, ${studentTimeLock(sql`id`)} from students`.execute(db)
  return rows.map(({ id }) => id)
}
