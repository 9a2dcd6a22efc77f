/** The size of a plan, which decides how a run starts. */
export interface Size {
  students: number
  blocks: number
  options: number
}

/** From this many cells on, a run makes its first draft before its bound, which then takes long. */
const largeCells = 500_000

const cellsOf = ({ students, blocks, options }: Size): number => students * blocks * options

/** Whether plans are so large together that a first draft comes before their bound. */
export const areLarge = (sizes: readonly Size[]): boolean =>
  sizes.reduce((sum, size) => sum + cellsOf(size), 0) >= largeCells

/** Whether a plan is so large that a first draft is worth a pass of its own. */
export const isLarge = (size: Size): boolean => areLarge([size])

/** After how many steps a run's time can be estimated, as the first ones take longest, and how many recent steps the estimate uses. */
const fewestSteps = 10
const lateSteps = 8

/**
 * Estimates how long a run takes from the duration of its own steps alone; unknown until there are some. It is shown to people and never
 * decides anything: a run gives the same result however long it takes.
 */
export class Expectation {
  private readonly steps: number
  private readonly now: () => number
  /** When steps were done, starting with the time before the first. */
  private readonly done: number[] = []

  /** @param now seconds since the process began */
  constructor(steps: number, now: () => number = () => performance.now() / 1_000) {
    this.steps = steps
    this.now = now
  }

  /** The estimated seconds from the start of the process to the end of the run, after a step (0 for all before the first); 0 while unknown. */
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
