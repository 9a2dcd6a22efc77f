import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** Saves a setting of the installation. */
export const saveSetting = async (db: Db, name: string, setting: unknown): Promise<void> => {
  const value = JSON.stringify(setting)
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((clash) => clash.column('name').doUpdateSet({ value, updated_at: sql`now()` }))
    .execute()
}
