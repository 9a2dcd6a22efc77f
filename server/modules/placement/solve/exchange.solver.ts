import { highOf } from './bound.solver.ts'
import { costRow, type Instance, lackCostOf, loadPrice, mostOf, type Solution } from './instance.solver.ts'

/** Attempts per place of a plan, and the most in all: a few seconds of processor time. */
const attemptsEach = 1_200
const mostAttempts = 2_000_000
/** How many partners are tried for an exchange of two places. */
const mostAsked = 300

/**
 * Improves a solution if changes of site cost something: two students swap places in one block or two, or one takes a free place. At first
 * swaps are accepted even if they cost a little, later less and less (simulated annealing), since a gain often takes several swaps. It ends
 * by the number of attempts, never by time.
 */
export const exchange = (instance: Instance, from: Solution, random: () => number): Solution => {
  const { students, blocks, options, sites, siteOf, allowed, fixed, cost, changeCost, loadCost, categories } =
    instance
  const now = from.slice()
  const kinds = Array.from({ length: options }, (_, o) =>
    [...categories.keys()].filter((k) => categories[k]?.has[o] === 1),
  )
  const counts = categories.map(() => new Int16Array(students))
  const used = new Int32Array(options * blocks)
  const usedOfSite = new Int32Array(sites * blocks)
  const siteAt = (i: number, b: number): number => {
    const o = b < 0 || b >= blocks ? -1 : (now[i * blocks + b] ?? -1)
    return o < 0 ? -1 : (siteOf[o] ?? -1)
  }
  /** Places a student and updates all counts. */
  const put = (i: number, b: number, o: number, by: 1 | -1): void => {
    for (const k of kinds[o] ?? []) {
      const ofKind = counts[k]
      if (ofKind) ofKind[i] = (ofKind[i] ?? 0) + by
    }
    used[o * blocks + b] = (used[o * blocks + b] ?? 0) + by
    const at = (siteOf[o] ?? 0) * blocks + b
    usedOfSite[at] = (usedOfSite[at] ?? 0) + by
    now[i * blocks + b] = by === 1 ? o : -1
  }
  for (let at = 0; at < now.length; at++) {
    const o = now[at] ?? -1
    if (o >= 0) put(Math.floor(at / blocks), at % blocks, o, 1)
  }
  const limitCost = (k: number, i: number): number => {
    const limits = categories[k]
    const count = counts[k]?.[i] ?? 0
    if (!limits) return 0
    if (limits.softCost === undefined && count > mostOf(instance, limits, i)) return Number.POSITIVE_INFINITY
    return (
      lackCostOf(instance, limits) * Math.max(0, (limits.least[i] ?? 0) - count) +
      (limits.softCost ?? 0) * Math.max(0, count - highOf(instance, limits, i))
    )
  }
  const changesAround = (i: number, b: number): number => {
    const here = siteAt(i, b)
    if (here < 0) return 0
    return [b - 1, b + 1].reduce((sum, next) => {
      const there = siteAt(i, next)
      return sum + (there >= 0 && there !== here ? changeCost : 0)
    }, 0)
  }
  /** Moves a student within a block; answers the added cost. */
  const move = (i: number, b: number, to: number): number => {
    const was = now[i * blocks + b] ?? -1
    const touched = new Set([...(kinds[was] ?? []), ...(kinds[to] ?? [])])
    const row = costRow(instance, i, b)
    let before = changesAround(i, b) + (cost[row + was] ?? 0)
    for (const k of touched) before += limitCost(k, i)
    put(i, b, was, -1)
    put(i, b, to, 1)
    let after = changesAround(i, b) + (cost[row + to] ?? 0)
    for (const k of touched) after += limitCost(k, i)
    return after - before
  }
  const mayBe = (i: number, b: number, o: number): boolean =>
    o >= 0 &&
    (now[i * blocks + b] ?? -1) >= 0 &&
    (fixed[i * blocks + b] ?? -1) < 0 &&
    allowed[(i * blocks + b) * options + o] === 1
  /** The added cost of one student fewer at one site and one more at another. */
  const loadOf = (was: number, to: number, b: number): number => {
    const [one, other] = [(siteOf[was] ?? 0) * blocks + b, (siteOf[to] ?? 0) * blocks + b]
    if (loadCost === 0 || one === other) return 0
    return (
      loadPrice(loadCost, usedOfSite[other] ?? 0, instance.sitePlaces[other] ?? 0) -
      loadPrice(loadCost, (usedOfSite[one] ?? 0) - 1, instance.sitePlaces[one] ?? 0)
    )
  }
  const isFree = (was: number, to: number, b: number): boolean => {
    const [one, other] = [(siteOf[was] ?? 0) * blocks + b, (siteOf[to] ?? 0) * blocks + b]
    const isSame = one === other
    return (
      (used[to * blocks + b] ?? 0) < (instance.optionPlaces[to * blocks + b] ?? 0) &&
      (isSame ||
        ((usedOfSite[other] ?? 0) < (instance.sitePlaces[other] ?? 0) &&
          (instance.siteLeast[one] ?? 0) <= 1 &&
          (instance.siteLeast[other] ?? 0) <= 1))
    )
  }
  /** The moves of one attempt: who, in which block, where to, and the added cost. */
  let taken: [i: number, b: number, was: number][] = []
  const attempt = (i: number, b: number, to: number): number => {
    taken.push([i, b, now[i * blocks + b] ?? -1])
    return move(i, b, to)
  }
  const whole = (below: number): number => Math.floor(random() * below)
  /** Somebody who has at both blocks what another one would need to exchange the sites of both. */
  const partnerOf = (i: number, b: number, c: number): number => {
    const start = whole(students)
    for (let n = 0; n < Math.min(students, mostAsked); n++) {
      const j = (start + n) % students
      if (j !== i && siteAt(j, b) === siteAt(i, c) && siteAt(j, c) === siteAt(i, b)) return j
    }
    return -1
  }
  const swap = (i: number, j: number, b: number): number => {
    const [own, other] = [now[i * blocks + b] ?? -1, now[j * blocks + b] ?? -1]
    if (!mayBe(i, b, other) || !mayBe(j, b, own)) return Number.POSITIVE_INFINITY
    return attempt(i, b, other) + attempt(j, b, own)
  }
  const attempts = Math.min(mostAttempts, attemptsEach * students * blocks)
  for (let n = 0; n < attempts; n++) {
    // From the cost of a change of site down to a hundredth of it.
    const warmth = changeCost * 0.01 ** (n / attempts)
    const [i, b] = [whole(students), whole(blocks)]
    const kind = random()
    taken = []
    let more = Number.POSITIVE_INFINITY
    if (kind < 0.2) {
      const [was, to] = [now[i * blocks + b] ?? -1, whole(options)]
      if (was >= 0 && was !== to && mayBe(i, b, to) && isFree(was, to, b))
        more = loadOf(was, to, b) + attempt(i, b, to)
    } else if (kind < 0.7) {
      const j = whole(students)
      if (i !== j && siteAt(i, b) !== siteAt(j, b)) more = swap(i, j, b)
    } else {
      const c = whole(blocks)
      const j =
        siteAt(i, b) >= 0 && siteAt(i, c) >= 0 && siteAt(i, b) !== siteAt(i, c) ? partnerOf(i, b, c) : -1
      if (j >= 0) {
        more = swap(i, j, b)
        if (more < Number.POSITIVE_INFINITY) more += swap(i, j, c)
      }
    }
    const isTaken = more <= 0 || random() < Math.exp(-more / warmth)
    if (!isTaken) for (const [who, block, was] of taken.toReversed()) move(who, block, was)
  }
  return now
}
