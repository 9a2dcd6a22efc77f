import { sql } from 'kysely'
import type { PlacementAnswer } from '#contract/scheduling/assignments.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import { checkPlacement, type Finding } from '#contract/scheduling/scheduling-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import {
  insertAssignments,
  lockDays,
  rewriteAssignments,
  type ShiftDay,
  type WrittenPlacement,
} from './placement.commands.ts'
import { type LoadedFacts, loadFacts, lockStudents, readSharedPlaces } from './placement.queries.ts'
import {
  type Handover,
  type Placing,
  refusalOf,
  refuseUnknown,
  timed,
  wantedBy,
  wantedByHandovers,
  withoutGiven,
} from './placing.queries.ts'

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
      throw fail(
        schedulingFailures.refused,
        { Reason: Refused[0]!.Message, More: more },
        {
          extra: { Added: 0, Ids: [], Refused, Warnings: [] },
        },
      )
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
  throw fail(schedulingFailures.changed_meanwhile)
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
