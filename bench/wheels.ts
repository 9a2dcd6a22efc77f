import { usualWeights } from '#contract/placement/weights.ts'
import { cellsOf } from '#server/modules/placement/draft/draft.rules.ts'
import { indexPlan } from '#server/modules/placement/plan/indexed-plan.rules.ts'
import { openHighs } from '#server/modules/placement/solve/linear.solver.ts'
import { instanceOf } from '#server/modules/placement/solve/plan-instance.rules.ts'
import { solve } from '#server/modules/placement/solve/solve.solver.ts'
import { judgeWheel, makeWheel } from '#server/test/made-wheels.ts'
import type { Figure } from './table.ts'

/** Plans of which a perfect wheel is known. */
const made = 100

/** How many of the made wheels are not perfect in their draft, judged by the rule, and how long the slowest of them takes. */
export const wheelFigures = async (): Promise<Figure[]> => {
  const highs = await openHighs()
  let failed = 0
  let slowest = 0
  for (let seed = 1; seed <= made; seed++) {
    const wheel = makeWheel(seed)
    const indexed = indexPlan(wheel.plan)
    const { instance } = instanceOf(indexed, { weights: usualWeights, places: [], cells: [] })
    const began = performance.now()
    let cells: ReturnType<typeof cellsOf> = []
    for (const { solution } of solve(highs, instance, { seed: 1, steps: 5 }))
      cells = cellsOf(indexed, solution)
    slowest = Math.max(slowest, (performance.now() - began) / 1_000)
    if (judgeWheel(wheel, cells).length > 0) failed++
  }
  return [
    {
      what: `placement, ${made} plans of which a perfect wheel is known: drafts that are none`,
      value: failed,
      text: String(failed),
      must: 0,
      stretch: 0,
      bar: '0',
      note: `the slowest took ${slowest.toFixed(1)} s`,
    },
  ]
}
