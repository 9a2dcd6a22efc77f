import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { DigestLabel } from './mail-kinds.ts'

/** One thing that happened to one person. */
export interface Notice {
  accountId: number
  label: DigestLabel
  /** What happened to the same thing within the minutes is reported once. */
  key: string
  line: string
}

/** Keeps what a digest will tell, in the caller's transaction. */
export const queueNotices = async (db: Db, programId: number, notices: readonly Notice[]): Promise<void> => {
  if (notices.length === 0) return
  await sql`insert into email_notice (program_id, account_id, label, subject_key, after)
    select ${programId}, n.account_id, n.label, n.key, n.line
    from jsonb_to_recordset(${JSON.stringify(
      notices.map(({ accountId, ...notice }) => ({ account_id: accountId, ...notice })),
    )}::jsonb) as n (account_id bigint, label text, key text, line text)`.execute(db)
}

/** Keeps a line for the digest of each coordinator of the program. */
const queueCoordinatorNotices = async (
  db: Db,
  programId: number,
  { label, key, line }: Omit<Notice, 'accountId'>,
): Promise<void> => {
  await sql`insert into email_notice (program_id, account_id, label, subject_key, after)
    select program_id, id, ${label}, ${key}, ${line} from account
    where program_id = ${programId} and access_level = ${Level.Coord} and deactivated_at is null
      and deleted_at is null`.execute(db)
}

/** Something to tell within the product. */
export interface Told {
  accountId: number
  kind: string
  text: string
  /** An address of the product, or empty. */
  link: string
}

/** Tells people within the product, in the caller's transaction and one statement. */
export const notifyPeople = async (db: Db, programId: number, told: readonly Told[]): Promise<void> => {
  if (told.length === 0) return
  await sql`insert into notification (program_id, account_id, kind, text, link)
    select ${programId}, n.account_id, n.kind, n.text, n.link
    from jsonb_to_recordset(${JSON.stringify(
      told.map(({ accountId, ...each }) => ({ account_id: accountId, ...each })),
    )}::jsonb) as n (account_id bigint, kind text, text text, link text)`.execute(db)
}

/** A line as kept: what a thing was before, and what it is after. */
export interface KeptNotice {
  account_id: number
  label: string
  subject_key: string
  before: string | null
  after: string | null
}

/** Takes all lines of those people and topics of which one is due. */
export const takeDueNotices = async (
  db: Db,
  programId: number,
): Promise<(KeptNotice & { is_held: boolean })[]> => {
  const { rows } = await sql<KeptNotice & { id: number; is_held: boolean }>`
    with due as (select distinct account_id, label from email_notice
      where program_id = ${programId} and due_at <= now()),
    taken as (delete from email_notice n using due d
      where n.program_id = ${programId} and n.account_id = d.account_id and n.label = d.label
      returning n.id, n.account_id, n.label, n.subject_key, n.before, n.after, n.is_held)
    select * from taken order by id`.execute(db)
  return rows
}

export interface Digest {
  label: DigestLabel
  lines: string[]
}

/** The day that a line begins with, in the order of the calendar. */
const dayOf = ({ before, after }: { before: string | null; after: string | null }): string =>
  (after ?? before ?? '').replace(/^(\d\d)\/(\d\d)\/(\d{4})/, '$3-$1-$2')

/**
 * The emails that one person's lines make, oldest line first. Changes of one thing become one line, or none when in the end
 * nothing has changed; everything about the schedule becomes one email.
 */
export const digestsOf = (kept: readonly Omit<KeptNotice, 'account_id'>[]): Digest[] => {
  const things = Map.groupBy(kept, ({ label, subject_key }) => `${label} ${subject_key}`)
  const byTopic = new Map<string, { before: string | null; after: string | null }[]>()
  for (const changes of things.values()) {
    const { before } = changes[0]!
    const { after } = changes.at(-1)!
    if (before === after) continue
    const topic = changes[0]!.label
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), { before, after }])
  }
  return [...byTopic].flatMap(([topic, changes]): Digest[] => {
    if (topic !== 'PLACEMENT') {
      // What was told before is not told again because its words have changed.
      const lines = changes.flatMap(({ before, after }) => (before === null && after !== null ? [after] : []))
      return lines.length > 0 ? [{ label: topic as DigestLabel, lines }] : []
    }
    const sorted = changes.toSorted((a, b) => dayOf(a).localeCompare(dayOf(b)))
    if (sorted.every(({ before }) => before === null))
      // Everything that was placed has an after, …
      return [{ label: 'PLACEMENT_made', lines: sorted.map(({ after }) => after!) }]
    if (sorted.every(({ after }) => after === null))
      // … and everything that was removed a before.
      return [{ label: 'PLACEMENT_removed', lines: sorted.map(({ before }) => before!) }]
    const lineOf = ({ before, after }: (typeof sorted)[number]) =>
      before === null
        ? `Added: ${after}`
        : after === null
          ? `Removed: ${before}`
          : `Changed: ${after} (before: ${before})`
    return [{ label: 'PLACEMENT_changed', lines: sorted.map(lineOf) }]
  })
}

/**
 * Tells every coordinator of the program within the product; `link` is an address of it or empty. With an `email` its line
 * goes into the digest of each.
 */
export const notifyCoordinators = async (
  db: Db,
  programId: number,
  told: { kind: string; text: string; link: string; email?: Omit<Notice, 'accountId'> },
): Promise<void> => {
  await sql`insert into notification (program_id, account_id, kind, text, link)
    select program_id, id, ${told.kind}, ${told.text}, ${told.link} from account
    where program_id = ${programId} and access_level = ${Level.Coord} and deactivated_at is null
      and deleted_at is null`.execute(db)
  if (told.email) await queueCoordinatorNotices(db, programId, told.email)
}
