import type pg from 'pg'
import type { SystemPartKey } from '#contract/system/system.ts'
import type { Measured } from './part.rules.ts'

/** Notes how a check of a part ended: an error in a sentence, or '' for success, and what it measured. In a transaction of its own. */
export const noteCheck = async (
  pool: pg.Pool,
  part: SystemPartKey,
  error: string,
  figures: Measured = {},
): Promise<void> => {
  await pool.query(
    `insert into system_check as c (part, last_success_at, last_error_at, last_error, figures)
    values ($1, case when $2 = '' then clock_timestamp() end, case when $2 <> '' then clock_timestamp() end, $2, $3)
    on conflict (part) do update set last_success_at = coalesce(excluded.last_success_at, c.last_success_at),
      last_error_at = coalesce(excluded.last_error_at, c.last_error_at),
      figures = excluded.figures, last_error = case when $2 = '' then c.last_error else $2 end`,
    [part, error, JSON.stringify(figures)],
  )
}
