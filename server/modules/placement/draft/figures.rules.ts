import type { DraftFigures } from '#contract/placement/drafts.ts'
import type { Problem } from '#contract/placement/plans.ts'
import { blockRange } from '../plan/block-text.rules.ts'
import { causesOf, groupedBy, stops, warns } from '../plan/causes.rules.ts'
import type { IndexedPlan } from '../plan/indexed-plan.rules.ts'
import { milesOf, rankAt, rankingOf, stepsBelowFirst } from '../plan/plan.rules.ts'
import { findWarningsOf } from '../plan/warnings.rules.ts'
import { countIn, type Solution } from '../solve/instance.solver.ts'
import type { PlanInstance } from '../solve/plan-instance.rules.ts'
import { gapOf } from '../solve/solve.solver.ts'
import { findRemedies } from './remedies.rules.ts'
import { proveWheel } from './wheel-proof.rules.ts'

/** Points of a student who has only second choices; first choices give none. */
const pointsPerRank = 4
const mostCauses = 100
/** Upper bounds of the distance brackets. */
const milesUnder = [10, 25, 50, 100, Number.POSITIVE_INFINITY]

/**
 * What each student is owed from a draft: their mean distance from their first choice. Who ranked nothing is owed nothing, nor for a block for
 * which they ranked nothing.
 */
export const pointsOf = (indexed: IndexedPlan, solution: Solution): number[] =>
  indexed.plan.Students.map((_, i) => {
    let steps = 0
    let count = 0
    for (let b = 0; b < indexed.blocks; b++) {
      const option = indexed.options[solution[i * indexed.blocks + b] ?? -1]
      if (!option || rankingOf(indexed.plan, i, b).length === 0) continue
      steps += stepsBelowFirst(indexed.plan, i, b, option.SiteId)
      count++
    }
    return count === 0 ? 0 : Math.round((pointsPerRank * steps) / count)
  })

const median = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

/** The mean, or null for an empty list. */
export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length

/** The mean rank, with sites that were not ranked, so that a move to one of them never looks better. */
export const meanRankOf = ({ plan, options, blocks }: IndexedPlan, solution: Solution): number | null => {
  const ranks: number[] = []
  for (let at = 0; at < solution.length; at++) {
    const option = options[solution[at] ?? -1]
    const [i, b] = [Math.floor(at / blocks), at % blocks]
    if (option && rankingOf(plan, i, b).length > 0) ranks.push(1 + stepsBelowFirst(plan, i, b, option.SiteId))
  }
  return meanOf(ranks)
}

const spread = (values: readonly number[]): number => {
  const most = values.reduce((one, other) => Math.max(one, other), 0)
  return most - values.reduce((one, other) => Math.min(one, other), most)
}

/** Students without a place, with the reason: a rule that bars them, or that all possible places are taken. */
const findUnplaced = (indexed: IndexedPlan, instance: PlanInstance, solution: Solution): Problem[] => {
  const { blocks, options, plan } = indexed
  const width = options.length
  const nowhere = new Map<number, number[]>()
  const taken: { i: number; key: string }[] = []
  for (const i of plan.Students.keys()) {
    const kept: number[] = []
    const out: number[] = []
    for (let b = 0; b < blocks; b++) {
      const at = i * blocks + b
      if ((solution[at] ?? -1) >= 0) continue
      const isOpen = instance.allowed.subarray(at * width, (at + 1) * width).includes(1)
      const isOpenInPlan = indexed.allowed.subarray(at * width, (at + 1) * width).includes(1)
      if (isOpen || isOpenInPlan) out.push(b)
      else kept.push(b)
    }
    if (kept.length > 0) nowhere.set(i, kept)
    if (out.length > 0) taken.push({ i, key: blockRange(out) })
  }
  return [
    ...causesOf(indexed, nowhere, ['has no place', 'have no place']),
    ...groupedBy(indexed, taken, (who, count, { key }) => ({
      Text: `${who} ${count === 1 ? 'has' : 'have'} no place in ${key}: all places that would be possible are taken, or limits of the plan are reached.`,
      Fix: 'siteShift',
    })).map(stops),
  ]
}

