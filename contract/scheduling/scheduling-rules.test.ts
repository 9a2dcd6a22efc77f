import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDate, weekdayOf, weekOf } from '#contract/core/calendar.ts'
import { ProgramOptions } from '#contract/programs/program-options.ts'
import { findRequirementFault, type RequirementFacts } from './requirement-fault.ts'
import {
  checkPlacement,
  dayText,
  type Facts,
  findConflicts,
  findLevelFault,
  findRotationDayFault,
  findShiftDayFault,
  type Placement,
  type PlacementRule,
  placementRules,
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
  LeavesOn: null,
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

  test('every other rule is as strict as its own option says, the two of a shift’s days share one', () => {
    const owners = {
      rotation_dates: 'RotationDatesRule',
      rotation_level: 'RotationLevelRule',
      shift_dates: 'ShiftDaysRule',
      shift_weekday: 'ShiftDaysRule',
      program_dates: 'ProgramDatesRule',
      day_off: 'DayOffRule',
      compliance: 'ComplianceRule',
      agreement: 'AgreementRule',
      hours_per_day: 'HoursPerDayRule',
      hours_per_week: 'HoursPerWeekRule',
    } as const
    for (const option of new Set(Object.values(owners)))
      for (const strictness of ['off', 'warn', 'block'] as const) {
        const options = ProgramOptions.parse({
          ...Object.fromEntries(
            Object.values(owners).map((name) => [name, strictness === 'off' ? 'block' : 'off']),
          ),
          [option]: strictness,
        })
        for (const [rule, owner] of Object.entries(owners))
          if (owner === option) expect(strictnessOf(options, rule as PlacementRule), rule).toBe(strictness)
      }
    expect(placementRules.filter((rule) => !(rule in owners))).toEqual(['last_day', 'overlap', 'capacity'])
  })
})

describe('the fault that one rule finds', () => {
  const shift = facts().Shifts.get(1)!
  const rotation = facts().Rotations.get(1)!

  test('a shift runs from its first to its last day', () => {
    const short = { ...shift, StartDate: '2026-06-01', EndDate: '2026-06-05' }
    for (const date of ['2026-06-01', '2026-06-05']) expect(findShiftDayFault(short, date)).toBeUndefined()
    for (const date of ['2026-05-31', '2026-06-06'])
      expect(findShiftDayFault(short, date)).toEqual({
        Rule: 'shift_dates',
        Message: `S1 does not run on ${dayText(date)}: it is active 06/01/2026 – 06/05/2026. Pick another date or shift.`,
      })
  })

  test('a shift runs on its weekdays, told from Monday to Sunday', () => {
    const told = (Weekdays: number[]) => findShiftDayFault({ ...shift, Weekdays }, '2026-06-06')?.Message
    expect(told([6])).toBeUndefined()
    expect(told([0, 5, 1])).toContain('Sat 06/06: it runs on Mondays, Fridays and Sundays. Pick')
    expect(told([2, 3, 4])).toContain('it runs on Tuesdays, Wednesdays and Thursdays.')
    expect(told([0])).toContain('it runs on Sundays.')
    expect(told([])).toContain('it runs on no day.')
    expect(findShiftDayFault({ ...shift, Weekdays: [6] }, '2026-06-01')).toMatchObject({
      Rule: 'shift_weekday',
      Message: expect.stringContaining('Mon 06/01: it runs on Saturdays.'),
    })
  })

  test('a date lies in the rotation, before it or after it', () => {
    const term = { ...rotation, StartDate: '2026-06-01', EndDate: '2026-06-05' }
    for (const date of ['2026-06-01', '2026-06-05']) expect(findRotationDayFault(term, date)).toBeUndefined()
    expect(findRotationDayFault(term, '2026-05-31')).toBe(
      'Sun 05/31 lies before Clinical I, which runs 06/01/2026 – 06/05/2026. Pick another date or rotation.',
    )
    expect(findRotationDayFault(term, '2026-06-06')).toContain('Sat 06/06 lies after Clinical I')
  })

  test('the first requirement that is not in order counts', () => {
    const of = (...Requirements: RequirementFacts[]) =>
      findRequirementFault(student(1, { Requirements }), '2026-06-01')
    const card = (Status: RequirementFacts['Status'], ExpiresOn: string | null = null) => ({
      Name: 'CPR',
      Status,
      ExpiresOn,
    })
    expect(of(card('missing'))).toBe('CPR is missing')
    expect(of(card('returned'))).toBe('CPR was returned')
    expect(of(card('submitted'))).toBe('CPR is waiting to be accepted')
    expect(of(card('accepted'), card('accepted', '2026-06-01'))).toBeUndefined()
    expect(of(card('accepted', '2026-05-31'))).toBe('CPR expired 05/31/2026')
    expect(of(card('accepted'), { ...card('missing'), Name: 'Flu shot' })).toBe('Flu shot is missing')
    expect(of()).toBeUndefined()
  })

  test('a rotation takes its levels and cohorts, and everybody where it names none', () => {
    const of = (
      rules: { StudentLevelIds?: number[]; Cohorts?: string[] },
      more: Partial<StudentFacts> = {},
    ) => findLevelFault({ ...rotation, ...rules }, student(1, more))
    expect(of({})).toBeUndefined()
    expect(of({ StudentLevelIds: [2, 1] })).toBeUndefined()
    expect(of({ StudentLevelIds: [2] })).toBe('Clinical I does not take Level 1')
    expect(of({ StudentLevelIds: [2] }, { StudentLevelId: null, LevelName: null })).toBe(
      'Clinical I does not take students without a level',
    )
    expect(of({ Cohorts: ['2027'] }, { Cohort: '2027' })).toBeUndefined()
    expect(of({ Cohorts: ['2027'] }, { Cohort: '2026' })).toBe('Clinical I does not take cohort 2026')
    expect(of({ Cohorts: ['2027'] })).toBe('Clinical I does not take students without a cohort')
  })

  test('dates are told as people write them', () => {
    expect(formatDate('2026-06-05')).toBe('06/05/2026')
    expect(dayText('2026-06-05')).toBe('Fri 06/05')
  })
})

