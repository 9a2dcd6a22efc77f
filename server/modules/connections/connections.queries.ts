import { sql } from 'kysely'
import type { ConnectedPerson, Connection, ListedConnection } from '#contract/connections/connections.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
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

const people = (db: Db, connectionId: number) =>
  db.selectFrom(
    sql<{
      account_id: number
      program_id: number
      program_name: string
      email: string
      first_name: string
      last_name: string
      user_name: string
      name_id: string | null
      linked_at: string | null
    }>`connected_people(${connectionId})`.as('u'),
  )

const shown = (db: Db, connectionId: number) =>
  people(db, connectionId)
    .select(['u.account_id as UserId', 'u.user_name as UserName', 'u.first_name as FirstName'])
    .select(['u.last_name as LastName', 'u.email as Email', 'u.program_id as ProgramId'])
    .select(['u.program_name as ProgramName', 'u.name_id as Subject', 'u.linked_at as LinkDate'])

/** A page of the people in reach, by name. */
export const listPeople = async (
  db: Db,
  connectionId: number,
  {
    page,
    pageSize,
    search,
    isLinked,
  }: { page: number; pageSize: number; search: string; isLinked?: boolean | undefined },
) => {
  const words = isFound(
    sql`u.first_name || ' ' || u.last_name || ' ' || u.user_name || ' ' || u.email || ' ' || coalesce(u.name_id, '')`,
    search,
  )
  const linked = sql<boolean>`(u.name_id is not null) = ${isLinked ?? null}::boolean`
  const { Total } = await people(db, connectionId)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .$if(search !== '', (query) => query.where(words))
    .$if(isLinked !== undefined, (query) => query.where(linked))
    .executeTakeFirstOrThrow()
  const Items: ConnectedPerson[] = await shown(db, connectionId)
    .$if(search !== '', (query) => query.where(words))
    .$if(isLinked !== undefined, (query) => query.where(linked))
    .orderBy(sql`lower(u.last_name) collate alphabetical`)
    .orderBy(sql`lower(u.first_name) collate alphabetical`)
    .orderBy('u.account_id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

/** A person in reach of the connection; undefined for everybody else. */
export const findPerson = (
  db: Db,
  connectionId: number,
  userId: number,
): Promise<ConnectedPerson | undefined> =>
  shown(db, connectionId).where('u.account_id', '=', userId).executeTakeFirst()

/**
 * Who has this name at the provider already: one person’s accounts in reach share name and address, and no one else has it. Accounts
 * that are out of reach now have no name here.
 */
export const findSubjectHolder = async (
  db: Db,
  connectionId: number,
  { subject, email, exceptId }: { subject: string; email: string; exceptId: number },
): Promise<string | undefined> =>
  (
    await sql<{ user_name: string }>`
      select coalesce(p.user_name, 'An account out of reach') as user_name
      from saml_user u left join connected_people(${connectionId}) p on p.account_id = u.account_id
      where u.provider_id = ${connectionId} and u.name_id = ${subject} and u.account_id <> ${exceptId}
        and (p.account_id is null or lower(p.email) <> lower(${email}))
      limit 1`.execute(db)
  ).rows[0]?.user_name
