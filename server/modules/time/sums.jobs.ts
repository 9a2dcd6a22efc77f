import { z } from 'zod'
import { job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'

const payload = z.object({}).loose()

const programsOf = async (pool: Services['pool']): Promise<number[]> => {
  const { rows } = await pool.query<{ id: number }>('select id from program order by id')
  return rows.map(({ id }) => id)
}

/** Folds what changes have added to the sums of time, so that they stay as short as what they tell. They are right before it too. */
export const foldTimeSums = job({
  name: 'time:fold-sums',
  payload,
  cron: '*/5 * * * *',
  work: async (_payload, { pool }) => {
    await pool.query('select fold_time_sums()')
  },
})

/** Counts the shifts that have ended in the last hour as past, a program at a time. */
export const movePlans = job({
  name: 'time:past-shifts',
  payload,
  cron: '3 * * * *',
  work: async (_payload, { pool }) => {
    for (const id of await programsOf(pool)) await pool.query('select move_plan_until($1)', [id])
  },
})

/**
 * Proves the kept sums every night: counts every program anew, a program at a time, and fails by name where they say something
 * else. `npm run admin -- recount` repairs them.
 */
export const checkTimeSums = job({
  name: 'time:check-sums',
  payload,
  cron: '25 7 * * *',
  work: async (_payload, { pool }) => {
    const wrong: string[] = []
    for (const id of await programsOf(pool)) {
      const { rows } = await pool.query<{ name: string; keys: number }>(
        'select name, keys from wrong_time_sums($1) where keys > 0',
        [id],
      )
      for (const { name, keys } of rows) wrong.push(`program ${id}: ${keys} of ${name}`)
    }
    if (wrong.length > 0)
      throw new Error(
        `Sums differ from what their records come to (${wrong.slice(0, 20).join('; ')}). Run: npm run admin -- recount`,
      )
  },
})

export const timeSumJobs = [foldTimeSums, movePlans, checkTimeSums]
