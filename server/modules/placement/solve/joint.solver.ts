import type { Instance, Solution } from './instance.solver.ts'

/**
 * Places that several plans share: at most this many students on these cells together. A cell that names a site counts all students of the
 * site in the block, one that names an option only those of the option. There is at most one cell per plan.
 */
export interface Pool {
  places: number
  cells: readonly PoolCell[]
}

export interface PoolCell {
  /** Which of the plans, by its position. */
  part: number
  block: number
  of: { site: number } | { option: number }
}

/** Plans that are solved together: each as it is alone, and what they share. Students and blocks of a plan are its own. */
export interface Joint {
  parts: readonly Instance[]
  pools: readonly Pool[]
}

/** What plans share at a site with all its blocks added up: students have at most `places` blocks of their options there, counted so many times. */
export interface SharedTotal {
  places: number
  /** By plan: [o] */
  times: readonly Int32Array[]
}

/** The pools of each option of each plan: [part][o × blocks + b]. */
export type PoolsOf = readonly (readonly (readonly number[])[])[]

/** The options of a plan that a cell counts. */
export const optionsOfCell = (instance: Instance, { of }: PoolCell): number[] =>
  'option' in of
    ? [of.option]
    : Array.from({ length: instance.options }, (_, o) => o).filter((o) => instance.siteOf[o] === of.site)

/** Which pools a student takes a place of. */
export const poolsOf = ({ parts, pools }: Joint): PoolsOf => {
  const found = parts.map(({ options, blocks }) =>
    Array.from({ length: options * blocks }, (): number[] => []),
  )
  for (const [index, { cells }] of pools.entries())
    for (const cell of cells) {
      const instance = parts[cell.part]
      if (!instance) continue
      for (const o of optionsOfCell(instance, cell)) {
        const own = found[cell.part]?.[o * instance.blocks + cell.block]
        if (own && !own.includes(index)) own.push(index)
      }
    }
  return found
}

/** Students in each pool, without those of one plan where it is given. */
export const poolLoads = (
  { parts, pools }: Joint,
  of: PoolsOf,
  solutions: readonly Solution[],
  without = -1,
): Int32Array => {
  const loads = new Int32Array(pools.length)
  for (const [part, instance] of parts.entries()) {
    const solution = solutions[part]
    if (part === without || !solution) continue
    for (const [at, o] of solution.entries()) {
      if (o < 0) continue
      for (const pool of of[part]?.[o * instance.blocks + (at % instance.blocks)] ?? [])
        loads[pool] = (loads[pool] ?? 0) + 1
    }
  }
  return loads
}

/** Whether no pool has more students than places. */
export const isWithinPools = (joint: Joint, of: PoolsOf, solutions: readonly Solution[]): boolean =>
  poolLoads(joint, of, solutions).every((load, index) => load <= (joint.pools[index]?.places ?? 0))

/** One of the plans with the places that the students of the others leave. */
export const besideOthers = <T extends Instance>(
  joint: Joint,
  of: PoolsOf,
  solutions: readonly Solution[],
  { part, instance }: { part: number; instance: T },
): T => {
  const loads = poolLoads(joint, of, solutions, part)
  const optionPlaces = instance.optionPlaces.slice()
  const sitePlaces = instance.sitePlaces.slice()
  for (const [index, { places, cells }] of joint.pools.entries()) {
    const left = Math.max(0, places - (loads[index] ?? 0))
    for (const cell of cells) {
      if (cell.part !== part) continue
      const [list, at] =
        'option' in cell.of
          ? [optionPlaces, cell.of.option * instance.blocks + cell.block]
          : [sitePlaces, cell.of.site * instance.blocks + cell.block]
      list[at] = Math.min(list[at] ?? 0, left)
    }
  }
  return { ...instance, optionPlaces, sitePlaces }
}

/**
 * What plans share, with all blocks added up: pools that have a site of a plan in common are one. Plans may overlap in only
 * some of their weeks. An option then has fewer pools in some blocks than in others; for those blocks the site's own places are counted instead.
 */
export const sharedTotals = ({ parts, pools }: Joint, of: PoolsOf): SharedTotal[] => {
  const poolsAt = (part: number, o: number, b: number) => of[part]?.[o * (parts[part]?.blocks ?? 0) + b] ?? []
  /** Each pool leads to the one that it is joined with, the last to itself. */
  const joined = Array.from(pools, (_, index) => index)
  const rootOf = (index: number): number => {
    const next = joined[index] ?? index
    return next === index ? index : rootOf(next)
  }
  /** One pool of each site that shares anything: [part][s]. */
  const firstAt = parts.map(({ sites }) => new Int32Array(sites).fill(-1))
  for (const [part, { options, blocks, siteOf }] of parts.entries())
    for (let o = 0; o < options; o++)
      for (let b = 0; b < blocks; b++)
        for (const pool of poolsAt(part, o, b)) {
          const s = siteOf[o] ?? 0
          const firsts = firstAt[part]
          if (!firsts) continue
          if ((firsts[s] ?? -1) < 0) firsts[s] = pool
          joined[rootOf(pool)] = rootOf(firsts[s] ?? pool)
        }
  const totals = new Map<number, SharedTotal>()
  for (const [index, { places }] of pools.entries()) {
    const root = rootOf(index)
    const total = totals.get(root) ?? {
      places: 0,
      times: parts.map(({ options }) => new Int32Array(options)),
    }
    total.places += places
    totals.set(root, total)
  }
  for (const [part, { options, sites, siteOf, blocks, optionPlaces, sitePlaces }] of parts.entries())
    for (let s = 0; s < sites; s++) {
      const first = firstAt[part]?.[s] ?? -1
      const total = totals.get(first < 0 ? first : rootOf(first))
      const times = total?.times[part]
      if (!total || !times) continue
      const own = Array.from({ length: options }, (_, o) => o).filter((o) => siteOf[o] === s)
      const inBlocks = Array.from({ length: blocks }, (_, b) => b)
      for (const o of own) times[o] = Math.max(0, ...inBlocks.map((b) => poolsAt(part, o, b).length))
      for (const b of inBlocks) {
        const lacking = own.map((o) => (times[o] ?? 0) - poolsAt(part, o, b).length)
        total.places += Math.min(
          own.reduce((sum, o, at) => sum + (lacking[at] ?? 0) * (optionPlaces[o * blocks + b] ?? 0), 0),
          Math.max(0, ...lacking) * (sitePlaces[s * blocks + b] ?? 0),
        )
      }
    }
  return [...totals.values()]
}
