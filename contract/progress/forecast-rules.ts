import { addDays, daysBetween } from '#contract/core/calendar.ts'

/** When a student will have done what the program asks, and who is at risk: pure rules for server and browser. */

/** Over how many weeks the pace of hours, and of exams, is measured. */
export const hourWeeks = 8
export const examWeeks = 12

/** What the day of completion is computed of. */
export const paceParts = ['hours', 'competencies'] as const
export type PacePart = (typeof paceParts)[number]

export interface Pace {
  Part: PacePart
  /** Minutes of hours, or exams. */
  Done: number
  Needed: number
  /** In the last weeks. */
  PerWeek: number
}

export interface Forecast {
  /** Null where a part goes on at no pace, or would take longer than ten years. */
  CompletesOn: string | null
  /** The part that decides the day, or that has no pace; null when all is done. */
  DecidedBy: PacePart | null
}

const longestDays = 3653

/** Days until a part is done at its pace; 0 when it is, infinite without a pace. */
export const daysLeft = ({ Done, Needed, PerWeek }: Omit<Pace, 'Part'>): number => {
  const left = Needed - Done
  if (left <= 0) return 0
  return PerWeek > 0 ? Math.ceil((left / PerWeek) * 7) : Number.POSITIVE_INFINITY
}

/** The day on which everything is done if each part goes on as in the last weeks, and the part that is done last. */
export const forecastOf = (paces: readonly Pace[], today: string): Forecast => {
  let last: { part: PacePart | null; days: number } = { part: null, days: 0 }
  for (const pace of paces) {
    const days = daysLeft(pace)
    if (days > last.days) last = { part: pace.Part, days }
  }
  return {
    CompletesOn: last.days > longestDays ? null : addDays(today, last.days),
    DecidedBy: last.part,
  }
}

/** Why a student is at risk. */
export const risks = ['forecast', 'absences', 'late', 'evaluations', 'requirements', 'remediation'] as const
export type Risk = (typeof risks)[number]

/** What a program calls at risk. Null and false: not looked at. */
export interface RiskRule {
  /** More days than these after the planned end. */
  DaysLate: number | null
  /**
   * A late forecast is a risk of whoever is this many percentage points behind the middle of the cohort: where all are late by their
   * present pace, the pace says nothing of one of them. Null: every late forecast is one.
   */
  BehindBy: number | null
  /** More absences than these in the last 120 days. */
  AbsencesAbove: number | null
  /** Late more often than this in the last 120 days. */
  LateAbove: number | null
  /** A mean of evaluations below this, in percent of the scales. */
  EvaluationBelow: number | null
  /** More missing requirements than `RequirementsAbove`. */
  HasRequirements: boolean
  RequirementsAbove: number
  /** A remediation plan that is past its day. */
  HasRemediation: boolean
}

/** For programs that have chosen nothing yet. */
export const defaultRiskRule: RiskRule = {
  DaysLate: 0,
  BehindBy: 10,
  AbsencesAbove: 3,
  LateAbove: null,
  EvaluationBelow: 60,
  HasRequirements: true,
  RequirementsAbove: 3,
  HasRemediation: true,
}

/** Fewest students of a cohort that have a middle. */
export const fewestCompared = 5

/** How much of a part is done, in percent; all of it where nothing is needed. */
export const shareOf = ({ Done, Needed }: Pick<Pace, 'Done' | 'Needed'>): number =>
  Needed === 0 ? 100 : (100 * Math.min(Done, Needed)) / Needed

/** The middle of some shares; null of too few. */
export const middleOf = (shares: readonly number[]): number | null => {
  if (shares.length < fewestCompared) return null
  const sorted = shares.toSorted((one, other) => one - other)
  const half = Math.floor(sorted.length / 2)
  // There are at least five.
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

export interface RiskFacts extends Forecast {
  /** The planned end of the cohort; null where the program has set none. */
  EndsOn: string | null
  /** Percentage points behind the middle of the cohort in the part that decides; null where there are too few to compare with. */
  Behind: number | null
  Absences: number
  Late: number
  EvaluationPercent: number | null
  RequirementsMissing: number
  OverduePlans: number
}

/** Why a student is at risk by the rule of the program, in the order of `risks`. */
export const risksOf = (rule: RiskRule, facts: RiskFacts): Risk[] => {
  const isAbove = (value: number, limit: number | null) => limit !== null && value > limit
  const isLate =
    rule.DaysLate !== null &&
    facts.EndsOn !== null &&
    facts.DecidedBy !== null &&
    (facts.CompletesOn === null || daysBetween(facts.EndsOn, facts.CompletesOn) > rule.DaysLate) &&
    (rule.BehindBy === null || facts.Behind === null || facts.Behind >= rule.BehindBy)
  const found: Record<Risk, boolean> = {
    forecast: isLate,
    absences: isAbove(facts.Absences, rule.AbsencesAbove),
    late: isAbove(facts.Late, rule.LateAbove),
    evaluations:
      rule.EvaluationBelow !== null &&
      facts.EvaluationPercent !== null &&
      facts.EvaluationPercent < rule.EvaluationBelow,
    requirements: rule.HasRequirements && facts.RequirementsMissing > rule.RequirementsAbove,
    remediation: rule.HasRemediation && facts.OverduePlans > 0,
  }
  return risks.filter((risk) => found[risk])
}
