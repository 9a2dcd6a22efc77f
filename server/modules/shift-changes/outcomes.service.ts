import { sentence } from '#contract/language/texts.ts'
import type { Finding } from '#contract/scheduling/scheduling-rules.ts'
import { shiftChangeFailures } from '#contract/shift-changes/failures.ts'
import { handoverRefusals, ownRefusals } from '#contract/shift-changes/own-refusals.ts'
import type { ChangeState } from '#contract/shift-changes/shift-changes.ts'
import type { Db } from '#server/core/database/pool.ts'
import { notifyCoordinators, notifyPeople, queueNotices } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { withdrawLinks } from '../links/links.commands.ts'
import { createLink } from '../links/links.service.ts'
import { lockDays, markRemoved } from '../scheduling/placement.commands.ts'
import { getPlacingProgram, lockStudents } from '../scheduling/placement.queries.ts'
import { handOver } from '../scheduling/placing.commands.ts'
import { checkHandovers, type Handover } from '../scheduling/placing.queries.ts'
import { addEvent, endChange, insertChangeSite, reopenChange, setTaker } from './shift-changes.commands.ts'
import {
  type ChangeRow,
  findChangeRow,
  findOfferedShifts,
  listAskableSites,
  listAsked,
  listChangeSites,
  type OfferedShift,
} from './shift-changes.queries.ts'

const names = { cover: 'Cover', swap: 'Swap', drop: 'Drop request' } as const

/** One change of a program, with whoever acts on it. */
export interface Acting {
  db: Db
  programId: number
  /** As the history names whoever acts; empty for the product itself. */
  actor: string
  /** The account that acts, where there is one. */
  by: number | null
}

/** Tells students what became of a request: at once in the product, and by the email that gathers such lines. */
export const tellStudents = async (
  { db, programId }: Pick<Acting, 'db' | 'programId'>,
  changeId: number,
  studentIds: readonly number[],
  text: string,
): Promise<void> => {
  const ids = [...new Set(studentIds)]
  await notifyPeople(
    db,
    programId,
    ids.map((accountId) => ({ accountId, kind: 'schedule', text, link: '/new/swaps?show=own' })),
  )
  await queueNotices(
    db,
    programId,
    ids.map((accountId) => ({ accountId, label: 'SHIFT_swap', key: `change:${changeId}`, line: text })),
  )
}

const whom = ({ studentId, takerId }: ChangeRow): number[] =>
  takerId === null ? [studentId] : [studentId, takerId]

/** What the shifts of a change are, in one line. */
export const linesOf = ({ kind, student, taker, line, returnedLine }: ChangeRow): string =>
  kind === 'swap' && taker !== null
    ? `${student} gives ${line}; ${taker} gives ${returnedLine}`
    : taker !== null
      ? `${taker} takes the shift of ${student}: ${line}`
      : `${student}: ${line}`

export const changeIsOver = () => fail(shiftChangeFailures.over)

/**
 * Locks the students of a change in the order of their ids, with `more` who come into it, and then the change. Answers it as it is now.
 */
export const lockChange = async (
  { db, programId }: Pick<Acting, 'db' | 'programId'>,
  changeId: number,
  more: readonly number[] = [],
): Promise<ChangeRow> => {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const known = await findChangeRow(db, programId, changeId)
    if (!known) throw fail(shiftChangeFailures.no_request)
    await lockStudents(db, programId, [...whom(known), ...more])
    const locked = await findChangeRow(db, programId, changeId, { isLocking: true })
    // Somebody became the taker in between: their row is not locked yet.
    if (locked && (locked.takerId === known.takerId || more.includes(locked.takerId ?? 0))) return locked
  }
  throw changeIsOver()
}

const withdrawSiteLinks = async ({ db, programId, by }: Acting, changeId: number): Promise<void> => {
  for (const { id } of await listChangeSites(db, programId, changeId))
    await withdrawLinks(db, { programId, kind: 'swap', subjectId: id, by })
}

/** Ends a change that is locked, with a line of its history, and tells its students. */
export const end = async (
  acting: Acting,
  change: ChangeRow,
  state: Exclude<ChangeState, 'open' | 'pending' | 'done'>,
  reason: string,
  text: string,
  /** Others whom it concerns: those who were asked or have proposed. */
  others: readonly number[] = [],
): Promise<void> => {
  const { db, programId, actor, by } = acting
  await endChange(db, programId, change.id, state, { reason, by })
  await addEvent(db, programId, change.id, { actor, action: state, detail: reason })
  await withdrawSiteLinks(acting, change.id)
  await tellStudents(acting, change.id, [...whom(change), ...others], text)
}

