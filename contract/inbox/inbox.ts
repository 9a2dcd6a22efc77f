import { z } from 'zod'
import { Revision } from '#contract/competencies/procedure-logs.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, Line, PageOf, paging } from '#contract/core/fields.ts'
import { AnswersInput, FilledForm } from '#contract/evaluations/evaluations.ts'
import { byLink } from '#contract/links/links.ts'
import { ShiftTotals, TimeShift } from '#contract/time/time-records.ts'

/**
 * The inbox by link: what waits for a supervisor in all programs and colleges that know their address, without signing in. Each call
 * that works in a program says in `X-Inbox` which link it comes by and in `X-Account` as which of the address's accounts; the calls
 * of other modules that it may make are declared `byInbox`.
 */

/** Days that a link works. */
export const inboxDays = 7

/** How many shifts come with the first screen: clean ones, and at least one that needs a look where there is any. */
export const inboxShifts = 3
/** The most clean shifts that one press approves. */
export const inboxCleanShifts = 500

// With the link -------------------------------------------------------------------------------------------------------

const linkErrors = {
  401: 'this device has to open the link first',
  404: 'the link is unknown, expired or was withdrawn',
}

const InboxProgram = z.object({
  AccountId: Id,
  ProgramId: Id,
  Program: z.string(),
  College: z.string(),
  /** IANA name. */
  TimeZone: z.string(),
  /** What waits there needs a sign-in: a license to accept, or an authenticator. */
  NeedsSignIn: z.boolean(),
})
export type InboxProgram = z.infer<typeof InboxProgram>

export const openInbox = endpoint({
  method: 'GET',
  path: '/inbox-links/:token',
  may: 'everyone',
  summary: 'Whose inbox a link is, and the accounts of its address as they are now',
  params: byLink,
  answer: z.object({ Name: z.string(), ExpiresAt: Instant, Programs: z.array(InboxProgram) }),
  errors: linkErrors,
})

export const renewInbox = endpoint({
  method: 'POST',
  path: '/inbox-links/:token/renewals',
  may: 'everyone',
  summary:
    'Mail a new link in place of one that has run out. Answers the same whatever the link is, so that nothing is learned of it',
  params: byLink,
  errors: { 429: 'too many were asked for' },
})

const InboxEvaluation = z.object({
  Id,
  Title: z.string(),
  Subject: z.string(),
  Site: z.string(),
  EndDate: DateOnly.nullable(),
  IsLate: z.boolean(),
})

const InboxRequest = z.object({
  /** The link that was mailed for it alone. */
  LinkId: Id,
  Kind: z.enum(['list', 'exam', 'swap']),
  /** What it is about: the site and rotation, the student and procedure, or what is to change. */
  Title: z.string(),
  Detail: z.string(),
  /** Until when it can be answered. */
  ExpiresAt: Instant,
})
export type InboxRequest = z.infer<typeof InboxRequest>

const InboxHours = z.object({
  Totals: ShiftTotals,
  /** A few of them, the newest that need a look before the newest clean ones; `listPendingShifts` has all. */
  Items: z.array(TimeShift),
  /** What one press approves: clean shifts, the newest, and their pending records. */
  Clean: z.object({ Shifts: z.number().int(), Ids: z.array(Id) }),
})
export type InboxHours = z.infer<typeof InboxHours>

const InboxProcedures = z.object({
  /** Students' days that name the caller, the oldest first, of at most 500 entries; `listWaitingDays` has what was logged. */
  Days: z.array(
    z.object({
      StudentId: Id,
      /** "Last, First". */
      Student: z.string(),
      Date: DateOnly,
      Entries: z.number().int(),
      /** Entries that have repeats. */
      Repeats: z.number().int(),
    }),
  ),
  /** The entries of the days without repeats, which are verified together. */
  Clean: z.array(z.object({ Id, Revision })),
})
export type InboxProcedures = z.infer<typeof InboxProcedures>

export const getInboxItems = endpoint({
  method: 'GET',
  path: '/programs/:programId/inbox',
  may: 'students.supervised',
  byInbox: true,
  byKey: 'never',
  summary:
    'Evaluations that wait for the caller; by an inbox link also the hours and procedures, and what was mailed to its address by links of their own: placement lists, exams, shift changes',
  params: InProgram,
  answer: z.object({
    /** Whether the program uses the inbox by link. */
    IsOn: z.boolean(),
    /** By an inbox link only, as the procedures: whoever is signed in has pages for them. */
    Hours: InboxHours.nullable(),
    Procedures: InboxProcedures.nullable(),
    Evaluations: z.array(InboxEvaluation),
    Requests: z.array(InboxRequest),
  }),
})

const oneEvaluation = z.strictObject({ programId: Id, evaluationId: Id })

export const getInboxForm = endpoint({
  method: 'GET',
  path: '/programs/:programId/inbox/evaluations/:evaluationId',
  may: 'students.supervised',
  byInbox: true,
  byKey: 'never',
  summary: 'The form of an evaluation that waits for the caller, with the answers kept so far',
  params: oneEvaluation,
  answer: FilledForm,
  errors: { 404: 'it does not wait for the caller' },
})

