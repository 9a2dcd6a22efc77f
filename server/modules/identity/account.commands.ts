import { sql } from 'kysely'
import type { Preferences } from '#contract/identity/preferences.ts'
import type { Language } from '#contract/language/language.ts'
import type { Db } from '#server/core/database/pool.ts'

/** @param Language undefined leaves it as it is */
export const savePreferences = async (
  db: Db,
  accountId: number,
  { Language, ...preferences }: Preferences & { Language?: Language | null | undefined },
): Promise<void> => {
  await db
    .updateTable('account')
    .set({
      preferences: sql`preferences || ${JSON.stringify(preferences)}::jsonb`,
      ...(Language !== undefined && { language: Language }),
    })
    .where('id', '=', accountId)
    .execute()
}
