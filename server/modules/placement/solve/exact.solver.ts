import { asks, levelCount, type Unevenness, unevennessOf } from './even.solver.ts'
import {
  brokenRules,
  costRow,
  type Instance,
  type Limits,
  lackCostOf,
  loadPrice,
  mostOf,
  type Solution,
  unplacedCostAt,
} from './instance.solver.ts'
import { type Highs, Program } from './linear.solver.ts'

/** What an integer program minimizes: one of the numbers of `unevennessOf`, or the remaining cost of a draft. */
type Aim = number | 'cost'

interface Cell {
  at: number
  o: number
  column: number
}

const none = Number.NEGATIVE_INFINITY
const any = Number.POSITIVE_INFINITY

/** A whole plan as an integer program: every rule, and what `costOf` counts. */
class WholePlan {
  readonly program = new Program()
  readonly cells: Cell[] = []
  private readonly instance: Instance
  private readonly aim: Aim
  private readonly levelRows: number[]
  /** [o × blocks + b] and [s × blocks + b]: rows of places. */
  private readonly optionRows: number[]
  private readonly siteRows: number[]
  private readonly leastRows = new Map<number, readonly number[]>()
  /** The same for the cost of filling sites; empty if that costs nothing. */
  private readonly loadRows: number[]
  /** [k][i]: the rows that count what a student has. */
  private readonly limitRows: number[][][]

  /** @param held what earlier numbers of `unevennessOf` have come to */
  constructor(instance: Instance, aim: Aim, held: readonly number[]) {
    this.instance = instance
    this.aim = aim
    const { blocks, options, sites, optionPlaces, sitePlaces, categories, students } = instance
    this.levelRows = held.map((most) => this.program.addRow(none, most))
    this.optionRows = Array.from({ length: options * blocks }, (_, at) =>
      this.program.addRow(none, optionPlaces[at] ?? 0),
    )
    this.siteRows = Array.from({ length: sites * blocks }, (_, at) =>
      this.program.addRow(none, sitePlaces[at] ?? 0),
    )
    this.loadRows = Array.from({ length: aim === 'cost' && instance.loadCost > 0 ? sites * blocks : 0 }, () =>
      this.program.addRow(0, 0),
    )
    for (const [at, least] of instance.siteLeast.entries()) if (least > 1) this.addLeast(at, least)
    this.limitRows = categories.map((limits) =>
      limits.isFree
        ? this.addFree(limits)
        : Array.from({ length: students }, (_, i) => this.addLimits(limits, i)),
    )
    for (let i = 0; i < students; i++) this.addStudent(i)
    this.addLoads()
  }

  /** What a column costs that is counted at a place of `unevennessOf`, by how much; and the rows that hold it. */
  private counted(at: number, weight: number): { cost: number; rows: number[]; values: number[] } {
    const row = this.levelRows[at]
    return {
      cost: this.aim === at ? weight : 0,
      rows: row === undefined ? [] : [row],
      values: row === undefined ? [] : [weight],
    }
  }

  private addLeast(at: number, least: number): void {
    const rows = [this.program.addRow(0, any), this.program.addRow(none, 0)]
    this.program.addColumn(0, 1, rows, true, [-least, -(this.instance.sitePlaces[at] ?? 0)])
    this.leastRows.set(at, rows)
  }

  private addLimits(limits: Limits, i: number): number[] {
    const { instance, program, aim } = this
    const { blocks } = instance
    const least = limits.least[i] ?? 0
    const most = limits.most[i] ?? blocks
    const rows: number[] = []
    const isLevel = limits.level !== undefined
    const at = isLevel ? (limits.level ?? 0) + 1 : 0
    const isCounted = isLevel || limits.softCost === undefined
    const costs = aim === 'cost' && !isLevel
    if (limits.softCost === undefined) {
      const highest = mostOf(instance, limits, i)
      if (highest < blocks) rows.push(program.addRow(none, highest))
    } else if (most < blocks) {
      const row = program.addRow(none, most)
      const { cost, rows: held, values } = isLevel ? this.counted(at, 1) : { cost: 0, rows: [], values: [] }
      program.addColumn(cost + (costs ? limits.softCost : 0), blocks, [row, ...held], false, [-1, ...values])
      rows.push(row)
    }
    if (least > 0) {
      const row = program.addRow(least, any)
      const { cost, rows: held, values } = isCounted ? this.counted(at, 1) : { cost: 0, rows: [], values: [] }
      program.addColumn(cost + (costs ? lackCostOf(instance, limits) : 0), blocks, [row, ...held], false, [
        1,
        ...values,
      ])
      rows.push(row)
    }
    return rows
  }

