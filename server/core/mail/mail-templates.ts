import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#server/core/database/pool.ts'
import { transaction } from '#server/core/database/pool.ts'
import { changeRow, type RowChange } from '#server/core/database/rows.ts'
import { descriptionOf, textOf } from './email-kind.ts'
import { type MailLabel, mailKinds } from './mail-kinds.ts'

/** An email's texts and settings, with what somebody has changed of them. */
export interface Template {
  label: MailLabel
  description: string
  is_enabled: boolean
  sender: string
  addressee: string
  carbon_copy: string
  subject: string
  html: string
  spanish_subject: string
  spanish_html: string
  /** Whether the Spanish text is of the present English one. */
  is_spanish_current: boolean
  /** Values by name, as far as they were ever set. */
  parameters: Record<string, string>
}

/** What is kept of a kind; of a text that nobody has changed, null. */
type TemplateRow = Omit<Template, 'is_spanish_current' | (typeof texts)[number]> &
  Record<(typeof texts)[number] | 'spanish_of', string | null> & { id: number }
const texts = ['description', 'subject', 'html', 'spanish_subject', 'spanish_html'] as const

/** Tells one English text from another. */
export const markOf = (subject: string, html: string): string =>
  createHash('md5').update(`${subject}\n${html}`).digest('hex')

/** The rows of these kinds, or of all that the product knows, in the order of the mail center. */
export const readTemplateRows = async (db: Db, labels?: readonly string[]): Promise<TemplateRow[]> => {
  const { rows } = await sql<TemplateRow>`
    select id, label, is_enabled, sender, addressee, carbon_copy, parameters, description, subject, html, spanish_subject, spanish_html,
      spanish_of
    from mail_template where label = any (${labels ?? Object.keys(mailKinds)}) order by place`.execute(db)
  return rows
}

/** A kind of email as it is sent: what somebody has changed, and what the product says where nobody has. */
export const templateOf = (label: MailLabel, row?: TemplateRow): Template => {
  const kind = mailKinds[label]
  const [english, spanish] = [textOf(kind, 'en'), textOf(kind, 'es')]
  const subject = row?.subject ?? english.subject
  const html = row?.html ?? english.html
  const isEnglishOwn = subject === english.subject && html === english.html
  return {
    ...(row ?? {
      is_enabled: true,
      sender: '',
      addressee: '',
      carbon_copy: '',
      parameters: {},
    }),
    label,
    description: row?.description ?? descriptionOf(kind),
    subject,
    html,
    spanish_subject: row?.spanish_subject ?? spanish.subject,
    spanish_html: row?.spanish_html ?? spanish.html,
    is_spanish_current: row?.spanish_of
      ? row.spanish_of === markOf(subject, html)
      : isEnglishOwn && spanish.html !== '',
  }
}

/** Gives each kind of email that has none its row, below those that are there. */
export const addTemplates = (pool: pg.Pool): Promise<void> =>
  transaction(pool, { accountId: null, programIds: [] }, async (db) => {
    // Machines that start at the same moment wait for each other, and the second finds what the first has added.
    await sql`lock table mail_template in share row exclusive mode`.execute(db)
    await sql`
      insert into mail_template (label, place)
      select k.label, coalesce((select max(place) from mail_template), 0) + k.place
      from unnest(${Object.keys(mailKinds)}::text[]) with ordinality k (label, place)
      where not exists (select from mail_template t where t.label = k.label)`.execute(db)
  })

export const changeTemplate = (db: Db, id: number, values: RowChange<'mail_template'>): Promise<boolean> =>
  changeRow(db, 'mail_template', { id }, values)

/** Changes places with the next one in this direction; the first and the last stay where they are. */
export const moveTemplate = async (db: Db, id: number, direction: 'up' | 'down'): Promise<void> => {
  // Two people who move at the same moment wait for each other, and each move then sees the places as they are.
  await sql`select id from mail_template order by id for update`.execute(db)
  const [isBeyond, order] =
    direction === 'up' ? [sql`t.place < m.place`, sql`t.place desc`] : [sql`t.place > m.place`, sql`t.place`]
  await sql`
    with me as (select id, place from mail_template where id = ${id}),
      other as (select t.id, t.place from mail_template t, me m where ${isBeyond} order by ${order} limit 1)
    update mail_template t set place = case when t.id = me.id then other.place else me.place end
    from me, other where t.id in (me.id, other.id)`.execute(db)
}
