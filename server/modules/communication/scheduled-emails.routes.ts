import { communicationFailures } from '#contract/communication/failures.ts'
import * as contract from '#contract/communication/scheduled-emails.ts'
import { addDays } from '#contract/core/calendar.ts'
import { workOnAllMail } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanHtml, textOfHtml } from '#server/core/http/html.ts'
import { privateSubject, secretSubject } from '#server/core/mail/closed-words.ts'
import { sendMail } from '#server/core/mail/mail.ts'
import { cancelEmails, retryEmails } from '#server/core/mail/outbox.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { enqueue } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { findEmail, mayRetry, pageEmails } from './scheduled-emails.queries.ts'

/** What emails about accounts are for, in place of subjects that may hold a code. */
const secretSubjects: Record<string, string> = {
  ACCOUNT_sign_in_link: 'Sign-in link and code',
  ACCOUNT_password_reset: 'Link to set a password',
  ACCOUNT_email_confirmation: 'Link to confirm an address',
  ACCOUNT_created: 'A new account',
  ACCOUNT_invited: 'A new account',
}

const maxShown = 200

type Shown<Row> = Omit<Row, 'label' | 'Html' | 'isPrivate'> & { Message: string; Subject: string }

const shown = <
  Row extends {
    label: string
    Html: string
    Subject: string
    IsSecret: boolean
    isPrivate: boolean
    StatusMessage: string
  },
>({
  label,
  Html,
  isPrivate,
  ...row
}: Row): Shown<Row> =>
  ({
    ...row,
    Subject: row.IsSecret
      ? isPrivate
        ? privateSubject
        : (secretSubjects[label] ?? secretSubject)
      : row.Subject,
    Message: row.IsSecret ? '' : textOfHtml(Html, maxShown),
  }) as Shown<Row>

/** Without a mail server the demo's emails can be read nowhere else. */
const showsDemoIn = ({ config }: Services): boolean => config.demo && config.smtpUrl === undefined

export const scheduledEmailRoutes = [
  handle(contract.getDateFilter, async ({ user }) => {
    const today = todayIn(user.TimeZone)
    return { InitialStartDate: addDays(today, -contract.filteredDays), InitialEndDate: today }
  }),

  handle(
    contract.listScheduledEmails,
    async ({ db, query: { page, pageSize, ...filter }, user, services }) => {
      await workOnAllMail(db)
      const found = await pageEmails(
        db,
        { ...filter, timeZone: user.TimeZone },
        { page, pageSize, showsDemo: showsDemoIn(services) },
      )
      return {
        Items: found.rows.map(shown),
        Total: found.Total,
        Page: page,
        PageSize: pageSize,
        IsTotalCapped: found.IsTotalCapped,
      }
    },
  ),

  handle(contract.getScheduledEmail, async ({ db, params, services }) => {
    await workOnAllMail(db)
    const email = await findEmail(db, params.emailId, showsDemoIn(services))
    if (!email) throw fail(communicationFailures.no_email)
    return {
      ...shown(email),
      From: email.From || services.config.mailFrom,
      // Cleaned once more: emails of the product are not written through an editor.
      Html: email.IsSecret ? '' : cleanHtml(email.Html),
    }
  }),

  handle(contract.retryScheduledEmails, async ({ db, body, audit }) => {
    await workOnAllMail(db)
    const Queued = await retryEmails(db, body.Ids, mayRetry)
    if (Queued > 0) await enqueue(db, sendMail, {}, { jobKey: 'mail:send' })
    const answer = { Queued, Skipped: new Set(body.Ids).size - Queued }
    audit.detail = { ...answer, Ids: body.Ids }
    return answer
  }),

  handle(contract.cancelScheduledEmails, async ({ db, body, user, audit }) => {
    await workOnAllMail(db)
    const Cancelled = await cancelEmails(db, body.Ids, user.Name)
    const answer = { Cancelled, Skipped: new Set(body.Ids).size - Cancelled }
    audit.detail = { ...answer, Ids: body.Ids }
    return answer
  }),
]
