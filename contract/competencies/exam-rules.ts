import { addDays } from '#contract/core/calendar.ts'

/** `open`: declared and not graded. `suspended`: whoever signed says that it was not them. `voided`: taken back by the program. */
export const attemptStates = ['open', 'passed', 'failed', 'withdrawn', 'suspended', 'voided'] as const
export type AttemptState = (typeof attemptStates)[number]

export const examResults = ['passed', 'failed'] as const
export type ExamResult = (typeof examResults)[number]

/** How an examiner is asked: in their account, by a mailed link, or on the device in the student's hand. */
export const examWays = ['account', 'link', 'handover'] as const
export type ExamWay = (typeof examWays)[number]

/** How whoever signed proved who they are: signed in, by a mailed link and code, or by a code on another's device. */
export const proofs = ['account', 'link', 'code'] as const
export type Proof = (typeof proofs)[number]

/** Passed procedures that are examined once more: at random in a term, in place of training, or in the last term. */
export const recheckKinds = ['continued', 'challenge', 'terminal'] as const
export type RecheckKind = (typeof recheckKinds)[number]
/** A failed recheck stays to be repeated. */
export const recheckStates = ['open', 'passed', 'failed', 'canceled'] as const
export type RecheckState = (typeof recheckStates)[number]

export const exclusionReasons = ['relative', 'employer', 'other'] as const
export type ExclusionReason = (typeof exclusionReasons)[number]

/** What a person of a site's roster may examine: nurses sign patient care, never imaging. */
export const examScopes = ['all', 'patient-care'] as const
export type ExamScope = (typeof examScopes)[number]

/** Minutes for which a mailed code can be entered. */
export const codeMinutes = 10
/** Wrong codes after which a new one is needed. */
export const codeTries = 5
/** Minutes for which a device can grade after the code was entered. */
export const gradingMinutes = 30
/** Days in which a mailed link opens. */
export const linkDays = 7
export const longestComment = 500

export const missingKinds = [
  'items',
  'logs',
  'lab',
  'open',
  'suspended',
  'passed',
  'remediation',
  'retry',
] as const

/** What keeps a student from an exam. */
export type Missing =
  | { Kind: 'items' }
  | { Kind: 'logs'; Logs: number; Waiting: number }
  | { Kind: 'lab' }
  | { Kind: 'open' }
  | { Kind: 'suspended' }
  | { Kind: 'passed' }
  | { Kind: 'remediation' }
  | { Kind: 'retry'; From: string }

/** What decides whether a procedure can be examined. Days are `YYYY-MM-DD`. */
export interface ExamFacts {
  Today: string
  LogsNeeded: number
  /** Verified logs at levels that count, and those that wait for verification. */
  Counted: number
  CountedWaiting: number
  NeedsLabCheck: boolean
  HasLabCheck: boolean
  HasItems: boolean
  HasPassed: boolean
  /** A recheck that is asked for: it needs neither logs nor a lab check, which were there before the first exam. */
  HasRecheck: boolean
  /** The latest attempt that is neither withdrawn nor voided. */
  Last: { State: AttemptState; RetryFrom: string | null; HasRemediation: boolean } | null
}

/** Everything that keeps a student from an exam; nothing where it is open. */
export const whatIsMissing = (facts: ExamFacts): Missing[] => {
  const { Last } = facts
  if (Last?.State === 'open') return [{ Kind: 'open' }]
  if (Last?.State === 'suspended') return [{ Kind: 'suspended' }]
  if (facts.HasPassed && !facts.HasRecheck) return [{ Kind: 'passed' }]
  const missing: Missing[] = []
  if (!facts.HasItems) missing.push({ Kind: 'items' })
  if (!facts.HasPassed) {
    const Logs = facts.LogsNeeded - facts.Counted
    if (Logs > 0) missing.push({ Kind: 'logs', Logs, Waiting: Math.min(Logs, facts.CountedWaiting) })
    if (facts.NeedsLabCheck && !facts.HasLabCheck) missing.push({ Kind: 'lab' })
  }
  if (Last?.State === 'failed') {
    if (!Last.HasRemediation) missing.push({ Kind: 'remediation' })
    if (Last.RetryFrom !== null && Last.RetryFrom > facts.Today)
      missing.push({ Kind: 'retry', From: Last.RetryFrom })
  }
  return missing
}

