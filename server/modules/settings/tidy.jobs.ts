import { z } from 'zod'
import { transaction } from '#server/core/database/pool.ts'
import { tidyNotices } from '#server/core/runtime/ip-access-changes.ts'
import { job } from '#server/core/runtime/jobs.ts'

export const settingJobs = [
  job({
    name: 'settings:tidy',
    payload: z.object({}).loose(),
    cron: '27 3 * * *',
    work: (_payload, services) =>
      transaction(services.pool, { accountId: null, programIds: [] }, tidyNotices),
  }),
]
