import { sql } from 'kysely'
import { z } from 'zod'
import { addDays, formatDate, weekOf } from '#contract/core/calendar.ts'
import { AdminArea, hasAdminArea, Level } from '#contract/core/levels.ts'
import { transaction } from '#server/core/database/pool.ts'
import { htmlList } from '#server/core/mail/email-text.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { listWeekly } from './weekly.across.ts'

const label = 'REPORT_weekly'

interface Reader {
  id: number
  email: string
  first_name: string
  super_admin_areas: number | null
}

/** Emails the figures of the past week to super admins who read weekly reports and have not switched them off. */
export const mailWeeklyReport = job({
  name: 'reports:weekly',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '40 11 * * 1',
  work: async (_payload, services) => {
    const tenant = { accountId: null, programIds: [], isSuper: true, isMailer: true }
    await transaction(services.pool, tenant, async (db) => {
      // A second run waits for the first and then finds what it wrote.
      await sql`select pg_advisory_xact_lock(hashtext(${label}))`.execute(db)
      const { rows: readers } = await sql<Reader>`
        select a.id, a.email, a.first_name, a.super_admin_areas from account a
        where a.program_id is null and a.access_level = ${Level.SuperAdmin} and a.email <> ''
          and a.deleted_at is null and a.deactivated_at is null
          and not coalesce(a.preferences -> 'MutedEmails' @> to_jsonb(${label}::text), false)
          and not exists (select from mail m where m.label = ${label} and m.account_id = a.id
            and m.created_at > now() - interval '6 days')
        order by a.id`.execute(db)
      const found = readers.filter(({ super_admin_areas }) =>
        hasAdminArea(super_admin_areas, AdminArea.CustomReports),
      )
      if (found.length === 0) return
      const weekStart = weekOf(addDays(todayIn('UTC'), -7))
      const rows = await listWeekly(db, weekStart, { search: '', sort: 'Program' })
      const sum = (pick: (row: (typeof rows)[number]) => number) =>
        rows.reduce((total, row) => total + Number(pick(row)), 0).toLocaleString('en-US')
      const hours = (pick: (row: (typeof rows)[number]) => number) =>
        Math.round(rows.reduce((total, row) => total + Number(pick(row)), 0) / 60).toLocaleString('en-US')
      const figures = htmlList([
        `Programs: ${rows.length.toLocaleString('en-US')}`,
        `People active: ${sum(({ ActivePeople }) => ActivePeople)}`,
        `Hours recorded: ${hours(({ RecordedMinutes }) => RecordedMinutes)}`,
        `Hours approved: ${hours(({ ApprovedMinutes }) => ApprovedMinutes)}`,
        `Records that wait for approval: ${sum(({ Waiting }) => Waiting)}`,
        `Evaluations completed: ${sum(({ EvaluationsCompleted }) => EvaluationsCompleted)}`,
        `Evaluations overdue: ${sum(({ EvaluationsLate }) => EvaluationsLate)}`,
      ])
      await queueTemplatedEmails(
        db,
        found.map(({ id, email, first_name }) => ({
          programId: null,
          accountId: id,
          label,
          recipient: email,
          values: {
            'reader.firstName': first_name,
            'report.week': formatDate(weekStart),
            'report.figures': figures,
            link: `${services.publicUrl()}${services.config.appRoot}/new/admin/weekly-reports?Week=${weekStart}`,
          },
        })),
      )
    })
  },
})

export const weeklyReportJobs = [mailWeeklyReport]
