import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shiftTimes } from './shift-times.rules.ts'

const zone = 'America/New_York'
const iso = (times: { StartsAt: number; EndsAt: number }) => [
  new Date(times.StartsAt).toISOString(),
  new Date(times.EndsAt).toISOString(),
]
const hours = ({ StartsAt, EndsAt }: { StartsAt: number; EndsAt: number }) => (EndsAt - StartsAt) / 3_600_000

test('a day shift follows the wall clock of its site', () => {
  expect(iso(shiftTimes('2026-12-03', '07:00', '15:30', zone))).toEqual([
    '2026-12-03T12:00:00.000Z',
    '2026-12-03T20:30:00.000Z',
  ])
  expect(iso(shiftTimes('2026-12-03', '07:00', '15:30', 'America/Los_Angeles'))[0]).toBe(
    '2026-12-03T15:00:00.000Z',
  )
})

test('a night shift ends on the next day', () => {
  expect(iso(shiftTimes('2026-12-31', '23:00', '07:30', zone))).toEqual([
    '2027-01-01T04:00:00.000Z',
    '2027-01-01T12:30:00.000Z',
  ])
})

test('in the night when clocks go forward a night shift is an hour shorter, in autumn an hour longer', () => {
  expect(hours(shiftTimes('2026-03-07', '23:00', '07:00', zone))).toBe(7)
  expect(hours(shiftTimes('2026-10-31', '23:00', '07:00', zone))).toBe(9)
})

test('a time that the clocks skip counts an hour later, and a shift inside the gap keeps its length', () => {
  expect(iso(shiftTimes('2026-03-08', '02:30', '10:30', zone))[0]).toBe('2026-03-08T07:30:00.000Z')
  expect(hours(shiftTimes('2026-03-08', '02:30', '03:00', zone))).toBe(0.5)
})

test('a time that comes twice counts the first time', () => {
  expect(iso(shiftTimes('2026-11-01', '01:30', '09:30', zone))[0]).toBe('2026-11-01T05:30:00.000Z')
})

test('every shift on every day ends after it begins and lasts at most 25 hours', () => {
  const time = fc
    .integer({ min: 0, max: 1439 })
    .map(
      (minutes) =>
        `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
    )
  const date = fc
    .integer({ min: 0, max: 1460 })
    .map((days) => new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10))
  fc.assert(
    fc.property(
      date,
      time,
      time,
      fc.constantFrom(zone, 'Pacific/Apia', 'Asia/Kolkata', 'UTC'),
      (day, from, to, at) => {
        fc.pre(from !== to)
        const length = hours(shiftTimes(day, from, to, at))
        expect(length).toBeGreaterThan(0)
        expect(length).toBeLessThanOrEqual(25)
      },
    ),
  )
})

test('a shift that ends at the time of its begin ends on the next day, with or without seconds', () => {
  for (const [from, to] of [
    ['07:00', '07:00'],
    ['07:00:00', '07:00'],
    ['07:00', '07:00:00'],
  ] as const) {
    expect(hours(shiftTimes('2026-12-03', from, to, zone))).toBe(24)
    expect(hours(shiftTimes('2027-03-13', from, to, zone))).toBe(23)
  }
})

test('a shift from inside the skipped hour to the time that it counts as keeps its length', () => {
  const { StartsAt, EndsAt } = shiftTimes('2027-03-14', '02:30', '03:30', 'America/New_York')
  expect(EndsAt - StartsAt).toBe(3_600_000)
})
