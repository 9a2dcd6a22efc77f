import { isEvening } from '#contract/placement/plan-rules.ts'
import type { IndexedPlan } from '../plan/indexed-plan.rules.ts'
import { type Places, type Reach, reachedSites, reachOf } from '../plan/reach.rules.ts'
import type { NamedLimits } from './limits.rules.ts'

/** Distributes blocks evenly over sites, each of which takes at most so many. */
const evenShares = (blocks: number, most: readonly number[]): number[] => {
  const shares = most.map(() => 0)
  let open = [...most.keys()].filter((s) => (most[s] ?? 0) > 0)
  let left = blocks
  while (open.length > 0) {
    const each = left / open.length
    const small = open.filter((s) => (most[s] ?? 0) < each)
    for (const s of small.length > 0 ? small : open) shares[s] = small.length > 0 ? (most[s] ?? 0) : each
    if (small.length === 0) break
    left -= small.reduce((sum, s) => sum + (shares[s] ?? 0), 0)
    open = open.filter((s) => !small.includes(s))
  }
  return shares
}

const tiny = 1e-6
const evenings = 'Evenings, nights and weekends'

/** Blocks of each student at each site if all go through all sites they can reach: [i × sites + s]. */
interface Turns {
  least: Int16Array
  most: Int16Array
}

/** How often each student goes to each site in a perfect wheel: as often as to every other site in reach, or once more. */
const turnsOf = (indexed: IndexedPlan, reach: Reach): Turns => {
  const { plan, blocks } = indexed
  const students = plan.Students.length
  const sites = plan.Sites.length
  const least = new Int16Array(students * sites)
  const most = new Int16Array(students * sites)
  for (let i = 0; i < students; i++) {
    const group = plan.Rules.Groups[indexed.groupOf[i] ?? -1]
    const limit = group?.MostBlocksPerSite ?? blocks
    const shares = evenShares(
      reach.anywhere[i] ?? 0,
      Array.from({ length: sites }, (_, s) => Math.min(reach.bySite[i * sites + s] ?? 0, limit)),
    )
    for (const [s, share] of shares.entries()) {
      const at = i * sites + s
      const isReached = (reach.bySite[at] ?? 0) > 0
      least[at] = Math.floor(share + tiny)
      most[at] = isReached ? Math.max(1, Math.ceil(share - tiny)) : 0
    }
  }
  return { least, most }
}

/** How many blocks at these options each student is likely to have if all have the same: this many, or one more. */
const likely = (
  { blocks, options, allowed }: IndexedPlan,
  { optionPlaces }: Places,
  members: readonly number[],
  has: Uint8Array,
): number => {
  let given = 0
  let all = 0
  for (let b = 0; b < blocks; b++)
    for (let o = 0; o < options.length; o++) {
      const places = optionPlaces[o * blocks + b] ?? 0
      const isOpen = members.some((i) => allowed[(i * blocks + b) * options.length + o] === 1)
      if (!isOpen) continue
      all += places
      if (has[o] === 1) given += places
    }
  return all === 0 ? 0 : Math.min(blocks, Math.floor((blocks * given) / all + tiny))
}

/**
 * What all students of a wheel are to have the same number of, in order of priority: the sites, then each experience as the plan lists
 * them, then evenings, nights and weekends. Each comes before all that follow, and before all wishes.
 *
 * @param lowest what a block too few or too many of the last of them weighs
 */
export const wheelLimits = (indexed: IndexedPlan, places: Places, lowest: number): NamedLimits[] => {
  const { plan, blocks, options, groupOf, needs } = indexed
  const students = plan.Students.length
  const sites = plan.Sites.length
  const reach = reachOf(indexed, places)
  const { least, most } = turnsOf(indexed, reach)
  const part = (name: string, has: Uint8Array, level: number) => ({
    name,
    has,
    level,
    softCost: 0,
    parts: [],
  })
  const found: NamedLimits[] = []
  const column = (of: Int16Array, s: number): Int16Array =>
    Int16Array.from({ length: students }, (_, i) => of[i * sites + s] ?? 0)
  for (const s of reachedSites(sites, reach)) {
    const has = Uint8Array.from(options, ({ site }) => (site === s ? 1 : 0))
    const name = plan.Sites[s]?.Name ?? ''
    found.push({ ...part(name, has, 0), least: column(least, s), most: column(most, s) })
    // Two too few or too many for one student are worse than one for each of two.
    for (let n = 1; n <= Math.max(1, ...column(least, s)); n++) {
      const fewer = column(least, s).map((each) => Math.max(0, each - n))
      const more = column(most, s).map((each) => Math.min(blocks, each + n))
      if (fewer.some((each) => each > 0) || more.some((each) => each < blocks))
        found.push({ ...part(name, has, 0), least: fewer, most: more })
    }
  }
  const alike = [
    ...needs.map(({ name, has, least: asked, most: highest }) => ({
      name,
      has,
      isAsked: (i: number) => (asked[i] ?? 0) > 0 || (highest[i] ?? blocks) < blocks,
    })),
    {
      name: evenings,
      has: Uint8Array.from(options, ({ type }) => (isEvening(type) ? 1 : 0)),
      isAsked: () => true,
    },
  ]
  let level = 0
  for (const { name, has, isAsked } of alike) {
    // If all shifts give it, or none, there is nothing to share out.
    if (!has.includes(1) || !has.includes(0)) continue
    // Evenings that an experience asks of everybody are shared out as that experience.
    const isShared = needs.some((need) => need.has.every((is, o) => is === has[o]))
    if (name === evenings && isShared && plan.Rules.Groups.length === 1) continue
    level++
    const groups = Map.groupBy(
      [...groupOf.keys()].filter((i) => (groupOf[i] ?? -1) >= 0 && isAsked(i)),
      (i) => groupOf[i],
    )
    for (const members of groups.values()) {
      const low = likely(indexed, places, members, has)
      const limits = {
        ...part(name, has, level),
        isFree: true,
        least: new Int16Array(students),
        most: new Int16Array(students).fill(blocks),
      }
      for (const i of members) {
        limits.least[i] = low
        limits.most[i] = Math.min(blocks, low + 1)
      }
      found.push(limits)
    }
  }
  return found.map((limits) => ({ ...limits, softCost: lowest * 4 ** (level - (limits.level ?? 0)) }))
}
