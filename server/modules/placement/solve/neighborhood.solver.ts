import {
  costRow,
  countIn,
  type Instance,
  lackCostOf,
  loadPrice,
  mostOf,
  type Solution,
  unplacedCostAt,
} from './instance.solver.ts'
import { type Joint, type PoolsOf, poolLoads } from './joint.solver.ts'
import { type Highs, Program } from './linear.solver.ts'

/** The most columns of one program: more would take too long and too much memory. */
const mostColumns = 30_000

interface Part {
  instance: Instance
  solution: Solution
  chosen: readonly number[]
  /** Where it is worth looking, as `allowed`; everywhere if absent. */
  isWorth?: Uint8Array | undefined
  /** The blocks in which the chosen students may move; all if absent. */
  open?: ReadonlySet<number> | undefined
  /** Whether changes of site count; without them more students can move at once. */
  withChanges?: boolean | undefined
}

/**
 * The rows of a student's changes of site, by block: of each site, for arriving there, and one in which all arrivals cost a change unless
 * the block before has no place. Blocks that are not open stay as they are.
 */
const changeRows = (
  program: Program,
  { blocks, sites, siteOf, changeCost }: Instance,
  staying: Solution,
  isOpen: (b: number) => boolean,
  i: number,
) =>
  Array.from({ length: blocks }, (_, b) => {
    if (b === 0 || !(isOpen(b) || isOpen(b - 1))) return undefined
    const siteAt = (block: number) => siteOf[staying[i * blocks + block] ?? -1]
    const [before, here] = [siteAt(b - 1), siteAt(b)]
    const all = program.addRow(Number.NEGATIVE_INFINITY, !isOpen(b - 1) && before === undefined ? 1 : 0)
    program.addColumn(changeCost, 1, [all], false, [-1])
    const ofSite = Array.from({ length: sites }, (_unused, s) => {
      const row = program.addRow(Number.NEGATIVE_INFINITY, Number(before === s) - Number(here === s))
      program.addColumn(0, 1, [row, all], false, [-1, 1])
      return row
    })
    return { all, ofSite }
  })

interface Column {
  i: number
  b: number
  o: number
  column: number
}

/** The places of the chosen students of a plan, as columns; everybody else, and all blocks that are not open, stay where they are. */
const addPart = (
  program: Program,
  { instance, solution, chosen, isWorth, open, withChanges }: Part,
  rowsOfPools: (o: number, b: number) => readonly number[],
): Column[] => {
  const { students, blocks, options, sites, siteOf, allowed, cost, categories } = instance
  const isChosen = new Uint8Array(students)
  for (const i of chosen) isChosen[i] = 1
  const isOpen = (b: number) => open?.has(b) ?? true
  const used = new Int32Array(options * blocks)
  const usedOfSite = new Int32Array(sites * blocks)
  /** What stays of the chosen. */
  const staying = solution.slice()
  for (let i = 0; i < students; i++) {
    for (let b = 0; b < blocks; b++) {
      if (isChosen[i] && isOpen(b)) {
        staying[i * blocks + b] = -1
        continue
      }
      const o = solution[i * blocks + b] ?? -1
      if (o < 0) continue
      used[o * blocks + b] = (used[o * blocks + b] ?? 0) + 1
      const s = (siteOf[o] ?? 0) * blocks + b
      usedOfSite[s] = (usedOfSite[s] ?? 0) + 1
    }
  }
  const rowsOfOption = new Int32Array(options * blocks).fill(-1)
  const rowsOfSite = new Int32Array(sites * blocks).fill(-1)
  const rowFor = (rows: Int32Array, at: number, left: number): number => {
    if ((rows[at] ?? -1) < 0) rows[at] = program.addRow(Number.NEGATIVE_INFINITY, left)
    return rows[at] ?? 0
  }
  const rowsOfLeast = new Map<number, readonly number[]>()
  /** The rows of a site that takes so many or none; nobody is there, or as many as it asks with those who stay. */
  const leastRows = (at: number, left: number): readonly number[] => {
    const least = instance.siteLeast[at] ?? 0
    if (least <= 1) return []
    const known = rowsOfLeast.get(at)
    if (known) return known
    const others = usedOfSite[at] ?? 0
    const rows =
      others > 0
        ? others >= least
          ? []
          : [program.addRow(least - others, Number.POSITIVE_INFINITY)]
        : [program.addRow(0, Number.POSITIVE_INFINITY), program.addRow(Number.NEGATIVE_INFINITY, 0)]
    if (others === 0) program.addColumn(0, 1, rows, true, [-least, -left])
    rowsOfLeast.set(at, rows)
    return rows
  }
  const columns: Column[] = []
  for (const i of chosen) {
    // Two rows, since a student may need more of an experience than they may have of it.
    const ofCategory = categories.map((limits) => {
      const kept = countIn(instance, limits, staying, i)
      const low = Math.max(0, (limits.least[i] ?? 0) - kept)
      const high = Math.max(0, mostOf(instance, limits, i) - kept)
      const rows: number[] = []
      const most = limits.most[i] ?? blocks
      if (limits.softCost !== undefined && most < blocks) {
        // Each block above costs; those that stay may be above already.
        const row = program.addRow(Number.NEGATIVE_INFINITY, most - kept)
        program.addColumn(limits.softCost, blocks, [row], false, [-1])
        rows.push(row)
      } else if (high < blocks) rows.push(program.addRow(Number.NEGATIVE_INFINITY, high))
      if (low > 0) {
        const row = program.addRow(low, Number.POSITIVE_INFINITY)
        program.addColumn(lackCostOf(instance, limits), low, [row])
        rows.push(row)
      }
      return rows
    })
    const changes = withChanges ? changeRows(program, instance, staying, isOpen, i) : []
    for (let b = 0; b < blocks; b++) {
      if (!isOpen(b)) continue
      const ofBlock = program.addRow(1, 1)
      const row = costRow(instance, i, b)
      for (let o = 0; o < options; o++) {
        const at = (i * blocks + b) * options + o
        if (allowed[at] !== 1) continue
        if (isWorth && isWorth[at] !== 1 && solution[i * blocks + b] !== o) continue
        const s = siteOf[o] ?? 0
        const left = (instance.optionPlaces[o * blocks + b] ?? 0) - (used[o * blocks + b] ?? 0)
        const leftOfSite = (instance.sitePlaces[s * blocks + b] ?? 0) - (usedOfSite[s * blocks + b] ?? 0)
        if (left <= 0 || leftOfSite <= 0) continue
        const rows = [
          ofBlock,
          rowFor(rowsOfOption, o * blocks + b, left),
          rowFor(rowsOfSite, s * blocks + b, leftOfSite),
          ...leastRows(s * blocks + b, leftOfSite),
          ...rowsOfPools(o, b),
        ]
        for (const [k, { has }] of categories.entries()) if (has[o] === 1) rows.push(...(ofCategory[k] ?? []))
        const values = rows.map(() => 1)
        for (const [change, value] of [
          [changes[b], 1],
          [changes[b + 1], -1],
        ] as const) {
          const ofSite = change?.ofSite[s]
          if (ofSite === undefined) continue
          rows.push(ofSite)
          values.push(value)
        }
        const price =
          (cost[row + o] ?? 0) +
          loadPrice(
            instance.loadCost,
            usedOfSite[s * blocks + b] ?? 0,
            instance.sitePlaces[s * blocks + b] ?? 0,
          )
        columns.push({ i, b, o, column: program.addColumn(price, 1, rows, true, values) })
      }
      const next = changes[b + 1]
      program.addColumn(
        unplacedCostAt(instance, i * blocks + b),
        1,
        next ? [ofBlock, next.all] : [ofBlock],
        false,
        next ? [1, -1] : [1],
      )
    }
  }
  return columns
}

