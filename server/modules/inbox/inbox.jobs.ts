import { z } from 'zod'
import { transaction } from '#server/core/database/pool.ts'
import { enqueue, job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findLastLink, takeWeek } from './inbox.queries.ts'
import { mailInbox } from './mailing.service.ts'

const tenant = { accountId: null, programIds: [] }

/** How many addresses one job takes: what a process leaves undone is not much. */
const batch = 100

/** Mails addresses their inbox links: those of a week, or those that somebody asked for at a moment. */
export const sendInboxLinks = job({
  name: 'inbox:send',
  payload: z.strictObject({
    addresses: z.array(z.string()).max(200),
    /** The Monday of the weekly mail. */
    monday: z.string().optional(),
    /** When somebody asked; ISO 8601. */
    askedAt: z.string().optional(),
    by: z.number().int().optional(),
  }),
  work: async ({ addresses, monday, askedAt, by }, services) => {
    for (const address of addresses)
      await transaction(services.pool, tenant, async (db) => {
        if (monday !== undefined && !(await takeWeek(db, address, monday))) return
        // What this job has sent before it was broken off is not sent again.
        if (askedAt !== undefined) {
          const last = await findLastLink(db, address)
          if (last !== null && Date.parse(last) > Date.parse(askedAt)) return
        }
        await mailInbox(db, services, address, { by: by ?? null, isAsked: askedAt !== undefined })
      })
  },
})

/** Queues the mail of every address whose Monday morning has come in the time zone of one of its programs. */
export const queueWeek = async (services: Pick<Services, 'pool'>): Promise<void> => {
  const { rows } = await services.pool.query<{ address: string; monday: string }>(
    'select address, monday from due_inbox_addresses() order by monday, address',
  )
  const mondays = Map.groupBy(rows, ({ monday }) => monday)
  for (const [monday, due] of mondays)
    for (let start = 0; start < due.length; start += batch)
      await transaction(services.pool, tenant, (db) =>
        enqueue(db, sendInboxLinks, {
          addresses: due.slice(start, start + batch).map(({ address }) => address),
          monday,
        }),
      )
}

/** Each hour, since programs are in many time zones. */
export const mailInboxes = job({
  name: 'inbox:weekly',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '4 * * * *',
  work: (_payload, services) => queueWeek(services),
})

export const inboxJobs = [mailInboxes, sendInboxLinks]
