import { addDays, daysBetween, daysInMonth } from '#contract/core/calendar.ts'
import * as contract from '#contract/scheduling/planning.ts'
import { listSchedulingOptions } from '#contract/scheduling/scheduling-options.ts'
import {
  dateText,
  dayKey,
  findConflicts,
  findRequirementFault,
  findRotationDayFault,
  findShiftDayFault,
  type PlacementRule,
  strictnessOf,
} from '#contract/scheduling/scheduling-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { notFound } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import { listOptions } from './options.queries.ts'
import {
  findRotationFacts,
  findStudentFacts,
  getPlacingProgram,
  type LoadedFacts,
  listDaysOffBetween,
  listPlacements,
  loadFacts,
  loadFactsOf,
  type PlacingProgram,
} from './placement.queries.ts'
import {
  listAssigned,
  listDayCapacity,
  listGridShifts,
  listGridStudents,
  listPlanStudents,
} from './planning.queries.ts'

/** Every date of a stretch, in order. */
const datesBetween = (from: string, through: string): string[] => {
  const dates: string[] = []
  for (let date = from; date <= through; date = addDays(date, 1)) dates.push(date)
  return dates
}

const datesOfMonth = (month: string): string[] => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return datesBetween(`${month}-01`, `${month}-${daysInMonth(year, number)}`)
}

interface PlanDay {
  Date: string
  Placed: number
  Capacity: number
  State: contract.DayState
  Message: string | null
  IsBlocked: boolean
}

/** What a day of the shift says before any student is chosen. */
const planDay = (date: string, rotationId: number, siteShiftId: number, facts: LoadedFacts): PlanDay => {
  const shift = facts.Shifts.get(siteShiftId)!
  const rotation = facts.Rotations.get(rotationId)!
  const { Placed, Capacity } = facts.Taken.get(dayKey(siteShiftId, date)) ?? {
    Placed: 0,
    Capacity: shift.Capacity,
  }
  const off = facts.DaysOff.find(({ StartDate, EndDate }) => date >= StartDate && date <= EndDate)
  const shiftFault = findShiftDayFault(shift, date)
  const isOutside =
    (facts.ActiveFrom && date < facts.ActiveFrom) || (facts.ActiveThrough && date > facts.ActiveThrough)
  const faults: [PlacementRule & contract.DayState, string | undefined | false | null | ''][] = [
    ['rotation_dates', findRotationDayFault(rotation, date)],
    [shiftFault?.Rule ?? 'shift_dates', shiftFault?.Message],
    [
      'program_dates',
      isOutside &&
        `The program runs ${facts.ActiveFrom ? `from ${dateText(facts.ActiveFrom)}` : ''} ${facts.ActiveThrough ? `through ${dateText(facts.ActiveThrough)}` : ''}`.trim(),
    ],
    ['day_off', off?.Name],
  ]
  for (const [rule, message] of faults) {
    const strictness = strictnessOf(facts.Options, rule)
    if (message && strictness !== 'off')
      return {
        Date: date,
        Placed,
        Capacity,
        State: rule,
        Message: message,
        IsBlocked: strictness === 'block',
      }
  }
  const isFull = Placed >= Capacity
  return {
    Date: date,
    Placed,
    Capacity,
    State: isFull ? 'full' : 'open',
    Message: isFull ? `${Placed} of ${Capacity} places are taken` : null,
    IsBlocked: isFull,
  }
}

/** The students of the rotation, each with what keeps her out today. */
const planStudents = async (db: Db, programId: number, program: PlacingProgram, rotationId: number) => {
  const [rotation] = await findRotationFacts(db, programId, [rotationId])
  if (!rotation) throw notFound('The rotation')
  const students = await listPlanStudents(db, programId, rotation, {
    areAllShown: program.Options.RotationLevelRule !== 'block',
  })
  const facts = await findStudentFacts(
    db,
    programId,
    students.map(({ Id }) => Id),
  )
  const today = todayIn(program.TimeZone)
  const faults = new Map(facts.map((student) => [student.Id, findRequirementFault(student, today)]))
  const blocks = program.Options.ComplianceRule === 'block'
  return students.map((student) => ({
    ...student,
    Refusal: (blocks && faults.get(student.Id)) || null,
  }))
}

