import ical from 'ical.js'
import { expect, test } from 'vitest'
import { type CalendarEntry, calendarText } from './calendar.rules.ts'

const shift: CalendarEntry = {
  Key: 'assignment-1',
  StartsAt: '2026-12-03T12:00:00Z',
  EndsAt: '2026-12-03T20:30:00Z',
  ChangedAt: '2026-11-21T00:00:00Z',
  IsCancelled: false,
  Rotation: 'Clinical II',
  ShiftCode: 'HGH-D1',
  Site: 'Harbor General',
  Address: '1 Main Street, Boston, MA',
  Latitude: 42.3,
  Longitude: -71,
}
const fileOf = (...entries: Partial<CalendarEntry>[]): string =>
  calendarText(
    'Clinical schedule',
    'clinicals.example.edu',
    entries.map((entry) => ({ ...shift, ...entry })),
  )
/** As a calendar program reads it. */
const read = (file: string) =>
  new ical.Component(ical.parse(file)).getAllSubcomponents('vevent').map((event) => new ical.Event(event))

test('a calendar file has CRLF, lines of at most 75 octets, and text that cannot break out', () => {
  const entry = {
    Rotation: 'Clinical; II,\nEND:VEVENT',
    Site: `Krankenhaus für ${'ü'.repeat(60)}`,
    Students: ['O’Connor, Zoë', 'Doe; BEGIN:VEVENT, Jo'],
  }
  const file = fileOf(entry)
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(file.match(/^END:VEVENT/gm)).toHaveLength(1)
  const [event] = read(file)
  expect(event?.description).toBe([entry.Rotation, ...entry.Students].join('\n'))
  expect(event?.location).toBe(`${entry.Site}, ${shift.Address}`)
  expect(event?.summary).toBe(`${entry.Site} · HGH-D1 · 2 students`)
  expect(event?.startDate.toJSDate()).toEqual(new Date(shift.StartsAt))
  expect(event?.endDate.toJSDate()).toEqual(new Date(shift.EndsAt))
})

test('a line of 75 octets is whole, and one octet more is folded', () => {
  const lines = (Rotation: string) => fileOf({ Rotation }).split('\r\n')
  expect(lines('x'.repeat(63))).toContain(`DESCRIPTION:${'x'.repeat(63)}`)
  expect(lines('x'.repeat(64))).toContain(' x')
  expect(lines('x').slice(0, 3)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Practicum//Schedule//EN',
  ])
  expect(lines('x').slice(-2)).toEqual(['END:VCALENDAR', ''])
})

test('a site without a known place has no coordinates, and one without an address its name', () => {
  expect(fileOf({})).toContain('\r\nGEO:42.3;-71\r\n')
  const file = fileOf({ Latitude: null, Longitude: null, Address: '' })
  expect(file).not.toContain('GEO')
  expect(read(file)[0]?.location).toBe('Harbor General')
})

test('an entry keeps its id, its number grows with every change, and a cancelled one says so', () => {
  const of = (entry: Partial<CalendarEntry>) => read(fileOf(entry))[0]!
  const [first, moved] = [of({}), of({ ChangedAt: '2026-11-21T00:00:01Z', IsCancelled: true, Students: [] })]
  expect(first.uid).toBe('assignment-1@clinicals.example.edu')
  expect(moved.uid).toBe(first.uid)
  expect(first.component.getFirstPropertyValue('status')).toBe('CONFIRMED')
  expect(moved.component.getFirstPropertyValue('status')).toBe('CANCELLED')
  expect(moved.sequence).toBe(first.sequence + 1)
  expect(moved.sequence).toBeLessThan(2 ** 31)
  expect(moved.summary).toBe('Harbor General · HGH-D1')
  expect(fileOf({})).toBe(fileOf({}))
})
