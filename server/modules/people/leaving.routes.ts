import { peopleFailures } from '#contract/people/failures.ts'
import * as contract from '#contract/people/leaving.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { getChangeable, refuseMerged, refuseTestUser } from './changeable.service.ts'
import { findLeavesOn } from './leaving.queries.ts'
import { comeBack, leave, previewLeave, stay } from './leaving.service.ts'

export const leavingRoutes = [
  handle(contract.previewLeaving, async ({ db, params: { programId, userId }, query, user }) =>
    previewLeave(db, programId, await getChangeable(db, programId, user, userId), query),
  ),

  handle(contract.leaveProgram, async ({ db, params: { programId, userId }, body, user, audit }) => {
    if (userId === user.Id) throw fail(peopleFailures.own_access)
    const person = await getChangeable(db, programId, user, userId)
    refuseTestUser(person)
    if (!person.IsActive)
      throw fail(peopleFailures.left_already, { FirstName: person.FirstName, LastName: person.LastName })
    audit.subjectId = userId
    const PreviousLastDay = await findLeavesOn(db, { programId, userId })
    const done = await leave(db, programId, person, body)
    audit.detail = {
      PreviousLastDay,
      ...body,
      Freed: done.Freed,
      Handed: done.Handed,
      Evaluations: done.Evaluations,
    }
    return done
  }),

  handle(contract.undoLeaving, async ({ db, params: { programId, userId }, user, audit }) => {
    const person = await getChangeable(db, programId, user, userId)
    refuseTestUser(person)
    if (person.IsActive && (await findLeavesOn(db, { programId, userId })) === null)
      throw fail(peopleFailures.not_left, { FirstName: person.FirstName, LastName: person.LastName })
    await refuseMerged(db, programId, person.Id)
    audit.subjectId = userId
    const done = await (person.IsActive ? stay : comeBack)(db, programId, userId)
    audit.detail = { Shifts: done.Shifts, Evaluations: done.Evaluations, Refused: done.Refused.length }
    return done
  }),
]
