import type { MailKind } from './email-kind.ts'
import { accountEmails } from './kinds/account-emails.ts'
import { evaluationEmails } from './kinds/evaluation-emails.ts'
import { ownerEmails } from './kinds/owner-emails.ts'
import { programEmails } from './kinds/program-emails.ts'
import { recordEmails } from './kinds/record-emails.ts'
import { shiftEmails } from './kinds/shift-emails.ts'
import { siteEmails } from './kinds/site-emails.ts'
import { timeEmails } from './kinds/time-emails.ts'

/** The kinds of emails that the product writes, in the order in which the mail center lists them at first. */
export const mailKinds = {
  ...timeEmails,
  ...shiftEmails,
  ...siteEmails,
  ...evaluationEmails,
  ...recordEmails,
  ...programEmails,
  ...accountEmails,
  ...ownerEmails,
} satisfies Record<string, MailKind>

export type MailLabel = keyof typeof mailKinds

/** The emails that gather what happens to a person within some minutes. */
export type DigestLabel = {
  [L in MailLabel]: (typeof mailKinds)[L] extends { page: string } ? L : never
}[MailLabel]

/** The same, for whoever looks through all of them. */
export const kindOf = (label: string): MailKind | undefined =>
  (mailKinds as Record<string, MailKind | undefined>)[label]
