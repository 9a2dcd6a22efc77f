import { sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import { timeFailures } from '#contract/time/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'

/**
 * Refuses time planned for after the last day of whoever leaves.
 *
 * @throws Failure 422
 */
export const refuseAfterLastDay = async (
  db: Db,
  programId: number,
  studentId: number,
  date: string,
): Promise<void> => {
  const { rows } = await sql<{ day: string }>`select leaves_on as day from account
    where program_id = ${programId} and id = ${studentId} and leaves_on < ${date}::date`.execute(db)
  if (rows[0]) throw fail(timeFailures.after_last_day, { Day: formatDate(rows[0].day) }, 'Date')
}
