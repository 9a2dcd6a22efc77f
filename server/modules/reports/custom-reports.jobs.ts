import { z } from 'zod'
import { permissions } from '#contract/core/permissions.ts'
import { transaction } from '#server/core/database/pool.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { takeDueEmails } from './custom-reports.queries.ts'

/** Sends the links of custom reports to who ordered them: emails that are due on the day of each program. */
export const mailReports = job({
  name: 'reports:mail',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '20 11 * * *',
  work: async (_payload, services) => {
    const { rows: programs } = await services.pool.query<{ id: number }>(
      'select id from program where deleted_at is null order by id',
    )
    const root = `${services.publicUrl()}${services.config.appRoot}`
    for (const { id } of programs) {
      // Super admins order emails too; they belong to no program.
      const tenant = { accountId: null, programIds: [id], isSuper: true }
      await transaction(services.pool, tenant, async (db) => {
        const due = await takeDueEmails(db, id, permissions['custom-reports.use'].from)
        await queueTemplatedEmails(
          db,
          due.map((email) => ({
            programId: id,
            accountId: email.AccountId,
            label: 'CUSTOM_report',
            recipient: email.Email,
            values: {
              'reader.firstName': email.FirstName,
              'report.name': email.Name,
              'report.frequency': email.Frequency,
              link: `${root}/new/admin/custom-reports/edit?id=${email.ReportId}`,
            },
          })),
        )
      })
    }
  },
})

export const customReportJobs = [mailReports]
