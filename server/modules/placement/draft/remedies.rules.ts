import type { Remedy } from '#contract/placement/drafts.ts'
import { blockRange } from '../plan/block-text.rules.ts'
import { namesOf } from '../plan/causes.rules.ts'
import type { IndexedPlan } from '../plan/indexed-plan.rules.ts'
import { Counts, costsOfBlock } from '../solve/block-costs.solver.ts'
import { unevennessOf } from '../solve/even.solver.ts'
import { solveBlock } from '../solve/flow.solver.ts'
import { countIn, type Solution } from '../solve/instance.solver.ts'
import type { PlanInstance } from '../solve/plan-instance.rules.ts'

/** Limits of the trials, each of which solves a block once more: their number, and for large plans their work. */
const mostTrials = 400
const mostWork = 1e9
const mostOffers = 6

/** Additional places at a site in a block. */
interface More {
  s: number
  b: number
  by: number
}

/** A plan with more places, and the draft that uses them. */
interface Tried {
  instance: PlanInstance
  solution: Solution
  more: More[]
}

/** How much is without a place or lacks what a rule asks, in fractions of a block. */
const lackingIn = ({ instance, solution }: Tried): number => unevennessOf(instance, solution)[0] ?? 0

/** The same plan with more places at a site in a block. */
const withPlaces = (instance: PlanInstance, { s, b, by }: More): PlanInstance => {
  const optionPlaces = instance.optionPlaces.slice()
  const sitePlaces = instance.sitePlaces.slice()
  sitePlaces[s * instance.blocks + b] = (sitePlaces[s * instance.blocks + b] ?? 0) + by
  for (let o = 0; o < instance.options; o++)
    if (instance.siteOf[o] === s)
      optionPlaces[o * instance.blocks + b] = (optionPlaces[o * instance.blocks + b] ?? 0) + by
  return { ...instance, optionPlaces, sitePlaces }
}

/** The best of a block with more places, while the other blocks stay: nobody moves for a wish alone. */
const withBlock = (at: Tried, more: More): Tried => {
  const { blocks, students } = at.instance
  const instance = withPlaces(at.instance, more)
  const stay = instance.cost.reduce((most, each) => Math.max(most, each), 1)
  // However many stay where they are, it weighs less than one who lacks something.
  const weight = 2 * (students + 1)
  const dear = {
    ...instance,
    unplacedCost: weight * instance.unplacedCost,
    missingCost: weight * instance.missingCost,
  }
  const costs = costsOfBlock(dear, at.solution, more.b, new Counts(instance, at.solution), (i, o) =>
    at.solution[i * blocks + more.b] === o ? stay : 0,
  )
  const placed = solveBlock(dear, more.b, costs)
  const solution = at.solution.slice()
  for (let i = 0; i < students; i++) solution[i * blocks + more.b] = placed[i] ?? -1
  return { instance, solution, more: [...at.more, more] }
}

/** Students of a site in a block. */
const holdersOf = ({ instance, solution }: Tried, { s, b }: More): number => {
  let count = 0
  for (let i = 0; i < instance.students; i++) {
    const o = solution[i * instance.blocks + b] ?? -1
    if (o >= 0 && instance.siteOf[o] === s) count++
  }
  return count
}

/** How many students more places at a site in a block could help: those without a place then, or lacking what is done there. */
const couldHelp = ({ instance, solution }: Tried, s: number, b: number): number => {
  const { students, blocks, options, siteOf, allowed, categories } = instance
  const lacked = categories.filter(({ softCost }) => softCost === undefined)
  let count = 0
  for (let i = 0; i < students; i++) {
    const at = i * blocks + b
    const isOpen = (o: number) => siteOf[o] === s && allowed[at * options + o] === 1
    const own = [...siteOf.keys()].filter(isOpen)
    if (own.length === 0) continue
    const lacks = lacked.some(
      (limits) =>
        own.some((o) => limits.has[o] === 1) &&
        countIn(instance, limits, solution, i) < (limits.least[i] ?? 0),
    )
    if ((solution[at] ?? -1) < 0 || lacks) count++
  }
  return count
}

const placesText = (by: number): string => (by === 1 ? 'one more place' : `${by} more places`)

