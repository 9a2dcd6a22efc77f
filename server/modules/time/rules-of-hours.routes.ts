import { formatDate } from '#contract/core/calendar.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { timeFailures } from '#contract/time/failures.ts'
import * as contract from '#contract/time/rules-of-hours.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { checkMealBreaks } from '../scheduling/planned-hours.queries.ts'
import { checkPendingFrom, lockRules, readRules } from './credit.queries.ts'
import { replaceRules } from './rules-of-hours.commands.ts'

/** So many that nobody reaches it by working. */
const mostRules = 100

const latestFirst = (rules: readonly contract.HoursRule[]): contract.HoursRule[] =>
  rules.toSorted((one, other) => (one.From < other.From ? 1 : -1))

const refusePast = (from: string, today: string): void => {
  if (from < today) throw fail(timeFailures.past_rule, { From: formatDate(from) }, 'From')
}

export const hoursRuleRoutes = [
  handle(contract.listHoursRules, async ({ db, params }) => {
    const row = await db
      .selectFrom('program')
      .select(['hours_rules', 'time_zone'])
      .where('id', '=', params.programId)
      .executeTakeFirst()
    if (!row) throw fail(coreFailures.no_program)
    return { Today: todayIn(row.time_zone), Rules: latestFirst(readRules(row.hours_rules)) }
  }),

  handle(contract.saveHoursRule, async ({ db, params: { programId }, body, audit }) => {
    const { rules, timeZone } = await lockRules(db, programId)
    const Today = todayIn(timeZone)
    refusePast(body.From, Today)
    const before = rules.find(({ From }) => From === body.From)
    const after = { ...body, MealRepeats: body.MealRepeats ?? before?.MealRepeats ?? false }
    if (after.MealRepeats && after.MealMinutes >= after.MealAfterHours * 60)
      throw fail(timeFailures.repeats_too_often, 'MealMinutes')
    const Rules = latestFirst([...rules.filter((rule) => rule !== before), after])
    if (Rules.length > mostRules) throw fail(timeFailures.too_many_rules, { Most: mostRules })
    const Recounted = await replaceRules(db, programId, Rules, body.From)
    audit.detail = { Before: before ?? null, After: after, Recounted }
    return { Today, Rules, Recounted }
  }),

  handle(contract.checkHoursRule, async ({ db, params: { programId }, body }) => {
    const row = await db
      .selectFrom('program')
      .select('hours_rules')
      .where('id', '=', programId)
      .executeTakeFirst()
    if (!row) throw fail(coreFailures.no_program)
    const others = readRules(row.hours_rules).filter(({ From }) => From !== body.From)
    const rules = latestFirst([...others, body])
    return {
      ...(await checkPendingFrom(db, programId, body.From, rules)),
      ...(await checkMealBreaks(db, programId, body.From, rules)),
    }
  }),

  handle(contract.removeHoursRule, async ({ db, params: { programId, from }, audit }) => {
    const { rules, timeZone } = await lockRules(db, programId)
    const before = rules.find(({ From }) => From === from)
    if (!before) throw fail(timeFailures.no_rule)
    refusePast(from, todayIn(timeZone))
    const Recounted = await replaceRules(
      db,
      programId,
      rules.filter((rule) => rule !== before),
      from,
    )
    audit.detail = { Before: before, Recounted }
  }),
]