export const planningRoutes = [
  handle(listSchedulingOptions, ({ db, params, query, user }) =>
    listOptions(db, params.programId, siteScopeOf(user), query),
  ),

  handle(contract.getPlacementPlan, async ({ db, params: { programId }, query }) => {
    const program = await getPlacingProgram(db, programId)
    const dates = datesOfMonth(query.Month)
    const Students = await planStudents(db, programId, program, query.RotationId)
    const assigned = await listAssigned(db, programId, query.RotationId, dates[0]!, dates.at(-1)!)
    const { SiteShiftId } = query
    let Days: PlanDay[] = []
    if (SiteShiftId) {
      const facts = await loadFacts(
        db,
        programId,
        program,
        { rotationIds: [query.RotationId], siteShiftIds: [SiteShiftId], studentIds: [], dates },
        { isLocking: false },
      )
      if (!facts.Shifts.has(SiteShiftId)) throw notFound('The shift')
      Days = dates.map((date) => planDay(date, query.RotationId, SiteShiftId, facts))
    }
    return {
      Days,
      Students,
      Assigned: {
        Ids: assigned.map(({ Id }) => Id),
        StudentIds: assigned.map(({ StudentId }) => StudentId),
        SiteShiftIds: assigned.map(({ SiteShiftId: id }) => id),
        Dates: assigned.map(({ Date: date }) => date),
      },
    }
  }),

  handle(contract.getScheduleGrid, async ({ db, params: { programId }, query, user }) => {
    const scope = siteScopeOf(user)
    const program = await getPlacingProgram(db, programId)
    const students = await listGridStudents(db, programId, scope, query)
    const placements = await listPlacements(
      db,
      programId,
      students.map(({ Id }) => Id),
      query.FromDate,
      query.ThroughDate,
    )
    const facts = await loadFactsOf(db, programId, program, placements, query.FromDate, query.ThroughDate)
    const known = placements.filter(
      ({ SiteShiftId, RotationId, StudentId }) =>
        facts.Shifts.has(SiteShiftId) && facts.Rotations.has(RotationId) && facts.Students.has(StudentId),
    )
    const shifts = await listGridShifts(db, programId, [...facts.Shifts.keys()])
    const sites = await visibleSites(db, programId, scope.supervisorId)
    const studentAt = new Map(students.map(({ Id }, index) => [Id, index]))
    const shiftAt = new Map(shifts.map(({ Id }, index) => [Id, index]))
    const cells = known.filter(({ Date: date, RotationId, SiteShiftId }) => {
      const shift = shifts[shiftAt.get(SiteShiftId)!]!
      return (
        date >= query.FromDate &&
        date <= query.ThroughDate &&
        (!query.RotationId || RotationId === query.RotationId) &&
        (!query.SiteId || shift.SiteId === query.SiteId) &&
        (!query.AreaId || shift.AreaId === query.AreaId) &&
        (!sites || sites.has(shift.SiteId))
      )
    })
    const shown = new Set(cells.map(({ Id }) => Id))
    const capacity = await listDayCapacity(db, programId, scope, query)
    return {
      FromDate: query.FromDate,
      ThroughDate: query.ThroughDate,
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
        Day: cells.map(({ Date: date }) => daysBetween(query.FromDate, date)),
        Shift: cells.map(({ SiteShiftId }) => shiftAt.get(SiteShiftId)!),
        Minutes: cells.map(({ StartsAt, EndsAt }) => Math.round((EndsAt - StartsAt) / 60_000)),
      },
      Capacity: {
        Placed: capacity.map(({ Placed }) => Placed),
        Places: capacity.map(({ Places }) => Places),
      },
      DaysOff: await listDaysOffBetween(db, programId, query.FromDate, query.ThroughDate),
      Conflicts: findConflicts(known, facts).filter(({ AssignmentId }) => shown.has(AssignmentId)),
    }
  }),
]

/** The sites of a supervisor; undefined for staff, who see them all. */
const visibleSites = async (
  db: Db,
  programId: number,
  supervisorId: number | null,
): Promise<Set<number> | undefined> => {
  if (supervisorId === null) return undefined
  const rows = await db
    .selectFrom('supervisor_site')
    .select('site_id')
    .where('program_id', '=', programId)
    .where('account_id', '=', supervisorId)
    .execute()
  return new Set(rows.map(({ site_id }) => site_id))
}
