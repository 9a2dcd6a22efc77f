import { graduateFailures } from '#contract/graduates/failures.ts'
import * as contract from '#contract/graduates/graduates.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { getProgramContext } from '../programs/context.queries.ts'
import { placementNames, reasonNames, resultNames } from './graduate-names.rules.ts'
import { addCohort, addGraduate, saveGraduate, setGraduateDeleted } from './graduates.commands.ts'
import { findGraduate, isAddedAgain, pageGraduates, streamGraduates } from './graduates.queries.ts'

const getGraduate = async (db: Db, programId: number, graduateId: number): Promise<contract.Graduate> => {
  const graduate = await findGraduate(db, programId, graduateId)
  if (!graduate) throw fail(graduateFailures.no_graduate)
  return graduate
}

/** Refuses graduations and exam results of days that have not come. */
const refuseFuture = async (
  db: Db,
  programId: number,
  person: Parameters<typeof contract.futureOf>[0],
): Promise<void> => {
  const { TimeZone } = await getProgramContext(db, programId)
  const [first] = contract.futureOf(person, todayIn(TimeZone))
  if (first) throw fail(graduateFailures.in_future, first[0])
}

const nameOf = ({ FirstName, LastName }: contract.Graduate): string => `${FirstName} ${LastName}`

const columns: readonly ExportColumn<contract.Graduate>[] = [
  { title: 'Last name', width: 22, value: (row) => row.LastName },
  { title: 'First name', width: 22, value: (row) => row.FirstName },
  { title: 'Student ID', kind: 'text', value: (row) => row.StudentNumber },
  { title: 'Cohort', kind: 'year', value: (row) => row.Cohort },
  { title: 'Entered', kind: 'date', value: (row) => row.EnteredOn },
  { title: 'Graduated', kind: 'date', value: (row) => row.GraduatedOn },
  { title: 'Withdrew', kind: 'date', value: (row) => row.WithdrewOn },
  {
    title: 'Reason',
    width: 20,
    value: (row) => (row.WithdrawalReason ? reasonNames[row.WithdrawalReason] : ''),
  },
  { title: 'Exam', value: (row) => row.Exam },
  { title: 'First attempt', kind: 'date', value: (row) => row.FirstAttemptOn },
  {
    title: 'First result',
    value: (row) => (row.FirstAttemptResult ? resultNames[row.FirstAttemptResult] : ''),
  },
  { title: 'Passed', kind: 'date', value: (row) => row.PassedOn },
  { title: 'High cut', kind: 'date', value: (row) => row.HighCutOn },
  { title: 'Placement', width: 28, value: (row) => (row.Placement ? placementNames[row.Placement] : '') },
  { title: 'Started work', kind: 'date', value: (row) => row.StartedWorkOn },
  { title: 'Notes', width: 40, value: (row) => row.Notes },
]

export const graduateRoutes = [
  handle(contract.listGraduates, ({ db, params, query }) => pageGraduates(db, params.programId, query)),

  handle(contract.exportGraduates, async ({ db, params, query: { Format, ...filter } }) =>
    tableFile(Format, 'Graduates', columns, streamGraduates(db, params.programId, filter)),
  ),

  handle(contract.getGraduate, ({ db, params }) => getGraduate(db, params.programId, params.graduateId)),

  handle(contract.createGraduate, async ({ db, params: { programId }, body, user }) => {
    await refuseFuture(db, programId, body)
    return getGraduate(db, programId, await addGraduate(db, programId, body, user.Id))
  }),

  handle(contract.addClass, async ({ db, params: { programId }, body, user, audit }) => {
    await refuseFuture(db, programId, {
      GraduatedOn: body.GraduatedOn,
      WithdrewOn: null,
      FirstAttemptOn: null,
      PassedOn: null,
      HighCutOn: null,
    })
    const { Added, Known } = await addCohort(db, programId, body, user.Id)
    if (Added + Known === 0) throw fail(graduateFailures.nobody_in_cohort, 'Cohort')
    audit.detail = { ...body, Added }
    return { Added, Known }
  }),

  handle(contract.updateGraduate, async ({ db, params: { programId, graduateId }, body, user, audit }) => {
    await refuseFuture(db, programId, body)
    audit.detail = { Before: await getGraduate(db, programId, graduateId), After: body }
    await saveGraduate(db, programId, graduateId, body, user.Id)
    return getGraduate(db, programId, graduateId)
  }),

  handle(contract.deleteGraduate, async ({ db, params: { programId, graduateId }, audit }) => {
    audit.detail = { Name: nameOf(await getGraduate(db, programId, graduateId)) }
    await setGraduateDeleted(db, programId, graduateId, true)
  }),

  handle(contract.restoreGraduate, async ({ db, params: { programId, graduateId }, audit }) => {
    if (await isAddedAgain(db, programId, graduateId)) throw fail(graduateFailures.added_again)
    if (!(await setGraduateDeleted(db, programId, graduateId, false)))
      throw fail(graduateFailures.no_graduate)
    const graduate = await getGraduate(db, programId, graduateId)
    audit.detail = { Name: nameOf(graduate) }
    return graduate
  }),
]
