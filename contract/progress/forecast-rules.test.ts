import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import {
  daysLeft,
  defaultRiskRule,
  forecastOf,
  type Pace,
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

describe('the day of completion', () => {
  test('is decided by the part that is done last', () => {
    expect(forecastOf([hours(100, 200, 10), exams(5, 6, 1)], today)).toEqual({
      CompletesOn: addDays(today, 70),
      DecidedBy: 'hours',
    })
    expect(forecastOf([hours(190, 200, 10), exams(1, 6, 1)], today)).toEqual({
      CompletesOn: addDays(today, 35),
      DecidedBy: 'competencies',
    })
  })
  test('is today when all is done, also more than all', () => {
    expect(forecastOf([hours(250, 200, 0), exams(6, 6, 0)], today)).toEqual({
      CompletesOn: today,
      DecidedBy: null,
    })
  })
  test('is unknown where a part stands still, or would take longer than ten years', () => {
    expect(forecastOf([hours(100, 200, 0), exams(1, 6, 1)], today)).toEqual({
      CompletesOn: null,
      DecidedBy: 'hours',
    })
    expect(forecastOf([exams(0, 600, 1)], today)).toEqual({ CompletesOn: null, DecidedBy: 'competencies' })
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
        const day = (list: readonly Pace[]) => forecastOf(list, today).CompletesOn ?? '9999'
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
    Absences: 0,
    Late: 0,
    EvaluationPercent: 90,
    RequirementsMissing: 0,
    OverduePlans: 0,
  }
  const of = (more: Partial<RiskFacts>, rule: Partial<typeof defaultRiskRule> = {}) =>
    risksOf({ ...defaultRiskRule, ...rule }, { ...fine, ...more })
  test('nobody is for nothing', () => expect(of({})).toEqual([]))
  test.each([
    [{ CompletesOn: '2027-05-16' }, ['forecast']],
    [{ CompletesOn: null }, ['forecast']],
    [{ CompletesOn: null, Behind: 10 }, ['forecast']],
    [{ CompletesOn: null, Behind: 9.9 }, []],
    [{ CompletesOn: null, DecidedBy: null }, []],
    [{ CompletesOn: null, EndsOn: null }, []],
    [{ Absences: 4 }, ['absences']],
    [{ Absences: 3 }, []],
    [{ Late: 99 }, []],
    [{ EvaluationPercent: 59.9 }, ['evaluations']],
    [{ EvaluationPercent: null }, []],
    [{ RequirementsMissing: 3 }, []],
    [{ RequirementsMissing: 4, OverduePlans: 1 }, ['requirements', 'remediation']],
  ] as const)('%j is %j', (more, expected) => expect(of(more)).toEqual(expected))
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
          Absences: 9,
          Late: 9,
          EvaluationPercent: 1,
          RequirementsMissing: 9,
          OverduePlans: 9,
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