export const saveInboxForm = endpoint({
  method: 'POST',
  path: '/programs/:programId/inbox/evaluations/:evaluationId/answers',
  may: 'students.supervised',
  byInbox: true,
  byKey: 'never',
  summary: 'Keep answers of an evaluation that waits for the caller; with Submit it is complete, once',
  params: oneEvaluation,
  body: AnswersInput,
  answer: FilledForm,
  errors: {
    404: 'it does not wait for the caller',
    409: 'it was submitted or stopped before',
    422: 'something mandatory is missing',
  },
})

export const openInboxRequest = endpoint({
  method: 'POST',
  path: '/programs/:programId/inbox/requests/:linkId/openings',
  may: 'students.supervised',
  byInbox: true,
  byKey: 'never',
  answersSecret: true,
  summary:
    'Open on this device what was mailed to the address of the inbox link by a link of its own. It needs no code for an hour',
  params: z.strictObject({ programId: Id, linkId: Id }),
  /** Path of its page, below the root. */
  answer: z.object({ Path: z.string() }),
  errors: { 404: 'it is over, or was not mailed to this address' },
})

// The person, signed in -----------------------------------------------------------------------------------------------

export const mailOwnInbox = endpoint({
  method: 'POST',
  path: '/programs/:programId/inbox/mails',
  may: 'students.supervised',
  byKey: 'never',
  summary: 'Mail the caller a link to their inbox',
  params: InProgram,
  answer: z.object({ Email: z.string() }),
  errors: { 409: 'the program does not use the inbox by link', 429: 'too many were asked for' },
})

// Staff ---------------------------------------------------------------------------------------------------------------

const InboxPerson = z.object({
  AccountId: Id,
  /** "Last, First". */
  Name: z.string(),
  Email: z.string(),
  /** off: staff left them out; muted: they switched the weekly email off; blocked: emails to the address come back; ready otherwise. */
  State: z.enum(['ready', 'off', 'muted', 'blocked', 'address']),
  /** When the newest link of the address was sent, by whichever program. */
  SentAt: Instant.nullable(),
  ExpiresAt: Instant.nullable(),
  WithdrawnAt: Instant.nullable(),
  OpenedAt: Instant.nullable(),
  /** What the device that has it open calls itself. */
  Device: z.string(),
  IsOpenable: z.boolean(),
})
export type InboxPerson = z.infer<typeof InboxPerson>

export const listInboxPeople = endpoint({
  method: 'GET',
  path: '/programs/:programId/inbox/people',
  may: 'inbox.manage',
  summary: 'Supervisors with the newest inbox link of their address, by name',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    search: Line(100).default(''),
    /** Only those whose link can be opened now. */
    IsOpenable: z.boolean().default(false),
  }),
  answer: PageOf(InboxPerson),
})

const Setting = z.object({ IsOn: z.boolean() })

export const getInboxSetting = endpoint({
  method: 'GET',
  path: '/programs/:programId/inbox/setting',
  may: 'inbox.manage',
  summary: 'Whether the program uses the inbox by link',
  params: InProgram,
  answer: Setting,
})

export const saveInboxSetting = endpoint({
  method: 'POST',
  path: '/programs/:programId/inbox/setting',
  may: 'inbox.manage',
  summary:
    'Use the inbox by link, or no longer: then no link reaches anything of the program, also one that is open',
  params: InProgram,
  body: z.strictObject({ IsOn: z.boolean() }),
  answer: Setting,
})

export const sendInboxes = endpoint({
  method: 'POST',
  path: '/programs/:programId/inbox/people/mails',
  may: 'inbox.manage',
  byKey: 'never',
  summary: 'Mail supervisors a link to their inbox now',
  params: InProgram,
  body: z.strictObject({ AccountIds: z.array(Id).min(1).max(200) }),
  answer: z.object({ Sent: z.number().int(), Skipped: z.number().int() }),
  errors: { 409: 'the program does not use the inbox by link' },
})

const oneSupervisor = z.strictObject({ programId: Id, accountId: Id })

export const withdrawInbox = endpoint({
  method: 'POST',
  path: '/programs/:programId/inbox/people/:accountId/withdrawals',
  may: 'inbox.manage',
  summary: "End every inbox link of a supervisor's address at once, also those that other programs sent",
  params: oneSupervisor,
  answer: z.object({ Withdrawn: z.number().int() }),
  errors: { 404: 'no such supervisor' },
})

export const setInboxExclusion = endpoint({
  method: 'POST',
  path: '/programs/:programId/inbox/people/:accountId/exclusion',
  may: 'inbox.manage',
  summary:
    'Leave a supervisor out, or take them in again: no link reaches what waits for them in the program',
  params: oneSupervisor,
  body: z.strictObject({ IsOff: z.boolean() }),
  errors: { 404: 'no such supervisor' },
})
