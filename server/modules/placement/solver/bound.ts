import type { Instance } from './instance.ts'
import { type Highs, Program } from './linear.ts'

/** A bound below which no draft can be, and how many blocks each student would have at each option in it. */
export interface Bound {
  value: number
  /** [i × options + o] */
  shares: Float64Array
}

/**
 * The plan with its blocks added up, as a linear program: how many blocks a student has at an option, within the places of all blocks.
 * Every draft is a solution of it, so its optimum is a bound; changes of site and even load cost nothing in it. It has as many columns
 * as students × options, whatever the number of blocks, which is what makes 1,000 × 120 × 16 fit into the memory of WebAssembly.
 */
export const boundOf = (highs: Highs, instance: Instance): Bound => {
  const { students, blocks, options, sites, siteOf, allowed, cost, categories, fixed } = instance
  const total = (places: Int32Array, at: number) =>
    places.subarray(at * blocks, (at + 1) * blocks).reduce((sum, each) => sum + each, 0)
  const program = new Program()
  const ofStudent = Array.from({ length: students }, () => program.addRow(blocks, blocks))
  const ofOption = Array.from({ length: options }, (_, o) => program.addRow(0, total(instance.optionPlaces, o)))
  const ofSite = Array.from({ length: sites }, (_, s) => program.addRow(0, total(instance.sitePlaces, s)))
  const ofCategory = categories.map(({ has, least, most }) =>
    Array.from({ length: students }, (_, i) => {
      const low = least[i] ?? 0
      let given = 0
      for (let b = 0; b < blocks; b++) given += has[fixed[i * blocks + b] ?? -1] ?? 0
      const high = Math.max(given, most[i] ?? blocks)
      return low === 0 && high >= blocks ? -1 : program.addRow(low, Math.min(high, blocks))
    }),
  )
  const columnOf = new Int32Array(students * options).fill(-1)
  for (let i = 0; i < students; i++) {
    for (let o = 0; o < options; o++) {
      let times = 0
      for (let b = 0; b < blocks; b++) times += allowed[(i * blocks + b) * options + o] ?? 0
      if (times === 0) continue
      const rows = [ofStudent[i] ?? 0, ofOption[o] ?? 0, ofSite[siteOf[o] ?? 0] ?? 0]
      for (const [k, { has }] of categories.entries()) {
        const row = ofCategory[k]?.[i] ?? -1
        if (row >= 0 && has[o] === 1) rows.push(row)
      }
      columnOf[i * options + o] = program.addColumn(cost[i * options + o] ?? 0, times, rows)
    }
    program.addColumn(instance.unplacedCost, blocks, [ofStudent[i] ?? 0])
    for (const [k, { least }] of categories.entries())
      if ((least[i] ?? 0) > 0)
        program.addColumn(instance.missingCost, least[i] ?? 0, [ofCategory[k]?.[i] ?? 0])
  }
  const solved = program.solve(highs, { solver: 'ipm', run_crossover: 'off' })
  const shares = new Float64Array(students * options)
  if (!solved) return { value: 0, shares }
  for (let at = 0; at < columnOf.length; at++) {
    const column = columnOf[at] ?? -1
    if (column >= 0) shares[at] = solved.values[column] ?? 0
  }
  // An interior point ends a hair's breadth from the optimum: costs are whole numbers, and a bound must not lie above it.
  return { value: Math.max(0, Math.floor(solved.objective * (1 - 1e-6))), shares }
}
