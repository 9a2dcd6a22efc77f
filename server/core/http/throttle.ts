import { sql } from 'kysely'
import type pg from 'pg'
import { coreFailures } from '#contract/core/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'

export interface Limit {
  /** What is counted, such as `sign-in:account:dwhitfield`. */
  key: string
  max: number
  windowSeconds: number
}

/** Seconds, the window of most limits. */
export const quarterHour = 15 * 60

/**
 * Counts an attempt against each limit, in its own transaction: an attempt counts even when what follows fails, and
 * parallel attempts count each other, on any process.
 *
 * @throws Failure 429 with Retry-After when a limit is passed
 */
export const throttle = async (pool: pg.Pool, limits: readonly Limit[]): Promise<void> => {
  for (const { key, max, windowSeconds } of limits) {
    const { rows } = await pool.query<{ count: number; seconds: number }>({
      name: 'throttle',
      text: `insert into throttle as t (key, count, window_ends_at)
        values ($1, 1, now() + make_interval(secs => $2))
        on conflict (key) do update set
          count = case when t.window_ends_at < now() then 1 else least(t.count, 1000000) + 1 end,
          window_ends_at = case when t.window_ends_at < now() then excluded.window_ends_at else t.window_ends_at end
        returning count, ceil(extract(epoch from window_ends_at - now()))::integer as seconds`,
      values: [key.slice(0, 300), windowSeconds],
    })
    const { count, seconds } = rows[0]!
    if (count > max) {
      const minutes = Math.max(1, Math.ceil(seconds / 60))
      throw fail(coreFailures.throttled, { Minutes: minutes }, { retryAfterSeconds: Math.max(1, seconds) })
    }
  }
}

/** Takes one attempt under a key back: it was no guess. */
export const giveBack = async (pool: pg.Pool, key: string): Promise<void> => {
  await pool.query({
    name: 'give back',
    text: 'update throttle set count = greatest(count - 1, 0) where key = $1',
    values: [key.slice(0, 300)],
  })
}

/** Forgets the attempts under keys, after one that was right. */
export const resetThrottle = async (pool: pg.Pool, ...keys: readonly string[]): Promise<void> => {
  await pool.query({
    name: 'forgive',
    text: 'delete from throttle where key = any ($1)',
    values: [keys.map((key) => key.slice(0, 300))],
  })
}

/** Forgets attempts whose window is over. */
export const tidyThrottles = async (db: Db): Promise<void> => {
  await sql`delete from throttle where window_ends_at < now()`.execute(db)
}
