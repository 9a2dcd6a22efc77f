import type { Assignment, Instance } from './instance.ts'

/**
 * Places that several plans share: at most so many students are on these cells together. A cell that names a site of its plan counts
 * all students of the site in the block, one that names an option only those of the option. Of each plan there is one cell at most.
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

/** The pools of each option of each plan: [part][o × blocks + b]. */
export type PoolsOf = readonly (readonly (readonly number[])[])[]

const optionsOfCell = (instance: Instance, { of }: PoolCell): number[] =>
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
  assignments: readonly Assignment[],
  without = -1,
): Int32Array => {
  const loads = new Int32Array(pools.length)
  for (const [part, instance] of parts.entries()) {
    const assignment = assignments[part]
    if (part === without || !assignment) continue
    for (const [at, o] of assignment.entries()) {
      if (o < 0) continue
      for (const pool of of[part]?.[o * instance.blocks + (at % instance.blocks)] ?? [])
        loads[pool] = (loads[pool] ?? 0) + 1
    }
  }
  return loads
}

/** Whether no pool has more students than places. */
export const isWithinPools = (joint: Joint, of: PoolsOf, assignments: readonly Assignment[]): boolean =>
  poolLoads(joint, of, assignments).every((load, index) => load <= (joint.pools[index]?.places ?? 0))

/** One of the plans with the places that the students of the others leave. */
export const besideOthers = <T extends Instance>(
  joint: Joint,
  of: PoolsOf,
  assignments: readonly Assignment[],
  { part, instance }: { part: number; instance: T },
): T => {
  const loads = poolLoads(joint, of, assignments, part)
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
