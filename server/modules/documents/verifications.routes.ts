import { Level } from '#contract/levels.ts'
import * as contract from '#contract/verifications.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/handle.ts'
import { tableFile } from '#server/core/table.ts'
import { todayIn } from '#server/core/today.ts'
import {
  countVerifications,
  listVerificationRows,
  pageVerificationRows,
  pageVerifiedStudents,
} from './verifications.queries.ts'

type Query = {
  Type: number
  Show?: contract.VerificationFilter | undefined
  StudentId?: number | undefined
  StudentLevelIds: number[]
  search: string
  sort: string
}

const queryOf = async (db: Db, programId: number, { Type, ...query }: Query) => {
  const { time_zone } = await db
    .selectFrom('program')
    .select('time_zone')
    .where('id', '=', programId)
    .executeTakeFirstOrThrow()
  return { ...query, programId, type: Type, today: todayIn(time_zone) }
}

const totalOf = (totals: contract.VerificationTotals, show: contract.VerificationFilter | undefined) => {
  const figures = {
    complete: totals.Complete,
    missing: totals.Missing,
    open: totals.Open,
    expired: totals.Expired,
    within60: totals.Within60,
    within30: totals.Within30,
    within7: totals.Within7,
  }
  return show ? figures[show] : totals.Complete + totals.Missing + totals.Open + totals.Expired
}

const stateWords: Record<contract.VerificationState, string> = {
  complete: 'Complete',
  expiring: 'Expiring',
  expired: 'Expired',
  missing: 'Missing',
  pending: 'Pending',
  failed: 'Needs review',
  waived: 'Waived',
}
const day = (title: string) => ({ title, kind: 'date' as const, width: 12 })
const exportColumns = {
  1: [
    { title: 'Student', width: 28 },
    { title: 'Student level', width: 18 },
    { title: 'Vendor', width: 24 },
    { title: 'Package', width: 28 },
    day('Ordered'),
    day('Completed'),
    { title: 'Result', width: 20 },
    { title: 'Status', width: 14 },
    day('Expires'),
  ],
  2: [
    { title: 'Student', width: 28 },
    { title: 'Student level', width: 18 },
    { title: 'Requirement', width: 32 },
    { title: 'Vendor', width: 24 },
    { title: 'Status', width: 14 },
    { title: 'Result', width: 20 },
    day('Date'),
    day('Expires'),
  ],
} as const

async function* exportRows(type: number, rows: readonly contract.VerificationRow[]) {
  for (const row of rows) {
    const { Student, StudentLevel, Vendor, Item, Ordered, Completed, Result, Expires } = row
    const state = stateWords[row.State]
    yield type === 1
      ? [Student, StudentLevel, Vendor, Item, Ordered, Completed, Result, state, Expires]
      : [Student, StudentLevel, Item, Vendor, state, Result, Completed, Expires]
  }
}

export const verificationRoutes = [
  handle(contract.listVerifications, async ({ db, params, query: { page, pageSize, ...rest } }) => {
    const query = await queryOf(db, params.programId, rest)
    const Totals = await countVerifications(db, query)
    const Items = await pageVerificationRows(db, query, { page, pageSize })
    return { Items, Total: totalOf(Totals, query.Show), Page: page, PageSize: pageSize, Totals }
  }),

  handle(contract.listVerifiedStudents, async ({ db, params, query: { page, pageSize, ...rest } }) => {
    const query = await queryOf(db, params.programId, rest)
    const Totals = await countVerifications(db, query)
    const { Items, Total } = await pageVerifiedStudents(db, query, { page, pageSize })
    return { Items, Total, Page: page, PageSize: pageSize, Totals }
  }),

  handle(contract.exportVerifications, async ({ db, params, query: { Format, ...rest }, audit }) => {
    const query = await queryOf(db, params.programId, rest)
    const rows = await listVerificationRows(db, query)
    audit.detail = { Type: query.type, Rows: rows.length }
    const isChecks = query.type === 1
    return tableFile(
      Format,
      isChecks ? 'Background Check Summary' : 'Immunization Summary',
      exportColumns[isChecks ? 1 : 2],
      exportRows(query.type, rows),
    )
  }),

  // Whoever is no student has no record: there is nothing she would have to show.
  handle(contract.listOwnVerifications, async ({ db, user, query }) => {
    const scope = {
      programId: user.AccessLevel === Level.Student ? (user.ProgramId ?? 0) : 0,
      type: query.Type,
      today: todayIn(user.TimeZone),
      StudentId: user.Id,
    }
    return {
      Items: await listVerificationRows(db, { ...scope, sort: 'State' }),
      Totals: await countVerifications(db, scope),
    }
  }),
]
