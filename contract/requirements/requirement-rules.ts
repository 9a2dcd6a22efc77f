import { addDays, addMonths } from '#contract/core/calendar.ts'

/** What a requirement is, as people sort it. */
export const requirementKinds = [
  'certification',
  'immunization',
  'screening',
  'training',
  'document',
  'signature',
] as const
export type RequirementKind = (typeof requirementKinds)[number]

/**
 * Who has to show it: every student it applies to; only those who go to a site that asks for it; or the same, once for each site.
 */
export const scopes = ['program', 'site', 'perSite'] as const
export type Scope = (typeof scopes)[number]

/** A way to complete a series: so many doses, each at least so many days after the one before. */
export interface Schedule {
  /** Also the product of its doses; a dose without a product counts for every schedule. */
  Name: string
  /** Before the second dose, the third …: one dose more than distances. */
  MinDays: readonly number[]
  /** Least days from the first dose to the last; 0 for none. */
  TotalDays: number
}

/** How long what was shown is good. Days are 'YYYY-MM-DD', days of each year 'MM-DD'. */
export type Rule =
  /** Until the date on the proof. */
  | { Kind: 'until' }
  /** So many months from the date on the proof. */
  | { Kind: 'months'; Months: number }
  /** For good. */
  | { Kind: 'once' }
  /** Each year: a dose from `DoseFrom` is good to the end of the season, and asked for only from `AskedFrom` through `AskedThrough`. */
  | { Kind: 'season'; DoseFrom: string; AskedFrom: string; AskedThrough: string }
  /** Doses, a titer, or both. */
  | {
      Kind: 'series'
      Schedules: readonly Schedule[]
      /** Whether a positive titer is good in place of doses, or is needed after them as well. */
      Titer: 'none' | 'instead' | 'after'
      /** What a titer has to cover, such as measles, mumps and rubella; empty is one titer. */
      Parts: readonly string[]
      /** Days after the last dose in which the titer is due. */
      TiterFromDays: number
      TiterThroughDays: number
      /** Days after a dose is due before it is overdue. */
      GraceDays: number
      /** Whether two full series without an answer may end as a documented non-responder. */
      NonResponder: boolean
    }
  /** Signed in the product; again when the text changes. */
  | { Kind: 'signed'; Text: string }
  /** A result from the vendor or compliance staff; students upload nothing. */
  | { Kind: 'result' }
export type RuleKind = Rule['Kind']
export const ruleKinds = ['until', 'months', 'season', 'once', 'series', 'signed', 'result'] as const

/** What a proof says happened on a day. */
export const eventKinds = ['done', 'dose', 'titer', 'disease', 'nonResponder', 'signed', 'result'] as const
export type EventKind = (typeof eventKinds)[number]
/** What a proof may say under a rule; the first is what it usually says. */
export const eventKindsOf: Readonly<Record<RuleKind, readonly EventKind[]>> = {
  until: ['done'],
  months: ['done'],
  once: ['done'],
  season: ['dose', 'done'],
  series: ['dose', 'titer', 'disease', 'nonResponder'],
  signed: ['signed'],
  result: ['result'],
}
export const titerResults = ['positive', 'negative', 'equivocal'] as const
/** What a vendor says of a background check or drug screen. */
export const vendorResults = [
  'ordered',
  'clear',
  'underReview',
  'eligible',
  'preAdverse',
  'notEligible',
] as const
export type VendorResult = (typeof vendorResults)[number]

export interface ProofEvent {
  Kind: EventKind
  On: string
  /** The date on a card or policy. */
  Until: string | null
  /** Of a titer or a vendor. */
  Result: string
  /** The product of a dose, or the part of a titer. */
  Of: string
}

/** How long an end is usual where the rule says nothing of it, and how much longer is still no question; in months. */
const usualMonths = 60
const marginMonths = 3

/** Whether an end is so far from what was done that it may be a slip, such as 2099: worth a question, and no refusal. */
export const isFarEnd = (
  rule: Pick<Rule, 'Kind'> & { Months?: number },
  { On, Until }: { On: string; Until: string | null },
): boolean => {
  const months =
    rule.Kind === 'months' ? (rule.Months ?? usualMonths) : rule.Kind === 'season' ? 12 : usualMonths
  return Until !== null && Until > addMonths(On, months + marginMonths)
}

export const exemptionKinds = ['waiver', 'medical', 'religious', 'declination'] as const
export type ExemptionKind = (typeof exemptionKinds)[number]

