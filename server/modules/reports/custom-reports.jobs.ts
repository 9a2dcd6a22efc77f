import { z } from 'zod'
import { permissions } from '#contract/permissions.ts'
import { transaction } from '#server/core/database/pool.ts'
import { job } from '#server/core/jobs.ts'
import { postByTemplate } from '#server/core/letters.ts'
import { takeDueLetters } from './custom-reports.queries.ts'

/** Sends the links of custom reports to who ordered them: letters that are due on the day of each program. */
export const mailReports = job({
  name: 'reports:mail',
  payload: z.object({}).loose(),
  cron: '20 11 * * *',
  work: async (_payload, services) => {
    const { rows: programs } = await services.pool.query<{ id: number }>(
      'select id from program where deleted_at is null order by id',
    )
    const root = `${services.publicUrl()}${services.config.appRoot}`
    for (const { id } of programs) {
      // Super admins order letters too; they belong to no program.
      const tenant = { accountId: null, programIds: [id], isSuper: true }
      await transaction(services.pool, tenant, async (db) => {
        const due = await takeDueLetters(db, id, permissions['custom-reports.use'].from)
        await postByTemplate(
          db,
          due.map((letter) => ({
            programId: id,
            accountId: letter.AccountId,
            label: 'CUSTOM_report',
            recipient: letter.Email,
            values: {
              'reader.firstName': letter.FirstName,
              'report.name': letter.Name,
              'report.frequency': letter.Frequency,
              link: `${root}/new/admin/custom-reports/edit?id=${letter.ReportId}`,
            },
          })),
        )
      })
    }
  },
})

export const customReportJobs = [mailReports]
