import { sql } from 'kysely'
import { magicLinkMinutes } from '#contract/identity/passwordless.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Minutes that mailed links live. */
const linkMinutes = 10

type AccountLink = 'password_reset' | 'email_confirmation'

/** New links of one kind, for one account each; they end the older ones. `email` is what a confirmation is about. */
export const insertLinks = async (
  db: Db,
  kind: AccountLink,
  links: readonly { accountId: number | null; hash: Buffer; email?: string }[],
  minutes = linkMinutes,
): Promise<void> => {
  await db
    .updateTable('one_time_token')
    .set({ used_at: sql`now()` })
    .where(
      'account_id',
      'in',
      links.map(({ accountId }) => accountId ?? 0),
    )
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .execute()
  await db
    .insertInto('one_time_token')
    .values(
      links.map(({ accountId, hash, email }) => ({
        kind,
        token_hash: hash,
        account_id: accountId,
        email: email ?? null,
        expires_at: sql<string>`now() + make_interval(mins => ${minutes})`,
      })),
    )
    .execute()
}

/** Links that confirm addresses which others have entered, for as long as an invitation. */
export const insertEnteredAddresses = async (
  db: Db,
  links: readonly { accountId: number; hash: Buffer; email: string }[],
): Promise<void> => {
  if (links.length > 0) await insertLinks(db, 'email_confirmation', links, invitationMinutes)
}

/** Links of “this was not me”, for a week. `email` is the address that the account goes back to by it. */
export const insertNotMe = async (
  db: Db,
  links: readonly { accountId: number; hash: Buffer; email: string | null }[],
): Promise<void> => {
  if (links.length === 0) return
  await db
    .insertInto('one_time_token')
    .values(
      links.map(({ accountId, hash, email }) => ({
        kind: 'not_me',
        token_hash: hash,
        account_id: accountId,
        email,
        expires_at: sql<string>`now() + interval '7 days'`,
      })),
    )
    .execute()
}

/** A link of an account to set a new password. */
export const insertResetToken = (db: Db, accountId: number, hash: Buffer): Promise<void> =>
  insertLinks(db, 'password_reset', [{ accountId, hash }])

/** Whoever is invited may be away for some days. */
const invitationMinutes = 7 * 24 * 60

/** The link of a new account to set its first password. */
export const insertInvitation = (db: Db, accountId: number, hash: Buffer): Promise<void> =>
  insertLinks(db, 'password_reset', [{ accountId, hash }], invitationMinutes)

/** Uses a link once and answers its account: of two that race, one finds it unused. */
export const useResetToken = async (db: Db, hash: Buffer): Promise<number | undefined> => {
  const used = await db
    .updateTable('one_time_token')
    .set({ used_at: sql`now()` })
    .where('token_hash', '=', hash)
    .where('kind', '=', 'password_reset')
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning('account_id')
    .executeTakeFirst()
  return used?.account_id ?? undefined
}

/** Ends what waits to make another address the account's own: whoever sat at one of its sessions may have asked for it. */
export const endPendingEmail = async (db: Db, accountId: number): Promise<void> => {
  await db
    .updateTable('one_time_token as t')
    .from('account as a')
    .set({ used_at: sql`now()` })
    .where('t.account_id', '=', accountId)
    .where('t.kind', '=', 'email_confirmation')
    .where('t.used_at', 'is', null)
    .whereRef('a.id', '=', 't.account_id')
    // The link that confirms the address which the account has, such as a new one's, goes on working.
    .where(sql<boolean>`lower(t.email) <> lower(a.email)`)
    .execute()
}

/**
 * A sign-in link with its code for an address, whether or not anybody has it; it ends the older ones. Requests for the same
 * address wait for each other, so that only one is the newest.
 */
export const insertMagicLink = async (
  db: Db,
  link: { email: string; hash: Buffer; codeHash: Buffer },
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`magic link ${link.email}`}, 0))`.execute(db)
  await db
    .updateTable('one_time_token')
    .set({ used_at: sql`now()` })
    .where(sql<string>`lower(email)`, '=', link.email)
    .where('kind', '=', 'magic_link')
    .where('used_at', 'is', null)
    .execute()
  await db
    .insertInto('one_time_token')
    .values({
      kind: 'magic_link',
      token_hash: link.hash,
      code_hash: link.codeHash,
      email: link.email,
      expires_at: sql<string>`now() + make_interval(mins => ${magicLinkMinutes})`,
    })
    .execute()
}

/** Uses a link once and answers its address: of two that race, one finds it unused. */
export const consumeMagicLink = async (db: Db, hash: Buffer): Promise<string | undefined> => {
  const row = await db
    .updateTable('one_time_token')
    .set({ used_at: sql`now()` })
    .where('token_hash', '=', hash)
    .where('kind', '=', 'magic_link')
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning('email')
    .executeTakeFirst()
  return row?.email ?? undefined
}

/** Deletes links a day after their end. */
export const tidyLinks = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('one_time_token')
    .where('expires_at', '<', sql<string>`now() - interval '1 day'`)
    .execute()
}
