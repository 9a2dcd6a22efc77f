import { expect, test } from 'vitest'
import { momentOf, wallClock } from './zone.rules.ts'

test('midnight is 00:00 of the new day, on leap days too', () => {
  expect(wallClock(Date.parse('2028-02-29T05:00:00Z'), 'America/New_York')).toEqual({
    date: '2028-02-29',
    time: '00:00',
  })
})

test('a time that comes twice in autumn is the first one', () => {
  expect(momentOf('2026-11-01', '01:30', 'America/New_York')).toEqual({
    at: Date.parse('2026-11-01T05:30:00Z'),
  })
})
