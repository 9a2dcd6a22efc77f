import * as contract from '#contract/employment.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/handle.ts'
import type { User } from '#server/core/session.ts'
import { tableFile } from '#server/core/table.ts'
import {
  countPlacement,
  findEmployment,
  pageEmployment,
  saveEmployment,
  streamEmployment,
} from './employment.queries.ts'
import { placementOf } from './employment.rules.ts'

const own = async (db: Db, user: User) => ({
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

const number = (title: string) => ({ title, kind: 'number' as const })
const cohortColumns = [
  { title: 'Cohort', width: 20 },
  number('Graduates'),
  ...contract.employmentStatuses.map((status) => number(statusNames[status])),
  number('No answer'),
  number('Placement rate %'),
]
const personColumns = [
  { title: 'Name', width: 30 },
  { title: 'Email', width: 30 },
  { title: 'Cohort' },
  { title: 'Status', width: 24 },
  { title: 'Employer', width: 30 },
  { title: 'Position', width: 26 },
  { title: 'Start' },
  { title: 'Credential', width: 20 },
  { title: 'May be contacted' },
  { title: 'Told on' },
]

const figures = (row: contract.PlacementTotals) => [
  row.Graduates,
  row.Field,
  row.Other,
  row.Seeking,
  row.Education,
  row.Military,
  row.NotSeeking,
  row.Unknown,
  row.Rate,
]

async function* cohortRows(db: Db, programId: number) {
  const { Rows, Totals } = placementOf(await countPlacement(db, programId))
  for (const row of Rows) yield [row.Cohort || 'No cohort', ...figures(row)]
  yield ['All', ...figures(Totals)]
}

async function* personRows(db: Db, programId: number, filter: contract.EmploymentFilter) {
  for await (const row of streamEmployment(db, programId, filter)) {
    yield [
      row.Name,
      row.EmailAddress,
      row.Cohort,
      row.Status ? statusNames[row.Status] : '',
      row.Employer,
      row.Position,
      row.StartDate,
      row.Credential,
      row.MayContact ? 'Yes' : 'No',
      row.UpdatedOn,
    ]
  }
}

export const employmentRoutes = [
  handle(contract.getOwnEmployment, ({ db, user }) => own(db, user)),

  handle(contract.saveOwnEmployment, async ({ db, user, body, audit }) => {
    audit.subjectId = user.Id
    await saveEmployment(db, user.ProgramId!, user.Id, body)
    return own(db, user)
  }),

  handle(contract.listPlacementRates, async ({ db, params: { programId } }) =>
    placementOf(await countPlacement(db, programId)),
  ),

  handle(contract.listEmployment, ({ db, params: { programId }, query }) =>
    pageEmployment(db, programId, query),
  ),

  handle(contract.exportEmployment, async ({ db, params: { programId }, query }) => {
    const { Format, By, ...filter } = query
    return By === 'cohort'
      ? tableFile(Format, 'Placement rates', cohortColumns, cohortRows(db, programId))
      : tableFile(Format, 'Employment', personColumns, personRows(db, programId, filter))
  }),
]
