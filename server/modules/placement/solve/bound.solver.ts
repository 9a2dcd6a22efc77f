import { cheapestCosts, type Instance, type Limits, lackCostOf, mostOf } from './instance.solver.ts'
import type { SharedTotal } from './joint.solver.ts'

/** How many blocks each student would have at each option of a plan in a bound, and the prices that prove it. */
export interface Shares {
  /** [i × options + o] */
  shares: Float64Array
  /** The prices of the limits, [k × students + i]: above 0 for what is lacking, below for what is too much. */
  ofLimit: Float64Array
  /** What a block at an option takes of what plans share, at its prices: [o], not above 0. */
  ofShared: Float64Array
}

/** A bound that no draft can go below. */
export interface Bound extends Shares {
  value: number
}

/** The same of several plans, by plan. */
export interface JointBound {
  value: number
  parts: readonly Shares[]
  /** What the places that plans share are worth at their prices, not above 0. */
  worth: number
}

/** Rounds of the descent between two evaluations of the bound. */
const roundsPerLook = 100
const mostLooks = 60
/** The bound has converged if it gains less than this fraction of itself between evaluations. */
const leastGain = 0.00002
const balance = 0.5

/** How often each student can be at each option, and what all blocks of an option and a site hold. */
const addUp = (instance: Instance) => {
  const { students, blocks, options, sites, siteOf, allowed } = instance
  const total = (places: Int32Array, at: number) =>
    places.subarray(at * blocks, (at + 1) * blocks).reduce((sum, each) => sum + each, 0)
  const times = new Float64Array(students * options)
  for (let i = 0; i < students; i++)
    for (let b = 0; b < blocks; b++)
      for (let o = 0; o < options; o++)
        if (allowed[(i * blocks + b) * options + o] === 1)
          times[i * options + o] = (times[i * options + o] ?? 0) + 1
  const optionPlaces = Float64Array.from({ length: options }, (_, o) => total(instance.optionPlaces, o))
  const sitePlaces = Float64Array.from({ length: sites }, (_, s) => total(instance.sitePlaces, s))
  const ofSite = new Float64Array(sites)
  for (let o = 0; o < options; o++) {
    const s = siteOf[o] ?? 0
    ofSite[s] = (ofSite[s] ?? 0) + (optionPlaces[o] ?? 0)
  }
  return {
    times,
    optionPlaces,
    sitePlaces,
    isSiteBound: ofSite.map((sum, s) => (sum > (sitePlaces[s] ?? 0) ? 1 : 0)),
  }
}

/** Most blocks of a category for which a student pays nothing. */
export const highOf = (instance: Instance, limits: Limits, i: number): number =>
  limits.softCost === undefined ? mostOf(instance, limits, i) : (limits.most[i] ?? instance.blocks)

/** The categories of each option, and the limits of each student: `low[k × students + i]`. */
const limitsOf = (instance: Instance) => {
  const { students, options, categories } = instance
  const low = new Float64Array(categories.length * students)
  const high = new Float64Array(categories.length * students)
  for (const [k, limits] of categories.entries())
    for (let i = 0; i < students; i++) {
      low[k * students + i] = limits.least[i] ?? 0
      high[k * students + i] = highOf(instance, limits, i)
    }
  const of = Array.from({ length: options }, (_, o) =>
    Int32Array.from([...categories.keys()].filter((k) => categories[k]?.has[o] === 1)),
  )
  return { low, high, of }
}

/** The descent of one plan: rounds, what its prices prove, and what it has come to. */
interface Descent {
  /** Blocks of all students at each option, ahead of the prices. */
  optionLoad: Float64Array
  /** To be set: what a block at an option costs by what plans share, not above 0. */
  ofShared: Float64Array
  round: () => void
  /** Begins to add up shares anew. */
  forget: () => void
  /** What the prices prove, whatever they are, in `unit`. */
  proven: () => number
  found: () => Shares
}

