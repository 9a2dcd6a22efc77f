import { checkShiftAssignments, listShiftAssignments } from '#contract/scheduling/assignments.ts'
import { getPlacementPlan } from '#contract/scheduling/planning.ts'
import {
  getScheduleDays,
  getScheduleGrid,
  listScheduleConflicts,
} from '#contract/scheduling/schedule-grid.ts'
import { checkPlacementSeries } from '#contract/scheduling/series.ts'

/** Everything that shows assignments, or says what the rules would say to more of them; read again after a change of them. */
export const assignmentReads = [
  listShiftAssignments,
  getScheduleDays,
  getScheduleGrid,
  listScheduleConflicts,
  getPlacementPlan,
  checkShiftAssignments,
  checkPlacementSeries,
]
