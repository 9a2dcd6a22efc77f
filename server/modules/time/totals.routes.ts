import * as contract from '#contract/time/time-summaries.ts'
import { type ExportColumn, hoursColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { readTimeTotals } from './totals.queries.ts'

const kindNames: Record<string, string> = {
  out: 'Clocked',
  exception: 'Time exception',
  absence: 'Absence',
  makeup: 'Makeup',
}

type TotalColumn = ExportColumn<contract.TimeTotal>
const number = (title: string, value: TotalColumn['value']): TotalColumn => ({ title, kind: 'number', value })
const hours = hoursColumns<contract.TimeTotal>

const exportColumns: readonly TotalColumn[] = [
  { title: 'Name', width: 34, value: (row) => kindNames[row.Name] ?? (row.Name || '–') },
  number('Students', (row) => row.Students),
  number('Records', (row) => row.Records),
  ...hours('Approved', (row) => row.Approved),
  ...hours('Pending', (row) => row.Pending),
  ...hours('Absence', (row) => row.Absence),
  ...hours('Planned', (row) => row.Planned),
  ...hours('Target', (row) => row.Target),
]

export const totalRoutes = [
  handle(contract.getTimeSummaries, async ({ db, params: { programId }, query }) => {
    const { page, pageSize, sort, By, ...filter } = query
    const { rows, count, totals, weeks } = await readTimeTotals(db, programId, filter, {
      by: By,
      sort,
      page: { page, pageSize },
    })
    return {
      Items: rows,
      Total: count,
      Page: page,
      PageSize: pageSize,
      Totals: totals,
      Weeks: weeks,
    }
  }),

  handle(contract.exportTimeSummaries, async ({ db, params: { programId }, query }) => {
    const { Format, sort, By, ...filter } = query
    const { rows } = await readTimeTotals(db, programId, filter, { by: By, sort })
    return tableFile(Format, 'Time summaries', exportColumns, rows)
  }),
]
