import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeInstance, makeJoint } from '#server/test/placement-instances.ts'
import { everySolution, smallInstances } from '#server/test/small-instances.ts'
import { boundTogether } from './bound.solver.ts'
import { isLarge } from './expectation.solver.ts'
import { brokenRules, costOf, type Instance, randomFrom, type Solution } from './instance.solver.ts'
import { isWithinPools, type Joint, type Pool, poolLoads, poolsOf, sharedTotals } from './joint.solver.ts'
import { type Highs, openHighs } from './linear.solver.ts'
import { boundByBlocks, gapOf } from './solve.solver.ts'
import { type JointProgress, solveTogether } from './together.solver.ts'
import { solveWindow, windowsOf } from './windows.solver.ts'

let highs: Highs
beforeAll(async () => {
  highs = await openHighs()
})

const sumOf = ({ parts }: Joint, solutions: readonly Solution[]): number =>
  parts.reduce((sum, instance, part) => sum + costOf(instance, solutions[part]!), 0)

/** Two plans that share some of their sites and shifts in some of their blocks. */
const jointsOf = (instances: fc.Arbitrary<Instance>): fc.Arbitrary<Joint> =>
  fc.tuple(instances, instances, fc.integer({ min: 1, max: 1_000_000 })).map(([one, other, seed]): Joint => {
    const random = randomFrom(seed)
    const whole = (most: number) => Math.floor(random() * (most + 1))
    const cellOf = (instance: Instance, part: number) => ({
      part,
      block: whole(instance.blocks - 1),
      of: random() < 0.7 ? { site: whole(instance.sites - 1) } : { option: whole(instance.options - 1) },
    })
    const pools = Array.from(
      { length: 1 + whole(2) },
      (): Pool => ({
        places: whole(3),
        cells: [cellOf(one, 0), cellOf(other, 1)],
      }),
    )
    const joint = { parts: [one, other], pools }
    const fixed = poolLoads(
      joint,
      poolsOf(joint),
      joint.parts.map((each) => each.fixed),
    )
    // What was accepted has its places, as in plans.
    return {
      ...joint,
      pools: pools.map((pool, at) => ({ ...pool, places: Math.max(pool.places, fixed[at] ?? 0) })),
    }
  })

const joints = jointsOf(smallInstances(2))
/** Without a cost of changes and of uneven loads, which the bound does not know, what is found is exact. */
const exactJoints = jointsOf(
  smallInstances(2).map((instance) => ({ ...instance, changeCost: 0, loadCost: 0 })),
)

/** What both plans cost at least together, among the drafts that are looked at. */
const bestOf = (
  joint: Joint,
  isMeant: (solution: Solution, part: number) => boolean = () => true,
): number => {
  const of = poolsOf(joint)
  const [ones, others] = joint.parts.map((instance, part) =>
    Array.from(everySolution(instance), (solution) => solution.slice()).filter(
      (solution) => brokenRules(instance, solution).length === 0 && isMeant(solution, part),
    ),
  ) as [Solution[], Solution[]]
  let best = Number.POSITIVE_INFINITY
  for (const one of ones)
    for (const other of others) {
      const cost = sumOf(joint, [one, other])
      if (cost < best && isWithinPools(joint, of, [one, other])) best = cost
    }
  return best
}

test('of small plans no rule of any is broken, what they share is never exceeded, and what is exact is the optimum of both together', () => {
  let exact = 0
  const check = (joint: Joint): void => {
    const of = poolsOf(joint)
    const best = bestOf(joint)
    let before = Number.POSITIVE_INFINITY
    let end: JointProgress | undefined
    for (const step of solveTogether(highs, joint, { seed: 1, steps: 4 })) {
      for (const [part, instance] of joint.parts.entries())
        expect(brokenRules(instance, step.solutions[part]!)).toEqual([])
      expect(isWithinPools(joint, of, step.solutions)).toBe(true)
      expect(step.cost).toBe(sumOf(joint, step.solutions))
      expect(step.cost).toBeLessThanOrEqual(before)
      expect(step.cost).toBeGreaterThanOrEqual(best)
      expect(step.bound).toBeLessThanOrEqual(best)
      before = step.cost
      end = step
    }
    if (joint.parts.some(({ changeCost, loadCost }) => changeCost + loadCost > 0)) return
    exact++
    expect(end?.cost).toBe(best)
    expect(end?.bound).toBe(best)
  }
  fc.assert(fc.property(joints, check), { numRuns: 160 })
  fc.assert(fc.property(exactJoints, check), { numRuns: 40 })
  expect(exact).toBeGreaterThan(25)
})

