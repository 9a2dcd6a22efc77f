import { addDays } from '#contract/core/calendar.ts'
import { openAfterDays } from '#contract/placement-lists/placement-lists.ts'
import type { Db } from '#server/core/database/pool.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { notFound } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { withdrawLinks } from '../links/links.queries.ts'
import { createLink } from '../links/links.service.ts'
import { findList, lockList, markReminded } from './placement-lists.queries.ts'

const written = (date: string): string => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`

/** Mails the recipient of a list a link to it; links of the list that were mailed before open nothing any more. */
export const mailList = async (
  db: Db,
  services: Services,
  programId: number,
  listId: number,
  { by, isReminder }: { by: number | null; isReminder: boolean },
): Promise<void> => {
  const list = await findList(db, programId, listId)
  if (!list) throw notFound('This placement list')
  await withdrawLinks(db, { programId, kind: 'list', subjectId: listId, by })
  const { address } = await createLink(db, services, {
    programId,
    kind: 'list',
    subjectId: listId,
    recipientName: list.RecipientName,
    recipientEmail: list.RecipientEmail,
    expiresAt: `${addDays(list.AnswerBy, openAfterDays)}T23:59:59Z`,
    createdBy: by,
  })
  const waiting = list.Students - list.Confirmed - list.Declined
  const students = (count: number) => `${count} student${count === 1 ? '' : 's'}`
  const opening = isReminder
    ? `A reminder: ${students(waiting)} of ${list.Rotation} at ${list.Site} ${waiting === 1 ? 'waits' : 'wait'} for your answer.`
    : `${students(list.Students)} would come to ${list.Site} in ${list.Rotation}. Please confirm or decline each by ${written(list.AnswerBy)}.`
  await queueTemplatedEmails(db, [
    {
      programId,
      label: 'SITE_list_asked',
      recipient: list.RecipientEmail,
      values: {
        'recipient.name': list.RecipientName,
        'site.name': list.Site,
        'rotation.name': list.Rotation,
        'list.answerBy': written(list.AnswerBy),
        'list.text': list.Note ? `${opening} ${list.Note}` : opening,
        link: address,
      },
    },
  ])
}

/** Reminds the site of a list that waits, by a new link. */
export const remind = async (
  db: Db,
  services: Services,
  programId: number,
  listId: number,
  by: number | null,
): Promise<void> => {
  await lockList(db, programId, listId)
  await mailList(db, services, programId, listId, { by, isReminder: true })
  await markReminded(db, programId, listId)
}
