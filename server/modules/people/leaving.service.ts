import { formatDate } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import type { LeavingPreview } from '#contract/people/leaving.ts'
import type { UserDetail } from '#contract/people/people.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { resumeStopped } from '../evaluations/left-and-merged.commands.ts'
import {
  type AssignmentRow,
  findAssignments,
  getPlacingProgram,
  lockStudents,
} from '../scheduling/placement.queries.ts'
import { handOverEach, placeAgain } from '../scheduling/placing.commands.ts'
import { setAccess, setLeavesOn } from './access.commands.ts'
import { forgetTaken, keepHanded } from './leaving.commands.ts'
import {
  type ComingShift,
  findLeavesOn,
  findLeft,
  type Leaver,
  type Left,
  listComing,
  listDue,
  listMissedAway,
  listShiftSites,
  listToldSites,
  readTies,
} from './leaving.queries.ts'
import { tellSitesOfLeaving, tellSitesOfReturn } from './leaving-mail.service.ts'

type Refused = LeavingPreview['Refused']

export interface Wish {
  LastDay: string
  HandToId: number | null
}

const refuseHandTo = async (db: Db, programId: number, person: UserDetail, handToId: number) => {
  const [found] = await db
    .selectFrom('account')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', '=', handToId)
    .where('access_level', '=', Level.Student)
    .where('deactivated_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
  if (!found || handToId === person.Id || person.AccessLevel !== Level.Student)
    throw fail(peopleFailures.not_handed_to, 'HandToId')
}

/** What can be handed on, and why not the rest; done, unless it is a look ahead. */
const handOn = async (
  db: Db,
  programId: number,
  person: UserDetail,
  handToId: number,
  { coming, isLookAhead }: { coming: readonly ComingShift[]; isLookAhead: boolean },
): Promise<{ handed: number[]; refused: Refused }> => {
  await refuseHandTo(db, programId, person, handToId)
  const program = await getPlacingProgram(db, programId)
  const ahead = coming.filter(({ IsAhead }) => IsAhead)
  const handovers = ahead.map(({ Id, RotationId, SiteShiftId, Date: date }) => ({
    Id,
    RotationId,
    SiteShiftId,
    Date: date,
    FromId: person.Id,
    StudentId: handToId,
  }))
  const { handed, refused } = await handOverEach(db, { programId, program }, handovers, { isLookAhead })
  const byId = new Map(ahead.map((shift) => [shift.Id, shift]))
  return {
    handed,
    refused: refused.map(({ id, finding }) => ({
      AssignmentId: id,
      Site: byId.get(id)?.Site ?? '',
      Date: finding.Date,
      Message: finding.Message,
    })),
  }
}

const nothing = { handed: [] as number[], refused: [] as Refused }

const comingOf = async (db: Db, programId: number, person: UserDetail, lastDay: string) =>
  person.AccessLevel === Level.Student ? listComing(db, { programId, userId: person.Id }, lastDay) : []

/** Shifts that were taken for an earlier last day and come back for this one. */
const returningBy = async (db: Db, { programId }: Leaver, left: Left | undefined, lastDay: string) => {
  if (!left) return []
  const freed = await findAssignments(db, programId, left.freed, { areRemoved: true })
  const holders = new Map(left.handed.map(({ id, to }) => [id, to]))
  const handed = await findAssignments(db, programId, [...holders.keys()])
  return [...freed, ...handed.filter(({ Id, StudentId }) => holders.get(Id) === StudentId)].filter(
    ({ Date: date }) => date <= lastDay,
  )
}

/** What happens when somebody leaves, or leaves on another day. */
export const previewLeave = async (
  db: Db,
  programId: number,
  person: UserDetail,
  { LastDay, HandToId }: Pick<Wish, 'HandToId'> & { LastDay?: string | undefined },
): Promise<LeavingPreview> => {
  const { TimeZone } = await getPlacingProgram(db, programId)
  const Today = todayIn(TimeZone)
  const leaver = { programId, userId: person.Id }
  const LeavesOn = await findLeavesOn(db, leaver)
  const lastDay = LastDay ?? LeavesOn ?? Today
  const ties = await readTies(db, leaver, { today: Today, lastDay })
  const coming = await comingOf(db, programId, person, lastDay)
  const { handed, refused } =
    HandToId === null ? nothing : await handOn(db, programId, person, HandToId, { coming, isLookAhead: true })
  const isHanded = new Set(handed)
  const told = await listToldSites(db, leaver, { free: coming.map(({ Id }) => Id), handed: [] })
  const Sites = [...Map.groupBy(coming, ({ SiteId }) => SiteId)].map(([SiteId, shifts]) => ({
    SiteId,
    Site: shifts[0]?.Site ?? '',
    Shifts: shifts.length,
    Handed: shifts.filter(({ Id }) => isHanded.has(Id)).length,
    IsListed: shifts.some(({ IsListed }) => IsListed),
    IsTold: told.some(({ id }) => id === SiteId),
  }))
  const left = LeavesOn === null ? undefined : await findLeft(db, leaver)
  const Returning = (await returningBy(db, leaver, left, lastDay)).length
  return { ...ties, Today, LeavesOn, Sites, Refused: refused, Returning }
}

const refuseLastDay = async (db: Db, leaver: Leaver, lastDay: string): Promise<{ today: string }> => {
  const { TimeZone } = await getPlacingProgram(db, leaver.programId)
  const today = todayIn(TimeZone)
  const { LastRecord } = await readTies(db, leaver, { today, lastDay })
  if (LastRecord !== null && lastDay < LastRecord)
    throw fail(peopleFailures.last_day, { Date: formatDate(LastRecord) }, 'LastDay')
  return { today }
}

/** What the last step took, of all that was taken. */
const takenSince = (before: Left | undefined, after: Left | undefined): Left => {
  const known = new Set([
    ...(before?.freed ?? []),
    ...(before?.stopped ?? []),
    ...(before?.handed ?? []).map(({ id }) => id),
  ])
  const isNew = (id: number) => !known.has(id)
  return {
    ids: [],
    freed: (after?.freed ?? []).filter(isNew),
    stopped: (after?.stopped ?? []).filter(isNew),
    handed: (after?.handed ?? []).filter(({ id }) => isNew(id)),
  }
}

/**
 * Ends what somebody does in the program after the last day, in the caller's transaction: shifts are handed on as far as the rules
 * allow, the others freed. Access ends and open evaluations stop at once, unless the last day is to come. A later last day than before
 * gives back what lies between.
 *
 * @throws Failure 422 where the last day or the other student is refused; nothing has changed then
 */
export const leave = async (db: Db, programId: number, person: UserDetail, { LastDay, HandToId }: Wish) => {
  const leaver = { programId, userId: person.Id }
  const known = (await findLeavesOn(db, leaver)) === null ? undefined : await findLeft(db, leaver)
  const others = [...(HandToId === null ? [] : [HandToId]), ...(known?.handed ?? []).map(({ to }) => to)]
  await lockStudents(db, programId, [...new Set([person.Id, ...others])])
  const { today } = await refuseLastDay(db, leaver, LastDay)
  const LeavesOn = LastDay > today ? LastDay : null
  const coming = await comingOf(db, programId, person, LastDay)
  const { handed, refused } =
    HandToId === null
      ? nothing
      : await handOn(db, programId, person, HandToId, { coming, isLookAhead: false })
  if (LeavesOn) await setLeavesOn(db, programId, person.Id, LeavesOn)
  else
    await setAccess(
      db,
      programId,
      person.Id,
      false,
      person.AccessLevel === Level.Student ? LastDay : undefined,
    )
  if (HandToId !== null && handed.length > 0) await keepHanded(db, leaver, HandToId, handed)
  const taken = takenSince(known, await findLeft(db, leaver))
  await tellSitesOfLeaving(db, leaver, taken)
  const back =
    LeavesOn && known ? await giveBack(db, leaver, known, { through: LeavesOn }) : { Shifts: 0, Refused: [] }
  return {
    Freed: taken.freed.length,
    Handed: handed.length,
    Evaluations: taken.stopped.length,
    Refused: [...refused, ...back.Refused],
    LeavesOn,
    Returned: back.Shifts,
  }
}

/** Somebody's access ends today, and nobody is asked about it: a directory or a roster has them no longer. */
export const endAccess = async (db: Db, programId: number, userId: number): Promise<void> => {
  const leaver = { programId, userId }
  const known = await findLeft(db, leaver)
  await setAccess(db, programId, userId, false)
  await tellSitesOfLeaving(db, leaver, takenSince(known, await findLeft(db, leaver)))
}

/** Ends the access of those whose last day is over; their shifts after it are free already. */
export const endDue = async (db: Db, programId: number): Promise<void> => {
  const due = await listDue(db, programId)
  await lockStudents(db, programId, due)
  // Somebody may have taken it back meanwhile.
  for (const id of await listDue(db, programId)) await setAccess(db, programId, id, false)
}

/**
 * Gives back what `leave`, or whatever else ended the access, has taken: access, evaluations, and the shifts whose place is still free,
 * also those that were handed on and are still the other student's. Shifts of the time away stay as they are: nobody missed them, and
 * who got one may have worked it.
 */
export const comeBack = async (db: Db, programId: number, userId: number) => {
  const left = await lockLeft(db, { programId, userId })
  await setAccess(db, programId, userId, true)
  return left
    ? giveBack(db, { programId, userId }, left)
    : { Shifts: 0, Evaluations: 0, Refused: [] as Refused }
}

/** Takes back a last day to come, with what it has taken. */
export const stay = async (db: Db, programId: number, userId: number) => {
  const left = await lockLeft(db, { programId, userId })
  await setLeavesOn(db, programId, userId, null)
  return left
    ? giveBack(db, { programId, userId }, left)
    : { Shifts: 0, Evaluations: 0, Refused: [] as Refused }
}

const lockLeft = async (db: Db, leaver: Leaver): Promise<Left | undefined> => {
  const before = await findLeft(db, leaver)
  const others = (before?.handed ?? []).map(({ to }) => to)
  await lockStudents(db, leaver.programId, [...new Set([leaver.userId, ...others])])
  return findLeft(db, leaver)
}

/**
 * Gives back what was taken from somebody who counts again by now, of days up to `through` where it is given. `left` was found before
 * they did.
 */
export const giveBack = async (
  db: Db,
  leaver: Leaver,
  left: Left,
  { through }: { through?: string } = {},
) => {
  const { programId, userId } = leaver
  const Evaluations = await resumeStopped(db, programId, left.ids)
  const program = await getPlacingProgram(db, programId)
  const missed = await listMissedAway(db, leaver, left)
  const isWithin = ({ Date: date }: { Date: string }) => through === undefined || date <= through
  const holders = new Map(left.handed.map(({ id, to }) => [id, to]))
  const allHanded = (await findAssignments(db, programId, [...holders.keys()])).filter(
    (row) => row.StudentId === holders.get(row.Id) && isWithin(row),
  )
  const handed = allHanded.filter(({ Id }) => !missed.has(Id))
  const back = await handOverEach(
    db,
    { programId, program },
    handed.map((row) => ({ ...row, FromId: row.StudentId, StudentId: userId })),
    { isLookAhead: false },
  )
  const allFreed = (await findAssignments(db, programId, left.freed, { areRemoved: true })).filter(isWithin)
  const freed = allFreed.filter(({ Id }) => !missed.has(Id))
  const answer =
    freed.length === 0
      ? { Ids: [] as number[], Refused: [] }
      : await placeAgain(db, { programId, program, requests: freed }, { isAllOrNothing: false })
  const restored = new Set(answer.Ids)
  if (through !== undefined) await forgetTaken(db, leaver, left, [...back.handed, ...answer.Ids])
  await tellSitesOfReturn(db, leaver, [...back.handed, ...answer.Ids])
  const lost = freed.filter(({ Id }) => !restored.has(Id))
  const rows = new Map<number, AssignmentRow>([...allHanded, ...allFreed].map((row) => [row.Id, row]))
  const sites = await listShiftSites(
    db,
    programId,
    [...rows.values()].map(({ SiteShiftId }) => SiteShiftId),
  )
  // Refusals come in the order of the requests.
  const refused = [
    ...[...rows.keys()]
      .filter((id) => missed.has(id))
      .map((id) => ({ id, Message: 'The day passed while the student was away.' })),
    ...back.refused.map(({ id, finding }) => ({ id, Message: finding.Message })),
    ...lost.map(({ Id }, index) => ({ id: Id, Message: answer.Refused[index]?.Message ?? '' })),
  ]
  return {
    Shifts: back.handed.length + restored.size,
    Evaluations,
    Refused: refused.map(({ id, Message }) => ({
      AssignmentId: id,
      Site: sites.get(rows.get(id)?.SiteShiftId ?? 0) ?? '',
      Date: rows.get(id)?.Date ?? '',
      Message,
    })),
  }
}