/** The taker of a locked, pending change steps back: it is offered again, as before. */
export const stepBack = async (acting: Acting, change: ChangeRow): Promise<void> => {
  const { db, programId, actor } = acting
  await withdrawSiteLinks(acting, change.id)
  await reopenChange(db, programId, change)
  await addEvent(db, programId, change.id, { actor, action: 'withdrawn' })
  await tellStudents(
    acting,
    change.id,
    [change.studentId],
    `${actor} no longer takes your shift, so it is offered again: ${change.line}`,
  )
  const others = (await listAsked(db, programId, change.id))
    .filter(({ answer, studentId }) => answer !== 'declined' && studentId !== change.takerId)
    .map(({ studentId }) => studentId)
  await tellStudents(acting, change.id, others, `Offered again: ${change.line}`)
}

/** A shift as it goes to another student. */
export const handover = (shift: OfferedShift, to: number): Handover => ({
  Id: shift.id,
  RotationId: shift.rotationId,
  SiteShiftId: shift.siteShiftId,
  Date: shift.date,
  FromId: shift.studentId,
  StudentId: to,
})

/** The assignments of a change, while they are still the students' own and have not started. */
const handoversOf = (
  { studentId, takerId, assignmentId, returnedId }: ChangeRow,
  shifts: ReadonlyMap<number, OfferedShift>,
): Handover[] | undefined => {
  const given = shifts.get(assignmentId)
  const returned = returnedId === null ? undefined : shifts.get(returnedId)
  if (!given || given.studentId !== studentId || takerId === null) return undefined
  if (returnedId !== null && returned?.studentId !== takerId) return undefined
  return returned ? [handover(given, takerId), handover(returned, studentId)] : [handover(given, takerId)]
}

/** What approving would do now, to look at before. */
export const readHandovers = async (
  { db, programId }: Pick<Acting, 'db' | 'programId'>,
  change: ChangeRow,
): Promise<Handover[] | undefined> => {
  const ids = change.returnedId === null ? [change.assignmentId] : [change.assignmentId, change.returnedId]
  return handoversOf(change, await findOfferedShifts(db, programId, ids))
}

/** Says which rule refuses a change, and for which of its students. */
const refusedBy = ({ studentId, student, taker }: ChangeRow, { StudentId, Rule }: Finding) =>
  fail(handoverRefusals[Rule], {
    Student: (StudentId === studentId ? student : taker) ?? '',
    Refusal: sentence(ownRefusals[Rule]),
  })

/**
 * Makes a locked, pending change final: all assignments change hands, or none. Both sides are checked by the rules now.
 *
 * @throws Failure 422 with the rule where one refuses; nothing has changed then
 */
const makeFinal = async (acting: Acting, change: ChangeRow): Promise<void> => {
  const { db, programId, actor, by } = acting
  // Done before the assignments move, so that moving them does not end it.
  await endChange(db, programId, change.id, 'done', { by })
  if (change.kind === 'drop') {
    const shift = (await findOfferedShifts(db, programId, [change.assignmentId])).get(change.assignmentId)
    if (shift) {
      await lockDays(db, programId, [{ siteShiftId: shift.siteShiftId, date: shift.date }])
      await markRemoved(db, programId, by ?? change.studentId, [shift.id])
    }
  } else {
    const handovers = await readHandovers(acting, change)
    if (!handovers) throw changeIsOver()
    const program = await getPlacingProgram(db, programId)
    const refusal = await handOver(db, { programId, program }, handovers)
    if (refusal) throw refusedBy(change, refusal)
  }
  await addEvent(db, programId, change.id, { actor, action: 'done' })
  await withdrawSiteLinks(acting, change.id)
  await tellStudents(acting, change.id, whom(change), `${names[change.kind]} is final. ${linesOf(change)}`)
}

/** Asks the sites of both shifts, each by a link of its own; false where one of them cannot be asked. */
const askSites = async (
  { db, programId, by }: Acting,
  services: Services,
  change: ChangeRow,
  shifts: readonly OfferedShift[],
): Promise<boolean> => {
  const siteIds = [...new Set(shifts.map(({ siteId }) => siteId))]
  const sites = await listAskableSites(db, programId, siteIds, whom(change))
  if (sites.length < siteIds.length) return false
  for (const site of sites) {
    const subjectId = await insertChangeSite(db, programId, change.id, site)
    const { address } = await createLink(db, services, {
      programId,
      kind: 'swap',
      subjectId,
      recipientName: site.name,
      recipientEmail: site.email,
      expiresAt: new Date(Math.min(...shifts.map(({ startsAt }) => Date.parse(startsAt)))).toISOString(),
      createdBy: by,
    })
    await queueTemplatedEmails(db, [
      {
        programId,
        label: 'SHIFT_site_asked',
        recipient: site.email,
        values: {
          'recipient.name': site.name,
          'site.name': site.site,
          'change.text': `${linesOf(change)}.`,
          link: address,
        },
      },
    ])
  }
  return true
}

