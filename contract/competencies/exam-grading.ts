import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, Small } from '#contract/core/fields.ts'
import { LinkToken } from '#contract/links/links.ts'
import { Attempt, AttemptItem, ExamComment, ExamResult } from './exams.ts'
import { Patient } from './procedure-logs.ts'

/** Grading: in the examiner's account, or on any device by a code that is mailed to them. */

/** What an examiner grades. */
export const Grading = z.object({
  AttemptId: Id,
  /** "First Last". */
  Student: z.string(),
  Procedure: z.string(),
  MajorStudy: z.string(),
  Number: z.number().int(),
  Date: DateOnly,
  Site: z.string().nullable(),
  Patient,
  /** Verified logs of the procedure that count. */
  Logged: z.number().int(),
  IsSimulated: z.boolean(),
  IsSimulationApproved: z.boolean(),
  IsRecheck: z.boolean(),
  PassingPercent: z.number().nullable(),
  CommentBelow: z.number().nullable(),
  Comment: z.string(),
  Items: z.array(AttemptItem),
  Examiner: z.string(),
  Credential: z.string(),
  /** Earlier attempts, the newest first. */
  Previous: z.array(Attempt),
  /** Other procedures that the student is examined in on the same day: one patient may serve several exams, one procedure only one. */
  SameDay: z.array(z.string()),
  /** Until when the device can grade; null in the examiner's account. */
  EndsAt: Instant.nullable(),
})
export type Grading = z.infer<typeof Grading>

const scored = {
  Position: z.number().int().min(1).max(1_000),
  ValueId: Id.nullable(),
  Comment: ExamComment,
}
const decision = {
  Result: ExamResult,
  /** All items as they were on the screen that was signed. */
  Items: z.array(z.strictObject(scored)).max(1_000),
  /** Needed where it is not approved. */
  Comment: ExamComment.default(''),
  /** What to practice before the next attempt. */
  Remediation: ExamComment.default(''),
  IsSimulated: z.boolean(),
  /** Of the statement that was shown. */
  StatementVersion: Small,
}
/** What an examiner decides, whichever way they came. */
export type AnyDecision = z.infer<z.ZodObject<typeof decision>>
const decided = z.object({ Result: ExamResult, Score: z.number(), Highest: z.number() })
const notNow = { 409: 'it is decided, withdrawn, or somebody else examines by now' }
const notSo = {
  ...notNow,
  422: 'a score or a comment is missing, a critical item or the passing score is not reached, or simulation is not approved',
}

const ofProgram = z.strictObject({ programId: Id, attemptId: Id })

export const listAskedExams = endpoint({
  method: 'GET',
  path: '/programs/:programId/exams/asked',
  may: 'exams.grade',
  summary: 'The exams for which students asked the caller, the oldest first',
  params: InProgram,
  answer: z.array(Attempt.extend({ Student: z.string() })),
})

export const getGrading = endpoint({
  method: 'GET',
  path: '/programs/:programId/exams/:attemptId/grading',
  may: 'exams.grade',
  summary: 'An exam for which a student asked the caller',
  params: ofProgram,
  answer: Grading,
  errors: notNow,
})

export const scoreItem = endpoint({
  method: 'POST',
  path: '/programs/:programId/exams/:attemptId/items',
  may: 'exams.grade',
  summary: 'Keep the score of an item while grading',
  params: ofProgram,
  body: z.strictObject(scored),
  errors: notNow,
})

export const decideExam = endpoint({
  method: 'POST',
  path: '/programs/:programId/exams/:attemptId/decision',
  may: 'exams.grade',
  summary: 'Decide and sign an exam, once',
  params: ofProgram,
  body: z.strictObject(decision),
  answer: decided,
  errors: notSo,
})

/** The short code of an attempt, as its student shows it. */
const ShortCode = z.string().max(20)
const notFound = 'no exam is open under this code'