/** Experiences that students lack, and wishes that are not met. */
const findLacking = (indexed: IndexedPlan, instance: PlanInstance, solution: Solution): Problem[] => {
  const { blocks, plan } = indexed
  const blocksOf = (count: number, name: string) => `${count} ${count === 1 ? 'block' : 'blocks'} of ${name}`
  const named = instance.categories.filter(({ level }) => level === undefined)
  return [...Map.groupBy(named, ({ name }) => name)].flatMap(([name, each]) =>
    each.flatMap((limits) => {
      const found: { i: number; key: string; count: number; lacks: number; above: number }[] = []
      for (const i of plan.Students.keys()) {
        const count = countIn(instance, limits, solution, i)
        const lacks = Math.max(0, (limits.least[i] ?? 0) - count)
        const above = limits.softCost === undefined ? 0 : Math.max(0, count - (limits.most[i] ?? blocks))
        const key = limits.softCost === undefined ? String(lacks) : `${count} ${lacks} ${above}`
        if (lacks > 0 || above > 0) found.push({ i, key, count, lacks, above })
      }
      return groupedBy(indexed, found, (who, many, { count, lacks, above }) => ({
        Text:
          limits.softCost === undefined
            ? `${who} ${many === 1 ? 'lacks' : 'lack'} ${blocksOf(lacks, name)}.`
            : `${who} ${many === 1 ? 'has' : 'have'} ${blocksOf(count, name)}, ${
                lacks > 0 ? `${lacks} fewer` : `${above} more`
              } than is wished.`,
        Fix: 'plan',
      })).map(limits.softCost === undefined ? stops : warns)
    }),
  )
}

/** What a run has reached. */
interface Reached {
  solution: Solution
  cost: number
  bound: number
  /** Whether it is proved that no draft is more even. */
  isEvenest?: boolean | undefined
}

/** The figures of a draft. With `isLast`, also remedies for those without a place, which take longer. */
export const figuresOf = (
  indexed: IndexedPlan,
  instance: PlanInstance,
  { solution, cost, bound, isEvenest = false }: Reached,
  { isLast }: { isLast: boolean },
): DraftFigures => {
  const { plan, blocks, options } = indexed
  const Ranks = [0, 0, 0, 0, 0]
  const ranks: number[] = []
  const miles: number[] = []
  let Placed = 0
  for (let at = 0; at < solution.length; at++) {
    const i = Math.floor(at / blocks)
    const option = options[solution[at] ?? -1]
    const student = plan.Students[i]
    if (!option || !student) continue
    Placed++
    const rank = rankAt(plan, i, at % blocks, option.SiteId)
    const place = rank === 0 ? 4 : Math.min(rank, 4) - 1
    Ranks[place] = (Ranks[place] ?? 0) + 1
    if (rank > 0) ranks.push(rank)
    const site = plan.Sites[option.site]
    const way = site ? milesOf(student, site) : null
    if (way !== null) miles.push(way)
  }
  const before = plan.Students.map(({ Points }) => Points)
  const after = pointsOf(indexed, solution).map((points, i) => points + (before[i] ?? 0))
  // Unmet wishes are listed but do not count as missing.
  const rules = instance.categories.filter(({ softCost }) => softCost === undefined)
  const missing = rules.reduce(
    (sum, limits) =>
      sum +
      limits.least.reduce(
        (all, least, i) => all + Math.max(0, least - countIn(instance, limits, solution, i)),
        0,
      ),
    0,
  )
  const causes = [
    ...findUnplaced(indexed, instance, solution),
    ...findLacking(indexed, instance, solution),
    ...findWarningsOf(indexed, solution),
  ].slice(0, mostCauses)
  return {
    Placed,
    Cells: solution.length,
    MeanRank: meanOf(ranks),
    MeanRankWithUnranked: meanRankOf(indexed, solution),
    Ranks,
    Miles: milesUnder.map(
      (most, at) => miles.filter((each) => each < most && each >= (milesUnder[at - 1] ?? 0)).length,
    ),
    MedianMiles: median(miles),
    SpreadBefore: spread(before),
    SpreadAfter: spread(after),
    Gap: gapOf({ cost, bound }),
    Cost: cost,
    Bound: bound,
    Missing: missing,
    ...(plan.Template === 'wheel' && {
      Wheel: proveWheel({ indexed, instance, solution }, isEvenest),
    }),
    Problems: causes.map(({ Text }) => Text),
    Causes: causes,
    Remedies: isLast ? findRemedies(indexed, instance, solution) : [],
  }
}
