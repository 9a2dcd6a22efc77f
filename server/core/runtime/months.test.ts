import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { monthOf, splitMonths, wholeMonths } from './months.ts'

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
  const date = fc.integer({ min: 0, max: 400 }).map((days) => addDays('2027-11-20', days))
  fc.assert(
    fc.property(
      fc.option(date, { nil: undefined }),
      fc.option(date, { nil: undefined }),
      fc.array(date, { maxLength: 2 }),
      date,
      (from, through, open, day) => {
        const { first, last, broken, days } = splitMonths(from, through, open)
        const month = monthOf(day)
        const isWhole = (!first || month >= first) && (!last || month <= last) && !broken.includes(month)
        const looked = days.filter((each) => each.from <= day && day <= each.through).length
        const isInside = (!from || day >= from) && (!through || day <= through)
        const isNever = from !== undefined && through !== undefined && from > through
        if (!isNever) expect(Number(isWhole) + looked).toBe(isInside ? 1 : 0)
        else expect(looked).toBe(0)
        const whole = wholeMonths({ first, last, broken })
        const isCovered =
          whole && (!whole.from || day >= whole.from) && (!whole.through || day <= whole.through)
        if (open.length === 0 && !isNever) expect(Boolean(isCovered)).toBe(isWhole)
        for (const each of open) expect(isWhole && monthOf(each) === month).toBe(false)
      },
    ),
  )
})
