import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween } from '#contract/core/calendar.ts'
import { type Months, monthOf, nearestMonths, splitMonths, wholeMonths } from './months.ts'

/** The ends of a period, each of which may be open, and a day, all within `span` days. */
const periodAndDay = (start: string, span: number) => {
  const date = fc.integer({ min: 0, max: span }).map((days) => addDays(start, days))
  const end = fc.option(date, { nil: undefined })
  return [end, end, date] as const
}
const isInWholeMonth = ({ first, last, broken }: Omit<Months, 'days'>, month: string): boolean =>
  (!first || month >= first) && (!last || month <= last) && !broken.includes(month)
const isInPeriod = (day: string, from: string | undefined, through: string | undefined): boolean =>
  (!from || day >= from) && (!through || day <= through)

test('a period is its whole months and the days before and after them', () => {
  expect(splitMonths('2026-01-15', '2026-04-30')).toEqual({
    first: '2026-01-01',
    last: '2026-04-01',
    broken: ['2026-01-01'],
    days: [{ from: '2026-01-15', through: '2026-01-31' }],
  })
  expect(splitMonths(undefined, undefined)).toEqual({ first: null, last: null, broken: [], days: [] })
  expect(splitMonths('2028-02-01', '2028-02-29').broken).toEqual([])
  expect(splitMonths('2027-02-01', '2027-02-27').days).toEqual([
    { from: '2027-02-01', through: '2027-02-27' },
  ])
  expect(splitMonths('2026-05-02', '2026-05-01').days).toEqual([])
})

test('every day of a period is in one whole month or in the days, and no other day is', () => {
  fc.assert(
    fc.property(...periodAndDay('2027-11-20', 400), (from, through, day) => {
      const { days, ...months } = splitMonths(from, through)
      const isWhole = isInWholeMonth(months, monthOf(day))
      const looked = days.filter((each) => each.from <= day && day <= each.through).length
      const isInside = isInPeriod(day, from, through)
      const isNever = from !== undefined && through !== undefined && from > through
      if (!isNever) expect(Number(isWhole) + looked).toBe(isInside ? 1 : 0)
      else expect(looked).toBe(0)
      const whole = wholeMonths(months)
      const isCovered =
        whole && (!whole.from || day >= whole.from) && (!whole.through || day <= whole.through)
      if (!isNever) expect(Boolean(isCovered)).toBe(isWhole)
    }),
  )
})

test('a month that is mostly in a period is whole, less its other days', () => {
  expect(nearestMonths('2026-09-27', '2026-11-26')).toEqual({
    first: '2026-09-01',
    last: '2026-11-01',
    broken: ['2026-09-01'],
    days: [
      { from: '2026-09-27', through: '2026-09-30', sign: 1 },
      { from: '2026-11-27', through: '2026-11-30', sign: -1 },
    ],
  })
  expect(nearestMonths('2026-05-02', '2026-05-01').days).toEqual([])
})

test('every day of a period counts once with its signs, and no other day counts', () => {
  fc.assert(
    fc.property(...periodAndDay('2027-12-20', 130), (from, through, day) => {
      if (from && through && from > through) return
      const { days, ...months } = nearestMonths(from, through)
      const month = monthOf(day)
      const isWhole = isInWholeMonth(months, month)
      const signed = days
        .filter((each) => each.from <= day && day <= each.through)
        .reduce((sum, { sign }) => sum + sign, 0)
      const isInside = isInPeriod(day, from, through)
      expect(Number(isWhole) + signed).toBe(isInside ? 1 : 0)
      expect(
        days
          .filter((each) => monthOf(each.from) === month)
          .reduce((sum, each) => sum + daysBetween(each.from, each.through) + 1, 0),
      ).toBeLessThan(17)
    }),
  )
})
