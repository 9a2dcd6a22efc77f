import { sql } from 'kysely'
import { Preferences } from '#contract/identity/identity.ts'
import type { Db } from '#server/core/database/pool.ts'

const defaults: Preferences = { StartPage: '', IsMenuShown: false, MutedEmails: [] }

/** The preferences as kept, completed with the defaults. */
export const findPreferences = async (db: Db, accountId: number): Promise<Preferences> => {
  const row = await db
    .selectFrom('account')
    .select('preferences')
    .where('id', '=', accountId)
    .executeTakeFirst()
  const kept = Preferences.partial()
    .strip()
    .safeParse(row?.preferences ?? {})
  return { ...defaults, ...kept.data }
}

export const savePreferences = async (db: Db, accountId: number, preferences: Preferences): Promise<void> => {
  await db
    .updateTable('account')
    .set({ preferences: sql`preferences || ${JSON.stringify(preferences)}::jsonb` })
    .where('id', '=', accountId)
    .execute()
}