export interface ProofFacts {
  State: 'submitted' | 'accepted' | 'returned'
  Events: readonly ProofEvent[]
  /** The version of the requirement that it was for. */
  Version: number
}
export interface ExemptionFacts {
  Kind: ExemptionKind
  Until: string | null
}

export interface RequirementFacts {
  Rule: Rule
  /** The version whose text has to be signed. */
  TextVersion: number
}

/** What is next in a series: from which day it counts, and until when the student is in order without it. */
export interface NextStep {
  Kind: 'dose' | 'titer' | 'nonResponder'
  /** Of a dose: which one of the schedule, from 1. */
  Number: number
  /** Of how many. */
  Of: number
  From: string
  By: string
}

export const standingStatuses = [
  'missing',
  'submitted',
  'inProgress',
  'accepted',
  'returned',
  'waived',
] as const
export type StandingStatus = (typeof standingStatuses)[number]

/** What proofs come to, whatever the day: what is kept of a student and a requirement. */
export interface Standing {
  Status: StandingStatus
  CompletedOn: string | null
  /** The last day on which it is good; null without an end. */
  ExpiresOn: string | null
  /** A proof waits to be looked at. */
  IsWaiting: boolean
  /** The newest decision returned a proof, and none waits. */
  IsReturned: boolean
  Exemption: ExemptionKind | null
  Next: NextStep | null
}

/** Whether a text is a day of the year as the product keeps it: '11-01'. */
export const isYearDay = (text: string): boolean =>
  /^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) && addDays(`2028-${text}`, 0) === `2028-${text}`

