import { addDays } from '#contract/core/calendar.ts'
import { openAfterDays } from '#contract/placement-lists/placement-lists.ts'
import type { Db } from '#server/core/database/pool.ts'
import { queueTemplatedEmails, type TemplateEmail } from '#server/core/mail/template-emails.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { createLink } from '../links/links.service.ts'

/** What a site is asked: a placement list or a request for places. */
interface Asked {
  Id: number
  Site: string
  RecipientName: string
  RecipientEmail: string
  AnswerBy: string
}

/** What the emails have in common. */
interface Shared {
  programId: number
  recipient: string
  values: { 'recipient.name': string; 'site.name': string; link: string }
}

/** Mails the recipient of each a link to it, which opens until `openAfterDays` after the date by which the site is to answer. */
export const mailLinks = async <A extends Asked>(
  db: Db,
  services: Services,
  programId: number,
  asked: readonly A[],
  {
    kind,
    by,
    emailOf,
  }: { kind: 'list' | 'places'; by: number | null; emailOf: (each: A, shared: Shared) => TemplateEmail },
): Promise<void> => {
  const emails: TemplateEmail[] = []
  for (const each of asked) {
    const { Id, Site, RecipientName, RecipientEmail, AnswerBy } = each
    const { address } = await createLink(db, services, {
      programId,
      kind,
      subjectId: Id,
      recipientName: RecipientName,
      recipientEmail: RecipientEmail,
      expiresAt: `${addDays(AnswerBy, openAfterDays)}T23:59:59Z`,
      createdBy: by,
    })
    const values = { 'recipient.name': RecipientName, 'site.name': Site, link: address }
    emails.push(emailOf(each, { programId, recipient: RecipientEmail, values }))
  }
  await queueTemplatedEmails(db, emails)
}
