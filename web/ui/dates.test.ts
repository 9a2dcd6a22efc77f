import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  dateOfInstant,
  daysBetween,
  earliestDate,
  formatDate,
  formatDay,
  formatDayOfYear,
  formatHours,
  formatInstant,
  formatTime,
  latestDate,
  parseDate,
  parseTime,
  showTimesIn,
  timeOfInstant,
} from './dates.ts'

const anyDate = fc
  .integer({ min: 0, max: daysBetween(earliestDate, latestDate) })
  .map((days) => addDays(earliestDate, days))

describe('a typed date', () => {
  test('that does not exist in the calendar is not a date', () => {
    for (const text of ['02/31/2026', '02/29/2027', '13/01/2026', '00/10/2026', '04/31/2026', '1/0/2026'])
      expect(parseDate(text), text).toBeUndefined()
  })
  test('may have one-digit parts, a two-digit year and other separators', () => {
    expect(parseDate('2/3/26')).toBe('2026-02-03')
    expect(parseDate('2-3-1969')).toBe('1969-02-03')
    expect(parseDate(' 12.31.70 ')).toBe('1970-12-31')
    expect(parseDate('12/31/69')).toBe('2069-12-31')
    expect(parseDate('02/29/2028')).toBe('2028-02-29')
  })
  test('outside 1900 to 2099, or any other text, is refused', () => {
    for (const text of [
      '12/31/1899',
      '01/01/2100',
      '',
      'today',
      '2026-12-03',
      '12/03',
      '12/03/2026 x',
      '1/2/026',
    ])
      expect(parseDate(text), text).toBeUndefined()
  })
  test('reads back what is shown, for every day of two centuries', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(parseDate(formatDate(date))).toBe(date)
      }),
    )
  })
  test('is either refused or shown as the same day, month and year', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 1800, max: 2200 }),
        (month, day, year) => {
          const text = `${String(month).padStart(2, '0')}/${String(day).padStart(2, '0')}/${year}`
          const date = parseDate(text)
          if (date !== undefined) expect(formatDate(date)).toBe(text)
        },
      ),
    )
  })
  test('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseDate(text)))
  })
})

describe('dates', () => {
  test('are shown with their weekday', () => {
    expect(formatDay('2026-12-03')).toBe('Thu 12/03')
    expect(formatDayOfYear('2026-11-19')).toBe('Thu 11/19/2026')
    expect(formatDate('2026-12-03T10:00:00Z')).toBe('12/03/2026')
    expect(formatDate(null)).toBe('')
    expect(formatDay(undefined)).toBe('')
  })
  test('can be counted across leap days and clock changes', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-03-08', 1)).toBe('2026-03-09')
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -800, max: 800 }), (date, days) => {
        expect(daysBetween(date, addDays(date, days))).toBe(days)
      }),
    )
  })
})

describe('times', () => {
  test('are read in 24 hours and with am or pm', () => {
    expect(parseTime('7')).toBe('07:00')
    expect(parseTime('730')).toBe('07:30')
    expect(parseTime('23:59')).toBe('23:59')
    expect(parseTime('12:05 am')).toBe('00:05')
    expect(parseTime('3:30p')).toBe('15:30')
    for (const text of ['24:00', '7:60', '13 pm', 'noon', '']) expect(parseTime(text), text).toBeUndefined()
    expect(formatTime('07:00:00')).toBe('07:00')
    expect(formatTime(null)).toBe('')
  })
  test('of a moment follow the zone, through both clock changes', () => {
    expect(formatInstant('2026-11-16T11:55:00Z', 'America/New_York')).toBe('11/16/2026 06:55')
    for (const [zone, shown] of [
      ['Pacific/Kiritimati', '11/17/2026 01:55'],
      ['Pacific/Pago_Pago', '11/16/2026 00:55'],
    ] as const) {
      showTimesIn(zone)
      expect(formatInstant('2026-11-16T11:55:00Z'), 'wherever the reader is').toBe(shown)
    }
    showTimesIn(undefined)
    expect(timeOfInstant('2026-03-08T06:59:00Z', 'America/New_York')).toBe('01:59')
    expect(timeOfInstant('2026-03-08T07:00:00Z', 'America/New_York')).toBe('03:00')
    expect(dateOfInstant('2026-11-16T03:00:00Z', 'America/Los_Angeles')).toBe('2026-11-15')
    expect(timeOfInstant('2026-11-16T05:00:00Z', 'America/New_York')).toBe('00:00')
  })
})

describe('hours', () => {
  test('have one decimal and a thousands separator', () => {
    expect(formatHours(510)).toBe('8.5')
    expect(formatHours(510, true)).toBe('8.5 h')
    expect(formatHours(0)).toBe('0.0')
    expect(formatHours(551_910)).toBe('9,198.5')
    expect(formatHours(-450)).toBe('−7.5')
    expect(formatHours(-1)).toBe('0.0')
  })
  test('are never further than three minutes from the truth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (minutes) => {
        const shown = Number(formatHours(minutes).replaceAll(',', ''))
        expect(Math.abs(shown * 60 - minutes)).toBeLessThanOrEqual(3.0001)
      }),
    )
  })
})
