import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, PageOf, paging, RequiredLine } from '#contract/core/fields.ts'
import { byChoice, byCohort, byDays, byLink, byValue, onlyThose, queryOf } from '#contract/core/filters.ts'
import { longestComment, recheckStates } from './exam-rules.ts'
import { Attempt, ExamDetail, RecheckKind } from './exams.ts'
import { Discreet } from './procedure-logs.ts'

/** Everybody's exams, what comes after failed and suspended ones, and rechecks. */

export const ExamRow = Attempt.extend({
  StudentId: Id,
  /** "Last, First". */
  Student: z.string(),
})
export type ExamRow = z.infer<typeof ExamRow>

export const examFilters = {
  status: byValue('State', 'Status', {
    open: 'Not graded yet',
    passed: 'Approved',
    failed: 'Not approved',
    withdrawn: 'Withdrawn',
    suspended: 'Suspended',
    voided: 'Voided',
  }),
  student: byChoice('StudentId', 'student', '{Student}'),
  cohort: byCohort(),
  site: byChoice('SiteId', 'site', '{Site}'),
  procedure: byLink('ProcedureId'),
  /** `waiting` are those that no coordinator has approved yet. */
  simulated: byValue('Simulated', 'Simulated', { all: 'Simulated', waiting: 'To approve' }),
  noNote: onlyThose('WithoutNote', 'Note', 'Failed, no note'),
  days: byDays('Date'),
} as const
const ExamFilters = z.strictObject(queryOf(examFilters))
export type ExamFilters = z.infer<typeof ExamFilters>

export const listExams = endpoint({
  method: 'GET',
  path: '/programs/:programId/exams',
  may: 'exams.read',
  summary: 'The exams of all students by day, the newest first',
  params: InProgram,
  query: ExamFilters.extend(paging),
  answer: PageOf(ExamRow).extend({
    /** There are more than `Total`. */
    IsTotalCapped: z.boolean(),
  }),
})

export const exportExams = endpoint({
  method: 'GET',
  path: '/programs/:programId/exams/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'exams.read',
  summary: 'The filtered exams as a file',
  params: InProgram,
  query: ExamFilters.extend({ Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

const oneExam = z.strictObject({ programId: Id, attemptId: Id })

export const getExam = endpoint({
  method: 'GET',
  path: '/programs/:programId/exams/:attemptId',
  may: 'exams.read',
  summary: 'One exam with its items, its signature, and earlier attempts',
  params: oneExam,
  answer: ExamDetail,
})

export const saveRemediation = endpoint({
  method: 'POST',
  path: '/programs/:programId/exams/:attemptId/remediation',
  may: 'exams.read',
  summary: 'Write down what a student practices after a failed attempt; they are told',
  params: oneExam,
  body: z.strictObject({ Text: RequiredLine(longestComment).pipe(Discreet(longestComment)) }),
  answer: ExamDetail,
  errors: { 409: 'the attempt is not a failed one' },
})

export const approveSimulation = endpoint({
  method: 'POST',
  path: '/programs/:programId/exams/:attemptId/simulation',
  may: 'exams.manage',
  summary: 'Approve that an exam is simulated, before it is graded',
  params: oneExam,
  answer: ExamDetail,
  errors: { 409: 'it is decided, or not a simulated one' },
})

const Reason = RequiredLine(200).pipe(Discreet(200))

export const voidExam = endpoint({
  method: 'POST',
  path: '/programs/:programId/exams/:attemptId/voiding',
  may: 'exams.manage',
  summary: 'Take an exam back, whatever its state. It stays on record with the reason',
  params: oneExam,
  body: z.strictObject({ Reason }),
  answer: ExamDetail,
  errors: { 409: 'it is voided or withdrawn already' },
})

export const reinstateExam = endpoint({
  method: 'POST',
  path: '/programs/:programId/exams/:attemptId/reinstatement',
  may: 'exams.manage',
  summary: 'Let a suspended result count again, after whoever signed was heard',
  params: oneExam,
  body: z.strictObject({ Reason }),
  answer: ExamDetail,
  errors: { 409: 'it is not suspended' },
})

export const Recheck = z.object({
  Id,
  StudentId: Id,
  Student: z.string(),
  Cohort: z.string(),
  ProcedureId: Id,
  Procedure: z.string(),
  Kind: RecheckKind,
  DueOn: DateOnly.nullable(),
  State: z.enum(recheckStates),
  /** When the procedure was passed first. */
  PassedOn: DateOnly.nullable(),
  /** The newest attempt at the recheck. */
  AttemptId: Id.nullable(),
})
export type Recheck = z.infer<typeof Recheck>

export const listRechecks = endpoint({
  method: 'GET',
  path: '/programs/:programId/rechecks',
  may: 'exams.read',
  summary: 'Rechecks by the day they are due, those without one last',
  params: InProgram,
  query: z.strictObject({
    /** `due` are those that wait for a passed attempt. */
    Show: z.enum(['due', ...recheckStates]).default('due'),
    Cohort: RequiredLine(100).optional(),
    StudentId: Id.optional(),
    ...paging,
  }),
  answer: PageOf(Recheck),
})

export const createRechecks = endpoint({
  method: 'POST',
  path: '/programs/:programId/rechecks',
  may: 'exams.manage',
  summary:
    'Ask a cohort, or students, for rechecks: of one procedure, or of a number that is drawn for each among those that they have passed',
  params: InProgram,
  body: z
    .strictObject({
      Kind: RecheckKind,
      DueOn: DateOnly.nullable(),
      Cohort: RequiredLine(100).nullable().default(null),
      StudentIds: z.array(Id).max(3_000).default([]),
      /** The same for all of them. */
      ProcedureId: Id.nullable().default(null),
      /** How many are drawn for each, where no procedure is named. */
      Count: z.number().int().min(1).max(20).default(1),
    })
    .refine(({ Cohort, StudentIds }) => Cohort !== null || StudentIds.length > 0, {
      path: ['Cohort'],
      error: 'Choose a cohort or students',
    }),
  answer: z.object({
    Created: z.number().int(),
    /** Students who have passed nothing that could be rechecked, or wait for it already. */
    Skipped: z.number().int(),
  }),
})

export const cancelRechecks = endpoint({
  method: 'POST',
  path: '/programs/:programId/rechecks/cancellations',
  may: 'exams.manage',
  summary: 'Cancel rechecks that wait; attempts at them stay on record',
  params: InProgram,
  body: z.strictObject({ Ids: z.array(Id).min(1).max(3_000) }),
  answer: z.object({ Canceled: z.number().int() }),
})
