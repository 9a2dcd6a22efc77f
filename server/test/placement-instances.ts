import { type Instance, type Limits, randomFrom } from '#server/modules/placement/solve/instance.solver.ts'
import type { Joint } from '#server/modules/placement/solve/joint.solver.ts'

export interface Shape {
  students: number
  blocks: number
  /** Shifts that students are placed on. */
  options: number
  /** Places in a block for each student. */
  slack: number
  /** Ranks that a student gives. */
  ranks: number
  /** How much more some sites are wanted than others: 0 all alike. */
  skew: number
  /** With experiences and a limit for each site, so that blocks touch each other. */
  isCoupled: boolean
  /** What a change of site costs, of the thousand that a rank does; 0 when left out. */
  changeCost?: number
}

/** A plan made of a seed: anybody makes the same one again. Shifts lie four at a site, evenings are every fourth. */
export const makeInstance = (shape: Shape, seed: number): Instance => {
  const { students, blocks, options, slack, ranks, skew, isCoupled, changeCost = 0 } = shape
  const random = randomFrom(seed)
  const sites = Math.ceil(options / 4)
  const siteOf = Int32Array.from({ length: options }, (_, o) => Math.floor(o / 4))
  const most = Math.max(1, Math.ceil((students * slack) / options))
  const optionPlaces = new Int32Array(options * blocks)
  for (let o = 0; o < options; o++) {
    const places = Math.max(1, most + Math.floor(random() * 3) - 1)
    optionPlaces.fill(places, o * blocks, (o + 1) * blocks)
  }
  const sitePlaces = new Int32Array(sites * blocks)
  for (let o = 0; o < options; o++)
    for (let b = 0; b < blocks; b++) {
      const at = (siteOf[o] ?? 0) * blocks + b
      sitePlaces[at] = (sitePlaces[at] ?? 0) + (optionPlaces[o * blocks + b] ?? 0)
    }
  const weights = Array.from({ length: sites }, (_, s) => 1 / (1 + s) ** skew)
  const cost = new Int32Array(students * options)
  const allowed = new Uint8Array(students * blocks * options).fill(1)
  for (let i = 0; i < students; i++) {
    // The sites are ranked by how wanted they are, with luck.
    const liked = weights
      .map((weight, s) => ({ s, value: weight ** -1 * -Math.log(1 - random()) }))
      .toSorted((one, other) => one.value - other.value)
      .map(({ s }) => s)
    const rankOf = new Map(liked.slice(0, ranks).map((s, index) => [s, index]))
    const home = Math.floor(random() * sites)
    for (let o = 0; o < options; o++) {
      const s = siteOf[o] ?? 0
      cost[i * options + o] = (rankOf.get(s) ?? ranks) * 1_000 + Math.abs(s - home) * 10
    }
    // One site in twenty is closed to a student.
    for (let s = 0; s < sites; s++) {
      if (random() >= 0.05) continue
      for (let o = 0; o < options; o++)
        if (siteOf[o] === s) for (let b = 0; b < blocks; b++) allowed[(i * blocks + b) * options + o] = 0
    }
  }
  const limits = (test: (o: number) => boolean, least: number, highest: number): Limits => ({
    has: Uint8Array.from({ length: options }, (_, o) => (test(o) ? 1 : 0)),
    least: new Int16Array(students).fill(least),
    most: new Int16Array(students).fill(highest),
  })
  const evening = (o: number) => o % 4 === 3
  const surgery = (o: number) => (siteOf[o] ?? 0) % 3 === 0
  const categories = isCoupled
    ? [
        limits(surgery, Math.floor(blocks / 4), blocks),
        limits(evening, 1, Math.ceil(blocks / 4)),
        ...Array.from({ length: sites }, (_, s) => limits((o) => siteOf[o] === s, 0, Math.ceil(blocks / 3))),
      ]
    : []
  return {
    students,
    blocks,
    options,
    sites,
    siteOf,
    optionPlaces,
    sitePlaces,
    allowed,
    fixed: new Int16Array(students * blocks).fill(-1),
    siteLeast: new Int32Array(sites * blocks),
    cost,
    changeCost,
    loadCost: 0,
    unplacedCost: 1_000_000,
    missingCost: 200_000,
    categories,
  }
}

/**
 * Plans that share all their sites in every block, made of a seed: each has shifts of its own at the sites, and a site has so many
 * places for each student of all plans.
 */
export const makeJoint = (shapes: readonly Shape[], slack: number, seed: number): Joint => {
  const parts = shapes.map((shape, part) => makeInstance(shape, seed + part))
  const [first] = parts
  if (!first) return { parts, pools: [] }
  const { sites, blocks } = first
  const students = parts.reduce((sum, each) => sum + each.students, 0)
  const random = randomFrom(seed)
  return {
    parts,
    pools: Array.from({ length: sites }, (_, site) => {
      // Hospitals are half to one and a half times as large as the mean.
      const places = Math.max(1, Math.round(((students * slack) / sites) * (0.5 + random())))
      return Array.from({ length: blocks }, (_unused, block) => ({
        places,
        cells: parts.map((_part, part) => ({ part, block, of: { site } })),
      }))
    }).flat(),
  }
}
