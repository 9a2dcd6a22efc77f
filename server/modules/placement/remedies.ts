import type { ChangedPlaces, Remedy } from '#contract/placement/drafts.ts'
import type { Model } from './model.ts'
import type { PlanInstance } from './plan-instance.ts'
import { Counts, costsOfBlock } from './solver/block-costs.ts'
import { solveBlock } from './solver/flow.ts'
import type { Assignment } from './solver/instance.ts'

/** Trials of a run: each solves a block once more. */
const mostTrials = 150

const unplacedIn = ({ students, blocks }: PlanInstance, assignment: Assignment, b: number): number[] =>
  Array.from({ length: students }, (_, i) => i).filter((i) => (assignment[i * blocks + b] ?? -1) < 0)

const nameList = (names: readonly string[]): string =>
  names.length > 3
    ? `${names.length} students`
    : names.length === 1
      ? (names[0] ?? '')
      : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** The same plan with more places at a site in a block. */
const withPlaces = (instance: PlanInstance, s: number, b: number, more: number): PlanInstance => {
  const optionPlaces = instance.optionPlaces.slice()
  const sitePlaces = instance.sitePlaces.slice()
  sitePlaces[s * instance.blocks + b] = (sitePlaces[s * instance.blocks + b] ?? 0) + more
  for (let o = 0; o < instance.options; o++)
    if (instance.siteOf[o] === s)
      optionPlaces[o * instance.blocks + b] = (optionPlaces[o * instance.blocks + b] ?? 0) + more
  return { ...instance, optionPlaces, sitePlaces }
}

/**
 * The fewest places more at one site that give the students of a block a place, found by trying: the others of the block may move, all
 * other blocks stay. Blocks in which the same site helps as much come together.
 */
export const findRemedies = (model: Model, instance: PlanInstance, assignment: Assignment): Remedy[] => {
  const { facts, blocks } = model
  const counts = new Counts(instance, assignment)
  const found = new Map<string, { change: ChangedPlaces; site: string; names: Set<string> }>()
  let trials = 0
  for (let b = 0; b < blocks; b++) {
    const missing = unplacedIn(instance, assignment, b)
    if (missing.length === 0) continue
    const costs = costsOfBlock(instance, assignment, b, counts)
    let best: { s: number; more: number; names: string[] } | undefined
    for (const [s, site] of facts.Sites.entries()) {
      if (trials >= mostTrials) break
      const isReached = missing.some((i) =>
        model.options.some(
          (option, o) =>
            option.site === s &&
            (costs[i * instance.options + o] ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY,
        ),
      )
      if (!isReached) continue
      trials++
      const placed = solveBlock(withPlaces(instance, s, b, missing.length), b, costs)
      const helped = missing.filter((i) => (placed[i] ?? -1) >= 0)
      const stillMissing = placed.reduce((sum, o) => sum + (o < 0 ? 1 : 0), 0)
      const more = missing.length - stillMissing
      if (more > 0 && site && (!best || more > best.more))
        best = { s, more, names: helped.map((i) => facts.Students[i]?.Name ?? '') }
    }
    const site = best && facts.Sites[best.s]
    if (!best || !site) continue
    const key = `${site.Id} ${best.more}`
    const known = found.get(key) ?? {
      change: { SiteId: site.Id, Blocks: [], Places: best.more },
      site: site.Name,
      names: new Set<string>(),
    }
    known.change.Blocks.push(b)
    for (const name of best.names) known.names.add(name)
    found.set(key, known)
  }
  return [...found.values()].map(({ change, site, names }) => ({
    Text: `${change.Places === 1 ? 'One more place' : `${change.Places} more places`} at ${site} in ${
      change.Blocks.length === 1 ? 'block' : 'blocks'
    } ${change.Blocks.map((b) => b + 1).join(', ')} ${change.Places === 1 ? 'places' : 'place'} ${nameList([...names])}`,
    Places: [change],
  }))
}
