import * as contract from '#contract/scheduling/assignments.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type ExportColumn, studentNumberColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import {
  type ExportedAssignment,
  findAssignment,
  listAssignments,
  type Reader,
  streamAssignments,
} from './assignments.queries.ts'
import { lockDays, markRemoved } from './placement.commands.ts'
import { type AssignmentRow, findAssignments, lockStudents } from './placement.queries.ts'
import { placeAgain, placeNew } from './placing.commands.ts'
import { checkPlacing, getEditableProgram } from './placing.queries.ts'

interface Caller {
  Id: number
  AccessLevel: number
}

const readerOf = (programId: number, user: Caller): Reader => ({
  programId,
  accountId: user.Id,
  scope: siteScopeOf(user),
})

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** The assignments of the ids; those that are not there, or not the program's, are refused by their ids (404). */
const getAssignments = async (
  db: Db,
  programId: number,
  ids: readonly number[],
  state: { areRemoved?: boolean } = {},
): Promise<AssignmentRow[]> => {
  const found = await findAssignments(db, programId, ids, state)
  refuseMissing(
    schedulingFailures.no_shifts,
    ids,
    found.map(({ Id }) => Id),
  )
  return found
}

const daysOf = (rows: readonly AssignmentRow[]) =>
  rows.map(({ SiteShiftId, Date: date }) => ({ siteShiftId: SiteShiftId, date }))

const exportColumns: readonly ExportColumn<ExportedAssignment>[] = [
  { title: 'Rotation', width: 26, value: (row) => row.Rotation },
  { title: 'Date', kind: 'date', width: 12, value: (row) => row.Date },
  { title: 'Lastname', width: 20, value: (row) => row.LastName },
  { title: 'Firstname', width: 16, value: (row) => row.FirstName },
  { title: 'Area', width: 20, value: (row) => row.Area },
  { title: 'Site', width: 32, value: (row) => row.Site },
  { title: 'Site Code', width: 12, value: (row) => row.SiteCode },
  { title: 'Shift Code', width: 12, value: (row) => row.ShiftCode },
  { title: 'Shift Type', width: 12, value: (row) => row.ShiftType },
  { title: 'Record ID', kind: 'number', value: (row) => row.Id },
  studentNumberColumn((row) => row.StudentNumber),
]

const maxIdsInAudit = 200

