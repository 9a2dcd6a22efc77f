/**
 * A plan as the solver gets it: students, blocks, options and sites by their position, and what each choice costs in whole numbers.
 * All arrays are flat: `places[o * blocks + b]`, `allowed[(i * blocks + b) * options + o]`, costs as `costRow` says.
 */
export interface Instance {
  students: number
  blocks: number
  options: number
  sites: number
  siteOf: Int32Array
  optionPlaces: Int32Array
  sitePlaces: Int32Array
  allowed: Uint8Array
  /** What is locked or accepted, or -1. It takes precedence, and may exceed the limits of a category. */
  fixed: Int16Array
  /** The fewest students of a site in a block unless it has none, [s × blocks + b]; 0 if any number may be there. */
  siteLeast: Int32Array
  /** Per block, not below 0: [i × options + o], or [(i × blocks + b) × options + o] if blocks differ. */
  cost: Int32Array
  /** For each change of site from one block to the next. */
  changeCost: number
  /** For filling a site: the n-th student costs n times this, divided by its places. */
  loadCost: number
  /** For a block without a place. */
  unplacedCost: number
  /** For a block that an experience lacks. */
  missingCost: number
  categories: readonly Limits[]
}

/** How many blocks each student has at some of the options. */
export interface Limits {
  has: Uint8Array
  least: Int16Array
  most: Int16Array
  /** If the limits are wishes, what each block too few or too many costs. Otherwise a block too few costs `missingCost`, and nobody has too many. */
  softCost?: number
  /** Set for what all students are to have the same number of: it comes before all other wishes, the lowest level first. */
  level?: number
  /** Whether any number will do as long as all have the same: `least` is a likely one, and `most` one more. */
  isFree?: boolean
}

/** What each block costs that a student lacks in a category. */
export const lackCostOf = ({ missingCost }: Instance, { softCost }: Limits): number => softCost ?? missingCost

/** Where the costs of a student in a block begin. */
export const costRow = ({ cost, students, blocks, options }: Instance, i: number, b: number): number =>
  (cost.length === students * options ? i : i * blocks + b) * options

/** What each option costs a student in their cheapest block for it: [i × options + o]. */
export const cheapestCosts = (instance: Instance): Int32Array => {
  const { students, blocks, options, cost, allowed } = instance
  if (cost.length === students * options) return cost
  const cheapest = new Int32Array(students * options).fill(-1)
  for (let at = 0; at < cost.length; at++) {
    if (allowed[at] !== 1) continue
    const i = Math.floor(at / (blocks * options))
    const to = i * options + (at % options)
    const known = cheapest[to] ?? -1
    if (known < 0 || (cost[at] ?? 0) < known) cheapest[to] = cost[at] ?? 0
  }
  return cheapest.map((each) => Math.max(0, each))
}

/** What the solver answers, [i × blocks + b]: the option, or -1 without a place. */
export type Solution = Int16Array

/** Whether blocks are independent: what a student gets in one changes nothing in the others. */
export const isSeparable = ({ changeCost, categories, blocks }: Instance): boolean =>
  changeCost === 0 &&
  categories.every(
    ({ least, most }) => least.every((each) => each === 0) && most.every((each) => each >= blocks),
  )

/** What a block without a place costs: twice as much if the student had one locked or accepted. */
export const unplacedCostAt = ({ fixed, unplacedCost }: Instance, at: number): number =>
  (fixed[at] ?? -1) >= 0 ? 2 * unplacedCost : unplacedCost

/** The price of the n-th student (from 0) of a site with so many places. */
export const loadPrice = (loadCost: number, n: number, places: number): number =>
  loadCost === 0 || places === 0 ? 0 : Math.floor((loadCost * (2 * n + 1)) / (2 * places))

/** Blocks that a student has in a category. */
export const countIn = (
  { blocks }: Instance,
  { has }: Limits,
  solution: Solution,
  i: number,
  without = -1,
): number => {
  let count = 0
  for (let b = 0; b < blocks; b++) {
    const o = solution[i * blocks + b] ?? -1
    if (b !== without && o >= 0 && has[o] === 1) count++
  }
  return count
}

/** The most blocks that a student may have in a category: what is locked or accepted stays, even above the limit; for a wish, any number. */
export const mostOf = (instance: Instance, limits: Limits, i: number): number =>
  limits.softCost !== undefined
    ? instance.blocks
    : Math.min(
        instance.blocks,
        Math.max(limits.most[i] ?? instance.blocks, countIn(instance, limits, instance.fixed, i)),
      )

/** What a solution costs in total; less is better. */
export const costOf = (instance: Instance, solution: Solution): number => {
  const { students, blocks, siteOf, cost, categories } = instance
  let sum = 0
  for (let i = 0; i < students; i++) {
    for (let b = 0; b < blocks; b++) {
      const o = solution[i * blocks + b] ?? -1
      if (o < 0) sum += unplacedCostAt(instance, i * blocks + b)
      else {
        sum += cost[costRow(instance, i, b) + o] ?? 0
        const before = b > 0 ? (solution[i * blocks + b - 1] ?? -1) : -1
        if (instance.changeCost > 0 && before >= 0 && siteOf[before] !== siteOf[o]) sum += instance.changeCost
      }
    }
    for (const limits of categories) {
      const least = limits.least[i] ?? 0
      const { softCost = 0 } = limits
      if (least === 0 && softCost === 0) continue
      const count = countIn(instance, limits, solution, i)
      sum += lackCostOf(instance, limits) * Math.max(0, least - count)
      sum += softCost * Math.max(0, count - (limits.most[i] ?? blocks))
    }
  }
  if (instance.loadCost > 0) {
    const used = new Int32Array(instance.sites * blocks)
    for (let i = 0; i < students; i++)
      for (let b = 0; b < blocks; b++) {
        const o = solution[i * blocks + b] ?? -1
        if (o < 0) continue
        const at = (siteOf[o] ?? 0) * blocks + b
        sum += loadPrice(instance.loadCost, used[at] ?? 0, instance.sitePlaces[at] ?? 0)
        used[at] = (used[at] ?? 0) + 1
      }
  }
  return sum
}

/** Hard rules that a solution breaks; none in any draft. For tests, and as a last check before a draft is saved. */
export const brokenRules = (instance: Instance, solution: Solution): string[] => {
  const { students, blocks, options, siteOf } = instance
  const broken: string[] = []
  const used = new Int32Array(options * blocks)
  const usedOfSite = new Int32Array(instance.sites * blocks)
  for (let i = 0; i < students; i++) {
    for (let b = 0; b < blocks; b++) {
      const o = solution[i * blocks + b] ?? -1
      if (o < 0) continue
      if (instance.allowed[(i * blocks + b) * options + o] !== 1) broken.push(`allowed ${i} ${b} ${o}`)
      used[o * blocks + b] = (used[o * blocks + b] ?? 0) + 1
      const s = (siteOf[o] ?? 0) * blocks + b
      usedOfSite[s] = (usedOfSite[s] ?? 0) + 1
    }
    for (const [k, limits] of instance.categories.entries()) {
      if (countIn(instance, limits, solution, i) > mostOf(instance, limits, i)) broken.push(`most ${i} ${k}`)
    }
  }
  for (const [at, count] of used.entries())
    if (count > (instance.optionPlaces[at] ?? 0)) broken.push(`option ${at}`)
  for (const [at, count] of usedOfSite.entries())
    if (count > (instance.sitePlaces[at] ?? 0)) broken.push(`site ${at}`)
    else if (count > 0 && count < (instance.siteLeast[at] ?? 0)) broken.push(`fewest ${at}`)
  return broken
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
