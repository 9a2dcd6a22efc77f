import { type Instance, loadPrice } from './instance.solver.ts'

/** Costs of one block: [i × options + o], Infinity if a student cannot be there. */
export type BlockCosts = Float64Array

const far = Number.POSITIVE_INFINITY

/** The decision about a site that takes a minimum or none: `closed` has no students, `pulled` is filled to its minimum first. */
type Decision = 'closed' | 'pulled'

/**
 * One block of a plan, or of several plans at once: who may go where, and for how many there are places. Options and sites of a plan
 * follow each other, and its students choose among its own options.
 */
interface Network {
  sites: number
  /** [o] */
  siteOf: Int32Array
  optionPlaces: Int32Array
  /** [s] */
  sitePlaces: Int32Array
  /** Which places a site shares with others, by their position: [s]; -1 for none. */
  poolOf: Int32Array
  poolPlaces: Int32Array
  /** By plan. */
  plans: readonly { students: number; options: number; unplacedCost: number; costs: BlockCosts }[]
  /** What the next student of a site costs beyond their own price, by how many are there; absent if sites share places. */
  priceOfNext: (s: number, load: number) => number
}

/**
 * The best places of all students in a network, as a minimum-cost flow: students to options, options to their sites, sites to what they
 * share, each with a capacity, and one path for those without a place. One student after another takes the cheapest path in, on which others
 * move over, so that the flow is the cheapest at each step and the optimum at the end. Answers the option of each student by plan, or -1.
 */
