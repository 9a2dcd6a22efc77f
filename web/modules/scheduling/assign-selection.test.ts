import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  chosenAssignments,
  monthAfter,
  openDays,
  type Plan,
  type PlanDay,
  weekdaysOfDates,
  weeksOfMonth,
} from './assign-selection.ts'

const day = (date: string, State: PlanDay['State'] = 'open', IsBlocked = State !== 'open'): PlanDay => ({
  Date: date,
  Placed: 0,
  Capacity: 2,
  State,
  Message: null,
  IsBlocked,
})

test('the weeks of December 2026 begin on Sunday 11/29 and end on Saturday 01/02', () => {
  const weeks = weeksOfMonth('2026-12')
  expect(weeks).toHaveLength(5)
  expect(weeks[0]![0]).toBe('2026-11-29')
  expect(weeks.at(-1)!.at(-1)).toBe('2027-01-02')
})

test('every day of any month is in its weeks once, and every week begins on a Sunday', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1900, max: 2099 }), fc.integer({ min: 1, max: 12 }), (year, number) => {
      const month = `${year}-${String(number).padStart(2, '0')}`
      const own = weeksOfMonth(month)
        .flat()
        .filter((date) => date.startsWith(month))
      const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
      expect(own).toHaveLength(last)
      expect(new Set(own).size).toBe(last)
      for (const week of weeksOfMonth(month)) expect(new Date(`${week[0]}T00:00:00Z`).getUTCDay()).toBe(0)
    }),
  )
})

test('months go on over the end of the year', () => {
  expect(monthAfter('2026-12', 1)).toBe('2027-01')
  expect(monthAfter('2026-01', -1)).toBe('2025-12')
})

test('D3-067 All takes the days that are open, and with weekdays only those', () => {
  const days = [
    day('2026-12-01', 'full'),
    day('2026-12-03'),
    day('2026-12-04'),
    day('2026-12-24', 'day_off'),
    day('2026-12-07', 'agreement' as never, false),
  ]
  expect(openDays(days)).toEqual(['2026-12-03', '2026-12-04', '2026-12-07'])
  expect(weekdaysOfDates(['2026-12-04', '2026-12-03', '2026-12-10'])).toEqual([4, 5])
  expect(openDays(days, [4])).toEqual(['2026-12-03'])
})

test('Remove takes the chosen students on the chosen shift and dates, and nothing else', () => {
  const plan: Plan = {
    Days: [],
    Students: [],
    Assigned: {
      Ids: [1, 2, 3, 4],
      StudentIds: [10, 10, 11, 10],
      SiteShiftIds: [5, 6, 5, 5],
      Dates: ['2026-12-03', '2026-12-03', '2026-12-03', '2026-12-04'],
    },
  }
  const selection = { shiftId: 5, studentIds: new Set([10]), dates: new Set(['2026-12-03']) }
  expect(chosenAssignments(selection, [plan])).toEqual([1])
})