export const findExam = endpoint({
  method: 'POST',
  path: '/exam-access/attempts',
  may: 'everyone',
  changes: false,
  summary: 'Who examines the attempt with a short code. Nothing of the student is told',
  body: z.strictObject({ ShortCode }),
  answer: z.object({
    Program: z.string(),
    Examiner: z.string(),
    Credential: z.string(),
    /** As much of the address as tells whose it is. */
    Email: z.string(),
  }),
  errors: { 404: notFound, 429: 'too many were tried' },
})

export const mailExamCode = endpoint({
  method: 'POST',
  path: '/exam-access/codes',
  may: 'everyone',
  summary: 'Email the examiner a code for one attempt. It replaces the one before, and what that has opened',
  body: z.strictObject({ ShortCode }),
  answer: z.object({ Email: z.string(), ExpiresAt: Instant }),
  errors: { 404: notFound, 429: 'too many were asked for' },
})

const byLinkToken = z.strictObject({ token: LinkToken })
const linkOver = { 401: 'this device has to open the link first', 404: 'the link is over', ...notNow }

export const getGradingByLink = endpoint({
  method: 'GET',
  path: '/exam-links/:token',
  may: 'everyone',
  summary: 'The exam behind a mailed link that this device has opened',
  params: byLinkToken,
  answer: Grading,
  errors: linkOver,
})

export const scoreItemByLink = endpoint({
  method: 'POST',
  path: '/exam-links/:token/items',
  may: 'everyone',
  summary: 'Keep the score of an item while grading by a mailed link',
  params: byLinkToken,
  body: z.strictObject(scored),
  errors: linkOver,
})

export const decideExamByLink = endpoint({
  method: 'POST',
  path: '/exam-links/:token/decision',
  may: 'everyone',
  summary: 'Decide and sign an exam by a mailed link, once. The link ends with it',
  params: byLinkToken,
  body: z.strictObject(decision),
  answer: decided,
  errors: { ...linkOver, ...notSo },
})

const Token = z.string().min(20).max(100)

export const proveExaminer = endpoint({
  method: 'POST',
  path: '/exam-access/proofs',
  may: 'everyone',
  answersSecret: true,
  summary: 'Open grading by the mailed code, once. The token is for this device and ends soon',
  body: z.strictObject({ ShortCode, Code: z.string().max(20) }),
  answer: z.object({ Token: z.string(), Grading }),
  errors: {
    404: notFound,
    422: 'the code is wrong, of another attempt, used, replaced or expired',
    429: 'too many codes were tried',
  },
})

const ended = { 401: 'the token is unknown or has ended', ...notNow }

export const readGrading = endpoint({
  method: 'POST',
  path: '/exam-access/gradings',
  may: 'everyone',
  changes: false,
  summary: 'The exam that a token opens',
  body: z.strictObject({ Token }),
  answer: Grading,
  errors: ended,
})

export const scoreItemByCode = endpoint({
  method: 'POST',
  path: '/exam-access/items',
  may: 'everyone',
  summary: 'Keep the score of an item while grading by a code',
  body: z.strictObject({ Token, ...scored }),
  errors: ended,
})

export const decideExamByCode = endpoint({
  method: 'POST',
  path: '/exam-access/decisions',
  may: 'everyone',
  summary: 'Decide and sign an exam by a code, once. The token ends with it',
  body: z.strictObject({ Token, ...decision }),
  answer: decided,
  errors: { ...ended, ...notSo },
})

export const readSignature = endpoint({
  method: 'POST',
  path: '/exam-access/signatures',
  may: 'everyone',
  changes: false,
  summary: 'What was signed, by the link in the email to whoever signed',
  body: z.strictObject({ Token }),
  answer: z.object({
    Program: z.string(),
    Text: z.string(),
    Name: z.string(),
    SignedAt: Instant,
    DisputedAt: Instant.nullable(),
  }),
  errors: { 404: 'the link is unknown' },
})

export const disputeSignature = endpoint({
  method: 'POST',
  path: '/exam-access/disputes',
  may: 'everyone',
  summary: 'Say that somebody else signed: the result is suspended until the program has looked into it',
  body: z.strictObject({ Token }),
  errors: { 404: 'the link is unknown', 409: 'the program has decided about it already' },
})
