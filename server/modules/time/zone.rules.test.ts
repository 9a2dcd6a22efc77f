import { expect, test } from 'vitest'
import { comesTwice } from '#contract/time/repeated-time.ts'
import { momentOf, wallClock } from './zone.rules.ts'

test('midnight is 00:00 of the new day, on leap days too', () => {
  expect(wallClock(Date.parse('2028-02-29T05:00:00Z'), 'America/New_York')).toEqual({
    date: '2028-02-29',
    time: '00:00',
  })
})

test('a time that comes twice in autumn is told with both of its moments, any other one with its own', () => {
  expect(momentOf('2026-11-01', '01:30', 'America/New_York')).toEqual({
    at: Date.parse('2026-11-01T05:30:00Z'),
    again: Date.parse('2026-11-01T06:30:00Z'),
  })
  expect(momentOf('2026-11-01', '02:00', 'America/New_York')).toEqual({
    at: Date.parse('2026-11-01T07:00:00Z'),
  })
})

test('the screens find the times that come twice just as the server does, all over the world', () => {
  const zones = [
    'America/New_York',
    'America/Phoenix',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
  ]
  for (const zone of zones)
    for (const date of ['2026-03-08', '2026-04-05', '2026-10-25', '2026-11-01', '2026-11-02'])
      for (let quarter = 0; quarter < 24; quarter++) {
        const time = `0${Math.floor(quarter / 4)}:${String((quarter % 4) * 15).padStart(2, '0')}`
        expect(comesTwice(date, time, zone), `${zone} ${date} ${time}`).toBe(
          'again' in momentOf(date, time, zone),
        )
      }
})