  /** Any number will do as long as all have the same: a column says which. */
  private addFree(limits: Limits): number[][] {
    const { program, instance } = this
    const { blocks, students } = instance
    const above: number[] = []
    const below: number[] = []
    const rows = Array.from({ length: students }, (_, i) => {
      if (!asks(limits, blocks, i)) return []
      const { cost, rows: held, values } = this.counted((limits.level ?? 0) + 1, 1)
      const high = program.addRow(none, 1)
      const low = program.addRow(0, any)
      program.addColumn(cost, blocks, [high, ...held], false, [-1, ...values])
      program.addColumn(cost, blocks, [low, ...held], false, [1, ...values])
      above.push(high)
      below.push(low)
      return [high, low]
    })
    const both = [...above, ...below]
    if (both.length > 0)
      program.addColumn(
        0,
        blocks,
        both,
        true,
        both.map(() => -1),
      )
    return rows
  }

  private addStudent(i: number): void {
    const { instance, program, aim } = this
    const { blocks, options, siteOf, allowed, cost, categories, sites } = instance
    const hasChanges = aim === 'cost' && instance.changeCost > 0
    // Who is there in the block before and not in this one has changed.
    const changeRows = Array.from({ length: hasChanges ? Math.max(0, blocks - 1) : 0 }, () => {
      const rows = Array.from({ length: sites }, () => program.addRow(none, 0))
      program.addColumn(
        instance.changeCost,
        1,
        rows,
        false,
        rows.map(() => -1),
      )
      return rows
    })
    for (let b = 0; b < blocks; b++) {
      const at = i * blocks + b
      const ofBlock = program.addRow(1, 1)
      const row = costRow(instance, i, b)
      for (let o = 0; o < options; o++) {
        if (allowed[at * options + o] !== 1) continue
        const s = siteOf[o] ?? 0
        const rows = [
          ofBlock,
          this.optionRows[o * blocks + b] ?? 0,
          this.siteRows[s * blocks + b] ?? 0,
          ...(this.leastRows.get(s * blocks + b) ?? []),
        ]
        for (const [k, { has }] of categories.entries())
          if (has[o] === 1) rows.push(...(this.limitRows[k]?.[i] ?? []))
        const load = this.loadRows[s * blocks + b]
        if (load !== undefined) rows.push(load)
        const values = rows.map(() => 1)
        if (b > 0 && changeRows[b - 1]) {
          rows.push(changeRows[b - 1]?.[s] ?? 0)
          values.push(-1)
        }
        if (changeRows[b]) {
          rows.push(changeRows[b]?.[s] ?? 0)
          values.push(1)
        }
        const column = program.addColumn(aim === 'cost' ? (cost[row + o] ?? 0) : 0, 1, rows, true, values)
        this.cells.push({ at, o, column })
      }
      // Four times what a block costs that an experience lacks, and twice that where a place was given.
      const { cost: price, rows, values } = this.counted(0, 4)
      const isGiven = (instance.fixed[at] ?? -1) >= 0
      // Without a place nothing changes.
      const free = b > 0 ? (changeRows[b - 1] ?? []) : []
      program.addColumn(
        (aim === 'cost' ? unplacedCostAt(instance, at) : 0) + price * (isGiven ? 2 : 1),
        1,
        [ofBlock, ...rows, ...free],
        false,
        [1, ...values, ...free.map(() => -1)],
      )
    }
  }

  /** Students of a site one after the other, each at the price of the place. */
  private addLoads(): void {
    const { instance, program } = this
    for (const [at, row] of this.loadRows.entries()) {
      const places = instance.sitePlaces[at] ?? 0
      for (let n = 0; n < Math.min(places, instance.students); n++)
        program.addColumn(loadPrice(instance.loadCost, n, places), 1, [row], false, [-1])
    }
  }
}

/** A draft of a whole plan found by an integer program, and whether it is proved that none is better. */
interface Whole {
  solution: Solution
  isProved: boolean
}

/** The best draft of a plan for one objective, holding the earlier numbers of `unevennessOf`. */
const solveFor = (
  highs: Highs,
  instance: Instance,
  { aim, held, nodes }: { aim: Aim; held: readonly number[]; nodes: number },
): Whole | undefined => {
  const { program, cells } = new WholePlan(instance, aim, held)
  const solved = program.solve(highs, { mip_max_nodes: nodes, mip_rel_gap: 0, mip_abs_gap: 0.5 })
  if (!solved) return undefined
  const solution = new Int16Array(instance.students * instance.blocks).fill(-1)
  for (const { at, o, column } of cells) if ((solved.values[column] ?? 0) > 0.5) solution[at] = o
  return brokenRules(instance, solution).length > 0 ? undefined : { solution, isProved: solved.isProved }
}

/** The most columns of a plan whose parts are solved: two seconds. */
const mostPartColumns = 40_000

