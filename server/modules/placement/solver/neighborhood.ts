import { type Assignment, costRow, type Instance, loadPrice, mostOf, unplacedCostAt } from './instance.ts'
import { type Highs, Program } from './linear.ts'

/** Most columns of one program: more would take long and much memory. */
const mostColumns = 30_000

/**
 * The best places of some students in all blocks, at their options of `isWorth` (as `allowed`), while everybody else stays where they are, as a small
 * integer program. Answers the assignment with them moved; the same one when nothing better was found within the nodes.
 */
export const improveStudents = (
  highs: Highs,
  instance: Instance,
  assignment: Assignment,
  chosen: readonly number[],
  { nodes, isWorth }: { nodes: number; isWorth?: Uint8Array },
): Assignment => {
  const { students, blocks, options, sites, siteOf, allowed, cost, categories } = instance
  const isChosen = new Uint8Array(students)
  for (const i of chosen) isChosen[i] = 1
  const used = new Int32Array(options * blocks)
  const usedOfSite = new Int32Array(sites * blocks)
  for (let i = 0; i < students; i++) {
    if (isChosen[i]) continue
    for (let b = 0; b < blocks; b++) {
      const o = assignment[i * blocks + b] ?? -1
      if (o < 0) continue
      used[o * blocks + b] = (used[o * blocks + b] ?? 0) + 1
      const s = (siteOf[o] ?? 0) * blocks + b
      usedOfSite[s] = (usedOfSite[s] ?? 0) + 1
    }
  }
  const program = new Program()
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
  const columns: { i: number; b: number; o: number; column: number }[] = []
  for (const i of chosen) {
    // Two rows, since a student may need more of an experience than she may have of it.
    const ofCategory = categories.map((limits) => {
      const low = limits.least[i] ?? 0
      const high = mostOf(instance, limits, i)
      const rows: number[] = []
      if (high < blocks) rows.push(program.addRow(Number.NEGATIVE_INFINITY, high))
      if (low > 0) {
        const row = program.addRow(low, Number.POSITIVE_INFINITY)
        program.addColumn(instance.missingCost, low, [row])
        rows.push(row)
      }
      return rows
    })
    for (let b = 0; b < blocks; b++) {
      const ofBlock = program.addRow(1, 1)
      const row = costRow(instance, i, b)
      for (let o = 0; o < options; o++) {
        const at = (i * blocks + b) * options + o
        if (allowed[at] !== 1) continue
        if (isWorth && isWorth[at] !== 1 && assignment[i * blocks + b] !== o) continue
        const s = siteOf[o] ?? 0
        const left = (instance.optionPlaces[o * blocks + b] ?? 0) - (used[o * blocks + b] ?? 0)
        const leftOfSite = (instance.sitePlaces[s * blocks + b] ?? 0) - (usedOfSite[s * blocks + b] ?? 0)
        if (left <= 0 || leftOfSite <= 0) continue
        const rows = [
          ofBlock,
          rowFor(rowsOfOption, o * blocks + b, left),
          rowFor(rowsOfSite, s * blocks + b, leftOfSite),
          ...leastRows(s * blocks + b, leftOfSite),
        ]
        for (const [k, { has }] of categories.entries()) if (has[o] === 1) rows.push(...(ofCategory[k] ?? []))
        const price =
          (cost[row + o] ?? 0) +
          loadPrice(
            instance.loadCost,
            usedOfSite[s * blocks + b] ?? 0,
            instance.sitePlaces[s * blocks + b] ?? 0,
          )
        columns.push({ i, b, o, column: program.addColumn(price, 1, rows, true) })
      }
      program.addColumn(unplacedCostAt(instance, i * blocks + b), 1, [ofBlock])
    }
  }
  if (program.columns > mostColumns) return assignment
  const solved = program.solve(highs, { mip_max_nodes: nodes, mip_rel_gap: 0, mip_abs_gap: 0.5 })
  if (!solved) return assignment
  const next = assignment.slice()
  for (const i of chosen) next.fill(-1, i * blocks, (i + 1) * blocks)
  for (const { i, b, o, column } of columns) if ((solved.values[column] ?? 0) > 0.5) next[i * blocks + b] = o
  return next
}
