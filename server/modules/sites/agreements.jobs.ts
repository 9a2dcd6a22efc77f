import { z } from 'zod'
import { notifyCoordinators } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { everyProgram, inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { expiringValues } from './agreement-emails.rules.ts'
import { takeDueReminders } from './agreements.commands.ts'
import { listReminded } from './agreements.queries.ts'

/** The agreements that end within 90 days, in the staff's pages. */
const page = '/new/admin/affiliate-agreements?standing=ending'

/** Brings agreements to mind 90, 60 and 30 days before they end: one email to each coordinator, and a notification. */
export const remindOfAgreements = job({
  name: 'agreements:remind',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '10 11 * * *',
  work: (_payload, services) =>
    inPrograms(services, everyProgram, async (db, programId) => {
      const due = await takeDueReminders(db, programId)
      if (due.length === 0) return
      const people = await listReminded(db, programId)
      const link = `${services.publicUrl()}${services.config.appRoot}${page}`
      await queueTemplatedEmails(
        db,
        people.map((person) => ({
          programId,
          accountId: person.Id,
          label: 'AGREEMENT_expiring',
          recipient: person.Email,
          values: { 'coordinator.firstName': person.FirstName, link, ...expiringValues(due) },
        })),
      )
      await notifyCoordinators(db, programId, {
        kind: 'agreement',
        text:
          due.length === 1
            ? `The affiliation agreement with ${due[0]!.Site} ends soon.`
            : `${due.length} affiliation agreements end soon.`,
        link: page,
      })
    }),
})

export const agreementJobs = [remindOfAgreements]
