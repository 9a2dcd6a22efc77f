import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type pg from 'pg'
import { IpBlockMode } from '#contract/settings/ip-access.ts'
import type { Log } from '#server/core/database/log.ts'
import type { FileStore } from './file-store.ts'
import { type GeoFile, readGeoFile } from './geo-file.ts'
import { readIpAccess } from './ip-access.across.ts'

/** The rules that an address is checked by. */
export interface IpRules {
  /** Addresses and networks that are always let in. */
  networks: readonly string[]
  /** ISO 3166-1, two letters. */
  countries: readonly string[]
  file: GeoFile | undefined
}

export interface Verdict {
  isAllowed: boolean
  country: string | null
}

/** An IPv4 address that came over an IPv6 socket is the IPv4 address; zones belong to this machine only. */
export const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4')

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = familyOf(address)
    list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family)
  }
  return list
}

const loopback = listOf(['127.0.0.0/8', '::1/128'])

/**
 * Tells whether addresses are let in: this machine itself, the networks of the list, and the chosen countries as far as the
 * file knows them. An address of no known country is not let in.
 */
export const createIpCheck = ({ networks, countries, file }: IpRules): ((address: string) => Verdict) => {
  const list = listOf(networks)
  const chosen = new Set(countries)
  return (raw) => {
    const address = plainAddress(raw)
    if (!isIPv4(address) && !isIPv6(address)) return { isAllowed: false, country: null }
    const family = familyOf(address)
    const country = file?.countryOf(address) ?? null
    const isAllowed =
      loopback.check(address, family) ||
      list.check(address, family) ||
      (country !== null && chosen.has(country))
    return { isAllowed, country }
  }
}

/** Who may reach the product from where, as this process knows it: never older than a second. */
export interface IpAccess {
  /** What to do with a call from this address; `note` keeps it for the list of those that were refused or warned. */
  check(address: string): Promise<Verdict & { mode: IpBlockMode }>
  note(address: string, verdict: Verdict & { mode: IpBlockMode }): void
  /** The file in use; undefined while there is none. */
  file(): Promise<GeoFile | undefined>
  /** The next check reads again: this process has just changed something. */
  expire(): void
  /** Writes what was noted. */
  flush(): Promise<void>
  close(): Promise<void>
}

const freshMs = 1_000
const flushMs = 5_000
const maxVerdicts = 10_000
/** Most different addresses written at a time: a flood from a million must not become a million rows a minute. */
const maxNoted = 200

const unknownState = {
  version: 0,
  mode: IpBlockMode.off as IpBlockMode,
  networks: [] as readonly string[],
  countries: [] as readonly string[],
}

export const createIpAccess = (pool: pg.Pool, files: FileStore, log: Log): IpAccess => {
  let state = unknownState
  let check = createIpCheck({ ...unknownState, file: undefined })
  let file: { key: string; content: GeoFile } | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let expiries = 0
  let reading: Promise<void> | undefined
  let verdicts = new Map<string, Verdict>()
  let noted = new Map<string, { country: string | null; isRefused: boolean; hits: number }>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()

  /** The file of the state; the one before when the store does not answer, so that nobody is shut out by a fault of ours. */
  const loadFile = async (key: string | null): Promise<boolean> => {
    if (key === (file?.key ?? null)) return true
    if (key === null) {
      file = undefined
      return true
    }
    try {
      const chunks: Buffer[] = []
      for await (const chunk of await files.read(key)) chunks.push(Buffer.from(chunk))
      file = { key, content: await readGeoFile(Buffer.concat(chunks)) }
      return true
    } catch (error) {
      log.error(`The GeoIP database could not be read: ${(error as Error).message}`)
      return false
    }
  }
  const read = async (): Promise<void> => {
    const [begunAt, begunIn] = [performance.now(), expiries]
    const row = await readIpAccess(pool, state.version)
    if (row && row.version !== state.version) {
      const isWhole = await loadFile(row.store_key)
      const networks = row.networks ?? state.networks
      // A version that is not whole is asked for again.
      state = { version: isWhole ? row.version : 0, mode: row.mode, networks, countries: row.countries }
      check = createIpCheck({ networks, countries: row.countries, file: file?.content })
      verdicts = new Map()
    }
    // What was asked before the last change may not know of it.
    if (begunIn === expiries) readAt = begunAt
  }
  /** Without the database nothing else works either: what was known last goes on. */
  const attempt = (): Promise<void> =>
    read()
      .catch((error: Error) => {
        log.warn(`Who may connect could not be read: ${error.message}`)
        readAt = performance.now()
      })
      .finally(() => {
        reading = undefined
      })
  const refresh = async (): Promise<void> => {
    for (let turn = 0; turn < 3 && performance.now() - readAt >= freshMs; turn++) {
      reading ??= attempt()
      await reading
    }
  }
  const write = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const entries = [...noted]
    noted = new Map()
    if (entries.length === 0) return
    await pool
      .query(
        `insert into ip_notice as n (address, country, is_refused, hits)
         select * from unnest($1::inet[], $2::text[], $3::boolean[], $4::bigint[])
         on conflict (address) do update set country = excluded.country, is_refused = excluded.is_refused,
           hits = n.hits + excluded.hits, last_at = now()`,
        [
          entries.map(([address]) => address),
          entries.map(([, { country }]) => country),
          entries.map(([, { isRefused }]) => isRefused),
          entries.map(([, { hits }]) => hits),
        ],
      )
      .catch((error: Error) => log.warn(`Refused addresses could not be kept: ${error.message}`))
  }
  const flush = (): Promise<void> => {
    flushing = flushing.then(write)
    return flushing
  }

  return {
    check: async (raw) => {
      await refresh()
      const address = plainAddress(raw)
      let verdict = verdicts.get(address)
      if (!verdict) {
        if (verdicts.size >= maxVerdicts) verdicts.clear()
        verdict = check(address)
        verdicts.set(address, verdict)
      }
      return { ...verdict, mode: state.mode }
    },
    note: (raw, { country, mode }) => {
      const address = plainAddress(raw)
      const known = noted.get(address)
      if (known) known.hits++
      else if (noted.size < maxNoted)
        noted.set(address, { country, isRefused: mode === IpBlockMode.on, hits: 1 })
      timer ??= setTimeout(() => void flush(), flushMs).unref()
    },
    file: async () => {
      await refresh()
      return file?.content
    },
    expire: () => {
      expiries++
      readAt = Number.NEGATIVE_INFINITY
    },
    flush,
    close: flush,
  }
}
