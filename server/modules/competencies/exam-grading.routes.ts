import { randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import * as contract from '#contract/competencies/exam-grading.ts'
import { codeMinutes, codeTries, readShortCode } from '#contract/competencies/exam-rules.ts'
import { competencyFailures } from '#contract/competencies/failures.ts'
import { hashCode } from '#server/core/auth/seal.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { holdPeople } from '#server/core/runtime/people-lock.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { auditByLink, type LinkCall, openedLink } from '../links/links.service.ts'
import { findAttemptByCode } from './exam-access.across.ts'
import { insertProof, spendProof } from './exam-access.commands.ts'
import {
  findProof,
  findSignature,
  listAsked,
  listCoordinators,
  type ProofRow,
} from './exam-access.queries.ts'
import { decide, disputeSignature, refuseExaminer, refuseOver, scoreOne } from './exam-decisions.commands.ts'
import { fullName, maskedEmail } from './exam-people.queries.ts'
import { markStarted } from './exams.commands.ts'
import {
  countLogged,
  findRuledAttempt,
  type LockedAttempt,
  listSameDay,
  lockAttempt,
  readGradingOf,
} from './exams.queries.ts'

const day = 24 * 60 * 60

const readGrading = async (
  db: Db,
  programId: number,
  attemptId: number,
  EndsAt: string | null,
): Promise<contract.Grading> => {
  const found = await readGradingOf(db, programId, attemptId)
  if (!found) throw fail(competencyFailures.no_exam)
  const { StudentId, ProcedureId, ...grading } = found
  const Logged = await countLogged(db, { programId, studentId: StudentId }, ProcedureId)
  const SameDay = await listSameDay(db, programId, attemptId)
  return { ...grading, Logged, SameDay, EndsAt }
}

/** An exam for which the caller is asked in their account. Others' exams are not there. */
const lockAsked = async (
  db: Db,
  programId: number,
  attemptId: number,
  accountId: number,
): Promise<LockedAttempt> => {
  const attempt = await lockAttempt(db, programId, attemptId)
  if (!attempt || attempt.accountId !== accountId) throw fail(competencyFailures.no_exam)
  return attempt
}

const accountRoutes = [
  handle(contract.listAskedExams, ({ db, params: { programId }, user }) => listAsked(db, programId, user.Id)),

  handle(contract.getGrading, async ({ db, params: { programId, attemptId }, user }) => {
    const grading = await readGradingOf(db, programId, attemptId)
    const { rows } = await sql<{ accountId: number | null; state: LockedAttempt['state'] }>`
      select a.state, coalesce(a.examiner_id, r.account_id) as "accountId" from exam_attempt a
      left join exam_examiner r on r.program_id = a.program_id and r.id = a.roster_id and r.deleted_at is null
      where a.program_id = ${programId} and a.id = ${attemptId}`.execute(db)
    if (!grading || rows[0]?.accountId !== user.Id) throw fail(competencyFailures.no_exam)
    if (rows[0].state !== 'open') throw fail(competencyFailures.not_open_to_grade)
    return readGrading(db, programId, attemptId, null)
  }),

  handle(contract.scoreItem, async ({ db, params: { programId, attemptId }, body, user, audit }) => {
    const attempt = await lockAsked(db, programId, attemptId, user.Id)
    await scoreOne(db, programId, attempt, body)
    audit.subjectId = attempt.studentId
  }),

  handle(
    contract.decideExam,
    async ({ db, params: { programId, attemptId }, body, user, from, audit, services, afterCommit }) => {
      const attempt = await lockAsked(db, programId, attemptId, user.Id)
      const decided = await decide(
        db,
        services,
        { programId, attempt, how: 'account', address: from.address },
        body,
      )
      audit.subjectId = attempt.studentId
      audit.detail = { Procedure: attempt.procedure, ...decided }
      afterCommit(() => services.live.publishLogs(programId))
      return decided
    },
  ),
]

/** The exam behind a link that this device has opened, while the link's recipient is still asked. */
const openExamLink = async (call: LinkCall, token: string) => {
  const link = await openedLink(call, token, 'exam')
  return { link, programId: link.programId, attemptId: link.subjectId }
}

const lockLinked = async (db: Db, programId: number, attemptId: number): Promise<LockedAttempt> => {
  const attempt = await lockAttempt(db, programId, attemptId)
  if (!attempt) throw fail(competencyFailures.no_exam)
  return attempt
}

const linkRoutes = [
  handle(contract.getGradingByLink, async (call) => {
    const { programId, attemptId } = await openExamLink(call, call.params.token)
    return readGrading(call.db, programId, attemptId, null)
  }),

  handle(contract.scoreItemByLink, async (call) => {
    const { programId, attemptId } = await openExamLink(call, call.params.token)
    await scoreOne(call.db, programId, await lockLinked(call.db, programId, attemptId), call.body)
  }),

  handle(contract.decideExamByLink, async (call) => {
    const { db, services, from, body, afterCommit } = call
    const { link, programId, attemptId } = await openExamLink(call, call.params.token)
    const attempt = await lockLinked(db, programId, attemptId)
    const decided = await decide(
      db,
      services,
      { programId, attempt, how: 'link', address: from.address },
      body,
    )
    await auditByLink(call, link, `decided: ${decided.Result}`, { subjectId: attempt.studentId })
    afterCommit(() => services.live.publishLogs(programId))
    return decided
  }),
]

interface OpenCall {
  db: Db
  services: Services
  from: { address: string }
}

/** The open attempt with a short code. Codes are short enough to be tried, so each address has few. */
const findOpen = async ({ db, services, from }: OpenCall, typed: string) => {
  await throttle(services.pool, [
    { key: `exam-find:address:${from.address}`, max: 60, windowSeconds: quarterHour },
  ])
  const found = await findAttemptByCode(db, readShortCode(typed))
  if (!found) throw fail(competencyFailures.no_open_exam)
  await workOn(db, [found.programId])
  await holdPeople(db, found.programId)
  return found
}

const codeHash = (services: Services, programId: number, attemptId: number, code: string): Buffer =>
  hashCode(services.config.secretKey, `exam ${programId}:${attemptId}`, code)

/** @throws Failure 401 for a token that is unknown or has ended, 409 where its exam is decided */
const openToken = async ({ db }: OpenCall, token: string): Promise<ProofRow> => {
  const proof = await findProof(db, hashToken(token))
  const attempt = proof && (await findRuledAttempt(db, proof.programId, proof.attemptId))
  if (attempt) refuseOver(attempt)
  if (!proof?.isOpen) throw fail(competencyFailures.exam_token)
  return proof
}

/** The attempt of a token, locked; a token that a newer code has ended meanwhile opens nothing. */
const lockProved = async (
  call: OpenCall,
  token: string,
): Promise<{ proof: ProofRow; attempt: LockedAttempt }> => {
  const { programId, attemptId } = await openToken(call, token)
  const attempt = await lockLinked(call.db, programId, attemptId)
  return { proof: await openToken(call, token), attempt }
}

const codeRoutes = [
  handle(contract.findExam, async (call) => {
    const { db } = call
    const { programId, attemptId } = await findOpen(call, call.body.ShortCode)
    const attempt = await findRuledAttempt(db, programId, attemptId)
    if (!attempt) throw fail(competencyFailures.no_exam)
    const person = await refuseExaminer(db, programId, attempt)
    return {
      Program: attempt.program,
      Examiner: fullName(person),
      Credential: person.credential,
      Email: maskedEmail(person.email),
    }
  }),

  handle(contract.mailExamCode, async (call) => {
    const { db, services, from, body } = call
    const { programId, attemptId } = await findOpen(call, body.ShortCode)
    const attempt = await lockLinked(db, programId, attemptId)
    refuseOver(attempt)
    const person = await refuseExaminer(db, programId, attempt)
    await throttle(services.pool, [
      { key: `exam-mail:attempt:${programId}:${attemptId}`, max: 5, windowSeconds: quarterHour },
      { key: `exam-mail:to:${programId}:${person.email.toLowerCase()}`, max: 20, windowSeconds: quarterHour },
      { key: `exam-mail:address:${from.address}`, max: 60, windowSeconds: quarterHour },
    ])
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const ExpiresAt = await insertProof(db, {
      programId,
      attemptId,
      examinerId: attempt.accountId,
      rosterId: person.rosterId,
      email: person.email,
      codeHash: codeHash(services, programId, attemptId, code),
    })
    await queueTemplatedEmails(db, [
      {
        programId,
        label: 'EXAM_code',
        recipient: person.email,
        values: {
          'examiner.name': fullName(person),
          'student.name': attempt.student,
          'exam.procedure': attempt.procedure,
          code,
          minutes: String(codeMinutes),
        },
      },
    ])
    await writeAudit(db, {
      programId,
      accountId: null,
      action: 'exam: code mailed',
      address: from.address,
      subjectId: attempt.studentId,
      detail: { Attempt: attemptId, Examiner: fullName(person) },
    })
    return { Email: maskedEmail(person.email), ExpiresAt }
  }),

  handle(contract.proveExaminer, async (call) => {
    const { db, services, from, body } = call
    const { programId, attemptId } = await findOpen(call, body.ShortCode)
    await throttle(services.pool, [
      { key: `exam-code:address:${from.address}`, max: 60, windowSeconds: quarterHour },
      { key: `exam-code:attempt-day:${programId}:${attemptId}`, max: 30, windowSeconds: day },
    ])
    const attempt = await lockLinked(db, programId, attemptId)
    refuseOver(attempt)
    await refuseExaminer(db, programId, attempt)
    const { rows } = await sql<{ id: number; hash: Buffer }>`select id, code_hash as hash from exam_proof
      where program_id = ${programId} and attempt_id = ${attemptId} and ended_at is null and proved_at is null
        and code_expires_at > now()`.execute(db)
    const [proof] = rows
    if (proof)
      await throttle(services.pool, [
        { key: `exam-code:proof:${programId}:${proof.id}`, max: codeTries, windowSeconds: quarterHour },
      ])
    const typed = codeHash(services, programId, attemptId, body.Code.replace(/\s/g, ''))
    const token = newToken()
    const endsAt =
      proof && timingSafeEqual(typed, proof.hash)
        ? await spendProof(db, programId, proof.id, hashToken(token))
        : undefined
    if (!endsAt) throw fail(competencyFailures.wrong_code, 'Code')
    await markStarted(db, programId, attemptId)
    await writeAudit(db, {
      programId,
      accountId: null,
      action: 'exam: examiner proved by code',
      address: from.address,
      subjectId: attempt.studentId,
      detail: { Attempt: attemptId },
    })
    return { Token: token, Grading: await readGrading(db, programId, attemptId, endsAt) }
  }),

  handle(contract.readGrading, async (call) => {
    const { programId, attemptId, endsAt } = await openToken(call, call.body.Token)
    return readGrading(call.db, programId, attemptId, endsAt)
  }),

  handle(contract.scoreItemByCode, async (call) => {
    const { Token, ...item } = call.body
    const { proof, attempt } = await lockProved(call, Token)
    await scoreOne(call.db, proof.programId, attempt, item)
  }),

  handle(contract.decideExamByCode, async (call) => {
    const { db, services, from, afterCommit } = call
    const { Token, ...decision } = call.body
    const { proof, attempt } = await lockProved(call, Token)
    const { programId } = proof
    const decided = await decide(
      db,
      services,
      { programId, attempt, how: 'code', address: from.address },
      decision,
    )
    await writeAudit(db, {
      programId,
      accountId: null,
      action: 'exam: decided by code',
      address: from.address,
      subjectId: attempt.studentId,
      detail: { Attempt: attempt.id, Procedure: attempt.procedure, ...decided },
    })
    afterCommit(() => services.live.publishLogs(programId))
    return decided
  }),
]

const findSigned = async ({ db, services, from }: OpenCall, token: string) => {
  await throttle(services.pool, [
    { key: `exam-signature:address:${from.address}`, max: 60, windowSeconds: quarterHour },
  ])
  const found = await findSignature(db, hashToken(token))
  if (!found) throw fail(competencyFailures.no_link)
  return found
}

const signatureRoutes = [
  handle(contract.readSignature, async (call) => {
    const { program, text, name, signedAt, disputedAt } = await findSigned(call, call.body.Token)
    return { Program: program, Text: text, Name: name, SignedAt: signedAt, DisputedAt: disputedAt }
  }),

  handle(contract.disputeSignature, async (call) => {
    const { db, services, from, body, afterCommit } = call
    const { programId, attemptId, name } = await findSigned(call, body.Token)
    const attempt = await lockLinked(db, programId, attemptId)
    if (attempt.state === 'suspended') return
    if (attempt.state !== 'passed' && attempt.state !== 'failed')
      throw fail(competencyFailures.exam_voided_before)
    await disputeSignature(db, programId, attemptId, name)
    const staff = await listCoordinators(db, programId)
    await notifyPeople(db, programId, [
      ...staff.map((accountId) => ({
        accountId,
        kind: 'exam_suspended',
        text: `${name} says that someone else signed the exam of ${attempt.student} in ${attempt.procedure}`,
        link: `/new/admin/competencies/exams/${attemptId}`,
      })),
      {
        accountId: attempt.studentId,
        kind: 'exam_suspended',
        text: `Your exam in ${attempt.procedure} is suspended until your program has looked into its signature`,
        link: `/new/competencies/exams/${attemptId}`,
      },
    ])
    await writeAudit(db, {
      programId,
      accountId: null,
      action: 'exam: signature disputed',
      address: from.address,
      subjectId: attempt.studentId,
      detail: { Attempt: attemptId, Name: name },
    })
    afterCommit(() => services.live.publishLogs(programId))
  }),
]

export const examGradingRoutes = [...accountRoutes, ...linkRoutes, ...codeRoutes, ...signatureRoutes]
