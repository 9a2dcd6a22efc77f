import { shiftChangeFailures } from '#contract/shift-changes/failures.ts'
import { ownRefusals, returnRefusals } from '#contract/shift-changes/own-refusals.ts'
import * as contract from '#contract/shift-changes/shift-changes.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { getPlacingProgram, lockStudents } from '../scheduling/placement.queries.ts'
import { checkHandovers } from '../scheduling/placing.queries.ts'
import { changeIsOver, end, handover, lockChange, stepBack, take, tellStudents } from './outcomes.service.ts'
import { blockedBy } from './own-refusals.rules.ts'
import { addEvent, askPeople, insertChange, keepAnswer } from './shift-changes.commands.ts'
import {
  type ChangeRow,
  findChangeRow,
  findOfferedShifts,
  isPromised,
  listAsked,
  listGivable,
  listOffersTo,
  listPossibleTakers,
  type OfferedShift,
  pageOwnChanges,
} from './shift-changes.queries.ts'

/** A student's program; the account of a student always has one. */
const programOf = (user: { ProgramId: number | null }): number => user.ProgramId!

/** Rules that what is given in return may satisfy, so that an offer to swap is shown in spite of them. */
const settledByReturn: ReadonlySet<string> = new Set(['overlap', 'hours_per_day', 'hours_per_week'])

const getOwnShift = async (
  db: Db,
  programId: number,
  studentId: number,
  assignmentId: number,
): Promise<OfferedShift> => {
  const shift = (await findOfferedShifts(db, programId, [assignmentId])).get(assignmentId)
  if (shift?.studentId !== studentId) throw fail(shiftChangeFailures.no_shift_of_yours)
  return shift
}

/** Of the students those whom the rules would let take the shift. */
const whoCanTake = async (
  db: Db,
  programId: number,
  shift: OfferedShift,
  kind: 'cover' | 'swap',
  studentIds: readonly number[],
): Promise<number[]> => {
  const program = await getPlacingProgram(db, programId)
  const refusals = await checkHandovers(
    db,
    { programId, program },
    studentIds.map((id) => [handover(shift, id)]),
  )
  return studentIds.filter((_, index) => {
    const refusal = refusals[index]
    return !refusal || (kind === 'swap' && settledByReturn.has(refusal.Rule))
  })
}

/** Whether the change is offered to the student: they were asked, or it is for everyone and they did not decline. */
const isOfferedTo = async (db: Db, programId: number, change: ChangeRow, studentId: number) => {
  if (change.studentId === studentId || change.kind === 'drop') return false
  const own = (await listAsked(db, programId, change.id)).find((each) => each.studentId === studentId)
  return own ? own.answer !== 'declined' : change.isToAll
}

/** An open offer to the student, without holding it. */
const getOffer = async (
  db: Db,
  programId: number,
  changeId: number,
  studentId: number,
): Promise<ChangeRow> => {
  const change = await findChangeRow(db, programId, changeId)
  if (change?.state !== 'open' || !(await isOfferedTo(db, programId, change, studentId)))
    throw fail(shiftChangeFailures.no_offer)
  return change
}

