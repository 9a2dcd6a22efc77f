import { sql } from 'kysely'
import { seal } from '#server/core/auth/seal.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { newServiceKeys } from './encryption.rules.ts'
import { pushContext } from './installation.queries.ts'

const sealedKeys = ({ config }: Services): { public_key: string; private_key: string } => {
  const { publicKey, privateKey } = newServiceKeys()
  return { public_key: publicKey, private_key: seal(config.secretKey, pushContext(publicKey), privateKey) }
}

/** Switches pushes on or off. The keys are made the first time; two that do it at once have those of one of them. */
export const switchService = async (db: Db, services: Services, isOn: boolean): Promise<void> => {
  if (!isOn) {
    await db.updateTable('push_service').set({ is_on: false }).execute()
    return
  }
  await db
    .insertInto('push_service')
    .values({ is_on: true, ...sealedKeys(services) })
    .onConflict((known) => known.column('id').doUpdateSet({ is_on: true }))
    .execute()
}

/** New keys for those that are there: every device ends. Answers how many; undefined where there are no keys yet. */
export const replaceServiceKeys = async (db: Db, services: Services): Promise<number | undefined> => {
  const { numUpdatedRows } = await db
    .updateTable('push_service')
    .set({ ...sealedKeys(services), created_at: sql<string>`now()`, last_error: '', last_error_at: null })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  const { rows } = await sql<{ count: number }>`select end_all_push_devices() as count`.execute(db)
  return rows[0]!.count
}

/** The last word of push services: an error, or '' for success. */
export const notePushService = async (db: Db, error: string): Promise<void> => {
  await db
    .updateTable('push_service')
    .set(
      error === ''
        ? { last_success_at: sql<string>`now()` }
        : { last_error_at: sql<string>`now()`, last_error: error.slice(0, 500) },
    )
    .execute()
}
