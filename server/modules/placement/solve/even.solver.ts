import { Counts, costsOfBlock } from './block-costs.solver.ts'
import { solveBlock } from './flow.solver.ts'
import { brokenRules, type Instance, type Limits, randomFrom, type Solution } from './instance.solver.ts'

/**
 * How uneven a draft is, most important number first: what has no place or lacks what a rule asks, then each level of what
 * all are to have the same number of, in blocks too few or too many.
 */
export type Unevenness = readonly number[]

/** How much a block without a place counts, relative to a block that an experience lacks. */
export const unplacedParts = 4

/** Whether a limit asks something of a student. */
export const asks = ({ least, most }: Limits, blocks: number, i: number): boolean =>
  (least[i] ?? 0) > 0 || (most[i] ?? blocks) < blocks

const beyond = (count: number, least: number, most: number): number =>
  Math.max(0, least - count) + Math.max(0, count - most)

/** The number that fits best if any will do as long as all have the same, with or without one more. */
const commonLeast = (counts: readonly number[]): number => {
  let best = 0
  let fewest = Number.POSITIVE_INFINITY
  for (let least = 0; least <= Math.max(0, ...counts); least++) {
    const sum = counts.reduce((all, count) => all + beyond(count, least, least + 1), 0)
    if (sum < fewest) {
      fewest = sum
      best = least
    }
  }
  return best
}

/** What students have of a limit that asks something of them. */
const countsOf = (
  { blocks, students }: Instance,
  limits: Limits,
  counts: Int16Array | undefined,
): number[] => {
  const own: number[] = []
  for (let i = 0; i < students; i++) if (asks(limits, blocks, i)) own.push(counts?.[i] ?? 0)
  return own
}

/** How many levels an instance has of what all are to have the same number of; 0 if none. */
export const levelCount = ({ categories }: Instance): number =>
  categories.reduce((most, { level = -1 }) => Math.max(most, level + 1), 0)

const unevennessBy = (instance: Instance, solution: Solution, { counts }: Counts): number[] => {
  const { students, blocks, categories } = instance
  const sums = new Array<number>(1 + levelCount(instance)).fill(0)
  for (const o of solution) if (o < 0) sums[0] = (sums[0] ?? 0) + unplacedParts
  for (const [k, limits] of categories.entries()) {
    const { level, softCost, isFree, least, most } = limits
    if (level === undefined && softCost !== undefined) continue
    const at = level === undefined ? 0 : level + 1
    const common = isFree ? commonLeast(countsOf(instance, limits, counts[k])) : undefined
    let sum = 0
    for (let i = 0; i < students; i++) {
      if (!asks(limits, blocks, i)) continue
      const count = counts[k]?.[i] ?? 0
      if (level === undefined) sum += Math.max(0, (least[i] ?? 0) - count)
      else
        sum += beyond(count, common ?? least[i] ?? 0, common === undefined ? (most[i] ?? blocks) : common + 1)
    }
    sums[at] = (sums[at] ?? 0) + sum
  }
  return sums
}

/** How uneven a draft is. */
export const unevennessOf = (instance: Instance, solution: Solution): Unevenness =>
  unevennessBy(instance, solution, new Counts(instance, solution))

