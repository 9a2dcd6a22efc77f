import { z } from 'zod'
import { keepSignIns } from '#server/core/auth/sign-in-days.ts'
import { job } from '#server/core/runtime/jobs.ts'

/**
 * Folds what changes have added to the sums that the home pages read, so that they stay as short as what they tell. The sums
 * are right before it too.
 */
export const foldSums = job({
  name: 'reports:sums',
  payload: z.object({}).loose(),
  cron: '*/5 * * * *',
  work: async (_payload, { pool }) => {
    await pool.query('select fold_evaluation_sums()')
    await pool.query("delete from failure_hour where hour < now() - interval '30 days'")
  },
})

/** Keeps the sign-ins of days that are over. */
export const keepSignInDays = job({
  name: 'reports:sign-ins',
  payload: z.object({}).loose(),
  cron: '7,37 * * * *',
  work: (_payload, { pool }) => keepSignIns(pool),
})

export const sumJobs = [foldSums, keepSignInDays]
