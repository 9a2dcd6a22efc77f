import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Instant, PageOf, paging } from '#contract/core/fields.ts'

/** Scheduled Emails: the ledger of everything that was written to anybody. */

/** The states of an email by their codes; as a filter 0 means any. */
export const EmailState = { Any: 0, Queued: 1, Sending: 2, Success: 3, Error: 4 } as const

/** More emails than these are not counted; a narrower filter finds those behind them. */
export const maxEmailsCounted = 10_000

/** How many days the filter goes back at first. */
export const filteredDays = 30

export const getDateFilter = endpoint({
  method: 'GET',
  path: '/date-filter',
  may: 'mail.read',
  summary: 'The days that the filter of Scheduled Emails begins with',
  answer: z.object({ InitialStartDate: DateOnly, InitialEndDate: DateOnly }),
})

export const ScheduledEmail = z.object({
  Id,
  /** When it was made. */
  Date: z.string(),
  To: z.string(),
  Subject: z.string(),
  /** The beginning of its text. Nothing for emails with a link or a code for an account, or about a private record. */
  Message: z.string(),
  Status: z.number().int().min(1).max(4),
  StatusMessage: z.string(),
  Program: z.string().nullable(),
  /** It opens or changes an account, or tells of a private record: its subject and text are shown to nobody. */
  IsSecret: z.boolean(),
  /** Its address is on the blacklist. */
  IsBlocked: z.boolean(),
  MayRetry: z.boolean(),
  MayCancel: z.boolean(),
})
export type ScheduledEmail = z.infer<typeof ScheduledEmail>

export const listScheduledEmails = endpoint({
  method: 'GET',
  path: '/scheduled-emails',
  may: 'mail.read',
  summary: 'Emails of the installation, newest first, by the day they were made',
  query: z.strictObject({
    ...paging,
    /** Both days included, in the reader's time zone. */
    FromDate: DateOnly,
    ThroughDate: DateOnly,
    Status: z.number().int().min(0).max(4).default(0),
    ProgramId: Id.optional(),
    /** Only those that failed: neither blocked nor canceled. */
    FailedOnly: z.boolean().default(false),
    /** Only those made after this moment, besides the days. */
    Since: Instant.optional(),
  }),
  answer: PageOf(ScheduledEmail).extend({
    /** More than `Total` are there. */
    IsTotalCapped: z.boolean(),
  }),
})

export const getScheduledEmail = endpoint({
  method: 'GET',
  path: '/scheduled-emails/:emailId',
  may: 'mail.read',
  summary: 'One email with its text',
  params: z.strictObject({ emailId: Id }),
  answer: ScheduledEmail.extend({
    From: z.string(),
    CarbonCopy: z.array(z.string()),
    Html: z.string(),
    Attempts: z.number().int(),
    SentAt: z.string().nullable(),
  }),
})

const chosen = z.strictObject({ Ids: z.array(Id).min(1).max(500) })

export const retryScheduledEmails = endpoint({
  method: 'POST',
  path: '/scheduled-emails/retries',
  may: 'mail.read',
  summary: 'Queue emails that failed once more; those with a link or a code for an account are left out',
  body: chosen,
  answer: z.object({ Queued: z.number().int(), Skipped: z.number().int() }),
})

export const cancelScheduledEmails = endpoint({
  method: 'POST',
  path: '/scheduled-emails/cancellations',
  may: 'mail.read',
  summary: 'Keep emails that wait from being sent; those that are on their way already are left out',
  body: chosen,
  answer: z.object({ Cancelled: z.number().int(), Skipped: z.number().int() }),
})
