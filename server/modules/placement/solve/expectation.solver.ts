/** How large a plan is, as far as it says how a run begins. */
export interface Size {
  students: number
  blocks: number
  options: number
}

/** From so many cells on a run has its first draft before its bound, which takes long then. */
const largeCells = 500_000

const cellsOf = ({ students, blocks, options }: Size): number => students * blocks * options

/** Whether plans are so large together that they have a first draft before their bound. */
export const areLarge = (sizes: readonly Size[]): boolean =>
  sizes.reduce((sum, size) => sum + cellsOf(size), 0) >= largeCells

/** Whether a plan is so large that a first draft is worth a pass of its own. */
export const isLarge = (size: Size): boolean => areLarge([size])

/** Steps after which it is known how long one takes, as the first ones take longest, and those of late that say it. */
const fewestSteps = 10
const lateSteps = 8

/**
 * How long a run takes, by what its own steps have taken so far and by nothing else: not known before there are some. Told to people, never
 * used to decide anything: a run is the same however long it takes.
 */
export class Expectation {
  private readonly steps: number
  private readonly now: () => number
  /** Moments at which steps were done, from the one before the first. */
  private readonly done: number[] = []

  /** @param now seconds since the process began */
  constructor(steps: number, now: () => number = () => performance.now() / 1_000) {
    this.steps = steps
    this.now = now
  }

  /** Seconds from the start of the process until the end of the run once a step is done, 0 for all before the first; 0 while that is not known. */
  after(step: number): number {
    const now = this.now()
    if (step === 0) this.done.length = 0
    this.done.push(now)
    if (step < fewestSteps || this.done.length <= fewestSteps) return 0
    const late = this.done.slice(-lateSteps - 1)
    const each = (now - (late[0] ?? now)) / Math.max(1, late.length - 1)
    return now + each * (this.steps - step)
  }
}
