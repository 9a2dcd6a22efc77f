import type { WheelProof } from '#contract/placement/drafts.ts'
import { blockRange } from '../plan/block-text.rules.ts'
import { namesOf, whoOf } from '../plan/causes.rules.ts'
import type { IndexedPlan } from '../plan/indexed-plan.rules.ts'
import { reachedSites, reachOf } from '../plan/reach.rules.ts'
import { countIn, type Solution } from '../solve/instance.solver.ts'
import type { NamedLimits } from '../solve/limits.rules.ts'
import type { PlanInstance } from '../solve/plan-instance.rules.ts'

const times = (count: number): string => (count === 1 ? '1 block' : `${count} blocks`)

interface Asked {
  indexed: IndexedPlan
  instance: PlanInstance
  solution: Solution
}

/** The options of a site. */
const atSite = ({ options }: IndexedPlan, s: number): Uint8Array =>
  Uint8Array.from(options, ({ site }) => (site === s ? 1 : 0))

/** Sites with too few places for everybody's turn, and those that some students cannot go to. */
const siteReasons = (
  { indexed, instance, solution }: Asked,
  sites: readonly number[],
  fewest: number,
): string[] => {
  const { plan, blocks, options } = indexed
  const count = plan.Students.length
  const { bySite } = reachOf(indexed, instance)
  const placed = solution.filter((o) => o >= 0).length
  const isOpen = new Uint8Array(plan.Sites.length * blocks)
  for (const [at, is] of instance.allowed.entries()) {
    const site = options[at % options.length]?.site
    if (is === 1 && site !== undefined) isOpen[site * blocks + (Math.floor(at / options.length) % blocks)] = 1
  }
  const reasons: string[] = []
  const kept = new Map<string, { students: Set<number>; sites: number[] }>()
  const scarce: { s: number; places: number; reaching: number; closed: number[] }[] = []
  let turns = 0
  for (const s of sites) {
    let places = 0
    const closed: number[] = []
    for (let b = 0; b < blocks; b++) {
      const ofShifts = options.reduce(
        (sum, { site }, o) => sum + (site === s ? (instance.optionPlaces[o * blocks + b] ?? 0) : 0),
        0,
      )
      const here = isOpen[s * blocks + b]
        ? Math.min(count, ofShifts, instance.sitePlaces[s * blocks + b] ?? 0)
        : 0
      if (here === 0) closed.push(b)
      places += here
    }
    const out = [...plan.Students.keys()].filter((i) => (bySite[i * plan.Sites.length + s] ?? 0) === 0)
    const reaching = count - out.length
    turns += Math.min(places, reaching * Math.max(1, fewest))
    if (places < reaching * Math.max(1, fewest)) scarce.push({ s, places, reaching, closed })
    if (out.length === 0) continue
    const key = out.join()
    const known = kept.get(key) ?? { students: new Set(out), sites: [] }
    known.sites.push(s)
    kept.set(key, known)
  }
  // Where there are more sites than blocks, one with few places is missed only when the others are not enough.
  if (fewest > 0 || turns < placed)
    for (const { s, places, reaching, closed } of scarce)
      reasons.push(
        `${plan.Sites[s]?.Name} has ${places} ${places === 1 ? 'place' : 'places'} in all blocks for ${reaching} students${
          closed.length > 0 ? `: it has none in ${blockRange(closed)}` : ''
        }.`,
      )
  for (const { students, sites: own } of kept.values()) {
    const who = [...students]
    const first = who[0] ?? 0
    const o = options.findIndex(({ site }) => site === own[0])
    const faults = new Set(plan.Blocks.flatMap((_, b) => indexed.faultOf(first, b, o) ?? []))
    reasons.push(
      `${whoOf(indexed, who)} cannot go to ${namesOf(own.map((s) => plan.Sites[s]?.Name ?? ''))} in any block${
        who.length === 1 && faults.size === 1 ? `: ${[...faults][0]}` : ''
      }.`,
    )
  }
  return reasons
}

