import { sql } from 'kysely'
import { usualRoleLevels } from '#contract/connections/lti-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { changeProvider } from '../saml/providers.commands.ts'
import { findRegistration, type OpenedRegistration } from './lti-registration.across.ts'
import type { PlatformConfiguration, RegistrationAnswer } from './lti-registration.rules.ts'

/** Openings of one address: an administrator may correct something and try again, and no one may make us call others for ever. */
const mostAttempts = 20
/** Longer than both calls to the platform may take. */
const busySeconds = 30

/** Begins to use an address. Undefined when it is unknown, used, too old, on its way already, or its maker has gone. */
export const openRegistration = async (
  db: Db,
  tokenHash: Buffer,
): Promise<OpenedRegistration | undefined> => {
  const registration = await findRegistration(db, tokenHash)
  if (!registration) return undefined
  // Of two openings at once one finds it busy.
  const { rows } = await sql`
    update lti_registration set attempts = attempts + 1, busy_until = now() + make_interval(secs => ${busySeconds})
    where token_hash = ${tokenHash} and expires_at > now() and attempts < ${mostAttempts}
      and (busy_until is null or busy_until < now()) returning provider_id`.execute(db)
  return rows.length > 0 ? registration : undefined
}

/** Gives a connection a registration address, in the place of the one before; answers when it expires. */
export const insertRegistration = async (
  db: Db,
  { providerId, tokenHash, days, by }: { providerId: number; tokenHash: Buffer; days: number; by: number },
): Promise<string> =>
  (
    await sql<{ expires_at: string }>`
      insert into lti_registration as r (provider_id, token_hash, created_by, expires_at)
      values (${providerId}, ${tokenHash}, ${by}, now() + make_interval(days => ${days}))
      on conflict (provider_id) do update set token_hash = excluded.token_hash, created_by = excluded.created_by,
        created_at = now(), expires_at = excluded.expires_at, attempts = 0, busy_until = null
      returning r.expires_at`.execute(db)
  ).rows[0]!.expires_at

/** Lets the address be opened again after an opening that came to nothing. */
export const releaseRegistration = async (db: Db, providerId: number): Promise<void> => {
  await db
    .updateTable('lti_registration')
    .set({ busy_until: null })
    .where('provider_id', '=', providerId)
    .execute()
}

/**
 * Keeps what a platform told and answered, spends the address, and forgets the errors of openings before. `taken` when another
 * connection has the client of this issuer; `gone` when the connection was deleted, or the address replaced or used, meanwhile.
 */
export const completeRegistration = async (
  db: Db,
  { providerId, tokenHash }: { providerId: number; tokenHash: Buffer },
  platform: PlatformConfiguration,
  { clientId, deploymentId }: RegistrationAnswer,
): Promise<'done' | 'taken' | 'gone'> => {
  const held = await db
    .selectFrom('saml_provider')
    .select('id')
    .where('id', '=', providerId)
    .where('deleted_at', 'is', null)
    .where('stage', '=', 'awaits_lms')
    .forUpdate()
    .executeTakeFirst()
  if (!held) return 'gone'
  const taken = await db
    .selectFrom('saml_provider')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('entity_id', '=', platform.issuer)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (taken) return 'taken'
  const spent = await db
    .deleteFrom('lti_registration')
    .where('token_hash', '=', tokenHash)
    .returning('provider_id')
    .executeTakeFirst()
  if (!spent) return 'gone'
  await changeProvider(db, providerId, {
    stage: 'awaits_approval',
    entity_id: platform.issuer,
    client_id: clientId,
    auth_url: platform.authUrl,
    keys_url: platform.keysUrl,
    token_url: platform.tokenUrl,
    token_audience: platform.tokenAudience,
    deployments: deploymentId === undefined ? [] : [deploymentId],
    role_levels: JSON.stringify(usualRoleLevels),
  })
  await db.deleteFrom('college_connection_state').where('provider_id', '=', providerId).execute()
  return 'done'
}
