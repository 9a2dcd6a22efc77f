import { Level } from '#contract/core/levels.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import {
  checkPlacement,
  dayKey,
  type Finding,
  type Placement,
  type PlacementVerdict,
  sharedKey,
} from '#contract/scheduling/scheduling-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import type { ShiftDay, WrittenPlacement } from './placement.commands.ts'
import { getPlacingProgram, type LoadedFacts, loadFacts, type PlacingProgram } from './placement.queries.ts'
import { shiftTimes } from './shift-times.rules.ts'

/** A request for a place; with an `Id` that assignment is to be changed. */
export interface PlacementRequest {
  Id?: number
  RotationId: number
  SiteShiftId: number
  StudentId: number
  Date: string
}

export interface Placing {
  programId: number
  program: PlacingProgram
  requests: readonly PlacementRequest[]
  /** Counters that also change: the days that changed assignments leave. */
  left?: readonly ShiftDay[]
}

/** The program's options, unless they keep the caller from editing. */
export const getEditableProgram = async (
  db: Db,
  programId: number,
  user: { AccessLevel: number },
): Promise<PlacingProgram> => {
  const program = await getPlacingProgram(db, programId)
  if (user.AccessLevel <= Level.Faculty && program.Options.DisableScheduleAssignmentsForFaculty)
    throw fail(schedulingFailures.disabled_for_faculty)
  return program
}

const distinct = (values: readonly number[]): number[] => [...new Set(values)].toSorted((a, b) => a - b)

export const wantedBy = (requests: readonly PlacementRequest[]) => ({
  rotationIds: distinct(requests.map(({ RotationId }) => RotationId)),
  siteShiftIds: distinct(requests.map(({ SiteShiftId }) => SiteShiftId)),
  studentIds: distinct(requests.map(({ StudentId }) => StudentId)),
  dates: [...new Set(requests.map(({ Date: date }) => date))],
})

/** Ids that name nothing in the program answer 404, exactly like those of another program. */
export const refuseUnknown = (
  facts: LoadedFacts,
  { rotationIds, siteShiftIds, studentIds }: ReturnType<typeof wantedBy>,
) => {
  if (rotationIds.some((id) => !facts.Rotations.has(id))) throw fail(schedulingFailures.no_chosen_rotation)
  if (siteShiftIds.some((id) => !facts.Shifts.has(id))) throw fail(schedulingFailures.no_chosen_shift)
  refuseMissing(peopleFailures.no_students, studentIds, facts.Students.keys())
}

/** Requests with their moments; a shift's moments on a day are worked out once. */
export const timed = (requests: readonly PlacementRequest[], facts: LoadedFacts): WrittenPlacement[] => {
  const known = new Map<string, { StartsAt: number; EndsAt: number }>()
  return requests.map((request) => {
    const shift = facts.Shifts.get(request.SiteShiftId)!
    const key = `${shift.Id} ${request.Date}`
    let times = known.get(key)
    if (!times) {
      times = shiftTimes(request.Date, shift.StartTime, shift.EndTime, shift.TimeZone)
      known.set(key, times)
    }
    return { ...request, ...times, SiteId: shift.SiteId }
  })
}

/** What the rules say now, without holding or changing anything. */
export const checkPlacing = async (
  db: Db,
  { programId, program, requests }: Placing,
): Promise<PlacementVerdict<Placement>> => {
  const wanted = wantedBy(requests)
  const facts = await loadFacts(db, programId, program, wanted, { isLocking: false })
  refuseUnknown(facts, wanted)
  return checkPlacement(timed(requests, facts), facts)
}

/** The first rule that keeps each request out, as if it were the only one; undefined where none does. Nothing is held or changed. */
export const checkEachPlacing = async (
  db: Db,
  { programId, program, requests }: Placing,
): Promise<(Finding | undefined)[]> => {
  if (requests.length === 0) return []
  const wanted = wantedBy(requests)
  const facts = await loadFacts(db, programId, program, wanted, { isLocking: false })
  refuseUnknown(facts, wanted)
  return timed(requests, facts).map((request) => checkPlacement([request], facts).Refused[0])
}

/** An assignment that goes from one student to another, as it is. */
export interface Handover extends PlacementRequest {
  Id: number
  /** Who has it now; `StudentId` gets it. */
  FromId: number
}

/** The facts as they are once the students have given their shifts, before they get others. */
export const withoutGiven = (facts: LoadedFacts, given: readonly Handover[]): LoadedFacts => {
  const ids = new Set(given.map(({ Id }) => Id))
  const people = new Set(given.flatMap(({ FromId, StudentId }) => [FromId, StudentId]))
  const Taken = new Map(facts.Taken)
  const Shared = new Map(facts.Shared)
  for (const { SiteShiftId, Date: date } of given) {
    const key = dayKey(SiteShiftId, date)
    const day = Taken.get(key)
    if (day) Taken.set(key, { ...day, Placed: day.Placed - 1 })
    const shared = sharedKey(facts.Shifts.get(SiteShiftId)?.SiteId ?? 0, date)
    const left = Shared.get(shared)
    if (left !== undefined) Shared.set(shared, left + 1)
  }
  return {
    ...facts,
    Taken,
    Shared,
    Placed: facts.Placed.filter(({ Id, StudentId }) => people.has(StudentId) && !(Id && ids.has(Id))),
  }
}

export const wantedByHandovers = (handovers: readonly Handover[]) => ({
  ...wantedBy(handovers),
  studentIds: distinct(handovers.flatMap(({ FromId, StudentId }) => [FromId, StudentId])),
})

export const refusalOf = (handovers: readonly Handover[], facts: LoadedFacts): Finding | undefined =>
  checkPlacement(
    timed(handovers, facts).map(({ Id: _, ...request }) => request),
    withoutGiven(facts, handovers),
  ).Refused[0]

/** Of each alternative the first rule that keeps it from happening; undefined where none does. Nothing is held or changed. */
export const checkHandovers = async (
  db: Db,
  { programId, program }: Pick<Placing, 'programId' | 'program'>,
  alternatives: readonly (readonly Handover[])[],
): Promise<(Finding | undefined)[]> => {
  const all = alternatives.flat()
  if (all.length === 0) return alternatives.map(() => undefined)
  const wanted = wantedByHandovers(all)
  const facts = await loadFacts(db, programId, program, wanted, { isLocking: false })
  refuseUnknown(facts, wanted)
  return alternatives.map((handovers) => refusalOf(handovers, facts))
}
