import { sql } from 'kysely'
import { type LinkKind, linkOpeningMinutes } from '#contract/links/links.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { holdPeople } from '#server/core/runtime/people-lock.ts'
import { findLinkOf } from './links.across.ts'

/** A link as it is kept, with how it is now. */
export interface ScopedLink {
  programId: number
  id: number
  kind: LinkKind
  /** The row of the kind that it opens. */
  subjectId: number
  recipientName: string
  recipientEmail: string
  expiresAt: string
  isExpired: boolean
  isWithdrawn: boolean
  program: string
  college: string
  createdBy: number | null
}

/** Finds a link by the hash of its token and works on its program from then on. */
export const findLink = async (db: Db, hash: Buffer): Promise<ScopedLink | undefined> => {
  const found = await findLinkOf(db, hash)
  if (!found) return undefined
  await workOn(db, [found.program_id])
  await holdPeople(db, found.program_id)
  const { rows } = await sql<ScopedLink>`
    select l.program_id as "programId", l.id, l.kind, l.subject_id as "subjectId", l.recipient_name as "recipientName",
      l.recipient_email as "recipientEmail", l.expires_at as "expiresAt", l.expires_at <= now() as "isExpired",
      l.withdrawn_at is not null as "isWithdrawn", p.name as program, c.name as college, l.created_by as "createdBy"
    from scoped_link l join program p on p.id = l.program_id join college c on c.id = p.college_id
    where l.program_id = ${found.program_id} and l.id = ${found.id}`.execute(db)
  return rows[0]
}

export type Named = Pick<ScopedLink, 'programId' | 'id'>

/** Ends the other inbox links of the address: it has one that is open, on one device. */
export const endOtherInboxes = async (
  db: Db,
  { id, recipientEmail }: Pick<ScopedLink, 'id' | 'recipientEmail'>,
): Promise<void> => {
  await sql`select withdraw_inbox_links(${recipientEmail}, null, ${id})`.execute(db)
}

/** Whether a device has typed a code before, and whether what it has opened is still open. */
export const findDevice = async (
  db: Db,
  { programId, id }: Named,
  secretHash: Buffer,
): Promise<{ id: number; isOpen: boolean } | undefined> => {
  const { rows } = await sql<{ id: number; isOpen: boolean }>`
    select id, opened_at > now() - make_interval(mins => ${linkOpeningMinutes}) as "isOpen" from scoped_link_device
    where program_id = ${programId} and link_id = ${id} and secret_hash = ${secretHash}`.execute(db)
  return rows[0]
}

/** A link as staff see it. */
export interface ListedLink {
  Id: number
  SubjectId: number
  RecipientName: string
  RecipientEmail: string
  CreatedAt: string
  CreatedBy: string
  ExpiresAt: string
  WithdrawnAt: string | null
  IsOpenable: boolean
  Openings: number
  LastOpenedAt: string | null
}

/** The links to these things, the newest first. */
export const listLinks = async (
  db: Db,
  programId: number,
  kind: LinkKind,
  subjectIds: readonly number[],
): Promise<ListedLink[]> => {
  const { rows } = await sql<ListedLink>`
    select l.id as "Id", l.subject_id as "SubjectId", l.recipient_name as "RecipientName", l.recipient_email as "RecipientEmail",
      l.created_at as "CreatedAt", coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), '') as "CreatedBy",
      l.expires_at as "ExpiresAt", l.withdrawn_at as "WithdrawnAt",
      l.withdrawn_at is null and l.expires_at > now() as "IsOpenable", coalesce(u.openings, 0) as "Openings", u.last as "LastOpenedAt"
    from scoped_link l left join account a on a.id = l.created_by
    left join lateral (select count(*) as openings, max(u.at) as last from scoped_link_use u
      where u.program_id = l.program_id and u.link_id = l.id and u.action = 'opened') u on true
    where l.program_id = ${programId} and l.kind = ${kind} and l.subject_id = any (${[...subjectIds]}::bigint[])
    order by l.id desc`.execute(db)
  return rows
}

/** How often the links to a thing were opened, and when last. */
export const openingsOf = async (
  db: Db,
  programId: number,
  kind: LinkKind,
  subjectId: number,
): Promise<{ Openings: number; LastOpenedAt: string | null }> => {
  const links = await listLinks(db, programId, kind, [subjectId])
  return {
    Openings: links.reduce((sum, link) => sum + link.Openings, 0),
    LastOpenedAt:
      links
        .flatMap(({ LastOpenedAt }) => LastOpenedAt ?? [])
        .toSorted()
        .at(-1) ?? null,
  }
}
