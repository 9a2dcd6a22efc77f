import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, daysInMonth, formatDate, weekdayOf, weekOf } from './calendar.ts'

const anyDate = fc
  .integer({ min: -20_000, max: 40_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))

test('days are added over the ends of months, leap days and changes of the clocks', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2028-02-29', 366)).toBe('2029-03-01')
  expect(addDays('2027-03-14', 1)).toBe('2027-03-15')
  expect(addDays('2027-01-01', -1)).toBe('2026-12-31')
})

test('months are added up to the last day of a shorter month and to the last year', () => {
  expect(addMonths('2028-02-29', 12)).toBe('2029-02-28')
  expect(addMonths('2026-08-31', 6)).toBe('2027-02-28')
  expect(addMonths('2026-12-15', 1)).toBe('2027-01-15')
  expect(addMonths('2095-01-01', 120)).toBe('2099-12-31')
})

test('days between two dates are those that lead from one to the other', () => {
  expect(daysBetween('2026-10-31', '2026-11-02')).toBe(2)
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -1_000, max: 1_000 }), (date, days) => {
      expect(daysBetween(date, addDays(date, days))).toBe(days)
    }),
  )
})

test('a week begins on Sunday, at most six days before each of its days', () => {
  fc.assert(
    fc.property(anyDate, (date) => {
      const first = weekOf(date)
      expect(weekdayOf(first)).toBe(0)
      expect(daysBetween(first, date)).toBeGreaterThanOrEqual(0)
      expect(daysBetween(first, date)).toBeLessThan(7)
    }),
  )
})

test('months have their days, February one more in leap years', () => {
  expect([2027, 2028, 2100].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28])
  expect([1, 4, 12].map((month) => daysInMonth(2027, month))).toEqual([31, 30, 31])
})

test('a date is written mm/dd/yyyy, a longer text by its date, and what is none as nothing', () => {
  expect(formatDate('2028-02-29')).toBe('02/29/2028')
  expect(formatDate('2028-02-29T23:30:00Z')).toBe('02/29/2028')
  for (const none of [null, undefined, '', 'soon', 'on 2028-02-29']) expect(formatDate(none)).toBe('')
})
