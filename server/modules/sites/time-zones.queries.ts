import { createRequire } from 'node:module'
import type * as GeoTz from 'geo-tz'

const known = new Map<string, string>()
const maxKnown = 50_000

let library: typeof GeoTz | undefined
/** The boundaries come with the first question: most days ask none. */
const zonesAt = (latitude: number, longitude: number): string[] => {
  library ??= createRequire(import.meta.url)('geo-tz') as typeof GeoTz
  return library.find(latitude, longitude)
}

/** IANA name of the time zone at a place, from bundled boundaries; a place once asked is remembered. */
export const zoneAt = (latitude: number, longitude: number): string => {
  const key = `${latitude},${longitude}`
  const remembered = known.get(key)
  if (remembered) return remembered
  const zone = zonesAt(latitude, longitude)[0] ?? 'Etc/GMT'
  if (known.size >= maxKnown) known.clear()
  known.set(key, zone)
  return zone
}
