import { sql } from 'kysely'
import type { IpBlockMode } from '#contract/settings/ip-access.ts'
import type { Db } from '#server/core/database/pool.ts'

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
