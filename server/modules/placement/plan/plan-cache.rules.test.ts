import { expect, test } from 'vitest'
import { samplePlan } from '#server/test/sample-plans.ts'
import type { Plan } from './plan.rules.ts'
import { indexedPlanOf } from './plan-cache.rules.ts'

test('a plan is built once and kept while it is the same, and built again when anything of it is another', () => {
  const first = indexedPlanOf(1, 1, samplePlan())
  expect(indexedPlanOf(1, 1, samplePlan())).toBe(first)
  expect(indexedPlanOf(1, 2, samplePlan())).not.toBe(first)
  expect(indexedPlanOf(2, 1, samplePlan())).not.toBe(first)
  const changes: ((plan: Plan) => Partial<Plan>)[] = [
    ({ Students: [one, ...others] }) => ({ Students: [{ ...one!, Excluded: [1] }, ...others] }),
    ({ Students: [one, ...others] }) => ({ Students: [{ ...one!, Points: 3 }, ...others] }),
    ({ Students: [, ...others] }) => ({ Students: others }),
    ({ Shifts: [one, ...others] }) => ({ Shifts: [{ ...one!, Capacity: 9 }, ...others] }),
    ({ Sites: [one, ...others] }) => ({ Sites: [{ ...one!, Takes: 0 }, ...others] }),
    () => ({ Taken: new Map([['1 2032-03-01', { Placed: 1, Capacity: 1 }]]) }),
    () => ({ DaysOff: [{ StartDate: '2032-03-01', EndDate: '2032-03-05' }] }),
    () => ({ Accepted: [{ StudentId: 1, Block: 0, SiteShiftId: 1 }] }),
    ({ Options }) => ({ Options: { ...Options, MostHoursPerDay: 1 } }),
    ({ Rules }) => ({ Rules: { ...Rules, MostEveningPercent: 10 } }),
  ]
  for (const change of changes) {
    const plan = samplePlan()
    const next = { ...plan, ...change(plan) }
    const before = indexedPlanOf(1, 1, samplePlan())
    const after = indexedPlanOf(1, 1, next)
    expect(after).not.toBe(before)
    expect(after.plan).toEqual(next)
  }
})

test('a student with nothing of their own has the row of their group, as if each option were asked for them', () => {
  const plan = samplePlan()
  const [one, ...others] = plan.Students
  const indexed = indexedPlanOf(3, 1, {
    ...plan,
    Students: [{ ...one!, Excluded: [2], Pins: [{ Block: 1, SiteId: 1 }] }, ...others],
  })
  const { allowed, blocks, options } = indexed
  for (let i = 0; i < plan.Students.length; i++)
    for (let b = 0; b < blocks; b++)
      for (let o = 0; o < options.length; o++)
        expect(allowed[(i * blocks + b) * options.length + o] === 1).toBe(
          indexed.faultOf(i, b, o) === undefined,
        )
  expect(allowed.includes(1)).toBe(true)
})
