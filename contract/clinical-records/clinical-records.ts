import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Line,
  Minutes,
  PageOf,
  paging,
  RequiredLine,
} from '#contract/core/fields.ts'
import { problem } from '#contract/core/problems.ts'
import { text } from '#contract/language/texts.ts'
import { recordNumber, sharedParts } from './record-rules.ts'

export const maxIssuedAtOnce = 50

const Count = z.number().int()
const oneStudent = z.strictObject({ programId: Id, studentId: Id })
const oneRecord = z.strictObject({ programId: Id, recordId: Id })
const SharedPart = z.enum(sharedParts)
const RecordNumber = z.string().regex(recordNumber)

const RecordedRotation = z.object({
  /** Empty for time outside any rotation. */
  Name: z.string(),
  StartDate: DateOnly.nullable(),
  EndDate: DateOnly.nullable(),
  Sites: z.array(z.object({ Name: z.string(), ApprovedMinutes: Minutes })),
  ApprovedMinutes: Minutes,
  TargetMinutes: Minutes,
})

const RecordedCompetency = z.object({
  Study: z.string(),
  Procedure: z.string(),
  IsMandatory: z.boolean(),
  PassedOn: DateOnly,
  IsSimulated: z.boolean(),
  Patient: z.enum(['adult', 'pediatric', 'geriatric']),
  Examiner: z.string(),
  Credential: z.string(),
})

/** What a record says. It is written once and stays as it was, whatever changes in the program. */
export const RecordContent = z.object({
  FirstName: z.string(),
  LastName: z.string(),
  StudentNumber: z.string(),
  Program: z.string(),
  College: z.string(),
  Cohort: z.string(),
  GraduatedOn: DateOnly.nullable(),
  ApprovedMinutes: Minutes,
  TargetMinutes: Minutes,
  Rotations: z.array(RecordedRotation),
  Competencies: z.array(RecordedCompetency),
  /** Null where the record leaves them out. */
  Evaluations: z.array(z.object({ Form: z.string(), Count, Percent: z.number() })).nullable(),
  Requirements: z.array(z.object({ Name: z.string(), ValidUntil: DateOnly.nullable() })).nullable(),
  /** Null for an interim record. */
  Clearance: z
    .object({ Director: z.string(), SignedOn: DateOnly, Text: z.string(), Exception: z.string() })
    .nullable(),
})
export type RecordContent = z.infer<typeof RecordContent>

/** How far a student is with one thing that clearance asks. */
const Check = z.object({ Done: Count, Needed: Count, IsMet: z.boolean() })

/** What clearance looks at. Hours are minutes of approved time. */
export const ClearanceChecks = z.object({
  Hours: Check,
  Mandatory: Check,
  Electives: Check,
  Requirements: Check,
})
export type ClearanceChecks = z.infer<typeof ClearanceChecks>

export const Clearance = z.object({
  Id,
  Name: z.string(),
  SignedOn: DateOnly,
  Text: z.string(),
  /** Why it was signed although a check was not met; empty otherwise. */
  Exception: z.string(),
  Checks: ClearanceChecks,
})
export type Clearance = z.infer<typeof Clearance>

export const recordStates = ['valid', 'replaced', 'revoked'] as const

export const ClinicalRecord = z.object({
  Id,
  Number: RecordNumber,
  StudentId: Id,
  Student: z.string(),
  Cohort: z.string(),
  /** After clearance; otherwise an interim record. */
  IsFinal: z.boolean(),
  State: z.enum(recordStates),
  IssuedOn: DateOnly,
  IssuedBy: z.string(),
  RevokedOn: DateOnly.nullable(),
  RevokedBy: z.string().nullable(),
  RevokeReason: z.string(),
  /** The number of the record in its place. */
  ReplacedBy: RecordNumber.nullable(),
  Shares: z.array(SharedPart),
})
export type ClinicalRecord = z.infer<typeof ClinicalRecord>

