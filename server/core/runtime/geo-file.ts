import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { maxGeoFileBytes } from '#contract/settings/ip-access.ts'

/** A GeoIP database in memory. */
export interface GeoFile {
  /** What it calls itself, such as GeoLite2-Country. */
  kind: string
  builtAt: Date | null
  /** The two letters of an address's country (ISO 3166-1); null where the file says nothing. */
  countryOf(address: string): string | null
}

/** The forms of MaxMind, DB-IP and IPinfo. */
interface Entry {
  country?: { iso_code?: unknown } | string
  registered_country?: { iso_code?: unknown }
  country_code?: unknown
}

const unpack = promisify(gunzip)
/** Compressed files hold little more than twice their size; a bomb holds a thousand times as much. */
const maxUnpackedBytes = maxGeoFileBytes * 4

const codeOf = (entry: Entry | null): string | null => {
  const { country, registered_country, country_code } = entry ?? {}
  const code =
    (typeof country === 'object' ? country?.iso_code : undefined) ??
    registered_country?.iso_code ??
    country_code ??
    country
  return typeof code === 'string' && /^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : null
}

/**
 * Reads a MaxMind DB file (.mmdb), as it is or compressed by gzip.
 *
 * @throws Error when it is none
 */
export const readGeoFile = async (bytes: Buffer): Promise<GeoFile> => {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  const plain = isCompressed ? await unpack(bytes, { maxOutputLength: maxUnpackedBytes }) : bytes
  const { Reader } = await import('mmdb-lib')
  const reader = new Reader<never>(plain)
  const countryOf = (address: string): string | null => codeOf(reader.get(address) as Entry | null)
  // A file that is cut off has its description and fails where it is asked.
  for (const address of ['1.1.1.1', '9.9.9.9', '128.0.0.1', '203.0.113.9']) countryOf(address)
  const { databaseType, buildEpoch, ipVersion } = reader.metadata
  const isFour = ipVersion === 4
  return {
    kind: String(databaseType).slice(0, 100),
    builtAt: buildEpoch instanceof Date && !Number.isNaN(buildEpoch.getTime()) ? buildEpoch : null,
    countryOf: (address) => (isFour && address.includes(':') ? null : countryOf(address)),
  }
}
