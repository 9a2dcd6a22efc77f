import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { mealBreakOf } from './planned-hours.queries.ts'
import type { DayTimes } from './site-shifts.queries.ts'

/** Gives the days from `fromDate` on the new capacity; earlier days keep the one they were filled under. */
export const setDayCapacity = async (
  db: Db,
  programId: number,
  siteShiftId: number,
  fromDate: string,
  capacity: number,
): Promise<void> => {
  await db
    .updateTable('shift_day')
    .set({ capacity })
    .where('program_id', '=', programId)
    .where('site_shift_id', '=', siteShiftId)
    .where('date', '>=', fromDate)
    .execute()
}

/** Moves the assignments of the shift to the new times of their days. */
export const moveAssignmentTimes = async (
  db: Db,
  programId: number,
  siteShiftId: number,
  times: readonly DayTimes[],
): Promise<void> => {
  await sql`update shift_assignment a set starts_at = t.starts_at, ends_at = t.ends_at, meal_minutes = ${mealBreakOf('t')}
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as t (date date, starts_at timestamptz, ends_at timestamptz), program p
    where p.id = a.program_id and a.program_id = ${programId} and a.site_shift_id = ${siteShiftId} and a.date = t.date
      and a.removed_at is null`.execute(db)
}