export const assignmentRoutes = [
  handle(contract.listShiftAssignments, ({ db, params, query, user }) =>
    listAssignments(db, readerOf(params.programId, user), query),
  ),

  handle(contract.addShiftAssignments, async ({ db, params: { programId }, body, user, audit }) => {
    const program = await getEditableProgram(db, programId, user)
    const StudentIds = distinct(body.StudentIds)
    const Dates = distinct(body.Dates).toSorted()
    const requests = Dates.flatMap((date) =>
      StudentIds.map((studentId) => ({
        RotationId: body.RotationId,
        SiteShiftId: body.SiteShiftId,
        StudentId: studentId,
        Date: date,
      })),
    )
    const answer = await placeNew(db, { programId, program, requests }, user.Id, {
      isAllOrNothing: body.AllOrNothing,
    })
    audit.subjectIds = StudentIds
    audit.detail = {
      RotationId: body.RotationId,
      SiteShiftId: body.SiteShiftId,
      Students: StudentIds.length,
      Dates,
      Added: answer.Added,
      Refused: answer.Refused.length,
    }
    return answer
  }),

  handle(contract.checkShiftAssignments, async ({ db, params: { programId }, body, user }) => {
    const program = await getEditableProgram(db, programId, user)
    const StudentIds = distinct(body.StudentIds)
    const requests = distinct(body.Dates)
      .toSorted()
      .flatMap((date) =>
        StudentIds.map((studentId) => ({
          RotationId: body.RotationId,
          SiteShiftId: body.SiteShiftId,
          StudentId: studentId,
          Date: date,
        })),
      )
    const { Accepted, Refused, Warnings } = await checkPlacing(db, { programId, program, requests })
    return { Added: Accepted.length, Ids: [], Refused, Warnings }
  }),

  handle(contract.changeShiftAssignments, async ({ db, params: { programId }, body, user, audit }) => {
    const program = await getEditableProgram(db, programId, user)
    const known = await getAssignments(db, programId, body.Ids)
    await lockStudents(db, programId, distinct(known.map(({ StudentId }) => StudentId)))
    const before = await getAssignments(db, programId, body.Ids)
    const requests = before
      .filter(({ SiteShiftId }) => SiteShiftId !== body.SiteShiftId)
      .map((row) => ({ ...row, SiteShiftId: body.SiteShiftId }))
    if (requests.length === 0) return { Added: 0, Ids: [], Refused: [], Warnings: [] }
    const answer = await placeAgain(
      db,
      { programId, program, requests, left: daysOf(before) },
      { isAllOrNothing: body.AllOrNothing },
    )
    audit.subjectIds = distinct(requests.map(({ StudentId }) => StudentId))
    audit.detail = {
      SiteShiftId: body.SiteShiftId,
      Before: before.slice(0, maxIdsInAudit),
      Changed: answer.Added,
      Refused: answer.Refused.length,
    }
    return answer
  }),

  handle(
    contract.moveShiftAssignment,
    async ({ db, params: { programId, assignmentId }, body, user, audit }) => {
      const program = await getEditableProgram(db, programId, user)
      const [known] = await getAssignments(db, programId, [assignmentId])
      await lockStudents(
        db,
        programId,
        // An id that is not there was refused.
        distinct([known!.StudentId, body.StudentId]).toSorted((a, b) => a - b),
      )
      const [before] = await getAssignments(db, programId, [assignmentId])
      // An id that is not there was refused.
      const requests = [{ ...before!, StudentId: body.StudentId, Date: body.Date }]
      audit.subjectIds = distinct([before!.StudentId, body.StudentId])
      audit.detail = { Before: before, After: requests[0] }
      return placeAgain(
        db,
        // As above.
        { programId, program, requests, left: daysOf([before!]) },
        { isAllOrNothing: false },
      )
    },
  ),

  handle(contract.removeShiftAssignments, async ({ db, params: { programId }, body, user, audit }) => {
    await getEditableProgram(db, programId, user)
    const known = await getAssignments(db, programId, body.Ids)
    await lockStudents(db, programId, distinct(known.map(({ StudentId }) => StudentId)))
    await lockDays(db, programId, daysOf(await getAssignments(db, programId, body.Ids)))
    const Removed = await markRemoved(db, programId, user.Id, body.Ids)
    audit.subjectIds = distinct(known.map(({ StudentId }) => StudentId))
    audit.detail = { Removed, Before: known.slice(0, maxIdsInAudit) }
    return { Removed }
  }),

  handle(contract.restoreShiftAssignments, async ({ db, params: { programId }, body, user, audit }) => {
    const program = await getEditableProgram(db, programId, user)
    const requests = await getAssignments(db, programId, body.Ids, { areRemoved: true })
    const answer = await placeAgain(db, { programId, program, requests }, { isAllOrNothing: false })
    audit.subjectIds = distinct(requests.map(({ StudentId }) => StudentId))
    audit.detail = { AssignmentIds: answer.Ids.slice(0, maxIdsInAudit), Restored: answer.Added }
    return answer
  }),

  handle(contract.exportShiftAssignments, async ({ db, params, query, user }) => {
    const { Format, sort, ...filters } = query
    const found = streamAssignments(db, readerOf(params.programId, user), sort, filters)
    return tableFile(Format, `Schedule assignments ${todayIn(user.TimeZone)}`, exportColumns, found)
  }),

  handle(contract.getShiftAssignment, async ({ db, params, user }) => {
    const found = await findAssignment(db, readerOf(params.programId, user), params.assignmentId)
    if (!found) throw fail(schedulingFailures.no_assignment)
    return found
  }),
]
