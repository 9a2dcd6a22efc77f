import { sql } from 'kysely'
import { z } from 'zod'
import { transaction } from '#server/core/database/pool.ts'
import { job } from '#server/core/runtime/jobs.ts'

/** Deletes what sign-in no longer needs: links and sign-ins of colleges a day after their end, and counts of attempts after their window. */
export const tidySignIn = job({
  name: 'identity:tidy',
  payload: z.object({}).loose(),
  cron: '17 3 * * *',
  work: async (_payload, services) => {
    await transaction(services.pool, { accountId: null, programIds: [] }, async (db) => {
      await db
        .deleteFrom('one_time_token')
        .where('expires_at', '<', sql<string>`now() - interval '1 day'`)
        .execute()
      await db
        .deleteFrom('saml_request')
        .where('expires_at', '<', sql<string>`now() - interval '1 day'`)
        .execute()
      await db.deleteFrom('throttle').where('window_ends_at', '<', sql<string>`now()`).execute()
    })
  },
})

export const identityJobs = [tidySignIn]
