import { Counts, costsOfBlock } from './block-costs.solver.ts'
import { boundOf, highOf, type Shares } from './bound.solver.ts'
import {
  compareUneven,
  fewestUnplaced,
  heldEven,
  isEven,
  levelCount,
  makeEven,
  placesFirst,
  type Unevenness,
  unevennessOf,
  unplacedParts,
} from './even.solver.ts'
import { costInParts, fewestUneven, solveCost, solveEven } from './exact.solver.ts'
import { exchange } from './exchange.solver.ts'
import { isLarge } from './expectation.solver.ts'
import { solveBlock, solveBlockProved } from './flow.solver.ts'
import {
  cheapestCosts,
  costOf,
  costRow,
  countIn,
  type Instance,
  isSeparable,
  lackCostOf,
  loadPrice,
  mostOf,
  randomFrom,
  type Solution,
  unplacedCostAt,
} from './instance.solver.ts'
import type { Highs } from './linear.solver.ts'
import { improveStudents } from './neighborhood.solver.ts'

/** The progress of a run, with the best draft so far. */
export interface Progress {
  phase: 'starting' | 'improving' | 'done'
  solution: Solution
  cost: number
  /** No draft costs less. */
  bound: number
  step: number
  steps: number
  /** No draft gives all students more alike, which is proved; absent where nothing is to be alike. */
  isEvenest?: boolean
}

export interface SolveOptions {
  seed: number
  /** How often it tries to improve; more for a better draft. The answer depends on it, never on time. */
  steps: number
  /** A draft to go on from; -1 where nobody is placed yet. */
  from?: Solution
  /** Called with the part of the start-up phase that is done, from 0 to 1, before there is a draft to improve. */
  begin?: (part: number) => void
}

/** Most columns for which the whole plan is one integer program, and the nodes that it may look at. */
export const wholeColumns = 2_500
export const wholeNodes = 20_000
/** The same where changes of site, even load or what all are to have alike join everything: with columns, nodes take longer, too. */
const joinedColumns = 800
const joinedWork = 250_000
const joinedNodes = (columns: number): number => Math.min(wholeNodes, Math.ceil(joinedWork / columns))
/** Columns and nodes of the programs that improve the places of some students. */
export const partColumns = 2_000
export const partNodes = 30
/** The same of programs that know changes of site: they are harder, and look at one node. */
const changeColumns = 200
const fewStudents = 3
/** A student's options that such a program looks at besides those of the bound: the cheapest, and of each experience that they need. */
const cheapest = 16
const ofEachNeed = 6
/** A draft this near to the bound is not improved further. */
export const goodGap = 0.0005

/** How far a draft is above the bound: 0.006 is 0.6 %. */
export const gapOf = ({ cost, bound }: Pick<Progress, 'cost' | 'bound'>): number =>
  cost <= bound ? 0 : bound <= 0 ? 1 : (cost - bound) / bound

/** One block after the other, drawn to what the bound would give each student and has not been given yet. */
export const build = (
  instance: Instance,
  shares: Float64Array,
  each: (block: number) => void = () => {},
): Solution => {
  const { students, blocks, options, fixed, categories } = instance
  const solution = fixed.slice()
  const counts = new Counts(instance, solution)
  const left = shares.slice()
  const take = (i: number, o: number) => {
    if (o >= 0) left[i * options + o] = (left[i * options + o] ?? 0) - 1
  }
  for (let at = 0; at < fixed.length; at++) take(Math.floor(at / blocks), fixed[at] ?? -1)
  const draw = 2 * instance.cost.reduce((most, each) => Math.max(most, each), 1)
  for (let block = 0; block < blocks; block++) {
    // Whoever has few blocks left for what they lack goes first.
    const urgency = (i: number, o: number) =>
      draw * Math.min(1, Math.max(0, left[i * options + o] ?? 0)) +
      categories.reduce((sum, limits, k) => {
        const lacks = (limits.least[i] ?? 0) - (counts.counts[k]?.[i] ?? 0)
        if (limits.has[o] !== 1 || lacks <= 0 || limits.softCost !== undefined) return sum
        return sum + (lacks / (blocks - block)) * draw - instance.missingCost + draw
      }, 0)
    const placed = solveBlock(instance, block, costsOfBlock(instance, solution, block, counts, urgency))
    counts.putBlock(solution, block, placed)
    for (let i = 0; i < students; i++) if ((fixed[i * blocks + block] ?? -1) < 0) take(i, placed[i] ?? -1)
    each(block)
  }
  return solution
}

