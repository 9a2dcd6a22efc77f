import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { otherwiseCredited, pendingFrom } from './credit.queries.ts'
import { lockTimeOfRecords } from './lock.queries.ts'

/** Credits records with what counts of them; answers how many have other hours now. Their students' time is locked. */
const credit = async (db: Db, programId: number, where: RawBuilder<unknown>): Promise<number> => {
  const changed = (await otherwiseCredited(db, programId, where)).map(({ id, minutes, clock, meal }) => ({
    id,
    minutes,
    clock,
    meal,
  }))
  if (changed.length > 0)
    await sql`update time_record r set minutes = c.minutes, clock_minutes = c.clock, meal_minutes = c.meal
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c (id bigint, minutes int, clock int, meal smallint)
      where r.program_id = ${programId} and r.id = c.id`.execute(db)
  return changed.length
}

/** Credits records that were changed, and the pairs of which they are a half. Their students' time is locked. */
export const creditRecords = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  const list = sql`${[...ids]}::bigint[]`
  await credit(
    db,
    programId,
    sql`r.deleted_at is null and (r.id = any (${list}) or r.kind = 'out' and r.partner_id = any (${list}))`,
  )
}

/** Credits the pending records of a day and later anew, after the rules have changed. What was approved keeps its hours. */
export const creditPendingFrom = async (db: Db, programId: number, date: string): Promise<number> => {
  const where = sql`r.program_id = ${programId} and ${pendingFrom(date)}`
  await lockTimeOfRecords(db, { where })
  return credit(db, programId, where)
}