const textOf = (indexed: IndexedPlan, before: Tried, after: Tried): Omit<Remedy, 'Places'> => {
  const { plan, blocks } = indexed
  const { instance } = before
  const bySite = Map.groupBy(after.more, ({ s, by }) => `${s} ${by}`)
  const where = [...bySite.values()].map((own) => {
    const [first] = own
    const at = blockRange(own.map(({ b }) => b).toSorted((one, other) => one - other))
    return `${placesText(first?.by ?? 1)} at ${plan.Sites[first?.s ?? 0]?.Name} in ${at}`
  })
  const all = [...plan.Students.keys()]
  const unplacedOf = ({ solution }: Tried, i: number) =>
    solution.subarray(i * blocks, (i + 1) * blocks).filter((o) => o < 0).length
  const nameOf = (students: readonly number[]) =>
    students.length > 3
      ? `${students.length} students`
      : namesOf(students.map((i) => plan.Students[i]?.Name ?? ''))
  const placed = all.filter((i) => unplacedOf(after, i) < unplacedOf(before, i))
  const given = instance.categories.flatMap((limits) => {
    if (limits.softCost !== undefined) return []
    const lacks = ({ solution }: Tried, i: number) =>
      Math.max(0, (limits.least[i] ?? 0) - countIn(instance, limits, solution, i))
    const helped = all.filter((i) => lacks(after, i) < lacks(before, i))
    return helped.length === 0 ? [] : [`${nameOf(helped)} ${limits.name}`]
  })
  const isOne = where.length === 1 && after.more[0]?.by === 1
  const does = [
    ...(placed.length > 0 ? [`${isOne ? 'places' : 'place'} ${nameOf(placed)}`] : []),
    ...(given.length > 0 ? [`${isOne ? 'gives' : 'give'} ${namesOf(given)}`] : []),
  ]
  const text = `${where.join(' and ')} ${does.join(' and ')}`
  return {
    Text: `${text[0]?.toUpperCase()}${text.slice(1)}`,
    Touches: all.filter((i) =>
      [...plan.Blocks.keys()].some((b) => after.solution[i * blocks + b] !== before.solution[i * blocks + b]),
    ).length,
    IsEnough: lackingIn(after) === 0,
  }
}

/**
 * Additional places at a site that give students a place or an experience they lack, found by solving with them: others in the block may
 * move, all other blocks stay. Remedies that leave nothing lacking come first, and of these the ones that move the fewest students; if no
 * single site is enough, several together.
 */
export const findRemedies = (indexed: IndexedPlan, instance: PlanInstance, solution: Solution): Remedy[] => {
  const { plan, blocks } = indexed
  const start: Tried = { instance, solution, more: [] }
  const size = Math.max(1, instance.students * instance.options ** 2)
  let trials = Math.max(20, Math.min(mostTrials, Math.floor(mostWork / size)))
  /** The fewest additional places at a site that help, block by block. */
  const atSite = (from: Tried, s: number): Tried => {
    let at = from
    for (let b = 0; b < blocks && trials > 0; b++) {
      const before = lackingIn(at)
      if (before === 0) break
      const could = couldHelp(at, s, b)
      if (could === 0) continue
      trials--
      const most = withBlock(at, { s, b, by: could })
      if (lackingIn(most) >= before) continue
      const by = Math.max(1, holdersOf(most, { s, b, by: 0 }) - (at.instance.sitePlaces[s * blocks + b] ?? 0))
      // If a shift is full while its site is not, only trying tells how many it takes.
      for (let few = Math.min(by, could); few <= could; few++) {
        trials--
        const next = withBlock(at, { s, b, by: few })
        if (lackingIn(next) > lackingIn(most) && few < could) continue
        at = next
        break
      }
    }
    return at
  }
  const rank = (tried: readonly Tried[]) =>
    tried
      .map((each) => ({ each, lacking: lackingIn(each), remedy: textOf(indexed, start, each) }))
      .toSorted(
        (one, other) =>
          one.lacking - other.lacking ||
          (one.remedy.Touches ?? 0) - (other.remedy.Touches ?? 0) ||
          one.each.more.length - other.each.more.length,
      )
  const before = lackingIn(start)
  if (before === 0) return []
  const found = rank(
    [...plan.Sites.keys()].map((s) => atSite(start, s)).filter((each) => lackingIn(each) < before),
  )
  const [best, ...others] = found
  if (best && best.lacking > 0) {
    let together = best.each
    for (const { each } of others) together = atSite(together, each.more[0]?.s ?? 0)
    if (lackingIn(together) < best.lacking) found.unshift(...rank([together]))
  }
  return found.slice(0, mostOffers).map(({ each, remedy }) => ({
    ...remedy,
    Places: [...Map.groupBy(each.more, ({ s, by }) => `${s} ${by}`).values()].flatMap((own) => {
      const site = plan.Sites[own[0]?.s ?? -1]
      return site ? [{ SiteId: site.Id, Blocks: own.map(({ b }) => b), Places: own[0]?.by ?? 1 }] : []
    }),
  }))
}
