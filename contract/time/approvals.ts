import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  Id,
  InProgram,
  Instant,
  PageOf,
  paging,
  RequiredLine,
  RequiredText,
  Text,
} from '#contract/core/fields.ts'
import { problem } from '#contract/core/problems.ts'
import { text } from '#contract/language/texts.ts'
import { doubtCodes } from './insight.ts'
import { BodyFilters, oneRecord, TimeFilters, TimeRecord } from './time-records.ts'

const RecordIds = z
  .array(Id)
  .min(1, problem(text('needs at least one record', 'Elija al menos un registro.')))
  .max(20_000)

/**
 * Why a record was not approved: its shift still runs, its other half is missing, a time change is asked for it, its hours overlap
 * other approved hours or others of the same approval, it is in Careful Review, somebody has decided it before, or the
 * account has ended: its import was undone, or it was merged into another one.
 */
export const LeftOutReason = z.enum([
  'running',
  'unmatched',
  'change_asked',
  'overlaps',
  'careful',
  'decided',
  'ended',
])
export type LeftOutReason = z.infer<typeof LeftOutReason>

/** Of so many records time changes are decided together. */
const mostChanges = 100

export const approveTimeRecords = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/approvals',
  may: 'time.approve',
  byInbox: true,
  summary:
    'Approve the named pending records, or all of a filter. Left out, and told, are unmatched ones, those with an open time change request, and hours that would count twice; of a filter, those of Careful Review only with IncludeCareful or when the filter asks for that insight',
  params: InProgram,
  body: z
    .strictObject({
      Ids: RecordIds.optional(),
      Filter: BodyFilters.optional(),
      IncludeCareful: z.boolean().optional(),
      /** Decides the time changes that are asked for the named records first. If one of these is not approved then, nothing is changed. */
      TimeChanges: z.enum(['accept', 'decline']).optional(),
    })
    .refine(({ Ids, Filter }) => (Ids === undefined) !== (Filter === undefined), {
      path: ['Ids'],
      message: problem(
        text('Name the records or a filter, not both.', 'Indique los registros o un filtro, no ambos.'),
      ),
    })
    .refine(({ Ids, TimeChanges }) => TimeChanges === undefined || (Ids && Ids.length <= mostChanges), {
      path: ['TimeChanges'],
      message: `goes with at most ${mostChanges} named records`,
    }),
  answer: z.object({
    Approved: z.number().int(),
    /** How many people's records these are. */
    Students: z.number().int(),
    Minutes: z.number().int(),
    /** Minutes of the shifts of which both halves are approved now, and of reported hours. */
    ShiftMinutes: z.number().int(),
    /** Clock-ins and clock-outs among them whose other half is still pending. */
    Halves: z.number().int(),
    /** Names the approval for its undo. */
    DecidedAt: Instant.nullable(),
    /** Which of the records, or of the pending ones of the filter, were not approved, and why: at most 100. */
    LeftOut: z.array(
      z.object({
        Id,
        /** "Last, First". */
        Student: z.string(),
        Reason: LeftOutReason,
        Message: z.string(),
      }),
    ),
    LeftOutCount: z.number().int(),
    /** How many of all of them for each reason. */
    LeftOutReasons: z.array(z.object({ Reason: LeftOutReason, Count: z.number().int() })),
  }),
  errors: {
    409: 'a record whose time change was to be decided cannot be approved',
    422: 'a time that is asked for cannot be',
  },
})

/** How long decisions made together are listed for taking them back. */
export const undoableHours = 24

export const listDecisions = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/undos',
  may: 'time.approve',
  byInbox: true,
  summary:
    'What the caller approved or rejected within a day, in one go each, the newest first: for taking it back',
  params: InProgram,
  answer: z.array(
    z.object({
      DecidedAt: Instant,
      Status: z.enum(['approved', 'rejected']),
      /** Those that are still as they were decided. */
      Records: z.number().int(),
      Minutes: z.number().int(),
    }),
  ),
})

