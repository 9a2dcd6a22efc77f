import { Counts, costsOfBlock } from './block-costs.solver.ts'
import { type BlockOfPlan, solveBlocksTogether } from './flow.solver.ts'
import type { Instance, Solution } from './instance.solver.ts'
import { type Joint, optionsOfCell, type PoolCell, type PoolsOf, poolLoads } from './joint.solver.ts'

/** Blocks of plans that are solved at once, by plan. */
export type Window = readonly ReadonlySet<number>[]

/** The blocks that share places with a block, each window once and by its first block. */
export const windowsOf = ({ parts, pools }: Joint): Window[] => {
  const touching = new Map<string, Map<string, { part: number; block: number }>>()
  for (const { cells } of pools)
    for (const one of cells) {
      const key = `${one.part} ${one.block}`
      const around = touching.get(key) ?? new Map()
      for (const { part, block } of cells) around.set(`${part} ${block}`, { part, block })
      touching.set(key, around)
    }
  const windows = new Map<string, Window>()
  for (const around of touching.values()) {
    const blocks = parts.map(() => new Set<number>())
    for (const { part, block } of around.values()) blocks[part]?.add(block)
    windows.set([...around.keys()].toSorted().join(), blocks)
  }
  const firstOf = (window: Window) => Math.min(...window.flatMap((each) => [...each]))
  return [...windows.values()].toSorted((one, other) => firstOf(one) - firstOf(other))
}

interface SharedCells {
  places: number
  cells: readonly PoolCell[]
}

const isSame = (one: PoolCell, other: PoolCell, { siteOf }: Instance): boolean =>
  'site' in one.of
    ? ('site' in other.of ? other.of.site : siteOf[other.of.option]) === one.of.site
    : 'option' in other.of && other.of.option === one.of.option

/** Those of a block's pools that say something: one within another is left out where it has no fewer places. */
const tightest = (joint: Joint, shared: readonly SharedCells[]): SharedCells[] => {
  const covers = (one: SharedCells, other: SharedCells) =>
    other.cells.every((cell) =>
      one.cells.some((own) => {
        const instance = joint.parts[cell.part]
        return own.part === cell.part && instance !== undefined && isSame(own, cell, instance)
      }),
    )
  return shared.filter(
    (one, at) =>
      !shared.some(
        (other, index) =>
          index !== at &&
          covers(other, one) &&
          (other.places < one.places || (other.places === one.places && (index < at || !covers(one, other)))),
      ),
  )
}

/**
 * The best places of all students in the blocks of a window while all other blocks stay, as one flow: the optimum. Undefined where it is
 * none: several blocks of a plan, options that share places with different ones on different days, or what `solveBlocksTogether` does not know.
 */
export const solveWindow = (
  joint: Joint,
  of: PoolsOf,
  solutions: readonly Solution[],
  window: Window,
): Solution[] | undefined => {
  if (window.some(({ size }) => size > 1)) return undefined
  const blockOf = window.map(([block]) => block)
  const next = solutions.map((solution) => solution.slice())
  for (const [part, { blocks }] of joint.parts.entries())
    for (let at = blockOf[part] ?? Number.POSITIVE_INFINITY; at < (next[part]?.length ?? 0); at += blocks)
      next[part]?.fill(-1, at, at + 1)
  // What those take who stay where they are.
  const loads = poolLoads(joint, of, next)
  const parts = joint.parts.map((instance) => ({
    ...instance,
    optionPlaces: instance.optionPlaces.slice(),
    sitePlaces: instance.sitePlaces.slice(),
  }))
  const shared: SharedCells[] = []
  for (const [index, { places, cells }] of joint.pools.entries()) {
    const inside = cells.filter(({ part, block }) => blockOf[part] === block)
    const [only] = inside
    if (!only) continue
    const left = Math.max(0, places - (loads[index] ?? 0))
    if (inside.length > 1) {
      shared.push({ places: left, cells: inside })
      continue
    }
    const instance = parts[only.part]
    if (!instance) continue
    const [list, first] =
      'option' in only.of ? [instance.optionPlaces, only.of.option] : [instance.sitePlaces, only.of.site]
    const at = first * instance.blocks + only.block
    list[at] = Math.min(list[at] ?? 0, left)
  }
  const pools = tightest(joint, shared)
  const poolOf = parts.map(({ options }) => new Int32Array(options).fill(-1))
  for (const [index, { cells }] of pools.entries())
    for (const cell of cells) {
      const own = poolOf[cell.part]
      const instance = parts[cell.part]
      if (!own || !instance) continue
      for (const o of optionsOfCell(instance, cell)) {
        if ((own[o] ?? -1) >= 0) return undefined
        own[o] = index
      }
    }
  const blocks: (BlockOfPlan & { part: number })[] = []
  for (const [part, instance] of parts.entries()) {
    const block = blockOf[part]
    const solution = solutions[part]
    if (block === undefined || !solution) continue
    const costs = costsOfBlock(instance, solution, block, new Counts(instance, solution))
    // Each part has its pools.
    blocks.push({ part, instance, block, costs, poolOf: poolOf[part] as Int32Array })
  }
  const solved = solveBlocksTogether(
    blocks,
    Int32Array.from(pools, ({ places }) => places),
  )
  if (!solved) return undefined
  for (const [at, { part, instance, block }] of blocks.entries())
    for (const [i, o] of (solved[at] ?? []).entries())
      next[part]?.fill(o, i * instance.blocks + block, i * instance.blocks + block + 1)
  return next
}
