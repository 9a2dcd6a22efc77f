import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addDays, datesBetween } from '#contract/core/calendar.ts'
import { blocksOf } from '#contract/placement/plan-rules.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import { sharedKey } from '#contract/scheduling/scheduling-rules.ts'
import { samplePlan, sampleShift, sampleStudent } from '#server/test/sample-plans.ts'
import { cellsOf } from '../draft/draft.rules.ts'
import { indexPlan } from '../plan/indexed-plan.rules.ts'
import type { SharedDay } from '../plan/load-plan.queries.ts'
import { brokenRules, randomFrom } from './instance.solver.ts'
import { besideOthers, poolsOf } from './joint.solver.ts'
import { type JointPlan, jointOf } from './joint-plans.rules.ts'
import { type Highs, openHighs } from './linear.solver.ts'
import { solveTogether } from './together.solver.ts'

let highs: Highs
beforeAll(async () => {
  highs = await openHighs()
})

const monday = '2032-03-01'
const days = datesBetween(monday, addDays(monday, 41))

interface Shape {
  /** Days from the first Monday. */
  begins: number
  weeksPerBlock: number
  /** Of the shift at the shared site: a week of five days has two halves for a group that comes on two. */
  weekdays: readonly number[]
  students: number
  rank: number
  /** The first students were accepted at the shared site in the first block. */
  accepted: number
}

/** A plan whose first site is shared, with so many places free on each day. */
const planOf = (shape: Shape, freeOn: ReadonlyMap<string, number>): JointPlan => {
  const from = addDays(monday, shape.begins)
  const shared = days.map((date): SharedDay => {
    const isOwn = shape.weekdays.slice(0, 2).includes(new Date(date).getUTCDay())
    const isFirst = date >= from && date < addDays(from, shape.weeksPerBlock * 7)
    return {
      SharedSiteId: 9,
      SiteId: 1,
      Date: date,
      Free: freeOn.get(date) ?? 0,
      Own: isOwn && isFirst ? shape.accepted : 0,
      IsElsewhere: true,
    }
  })
  const indexed = indexPlan(
    samplePlan({
      Blocks: blocksOf(from, addDays(from, 27), shape.weeksPerBlock),
      Students: Array.from({ length: shape.students }, (_, i) => sampleStudent(i + 1, { SiteIds: [1, 2] })),
      Shifts: [
        sampleShift(1, 1, { Weekdays: shape.weekdays, Capacity: 4 }),
        sampleShift(2, 2, { Capacity: 1 }),
      ],
      Shared: new Map(
        shared.map(({ SiteId, Date: date, Free, Own }) => [sharedKey(SiteId, date), Free + Own]),
      ),
      Elsewhere: new Set(shared.map(({ SiteId, Date: date }) => sharedKey(SiteId, date))),
      Accepted: Array.from({ length: Math.min(shape.accepted, shape.students) }, (_, i) => ({
        StudentId: i + 1,
        Block: 0,
        SiteShiftId: 1,
      })),
    }),
  )
  return {
    indexed,
    order: { weights: { ...usualWeights, Rank: shape.rank }, places: [], cells: [] },
    shared,
  }
}

const shapes = fc.record({
  begins: fc.constantFrom(0, 0, 7, 14),
  weeksPerBlock: fc.constantFrom(1, 2, 4),
  weekdays: fc.constantFrom([1, 2], [1, 2, 3, 4, 5], [2, 3]),
  students: fc.integer({ min: 1, max: 4 }),
  rank: fc.constantFrom(0, 6, 60),
  accepted: fc.constantFrom(0, 0, 1),
})

test('no day of a shared site has more students of all plans than there are places, whatever their blocks and weekdays, and no rule of any plan is broken', () => {
  fc.assert(
    fc.property(shapes, shapes, fc.integer({ min: 1, max: 1_000_000 }), (one, other, seed) => {
      const random = randomFrom(seed)
      const freeOn = new Map(days.map((date) => [date, Math.floor(random() * 4)]))
      const plans = [one, other].map((shape) =>
        planOf({ ...shape, accepted: Math.min(shape.accepted, shape.students) }, freeOn),
      )
      const { joint, instances, from } = jointOf(plans)
      const of = poolsOf(joint)
      for (const { solutions } of solveTogether(highs, joint, { seed: 1, steps: 3, from })) {
        const placed = new Map<string, number>()
        for (const [part, { indexed }] of plans.entries()) {
          const instance = besideOthers(joint, of, solutions, { part, instance: instances[part]! })
          expect(brokenRules(instance, solutions[part]!)).toEqual([])
          for (const { Block, SiteShiftId, Weekdays } of cellsOf(indexed, solutions[part]!)) {
            const block = indexed.plan.Blocks[Block]!
            if (SiteShiftId !== 1) continue
            for (const date of datesBetween(block.StartDate, block.EndDate))
              if (Weekdays.includes(new Date(date).getUTCDay())) placed.set(date, (placed.get(date) ?? 0) + 1)
          }
        }
        for (const [date, count] of placed) {
          const own = plans.reduce(
            (sum, { shared }) => sum + (shared.find((day) => day.Date === date)?.Own ?? 0),
            0,
          )
          expect(count, date).toBeLessThanOrEqual((freeOn.get(date) ?? 0) + own)
        }
      }
    }),
    { numRuns: 150 },
  )
})

test('students who come on other days do not take places from each other', () => {
  const freeOn = new Map(days.map((date) => [date, 3]))
  const shape = { begins: 0, weeksPerBlock: 2, students: 3, rank: 60, accepted: 0 }
  const plans = [
    planOf({ ...shape, weekdays: [1, 2] }, freeOn),
    planOf({ ...shape, weekdays: [4, 5] }, freeOn),
  ]
  const { joint } = jointOf(plans)
  expect(joint.pools).toEqual([])
  const last = [...solveTogether(highs, joint, { seed: 1, steps: 3 })].at(-1)!
  expect(last.solutions.map((each) => [...each].filter((o) => o === 0).length)).toEqual([6, 6])
})

test('a place is worth as much in each plan by its weeks, and so is a step of rank, however much a plan weighs it', () => {
  const freeOn = new Map(days.map((date) => [date, 3]))
  const shape = { begins: 0, weekdays: [1, 2], students: 3, accepted: 0 }
  const { joint } = jointOf([
    planOf({ ...shape, weeksPerBlock: 2, rank: 60 }, freeOn),
    planOf({ ...shape, weeksPerBlock: 4, rank: 12 }, freeOn),
  ])
  const [one, other] = joint.parts
  expect(other!.unplacedCost).toBe(2 * one!.unplacedCost)
  // From the first to the second rank, in a block of two weeks and in one of four.
  expect(other!.cost[1]! - other!.cost[0]!).toBe(2 * (one!.cost[1]! - one!.cost[0]!))
})