export const listDecided = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/undos/records',
  may: 'time.approve',
  byInbox: true,
  summary:
    'The records that the caller approved or rejected in one go and that are still as decided, by student',
  params: InProgram,
  query: z.strictObject({ ...paging, DecidedAt: Instant }),
  answer: PageOf(TimeRecord),
})

export const previewApproval = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/approvals',
  may: 'time.approve',
  summary:
    'What approving all of a filter would take, with the reasons of those in Careful Review and in Need Review',
  params: InProgram,
  query: TimeFilters,
  answer: z.object({
    Records: z.number().int(),
    Minutes: z.number().int(),
    Careful: z.number().int(),
    CarefulMinutes: z.number().int(),
    /** Why the careful ones are; a record can have several reasons. */
    Reasons: z.array(z.object({ Code: z.enum(doubtCodes), Count: z.number().int() })),
    NeedReview: z.number().int(),
    NeedReviewMinutes: z.number().int(),
    /** Why those of Need Review are. */
    NeedReviewReasons: z.array(z.object({ Code: z.enum(doubtCodes), Count: z.number().int() })),
    /** How many more a time change is asked for: an approval leaves them out. */
    ChangeAsked: z.number().int(),
  }),
})

export const undoDecisions = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/undos',
  may: 'time.approve',
  byInbox: true,
  summary:
    'Take back what the caller approved or rejected in one go, or only the named records of it; they are pending again, and time changes decided with them are asked for again',
  params: InProgram,
  body: z.strictObject({
    DecidedAt: Instant,
    /** Only these of them. The other half of a clock-in or clock-out goes with it: they are one shift. */
    Ids: RecordIds.optional(),
  }),
  answer: z.object({ Undone: z.number().int() }),
  errors: {
    409: 'the hours of one would overlap others, or another clock-in or clock-out is in its minute',
    422: 'the other half of one was moved, so that the two can no longer be a pair; or a former time cannot be any longer',
  },
})

export const rejectTimeRecords = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/rejections',
  may: 'time.approve',
  byInbox: true,
  summary: 'Reject the named records with a reason; the other half of a punch is then unmatched',
  params: InProgram,
  body: z.strictObject({
    Ids: RecordIds,
    Reason: RequiredText(1000),
    /** Those of them that the caller saw approved: no other approval is taken back. */
    SeenApproved: z.array(Id).max(20_000).default([]),
  }),
  answer: z.object({ Rejected: z.number().int(), DecidedAt: Instant.nullable() }),
  errors: { 409: 'a record was approved since the caller saw it' },
})

export const decideTimeChange = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/:recordId/change-decisions',
  may: 'time.approve',
  byInbox: true,
  summary: 'Accept or refuse the time that a student asks for',
  params: oneRecord,
  body: z.strictObject({ Accept: z.boolean(), Reason: Text(1000).default('') }),
  answer: TimeRecord,
  errors: { 409: 'no change is asked for', 422: 'the time cannot be' },
})

export const mailUnmatched = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/unmatched-mails',
  may: 'time.approve',
  summary: 'Email the students whose punches are unmatched, each separately; nobody twice within a day',
  params: InProgram,
  body: z.strictObject({ Filter: BodyFilters.optional() }),
  answer: z.object({
    Mailed: z.number().int(),
    Records: z.number().int(),
    /** Students without an address. */
    WithoutAddress: z.number().int(),
  }),
})

export const getReminderEmail = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/reminder-email',
  may: 'time.approve',
  summary:
    'The subject of the emails about unmatched or missed records, with dots for what differs between them',
  params: InProgram,
  query: z.strictObject({ Kind: z.enum(['unmatched', 'missed']) }),
  answer: z.object({ Subject: z.string() }),
})

export const writeAboutRecords = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/emails',
  may: 'time.approve',
  summary: 'Email the students of the named records, each separately',
  params: InProgram,
  body: z.strictObject({
    Ids: RecordIds,
    Subject: RequiredLine(200),
    Text: RequiredText(5000),
  }),
  answer: z.object({ Mailed: z.number().int(), WithoutAddress: z.number().int() }),
})
