import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The emails that gather what happens to a person within some minutes. */
export const digestLabels = [
  'PLACEMENT_made',
  'PLACEMENT_changed',
  'PLACEMENT_removed',
  'SHIFT_swap',
  'SHIFT_open',
  'SHIFT_change_asked',
  'SITE_list_answered',
  'SITE_places_answered',
  'TIME_change_asked',
  'TIME_change_decided',
  'TIME_approved',
  'EVALUATION_completed',
  'EVALUATION_low_score',
  'EVALUATION_overdue',
  'DOCUMENT_added',
  'REQUIREMENT_expiring',
  'REQUIREMENT_expired',
  'REQUIREMENT_weekly',
  'REQUIREMENT_returned',
  'REQUIREMENT_accepted',
  'REQUIREMENT_answered',
  'PROCEDURES_returned',
] as const
export type DigestLabel = (typeof digestLabels)[number]

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const verb = (count: number, one: string, other: string): string => (count === 1 ? one : other)

/** What an email of each kind is headed by, and the page that shows it. */
export const digests: Readonly<Record<DigestLabel, { link: string; summary: (count: number) => string }>> = {
  PLACEMENT_made: {
    link: '/new/schedule',
    summary: (count) => `${many(count, 'shift')} ${verb(count, 'was', 'were')} added to your schedule`,
  },
  PLACEMENT_changed: {
    link: '/new/schedule',
    summary: (count) => `Your schedule has changed: ${many(count, 'shift')}`,
  },
  PLACEMENT_removed: {
    link: '/new/schedule',
    summary: (count) => `${many(count, 'shift')} ${verb(count, 'was', 'were')} removed from your schedule`,
  },
  SHIFT_swap: {
    link: '/new/swaps?show=own',
    summary: (count) => (count === 1 ? 'News about a shift request' : `News about ${count} shift requests`),
  },
  SHIFT_change_asked: {
    link: '/new/admin/shift-requests',
    summary: (count) => `${many(count, 'shift request')} ${verb(count, 'waits', 'wait')} for a decision`,
  },
  SITE_list_answered: {
    link: '/new/admin/placement-lists?show=all',
    summary: (count) => (count === 1 ? 'Answer of a site' : `Answers of sites: ${count}`),
  },
  SITE_places_answered: {
    link: '/new/admin/place-requests?show=offered',
    summary: (count) =>
      count === 1 ? 'A site answered about places' : `Sites answered about places: ${count}`,
  },
  SHIFT_open: {
    link: '/new/open-shifts',
    summary: (count) => `${many(count, 'new open shift')}`,
  },
  TIME_change_asked: {
    link: '/new/admin/approve-time-records',
    summary: (count) => `${many(count, 'time change')} ${verb(count, 'waits', 'wait')} for a decision`,
  },
  TIME_change_decided: {
    link: '/new/hours',
    summary: (count) =>
      count === 1 ? 'Your time change was decided' : `${count} of your time changes were decided`,
  },
  TIME_approved: {
    link: '/new/hours',
    summary: (count) => `${many(count, 'time record')} ${verb(count, 'was', 'were')} approved`,
  },
  EVALUATION_completed: {
    link: '/new/admin/evaluations/status',
    summary: (count) => `${many(count, 'evaluation')} ${verb(count, 'was', 'were')} submitted`,
  },
  EVALUATION_low_score: {
    link: '/new/admin/evaluations/status',
    summary: (count) => `${many(count, 'evaluation')} ${verb(count, 'has', 'have')} low scores`,
  },
  EVALUATION_overdue: {
    link: '/new/admin/evaluations/status?quick=late',
    summary: (count) => `${many(count, 'evaluator')} ${verb(count, 'is', 'are')} behind`,
  },
  DOCUMENT_added: {
    link: '/new/documents',
    summary: (count) => `${many(count, 'document')} ${verb(count, 'was', 'were')} added`,
  },
  REQUIREMENT_expiring: {
    link: '/new/requirements',
    summary: (count) => `${many(count, 'requirement')} ${verb(count, 'expires', 'expire')} soon`,
  },
  REQUIREMENT_expired: {
    link: '/new/requirements',
    summary: (count) => `${many(count, 'requirement')} ${verb(count, 'has', 'have')} expired`,
  },
  REQUIREMENT_weekly: { link: '/new/admin/requirements', summary: () => 'Requirements this week' },
  REQUIREMENT_returned: {
    link: '/new/requirements',
    summary: (count) => `${many(count, 'proof')} ${verb(count, 'was', 'were')} returned`,
  },
  REQUIREMENT_accepted: {
    link: '/new/requirements',
    summary: (count) => `${many(count, 'proof')} ${verb(count, 'was', 'were')} accepted`,
  },
  REQUIREMENT_answered: {
    link: '/new/requirements',
    summary: (count) =>
      count === 1
        ? 'The exemption you asked for was decided'
        : `${count} exemptions you asked for were decided`,
  },
  PROCEDURES_returned: {
    link: '/new/competencies/history',
    summary: (count) => `${many(count, 'logged procedure')} ${verb(count, 'was', 'were')} returned`,
  },
}

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
