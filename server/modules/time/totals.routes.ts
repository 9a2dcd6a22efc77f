import * as contract from '#contract/time-summaries.ts'
import { handle } from '#server/core/handle.ts'
import { tableFile } from '#server/core/table.ts'
import { hoursOf } from './projection.rules.ts'
import { readTimeTotals, sortTotals } from './totals.queries.ts'

const number = (title: string) => ({ title, kind: 'number' as const })

const exportColumns = [
  { title: 'Name', width: 34 },
  number('Students'),
  number('Records'),
  number('Approved'),
  number('Pending'),
  number('Absence'),
  number('Planned'),
  number('Target'),
]

const kindNames: Record<string, string> = {
  out: 'Clocked',
  exception: 'Time exception',
  absence: 'Absence',
  makeup: 'Makeup',
}

async function* exportRows(rows: readonly contract.TimeTotal[]) {
  const hours = (minutes: number | null) => (minutes === null ? null : hoursOf(minutes))
  for (const row of rows) {
    yield [
      kindNames[row.Name] ?? (row.Name || '–'),
      row.Students,
      row.Records,
      hours(row.Approved),
      hours(row.Pending),
      hours(row.Absence),
      hours(row.Planned),
      hours(row.Target),
    ]
  }
}

export const totalRoutes = [
  handle(contract.getTimeSummaries, async ({ db, params: { programId }, query }) => {
    const { page, pageSize, sort, By, ...filter } = query
    const { rows, totals, weeks } = await readTimeTotals(db, programId, filter, By)
    return {
      Items: sortTotals(rows, sort).slice((page - 1) * pageSize, page * pageSize),
      Total: rows.length,
      Page: page,
      PageSize: pageSize,
      Totals: totals,
      Weeks: weeks,
    }
  }),

  handle(contract.exportTimeSummaries, async ({ db, params: { programId }, query }) => {
    const { Format, sort, By, ...filter } = query
    const { rows } = await readTimeTotals(db, programId, filter, By)
    return tableFile(Format, 'Time summaries', exportColumns, exportRows(sortTotals(rows, sort)))
  }),
]
