import { type Instance, loadPrice } from './instance.ts'

/** Costs of one block: [i × options + o], Infinity where a student cannot be. */
export type BlockCosts = Float64Array

const far = Number.POSITIVE_INFINITY

/**
 * The best places of all students in one block, as a flow of least cost: students to options, options to their sites, both with so many
 * places, and one way for those without a place. One student after the other takes the cheapest way in, on which others move over, so
 * that the flow is the cheapest at each step and the optimum at the end. Answers the option of each student, or -1.
 *
 * @param costs may be below 0
 * @param scale by which the costs are larger than those of the instance
 */
export const solveBlock = (
  instance: Instance,
  block: number,
  costs: BlockCosts,
  { scale = 1 } = {},
): Int16Array => {
  const unplacedCost = instance.unplacedCost * scale
  const { students, options, sites, siteOf, blocks } = instance
  const width = options + 1
  const nowhere = options
  const assigned = new Int16Array(students).fill(-1)
  const members: number[][] = Array.from({ length: width }, () => [])
  const load = new Int32Array(sites)
  const placesOf = (o: number) => instance.optionPlaces[o * blocks + block] ?? 0
  const placesOfSite = (s: number) => instance.sitePlaces[s * blocks + block] ?? 0
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
      const length =
        (distance[width + s] ?? far) + scale * loadPrice(instance.loadCost, load[s] ?? 0, placesOfSite(s))
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