const solveFlow = ({
  sites,
  siteOf,
  optionPlaces,
  sitePlaces,
  poolOf,
  poolPlaces,
  plans,
  priceOfNext,
}: Network): Int16Array[] => {
  const options = siteOf.length
  const width = options + 1
  const nowhere = options
  const firstPool = width + sites
  const nodes = firstPool + poolPlaces.length
  const members: number[][] = Array.from({ length: width }, () => [])
  const load = new Int32Array(sites)
  const loadOfPool = new Int32Array(poolPlaces.length)
  const optionsOf: number[][] = Array.from({ length: sites }, () => [])
  const optionsOfPool: number[][] = Array.from(poolPlaces, () => [])
  for (let o = 0; o < options; o++) {
    const s = siteOf[o] ?? 0
    optionsOf[s]?.push(o)
    optionsOfPool[poolOf[s] ?? -1]?.push(o)
  }
  const total = plans.reduce((sum, { students }) => sum + students, 0)
  const assigned = new Int16Array(total).fill(-1)
  const planOf = new Uint8Array(total)
  /** Where the prices of a student begin, less the first option of their plan. */
  const rowOf = new Int32Array(total)
  const ofOption = new Uint8Array(options)
  const firstOf = new Int32Array(plans.length)
  const endOf = new Int32Array(plans.length)
  let person = 0
  let option = 0
  for (const [plan, each] of plans.entries()) {
    firstOf[plan] = option
    endOf[plan] = option + each.options
    ofOption.fill(plan, option, option + each.options)
    for (let n = 0; n < each.students; n++, person++) {
      planOf[person] = plan
      rowOf[person] = n * each.options - option
    }
    option += each.options
  }
  const costsOf = plans.map(({ costs }) => costs)
  const unplacedOf = plans.map(({ unplacedCost }) => unplacedCost)
  const priceOf = (i: number, o: number): number => {
    const plan = planOf[i] ?? 0
    return (o === nowhere ? unplacedOf[plan] : costsOf[plan]?.[(rowOf[i] ?? 0) + o]) ?? far
  }

  /** The cheapest move of a member of p to r, and who moves. */
  const moves = new Float64Array(width * width).fill(far)
  const movers = new Int32Array(width * width)
  const refresh = (p: number) => {
    moves.fill(far, p * width, (p + 1) * width)
    // Nobody comes in by moving those who have no place.
    if (p === nowhere) return
    const plan = ofOption[p] ?? 0
    const costs = costsOf[plan]
    const first = firstOf[plan] ?? 0
    const end = endOf[plan] ?? 0
    for (const j of members[p] ?? []) {
      const own = priceOf(j, p)
      const row = rowOf[j] ?? 0
      for (let r = first; r < end; r++) {
        const change = (costs?.[row + r] ?? far) - own
        if (change < (moves[p * width + r] ?? far)) {
          moves[p * width + r] = change
          movers[p * width + r] = j
        }
      }
      const out = (unplacedOf[plan] ?? far) - own
      if (out < (moves[p * width + nowhere] ?? far)) {
        moves[p * width + nowhere] = out
        movers[p * width + nowhere] = j
      }
    }
  }

  const distance = new Float64Array(nodes)
  /** The node from which each was reached: a move if both are options, otherwise a place that is or becomes free; -1 from the student. */
  const from = new Int32Array(nodes)
  const queue = new Int32Array(nodes * 4)
  const isQueued = new Uint8Array(nodes)

  const insert = (i: number): void => {
    distance.fill(far)
    let head = 0
    let tail = 0
    const capacity = queue.length
    const reach = (node: number, length: number, by: number) => {
      if (length >= (distance[node] ?? far) - 1e-9) return
      distance[node] = length
      from[node] = by
      if (isQueued[node]) return
      isQueued[node] = 1
      queue[tail] = node
      tail = (tail + 1) % capacity
    }
    const own = planOf[i] ?? 0
    for (let o = firstOf[own] ?? 0; o < (endOf[own] ?? 0); o++) reach(o, priceOf(i, o), -1)
    reach(nowhere, priceOf(i, nowhere), -1)
    while (head !== tail) {
      const node = queue[head] ?? 0
      head = (head + 1) % capacity
      isQueued[node] = 0
      const length = distance[node] ?? far
      if (node >= firstPool) {
        for (const q of optionsOfPool[node - firstPool] ?? [])
          if ((members[q]?.length ?? 0) > 0) reach(q, length, node)
        continue
      }
      if (node >= width) {
        const s = node - width
        for (const q of optionsOf[s] ?? []) if ((members[q]?.length ?? 0) > 0) reach(q, length, node)
        const pool = poolOf[s] ?? -1
        if (pool >= 0 && (load[s] ?? 0) < (sitePlaces[s] ?? 0)) reach(firstPool + pool, length, node)
        continue
      }
      if (node === nowhere) continue
      if ((members[node]?.length ?? 0) < (optionPlaces[node] ?? 0))
        reach(width + (siteOf[node] ?? 0), length, node)
      const plan = ofOption[node] ?? 0
      const end = endOf[plan] ?? 0
      for (let r = firstOf[plan] ?? 0; r < end; r++) {
        const change = moves[node * width + r] ?? far
        if (change !== far && r !== node) reach(r, length + change, node)
      }
      const out = moves[node * width + nowhere] ?? far
      if (out !== far) reach(nowhere, length + out, node)
    }
    let end = nowhere
    let best = distance[nowhere] ?? far
    for (let s = 0; s < sites; s++) {
      if ((poolOf[s] ?? -1) >= 0 || (load[s] ?? 0) >= (sitePlaces[s] ?? 0)) continue
      const length = (distance[width + s] ?? far) + priceOfNext(s, load[s] ?? 0)
      if (length < best - 1e-9) {
        best = length
        end = width + s
      }
    }
    for (const [pool, places] of poolPlaces.entries()) {
      if ((loadOfPool[pool] ?? 0) >= places) continue
      const length = distance[firstPool + pool] ?? far
      if (length < best - 1e-9) {
        best = length
        end = firstPool + pool
      }
    }
    // Back along the path: who moves where, from the end to the student.
    const changed = new Set<number>()
    const steps: { student: number; to: number }[] = []
    let node = end
    for (;;) {
      const by = from[node] ?? -1
      if (node >= width || by >= width) node = by
      else if (by === -1) {
        steps.push({ student: i, to: node })
        break
      } else {
        steps.push({ student: movers[by * width + node] ?? 0, to: node })
        node = by
      }
    }
    const count = (o: number, by: 1 | -1) => {
      if (o === nowhere) return
      const s = siteOf[o] ?? 0
      load[s] = (load[s] ?? 0) + by
      const pool = poolOf[s] ?? -1
      if (pool >= 0) loadOfPool[pool] = (loadOfPool[pool] ?? 0) + by
    }
    for (const { student, to } of steps) {
      if (student !== i) {
        const left = assigned[student] ?? nowhere
        const list = members[left] ?? []
        list.splice(list.indexOf(student), 1)
        count(left, -1)
        changed.add(left)
      }
      members[to]?.push(student)
      assigned[student] = to === nowhere ? -1 : to
      count(to, 1)
      changed.add(to)
    }
    for (const p of changed) refresh(p)
  }

  for (let i = 0; i < total; i++) insert(i)
  let before = 0
  return plans.map(({ students }, plan) => {
    const placed = assigned.slice(before, before + students)
    before += students
    return placed.map((o) => (o < 0 ? o : o - (firstOf[plan] ?? 0)))
  })
}

