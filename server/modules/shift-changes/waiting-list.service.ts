import { ownRefusals } from '#contract/shift-changes/own-refusals.ts'
import type { Db } from '#server/core/database/pool.ts'
import { notifyPeople, type Told } from '#server/core/mail/notices.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { insertAssignments } from '../scheduling/placement.commands.ts'
import { getPlacingProgram, lockStudents } from '../scheduling/placement.queries.ts'
import { place } from '../scheduling/placing.commands.ts'
import { countWaiting, endWaiting, keepHindrances, placeWaiting, takePlaces } from './open-shifts.commands.ts'
import { findOpenRow, listMovable, listWaiting } from './open-shifts.queries.ts'

const link = '/new/open-shifts'
const told = (accountId: number, text: string): Told => ({ accountId, kind: 'open_shift_answer', text, link })

/** Ends the waiting list of an open shift that is over, and tells those who waited. */
export const endWaitingList = async (db: Db, programId: number, openShiftId: number): Promise<void> => {
  const open = await findOpenRow(db, programId, openShiftId, { isLocking: true })
  if (!open || open.waiting === 0) return
  const students = await endWaiting(db, programId, openShiftId)
  await notifyPeople(
    db,
    programId,
    students.map((id) => told(id, `Sign-up is over, and no place became free: ${open.line}`)),
  )
}

/**
 * Places those who wait longest, as far as places are free and the rules allow; who cannot be placed keeps their place in line and is
 * told why, once. Of the locks students come first, ascending, then the day, then the open shift, as when students sign up.
 */
export const moveUp = async (db: Db, programId: number, openShiftId: number): Promise<number> => {
  const waiting = await listWaiting(db, programId, openShiftId)
  await lockStudents(
    db,
    programId,
    waiting.map(({ studentId }) => studentId),
  )
  const open = await findOpenRow(db, programId, openShiftId)
  const free = open && !open.isOver ? open.places - open.taken : 0
  const still = await listWaiting(db, programId, openShiftId)
  const locked = new Set(waiting.map(({ studentId }) => studentId))
  const line = still.filter(({ studentId }) => locked.has(studentId))
  if (!open || free <= 0 || line.length === 0) return 0
  const program = await getPlacingProgram(db, programId)
  let placed: readonly number[] = []
  const answer = await place(
    db,
    {
      programId,
      program,
      requests: line.map(({ studentId }) => ({
        RotationId: open.rotationId,
        SiteShiftId: open.siteShiftId,
        StudentId: studentId,
        Date: open.date,
      })),
    },
    async (inner, accepted) => {
      const next = accepted.slice(0, free)
      if (!(await takePlaces(inner, programId, openShiftId, next.length, { isNew: false }))) return []
      const ids = await insertAssignments(inner, programId, null, next)
      await placeWaiting(inner, programId, openShiftId, ids)
      await countWaiting(inner, programId, openShiftId, -ids.length)
      placed = next.map(({ StudentId }) => StudentId)
      return ids
    },
    { isAllOrNothing: false },
  )
  const refused = new Map(
    answer.Refused.filter(({ Rule }) => Rule !== 'capacity').map(({ StudentId, Rule }) => [
      StudentId,
      ownRefusals[Rule].en,
    ]),
  )
  const hindered = line.flatMap(({ id, studentId, hindrance }) => {
    const now = refused.get(studentId)
    return now !== undefined && now !== hindrance ? [{ id, studentId, hindrance: now }] : []
  })
  await keepHindrances(
    db,
    programId,
    hindered.map(({ id, hindrance }) => ({ id, hindrance })),
  )
  if (placed.length > 0)
    await writeAudit(db, {
      programId,
      accountId: null,
      action: 'open shift: waiting list moved up',
      address: null,
      detail: { OpenShiftId: openShiftId, Shift: open.line, Students: placed },
    })
  await notifyPeople(db, programId, [
    ...placed.map((id) => told(id, `You moved up from the waiting list and have the shift: ${open.line}`)),
    ...hindered.map(({ studentId, hindrance }) =>
      told(studentId, `A place is free, but you cannot take it. ${hindrance} ${open.line}`),
    ),
  ])
  return placed.length
}

/** Looks through all waiting lists of a program. */
export const tendWaitingLists = async (
  programId: number,
  /** Runs the work in a transaction of its own. */
  within: (work: (db: Db) => Promise<unknown>) => Promise<unknown>,
): Promise<void> => {
  let movable: Awaited<ReturnType<typeof listMovable>> = []
  await within(async (db) => {
    movable = await listMovable(db, programId)
  })
  for (const { id, isOver } of movable)
    await within((db) => (isOver ? endWaitingList(db, programId, id) : moveUp(db, programId, id)))
}
