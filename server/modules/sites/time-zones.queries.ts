import type * as GeoTz from 'geo-tz'
import { packageOnDemand } from '#server/core/runtime/on-demand.ts'

const known = new Map<string, string>()
const maxKnown = 50_000

/** The boundaries come with the first question: most days ask none. */
const boundaries = packageOnDemand<typeof GeoTz>('geo-tz')

/** IANA name of the time zone at a place, from bundled boundaries; a place once asked is remembered. */
export const zoneAt = (latitude: number, longitude: number): string => {
  const key = `${latitude},${longitude}`
  const remembered = known.get(key)
  if (remembered) return remembered
  const zone = boundaries().find(latitude, longitude)[0] ?? 'Etc/GMT'
  if (known.size >= maxKnown) known.clear()
  known.set(key, zone)
  return zone
}
