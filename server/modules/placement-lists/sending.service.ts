import { formatDate } from '#contract/core/calendar.ts'
import type { PlacementList } from '#contract/placement-lists/placement-lists.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { withdrawLinks } from '../links/links.commands.ts'
import { mailLinks } from './link-mail.service.ts'
import { markReminded } from './placement-lists.commands.ts'
import { findLists, lockList } from './placement-lists.queries.ts'

const students = (count: number): string => `${count} student${count === 1 ? '' : 's'}`

/** What the email says first: whom the site is asked about, or that it has not answered. */
const openingOf = (
  { Site, Rotation, AnswerBy, Students, Confirmed, Declined }: PlacementList,
  isReminder: boolean,
): string => {
  const waiting = Students - Confirmed - Declined
  return isReminder
    ? `A reminder: ${students(waiting)} of ${Rotation} at ${Site} ${waiting === 1 ? 'waits' : 'wait'} for your answer.`
    : `${students(Students)} would come to ${Site} in ${Rotation}. Please confirm or decline each by ${formatDate(AnswerBy)}.`
}

/** Mails the recipient of each list a link to it. */
export const mailLists = async (
  db: Db,
  services: Services,
  programId: number,
  lists: readonly (PlacementList & { Note: string })[],
  { by, isReminder }: { by: number | null; isReminder: boolean },
): Promise<void> => {
  await mailLinks(db, services, programId, lists, {
    kind: 'list',
    by,
    emailOf: (list, shared) => {
      const opening = openingOf(list, isReminder)
      return {
        ...shared,
        label: 'SITE_list_asked',
        values: {
          ...shared.values,
          'rotation.name': list.Rotation,
          'list.answerBy': formatDate(list.AnswerBy),
          'list.text': list.Note ? `${opening} ${list.Note}` : opening,
        },
      }
    },
  })
}

/** Reminds the site of a list that waits, by a new link; the one before opens nothing any more. */
export const remind = async (
  db: Db,
  services: Services,
  programId: number,
  listId: number,
  by: number | null,
): Promise<void> => {
  await lockList(db, programId, listId)
  const lists = await findLists(db, programId, [listId])
  await withdrawLinks(db, { programId, kind: 'list', subjectId: listId, by })
  await mailLists(db, services, programId, lists, { by, isReminder: true })
  await markReminded(db, programId, listId)
}
