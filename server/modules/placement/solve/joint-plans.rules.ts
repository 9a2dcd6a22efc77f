import { datesBetween } from '#contract/core/calendar.ts'
import { sharedKey } from '#contract/scheduling/scheduling-rules.ts'
import { areApart, daysOfOption, type IndexedPlan } from '../plan/indexed-plan.rules.ts'
import type { SharedDay } from '../plan/load-plan.queries.ts'
import { type Joint, type Pool, type PoolCell, poolLoads, poolsOf } from './joint.solver.ts'
import { type DraftOrder, instanceOf, type PlanInstance } from './plan-instance.rules.ts'

/** One of several plans that are solved together, with its order. */
export interface JointPlan {
  indexed: IndexedPlan
  order: DraftOrder
  shared: readonly SharedDay[]
}

/** The most by which a plan's goals are scaled up so that a rank counts the same in all plans. */
const mostScale = 10

/** Where students of a plan count at a site in a block: at the site as a whole, or at each of its shifts on its own days. */
const cellsOfSite = ({ plan, options }: IndexedPlan, part: number, s: number, b: number) => {
  const own = [...options.keys()].filter((o) => options[o]?.site === s)
  // `own` holds positions of options.
  const days = own.map((o) => daysOfOption(plan, options[o]!, b))
  if (areApart(days))
    return own.map((option, at) => ({
      cell: { part, block: b, of: { option } },
      days: days[at] ?? new Set(),
    }))
  return [{ cell: { part, block: b, of: { site: s } }, days: new Set(days.flatMap((each) => [...each])) }]
}

/**
 * What plans share: for each day of a shared site the places left, including those that the plans themselves hold. Days on which the same
 * students count are merged; days that concern one plan alone are already part of its own places.
 */
const poolsOfPlans = (plans: readonly JointPlan[]): Pool[] => {
  const days = new Map<string, { free: number; own: number; cells: PoolCell[] }>()
  for (const [part, { indexed, shared }] of plans.entries()) {
    const sharedOf = new Map(shared.map(({ SiteId, SharedSiteId }) => [SiteId, SharedSiteId]))
    for (const { SharedSiteId, Date: date, Free, Own } of shared) {
      const day = days.get(sharedKey(SharedSiteId, date)) ?? { free: Free, own: 0, cells: [] }
      day.free = Math.min(day.free, Free)
      day.own += Own
      days.set(sharedKey(SharedSiteId, date), day)
    }
    for (const [s, { Id }] of indexed.plan.Sites.entries()) {
      const sharedSiteId = sharedOf.get(Id)
      if (sharedSiteId === undefined) continue
      for (let b = 0; b < indexed.blocks; b++)
        for (const { cell, days: dates } of cellsOfSite(indexed, part, s, b))
          for (const date of dates) days.get(sharedKey(sharedSiteId, date))?.cells.push(cell)
    }
  }
  const pools = new Map<string, Pool>()
  for (const { free, own, cells } of days.values()) {
    if (new Set(cells.map(({ part }) => part)).size < 2) continue
    const places = Math.max(0, free + own)
    const key = JSON.stringify(cells)
    pools.set(key, { cells, places: Math.min(places, pools.get(key)?.places ?? places) })
  }
  return [...pools.values()]
}

/** The weeks per block of a plan. */
const weeksOf = ({ plan: { Blocks } }: IndexedPlan): number => {
  const [first] = Blocks
  return first ? Math.ceil(datesBetween(first.StartDate, first.EndDate).length / 7) : 1
}

const commonPart = (one: number, other: number): number =>
  other === 0 ? one : commonPart(other, one % other)

/** An instance with its costs scaled. */
const scaled = (instance: PlanInstance, by: number, unplacedCost: number): PlanInstance => ({
  ...instance,
  cost: instance.cost.map((each) => Math.round(each * by)),
  changeCost: Math.round(instance.changeCost * by),
  loadCost: Math.round(instance.loadCost * by),
  unplacedCost,
  missingCost: Math.round(unplacedCost / 4),
  categories: instance.categories.map((limits) =>
    limits.softCost === undefined ? limits : { ...limits, softCost: Math.round(limits.softCost * by) },
  ),
})

const dearestOf = ({ cost, changeCost, loadCost, categories }: PlanInstance): number =>
  cost.reduce((most, each) => Math.max(most, each), 1) +
  2 * changeCost +
  loadCost +
  categories.reduce((sum, { softCost = 0 }) => sum + softCost, 0)

/**
 * Plans as they are solved together. Each keeps its own goals, scaled so that a step of rank costs the same for every student, whatever
 * their plan; a block counts by its weeks. Being without a place costs more than all moves along the shifts of all plans could save.
 */
export const jointOf = (
  plans: readonly JointPlan[],
): { joint: Joint; instances: PlanInstance[]; from: Int16Array[] } => {
  const built = plans.map(({ indexed, order }) => instanceOf(indexed, order))
  const mostRank = Math.max(...plans.map(({ order }) => order.weights.Rank))
  const weeks = plans.reduce((common, { indexed }) => commonPart(weeksOf(indexed), common), 0)
  const weights = plans.map(({ order, indexed }) => {
    const blocks = weeksOf(indexed) / Math.max(1, weeks)
    const byRank = order.weights.Rank === 0 ? 1 : Math.min(mostScale, mostRank / order.weights.Rank)
    return { blocks, by: blocks * byRank }
  })
  const instances = built.map(({ instance }) => instance)
  const width = instances.reduce((sum, { options }) => sum + options, 2)
  // For a block of the shortest length.
  const unplacedCost =
    width *
    Math.ceil(
      instances.reduce(
        (most, instance, part) => Math.max(most, dearestOf(instance) * (weights[part]?.by ?? 1)),
        1,
      ),
    )
  const joint = {
    parts: instances.map((instance, part) =>
      scaled(instance, weights[part]?.by ?? 1, unplacedCost * (weights[part]?.blocks ?? 1)),
    ),
    pools: poolsOfPlans(plans),
  }
  // What was accepted stays, even if students count on more days than they come.
  const accepted = poolLoads(
    joint,
    poolsOf(joint),
    plans.map(({ indexed }) => indexed.fixed),
  )
  return {
    joint: {
      ...joint,
      pools: joint.pools.map((pool, index) => ({
        ...pool,
        places: Math.max(pool.places, accepted[index] ?? 0),
      })),
    },
    instances,
    from: built.map(({ from }) => from),
  }
}