export const ownShiftChangeRoutes = [
  handle(contract.listOwnShiftChanges, async ({ db, query, user, language }) => {
    const programId = programOf(user)
    const { page, pageSize } = query
    const program = await getPlacingProgram(db, programId)
    const IsOff = program.Options.SwapApproval === 'off'
    if (query.show === 'own') {
      const { rows, total } = await pageOwnChanges(db, programId, user.Id, query)
      return {
        Items: rows.map((row) => ({ ...row, Blocked: null })),
        Total: total,
        Page: page,
        PageSize: pageSize,
        IsOff,
      }
    }
    const offers = IsOff ? [] : await listOffersTo(db, programId, user.Id, contract.maxOffers)
    const shifts = await findOfferedShifts(
      db,
      programId,
      offers.map(({ Given }) => Given.AssignmentId),
    )
    const known = offers.flatMap((offer) => {
      const shift = shifts.get(offer.Given.AssignmentId)
      return shift ? [{ offer, shift }] : []
    })
    const refusals = await checkHandovers(
      db,
      { programId, program },
      known.map(({ shift }) => [handover(shift, user.Id)]),
    )
    const shown = known.flatMap(({ offer }, index) => {
      const refusal = refusals[index]
      const isBlocked = refusal && !(offer.Kind === 'swap' && settledByReturn.has(refusal.Rule))
      // What is offered to everyone is shown to those who can take it; who was asked reads why they cannot.
      if (isBlocked && offer.Answer === null) return []
      return [
        {
          ...offer,
          Blocked: isBlocked ? blockedBy(refusal.Rule, language) : null,
        },
      ]
    })
    return {
      Items: shown.slice((page - 1) * pageSize, page * pageSize),
      Total: shown.length,
      Page: page,
      PageSize: pageSize,
      IsOff,
    }
  }),

  handle(contract.listTakers, async ({ db, query, user }) => {
    const programId = programOf(user)
    const shift = await getOwnShift(db, programId, user.Id, query.AssignmentId)
    const possible = await listPossibleTakers(db, programId, shift.id, {
      search: query.search,
      most: 100,
      mayOverlap: query.Kind === 'swap',
    })
    const can = new Set(
      await whoCanTake(
        db,
        programId,
        shift,
        query.Kind,
        possible.map(({ Id }) => Id),
      ),
    )
    return possible.filter(({ Id }) => can.has(Id)).slice(0, 50)
  }),

  handle(contract.listReturnable, async ({ db, params: { changeId }, user }) => {
    const programId = programOf(user)
    const change = await getOffer(db, programId, changeId, user.Id)
    const shift = (await findOfferedShifts(db, programId, [change.assignmentId])).get(change.assignmentId)
    if (!shift || change.kind !== 'swap') throw fail(shiftChangeFailures.no_offer)
    const own = await listGivable(db, programId, user.Id, 100)
    const shifts = await findOfferedShifts(
      db,
      programId,
      own.map(({ AssignmentId }) => AssignmentId),
    )
    const program = await getPlacingProgram(db, programId)
    const known = own.filter(({ AssignmentId }) => shifts.has(AssignmentId))
    const refusals = await checkHandovers(
      db,
      { programId, program },
      // Those that are not there were filtered out.
      known.map(({ AssignmentId }) => [
        handover(shift, user.Id),
        handover(shifts.get(AssignmentId)!, change.studentId),
      ]),
    )
    return known.filter((_, index) => !refusals[index])
  }),

  handle(contract.offerShift, async ({ db, body, user, audit }) => {
    const programId = programOf(user)
    const program = await getPlacingProgram(db, programId)
    const { SwapApproval } = program.Options
    if (SwapApproval === 'off') throw fail(shiftChangeFailures.changes_off)
    await lockStudents(db, programId, [user.Id])
    const shift = await getOwnShift(db, programId, user.Id, body.AssignmentId)
    if (await isPromised(db, programId, shift.id)) throw fail(shiftChangeFailures.offered_or_promised)
    const ids = [...new Set(body.StudentIds)].toSorted((a, b) => a - b)
    if (ids.length > 0) {
      const can = await whoCanTake(db, programId, shift, body.Kind, ids)
      if (can.length < ids.length) throw fail(shiftChangeFailures.no_taker)
    }
    const Id = await insertChange(db, {
      programId,
      kind: body.Kind,
      shift,
      isToAll: ids.length === 0,
      note: body.Note,
      state: 'open',
      approval: SwapApproval,
    })
    if (Id === undefined) throw fail(shiftChangeFailures.offered)
    await askPeople(db, programId, Id, ids)
    await addEvent(db, programId, Id, {
      actor: user.Name,
      action: 'offered',
      detail: ids.length === 0 ? 'To everyone who could take it' : `To ${ids.length}`,
    })
    await tellStudents(
      { db, programId },
      Id,
      ids,
      `${user.Name} asks you to ${body.Kind === 'cover' ? 'take a shift' : 'swap shifts'}: ${shift.line}`,
    )
    audit.subjectId = user.Id
    audit.detail = { ChangeId: Id, Kind: body.Kind, Shift: shift.line, To: ids.length === 0 ? 'all' : ids }
    return { Id }
  }),

  handle(contract.answerOffer, async ({ db, params: { changeId }, body, user, services, audit }) => {
    const programId = programOf(user)
    const change = await lockChange({ db, programId }, changeId, [user.Id])
    if (!(await isOfferedTo(db, programId, change, user.Id))) throw fail(shiftChangeFailures.no_offer)
    if (change.state !== 'open' || change.isOver) throw changeIsOver()
    audit.subjectId = user.Id
    audit.detail = { ChangeId: changeId, Kind: change.kind, Shift: change.line, Answer: body.Answer }
    const acting = { db, programId, actor: user.Name, by: user.Id }
    if (body.Answer === 'decline') {
      await keepAnswer(db, programId, changeId, user.Id, 'declined', null)
      await addEvent(db, programId, changeId, { actor: user.Name, action: 'refused' })
      if (!change.isToAll)
        await tellStudents(acting, changeId, [change.studentId], `${user.Name} declined: ${change.line}`)
      return { State: change.state }
    }
    if (change.kind === 'cover') return { State: await take(acting, services, change, user.Id, undefined) }
    if (body.AssignmentId === undefined) throw fail(shiftChangeFailures.no_return, 'AssignmentId')
    const returned = await getOwnShift(db, programId, user.Id, body.AssignmentId)
    if (await isPromised(db, programId, returned.id)) throw fail(shiftChangeFailures.offered_by_taker)
    const shift = (await findOfferedShifts(db, programId, [change.assignmentId])).get(change.assignmentId)
    if (!shift) throw changeIsOver()
    const program = await getPlacingProgram(db, programId)
    const [refusal] = await checkHandovers(db, { programId, program }, [
      [handover(shift, user.Id), handover(returned, change.studentId)],
    ])
    if (refusal)
      throw refusal.StudentId === user.Id
        ? fail(ownRefusals[refusal.Rule], 'AssignmentId')
        : fail(returnRefusals[refusal.Rule], { Student: change.student }, 'AssignmentId')
    await keepAnswer(db, programId, changeId, user.Id, 'proposed', returned.id)
    await addEvent(db, programId, changeId, {
      actor: user.Name,
      action: 'proposed',
      detail: returned.line,
    })
    await tellStudents(
      acting,
      changeId,
      [change.studentId],
      `${user.Name} would swap with you and gives ${returned.line}`,
    )
    return { State: change.state }
  }),

  handle(contract.chooseProposal, async ({ db, params: { changeId }, body, user, services, audit }) => {
    const programId = programOf(user)
    const change = await lockChange({ db, programId }, changeId, [body.StudentId])
    if (change.studentId !== user.Id) throw fail(shiftChangeFailures.no_request)
    if (change.state !== 'open' || change.isOver) throw changeIsOver()
    const proposal = (await listAsked(db, programId, changeId)).find(
      ({ studentId, answer }) => studentId === body.StudentId && answer === 'proposed',
    )
    if (!proposal || proposal.assignmentId === null) throw fail(shiftChangeFailures.no_proposal)
    const returned = (await findOfferedShifts(db, programId, [proposal.assignmentId])).get(
      proposal.assignmentId,
    )
    if (returned?.studentId !== body.StudentId || (await isPromised(db, programId, returned.id)))
      throw fail(shiftChangeFailures.return_gone)
    audit.subjectId = user.Id
    audit.detail = {
      ChangeId: changeId,
      Shift: change.line,
      Returned: returned.line,
      TakerId: body.StudentId,
    }
    return {
      State: await take(
        { db, programId, actor: user.Name, by: user.Id },
        services,
        change,
        body.StudentId,
        returned,
      ),
    }
  }),

  handle(contract.cancelShiftChange, async ({ db, params: { changeId }, user, audit }) => {
    const programId = programOf(user)
    const change = await lockChange({ db, programId }, changeId, [user.Id])
    if (change.studentId !== user.Id && change.takerId !== user.Id) throw fail(shiftChangeFailures.no_request)
    if (change.state !== 'open' && change.state !== 'pending') throw changeIsOver()
    audit.subjectId = user.Id
    audit.detail = { ChangeId: changeId, Kind: change.kind, Shift: change.line }
    const acting = { db, programId, actor: user.Name, by: user.Id }
    if (change.takerId === user.Id) {
      if (change.isOver) throw changeIsOver()
      await stepBack(acting, change)
      return { State: 'open' as const }
    }
    const asked = await listAsked(db, programId, changeId)
    await end(
      acting,
      change,
      'canceled',
      '',
      `${user.Name} took this back: ${change.line}`,
      asked.filter(({ answer }) => answer !== 'declined').map(({ studentId }) => studentId),
    )
    return { State: 'canceled' as const }
  }),
]