/** The places of a block: [o] or [s] of an array of all blocks. */
const placesAt = (places: Int32Array, count: number, blocks: number, block: number): Int32Array =>
  Int32Array.from({ length: count }, (_, at) => places[at * blocks + block] ?? 0)

/**
 * One block of one plan.
 *
 * @param decided of sites; a pulled one is short of its least only where nothing fills it
 */
const solveFlowOfBlock = (
  instance: Instance,
  block: number,
  costs: BlockCosts,
  { scale, decided, pull }: { scale: number; decided: ReadonlyMap<number, Decision>; pull: number },
): Int16Array => {
  const { students, options, sites, siteOf, blocks, siteLeast, loadCost } = instance
  const sitePlaces = placesAt(instance.sitePlaces, sites, blocks, block)
  for (const [s, decision] of decided) if (decision === 'closed') sitePlaces[s] = 0
  const [placed] = solveFlow({
    sites,
    siteOf,
    optionPlaces: placesAt(instance.optionPlaces, options, blocks, block),
    sitePlaces,
    poolOf: new Int32Array(sites).fill(-1),
    poolPlaces: new Int32Array(0),
    plans: [{ students, options, unplacedCost: instance.unplacedCost * scale, costs }],
    priceOfNext: (s, load) =>
      scale * loadPrice(loadCost, load, sitePlaces[s] ?? 0) -
      (decided.get(s) === 'pulled' && load < (siteLeast[s * blocks + block] ?? 0) ? pull : 0),
  })
  // There is one plan.
  return placed ?? new Int16Array(0)
}

/** A block of a plan that is solved with blocks of others. */
export interface BlockOfPlan {
  instance: Instance
  block: number
  costs: BlockCosts
  /** Which places its options share, by their position: [o]; -1 for none. */
  poolOf: Int32Array
}

/**
 * Sites as the flow needs them: each shares one pool as a whole. If shifts of a site share different pools, each becomes a site of its own,
 * which is possible if the site has places for all of them; undefined if it has not.
 */
const sitesFor = ({ instance, block, poolOf }: BlockOfPlan) => {
  const { options, blocks, siteOf } = instance
  const optionPlaces = placesAt(instance.optionPlaces, options, blocks, block)
  const places: number[] = []
  const pools: number[] = []
  const found = new Int32Array(options)
  for (let s = 0; s < instance.sites; s++) {
    const own = [...siteOf.keys()].filter((o) => siteOf[o] === s)
    const ofSite = instance.sitePlaces[s * blocks + block] ?? 0
    if (new Set(own.map((o) => poolOf[o])).size > 1) {
      if (own.reduce((sum, o) => sum + (optionPlaces[o] ?? 0), 0) > ofSite) return undefined
      for (const o of own) {
        found[o] = places.push(optionPlaces[o] ?? 0) - 1
        pools.push(poolOf[o] ?? -1)
      }
    } else {
      for (const o of own) found[o] = places.length
      places.push(ofSite)
      pools.push(poolOf[own[0] ?? -1] ?? -1)
    }
  }
  return { optionPlaces, siteOf: found, places, pools }
}

/**
 * The best places in one block of each of several plans, within what they share: the optimum, by plan. Undefined if it is no flow: sites
 * that take a minimum or none, even load, or shifts of a site that share different pools without room for all of them.
 *
 * @param poolPlaces how many students of all plans have a place in each pool
 */
export const solveBlocksTogether = (
  parts: readonly BlockOfPlan[],
  poolPlaces: Int32Array,
): Int16Array[] | undefined => {
  const siteOf: number[] = []
  const optionPlaces: number[] = []
  const sitePlaces: number[] = []
  const poolOf: number[] = []
  for (const part of parts) {
    const { instance, block } = part
    const isPlain =
      instance.loadCost === 0 &&
      placesAt(instance.siteLeast, instance.sites, instance.blocks, block).every((least) => least <= 1)
    const own = isPlain && sitesFor(part)
    if (!own) return undefined
    for (const s of own.siteOf) siteOf.push(s + sitePlaces.length)
    optionPlaces.push(...own.optionPlaces)
    sitePlaces.push(...own.places)
    poolOf.push(...own.pools)
  }
  return solveFlow({
    sites: sitePlaces.length,
    siteOf: Int32Array.from(siteOf),
    optionPlaces: Int32Array.from(optionPlaces),
    sitePlaces: Int32Array.from(sitePlaces),
    poolOf: Int32Array.from(poolOf),
    poolPlaces,
    plans: parts.map(({ instance: { students, options, unplacedCost }, costs }) => ({
      students,
      options,
      unplacedCost,
      costs,
    })),
    priceOfNext: () => 0,
  })
}

