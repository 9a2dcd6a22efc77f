import { sql } from 'kysely'
import type pg from 'pg'
import { oneAcrossPrograms } from '#server/core/database/across.ts'

/**
 * How many punches of the last day there are, and how many of them were marked because clocks disagree, with the moment by the database's
 * own clock in milliseconds.
 */
export const countClockMarks = async (pool: pg.Pool) => {
  const marks = await oneAcrossPrograms(
    pool,
    sql<{ now: number; punches: number; marked: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now, count(*) as punches,
        count(*) filter (where r.reasons @> '[{"Code": "clock_off"}]') as marked
      from program p join time_record r on r.program_id = p.id
      where r.deleted_at is null and r.kind in ('in', 'out') and r.occurred_at > now() - interval '1 day'`,
  )
  return marks
}
