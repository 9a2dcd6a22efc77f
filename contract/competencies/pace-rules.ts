import { daysBetween } from '#contract/core/calendar.ts'

/** How many exams are to be passed in a term: "Clinical II: 12 exams". */
export interface TermTarget {
  Name: string
  /** Null for every cohort of the list. */
  Cohort: string | null
  FromDate: string
  ThroughDate: string
  Exams: number
}

/** The share of the pace below which a student is behind. */
const behindBelow = 0.8

/** How much of a term has passed by the end of a day: nothing before it, all of it from its last day on. */
const shareOf = ({ FromDate, ThroughDate }: TermTarget, today: string): number => {
  const length = daysBetween(FromDate, ThroughDate) + 1
  return Math.min(1, Math.max(0, (daysBetween(FromDate, today) + 1) / length))
}

/** The targets of a cohort: those of every cohort and its own. */
const targetsOf = <Target extends TermTarget>(targets: readonly Target[], cohort: string | null): Target[] =>
  targets.filter(({ Cohort }) => Cohort === null || Cohort === cohort)

/**
 * Exams that a student of the cohort is expected to have passed: those of the terms that are over, and of a term that runs the share
 * that has passed. Null without a target that has begun.
 */
export const expectedExams = (
  targets: readonly TermTarget[],
  cohort: string | null,
  today: string,
): number | null => {
  const begun = targetsOf(targets, cohort).filter(({ FromDate }) => FromDate <= today)
  return begun.length === 0
    ? null
    : begun.reduce((sum, target) => sum + target.Exams * shareOf(target, today), 0)
}

/** The fewest passed exams with which a student is not behind. Shares add up inexactly, so a hair below counts as there. */
export const fewestOnPace = (expected: number | null): number =>
  expected === null ? 0 : Math.max(0, Math.ceil(expected * behindBelow - 1e-9))

export const isBehind = (passed: number, expected: number | null): boolean => passed < fewestOnPace(expected)
