import { addDays, mondayOf } from '#contract/core/calendar.ts'
import * as contract from '#contract/reports/weekly-reports.ts'
import { type ExportColumn, hoursColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { countWeekly, listWeekly } from './weekly.across.ts'

/** The Monday of the wanted week, or of the week before this one. */
const mondayFor = (week: string | undefined, timeZone: string): string =>
  mondayOf(week ?? addDays(todayIn(timeZone), -7))

type WeeklyColumn = ExportColumn<contract.WeeklyFigures>
const figure = (title: string, value: WeeklyColumn['value']): WeeklyColumn => ({
  title,
  kind: 'number',
  width: 16,
  value,
})
const exportColumns = (monday: string): WeeklyColumn[] => [
  { title: 'Week of', kind: 'date', width: 12, value: () => monday },
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
  handle(contract.getWeeklyReport, async ({ db, user, query: { Week, page, pageSize, ...filter } }) => {
    const Monday = mondayFor(Week, user.TimeZone)
    const Total = await countWeekly(db, filter.search)
    const Items = await listWeekly(db, Monday, filter, { limit: pageSize, offset: (page - 1) * pageSize })
    return { Items, Total, Page: page, PageSize: pageSize, Monday }
  }),

  handle(contract.exportWeeklyReport, async ({ db, user, query: { Week, Format, ...filter } }) => {
    const monday = mondayFor(Week, user.TimeZone)
    const rows = await listWeekly(db, monday, filter)
    return tableFile(Format, `Weekly report ${monday}`, exportColumns(monday), rows)
  }),
]