export const StudentClinicalRecord = z.object({
  Checks: ClearanceChecks,
  /** The names of requirements that are not met today. */
  Missing: z.array(z.string()),
  Clearance: Clearance.nullable(),
  Records: z.array(ClinicalRecord),
  /** With evaluation means and requirements, which a record leaves out unless they are asked for. */
  Draft: RecordContent,
})
export type StudentClinicalRecord = z.infer<typeof StudentClinicalRecord>

export const getStudentClinicalRecord = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/clinical-record',
  may: 'clinical-records.read',
  summary: 'A student’s clearance and clinical records, with what a new record would say',
  params: oneStudent,
  views: 'studentId',
  answer: StudentClinicalRecord,
})

export const ClearanceRow = z.object({
  StudentId: Id,
  Student: z.string(),
  Cohort: z.string(),
  /** The planned end of the cohort; null where the program has set none. */
  PlannedEnd: DateOnly.nullable(),
  IsAlumnus: z.boolean(),
  Checks: ClearanceChecks,
  ClearedOn: DateOnly.nullable(),
  ClearedBy: z.string().nullable(),
  /** Why it was signed although a check was not met; empty where all were, null without clearance. */
  Exception: z.string().nullable(),
  /** Of the record that is valid; null without one. */
  RecordNumber: RecordNumber.nullable(),
  IsFinal: z.boolean(),
})
export type ClearanceRow = z.infer<typeof ClearanceRow>

export const listClearance = endpoint({
  method: 'GET',
  path: '/programs/:programId/clearance',
  may: 'clinical-records.read',
  summary: 'Students with what clearance asks of them, whether they are cleared, and their valid record',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    search: Line(100).optional(),
    Cohort: Line(100).optional(),
    State: z.enum(['not-cleared', 'cleared', 'exception', 'recorded', 'all']).default('all'),
  }),
  answer: PageOf(ClearanceRow),
})

export const listClinicalRecords = endpoint({
  method: 'GET',
  path: '/programs/:programId/clinical-records',
  may: 'clinical-records.read',
  summary: 'The clinical records that were issued, the newest first',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    /** A name or a number. */
    search: Line(100).optional(),
    State: z.enum(recordStates).optional(),
  }),
  answer: PageOf(ClinicalRecord),
})

export const signClearance = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/clearance',
  proof: true,
  may: 'clinical-records.clear',
  summary:
    'Sign that a student has met the program’s requirements, or which of them are not met and why the student is cleared all the same',
  params: oneStudent,
  body: z.strictObject({
    /** The signer’s own name. */
    Name: RequiredLine(200),
    /** The version of the text that was read. */
    Version: z
      .number()
      .int()
      .positive()
      .refine((version) => version <= 32_767, 'is not the present one'),
    /** Required where a check is not met. */
    Exception: Line(500).default(''),
  }),
  answer: Clearance,
  errors: {
    409: 'the student is cleared already, or the text has changed',
    422: 'the name is not the signer’s, or a check is not met and no reason is given',
  },
})

export const withdrawClearance = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/clearance/withdraw',
  proof: true,
  may: 'clinical-records.clear',
  summary: 'Take a student’s clearance back; final records stay until they are revoked',
  params: oneStudent,
  body: z.strictObject({ Reason: RequiredLine(500) }),
})

export const issueClinicalRecords = endpoint({
  method: 'POST',
  path: '/programs/:programId/clinical-records',
  proof: true,
  isHeavy: true,
  may: 'clinical-records.issue',
  summary: 'Issue clinical records; each takes the place of the student’s valid one and the student is told',
  params: InProgram,
  body: z.strictObject({
    StudentIds: z.array(Id).min(1).max(maxIssuedAtOnce),
    HasEvaluations: z.boolean().default(false),
    HasRequirements: z.boolean().default(false),
  }),
  answer: z.object({ Records: z.array(ClinicalRecord) }),
})

