import { expect, test } from 'vitest'
import { addDays, daysBetween, mondayOf } from '#contract/core/calendar.ts'
import { daysOffRuns, type GridAnswer, unpackGrid, weekMinutes } from './grid-layout.ts'

const answer: GridAnswer = {
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
  Capacity: { Placed: [], Places: [] },
  DaysOff: [{ Name: 'Thanksgiving', StartDate: '2026-11-26', EndDate: '2026-12-02' }],
  Conflicts: [],
}

test('packed columns become rows; two shifts on one day share its width', () => {
  const { cellsOf, names, days } = unpackGrid(answer)
  expect(days).toBe(14)
  expect(names).toEqual(['Haddad, Farah', 'Okafor, Amara'])
  expect(cellsOf[0]).toEqual([])
  expect(cellsOf[1]!.map(({ part, parts }) => [part, parts])).toEqual([
    [0, 2],
    [1, 2],
    [0, 1],
  ])
})

test('hours of a week count its seven days only', () => {
  const model = unpackGrid(answer)
  expect(weekMinutes(model, 0)).toEqual([0, 750])
  expect(weekMinutes(model, 7)).toEqual([0, 510])
})

test('days off are cut at the edge of the picture and named once a stretch', () => {
  expect(daysOffRuns(unpackGrid(answer))).toEqual([{ name: 'Thanksgiving', from: 10, length: 4 }])
})

test('days and dates turn into each other, also over daylight saving', () => {
  expect(addDays('2026-10-30', 3)).toBe('2026-11-02')
  expect(daysBetween('2026-10-30', '2026-11-02')).toBe(3)
  expect(mondayOf('2026-11-22')).toBe('2026-11-16')
  expect(mondayOf('2026-11-16')).toBe('2026-11-16')
})
