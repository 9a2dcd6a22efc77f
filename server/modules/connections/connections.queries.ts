import { sql } from 'kysely'
import type { Connection, ListedConnection } from '#contract/connections/connections.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { OpenIdProvider } from '../identity/openid.service.ts'
import { programsOf, withState } from '../saml/providers.queries.ts'

const connections = (db: Db) =>
  db
    .selectFrom('saml_provider as v')
    .select(sql<Connection['Kind']>`v.kind`.as('Kind'))
    .select(sql<Connection['Stage']>`v.stage`.as('Stage'))
    .select(
      sql<string | null>`(select r.expires_at from lti_registration r where r.provider_id = v.id)`.as(
        'AddressExpireDate',
      ),
    )
    .select(['v.id as Id', 'v.name as Name', 'v.entity_id as Issuer', 'v.client_id as ClientId'])
    .select(sql<boolean>`v.client_secret is not null`.as('HasSecret'))
    .select(sql<Connection['SubjectClaim']>`v.subject_claim`.as('SubjectClaim'))
    .select('v.has_own_answer as HasOwnAnswer')
    .select(['v.created_at as CreateDate', 'v.updated_at as ModDate'])
    .select(programsOf)
    .select(
      sql<
        Connection['Lti']
      >`case when v.kind = 'lti' then jsonb_build_object('AuthUrl', coalesce(v.auth_url, ''), 'KeysUrl', coalesce(v.keys_url, ''),
        'TokenUrl', v.token_url, 'TokenAudience', v.token_audience, 'Deployments', to_jsonb(v.deployments),
        'RoleLevels', coalesce((select jsonb_agg(jsonb_build_object('Role', r.key, 'Level', r.value) order by r.key)
          from jsonb_each(v.role_levels) r), '[]')) end`.as('Lti'),
    )
    .where('v.deleted_at', 'is', null)
    .where('v.kind', 'in', ['oidc', 'lti'])

/** All connections by name, with how they are doing. */
export const listConnections = (db: Db): Promise<ListedConnection[]> => withState(connections(db)).execute()

export const findConnection = (db: Db, connectionId: number): Promise<Connection | undefined> =>
  connections(db).where('v.id', '=', connectionId).executeTakeFirst()

/** What its protocol needs of a connection. */
export const findOpenIdProvider = (db: Db, connectionId: number): Promise<OpenIdProvider | undefined> =>
  db
    .selectFrom('saml_provider')
    .select(['id', 'entity_id', 'client_id', 'client_secret', 'subject_claim', 'has_own_answer'])
    .where('id', '=', connectionId)
    .where('kind', '=', 'oidc')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Which of its parts another connection or SAML provider has already. */
export const findTaken = async (
  db: Db,
  { Name, Issuer, ClientId }: { Name: string; Issuer: string; ClientId: string },
  exceptId: number,
): Promise<'Name' | 'ClientId' | undefined> => {
  const taken = await db
    .selectFrom('saml_provider')
    .select(sql<boolean>`lower(name) = lower(${Name})`.as('isName'))
    .where('deleted_at', 'is', null)
    .where('id', '!=', exceptId)
    .where(
      sql<boolean>`(lower(name) = lower(${Name})
        or (stage <> 'awaits_lms' and entity_id = ${Issuer} and client_id = ${ClientId}))`,
    )
    .orderBy('isName', 'desc')
    .executeTakeFirst()
  if (!taken) return undefined
  return taken.isName ? 'Name' : 'ClientId'
}

/** Whether anybody is linked by a name at the provider. */
export const hasLinkedPeople = async (db: Db, connectionId: number): Promise<boolean> =>
  (
    await sql<{
      has: boolean
    }>`select exists (select from saml_user where provider_id = ${connectionId}) as has`.execute(db)
  ).rows[0]!.has
