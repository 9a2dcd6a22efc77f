import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, Line, RequiredText, Text } from '#contract/core/fields.ts'
import { sensitive } from '#contract/core/sensitive.ts'
import { OwnRequest } from './exemption-requests.ts'
import { proofLimit } from './own-requirements.ts'
import {
  Asked,
  EventField,
  ExemptionKindField,
  Key,
  Kind,
  maxEvents,
  Proof,
  Revision,
  SiteRefusal,
  StandingField,
} from './requirement-fields.ts'

/** A proof in the queue. */
export const WaitingProof = z.object({
  Id,
  StudentId: Id,
  Student: z.string(),
  RequirementId: Id,
  Requirement: z.string(),
  Kind,
  SentAt: Instant,
})
export type WaitingProof = z.infer<typeof WaitingProof>

export const queueSize = 50

export const listWaitingProofs = endpoint({
  method: 'GET',
  path: '/programs/:programId/requirement-proofs/waiting',
  may: 'requirements.review',
  summary: 'Proofs that wait for a decision, the oldest first',
  params: InProgram,
  query: z.strictObject({
    RequirementId: Id.optional(),
    /** `NextAfter` of the page before. */
    After: Id.optional(),
  }),
  answer: z.object({
    Items: z.array(WaitingProof),
    Total: z.number().int(),
    OldestAt: Instant.nullable(),
    NextAfter: Id.nullable(),
  }),
})

const ofStudent = z.strictObject({ programId: Id, studentId: Id })
const oneOfStudent = z.strictObject({ programId: Id, studentId: Id, proofId: Id })

/** Everything that a decision about a proof looks at. */
export const ReviewedProof = z.object({
  Proof,
  Student: z.string(),
  FirstName: z.string(),
  StudentLevel: z.string(),
  Requirement: Asked,
  Site: z.string(),
  /** The rule was changed after it was sent. */
  IsOlderRule: z.boolean(),
  /** What is held now. */
  Standing: StandingField,
  /** What keeps the student from shifts until this is accepted: the first one. */
  Blocks: z.object({ Date: DateOnly, Site: z.string() }).nullable(),
  /** Earlier ones for the same, the newest first. */
  Earlier: z.array(Proof),
})
export type ReviewedProof = z.infer<typeof ReviewedProof>

export const getProof = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/requirement-proofs/:proofId',
  may: 'requirements.review',
  summary: 'A proof with what a decision about it looks at',
  params: oneOfStudent,
  answer: ReviewedProof,
  views: 'studentId',
})

export const getProofFile = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/requirement-proofs/:proofId/files/:position',
  class: 'health',
  may: 'requirements.review',
  summary: 'A file of a proof',
  params: oneOfStudent.extend({ position: z.number().int().min(0).max(20) }),
  answers: 'file',
  fileTypes: ['pdf', 'jpeg', 'png'],
  views: 'studentId',
})

const decided = { 409: 'it was changed or decided meanwhile' } as const

export const decideProof = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/requirement-proofs/:proofId/decision',
  may: 'requirements.review',
  summary: 'Accept a proof, with what it says as staff read it, or return it with a reason',
  params: oneOfStudent,
  body: z
    .strictObject({
      Revision,
      Decision: z.enum(['accept', 'return']),
      /** As read from the proof; what the student has entered unless given. */
      Events: z.array(EventField).min(1).max(maxEvents).optional(),
      Reason: Line(300).default(''),
    })
    .refine(({ Decision, Reason }) => Decision === 'accept' || Reason !== '', {
      path: ['Reason'],
      error: 'Say why it is returned.',
    }),
  answer: z.object({ Proof, Standing: StandingField }),
  errors: { ...decided, 422: 'a date does not fit the requirement' },
})

export const reopenProof = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/requirement-proofs/:proofId/reopening',
  may: 'requirements.review',
  summary: 'Take a decision back: the proof waits again',
  params: oneOfStudent,
  body: z.strictObject({ Revision }),
  answer: Proof,
  errors: decided,
})

export const addProof = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/requirement-proofs',
  may: 'requirements.review',
  summary: 'Record what staff have seen, or a result, for a student; it is accepted at once',
  params: ofStudent,
  takes: 'multipart',
  bodyLimit: proofLimit,
  body: z.strictObject({
    proof: z.strictObject({
      RequirementId: Id,
      SiteId: Id.nullable().default(null),
      Events: z.array(EventField).min(1).max(maxEvents),
      Note: Text(500).default(''),
      Vendor: Line(100).default(''),
      Key,
    }),
  }),
  answer: Proof,
  errors: {
    403: 'results of background checks ask for a right of their own',
    413: 'a file is too large',
    415: 'a file is of no accepted type',
    422: 'a date does not fit the requirement',
  },
})

/** An exemption as compliance staff see it. */
export const Exemption = z.object({
  Id,
  RequirementId: Id,
  Kind: ExemptionKindField,
  Reason: sensitive(z.string(), 'health'),
  Until: DateOnly.nullable(),
  GrantedAt: Instant,
  GrantedBy: z.string(),
})
export type Exemption = z.infer<typeof Exemption>

export const getStudentRequirements = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/requirement-standings',
  may: 'requirements.review',
  summary: 'All requirements of a student with proofs and exemptions',
  params: ofStudent,
  answer: z.object({
    Student: z.string(),
    Today: DateOnly,
    Items: z.array(
      Asked.extend({
        SiteId: Id.nullable(),
        Site: z.string(),
        Standing: StandingField,
        SiteRefuses: SiteRefusal.nullable(),
        Blocks: z.object({ Date: DateOnly, Site: z.string() }).nullable(),
        Proofs: z.array(Proof),
        Exemptions: z.array(Exemption),
        /** An exemption that they ask for. */
        Request: OwnRequest.nullable(),
        /** For those with the right to background checks: when the notice of a finding was sent, and the last day to answer it. */
        Notice: sensitive(z.object({ SentOn: DateOnly, AnswerBy: DateOnly }).nullable(), 'conduct'),
      }),
    ),
  }),
  views: 'studentId',
})

export const grantExemptions = endpoint({
  method: 'POST',
  path: '/programs/:programId/requirement-exemptions',
  class: 'health',
  may: 'requirements.review',
  changesGoals: true,
  summary: 'Exempt students from a requirement: a waiver, a medical or religious exemption, or a declination',
  params: InProgram,
  body: z.strictObject({
    StudentIds: z.array(Id).min(1).max(3_000),
    RequirementId: Id,
    Kind: ExemptionKindField,
    /** Seen by compliance staff only. */
    Reason: RequiredText(500),
    Until: DateOnly.nullable(),
  }),
  answer: z.object({ Granted: z.number().int(), Ids: z.array(Id) }),
  errors: { 404: 'a student or the requirement does not exist', 422: 'the last day has passed' },
})

export const endExemptions = endpoint({
  method: 'POST',
  path: '/programs/:programId/requirement-exemptions/end',
  may: 'requirements.review',
  changesGoals: true,
  summary: 'End exemptions at once',
  params: InProgram,
  body: z.strictObject({ Ids: z.array(Id).min(1).max(3_000) }),
  answer: z.object({ Ended: z.number().int() }),
})
