import type { ProjectionParts } from '#contract/time/hours-summary.ts'

/** What a student has and will have, in minutes. */
export interface HoursFacts {
  approved: number
  pending: number
  /** Pending makeup whose day is still to come; it counts as planned, not as earned. */
  makeupPlanned: number
  makeupDate: string | null
  /** Assigned from now to the end. */
  assigned: number
  assignedShifts: number
  absentDays: number
  pastDays: number
}

/**
 * The projected hours: earned, plus what is assigned less the usual absence, plus planned makeup. The usual
 * absence is the share of past shifts that was missed, on the assigned time.
 */
export const project = (facts: HoursFacts): { minutes: number; parts: ProjectionParts } => {
  const earned = facts.approved + Math.max(0, facts.pending - facts.makeupPlanned)
  const missed = facts.pastDays === 0 ? 0 : Math.min(1, facts.absentDays / facts.pastDays)
  const usualAbsence = -Math.round(facts.assigned * missed) || 0
  return {
    minutes: earned + facts.assigned + usualAbsence + facts.makeupPlanned,
    parts: {
      Earned: earned,
      Assigned: facts.assigned,
      AssignedShifts: facts.assignedShifts,
      UsualAbsence: usualAbsence,
      AbsentDays: facts.absentDays,
      PastDays: facts.pastDays,
      MakeupPlanned: facts.makeupPlanned,
      MakeupDate: facts.makeupDate,
    },
  }
}

/** Makeup that is still owed: absences less makeup, where the program has them made up. */
export const makeupOwed = (absence: number, makeup: number, areMadeUp: boolean): number =>
  areMadeUp ? Math.max(0, absence - makeup) : 0
