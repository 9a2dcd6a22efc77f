import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import {
  daysLeft,
  defaultRiskRule,
  finishDate,
  forecastOf,
  type HoursFacts,
  hoursForecast,
  isCohortLate,
  isFarPast,
  neededPace,
  type Pace,
  paceForecast,
  type RiskFacts,
  risksOf,
} from './forecast-rules.ts'

const today = '2026-11-02'
const hours = (Done: number, Needed: number, PerWeek: number): Pace => ({
  Part: 'hours',
  Done,
  Needed,
  PerWeek,
})
const exams = (Done: number, Needed: number, PerWeek: number): Pace => ({
  Part: 'competencies',
  Done,
  Needed,
  PerWeek,
})

const byPace = (paces: readonly Pace[]) =>
  forecastOf(
    paces.map((pace) => paceForecast(pace, today)),
    today,
  )

describe('the day of completion', () => {
  test('is decided by the part that is done last', () => {
    expect(byPace([hours(100, 200, 10), exams(5, 6, 1)])).toEqual({
      CompletesOn: addDays(today, 70),
      DecidedBy: 'hours',
    })
    expect(byPace([hours(190, 200, 10), exams(1, 6, 1)])).toEqual({
      CompletesOn: addDays(today, 35),
      DecidedBy: 'competencies',
    })
  })
  test('is today when all is done, also more than all', () => {
    expect(byPace([hours(250, 200, 0), exams(6, 6, 0)])).toEqual({
      CompletesOn: today,
      DecidedBy: null,
    })
  })
  test('is unknown where a part stands still, or would take longer than ten years', () => {
    expect(byPace([hours(100, 200, 0), exams(1, 6, 1)])).toEqual({
      CompletesOn: null,
      DecidedBy: 'hours',
    })
    expect(byPace([hours(0, 0, 10), exams(0, 0, 1)])).toEqual({ CompletesOn: null, DecidedBy: null })
    expect(byPace([hours(0, 0, 0), exams(6, 6, 1)])).toEqual({ CompletesOn: today, DecidedBy: null })
    expect(byPace([exams(0, 600, 1)])).toEqual({ CompletesOn: null, DecidedBy: 'competencies' })
  })

  const pace = fc.record({
    Part: fc.constantFrom('hours' as const, 'competencies' as const),
    Done: fc.integer({ min: 0, max: 100 }),
    Needed: fc.integer({ min: 0, max: 100 }),
    PerWeek: fc.double({ min: 0, max: 40, noNaN: true }),
  })
  test('never comes earlier by more left to do, a slower pace or one part more', () => {
    fc.assert(
      fc.property(fc.array(pace, { maxLength: 4 }), pace, (paces, one) => {
        fc.pre(paces.some(({ Needed }) => Needed > 0))
        const day = (list: readonly Pace[]) => byPace(list).CompletesOn ?? '9999'
        const before = day([...paces, one])
        expect(day([...paces, { ...one, Needed: one.Needed + 1 }]) >= before).toBe(true)
        expect(day([...paces, { ...one, PerWeek: one.PerWeek / 2 }]) >= before).toBe(true)
        expect(before >= day(paces)).toBe(true)
      }),
    )
  })
  test('leaves enough days for what is left', () => {
    fc.assert(
      fc.property(pace, (one) => {
        const days = daysLeft(one)
        if (Number.isFinite(days))
          expect(one.Done + (one.PerWeek * days) / 7).toBeGreaterThanOrEqual(
            Math.min(one.Needed, one.Done) - 1e-6,
          )
        if (Number.isFinite(days) && days > 0)
          expect(one.Done + (one.PerWeek * days) / 7).toBeGreaterThanOrEqual(one.Needed - 1e-6)
      }),
    )
  })
})

