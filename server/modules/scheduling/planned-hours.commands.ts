import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { mealBreakOf } from './planned-hours.queries.ts'

/** Plans the shifts of a day and later by the rules as they are now. */
export const planMealBreaks = async (db: Db, programId: number, date: string): Promise<void> => {
  await sql`update shift_assignment a set meal_minutes = ${mealBreakOf('a')} from program p
    where p.id = a.program_id and a.program_id = ${programId} and a.date >= ${date}::date
      and a.meal_minutes <> ${mealBreakOf('a')}`.execute(db)
}
