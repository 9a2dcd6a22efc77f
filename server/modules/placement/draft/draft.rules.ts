import type { IndexedPlan } from '../plan/indexed-plan.rules.ts'
import { rankAt } from '../plan/plan.rules.ts'
import type { Solution } from '../solve/instance.solver.ts'
import { type OrderCell, optionOfCell, type PlanInstance } from '../solve/plan-instance.rules.ts'

/** A cell of a draft: where a student is in a block. */
export interface DraftCell {
  StudentId: number
  Block: number
  SiteShiftId: number
  Weekdays: readonly number[]
  Rank: number | null
  /** Which of the plan's rotations the student serves there. */
  RotationId: number
}

/** A plan, its instance and a draft of it. */
export interface Drafted {
  indexed: IndexedPlan
  instance: PlanInstance
  solution: Solution
}

const isPresent = <T>(value: T | undefined): value is T => value !== undefined

export const cellsOf = (
  { plan, blocks, options, groupOf, rotationAt }: IndexedPlan,
  solution: Solution,
): DraftCell[] =>
  Array.from(solution, (o, at): DraftCell | undefined => {
    const i = Math.floor(at / blocks)
    const option = options[o]
    const student = plan.Students[i]
    if (!option || !student) return undefined
    return {
      StudentId: student.Id,
      Block: at % blocks,
      SiteShiftId: option.SiteShiftId,
      Weekdays: option.weekdays[groupOf[i] ?? -1] ?? [],
      Rank: rankAt(plan, i, at % blocks, option.SiteId) || null,
      RotationId: (plan.Rotations[rotationAt(i, at % blocks, o)] ?? plan.Rotations[0])?.Id ?? 0,
    }
  }).filter(isPresent)

/** The cells of a draft as a solution; those whose shift is gone are empty. */
export const solutionOf = (indexed: IndexedPlan, cells: readonly OrderCell[]): Int16Array => {
  const solution = new Int16Array(indexed.plan.Students.length * indexed.blocks).fill(-1)
  const indexOf = new Map(indexed.plan.Students.map(({ Id }, i) => [Id, i]))
  for (const cell of cells) {
    const i = indexOf.get(cell.StudentId)
    if (i === undefined || cell.Block >= indexed.blocks) continue
    const at = i * indexed.blocks + cell.Block
    const o = optionOfCell(indexed, i, cell)
    const accepted = indexed.fixed[at] ?? -1
    // What was accepted stays, even if the plan now asks for other weekdays.
    solution[at] = o < 0 && indexed.options[accepted]?.SiteShiftId === cell.SiteShiftId ? accepted : o
  }
  return solution
}
