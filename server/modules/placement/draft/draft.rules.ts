import type { Model } from '../plan/indexed-plan.rules.ts'
import { rankAt } from '../plan/plan.rules.ts'
import type { Assignment } from '../solve/instance.solver.ts'
import { type OrderCell, optionOfCell, type PlanInstance } from '../solve/plan-instance.rules.ts'

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

/** A plan, its instance and a draft of it. */
export interface Drafted {
  model: Model
  instance: PlanInstance
  assignment: Assignment
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

/** The cells of a draft as the solver has them; those whose shift is gone are empty. */
export const assignmentOf = (model: Model, cells: readonly OrderCell[]): Int16Array => {
  const assignment = new Int16Array(model.facts.Students.length * model.blocks).fill(-1)
  const indexOf = new Map(model.facts.Students.map(({ Id }, i) => [Id, i]))
  for (const cell of cells) {
    const i = indexOf.get(cell.StudentId)
    if (i === undefined || cell.Block >= model.blocks) continue
    const at = i * model.blocks + cell.Block
    const o = optionOfCell(model, i, cell)
    const accepted = model.fixed[at] ?? -1
    // What was accepted stays the student's, also where the plan now asks for other weekdays.
    assignment[at] = o < 0 && model.options[accepted]?.SiteShiftId === cell.SiteShiftId ? accepted : o
  }
  return assignment
}
