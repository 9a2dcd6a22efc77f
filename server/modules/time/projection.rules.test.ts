import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeupOwed, project } from './projection.rules.ts'

const facts = {
  approved: 10_260,
  pending: 870,
  makeupPlanned: 0,
  makeupDate: null,
  assigned: 8670,
  assignedShifts: 17,
  absentDays: 1,
  pastDays: 34,
}

test('D3-074 the projection is earned, assigned less the usual absence, and planned makeup', () => {
  const { minutes, parts } = project({
    ...facts,
    pending: 870 + 510,
    makeupPlanned: 510,
    makeupDate: '2026-12-05',
  })
  expect(parts).toMatchObject({ Earned: 11_130, Assigned: 8670, UsualAbsence: -255, MakeupPlanned: 510 })
  expect(minutes).toBe(11_130 + 8670 - 255 + 510)
})

test('the parts always add up to the projection, which never falls below what is earned', () => {
  const count = fc.integer({ min: 0, max: 50_000 })
  fc.assert(
    fc.property(
      count,
      count,
      count,
      count,
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 0, max: 200 }),
      (approved, pending, planned, assigned, absent, past) => {
        const { minutes, parts } = project({
          ...facts,
          approved,
          pending: pending + planned,
          makeupPlanned: planned,
          assigned,
          absentDays: absent,
          pastDays: past,
        })
        expect(minutes).toBe(parts.Earned + parts.Assigned + parts.UsualAbsence + parts.MakeupPlanned)
        expect(parts.UsualAbsence).toBeLessThanOrEqual(0)
        expect(minutes).toBeGreaterThanOrEqual(parts.Earned)
      },
    ),
  )
})

test('makeup is owed for absences only where the program wants them made up, and never below nothing', () => {
  expect(makeupOwed(510, 240, true)).toBe(270)
  expect(makeupOwed(510, 900, true)).toBe(0)
  expect(makeupOwed(510, 0, false)).toBe(0)
})

test('makeup that is planned is no longer earned, and without past shifts nothing is usually missed', () => {
  const { minutes, parts } = project({
    ...facts,
    pending: 100,
    makeupPlanned: 510,
    absentDays: 0,
    pastDays: 0,
  })
  expect(parts).toEqual({
    Earned: 10_260,
    Assigned: 8670,
    AssignedShifts: 17,
    UsualAbsence: 0,
    AbsentDays: 0,
    PastDays: 0,
    MakeupPlanned: 510,
    MakeupDate: null,
  })
  expect(minutes).toBe(10_260 + 8670 + 510)
  expect(project({ ...facts, absentDays: 3, pastDays: 0 }).parts.UsualAbsence).toBe(0)
  expect(project({ ...facts, absentDays: 3, pastDays: 2 }).parts.UsualAbsence).toBe(-8670)
})
