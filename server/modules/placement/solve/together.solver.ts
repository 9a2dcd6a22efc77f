import { boundTogether } from './bound.solver.ts'
import { areLarge } from './expectation.solver.ts'
import { costOf, type Instance, isSeparable, randomFrom, type Solution } from './instance.solver.ts'
import { besideOthers, isWithinPools, type Joint, poolsOf, sharedTotals } from './joint.solver.ts'
import type { Highs } from './linear.solver.ts'
import { improveTogether, type Moving } from './neighborhood.solver.ts'
import {
  boundByBlocks,
  build,
  byLoss,
  gapOf,
  goodGap,
  improveBlocks,
  type Progress,
  partColumns,
  partNodes,
  pick,
  type SolveOptions,
  shuffled,
  solve,
  wholeColumns,
  wholeNodes,
  worthOf,
} from './solve.solver.ts'
import { solveWindow, type Window, windowsOf } from './windows.solver.ts'

/** The progress of a run of several plans, with the best drafts so far, which fit together. */
export interface JointProgress extends Omit<Progress, 'solution'> {
  /** By plan. */
  solutions: readonly Solution[]
}

/** Most columns of the blocks of all plans that touch each other, and the nodes looked at to solve them at once. */
const windowColumns = 12_000
const windowNodes = 200

const lastOf = (steps: Iterable<Progress>): Progress => {
  let last: Progress | undefined
  for (const step of steps) last = step
  // A run tells of its end at least.
  return last as Progress
}

const columnsOf = ({ students, blocks, options, allowed }: Instance, open?: ReadonlySet<number>): number => {
  let sum = 0
  for (let i = 0; i < students; i++)
    for (let b = 0; b < blocks; b++)
      if (open?.has(b) ?? true)
        for (let o = 0; o < options; o++) sum += allowed[(i * blocks + b) * options + o] ?? 0
  return sum
}

const everyoneOf = ({ parts }: Joint): number[][] =>
  parts.map(({ students }) => Array.from({ length: students }, (_, i) => i))

const inOrderOf = ({ blocks }: Instance): number[] => Array.from({ length: blocks }, (_, block) => block)

/**
 * Solves several plans that share places, step by step. Small ones are one integer program, and the optimum. Those of some size are solved
 * alone first; where these do not fit together, one after the other in each order that begins with another plan. Large ones have a
 * first draft at once, then the bound of all plans together, whose shares draw the next. Then the blocks that share places are solved at
 * once, and groups of students of all plans. The same plans, seed and steps give the same values, and none is worse than the one before.
 */
