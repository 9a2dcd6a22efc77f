import { sql } from 'kysely'
import { changeSession } from '#server/core/auth/session-changes.ts'
import type { Db } from '#server/core/database/pool.ts'

export const saveDraft = async (db: Db, sessionId: number, sealed: string | null): Promise<void> => {
  await changeSession(db, sessionId, {
    totp_draft: sealed,
    totp_draft_at: sealed === null ? null : sql`now()`,
  })
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
