import { sql } from 'kysely'
import { maxSignInColleges, type SignInCollege } from '#contract/saml/saml.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import type { Provider } from './college.rules.ts'
import type { OpenIdProvider } from './openid.service.ts'

export const listColleges = async (db: Db, search: string): Promise<SignInCollege[]> =>
  (
    await sql<SignInCollege>`select id as "Id", name as "Name" from find_saml_providers('%', null) where ${isFound(sql`name`, search)}
      limit ${maxSignInColleges}`.execute(db)
  ).rows

interface Named {
  id: number
  name: string
}
export type SamlFound = Named & Provider & { kind: 'saml' }
export type OpenIdFound = Named & OpenIdProvider & { kind: 'oidc' }

/** A provider that people can sign in through. */
export const findSignInProvider = async (
  db: Db,
  providerId: number,
): Promise<SamlFound | OpenIdFound | undefined> =>
  (
    await sql<
      SamlFound | OpenIdFound
    >`select v.id, v.name, v.kind, v.entity_id, v.sso_url, v.certificate, v.slo_url,
        v.client_id, v.client_secret, v.subject_claim, v.has_own_answer
      from find_saml_providers('%', ${providerId}) f join saml_provider v on v.id = f.id`.execute(db)
  ).rows[0]

/** The SAML provider of a name; people may have signed in through it before its last program was taken from it. */
export const findSamlIssuer = (
  db: Db,
  entityId: string,
): Promise<(SamlFound & { name: string }) | undefined> =>
  db
    .selectFrom('saml_provider')
    .select(['id', 'name', 'entity_id', 'slo_url'])
    .select(sql<'saml'>`kind`.as('kind'))
    .select([sql<string>`sso_url`.as('sso_url'), sql<string>`certificate`.as('certificate')])
    .where('kind', '=', 'saml')
    .where('entity_id', '=', entityId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Where else somebody is signed in by the provider that has opened this session, if that provider can be told. */
export const findCollegeSession = async (
  db: Db,
  sessionId: number,
): Promise<{ providerId: number; nameId: string; sessionIndex: string } | undefined> =>
  (
    await sql<{ providerId: number; nameId: string; sessionIndex: string }>`
      select s.provider_id as "providerId", s.college_name as "nameId", coalesce(s.college_index, '') as "sessionIndex"
      from session s join saml_provider v on v.id = s.provider_id and v.slo_url <> '' and v.deleted_at is null
      where s.id = ${sessionId} and s.college_name is not null`.execute(db)
  ).rows[0]

/** A request that still waits for its answer. */
export const findRequest = async (
  db: Db,
  id: string,
): Promise<{ provider_id: number; created_at: string } | undefined> =>
  db
    .selectFrom('saml_request')
    .select(['provider_id', 'created_at'])
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()

/** A sign-in by OpenID Connect that this browser began and that still waits for its answer. */
export const findOpenIdRequest = async (
  db: Db,
  state: string,
  browserHash: Buffer,
): Promise<{ provider_id: number; nonce: string; verifier: string } | undefined> => {
  const row = await db
    .selectFrom('saml_request')
    .select(['provider_id', 'nonce', 'verifier'])
    .where('id', '=', state)
    .where('browser_hash', '=', browserHash)
    .where('answered_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return row?.nonce && row.verifier
    ? { provider_id: row.provider_id, nonce: row.nonce, verifier: row.verifier }
    : undefined
}

export interface Answer {
  /** Of the request that it answers. */
  id: string
  provider_id: number
  name_id: string | null
  email: string
  return_to: string
  session_index: string
}

export const columns = ['id', 'provider_id', 'name_id', 'email', 'return_to', 'session_index'] as const

/** The answer that was brought with this code to the browser that had asked for it, without using it. */
export const findAnswer = (db: Db, codeHash: Buffer, browserHash: Buffer): Promise<Answer | undefined> =>
  db
    .selectFrom('saml_request')
    .select(columns)
    .where('code_hash', '=', codeHash)
    .where('browser_hash', '=', browserHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()

export interface CollegeAccount {
  account_id: number
  user_name: string
  program_name: string
  /** The name was given to the account; otherwise its confirmed address is the one that the provider sends. */
  by_name: boolean
}

/** The accounts that an answer opens. Those found by the address count only when there is exactly one. */
export const findCollegeAccounts = async (
  db: Db,
  { provider_id, name_id, email }: Pick<Answer, 'provider_id' | 'name_id' | 'email'>,
): Promise<{ accounts: CollegeAccount[]; isAmbiguous: boolean }> => {
  const { rows } = await sql<CollegeAccount>`
    select account_id, user_name, program_name, by_name
    from find_saml_accounts(${provider_id}, ${name_id ?? ''}, ${email})`.execute(db)
  const isAmbiguous = rows.length > 1 && !rows[0]!.by_name
  return { accounts: isAmbiguous ? [] : rows, isAmbiguous }
}

/** Links an account to the name that its answer told; false where the connection does not reach it or one of them is linked otherwise. */
export const linkCollegeName = async (
  db: Db,
  link: { providerId: number; accountId: number; nameId: string },
): Promise<boolean> =>
  (
    await sql<{
      done: boolean
    }>`select link_college_name(${link.providerId}, ${link.accountId}, ${link.nameId}) as done`.execute(db)
  ).rows[0]!.done

/** The program whose audit tells of an account; null for one of the installation. */
export const findAuditProgram = async (db: Db, accountId: number): Promise<number | null> =>
  (await sql<{ program_id: number | null }>`select program_id from find_person(${accountId})`.execute(db))
    .rows[0]?.program_id ?? null
