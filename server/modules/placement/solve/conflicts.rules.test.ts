import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { Group } from '#contract/placement/plans.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import {
  randomPlan,
  samplePlan,
  sampleRotation,
  sampleShift,
  sampleSite,
  sampleStudent,
} from '#server/test/sample-plans.ts'
import { indexPlan } from '../plan/indexed-plan.rules.ts'
import type { Plan } from '../plan/plan.rules.ts'
import { findConflict, isComplete } from './conflicts.rules.ts'
import { type Highs, openHighs } from './linear.solver.ts'
import { type DraftOrder, instanceOf } from './plan-instance.rules.ts'
import { solve } from './solve.solver.ts'

let highs: Highs
beforeAll(async () => {
  highs = await openHighs()
})

const built = (plan: Plan, cells: DraftOrder['cells'] = []) => {
  const indexed = indexPlan(plan)
  return { indexed, instance: instanceOf(indexed, { weights: usualWeights, places: [], cells }).instance }
}
const conflictOf = (plan: Plan, cells: DraftOrder['cells'] = []) => findConflict(highs, built(plan, cells))
const texts = (plan: Plan, cells: DraftOrder['cells'] = []) =>
  conflictOf(plan, cells)?.Rules.map(({ Kind, Text }) => `${Kind} | ${Text}`)
const group = (more: object) => ({
  Groups: [Group.parse({ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2, 3, 4, 5], ...more })],
  SiteIds: [],
  MostEveningPercent: null,
  Weights: null,
})
/** One student, one site with a shift of one place. */
const one = (more: Partial<Plan> & { blocks?: number } = {}) =>
  samplePlan({
    blocks: 1,
    Students: [sampleStudent(1)],
    Sites: [sampleSite(1)],
    Shifts: [sampleShift(1, 1)],
    ...more,
  })

test('a plan whose rules can all be kept has no conflict, which is proved', () => {
  expect(conflictOf(samplePlan())).toEqual({ Rules: [], IsSmallest: true })
})

test('each kind of rule is named with what to change when it alone keeps the plan from working', () => {
  expect(
    texts(samplePlan({ Students: [1, 2, 3, 4].map((id) => sampleStudent(id)), Shifts: [sampleShift(1, 1)] })),
  ).toEqual(['siteShift | Site 1, SH1: 3 more places in blocks 1–2'])
  const staffed = one({ Sites: [sampleSite(1, { Technologists: 0 })] })
  expect(texts(staffed)).toEqual(['siteAnswer | Site 1, SH1: technologists for 1 more place in block 1'])
  expect(texts(one({ Sites: [sampleSite(1, { Takes: 0 })] }))).toEqual([
    'siteAnswer | Site 1: takes 1 more at a time in block 1',
  ])
  expect(texts(one({ Sites: [sampleSite(1, { Capacity: 0 })] }))).toEqual([
    'site | Site 1: takes 1 more at a time in block 1',
  ])
  expect(texts(one({ Students: [sampleStudent(1, { Excluded: [1] })] }))).toEqual([
    'planStudent | Last1, First1: lift the exclusion from Site 1',
  ])
  const pinned = sampleStudent(1, { Pins: [{ Block: 0, SiteId: 2 }] })
  expect(texts(one({ Students: [pinned] }))).toEqual([
    'planStudent | Last1, First1: remove the pin in block 1',
  ])
  const missing = { Name: 'CPR', Status: 'missing' as const, ExpiresOn: null }
  expect(texts(one({ Students: [sampleStudent(1, { Requirements: [missing] })] }))).toEqual([
    'requirements | Last1, First1: CPR is missing',
  ])
  const evening = [{ Name: 'Evening', Types: ['evening'], Blocks: 1 }]
  expect(texts(one({ Rules: group({ Experiences: evening }) }))).toEqual([
    'plan | All: ask for 1 block less of Evening',
  ])
  expect(texts(one({ blocks: 2, Rules: group({ MostBlocksPerSite: 1 }) }))).toEqual([
    'plan | All: allow 2 blocks at one site',
  ])
  const night = { ...group({}), MostEveningPercent: 0 }
  expect(texts(one({ Rules: night, Shifts: [sampleShift(1, 1, { Type: 'night' })] }))).toEqual([
    'plan | Evenings and weekends: allow 1 block more than 0 %',
  ])
  expect(texts(one({ Shifts: [sampleShift(1, 1, { EndDate: '2032-03-01' })] }))).toEqual([
    'siteShift | Site 1, SH1 runs 01/01/2030 – 03/01/2032 only: let it run longer',
  ])
  const { Options } = samplePlan()
  expect(texts(one({ Options: { ...Options, AgreementRule: 'block' } }))).toEqual([
    'agreement | Site 1 has no agreement in force: renew it',
  ])
  expect(texts(one({ Options: { ...Options, HoursPerDayRule: 'block', MostHoursPerDay: 4 } }))).toEqual([
    'program | Allow more than 4 hours a day',
  ])
  expect(texts(one({ Rotations: [sampleRotation(1, { EndDate: '2032-02-01' })] }))).toEqual([
    'rotation | Rotation: let it last as long as the plan',
  ])
  expect(texts(one({ Rotations: [sampleRotation(1, { StudentLevelIds: [2] })] }))).toEqual([
    'rotation | Rotation: take Level 1, 2032',
  ])
  const busy = { StudentId: 1, SiteShiftId: 9, Date: '2032-03-01', StartsAt: 0, EndsAt: 4_000_000_000_000 }
  const hours = { HoursPerDayRule: 'off', HoursPerWeekRule: 'off' } as const
  expect(texts(one({ Placed: [busy], Options: { ...Options, ...hours } }))).toEqual([
    'schedule | Last1, First1: move the other shift (overlaps another shift on 03/01/2032)',
  ])
  const off = [{ StartDate: '2032-03-01', EndDate: '2032-03-07' }]
  expect(texts(one({ DaysOff: off }))).toEqual(['program | Days off: let students work on some'])
})

