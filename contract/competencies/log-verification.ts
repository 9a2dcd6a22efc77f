import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, PageOf, paging, RequiredLine } from '#contract/core/fields.ts'
import { byChoice, byCohort, byDays, byOption, byValue, onlyThose, queryOf } from '#contract/core/filters.ts'
import { maxCount } from './log-rules.ts'
import { Discreet, LogLine, LogState, OwnEntry, Patient, Revision } from './procedure-logs.ts'

/** An entry as those see it who verify it. */
export const LogEntry = OwnEntry.extend({
  StudentId: Id,
  /** "Last, First". */
  Student: z.string(),
})
export type LogEntry = z.infer<typeof LogEntry>

/** A student's day as somebody sees it who has not taken it over. */
const OthersDay = z.object({
  StudentId: Id,
  Student: z.string(),
  Date: DateOnly,
  Site: z.string().nullable(),
  Supervisor: z.string().nullable(),
  Entries: z.number().int(),
})
export type OthersDay = z.infer<typeof OthersDay>

/** So many entries that wait are looked at together. */
export const mostWaitingEntries = 500

/** Entries of a student's day that somebody verified together. */
const VerifiedDay = z.object({
  StudentId: Id,
  Student: z.string(),
  Date: DateOnly,
  DecidedAt: Instant,
  Entries: z.array(z.object({ Id, Revision, Procedure: z.string(), Count: z.number().int() })),
})
export type VerifiedDay = z.infer<typeof VerifiedDay>

/** So many of a caller's latest verifications are listed. */
export const mostVerified = 100

export const listWaitingDays = endpoint({
  method: 'GET',
  path: '/programs/:programId/procedure-logs/waiting',
  may: 'procedure-logs.verify',
  byInbox: true,
  summary:
    "Students' days that wait for the caller, the oldest first, those that name somebody else, and what the caller verified within a day",
  params: InProgram,
  answer: z.object({
    /** Entries that name the caller, by student and day: at most 500. */
    Days: z.array(
      z.object({
        StudentId: Id,
        Student: z.string(),
        FirstName: z.string(),
        Date: DateOnly,
        Entries: z.array(LogEntry),
      }),
    ),
    /** Of the caller's sites, or of the whole program for staff: at most 200 days, and whether there are more. */
    Others: z.array(OthersDay),
    HasMoreOthers: z.boolean(),
    /** What the caller verified within a day and can take back, the latest first: at most 100 days. */
    Verified: z.array(VerifiedDay),
  }),
})

export const countWaiting = endpoint({
  method: 'GET',
  path: '/programs/:programId/procedure-logs/waiting/count',
  may: 'procedure-logs.verify',
  summary: "How many students' days and entries wait for the caller",
  params: InProgram,
  answer: z.object({ Days: z.number().int(), Entries: z.number().int() }),
})

export const takeOverDay = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedure-logs/take-overs',
  may: 'procedure-logs.verify',
  summary:
    "Take over what waits of a student's day, at the caller's sites, or all of it for staff; or give back what the caller took over",
  params: InProgram,
  body: z.strictObject({ StudentId: Id, Date: DateOnly, IsGivenBack: z.boolean().default(false) }),
  answer: z.object({ Entries: z.number().int() }),
  errors: { 404: 'nothing of the day waits there, or nothing of it was taken over' },
})

const Seen = z.strictObject({ Id, Revision })
const decidedMeanwhile = 'it was changed or decided meanwhile'

export const verifyDays = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedure-logs/verifications',
  may: 'procedure-logs.verify',
  byInbox: true,
  summary:
    "Verify what was seen: a student's day, or several; by an inbox link one at a time. All of it or nothing, and no repeats",
  params: InProgram,
  body: z.strictObject({ Entries: z.array(Seen).min(1).max(500) }),
  answer: z.object({ Verified: z.number().int() }),
  errors: {
    404: 'an entry does not wait for the caller',
    409: decidedMeanwhile,
    422: 'an entry has repeats, or an inbox link names several days',
  },
})

/** So long a verification can be taken back by whoever made it. */
export const undoableHours = 24

