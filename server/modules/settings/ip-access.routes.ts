import { settingsFailures } from '#contract/settings/failures.ts'
import * as contract from '#contract/settings/ip-access.ts'
import type { Db } from '#server/core/database/pool.ts'
import { storeFile } from '#server/core/files/stored-files.ts'
import { type Call, handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { readGeoFile } from '#server/core/runtime/geo-file.ts'
import { createIpCheck, type IpRules, plainAddress } from '#server/core/runtime/ip-access.ts'
import { addToWhitelist, changeAccess, removeFromWhitelist } from '#server/core/runtime/ip-access-changes.ts'
import { getAccess, getWhitelistEntry, listNotices, listWhitelist } from './ip-access.queries.ts'

const { on } = contract.IpBlockMode
const maxNotices = 100

type Changing = Pick<Call<unknown, unknown, unknown>, 'db' | 'services' | 'from'>

/** This process applies a change as soon as it is saved; the others within a second. */
const reloadRules = ({
  services,
  afterCommit,
}: Pick<Call<unknown, unknown, unknown>, 'services' | 'afterCommit'>) =>
  afterCommit(() => services.ipAccess.expire())

const rulesOf = async ({ db, services }: { db: Db } & Pick<Changing, 'services'>): Promise<IpRules> => ({
  networks: (await listWhitelist(db)).map(({ IPAddress }) => IPAddress),
  countries: (await getAccess(db)).countries,
  file: await services.ipAccess.file(),
})

/**
 * Nobody locks themselves out: with the mode ON, a change after which the caller's own address would be refused is refused.
 * Called when the change is written; the transaction takes it back.
 */
const refuseLockout = async (call: Changing, change: Partial<IpRules> = {}): Promise<void> => {
  const { mode } = await getAccess(call.db)
  if (mode !== on) return
  const check = createIpCheck({ ...(await rulesOf(call)), ...change })
  if (check(call.from.address).isAllowed) return
  const address = plainAddress(call.from.address)
  throw fail(settingsFailures.locks_out, { Address: address })
}

const readFile = async (bytes: Buffer) => {
  try {
    return await readGeoFile(bytes)
  } catch {
    throw fail(settingsFailures.wrong_type)
  }
}

export const ipAccessRoutes = [
  handle(contract.listWhitelist, ({ db }) => listWhitelist(db)),

  handle(contract.addToWhitelist, async (call) => {
    const { db, body, user, audit } = call
    reloadRules(call)
    audit.detail = { IPAddress: body }
    await addToWhitelist(db, body, user.Id)
    return getWhitelistEntry(db, body)
  }),

  handle(contract.removeFromWhitelist, async (call) => {
    const { db, params, audit } = call
    reloadRules(call)
    audit.detail = { IPAddress: params.ip }
    await getAccess(db, { locks: true })
    if (!(await removeFromWhitelist(db, params.ip))) throw fail(settingsFailures.no_address)
    await refuseLockout(call)
  }),

  handle(contract.uploadGeoFile, async (call) => {
    const { db, files, query, user, services, audit } = call
    reloadRules(call)
    const { bytes } = files[0]!
    const file = await readFile(bytes)
    await getAccess(db, { locks: true })
    const name = query.name.replace(/^.*[\\/]/, '') || 'GeoIP.mmdb'
    const sent = { ...files[0]!, name }
    const mediaType = 'application/octet-stream'
    const id = await storeFile(db, services, sent, { programId: null, mediaType, accountId: user.Id })
    await changeAccess(db, user.Id, {
      geo_file_id: id,
      geo_kind: file.kind,
      geo_built_at: file.builtAt?.toISOString() ?? null,
    })
    await refuseLockout(call, { file })
    audit.detail = { Name: query.name, Kind: file.kind, ByteCount: bytes.length }
    return { Message: 'Updated Successfully' }
  }),

  handle(contract.getIpStatus, async (call) => {
    const { file, kind, builtAt, countries } = await getAccess(call.db)
    const { isAllowed, country } = createIpCheck(await rulesOf(call))(call.from.address)
    return {
      Database: file && {
        Name: file.name,
        Kind: kind,
        BuiltAt: builtAt,
        UploadedAt: file.at,
        ByteCount: file.bytes,
      },
      Countries: countries,
      Own: { Address: plainAddress(call.from.address), Country: country, IsAllowed: isAllowed },
      IsProxyUnknown: call.from.isProxyUnknown,
    }
  }),

  handle(contract.saveIpCountries, async (call) => {
    const { db, body, user, audit } = call
    reloadRules(call)
    const Countries = [...new Set(body.Countries)].toSorted()
    const before = await getAccess(db, { locks: true })
    audit.detail = { Before: before.countries, After: Countries }
    await changeAccess(db, user.Id, { countries: Countries })
    await refuseLockout(call)
    return { Countries }
  }),

  handle(contract.listIpNotices, async ({ db, services }) => {
    await services.ipAccess.flush()
    return listNotices(db, maxNotices)
  }),

  handle(contract.getDatabaseSettings, async ({ db }) => ({ IPBlockMode: (await getAccess(db)).mode })),

  handle(contract.setIpBlockMode, async (call) => {
    const { db, body, user, audit } = call
    reloadRules(call)
    const before = await getAccess(db, { locks: true })
    audit.detail = { Before: before.mode, After: body }
    await changeAccess(db, user.Id, { mode: body })
    await refuseLockout(call)
    return { IPBlockMode: body }
  }),
]