export const getEndorsement = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/endorsement',
  isHeavy: true,
  may: 'clinical-records.issue',
  summary:
    'The endorsement of a cleared student for the registry, as a PDF: what the director signed, and each competency',
  params: oneStudent,
  views: 'studentId',
  answers: 'file',
  fileTypes: ['pdf'],
  errors: { 409: 'the student is not cleared' },
})

export const revokeClinicalRecord = endpoint({
  method: 'POST',
  path: '/programs/:programId/clinical-records/:recordId/revoke',
  proof: true,
  may: 'clinical-records.issue',
  summary: 'Revoke a clinical record for good; whoever verifies it is told',
  params: oneRecord,
  body: z.strictObject({ Reason: RequiredLine(500) }),
  answer: ClinicalRecord,
  errors: { 409: 'it is not valid any longer' },
})

export const recordFormats = ['pdf', 'credential'] as const
const format = z.strictObject({ Format: z.enum(recordFormats).default('pdf') })

export const getClinicalRecordFile = endpoint({
  method: 'GET',
  path: '/programs/:programId/clinical-records/:recordId/file',
  may: 'clinical-records.read',
  summary: 'A clinical record as the PDF or the credential that was issued',
  params: oneRecord,
  query: format,
  answers: 'file',
})

export const listOwnClinicalRecords = endpoint({
  method: 'GET',
  path: '/own-clinical-records',
  may: 'clinical-record.own',
  summary: 'The own clinical records, the newest first',
  answer: z.object({ Records: z.array(ClinicalRecord) }),
})

export const shareOwnClinicalRecord = endpoint({
  method: 'POST',
  path: '/own-clinical-records/:recordId/shares',
  proof: true,
  lasts: true,
  may: 'clinical-record.own',
  summary: 'Choose what those see who verify the record',
  params: z.strictObject({ recordId: Id }),
  body: z.strictObject({ Shares: z.array(SharedPart).max(sharedParts.length) }),
  answer: ClinicalRecord,
})

export const getOwnClinicalRecordFile = endpoint({
  method: 'GET',
  path: '/own-clinical-records/:recordId/file',
  may: 'clinical-record.own',
  summary: 'An own clinical record as the PDF or the credential that was issued',
  params: z.strictObject({ recordId: Id }),
  query: format,
  answers: 'file',
})

/** What is known of a record that somebody verifies. */
export const VerifiedRecord = z.object({
  /** `unknown`: there is no such record, or its name is another, or its file. */
  State: z.enum(['valid', 'revoked', 'replaced', 'unknown']),
  Record: z
    .object({
      Number: RecordNumber,
      Name: z.string(),
      Program: z.string(),
      College: z.string(),
      IsFinal: z.boolean(),
      IssuedOn: DateOnly,
      /** When it ceased to be valid. */
      EndedOn: DateOnly.nullable(),
      /** Only what its holder shares. */
      Hours: z.object({ ApprovedMinutes: Minutes, TargetMinutes: Minutes }).nullable(),
      Rotations: z.array(RecordedRotation).nullable(),
      Competencies: z.array(RecordedCompetency).nullable(),
    })
    .nullable(),
})
export type VerifiedRecord = z.infer<typeof VerifiedRecord>

export const verifyClinicalRecord = endpoint({
  method: 'POST',
  path: '/clinical-records/verify',
  may: 'everyone',
  changes: false,
  summary:
    'Whether a clinical record is valid: by number and name, or by the hash of its file, which is not sent',
  body: z
    .strictObject({
      Number: Line(40),
      /** The holder’s name. */
      Name: Line(200).optional(),
      /** SHA-256 of the PDF or the credential, in hexadecimal digits. */
      Hash: z
        .string()
        .regex(
          /^[0-9a-f]{64}$/,
          problem(text('must be 64 hexadecimal digits', 'Deben ser 64 dígitos hexadecimales.')),
        )
        .optional(),
    })
    .refine(({ Name, Hash }) => Boolean(Name) !== (Hash !== undefined), {
      path: ['Name'],
      message: 'or the file is needed, not both',
    }),
  answer: VerifiedRecord,
  errors: { 429: 'too many attempts from this address' },
})
