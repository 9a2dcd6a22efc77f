import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomPlan } from '#server/test/sample-plans.ts'
import { indexPlan } from '../plan/indexed-plan.rules.ts'
import { rankingOf } from '../plan/plan.rules.ts'
import { brokenRules, costOf, randomFrom, type Solution } from '../solve/instance.solver.ts'
import { instanceOf } from '../solve/plan-instance.rules.ts'
import type { Drafted } from './draft.rules.ts'
import { explain, explainToStudent, forceInBlock, reasonIn } from './explain.rules.ts'

/** A draft of a small plan as chance or a hand has put it: it keeps the rules and is not the best. */
const drafted = fc.integer({ min: 1, max: 10_000_000 }).map((seed): Drafted => {
  const random = randomFrom(seed + 1)
  const whole = (most: number) => Math.floor(random() * (most + 1))
  const plan = randomPlan(seed)
  const indexed = indexPlan(plan)
  const weights = {
    Rank: whole(100),
    Distance: 0,
    Fairness: whole(100),
    Changes: random() < 0.4 ? whole(100) : 0,
    Load: random() < 0.4 ? whole(100) : 0,
    Needs: 0,
  }
  const { instance: free } = instanceOf(indexed, { weights, places: [], cells: [] })
  const solution = new Int16Array(plan.Students.length * indexed.blocks).fill(-1)
  for (let at = 0; at < solution.length; at++) {
    const before = solution[at] ?? -1
    solution[at] = whole(indexed.options.length) - 1
    if (brokenRules(free, solution).length > 0) solution[at] = before
  }
  // Where sites take so many or none, several come at once.
  for (const [s, { AtLeast }] of plan.Sites.entries())
    for (let b = 0; b < indexed.blocks; b++) {
      const o = indexed.options.findIndex(({ site }) => site === s)
      const before = solution.slice()
      for (let i = 0; i < Math.min(AtLeast ?? 0, plan.Students.length); i++)
        solution[i * indexed.blocks + b] = o
      if (brokenRules(free, solution).length > 0) solution.set(before)
    }
  const fixed = free.fixed.slice()
  const allowed = free.allowed.slice()
  for (const [at, o] of solution.entries()) {
    if (o < 0 || random() > 0.15) continue
    fixed[at] = o
    allowed.fill(0, at * indexed.options.length, (at + 1) * indexed.options.length)
    allowed[at * indexed.options.length + o] = 1
  }
  return { indexed, instance: { ...free, fixed, allowed }, solution }
})

/** Every way in which a block can be while all others and all locked places stay. */
const everyBlock = function* ({ instance, solution }: Drafted, b: number): Generator<Solution> {
  const { students, blocks, options, fixed } = instance
  const free = Array.from({ length: students }, (_, i) => i * blocks + b).filter(
    (at) => (fixed[at] ?? -1) < 0,
  )
  const next = solution.slice()
  for (const at of free) next[at] = -1
  for (;;) {
    if (brokenRules(instance, next).length === 0) yield next.slice()
    let place = 0
    while (place < free.length && next[free[place]!] === options - 1) next[free[place++]!] = -1
    if (place === free.length) return
    const at = free[place]!
    next[at] = next[at]! + 1
  }
}

test('what a reason says is true: forcing the better choice costs exactly what it names, and nothing cheaper is possible', () => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(drafted, (each) => {
      const { indexed, instance, solution } = each
      const { plan, blocks, options } = indexed
      const before = costOf(instance, solution)
      for (const i of plan.Students.keys())
        for (let b = 0; b < blocks; b++) {
          const at = i * blocks + b
          const ways = [...everyBlock(each, b)].map((way) => ({
            site: options[way[at] ?? -1]?.SiteId,
            cost: costOf(instance, way),
            moves: way.reduce((sum, o, cell) => sum + Number(o !== solution[cell]), 0),
          }))
          const why = explain(each, i, b)
          const own = options[solution[at] ?? -1]
          const ranking = rankingOf(plan, i, b)
          const rank = own ? ranking.indexOf(own.SiteId) : -1
          const above = rank < 0 ? ranking : ranking.slice(0, rank)
          expect(why.filter(({ IsOwn }) => !IsOwn).map(({ SiteId }) => SiteId)).toEqual([...above])
          for (const { SiteId, Text, IsOwn, IsPossible } of why) {
            if (IsOwn) continue
            kinds.add(Text.replace(/\d+/g, 'n').split(':')[0]!)
            const there = ways.filter(({ site }) => site === SiteId)
            const best = Math.min(...there.map(({ cost }) => cost))
            expect(IsPossible).toBe(there.length > 0)
            const s = plan.Sites.findIndex(({ Id }) => Id === SiteId)
            const forced = forceInBlock(each, i, b, s)
            expect(forced !== undefined).toBe(there.length > 0)
            if (forced) {
              expect(forced.cost).toBe(best - before)
              expect(brokenRules(instance, forced.solution)).toEqual([])
              expect(options[forced.solution[at] ?? -1]?.SiteId).toBe(SiteId)
              // It moves no one without a gain.
              const fewest = Math.min(...there.filter(({ cost }) => cost === best).map(({ moves }) => moves))
              expect(forced.solution.reduce((sum, o, cell) => sum + Number(o !== solution[cell]), 0)).toBe(
                fewest,
              )
            }
            const alone = there.filter(({ moves }) => moves === 1).map(({ cost }) => cost - before)
            const isLocked = (instance.fixed[at] ?? -1) >= 0
            if (Text.startsWith('A place is free') && !isLocked) {
              expect(alone.length).toBeGreaterThan(0)
              const least = Math.min(...alone)
              if (Text.includes('weigh against')) expect(least).toBeGreaterThan(0)
              if (Text.includes('as good')) expect(least).toBe(0)
              if (Text.includes('be better')) expect(least).toBeLessThan(0)
            } else expect(alone).toEqual([])
            const said = /^(?:All (\d+) places are|The only place is) taken: (.*)\.$/.exec(Text)
            if (said) {
              const parts = said[2]!.split(', ').map((part) => Number.parseInt(part, 10))
              expect(parts.reduce((sum, count) => sum + count, 0)).toBe(Number(said[1] ?? 1))
              const holders = plan.Students.flatMap((other, j) =>
                options[solution[j * blocks + b] ?? -1]?.SiteId === SiteId ? [{ other, j }] : [],
              )
              expect(holders.length).toBeGreaterThanOrEqual(Number(said[1] ?? 1))
              const locked = /(\d+) locked/.exec(Text)
              if (locked)
                expect(
                  holders.filter(({ j }) => (instance.fixed[j * blocks + b] ?? -1) >= 0).length,
                ).toBeGreaterThanOrEqual(Number(locked[1]))
            }
            if (Text.startsWith('Not possible') || Text.startsWith('No ') || Text.startsWith('Has as many'))
              expect(there).toEqual([])
          }
          const told = explainToStudent(each, i, b)
          expect(told).not.toMatch(/Last|First\d/)
          expect(reasonIn(told, 'en')).toBe(told)
          expect(reasonIn(told, 'es')).not.toMatch(/\b(?:the|you|your|was|were|others|goals)\b/i)
        }
    }),
    { numRuns: 400 },
  )
  // Every kind of reason came up.
  expect(kinds.size).toBeGreaterThanOrEqual(8)
})
