import { datesBetween, daysBetween } from '#contract/core/calendar.ts'
import { listedName } from '#contract/people/person-fields.ts'
import * as contract from '#contract/scheduling/schedule-grid.ts'
import { type Conflict, findConflicts, type Placement } from '#contract/scheduling/scheduling-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { type SiteScope, siteScopeOf } from '../sites/scope.queries.ts'
import {
  getPlacingProgram,
  listDaysOffBetween,
  loadFactsOf,
  type PlacingProgram,
} from './placement.queries.ts'
import {
  countGridStudents,
  findConflictStudents,
  findGridStudents,
  findVisibleSites,
  type GridFilters,
  type GridShift,
  type GridStudent,
  listAllAgreements,
  listCountedShifts,
  listGridShifts,
  pageGridStudents,
} from './schedule-grid.queries.ts'
import { listBrokenDays, sumCapacity, unpackCells } from './schedule-grid.rules.ts'

interface Picture {
  /** In the order of their codes. */
  shifts: GridShift[]
  cells: (Placement & { Id: number })[]
  /** Of what is shown. */
  conflicts: Conflict[]
}

/** What is shown of the students, and what of it is in conflict with a rule of today. */
const drawPicture = async (
  db: Db,
  programId: number,
  program: PlacingProgram,
  scope: SiteScope,
  filters: GridFilters,
  students: readonly GridStudent[],
): Promise<Picture> => {
  const { FromDate, ThroughDate, RotationId, SiteId, AreaId } = filters
  const placements = unpackCells(students, FromDate)
  const facts = await loadFactsOf(db, programId, program, placements, FromDate, ThroughDate)
  const shownShifts = placements.filter(
    ({ SiteShiftId, RotationId: rotationId }) =>
      facts.Shifts.has(SiteShiftId) && facts.Rotations.has(rotationId),
  )
  // Whoever has left is shown with what was, and held to no rule any longer.
  const known = shownShifts.filter(({ StudentId }) => facts.Students.has(StudentId))
  const shifts = await listGridShifts(db, programId, [...facts.Shifts.keys()])
  const shiftById = new Map(shifts.map((shift) => [shift.Id, shift]))
  const sites = await findVisibleSites(db, programId, scope)
  const cells = shownShifts.filter((placement) => {
    // A shift that is known was read.
    const shift = shiftById.get(placement.SiteShiftId)!
    return (
      placement.Date >= FromDate &&
      placement.Date <= ThroughDate &&
      (!RotationId || placement.RotationId === RotationId) &&
      (!SiteId || shift.SiteId === SiteId) &&
      (!AreaId || shift.AreaId === AreaId) &&
      (!sites || sites.has(shift.SiteId))
    )
  })
  const shown = new Set(cells.map(({ Id }) => Id))
  return {
    shifts,
    cells,
    conflicts: findConflicts(known, facts).filter(({ AssignmentId }) => shown.has(AssignmentId)),
  }
}

export const scheduleGridRoutes = [
  handle(contract.getScheduleDays, async ({ db, params: { programId }, query, user }) => {
    const scope = siteScopeOf(user)
    const { FromDate, ThroughDate } = query
    const shifts = await listCountedShifts(db, programId, scope, query)
    return {
      StudentCount: await countGridStudents(db, programId, scope, query),
      Capacity: sumCapacity(shifts, datesBetween(FromDate, ThroughDate)),
      DaysOff: await listDaysOffBetween(db, programId, FromDate, ThroughDate),
    }
  }),

  handle(contract.getScheduleGrid, async ({ db, params: { programId }, query, user }) => {
    const { FromDate, ThroughDate } = query
    const scope = siteScopeOf(user)
    const program = await getPlacingProgram(db, programId)
    const students = await pageGridStudents(db, programId, scope, query)
    const { shifts, cells, conflicts } = await drawPicture(db, programId, program, scope, query, students)
    const studentAt = new Map(students.map(({ Id }, index) => [Id, index]))
    const shiftAt = new Map(shifts.map(({ Id }, index) => [Id, index]))
    return {
      FromDate,
      ThroughDate,
      Students: {
        Id: students.map(({ Id }) => Id),
        LastName: students.map(({ LastName }) => LastName),
        FirstName: students.map(({ FirstName }) => FirstName),
        StudentLevelId: students.map(({ StudentLevelId }) => StudentLevelId),
      },
      Shifts: {
        Id: shifts.map(({ Id }) => Id),
        Code: shifts.map(({ Code }) => Code),
        Type: shifts.map(({ Type }) => Type),
        SiteId: shifts.map(({ SiteId }) => SiteId),
        Site: shifts.map(({ Site }) => Site),
        SiteCode: shifts.map(({ SiteCode }) => SiteCode),
        StartTime: shifts.map(({ StartTime }) => StartTime),
        EndTime: shifts.map(({ EndTime }) => EndTime),
      },
      Cells: {
        Id: cells.map(({ Id }) => Id),
        Student: cells.map(({ StudentId }) => studentAt.get(StudentId)!),
        Day: cells.map(({ Date: date }) => daysBetween(FromDate, date)),
        Shift: cells.map(({ SiteShiftId }) => shiftAt.get(SiteShiftId)!),
        Minutes: cells.map(({ StartsAt, EndsAt }) => Math.round((EndsAt - StartsAt) / 60_000)),
      },
      Conflicts: conflicts,
    }
  }),

  handle(contract.listScheduleConflicts, async ({ db, params: { programId }, query, user }) => {
    const { FromDate, ThroughDate } = query
    const scope = siteScopeOf(user)
    const program = await getPlacingProgram(db, programId)
    const dayFacts = {
      ...program,
      DaysOff: await listDaysOffBetween(db, programId, FromDate, ThroughDate),
      Agreements: await listAllAgreements(db, programId),
    }
    const shifts = await listCountedShifts(db, programId, scope, query)
    const brokenDays = listBrokenDays(shifts, datesBetween(FromDate, ThroughDate), dayFacts)
    const ids = await findConflictStudents(db, programId, program, query, brokenDays)
    const students = ids.length === 0 ? [] : await findGridStudents(db, programId, scope, query, ids)
    const { conflicts } = await drawPicture(db, programId, program, scope, query, students)
    const byId = new Map(students.map((student) => [student.Id, student]))
    const inOrder = conflicts.toSorted((a, b) => a.Strictness.localeCompare(b.Strictness))
    return {
      Count: conflicts.length,
      Items: inOrder.slice(0, contract.maxListedConflicts).map((conflict) => {
        // Conflicts are found among these students only.
        const { LastName, FirstName, Row } = byId.get(conflict.StudentId)!
        return { ...conflict, Student: listedName({ FirstName, LastName }), Row }
      }),
    }
  }),
]
