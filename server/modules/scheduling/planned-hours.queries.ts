import { type RawBuilder, sql } from 'kysely'
import type { HoursRule } from '#contract/time/rules-of-hours.ts'
import type { Db } from '#server/core/database/pool.ts'

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`)

/** What will count of an assigned shift: its length without the meal break. */
export const plannedMinutes = (shift: string): RawBuilder<number> =>
  sql`(shift_minutes(${column(shift, 'starts_at')}, ${column(shift, 'ends_at')}) - ${column(shift, 'meal_minutes')})`

/** The meal break of a shift by the rules of its program `p`, or by others in their place. */
export const mealBreakOf = (
  shift: string,
  rules: RawBuilder<unknown> = sql`p.hours_rules`,
): RawBuilder<number> =>
  sql`meal_break(${rules}, ${column(shift, 'date')}, shift_minutes(${column(shift, 'starts_at')}, ${column(shift, 'ends_at')}))`

/** How many shifts that have not ended, of a day and later, would count otherwise by these rules, and how much more in all. */
export const checkMealBreaks = async (
  db: Db,
  programId: number,
  date: string,
  rules: readonly HoursRule[],
): Promise<{ Planned: number; PlannedMinutes: number }> => {
  const { rows } = await sql<{ Planned: number; PlannedMinutes: number }>`
    select count(*)::int as "Planned", coalesce(sum(a.meal_minutes - b.minutes), 0)::int as "PlannedMinutes"
    from shift_assignment a
    cross join lateral (select ${mealBreakOf('a', sql`${JSON.stringify(rules)}::jsonb`)} as minutes) b
    where a.program_id = ${programId} and a.date >= ${date}::date and a.removed_at is null and a.ends_at > now()
      and a.meal_minutes <> b.minutes`.execute(db)
  // It always answers one row.
  return rows[0]!
}
