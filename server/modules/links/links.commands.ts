import { sql } from 'kysely'
import { type LinkKind, linkCodeMinutes } from '#contract/links/links.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Named, ScopedLink } from './links.queries.ts'

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
