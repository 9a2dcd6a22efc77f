import * as contract from '#contract/news/announcements.ts'
import { newsFailures } from '#contract/news/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanBase64Html, isEmptyHtml, textOfHtml } from '#server/core/http/html.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import {
  acknowledge,
  addAnnouncement,
  changeAnnouncement,
  setAnnouncementActive,
  setAnnouncementDeleted,
  takeReaders,
} from './announcements.commands.ts'
import {
  findAnnouncement,
  pageAnnouncements,
  pageReaders,
  shownAnnouncements,
} from './announcements.queries.ts'

const missing = () => fail(newsFailures.no_announcement)

const getAnnouncement = async (db: Db, programId: number, id: number): Promise<contract.Announcement> => {
  const found = await findAnnouncement(db, programId, id)
  if (!found) throw missing()
  return found
}

/** The input with its text as clean HTML. */
const clean = <Input extends { Text: string }>(body: Input): Input => {
  const html = cleanBase64Html(body.Text)
  if (isEmptyHtml(html)) throw fail(newsFailures.announcement_empty, 'Text')
  return { ...body, Text: html }
}

/** What the audit keeps: everything but the text. */
const plain = ({ Text: _text, ...rest }: contract.Announcement) => rest

const maxTold = 200

/** Tells everyone whom an active announcement is for, once: within the product and by email. */
const publish = async (
  db: Db,
  { publicUrl, config }: Services,
  programId: number,
  { Id, Text, Category, IsActive }: contract.Announcement,
): Promise<void> => {
  if (!IsActive) return
  const readers = await takeReaders(db, programId, Id, contract.levelsOf(Category))
  const summary = textOfHtml(Text, maxTold)
  await notifyPeople(
    db,
    programId,
    readers.map(({ Id: accountId }) => ({ accountId, kind: 'announcement', text: summary, link: '/new/' })),
  )
  await queueTemplatedEmails(
    db,
    readers
      .filter(({ Email }) => Email !== '')
      .map((reader) => ({
        programId,
        accountId: reader.Id,
        label: 'ANNOUNCEMENT_published',
        recipient: reader.Email,
        values: {
          'reader.firstName': reader.FirstName,
          'announcement.summary': textOfHtml(Text, 80),
          'announcement.text': { html: Text },
          link: `${publicUrl()}${config.appRoot}/new/`,
        },
      })),
  )
}

const setDeleted = async (
  db: Db,
  { programId, announcementId: id }: { programId: number; announcementId: number },
  isDeleted: boolean,
): Promise<void> => {
  if (!(await setAnnouncementDeleted(db, { programId, id }, isDeleted))) throw missing()
}

export const announcementRoutes = [
  handle(contract.listAnnouncements, ({ db, params, query }) =>
    pageAnnouncements(db, params.programId, query),
  ),

  handle(contract.getAnnouncement, ({ db, params }) =>
    getAnnouncement(db, params.programId, params.announcementId),
  ),

  handle(contract.createAnnouncement, async ({ db, params: { programId }, body, user, services, audit }) => {
    const id = await addAnnouncement(db, programId, user.Id, clean(body))
    const made = await getAnnouncement(db, programId, id)
    audit.detail = plain(made)
    await publish(db, services, programId, made)
    return made
  }),

  handle(
    contract.updateAnnouncement,
    async ({ db, params: { programId, announcementId }, body, services, audit }) => {
      const before = await getAnnouncement(db, programId, announcementId)
      await changeAnnouncement(db, { programId, id: announcementId }, clean(body))
      const after = await getAnnouncement(db, programId, announcementId)
      audit.detail = { Before: plain(before), After: plain(after) }
      await publish(db, services, programId, after)
      return after
    },
  ),

  handle(
    contract.setAnnouncementActive,
    async ({ db, params: { programId, announcementId }, query, services, audit }) => {
      await getAnnouncement(db, programId, announcementId)
      audit.detail = { Id: announcementId, IsActive: query.value }
      await setAnnouncementActive(db, { programId, id: announcementId }, query.value)
      const after = await getAnnouncement(db, programId, announcementId)
      await publish(db, services, programId, after)
      return after
    },
  ),

  handle(contract.deleteAnnouncement, async ({ db, params, audit }) => {
    audit.detail = { Id: params.announcementId }
    await setDeleted(db, params, true)
  }),

  handle(contract.restoreAnnouncement, async ({ db, params, audit }) => {
    audit.detail = { Id: params.announcementId }
    await setDeleted(db, params, false)
    return getAnnouncement(db, params.programId, params.announcementId)
  }),

  handle(contract.listAnnouncementReaders, async ({ db, params, query }) => {
    const { Category } = await getAnnouncement(db, params.programId, params.announcementId)
    return pageReaders(db, params, Category, query)
  }),

  handle(contract.listOwnAnnouncements, async ({ db, user, session }) =>
    session.programId === null ? [] : shownAnnouncements(db, session.programId, user),
  ),

  handle(
    contract.acknowledgeAnnouncement,
    async ({ db, params: { announcementId }, user, session, audit }) => {
      const find = async () =>
        session.programId === null
          ? undefined
          : (await shownAnnouncements(db, session.programId, user)).find(({ Id }) => Id === announcementId)
      const shown = await find()
      // Who looks at another program, or at what asks for nothing, has nothing to acknowledge.
      if (!shown?.AsksAcknowledgement) throw missing()
      audit.detail = { Id: announcementId }
      // Found above, which takes a program.
      await acknowledge(db, session.programId!, announcementId, user.Id)
      return (await find()) ?? shown
    },
  ),
]
