import { addDays, weekOf } from '#contract/core/calendar.ts'
import * as contract from '#contract/reports/weekly-reports.ts'
import { type ExportColumn, hoursColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { countWeekly, listWeekly } from './weekly.across.ts'

/** The first day of the wanted week, or of the week before this one. */
const weekFor = (week: string | undefined, timeZone: string): string =>
  weekOf(week ?? addDays(todayIn(timeZone), -7))

type WeeklyColumn = ExportColumn<contract.WeeklyFigures>
const figure = (title: string, value: WeeklyColumn['value']): WeeklyColumn => ({
  title,
  kind: 'number',
  width: 16,
  value,
})
const exportColumns = (weekStart: string): WeeklyColumn[] => [
  { title: 'Week of', kind: 'date', width: 12, value: () => weekStart },
  { title: 'College', width: 34, value: (row) => row.College },
  { title: 'Program', width: 30, value: (row) => row.Program },
  figure('People active', (row) => row.ActivePeople),
  figure('Sign-ins', (row) => row.SignIns),
  ...hoursColumns<contract.WeeklyFigures>('Hours recorded', (row) => row.RecordedMinutes),
  ...hoursColumns<contract.WeeklyFigures>('Hours approved', (row) => row.ApprovedMinutes),
  figure('Waiting approvals', (row) => row.Waiting),
  figure('Evaluations completed', (row) => row.EvaluationsCompleted),
  figure('Evaluations late', (row) => row.EvaluationsLate),
]

export const weeklyReportRoutes = [
  handle(
    contract.getWeeklyReport,
    async ({ db, user, query: { Week: wanted, page, pageSize, ...filter } }) => {
      const Week = weekFor(wanted, user.TimeZone)
      const Total = await countWeekly(db, filter.search)
      const Items = await listWeekly(db, Week, filter, { limit: pageSize, offset: (page - 1) * pageSize })
      return { Items, Total, Page: page, PageSize: pageSize, Week, Monday: addDays(Week, 1) }
    },
  ),

  handle(contract.exportWeeklyReport, async ({ db, user, query: { Week, Format, ...filter } }) => {
    const weekStart = weekFor(Week, user.TimeZone)
    const rows = await listWeekly(db, weekStart, filter)
    return tableFile(Format, `Weekly report ${weekStart}`, exportColumns(weekStart), rows)
  }),
]
