import { z } from 'zod'
import { Level } from '#contract/core/levels.ts'
import { transaction } from '#server/core/database/pool.ts'
import { enqueue, job } from '#server/core/runtime/jobs.ts'
import type { WorkerServices } from '#server/core/runtime/services.ts'
import { findLastLink } from './inbox.across.ts'
import { takeWeek } from './inbox.commands.ts'
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

/** Supervisors whose Monday morning has come, and who have had no mail this week. */
export const dueAddresses = `
  select distinct lower(a.email) as address, date_trunc('week', n.here)::date as monday
  from inbox_setting s
  join program p on p.id = s.program_id and p.deleted_at is null
  cross join lateral (select now() at time zone coalesce(p.time_zone, 'America/New_York') as here) n
  join account a on a.program_id = p.id and a.access_level in (${Level.Supervisor}, ${Level.CCUnderHood})
    and a.deleted_at is null and a.deactivated_at is null and a.email <> ''
  where s.is_on and n.here >= date_trunc('week', n.here) + interval '7 hours'
    and n.here < date_trunc('week', n.here) + interval '31 hours'
    and not exists (select from inbox_exclusion x where x.program_id = a.program_id and x.account_id = a.id)
    and not exists (select from inbox_week w where w.address = lower(a.email) and w.monday = date_trunc('week', n.here)::date)
  order by 2, 1`

/** Queues the mail of every address whose Monday morning has come in the time zone of one of its programs. */
export const queueWeek = async (services: Pick<WorkerServices, 'pool' | 'everywhere'>): Promise<void> => {
  const { rows } = await services.everywhere.query<{ address: string; monday: string }>(dueAddresses)
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
