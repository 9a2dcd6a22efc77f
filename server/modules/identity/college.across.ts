import { sql } from 'kysely'
import { maxSignInColleges, type SignInCollege } from '#contract/saml/saml.ts'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import type { Answer, OpenIdFound, SamlFound } from './college.queries.ts'

const isUsed = sql`exists (
  select from saml_program l join program p on p.id = l.program_id and p.deleted_at is null
  where l.provider_id = v.id and l.removed_at is null)`

/** A platform is no college to choose before signing in, for its launches begin there. */
export const listColleges = (db: Db, search: string): Promise<SignInCollege[]> =>
  acrossPrograms(
    db,
    sql<SignInCollege>`
      select v.id as "Id", v.name as "Name" from saml_provider v
      where v.deleted_at is null and v.kind in ('saml', 'oidc') and ${isUsed} and ${isFound(sql`v.name`, search)}
      order by lower(v.name), v.id limit ${maxSignInColleges}`,
  )

/** A provider that people can sign in through. */
export const findSignInProvider = async (
  db: Db,
  providerId: number,
): Promise<SamlFound | OpenIdFound | undefined> => {
  const [used] = await acrossPrograms(
    db,
    sql`select from saml_provider v where v.id = ${providerId} and ${isUsed}`,
  )
  if (!used) return undefined
  const { rows } = await sql<SamlFound | OpenIdFound>`
    select id, name, kind, entity_id, sso_url, certificate, slo_url, client_id, client_secret, subject_claim, has_own_answer
    from saml_provider where id = ${providerId} and deleted_at is null`.execute(db)
  return rows[0]
}

export interface CollegeAccount {
  account_id: number
  user_name: string
  program_name: string
  /** The name was given to the account; otherwise its confirmed address is the one that the provider sends. */
  by_name: boolean
}

/**
 * The accounts that an answer opens. Those found by the address count only when there is exactly one, and for SAML alone: of every other
 * protocol only the name counts, letter by letter, and the connection's level is the highest that it opens.
 */
export const findCollegeAccounts = async (
  db: Db,
  { provider_id, name_id, email }: Pick<Answer, 'provider_id' | 'name_id' | 'email'>,
): Promise<{ accounts: CollegeAccount[]; isAmbiguous: boolean }> => {
  const wanted = name_id ?? ''
  const accounts = await acrossPrograms(
    db,
    sql<CollegeAccount>`
      with provider as (select v.id, v.kind from saml_provider v where v.id = ${provider_id} and v.deleted_at is null),
      named as (
        select u.account_id from saml_user u cross join provider v
        where u.provider_id = v.id and lower(u.name_id) = lower(${wanted})
          -- Names that are no addresses are made by machines and may differ in case alone.
          and (u.name_id = ${wanted} or (v.kind = 'saml' and position('@' in ${wanted}) > 0))),
      found as (
        select n.account_id as id, true as by_name from named n
        union all
        select a.id, false from account a cross join provider v
        where v.kind = 'saml' and not exists (select from named) and ${email} <> '' and lower(a.email) = lower(${email})
          and a.is_email_confirmed and a.deleted_at is null
          and not exists (select from saml_user u where u.provider_id = v.id and u.program_id = a.program_id and u.account_id = a.id))
      select a.id as account_id, a.user_name, p.name as program_name, f.by_name
      from found f
      cross join provider v
      join account a on a.id = f.id and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100
        and a.test_mode is null
      join program p on p.id = a.program_id and p.deleted_at is null
      join saml_program l on l.program_id = a.program_id and l.provider_id = v.id and l.removed_at is null
        and (v.kind = 'saml' or a.access_level <= l.access_level)
      order by p.name, a.user_name`,
  )
  const isAmbiguous = accounts.length > 1 && !accounts[0]!.by_name
  return { accounts: isAmbiguous ? [] : accounts, isAmbiguous }
}
