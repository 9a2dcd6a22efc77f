import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { expectedExams, fewestOnPace, isBehind, type TermTarget } from './pace-rules.ts'

const clinicalTwo: TermTarget = {
  Name: 'Clinical II',
  Cohort: null,
  FromDate: '2027-01-04',
  ThroughDate: '2027-01-13',
  Exams: 12,
}

test('a term asks for its exams day by day, nothing before it and all of them after it', () => {
  const on = (day: string) => expectedExams([clinicalTwo], null, day)
  expect(on('2027-01-03')).toBeNull()
  expect(on('2027-01-04')).toBeCloseTo(1.2)
  expect(on('2027-01-08')).toBeCloseTo(6)
  expect(on('2027-01-13')).toBe(12)
  expect(on('2028-01-01')).toBe(12)
})

test('a cohort has the targets of everybody and its own', () => {
  const targets = [clinicalTwo, { ...clinicalTwo, Cohort: '2027', Exams: 3 }]
  expect(expectedExams(targets, '2027', '2027-02-01')).toBe(15)
  expect(expectedExams(targets, '2028', '2027-02-01')).toBe(12)
  expect(expectedExams(targets, null, '2027-02-01')).toBe(12)
})

test('below 80 % of the pace is behind, and without a target nobody is', () => {
  expect(fewestOnPace(12)).toBe(10)
  expect(isBehind(9, 12)).toBe(true)
  expect(isBehind(10, 12)).toBe(false)
  expect(isBehind(8, 10)).toBe(false)
  expect(isBehind(0, null)).toBe(false)
})

const target = fc
  .record({ from: fc.nat(400), length: fc.nat(200), exams: fc.integer({ min: 1, max: 40 }) })
  .map(
    ({ from, length, exams }): TermTarget => ({
      Name: 'Term',
      Cohort: null,
      FromDate: addDays('2027-01-01', from),
      ThroughDate: addDays('2027-01-01', from + length),
      Exams: exams,
    }),
  )

test('the pace never goes back, never asks for more than all terms together, and ends with all of it', () => {
  fc.assert(
    fc.property(fc.array(target, { maxLength: 6 }), fc.nat(800), fc.nat(200), (targets, day, later) => {
      const all = targets.reduce((sum, { Exams }) => sum + Exams, 0)
      const first = expectedExams(targets, null, addDays('2027-01-01', day)) ?? 0
      const second = expectedExams(targets, null, addDays('2027-01-01', day + later)) ?? 0
      expect(second).toBeGreaterThanOrEqual(first - 1e-9)
      expect(second).toBeLessThanOrEqual(all + 1e-9)
      expect(expectedExams(targets, null, addDays('2027-01-01', 700)) ?? 0).toBeCloseTo(all)
    }),
  )
})

test('whoever has the fewest exams on pace is not behind, and whoever has one less is', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 500, noNaN: true }), (expected) => {
      const fewest = fewestOnPace(expected)
      expect(isBehind(fewest, expected)).toBe(false)
      if (fewest > 0) expect(fewest - 1).toBeLessThan(expected * 0.8)
    }),
  )
})