/** Two plans of some size at the same sites, of which each has its own half of the shifts; all sites are shared in every block. */
const large = (isCoupled: boolean): Joint => {
  const shape = { students: 40, blocks: 4, options: 12, slack: 1.4, ranks: 4, skew: 1, isCoupled }
  const parts = [makeInstance(shape, 11), makeInstance(shape, 12)]
  const pools = [0, 1, 2].flatMap((site) =>
    [0, 1, 2, 3].map((block): Pool => {
      const places = parts[0]!.sitePlaces[site * 4 + block]!
      return { places, cells: [0, 1].map((part) => ({ part, block, of: { site } })) }
    }),
  )
  return { parts, pools }
}

test.each([false, true])(
  'larger plans that compete for the same places get more together than one after the other (coupled: %s), the same for the same seed',
  (isCoupled) => {
    const joint = large(isCoupled)
    const run = (seed: number) => [...solveTogether(highs, joint, { seed, steps: 6 })]
    const steps = run(1)
    const [first, last] = [steps[0]!, steps.at(-1)!]
    expect(last.cost).toBeLessThanOrEqual(first.cost)
    for (const [part, instance] of joint.parts.entries())
      expect(brokenRules(instance, last.solutions[part]!)).toEqual([])
    expect(isWithinPools(joint, poolsOf(joint), last.solutions)).toBe(true)
    expect(last.bound).toBeLessThanOrEqual(last.cost)
    // Blocks that do not touch each other are proved to be the best.
    if (!isCoupled) expect(gapOf(last)).toBe(0)
    expect(run(1).at(-1)!.solutions).toEqual(last.solutions)
  },
)

test('what the prices of a bound prove of plans together is never above the best of them', () => {
  let above = 0
  fc.assert(
    fc.property(joints, (joint) => {
      const best = bestOf(joint)
      const alone = joint.parts.reduce((sum, instance) => sum + boundTogether([instance], []).value, 0)
      const bound = boundTogether(joint.parts, sharedTotals(joint, poolsOf(joint)))
      expect(bound.value).toBeLessThanOrEqual(best)
      if (bound.value > alone) above++
      if (joint.parts.every(({ loadCost }) => loadCost === 0))
        expect(boundByBlocks(joint.parts, bound)).toBeLessThanOrEqual(best)
    }),
    // A fifth of them, by chance: of a hundred it was ten or fewer now and then.
    { numRuns: 200 },
  )
  // It knows of the competition.
  expect(above).toBeGreaterThan(10)
})

test('blocks of several plans that are solved at once are the best that they can be while all others stay', () => {
  let solved = 0
  fc.assert(
    fc.property(joints, ({ parts, pools }) => {
      // With more than the flow knows it answers nothing.
      const plain = parts.map((instance) => ({
        ...instance,
        loadCost: 0,
        siteLeast: new Int32Array(instance.siteLeast.length),
      }))
      const joint = { parts: plain, pools }
      const of = poolsOf(joint)
      const begun = joint.parts.map(({ fixed }) => fixed)
      // What is given may be more than there are places.
      if (joint.parts.some((instance) => brokenRules(instance, instance.fixed).length > 0)) return
      for (const window of windowsOf(joint)) {
        const found = solveWindow(joint, of, begun, window)
        if (!found) continue
        solved++
        for (const [part, instance] of joint.parts.entries())
          expect(brokenRules(instance, found[part]!)).toEqual([])
        expect(isWithinPools(joint, of, found)).toBe(true)
        const stays = (solution: Solution, part: number) =>
          solution.every(
            (o, at) => window[part]!.has(at % joint.parts[part]!.blocks) || o === begun[part]![at],
          )
        expect(sumOf(joint, found)).toBe(bestOf(joint, stays))
      }
    }),
    { numRuns: 200 },
  )
  expect(solved).toBeGreaterThan(40)
})

test('large plans have a draft before their bound, are near to it soon, and keep all rules', () => {
  const shape = { students: 130, blocks: 8, options: 80, slack: 1.6, ranks: 4, skew: 1, isCoupled: true }
  const joint = makeJoint([shape, { ...shape, students: 250 }, { ...shape, students: 410 }], 1.05, 3)
  expect(joint.parts.every((instance) => !isLarge(instance))).toBe(true)
  const steps = [...solveTogether(highs, joint, { seed: 1, steps: 2 })]
  const [first, last] = [steps[0]!, steps.at(-1)!]
  expect(first.bound).toBe(0)
  expect(gapOf(last)).toBeLessThan(0.02)
  for (const [part, instance] of joint.parts.entries())
    for (const step of steps) expect(brokenRules(instance, step.solutions[part]!)).toEqual([])
  expect(steps.every(({ solutions }) => isWithinPools(joint, poolsOf(joint), solutions))).toBe(true)
  // A third of a minute of work, which a busy machine does in several.
}, 240_000)
