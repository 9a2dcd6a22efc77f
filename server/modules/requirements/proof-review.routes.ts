import { addDays, formatDate } from '#contract/core/calendar.ts'
import { may } from '#contract/core/permissions.ts'
import { someone } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import type { OwnRequest } from '#contract/requirements/exemption-requests.ts'
import { requirementFailures } from '#contract/requirements/failures.ts'
import * as contract from '#contract/requirements/proof-review.ts'
import type { Proof } from '#contract/requirements/requirement-fields.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { notifyPeople, queueNotices } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { listOwnRequests } from './exemption-requests.queries.ts'
import { noticeOf, refusePreAdverse } from './pre-adverse.rules.ts'
import { refuseEvents } from './proof.rules.ts'
import { storeProofFiles } from './proof-files.service.ts'
import { decide, endExemptions, insertExemptions, reopen } from './proof-review.commands.ts'
import {
  countStudents,
  findReviewedStudent,
  getMailOf,
  listExemptions,
  listOpenExemptions,
  listWaiting,
  type ReviewedStudent,
} from './proof-review.queries.ts'
import { insertProof, insertProofFiles } from './proofs.commands.ts'
import {
  findByKey,
  findProofFile,
  firstBlocked,
  listProofs,
  listShiftsAhead,
  listStandings,
  readToday,
  type StudentStanding,
} from './proofs.queries.ts'
import { findRequirement } from './requirement-design.queries.ts'
import { keepStandings } from './standings.commands.ts'
import { lockStudentsOfProofs } from './standings.queries.ts'

const missing = () => fail(requirementFailures.no_proof)

interface OfStudent {
  programId: number
  studentId: number
}

const getStudent = async (db: Db, { programId, studentId }: OfStudent): Promise<ReviewedStudent> => {
  const student = await findReviewedStudent(db, programId, studentId)
  if (!student) throw fail(peopleFailures.no_student)
  return student
}

/** What a background check found is for those with its right; others learn whether it is met. */
const hidden = <Row extends StudentStanding>(row: Row, mayKnow: boolean): Row =>
  mayKnow || row.Rule.Kind !== 'result' || row.Standing.State === 'accepted'
    ? row
    : {
        ...row,
        Standing: {
          ...row.Standing,
          State: 'missing',
          Status: 'missing',
          IsWaiting: false,
          IsReturned: false,
        },
      }

const withoutResult = (proof: Proof): Proof => ({
  ...proof,
  Note: '',
  ReturnReason: '',
  Events: proof.Events.map((event) => ({ ...event, Result: '' })),
})

/** The requirement of a student; also one that is asked no more. */
const standingOf = async (
  db: Db,
  { programId, studentId }: OfStudent,
  proof: Pick<Proof, 'RequirementId' | 'SiteId'>,
  today: string,
): Promise<StudentStanding> => {
  const asked = (await listStandings(db, programId, studentId, today)).find(
    ({ Id, Scope, SiteId }) => Id === proof.RequirementId && (Scope !== 'perSite' || SiteId === proof.SiteId),
  )
  if (asked) return asked
  const requirement = await findRequirement(db, programId, proof.RequirementId)
  if (!requirement) throw fail(requirementFailures.no_requirement)
  const none = { Status: 'missing', CompletedOn: null, ExpiresOn: null, Exemption: null, Next: null } as const
  return {
    ...requirement,
    TextVersion: requirement.Version,
    SiteId: proof.SiteId,
    Site: '',
    SiteRefuses: null,
    Standing: { ...none, State: 'missing', IsWaiting: false, IsReturned: false },
  }
}

/** A proof under the lock of its student, as it was when staff saw it. */
const lockProof = async (db: Db, at: OfStudent, proofId: number, revision: number): Promise<Proof> => {
  await lockStudentsOfProofs(db, at.programId, [at.studentId])
  const [proof] = await listProofs(db, at.programId, at.studentId, { proofId })
  if (!proof) throw missing()
  if (proof.Revision !== revision)
    throw proof.State === 'submitted'
      ? fail(requirementFailures.proof_changed)
      : fail(requirementFailures.proof_decided_meanwhile, {
          By: proof.DecidedBy ?? sentence(someone),
          State: proof.State,
        })
  return proof
}

