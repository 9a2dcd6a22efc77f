import { z } from 'zod'
import { job } from '#server/core/runtime/jobs.ts'
import { forgetOldChanges } from './changes.commands.ts'

export const tidyChanges = job({
  name: 'changes:tidy',
  payload: z.object({}).loose(),
  cron: '47 3 * * *',
  work: (_payload, services) => forgetOldChanges(services.everywhere),
})

export const changeJobs = [tidyChanges]
