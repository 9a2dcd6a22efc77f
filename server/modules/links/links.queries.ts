import { sql } from 'kysely'
import { type LinkKind, linkCodeMinutes, linkOpeningMinutes } from '#contract/links/links.ts'
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

type Named = Pick<ScopedLink, 'programId' | 'id'>

export const insertLink = async (
  db: Db,
  link: Pick<
    ScopedLink,
    'programId' | 'kind' | 'subjectId' | 'recipientName' | 'recipientEmail' | 'expiresAt'
  > & {
    hash: Buffer
    createdBy: number | null
  },
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into scoped_link (program_id, kind, subject_id, recipient_name, recipient_email, token_hash, expires_at, created_by)
    values (${link.programId}, ${link.kind}, ${link.subjectId}, ${link.recipientName}, ${link.recipientEmail}, ${link.hash},
      ${link.expiresAt}, ${link.createdBy})
    returning id`.execute(db)
  return rows[0]!.id
}

/** Keeps a code in place of the one before. */
export const keepCode = async (db: Db, { programId, id }: Named, hash: Buffer): Promise<void> => {
  await sql`update scoped_link set code_hash = ${hash}, code_expires_at = now() + make_interval(mins => ${linkCodeMinutes})
    where program_id = ${programId} and id = ${id}`.execute(db)
}

/** Uses the code up, if it is the newest one; of several at once one succeeds. */
export const spendCode = async (db: Db, { programId, id }: Named, hash: Buffer): Promise<boolean> => {
  const { rows } = await sql`update scoped_link set code_hash = null, code_expires_at = null
    where program_id = ${programId} and id = ${id} and code_hash = ${hash} and code_expires_at > now()
      and withdrawn_at is null and expires_at > now()
    returning id`.execute(db)
  return rows.length > 0
}

export const addDevice = async (
  db: Db,
  { programId, id }: Named,
  secretHash: Buffer,
  agent: string,
): Promise<void> => {
  await sql`insert into scoped_link_device (program_id, link_id, secret_hash, agent)
    values (${programId}, ${id}, ${secretHash}, ${agent})`.execute(db)
}

/** The link is open nowhere any longer. */
export const forgetDevices = async (db: Db, { programId, id }: Named): Promise<void> => {
  await sql`delete from scoped_link_device where program_id = ${programId} and link_id = ${id}`.execute(db)
}

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

export const openAgain = async (db: Db, programId: number, deviceId: number): Promise<void> => {
  await sql`update scoped_link_device set opened_at = now() where program_id = ${programId} and id = ${deviceId}`.execute(
    db,
  )
}

export const insertUse = async (
  db: Db,
  { programId, id }: Named,
  action: string,
  address: string,
): Promise<void> => {
  await sql`insert into scoped_link_use (program_id, link_id, action, address)
    values (${programId}, ${id}, ${action}, ${address})`.execute(db)
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

/** Ends links at once, also where they are open; answers whom they were for. */
export const withdrawLinks = async (
  db: Db,
  {
    programId,
    kind,
    subjectId,
    linkId,
    by,
  }: { programId: number; kind: LinkKind; subjectId: number; linkId?: number; by: number | null },
): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    update scoped_link set withdrawn_at = now(), withdrawn_by = ${by}, code_hash = null, code_expires_at = null
    where program_id = ${programId} and kind = ${kind} and subject_id = ${subjectId} and withdrawn_at is null
      and ${linkId === undefined ? sql`true` : sql`id = ${linkId}`}
    returning recipient_name as name`.execute(db)
  return rows.map(({ name }) => name)
}
