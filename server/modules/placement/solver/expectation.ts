import { Counts, costsOfBlock } from './block-costs.ts'
import { solveBlock } from './flow.ts'
import { type Instance, isSeparable } from './instance.ts'
import type { Joint } from './joint.ts'

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

const boundSeconds = (sizes: readonly Size[]): number =>
  sizes.reduce((sum, { students, options }) => sum + 5.5e-5 * students * options, 0.05)

const partsOf = (size: Size, isApart: boolean): Parts => {
  const { students, blocks, options } = size
  const block = 3e-4 + 1.06e-8 * students * options ** 2
  const pass = blocks * block
  if (isApart) return { block, pass, start: pass, early: 0, late: 0 }
  const bound = boundSeconds([size])
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

/** What a run does, in seconds of the machine that the parts were measured on. */
interface Course {
  /** All that is done once a draft of the start is told of, by their order. */
  starts: readonly number[]
  steps: number
  stepsTake: (steps: number) => number
  slowness: number
}

/**
 * How long a run takes, by what this machine needs for a piece of it at the moment it begins, and then by what it has needed so far. Told
 * to people, never used to decide anything: a run is the same however long it takes.
 */
export class Expectation {
  private readonly course: Course
  /** Drafts that the start has told of. */
  private told = 0
  private readonly began = performance.now() / 1_000

  constructor(course: Course) {
    this.course = course
  }

  private get start(): number {
    return this.course.starts.at(-1) ?? 0
  }

  private get whole(): number {
    return wholeOf(this.course)
  }

  /** Seconds from the start of the process until the end of the run, before its first draft. */
  get atFirst(): number {
    return this.began + this.whole * this.course.slowness
  }

  /** The same once a step of the run is done, 0 for its start, which may tell of several drafts. */
  after(step: number): number {
    const now = performance.now() / 1_000
    const { starts, stepsTake } = this.course
    if (step === 0) this.told++
    const done = step === 0 ? (starts[this.told - 1] ?? this.start) : this.start + stepsTake(step)
    // What was measured at first counts less and less.
    const early = 0.2 * this.whole
    const slowness = (now - this.began + this.course.slowness * early) / (done + early)
    return now + Math.max(0, this.whole - done) * slowness
  }
}

/** What a run of one plan does. */
const courseOf = (size: Size, isApart: boolean, steps: number): Omit<Course, 'slowness'> => {
  const parts = partsOf(size, isApart)
  return {
    starts: !isApart && isLarge(size) ? [parts.pass, parts.start] : [parts.start],
    steps: isApart ? 0 : steps,
    stepsTake: (count) => stepsTake(parts, count),
  }
}

const cellsOf = ({ students, blocks, options }: Size): number => students * blocks * options

/** Whether plans are so large together that they have a first draft before their bound. */
export const areLarge = (sizes: readonly Size[]): boolean =>
  sizes.reduce((sum, size) => sum + cellsOf(size), 0) >= largeCells

/** The places of some students of all plans. */
const secondsOfStudents = 0.1

/** What a run of several plans does: the blocks of all that share places are solved at once. */
const courseTogether = (
  sizes: readonly Size[],
  isApart: boolean,
  steps: number,
): Omit<Course, 'slowness'> => {
  const parts = sizes.map((size) => partsOf(size, isApart))
  const sum = (of: (part: Parts) => number) => parts.reduce((all, part) => all + of(part), 0)
  const pass = sum((part) => part.pass)
  const blocks = Math.max(0, ...sizes.map((size) => size.blocks))
  // Ways lead through the shifts of each plan.
  const window = blocks === 0 ? 0 : (sizes.length * pass) / blocks
  const isFirst = !isApart && areLarge(sizes)
  const bound = isApart ? 0 : boundSeconds(sizes)
  const drawn = isFirst ? 4 * pass + bound : (1 + sizes.length) * sum((part) => part.start) + bound
  return {
    starts: [
      ...(isFirst ? [pass] : []),
      drawn,
      ...Array.from({ length: blocks }, (_, at) => drawn + (at + 1) * window),
    ],
    steps: isApart ? 0 : steps,
    // A third of the steps each: students, a window, the blocks of a plan, of which most stay as they are.
    stepsTake: (count) => (count * (secondsOfStudents + window + pass / (2 * Math.max(1, sizes.length)))) / 3,
  }
}

const wholeOf = ({ starts, stepsTake: take, steps }: Omit<Course, 'slowness'>): number =>
  (starts.at(-1) ?? 0) + take(steps)

/** How long a run of a plan, or of several together, takes before anything is known of the machine, in seconds. */
export const roughSeconds = (sizes: readonly Size[], steps: number): number => {
  const [first, ...others] = sizes
  if (!first) return 0
  const course = others.length === 0 ? courseOf(first, false, steps) : courseTogether(sizes, false, steps)
  return Math.ceil(secondsToBegin + wholeOf(course))
}

/** How long a run of a plan takes; times its first block. */
export const expectationOf = (instance: Instance, steps: number): Expectation => {
  const isApart = isSeparable(instance)
  return new Expectation({
    ...courseOf(instance, isApart, steps),
    slowness: slownessFor(instance, partsOf(instance, isApart)),
  })
}

/** How long a run of several plans takes; times the first block of the largest. */
export const expectationTogether = ({ parts }: Joint, steps: number): Expectation => {
  const isApart = parts.every((instance) => isSeparable(instance) && instance.loadCost === 0)
  const [largest] = parts.toSorted((one, other) => cellsOf(other) - cellsOf(one))
  return new Expectation({
    ...courseTogether(parts, isApart, steps),
    slowness: largest ? slownessFor(largest, partsOf(largest, isApart)) : 1,
  })
}
