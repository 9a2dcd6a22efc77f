import { addDays, mondayOf } from '#contract/calendar.ts'
import * as contract from '#contract/weekly-reports.ts'
import { handle } from '#server/core/handle.ts'
import { tableFile } from '#server/core/table.ts'
import { todayIn } from '#server/core/today.ts'
import { countWeekly, listWeekly } from './weekly.queries.ts'

/** The Monday of the wanted week, or of the week before this one. */
const mondayFor = (week: string | undefined, timeZone: string): string =>
  mondayOf(week ?? addDays(todayIn(timeZone), -7))

const figure = (title: string) => ({ title, kind: 'number' as const, width: 16 })
const exportColumns = [
  { title: 'Week of', kind: 'date' as const, width: 12 },
  { title: 'College', width: 34 },
  { title: 'Program', width: 30 },
  figure('People active'),
  figure('Sign-ins'),
  figure('Hours recorded'),
  figure('Hours approved'),
  figure('Waiting approvals'),
  figure('Evaluations completed'),
  figure('Evaluations late'),
]

const hoursOf = (minutes: number): number => Math.round(minutes / 6) / 10

async function* exportRows(monday: string, rows: readonly contract.WeeklyFigures[]) {
  for (const row of rows)
    yield [
      monday,
      row.College,
      row.Program,
      row.ActivePeople,
      row.SignIns,
      hoursOf(row.RecordedMinutes),
      hoursOf(row.ApprovedMinutes),
      row.Waiting,
      row.EvaluationsCompleted,
      row.EvaluationsLate,
    ]
}

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
    return tableFile(Format, `Weekly report ${monday}`, exportColumns, exportRows(monday, rows))
  }),
]
