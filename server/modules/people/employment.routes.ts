import * as contract from '#contract/people/employment.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, studentNumberColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { getProgramContext } from '../programs/context.queries.ts'
import { saveEmployment } from './employment.commands.ts'
import { findEmployment, pageEmployment, streamEmployment } from './employment.queries.ts'
import { readPlacementPeople, readPlacementRates } from './employment.service.ts'

const own = async (db: Db, user: User) => ({
  // Students and alumni always belong to a program.
  Employment: (await findEmployment(db, user.ProgramId!, user.Id)) ?? null,
})

const statusNames: Record<contract.EmploymentStatus, string> = {
  field: 'Working in the field',
  other: 'Working in another field',
  seeking: 'Looking for work',
  education: 'Further education',
  military: 'Military service',
  notSeeking: 'Not looking for work',
}

type CohortRow = contract.PlacementTotals & { Name: string }
const number = (title: string, value: (row: CohortRow) => number | null): ExportColumn<CohortRow> => ({
  title,
  kind: 'number',
  value,
})
const cohortColumns: readonly ExportColumn<CohortRow>[] = [
  { title: 'Cohort', kind: 'year', width: 20, value: (row) => row.Name },
  number('Graduates', (row) => row.Graduates),
  number(statusNames.field, (row) => row.Field),
  number(statusNames.other, (row) => row.Other),
  number(statusNames.seeking, (row) => row.Seeking),
  number(statusNames.education, (row) => row.Education),
  number(statusNames.military, (row) => row.Military),
  number(statusNames.notSeeking, (row) => row.NotSeeking),
  number('No answer', (row) => row.Unknown),
  number('Placement rate %', (row) => row.Rate),
]
const personColumns: readonly ExportColumn<contract.EmploymentRow>[] = [
  { title: 'Name', width: 30, value: (row) => row.Name },
  { title: 'Email', width: 30, value: (row) => row.EmailAddress },
  { title: 'Cohort', kind: 'year', value: (row) => row.Cohort },
  { title: 'Status', width: 24, value: (row) => (row.Status ? statusNames[row.Status] : '') },
  { title: 'Employer', width: 30, value: (row) => row.Employer },
  { title: 'Position', width: 26, value: (row) => row.Position },
  { title: 'Start', kind: 'date', value: (row) => row.StartDate },
  { title: 'Credential', width: 20, value: (row) => row.Credential },
  { title: 'May be contacted', value: (row) => (row.MayContact ? 'Yes' : 'No') },
  { title: 'Told on', kind: 'date', value: (row) => row.UpdatedOn },
]

const readRates = async (db: Db, programId: number) => {
  const { TimeZone } = await getProgramContext(db, programId)
  return readPlacementRates(db, programId, todayIn(TimeZone))
}

const listCohorts = async (db: Db, programId: number): Promise<CohortRow[]> => {
  const { Rows, Totals } = await readRates(db, programId)
  return [...Rows.map((row) => ({ ...row, Name: row.Cohort || 'No cohort' })), { ...Totals, Name: 'All' }]
}

export const employmentRoutes = [
  handle(contract.getOwnEmployment, ({ db, user }) => own(db, user)),

  handle(contract.saveOwnEmployment, async ({ db, user, body, audit }) => {
    audit.subjectId = user.Id
    // Students and alumni always belong to a program.
    await saveEmployment(db, user.ProgramId!, user.Id, body)
    return own(db, user)
  }),

  handle(contract.listPlacementRates, async ({ db, params: { programId } }) => {
    const { Measure, ...rates } = await readRates(db, programId)
    const { Kind, Success, Population, WithinMonths } = Measure
    // The program's measure of this kind has these choices alone.
    return { ...rates, Measure: { Kind, Success, Population, WithinMonths } as contract.PlacementMeasure }
  }),

  handle(contract.listPlacementPeople, async ({ db, params: { programId }, query }) => {
    const { TimeZone } = await getProgramContext(db, programId)
    return readPlacementPeople(db, programId, { today: todayIn(TimeZone), cohort: query.Cohort })
  }),

  handle(contract.listEmployment, ({ db, params: { programId }, query }) =>
    pageEmployment(db, programId, query),
  ),

  handle(contract.exportEmployment, async ({ db, params: { programId }, query }) => {
    const { Format, By, ...filter } = query
    if (By === 'cohort')
      return tableFile(Format, 'Placement rates', cohortColumns, await listCohorts(db, programId))
    const numberOf = await readStudentNumbers(db, programId)
    const own = studentNumberColumn<contract.EmploymentRow>(({ UserId }) => numberOf(UserId))
    return tableFile(Format, 'Employment', [...personColumns, own], streamEmployment(db, programId, filter))
  }),
]