/** Students who must be at a site more often than their turn, by pins, locks or what was accepted. */
const pinReasons = ({ indexed, instance }: Asked, sites: readonly number[], most: number): string[] => {
  const { plan, blocks, options } = indexed
  const width = options.length
  return sites.flatMap((s) => {
    const forced = [...plan.Students.keys()].filter((i) => {
      let must = 0
      for (let b = 0; b < blocks; b++) {
        const row = instance.allowed.subarray((i * blocks + b) * width, (i * blocks + b + 1) * width)
        if (row.includes(1) && row.every((is, o) => is === 0 || options[o]?.site === s)) must++
      }
      return must > most
    })
    return forced.length === 0
      ? []
      : [
          `${whoOf(indexed, forced)} can be nowhere but at ${plan.Sites[s]?.Name} in more than ${times(most)}: pinned, locked or accepted there, or kept out elsewhere.`,
        ]
  })
}

/** How uneven experiences and evenings are, one number for each. */
const alikeReasons = ({ indexed, instance, solution }: Asked): string[] =>
  instance.categories.flatMap((limits: NamedLimits) => {
    if (!limits.isFree) return []
    const counts = [...indexed.plan.Students.keys()]
      .filter((i) => (limits.least[i] ?? 0) > 0 || (limits.most[i] ?? indexed.blocks) < indexed.blocks)
      .map((i) => countIn(instance, limits, solution, i))
    const [least, most] = [Math.min(...counts), Math.max(...counts)]
    return most - least > 1 ? [`${limits.name}: ${least} to ${most} blocks a student.`] : []
  })

/** How evenly everyone goes through every site in a draft of a wheel, and if not evenly, what prevents it. */
export const proveWheel = (asked: Asked, isEvenest: boolean): WheelProof => {
  const { indexed, instance, solution } = asked
  const { plan, blocks } = indexed
  const sites = reachedSites(plan.Sites.length, reachOf(indexed, instance))
  const Fewest = sites.length === 0 ? 0 : Math.floor(blocks / sites.length)
  const Most = sites.length === 0 ? 0 : Math.ceil(blocks / sites.length)
  const unplaced = solution.filter((o) => o < 0).length
  const areSitesAlike = sites.every((s) => {
    const limits = { has: atSite(indexed, s), least: new Int16Array(0), most: new Int16Array(0) }
    return [...plan.Students.keys()].every((i) => {
      const count = countIn(instance, limits, solution, i)
      return count >= Fewest && count <= Most
    })
  })
  const notAlike = alikeReasons(asked)
  const IsEven = unplaced === 0 && areSitesAlike && notAlike.length === 0
  const ofPlaces =
    unplaced > 0 ? [`${times(unplaced)} of students ${unplaced === 1 ? 'has' : 'have'} no place.`] : []
  const ofSites = areSitesAlike
    ? []
    : [...siteReasons(asked, sites, Fewest), ...pinReasons(asked, sites, Most)]
  return {
    SiteIds: sites.flatMap((s) => plan.Sites[s]?.Id ?? []),
    Fewest,
    Most,
    IsEven,
    IsBest: IsEven || isEvenest,
    Reasons: [...ofPlaces, ...ofSites, ...notAlike],
  }
}

/** What a proof says, in words for a file. */
export const wheelText = ({ SiteIds, Fewest, Most, IsEven, IsBest, Reasons }: WheelProof): string[] => {
  const each = Fewest === Most ? times(Most) : `${Fewest} or ${times(Most)}`
  const what =
    Fewest === 0
      ? `every student is at another one of the ${SiteIds.length} sites within reach in every block`
      : `every student has ${each} at each of the ${SiteIds.length} sites within reach`
  return IsEven
    ? [`The wheel is complete: ${what}.`]
    : [`The wheel is not complete: not ${what}.${IsBest ? ' No draft is more even.' : ''}`, ...Reasons]
}