/** @param isShared whether students take of what plans share at an option */
const descentOf = (instance: Instance, unit: number, isShared: (o: number) => boolean): Descent => {
  const { students, blocks, options, sites, siteOf, categories } = instance
  const cost = cheapestCosts(instance)
  const { times, optionPlaces, sitePlaces, isSiteBound } = addUp(instance)
  const { low, high, of } = limitsOf(instance)
  const count = categories.length
  const columns = students * options
  const x = new Float64Array(columns)
  const unplaced = new Float64Array(students).fill(blocks)
  const missing = new Float64Array(count * students)
  /** Prices: of each student's blocks, of options, of sites, and of their limits. */
  const ofStudent = new Float64Array(students)
  const ofOption = new Float64Array(options)
  const ofSite = new Float64Array(sites)
  const ofLimit = new Float64Array(count * students)
  const ofShared = new Float64Array(options)
  const sumX = new Float64Array(columns)
  let summed = 0
  const unplacedCost = instance.unplacedCost / unit
  /** Of each category, for a block that is lacking, and for one that is too many. */
  const missingCosts = categories.map((limits) => lackCostOf(instance, limits) / unit)
  const aboveCosts = categories.map(({ softCost = Number.POSITIVE_INFINITY }) => softCost / unit)
  const optionLoad = new Float64Array(options)
  const siteLoad = new Float64Array(sites)
  const limitLoad = new Float64Array(count * students)
  // Steps by the rows of a column and the columns of a row, so that the descent cannot overshoot.
  const step = Float64Array.from(
    { length: options },
    (_, o) => (balance * (blocks / 4)) / (3 + (of[o]?.length ?? 0) + (isShared(o) ? 1 : 0)),
  )
  const rowStep = 4 / blocks / balance
  const studentStep = rowStep / (options + 1)
  const optionStep = rowStep / students
  const sizes = categories.map(({ has }) => 1 + has.reduce((sum, each) => sum + each, 0))
  const siteSizes = new Float64Array(sites)
  for (let o = 0; o < options; o++) siteSizes[siteOf[o] ?? 0] = (siteSizes[siteOf[o] ?? 0] ?? 0) + students

  const round = () => {
    optionLoad.fill(0)
    siteLoad.fill(0)
    limitLoad.fill(0)
    for (let i = 0; i < students; i++) {
      let load = 0
      const own = ofStudent[i] ?? 0
      for (let o = 0; o < options; o++) {
        const at = i * options + o
        const most = times[at] ?? 0
        if (most === 0) continue
        const s = siteOf[o] ?? 0
        let slope = (cost[at] ?? 0) / unit - own - (ofOption[o] ?? 0) - (ofSite[s] ?? 0) - (ofShared[o] ?? 0)
        const kinds = of[o]
        const before = x[at] ?? 0
        if (kinds)
          for (let n = 0; n < kinds.length; n++) slope -= ofLimit[(kinds[n] ?? 0) * students + i] ?? 0
        let after = before - (step[o] ?? 0) * slope
        if (after < 0) after = 0
        else if (after > most) after = most
        x[at] = after
        sumX[at] = (sumX[at] ?? 0) + after
        const ahead = 2 * after - before
        if (ahead === 0) continue
        load += ahead
        optionLoad[o] = (optionLoad[o] ?? 0) + ahead
        siteLoad[s] = (siteLoad[s] ?? 0) + ahead
        if (kinds)
          for (let n = 0; n < kinds.length; n++) {
            const row = (kinds[n] ?? 0) * students + i
            limitLoad[row] = (limitLoad[row] ?? 0) + ahead
          }
      }
      const was = unplaced[i] ?? 0
      const is = Math.min(blocks, Math.max(0, was - ((balance * blocks) / 4) * (unplacedCost - own)))
      unplaced[i] = is
      load += 2 * is - was
      ofStudent[i] = own + studentStep * (blocks - load)
    }
    summed++
    for (let o = 0; o < options; o++)
      ofOption[o] = Math.min(
        0,
        (ofOption[o] ?? 0) + optionStep * ((optionPlaces[o] ?? 0) - (optionLoad[o] ?? 0)),
      )
    for (let s = 0; s < sites; s++)
      if (isSiteBound[s] === 1)
        ofSite[s] = Math.min(
          0,
          (ofSite[s] ?? 0) + (rowStep / (siteSizes[s] ?? 1)) * ((sitePlaces[s] ?? 0) - (siteLoad[s] ?? 0)),
        )
    for (let k = 0; k < count; k++) {
      const missingCost = missingCosts[k] ?? 0
      const lowest = -(aboveCosts[k] ?? 0)
      for (let i = 0; i < students; i++) {
        const row = k * students + i
        const least = low[row] ?? 0
        const most = high[row] ?? 0
        if (least === 0 && most >= blocks) continue
        const price = ofLimit[row] ?? 0
        const was = missing[row] ?? 0
        const is = Math.min(least, Math.max(0, was - ((balance * blocks) / 4) * (missingCost - price)))
        missing[row] = is
        const load = (limitLoad[row] ?? 0) + 2 * is - was
        const by = rowStep / (sizes[k] ?? 1)
        const free = price - by * load
        // The price lies where the row has come to its nearer limit, and is nothing between both.
        ofLimit[row] =
          free + by * least > 0
            ? free + by * least
            : free + by * most < 0
              ? Math.max(lowest, free + by * most)
              : 0
      }
    }
  }

  const proven = (): number => {
    let sum = 0
    for (let o = 0; o < options; o++) sum += (ofOption[o] ?? 0) * (optionPlaces[o] ?? 0)
    for (let s = 0; s < sites; s++) sum += (ofSite[s] ?? 0) * (sitePlaces[s] ?? 0)
    for (let row = 0; row < ofLimit.length; row++) {
      const price = ofLimit[row] ?? 0
      sum += price > 0 ? price * (low[row] ?? 0) : price * (high[row] ?? 0)
      const k = Math.floor(row / students)
      sum += Math.min(0, (missingCosts[k] ?? 0) - price) * (low[row] ?? 0)
      if (price < -(aboveCosts[k] ?? 0)) sum += ((aboveCosts[k] ?? 0) + price) * blocks
    }
    const slopes = new Float64Array(options)
    for (let i = 0; i < students; i++) {
      for (let o = 0; o < options; o++) {
        let slope =
          (cost[i * options + o] ?? 0) / unit -
          (ofOption[o] ?? 0) -
          (ofSite[siteOf[o] ?? 0] ?? 0) -
          (ofShared[o] ?? 0)
        for (const k of of[o] ?? []) slope -= ofLimit[k * students + i] ?? 0
        slopes[o] = (times[i * options + o] ?? 0) > 0 ? slope : Number.POSITIVE_INFINITY
      }
      // All their blocks, each time where it costs least.
      for (let left = blocks; left > 0; ) {
        let best = -1
        for (let o = 0; o < options; o++)
          if ((slopes[o] ?? 0) < (best < 0 ? unplacedCost : (slopes[best] ?? 0))) best = o
        const taken = best < 0 ? left : Math.min(left, times[i * options + best] ?? 0)
        sum += taken * (best < 0 ? unplacedCost : (slopes[best] ?? 0))
        if (best >= 0) slopes[best] = Number.POSITIVE_INFINITY
        left -= taken
      }
    }
    return sum
  }

  return {
    optionLoad,
    ofShared,
    round,
    forget: () => {
      sumX.fill(0)
      summed = 0
    },
    proven,
    found: () => ({
      shares: sumX.map((sum) => sum / Math.max(1, summed)),
      ofLimit: ofLimit.map((price) => price * unit),
      ofShared: ofShared.map((price) => price * unit),
    }),
  }
}