describe('judging', () => {
  /** The rule and words of the refusal of one request on Monday 06/01. */
  const refusal = (more: Partial<Facts>, of: Partial<Placement> = {}) => {
    const { Refused } = checkPlacement([request(1, '2026-06-01', of)], facts(more))
    return Refused.map(({ Rule, Message }) => `${Rule}: ${Message}`)[0]
  }
  const strict = (rule: string, more: object = {}) => ({
    Options: ProgramOptions.parse({ [rule]: 'block', ...more }),
  })

  test('outside of the program’s dates nobody is placed; its first and last day lie inside', () => {
    const within = (ActiveFrom: string | null, ActiveThrough: string | null) =>
      refusal({ ...strict('ProgramDatesRule'), ActiveFrom, ActiveThrough })
    expect(within('2026-06-01', '2026-06-01')).toBeUndefined()
    expect(within(null, null)).toBeUndefined()
    expect(within('2026-06-02', null)).toBe(
      'program_dates: Mon 06/01 lies outside the program’s dates, 06/02/2026 – open. Pick another date.',
    )
    expect(within(null, '2026-05-31')).toContain('dates, open – 05/31/2026.')
  })

  test('on a day off nobody is placed', () => {
    const off = (StartDate: string, EndDate: string) =>
      refusal({ ...strict('DayOffRule'), DaysOff: [{ Name: 'Break', StartDate, EndDate }] })
    expect(off('2026-06-01', '2026-06-01')).toBe('day_off: Mon 06/01 is a day off: Break. Pick another date.')
    expect(off('2026-06-02', '2026-06-09')).toBeUndefined()
    expect(off('2026-05-25', '2026-05-31')).toBeUndefined()
  })

  test('a site needs an agreement of its own that is in force', () => {
    const agreed = (SiteId: number, InitialDate: string | null, TerminationDate: string | null) =>
      refusal({ ...strict('AgreementRule'), Agreements: [{ SiteId, InitialDate, TerminationDate }] })
    expect(agreed(1, '2026-06-01', '2026-06-01')).toBeUndefined()
    expect(agreed(2, null, null)).toBe(
      'agreement: Harbor General has no agreement in force on Mon 06/01. Renew it, or pick another date or shift.',
    )
    expect(agreed(1, '2026-06-02', null)).toContain('agreement:')
    expect(agreed(1, null, '2026-05-31')).toContain('agreement:')
  })

  test('a requirement that is not in order is told with the first name, or what name there is', () => {
    const of = (more: Partial<StudentFacts>) =>
      refusal({
        ...strict('ComplianceRule'),
        Students: new Map([
          [1, student(1, { Requirements: [{ Name: 'CPR', Status: 'missing', ExpiresOn: null }], ...more })],
        ]),
      })
    expect(of({})).toContain('First1 cannot be placed on Mon 06/01: CPR is missing.')
    expect(of({ FirstName: '' })).toContain('compliance: Last1 cannot be placed')
  })

  test('a shift takes as many as its day has places, which may differ from the shift’s own', () => {
    const taken = (Placed: number, Capacity: number) =>
      refusal({ Taken: new Map([['1 2026-06-01', { Placed, Capacity }]]) })
    expect(taken(1, 2)).toBeUndefined()
    expect(taken(2, 3)).toBeUndefined()
    expect(taken(2, 2)).toBe(
      'capacity: Harbor General is full on Mon 06/01: 2 of 2 places. Pick another date or shift.',
    )
    const students = [1, 2, 3].map((id) => request(id, '2026-06-01'))
    expect(checkPlacement(students, facts()).Refused.map(({ StudentId }) => StudentId)).toEqual([3])
  })

  test('a student in another place at the time is told where, when that shift is known', () => {
    const placed = (SiteShiftId: number) => refusal({ Placed: [request(1, '2026-06-01', { SiteShiftId })] })
    expect(placed(2)).toBe(
      'overlap: First1 Last1 is already placed on S2 at Harbor General on Mon 06/01. Pick another date, or change that assignment.',
    )
    expect(placed(9)).toContain('is already placed on Mon 06/01.')
    expect(refusal({ Placed: [request(2, '2026-06-01')] })).toBeUndefined()
  })

  test('hours of a day and of a week may reach their limit and not pass it', () => {
    const placed = (date: string, from: number, hours: number) => {
      const StartsAt = Date.parse(`${date}T00:00:00Z`) + from * hour
      return request(1, date, { StartsAt, EndsAt: StartsAt + hours * hour })
    }
    const perDay = (hours: number) =>
      refusal({
        ...strict('HoursPerDayRule', { MostHoursPerDay: 12 }),
        Placed: [placed('2026-06-01', 0, hours), placed('2026-05-31', 0, 9)],
      })
    expect(perDay(3.5)).toBeUndefined()
    expect(perDay(4)).toBe(
      'hours_per_day: First1 Last1 would have 12.5 h on Mon 06/01; the program allows 12.0. Pick another date.',
    )
    const perWeek = (hours: number) =>
      refusal({
        ...strict('HoursPerWeekRule', { MostHoursPerWeek: 20 }),
        Placed: [placed('2026-06-06', 0, hours), placed('2026-05-30', 0, 9), placed('2026-06-07', 0, 9)],
      })
    expect(perWeek(11.5)).toBeUndefined()
    expect(perWeek(12)).toBe(
      'hours_per_week: First1 Last1 would have 20.5 h in the week of Sun 05/31 with Mon 06/01; the program allows 20.0. Remove one day or ask for an exception.',
    )
  })

  test('a change gives its old hours back, and takes them again when it is refused', () => {
    const limited = ProgramOptions.parse({ HoursPerDayRule: 'block', MostHoursPerDay: 9 })
    const old = request(1, '2026-06-01', { Id: 9 })
    expect(
      checkPlacement([{ ...old, SiteShiftId: 2 }], facts({ Options: limited, Placed: [old] })).Refused,
    ).toEqual([])
    const later = { StartsAt: old.EndsAt, EndsAt: old.EndsAt + hour }
    const { Refused } = checkPlacement(
      [{ ...old, SiteShiftId: 2 }, request(1, '2026-06-01', later)],
      facts({
        Options: limited,
        Placed: [old],
        Taken: new Map([['2 2026-06-01', { Placed: 2, Capacity: 2 }]]),
      }),
    )
    expect(Refused.map(({ Rule }) => Rule)).toEqual(['capacity', 'hours_per_day'])
  })

  test('a refused change keeps its place on the old shift for nobody else', () => {
    const old = request(1, '2026-06-01', { Id: 9 })
    const full = { Placed: 2, Capacity: 2 }
    const { Refused } = checkPlacement(
      [{ ...old, SiteShiftId: 2 }, request(2, '2026-06-01')],
      facts({
        Placed: [old],
        Taken: new Map([
          ['1 2026-06-01', full],
          ['2 2026-06-01', full],
        ]),
      }),
    )
    expect(Refused.map(({ StudentId, Rule }) => [StudentId, Rule])).toEqual([
      [1, 'capacity'],
      [2, 'capacity'],
    ])
  })

  test('a refused change takes one place of its old shift again, not all of them', () => {
    const old = request(1, '2026-06-01', { Id: 9 })
    const { Accepted } = checkPlacement(
      [{ ...old, SiteShiftId: 2 }, request(2, '2026-06-01'), request(3, '2026-06-01')],
      facts({
        Placed: [old],
        Taken: new Map([
          ['1 2026-06-01', { Placed: 1, Capacity: 2 }],
          ['2 2026-06-01', { Placed: 2, Capacity: 2 }],
        ]),
      }),
    )
    expect(Accepted.map(({ StudentId }) => StudentId)).toEqual([2])
  })

  test('a change of an assignment that is not there frees nothing', () => {
    const { Refused } = checkPlacement(
      [request(1, '2026-06-01', { Id: 99 })],
      facts({ Placed: [request(1, '2026-06-01', { Id: 9 })] }),
    )
    expect(Refused.map(({ Rule }) => Rule)).toEqual(['overlap'])
  })

  test('outside of its rotation, its shift and their weekdays nobody is placed', () => {
    const { Rotations, Shifts } = facts()
    const rotation = new Map([[1, { ...Rotations.get(1)!, EndDate: '2026-05-01' }]])
    expect(refusal({ Rotations: rotation })).toContain('rotation_dates: Mon 06/01 lies after Clinical I')
    const shift = (more: object) => new Map([[1, { ...Shifts.get(1)!, ...more }]])
    expect(refusal({ Shifts: shift({ EndDate: '2026-05-01' }) })).toContain('shift_dates: S1 does not run')
    expect(refusal({ Shifts: shift({ Weekdays: [2] }) })).toContain('shift_weekday: S1 does not run')
  })

  test('what the program only warns about is placed with its warnings; what it leaves off says nothing', () => {
    const of = (strictness: 'warn' | 'off') =>
      checkPlacement(
        [request(1, '2026-06-01')],
        facts({
          Options: ProgramOptions.parse({ DayOffRule: strictness, AgreementRule: strictness }),
          DaysOff: [{ Name: 'Break', StartDate: '2026-06-01', EndDate: '2026-06-01' }],
          Agreements: [],
        }),
      )
    const warned = of('warn')
    expect(warned.Accepted).toHaveLength(1)
    expect(warned.Warnings.map(({ Rule, StudentId, Date: date }) => [Rule, StudentId, date])).toEqual([
      ['day_off', 1, '2026-06-01'],
      ['agreement', 1, '2026-06-01'],
    ])
    expect(of('off')).toMatchObject({ Accepted: [{ StudentId: 1 }], Warnings: [], Refused: [] })
  })

  test('a refused request tells the first rule that it breaks and all others with it, and counts as no warning', () => {
    const { Refused, Warnings, Accepted } = checkPlacement(
      [request(1, '2026-06-01')],
      facts({
        Options: ProgramOptions.parse({
          RotationDatesRule: 'warn',
          DayOffRule: 'block',
          AgreementRule: 'block',
        }),
        Rotations: new Map([[1, { ...facts().Rotations.get(1)!, EndDate: '2026-05-01' }]]),
        DaysOff: [{ Name: 'Break', StartDate: '2026-06-01', EndDate: '2026-06-01' }],
        Agreements: [],
      }),
    )
    expect([Refused.map(({ Rule }) => Rule), Warnings, Accepted]).toEqual([['day_off'], [], []])
    expect(Refused[0]?.Also?.map(({ Rule, IsWarning }) => [Rule, IsWarning])).toEqual([
      ['rotation_dates', true],
      ['agreement', false],
    ])
    expect(Refused[0]?.Also?.[1]?.Message).toMatch(/has no agreement in force/)
  })

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
    for (const both of [
      [day, evening],
      [evening, day],
    ])
      expect(checkPlacement(both, facts()).Accepted).toHaveLength(2)
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
const anyRequest = fc
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
      fc.property(fc.array(anyRequest, { maxLength: 60 }), (requests) => {
        const { Accepted, Refused } = checkPlacement(requests, facts())
        expect(Accepted.length + Refused.length).toBe(requests.length)
        const perDay = Map.groupBy(Accepted, ({ SiteShiftId, Date: date }) => `${SiteShiftId} ${date}`)
        for (const placed of perDay.values()) expect(placed.length).toBeLessThanOrEqual(2)
        for (const own of Map.groupBy(Accepted, ({ StudentId }) => StudentId).values()) {
          const sorted = own.toSorted((a, b) => a.StartsAt - b.StartsAt)
          for (let index = 1; index < sorted.length; index++)
            expect(sorted[index]!.StartsAt).toBeGreaterThanOrEqual(sorted[index - 1]!.EndsAt)
          for (const week of Map.groupBy(own, ({ Date: date }) => weekOf(date)).values())
            expect(
              week.reduce((sum, { StartsAt, EndsAt }) => sum + EndsAt - StartsAt, 0),
            ).toBeLessThanOrEqual(40 * hour)
        }
      }),
    )
  })

  test('what was accepted is accepted again on its own, and shows no conflict that blocks', () => {
    fc.assert(
      fc.property(fc.array(anyRequest, { maxLength: 40 }), (requests) => {
        const { Accepted } = checkPlacement(requests, facts())
        expect(checkPlacement(Accepted, facts()).Refused).toEqual([])
        const kept = Accepted.map((placement, index) => ({ ...placement, Id: index + 1 }))
        expect(findConflicts(kept, facts()).filter(({ Strictness }) => Strictness === 'block')).toEqual([])
      }),
    )
  })
})