const openRequest = (request: OwnRequest | undefined): OwnRequest | null =>
  request?.State === 'open' ? request : null

/** Tells a student of a finding before anything is decided. */
const sendPreAdverseNotice = async (
  db: Db,
  { programId, studentId }: OfStudent,
  notice: { requirement: string; program: string; writer: string; answerBy: string },
): Promise<void> => {
  const until = formatDate(notice.answerBy)
  await notifyPeople(db, programId, [
    {
      accountId: studentId,
      kind: 'requirement_notice',
      text: `${notice.requirement}: a notice before a decision. You may answer through ${until}.`,
      link: '/new/requirements',
    },
  ])
  const { email, first } = await getMailOf(db, programId, studentId)
  if (email === '') return
  await queueTemplatedEmails(db, [
    {
      programId,
      accountId: studentId,
      recipient: email,
      label: 'REQUIREMENT_preAdverse',
      values: {
        'student.firstName': first,
        'requirement.name': notice.requirement,
        'answer.until': until,
        'program.name': notice.program,
        'writer.name': notice.writer,
        link: '/new/requirements',
      },
    },
  ])
}

export const proofReviewRoutes = [
  handle(contract.listWaitingProofs, ({ db, params: { programId }, query }) =>
    listWaiting(db, programId, query),
  ),

  handle(contract.getProof, async ({ db, params }) => {
    const student = await getStudent(db, params)
    const today = await readToday(db, params.programId)
    const [proof] = await listProofs(db, params.programId, params.studentId, { proofId: params.proofId })
    if (!proof) throw missing()
    const asked = await standingOf(db, params, proof, today)
    const { TextVersion: _, SiteRefuses: _refuses, SiteId: _site, Site, Standing, ...Requirement } = asked
    const [shifts, all] = await Promise.all([
      listShiftsAhead(db, params.programId, params.studentId, today),
      listProofs(db, params.programId, params.studentId, { requirementId: proof.RequirementId }),
    ])
    return {
      Proof: proof,
      ...student,
      Requirement,
      Site,
      Standing,
      IsOlderRule: proof.Version < Requirement.Version,
      Blocks: firstBlocked(asked, shifts),
      Earlier: all.filter(({ Id, SiteId }) => Id !== proof.Id && SiteId === proof.SiteId),
    }
  }),

  handle(contract.getProofFile, async ({ db, params, services }) => {
    const file = await findProofFile(db, params.programId, params.studentId, params)
    if (!file) throw fail(requirementFailures.no_file)
    return { name: file.name, type: file.media_type, chunks: await services.files.read(file.store_key) }
  }),

  handle(contract.decideProof, async ({ db, params, body, user, services, audit, afterCommit }) => {
    await getStudent(db, params)
    const proof = await lockProof(db, params, params.proofId, body.Revision)
    if (proof.State !== 'submitted')
      throw fail(requirementFailures.proof_decided, {
        By: proof.DecidedBy ?? sentence(someone),
        State: proof.State,
      })
    const today = await readToday(db, params.programId)
    const asked = await standingOf(db, params, proof, today)
    const isAccepted = body.Decision === 'accept'
    const events = body.Events ?? proof.Events
    if (isAccepted) refuseEvents(asked, events, today)
    await decide(
      db,
      { ...params, by: user.Id },
      {
        state: isAccepted ? 'accepted' : 'returned',
        reason: isAccepted ? '' : body.Reason,
        events: isAccepted ? events : proof.Events,
      },
    )
    await keepStandings(db, params.programId, {
      studentIds: [params.studentId],
      requirementIds: [proof.RequirementId],
    })
    const after = await standingOf(db, params, proof, today)
    const until = after.Standing.ExpiresOn
    const line = isAccepted
      ? `${asked.Name}${until === null ? '' : `: good to ${formatDate(until)}`}`
      : `${asked.Name}: ${body.Reason}`
    await notifyPeople(db, params.programId, [
      {
        accountId: params.studentId,
        kind: isAccepted ? 'requirement_accepted' : 'requirement_returned',
        text: `${isAccepted ? 'Accepted' : 'Returned'}: ${line}`,
        link: '/new/requirements',
      },
    ])
    await queueNotices(db, params.programId, [
      {
        accountId: params.studentId,
        label: isAccepted ? 'REQUIREMENT_accepted' : 'REQUIREMENT_returned',
        key: `proof:${proof.Id}`,
        line,
      },
    ])
    audit.subjectId = params.studentId
    audit.detail = {
      Requirement: asked.Name,
      Decision: body.Decision,
      ...(isAccepted ? { Events: events.map(({ On, Until }) => ({ On, Until })) } : { Reason: body.Reason }),
    }
    afterCommit(() => services.live.publishRequirements(params.programId))
    const [decided] = await listProofs(db, params.programId, params.studentId, { proofId: params.proofId })
    // It was decided above, in this transaction.
    return { Proof: decided!, Standing: after.Standing }
  }),

  handle(contract.reopenProof, async ({ db, params, body, user, services, audit, afterCommit }) => {
    await getStudent(db, params)
    const proof = await lockProof(db, params, params.proofId, body.Revision)
    if (proof.State === 'submitted' || proof.Source !== 'student') throw fail(requirementFailures.proof_waits)
    await reopen(db, { ...params, by: user.Id })
    await keepStandings(db, params.programId, {
      studentIds: [params.studentId],
      requirementIds: [proof.RequirementId],
    })
    audit.subjectId = params.studentId
    audit.detail = { ProofId: proof.Id, Was: proof.State }
    afterCommit(() => services.live.publishRequirements(params.programId))
    const [again] = await listProofs(db, params.programId, params.studentId, { proofId: params.proofId })
    // It was changed above, in this transaction.
    return again!
  }),

  handle(
    contract.addProof,
    async ({ db, params, body: { proof }, files, user, services, audit, afterCommit }) => {
      await getStudent(db, params)
      await lockStudentsOfProofs(db, params.programId, [params.studentId])
      const kept = await findByKey(db, params.programId, params.studentId, proof.Key)
      audit.subjectId = params.studentId
      if (kept !== undefined) {
        const [known] = await listProofs(db, params.programId, params.studentId, { proofId: kept })
        if (known) return known
      }
      const today = await readToday(db, params.programId)
      const asked = await standingOf(db, params, proof, today)
      const isResult = asked.Rule.Kind === 'result'
      if (isResult && !may(user, 'requirements.background')) throw fail(requirementFailures.directors_only)
      if (asked.Rule.Kind === 'signed')
        throw fail(requirementFailures.signed_by_student, { Name: asked.Name })
      if (asked.Scope === 'perSite' && asked.SiteId === null)
        throw fail(requirementFailures.site_required, 'SiteId')
      refuseEvents(asked, proof.Events, today)
      const isNotice = isResult && proof.Events.some(({ Result }) => Result === 'preAdverse')
      const program = isResult ? await findProgramContext(db, params.programId) : undefined
      const days = program?.Options.PreAdverseDays ?? 0
      if (isResult) {
        const { studentId, programId } = params
        const earlier = await listProofs(db, programId, studentId, { requirementId: asked.Id })
        refusePreAdverse(proof.Events, earlier, { days, today })
      }
      const fileIds = await storeProofFiles(db, services, files, {
        programId: params.programId,
        accountId: user.Id,
      })
      const id = await insertProof(db, {
        programId: params.programId,
        studentId: params.studentId,
        requirementId: asked.Id,
        siteId: asked.Scope === 'perSite' ? asked.SiteId : null,
        version: asked.Version,
        events: proof.Events,
        note: proof.Note,
        key: proof.Key,
        by: user.Id,
        source: isResult ? 'vendor' : 'staff',
        isAccepted: true,
        vendor: proof.Vendor,
      })
      await insertProofFiles(db, params.programId, id, fileIds)
      await keepStandings(db, params.programId, {
        studentIds: [params.studentId],
        requirementIds: [asked.Id],
      })
      if (isNotice)
        await sendPreAdverseNotice(db, params, {
          requirement: asked.Name,
          program: program?.Name ?? '',
          writer: user.Name,
          answerBy: addDays(today, days),
        })
      audit.detail = {
        ProofId: id,
        Requirement: asked.Name,
        Files: fileIds.length,
        ...(isNotice && { Notice: 'pre-adverse' }),
      }
      afterCommit(() => services.live.publishRequirements(params.programId))
      const [made] = await listProofs(db, params.programId, params.studentId, { proofId: id })
      // It was made above, in this transaction.
      return made!
    },
  ),

  handle(contract.getStudentRequirements, async ({ db, params, user }) => {
    const { Student } = await getStudent(db, params)
    const mayKnow = may(user, 'requirements.background')
    const Today = await readToday(db, params.programId)
    const [standings, proofs, exemptions, shifts, requests, program] = await Promise.all([
      listStandings(db, params.programId, params.studentId, Today),
      listProofs(db, params.programId, params.studentId),
      listExemptions(db, params.programId, params.studentId),
      listShiftsAhead(db, params.programId, params.studentId, Today),
      listOwnRequests(db, params.programId, params.studentId),
      findProgramContext(db, params.programId),
    ])
    return {
      Student,
      Today,
      Items: standings.map((each) => {
        const { TextVersion: _, ...item } = hidden(each, mayKnow)
        const own = proofs.filter(
          ({ RequirementId, SiteId }) =>
            RequirementId === each.Id && (each.Scope !== 'perSite' || SiteId === each.SiteId),
        )
        return {
          ...item,
          Blocks: firstBlocked(each, shifts),
          Proofs: each.Rule.Kind === 'result' && !mayKnow ? own.map(withoutResult) : own,
          Exemptions: exemptions.filter(({ RequirementId }) => RequirementId === each.Id),
          Request: openRequest(requests.get(each.Id)),
          Notice: mayKnow ? noticeOf(own, program?.Options.PreAdverseDays ?? 0) : null,
        }
      }),
    }
  }),

  handle(
    contract.grantExemptions,
    async ({ db, params: { programId }, body, user, services, audit, afterCommit }) => {
      const studentIds = [...new Set(body.StudentIds)]
      await lockStudentsOfProofs(db, programId, studentIds)
      const requirement = await findRequirement(db, programId, body.RequirementId)
      if (!requirement) throw fail(requirementFailures.no_requirement)
      if ((await countStudents(db, programId, studentIds)) < studentIds.length)
        throw fail(peopleFailures.no_such_student)
      if (body.Until !== null && body.Until < (await readToday(db, programId)))
        throw fail(requirementFailures.until_past, { Until: formatDate(body.Until) }, 'Until')
      const Ids = await insertExemptions(db, {
        programId,
        studentIds,
        requirementId: requirement.Id,
        kind: body.Kind,
        reason: body.Reason,
        until: body.Until,
        by: user.Id,
      })
      await keepStandings(db, programId, { studentIds, requirementIds: [requirement.Id] })
      if (studentIds.length === 1) audit.subjectId = studentIds[0]!
      audit.detail = {
        Requirement: requirement.Name,
        Kind: body.Kind,
        Students: studentIds.length,
        Until: body.Until,
      }
      afterCommit(() => services.live.publishRequirements(programId))
      return { Granted: Ids.length, Ids }
    },
  ),

  handle(
    contract.endExemptions,
    async ({ db, params: { programId }, body: { Ids }, user, services, audit, afterCommit }) => {
      const open = await listOpenExemptions(db, programId, Ids)
      if (open.length === 0) throw fail(requirementFailures.no_exemption)
      const studentIds = open.map(({ student_id }) => student_id)
      await lockStudentsOfProofs(db, programId, studentIds)
      const Ended = await endExemptions(db, programId, Ids, user.Id)
      await keepStandings(db, programId, {
        studentIds,
        requirementIds: open.map(({ requirement_id }) => requirement_id),
      })
      audit.detail = { Exemptions: Ended }
      afterCommit(() => services.live.publishRequirements(programId))
      return { Ended }
    },
  ),
]