/** The most flows tried for sites that take a minimum or none. */
const mostFlows = 40

/**
 * The best places of all students in one block: the optimum. If sites take a minimum or none, each that has too few is closed or filled, the
 * cheaper branch first, and branches that cost more than the best so far are cut (branch and bound); after `mostFlows` it answers the best
 * so far, which keeps all rules but may not be the optimum.
 *
 * @param costs may be below 0
 * @param scale by which the costs are larger than those of the instance
 */
export const solveBlockProved = (
  instance: Instance,
  block: number,
  costs: BlockCosts,
  { scale = 1 } = {},
): { placed: Int16Array; isProved: boolean } => {
  const { students, blocks, options, sites, siteOf, siteLeast } = instance
  const asked = Array.from({ length: sites }, (_, s) => s).filter(
    (s) => (siteLeast[s * blocks + block] ?? 0) > 1,
  )
  const none: ReadonlyMap<number, Decision> = new Map()
  if (asked.length === 0)
    return {
      placed: solveFlowOfBlock(instance, block, costs, { scale, decided: none, pull: 0 }),
      isProved: true,
    }
  const unplacedCost = instance.unplacedCost * scale
  let widest = unplacedCost
  for (const cost of costs) if (cost !== far) widest = Math.max(widest, Math.abs(cost))
  /** More than all students together could save. */
  const pull = 2 * (students + 1) * (widest + scale * instance.loadCost)
  const loadOf = (placed: Int16Array): Int32Array => {
    const load = new Int32Array(sites)
    for (const o of placed) if (o >= 0) load[siteOf[o] ?? 0] = (load[siteOf[o] ?? 0] ?? 0) + 1
    return load
  }
  const priceOf = (placed: Int16Array): number => {
    let sum = 0
    for (const [i, o] of placed.entries()) sum += o < 0 ? unplacedCost : (costs[i * options + o] ?? far)
    if (instance.loadCost > 0)
      for (const [s, count] of loadOf(placed).entries())
        for (let n = 0; n < count; n++)
          sum += scale * loadPrice(instance.loadCost, n, instance.sitePlaces[s * blocks + block] ?? 0)
    return sum
  }
  const solved = (decided: ReadonlyMap<number, Decision>) => {
    const placed = solveFlowOfBlock(instance, block, costs, { scale, decided, pull })
    const load = loadOf(placed)
    const isShort = (s: number) => (load[s] ?? 0) < (siteLeast[s * blocks + block] ?? 0)
    return {
      decided,
      placed,
      price: priceOf(placed),
      /** A site that has students, but too few. */
      short: asked.find((s) => !decided.has(s) && (load[s] ?? 0) > 0 && isShort(s)),
      isPossible: asked.every((s) => decided.get(s) !== 'pulled' || !isShort(s)),
    }
  }
  // With nobody at any of them, all rules are kept.
  let best = solved(new Map(asked.map((s) => [s, 'closed'])))
  let flows = 1
  const open = [solved(none)]
  while (flows < mostFlows) {
    const at = open.pop()
    if (!at) break
    if (!at.isPossible || at.price >= best.price) continue
    if (at.short === undefined) {
      best = at
      continue
    }
    const ways = (['closed', 'pulled'] as const).map((way) =>
      solved(new Map([...at.decided, [at.short ?? 0, way]])),
    )
    flows += ways.length
    open.push(...ways.toSorted((one, other) => other.price - one.price))
  }
  return { placed: best.placed, isProved: open.every(({ price }) => price >= best.price) }
}

/** The same, without saying whether it is proved. */
export const solveBlock = (
  instance: Instance,
  block: number,
  costs: BlockCosts,
  options: { scale?: number } = {},
): Int16Array => solveBlockProved(instance, block, costs, options).placed
