import type { BlockCosts } from './flow.solver.ts'
import { costRow, countIn, type Instance, lackCostOf, mostOf, type Solution } from './instance.solver.ts'

/** How many blocks each student has in each category, updated as blocks change: [k][i]. */
export class Counts {
  readonly counts: Int16Array[]
  private readonly instance: Instance

  constructor(instance: Instance, solution: Solution) {
    this.instance = instance
    this.counts = instance.categories.map((limits) =>
      Int16Array.from({ length: instance.students }, (_, i) => countIn(instance, limits, solution, i)),
    )
  }

  add(i: number, o: number, by: 1 | -1): void {
    if (o < 0) return
    for (const [k, { has }] of this.instance.categories.entries()) {
      const of = this.counts[k]
      if (of && has[o] === 1) of[i] = (of[i] ?? 0) + by
    }
  }

  /** Puts what a block holds now into a solution. */
  putBlock(solution: Solution, block: number, placed: Int16Array): void {
    const { students, blocks } = this.instance
    for (let i = 0; i < students; i++) {
      const before = solution[i * blocks + block] ?? -1
      const after = placed[i] ?? -1
      if (before === after) continue
      this.add(i, before, -1)
      this.add(i, after, 1)
      solution[i * blocks + block] = after
    }
  }
}

const far = Number.POSITIVE_INFINITY

/**
 * What each option of a block costs a student while their other blocks stay: its price, what it gives toward experiences, changes of site,
 * and Infinity if it would break a rule. The sum over all students is exact, so the best block makes no draft worse.
 *
 * @param bonus deducted, in whole numbers, to draw students somewhere
 */
export const costsOfBlock = (
  instance: Instance,
  solution: Solution,
  block: number,
  { counts }: Counts,
  bonus?: (i: number, o: number) => number,
): BlockCosts => {
  const { students, blocks, options, siteOf, allowed, cost, categories, fixed, changeCost } = instance
  const kinds = Array.from({ length: options }, (_, o) =>
    [...categories.keys()].filter((k) => categories[k]?.has[o] === 1),
  )
  const highest = categories.map((limits) =>
    Int16Array.from({ length: students }, (_, i) => mostOf(instance, limits, i)),
  )
  const costs = new Float64Array(students * options).fill(far)
  for (let i = 0; i < students; i++) {
    const at = i * blocks + block
    const own = solution[at] ?? -1
    const row = costRow(instance, i, block)
    const isFixed = (fixed[at] ?? -1) >= 0
    const before = block > 0 ? (solution[at - 1] ?? -1) : -1
    const after = block + 1 < blocks ? (solution[at + 1] ?? -1) : -1
    for (let o = 0; o < options; o++) {
      if (allowed[at * options + o] !== 1) continue
      // The flow knows only one price of having no place, so a locked or accepted place is made cheaper by the difference.
      let price = (cost[row + o] ?? 0) - (isFixed ? instance.unplacedCost : 0)
      for (const k of kinds[o] ?? []) {
        const limits = categories[k]
        const others = (counts[k]?.[i] ?? 0) - (own >= 0 && limits?.has[own] === 1 ? 1 : 0)
        if (others >= (highest[k]?.[i] ?? blocks)) {
          price = far
          break
        }
        if (limits && others < (limits.least[i] ?? 0)) price -= lackCostOf(instance, limits)
        if (limits?.softCost && others >= (limits.most[i] ?? blocks)) price += limits.softCost
      }
      if (price === far) continue
      if (changeCost > 0) {
        if (before >= 0 && siteOf[before] !== siteOf[o]) price += changeCost
        if (after >= 0 && siteOf[after] !== siteOf[o]) price += changeCost
      }
      costs[i * options + o] = price - Math.round(bonus?.(i, o) ?? 0)
    }
  }
  return costs
}
