import type { JWK } from 'jose'
import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { DeepLinkRequest, LaunchCourse } from './lti.rules.ts'

/** Hours that an instructor has for choosing links. */
const deepLinkHours = 2

export const insertTicket = async (
  db: Db,
  ticket: {
    ticketHash: Buffer
    frameHash: Buffer
    providerId: number
    loginHint: string
    messageHint: string
    minutes: number
  },
): Promise<void> => {
  await db
    .insertInto('lti_ticket')
    .values({
      ticket_hash: ticket.ticketHash,
      frame_hash: ticket.frameHash,
      provider_id: ticket.providerId,
      login_hint: ticket.loginHint,
      message_hint: ticket.messageHint,
      expires_at: sql<string>`now() + make_interval(mins => ${ticket.minutes})`,
    })
    .execute()
}

/** Opens a ticket for a sign-in, once: of two that race, one finds it opened. */
export const openTicket = (
  db: Db,
  ticketHash: Buffer,
  requestId: string,
): Promise<{ provider_id: number; login_hint: string; message_hint: string } | undefined> =>
  db
    .updateTable('lti_ticket')
    .set({ opened_at: sql`now()`, request_id: requestId })
    .where('ticket_hash', '=', ticketHash)
    .where('opened_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['provider_id', 'login_hint', 'message_hint'])
    .executeTakeFirst()

/** Keeps the course that a launch told, with the address of its roster. */
export const saveCourse = async (db: Db, providerId: number, course: LaunchCourse): Promise<void> => {
  await sql`insert into lti_course as c (provider_id, context_id, title, memberships_url)
    values (${providerId}, ${course.contextId}, ${course.title}, ${course.membershipsUrl})
    on conflict (provider_id, context_id) do update
      set title = excluded.title, memberships_url = excluded.memberships_url, seen_at = now()
      where c.title <> excluded.title or c.memberships_url <> excluded.memberships_url
        or c.seen_at < now() - interval '1 hour'`.execute(db)
}

export const insertDeepLink = async (
  db: Db,
  link: DeepLinkRequest & {
    tokenHash: Buffer
    requestId: string
    providerId: number
    deploymentId: string
  },
): Promise<void> => {
  await db
    .insertInto('lti_deep_link')
    .values({
      token_hash: link.tokenHash,
      request_id: link.requestId,
      provider_id: link.providerId,
      deployment_id: link.deploymentId,
      return_url: link.returnUrl,
      data: link.data,
      accepts_multiple: link.acceptsMultiple,
      expires_at: sql<string>`now() + make_interval(hours => ${deepLinkHours})`,
    })
    .execute()
}

/** Lets the account that signed in by a launch, and no other, answer its request for links. */
export const claimDeepLink = async (db: Db, requestId: string, accountId: number): Promise<void> => {
  await db
    .updateTable('lti_deep_link')
    .set({ account_id: accountId })
    .where('request_id', '=', requestId)
    .where('account_id', 'is', null)
    .execute()
}

/** Keeps the signed answer, which the browser fetches within its five minutes. */
export const saveDeepLinkAnswer = async (db: Db, id: number, response: string): Promise<void> => {
  await db
    .updateTable('lti_deep_link')
    .set({ response, answered_at: sql`now()`, expires_at: sql<string>`now() + interval '5 minutes'` })
    .where('id', '=', id)
    .execute()
}

/** Adds a key, unless `onlyFirst` and there is one. */
export const insertToolKey = async (
  db: Db,
  key: { kid: string; publicJwk: JWK; sealedPrivate: string },
  onlyFirst: boolean,
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('lti key', 0))`.execute(db)
  await sql`insert into lti_key (kid, public_jwk, sealed_private)
    select ${key.kid}, ${JSON.stringify(key.publicJwk)}::jsonb, ${key.sealedPrivate}
    where not (${onlyFirst} and exists (select from lti_key))`.execute(db)
}

/** Deletes keys that another has followed a month ago, and says whether the newest is old enough for the next. */
export const tidyToolKeys = async (db: Db): Promise<boolean> => {
  await sql`delete from lti_key k where exists (
    select from lti_key n where n.id > k.id and n.created_at < now() - interval '30 days')`.execute(db)
  const { rows } = await sql<{ is_old: boolean | null }>`
    select max(created_at) < now() - interval '180 days' as is_old from lti_key`.execute(db)
  return rows[0]?.is_old === true
}