describe('at risk', () => {
  const fine: RiskFacts = {
    CompletesOn: '2027-05-01',
    DecidedBy: 'hours',
    EndsOn: '2027-05-15',
    Behind: null,
    HasCohortBegun: true,
    IsCohortLate: false,
    ShortMinutes: 0,
    Absences: 0,
    Late: 0,
    EvaluationPercent: 90,
    RequirementsMissing: 0,
    OverduePlans: 0,
    IsSetUp: true,
  }
  const of = (more: Partial<RiskFacts>, rule: Partial<typeof defaultRiskRule> = {}) =>
    risksOf({ ...defaultRiskRule, ...rule }, { ...fine, ...more })
  test('nobody is for nothing', () => expect(of({})).toEqual([]))
  test.each([
    [{ CompletesOn: '2027-05-16' }, ['forecast']],
    [{ CompletesOn: null }, ['forecast']],
    [{ CompletesOn: null, Behind: 10 }, ['forecast']],
    [{ CompletesOn: null, Behind: 9.9 }, ['forecast']],
    [{ CompletesOn: null, Behind: 9.9, HasCohortBegun: false }, []],
    [{ CompletesOn: '2027-05-16', Behind: 9.9 }, []],
    [{ CompletesOn: '2027-05-16', Behind: 0, IsCohortLate: true }, ['forecast']],
    [{ CompletesOn: '2027-05-15', Behind: 50, IsCohortLate: true }, []],
    [{ CompletesOn: null, DecidedBy: null, ShortMinutes: 9, RequirementsMissing: 9 }, []],
    [{ CompletesOn: null, DecidedBy: null, OverduePlans: 1 }, ['remediation']],
    [{ CompletesOn: '2027-05-01', DecidedBy: null, RequirementsMissing: 9 }, ['requirements']],
    [{ CompletesOn: null, EndsOn: null }, []],
    [{ ShortMinutes: 1 }, ['hours']],
    [{ Absences: 4 }, ['absences']],
    [{ Absences: 3 }, []],
    [{ Late: 99 }, []],
    [{ EvaluationPercent: 59.9 }, ['evaluations']],
    [{ EvaluationPercent: null }, []],
    [{ RequirementsMissing: 3 }, []],
    [{ RequirementsMissing: 4, OverduePlans: 1 }, ['requirements', 'remediation']],
    [{ RequirementsMissing: 4, ShortMinutes: 60, Absences: 4, IsSetUp: false }, ['absences']],
  ] as const)('%j is %j', (more, expected) => expect(of(more)).toEqual(expected))
  test('whoever is by a day is by every later one, and without any day', () => {
    const day = fc.integer({ min: -400, max: 4000 }).map((days) => addDays('2027-05-15', days))
    const rule = fc.record({
      DaysLate: fc.option(fc.integer({ min: 0, max: 400 })),
      BehindBy: fc.option(fc.integer({ min: 1, max: 100 })),
    })
    const others = fc.record({
      Behind: fc.option(fc.double({ min: -100, max: 100, noNaN: true })),
      HasCohortBegun: fc.boolean(),
      EndsOn: fc.option(fc.constant('2027-05-15')),
    })
    fc.assert(
      fc.property(day, fc.option(day), rule, others, (one, other, rules, facts) => {
        const isAtRisk = (CompletesOn: string | null) =>
          of({ ...facts, CompletesOn }, rules).includes('forecast')
        const later = other === null || other >= one ? other : one
        if (isAtRisk(one)) expect(isAtRisk(later)).toBe(true)
        // Who never gets done, while others have begun, is at risk wherever late completion is looked at.
        if (facts.HasCohortBegun)
          expect(isAtRisk(null)).toBe(rules.DaysLate !== null && facts.EndsOn !== null)
      }),
    )
  })
  test('a program looks at what it chose, and no further', () => {
    const nothing = {
      DaysLate: null,
      AbsencesAbove: null,
      LateAbove: null,
      EvaluationBelow: null,
      HasRequirements: false,
      RequirementsAbove: 0,
      HasRemediation: false,
    }
    expect(
      of(
        {
          CompletesOn: null,
          ShortMinutes: 9,
          Absences: 9,
          Late: 9,
          EvaluationPercent: 1,
          RequirementsMissing: 9,
          OverduePlans: 9,
          IsSetUp: true,
        },
        nothing,
      ),
    ).toEqual([])
    expect(of({ Late: 2 }, { LateAbove: 1 })).toEqual(['late'])
    expect(of({ RequirementsMissing: 2 }, { RequirementsAbove: 2 })).toEqual([])
    expect(of({ CompletesOn: null, Behind: 0 }, { BehindBy: null })).toEqual(['forecast'])
    expect(of({ CompletesOn: '2027-05-29' }, { DaysLate: 14 })).toEqual([])
  })
})

describe('a cohort', () => {
  const late = { CompletesOn: '2027-05-16', DecidedBy: 'competencies' } as const
  const inTime = { CompletesOn: '2027-05-15', DecidedBy: 'hours' } as const
  const nothing = { CompletesOn: null, DecidedBy: null }
  const of = (Forecasts: readonly Parameters<typeof isCohortLate>[0]['Forecasts'][number][], more = {}) =>
    isCohortLate({ StartsOn: '2025-09-01', EndsOn: '2027-05-15', Forecasts, ...more }, today)
  test('is late when half of those of whom something is asked are', () => {
    expect(of([late, late, late, inTime, inTime, inTime])).toBe(true)
    expect(of([late, late, inTime, inTime, inTime, nothing, nothing])).toBe(false)
    expect(of([late, { ...late, CompletesOn: null }, late, inTime, nothing, inTime])).toBe(true)
  })
  test('is not judged in its first weeks, without a planned end, without hours, or of few', () => {
    const all = [late, late, late, late, late]
    expect(of(all)).toBe(true)
    expect(of(all, { StartsOn: '2026-09-01' })).toBe(false)
    expect(of(all, { StartsOn: '2026-08-01' })).toBe(true)
    expect(of(all, { StartsOn: null })).toBe(false)
    expect(of(all, { EndsOn: null })).toBe(false)
    expect(of(all.slice(1))).toBe(false)
  })
})

