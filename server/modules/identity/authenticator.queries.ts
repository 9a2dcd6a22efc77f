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

export const hasAuthenticator = async (db: Db, accountId: number): Promise<boolean> => {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('totp_secret', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** True for the first that comes with a code of this step or a later one. */
export const consumeStep = async (db: Db, accountId: number, step: number): Promise<boolean> =>
  (await sql<{ done: boolean }>`select use_totp_step(${accountId}, ${step}) as done`.execute(db)).rows[0]!
    .done

export const countRecoveryCodes = async (db: Db, accountId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