/**
 * What no draft costs less than: the integer program of the whole plan where places may be had in parts. Unlike the blocks added up it sees
 * that blocks are full one by one. Changes of site cost nothing in parts. 0 for larger plans.
 */
export const costInParts = (highs: Highs, instance: Instance): number => {
  if (instance.allowed.reduce((sum, each) => sum + each, 0) > mostPartColumns) return 0
  const { program } = new WholePlan({ ...instance, changeCost: 0 }, 'cost', [])
  const solved = program.solve(highs, { solve_relaxation: true })
  // Costs are whole numbers; the solver keeps each row within a ten-millionth.
  return solved?.isProved ? Math.ceil(solved.objective * (1 - 1e-7) - 1) : 0
}

/** The most columns of the program that finds how even the first level can be. */
const mostEvenColumns = 40_000

/** The blocks of a student at the options of a limit: how many they must have, as they can be nowhere else, and how many they can have. */
const rangeOf = (instance: Instance, { has }: Limits, i: number): { must: number; can: number } => {
  const { blocks, options, allowed } = instance
  let must = 0
  let can = 0
  for (let b = 0; b < blocks; b++) {
    let isHere = false
    let isElsewhere = false
    for (let o = 0; o < options; o++)
      if (allowed[(i * blocks + b) * options + o] === 1) {
        if (has[o] === 1) isHere = true
        else isElsewhere = true
      }
    if (isHere) can++
    if (isHere && !isElsewhere) must++
  }
  return { must, can }
}

/**
 * A lower bound of the first level's unevenness if so many blocks have no place: a linear program with all blocks added up. Limits of the
 * same options count as one.
 */
export const fewestUneven = (highs: Highs, instance: Instance, unplaced: number): number => {
  const { students, blocks, sites, categories, siteOf, optionPlaces, sitePlaces, options } = instance
  const ofLevel = categories.filter(({ level }) => level === 0)
  const bySite = Map.groupBy(ofLevel, ({ has }) => siteOf[has.indexOf(1)] ?? 0)
  if (students * ofLevel.length * 3 > mostEvenColumns) return 0
  const program = new Program()
  const total = program.addRow(0, unplaced)
  const placeRows = Array.from({ length: sites }, (_, s) => {
    let places = 0
    for (let b = 0; b < blocks; b++) {
      let ofShifts = 0
      for (let o = 0; o < options; o++) if (siteOf[o] === s) ofShifts += optionPlaces[o * blocks + b] ?? 0
      places += Math.min(students, ofShifts, sitePlaces[s * blocks + b] ?? 0)
    }
    return program.addRow(none, places)
  })
  for (let i = 0; i < students; i++) {
    const all = program.addRow(blocks, blocks)
    program.addColumn(0, blocks, [all, total])
    for (const [s, limits] of bySite) {
      const [first] = limits
      if (!first) continue
      const { must, can } = rangeOf(instance, first, i)
      // Nobody without a place is where they must be.
      const rows = [all, placeRows[s] ?? 0, program.addRow(Math.max(0, must - unplaced), any)]
      for (const { least, most } of limits) {
        const high = program.addRow(none, most[i] ?? blocks)
        const low = program.addRow(least[i] ?? 0, any)
        program.addColumn(1, blocks, [high], false, [-1])
        program.addColumn(1, blocks, [low])
        rows.push(high, low)
      }
      program.addColumn(0, can, rows)
    }
  }
  const solved = program.solve(highs, {})
  return solved ? Math.max(0, Math.ceil(solved.objective - 1e-6)) : 0
}

/**
 * The most even draft of a plan, by one integer program for each number that is not yet as low as it can be: everybody placed first, then
 * level by level. Never less even than the draft it starts from.
 *
 * @param fewest what none of the numbers can go below
 */
export const solveEven = (
  highs: Highs,
  instance: Instance,
  from: Solution,
  { nodes, fewest }: { nodes: number; fewest: Unevenness },
): Whole => {
  let solution = from
  let isProved = true
  for (let at = 0; at <= levelCount(instance); at++) {
    const uneven = unevennessOf(instance, solution)
    if ((uneven[at] ?? 0) <= (fewest[at] ?? 0)) continue
    const found = solveFor(highs, instance, { aim: at, held: uneven.slice(0, at), nodes })
    isProved &&= found?.isProved ?? false
    if (found && (unevennessOf(instance, found.solution)[at] ?? 0) < (uneven[at] ?? 0))
      solution = found.solution
  }
  return { solution, isProved }
}

/** The cheapest draft of a whole plan among those as even as this one; undefined if none was found within the node limit. */
export const solveCost = (
  highs: Highs,
  instance: Instance,
  from: Solution,
  nodes: number,
): Whole | undefined =>
  solveFor(highs, instance, {
    aim: 'cost',
    held: levelCount(instance) === 0 ? [] : unevennessOf(instance, from),
    nodes,
  })
