import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mondayOf, weekdayOf } from '#contract/core/calendar.ts'
import { ProgramOptions } from '#contract/programs/program-options.ts'
import {
  checkPlacement,
  type Facts,
  findConflicts,
  type Placement,
  type StudentFacts,
  strictnessOf,
} from './scheduling-rules.ts'

const hour = 3_600_000
const student = (Id: number, more: Partial<StudentFacts> = {}): StudentFacts => ({
  Id,
  FirstName: `First${Id}`,
  LastName: `Last${Id}`,
  StudentLevelId: 1,
  LevelName: 'Level 1',
  Cohort: null,
  Requirements: [],
  ...more,
})
const facts = (more: Partial<Facts> = {}): Facts => ({
  Options: ProgramOptions.parse({}),
  ActiveFrom: null,
  ActiveThrough: null,
  Rotations: new Map([
    [
      1,
      {
        Id: 1,
        Name: 'Clinical I',
        StartDate: '2026-01-01',
        EndDate: '2026-12-31',
        StudentLevelIds: [],
        Cohorts: [],
      },
    ],
  ]),
  Shifts: new Map(
    [1, 2].map((Id) => [
      Id,
      {
        Id,
        Code: `S${Id}`,
        SiteId: 1,
        Site: 'Harbor General',
        Weekdays: [0, 1, 2, 3, 4, 5, 6],
        StartDate: '2026-01-01',
        EndDate: '2026-12-31',
        Capacity: 2,
      },
    ]),
  ),
  Students: new Map([1, 2, 3, 4, 5, 6].map((id) => [id, student(id)])),
  DaysOff: [],
  Agreements: [{ SiteId: 1, InitialDate: null, TerminationDate: null }],
  Placed: [],
  Taken: new Map(),
  ...more,
})
const request = (StudentId: number, date: string, more: Partial<Placement> = {}): Placement => {
  const StartsAt = Date.parse(`${date}T07:00:00Z`)
  return {
    StudentId,
    SiteShiftId: 1,
    RotationId: 1,
    Date: date,
    StartsAt,
    EndsAt: StartsAt + 8.5 * hour,
    ...more,
  }
}

describe('strictness', () => {
  test('capacity and overlap block in every program', () => {
    const off = ProgramOptions.parse(
      Object.fromEntries(
        Object.keys(ProgramOptions.shape)
          .filter((name) => name.endsWith('Rule'))
          .map((name) => [name, 'off']),
      ),
    )
    expect(strictnessOf(off, 'capacity')).toBe('block')
    expect(strictnessOf(off, 'overlap')).toBe('block')
    expect(strictnessOf(off, 'compliance')).toBe('off')
  })
})

describe('judging', () => {
  test('a refused change leaves the student in the old place, which others still have to respect', () => {
    const old = request(1, '2026-06-01', { Id: 9 })
    const full = new Map([['2 2026-06-01', { Placed: 2, Capacity: 2 }]])
    const { Refused, Accepted } = checkPlacement(
      [{ ...old, SiteShiftId: 2 }, request(1, '2026-06-01')],
      facts({ Placed: [old], Taken: full }),
    )
    expect(Refused.map(({ Rule }) => Rule)).toEqual(['capacity', 'overlap'])
    expect(Accepted).toEqual([])
  })

  test('an accepted change frees the old place for the next request', () => {
    const old = request(1, '2026-06-01', { Id: 9 })
    const taken = new Map([['1 2026-06-01', { Placed: 2, Capacity: 2 }]])
    const { Refused } = checkPlacement(
      [{ ...old, SiteShiftId: 2 }, request(2, '2026-06-01')],
      facts({ Placed: [old], Taken: taken }),
    )
    expect(Refused).toEqual([])
  })

  test('shifts that touch do not overlap; a night shift reaches into the next day', () => {
    const day = request(1, '2026-06-01')
    const evening = request(1, '2026-06-01', { StartsAt: day.EndsAt, EndsAt: day.EndsAt + 3 * hour })
    expect(checkPlacement([day, evening], facts()).Accepted).toHaveLength(2)
    const night = request(2, '2026-06-01', {
      StartsAt: Date.parse('2026-06-01T23:00:00Z'),
      EndsAt: Date.parse('2026-06-02T07:30:00Z'),
    })
    expect(checkPlacement([night, request(2, '2026-06-02')], facts()).Refused).toMatchObject([
      { Rule: 'overlap' },
    ])
  })

  test('a level or cohort that the rotation does not take is refused by name', () => {
    const rotation = { ...facts().Rotations.get(1)!, StudentLevelIds: [2] }
    const { Refused } = checkPlacement(
      [request(1, '2026-06-01')],
      facts({ Rotations: new Map([[1, rotation]]) }),
    )
    expect(Refused[0]!.Message).toBe(
      'First1 Last1 cannot be placed on Mon 06/01: Clinical I does not take Level 1.',
    )
  })

  test('a waived requirement counts while the waiver lasts; a submitted one does not count yet', () => {
    const of = (Status: 'waived' | 'submitted', ExpiresOn: string | null) =>
      checkPlacement(
        [request(1, '2026-06-01')],
        facts({
          Students: new Map([[1, student(1, { Requirements: [{ Name: 'CPR', Status, ExpiresOn }] })]]),
        }),
      ).Refused.map(({ Message }) => Message)
    expect(of('waived', '2026-06-01')).toEqual([])
    expect(of('waived', '2026-05-31')[0]).toContain('CPR expired 05/31/2026')
    expect(of('submitted', null)[0]).toContain('CPR is waiting to be accepted')
  })
})

