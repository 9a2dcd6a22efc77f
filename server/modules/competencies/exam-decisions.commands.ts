import { sql } from 'kysely'
import type { AnyDecision } from '#contract/competencies/exam-grading.ts'
import {
  gradingOf,
  type Proof,
  retryFrom,
  statement,
  whyNotApprovable,
  whyNotRefusable,
} from '#contract/competencies/exam-rules.ts'
import { notExaminerTexts, obstacleSentence } from '#contract/competencies/exam-texts.ts'
import { competencyFailures, unsignedFailures } from '#contract/competencies/failures.ts'
import { formatDate } from '#contract/core/calendar.ts'
import { sentence } from '#contract/language/texts.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { momentIn } from '#server/core/runtime/today.ts'
import { withdrawLinks } from '../links/links.commands.ts'
import { endProofs } from './exam-access.commands.ts'
import { type ExaminerRow, fullName, listExaminersOf, pickExaminer } from './exam-people.queries.ts'
import { markStarted, saveItems } from './exams.commands.ts'
import { type LockedAttempt, listItems } from './exams.queries.ts'

/** What an attempt that is over answers to whoever would still change it. */
const overFailures = {
  passed: competencyFailures.exam_passed,
  failed: competencyFailures.exam_failed,
  withdrawn: competencyFailures.exam_withdrawn,
  suspended: competencyFailures.exam_suspended,
  voided: competencyFailures.exam_voided,
}

/** @throws Failure 409 `decided` for an attempt that is over */
export const refuseOver = ({ state }: LockedAttempt): void => {
  if (state !== 'open') throw fail(overFailures[state])
}

/**
 * Whoever is asked, as they may examine now: their credential may have expired since, or somebody may have named them a relative.
 *
 * @throws Failure 422 `examiner`
 */
export const refuseExaminer = async (
  db: Db,
  programId: number,
  attempt: LockedAttempt,
): Promise<ExaminerRow> => {
  const found = pickExaminer(
    await listExaminersOf(db, programId, attempt),
    attempt.rosterId === null
      ? { rosterId: null, accountId: attempt.examinerId }
      : { rosterId: attempt.rosterId, accountId: null },
  )
  if (!found) throw fail(competencyFailures.examiner_left)
  if (found.why)
    throw fail(competencyFailures.may_not_examine, {
      Person: fullName(found.person),
      Why: sentence(notExaminerTexts[found.why]),
    })
  return found.person
}

type Item = AnyDecision['Items'][number]

/** @throws Failure 422 for a value that is not one of the item's */
const refuseItems = (known: Awaited<ReturnType<typeof listItems>>, given: readonly Item[]): void => {
  for (const { Position, ValueId } of given) {
    const item = known.find((each) => each.Position === Position)
    if (!item || (ValueId !== null && !item.Scale.some(({ Id }) => Id === ValueId)))
      throw fail(competencyFailures.score_of_other_item, 'Items')
  }
}

/** Keeps the score of one item while grading. */
export const scoreOne = async (
  db: Db,
  programId: number,
  attempt: LockedAttempt,
  item: Item,
): Promise<void> => {
  refuseOver(attempt)
  refuseItems(await listItems(db, programId, attempt.id), [item])
  await saveItems(db, programId, attempt.id, [item])
  await markStarted(db, programId, attempt.id)
}

/** The call that signs, and how whoever signs proved who they are. */
export interface Signing {
  programId: number
  attempt: LockedAttempt
  how: Proof
  address: string
}

/** What was decided, for the answer and for those who are told. */
interface Decided {
  Result: AnyDecision['Result']
  Score: number
  Highest: number
}

/**
 * Decides and signs an attempt that the caller has locked. What is signed is what was on the screen: all items come with the
 * decision. Both are told by email; whoever signed gets a link by which they can say that it was not them.
 *
 * @throws Failure 409 where it is over, 422 where the rules of the exam or of its examiners are not met
 */
