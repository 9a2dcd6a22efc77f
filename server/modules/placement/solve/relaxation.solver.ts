import { type Highs, Program } from './linear.solver.ts'

/** What a set of rules asks: each student has one option in each block, as far as the rules let them. */
export interface RuleSystem {
  students: number
  blocks: number
  options: number
  /** How many rules there are; they are named by their position. */
  rules: number
  /** How many students a position is for: those alike count as one. */
  sizeOf: (i: number) => number
  /** Rules that would all have to give way for an option; undefined where nothing makes it possible. */
  barsOf: (i: number, b: number, o: number) => readonly number[] | undefined
  sums: readonly RuleSum[]
  /** How many people feel it when a rule gives way, from 0; of as few rules those give way whom fewer feel. */
  reachOf?: (rule: number) => number
}

/** A sum of places that a rule limits; least and most as whole numbers. */
export interface RuleSum {
  rule: number
  least: number
  most: number
  /** That nobody at all is as well as the least. */
  isOrNone?: boolean
  cells: readonly { i: number; b: number; o: number }[]
}

export interface Relaxation {
  /** The rules that give way, each with the sums that pass their limits and by how much. */
  relaxed: { rule: number; passed: { sum: number; by: number }[] }[]
  /** That no smaller set would do. */
  isProved: boolean
}

const nodes = 500
/** What a rule costs beside the number of those who feel it, of which there are few kinds. */
const oneRule = 64

/**
 * The fewest rules that have to give way so that all students have a place in each block, of these the ones that fewest people feel, and then the ones that
 * give way least.
 * Undefined when some student can have no place whatever gives way, when it has more columns than `mostColumns`, or when nothing was found within the nodes.
 */
export const relaxFewest = (
  highs: Highs,
  system: RuleSystem,
  { mostColumns }: { mostColumns: number },
): Relaxation | undefined => {
  const { students, blocks, options, rules, sizeOf, barsOf, sums, reachOf = () => 0 } = system
  const program = new Program()
  let cells = 0
  for (let i = 0; i < students; i++) cells += blocks * sizeOf(i)
  /** More than rules can be exceeded by in all. */
  const dear = cells * 4 + 1
  const rowsOfCell = new Map<number, number[]>()
  const keyOf = (i: number, b: number, o: number) => (i * blocks + b) * options + o
  const limits: { sum: number; slack: number }[] = []
  const gives: [number, number][][] = Array.from({ length: rules }, () => [])
  for (const [index, { rule, least, most, isOrNone = false, cells: members }] of sums.entries()) {
    const total = members.reduce((sum, { i }) => sum + sizeOf(i), 0)
    for (const side of ['least', 'most'] as const) {
      if (side === 'least' ? least <= 0 : most >= total) continue
      const row =
        side === 'least'
          ? program.addRow(isOrNone ? 0 : least, Number.POSITIVE_INFINITY)
          : program.addRow(Number.NEGATIVE_INFINITY, most)
      const ofMembers = [row]
      if (side === 'least' && isOrNone) {
        // Whether anybody is there at all.
        const some = program.addRow(Number.NEGATIVE_INFINITY, 0)
        program.addColumn(0, 1, [row, some], true, [-least, -total])
        ofMembers.push(some)
      }
      for (const { i, b, o } of members) {
        const key = keyOf(i, b, o)
        const rows = rowsOfCell.get(key)
        if (rows) rows.push(...ofMembers)
        else rowsOfCell.set(key, [...ofMembers])
      }
      const largest = side === 'least' ? least : total - most
      const link = program.addRow(0, Number.POSITIVE_INFINITY)
      const slack = program.addColumn(1, largest, [row, link], false, [side === 'least' ? 1 : -1, -1])
      limits.push({ sum: index, slack })
      gives[rule]?.push([link, largest])
    }
  }
  for (let i = 0; i < students; i++)
    for (let b = 0; b < blocks; b++) {
      const size = sizeOf(i)
      const ofBlock = program.addRow(size, size)
      let isOpen = false
      for (let o = 0; o < options; o++) {
        const bars = barsOf(i, b, o)
        if (!bars) continue
        isOpen = true
        const rows = [ofBlock, ...(rowsOfCell.get(keyOf(i, b, o)) ?? [])]
        const values = rows.map(() => 1)
        for (const rule of bars) {
          const link = program.addRow(0, Number.POSITIVE_INFINITY)
          rows.push(link)
          values.push(-1)
          gives[rule]?.push([link, size])
        }
        program.addColumn(0, size, rows, true, values)
        if (program.columns > mostColumns) return undefined
      }
      if (!isOpen) return undefined
    }
  const columnOf = gives.map((links, rule) =>
    links.length === 0
      ? -1
      : program.addColumn(
          dear * (oneRule + reachOf(rule)),
          1,
          links.map(([row]) => row),
          true,
          links.map(([, value]) => value),
        ),
  )
  const solved = program.solve(highs, { mip_max_nodes: nodes, mip_rel_gap: 0, mip_abs_gap: 0.5 })
  if (!solved) return undefined
  const relaxed = columnOf.flatMap((column, rule) =>
    column < 0 || (solved.values[column] ?? 0) < 0.5
      ? []
      : [
          {
            rule,
            passed: limits.flatMap(({ sum, slack }) => {
              const by = Math.round(solved.values[slack] ?? 0)
              return sums[sum]?.rule === rule && by > 0 ? [{ sum, by }] : []
            }),
          },
        ],
  )
  return { relaxed, isProved: solved.isProved }
}
