import type { PushState } from '#contract/push/push.ts'
import { unseal } from '#server/core/auth/seal.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { countPushes, listPushHosts } from './figures.across.ts'

/** The private key is sealed beside its public one: neither can be exchanged alone. */
/** Whose private key is sealed. */
export const pushContext = (publicKey: string): string => `push ${publicKey}`

const find = (db: Db) => db.selectFrom('push_service').selectAll().executeTakeFirst()

/** The keys of the installation; undefined before pushes were first switched on, `sealed` where `SECRET_KEY` does not open them. */
export const findServiceKeys = async (
  db: Db,
  { config }: Services,
): Promise<{ isOn: boolean; publicKey: string; privateKey: string } | 'sealed' | undefined> => {
  const row = await find(db)
  if (!row) return undefined
  try {
    const privateKey = unseal(config.secretKey, pushContext(row.public_key), row.private_key)
    return { isOn: row.is_on, publicKey: row.public_key, privateKey }
  } catch {
    return 'sealed'
  }
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
