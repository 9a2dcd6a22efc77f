import { sql } from 'kysely'
import type * as contract from '#contract/time/rules-of-hours.ts'
import type { Db } from '#server/core/database/pool.ts'
import { planMealBreaks } from '../scheduling/planned-hours.commands.ts'
import { creditPendingFrom } from './credit.commands.ts'

/** Keeps other rules from a day on, and counts what is pending since then by them. */
export const replaceRules = async (
  db: Db,
  programId: number,
  rules: readonly contract.HoursRule[],
  from: string,
): Promise<number> => {
  await sql`update program set hours_rules = ${JSON.stringify(rules)}::jsonb where id = ${programId}`.execute(
    db,
  )
  await planMealBreaks(db, programId, from)
  return creditPendingFrom(db, programId, from)
}
