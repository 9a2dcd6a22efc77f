import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { PlacementAnswer } from '#contract/scheduling/assignments.ts'
import {
  checkPlacement,
  dayKey,
  type Finding,
  type Placement,
  type PlacementVerdict,
  sharedKey,
} from '#contract/scheduling/scheduling-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { conflict, Failure, notFound, refuseMissing } from '#server/core/runtime/failure.ts'
import {
  getPlacingProgram,
  insertAssignments,
  type LoadedFacts,
  loadFacts,
  lockDays,
  lockStudents,
  type PlacingProgram,
  readSharedPlaces,
  rewriteAssignments,
  type ShiftDay,
  type WrittenPlacement,
} from './placement.queries.ts'
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
    throw new Failure(403, 'disabled_for_faculty', 'Add/Edit Disabled for faculty')
  return program
}

const distinct = (values: readonly number[]): number[] => [...new Set(values)].toSorted((a, b) => a - b)

const wantedBy = (requests: readonly PlacementRequest[]) => ({
  rotationIds: distinct(requests.map(({ RotationId }) => RotationId)),
  siteShiftIds: distinct(requests.map(({ SiteShiftId }) => SiteShiftId)),
  studentIds: distinct(requests.map(({ StudentId }) => StudentId)),
  dates: [...new Set(requests.map(({ Date: date }) => date))],
})

/** Ids that name nothing in the program answer 404, exactly like those of another program. */
const refuseUnknown = (
  facts: LoadedFacts,
  { rotationIds, siteShiftIds, studentIds }: ReturnType<typeof wantedBy>,
) => {
  if (rotationIds.some((id) => !facts.Rotations.has(id))) throw notFound('The rotation')
  if (siteShiftIds.some((id) => !facts.Shifts.has(id))) throw notFound('The shift')
  refuseMissing('students', studentIds, facts.Students.keys())
}

/** Requests with their moments; a shift's moments on a day are worked out once. */
const timed = (requests: readonly PlacementRequest[], facts: LoadedFacts): WrittenPlacement[] => {
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

/** The sites and days of the shifts, of those that are known. */
const sitesOf = (facts: LoadedFacts, days: readonly ShiftDay[]): number[] =>
  days.flatMap(({ siteShiftId }) => facts.Shifts.get(siteShiftId)?.SiteId ?? [])

/** Locks the counters of the days, then those of the sites that several programs share, and answers what is taken and left now. */
const lockCounters = async (
  db: Db,
  programId: number,
  facts: LoadedFacts,
  days: readonly ShiftDay[],
): Promise<Pick<LoadedFacts, 'Taken' | 'Shared'>> => ({
  Taken: await lockDays(db, programId, days),
  Shared: await readSharedPlaces(
    db,
    sitesOf(facts, days),
    days.map(({ date }) => date),
    { isLocking: true },
  ),
})

/** Counters of shared sites are made where they are locked: nobody can be faster there. */
const isBroken = (error: unknown): boolean => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return (
    (code === '23P01' && constraint === 'shift_assignment_overlap') ||
    (code === '23514' && constraint === 'shift_day_capacity')
  )
}

/**
 * Checks the requests and writes those that keep the rules, in the caller's transaction. Students, shifts and the counters
 * of the days are locked first, in one order, so writers wait for each other instead of failing. Where a writer that
 * takes no locks was faster, the constraints of the database refuse, and the requests are checked again by what it wrote.
 */
export const place = async (
  db: Db,
  { programId, program, requests, left = [] }: Placing,
  write: (db: Db, accepted: readonly WrittenPlacement[]) => Promise<number[]>,
  { isAllOrNothing }: { isAllOrNothing: boolean },
): Promise<PlacementAnswer> => {
  const wanted = wantedBy(requests)
  await lockStudents(db, programId, wanted.studentIds)
  for (let attempt = 1; attempt <= 3; attempt++) {
    const facts = await loadFacts(db, programId, program, wanted, { isLocking: true })
    refuseUnknown(facts, wanted)
    const days = requests.map(({ SiteShiftId, Date: date }) => ({ siteShiftId: SiteShiftId, date }))
    const counters = await lockCounters(db, programId, facts, [...days, ...left])
    const { Accepted, Refused, Warnings } = checkPlacement(timed(requests, facts), { ...facts, ...counters })
    if (isAllOrNothing && Refused.length > 0) {
      const more = Refused.length > 1 ? ` (and ${Refused.length - 1} more)` : ''
      throw new Failure(422, 'refused', `Nothing was changed. ${Refused[0]!.Message}${more}`, {
        extra: { Added: 0, Ids: [], Refused, Warnings: [] },
      })
    }
    if (Accepted.length === 0) return { Added: 0, Ids: [], Refused, Warnings }
    await sql`savepoint before_writing`.execute(db)
    try {
      const Ids = await write(db, Accepted)
      return { Added: Ids.length, Ids, Refused, Warnings }
    } catch (error) {
      if (!isBroken(error)) throw error
      await sql`rollback to savepoint before_writing`.execute(db)
    }
  }
  throw conflict(
    'changed_meanwhile',
    'Others are changing these assignments right now, so nothing was changed. Try again in a moment.',
  )
}

