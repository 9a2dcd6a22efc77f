import { expect, test } from 'vitest'
import { addDays, daysBetween, weekOf } from '#contract/core/calendar.ts'
import { daysOf, daysOffIn, daysOffRuns, type GridPage, rowsOfPage, weekMinutes } from './grid-layout.ts'

const page: GridPage = {
  FromDate: '2026-11-16',
  ThroughDate: '2026-11-29',
  Students: {
    Id: [7, 9],
    LastName: ['Haddad', 'Okafor'],
    FirstName: ['Farah', 'Amara'],
    StudentLevelId: [1, null],
  },
  Shifts: {
    Id: [3],
    Code: ['HGH-D1'],
    Type: ['day'],
    SiteId: [5],
    Site: ['Harbor General'],
    SiteCode: ['HGH'],
    StartTime: ['07:00'],
    EndTime: ['15:30'],
  },
  Cells: { Id: [1, 2, 4], Student: [1, 1, 1], Day: [0, 0, 8], Shift: [0, 0, 0], Minutes: [510, 240, 510] },
  Conflicts: [
    {
      AssignmentId: 4,
      StudentId: 9,
      Date: '2026-11-24',
      Rule: 'day_off',
      Message: 'Closed.',
      Strictness: 'block',
    },
  ],
}

test('packed columns become rows; two shifts on one day share its width', () => {
  const [haddad, okafor] = rowsOfPage(page, 60)
  expect(haddad).toEqual({ studentId: 7, name: 'Haddad, Farah', level: 1, cells: [] })
  expect(okafor).toMatchObject({ studentId: 9, name: 'Okafor, Amara', level: null })
  expect(okafor!.cells.map(({ part, parts, row }) => [part, parts, row])).toEqual([
    [0, 2, 61],
    [1, 2, 61],
    [0, 1, 61],
  ])
  expect(okafor!.cells.map(({ conflict }) => conflict?.Message)).toEqual([undefined, undefined, 'Closed.'])
  expect(okafor!.cells[0]!.shift).toEqual({
    type: 'day',
    code: 'HGH-D1',
    site: 'Harbor General',
    siteCode: 'HGH',
  })
})

test('a page is unpacked once, so that its rows stay what they are', () => {
  expect(rowsOfPage(page, 60)).toBe(rowsOfPage(page, 60))
  expect(rowsOfPage({ ...page }, 60)).not.toBe(rowsOfPage(page, 60))
})

test('hours of a week count its seven days only', () => {
  const [haddad, okafor] = rowsOfPage(page, 60)
  expect(weekMinutes(haddad!, 0)).toBe(0)
  expect([0, 7].map((day) => weekMinutes(okafor!, day))).toEqual([750, 510])
})

test('days off are cut at the edge of the picture and named once a stretch', () => {
  const days = daysOf('2026-11-16', '2026-11-29')
  expect(days.dates).toHaveLength(14)
  expect(days.labels.slice(0, 2)).toEqual(['Mon 11/16', 'Tue 11/17'])
  const daysOff = daysOffIn(days, [{ Name: 'Thanksgiving', StartDate: '2026-11-26', EndDate: '2026-12-02' }])
  expect(daysOffRuns(daysOff)).toEqual([{ name: 'Thanksgiving', from: 10, length: 4 }])
})

test('days and dates turn into each other, also over daylight saving', () => {
  expect(addDays('2026-10-30', 3)).toBe('2026-11-02')
  expect(daysBetween('2026-10-30', '2026-11-02')).toBe(3)
  expect(weekOf('2026-11-21')).toBe('2026-11-15')
  expect(weekOf('2026-11-15')).toBe('2026-11-15')
})
