import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { TakenChange } from '#server/core/mail/address-changes.ts'

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

const accountOfEmail = sql`
  select a.id as account_id, a.program_id, a.user_name, coalesce(a.reset_email, a.email) as email, a.is_email_confirmed,
    p.name as program_name, c.name as college_name, a.access_level
  from account a left join program p on p.id = a.program_id left join college c on c.id = p.college_id
  where a.deleted_at is null and a.deactivated_at is null and (a.program_id is null or p.deleted_at is null)`

/**
 * Active accounts with this address, in any program: before sign-in no tenant is known. With a college's connection those that it may
 * open.
 */
export const findAccountsByEmail = (
  db: Db,
  email: string,
  providerId: number | null = null,
): Promise<AccountOfEmail[]> =>
  acrossPrograms(
    db,
    sql<AccountOfEmail>`${accountOfEmail}
      and (lower(a.email) = lower(${email}) and a.reset_email is null or lower(a.reset_email) = lower(${email})) and ${email} <> ''
      and (${providerId}::bigint is null or a.access_level < 100 and a.test_mode is null and exists (
        select from saml_program l join saml_provider v on v.id = l.provider_id and v.deleted_at is null
        where l.provider_id = ${providerId} and l.program_id = a.program_id and l.removed_at is null
          and (v.kind = 'saml' or a.access_level <= l.access_level)))
    order by p.name nulls first, a.user_name`,
  )

/** The active account of a user name that has an address to write to. */
export const findAccountsByUserName = (db: Db, userName: string): Promise<AccountOfEmail[]> =>
  acrossPrograms(
    db,
    sql<AccountOfEmail>`${accountOfEmail} and lower(a.user_name) = lower(${userName}) and coalesce(a.reset_email, a.email) <> ''`,
  )

/** The account of a link “this was not me”, for the page that asks; uses nothing up. */
export const findNotMe = async (
  db: Db,
  hash: Buffer,
): Promise<{ account_id: number; user_name: string; program_name: string | null } | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<{ account_id: number; user_name: string; program_name: string | null }>`
      select a.id as account_id, a.user_name, p.name as program_name
      from one_time_token t join account a on a.id = t.account_id and a.deleted_at is null
      left join program p on p.id = a.program_id
      where t.token_hash = ${hash} and t.kind = 'not_me' and t.used_at is null and t.expires_at > now()`,
  )
  return found
}

/**
 * Who is told that an account was frozen: the program's administrators, its directors where it has none; super admins for an account
 * without a program.
 */
export const listFreezeReaders = (
  db: Db,
  accountId: number,
): Promise<{ account_id: number; program_id: number | null; email: string }[]> =>
  acrossPrograms(
    db,
    sql<{ account_id: number; program_id: number | null; email: string }>`
      with told as (
        select o.id, o.program_id, o.email, o.access_level
        from account a join account o on o.program_id is not distinct from a.program_id and o.id <> a.id
        where a.id = ${accountId} and o.access_level >= 79 and o.email <> '' and o.deleted_at is null and o.deactivated_at is null)
      select id as account_id, program_id, email from told t
      where access_level >= 89 or not exists (select from told where access_level >= 89)
      order by id limit 20`,
  )

export interface ToldAccount {
  account_id: number
  program_id: number | null
  user_name: string
  email: string
  program_name: string | null
}

/** An active account as notices are written to it. */
export const findToldAccount = async (db: Db, accountId: number): Promise<ToldAccount | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<ToldAccount>`
      select a.id as account_id, a.program_id, a.user_name, a.email, p.name as program_name
      from account a left join program p on p.id = a.program_id
      where a.id = ${accountId} and a.deleted_at is null and a.deactivated_at is null`,
  )
  return found
}

/** The program whose audit tells of an account; null for one of the installation. */
export const findAuditProgram = async (db: Db, accountId: number): Promise<number | null> =>
  (await findToldAccount(db, accountId))?.program_id ?? null

/** An address that somebody else has changed, and whether links still go to the one before. */
export interface AddressChange extends ToldAccount {
  before: string
  after: string
  is_waiting: boolean
  /** Whether the owner had confirmed the address before; else it may be a stranger's. */
  was_confirmed: boolean
}

/** The accounts of changes as they are now, in the order in which they were made. */
export const tellOf = (db: Db, taken: readonly TakenChange[]): Promise<AddressChange[]> =>
  acrossPrograms(
    db,
    sql<AddressChange>`
      select a.id as account_id, a.program_id, a.user_name, a.email, p.name as program_name, t.before, t.after,
        a.reset_email is not null and lower(a.email) = lower(t.after) and t.after <> '' as is_waiting, t.was_confirmed
      from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as t
        (id bigint, account_id bigint, before text, after text, was_confirmed boolean)
      join account a on a.id = t.account_id and a.deleted_at is null left join program p on p.id = a.program_id
      order by t.id`,
  )
