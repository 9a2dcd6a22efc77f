import { z } from 'zod'
import { job } from '#server/core/runtime/jobs.ts'

const tidy = job({
  name: 'changes:tidy',
  payload: z.object({}).loose(),
  cron: '47 3 * * *',
  work: async (_payload, services) => {
    await services.pool.query('select tidy_changes()')
  },
})

export const changeJobs = [tidy]