test('locks give way too, and an accepted place never does', () => {
  const plan = one({
    Sites: [sampleSite(1), sampleSite(2)],
    Students: [sampleStudent(1), sampleStudent(2, { Excluded: [2] })],
    Shifts: [sampleShift(1, 1), sampleShift(2, 2)],
  })
  const cell = { StudentId: 1, Block: 0, SiteShiftId: 1, Weekdays: [1, 2], IsLocked: true }
  expect(conflictOf(plan)?.Rules).toEqual([])
  expect(conflictOf(plan, [cell])?.Rules).toHaveLength(1)
  const full = { ...plan, Shifts: [sampleShift(1, 1), sampleShift(2, 2, { Capacity: 2 })] }
  const both = [cell, { ...cell, StudentId: 2, IsLocked: false }]
  const [rule] =
    conflictOf({ ...full, Sites: [sampleSite(1, { Takes: 1 }), sampleSite(2)] }, both)?.Rules ?? []
  expect(['lock', 'siteShift', 'planStudent']).toContain(rule?.Kind)
  const accepted = { ...plan, Accepted: [{ StudentId: 1, Block: 0, SiteShiftId: 1 }] }
  expect(texts(accepted)?.join()).not.toContain('Last1')
})

test('students of thousands of cells who are alike count as one, which is said', () => {
  const plan = samplePlan({
    blocks: 12,
    Students: Array.from({ length: 300 }, (_, index) => sampleStudent(index + 1)),
    Sites: Array.from({ length: 10 }, (_, index) => sampleSite(index + 1)),
    Shifts: Array.from({ length: 40 }, (_, index) =>
      sampleShift(index + 1, (index % 10) + 1, { Capacity: 7, Type: index < 4 ? 'evening' : 'day' }),
    ),
    Rules: group({ Experiences: [{ Name: 'Evening', Types: ['evening'], Blocks: 2 }] }),
  })
  const found = conflictOf(plan)
  expect(found?.IsSmallest).toBe(false)
  // 280 places in each block for 300 students, and 336 evenings for 600 that are asked for.
  expect(found?.Rules.map(({ Kind }) => Kind)).toContain('siteShift')
  expect(found?.Rules.length).toBeLessThanOrEqual(2)
})

test('a plan has no conflict if and only if there is a draft that gives all students all', () => {
  let conflicts = 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), (seed) => {
      const each = built(randomPlan(seed))
      const conflict = findConflict(highs, each)
      const draft = [...solve(highs, each.instance, { seed: 1, steps: 1 })].at(-1)!
      // Without an option at all, nothing that gives way would help.
      if (!conflict) {
        expect(isComplete(each.instance, draft.solution)).toBe(false)
        return
      }
      conflicts += Number(conflict.Rules.length > 0)
      expect(conflict.Rules.length === 0).toBe(isComplete(each.instance, draft.solution))
      expect(conflict.IsSmallest).toBe(true)
    }),
    { numRuns: 60 },
  )
  expect(conflicts).toBeGreaterThan(15)
})
