import { z } from 'zod'
import { permissions } from '#contract/core/permissions.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { everyProgram, inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { takeDueEmails } from './custom-reports.commands.ts'

/** Sends the links of custom reports to who ordered them: emails that are due on the day of each program. */
export const mailReports = job({
  name: 'reports:mail',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '20 11 * * *',
  work: async (_payload, services) => {
    const root = `${services.publicUrl()}${services.config.appRoot}`
    await inPrograms(
      services,
      everyProgram,
      async (db, programId) => {
        const due = await takeDueEmails(db, programId, permissions['custom-reports.use'].from)
        await queueTemplatedEmails(
          db,
          due.map((email) => ({
            programId,
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
      },
      // Super admins order emails too; they belong to no program.
      { isSuper: true },
    )
  },
})

export const customReportJobs = [mailReports]