test('a week begins on Sunday, and so do weekdays', () => {
  expect(weekdayOf('2026-11-22')).toBe(0)
  expect(weekOf('2026-11-22')).toBe('2026-11-22')
  expect(weekOf('2026-11-21')).toBe('2026-11-15')
})

test('hours over the week are charged to the assignment that passes the limit', () => {
  const days = ['01', '02', '03', '04', '05'].map((day, index) =>
    Object.assign(request(1, `2026-06-${day}`), { Id: index + 1 }),
  )
  expect(findConflicts(days, facts())).toMatchObject([
    { AssignmentId: 5, Rule: 'hours_per_week', Strictness: 'block' },
  ])
})

test('each assignment shows one conflict at most, the first, in the order of time', () => {
  const of = (DayOffRule: 'warn' | 'off') =>
    findConflicts(
      [
        { ...request(1, '2026-06-03'), Id: 3 },
        { ...request(2, '2026-06-02'), Id: 2 },
        { ...request(1, '2026-06-02'), Id: 1 },
        { ...request(1, '2026-06-09'), Id: 4 },
      ],
      facts({
        Options: ProgramOptions.parse({ DayOffRule, AgreementRule: 'block' }),
        DaysOff: [{ Name: 'Break', StartDate: '2026-06-02', EndDate: '2026-06-02' }],
        Agreements: [{ SiteId: 1, InitialDate: '2026-06-05', TerminationDate: null }],
      }),
    ).map(({ AssignmentId, Rule, Strictness }) => [AssignmentId, Rule, Strictness])
  expect(of('warn')).toEqual([
    [1, 'day_off', 'warn'],
    [2, 'day_off', 'warn'],
    [3, 'agreement', 'block'],
  ])
  expect(of('off')).toEqual([
    [1, 'agreement', 'block'],
    [2, 'agreement', 'block'],
    [3, 'agreement', 'block'],
  ])
})

