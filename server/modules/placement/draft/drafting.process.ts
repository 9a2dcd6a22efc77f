import type { DraftFigures, Effort } from '#contract/placement/drafts.ts'
import { buildModel, type Model } from '../plan/indexed-plan.rules.ts'
import type { SharedDay } from '../plan/load-plan.queries.ts'
import type { PlanFacts } from '../plan/plan.rules.ts'
import { findConflict, isComplete } from '../solve/conflicts.rules.ts'
import { Expectation } from '../solve/expectation.solver.ts'
import { type Assignment, brokenRules, costOf } from '../solve/instance.solver.ts'
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

/** What the process of a draft is told: one plan, or several that are solved together. */
export interface DraftTask {
  parts: readonly DraftPart[]
  seed: number
  effort: Effort
}

/** A plan with what a draft of it is made with. */
export interface DraftPart {
  facts: PlanFacts
  order: DraftOrder
  shared: readonly SharedDay[]
}

/** A draft of a plan as a run has found it. */
export interface FoundDraft {
  cells: DraftCell[]
  figures: DraftFigures
}

/** How far a run is; with the draft of each plan when they are better than what was told before. */
export interface DraftProgress {
  step: number
  steps: number
  isLast: boolean
  /** Seconds that the whole run takes; 0 while that is not known. */
  expectedSeconds: number
  found?: FoundDraft[]
}

/** A draft of one plan in a run, as it is told of and checked. */
interface Reached {
  model: Model
  /** With the places that are left to this plan. */
  instance: PlanInstance
  assignment: Assignment
}

interface Run {
  at: { step: number; steps: number; isLast: boolean; expectedSeconds: number }
  cost: number
  bound: number
  isEvenest?: boolean | undefined
}

/** Tells of drafts that keep all rules; at the end, also which rules would have to give way where students lack something. */
const tellOf = (
  highs: Highs,
  { at, cost, bound, isEvenest }: Run,
  reached: readonly Reached[],
  tell: (progress: DraftProgress) => void,
): void => {
  for (const { instance, assignment } of reached) {
    const broken = brokenRules(instance, assignment)
    if (broken.length > 0) throw new Error(`A draft breaks rules: ${broken.slice(0, 3).join(', ')}`)
  }
  const gap = gapOf({ cost, bound })
  const found = reached.map(({ model, instance, assignment }): FoundDraft => {
    const own = reached.length === 1 ? cost : costOf(instance, assignment)
    // How near to the best is known of all together.
    const least = reached.length === 1 ? bound : own / (1 + gap)
    return {
      cells: cellsOf(model, assignment),
      figures: figuresOf(
        model,
        instance,
        { assignment, cost: own, bound: least, isEvenest },
        { isLast: at.isLast },
      ),
    }
  })
  const areShort = reached.map(({ instance, assignment }) => at.isLast && !isComplete(instance, assignment))
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

/** How a run tells of how far it is: its beginning moves from the first second, and its time is said once its own steps show it. */
const courseOf = (effort: Effort, tell: (progress: DraftProgress) => void) => {
  const steps = stepsOf[effort]
  const expectation = new Expectation(steps)
  let begun = 0
  return {
    steps,
    /** Tells how much of the beginning is done, from 0 to 1. */
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
  { facts, order }: DraftPart,
  { seed, effort }: DraftTask,
  tell: (progress: DraftProgress) => void,
): Promise<void> => {
  const model = buildModel(facts)
  const { instance, from } = instanceOf(model, order)
  const { steps, begin, stepAt } = courseOf(effort, tell)
  let told: Assignment | undefined
  begin(0)
  const highs = await openHighs()
  for (const progress of solve(highs, instance, { seed, steps, from, begin })) {
    const { phase, step, assignment, cost, bound, isEvenest } = progress
    const isLast = phase === 'done'
    const at = { ...stepAt(phase, step), isLast }
    if (assignment === told && !isLast) tell(at)
    else tellOf(highs, { at, cost, bound, isEvenest }, [{ model, instance, assignment }], tell)
    told = assignment
  }
}

const makeTogether = async (
  { parts, seed, effort }: DraftTask,
  tell: (progress: DraftProgress) => void,
): Promise<void> => {
  const models = parts.map(({ facts }) => buildModel(facts))
  const plans = parts.map(({ order, shared }, part): JointPlan => {
    // One for each part.
    const model = models[part]!
    return { model, order, shared }
  })
  const { joint, instances, from } = jointOf(plans)
  const of = poolsOf(joint)
  const { steps, begin, stepAt } = courseOf(effort, tell)
  let told: readonly Assignment[] | undefined
  begin(0)
  const highs = await openHighs()
  for (const { phase, step, assignments, cost, bound } of solveTogether(highs, joint, {
    seed,
    steps,
    from,
    begin,
  })) {
    const isLast = phase === 'done'
    const at = { ...stepAt(phase, step), isLast }
    if (assignments === told && !isLast) {
      tell(at)
      continue
    }
    if (!isWithinPools(joint, of, assignments))
      throw new Error('Drafts take more shared places than there are.')
    told = assignments
    const reached = plans.map(({ model }, part): Reached => {
      const instance = besideOthers(joint, of, assignments, {
        part,
        // One for each part.
        instance: instances[part]!,
      })
      return { model, instance, assignment: assignments[part] ?? instance.fixed }
    })
    tellOf(highs, { at, cost, bound }, reached, tell)
  }
}

/** Makes the drafts of a task, telling how far it is. Each draft that it tells of keeps all rules. */
export const makeDraft = async (task: DraftTask, tell: (progress: DraftProgress) => void): Promise<void> => {
  const [first, ...others] = task.parts
  if (!first) return
  if (others.length === 0) await makeOne(first, task, tell)
  else await makeTogether(task, tell)
}