export const undoVerifications = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedure-logs/verifications/undo',
  may: 'procedure-logs.verify',
  byInbox: true,
  summary: 'Take back what the caller verified within a day: the entries wait again. All of them or none',
  params: InProgram,
  body: z.strictObject({ Entries: z.array(Seen).min(1).max(500) }),
  answer: z.object({ Undone: z.number().int() }),
  errors: {
    404: 'an entry is not the caller’s to decide',
    409: 'an entry was changed or taken back meanwhile, or was verified by somebody else or a day ago',
  },
})

const oneLog = z.strictObject({ programId: Id, logId: Id })

export const verifyEntry = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedure-logs/:logId/verification',
  may: 'procedure-logs.verify',
  byInbox: true,
  summary: 'Verify one entry, with its count corrected or its repeats confirmed. The old count is kept',
  params: oneLog,
  body: z.strictObject({
    Revision,
    Count: z.number().int().min(1).max(maxCount),
    /** Needed with repeats, unless the student has named the radiographer. */
    Radiographer: Discreet(100).default(''),
  }),
  answer: LogEntry,
  errors: { 409: decidedMeanwhile, 422: 'nobody is named who was present at the repeats' },
})

export const returnEntry = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedure-logs/:logId/return',
  may: 'procedure-logs.verify',
  byInbox: true,
  summary: 'Return an entry to its student, who is told why',
  params: oneLog,
  body: z.strictObject({ Revision, Reason: RequiredLine(500) }),
  answer: LogEntry,
  errors: { 409: decidedMeanwhile },
})

export const reopenEntry = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedure-logs/:logId/reopening',
  may: 'procedure-logs.correct',
  summary: 'Take back that an entry was verified; it waits again',
  params: oneLog,
  body: z.strictObject({ Revision, Reason: RequiredLine(500) }),
  answer: LogEntry,
  errors: { 409: 'it was changed meanwhile, or is not verified' },
})

export const logFilters = {
  status: byValue(
    'State',
    'Status',
    { submitted: 'Waiting', verified: 'Verified', returned: 'Returned' },
    'Any status',
  ),
  student: byChoice('StudentId', 'student', '{Student}'),
  site: byChoice('SiteId', 'site', '{Site}'),
  procedure: byOption('ProcedureId', 'Procedure'),
  cohort: byCohort(),
  patient: byValue('Patient', 'Patient', { adult: 'Adult', pediatric: 'Pediatric', geriatric: 'Geriatric' }),
  repeats: onlyThose('WithRepeats', 'Repeats', 'With repeats'),
  noShift: onlyThose('WithoutShift', 'Shift', 'Without a shift'),
  days: byDays('Date'),
} as const
const filters = queryOf(logFilters)
const LogFilters = z.strictObject(filters)
export type LogFilters = z.infer<typeof LogFilters>

export const listProcedureLogs = endpoint({
  method: 'GET',
  path: '/programs/:programId/procedure-logs',
  may: 'procedure-logs.read',
  summary: 'The log of all students by day, the newest first',
  params: InProgram,
  query: LogFilters.extend(paging),
  answer: PageOf(LogEntry).extend({
    /** There are more than `Total`. */
    IsTotalCapped: z.boolean(),
  }),
})

export const exportProcedureLogs = endpoint({
  method: 'GET',
  path: '/programs/:programId/procedure-logs/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'procedure-logs.read',
  summary: 'The filtered log as a file',
  params: InProgram,
  query: LogFilters.extend({ Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

/** What an entry said before a change. */
export const LogChange = z.object({
  At: Instant,
  By: z.string(),
  Reason: z.string(),
  Procedure: z.string(),
  Level: z.string().nullable(),
  Count: z.number().int(),
  Patient,
  Repeats: z.number().int(),
  State: LogState,
})
export type LogChange = z.infer<typeof LogChange>

export const getProcedureLog = endpoint({
  method: 'GET',
  path: '/programs/:programId/procedure-logs/:logId',
  may: 'procedure-logs.read',
  summary: 'One entry with what it said before each change',
  params: oneLog,
  answer: LogEntry.extend({ History: z.array(LogChange) }),
})

export const correctEntry = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedure-logs/:logId',
  may: 'procedure-logs.correct',
  summary: 'Change an entry, also a verified one. What it said before is kept',
  params: oneLog,
  body: LogLine.extend({ Revision, Reason: RequiredLine(500) }),
  answer: LogEntry,
  errors: {
    409: 'it was changed meanwhile',
    422: 'the procedure, its level or its pathology cannot be logged',
  },
  basis: { read: getProcedureLog },
})
