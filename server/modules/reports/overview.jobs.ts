import { z } from 'zod'
import { keepSignIns } from '#server/core/auth/sign-in-days.ts'
import { forgetFailures } from '#server/core/runtime/failure-counts.ts'
import { job } from '#server/core/runtime/jobs.ts'

/** Keeps the sign-ins of days that are over, and forgets failures of longer than a month ago. */
export const keepOverview = job({
  name: 'reports:sign-ins',
  payload: z.object({}).loose(),
  cron: '7,37 * * * *',
  work: async (_payload, { pool }) => {
    await keepSignIns(pool)
    await forgetFailures(pool)
  },
})
