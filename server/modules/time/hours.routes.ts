import { readOptions } from '#contract/program-options.ts'
import type { HoursRow } from '#contract/time.ts'
import * as contract from '#contract/time.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/handle.ts'
import { tableFile } from '#server/core/table.ts'
import { readHours, readHoursFrame, sortHours } from './hours.queries.ts'
import { hoursOf } from './projection.rules.ts'

const areMadeUp = async (db: Db, programId: number): Promise<boolean> => {
  const { options } = await db
    .selectFrom('program')
    .select('options')
    .where('id', '=', programId)
    .executeTakeFirstOrThrow()
  return readOptions(options).AbsencesAreMadeUp
}

const number = (title: string) => ({ title, kind: 'number' as const })

const exportColumns = [
  { title: 'Student', width: 28 },
  { title: 'Student level', width: 18 },
  number('Approved'),
  number('Pending'),
  number('Makeup owed'),
  number('Target'),
  number('Earned so far'),
  number('Assigned until the end'),
  number('Usual absence'),
  number('Makeup planned'),
  number('Projection'),
  number('Difference'),
]

async function* exportRows(rows: readonly HoursRow[]) {
  for (const row of rows) {
    yield [
      row.Student,
      row.StudentLevel,
      hoursOf(row.Approved),
      hoursOf(row.Pending),
      hoursOf(row.Makeup),
      hoursOf(row.Target),
      hoursOf(row.Parts.Earned),
      hoursOf(row.Parts.Assigned),
      hoursOf(row.Parts.UsualAbsence),
      hoursOf(row.Parts.MakeupPlanned),
      hoursOf(row.Projection),
      hoursOf(row.Difference),
    ]
  }
}

const sum = (rows: readonly HoursRow[], field: 'Approved' | 'Pending' | 'Makeup' | 'Target'): number =>
  rows.reduce((total, row) => total + row[field], 0)

export const hoursRoutes = [
  handle(contract.getHoursSummary, async ({ db, params: { programId }, query, user }) => {
    const { page, pageSize, sort, ...filter } = query
    const rows = await readHours(db, programId, user.Id, filter, await areMadeUp(db, programId))
    const sorted = sortHours(rows, sort)
    return {
      Items: sorted.slice((page - 1) * pageSize, page * pageSize),
      Total: rows.length,
      Page: page,
      PageSize: pageSize,
      Totals: {
        Approved: sum(rows, 'Approved'),
        Pending: sum(rows, 'Pending'),
        Makeup: sum(rows, 'Makeup'),
        Target: sum(rows, 'Target'),
        Finish: rows.filter(({ Difference }) => Difference >= 0).length,
      },
      Projections: rows.map(({ Projection }) => Projection).toSorted((one, other) => one - other),
      ...(await readHoursFrame(db, programId, user.Id, filter)),
    }
  }),

  handle(contract.exportHoursSummary, async ({ db, params: { programId }, query, user }) => {
    const { Format, sort, ...filter } = query
    const rows = await readHours(db, programId, user.Id, filter, await areMadeUp(db, programId))
    return tableFile(Format, 'Hours summary', exportColumns, exportRows(sortHours(rows, sort)))
  }),
]
