import { boundOf } from './bound.ts'
import { type BlockCosts, solveBlock } from './flow.ts'
import { type Assignment, costOf, countIn, type Instance, isSeparable, randomFrom } from './instance.ts'
import type { Highs } from './linear.ts'
import { improveStudents } from './neighborhood.ts'

/** Where a run is. The draft is always one that could be kept. */
export interface Progress {
  phase: 'starting' | 'improving' | 'done'
  assignment: Assignment
  cost: number
  /** No draft costs less. */
  bound: number
  step: number
  steps: number
}

export interface SolveOptions {
  seed: number
  /** How often it tries to improve; more for a better draft. The answer depends on it, never on time. */
  steps: number
  /** A draft to go on from. */
  from?: Assignment
}

/** Most columns for which the whole plan is one integer program. */
const wholeColumns = 2_500

const far = Number.POSITIVE_INFINITY

/** How far a draft is above the bound: 0.006 is 0.6 %. */
export const gapOf = ({ cost, bound }: Pick<Progress, 'cost' | 'bound'>): number =>
  cost <= bound ? 0 : bound === 0 ? 1 : (cost - bound) / bound

/** Students' blocks in each category without one block, kept up as blocks change. */
class Counts {
  readonly counts: Int16Array[]
  private readonly instance: Instance

  constructor(instance: Instance, assignment: Assignment) {
    this.instance = instance
    this.counts = instance.categories.map((limits) =>
      Int16Array.from({ length: instance.students }, (_, i) => countIn(instance, limits, assignment, i)),
    )
  }

  add(i: number, o: number, by: 1 | -1): void {
    if (o < 0) return
    for (const [k, { has }] of this.instance.categories.entries()) {
      const of = this.counts[k]
      if (of && has[o] === 1) of[i] = (of[i] ?? 0) + by
    }
  }
}

/**
 * What each option of a block costs a student while her other blocks stay: its price, what it lacks of experiences, changes of site, and
 * Infinity where it would break a rule. The sum over all is exact, so the best block makes no draft worse.
 */