export function* solveTogether(
  highs: Highs,
  joint: Joint,
  { seed, steps, from, begin = () => {} }: Omit<SolveOptions, 'from'> & { from?: readonly Solution[] },
): Generator<JointProgress> {
  const { parts } = joint
  const of = poolsOf(joint)
  const random = randomFrom(seed)
  let best: readonly Solution[] = parts.map(({ fixed }) => fixed)
  let cost = Number.POSITIVE_INFINITY
  let bound = 0
  const priceOf = (solutions: readonly Solution[]) =>
    parts.reduce((sum, instance, part) => sum + costOf(instance, solutions[part] ?? instance.fixed), 0)
  /** Takes drafts when they are better together and fit. */
  const offer = (solutions: readonly Solution[] | undefined): boolean => {
    if (!solutions || !isWithinPools(joint, of, solutions)) return false
    const price = priceOf(solutions)
    if (price >= cost) return false
    best = solutions
    cost = price
    return true
  }
  const state = (phase: JointProgress['phase'], step: number): JointProgress => ({
    phase,
    solutions: best,
    cost,
    bound: Math.min(bound, cost),
    step,
    steps,
  })
  const beside = (part: number, solutions: readonly Solution[]): Instance =>
    // It is one of the parts.
    besideOthers(joint, of, solutions, { part, instance: parts[part] as Instance })
  const improve = (moving: Moving, nodes: number) =>
    improveTogether(highs, { joint, of }, best, moving, nodes)
  /** One plan after the other, each with the places that those before it leave. */
  const inTurn = (make: (instance: Instance, part: number) => Solution, first = 0): Solution[] => {
    const solutions = parts.map(({ fixed }) => fixed)
    for (let at = 0; at < parts.length; at++) {
      const part = (first + at) % parts.length
      solutions[part] = make(beside(part, solutions), part)
    }
    return solutions
  }

  // What each block is worth alone is found anew; only what blocks are worth together is gone on from.
  const isApart = parts.every((instance) => isSeparable(instance) && instance.loadCost === 0)
  const isGoneOn = !isApart && from?.some((solution) => solution.some((o) => o >= 0))
  const isLarge = !isApart && areLarge(parts)
  let areOthersProved = false
  if (isLarge) {
    if (isGoneOn) offer(from)
    offer(inTurn((instance) => build(instance, new Float64Array(instance.students * instance.options))))
    yield state('starting', 0)
  } else {
    const alone = parts.map((instance, part) => {
      const last = lastOf(solve(highs, instance, { seed, steps: 0 }))
      begin((0.3 * (part + 1)) / parts.length)
      return last
    })
    areOthersProved = alone.every((each) => each.bound === each.cost)
    bound = alone.reduce((sum, each) => sum + each.bound, 0)
    offer(alone.map(({ solution }) => solution))
    if (isGoneOn) offer(from)
  }
  const isDone = () => gapOf({ cost, bound }) === 0
  const shared = isDone()
    ? undefined
    : boundTogether(parts, sharedTotals(joint, of), (part) => begin(0.3 + 0.3 * part))
  if (shared) {
    bound = Math.max(bound, shared.value)
    if (parts.every(({ loadCost }) => loadCost === 0)) bound = Math.max(bound, boundByBlocks(parts, shared))
  }
  const shares = parts.map(
    ({ students, options }, part) => shared?.parts[part]?.shares ?? new Float64Array(students * options),
  )
  if (isLarge)
    offer(
      inTurn((instance, part) =>
        improveBlocks(instance, build(instance, shares[part] ?? new Float64Array(0)), inOrderOf(instance)),
      ),
    )
  // Where blocks are apart, those that share places are solved at once afterwards, wherever it begins.
  else
    for (const first of isDone() ? [] : isApart && areLarge(parts) ? [0] : parts.keys())
      offer(inTurn((instance) => lastOf(solve(highs, instance, { seed, steps: 0 })).solution, first))
  yield state('starting', 0)
  if (isDone()) {
    yield state('done', steps)
    return
  }
  const isPlain = parts.every(({ changeCost, loadCost }) => changeCost === 0 && loadCost === 0)
  if (isPlain && parts.reduce((sum, instance) => sum + columnsOf(instance), 0) <= wholeColumns) {
    const found = improve({ chosen: everyoneOf(joint) }, wholeNodes)
    offer(found?.solutions)
    if (found?.isProved) bound = cost
    yield state('done', steps)
    return
  }
  const windows = windowsOf(joint)
  /** Blocks of one plan, each the best while the others and the other plans stay. */
  const improveOwn = (part: number, order: Iterable<number>): void => {
    const next = [...best]
    const instance = beside(part, best)
    next[part] = improveBlocks(instance, best[part] ?? instance.fixed, [...order])
    offer(next)
  }
  /** Solves the blocks of a window at once, or one plan after the other where they are too many; whether it is the optimum of them. */
  const improveWindow = (open: Window): boolean => {
    const flow = solveWindow(joint, of, best, open)
    if (flow) {
      offer(flow)
      return true
    }
    if (parts.reduce((sum, instance, part) => sum + columnsOf(instance, open[part]), 0) <= windowColumns) {
      const found = improve({ chosen: everyoneOf(joint), open }, windowNodes)
      offer(found?.solutions)
      return found?.isProved ?? false
    }
    for (const part of shuffled(parts.length, random)) improveOwn(part, open[part] ?? [])
    return false
  }
  let areProved = true
  for (const [at, window] of windows.entries()) {
    begin(0.6 + (0.4 * at) / windows.length)
    const isProved = improveWindow(window)
    areProved &&= isProved
    yield state('starting', 0)
  }
  // Where nothing else joins the blocks, and no window another one, the best of each is the best of all.
  const inWindows = windows.reduce((sum, window) => sum + window.reduce((all, { size }) => all + size, 0), 0)
  const ofWindows = parts.map((_, part) => new Set(windows.flatMap((window) => [...(window[part] ?? [])])))
  const distinct = ofWindows.reduce((sum, { size }) => sum + size, 0)
  if (isApart && areProved && areOthersProved && inWindows === distinct) bound = cost
  const isWorth = parts.map((instance, part) => worthOf(instance, shares[part] ?? new Float64Array(0)))
  const students = parts.reduce((sum, each) => sum + each.students, 0)
  const worth = isWorth.reduce((sum, each) => sum + each.reduce((all, one) => all + one, 0), 0)
  const size = Math.max(2, Math.min(students, Math.floor(partColumns / Math.max(1, worth / students))))
  /** Some students of all plans, half of them unlucky ones. */
  const pickStudents = (): number[][] => {
    const lists = parts.map((instance, part) =>
      byLoss(instance, best[part] ?? instance.fixed, shares[part] ?? new Float64Array(0)),
    )
    const ranked = Array.from({ length: Math.max(...parts.map((each) => each.students)) }, (_, at) => at)
      .flatMap((at) => lists.map((list, part) => ({ part, i: list[at] })))
      .filter(({ i }) => i !== undefined)
    const chosen = new Set(pick([...ranked.keys()], size, random))
    return parts.map((_, part) =>
      ranked
        .flatMap((each, at) => (each.part === part && chosen.has(at) ? [each.i ?? 0] : []))
        .toSorted((one, other) => one - other),
    )
  }
  let queue: number[] = []
  for (let step = 1; step <= steps && gapOf({ cost, bound }) > goodGap; step++) {
    // Students of all plans, then a window, then the other blocks of a plan.
    if (step % 3 === 1) offer(improve({ chosen: pickStudents(), isWorth }, partNodes)?.solutions)
    else if (step % 3 === 2) {
      if (queue.length === 0) queue = shuffled(windows.length, random)
      const window = windows[queue.pop() ?? -1]
      if (window) improveWindow(window)
    } else {
      const part = Math.floor(random() * parts.length)
      improveOwn(part, shuffled(parts[part]?.blocks ?? 0, random))
    }
    yield state('improving', step)
  }
  yield state('done', steps)
}
