import { Counts, costsOfBlock } from './block-costs.ts'
import { solveBlock } from './flow.ts'
import { type Instance, isSeparable } from './instance.ts'

/** How large a plan is, as far as it says how long a run takes. */
export interface Size {
  students: number
  blocks: number
  options: number
}

/** From so many cells on a run has its first draft before its bound, which takes long then. */
const largeCells = 500_000

/** Whether a plan is so large that a first draft is worth a pass of its own. */
export const isLarge = ({ students, blocks, options }: Size): boolean =>
  students * blocks * options >= largeCells

/** Seconds of the parts of a run on the machine that they were measured on; what counts is how they compare. */
interface Parts {
  /** The best places of one block. */
  block: number
  /** All blocks once, one after the other: the first draft of the largest plans. */
  pass: number
  /** From the beginning to the first draft that is improved. */
  start: number
  /** The first steps, which look through whole groups of students, and those after them. */
  early: number
  late: number
}

const earlySteps = 6

const partsOf = (size: Size, isApart: boolean): Parts => {
  const { students, blocks, options } = size
  const block = 3e-4 + 1.06e-8 * students * options ** 2
  const pass = blocks * block
  if (isApart) return { block, pass, start: pass, early: 0, late: 0 }
  const bound = 0.05 + 5.5e-5 * students * options
  return {
    block,
    pass,
    start: (isLarge(size) ? 4 : 3) * pass + bound,
    early: 0.55,
    // At times a step solves all blocks again.
    late: 0.015 + pass / 6,
  }
}

const stepsTake = ({ early, late }: Parts, steps: number): number =>
  Math.min(steps, earlySteps) * early + steps * late

/** Seconds until a process has begun and read its plan. */
const secondsToBegin = 1

/** How long a run of a plan takes before anything is known of the machine, in seconds. */
export const roughSeconds = (size: Size, steps: number): number => {
  const parts = partsOf(size, false)
  return Math.ceil(secondsToBegin + parts.start + stepsTake(parts, steps))
}

/** The machine is timed for so long at least, and for so many blocks at most. */
const probeSeconds = 0.12
const probeBlocks = 40
/** Most that it counts as slower or faster than the one that the parts were measured on; a block that is solved in no time says little. */
const slowest = 8
const slowestByShort = 2
const fastest = 0.3
const shortSeconds = 0.02

/** How much slower this machine is at the moment, by solving the first block while nobody has a place. */
const slownessFor = (instance: Instance, { block }: Parts): number => {
  if (instance.blocks === 0) return 1
  const nobody = new Int16Array(instance.students * instance.blocks).fill(-1)
  const times: number[] = []
  let sum = 0
  while (sum < probeSeconds && times.length < probeBlocks) {
    const began = performance.now()
    solveBlock(instance, 0, costsOfBlock(instance, nobody, 0, new Counts(instance, nobody)))
    times.push((performance.now() - began) / 1_000)
    sum += times.at(-1) ?? 0
  }
  // The first times of short ones include what the machine does only once.
  const usual = times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? block
  const most = block < shortSeconds ? slowestByShort : slowest
  return Math.min(most, Math.max(fastest, usual / block))
}

/**
 * How long a run takes, by what this machine needs for a piece of it at the moment it begins, and then by what it has needed so far. Told
 * to people, never used to decide anything: a run is the same however long it takes.
 */
export class Expectation {
  private readonly steps: number
  private readonly parts: Parts
  private readonly slowness: number
  /** Drafts that the start has told of. */
  private starts = 0
  private readonly startsInAll: number
  private readonly began = performance.now() / 1_000

  /** Times the first block of the plan. */
  constructor(instance: Instance, steps: number) {
    const isApart = isSeparable(instance)
    this.parts = partsOf(instance, isApart)
    this.steps = isApart ? 0 : steps
    this.startsInAll = !isApart && isLarge(instance) ? 2 : 1
    this.slowness = slownessFor(instance, this.parts)
  }

  private get whole(): number {
    return this.parts.start + stepsTake(this.parts, this.steps)
  }

  /** Seconds from the start of the process until the end of the run, before its first draft. */
  get atFirst(): number {
    return this.began + this.whole * this.slowness
  }

  /** The same once a step of the run is done, 0 for its start, which the largest plans tell of twice. */
  after(step: number): number {
    const now = performance.now() / 1_000
    if (step === 0) this.starts++
    const { pass, start } = this.parts
    const done = this.starts < this.startsInAll ? pass : start + stepsTake(this.parts, step)
    // What was measured at first counts less and less.
    const early = 0.2 * this.whole
    const slowness = (now - this.began + this.slowness * early) / (done + early)
    return now + Math.max(0, this.whole - done) * slowness
  }
}

const secondsPerJointStep = 0.5

/** Runs of the start of several plans: each alone, then one after the other in as many orders as there are plans. */
const startsOf = (plans: number): number => 1 + plans

/** How long a run of several plans takes: what they take alone, some times over. */
export class JointExpectation {
  private readonly steps: number
  private readonly start: number
  private readonly began = performance.now() / 1_000

  constructor(parts: readonly Instance[], steps: number) {
    this.steps = steps
    this.start = parts.reduce((sum, instance) => {
      const alone = new Expectation(instance, 0)
      return sum + startsOf(parts.length) * (alone.atFirst - performance.now() / 1_000)
    }, 0)
  }

  private get stepsTake(): number {
    return this.steps * secondsPerJointStep
  }

  /** Seconds from the start of the process until the end of the run, before its first draft. */
  get atFirst(): number {
    return this.began + this.start + this.stepsTake
  }

  /** The same once a step of the run is done, 0 for its start. */
  after(step: number): number {
    const now = performance.now() / 1_000
    if (step === 0) return now + this.stepsTake
    return now + ((now - this.began - this.start) / step) * (this.steps - step)
  }
}
