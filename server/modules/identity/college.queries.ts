import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { Provider } from './college.rules.ts'
import type { OpenIdProvider } from './openid.service.ts'

interface Named {
  id: number
  name: string
}
export type SamlFound = Named & Provider & { kind: 'saml' }
export type OpenIdFound = Named & OpenIdProvider & { kind: 'oidc' }

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
