import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weekdayOf, weekOf } from '#contract/core/calendar.ts'
import {
  groupName,
  lastSeriesDay,
  maxSeriesDates,
  movedBetween,
  placeOfGroup,
  type SeriesRule,
  seriesDays,
  splitEvenly,
} from './series-rules.ts'

const rule = (more: Partial<SeriesRule> = {}): SeriesRule => ({
  StartDate: '2027-01-04',
  EndDate: '2027-02-28',
  Occurrences: null,
  Weekdays: [2, 4],
  WeeksOn: 1,
  WeeksOff: 0,
  ...more,
})
const dates = (more: Partial<SeriesRule> = {}, off: Parameters<typeof seriesDays>[1] = []) =>
  seriesDays(rule(more), off).Days.map(({ Date: date }) => date)

describe('the days of a series', () => {
  test('every Tuesday and Thursday from start to end', () => {
    expect(dates({ EndDate: '2027-01-17' })).toEqual(['2027-01-05', '2027-01-07', '2027-01-12', '2027-01-14'])
  })

  test('two weeks on and one off, counted from the first day of the first week', () => {
    const Mondays = dates({ StartDate: '2027-01-07', Weekdays: [1], WeeksOn: 2, WeeksOff: 1 })
    expect(Mondays).toEqual(['2027-01-11', '2027-01-25', '2027-02-01', '2027-02-15', '2027-02-22'])
  })

  test('weeks off do not count for changing shifts', () => {
    const { Days } = seriesDays(rule({ Weekdays: [1], WeeksOn: 1, WeeksOff: 1 }), [])
    expect(Days.map(({ Week }) => Week)).toEqual([0, 1, 2, 3])
  })

  test('a number of dates ends it, and days off are made up for', () => {
    const off = [{ Name: 'Break', StartDate: '2027-01-06', EndDate: '2027-01-12' }]
    expect(seriesDays(rule({ EndDate: null, Occurrences: 3 }), off)).toMatchObject({
      Days: [{ Date: '2027-01-05' }, { Date: '2027-01-14' }, { Date: '2027-01-19' }],
      Skipped: [
        { Date: '2027-01-07', Name: 'Break' },
        { Date: '2027-01-12', Name: 'Break' },
      ],
    })
  })

  test('it ends with its last date, and after two years at the latest', () => {
    expect(lastSeriesDay(rule({ EndDate: '2027-02-28' }))).toBe('2027-02-28')
    for (const EndDate of [null, '2031-01-01']) expect(lastSeriesDay(rule({ EndDate }))).toBe('2029-01-05')
    expect(dates({ StartDate: '2027-01-05', EndDate: '2027-01-05' })).toEqual(['2027-01-05'])
  })

  test('it has four hundred dates at most, however many are asked for', () => {
    const every = { EndDate: null, Weekdays: [0, 1, 2, 3, 4, 5, 6] }
    expect(dates(every)).toHaveLength(400)
    expect(dates({ ...every, Occurrences: 500 })).toHaveLength(400)
  })

  test('the first and the last day of a break are days off', () => {
    const off = [{ Name: 'Break', StartDate: '2027-01-07', EndDate: '2027-01-12' }]
    expect(dates({ EndDate: '2027-01-17' }, off)).toEqual(['2027-01-05', '2027-01-14'])
  })

  test('weeks are counted through the turns', () => {
    const { Days } = seriesDays(rule({ Weekdays: [1], WeeksOn: 2, WeeksOff: 1 }), [])
    expect(Days.map(({ Week }) => Week)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('whatever the rule, dates rise, lie within it and on its weekdays, and stay in their weeks', () => {
    const input = fc.record({
      length: fc.integer({ min: 0, max: 300 }),
      Weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
      WeeksOn: fc.integer({ min: 1, max: 6 }),
      WeeksOff: fc.integer({ min: 0, max: 6 }),
      Occurrences: fc.option(fc.integer({ min: 1, max: 500 })),
    })
    fc.assert(
      fc.property(input, ({ length, ...more }) => {
        const EndDate = new Date(Date.UTC(2027, 0, 4 + length)).toISOString().slice(0, 10)
        const { Days } = seriesDays(rule({ ...more, EndDate }), [])
        const found = Days.map(({ Date: date }) => date)
        expect(found).toEqual([...new Set(found)].toSorted())
        expect(found.length).toBeLessThanOrEqual(Math.min(more.Occurrences ?? maxSeriesDates, maxSeriesDates))
        const strays = found.filter((date) => {
          const week = (Date.parse(weekOf(date)) - Date.parse('2027-01-03')) / (7 * 86_400_000)
          const isOn = week % (more.WeeksOn + more.WeeksOff) < more.WeeksOn
          return !(isOn && date <= EndDate && more.Weekdays.includes(weekdayOf(date)))
        })
        expect(strays).toEqual([])
      }),
    )
  })
})

describe('the groups of a series', () => {
  test('thirty students in six groups are five each; thirty-two give the first two one more', () => {
    const sizes = (count: number) =>
      splitEvenly(
        Array.from({ length: count }, (_, index) => index),
        6,
      ).map(({ length }) => length)
    expect(sizes(30)).toEqual([5, 5, 5, 5, 5, 5])
    expect(sizes(32)).toEqual([6, 6, 5, 5, 5, 5])
  })

  test('splitting loses nobody, doubles nobody and keeps the order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer()), fc.integer({ min: 1, max: 26 }), (ids, groups) => {
        const split = splitEvenly(ids, groups)
        expect(split.flat()).toEqual(ids)
        const sizes = split.map(({ length }) => length)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('who is moved goes to the end of the other group, and nobody else changes', () => {
    const groups = splitEvenly(['a', 'b', 'c', 'd', 'e'], 2)
    expect(movedBetween(groups, new Map([['b', 1]]))).toEqual([
      ['a', 'c'],
      ['d', 'e', 'b'],
    ])
    expect(movedBetween(groups, new Map([['d', 1]]))).toEqual(groups)
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(50), { minLength: 1 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.tuple(fc.nat(50), fc.nat(5))),
        (ids, count, wanted) => {
          const moves = new Map(wanted.map(([id, group]) => [id, group % count]))
          const moved = movedBetween(splitEvenly(ids, count), moves)
          expect(moved.flat().toSorted()).toEqual(ids.toSorted())
          for (const [index, group] of moved.entries())
            for (const id of group) expect(moves.get(id) ?? index).toBe(index)
        },
      ),
    )
  })

  test('groups are named by letters', () => {
    expect([0, 1, 25].map(groupName)).toEqual(['A', 'B', 'Z'])
  })

  test('changing shifts every two weeks, each place has one group in every week', () => {
    for (let week = 0; week < 20; week++) {
      const places = [0, 1, 2, 3, 4, 5].map((group) => placeOfGroup(group, week, 2, 6))
      expect(places.toSorted()).toEqual([0, 1, 2, 3, 4, 5])
      expect(places[0]).toBe(Math.floor(week / 2) % 6)
    }
    expect(placeOfGroup(3, 19, 0, 6)).toBe(3)
  })
})
