import type { Remedy } from '#contract/placement/drafts.ts'
import { stretch } from './block-text.ts'
import { namesOf } from './causes.ts'
import type { Model } from './model.ts'
import type { PlanInstance } from './plan-instance.ts'
import { Counts, costsOfBlock } from './solver/block-costs.ts'
import { unevennessOf } from './solver/even.ts'
import { solveBlock } from './solver/flow.ts'
import { type Assignment, countIn } from './solver/instance.ts'

/** Trials of a run, each of which solves a block once more: so many of a small plan, and what they may cost of a large one. */
const mostTrials = 400
const mostWork = 1e9
const mostOffers = 6

/** Places more at a site in a block. */
interface More {
  s: number
  b: number
  by: number
}

/** A plan with more places, and the draft that uses them. */
interface Tried {
  instance: PlanInstance
  assignment: Assignment
  more: More[]
}

/** What has no place or lacks what a rule asks, in parts of a block. */
const lackingIn = ({ instance, assignment }: Tried): number => unevennessOf(instance, assignment)[0] ?? 0

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
  const costs = costsOfBlock(instance, at.assignment, more.b, new Counts(instance, at.assignment), (i, o) =>
    at.assignment[i * blocks + more.b] === o ? stay : 0,
  )
  const placed = solveBlock(instance, more.b, costs)
  const assignment = at.assignment.slice()
  for (let i = 0; i < students; i++) assignment[i * blocks + more.b] = placed[i] ?? -1
  return { instance, assignment, more: [...at.more, more] }
}

/** Students of a site in a block. */
const holdersOf = ({ instance, assignment }: Tried, { s, b }: More): number => {
  let count = 0
  for (let i = 0; i < instance.students; i++) {
    const o = assignment[i * instance.blocks + b] ?? -1
    if (o >= 0 && instance.siteOf[o] === s) count++
  }
  return count
}

/** Whom more places at a site in a block could help: who has none then, or lacks what is done there. */
const couldHelp = ({ instance, assignment }: Tried, s: number, b: number): number => {
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
        countIn(instance, limits, assignment, i) < (limits.least[i] ?? 0),
    )
    if ((assignment[at] ?? -1) < 0 || lacks) count++
  }
  return count
}

const placesText = (by: number): string => (by === 1 ? 'one more place' : `${by} more places`)

const textOf = (model: Model, before: Tried, after: Tried): Omit<Remedy, 'Places'> => {
  const { facts, blocks } = model
  const { instance } = before
  const bySite = Map.groupBy(after.more, ({ s, by }) => `${s} ${by}`)
  const where = [...bySite.values()].map((own) => {
    const [first] = own
    const at = stretch(own.map(({ b }) => b).toSorted((one, other) => one - other))
    return `${placesText(first?.by ?? 1)} at ${facts.Sites[first?.s ?? 0]?.Name} in ${at}`
  })
  const all = [...facts.Students.keys()]
  const unplacedOf = ({ assignment }: Tried, i: number) =>
    assignment.subarray(i * blocks, (i + 1) * blocks).filter((o) => o < 0).length
  const nameOf = (students: readonly number[]) =>
    students.length > 3
      ? `${students.length} students`
      : namesOf(students.map((i) => facts.Students[i]?.Name ?? ''))
  const placed = all.filter((i) => unplacedOf(after, i) < unplacedOf(before, i))
  const given = instance.categories.flatMap((limits) => {
    if (limits.softCost !== undefined) return []
    const lacks = ({ assignment }: Tried, i: number) =>
      Math.max(0, (limits.least[i] ?? 0) - countIn(instance, limits, assignment, i))
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
      [...facts.Blocks.keys()].some(
        (b) => after.assignment[i * blocks + b] !== before.assignment[i * blocks + b],
      ),
    ).length,
    IsEnough: lackingIn(after) === 0,
  }
}

/**
 * Places more at a site that give students a place or an experience that they lack, found by solving with them: the others of the block
 * may move, all other blocks stay. Those that leave nothing lacking come first, and of these the ones that change fewest students; where no site
 * alone is enough, several together.
 */
export const findRemedies = (model: Model, instance: PlanInstance, assignment: Assignment): Remedy[] => {
  const { facts, blocks } = model
  const start: Tried = { instance, assignment, more: [] }
  const size = Math.max(1, instance.students * instance.options ** 2)
  let trials = Math.max(20, Math.min(mostTrials, Math.floor(mostWork / size)))
  /** As few places more at a site as help, block by block. */
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
      // What it takes of a shift that is full while the site is not, only trying says.
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
      .map((each) => ({ each, lacking: lackingIn(each), remedy: textOf(model, start, each) }))
      .toSorted(
        (one, other) =>
          one.lacking - other.lacking ||
          (one.remedy.Touches ?? 0) - (other.remedy.Touches ?? 0) ||
          one.each.more.length - other.each.more.length,
      )
  const before = lackingIn(start)
  if (before === 0) return []
  const found = rank(
    [...facts.Sites.keys()].map((s) => atSite(start, s)).filter((each) => lackingIn(each) < before),
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
      const site = facts.Sites[own[0]?.s ?? -1]
      return site ? [{ SiteId: site.Id, Blocks: own.map(({ b }) => b), Places: own[0]?.by ?? 1 }] : []
    }),
  }))
}
