import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Instant } from '#contract/core/fields.ts'
import { readNetwork } from '#contract/sites/sites-rules.ts'

/** How addresses that are not let in are treated: not at all, refused, or let in with a warning. */
export const IpBlockMode = { off: 0, on: 1, warn: 2 } as const
export type IpBlockMode = (typeof IpBlockMode)[keyof typeof IpBlockMode]
export const BlockMode = z.union([z.literal(0), z.literal(1), z.literal(2)])

/** Longest entry of the whitelist. */
export const maxIpAddress = 255

/** Largest GeoIP file: country databases have 5 to 15 MiB. */
export const maxGeoFileBytes = 32 * 1024 * 1024

/** A network as people write it: one address has no prefix. */
export const showNetwork = (network: string): string =>
  network.replace(network.includes(':') ? /\/128$/ : /\/32$/, '')

/** An address or network as people write it, trimmed and in one form; or what is wrong with it. */
export const readIpAddress = (text: string): { address: string } | { problem: string } => {
  const read = readNetwork(text)
  return 'range' in read ? { address: showNetwork(read.range) } : read
}

/** An address or network of the whitelist, kept in one form. */
export const IpAddress = z
  .string()
  .max(maxIpAddress, `can have at most ${maxIpAddress} characters`)
  .transform((text, context) => {
    const read = readIpAddress(text)
    if ('address' in read) return read.address
    context.addIssue({ code: 'custom', message: read.problem })
    return z.NEVER
  })

export const WhitelistEntry = z.object({
  IPAddress: z.string(),
  AddedAt: Instant,
  AddedBy: z.string(),
})
export type WhitelistEntry = z.infer<typeof WhitelistEntry>

/** ISO 3166-1, two letters. */
const Country = z.string().regex(/^[A-Z]{2}$/, 'must be the two letters of a country')

export const IpStatus = z.object({
  /** What is known of addresses; null before a file was uploaded. */
  Database: z
    .object({
      Name: z.string(),
      /** What the file calls itself, such as GeoLite2-Country. */
      Kind: z.string(),
      BuiltAt: Instant.nullable(),
      UploadedAt: Instant,
      ByteCount: z.number().int(),
    })
    .nullable(),
  Countries: z.array(Country),
  /** Where this call comes from, and whether that would be let in while the mode is ON. */
  Own: z.object({ Address: z.string(), Country: z.string().nullable(), IsAllowed: z.boolean() }),
  /** The call was passed on by a proxy that TRUST_PROXY does not name, so `Own.Address` is the proxy's. */
  IsProxyUnknown: z.boolean(),
})
export type IpStatus = z.infer<typeof IpStatus>

/** An address that was refused, or let in with a warning. */
export const IpNotice = z.object({
  Address: z.string(),
  Country: z.string().nullable(),
  IsRefused: z.boolean(),
  Hits: z.number().int(),
  FirstAt: Instant,
  LastAt: Instant,
})
export type IpNotice = z.infer<typeof IpNotice>

const locksOut = { 422: 'the change would refuse the caller’s own address' } as const

export const listWhitelist = endpoint({
  method: 'GET',
  path: '/geo-ip/whitelist',
  may: 'settings.manage',
  summary: 'The addresses and networks that are always let in',
  answer: z.array(WhitelistEntry),
})

export const addToWhitelist = endpoint({
  method: 'POST',
  path: '/geo-ip/whitelist',
  may: 'settings.manage',
  summary: 'Let an address or network in always; the body is the address itself',
  body: IpAddress,
  answer: WhitelistEntry,
})

export const removeFromWhitelist = endpoint({
  method: 'DELETE',
  path: '/geo-ip/whitelist/:ip',
  may: 'settings.manage',
  summary: 'Take an address or network off the whitelist',
  params: z.strictObject({ ip: IpAddress }),
  errors: locksOut,
})

export const uploadGeoFile = endpoint({
  method: 'POST',
  path: '/geo-ip/blocks',
  may: 'settings.manage',
  summary: 'Replace the GeoIP database: a MaxMind DB file (.mmdb), as it is or compressed by gzip',
  takes: 'octets',
  bodyLimit: maxGeoFileBytes,
  query: z.strictObject({ name: z.string().max(255).default('') }),
  answer: z.object({ Message: z.string() }),
  errors: { 413: 'larger than 32 MiB', 415: 'no GeoIP database by its content', ...locksOut },
})

export const getIpStatus = endpoint({
  method: 'GET',
  path: '/geo-ip/status',
  may: 'settings.manage',
  summary: 'The GeoIP database, the countries let in, and the address of this call',
  answer: IpStatus,
})

export const saveIpCountries = endpoint({
  method: 'POST',
  path: '/geo-ip/countries',
  may: 'settings.manage',
  summary: 'Choose the countries that are let in',
  body: z.strictObject({ Countries: z.array(Country).max(250) }),
  answer: z.object({ Countries: z.array(Country) }),
  errors: locksOut,
})

export const listIpNotices = endpoint({
  method: 'GET',
  path: '/geo-ip/notices',
  may: 'settings.manage',
  summary: 'Addresses that were refused or warned in the last 30 days, the latest 100',
  answer: z.array(IpNotice),
})

export const getDatabaseSettings = endpoint({
  method: 'GET',
  path: '/global-settings/database',
  may: 'settings.manage',
  summary: 'Whether addresses that are not let in are refused',
  answer: z.object({ IPBlockMode: BlockMode }),
})

export const setIpBlockMode = endpoint({
  method: 'POST',
  path: '/global-settings/database/ip-block-mode',
  may: 'settings.manage',
  summary: 'Switch it: 0 off, 1 on, 2 warn; the body is the number itself',
  body: BlockMode,
  answer: z.object({ IPBlockMode: BlockMode }),
  errors: locksOut,
})