/** The first day on which the next attempt can be made. */
export const retryFrom = (day: string, retryDays: number): string => addDays(day, retryDays)

export type NotSimulated = 'patient-care' | 'procedure' | 'limit'

/** Why an exam cannot be simulated; undefined where it can, once a coordinator has approved it. */
export const whyNotSimulated = ({
  IsPatientCare,
  MayBeSimulated,
  MostSimulated,
  Simulated,
}: {
  IsPatientCare: boolean
  MayBeSimulated: boolean
  /** Null without a limit. */
  MostSimulated: number | null
  /** Simulated exams that are passed or under way. */
  Simulated: number
}): NotSimulated | undefined => {
  if (IsPatientCare) return 'patient-care'
  if (!MayBeSimulated) return 'procedure'
  return MostSimulated !== null && Simulated >= MostSimulated ? 'limit' : undefined
}

export interface ScaleValue {
  Id: number
  Label: string
  /** Null is not counted, such as "Not applicable". */
  Value: number | null
  IsPassing: boolean
}

export interface GradedItem {
  IsCritical: boolean
  Scale: readonly ScaleValue[]
  /** What the examiner gave; null until they have. */
  ValueId: number | null
  Comment: string
}

export interface GradingRules {
  /** The least share of the points that passes; null where only critical items and the examiner decide. */
  PassingPercent: number | null
  /** Items below this value need a comment. */
  CommentBelow: number | null
}

export interface Grading {
  Score: number
  Highest: number
  /** The fewest points that pass; null where points do not decide. */
  PassesFrom: number | null
  /** Positions from 0: items without a value, and those whose value needs a comment. */
  Unscored: number[]
  Uncommented: number[]
  CriticalFailed: number[]
}

/** The value that an item begins with. A critical one always begins without. */
export const firstValue = ({
  IsCritical,
  DefaultValueId,
}: {
  IsCritical: boolean
  DefaultValueId: number | null
}): number | null => (IsCritical ? null : DefaultValueId)

/** Values have two decimals; sums of them are made of whole hundredths. */
const inHundredths = (value: number): number => Math.round(value * 100)

export const needsComment = ({ Scale, ValueId }: GradedItem, { CommentBelow }: GradingRules): boolean => {
  const value = Scale.find(({ Id }) => Id === ValueId)?.Value ?? null
  return value !== null && CommentBelow !== null && value < CommentBelow
}

/** What the items come to. Those whose value has no points are left out of the sum and of its highest. */
export const gradingOf = (items: readonly GradedItem[], rules: GradingRules): Grading => {
  let score = 0
  let highest = 0
  const grading: Pick<Grading, 'Unscored' | 'Uncommented' | 'CriticalFailed'> = {
    Unscored: [],
    Uncommented: [],
    CriticalFailed: [],
  }
  items.forEach((item, position) => {
    const given = item.Scale.find(({ Id }) => Id === item.ValueId)
    if (!given) grading.Unscored.push(position)
    else if (item.IsCritical && !given.IsPassing) grading.CriticalFailed.push(position)
    if (given && needsComment(item, rules) && item.Comment.trim() === '') grading.Uncommented.push(position)
    if (given?.Value === null) return
    const values = item.Scale.flatMap(({ Value }) => (Value === null ? [] : [inHundredths(Value)]))
    if (values.length > 0) highest += Math.max(...values)
    if (given) score += inHundredths(given.Value)
  })
  return {
    Score: score / 100,
    Highest: highest / 100,
    PassesFrom:
      rules.PassingPercent === null ? null : Math.ceil((highest * rules.PassingPercent) / 100) / 100,
    ...grading,
  }
}

/** What keeps an examiner from a decision. */
export type Obstacle =
  | { Kind: 'unscored'; Items: number }
  | { Kind: 'uncommented'; Items: number }
  | { Kind: 'critical'; Items: number }
  | { Kind: 'points'; Score: number; PassesFrom: number }
  | { Kind: 'simulation' }
  | { Kind: 'comment' }

