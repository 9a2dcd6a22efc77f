import * as contract from '#contract/settings/global-settings.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { saveSetting } from '#server/core/runtime/saved-setting.ts'

/** Forgery protection is on unless somebody switched it off; `find_session` reads the same row. */
const isAntiForgeryEnabled = async (db: Db): Promise<boolean> => {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'EnableAntiForgery')
    .executeTakeFirst()
  return row?.value !== false
}

export const globalSettingRoutes = [
  handle(contract.getFileSettings, async ({ db }) => ({ EnableAntiForgery: await isAntiForgeryEnabled(db) })),

  handle(contract.saveFileSettings, async ({ db, body, audit }) => {
    audit.detail = { Before: await isAntiForgeryEnabled(db), After: body.EnableAntiForgery }
    await saveSetting(db, 'EnableAntiForgery', body.EnableAntiForgery)
    return body
  }),
]