export const shuffled = (count: number, random: () => number): number[] => {
  const order = Array.from({ length: count }, (_, index) => index)
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const kept = order[at] ?? 0
    order[at] = order[other] ?? 0
    order[other] = kept
  }
  return order
}

/** The best of each block while the others stay, once. */
export const improveBlocks = (instance: Instance, solution: Solution, order: readonly number[]): Solution => {
  const next = solution.slice()
  const counts = new Counts(instance, next)
  for (const block of order)
    counts.putBlock(next, block, solveBlock(instance, block, costsOfBlock(instance, next, block, counts)))
  return next
}

/** The options at which it is worth to look for a student in a block: [(i × blocks + b) × options + o]. */
export const worthOf = (instance: Instance, shares: Float64Array): Uint8Array => {
  const { students, blocks, options, cost, categories } = instance
  const isWorth = new Uint8Array(students * blocks * options)
  for (let i = 0; i < students; i++)
    for (let b = 0; b < blocks; b++) {
      const row = costRow(instance, i, b)
      const to = (i * blocks + b) * options
      if (b > 0 && row === costRow(instance, i, b - 1)) {
        isWorth.copyWithin(to, to - options, to)
        continue
      }
      const order = Array.from({ length: options }, (_, o) => o).toSorted(
        (one, other) => (cost[row + one] ?? 0) - (cost[row + other] ?? 0) || one - other,
      )
      for (const o of order.slice(0, cheapest)) isWorth[to + o] = 1
      for (const { has, least } of categories)
        if ((least[i] ?? 0) > 0)
          for (const o of order.filter((each) => has[each] === 1).slice(0, ofEachNeed)) isWorth[to + o] = 1
      for (let o = 0; o < options; o++) if ((shares[i * options + o] ?? 0) > 0.01) isWorth[to + o] = 1
    }
  return isWorth
}

/** Students by how much more their places cost than in the bound, the unluckiest first. */
export const byLoss = (instance: Instance, solution: Solution, shares: Float64Array): number[] => {
  const { students, blocks, options, cost } = instance
  const least = cheapestCosts(instance)
  const losses = Float64Array.from({ length: students }, (_, i) => {
    let loss = 0
    for (let b = 0; b < blocks; b++) {
      const o = solution[i * blocks + b] ?? -1
      loss += o < 0 ? unplacedCostAt(instance, i * blocks + b) : (cost[costRow(instance, i, b) + o] ?? 0)
    }
    for (let o = 0; o < options; o++) loss -= (least[i * options + o] ?? 0) * (shares[i * options + o] ?? 0)
    for (const limits of instance.categories)
      loss +=
        lackCostOf(instance, limits) *
        Math.max(0, (limits.least[i] ?? 0) - countIn(instance, limits, solution, i))
    return loss
  })
  return [...losses.keys()].toSorted((one, other) => (losses[other] ?? 0) - (losses[one] ?? 0) || one - other)
}

/** Picks students: half of them unlucky ones, not always the same, and half at random. */
export const pick = (ranked: readonly number[], size: number, random: () => number): number[] => {
  const others = shuffled(ranked.length, random)
  const chosen = new Set<number>()
  for (const other of others) {
    if (chosen.size >= size) break
    chosen.add(ranked[Math.floor(random() ** 2 * ranked.length)] ?? 0)
    if (chosen.size < size) chosen.add(other)
  }
  return [...chosen].toSorted((one, other) => one - other)
}

