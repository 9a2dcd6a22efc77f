import type { JWK } from 'jose'
import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** What is known of a learning management system. */
export interface LtiPlatform {
  id: number
  name: string
  /** The issuer. */
  entity_id: string
  client_id: string
  auth_url: string
  keys_url: string
  token_url: string
  token_audience: string
  deployments: string[]
}

const platforms = (db: Db) =>
  db
    .selectFrom('saml_provider')
    .select(['id', 'name', 'entity_id', 'client_id'])
    // The database checks that platforms have both.
    .select(sql<string>`auth_url`.as('auth_url'))
    .select(sql<string>`keys_url`.as('keys_url'))
    .select(['token_url', 'token_audience', 'deployments'])
    .where('kind', '=', 'lti')
    .where('deleted_at', 'is', null)

/** A platform that is turned on. */
export const findPlatform = (db: Db, id: number): Promise<LtiPlatform | undefined> =>
  platforms(db).where('id', '=', id).where('stage', '=', 'on').executeTakeFirst()

/** A platform that has registered, turned on or not: it can be tested before. */
export const findRegisteredPlatform = (db: Db, id: number): Promise<LtiPlatform | undefined> =>
  platforms(db).where('id', '=', id).where('stage', '!=', 'awaits_lms').executeTakeFirst()

/**
 * The one platform that a login is of: by its issuer and its client, which platforms may leave out. Undefined when there is none, or
 * more than one even with the deployment.
 */
export const findPlatformOfLogin = async (
  db: Db,
  { issuer, clientId, deployment }: { issuer: string; clientId: string; deployment: string },
): Promise<LtiPlatform | undefined> => {
  const found = await platforms(db)
    .where('stage', '=', 'on')
    .where('entity_id', '=', issuer)
    .$if(clientId !== '', (query) => query.where('client_id', '=', clientId))
    .limit(100)
    .execute()
  if (found.length < 2) return found[0]
  const deployed = found.filter(({ deployments }) => deployments.includes(deployment))
  return deployed.length === 1 ? deployed[0] : undefined
}

/** A launch that still waits for its answer; whoever brings the answer, its browser is asked for later. */
export const findLaunchRequest = async (
  db: Db,
  state: string,
): Promise<{ provider_id: number; nonce: string } | undefined> => {
  const row = await db
    .selectFrom('saml_request')
    .select(['provider_id', 'nonce'])
    .where('id', '=', state)
    .where('answered_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return row?.nonce ? { provider_id: row.provider_id, nonce: row.nonce } : undefined
}

/** How the launch of a frame goes on: `done` when nothing more will come of it. */
export type FrameState = 'waiting' | 'open' | 'choosing' | 'chosen' | 'done'

export const findFrameState = async (db: Db, frameHash: Buffer): Promise<FrameState> => {
  const { rows } = await sql<{ state: FrameState }>`
    select case
      when d.response is not null and d.expires_at > now() then 'chosen'
      when d.id is not null then case when d.expires_at > now() then 'choosing' else 'done' end
      when r.answered_at is not null then 'done'
      when r.id is not null then case when r.expires_at > now() then 'open' else 'done' end
      when t.opened_at is null and t.expires_at > now() then 'waiting'
      else 'done' end as state
    from lti_ticket t
    left join saml_request r on r.id = t.request_id
    left join lti_deep_link d on d.request_id = t.request_id
    where t.frame_hash = ${frameHash}`.execute(db)
  return rows[0]?.state ?? 'done'
}

/** The answer of a request for links, for the window in which they were chosen or the frame where it began. */
export const findDeepLinkAnswer = async (
  db: Db,
  hash: Buffer,
): Promise<{ return_url: string; response: string } | undefined> =>
  (
    await sql<{ return_url: string; response: string }>`
      select d.return_url, d.response from lti_deep_link d left join lti_ticket t on t.request_id = d.request_id
      where (d.token_hash = ${hash} or t.frame_hash = ${hash}) and d.response is not null and d.expires_at > now()`.execute(
      db,
    )
  ).rows[0]

export interface ToolKey {
  kid: string
  public_jwk: JWK
  sealed_private: string
  is_proven: boolean
}

/** This installation’s keys, newest first; those a day old are known to every platform. */
export const listToolKeys = async (db: Db): Promise<ToolKey[]> =>
  (
    await sql<ToolKey>`select kid, public_jwk, sealed_private, created_at < now() - interval '1 day' as is_proven
      from lti_key order by id desc`.execute(db)
  ).rows
