import { sql } from 'kysely'
import { z } from 'zod'
import { transaction } from '#server/core/database/pool.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { insertToolKey, tidyToolKeys } from './lti.commands.ts'
import { newToolKey } from './lti.service.ts'
import { noticeJobs } from './notices.jobs.ts'

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
      for (const table of ['lti_ticket', 'lti_deep_link', 'lti_registration'] as const)
        await db.deleteFrom(table).where('expires_at', '<', sql<string>`now() - interval '1 day'`).execute()
      await db
        .deleteFrom('known_device')
        .where('last_seen_at', '<', sql<string>`now() - interval '400 days'`)
        .execute()
      await db.deleteFrom('throttle').where('window_ends_at', '<', sql<string>`now()`).execute()
    })
  },
})

/** Makes the key that signs for learning management systems anew twice a year; the ones before stay published for a month. */
export const renewToolKey = job({
  name: 'identity:lti-key',
  payload: z.object({}).loose(),
  cron: '23 3 * * *',
  work: async (_payload, services) => {
    const everyone = { accountId: null, programIds: [] }
    if (!(await transaction(services.pool, everyone, tidyToolKeys))) return
    const made = await newToolKey(services)
    await transaction(services.pool, everyone, (db) => insertToolKey(db, made, false))
  },
})

export const identityJobs = [tidySignIn, renewToolKey, ...noticeJobs]
