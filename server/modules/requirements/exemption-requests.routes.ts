import { formatDate } from '#contract/core/calendar.ts'
import { someone } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import * as contract from '#contract/requirements/exemption-requests.ts'
import { requirementFailures } from '#contract/requirements/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { notifyPeople, queueNotices } from '#server/core/mail/notices.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { decideRequest, insertRequest, withdrawRequest } from './exemption-requests.commands.ts'
import { pageRequests } from './exemption-requests.queries.ts'
import { insertExemptions } from './proof-review.commands.ts'
import { listStandings, readToday } from './proofs.queries.ts'
import { keepStandings } from './standings.commands.ts'
import { lockStudentsOfProofs } from './standings.queries.ts'

/** A student's program; the account of a student always has one. */
const programOf = (user: { ProgramId: number | null }): number => user.ProgramId!

const refuseUntil = (until: string | null, today: string): void => {
  if (until !== null && until < today)
    throw fail(requirementFailures.until_past, { Until: formatDate(until) }, 'Until')
}

const getRequest = async (
  db: Db,
  programId: number,
  requestId: number,
): Promise<contract.ExemptionRequest> => {
  const { Items } = await pageRequests(db, programId, { id: requestId })
  if (!Items[0]) throw fail(requirementFailures.no_request)
  return Items[0]
}

export const exemptionRequestRoutes = [
  handle(
    contract.askExemption,
    async ({ db, user, params: { requirementId }, body, services, audit, afterCommit }) => {
      const own = { programId: programOf(user), studentId: user.Id }
      await lockStudentsOfProofs(db, own.programId, [user.Id])
      const today = await readToday(db, own.programId)
      const asked = (await listStandings(db, own.programId, user.Id, today)).find(
        ({ Id }) => Id === requirementId,
      )
      if (!asked) throw fail(requirementFailures.no_requirement)
      if (asked.Standing.State === 'waived')
        throw fail(requirementFailures.exempt_already, { Name: asked.Name })
      refuseUntil(body.Until, today)
      const Id = await insertRequest(db, {
        ...own,
        requirementId,
        kind: body.Kind,
        reason: body.Reason,
        until: body.Until,
      })
      if (Id === undefined) throw fail(requirementFailures.exemption_asked, { Name: asked.Name })
      audit.subjectId = user.Id
      audit.detail = { RequestId: Id, Requirement: asked.Name, Kind: body.Kind }
      afterCommit(() => services.live.publishRequirements(own.programId))
      return { Id }
    },
  ),

  handle(
    contract.withdrawExemptionRequest,
    async ({ db, user, params: { requirementId }, services, audit, afterCommit }) => {
      const programId = programOf(user)
      if (!(await withdrawRequest(db, { programId, studentId: user.Id, requirementId })))
        throw fail(requirementFailures.no_waiting_request)
      audit.subjectId = user.Id
      afterCommit(() => services.live.publishRequirements(programId))
    },
  ),

  handle(contract.listExemptionRequests, ({ db, params: { programId }, query }) =>
    pageRequests(db, programId, query),
  ),

  handle(
    contract.decideExemptionRequest,
    async ({ db, params: { programId, requestId }, body, user, services, audit, afterCommit }) => {
      const { StudentId } = await getRequest(db, programId, requestId)
      await lockStudentsOfProofs(db, programId, [StudentId])
      const request = await getRequest(db, programId, requestId)
      if (request.State !== 'open')
        throw request.State === 'withdrawn'
          ? fail(requirementFailures.request_withdrawn, { Student: request.Student })
          : fail(requirementFailures.request_decided, {
              By: request.DecidedBy ?? sentence(someone),
              State: request.State,
            })
      const isGranted = body.Decision === 'grant'
      const kind = body.Kind ?? request.Kind
      const until = body.Until === undefined ? request.Until : body.Until
      let exemptionId: number | null = null
      if (isGranted) {
        refuseUntil(until, await readToday(db, programId))
        const [made] = await insertExemptions(db, {
          programId,
          studentIds: [StudentId],
          requirementId: request.RequirementId,
          kind,
          reason: request.Reason,
          until,
          by: user.Id,
        })
        // One student has one exemption.
        exemptionId = made!
        await keepStandings(db, programId, {
          studentIds: [StudentId],
          requirementIds: [request.RequirementId],
        })
      }
      await decideRequest(
        db,
        { programId, requestId, by: user.Id },
        { kind, until, answer: body.Answer, exemptionId },
      )
      const line = isGranted
        ? `${request.Requirement}: granted${until === null ? '' : ` through ${formatDate(until)}`}${body.Answer && `. ${body.Answer}`}`
        : `${request.Requirement}: declined. ${body.Answer}`
      await notifyPeople(db, programId, [
        { accountId: StudentId, kind: 'requirement_answered', text: line, link: '/new/requirements' },
      ])
      await queueNotices(db, programId, [
        { accountId: StudentId, label: 'REQUIREMENT_answered', key: `request:${requestId}`, line },
      ])
      audit.subjectId = StudentId
      audit.detail = {
        Requirement: request.Requirement,
        Decision: body.Decision,
        Kind: kind,
        Until: until,
        ...(body.Answer && { Answer: body.Answer }),
      }
      afterCommit(() => services.live.publishRequirements(programId))
      return getRequest(db, programId, requestId)
    },
  ),
]
