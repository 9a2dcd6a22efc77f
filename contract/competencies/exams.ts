import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Instant, RequiredLine } from '#contract/core/fields.ts'
import {
  attemptStates,
  examResults,
  examWays,
  longestComment,
  missingKinds,
  proofs,
  recheckKinds,
} from './exam-rules.ts'
import { Discreet, Patient } from './procedure-logs.ts'

export const AttemptState = z.enum(attemptStates)
export const ExamResult = z.enum(examResults)
export const ExamWay = z.enum(examWays)
export const RecheckKind = z.enum(recheckKinds)
export const Proof = z.enum(proofs)

/** What a student writes or reads about an exam never tells who the patient is. */
export const ExamComment = Discreet(longestComment)

/** An attempt in a list. */
export const Attempt = z.object({
  Id,
  ProcedureId: Id,
  Procedure: z.string(),
  MajorStudy: z.string(),
  /** Of the student and the procedure, from 1. */
  Number: z.number().int(),
  State: AttemptState,
  Date: DateOnly,
  DeclaredAt: Instant,
  SiteId: Id.nullable(),
  Site: z.string().nullable(),
  Way: ExamWay,
  Patient,
  IsSimulated: z.boolean(),
  /** A coordinator has approved that it is simulated. */
  IsSimulationApproved: z.boolean(),
  /** Null for the exam itself. */
  RecheckKind: RecheckKind.nullable(),
  /** Who is asked, or has signed. */
  Examiner: z.string(),
  /** Their account, where they are asked there. */
  ExaminerId: Id.nullable(),
  Credential: z.string(),
  GradedAt: Instant.nullable(),
  Score: z.number().nullable(),
  Highest: z.number().nullable(),
  Comment: z.string(),
  Remediation: z.string(),
  RemediationBy: z.string().nullable(),
  RetryFrom: DateOnly.nullable(),
  /** Why it was withdrawn, suspended or voided. */
  EndedReason: z.string(),
})
export type Attempt = z.infer<typeof Attempt>

export const AttemptItem = z.object({
  Position: z.number().int(),
  Text: z.string(),
  IsCritical: z.boolean(),
  Scale: z.array(z.object({ Id, Label: z.string(), Value: z.number().nullable(), IsPassing: z.boolean() })),
  ValueId: Id.nullable(),
  Comment: z.string(),
})
export type AttemptItem = z.infer<typeof AttemptItem>

/** What was signed, and how whoever signed proved who they are. */
export const Signature = z.object({
  Text: z.string(),
  Version: z.number().int(),
  Name: z.string(),
  Credential: z.string(),
  CredentialNumber: z.string(),
  How: Proof,
  SignedAt: Instant,
  DisputedAt: Instant.nullable(),
})

/** One attempt with everything in it. */
export const ExamDetail = Attempt.extend({
  StudentId: Id,
  /** "First Last". */
  Student: z.string(),
  PassingPercent: z.number().nullable(),
  CommentBelow: z.number().nullable(),
  Items: z.array(AttemptItem),
  Signature: Signature.nullable(),
  /** Earlier attempts at the procedure, the newest first. */
  Previous: z.array(Attempt),
})
export type ExamDetail = z.infer<typeof ExamDetail>

/** Where a student is with the exam of a procedure. */
export const OwnExam = z.object({
  ProcedureId: Id,
  /** Nothing is missing: an exam can be asked for. */
  IsReady: z.boolean(),
  Missing: z.array(z.object({ Kind: z.enum(missingKinds), Text: z.string() })),
  PassedOn: DateOnly.nullable(),
  IsSimulated: z.boolean(),
  Supervision: z.enum(['direct', 'indirect']),
  /** Why it cannot be simulated; null where it can, once a coordinator approves. */
  NotSimulated: z.string().nullable(),
  /** A recheck that is asked for. */
  Recheck: z.object({ Kind: RecheckKind, DueOn: DateOnly.nullable() }).nullable(),
  Failed: z.number().int(),
})
export type OwnExam = z.infer<typeof OwnExam>

export const getOwnExams = endpoint({
  method: 'GET',
  path: '/exams',
  may: 'exams.take',
  summary: "The caller's exams: what is missing before each, and all attempts, the newest first",
  answer: z.object({ Exams: z.array(OwnExam), Attempts: z.array(Attempt) }),
})

const oneAttempt = z.strictObject({ attemptId: Id })

export const getOwnExam = endpoint({
  method: 'GET',
  path: '/exams/:attemptId',
  may: 'exams.take',
  summary: 'An own attempt with its items and its signature',
  params: oneAttempt,
  answer: ExamDetail.extend({
    /** Opens the attempt on another device; empty once it is decided. It proves nothing. */
    ShortCode: z.string(),
  }),
})

/** Somebody who could examine. */
export const Candidate = z.object({
  /** By account, or by the roster of the site. */
  ExaminerId: Id.nullable(),
  RosterId: Id.nullable(),
  Name: z.string(),
  Credential: z.string(),
  /** As much of the address as tells whose it is: 'a…@harbor.org'. */
  Email: z.string(),
  /** They can be asked in their account. */
  HasAccount: z.boolean(),
  /** Why they may not examine; null where they may. */
  Why: z.string().nullable(),
})
export type Candidate = z.infer<typeof Candidate>

export const listCandidates = endpoint({
  method: 'GET',
  path: '/exam-candidates',
  may: 'exams.take',
  summary: 'Who could examine a procedure at a site, or without one',
  query: z.strictObject({ ProcedureId: Id, SiteId: Id.optional() }),
  answer: z.object({
    /** The sites where the caller is placed; the one of the shift of the day first. */
    Sites: z.array(z.object({ Id, Name: z.string() })),
    SiteId: Id.nullable(),
    Candidates: z.array(Candidate),
  }),
  errors: { 404: 'the site or the procedure does not exist for the student' },
})

const examiner = { ExaminerId: Id.nullable(), RosterId: Id.nullable(), Way: ExamWay }
const noExaminer = 'the examiner may not examine the student in this procedure'

export const declareExam = endpoint({
  method: 'POST',
  path: '/exams',
  may: 'exams.take',
  summary: "Declare an attempt before the patient's procedure, and ask an examiner",
  body: z.strictObject({
    ProcedureId: Id,
    SiteId: Id.nullable(),
    ...examiner,
    Patient: Patient.default('adult'),
    IsSimulated: z.boolean().default(false),
  }),
  answer: Attempt,
  errors: {
    404: 'the procedure, the site or the examiner does not exist for the student',
    409: 'an attempt is under way',
    422: `something is missing before the exam, or ${noExaminer}`,
  },
})

export const changeExaminer = endpoint({
  method: 'POST',
  path: '/exams/:attemptId/examiner',
  may: 'exams.take',
  summary: 'Ask somebody else, or in another way, until the exam is graded',
  params: oneAttempt,
  body: z.strictObject(examiner),
  answer: Attempt,
  errors: { 409: 'it is decided or being graded', 422: noExaminer },
})

export const withdrawExam = endpoint({
  method: 'POST',
  path: '/exams/:attemptId/withdrawal',
  may: 'exams.take',
  summary: 'Withdraw an attempt that is not graded. It stays on record with the reason',
  params: oneAttempt,
  body: z.strictObject({ Reason: RequiredLine(200).pipe(Discreet(200)) }),
  answer: Attempt,
  errors: { 409: 'it is decided or being graded' },
})