/**
 * Gives a locked, open change its taker: final at once where nobody approves, or else whoever approves is asked.
 *
 * @throws Failure 422 where a rule of placement refuses one of the two
 */
export const take = async (
  acting: Acting,
  services: Services,
  change: ChangeRow,
  takerId: number,
  returned: OfferedShift | undefined,
): Promise<ChangeState> => {
  const { db, programId, actor } = acting
  const program = await getPlacingProgram(db, programId)
  const wanted = program.Options.SwapApproval
  if (wanted === 'off') throw fail(shiftChangeFailures.changes_off)
  const shifts = await findOfferedShifts(db, programId, [change.assignmentId])
  const given = shifts.get(change.assignmentId)
  if (!given) throw changeIsOver()
  await setTaker(db, programId, change.id, { id: takerId, returned, approval: wanted })
  // It was locked, so it is there.
  const taken = (await findChangeRow(db, programId, change.id))!
  await addEvent(db, programId, change.id, {
    actor,
    action: 'taken',
    detail: returned ? `In return: ${returned.line}` : '',
  })
  const others = (await listAsked(db, programId, change.id))
    .filter(({ answer, studentId }) => answer !== 'declined' && studentId !== takerId)
    .map(({ studentId }) => studentId)
  await tellStudents(acting, change.id, others, `No longer offered: ${change.line}`)
  if (wanted === 'none') {
    await makeFinal(acting, taken)
    return 'done'
  }
  const handovers = await readHandovers(acting, taken)
  if (!handovers) throw changeIsOver()
  await refuseBlocked(acting, taken, handovers)
  const isSiteAsked =
    wanted === 'site' && (await askSites(acting, services, taken, returned ? [given, returned] : [given]))
  if (!isSiteAsked) {
    if (wanted === 'site')
      await setTaker(db, programId, change.id, { id: takerId, returned, approval: 'staff' })
    await askStaff(acting, taken)
  }
  await tellStudents(
    acting,
    change.id,
    whom(taken),
    `${names[change.kind]} waits for approval by ${isSiteAsked ? 'the site' : 'your program'}. ${linesOf(taken)}`,
  )
  return 'pending'
}

/** Tells coordinators that a change waits for them. */
export const askStaff = async ({ db, programId }: Acting, change: ChangeRow): Promise<void> => {
  const line = `${names[change.kind]}: ${linesOf(change)}`
  await notifyCoordinators(db, programId, {
    kind: 'shift_request_asked',
    text: `${line} – waits for approval`,
    link: '/new/admin/shift-requests',
    email: { label: 'SHIFT_change_asked', key: `change:${change.id}`, line },
  })
}

const refuseBlocked = async (
  { db, programId }: Acting,
  change: ChangeRow,
  handovers: readonly Handover[],
): Promise<void> => {
  const program = await getPlacingProgram(db, programId)
  const [refusal] = await checkHandovers(db, { programId, program }, [handovers])
  if (refusal) throw refusedBy(change, refusal)
}

/**
 * Approves or declines a change that waits, and locks it for that.
 *
 * @throws Failure 409 where it no longer waits, 422 where a rule refuses
 */
export const decide = async (
  acting: Acting,
  changeId: number,
  { isApproved, reason }: { isApproved: boolean; reason: string },
): Promise<ChangeState> => {
  const change = await lockChange(acting, changeId)
  if (change.state !== 'pending') throw changeIsOver()
  if (change.isOver) throw fail(shiftChangeFailures.started)
  if (isApproved) {
    await addEvent(acting.db, acting.programId, changeId, {
      actor: acting.actor,
      action: 'approved',
      detail: reason,
    })
    await makeFinal(acting, change)
    return 'done'
  }
  const why = reason ? ` ${reason}` : ''
  await end(
    acting,
    change,
    'declined',
    reason,
    `${names[change.kind]} was declined.${why} ${linesOf(change)}`,
  )
  return 'declined'
}
