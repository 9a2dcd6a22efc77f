import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  Base64Html,
  Email,
  Id,
  InProgram,
  Instant,
  isEmail,
  Line,
  PageOf,
  paging,
  RequiredLine,
  Small,
} from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'

/** Most emails that one send may result in. */
export const maxEmails = 5_000

/** What is said when a send would result in more. */
export const tooManyEmails =
  'Your selections would result in too many emails being sent at once. Please change your selections to ensure that 5,000 emails or fewer are sent.'

/** Most files of one email, and how large they may be together. */
export const maxAttachments = 10
export const maxAttachmentBytes = 20 * 1024 * 1024
/** How far ahead an email can be scheduled. */
export const maxDaysAhead = 366

/** The groups of people that a send may be for, by their codes. */
export const UserType = {
  /** Whoever gets copies of the emails of a program; for super admins only. */
  EmailNotifications: 0,
  ProgramDirectors: 1,
  Faculty: 2,
  Supervisors: 3,
  SiteEmployees: 4,
  Students: 5,
  GenericEmployees: 6,
  Alumni: 7,
} as const
export type UserType = (typeof UserType)[keyof typeof UserType]

/** The access levels behind each code; code 0 is not a matter of levels. */
export const levelsOfType: Readonly<Record<UserType, readonly Level[]>> = {
  0: [],
  1: [Level.Director, Level.Coord],
  2: [Level.Faculty],
  3: [Level.Supervisor, Level.CCUnderHood],
  4: [Level.SiteEmployee],
  5: [Level.Student],
  6: [Level.GenericEmployee],
  7: [Level.Alumnus],
}

/** What the cohort filter calls alumni without a cohort. */
export const noCohort = 'Not Specified'

/** What happened to one email: an index into the colors blue, green, maroon, orange, red. */
export const SendStatus = { Queued: 0, Sent: 1, Blocked: 2, NoAddress: 3, Failed: 4 } as const

export const EmailStatus = z.object({
  Recipient: z.string(),
  StatusValue: z.number().int().min(0).max(4),
  StatusMessage: z.string(),
  /** Its row in the ledger; null when there is none, because there was nobody to write to. */
  Id: Id.nullable(),
})
export type EmailStatus = z.infer<typeof EmailStatus>

const sender = 'Please specify a valid email for the "From" field.'
const copies = 'Please specify valid emails separated by commas for the "CC" field.'

/** The addresses of a CC field, trimmed; undefined when one of them is none. */
export const splitCopies = (text: string): string[] | undefined => {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return parts.every((part) => isEmail(part)) ? parts : undefined
}

/** Whom a send is for. Without a program and a picked person nobody is chosen. */
const Selection = {
  /** One person, in place of everything below. */
  individualRecipientUserId: Id.nullable().default(null),
  programIds: z.array(Id).max(10_000).default([]),
  userTypes: z.array(z.union(Object.values(UserType).map((code) => z.literal(code)))).default([]),
  /** People picked by name, of whatever level. */
  studentIds: z.array(Id).max(maxEmails).default([]),
  /** Narrows the students; none, or all of the program, means every student. */
  studentLevelIds: z.array(Id).max(20).default([]),
  /** Sites whose contacts are written to. */
  siteIds: z.array(Id).max(10_000).default([]),
  /** Narrows the alumni; none means every alumnus. */
  cohorts: z.array(Line(100)).max(1_000).default([]),
  isPaymentContactsSelected: z.boolean().default(false),
}

export const EmailSelection = z.strictObject(Selection)
export type EmailSelection = z.output<typeof EmailSelection>

export const NewEmail = z.strictObject({
  ...Selection,
  sender: z
    .string()
    .max(1_000)
    .transform((text) => text.trim())
    .refine((text) => Email.safeParse(text).success, sender),
  subject: Line(255).pipe(z.string().min(1, 'Please specify a subject.')),
  body: Base64Html.default(''),
  carbonCopyRecipients: z
    .array(
      z
        .string()
        .max(1_000)
        .transform((text) => text.trim()),
    )
    .max(50)
    .refine((list) => list.every((each) => Email.safeParse(each).success), copies)
    .default([]),
  /** Files that were added before, of the sender. */
  attachmentIds: z.array(Id).max(maxAttachments).default([]),
  /** When to send it; at once without. */
  sendAfter: Instant.optional(),
})
export type NewEmail = z.output<typeof NewEmail>

