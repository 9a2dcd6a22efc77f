import { z } from 'zod'
import { tidyDevices } from '#server/core/auth/begin-session.ts'
import { tidyLinks } from '#server/core/auth/mailed-links.ts'
import { transaction } from '#server/core/database/pool.ts'
import { tidyThrottles } from '#server/core/http/throttle.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { tidyCollegeSignIns } from './college.commands.ts'
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
      await tidyLinks(db)
      await tidyCollegeSignIns(db)
      await tidyDevices(db)
      await tidyThrottles(db)
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
