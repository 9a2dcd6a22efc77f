import type pg from 'pg'
import { z } from 'zod'
import { job } from '#server/core/runtime/jobs.ts'
import { sumCheck } from '#server/core/runtime/sum-check.ts'

const payload = z.object({}).loose()

/** Works through all programs, or some of them, each in a transaction of its own. */
const inEachProgram = async (
  pool: pg.Pool,
  statement: string,
  programs = 'select id from program order by id',
): Promise<void> => {
  const { rows } = await pool.query<{ id: number }>(programs)
  for (const { id } of rows) await pool.query(statement, [id])
}

/** Folds what changes have added to the stored sums of time into one row a key. They are right before it, too. */
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
  work: (_payload, { pool }) => inEachProgram(pool, 'select move_plan_until($1)'),
})

/**
 * Counts anew the hours of those in rotations whom something has happened to since, a program at a time. Every minute, so that home
 * pages look at few singly also while hundreds leave their shifts; programs in which nothing has happened have their turn every five.
 */
export const keepRotations = job({
  name: 'time:keep-rotations',
  payload,
  cron: '* * * * *',
  work: (_payload, { pool }) =>
    inEachProgram(pool, 'select keep_rotations($1)', 'select id from rotations_due() id'),
})

/** Proves the stored sums of time every night. */
export const checkTimeSums = sumCheck('time', { name: 'time:check-sums', cron: '25 7 * * *' })

export const timeSumJobs = [foldTimeSums, movePlans, keepRotations, checkTimeSums]
