/** What a calendar shows at one time and place: a student's own shift, or a shift with the students whom somebody sees there. */
export interface CalendarEntry {
  /** The same for as long as it is the same shift; another one in each calendar of the installation. */
  Key: string
  StartsAt: string
  EndsAt: string
  /** When something of it changed last. */
  ChangedAt: string
  IsCancelled: boolean
  Rotation: string
  ShiftCode: string
  Site: string
  Address: string
  Latitude: number | null
  Longitude: number | null
  /** Of calendars of staff: who is there. */
  Students?: string[]
}

const encoder = new TextEncoder()

/** Folds a line at 75 octets (RFC 5545 §3.1), never inside a character. */
const fold = (line: string): string => {
  let folded = ''
  let octets = 0
  for (const sign of line) {
    const size = encoder.encode(sign).length
    if (octets + size > 75) {
      folded += '\r\n '
      octets = 1
    }
    folded += sign
    octets += size
  }
  return `${folded}\r\n`
}

const text = (value: string): string =>
  value
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replace(/\r?\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a calendar cannot hold them
    .replace(/[\u0000-\u001F\u007F]/g, '')

const moment = (instant: string): string =>
  `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** A number that grows with every change (RFC 5545 §3.8.7.4): the seconds since 2020, which fit its 31 bits. */
const sequence = (changedAt: string): number =>
  Math.floor((Date.parse(changedAt) - Date.UTC(2020, 0, 1)) / 1000)

const peopleOf = (students: readonly string[] | undefined): string =>
  students ? ` · ${students.length} ${students.length === 1 ? 'student' : 'students'}` : ''

/**
 * The entries as an iCalendar file (RFC 5545), in UTC. The same entries always make the same text, so a calendar program that has it already
 * is told so. `host` makes ids unlike those of other installations.
 */
export const calendarText = (name: string, host: string, entries: readonly CalendarEntry[]): string => {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Practicum//Schedule//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${text(name)}`,
    `X-WR-CALNAME:${text(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]
  for (const entry of entries)
    lines.push(
      'BEGIN:VEVENT',
      `UID:${entry.Key}@${host}`,
      `DTSTAMP:${moment(entry.ChangedAt)}`,
      `LAST-MODIFIED:${moment(entry.ChangedAt)}`,
      `SEQUENCE:${sequence(entry.ChangedAt)}`,
      `STATUS:${entry.IsCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
      `DTSTART:${moment(entry.StartsAt)}`,
      `DTEND:${moment(entry.EndsAt)}`,
      `SUMMARY:${text(`${entry.Site} · ${entry.ShiftCode}${entry.IsCancelled ? '' : peopleOf(entry.Students)}`)}`,
      `LOCATION:${text(entry.Address ? `${entry.Site}, ${entry.Address}` : entry.Site)}`,
      ...(entry.Latitude === null ? [] : [`GEO:${entry.Latitude};${entry.Longitude}`]),
      `DESCRIPTION:${text([entry.Rotation, ...(entry.Students ?? [])].join('\n'))}`,
      'END:VEVENT',
    )
  lines.push('END:VCALENDAR')
  return lines.map(fold).join('')
}
