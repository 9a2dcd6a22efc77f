import { addDays, formatDate } from '#contract/core/calendar.ts'
import { may } from '#contract/core/permissions.ts'
import * as contract from '#contract/requirements/matrix.ts'
import type { State } from '#contract/requirements/requirement-rules.ts'
import { findRequirementFault, findRequirementFaults } from '#contract/scheduling/requirement-fault.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, studentNumberColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { findStudentFacts, listAdvisedNeeds } from '../scheduling/placement.queries.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import {
  listColumns,
  listFirstDays,
  type MatrixFilter,
  type MatrixRequirement,
  pageMatrix,
} from './matrix.queries.ts'
import { readToday } from './proofs.queries.ts'

interface Asked {
  On?: string | undefined
  Show?: (typeof contract.matrixFilters)[number] | undefined
  RequirementId?: number | undefined
  StudentLevelIds: readonly number[]
  Cohort?: string | undefined
  search: string
}

const knowsAll = (user: User): boolean => may(user, 'requirements.review')

/** Whoever may only know whether something is met cannot ask for more by a filter. */
const filterOf = async (db: Db, programId: number, user: User, query: Asked): Promise<MatrixFilter> => ({
  programId,
  on: query.On ?? (await readToday(db, programId)),
  scope: siteScopeOf(user),
  Show: query.Show !== undefined && query.Show !== 'notReady' && !knowsAll(user) ? 'notReady' : query.Show,
  RequirementId: query.RequirementId,
  StudentLevelIds: query.StudentLevelIds,
  Cohort: query.Cohort,
  search: query.search,
})

const stateTexts: Record<State, string> = {
  missing: 'Missing',
  returned: 'Returned',
  expired: 'Expired',
  submitted: 'Submitted',
  expiring: 'Expiring',
  inProgress: 'In progress',
  accepted: 'Accepted',
  waived: 'Exempt',
  notDue: 'Not due',
}

/** 'Accepted, 11/30/2028' */
const cellText = (row: contract.MatrixRow, index: number, on: string, isMetOnly: boolean): string => {
  const state = contract.stateOfSign(row.States[index] ?? '-')
  if (!state) return ''
  if (isMetOnly) return state === 'accepted' ? 'Met' : 'Not met'
  const end = row.Ends.split(',')[index]
  return end ? `${stateTexts[state]}, ${formatDate(addDays(on, Number(end)))}` : stateTexts[state]
}

const columnsOf = (
  requirements: readonly MatrixRequirement[],
  { on, isMetOnly, numberOf }: { on: string; isMetOnly: boolean; numberOf: (studentId: number) => string },
): ExportColumn<contract.MatrixRow>[] => [
  { title: 'Student', width: 28, value: ({ Student }) => Student },
  { title: 'Student level', width: 16, value: ({ StudentLevel }) => StudentLevel },
  { title: 'Cohort', kind: 'year', width: 14, value: ({ Cohort }) => Cohort },
  ...requirements.map(({ Name }, index) => ({
    title: Name,
    width: 22,
    value: (row: contract.MatrixRow) => cellText(row, index, on, isMetOnly),
  })),
  {
    title: 'Not met at their sites',
    width: 32,
    value: ({ AtSites }) => AtSites.map(({ Name, Site }) => `${Name} (${Site})`).join('; '),
  },
  studentNumberColumn(({ Id }) => numberOf(Id)),
]

async function* allRows(db: Db, filter: MatrixFilter, columns: readonly MatrixRequirement[], all: boolean) {
  for (let after: string | undefined; ; ) {
    const { Rows, Next } = await pageMatrix(db, filter, columns, { after, size: 500, knowsAll: all })
    yield* Rows
    if (Next === null) return
    after = Next
  }
}

export const matrixRoutes = [
  handle(contract.getMatrix, async ({ db, params: { programId }, query, user }) => {
    const filter = await filterOf(db, programId, user, query)
    const columns = await listColumns(db, programId, query.RequirementId)
    const page = await pageMatrix(db, filter, columns, { after: query.After, knowsAll: knowsAll(user) })
    return {
      On: filter.on,
      Columns: columns.map(({ Id, Name, Kind, BlocksPlacement }) => ({ Id, Name, Kind, BlocksPlacement })),
      ...page,
    }
  }),

  handle(contract.exportMatrix, async ({ db, params: { programId }, query, user, audit }) => {
    const filter = await filterOf(db, programId, user, query)
    const columns = await listColumns(db, programId, query.RequirementId)
    audit.detail = { On: filter.on, Requirements: columns.length }
    return tableFile(
      query.Format,
      'requirements-by-student',
      columnsOf(columns, {
        on: filter.on,
        isMetOnly: !knowsAll(user),
        numberOf: await readStudentNumbers(db, programId),
      }),
      allRows(db, filter, columns, knowsAll(user)),
    )
  }),

  handle(contract.getForecast, async ({ db, params: { programId }, query }) => {
    const today = await readToday(db, programId)
    const firstDays = await listFirstDays(db, programId, today, query.RotationId)
    const studentIds = [...new Set(firstDays.map(({ StudentId }) => StudentId))]
    const facts = await findStudentFacts(db, programId, studentIds)
    const advised = await listAdvisedNeeds(db, programId, studentIds)
    const byId = new Map(facts.map((student) => [student.Id, student]))
    const groups = Map.groupBy(firstDays, ({ RotationId, SiteId }) => `${RotationId} ${SiteId}`)
    const Items = [...groups.values()].map((group): contract.ForecastRow => {
      const { RotationId, Rotation, SiteId, Site, Date: FirstDate } = group[0]!
      const open = group.flatMap(({ StudentId, Student, Date: date }) => {
        const student = byId.get(StudentId)
        const Missing = student && findRequirementFault(student, date, SiteId)
        return Missing ? [{ StudentId, Student, Date: date, Missing }] : []
      })
      const besides = group
        .map(({ StudentId, Date: date }) =>
          findRequirementFaults({ Requirements: advised.get(StudentId) ?? [] }, date, SiteId),
        )
        .filter((faults) => faults.length > 0)
      return {
        RotationId,
        Rotation,
        SiteId,
        Site,
        FirstDate,
        Students: group.length,
        Ready: group.length - open.length,
        Open: open.slice(0, 10),
        Advised: {
          Students: besides.length,
          Names: [...new Set(besides.flat().map(({ Name }) => Name))].toSorted(),
        },
      }
    })
    return { Items }
  }),
]
