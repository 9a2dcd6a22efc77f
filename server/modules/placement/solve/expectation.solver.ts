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

/** After how many steps a run's time can be estimated. */
const fewestSteps = 10

/**
 * Estimates how long a run takes from the duration of its own steps alone; unknown until there are some. It is shown to people and never
 * decides anything: a run gives the same result however long it takes.
 */
export class Expectation {
  private readonly steps: number
  private readonly now: () => number
  /** When the own steps began, and how many are done. */
  private began = 0
  private done = -1

  /** @param now seconds since the process began */
  constructor(steps: number, now: () => number = () => performance.now() / 1_000) {
    this.steps = steps
    this.now = now
  }

  /** The estimated seconds from the start of the process to the end of the run, after a step (0 for all before the first); 0 while unknown. */
  after(step: number): number {
    const now = this.now()
    if (step === 0 || this.done < 0) this.began = now
    this.done = step === 0 ? 0 : this.done + 1
    if (step < fewestSteps || this.done < fewestSteps) return 0
    // Over all of them: of a large plan a few steps take as long as all others, and those of the last seconds say too little.
    return now + ((now - this.began) / this.done) * (this.steps - step)
  }
}