export const decide = async (
  db: Db,
  services: Services,
  { programId, attempt, how, address }: Signing,
  body: AnyDecision,
): Promise<Decided> => {
  refuseOver(attempt)
  const person = await refuseExaminer(db, programId, attempt)
  if (body.StatementVersion !== statement.Version) throw fail(competencyFailures.statement_changed)
  const known = await listItems(db, programId, attempt.id)
  refuseItems(known, body.Items)
  const given = new Map(body.Items.map((item) => [item.Position, item]))
  if (given.size !== known.length) throw fail(competencyFailures.item_missing, 'Items')
  const grading = gradingOf(
    // All are there: they were counted above, and each is one of them.
    known.map((item) => ({ ...item, ...given.get(item.Position)! })),
    { PassingPercent: attempt.passingPercent, CommentBelow: attempt.commentBelow },
  )
  const simulation = { IsSimulated: body.IsSimulated, IsSimulationApproved: attempt.isSimulationApproved }
  const obstacle =
    body.Result === 'passed'
      ? whyNotApprovable(grading, simulation)
      : (whyNotRefusable(grading, body.Comment) ??
        (body.IsSimulated && !attempt.isSimulationApproved ? { Kind: 'simulation' as const } : undefined))
  if (obstacle) throw fail(unsignedFailures[obstacle.Kind], { Obstacle: obstacleSentence(obstacle) })

  await saveItems(db, programId, attempt.id, body.Items)
  const retry = body.Result === 'failed' ? retryFrom(attempt.today, attempt.retryDays) : null
  const remediation = body.Result === 'failed' ? body.Remediation.trim() : ''
  await sql`update exam_attempt set state = ${body.Result}, result = ${body.Result}, graded_at = clock_timestamp(),
      started_at = coalesce(started_at, now()), score = ${grading.Score}, highest = ${grading.Highest}, comment = ${body.Comment},
      is_simulated = ${body.IsSimulated},
      simulation_approved_at = case when ${body.IsSimulated}::boolean then simulation_approved_at end,
      retry_from = ${retry}::date, remediation = ${remediation},
      remediation_at = case when ${remediation} <> '' then now() end,
      remediation_by = case when ${remediation} <> '' then ${attempt.accountId}::bigint end, revision = revision + 1
    where program_id = ${programId} and id = ${attempt.id}`.execute(db)
  const dispute = newToken()
  const name = fullName(person)
  const text = statement.text(attempt.student, attempt.procedure, body.Result, body.IsSimulated)
  await sql`insert into exam_signature (program_id, attempt_id, text, version, name, credential, credential_number, how, examiner_id,
      roster_id, email, dispute_hash, address)
    values (${programId}, ${attempt.id}, ${text}, ${statement.Version}, ${name}, ${person.credential}, ${person.credentialNumber},
      ${how}, ${attempt.accountId}, ${person.rosterId}, ${person.email}, ${hashToken(dispute)}, ${address}::inet)`.execute(
    db,
  )
  await endProofs(db, programId, attempt.id)
  await withdrawLinks(db, { programId, kind: 'exam', subjectId: attempt.id, by: attempt.accountId })
  if (attempt.recheckId !== null)
    await sql`update exam_recheck set state = ${body.Result} where program_id = ${programId} and id = ${attempt.recheckId}`.execute(
      db,
    )
  const base = `${services.publicUrl()}${services.config.appRoot}/new`
  const result = body.Result === 'passed' ? 'approved' : 'not approved'
  const page = `/competencies/exams/${attempt.id}`
  const { rows } = await sql<{ email: string; first: string }>`select email, first_name as first from account
    where program_id = ${programId} and id = ${attempt.studentId}`.execute(db)
  await notifyPeople(db, programId, [
    {
      accountId: attempt.studentId,
      kind: 'exam_decided',
      text: `${name} graded your exam in ${attempt.procedure}: ${result}`,
      link: `/new${page}`,
    },
  ])
  await queueTemplatedEmails(db, [
    {
      programId,
      label: 'EXAM_signed',
      recipient: person.email,
      values: {
        'examiner.name': name,
        'signature.text': text,
        'signature.at': `${momentIn(attempt.timeZone)} (${attempt.timeZone})`,
        'signature.how': howTexts[how],
        link: `${base}/exam-signature/${dispute}`,
      },
    },
    ...(rows[0]?.email
      ? [
          {
            programId,
            accountId: attempt.studentId,
            label: 'EXAM_decided' as const,
            recipient: rows[0].email,
            values: {
              'student.firstName': rows[0].first,
              'exam.procedure': attempt.procedure,
              'exam.result': result,
              'exam.comment': [
                body.Comment,
                retry && `The next attempt is possible from ${formatDate(retry)}.`,
              ]
                .filter(Boolean)
                .join(' '),
              link: `${base}${page}`,
            },
          },
        ]
      : []),
  ])
  return { Result: body.Result, Score: grading.Score, Highest: grading.Highest }
}

const howTexts: Readonly<Record<Proof, string>> = {
  account: 'in your account',
  link: 'by the link and the code that were emailed to you',
  code: "by the code that was emailed to you, typed on the student's phone or another device",
}

/** Suspends an attempt whose examiner says that somebody else signed it. */
export const disputeSignature = async (
  db: Db,
  programId: number,
  attemptId: number,
  name: string,
): Promise<void> => {
  await sql`update exam_signature set disputed_at = now()
    where program_id = ${programId} and attempt_id = ${attemptId}`.execute(db)
  await sql`update exam_attempt set state = 'suspended', ended_at = now(), ended_reason = ${`${name} says that someone else signed.`},
      revision = revision + 1
    where program_id = ${programId} and id = ${attemptId}`.execute(db)
}
