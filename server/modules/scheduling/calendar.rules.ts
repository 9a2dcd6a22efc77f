/** A shift as a calendar entry shows it. */
export interface CalendarShift {
  Id: number
  StartsAt: string
  EndsAt: string
  Rotation: string
  ShiftCode: string
  Site: string
  Address: string
  Latitude: number | null
  Longitude: number | null
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

const moment = (instant: string | Date): string =>
  `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** The shifts as an iCalendar file (RFC 5545), in UTC. */
export async function* calendarText(shifts: readonly CalendarShift[], now: Date): AsyncGenerator<string> {
  yield [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Practicum//Schedule//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Clinical schedule',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  ]
    .map(fold)
    .join('')
  for (const shift of shifts) {
    yield [
      'BEGIN:VEVENT',
      `UID:assignment-${shift.Id}@practicum`,
      `DTSTAMP:${moment(now)}`,
      `DTSTART:${moment(shift.StartsAt)}`,
      `DTEND:${moment(shift.EndsAt)}`,
      `SUMMARY:${text(`${shift.Site} · ${shift.ShiftCode}`)}`,
      `LOCATION:${text(shift.Address ? `${shift.Site}, ${shift.Address}` : shift.Site)}`,
      ...(shift.Latitude === null ? [] : [`GEO:${shift.Latitude};${shift.Longitude}`]),
      `DESCRIPTION:${text(shift.Rotation)}`,
      'END:VEVENT',
    ]
      .map(fold)
      .join('')
  }
  yield fold('END:VCALENDAR')
}
