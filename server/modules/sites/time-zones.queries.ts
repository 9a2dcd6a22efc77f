import { find } from 'geo-tz'

const known = new Map<string, string>()
const mostKnown = 50_000

/** IANA name of the time zone at a place, from bundled boundaries; a place once asked is remembered. */
export const zoneAt = (latitude: number, longitude: number): string => {
  const key = `${latitude},${longitude}`
  const remembered = known.get(key)
  if (remembered) return remembered
  const zone = find(latitude, longitude)[0] ?? 'Etc/GMT'
  if (known.size >= mostKnown) known.clear()
  known.set(key, zone)
  return zone
}