const costsOfBlock = (
  instance: Instance,
  assignment: Assignment,
  block: number,
  counts: Counts,
  bonus?: (i: number, o: number) => number,
): BlockCosts => {
  const { students, blocks, options, siteOf, allowed, cost, categories, fixed, changeCost } = instance
  const costs = new Float64Array(students * options).fill(far)
  for (let i = 0; i < students; i++) {
    const own = assignment[i * blocks + block] ?? -1
    const isFixed = (fixed[i * blocks + block] ?? -1) >= 0
    const before = block > 0 ? (assignment[i * blocks + block - 1] ?? -1) : -1
    const after = block + 1 < blocks ? (assignment[i * blocks + block + 1] ?? -1) : -1
    for (let o = 0; o < options; o++) {
      if (allowed[(i * blocks + block) * options + o] !== 1) continue
      let price = cost[i * options + o] ?? 0
      for (const [k, { has, least, most }] of categories.entries()) {
        if (has[o] !== 1) continue
        const others = (counts.counts[k]?.[i] ?? 0) - (own >= 0 && has[own] === 1 ? 1 : 0)
        if (others >= (most[i] ?? blocks) && !isFixed) {
          price = far
          break
        }
        if (others < (least[i] ?? 0)) price -= instance.missingCost
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

const putBlock = (
  { students, blocks }: Instance,
  assignment: Assignment,
  block: number,
  placed: Int16Array,
  counts: Counts,
): void => {
  for (let i = 0; i < students; i++) {
    const before = assignment[i * blocks + block] ?? -1
    const after = placed[i] ?? -1
    if (before === after) continue
    counts.add(i, before, -1)
    counts.add(i, after, 1)
    assignment[i * blocks + block] = after
  }
}

/** One block after the other, drawn to what the bound would give each student and has not been given yet. */
const build = (instance: Instance, shares: Float64Array): Assignment => {
  const { students, blocks, options, fixed } = instance
  const assignment = new Int16Array(students * blocks).fill(-1)
  for (let at = 0; at < assignment.length; at++) assignment[at] = fixed[at] ?? -1
  const counts = new Counts(instance, assignment)
  const left = shares.slice()
  for (let i = 0; i < students; i++)
    for (let b = 0; b < blocks; b++) {
      const o = fixed[i * blocks + b] ?? -1
      if (o >= 0) left[i * options + o] = (left[i * options + o] ?? 0) - 1
    }
  const draw = 2 * Math.max(1, ...instance.cost)
  for (let block = 0; block < blocks; block++) {
    // Who has not many blocks left for what she lacks goes first.
    const urgency = (i: number, o: number) =>
      draw * Math.min(1, Math.max(0, left[i * options + o] ?? 0)) +
      instance.categories.reduce((sum, { has, least }, k) => {
        const lacks = (least[i] ?? 0) - (counts.counts[k]?.[i] ?? 0)
        return has[o] === 1 && lacks > 0 ? sum + (lacks / (blocks - block)) * draw - instance.missingCost + draw : sum
      }, 0)
    const placed = solveBlock(instance, block, costsOfBlock(instance, assignment, block, counts, urgency))
    putBlock(instance, assignment, block, placed, counts)
    for (let i = 0; i < students; i++) {
      const o = placed[i] ?? -1
      if (o >= 0 && (fixed[i * blocks + block] ?? -1) < 0) left[i * options + o] = (left[i * options + o] ?? 0) - 1
    }
  }
  return assignment
}

const shuffled = (count: number, random: () => number): number[] => {
  const order = Array.from({ length: count }, (_, index) => index)
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const kept = order[at] ?? 0
    order[at] = order[other] ?? 0
    order[other] = kept
  }
  return order
}

const columnsOf = ({ allowed }: Instance): number => allowed.reduce((sum, each) => sum + each, 0)

/** Students in the order of what their places cost them above the least that they could, the unluckiest first. */
const byLoss = (instance: Instance, assignment: Assignment, shares: Float64Array): number[] => {
  const { students, blocks, options, cost } = instance
  const losses = Array.from({ length: students }, (_, i) => {
    let loss = 0
    for (let b = 0; b < blocks; b++) {
      const o = assignment[i * blocks + b] ?? -1
      loss += o < 0 ? instance.unplacedCost : (cost[i * options + o] ?? 0)
    }
    for (let o = 0; o < options; o++) loss -= (cost[i * options + o] ?? 0) * (shares[i * options + o] ?? 0)
    for (const limits of instance.categories)
      loss += instance.missingCost * Math.max(0, (limits.least[i] ?? 0) - countIn(instance, limits, assignment, i))
    return loss
  })
  return losses.map((_, i) => i).toSorted((one, other) => (losses[other] ?? 0) - (losses[one] ?? 0) || one - other)
}

/**
 * Solves a plan step by step; each value could be kept as a draft, and none is worse than the one before. Plans whose blocks do not touch
 * each other are solved exactly by flows, small ones exactly by one integer program; all others begin with the bound, follow it block by
 * block, and improve by blocks and by groups of students. The same instance, seed and steps give the same values.
 */
export function* solve(highs: Highs, instance: Instance, { seed, steps, from }: SolveOptions): Generator<Progress> {
  const { students, blocks } = instance
  const counts = (assignment: Assignment) => new Counts(instance, assignment)
  if (isSeparable(instance)) {
    const assignment = new Int16Array(students * blocks).fill(-1)
    const kept = counts(assignment)
    for (let block = 0; block < blocks; block++)
      putBlock(instance, assignment, block, solveBlock(instance, block, costsOfBlock(instance, assignment, block, kept)), kept)
    const cost = costOf(instance, assignment)
    yield { phase: 'done', assignment, cost, bound: cost, step: 1, steps: 1 }
    return
  }
  const random = randomFrom(seed)
  const { value, shares } = boundOf(instance)
  let assignment = from?.slice() ?? build(instance, shares)
  let cost = costOf(instance, assignment)
  let bound = value
  const state = (phase: Progress['phase'], step: number): Progress => ({
    phase,
    assignment,
    cost,
    bound: Math.min(bound, cost),
    step,
    steps,
  })
  yield state('starting', 0)
  const columns = columnsOf(instance)
  if (columns <= wholeColumns && instance.changeCost === 0 && instance.loadCost === 0) {
    const whole = improveStudents(highs, instance, assignment, Array.from({ length: students }, (_, i) => i), 20_000)
    const better = costOf(instance, whole)
    if (better <= cost) {
      assignment = whole
      cost = better
    }
    bound = cost
    yield state('done', steps)
    return
  }
  const perStudent = Math.max(1, columns / students)
  let size = Math.max(2, Math.min(students, Math.floor(4_000 / perStudent)))
  let idle = 0
  for (let step = 1; step <= steps && gapOf({ cost, bound }) > 0.0005; step++) {
    const next = assignment.slice()
    const before = cost
    if (step === 1 || idle >= 3) {
      const kept = counts(next)
      for (const block of shuffled(blocks, random)) {
        const placed = solveBlock(instance, block, costsOfBlock(instance, next, block, kept))
        putBlock(instance, next, block, placed, kept)
      }
      idle = 0
      const better = costOf(instance, next)
      if (better < cost) {
        assignment = next
        cost = better
      }
    } else {
      const ranked = byLoss(instance, assignment, shares)
      const others = shuffled(students, random)
      const chosen = new Set<number>()
      for (let at = 0; chosen.size < size && at < students; at++) {
        // Half of them unlucky ones, not always the same, and half anybody.
        const unlucky = ranked[Math.floor(random() ** 2 * students)] ?? 0
        chosen.add(unlucky)
        if (chosen.size < size) chosen.add(others[at] ?? 0)
      }
      const moved = improveStudents(highs, instance, assignment, [...chosen].toSorted((a, b) => a - b), 30)
      const better = costOf(instance, moved)
      if (better < cost) {
        assignment = moved
        cost = better
      }
    }
    if (cost >= before) idle++
    else idle = 0
    if (idle === 2) size = Math.max(2, Math.floor(size * 0.8))
    yield state('improving', step)
  }
  yield state('done', steps)
}
