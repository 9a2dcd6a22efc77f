import { listShiftAssignments } from '#contract/scheduling/assignments.ts'
import { getPlacementPlan } from '#contract/scheduling/planning.ts'
import {
  getScheduleDays,
  getScheduleGrid,
  listScheduleConflicts,
} from '#contract/scheduling/schedule-grid.ts'

/** Everything that shows assignments; read again after a change of them. */
export const assignmentReads = [
  listShiftAssignments,
  getScheduleDays,
  getScheduleGrid,
  listScheduleConflicts,
  getPlacementPlan,
]
