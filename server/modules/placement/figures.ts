import type { DraftFigures } from '#contract/placement/drafts.ts'
import { type Model, milesOf } from './model.ts'
import { type PlanInstance, rankAt, rankingOf, stepsBelowFirst } from './plan-instance.ts'
import { findRemedies } from './remedies.ts'
import { type Assignment, countIn } from './solver/instance.ts'
import { gapOf } from './solver/solve.ts'

/** Points of a student for having only second choices everywhere; a first choice gives none. */
const pointsPerRank = 4
const mostProblems = 100
/** Distances are counted by these, each without the ones before it. */
const milesUnder = [10, 25, 50, 100, Number.POSITIVE_INFINITY]

/**
 * What each student is owed from a draft: her mean distance from her first choice. Who ranked nothing is owed nothing, nor for a block for
 * which she ranked nothing.
 */
export const pointsOf = (model: Model, assignment: Assignment): number[] =>
  model.facts.Students.map((_, i) => {
    let steps = 0
    let count = 0
    for (let b = 0; b < model.blocks; b++) {
      const option = model.options[assignment[i * model.blocks + b] ?? -1]
      if (!option || rankingOf(model.facts, i, b).length === 0) continue
      steps += stepsBelowFirst(model.facts, i, b, option.SiteId)
      count++
    }
    return count === 0 ? 0 : Math.round((pointsPerRank * steps) / count)
  })

const median = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

const spread = (values: readonly number[]): number => {
  const most = values.reduce((one, other) => Math.max(one, other), 0)
  return most - values.reduce((one, other) => Math.min(one, other), most)
}

const listBlocks = (blocks: readonly number[]): string =>
  `${blocks.length > 1 ? 'blocks' : 'block'} ${blocks.map((block) => block + 1).join(', ')}`

/** Why a student has no place in a block. */
const unplacedText = (model: Model, instance: PlanInstance, i: number, b: number): string => {
  const { options, facts, faultOf } = model
  const row = instance.allowed.subarray(
    (i * model.blocks + b) * options.length,
    (i * model.blocks + b + 1) * options.length,
  )
  if (row.includes(1)) return 'all places that would be possible are taken, or limits of the plan are reached'
  const faults = new Map<string, number>()
  for (let o = 0; o < options.length; o++) {
    const fault = faultOf(i, b, o) ?? 'the locked place is gone'
    faults.set(fault, (faults.get(fault) ?? 0) + 1)
  }
  const [usual] = [...faults].toSorted((one, other) => other[1] - one[1])
  return `${facts.Students[i]?.Name} ${usual?.[0] ?? 'has no shift'}`
}

const findDraftProblems = (model: Model, instance: PlanInstance, assignment: Assignment): string[] => {
  const { facts, blocks } = model
  const problems: string[] = []
  for (const [i, { Name }] of facts.Students.entries()) {
    const byText = new Map<string, number[]>()
    for (let b = 0; b < blocks; b++) {
      if ((assignment[i * blocks + b] ?? -1) >= 0) continue
      const text = unplacedText(model, instance, i, b)
      byText.set(text, [...(byText.get(text) ?? []), b])
    }
    for (const [text, at] of byText) problems.push(`${Name} has no place in ${listBlocks(at)}: ${text}.`)
  }
  const blocksOf = (count: number, name: string) => `${count} ${count === 1 ? 'block' : 'blocks'} of ${name}`
  for (const limits of instance.categories.filter(({ level }) => level === undefined))
    for (const [i, { Name }] of facts.Students.entries()) {
      const count = countIn(instance, limits, assignment, i)
      const lacks = (limits.least[i] ?? 0) - count
      const above = count - (limits.most[i] ?? blocks)
      if (limits.softCost === undefined) {
        if (lacks > 0) problems.push(`${Name} lacks ${blocksOf(lacks, limits.name)}.`)
      } else if (lacks > 0 || above > 0)
        problems.push(
          `${Name} has ${blocksOf(count, limits.name)}, ${
            lacks > 0 ? `${lacks} fewer` : `${above} more`
          } than is wished.`,
        )
    }
  return problems.length > mostProblems
    ? [...problems.slice(0, mostProblems), `${problems.length - mostProblems} more.`]
    : problems
}

/** What a draft has come to. With `isLast` also what would help those who have no place, which takes longer. */
export const figuresOf = (
  model: Model,
  instance: PlanInstance,
  { assignment, cost, bound }: { assignment: Assignment; cost: number; bound: number },
  { isLast }: { isLast: boolean },
): DraftFigures => {
  const { facts, blocks, options } = model
  const Ranks = [0, 0, 0, 0, 0]
  const ranks: number[] = []
  const miles: number[] = []
  let Placed = 0
  for (let at = 0; at < assignment.length; at++) {
    const i = Math.floor(at / blocks)
    const option = options[assignment[at] ?? -1]
    const student = facts.Students[i]
    if (!option || !student) continue
    Placed++
    const rank = rankAt(facts, i, at % blocks, option.SiteId)
    const place = rank === 0 ? 4 : Math.min(rank, 4) - 1
    Ranks[place] = (Ranks[place] ?? 0) + 1
    if (rank > 0) ranks.push(rank)
    const site = facts.Sites[option.site]
    const way = site ? milesOf(student, site) : null
    if (way !== null) miles.push(way)
  }
  const before = facts.Students.map(({ Points }) => Points)
  const after = pointsOf(model, assignment).map((points, i) => points + (before[i] ?? 0))
  // What is only wished is named and not counted as missing.
  const rules = instance.categories.filter(({ softCost }) => softCost === undefined)
  const missing = rules.reduce(
    (sum, limits) =>
      sum +
      limits.least.reduce(
        (all, least, i) => all + Math.max(0, least - countIn(instance, limits, assignment, i)),
        0,
      ),
    0,
  )
  return {
    Placed,
    Cells: assignment.length,
    MeanRank: ranks.length === 0 ? null : ranks.reduce((sum, each) => sum + each, 0) / ranks.length,
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
    Problems: findDraftProblems(model, instance, assignment),
    Remedies: isLast ? findRemedies(model, instance, assignment) : [],
  }
}
