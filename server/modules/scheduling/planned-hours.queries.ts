import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`)

/** What will count of an assigned shift: its length without the meal break. */
export const plannedMinutes = (shift: string): RawBuilder<number> =>
  sql`(shift_minutes(${column(shift, 'starts_at')}, ${column(shift, 'ends_at')}) - ${column(shift, 'meal_minutes')})`

/** The meal break of a shift by the rules of its program `p`. */
export const mealBreakOf = (shift: string): RawBuilder<number> =>
  sql`meal_break(p.hours_rules, ${column(shift, 'date')}, shift_minutes(${column(shift, 'starts_at')}, ${column(shift, 'ends_at')}))`

/** Plans the shifts of a day and later by the rules as they are now. */
export const planMealBreaks = async (db: Db, programId: number, date: string): Promise<void> => {
  await sql`update shift_assignment a set meal_minutes = ${mealBreakOf('a')} from program p
    where p.id = a.program_id and a.program_id = ${programId} and a.date >= ${date}::date
      and a.meal_minutes <> ${mealBreakOf('a')}`.execute(db)
}