test('a picture marks what an assignment breaks by itself, not who shares its shift or hour', () => {
  const twins = [1, 2, 3].map((id) => ({ ...request(id, '2026-06-01'), Id: id }))
  const again = { ...twins[0]!, Id: 4, EndsAt: twins[0]!.StartsAt + hour }
  expect(findConflicts([...twins, again], facts())).toEqual([])
})

test('D2 what is looked at once for many finds what each assignment alone is refused for', () => {
  const days = ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-06', '2026-07-01']
  const rules = [
    'RotationDates',
    'ShiftDays',
    'ProgramDates',
    'DayOff',
    'Compliance',
    'Agreement',
    'HoursPerWeek',
  ]
  const held = Object.fromEntries(rules.map((rule) => [`${rule}Rule`, 'block']))
  const rotation = (Id: number, StartDate: string) =>
    [Id, { Id, Name: `R${Id}`, StartDate, EndDate: '2026-06-30', StudentLevelIds: [], Cohorts: [] }] as const
  const shift = (Id: number, Weekdays: number[]) =>
    [
      Id,
      {
        Id,
        Code: `S${Id}`,
        SiteId: Id,
        Site: `Site ${Id}`,
        Weekdays,
        StartDate: '2026-06-02',
        EndDate: '2026-12-31',
        Capacity: 99,
      },
    ] as const
  const required = fc.record({
    Name: fc.constant('CPR'),
    Status: fc.constantFrom('accepted' as const, 'waived' as const, 'missing' as const),
    ExpiresOn: fc.constantFrom(null, ...days),
  })
  const wish = fc.record({
    student: fc.constantFrom(1, 2),
    SiteShiftId: fc.constantFrom(1, 2),
    RotationId: fc.constantFrom(1, 2),
    date: fc.constantFrom(...days),
    hours: fc.integer({ min: 6, max: 20 }),
  })
  const found = new Set<PlacementRule>()
  fc.assert(
    fc.property(
      fc.uniqueArray(wish, { maxLength: 12, selector: ({ student: id, date }) => `${id} ${date}` }),
      fc.tuple(fc.array(required, { maxLength: 2 }), fc.array(required, { maxLength: 2 })),
      (wishes, [one, other]) => {
        const all = facts({
          Options: ProgramOptions.parse({ ...held, RotationLevelRule: 'off', HoursPerDayRule: 'off' }),
          ActiveThrough: '2026-06-05',
          Rotations: new Map([rotation(1, '2026-06-01'), rotation(2, '2026-06-03')]),
          Shifts: new Map([shift(1, [1, 2, 3, 4, 5]), shift(2, [2, 4, 6])]),
          Students: new Map([
            [1, student(1, { Requirements: one })],
            [2, student(2, { Requirements: other })],
          ]),
          DaysOff: [{ Name: 'Break', StartDate: '2026-06-04', EndDate: '2026-06-04' }],
          Agreements: [{ SiteId: 1, InitialDate: '2026-06-03', TerminationDate: null }],
        })
        const assignments = wishes.map(({ student: id, date, hours, ...place }, index) => {
          const { StartsAt, ...rest } = request(id, date, place)
          return { ...rest, StartsAt, EndsAt: StartsAt + hours * hour, Id: index + 1 }
        })
        const inTime = assignments.toSorted((a, b) => a.StartsAt - b.StartsAt || a.Id - b.Id)
        const alone = inTime.flatMap(({ Id, ...assignment }, index) =>
          checkPlacement([assignment], { ...all, Placed: inTime.slice(0, index) }).Refused.map(
            ({ Also: _also, ...refusal }) => ({
              ...refusal,
              AssignmentId: Id,
              Strictness: 'block',
            }),
          ),
        )
        expect(findConflicts(assignments, all)).toEqual(alone)
        for (const { Rule } of alone) found.add(Rule)
      },
    ),
    { numRuns: 300 },
  )
  expect([...found].toSorted()).toEqual([
    'agreement',
    'compliance',
    'day_off',
    'hours_per_week',
    'program_dates',
    'rotation_dates',
    'shift_dates',
    'shift_weekday',
  ])
})
