import { openHighs } from '#server/modules/placement/solver/linear.ts'
import { gapOf, solve } from '#server/modules/placement/solver/solve.ts'
import { makeInstance, type Shape } from '#server/test/placement-instances.ts'

/** What the process of one plan answers. */
export interface PlacementRun {
  /** Seconds until the last draft that is within the time, and how far that is above the bound. */
  seconds: number
  gap: number
  unplaced: number
  megabytes: number
}

process.once('message', async ({ shape, seconds }: { shape: Shape; seconds: number }) => {
  const instance = makeInstance(shape, 1)
  const highs = await openHighs()
  const began = performance.now()
  let run: PlacementRun = { seconds: Number.NaN, gap: Number.NaN, unplaced: Number.NaN, megabytes: 0 }
  for (const progress of solve(highs, instance, { seed: 1, steps: 300 })) {
    const took = (performance.now() - began) / 1_000
    if (took > seconds) break
    run = {
      seconds: took,
      gap: gapOf(progress),
      unplaced: progress.assignment.filter((option) => option < 0).length,
      megabytes: 0,
    }
  }
  process.send?.({ ...run, megabytes: process.resourceUsage().maxRSS / 1_024 })
  process.disconnect()
})
