import { sql } from 'kysely'
import { linkDays, writeShortCode } from '#contract/competencies/exam-rules.ts'
import { missingSentence, notExaminerTexts, notSimulatedTexts } from '#contract/competencies/exam-texts.ts'
import * as contract from '#contract/competencies/exams.ts'
import { competencyFailures, undeclaredFailures } from '#contract/competencies/failures.ts'
import { Level } from '#contract/core/levels.ts'
import { sentence } from '#contract/language/texts.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { withdrawLinks } from '../links/links.commands.ts'
import { createLink } from '../links/links.service.ts'
import { endProofs } from './exam-access.commands.ts'
import { refuseOver } from './exam-decisions.commands.ts'
import { candidatesOf, fullName, listExaminersOf, pickExaminer } from './exam-people.queries.ts'
import { ownExamIn, readExamStanding } from './exam-standing.rules.ts'
import { askExaminer, endAttempt, insertAttempt } from './exams.commands.ts'
import { findAttempt, type LockedAttempt, lockAttempt, readDetail } from './exams.queries.ts'
import { lockLogs } from './procedure-logs.queries.ts'
import { findLogShift, listLogSites, readProgramDay } from './standing.queries.ts'

/** A student's program; the account of a student always has one. */
const programOf = (user: { ProgramId: number | null }): number => user.ProgramId!

interface Own {
  programId: number
  studentId: number
}

interface Asked {
  ExaminerId: number | null
  RosterId: number | null
  Way: 'account' | 'link' | 'handover'
}

interface ExamAt {
  siteId: number | null
  isPatientCare: boolean
  examiners: readonly string[]
  today: string
}

/** Whoever is asked, where they may examine and can be asked in this way. */
const refuseAsked = async (db: Db, own: Own, exam: ExamAt, asked: Asked) => {
  const found = pickExaminer(
    await listExaminersOf(db, own.programId, { ...exam, studentId: own.studentId }),
    { rosterId: asked.RosterId, accountId: asked.ExaminerId },
  )
  if (!found) throw fail(competencyFailures.no_examiner)
  if (found.why)
    throw fail(
      competencyFailures.may_not_be_asked,
      { Person: fullName(found.person), Why: sentence(notExaminerTexts[found.why]) },
      'ExaminerId',
    )
  if (asked.Way === 'account' && found.person.accountId === null)
    throw fail(competencyFailures.no_account, { Person: fullName(found.person) }, 'Way')
  return found.person
}

type Person = Awaited<ReturnType<typeof refuseAsked>>

/** Whom an attempt asks: an entry of the roster, or an account. */
const askedOf = ({ rosterId, accountId }: Person) => ({
  rosterId,
  examinerId: rosterId === null ? accountId : null,
})

