import type { DraftFigures, Effort } from '#contract/placement/drafts.ts'
import { type IndexedPlan, indexPlan } from '../plan/indexed-plan.rules.ts'
import type { SharedDay } from '../plan/load-plan.queries.ts'
import type { Plan } from '../plan/plan.rules.ts'
import { findConflict, isComplete } from '../solve/conflicts.rules.ts'
import { Expectation } from '../solve/expectation.solver.ts'
import { brokenRules, costOf, type Solution } from '../solve/instance.solver.ts'
import { besideOthers, isWithinPools, poolsOf } from '../solve/joint.solver.ts'
import { type JointPlan, jointOf } from '../solve/joint-plans.rules.ts'
import { type Highs, openHighs } from '../solve/linear.solver.ts'
import {
  type DraftOrder,
  firstSteps,
  instanceOf,
  type PlanInstance,
  stepsOf,
} from '../solve/plan-instance.rules.ts'
import { gapOf, type Progress, solve } from '../solve/solve.solver.ts'
import { solveTogether } from '../solve/together.solver.ts'
import { cellsOf, type DraftCell } from './draft.rules.ts'
import { figuresOf } from './figures.rules.ts'

/** The task of a draft's process: one plan, or several that are solved together. */
export interface DraftTask {
  parts: readonly DraftPart[]
  seed: number
  effort: Effort
}

/** A plan with the order for a draft of it. */
export interface DraftPart {
  plan: Plan
  order: DraftOrder
  shared: readonly SharedDay[]
}

/** A draft of a plan as found by a run. */
export interface FoundDraft {
  cells: DraftCell[]
  figures: DraftFigures
}

/** The progress of a run, with the draft of each plan if they are better than those reported before. */
export interface DraftProgress {
  step: number
  steps: number
  isLast: boolean
  /** Estimated seconds of the whole run; 0 while unknown. */
  expectedSeconds: number
  found?: FoundDraft[]
}

/** A draft of one plan in a run, as it is checked and reported. */
interface Reached {
  indexed: IndexedPlan
  /** With the places left to this plan. */
  instance: PlanInstance
  solution: Solution
}

interface Run {
  at: { step: number; steps: number; isLast: boolean; expectedSeconds: number }
  cost: number
  bound: number
  isEvenest?: boolean | undefined
}

/** Reports drafts, which must keep all rules; at the end also which rules would have to give way if students lack something. */
const report = (
  highs: Highs,
  { at, cost, bound, isEvenest }: Run,
  reached: readonly Reached[],
  tell: (progress: DraftProgress) => void,
): void => {
  for (const { instance, solution } of reached) {
    const broken = brokenRules(instance, solution)
    if (broken.length > 0) throw new Error(`A draft breaks rules: ${broken.slice(0, 3).join(', ')}`)
  }
  const gap = gapOf({ cost, bound })
  const found = reached.map(({ indexed, instance, solution }): FoundDraft => {
    const own = reached.length === 1 ? cost : costOf(instance, solution)
    // The gap is known for all plans together.
    const least = reached.length === 1 ? bound : own / (1 + gap)
    return {
      cells: cellsOf(indexed, solution),
      figures: figuresOf(
        indexed,
        instance,
        { solution, cost: own, bound: least, isEvenest },
        { isLast: at.isLast },
      ),
    }
  })
  const areShort = reached.map(({ instance, solution }) => at.isLast && !isComplete(instance, solution))
  const isShort = areShort.includes(true)
  tell({ ...at, isLast: at.isLast && !isShort, found })
  if (!isShort) return
  tell({
    ...at,
    found: found.map(({ cells, figures }, part) => {
      const draft = reached[part]
      const conflict = draft && areShort[part] ? findConflict(highs, draft) : undefined
      return { cells, figures: { ...figures, ...(conflict && { Conflict: conflict }) } }
    }),
  })
}

/** How a run reports progress: the start-up phase moves from the first second, and time is estimated once its own steps allow it. */
const courseOf = (effort: Effort, tell: (progress: DraftProgress) => void) => {
  const steps = stepsOf[effort]
  const expectation = new Expectation(steps)
  let begun = 0
  return {
    steps,
    /** Reports how much of the start-up phase is done, from 0 to 1. */
    begin: (part: number): void => {
      begun = Math.max(begun, Math.min(firstSteps - 1, Math.floor(firstSteps * part)))
      tell({ step: begun, steps: firstSteps + steps, isLast: false, expectedSeconds: 0 })
    },
    stepAt: (phase: Progress['phase'], step: number) => ({
      step: phase === 'starting' ? begun : firstSteps + step,
      steps: firstSteps + steps,
      expectedSeconds: expectation.after(step),
    }),
  }
}

const makeOne = async (
  { plan, order }: DraftPart,
  { seed, effort }: DraftTask,
  tell: (progress: DraftProgress) => void,
): Promise<void> => {
  const indexed = indexPlan(plan)
  const { instance, from } = instanceOf(indexed, order)
  const { steps, begin, stepAt } = courseOf(effort, tell)
  let told: Solution | undefined
  begin(0)
  const highs = await openHighs()
  for (const progress of solve(highs, instance, { seed, steps, from, begin })) {
    const { phase, step, solution, cost, bound, isEvenest } = progress
    const isLast = phase === 'done'
    const at = { ...stepAt(phase, step), isLast }
    if (solution === told && !isLast) tell(at)
    else report(highs, { at, cost, bound, isEvenest }, [{ indexed, instance, solution }], tell)
    told = solution
  }
}

const makeTogether = async (
  { parts, seed, effort }: DraftTask,
  tell: (progress: DraftProgress) => void,
): Promise<void> => {
  const indexedPlans = parts.map(({ plan }) => indexPlan(plan))
  const plans = parts.map(({ order, shared }, part): JointPlan => {
    // One for each part.
    const indexed = indexedPlans[part]!
    return { indexed, order, shared }
  })
  const { joint, instances, from } = jointOf(plans)
  const of = poolsOf(joint)
  const { steps, begin, stepAt } = courseOf(effort, tell)
  let told: readonly Solution[] | undefined
  begin(0)
  const highs = await openHighs()
  for (const { phase, step, solutions, cost, bound } of solveTogether(highs, joint, {
    seed,
    steps,
    from,
    begin,
  })) {
    const isLast = phase === 'done'
    const at = { ...stepAt(phase, step), isLast }
    if (solutions === told && !isLast) {
      tell(at)
      continue
    }
    if (!isWithinPools(joint, of, solutions))
      throw new Error('Drafts take more shared places than there are.')
    told = solutions
    const reached = plans.map(({ indexed }, part): Reached => {
      const instance = besideOthers(joint, of, solutions, {
        part,
        // One for each part.
        instance: instances[part]!,
      })
      return { indexed, instance, solution: solutions[part] ?? instance.fixed }
    })
    report(highs, { at, cost, bound }, reached, tell)
  }
}

/** Makes the drafts of a task and reports progress. Each reported draft keeps all rules. */
export const makeDraft = async (task: DraftTask, tell: (progress: DraftProgress) => void): Promise<void> => {
  const [first, ...others] = task.parts
  if (!first) return
  if (others.length === 0) await makeOne(first, task, tell)
  else await makeTogether(task, tell)
}
