import { datesBetween, daysInMonth, formatDate } from '#contract/core/calendar.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import * as contract from '#contract/scheduling/planning.ts'
import { findRequirementFault } from '#contract/scheduling/requirement-fault.ts'
import { listSchedulingOptions } from '#contract/scheduling/scheduling-options.ts'
import {
  dayKey,
  findRotationDayFault,
  findShiftDayFault,
  type PlacementRule,
  strictnessOf,
} from '#contract/scheduling/scheduling-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import { listOptions } from './options.queries.ts'
import {
  findRotationFacts,
  findStudentFacts,
  getPlacingProgram,
  type LoadedFacts,
  loadFacts,
  type PlacingProgram,
} from './placement.queries.ts'
import { listAssigned, listPlanStudents } from './planning.queries.ts'

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
        `The program runs ${facts.ActiveFrom ? `from ${formatDate(facts.ActiveFrom)}` : ''} ${facts.ActiveThrough ? `through ${formatDate(facts.ActiveThrough)}` : ''}`.trim(),
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

/** The students of the rotation, each with what keeps them out today. */
const planStudents = async (db: Db, programId: number, program: PlacingProgram, rotationId: number) => {
  const [rotation] = await findRotationFacts(db, programId, [rotationId])
  if (!rotation) throw fail(schedulingFailures.no_chosen_rotation)
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
      if (!facts.Shifts.has(SiteShiftId)) throw fail(schedulingFailures.no_chosen_shift)
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
]