/** The texts of the three checks that the sender's screen makes before it sends. */
export const emailMessages = {
  sender,
  subject: 'Please specify a subject.',
  copies,
  nobody: 'Please select a program or individual users.',
} as const

export const sendEmails = endpoint({
  method: 'POST',
  path: '/emails',
  may: 'mail.send',
  summary: 'Send an email to everybody chosen; each gets an own email, and is told about in the answer',
  body: NewEmail,
  answer: z.array(EmailStatus),
  errors: {
    400: 'nobody is chosen, or a field of the text does not exist',
    403: 'the sender is not the own address, or the group is for super admins',
    404: 'a chosen program, person or site does not exist',
    422: 'more than 5,000 emails would result, the files are too large, or the moment is past; nothing was sent',
  },
})

export const EmailAttachment = z.object({ Id, Name: z.string(), ByteCount: z.number().int() })
export type EmailAttachment = z.infer<typeof EmailAttachment>

export const addEmailAttachment = endpoint({
  method: 'POST',
  path: '/emails/attachments',
  may: 'mail.send',
  summary: 'Keep a file for an email; its content tells its type',
  takes: 'multipart',
  bodyLimit: maxAttachmentBytes + 64 * 1024,
  answer: EmailAttachment,
  errors: {
    413: 'larger than 20 MiB',
    415: 'no PDF, picture, text or office file by its content',
    422: 'it contains a virus',
  },
})

/** An email in the sender's own list. */
export const SentEmail = EmailStatus.omit({ Id: true }).extend({
  Id,
  CreatedAt: z.string(),
  Subject: z.string(),
  /** When it is sent, for one that is scheduled; else null. */
  SendAfter: z.string().nullable(),
  SentAt: z.string().nullable(),
  Attachments: z.number().int(),
  MayCancel: z.boolean(),
})
export type SentEmail = z.infer<typeof SentEmail>

export const listSentEmails = endpoint({
  method: 'GET',
  path: '/emails/sent',
  may: 'mail.send',
  summary: 'The emails that one has sent oneself, newest first',
  query: z.strictObject({ search: z.string().max(255).default(''), ...paging }),
  answer: PageOf(SentEmail),
})

export const cancelSentEmails = endpoint({
  method: 'POST',
  path: '/emails/sent/cancellations',
  may: 'mail.send',
  summary: 'Keep own emails that wait from being sent; those that are on their way already are left out',
  body: z.strictObject({ Ids: z.array(Id).min(1).max(500) }),
  answer: z.object({ Cancelled: z.number().int(), Skipped: z.number().int() }),
})

export const getMailServer = endpoint({
  method: 'GET',
  path: '/mail-server',
  may: 'signed-in',
  summary: 'Whether this installation can send email',
  answer: z.object({ IsSet: z.boolean() }),
})

/** A text that staff of a program keep, to begin an email with. */
export const EmailText = z.object({
  Id,
  Name: z.string(),
  Subject: z.string(),
  /** As it was sent: cleaned HTML. */
  Html: z.string(),
})
export type EmailText = z.infer<typeof EmailText>

/** Most texts that a program keeps. */
export const maxEmailTexts = 200

export const listEmailTexts = endpoint({
  method: 'GET',
  path: '/programs/:programId/email-texts',
  may: 'mail.send',
  summary: 'The saved texts of a program by name',
  params: InProgram,
  answer: z.array(EmailText),
})

export const saveEmailText = endpoint({
  method: 'POST',
  path: '/programs/:programId/email-texts',
  may: 'mail.send',
  summary: 'Keep a text under a name; a text of that name is replaced when that is asked for',
  params: InProgram,
  body: z.strictObject({
    name: RequiredLine(100),
    subject: Line(255).default(''),
    body: Base64Html.default(''),
    replaces: z.boolean().default(false),
  }),
  answer: EmailText,
  errors: { 409: 'the name is taken', 422: 'the program has as many as it may keep' },
})

