import { type RawBuilder, sql } from 'kysely'
import { type Credit, creditOf, HoursRule, ruleOn, type Span } from '#contract/time/rules-of-hours.ts'
import { msOf } from '#server/core/database/moments.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The rules of a program as they are kept, whatever an older version kept. */
export const readRules = (kept: unknown): HoursRule[] => HoursRule.array().safeParse(kept).data ?? []

/** The rules of a program; until the transaction ends nobody else changes them. */
export const lockRules = async (
  db: Db,
  programId: number,
): Promise<{ rules: HoursRule[]; timeZone: string }> => {
  const { hours_rules, time_zone } = await db
    .selectFrom('program')
    .select(['hours_rules', 'time_zone'])
    .where('id', '=', programId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { rules: readRules(hours_rules), timeZone: time_zone }
}

const noCredit: Credit = { minutes: 0, clockMinutes: 0, mealMinutes: 0 }

/**
 * The records of which other hours count by the rule of the day on which they begin: by those of the program, or by others in their place.
 * Hours of a clock-out are those of its pair, and of one alone none: this is where the minutes of a pair come from.
 *
 * @param where condition on `time_record r`
 */
export const otherwiseCredited = async (
  db: Db,
  programId: number,
  where: RawBuilder<unknown>,
  others?: readonly HoursRule[],
) => {
  const { rows } = await sql<
    Span & Credit & { id: number; date: string; isLone: boolean; shift: Span | null; rules: unknown }
  >`
    select r.id, r.kind = 'out' and q.id is null as "isLone", ${msOf('h.starts_at')} as "startsAt", ${msOf('h.ends_at')} as "endsAt", coalesce(q.date, r.date) as date,
      case when a.id is not null then jsonb_build_object('startsAt', ${msOf('a.starts_at')}, 'endsAt', ${msOf('a.ends_at')}) end as shift,
      r.minutes, coalesce(r.clock_minutes, r.minutes) as "clockMinutes", r.meal_minutes as "mealMinutes", p.hours_rules as rules
    from time_record r join program p on p.id = r.program_id
    left join time_record q on r.kind = 'out' and q.program_id = r.program_id and q.id = r.partner_id and q.partner_id = r.id
    left join shift_assignment a on r.kind = 'out' and a.program_id = r.program_id
      and a.id = coalesce(q.assignment_id, r.assignment_id) and a.removed_at is null
    cross join lateral (select coalesce(q.occurred_at, r.occurred_at) as starts_at, coalesce(r.ends_at, r.occurred_at) as ends_at) h
    where r.program_id = ${programId} and ${where}
      and (r.kind = 'out' and (q.id is not null or r.minutes > 0) or r.kind not in ('in', 'out') and r.ends_at is not null)`.execute(
    db,
  )
  const rules = others ?? readRules(rows[0]?.rules)
  return rows.flatMap((row) => {
    const { minutes, clockMinutes, mealMinutes } = row.isLone
      ? noCredit
      : creditOf(ruleOn(rules, row.date), row, row.shift)
    return minutes === row.minutes && clockMinutes === row.clockMinutes && mealMinutes === row.mealMinutes
      ? []
      : [
          {
            ...row,
            minutes,
            clock: clockMinutes === minutes ? null : clockMinutes,
            before: row.minutes,
            meal: mealMinutes,
          },
        ]
  })
}

/** Minutes on the clock, where no rule counts others: these are credited right after, and nobody is told of those in between. */
export const untilCredited = (programId: number, minutes: number) =>
  sql`(minutes, clock_minutes, meal_minutes) = (
    select case when c.waits then minutes else ${minutes}::integer end, case when c.waits then clock_minutes end,
      case when c.waits then meal_minutes else 0 end
    from (select ${minutes}::integer > 0 and p.hours_rules <> '[]' as waits from program p where p.id = ${programId}) c)`

export const pendingFrom = (date: string) =>
  sql`r.status = 'pending' and r.deleted_at is null and r.date >= ${date}::date
    and r.occurred_at >= (${date}::date - interval '1 day')::timestamptz`

/** What other rules would change of the pending records of a day and later. */
export const checkPendingFrom = async (
  db: Db,
  programId: number,
  date: string,
  rules: readonly HoursRule[],
): Promise<{ Recounted: number; Minutes: number }> => {
  const where = sql`r.program_id = ${programId} and ${pendingFrom(date)}`
  const changed = await otherwiseCredited(db, programId, where, rules)
  return {
    Recounted: changed.length,
    Minutes: changed.reduce((sum, { minutes, before }) => sum + minutes - before, 0),
  }
}