/**
 * Plans with their blocks added up, as a linear program: how many blocks a student has at an option, within the places of all blocks, and
 * within what the plans share. Every draft is a solution of it, so its optimum is a bound; changes of site and even load cost nothing in it, and
 * each option as much as in the block in which it is cheapest. It is solved by a
 * primal-dual descent, which needs no more memory than its columns; whatever prices it has come to, they prove a bound. A number of
 * rounds and never a time ends it, so that the same plans have the same bound.
 *
 * @param begin called with the part that is done at most, from 0 to 1
 */
export const boundTogether = (
  instances: readonly Instance[],
  totals: readonly SharedTotal[],
  begin: (part: number) => void = () => {},
): JointBound => {
  const unit = instances.reduce(
    (most, instance) => cheapestCosts(instance).reduce((dearest, each) => Math.max(dearest, each), most),
    1,
  )
  const parts = instances.map((instance, part) =>
    descentOf(instance, unit, (o) => totals.some(({ times }) => (times[part]?.[o] ?? 0) > 0)),
  )
  const prices = new Float64Array(totals.length)
  // As the rows of a plan: by the columns of the row.
  const steps = totals.map(({ times }) => {
    const columns = instances.reduce(
      (sum, { students }, part) => sum + students * (times[part]?.reduce((all, each) => all + each, 0) ?? 0),
      0,
    )
    const blocks = instances.reduce((most, instance) => Math.max(most, instance.blocks), 1)
    return 4 / blocks / balance / Math.max(1, columns)
  })
  const round = () => {
    for (const part of parts) part.round()
    if (totals.length === 0) return
    for (const part of parts) part.ofShared.fill(0)
    for (const [row, { places, times }] of totals.entries()) {
      let load = 0
      for (const [part, ofPart] of times.entries())
        for (const [o, each] of ofPart.entries()) load += each * (parts[part]?.optionLoad[o] ?? 0)
      const price = Math.min(0, (prices[row] ?? 0) + (steps[row] ?? 0) * (places - load))
      prices[row] = price
      for (const [part, ofPart] of times.entries()) {
        const shared = parts[part]?.ofShared
        if (shared) for (const [o, each] of ofPart.entries()) shared[o] = (shared[o] ?? 0) + each * price
      }
    }
  }
  const worth = () => totals.reduce((sum, { places }, row) => sum + places * (prices[row] ?? 0), 0)
  let best = 0
  for (let look = 0; look < mostLooks; look++) {
    if (look % 4 === 0) for (const part of parts) part.forget()
    for (let at = 0; at < roundsPerLook; at++) round()
    const value = parts.reduce((sum, part) => sum + part.proven(), worth())
    const isAtRest = value > 0 && value - best < leastGain * value && look >= 8
    best = Math.max(best, value)
    if (isAtRest) break
    begin((look + 1) / mostLooks)
  }
  return {
    // Costs are whole numbers, and a bound must not lie above the best of them by what floating point adds.
    value: Math.max(0, Math.ceil(best * unit * (1 - 1e-9) - 1e-6)),
    parts: parts.map((part) => part.found()),
    worth: worth() * unit,
  }
}

/** The bound of one plan. */
export const boundOf = (instance: Instance, begin?: (part: number) => void): Bound => {
  const { value, parts } = boundTogether([instance], [], begin)
  // There is one plan.
  return { value, ...(parts[0] as Shares) }
}