/** Compares two drafts: below 0 if the first is more even. */
export const compareUneven = (one: Unevenness, other: Unevenness): number => {
  for (const [at, value] of one.entries()) {
    const difference = value - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether everybody has a place, everything that is asked, and the same numbers, or is as near to that as possible. */
export const isEven = (uneven: Unevenness, fewest: Unevenness = []): boolean =>
  uneven.every((each, at) => each <= (fewest[at] ?? 0))

/** What being without a place costs if nothing weighs more than wishes. */
export const placesFirst = (instance: Instance): Pick<Instance, 'unplacedCost' | 'missingCost'> => {
  const dearest =
    instance.cost.reduce((most, each) => Math.max(most, each), 1) +
    2 * instance.changeCost +
    instance.loadCost +
    instance.categories.reduce(
      (sum, { level, softCost = 0 }) => sum + (level === undefined ? softCost : 0),
      0,
    )
  const unplacedCost = Math.min(instance.unplacedCost, dearest * (instance.options + 2))
  return { unplacedCost, missingCost: Math.round(unplacedCost / 4) }
}

/**
 * An instance in which no draft is less even than this one for any student: evenness becomes a rule. If this draft is perfectly even, all
 * perfectly even drafts are in it.
 */
export const heldEven = (instance: Instance, solution: Solution): Instance => {
  const { blocks, students, categories } = instance
  const { counts } = new Counts(instance, solution)
  return {
    ...instance,
    ...placesFirst(instance),
    categories: categories.flatMap((limits, k) => {
      if (limits.level === undefined) return [limits]
      const common = limits.isFree ? commonLeast(countsOf(instance, limits, counts[k])) : undefined
      const least = new Int16Array(students)
      const most = new Int16Array(students).fill(blocks)
      for (let i = 0; i < students; i++) {
        if (!asks(limits, blocks, i)) continue
        const count = counts[k]?.[i] ?? 0
        least[i] = Math.min(count, common ?? limits.least[i] ?? 0)
        most[i] = Math.max(count, common === undefined ? (limits.most[i] ?? blocks) : common + 1)
      }
      return [{ has: limits.has, least, most }]
    }),
  }
}

/** The fewest blocks that must be without a place, whatever else is asked. */
export const fewestUnplaced = (instance: Instance): number => {
  const { students, blocks, options, allowed } = instance
  const free = { ...instance, loadCost: 0, siteLeast: new Int32Array(instance.siteLeast.length) }
  let unplaced = 0
  for (let b = 0; b < blocks; b++) {
    const costs = Float64Array.from({ length: students * options }, (_, at) => {
      const [i, o] = [Math.floor(at / options), at % options]
      return allowed[(i * blocks + b) * options + o] === 1 ? 0 : Number.POSITIVE_INFINITY
    })
    unplaced += solveBlock(free, b, costs).filter((o) => o < 0).length
  }
  return unplaced
}

/** The most rounds without a gain, and the most rounds in all. */
const idleRounds = 120
const mostRounds = 600

/** A draft that is being made more even. */
class Evening {
  readonly solution: Solution
  private readonly instance: Instance
  private readonly counts: Counts
  private readonly random: () => number
  private readonly noise: number
  private readonly used: Int32Array
  private readonly usedOfSite: Int32Array

  constructor(instance: Instance, solution: Solution, random: () => number) {
    this.instance = instance
    this.solution = solution.slice()
    this.counts = new Counts(instance, this.solution)
    this.random = random
    // Less than what is even is worth, so that it decides only between what is.
    this.noise = Math.floor(
      instance.categories.reduce(
        (least, { level, softCost = least }) => (level === undefined ? least : Math.min(least, softCost)),
        instance.missingCost,
      ) / 4,
    )
    this.used = new Int32Array(instance.options * instance.blocks)
    this.usedOfSite = new Int32Array(instance.sites * instance.blocks)
    this.countPlaces()
  }

  private countPlaces(): void {
    this.used.fill(0)
    this.usedOfSite.fill(0)
    for (const [at, o] of this.solution.entries()) if (o >= 0) this.use(o, at % this.instance.blocks, 1)
  }

  private use(o: number, b: number, by: number): void {
    const { blocks, siteOf } = this.instance
    this.used[o * blocks + b] = (this.used[o * blocks + b] ?? 0) + by
    const s = (siteOf[o] ?? 0) * blocks + b
    this.usedOfSite[s] = (this.usedOfSite[s] ?? 0) + by
  }

  get uneven(): number[] {
    return unevennessBy(this.instance, this.solution, this.counts)
  }

  /** Solves a block while the others stay, picking any of the equally good solutions. */
  solve(block: number, draw?: (i: number, o: number) => number): void {
    const costs = costsOfBlock(
      this.instance,
      this.solution,
      block,
      this.counts,
      (i, o) => (draw?.(i, o) ?? 0) + this.random() * this.noise,
    )
    this.counts.putBlock(this.solution, block, solveBlock(this.instance, block, costs))
    this.countPlaces()
  }

  /** Makes a draft block by block: students with few chances left at a site go there first. */
  build(): void {
    const { students, blocks, options, sites, siteOf, allowed, categories } = this.instance
    const chances = new Int32Array(students * sites)
    const seen = new Uint8Array(sites)
    const each = (b: number, by: number) => {
      for (let i = 0; i < students; i++) {
        seen.fill(0)
        for (let o = 0; o < options; o++)
          if (allowed[(i * blocks + b) * options + o] === 1) seen[siteOf[o] ?? 0] = 1
        for (let s = 0; s < sites; s++)
          if (seen[s] === 1) chances[i * sites + s] = (chances[i * sites + s] ?? 0) + by
      }
    }
    for (let b = 0; b < blocks; b++) each(b, 1)
    const ofSite = categories.findIndex(({ level }) => level === 0)
    for (let b = 0; b < blocks; b++) {
      this.solve(b, (i, o) =>
        ofSite < 0 ? 0 : (4 * this.noise) / Math.max(1, (chances[i * sites + (siteOf[o] ?? 0)] ?? 0) * 2),
      )
      each(b, -1)
    }
  }

  private isFull(o: number, b: number): boolean {
    const { blocks, siteOf, optionPlaces, sitePlaces } = this.instance
    const s = (siteOf[o] ?? 0) * blocks + b
    return (
      (this.used[o * blocks + b] ?? 0) > (optionPlaces[o * blocks + b] ?? 0) ||
      (this.usedOfSite[s] ?? 0) > (sitePlaces[s] ?? 0)
    )
  }

  /** Swaps two blocks of a student, and the same two of others whose places that takes, so that everyone's counts stay the same. */
  turn(student: number, one: number, other: number): boolean {
    const { students, blocks, options, allowed, siteOf } = this.instance
    const before = this.solution.slice()
    const undo = () => {
      this.solution.set(before)
      this.countPlaces()
      return false
    }
    const turned = new Set<number>()
    const open = [student]
    while (open.length > 0) {
      const i = open.pop() ?? 0
      if (turned.has(i)) continue
      turned.add(i)
      const [a, b] = [i * blocks + one, i * blocks + other]
      const [atOne, atOther] = [this.solution[a] ?? -1, this.solution[b] ?? -1]
      if (
        (atOther >= 0 && allowed[a * options + atOther] !== 1) ||
        (atOne >= 0 && allowed[b * options + atOne] !== 1)
      )
        return undo()
      this.solution[a] = atOther
      this.solution[b] = atOne
      if (atOne >= 0) {
        this.use(atOne, one, -1)
        this.use(atOne, other, 1)
      }
      if (atOther >= 0) {
        this.use(atOther, other, -1)
        this.use(atOther, one, 1)
      }
      for (const [o, block] of [
        [atOther, one],
        [atOne, other],
      ] as const) {
        if (o < 0 || !this.isFull(o, block)) continue
        const start = Math.floor(this.random() * students)
        let next = -1
        for (let n = 0; n < students && next < 0; n++) {
          const j = (start + n) % students
          const held = this.solution[j * blocks + block] ?? -1
          if (!turned.has(j) && held >= 0 && (held === o || siteOf[held] === siteOf[o])) next = j
        }
        if (next < 0) return undo()
        open.push(next)
      }
    }
    for (let o = 0; o < options; o++) if (this.isFull(o, one) || this.isFull(o, other)) return undo()
    return true
  }

  /** Students who have more or less of something than the others. */
  unevenStudents(): number[] {
    const { students, blocks, categories } = this.instance
    return Array.from({ length: students }, (_, i) => i).filter((i) =>
      categories.some(
        (limits, k) =>
          (limits.level !== undefined || limits.softCost === undefined) &&
          asks(limits, blocks, i) &&
          beyond(this.counts.counts[k]?.[i] ?? 0, limits.least[i] ?? 0, limits.most[i] ?? blocks) > 0,
      ),
    )
  }
}

/**
 * Finds a draft that is as even as possible: everybody placed first, then level by level. It is made block by block; then blocks are solved
 * again while students swap blocks among themselves, until it is even or many rounds have gained nothing. The same instance and seed give
 * the same draft.
 *
 * @param fewest what none of the numbers can go below
 * @param begin called with the part that is done at most, from 0 to 1
 */
export const makeEven = (
  instance: Instance,
  {
    seed,
    from,
    fewest,
    begin = () => {},
  }: {
    seed: number
    from?: Solution | undefined
    fewest: () => Unevenness
    begin?: (part: number) => void
  },
): Solution => {
  const { blocks, students, siteLeast } = instance
  const random = randomFrom(seed)
  const first = new Evening(instance, instance.fixed, random)
  first.build()
  let best = first.solution.slice()
  let least = first.uneven
  if (from?.some((o) => o >= 0) && brokenRules(instance, from).length === 0) {
    const uneven = unevennessOf(instance, from)
    if (compareUneven(uneven, least) <= 0) {
      best = from.slice()
      least = [...uneven]
    }
  }
  const isBest = () => isEven(least) || isEven(least, fewest())
  const mayTurn = blocks > 1 && siteLeast.every((each) => each <= 1)
  const pickBlock = () => Math.floor(random() * blocks)
  let idle = 0
  for (let round = 0; round < mostRounds && idle < idleRounds && !isBest(); round++) {
    begin(round / mostRounds)
    const next = new Evening(instance, best, random)
    const touched = new Set<number>()
    if (mayTurn && round % 4 !== 0) {
      const uneven = next.unevenStudents()
      for (let turns = 1 + Math.floor(random() * 3); turns > 0; turns--) {
        const i =
          uneven.length > 0 && random() < 0.6
            ? (uneven[Math.floor(random() * uneven.length)] ?? 0)
            : Math.floor(random() * students)
        const [one, other] = [pickBlock(), pickBlock()]
        if (one !== other && next.turn(i, one, other)) touched.add(one).add(other)
      }
    }
    touched.add(pickBlock())
    touched.add(pickBlock())
    for (const block of touched) next.solve(block)
    const uneven = next.uneven
    const difference = compareUneven(uneven, least)
    if (difference > 0) {
      idle++
      continue
    }
    idle = difference < 0 ? 0 : idle + 1
    best = next.solution.slice()
    least = uneven
  }
  return best
}
