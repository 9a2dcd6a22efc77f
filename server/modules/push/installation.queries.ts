import { sql } from 'kysely'
import type { PushState } from '#contract/push/push.ts'
import { seal, unseal } from '#server/core/auth/seal.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { newServiceKeys } from './encryption.rules.ts'
import { countPushes, listPushHosts } from './figures.across.ts'

/** The private key is sealed beside its public one: neither can be exchanged alone. */
const contextOf = (publicKey: string): string => `push ${publicKey}`

const sealedKeys = ({ config }: Services): { public_key: string; private_key: string } => {
  const { publicKey, privateKey } = newServiceKeys()
  return { public_key: publicKey, private_key: seal(config.secretKey, contextOf(publicKey), privateKey) }
}

const find = (db: Db) => db.selectFrom('push_service').selectAll().executeTakeFirst()

/** The keys of the installation; undefined before pushes were first switched on, `sealed` where `SECRET_KEY` does not open them. */
export const findServiceKeys = async (
  db: Db,
  { config }: Services,
): Promise<{ isOn: boolean; publicKey: string; privateKey: string } | 'sealed' | undefined> => {
  const row = await find(db)
  if (!row) return undefined
  try {
    const privateKey = unseal(config.secretKey, contextOf(row.public_key), row.private_key)
    return { isOn: row.is_on, publicKey: row.public_key, privateKey }
  } catch {
    return 'sealed'
  }
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

/** Whom push services may ask, as they want it: an address of mail or of a page. */
export const contactOf = ({ config, publicUrl }: Services): string => {
  if (config.pushContact) return config.pushContact
  const [, address = config.mailFrom] = /<([^>]+)>/.exec(config.mailFrom) ?? []
  const isReal = !/@(localhost|[^.]+)$/.test(address)
  return !isReal && publicUrl().startsWith('https://') ? publicUrl() : `mailto:${address}`
}

/** Browsers give out addresses on pages with HTTPS, and on this machine's own. */
const isSecure = (address: string): boolean =>
  /^https:/.test(address) || /^(localhost|127\.|\[::1\])/.test(new URL(address).host)

/** How pushes go in the installation. */
export const readPushState = async (db: Db, services: Services): Promise<PushState> => {
  const row = await find(db)
  const keys = await findServiceKeys(db, services)
  const figures = await countPushes(db)
  const Contact = contactOf(services)
  const problems = {
    https: !isSecure(services.publicUrl()),
    contact: /@(localhost|[^.]+)$/.test(Contact),
    keys: keys === 'sealed',
  }
  return {
    IsOn: row?.is_on ?? false,
    PublicKey: row?.public_key ?? '',
    CreateDate: row?.created_at ?? null,
    Contact,
    Problems: (['https', 'contact', 'keys'] as const).filter((problem) => problems[problem]),
    DeviceCount: figures.devices,
    PersonCount: figures.people,
    WaitingCount: figures.waiting,
    SentCount: figures.sent,
    FailedCount: figures.failed,
    Hosts: await listPushHosts(db),
    LastSuccessDate: row?.last_success_at ?? null,
    LastErrorDate: row?.last_error_at ?? null,
    LastError: row?.last_error ?? '',
  }
}
