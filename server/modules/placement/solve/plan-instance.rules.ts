import type { ChangedPlaces, Effort } from '#contract/placement/drafts.ts'
import type { Weights } from '#contract/placement/weights.ts'
import type { IndexedPlan } from '../plan/indexed-plan.rules.ts'
import { milesOf, owedAt, stepsBelowFirst } from '../plan/plan.rules.ts'
import type { Instance } from './instance.solver.ts'
import { limitsOf, type NamedLimits } from './limits.rules.ts'
import { wheelLimits } from './wheel-limits.rules.ts'

/** What a draft is made from, besides the plan. */
export interface DraftOrder {
  weights: Weights
  places: readonly ChangedPlaces[]
  /** Cells to start from; the locked ones stay. */
  cells: readonly OrderCell[]
}

export interface OrderCell {
  StudentId: number
  Block: number
  SiteShiftId: number
  Weekdays: readonly number[]
  IsLocked: boolean
}

/** How often a run tries to improve a draft. */
export const stepsOf: Record<Effort, number> = { quick: 5, normal: 40, thorough: 300 }

/** Steps that the start-up phase of a run counts as, before it has a draft to improve. */
export const firstSteps = 10

/** All steps of a run, as reported. */
export const allStepsOf = (effort: Effort): number => firstSteps + stepsOf[effort]

export interface PlanInstance extends Instance {
  categories: readonly NamedLimits[]
}

const farthestMiles = 200

/** The places of a plan, with those that a what-if adds or takes away. */
const changedPlaces = (
  { plan, blocks, options, ...indexed }: IndexedPlan,
  changes: readonly ChangedPlaces[],
) => {
  const optionPlaces = indexed.optionPlaces.slice()
  const sitePlaces = indexed.sitePlaces.slice()
  const add = (places: Int32Array, at: number, by: number) => {
    places[at] = Math.max(0, (places[at] ?? 0) + by)
  }
  for (const { SiteId, Blocks, Places } of changes) {
    const s = plan.Sites.findIndex(({ Id }) => Id === SiteId)
    for (const b of Blocks.length > 0 ? Blocks : plan.Blocks.keys()) {
      if (s < 0 || b >= blocks) continue
      add(sitePlaces, s * blocks + b, Places)
      for (const [o, option] of options.entries())
        if (option.site === s && Places > 0) add(optionPlaces, o * blocks + b, Places)
    }
  }
  return { optionPlaces, sitePlaces }
}

/** What each option costs, as `costRow` reads it: by block if blocks are ranked. */
const costsOf = ({ plan, options, blocks }: IndexedPlan, weights: Weights): Int32Array => {
  const width = options.length
  const rows = plan.RanksPer === 'block' ? blocks : 1
  const cost = new Int32Array(plan.Students.length * rows * width)
  for (const [i, student] of plan.Students.entries()) {
    const owed = 1 + ((weights.Fairness / 100) * Math.min(20, student.Points)) / 5
    const besides = plan.Sites.map((site) => {
      const miles = Math.min(farthestMiles, milesOf(student, site) ?? 0)
      const without = 1 - (owedAt(student, site.Id) ?? 1)
      return miles * weights.Distance * 0.4 + without * weights.Needs * 40
    })
    for (let b = 0; b < rows; b++) {
      const bySite = plan.Sites.map((site, s) =>
        Math.round(stepsBelowFirst(plan, i, b, site.Id) * weights.Rank * 10 * owed + (besides[s] ?? 0)),
      )
      for (const [o, { site }] of options.entries()) cost[(i * rows + b) * width + o] = bySite[site] ?? 0
    }
  }
  return cost
}

/** The fewest students of each site in each block unless it has none; 0 where places were accepted, since that was decided. */
const siteLeastOf = ({ plan, blocks, options, fixed }: IndexedPlan): Int32Array => {
  const least = new Int32Array(plan.Sites.length * blocks)
  for (const [s, { AtLeast }] of plan.Sites.entries()) least.fill(AtLeast ?? 0, s * blocks, (s + 1) * blocks)
  for (const [at, o] of fixed.entries()) {
    const site = options[o]?.site
    if (site !== undefined) least[site * blocks + (at % blocks)] = 0
  }
  return least
}

