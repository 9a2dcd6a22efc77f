import { sql } from 'kysely'
import type { IpBlockMode } from '#contract/settings/ip-access.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Every process reads again who is let in. */
const countChange = async (db: Db): Promise<void> => {
  await db.updateTable('ip_access').set({ version: sql`version + 1` }).execute()
}

/** Changes who is let in; every process reads it again. */
export const changeAccess = async (
  db: Db,
  accountId: number,
  change: {
    mode?: IpBlockMode
    countries?: string[]
    geo_file_id?: number
    geo_kind?: string
    geo_built_at?: string | null
  },
): Promise<void> => {
  await db
    .updateTable('ip_access')
    .set({ ...change, version: sql`version + 1`, updated_at: sql`now()`, updated_by: accountId })
    .execute()
}

export const addToWhitelist = async (db: Db, network: string, accountId: number): Promise<void> => {
  await db
    .insertInto('ip_whitelist')
    .values({ network, created_by: accountId })
    .onConflict((clash) => clash.doNothing())
    .execute()
  await countChange(db)
}

/** Takes a network off the whitelist; whether it was on it. */
export const removeFromWhitelist = async (db: Db, network: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('ip_whitelist')
    .where('network', '=', network)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await countChange(db)
  return true
}

/** Forgets addresses that were refused or warned 30 days after they were last seen. */
export const tidyNotices = async (db: Db): Promise<void> => {
  await db.deleteFrom('ip_notice').where('last_at', '<', sql<string>`now() - interval '30 days'`).execute()
}
