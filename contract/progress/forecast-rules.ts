import { addDays, daysBetween } from '#contract/core/calendar.ts'
import { shortBy } from '#contract/time/short-by.ts'

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
  /** Null where a part goes on at no pace, or would take longer than ten years; also where nothing is asked. */
  CompletesOn: string | null
  /** The part that decides the day, or that has no pace; null when all is done, or nothing is asked. */
  DecidedBy: PacePart | null
}

const longestDays = 3653

/** Days until a part is done at its pace; 0 when it is, infinite without a pace. */
export const daysLeft = ({ Done, Needed, PerWeek }: Omit<Pace, 'Part'>): number => {
  const left = Needed - Done
  if (left <= 0) return 0
  return PerWeek > 0 ? Math.ceil((left / PerWeek) * 7) : Number.POSITIVE_INFINITY
}

/** A part with the day on which it is done. */
export interface PartForecast {
  Part: PacePart
  Needed: number
  IsDone: boolean
  DoneOn: string | null
}

const dayAfter = (day: string, days: number): string | null =>
  days > longestDays ? null : addDays(day, days)

/** When a part is done that goes on as in the last weeks. */
export const paceForecast = ({ Part, ...pace }: Pace, today: string): PartForecast => ({
  Part,
  Needed: pace.Needed,
  IsDone: pace.Done >= pace.Needed,
  DoneOn: dayAfter(today, daysLeft(pace)),
})

/** By what the hours are done: pending ones that are approved, assigned shifts, or after these the pace of the last weeks. */
export const hoursBases = ['approval', 'shifts', 'pace'] as const
export type HoursBasis = (typeof hoursBases)[number]

/** Minutes that a student has and will have. */
export interface HoursFacts {
  /** Approved ones. */
  Done: number
  Needed: number
  /** Approved and pending ones. */
  Earned: number
  /** Earned, assigned less the usual absence, and planned makeup. */
  Projection: number
  /** The share of past shifts that was missed. */
  MissedShare: number
  /** What is assigned and planned, by day; in the order of the days. */
  Ahead: readonly { date: string; minutes: number }[]
  /** In the last weeks. */
  PerWeek: number
}

export interface HoursForecast {
  DoneOn: string | null
  /** Null when they are done. */
  By: HoursBasis | null
  /** What the assigned shifts leave open. */
  ShortMinutes: number
}

/**
 * The day on which the assigned shifts, each less the usual absence, bring the hours to the target; null when they never do.
 *
 * @param shifts by day, with their minutes
 */
export const finishDate = (
  earned: number,
  target: number,
  missedShare: number,
  shifts: readonly { date: string; minutes: number }[],
  today: string,
): string | null => {
  if (target === 0) return null
  if (earned >= target) return today
  let sum = earned
  for (const { date, minutes } of shifts) {
    sum += minutes * (1 - missedShare)
    if (sum >= target - 0.5) return date
  }
  return null
}

/** When the hours are done: by the assigned shifts, and what these leave open by the pace of the last weeks. */
export const hoursForecast = (
  { Done, Needed, Earned, Projection, MissedShare, Ahead, PerWeek }: HoursFacts,
  today: string,
): HoursForecast => {
  if (Done >= Needed) return { DoneOn: today, By: null, ShortMinutes: 0 }
  if (Earned >= Needed) return { DoneOn: today, By: 'approval', ShortMinutes: 0 }
  const last = Ahead.at(-1)?.date ?? today
  if (shortBy({ Projection, Needed }) === 0)
    return {
      DoneOn: finishDate(Earned, Needed, MissedShare, Ahead, today) ?? last,
      By: 'shifts',
      ShortMinutes: 0,
    }
  return {
    DoneOn: dayAfter(last > today ? last : today, daysLeft({ Done: Projection, Needed, PerWeek })),
    By: 'pace',
    ShortMinutes: shortBy({ Projection, Needed }),
  }
}

/** Whether somebody is done, or never began: of whom neither hours nor competencies are asked is not done. */
export const isNothingAsked = ({ CompletesOn, DecidedBy }: Forecast): boolean =>
  CompletesOn === null && DecidedBy === null

/** The day on which everything that is asked is done, and the part that is done last. */
export const forecastOf = (parts: readonly PartForecast[], today: string): Forecast => {
  if (parts.every(({ Needed }) => Needed === 0)) return { CompletesOn: null, DecidedBy: null }
  const [last] = parts
    .filter(({ IsDone }) => !IsDone)
    .toSorted((one, other) => ((one.DoneOn ?? '9999') > (other.DoneOn ?? '9999') ? -1 : 1))
  return last ? { CompletesOn: last.DoneOn, DecidedBy: last.Part } : { CompletesOn: today, DecidedBy: null }
}

/** Why a student is at risk, what matters most first. */
export const risks = [
  'forecast',
  'hours',
  'requirements',
  'remediation',
  'absences',
  'late',
  'evaluations',
] as const
export type Risk = (typeof risks)[number]