test('a day more than a year after the planned end is none, and the end says what a week needs', () => {
  const far = {
    CompletesOn: '2028-05-15',
    DecidedBy: 'competencies',
    EndsOn: '2027-05-15',
    PerWeek: 0.3,
  } as const
  expect(isFarPast(far)).toBe(true)
  expect(isFarPast({ ...far, CompletesOn: null })).toBe(true)
  expect(isFarPast({ ...far, CompletesOn: '2028-05-14' })).toBe(false)
  expect(isFarPast({ ...far, PerWeek: 0 })).toBe(false)
  expect(isFarPast({ ...far, EndsOn: null })).toBe(false)
  expect(neededPace(48, addDays(today, 168), today)).toEqual({ weeks: 24, perWeek: 2 })
  expect(neededPace(1, today, today)).toBeNull()
})

test('the target is reached on the day whose shift brings it, today when it is reached, never when it is not', () => {
  const shifts = [
    { date: '2026-12-01', minutes: 480 },
    { date: '2026-12-02', minutes: 480 },
  ]
  expect(finishDate(0, 900, 0, shifts, '2026-11-21')).toBe('2026-12-02')
  expect(finishDate(900, 900, 0, shifts, '2026-11-21')).toBe('2026-11-21')
  expect(finishDate(0, 900, 0.1, shifts, '2026-11-21')).toBeNull()
  expect(finishDate(0, 0, 0, shifts, '2026-11-21')).toBeNull()
})

test('half a minute that rounding lost does not move the day on which the target is reached', () => {
  const shifts = [{ date: '2026-12-01', minutes: 480 }]
  expect(finishDate(0, 480.5, 0, shifts, '2026-11-21')).toBe('2026-12-01')
  expect(finishDate(0, 480.6, 0, shifts, '2026-11-21')).toBeNull()
  expect(finishDate(100, 339, 0.5, shifts, '2026-11-21')).toBe('2026-12-01')
  expect(finishDate(500, 480, 0, [], '2026-11-21')).toBe('2026-11-21')
})

describe('when the hours are done', () => {
  const ahead = (...minutes: number[]) =>
    minutes.map((each, index) => ({ date: addDays(today, 7 * (index + 1)), minutes: each }))
  const facts = (more: Partial<HoursFacts> = {}): HoursFacts => {
    const { Earned = 0, Ahead = [], MissedShare = 0 } = more
    const assigned = Ahead.reduce((sum, { minutes }) => sum + minutes, 0)
    return {
      Done: Earned,
      Needed: 1_000,
      Earned,
      Projection: Earned + assigned - Math.round(assigned * MissedShare),
      MissedShare,
      Ahead,
      PerWeek: 100,
      ...more,
    }
  }
  test('assigned shifts decide while they are enough, whatever the pace', () => {
    const of = facts({ Ahead: ahead(480, 480, 480), PerWeek: 0 })
    expect(hoursForecast(of, today)).toEqual({
      DoneOn: addDays(today, 21),
      By: 'shifts',
      ShortMinutes: 0,
    })
    expect(hoursForecast(of, today).DoneOn).toBe(finishDate(0, 1_000, 0, of.Ahead, today))
  })
  test('what they leave open goes on after the last of them at the pace of the last weeks', () => {
    expect(hoursForecast(facts({ Ahead: ahead(480, 320) }), today)).toEqual({
      DoneOn: addDays(today, 14 + 14),
      By: 'pace',
      ShortMinutes: 200,
    })
    expect(hoursForecast(facts({ PerWeek: 0 }), today)).toEqual({
      DoneOn: null,
      By: 'pace',
      ShortMinutes: 1_000,
    })
  })
  test('pending hours are enough once they are approved', () => {
    expect(hoursForecast(facts({ Done: 900, Earned: 1_000 }), today)).toEqual({
      DoneOn: today,
      By: 'approval',
      ShortMinutes: 0,
    })
    expect(hoursForecast(facts({ Earned: 1_200 }), today).By).toBeNull()
  })
  test('is the day of the ledger whenever the shifts are enough, and says what is short whenever they are not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 12 }),
        fc.integer({ min: 0, max: 2_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (minutes, Earned, MissedShare) => {
          const of = facts({ Ahead: ahead(...minutes), Earned, MissedShare })
          const { By, DoneOn, ShortMinutes } = hoursForecast(of, today)
          const reached = finishDate(Earned, of.Needed, MissedShare, of.Ahead, today)
          expect(ShortMinutes > 0).toBe(of.Projection < of.Needed)
          if (By === 'shifts') expect(DoneOn).toBe(reached ?? of.Ahead.at(-1)!.date)
        },
      ),
    )
  })
})