/** What the blocks of a plan cost when each is solved for itself at the prices of a bound. */
const costOfBlocks = (
  instance: Instance,
  { ofLimit, ofShared }: Pick<Shares, 'ofLimit' | 'ofShared'>,
): number => {
  const { students, blocks, options, cost, allowed, categories } = instance
  const free = { ...instance, siteLeast: new Int32Array(instance.siteLeast.length) }
  const kinds = Array.from({ length: options }, (_, o) =>
    [...categories.keys()].filter((k) => categories[k]?.has[o] === 1),
  )
  const costs = new Float64Array(students * options)
  let sum = 0
  for (const [k, limits] of categories.entries())
    for (let i = 0; i < students; i++) {
      const price = ofLimit[k * students + i] ?? 0
      const least = limits.least[i] ?? 0
      sum +=
        price * (price > 0 ? least : highOf(instance, limits, i)) +
        Math.min(0, lackCostOf(instance, limits) - price) * least
      if (limits.softCost !== undefined) sum += Math.min(0, limits.softCost + price) * blocks
    }
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < students; i++) {
      const row = costRow(instance, i, block)
      for (let o = 0; o < options; o++) {
        let price = (cost[row + o] ?? 0) - (ofShared[o] ?? 0)
        for (const k of kinds[o] ?? []) price -= ofLimit[k * students + i] ?? 0
        costs[i * options + o] =
          allowed[(i * blocks + block) * options + o] === 1 ? price : Number.POSITIVE_INFINITY
      }
    }
    const placed = solveBlock(free, block, costs)
    const load = new Int32Array(instance.sites)
    for (let i = 0; i < students; i++) {
      const o = placed[i] ?? -1
      sum += o < 0 ? instance.unplacedCost : (costs[i * options + o] ?? 0)
      if (o < 0 || instance.loadCost === 0) continue
      const s = instance.siteOf[o] ?? 0
      sum += loadPrice(instance.loadCost, load[s] ?? 0, instance.sitePlaces[s * blocks + block] ?? 0)
      load[s] = (load[s] ?? 0) + 1
    }
  }
  return sum
}

/**
 * What the blocks of all plans cost when each is solved for itself, with prices on the limits that join them and on what the plans share: no draft is
 * cheaper, whatever the prices are. Sites that take so many or none may have any number in it.
 */
export const boundByBlocks = (
  instances: readonly Instance[],
  { parts, worth }: { parts: readonly Pick<Shares, 'ofLimit' | 'ofShared'>[]; worth: number },
): number => {
  const none = { ofLimit: new Float64Array(0), ofShared: new Float64Array(0) }
  const sum = instances.reduce(
    (all, instance, part) => all + costOfBlocks(instance, parts[part] ?? none),
    worth,
  )
  // Costs are whole numbers, and a bound must not lie above the best of them by what floating point adds.
  return Math.ceil(sum - 1e-9 * Math.abs(sum) - 1e-6)
}

/** How many blocks a student may have at each site, by the limits that are of all shifts of one site: [s]. */
const siteRange = (instance: Instance, i: number): { least: Int32Array; most: Int32Array } => {
  const { sites, options, siteOf, blocks, categories } = instance
  const least = new Int32Array(sites)
  const most = new Int32Array(sites).fill(blocks)
  for (const limits of categories) {
    if (limits.softCost !== undefined) continue
    const own = new Set<number>()
    for (let o = 0; o < options; o++) if (limits.has[o] === 1) own.add(siteOf[o] ?? 0)
    const [s] = own
    if (s === undefined || own.size > 1) continue
    least[s] = Math.max(least[s] ?? 0, limits.least[i] ?? 0)
    if (siteOf.every((site, o) => site !== s || limits.has[o] === 1))
      most[s] = Math.min(most[s] ?? 0, mostOf(instance, limits, i))
  }
  return { least, most }
}

/**
 * What students cost when each had the cheapest places that there are for them, whoever else wants them: no draft is cheaper. In each block
 * the cheapest one, or as often at each site as limits ask. Changes of site are not in it.
 */
