import { timingSafeEqual } from 'node:crypto'
import pg from 'pg'
import type { Db } from '#server/core/database/pool.ts'
import { hasAccounts } from './first-account.across.ts'
import { hashCode, seal, unseal } from './seal.ts'
import { newWrittenSecret } from './written-secret.ts'

export const firstCodeContext = 'code of the first account'
/** Processes that start together say the same code. */
const togetherFor = '1 minute'

/**
 * While nobody has an account here: makes the code by which the first super admin is made, in place of the one of an earlier start, and
 * answers it. Undefined, and no code is left, once there is an account.
 */
export const prepareFirstCode = async (ownerUrl: string, secretKey: string): Promise<string | undefined> => {
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table first_code in share row exclusive mode')
    const { rows } = await client.query<{ sealed: string; has_accounts: boolean }>(
      `select exists (select from account) as has_accounts,
         (select sealed from first_code where made_at > now() - $1::interval) as sealed`,
      [togetherFor],
    )
    const { has_accounts, sealed } = rows[0]!
    if (has_accounts) {
      await client.query('delete from first_code')
      await client.query('commit')
      return undefined
    }
    const code = sealed ? unseal(secretKey, firstCodeContext, sealed) : newWrittenSecret(3)
    if (!sealed)
      await client.query(
        `insert into first_code (sealed) values ($1)
         on conflict (is_only) do update set sealed = excluded.sealed, made_at = excluded.made_at`,
        [seal(secretKey, firstCodeContext, code)],
      )
    await client.query('commit')
    return code
  } finally {
    await client.end().catch(() => {})
  }
}

/** The code, sealed, while this installation waits for its first account. */
const findSealedCode = async (pool: pg.Pool): Promise<string | undefined> => {
  const { rows } = await pool.query<{ sealed: string }>('select sealed from first_code')
  return rows[0] && !(await hasAccounts(pool)) ? rows[0].sealed : undefined
}

/** Forgets the code: somebody has used it. */
export const endFirstCode = async (db: Db): Promise<void> => {
  await db.deleteFrom('first_code').execute()
}

/** Whether this installation waits for its first account. */
export const awaitsFirstAccount = async (pool: pg.Pool): Promise<boolean> =>
  (await findSealedCode(pool)) !== undefined

/** Whether a typed code is the one of the log; undefined where there is no code, because there is an account. */
export const isFirstCode = async (
  pool: pg.Pool,
  secretKey: string,
  typed: string,
): Promise<boolean | undefined> => {
  const sealed = await findSealedCode(pool)
  if (sealed === undefined) return undefined
  const hashed = (code: string) =>
    hashCode(secretKey, firstCodeContext, code.toLowerCase().replace(/[^a-z0-9]/g, ''))
  return timingSafeEqual(hashed(unseal(secretKey, firstCodeContext, sealed)), hashed(typed))
}
