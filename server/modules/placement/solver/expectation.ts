import { Counts, costsOfBlock } from './block-costs.ts'
import { solveBlock } from './flow.ts'
import { type Instance, isSeparable } from './instance.ts'

/** Seconds of the parts of a run on the machine that they were measured on; what counts is how they compare. */
interface Parts {
  block: number
  bound: number
  step: number
}

const partsOf = ({ students, blocks, options }: Instance): Parts => {
  const block = 0.01 + 1.1e-8 * students * options ** 2
  return {
    block,
    bound: 0.05 + 4.6e-5 * students * options,
    // A step solves all blocks again at times, and else some students by an integer program.
    step: 0.25 + 1e-4 * students + (blocks * block) / 4,
  }
}

/** From so many cells on a run has its first draft before its bound, which takes long then. */
const largeCells = 500_000

/** Whether a plan is so large that a first draft is worth a pass of its own. */
export const isLarge = ({ students, blocks, options }: Instance): boolean =>
  students * blocks * options >= largeCells

/** Most of the latest steps whose mean the rest is told by, and how far one of them counts above the mean of those before. */
const latestSteps = 12
const mostOverMean = 5

/** Below it a time says little the first time. */
const coldSeconds = 0.3

/** How long the first block of a plan takes, while nobody has a place. */
const secondsForBlock = (instance: Instance): number => {
  if (instance.blocks === 0) return 0
  const nobody = new Int16Array(instance.students * instance.blocks).fill(-1)
  const began = performance.now()
  solveBlock(instance, 0, costsOfBlock(instance, nobody, 0, new Counts(instance, nobody)))
  return (performance.now() - began) / 1_000
}

/**
 * How long a run takes, by what this machine needs for a piece of it at the moment it begins, and then by its own steps. Told to people,
 * never used to decide anything: a run is the same however long it takes.
 */
export class Expectation {
  private readonly steps: number
  private readonly starting: number
  private took: readonly number[]
  private stepAt = 0
  private readonly began = performance.now() / 1_000

  /** Times the first block of the plan. */
  constructor(instance: Instance, steps: number) {
    const { block, bound, step } = partsOf(instance)
    const once = secondsForBlock(instance)
    // A short one is timed again: the first time includes what the machine does only once.
    const seconds = once < coldSeconds ? secondsForBlock(instance) : once
    const factor = Math.max(0.2, seconds / block)
    const passes = isSeparable(instance) ? 1 : isLarge(instance) ? 5 : 4
    this.starting =
      passes * instance.blocks * block * factor + (isSeparable(instance) ? 0 : bound * Math.min(factor, 8))
    this.steps = isSeparable(instance) ? 0 : steps
    this.took = Array.from({ length: 3 }, () => step * Math.min(factor, 8))
  }

  /** Seconds from the start of the process until the end of the run, before its first draft. */
  get atFirst(): number {
    return this.began + this.starting + this.steps * this.mean()
  }

  /** The same once a step of the run is done, 0 for its start. */
  after(step: number): number {
    const now = performance.now() / 1_000
    if (step > 0 && this.stepAt > 0) {
      const seconds = Math.min(now - this.stepAt, mostOverMean * this.mean())
      this.took = [...this.took, seconds].slice(-latestSteps)
    }
    this.stepAt = now
    // The largest plans have a first draft long before they begin to improve it.
    const from = step === 0 ? Math.max(now, this.began + this.starting) : now
    return from + Math.max(0, this.steps - step) * this.mean()
  }

  private mean(): number {
    return this.took.reduce((sum, each) => sum + each, 0) / this.took.length
  }
}