const boundByStudents = (instance: Instance): number => {
  const { students, blocks, options, cost, allowed, sites, siteOf, unplacedCost } = instance
  const cheapest = cheapestCosts(instance)
  let sum = 0
  for (let i = 0; i < students; i++) {
    let byBlock = 0
    const ofSite = new Float64Array(sites).fill(Number.POSITIVE_INFINITY)
    for (let b = 0; b < blocks; b++) {
      const row = costRow(instance, i, b)
      let least = unplacedCostAt(instance, i * blocks + b)
      for (let o = 0; o < options; o++) {
        if (allowed[(i * blocks + b) * options + o] !== 1) continue
        least = Math.min(least, cost[row + o] ?? 0)
        const s = siteOf[o] ?? 0
        ofSite[s] = Math.min(ofSite[s] ?? 0, cheapest[i * options + o] ?? 0)
      }
      byBlock += least
    }
    const { least, most } = siteRange(instance, i)
    let left = blocks
    let bySite = 0
    for (let s = 0; s < sites; s++)
      if (ofSite[s] !== Number.POSITIVE_INFINITY) {
        const asked = Math.min(least[s] ?? 0, left)
        // To lack one costs more than the dearest place.
        bySite += asked * Math.min(ofSite[s] ?? 0, instance.missingCost)
        left -= asked
      }
    const order = [...ofSite.keys()].toSorted((one, other) => (ofSite[one] ?? 0) - (ofSite[other] ?? 0))
    for (const s of order) {
      const more = Math.min(left, Math.max(0, (most[s] ?? 0) - (least[s] ?? 0)))
      if (more === 0 || ofSite[s] === Number.POSITIVE_INFINITY) continue
      bySite += more * (ofSite[s] ?? 0)
      left -= more
    }
    bySite += left * unplacedCost
    const isAsked = least.reduce((all, each) => all + each, 0) <= blocks
    sum += isAsked ? Math.max(byBlock, bySite) : byBlock
  }
  return sum
}

/** How often students change their site at least, if nobody is without a place: nobody has all their blocks at fewer sites than limits allow. */
const fewestChanges = (instance: Instance): number => {
  let changes = 0
  for (let i = 0; i < instance.students; i++) {
    let left = instance.blocks
    let fewest = 0
    for (const most of siteRange(instance, i).most.toSorted((one, other) => other - one)) {
      if (left <= 0) break
      left -= most
      fewest++
    }
    if (left <= 0) changes += Math.max(0, fewest - 1)
  }
  return changes
}

/** What no draft of an instance costs less than, with the shares and prices that prove it. */
const boundsOf = (highs: Highs, instance: Instance, begin?: (part: number) => void) => {
  const { changeCost, unplacedCost } = instance
  const changes = changeCost > 0 && unplacedCost >= 2 * changeCost ? fewestChanges(instance) : 0
  // A block without a place may spare two changes, and costs less by these in what they are added to.
  const spared = changes === 0 ? instance : { ...instance, unplacedCost: unplacedCost - 2 * changeCost }
  const { value, shares, ...prices } = boundOf(spared, begin)
  const least =
    changeCost * changes +
    Math.max(
      boundByStudents(spared),
      value,
      boundByBlocks([spared], { parts: [prices], worth: 0 }),
      boundByBlocks([spared], { parts: [], worth: 0 }),
      costInParts(highs, spared),
    )
  return { shares, least }
}

/** What no draft of an instance costs less than. */
export const boundBesides = (highs: Highs, instance: Instance): number => boundsOf(highs, instance).least

/**
 * Solves a plan without anything that all are to have alike, step by step; each value could be kept as a draft, and none is worse than the one before. Plans whose blocks do not touch
 * each other are solved exactly by flows, small ones exactly by one integer program; all others begin with the bound, follow it block by
 * block, exchange places where changes of site cost something, and improve by blocks and by groups of students. The largest have a first draft before their bound. The same instance, seed and steps give the same values.
 */
