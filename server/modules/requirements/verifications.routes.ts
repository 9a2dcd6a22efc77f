import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/requirements/verifications.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, recordColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { todayIn } from '#server/core/runtime/today.ts'
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
  const { time_zone, day } = await db
    .selectFrom('program')
    .leftJoin('verification_day', (join) =>
      join.onRef('verification_day.program_id', '=', 'program.id').on('verification_day.type', '=', Type),
    )
    .select(['time_zone', 'day'])
    .where('id', '=', programId)
    .executeTakeFirstOrThrow()
  const today = todayIn(time_zone)
  return {
    ...query,
    programId,
    type: Type,
    today,
    isKept: day === today && query.StudentId === undefined,
  }
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
type VerificationColumn = ExportColumn<contract.VerificationRow>
const date = (title: string, value: VerificationColumn['value']): VerificationColumn => ({
  title,
  kind: 'date',
  width: 12,
  value,
})
const student: VerificationColumn = { title: 'Student', width: 28, value: (row) => row.Student }
const level: VerificationColumn = { title: 'Student level', width: 18, value: (row) => row.StudentLevel }
const vendor: VerificationColumn = { title: 'Vendor', width: 24, value: (row) => row.Vendor }
const result: VerificationColumn = { title: 'Result', width: 20, value: (row) => row.Result }
const status: VerificationColumn = { title: 'Status', width: 14, value: (row) => stateWords[row.State] }
const expires = date('Expires', (row) => row.Expires)

const checkColumns: readonly VerificationColumn[] = [
  student,
  level,
  vendor,
  { title: 'Package', width: 28, value: (row) => row.Item },
  date('Ordered', (row) => row.Ordered),
  date('Completed', (row) => row.Completed),
  result,
  status,
  expires,
]
const immunizationColumns: readonly VerificationColumn[] = [
  student,
  level,
  { title: 'Requirement', width: 32, value: (row) => row.Item },
  vendor,
  status,
  result,
  date('Date', (row) => row.Completed),
  expires,
]

export const verificationRoutes = [
  handle(contract.listVerifications, async ({ db, params, query: { page, pageSize, ...rest } }) => {
    const query = await queryOf(db, params.programId, rest)
    const { Items, Totals } = await pageVerificationRows(db, query, { page, pageSize })
    return { Items, Total: totalOf(Totals, query.Show), Page: page, PageSize: pageSize, Totals }
  }),

  handle(contract.listVerifiedStudents, async ({ db, params, query: { page, pageSize, ...rest } }) => {
    const query = await queryOf(db, params.programId, rest)
    const found = await pageVerifiedStudents(db, query, { page, pageSize })
    return { ...found, Page: page, PageSize: pageSize }
  }),

  handle(contract.exportVerifications, async ({ db, params, query: { Format, ...rest }, audit }) => {
    const query = await queryOf(db, params.programId, rest)
    const rows = await listVerificationRows(db, query)
    audit.detail = { Type: query.type, Rows: rows.length }
    const [name, columns] =
      query.type === 1
        ? ['Background Check Summary', checkColumns]
        : ['Immunization Summary', immunizationColumns]
    const own = recordColumns(await readStudentNumbers(db, params.programId))
    return tableFile(Format, name, [...columns, ...own], rows)
  }),

  // Whoever is no student has no record: there is nothing they would have to show.
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