export const deleteEmailText = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/email-texts/:textId',
  may: 'mail.send',
  summary: 'Delete a saved text; it can be restored',
  params: z.strictObject({ programId: Id, textId: Id }),
})

export const restoreEmailText = endpoint({
  method: 'POST',
  path: '/programs/:programId/email-texts/:textId/restoration',
  may: 'mail.send',
  summary: 'Bring a deleted text back',
  params: z.strictObject({ programId: Id, textId: Id }),
  answer: EmailText,
  errors: { 409: 'the name has been taken since' },
})

export const countEmails = endpoint({
  method: 'POST',
  path: '/emails/recipients',
  may: 'mail.send',
  summary: 'How many emails a choice of recipients results in, without sending anything',
  body: EmailSelection,
  answer: z.object({
    Emails: z.number().int(),
    /** More than 5,000: nothing would be sent, and the other figures are not counted. */
    IsTooMany: z.boolean(),
    /** Of them on the blacklist: skipped. */
    Blocked: z.number().int(),
    /** Chosen people and sites without an address. */
    WithoutAddress: z.number().int(),
    /** Chosen more than once, or with the address of somebody else: written to once. */
    Twice: z.number().int(),
  }),
  changes: false,
  errors: { 404: 'a chosen program, person or site does not exist' },
})

export const cleanEmail = endpoint({
  method: 'POST',
  path: '/emails/previews',
  may: 'mail.send',
  summary:
    'An email as it would be sent; with the recipients chosen, as the one of them at `place` would get it',
  body: z.strictObject({
    body: Base64Html,
    subject: Line(255).default(''),
    selection: EmailSelection.optional(),
    /** Which of the recipients, from 1; past the last one it is the last. */
    place: z.number().int().min(1).max(maxEmails).default(1),
  }),
  answer: z.object({
    Subject: z.string(),
    Html: z.string(),
    /** Null without recipients. */
    Recipient: z.object({ Name: z.string(), EmailAddress: z.string(), Place: z.number().int() }).nullable(),
    Recipients: z.number().int(),
    /** Fields that some recipients have no value for, what is said then, and how many they are. */
    Missing: z.array(z.object({ Field: z.string(), Says: z.string(), Recipients: z.number().int() })),
    /** Why the email would not be sent as it is: a field that does not exist. */
    Problem: z.string().nullable(),
  }),
  changes: false,
  errors: { 404: 'a chosen program, person or site does not exist' },
})

export const listEmailStatuses = endpoint({
  method: 'POST',
  path: '/emails/statuses',
  may: 'mail.send',
  summary: 'What became of emails that one has sent oneself',
  body: z.strictObject({ Ids: z.array(Id).max(maxEmails) }),
  answer: z.array(EmailStatus),
  changes: false,
})

export const getEmailFields = endpoint({
  method: 'GET',
  path: '/users/:userId/email-fields',
  may: 'mail.send',
  summary: 'Name and address of the one person an email is for',
  params: z.strictObject({ userId: Id }),
  answer: z.object({ Name: z.string(), EmailAddress: z.string() }),
})

/** Letters needed before people are searched, and how many are answered at a time. */
export const minSearchLetters = 3
export const pickedAtOnce = 20

export const PickedUser = z.object({
  ID: Id,
  FullName: z.string(),
  EmailAddress: z.string(),
  AccessLevel: z.number().int(),
  /** 'college name - program name'; only for super admins, who pick from every program. */
  Program: z.string().nullable(),
})
export type PickedUser = z.infer<typeof PickedUser>

export const pickUsers = endpoint({
  method: 'GET',
  path: '/users/List.ashx',
  may: 'mail.send',
  summary: 'Active people by name, user name, email or student ID, for picking single recipients',
  query: z.strictObject({
    search: z
      .string()
      .transform((text) => text.trim())
      .pipe(z.string().min(minSearchLetters, 'must have at least 3 characters').max(100)),
    /** Only people whose access level is above this number. */
    usertype_more_than: Small.default(0),
    page: z.number().int().min(1).max(250).default(1),
  }),
  answer: z.object({ aaData: z.array(PickedUser) }),
})
