import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

export interface LoginRow {
  account_id: number
  program_id: number | null
  password_hash: string | null
  access_level: number
  totp_secret: string | null
  totp_last_step: number | null
  is_active: boolean
  requires_totp: boolean
}

export interface AccountOfEmail {
  account_id: number
  program_id: number | null
  user_name: string
  email: string
  is_email_confirmed: boolean
  program_name: string | null
  college_name: string | null
  access_level: number
}

const resetMinutes = 10

export const findLogin = async (db: Db, userName: string): Promise<LoginRow | undefined> =>
  (await sql<LoginRow>`select * from find_login(${userName})`.execute(db)).rows[0]

/** Active accounts with this address, in any program: before sign-in no tenant is known. */
export const findAccountsByEmail = async (db: Db, email: string): Promise<AccountOfEmail[]> =>
  (await sql<AccountOfEmail>`select * from find_accounts_by_email(${email})`.execute(db)).rows

/** The active account of a user name that has an address to write to. */
export const findAccountsByUserName = async (db: Db, userName: string): Promise<AccountOfEmail[]> =>
  (await sql<AccountOfEmail>`select * from find_account_by_user_name(${userName})`.execute(db)).rows

export const setPassword = async (db: Db, accountId: number, hash: string): Promise<void> => {
  await sql`select set_password(${accountId}, ${hash})`.execute(db)
}

/** A new link ends the older ones. */
export const keepResetToken = async (db: Db, accountId: number, hash: Buffer): Promise<void> => {
  await db
    .updateTable('one_time_token')
    .set({ used_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'password_reset')
    .where('used_at', 'is', null)
    .execute()
  await sql`insert into one_time_token (kind, token_hash, account_id, expires_at)
    values ('password_reset', ${hash}, ${accountId}, now() + make_interval(mins => ${resetMinutes}))`.execute(
    db,
  )
}

/** Uses a link once: of two that race, one finds it unused. */
export const useResetToken = async (
  db: Db,
  hash: Buffer,
): Promise<{ account_id: number; program_id: number | null; user_name: string } | undefined> =>
  (
    await sql<{
      account_id: number
      program_id: number | null
      user_name: string
    }>`select * from use_reset_token(${hash})`.execute(db)
  ).rows[0]

export const endSessionsOf = async (db: Db, accountId: number, exceptSessionId = 0): Promise<void> => {
  await db
    .updateTable('session')
    .set({ ended_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('id', '!=', exceptSessionId)
    .where('ended_at', 'is', null)
    .execute()
}