/** Tells an examiner that they are asked, with the way to the exam; one who is handed the phone gets a code when they ask for it. */
const tellExaminer = async (
  db: Db,
  services: Services,
  own: Own,
  attemptId: number,
  way: Asked['Way'],
  person: Person,
): Promise<void> => {
  if (way === 'handover') return
  const base = `${services.publicUrl()}${services.config.appRoot}/new`
  const { rows } = await sql<{ code: string; student: string; procedure: string; expires: string }>`
    select a.short_code as code, trim(u.first_name || ' ' || u.last_name) as student, k.name as procedure,
      now() + make_interval(days => ${linkDays}) as expires
    from exam_attempt a join account u on u.program_id = a.program_id and u.id = a.student_id
    join skill k on k.program_id = a.program_id and k.id = a.skill_id
    where a.program_id = ${own.programId} and a.id = ${attemptId}`.execute(db)
  const page = (person.level ?? 0) >= Level.Faculty ? 'admin/competencies/asked' : 'exams'
  // It was made or locked in this transaction.
  const { code, student, procedure, expires } = rows[0]!
  const address =
    way === 'account'
      ? `${base}/${page}/${attemptId}`
      : (
          await createLink(db, services, {
            programId: own.programId,
            kind: 'exam',
            subjectId: attemptId,
            recipientName: fullName(person),
            recipientEmail: person.email,
            expiresAt: expires,
            createdBy: own.studentId,
          })
        ).address
  if (way === 'account' && person.accountId !== null)
    await notifyPeople(db, own.programId, [
      {
        accountId: person.accountId,
        kind: 'exam_asked',
        text: `${student} asks you for an exam in ${procedure}`,
        link: `/new/${page}/${attemptId}`,
      },
    ])
  await queueTemplatedEmails(db, [
    {
      programId: own.programId,
      accountId: way === 'account' ? person.accountId : null,
      label: 'EXAM_asked',
      recipient: person.email,
      values: {
        'examiner.name': fullName(person),
        'student.name': student,
        'exam.procedure': procedure,
        'exam.page': `${base}/exam`.replace(/^https?:\/\//, ''),
        'exam.code': writeShortCode(code),
        link: address,
      },
    },
  ])
}

/** An own attempt, locked, while nobody has begun to grade it. */
const lockOwn = async (db: Db, own: Own, attemptId: number): Promise<LockedAttempt> => {
  const attempt = await lockAttempt(db, own.programId, attemptId)
  if (!attempt || attempt.studentId !== own.studentId) throw fail(competencyFailures.no_exam)
  refuseOver(attempt)
  if (attempt.startedAt !== null) throw fail(competencyFailures.grading_begun)
  return attempt
}

/** What the examiner who was asked has can no longer be used. */
const endAccess = async (db: Db, own: Own, attemptId: number): Promise<void> => {
  await endProofs(db, own.programId, attemptId)
  await withdrawLinks(db, {
    programId: own.programId,
    kind: 'exam',
    subjectId: attemptId,
    by: own.studentId,
  })
}

/** @throws Failure 422 where the student has not been at the site for longer than the list allows */
const refuseUnvisited = async (db: Db, own: Own, siteId: number | null, days: number): Promise<void> => {
  if (days === 0 || siteId === null) return
  const { rows } = await sql`select 1 from shift_assignment a join program p on p.id = a.program_id
    where a.program_id = ${own.programId} and a.student_id = ${own.studentId} and a.site_id = ${siteId} and a.removed_at is null
      and a.date between (now() at time zone p.time_zone)::date - ${days}::integer and (now() at time zone p.time_zone)::date
    limit 1`.execute(db)
  if (rows.length === 0) throw fail(competencyFailures.not_visited, { Days: days }, 'SiteId')
}

const readBack = async (db: Db, programId: number, attemptId: number): Promise<contract.Attempt> =>
  // It was made or changed in this transaction.
  (await findAttempt(db, programId, attemptId))!

export const examRoutes = [
  handle(contract.getOwnExams, async ({ db, user, language }) => {
    const { exams, attempts } = await readExamStanding(db, {
      programId: programOf(user),
      studentId: user.Id,
    })
    return { Exams: exams.map((exam) => ownExamIn(exam, language)), Attempts: attempts }
  }),

  handle(contract.getOwnExam, async ({ db, user, params: { attemptId } }) => {
    const detail = await readDetail(db, programOf(user), attemptId)
    if (!detail || detail.StudentId !== user.Id) throw fail(competencyFailures.no_exam)
    return detail
  }),

  handle(contract.listCandidates, async ({ db, user, query, language }) => {
    const own = { programId: programOf(user), studentId: user.Id }
    const [{ rules, today }, sites, day] = await Promise.all([
      readExamStanding(db, own),
      listLogSites(db, own.programId, own.studentId),
      readProgramDay(db, own.programId),
    ])
    const rule = rules.get(query.ProcedureId)
    if (!rule) throw fail(competencyFailures.no_procedure)
    const shift = await findLogShift(db, own, { today: day.today })
    const Sites = sites
      .map(({ SiteId, Name }) => ({ Id: SiteId, Name }))
      .toSorted((one, other) => Number(other.Id === shift?.SiteId) - Number(one.Id === shift?.SiteId))
    const SiteId = query.SiteId ?? shift?.SiteId ?? Sites[0]?.Id ?? null
    if (SiteId !== null && !Sites.some(({ Id }) => Id === SiteId)) throw fail(siteFailures.no_site)
    const found = await listExaminersOf(db, own.programId, {
      studentId: own.studentId,
      siteId: SiteId,
      isPatientCare: rule.isPatientCare,
      examiners: rule.examiners,
      today,
    })
    return { Sites, SiteId, Candidates: candidatesOf(found, language) }
  }),

  handle(contract.declareExam, async ({ db, user, body, audit, services, afterCommit }) => {
    const own = { programId: programOf(user), studentId: user.Id }
    await lockLogs(db, [own.studentId])
    const { exams, rules, today } = await readExamStanding(db, own)
    const exam = exams.find(({ ProcedureId }) => ProcedureId === body.ProcedureId)
    const rule = rules.get(body.ProcedureId)
    if (!exam || !rule) throw fail(competencyFailures.no_procedure)
    const [missing] = exam.missing
    if (missing?.Kind === 'open') throw fail(competencyFailures.exam_under_way)
    if (missing) throw fail(undeclaredFailures[missing.Kind], { Missing: exam.missing.map(missingSentence) })
    if (body.IsSimulated && exam.notSimulated)
      throw fail(
        competencyFailures.may_not_simulate,
        { Why: sentence(notSimulatedTexts[exam.notSimulated]) },
        'IsSimulated',
      )
    if (
      body.SiteId !== null &&
      !(await listLogSites(db, own.programId, own.studentId)).some(({ SiteId }) => SiteId === body.SiteId)
    )
      throw fail(siteFailures.no_site)
    await refuseUnvisited(db, own, body.SiteId, body.IsSimulated ? 0 : rule.visitedWithinDays)
    const person = await refuseAsked(
      db,
      own,
      { siteId: body.SiteId, isPatientCare: rule.isPatientCare, examiners: rule.examiners, today },
      body,
    )
    const attemptId = await insertAttempt(db, {
      ...own,
      procedureId: body.ProcedureId,
      recheckId: rule.recheck?.id ?? null,
      siteId: body.SiteId,
      isSimulated: body.IsSimulated,
      patient: body.Patient,
      way: body.Way,
      ...askedOf(person),
      passingPercent: rule.passingPercent,
      commentBelow: rule.commentBelow,
      today,
    })
    await tellExaminer(db, services, own, attemptId, body.Way, person)
    audit.subjectId = user.Id
    audit.detail = { ...body, Attempt: attemptId, Examiner: fullName(person) }
    afterCommit(() => services.live.publishLogs(own.programId))
    return readBack(db, own.programId, attemptId)
  }),

  handle(
    contract.changeExaminer,
    async ({ db, user, params: { attemptId }, body, audit, services, afterCommit }) => {
      const own = { programId: programOf(user), studentId: user.Id }
      const attempt = await lockOwn(db, own, attemptId)
      const person = await refuseAsked(db, own, attempt, body)
      await endAccess(db, own, attemptId)
      await askExaminer(
        db,
        { programId: own.programId, id: attemptId },
        { way: body.Way, ...askedOf(person) },
      )
      await tellExaminer(db, services, own, attemptId, body.Way, person)
      audit.subjectId = user.Id
      audit.detail = { Way: body.Way, Examiner: fullName(person) }
      afterCommit(() => services.live.publishLogs(own.programId))
      return readBack(db, own.programId, attemptId)
    },
  ),

  handle(
    contract.withdrawExam,
    async ({ db, user, params: { attemptId }, body, audit, services, afterCommit }) => {
      const own = { programId: programOf(user), studentId: user.Id }
      const attempt = await lockOwn(db, own, attemptId)
      await endAccess(db, own, attemptId)
      await endAttempt(
        db,
        { programId: own.programId, id: attemptId },
        { as: 'withdrawn', reason: body.Reason, by: user.Id },
      )
      audit.subjectId = user.Id
      audit.detail = { Procedure: attempt.procedure, Reason: body.Reason }
      afterCommit(() => services.live.publishLogs(own.programId))
      return readBack(db, own.programId, attemptId)
    },
  ),
]
