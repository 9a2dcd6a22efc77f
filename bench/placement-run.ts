import { Expectation } from '#server/modules/placement/solve/expectation.solver.ts'
import { openHighs } from '#server/modules/placement/solve/linear.solver.ts'
import { gapOf, solve } from '#server/modules/placement/solve/solve.solver.ts'
import { solveTogether } from '#server/modules/placement/solve/together.solver.ts'
import { makeInstance, makeJoint, type Shape } from '#server/test/placement-instances.ts'

/** What a process solves: one plan, or several together. */
export interface PlacementTask {
  shapes: readonly Shape[]
  /** Shared places for each student of several plans. */
  slack: number
  seconds: number
}

/** What the process of a plan, or of several, answers. */
export interface PlacementRun {
  /** Seconds until the last draft that is within the time, and how far that is above the bound. */
  seconds: number
  gap: number
  unplaced: number
  /** Seconds that a normal run was said to take as soon as that was known, and that it took; undefined where it was not, or longer than the time. */
  told: number | undefined
  taken: number | undefined
  megabytes: number
}

/** The steps of a normal run, and enough to fill any time. */
const normalSteps = 40
const manySteps = 300

process.once('message', async ({ shapes, slack, seconds }: PlacementTask) => {
  const joint = makeJoint(shapes, slack, 1)
  const [first] = shapes
  const isOne = shapes.length === 1 && first
  const instance = isOne ? makeInstance(first, 1) : undefined
  const highs = await openHighs()
  const began = performance.now()
  const expectation = new Expectation(normalSteps)
  let told: number | undefined
  const steps = manySteps
  let run: PlacementRun = {
    seconds: Number.NaN,
    gap: Number.NaN,
    unplaced: Number.NaN,
    told: undefined,
    taken: undefined,
    megabytes: 0,
  }
  for (const progress of instance
    ? solve(highs, instance, { seed: 1, steps })
    : solveTogether(highs, joint, { seed: 1, steps })) {
    const took = (performance.now() - began) / 1_000
    const expected = progress.step <= normalSteps ? expectation.after(progress.step) : 0
    if (expected > 0) told ??= expected - began / 1_000
    if (took > seconds) break
    const solutions = 'solutions' in progress ? progress.solutions : [progress.solution]
    run = {
      ...run,
      told,
      seconds: took,
      gap: gapOf(progress),
      unplaced: solutions.reduce((sum, solution) => sum + solution.filter((option) => option < 0).length, 0),
    }
    if (progress.phase === 'done' || progress.step === normalSteps) run.taken ??= took
  }
  process.send?.({ ...run, megabytes: process.resourceUsage().maxRSS / 1_024 })
  process.disconnect()
})