/** Why an exam cannot be approved; undefined where it can. */
export const whyNotApprovable = (
  { Unscored, Uncommented, CriticalFailed, Score, PassesFrom }: Grading,
  { IsSimulated, IsSimulationApproved }: { IsSimulated: boolean; IsSimulationApproved: boolean },
): Obstacle | undefined => {
  if (IsSimulated && !IsSimulationApproved) return { Kind: 'simulation' }
  if (Unscored.length > 0) return { Kind: 'unscored', Items: Unscored.length }
  if (Uncommented.length > 0) return { Kind: 'uncommented', Items: Uncommented.length }
  if (CriticalFailed.length > 0) return { Kind: 'critical', Items: CriticalFailed.length }
  return PassesFrom !== null && Score < PassesFrom ? { Kind: 'points', Score, PassesFrom } : undefined
}

/** Why an exam cannot be decided as not approved: the student has to learn why. An exam may be ended before its last item. */
export const whyNotRefusable = ({ Uncommented }: Grading, comment: string): Obstacle | undefined => {
  if (comment.trim() === '') return { Kind: 'comment' }
  return Uncommented.length > 0 ? { Kind: 'uncommented', Items: Uncommented.length } : undefined
}

/** Somebody who could examine: of a site's roster, by account, or both. */
export interface Candidate {
  /** Lowest of the roster: what is examined, and the last day of the credential. Null without an entry. */
  Roster: { Examines: ExamScope; ExpiresOn: string | null } | null
  /** The role in which the account examines; null without an account or a role that may. */
  Role: 'supervisor' | 'faculty' | 'coordinator' | null
  IsExcluded: boolean
  HasEmail: boolean
}

/** `role`: whoever examines has another one. */
export type NotExaminer = 'role' | 'roster' | 'expired' | 'scope' | 'excluded' | 'email'

/**
 * Why a person may not examine a student in a procedure; undefined where they may. Supervisors of a site with a roster must be on it;
 * whoever is on it is current and examines what their credential covers; faculty and coordinators need no roster.
 */
export const whyNotExaminer = (
  { Roster, Role, IsExcluded, HasEmail }: Candidate,
  exam: {
    Today: string
    IsPatientCare: boolean
    SiteHasRoster: boolean
    /** Who examines by the list of the student. */
    Examiners: readonly string[]
  },
): NotExaminer | undefined => {
  if (IsExcluded) return 'excluded'
  if (!HasEmail) return 'email'
  if (Roster) {
    // People of a roster are supervisors of the site, unless their account says more.
    if (!exam.Examiners.includes(Role ?? 'supervisor')) return 'role'
    if (Roster.ExpiresOn !== null && Roster.ExpiresOn < exam.Today) return 'expired'
    return Roster.Examines === 'patient-care' && !exam.IsPatientCare ? 'scope' : undefined
  }
  if (Role === null || !exam.Examiners.includes(Role)) return 'role'
  return Role === 'supervisor' && exam.SiteHasRoster ? 'roster' : undefined
}

export type Supervision = 'direct' | 'indirect'

/** One decided attempt at a procedure. `At` orders them. */
export interface Decided {
  At: string
  State: AttemptState
  IsRecheck: boolean
}

/**
 * Under which supervision a student does a procedure: indirect once it is passed, until a recheck is failed and not passed since.
 * Surgical and mobile procedures stay direct.
 */
export const supervisionOf = (isAlwaysDirect: boolean, attempts: readonly Decided[]): Supervision => {
  if (isAlwaysDirect || !attempts.some(({ State, IsRecheck }) => State === 'passed' && !IsRecheck))
    return 'direct'
  const last = attempts
    .filter(({ State, IsRecheck }) => State === 'passed' || (State === 'failed' && IsRecheck))
    .reduce((one, other) => (one.At >= other.At ? one : other))
  return last.State === 'passed' ? 'indirect' : 'direct'
}

/** What an examiner signs. Kept with each signature, with its version. */
export const statement = {
  Version: 2,
  text: (student: string, procedure: string, result: ExamResult, isSimulated: boolean): string =>
    `I observed ${student} perform ${procedure}${isSimulated ? ' in simulation' : ' on a patient'} and graded it myself. What I observed counts for no other exam. I am neither a relative of the student nor a supervisor of the student's employment. Result: ${
      result === 'passed' ? 'approved' : 'not approved'
    }.`,
}

/** A short code as people read it out: two groups of four. */
export const readShortCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
export const writeShortCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`