function* solveWishes(
  highs: Highs,
  instance: Instance,
  { seed, steps, from, begin = () => {} }: SolveOptions,
): Generator<Progress> {
  const { students, blocks, options, allowed } = instance
  /** A part of the beginning, block by block. */
  const blockOf = (after: number, until: number) => (block: number) =>
    begin(after + ((until - after) * (block + 1)) / blocks)
  const inOrder = Array.from({ length: blocks }, (_, block) => block)
  if (isSeparable(instance)) {
    const solution = new Int16Array(students * blocks).fill(-1)
    const counts = new Counts(instance, solution)
    let isProved = true
    for (const block of inOrder) {
      const solved = solveBlockProved(instance, block, costsOfBlock(instance, solution, block, counts))
      counts.putBlock(solution, block, solved.placed)
      isProved &&= solved.isProved
      begin((block + 1) / blocks)
    }
    const cost = costOf(instance, solution)
    const bound = isProved ? cost : Math.min(cost, boundByBlocks([instance], { parts: [], worth: 0 }))
    yield { phase: 'done', solution, cost, bound, step: steps, steps }
    return
  }
  const random = randomFrom(seed)
  let bound = boundByStudents(instance)
  // What is given may be more than there are places: the first draft takes its place whatever it costs.
  let solution = instance.fixed
  let cost = Number.POSITIVE_INFINITY
  /** Takes a solution when it is better. */
  const offer = (other: Solution): boolean => {
    const price = costOf(instance, other)
    if (price >= cost) return false
    solution = other
    cost = price
    return true
  }
  const state = (phase: Progress['phase'], step: number): Progress => ({
    phase,
    solution,
    cost,
    bound: Math.min(bound, cost),
    step,
    steps,
  })
  if (isLarge(instance)) {
    offer(build(instance, new Float64Array(students * options), blockOf(0, 0.2)))
    yield state('starting', 0)
  }
  const { shares, least } = boundsOf(highs, instance, (part) => begin(0.2 + 0.4 * part))
  bound = Math.max(bound, least)
  begin(0.7)
  offer(improveBlocks(instance, build(instance, shares, blockOf(0.7, 0.9)), inOrder))
  if (from?.some((o) => o >= 0)) offer(improveBlocks(instance, from, inOrder))
  if (instance.changeCost > 0) offer(exchange(instance, solution, random))
  yield state('starting', 0)
  const columns = allowed.reduce((sum, each) => sum + each, 0)
  const isJoined = instance.changeCost > 0 || instance.loadCost > 0
  if (columns <= (isJoined ? joinedColumns : wholeColumns) && gapOf({ cost, bound }) > 0) {
    const nodes = isJoined ? joinedNodes(columns) : wholeNodes
    const whole = solveCost(highs, instance, solution, nodes)
    if (whole) offer(whole.solution)
    if (whole?.isProved) {
      bound = cost
      yield state('done', steps)
      return
    }
  }
  const isWorth = worthOf(instance, shares)
  const perStudent = Math.max(1, isWorth.reduce((sum, each) => sum + each, 0) / students)
  let size = Math.max(2, Math.min(students, Math.floor(partColumns / perStudent)))
  const few = Math.max(fewStudents, Math.min(students, Math.floor(changeColumns / perStudent)))
  /** Moves some students; every other time fewer of them, with what their changes of site cost. */
  const improve = (step: number): boolean => {
    const withChanges = instance.changeCost > 0 && step % 2 === 0
    const chosen = pick(byLoss(instance, solution, shares), withChanges ? few : size, random)
    const more = withChanges ? { nodes: 1, withChanges } : { nodes: partNodes }
    return offer(improveStudents(highs, instance, solution, chosen, { ...more, isWorth }))
  }
  let idle = 0
  for (let step = 1; step <= steps && gapOf({ cost, bound }) > goodGap; step++) {
    const isBetter =
      idle >= 3 ? offer(improveBlocks(instance, solution, shuffled(blocks, random))) : improve(step)
    idle = isBetter || idle >= 3 ? 0 : idle + 1
    if (idle === 2) size = Math.max(2, Math.floor(size * 0.9))
    yield state('improving', step)
  }
  yield state('done', steps)
}

/** The same of all drafts that give everything alike, when this is held of one of them. */
const boundOfHeld = (highs: Highs, held: Instance, { categories }: Instance): number =>
  boundBesides(highs, { ...held, categories: held.categories.filter((_, k) => !categories[k]?.isFree) })

/** The same of all drafts that are as uneven as it must be: what is uneven is given a price, and taken off at it. */
const boundOfUneven = (highs: Highs, instance: Instance, uneven: Unevenness): number => {
  const softCost = instance.cost.reduce((most, each) => Math.max(most, each), 1)
  const categories = instance.categories.flatMap((limits) =>
    limits.level === undefined ? [limits] : limits.level === 0 ? [{ ...limits, softCost }] : [],
  )
  return boundBesides(highs, { ...instance, categories }) - softCost * (uneven[1] ?? 0)
}