/** What a program calls at risk. Null and false: not looked at. */
export interface RiskRule {
  /** More days than these after the planned end; also whoever is short in a rotation that runs. */
  DaysLate: number | null
  /**
   * A late forecast is a risk of whoever is this many percentage points behind the middle of the cohort, and of everybody who is late
   * where the cohort as a whole is (`isCohortLate`). Null: every late forecast is one. A forecast without a day is one in any case, once
   * the cohort has begun what decides it: whoever never gets done is late whatever the others do.
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

/** How much of a part is done, in percent; all of it where nothing is needed: who needs nothing is compared with nobody. */
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

/** The share of a cohort's time, from its first hours to its planned end, whose pace says too little to call the cohort late. */
const firstShare = 0.25

/** What says whether a cohort as a whole is late. */
export interface CohortFacts {
  /** When its first hours were, or are planned; null without any. */
  StartsOn: string | null
  EndsOn: string | null
  /** Of its students of whom something is asked. */
  Forecasts: readonly Forecast[]
}

/** Whether a cohort is late as a whole: at least half of it, by the planned end, once its first weeks are over. */
export const isCohortLate = ({ StartsOn, EndsOn, Forecasts }: CohortFacts, today: string): boolean => {
  const asked = Forecasts.filter((forecast) => !isNothingAsked(forecast))
  if (StartsOn === null || EndsOn === null || asked.length < fewestCompared) return false
  if (daysBetween(StartsOn, today) < firstShare * daysBetween(StartsOn, EndsOn)) return false
  const late = asked.filter(({ CompletesOn }) => CompletesOn === null || CompletesOn > EndsOn)
  return late.length * 2 >= asked.length
}

/** More days than these after the planned end, a pace says no day that anybody would plan by. */
const farthestDays = 365

/** Whether a pace leads nowhere near the planned end: then what the end needs is told in place of a day. */
export const isFarPast = ({
  CompletesOn,
  DecidedBy,
  EndsOn,
  PerWeek,
}: Forecast & Pick<RiskFacts, 'EndsOn'> & Pick<Pace, 'PerWeek'>): boolean =>
  DecidedBy !== null &&
  EndsOn !== null &&
  PerWeek > 0 &&
  (CompletesOn === null || daysBetween(EndsOn, CompletesOn) > farthestDays)

/** What a week needs to have the rest done by a day that is still to come; null once it has passed. */
export const neededPace = (
  left: number,
  endsOn: string,
  today: string,
): { weeks: number; perWeek: number } | null => {
  const days = daysBetween(today, endsOn)
  return days > 0 ? { weeks: Math.max(1, Math.round(days / 7)), perWeek: left / (days / 7) } : null
}

export interface RiskFacts extends Forecast {
  /** The planned end of the cohort; null where the program has set none. */
  EndsOn: string | null
  /** Percentage points behind the middle of the cohort in the part that decides; null where there are too few to compare with. */
  Behind: number | null
  /** Whether at least half of the cohort has begun the part that decides; of few it is taken to be so. */
  HasCohortBegun: boolean
  /** By `isCohortLate`. */
  IsCohortLate: boolean
  /** What the hours leave open in the rotations that run now. */
  ShortMinutes: number
  Absences: number
  Late: number
  EvaluationPercent: number | null
  RequirementsMissing: number
  OverduePlans: number
  /** False of whoever was only added: what they lack is for the coordinator to give. */
  IsSetUp: boolean
}

/** Why a student is at risk by the rule of the program, in the order of `risks`; of whom nothing is asked yet, or who is not set up, nothing of it is missing. */
export const risksOf = (rule: RiskRule, facts: RiskFacts): Risk[] => {
  const isAsked = facts.IsSetUp && !isNothingAsked(facts)
  const isAbove = (value: number, limit: number | null) => limit !== null && value > limit
  const isEndless = facts.CompletesOn === null
  const isLate =
    facts.IsSetUp &&
    rule.DaysLate !== null &&
    facts.EndsOn !== null &&
    facts.DecidedBy !== null &&
    (facts.CompletesOn === null || daysBetween(facts.EndsOn, facts.CompletesOn) > rule.DaysLate) &&
    ((isEndless && facts.HasCohortBegun) ||
      rule.BehindBy === null ||
      facts.Behind === null ||
      facts.IsCohortLate ||
      facts.Behind >= rule.BehindBy)
  const found: Record<Risk, boolean> = {
    forecast: isLate,
    hours: isAsked && rule.DaysLate !== null && facts.ShortMinutes > 0,
    absences: isAbove(facts.Absences, rule.AbsencesAbove),
    late: isAbove(facts.Late, rule.LateAbove),
    evaluations:
      rule.EvaluationBelow !== null &&
      facts.EvaluationPercent !== null &&
      facts.EvaluationPercent < rule.EvaluationBelow,
    requirements: isAsked && rule.HasRequirements && facts.RequirementsMissing > rule.RequirementsAbove,
    remediation: rule.HasRemediation && facts.OverduePlans > 0,
  }
  return risks.filter((risk) => found[risk])
}