/** The option of a cell for a student: the part of the shift that has their weekdays. */
export const optionOfCell = (
  { options, groupOf }: IndexedPlan,
  i: number,
  { SiteShiftId, Weekdays, Block }: Pick<OrderCell, 'SiteShiftId' | 'Weekdays' | 'Block'>,
): number =>
  options.findIndex(({ SiteShiftId: id, weekdays, blocks }) => {
    if (id !== SiteShiftId || blocks?.[Block] === false) return false
    const own = weekdays[groupOf[i] ?? -1]
    return own?.length === Weekdays.length && own.every((day, at) => day === Weekdays[at])
  })

interface Base {
  key: string
  optionPlaces: Int32Array
  sitePlaces: Int32Array
  cost: Int32Array
  siteLeast: Int32Array
  categories: NamedLimits[]
  unplacedCost: number
}
/** A place is worth more than all the evenness that moves along the shifts could gain. */
const placeParts = 4

const bases = new WeakMap<IndexedPlan, Base>()

/** The part of an instance that depends only on the plan, the weights and the changed places; the latest is cached per indexed plan. */
const baseOf = (indexed: IndexedPlan, weights: Weights, places: readonly ChangedPlaces[]): Base => {
  const key = JSON.stringify([weights, places])
  const known = bases.get(indexed)
  if (known?.key === key) return known
  const { plan, options } = indexed
  const changed = changedPlaces(indexed, places)
  const cost = costsOf(indexed, weights)
  const rules = limitsOf(indexed, changed.sitePlaces)
  const dearest =
    cost.reduce((most, each) => Math.max(most, each), 1) +
    20 * weights.Changes +
    10 * weights.Load +
    rules.reduce((sum, { softCost = 0 }) => sum + softCost, 0)
  const wheel = plan.Template === 'wheel' ? wheelLimits(indexed, changed, dearest * (options.length + 2)) : []
  const first = wheel[0]?.softCost
  const base = {
    key,
    ...changed,
    cost,
    siteLeast: siteLeastOf(indexed),
    categories: [...rules, ...wheel],
    unplacedCost: (first === undefined ? dearest : 4 * placeParts * first) * (options.length + 2),
  }
  bases.set(indexed, base)
  return base
}

/**
 * A plan as the solver gets it, with the solution to start from. Being without a place costs more than all moves along the options could
 * save, so places come first; then ranks, distances and whatever else is weighed.
 */
export const instanceOf = (
  indexed: IndexedPlan,
  { weights, places, cells }: DraftOrder,
): { instance: PlanInstance; from: Int16Array } => {
  const { plan, blocks, options } = indexed
  const width = options.length
  const count = plan.Students.length
  const { optionPlaces, sitePlaces, cost, siteLeast, categories, unplacedCost } = baseOf(
    indexed,
    weights,
    places,
  )
  const changeCost = weights.Changes * 10
  const loadCost = weights.Load * 10
  const fixed = indexed.fixed.slice()
  const allowed = indexed.allowed.slice()
  const from = new Int16Array(count * blocks).fill(-1)
  const indexOf = new Map(plan.Students.map(({ Id }, i) => [Id, i]))
  for (const cell of cells) {
    const i = indexOf.get(cell.StudentId)
    if (i === undefined || cell.Block >= blocks) continue
    const at = i * blocks + cell.Block
    const o = optionOfCell(indexed, i, cell)
    if (o < 0 || allowed[at * width + o] !== 1) continue
    from[at] = o
    if (cell.IsLocked) fixed[at] = o
  }
  for (const [at, o] of fixed.entries()) {
    if (o < 0) continue
    const mayBe = allowed[at * width + o]
    allowed.fill(0, at * width, (at + 1) * width)
    allowed[at * width + o] = mayBe ?? 0
    from[at] = o
  }
  return {
    instance: {
      students: count,
      blocks,
      options: width,
      sites: plan.Sites.length,
      siteOf: Int32Array.from(options, ({ site }) => site),
      optionPlaces,
      sitePlaces,
      allowed,
      fixed,
      siteLeast,
      cost,
      changeCost,
      loadCost,
      unplacedCost,
      missingCost: Math.round(unplacedCost / 4),
      categories,
    },
    from,
  }
}