/** The solution of a plan once its columns are solved. */
const readPart = (
  { instance, solution, chosen, open }: Part,
  columns: readonly Column[],
  values: Float64Array,
): Solution => {
  const { blocks } = instance
  const next = solution.slice()
  for (const i of chosen) for (let b = 0; b < blocks; b++) if (open?.has(b) ?? true) next[i * blocks + b] = -1
  for (const { i, b, o, column } of columns) if ((values[column] ?? 0) > 0.5) next[i * blocks + b] = o
  return next
}

const solving = (nodes: number) => ({ mip_max_nodes: nodes, mip_rel_gap: 0, mip_abs_gap: 0.5 })

/**
 * The best places of some students in all blocks, at their options of `isWorth` (as `allowed`), while everybody else stays where they are, as a small
 * integer program. Answers the solution with them moved; the same one when nothing better was found within the nodes.
 */
export const improveStudents = (
  highs: Highs,
  instance: Instance,
  solution: Solution,
  chosen: readonly number[],
  { nodes, isWorth, withChanges }: { nodes: number; isWorth?: Uint8Array; withChanges?: boolean },
): Solution => {
  const part = { instance, solution, chosen, isWorth, withChanges }
  const program = new Program()
  const columns = addPart(program, part, () => [])
  if (program.columns > mostColumns) return solution
  // Looking for drafts besides those of its nodes takes most of the time and finds little.
  const solved = program.solve(highs, { ...solving(nodes), ...(withChanges && { mip_heuristic_effort: 0 }) })
  return solved ? readPart(part, columns, solved.values) : solution
}

/** What of plans that are solved together may move: the students of each plan, and the blocks of each when not all. */
export interface Moving {
  chosen: readonly (readonly number[])[]
  isWorth?: readonly Uint8Array[]
  open?: readonly ReadonlySet<number>[]
}

/**
 * The same for students of several plans at once, within what they share. `isProved` says that nothing better is possible for them;
 * undefined when the program is too large or nothing was found.
 */
export const improveTogether = (
  highs: Highs,
  { joint, of }: { joint: Joint; of: PoolsOf },
  solutions: readonly Solution[],
  { chosen, isWorth, open }: Moving,
  nodes: number,
): { solutions: Solution[]; isProved: boolean } | undefined => {
  const parts = joint.parts.map(
    (instance, part): Part => ({
      instance,
      solution: solutions[part] ?? instance.fixed,
      chosen: chosen[part] ?? [],
      isWorth: isWorth?.[part],
      open: open?.[part],
    }),
  )
  // Those who stay where they are keep their places of what is shared.
  const staying = parts.map((part) => readPart(part, [], new Float64Array(0)))
  const loads = poolLoads(joint, of, staying)
  const program = new Program()
  const rows = new Int32Array(joint.pools.length).fill(-1)
  const rowOf = (pool: number): number => {
    if ((rows[pool] ?? -1) < 0)
      rows[pool] = program.addRow(
        Number.NEGATIVE_INFINITY,
        Math.max(0, (joint.pools[pool]?.places ?? 0) - (loads[pool] ?? 0)),
      )
    return rows[pool] ?? 0
  }
  const columns = parts.map((part, index) =>
    addPart(program, part, (o, b) => (of[index]?.[o * part.instance.blocks + b] ?? []).map(rowOf)),
  )
  if (program.columns > mostColumns) return undefined
  const solved = program.solve(highs, solving(nodes))
  return (
    solved && {
      solutions: parts.map((part, index) => readPart(part, columns[index] ?? [], solved.values)),
      isProved: solved.isProved,
    }
  )
}
