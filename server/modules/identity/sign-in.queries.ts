import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

export interface LoginRow {
  account_id: number
  program_id: number | null
  user_name: string
  password_hash: string | null
  access_level: number
  /** Sealed for `totpContext` of the account. */
  totp_secret: string | null
  is_active: boolean
  needs_eula: boolean
  needs_authenticator: boolean
  start_page: string | null
  email: string
}

export const findLogin = async (db: Db, userName: string): Promise<LoginRow | undefined> =>
  (
    await sql<LoginRow>`select l.*, needs_eula(l.account_id) as needs_eula from find_login(${userName}) l`.execute(
      db,
    )
  ).rows[0]

/** Whether an account has still to accept the license agreement. */
export const needsEula = async (db: Db, accountId: number): Promise<boolean> =>
  (await sql<{ needs: boolean }>`select needs_eula(${accountId}) as needs`.execute(db)).rows[0]!.needs

/** @param isFromMailbox set by a mailed link, so that nobody else knows it */
export const setPassword = async (
  db: Db,
  accountId: number,
  hash: string,
  { isFromMailbox }: { isFromMailbox: boolean },
): Promise<void> => {
  await sql`select set_password(${accountId}, ${hash}, ${isFromMailbox})`.execute(db)
}

export interface FrozenAccount {
  account_id: number
  program_id: number | null
  user_name: string
  email: string
  name: string
  program_name: string | null
}

/** Freezes the account of such a link, once; every session of it ends. */
export const useNotMe = async (db: Db, hash: Buffer): Promise<FrozenAccount | undefined> =>
  (await sql<FrozenAccount>`select * from use_not_me(${hash})`.execute(db)).rows[0]

/** Opens a frozen account again. */
export const endFreeze = async (db: Db, accountId: number): Promise<void> => {
  await sql`select end_freeze(${accountId})`.execute(db)
}

/** A link that still works, without using it. */
export const findMagicLink = async (
  db: Db,
  hash: Buffer,
): Promise<{ email: string; code_hash: Buffer } | undefined> => {
  const row = await db
    .selectFrom('one_time_token')
    .select(['email', 'code_hash'])
    .where('token_hash', '=', hash)
    .where('kind', '=', 'magic_link')
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return row?.email && row.code_hash ? { email: row.email, code_hash: row.code_hash } : undefined
}

/** Who signed in by a link has the mailbox: all accounts with this address count as confirmed from here on. */
export const confirmMailbox = async (db: Db, email: string): Promise<void> => {
  await sql`select confirm_mailbox(${email})`.execute(db)
}

export interface EmailConfirmation {
  account_id: number
  program_id: number | null
  user_name: string
  new_email: string
  program_name: string | null
  needs_password: boolean
}

/** What a link confirms, without using it. */
export const findEmailConfirmation = async (db: Db, hash: Buffer): Promise<EmailConfirmation | undefined> =>
  (await sql<EmailConfirmation>`select * from find_email_confirmation(${hash})`.execute(db)).rows[0]

/** Uses a link once and makes its address the confirmed one of its account. */
export const consumeEmailConfirmation = async (db: Db, hash: Buffer): Promise<boolean> =>
  (await sql<{ done: boolean }>`select use_email_confirmation(${hash}) as done`.execute(db)).rows[0]!.done

/** The address that a link still waits to confirm. */
export const findPendingEmail = async (db: Db, accountId: number): Promise<string | null> => {
  const row = await db
    .selectFrom('one_time_token')
    .select('email')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'email_confirmation')
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return row?.email ?? null
}
