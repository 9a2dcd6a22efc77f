import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { randomFrom } from './instance.solver.ts'
import { type Highs, openHighs } from './linear.solver.ts'
import { type RuleSystem, relaxFewest } from './relaxation.solver.ts'

let highs: Highs
beforeAll(async () => {
  highs = await openHighs()
})

const system = fc
  .record({
    seed: fc.integer({ min: 1, max: 10_000_000 }),
    students: fc.integer({ min: 1, max: 3 }),
    blocks: fc.integer({ min: 1, max: 2 }),
    options: fc.integer({ min: 1, max: 3 }),
    rules: fc.integer({ min: 1, max: 7 }),
  })
  .map(({ seed, ...shape }): RuleSystem => {
    const random = randomFrom(seed)
    const whole = (most: number) => Math.floor(random() * (most + 1))
    const { students, blocks, options, rules } = shape
    const bars = Array.from({ length: students * blocks * options }, () =>
      random() < 0.1
        ? undefined
        : Array.from({ length: random() < 0.4 ? whole(2) : 0 }, () => whole(rules - 1)),
    )
    const sums = Array.from({ length: 5 }, () => ({
      rule: whole(rules - 1),
      least: random() < 0.4 ? whole(2) : 0,
      most: random() < 0.7 ? whole(2) : 99,
      isOrNone: random() < 0.4,
      cells: bars.flatMap((_, at) =>
        random() < 0.5
          ? [
              {
                i: Math.floor(at / options / blocks),
                b: Math.floor(at / options) % blocks,
                o: at % options,
              },
            ]
          : [],
      ),
    }))
    return {
      ...shape,
      sizeOf: () => 1,
      barsOf: (i, b, o) => bars[(i * blocks + b) * options + o],
      sums,
    }
  })

/** The fewest rules that any solution breaks, by looking at all; undefined when a cell is closed for good. */
const fewestOf = ({ students, blocks, options, barsOf, sums }: RuleSystem): number | undefined => {
  const cells = students * blocks
  const chosen = new Array<number>(cells).fill(0)
  let best: number | undefined
  for (;;) {
    const broken = new Set<number>()
    const isThere = chosen.every((o, at) => {
      const bars = barsOf(Math.floor(at / blocks), at % blocks, o)
      for (const rule of bars ?? []) broken.add(rule)
      return bars !== undefined
    })
    for (const { rule, least, most, isOrNone = false, cells: members } of sums) {
      const count = members.filter(({ i, b, o }) => chosen[i * blocks + b] === o).length
      if ((count < least && !(isOrNone && count === 0)) || count > most) broken.add(rule)
    }
    if (isThere && (best === undefined || broken.size < best)) best = broken.size
    let at = 0
    while (at < cells && chosen[at] === options - 1) chosen[at++] = 0
    if (at === cells) return best
    chosen[at] = (chosen[at] ?? 0) + 1
  }
}

test('the set of rules that give way is the smallest there is, and does', () => {
  let found = 0
  fc.assert(
    fc.property(system, (each) => {
      const relaxation = relaxFewest(highs, each, { mostColumns: 1_000 })
      // A least that more is asked of than there are cells cannot be met by any solution, but its rule can give way.
      expect(relaxation?.relaxed.length).toBe(fewestOf(each))
      if (!relaxation) return
      expect(relaxation.isProved).toBe(true)
      if (relaxation.relaxed.length > 1) found++
      const free = new Set(relaxation.relaxed.map(({ rule }) => rule))
      expect(
        fewestOf({
          ...each,
          barsOf: (i, b, o) => each.barsOf(i, b, o)?.filter((rule) => !free.has(rule)),
          sums: each.sums.map((sum, index) => {
            const by = relaxation.relaxed
              .flatMap(({ passed }) => passed)
              .filter((passed) => passed.sum === index)
              .reduce((all, passed) => Math.max(all, passed.by), 0)
            return { ...sum, least: sum.least - by, most: sum.most + by }
          }),
        }),
      ).toBe(0)
    }),
    { numRuns: 500 },
  )
  expect(found).toBeGreaterThan(20)
})

test('it says nothing when the program would be too large', () => {
  const open: RuleSystem = {
    students: 10,
    blocks: 2,
    options: 5,
    rules: 1,
    sizeOf: () => 1,
    barsOf: () => [],
    sums: [],
  }
  expect(relaxFewest(highs, open, { mostColumns: 50 })).toBeUndefined()
  expect(relaxFewest(highs, open, { mostColumns: 500 })).toEqual({ relaxed: [], isProved: true })
})
