import type { Conflict } from '#contract/placement/conflicts.ts'
import type { DraftFigures } from '#contract/placement/drafts.ts'
import { usualWeights } from '#contract/placement/weights.ts'
import { findConflict, isComplete } from './conflicts.ts'
import { figuresOf } from './figures.ts'
import { buildModel, type Model } from './model.ts'
import type { PlanFacts } from './plan-facts.ts'
import { type DraftOrder, instanceOf, rankAt, stepsOf } from './plan-instance.ts'
import { Expectation } from './solver/expectation.ts'
import { type Assignment, brokenRules } from './solver/instance.ts'
import { openHighs } from './solver/linear.ts'
import { solve } from './solver/solve.ts'

/** What the process of a draft is told. */
export interface DraftTask {
  facts: PlanFacts
  order: DraftOrder
}

/** What the process is told that only looks for rules which cannot be kept together. */
export interface ConflictTask {
  facts: PlanFacts
}

/** What it answers; without a conflict when it found nothing within its limits. */
export interface ConflictAnswer {
  conflict: Conflict | undefined
}

/** A cell as it is kept. */
export interface DraftCell {
  StudentId: number
  Block: number
  SiteShiftId: number
  Weekdays: readonly number[]
  Rank: number | null
  /** Which of the plan's rotations she serves there. */
  RotationId: number
}

/** How far a run is; with the draft when it is better than what was told before. */
export interface DraftProgress {
  step: number
  steps: number
  isLast: boolean
  /** Seconds that the whole run takes as far as is known by now. */
  expectedSeconds: number
  cells?: DraftCell[]
  figures?: DraftFigures
}

const isPresent = <T>(value: T | undefined): value is T => value !== undefined

export const cellsOf = (
  { facts, blocks, options, groupOf, rotationAt }: Model,
  assignment: Assignment,
): DraftCell[] =>
  Array.from(assignment, (o, at): DraftCell | undefined => {
    const i = Math.floor(at / blocks)
    const option = options[o]
    const student = facts.Students[i]
    if (!option || !student) return undefined
    return {
      StudentId: student.Id,
      Block: at % blocks,
      SiteShiftId: option.SiteShiftId,
      Weekdays: option.weekdays[groupOf[i] ?? -1] ?? [],
      Rank: rankAt(facts, i, at % blocks, option.SiteId) || null,
      RotationId: (facts.Rotations[rotationAt(i, at % blocks, o)] ?? facts.Rotations[0])?.Id ?? 0,
    }
  }).filter(isPresent)

/** Makes a draft, telling how far it is. Each draft that it tells of keeps all rules. */
export const makeDraft = async (
  { facts, order }: DraftTask,
  tell: (progress: DraftProgress) => void,
): Promise<void> => {
  const model = buildModel(facts)
  const { instance, from } = instanceOf(model, order)
  const steps = stepsOf[order.effort]
  let told: Assignment | undefined
  const highs = await openHighs()
  const expectation = new Expectation(instance, steps)
  tell({ step: 0, steps, isLast: false, expectedSeconds: expectation.atFirst })
  for (const progress of solve(highs, instance, { seed: order.seed, steps, from })) {
    const isLast = progress.phase === 'done'
    const expectedSeconds = expectation.after(progress.step)
    if (progress.assignment === told && !isLast) {
      tell({ step: progress.step, steps, isLast, expectedSeconds })
      continue
    }
    const broken = brokenRules(instance, progress.assignment)
    if (broken.length > 0) throw new Error(`A draft breaks rules: ${broken.slice(0, 3).join(', ')}`)
    told = progress.assignment
    const cells = cellsOf(model, progress.assignment)
    const figures = figuresOf(model, instance, progress, { isLast })
    const isShort = isLast && !isComplete(instance, progress.assignment)
    tell({ step: progress.step, steps, isLast: isLast && !isShort, expectedSeconds, cells, figures })
    if (!isShort) continue
    const conflict = findConflict(highs, { model, instance })
    tell({
      step: progress.step,
      steps,
      isLast,
      expectedSeconds,
      cells,
      figures: { ...figures, ...(conflict && { Conflict: conflict }) },
    })
  }
}

/** Whether the rules of a plan can be kept together at all, before any draft. */
export const findPlanConflict = async ({ facts }: ConflictTask): Promise<ConflictAnswer> => {
  const model = buildModel(facts)
  const { instance } = instanceOf(model, { weights: usualWeights, places: [], cells: [] })
  return { conflict: findConflict(await openHighs(), { model, instance }) }
}
