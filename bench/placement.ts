import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Shape } from '#server/test/placement-instances.ts'
import type { PlacementRun } from './placement-run.ts'
import type { Figure } from './table.ts'

const middle: Shape = {
  students: 300,
  blocks: 12,
  options: 40,
  slack: 1.1,
  ranks: 5,
  skew: 1,
  isCoupled: true,
}
const large: Shape = { ...middle, students: 1_000, blocks: 16, options: 120 }
const largest: Shape = { ...large, students: 5_000, options: 200 }

/** The plans that are solved: by seed 1, so that anybody makes the same. */
const plans: readonly { what: string; shape: Shape; seconds: number; mostGap: number; goodGap: number }[] = [
  {
    what: '300 × 12 × 40, blocks apart',
    shape: { ...middle, isCoupled: false },
    seconds: 1,
    mostGap: 0,
    goodGap: 0,
  },
  {
    what: '300 × 12 × 40 with experiences and limits',
    shape: middle,
    seconds: 10,
    mostGap: 0.05,
    goodGap: 0.01,
  },
  {
    what: '300 × 12 × 40 with experiences and limits',
    shape: middle,
    seconds: 30,
    mostGap: 0.01,
    goodGap: 0.005,
  },
  {
    what: '1,000 × 16 × 120 with experiences and limits',
    shape: large,
    seconds: 120,
    mostGap: 0.03,
    goodGap: 0.01,
  },
  // Measured to its end once: a draft 0.1 % above the bound after 216 s of a processor, all 40 steps of a normal run after 457 s.
  {
    what: '5,000 × 16 × 200 with experiences and limits',
    shape: largest,
    seconds: 420,
    mostGap: 0.02,
    goodGap: 0.005,
  },
]

const solveOnce = async (shape: Shape, seconds: number): Promise<PlacementRun> => {
  const child = fork(join(import.meta.dirname, 'placement-run.ts'), [], { serialization: 'advanced' })
  const answered = once(child, 'message')
  child.send({ shape, seconds })
  const [run] = (await answered) as [PlacementRun]
  return run
}

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`

/** How near to the bound the solver comes in its time, and the most memory of its processes. */
export const placementFigures = async (): Promise<Figure[]> => {
  const figures: Figure[] = []
  let megabytes = 0
  for (const { what, shape, seconds, mostGap, goodGap } of plans) {
    const run = await solveOnce(shape, seconds)
    megabytes = Math.max(megabytes, run.megabytes)
    figures.push({
      what: `placement plan of students × blocks × shifts, ${what}: above the bound after ${seconds} s`,
      value: run.gap,
      text: percent(run.gap),
      must: mostGap,
      stretch: goodGap,
      bar: `≤ ${percent(mostGap)} / ≤ ${percent(goodGap)}`,
      note: `found after ${run.seconds.toFixed(1)} s, ${run.unplaced} without a place`,
    })
  }
  figures.push({
    what: 'memory of the process that solves a placement plan',
    value: megabytes,
    text: `${Math.round(megabytes)} MiB`,
    must: 1_024,
    stretch: 512,
    bar: '≤ 1024 / ≤ 512 MiB',
  })
  return figures
}