/** Most columns for which it is looked with integer programs how even a plan can be, and their nodes. */
const evenColumns = 9_000
const evenNodes = 30

/**
 * Solves a plan in which students are to have something alike: first as even as it is found, then the cheapest of what is as even. What a
 * draft costs is what it costs besides, and what is uneven at its price.
 */
function* solveAlike(highs: Highs, instance: Instance, options: SolveOptions): Generator<Progress> {
  const { allowed, categories } = instance
  const columns = allowed.reduce((sum, each) => sum + each, 0)
  let known: Unevenness | undefined
  const fewest = (): Unevenness => {
    if (!known) {
      const unplaced = fewestUnplaced(instance)
      known = [unplacedParts * unplaced, fewestUneven(highs, instance, unplaced)]
    }
    return known
  }
  const { steps, begin = () => {} } = options
  let best = makeEven(instance, {
    seed: options.seed,
    from: options.from,
    fewest,
    begin: (part) => begin(0.2 * part),
  })
  begin(0.2)
  let uneven = unevennessOf(instance, best)
  let isEvenest = isEven(uneven) || isEven(uneven, fewest())
  if (!isEvenest && columns <= evenColumns) {
    const nodes = Math.max(evenNodes, joinedNodes(columns))
    const whole = solveEven(highs, instance, best, { nodes, fewest: fewest() })
    best = whole.solution
    uneven = unevennessOf(instance, best)
    isEvenest = whole.isProved || isEven(uneven, fewest())
  }
  const plain = { ...instance, ...placesFirst(instance) }
  const besides = { ...plain, categories: categories.filter(({ level }) => level === undefined) }
  const price = uneven.slice(1).reduce((sum, each, level) => {
    const { softCost = 0 } = categories.find((limits) => limits.level === level) ?? {}
    return sum + each * softCost
  }, 0)
  begin(0.3)
  const state = (phase: Progress['phase'], step: number, bound: number): Progress => {
    const cost = price + costOf(besides, best)
    return { phase, solution: best, cost, bound: Math.min(cost, bound), step, steps, isEvenest }
  }
  yield state('starting', 0, 0)
  const isJoined = instance.changeCost > 0 || instance.loadCost > 0
  if (columns <= (isJoined ? joinedColumns : wholeColumns)) {
    const whole = solveCost(highs, plain, best, joinedNodes(columns))
    if (
      whole &&
      compareUneven(unevennessOf(instance, whole.solution), uneven) <= 0 &&
      costOf(besides, whole.solution) <= costOf(besides, best)
    )
      best = whole.solution
    if (whole?.isProved && isEvenest) {
      yield state('done', steps, Number.POSITIVE_INFINITY)
      return
    }
  }
  const held = heldEven(instance, best)
  const isHeld = isEven(uneven.slice(1)) && isEvenest
  // Where any number will do that all have alike, drafts with another number are not in what is held.
  const isWhole = isHeld && categories.every(({ isFree }) => !isFree)
  const least =
    !isEvenest || isWhole
      ? 0
      : price + (isHeld ? boundOfHeld(highs, held, instance) : boundOfUneven(highs, plain, uneven))
  for (const { phase, step, solution, bound } of solveWishes(highs, held, {
    ...options,
    from: best,
  })) {
    if (
      costOf(besides, solution) <= costOf(besides, best) &&
      compareUneven(unevennessOf(instance, solution), uneven) <= 0
    )
      best = solution
    yield state(phase, step, isWhole ? price + bound : least)
  }
}

/**
 * Solves a plan step by step; each value could be kept as a draft, and none is worse than the one before: what all are to have alike first, then all
 * wishes. The same instance, seed and steps give the same values.
 */
export function* solve(highs: Highs, instance: Instance, options: SolveOptions): Generator<Progress> {
  yield* levelCount(instance) > 0
    ? solveAlike(highs, instance, options)
    : solveWishes(highs, instance, options)
}