/** Places students where they were not yet. */
export const placeNew = (
  db: Db,
  placing: Placing,
  accountId: number,
  options: { isAllOrNothing: boolean },
): Promise<PlacementAnswer> =>
  place(
    db,
    placing,
    (inner, accepted) => insertAssignments(inner, placing.programId, accountId, accepted),
    options,
  )

/** Moves, changes or restores assignments that carry an `Id`. */
export const placeAgain = (
  db: Db,
  placing: Placing,
  options: { isAllOrNothing: boolean },
): Promise<PlacementAnswer> =>
  place(db, placing, (inner, accepted) => rewriteAssignments(inner, placing.programId, accepted), options)

/** An assignment that goes from one student to another, as it is. */
export interface Handover extends PlacementRequest {
  Id: number
  /** Who has it now; `StudentId` gets it. */
  FromId: number
}

/** The facts as they are once the students have given their shifts, before they get others. */
const withoutGiven = (facts: LoadedFacts, given: readonly Handover[]): LoadedFacts => {
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

const wantedByHandovers = (handovers: readonly Handover[]) => ({
  ...wantedBy(handovers),
  studentIds: distinct(handovers.flatMap(({ FromId, StudentId }) => [FromId, StudentId])),
})

const refusalOf = (handovers: readonly Handover[], facts: LoadedFacts): Finding | undefined =>
  checkPlacement(
    timed(handovers, facts).map(({ Id: _, ...request }) => request),
    withoutGiven(facts, handovers),
  ).Refused[0]

/**
 * Hands over each assignment that the rules allow, checked one after the other, and answers the others with the rule that refuses:
 * with the locks of `handOver`. A look ahead holds and changes nothing.
 */
export const handOverEach = async (
  db: Db,
  { programId, program }: Pick<Placing, 'programId' | 'program'>,
  handovers: readonly Handover[],
  { isLookAhead }: { isLookAhead: boolean },
): Promise<{ handed: number[]; refused: { id: number; finding: Finding }[] }> => {
  if (handovers.length === 0) return { handed: [], refused: [] }
  const wanted = wantedByHandovers(handovers)
  if (!isLookAhead) await lockStudents(db, programId, wanted.studentIds)
  const facts = await loadFacts(db, programId, program, wanted, { isLocking: !isLookAhead })
  refuseUnknown(facts, wanted)
  const days = handovers.map(({ SiteShiftId, Date: date }) => ({ siteShiftId: SiteShiftId, date }))
  const now = isLookAhead ? facts : { ...facts, ...(await lockCounters(db, programId, facts, days)) }
  const requests = timed(handovers, facts)
  const asNew = requests.map(({ Id: _, ...request }) => request)
  const { Accepted, Refused } = checkPlacement(asNew, withoutGiven(now, handovers))
  const accepted = new Set(Accepted)
  const isTaken = (_: unknown, index: number) => accepted.has(asNew[index]!)
  const handed = requests.filter(isTaken)
  if (!isLookAhead && handed.length > 0) await rewriteAssignments(db, programId, handed)
  // Refusals come in the order of the requests.
  const refused = handovers.filter((each, index) => !isTaken(each, index))
  return {
    handed: handovers.filter(isTaken).map(({ Id }) => Id),
    refused: refused.map(({ Id }, index) => ({ id: Id, finding: Refused[index]! })),
  }
}

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

/**
 * Hands assignments over, all of them or none, in the caller's transaction: with the locks and in their order as `place`. Answers the
 * rule that refuses; undefined once they are handed over.
 */
export const handOver = async (
  db: Db,
  { programId, program }: Pick<Placing, 'programId' | 'program'>,
  handovers: readonly Handover[],
): Promise<Finding | undefined> => {
  const wanted = wantedByHandovers(handovers)
  await lockStudents(db, programId, wanted.studentIds)
  const facts = await loadFacts(db, programId, program, wanted, { isLocking: true })
  refuseUnknown(facts, wanted)
  const counters = await lockCounters(
    db,
    programId,
    facts,
    handovers.map(({ SiteShiftId, Date: date }) => ({ siteShiftId: SiteShiftId, date })),
  )
  const refusal = refusalOf(handovers, { ...facts, ...counters })
  if (!refusal) await rewriteAssignments(db, programId, timed(handovers, facts))
  return refusal
}
