import { sql } from 'kysely'
import { z } from 'zod'
import { transaction } from '#server/core/database/pool.ts'
import { job } from '#server/core/runtime/jobs.ts'

/** Forgets addresses that were refused or warned 30 days after they were last seen. */
const tidyNotices = job({
  name: 'settings:tidy',
  payload: z.object({}).loose(),
  cron: '27 3 * * *',
  work: async (_payload, services) => {
    await transaction(services.pool, { accountId: null, programIds: [] }, async (db) => {
      await db
        .deleteFrom('ip_notice')
        .where('last_at', '<', sql<string>`now() - interval '30 days'`)
        .execute()
    })
  },
})

export const settingJobs = [tidyNotices]
