import { expect, test } from 'vitest'
import { planFacts } from '#server/test/placement-facts.ts'
import type { PlanFacts } from './plan.rules.ts'
import { keptModelOf } from './plan-cache.rules.ts'

test('a plan is built once while its facts are the same, and again when any of them is another', () => {
  const first = keptModelOf(1, 1, planFacts())
  expect(keptModelOf(1, 1, planFacts())).toBe(first)
  expect(keptModelOf(1, 2, planFacts())).not.toBe(first)
  expect(keptModelOf(2, 1, planFacts())).not.toBe(first)
  const changes: ((facts: PlanFacts) => Partial<PlanFacts>)[] = [
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
    const facts = planFacts()
    const next = { ...facts, ...change(facts) }
    const before = keptModelOf(1, 1, planFacts())
    const after = keptModelOf(1, 1, next)
    expect(after).not.toBe(before)
    expect(after.facts).toEqual(next)
  }
})

test('a student with nothing of her own has the row of her group, as if each option were asked for her', () => {
  const facts = planFacts()
  const [one, ...others] = facts.Students
  const { allowed, blocks, options, faultOf } = keptModelOf(3, 1, {
    ...facts,
    Students: [{ ...one!, Excluded: [2], Pins: [{ Block: 1, SiteId: 1 }] }, ...others],
  })
  for (let i = 0; i < facts.Students.length; i++)
    for (let b = 0; b < blocks; b++)
      for (let o = 0; o < options.length; o++)
        expect(allowed[(i * blocks + b) * options.length + o] === 1).toBe(faultOf(i, b, o) === undefined)
  expect(allowed.includes(1)).toBe(true)
})