const anyDate = fc
  .integer({ min: 0, max: 13 })
  .map((day) => new Date(Date.UTC(2026, 5, 1 + day)).toISOString().slice(0, 10))
const anyWish = fc
  .record({
    StudentId: fc.integer({ min: 1, max: 6 }),
    date: anyDate,
    shift: fc.constantFrom(1, 2),
    from: fc.integer({ min: 0, max: 16 }),
  })
  .map(({ StudentId, date, shift, from }) => {
    const StartsAt = Date.parse(`${date}T00:00:00Z`) + from * hour
    return request(StudentId, date, { SiteShiftId: shift, StartsAt, EndsAt: StartsAt + 8 * hour })
  })

describe('whatever is requested', () => {
  test('no shift is overbooked, no student is in two places, and no week passes its limit', () => {
    fc.assert(
      fc.property(fc.array(anyWish, { maxLength: 60 }), (requests) => {
        const { Accepted, Refused } = checkPlacement(requests, facts())
        expect(Accepted.length + Refused.length).toBe(requests.length)
        const perDay = Map.groupBy(Accepted, ({ SiteShiftId, Date: date }) => `${SiteShiftId} ${date}`)
        for (const placed of perDay.values()) expect(placed.length).toBeLessThanOrEqual(2)
        for (const own of Map.groupBy(Accepted, ({ StudentId }) => StudentId).values()) {
          const sorted = own.toSorted((a, b) => a.StartsAt - b.StartsAt)
          for (let index = 1; index < sorted.length; index++)
            expect(sorted[index]!.StartsAt).toBeGreaterThanOrEqual(sorted[index - 1]!.EndsAt)
          for (const week of Map.groupBy(own, ({ Date: date }) => mondayOf(date)).values())
            expect(
              week.reduce((sum, { StartsAt, EndsAt }) => sum + EndsAt - StartsAt, 0),
            ).toBeLessThanOrEqual(40 * hour)
        }
      }),
    )
  })

  test('what was accepted is accepted again on its own, and shows no conflict that blocks', () => {
    fc.assert(
      fc.property(fc.array(anyWish, { maxLength: 40 }), (requests) => {
        const { Accepted } = checkPlacement(requests, facts())
        expect(checkPlacement(Accepted, facts()).Refused).toEqual([])
        const kept = Accepted.map((placement, index) => ({ ...placement, Id: index + 1 }))
        expect(findConflicts(kept, facts()).filter(({ Strictness }) => Strictness === 'block')).toEqual([])
      }),
    )
  })
})

test('a week begins on Monday, and weekdays count from Sunday', () => {
  expect(weekdayOf('2026-11-22')).toBe(0)
  expect(mondayOf('2026-11-22')).toBe('2026-11-16')
  expect(mondayOf('2026-11-23')).toBe('2026-11-23')
})

test('hours over the week are charged to the assignment that passes the limit', () => {
  const days = ['01', '02', '03', '04', '05'].map((day, index) =>
    Object.assign(request(1, `2026-06-${day}`), { Id: index + 1 }),
  )
  expect(findConflicts(days, facts())).toMatchObject([
    { AssignmentId: 5, Rule: 'hours_per_week', Strictness: 'block' },
  ])
})
