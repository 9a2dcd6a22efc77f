import { type Instance, loadPrice } from './instance.ts'

/** Costs of one block: [i × options + o], Infinity where a student cannot be. */
export type BlockCosts = Float64Array

const far = Number.POSITIVE_INFINITY

/** What is decided of a site that takes so many students or none: `closed` has none, `pulled` is filled to its least first. */
type Decision = 'closed' | 'pulled'

/**
 * The best places of all students in one block, as a flow of least cost: students to options, options to their sites, both with so many
 * places, and one way for those without a place. One student after the other takes the cheapest way in, on which others move over, so
 * that the flow is the cheapest at each step and the optimum at the end. Answers the option of each student, or -1.
 *
 * @param decided of sites; a pulled one is short of its least only where nothing fills it
 */
const solveFlow = (
  instance: Instance,
  block: number,
  costs: BlockCosts,
  { scale, decided, pull }: { scale: number; decided: ReadonlyMap<number, Decision>; pull: number },
): Int16Array => {
  const unplacedCost = instance.unplacedCost * scale
  const { students, options, sites, siteOf, blocks } = instance
  const width = options + 1
  const nowhere = options
  const assigned = new Int16Array(students).fill(-1)
  const members: number[][] = Array.from({ length: width }, () => [])
  const load = new Int32Array(sites)
  const placesOf = (o: number) => instance.optionPlaces[o * blocks + block] ?? 0
  const placesOfSite = (s: number) =>
    decided.get(s) === 'closed' ? 0 : (instance.sitePlaces[s * blocks + block] ?? 0)
  /** What the next student of a site costs besides her own price. */
  const priceOfNext = (s: number): number =>
    scale * loadPrice(instance.loadCost, load[s] ?? 0, placesOfSite(s)) -
    (decided.get(s) === 'pulled' && (load[s] ?? 0) < (instance.siteLeast[s * blocks + block] ?? 0) ? pull : 0)
  const priceOf = (i: number, o: number): number =>
    o === nowhere ? unplacedCost : (costs[i * options + o] ?? far)
  const optionsOf: number[][] = Array.from({ length: sites }, () => [])
  for (let o = 0; o < options; o++) optionsOf[siteOf[o] ?? 0]?.push(o)

  /** The cheapest move of a member of p to r, and whose it is. */
  const moves = new Float64Array(width * width).fill(far)
  const movers = new Int32Array(width * width)
  const refresh = (p: number) => {
    moves.fill(far, p * width, (p + 1) * width)
    for (const j of members[p] ?? []) {
      const own = priceOf(j, p)
      for (let r = 0; r < options; r++) {
        const change = (costs[j * options + r] ?? far) - own
        if (change < (moves[p * width + r] ?? far)) {
          moves[p * width + r] = change
          movers[p * width + r] = j
        }
      }
      const out = unplacedCost - own
      if (out < (moves[p * width + nowhere] ?? far)) {
        moves[p * width + nowhere] = out
        movers[p * width + nowhere] = j
      }
    }
  }

  const distance = new Float64Array(width + sites)
  /** Where a node was reached from: an option by a move, an option by its site (-2 - s), or -1 by the student herself. */
  const from = new Int32Array(width + sites)
  const queue = new Int32Array((width + sites) * 4)
  const isQueued = new Uint8Array(width + sites)

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
    for (let o = 0; o < options; o++) reach(o, priceOf(i, o), -1)
    reach(nowhere, unplacedCost, -1)
    while (head !== tail) {
      const node = queue[head] ?? 0
      head = (head + 1) % capacity
      isQueued[node] = 0
      const length = distance[node] ?? far
      if (node >= width) {
        const s = node - width
        for (const q of optionsOf[s] ?? []) if ((members[q]?.length ?? 0) > 0) reach(q, length, -2 - s)
        continue
      }
      if (node === nowhere) continue
      if ((members[node]?.length ?? 0) < placesOf(node)) reach(width + (siteOf[node] ?? 0), length, node)
      for (let r = 0; r < width; r++) {
        const change = moves[node * width + r] ?? far
        if (change !== far && r !== node) reach(r, length + change, node)
      }
    }
    let end = nowhere
    let best = distance[nowhere] ?? far
    for (let s = 0; s < sites; s++) {
      if ((load[s] ?? 0) >= placesOfSite(s)) continue
      const length = (distance[width + s] ?? far) + priceOfNext(s)
      if (length < best - 1e-9) {
        best = length
        end = width + s
      }
    }
    if (end >= width) load[end - width] = (load[end - width] ?? 0) + 1
    // Back along the way: who moves where, from the end to the student herself.
    const changed = new Set<number>()
    const steps: { student: number; to: number }[] = []
    let node = end
    for (;;) {
      const by = from[node] ?? -1
      if (node >= width) node = by
      else if (by <= -2) node = width + (-2 - by)
      else if (by === -1) {
        steps.push({ student: i, to: node })
        break
      } else {
        steps.push({ student: movers[by * width + node] ?? 0, to: node })
        node = by
      }
    }
    for (const { student, to } of steps) {
      if (student !== i) {
        const left = assigned[student] ?? nowhere
        const list = members[left] ?? []
        list.splice(list.indexOf(student), 1)
        changed.add(left)
      }
      members[to]?.push(student)
      assigned[student] = to === nowhere ? -1 : to
      changed.add(to)
    }
    for (const p of changed) refresh(p)
  }

  for (let i = 0; i < students; i++) insert(i)
  return assigned
}

/** Most flows that are looked at for sites that take so many students or none. */
const mostFlows = 40

/**
 * The best places of all students in one block: the optimum. Where sites take so many students or none, each that has too few is closed or
 * filled, the cheaper way first, and a way that is dearer than the best so far is left; after `mostFlows` the best so far is answered, which keeps all
 * rules and may not be the optimum.
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
    return { placed: solveFlow(instance, block, costs, { scale, decided: none, pull: 0 }), isProved: true }
  const unplacedCost = instance.unplacedCost * scale
  let widest = unplacedCost
  for (const cost of costs) if (cost !== far) widest = Math.max(widest, Math.abs(cost))
  /** More than all students could save. */
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
    const placed = solveFlow(instance, block, costs, { scale, decided, pull })
    const load = loadOf(placed)
    const isShort = (s: number) => (load[s] ?? 0) < (siteLeast[s * blocks + block] ?? 0)
    return {
      decided,
      placed,
      price: priceOf(placed),
      /** A site that has somebody and too few. */
      short: asked.find((s) => !decided.has(s) && (load[s] ?? 0) > 0 && isShort(s)),
      isPossible: asked.every((s) => decided.get(s) !== 'pulled' || !isShort(s)),
    }
  }
  // Nobody at any of them keeps all rules.
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

/** The same without whether it is proved. */
export const solveBlock = (
  instance: Instance,
  block: number,
  costs: BlockCosts,
  options: { scale?: number } = {},
): Int16Array => solveBlockProved(instance, block, costs, options).placed