/** The last day 'MM-DD' on or before a date. */
const lastOn = (yearDay: string, date: string): string => {
  const year = Number(date.slice(0, 4))
  const own = dayOf(year, yearDay)
  return own <= date ? own : dayOf(year - 1, yearDay)
}
/** The first day 'MM-DD' on or after a date. */
const firstOn = (yearDay: string, date: string): string => {
  const year = Number(date.slice(0, 4))
  const own = dayOf(year, yearDay)
  return own >= date ? own : dayOf(year + 1, yearDay)
}
/** 02-29 is the last of February in other years. */
const dayOf = (year: number, yearDay: string): string =>
  yearDay === '02-29' && !(year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
    ? `${year}-02-28`
    : `${String(year).padStart(4, '0')}-${yearDay}`

/** Whether the rule asks for anything on a day: outside its season it does not. */
export const isAsked = (rule: Rule, day: string): boolean => {
  if (rule.Kind !== 'season') return true
  const yearDay = day.slice(5)
  return rule.AskedFrom <= rule.AskedThrough
    ? yearDay >= rule.AskedFrom && yearDay <= rule.AskedThrough
    : yearDay >= rule.AskedFrom || yearDay <= rule.AskedThrough
}

/** The first day from `day` on which the rule asks again. */
export const nextAsked = (rule: Rule, day: string): string =>
  rule.Kind !== 'season' || isAsked(rule, day) ? day : firstOn(rule.AskedFrom, day)

type Judged = Pick<Standing, 'Status' | 'CompletedOn' | 'ExpiresOn' | 'Next'>

const none: Judged = { Status: 'missing', CompletedOn: null, ExpiresOn: null, Next: null }
const good = (CompletedOn: string, ExpiresOn: string | null): Judged => ({
  Status: 'accepted',
  CompletedOn,
  ExpiresOn,
  Next: null,
})

/** The later end, where null has none. */
const isLater = (one: string | null, other: string | null): boolean =>
  other !== null && (one === null || one > other)

/** Which of many is good longest; of equals the newest. */
const best = (judged: readonly Judged[]): Judged =>
  judged.reduce(
    (found, each) =>
      found.Status === 'missing' ||
      isLater(each.ExpiresOn, found.ExpiresOn) ||
      (each.ExpiresOn === found.ExpiresOn && (each.CompletedOn ?? '') > (found.CompletedOn ?? ''))
        ? each
        : found,
    none,
  )

type SeriesRule = Extract<Rule, { Kind: 'series' }>

/** How far doses have come in one schedule: a dose that comes too early does not count. */
const countDoses = ({ Name, MinDays, TotalDays }: Schedule, doses: readonly ProofEvent[]) => {
  const needed = MinDays.length + 1
  const counted: string[] = []
  for (const { On, Of } of doses) {
    if (Of !== '' && Of !== Name) continue
    if (counted.length >= needed) break
    if (On < dueFrom(counted, MinDays, TotalDays)) continue
    counted.push(On)
  }
  const isDone = counted.length === needed
  return {
    needed,
    counted,
    isDone,
    left: needed - counted.length,
    from: isDone ? counted.at(-1)! : dueFrom(counted, MinDays, TotalDays),
  }
}
/** The first day on which the next dose counts; any day for the first one. */
const dueFrom = (counted: readonly string[], MinDays: readonly number[], TotalDays: number): string => {
  const last = counted.at(-1)
  if (last === undefined) return ''
  const from = addDays(last, MinDays[counted.length - 1] ?? 0)
  const isLast = counted.length === MinDays.length
  const whole = isLast && TotalDays > 0 ? addDays(counted[0]!, TotalDays) : from
  return whole > from ? whole : from
}

/** The schedule in which the doses have come furthest; of equals the one that is due first. */
const furthest = (rule: SeriesRule, doses: readonly ProofEvent[]) =>
  rule.Schedules.map((schedule) => countDoses(schedule, doses)).toSorted(
    (a, b) => a.left - b.left || b.counted.length - a.counted.length || a.from.localeCompare(b.from),
  )[0]

/** Whether positive titers, or disease, cover all that a titer has to. */
const immuneOn = ({ Parts }: SeriesRule, events: readonly ProofEvent[]): string | undefined => {
  const proofs = events.filter(
    ({ Kind, Result }) => Kind === 'disease' || (Kind === 'titer' && Result === 'positive'),
  )
  const covered = (Parts.length > 0 ? Parts : ['']).map(
    (part) => proofs.find(({ Of }) => part === '' || Of === '' || Of === part)?.On,
  )
  return covered.every((on) => on !== undefined) ? covered.toSorted().at(-1) : undefined
}

/** In order until the next step is overdue. */
const inProgress = (
  rule: SeriesRule,
  next: Omit<NextStep, 'By'>,
  CompletedOn: string | null = null,
): Judged => {
  const window = next.Kind === 'titer' ? rule.TiterThroughDays - rule.TiterFromDays : 0
  const By = addDays(next.From, window + rule.GraceDays)
  return { Status: 'inProgress', CompletedOn, ExpiresOn: By, Next: { ...next, By } }
}

/**
 * A positive titer, or disease, ends a series wherever it is. Where a titer is needed after the doses, a negative one asks for a second
 * series, and a second one for a documented non-responder.
 */
const judgeSeries = (rule: SeriesRule, all: readonly ProofEvent[]): Judged => {
  const events = all.toSorted((a, b) => a.On.localeCompare(b.On))
  const immune = rule.Titer === 'none' ? undefined : immuneOn(rule, events)
  if (immune !== undefined) return good(immune, null)
  let doses = events.filter(({ Kind }) => Kind === 'dose')
  let asksAgainFrom: string | undefined
  for (;;) {
    const series = furthest(rule, doses)
    if (!series || series.counted.length === 0)
      return asksAgainFrom === undefined
        ? none
        : inProgress(rule, { Kind: 'dose', Number: 1, Of: series?.needed ?? 1, From: asksAgainFrom })
    const last = series.counted.at(-1)!
    if (!series.isDone) {
      const step = series.counted.length + 1
      return inProgress(rule, { Kind: 'dose', Number: step, Of: series.needed, From: series.from }, last)
    }
    if (rule.Titer !== 'after') return good(last, null)
    const negative = events.find(
      ({ Kind, Result, On }) => Kind === 'titer' && Result === 'negative' && On >= last,
    )
    if (!negative)
      return inProgress(
        rule,
        { Kind: 'titer', Number: 1, Of: 1, From: addDays(last, rule.TiterFromDays) },
        last,
      )
    if (asksAgainFrom !== undefined) {
      const documented = events.find(({ Kind, On }) => Kind === 'nonResponder' && On >= last)
      if (documented && rule.NonResponder) return good(documented.On, null)
      return inProgress(rule, { Kind: 'nonResponder', Number: 1, Of: 1, From: negative.On }, last)
    }
    asksAgainFrom = negative.On
    doses = doses.filter(({ On }) => On > negative.On)
  }
}

const judgeResult = (events: readonly ProofEvent[]): Judged => {
  const newest = events
    .filter(({ Kind }) => Kind === 'result')
    .toSorted((a, b) => a.On.localeCompare(b.On))
    .at(-1)
  switch (newest?.Result) {
    case undefined:
      return none
    case 'clear':
    case 'eligible':
      return good(newest.On, newest.Until)
    case 'notEligible':
      return { ...none, Status: 'returned', CompletedOn: newest.On }
    default:
      return { ...none, Status: 'submitted' }
  }
}

/** What accepted events come to under a rule. */
const judgeEvents = (
  { Rule: rule, TextVersion }: RequirementFacts,
  proofs: readonly ProofFacts[],
): Judged => {
  const events = proofs.flatMap(({ Events }) => Events)
  const done = events.filter(({ Kind }) => Kind === 'done')
  switch (rule.Kind) {
    case 'until':
      return best(done.map(({ On, Until }) => good(On, Until)))
    case 'months':
      return best(done.map(({ On }) => good(On, addMonths(On, rule.Months))))
    case 'once':
      return best(done.map(({ On }) => good(On, null)))
    case 'season':
      return best(
        events
          .filter(({ Kind }) => Kind === 'done' || Kind === 'dose')
          .map(({ On }) => good(On, firstOn(rule.AskedThrough, lastOn(rule.DoseFrom, On)))),
      )
    case 'series':
      return judgeSeries(rule, events)
    case 'signed':
      return best(
        proofs
          .filter(({ Version }) => Version >= TextVersion)
          .flatMap(({ Events }) =>
            Events.filter(({ Kind }) => Kind === 'signed').map(({ On }) => good(On, null)),
          ),
      )
    case 'result':
      return judgeResult(events)
  }
}

const isGood = ({ Status }: Pick<Standing, 'Status'>): boolean =>
  Status === 'accepted' || Status === 'inProgress' || Status === 'waived'

/**
 * What proofs and exemptions of one student come to, whatever the day. Proofs are in the order of their decisions. An exemption
 * holds where no proof is good for longer.
 */
export const judge = (
  requirement: RequirementFacts,
  proofs: readonly ProofFacts[],
  exemptions: readonly ExemptionFacts[] = [],
): Standing => {
  const judged = judgeEvents(
    requirement,
    proofs.filter(({ State }) => State === 'accepted'),
  )
  const IsWaiting = proofs.some(({ State }) => State === 'submitted') || judged.Status === 'submitted'
  const decided = proofs.filter(({ State }) => State !== 'submitted')
  const IsReturned = !IsWaiting && (decided.at(-1)?.State === 'returned' || judged.Status === 'returned')
  const exemption = exemptions.reduce<ExemptionFacts | undefined>(
    (found, each) => (!found || isLater(each.Until, found.Until) ? each : found),
    undefined,
  )
  if (exemption && (!isGood(judged) || isLater(exemption.Until, judged.ExpiresOn)))
    return {
      ...judged,
      Status: 'waived',
      ExpiresOn: exemption.Until,
      Exemption: exemption.Kind,
      IsWaiting,
      IsReturned,
      Next: null,
    }
  const Status =
    judged.Status === 'missing'
      ? IsWaiting
        ? 'submitted'
        : IsReturned
          ? 'returned'
          : 'missing'
      : judged.Status
  return { ...judged, Status, Exemption: null, IsWaiting, IsReturned }
}

/** Days before the end in which something is called expiring. */
export const expiringDays = 60

export const states = [
  'missing',
  'returned',
  'expired',
  'submitted',
  'expiring',
  'inProgress',
  'accepted',
  'waived',
  'notDue',
] as const
/** How a requirement is on a day. The order is that of urgency. */
export type State = (typeof states)[number]

/** How what is kept is on a day. */
export const stateOn = (
  rule: Rule,
  {
    Status,
    ExpiresOn,
    IsWaiting,
    IsReturned,
  }: Pick<Standing, 'Status' | 'ExpiresOn' | 'IsWaiting' | 'IsReturned'>,
  day: string,
): State => {
  const open = (else_: State): State =>
    IsWaiting ? 'submitted' : !isAsked(rule, day) ? 'notDue' : IsReturned ? 'returned' : else_
  if (Status === 'missing' || Status === 'submitted' || Status === 'returned') return open('missing')
  if (ExpiresOn !== null && ExpiresOn < day) return open('expired')
  const isEnding =
    Status === 'accepted' &&
    ExpiresOn !== null &&
    ExpiresOn <= addDays(day, expiringDays) &&
    // The end of a season is no end that anybody has to do something about.
    isAsked(rule, addDays(ExpiresOn, 1))
  return isEnding ? 'expiring' : Status
}

/** What proofs come to on a day. */
export const statusOf = (
  requirement: RequirementFacts,
  proofs: readonly ProofFacts[],
  today: string,
  exemptions: readonly ExemptionFacts[] = [],
): State => stateOn(requirement.Rule, judge(requirement, proofs, exemptions), today)

/** Whether a state keeps nobody from a shift. */
export const isMet = (state: State): boolean =>
  state === 'accepted' ||
  state === 'expiring' ||
  state === 'inProgress' ||
  state === 'waived' ||
  state === 'notDue'
