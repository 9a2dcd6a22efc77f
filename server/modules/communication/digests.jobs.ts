import { sql } from 'kysely'
import { z } from 'zod'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { summaryOf } from '#server/core/mail/email-kind.ts'
import { htmlList } from '#server/core/mail/email-text.ts'
import { type DigestLabel, mailKinds } from '#server/core/mail/mail-kinds.ts'
import { digestsOf, notifyPeople, takeDueNotices } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails, type TemplateEmail } from '#server/core/mail/template-emails.ts'
import { inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'

interface Reader {
  id: number
  email: string
  first_name: string
  access_level: number
}

const readersOf = async (db: Db, programId: number, ids: readonly number[]): Promise<Map<number, Reader>> => {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'email', 'first_name', 'access_level'])
    .where('program_id', '=', programId)
    .where(sql<boolean>`id = any (${[...ids]}::bigint[])`)
    .where('deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const linkOf = (label: DigestLabel, { access_level }: Reader): string =>
  label === 'DOCUMENT_added' && access_level >= Level.Faculty
    ? '/new/admin/document-library'
    : mailKinds[label].page

const summary = (label: DigestLabel, count: number): string => summaryOf(mailKinds[label].summary, count)

/** Sent to nobody inside the product when it happened. */
const toldHere = /^PLACEMENT_/

/** Writes the digests of one program that are due, and answers how many. */
export const writeDigests = async (db: Db, programId: number, address: string): Promise<number> => {
  const due = await takeDueNotices(db, programId)
  const byPerson = Map.groupBy(due, ({ account_id }) => account_id)
  const readers = await readersOf(db, programId, [...byPerson.keys()])
  const found = [...byPerson].flatMap(([id, kept]) => {
    const reader = readers.get(id)
    if (!reader) return []
    // What a frozen account has caused is an email of its own, which waits for somebody to send it.
    return [false, true].flatMap((isHeld) =>
      digestsOf(kept.filter(({ is_held }) => is_held === isHeld)).map((digest) => ({
        ...digest,
        reader,
        isHeld,
      })),
    )
  })
  await notifyPeople(
    db,
    programId,
    found
      .filter(({ label, isHeld }) => toldHere.test(label) && !isHeld)
      .map(({ label, lines, reader }) => ({
        accountId: reader.id,
        kind: 'schedule',
        text: lines.length === 1 ? `${summary(label, 1)}: ${lines[0]}` : `${summary(label, lines.length)}.`,
        link: linkOf(label, reader),
      })),
  )
  const emails = found.filter(({ reader }) => reader.email !== '')
  await queueTemplatedEmails(
    db,
    emails.map(({ label, lines, reader, isHeld }) => {
      const named = {
        'student.firstName': reader.first_name,
        'coordinator.firstName': reader.first_name,
        'reader.firstName': reader.first_name,
      }
      const values = {
        ...named,
        'change.summary': summary(label, lines.length),
        'change.list': htmlList(lines),
        link: address + linkOf(label, reader),
      }
      return {
        programId,
        accountId: reader.id,
        label,
        recipient: reader.email,
        isHeld,
        values,
      } satisfies TemplateEmail
    }),
  )
  return emails.length
}

/** Writes the emails about what happened some minutes ago, one for each person and topic. */
export const sendDigests = job({
  name: 'emails:digests',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, services) => {
    await inPrograms(
      services,
      'select distinct n.program_id from email_notice n where n.due_at <= now()',
      (db, programId) => writeDigests(db, programId, services.publicUrl() + services.config.appRoot),
    )
  },
})

export const digestJobs = [sendDigests]
