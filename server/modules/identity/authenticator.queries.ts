import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** The secret issued to the session within the last 10 minutes and not saved yet, sealed. */
export const findDraft = async (db: Db, sessionId: number): Promise<string | null> => {
  const row = await db
    .selectFrom('session')
    .select('totp_draft')
    .where('id', '=', sessionId)
    .where('totp_draft_at', '>', sql<string>`now() - interval '10 minutes'`)
    .executeTakeFirst()
  return row?.totp_draft ?? null
}

export const saveDraft = async (db: Db, sessionId: number, sealed: string | null): Promise<void> => {
  await db
    .updateTable('session')
    .set({ totp_draft: sealed, totp_draft_at: sealed === null ? null : sql`now()` })
    .where('id', '=', sessionId)
    .execute()
}

export const hasAuthenticator = async (db: Db, accountId: number): Promise<boolean> => {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('totp_secret', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Enables the authenticator, with the step of the code that proved it as used; or disables it, and its recovery codes with
 * it. False when it was so already.
 */
export const setAuthenticator = async (
  db: Db,
  accountId: number,
  authenticator: { sealed: string; step: number } | null,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({
      totp_secret: authenticator?.sealed ?? null,
      totp_last_step: authenticator?.step ?? null,
      totp_since: authenticator && sql<string>`now()`,
    })
    .where('id', '=', accountId)
    .where('totp_secret', authenticator ? 'is' : 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  return true
}

/** True for the first that comes with a code of this step or a later one. */
export const consumeStep = async (db: Db, accountId: number, step: number): Promise<boolean> =>
  (await sql<{ done: boolean }>`select use_totp_step(${accountId}, ${step}) as done`.execute(db)).rows[0]!
    .done

/** True for the first that comes with this code. */
export const consumeRecoveryCode = async (db: Db, accountId: number, hash: Buffer): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const replaceRecoveryCodes = async (
  db: Db,
  accountId: number,
  hashes: readonly Buffer[],
): Promise<void> => {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await db
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ account_id: accountId, code_hash: hash })))
    .execute()
}

export const countRecoveryCodes = async (db: Db, accountId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
