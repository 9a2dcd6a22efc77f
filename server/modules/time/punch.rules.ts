import { formatDate } from '#contract/core/calendar.ts'
import type { DeclaredFailure } from '#contract/core/failure.ts'
import { type Sentence, sentence } from '#contract/language/texts.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { formatDistance } from '#contract/sites/distance.ts'
import type { OwnRecord } from '#contract/time/clock.ts'
import { timeFailures } from '#contract/time/failures.ts'
import type { Doubt, Insight, OtherHalf } from '#contract/time/insight.ts'
import { insightOf, judgeWith, muchLongerMinutes } from '#contract/time/insight.ts'
import {
  type Credit,
  creditOf,
  type HoursRule,
  minutesBetween,
  noRule,
  ruleOn,
} from '#contract/time/rules-of-hours.ts'
import { isSlip } from '#contract/time/slip.ts'
import { atSite } from '#contract/time/wording.ts'
import { wallClock } from './zone.rules.ts'

const minute = 60_000
const hour = 60 * minute

export interface Position {
  latitude: number
  longitude: number
  /** Meters; unknown for clients that do not tell. */
  accuracy?: number | undefined
}

/** What the rules need of a site. `networkName` is the known network of the site that the call came from. */
export interface SiteFacts {
  siteId: number
  name: string
  timeZone: string
  latitude: number | null
  longitude: number | null
  precisionM: number
  allowOvernight: boolean
  allowMulticlock: boolean
  rejectInaccuratePins: boolean
  rejectAccuracyM: number
  networkName: string | null
}

/** An assignment around the moment; moments in milliseconds. */
export interface ShiftFacts {
  assignmentId: number
  rotationId: number
  siteId: number
  shiftType: ShiftType
  startsAt: number
  endsAt: number
}

/** An earlier or later punch of the student that is not rejected. */
export interface PunchFacts extends OtherHalf {
  id: number
  kind: 'in' | 'out'
  at: number
  siteId: number | null
  partnerId: number | null
  assignmentId: number | null
  rotationId: number | null
  shiftType: ShiftType | null
  /** Where it was made, if its device told. */
  latitude: number | null
  longitude: number | null
}

export interface Policy {
  toleranceMinutes: number
  positionDecimals: number
  /** How much of a pair counts; all of it without rules. */
  hoursRules?: readonly HoursRule[]
}

/** A shift counts as meant from this long before it begins to this long after it ends. */
const earliestBefore = 4 * hour
const latestAfter = 4 * hour
/** A clock-in can be closed by the clock for a day; afterwards it is unmatched. */
const longestOpen = 24 * hour
/** How much longer than its shift a pair can be where the shift itself lasts about a day: two hours before and after it. */
const aroundDayShift = 4 * hour
/** What no pair is longer than. */
export const longestPair = (shift: Pick<ShiftFacts, 'startsAt' | 'endsAt'> | null | undefined): number =>
  Math.max(longestOpen, shift ? shift.endsAt - shift.startsAt + aroundDayShift : 0)
/** A position this far outside the circle is still near. */
const nearMeters = 500
const clockOffMinutes = 5
/** How long a device may keep a punch. */
const oldestOfflineDays = 14
const impossibleKmh = 200
const minTravelKm = 15

const earthMeters = 6_371_008.8
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Meters between two positions on the globe (haversine). */
export const distanceMeters = (
  from: { latitude: number; longitude: number },
  to: { latitude: number; longitude: number },
): number => {
  const half =
    Math.sin(radians(to.latitude - from.latitude) / 2) ** 2 +
    Math.cos(radians(from.latitude)) *
      Math.cos(radians(to.latitude)) *
      Math.sin(radians(to.longitude - from.longitude) / 2) ** 2
  return 2 * earthMeters * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** A coordinate as it is kept: with the decimals of the program (PositionDecimals). */
export const roundCoordinate = (degrees: number, decimals: number): number => {
  const factor = 10 ** decimals
  const rounded = Math.round(degrees * factor) / factor
  return rounded === 0 ? 0 : rounded
}

const placeOf = (facts: { latitude: number | null; longitude: number | null } | undefined) =>
  facts && facts.latitude !== null && facts.longitude !== null
    ? { latitude: facts.latitude, longitude: facts.longitude }
    : undefined

const distanceTo = (site: SiteFacts, position: Position | undefined): number | undefined => {
  const place = placeOf(site)
  return position && place && distanceMeters(position, place)
}

/** A clock-in without a shift runs no longer than this. */
const longestWithoutShift = 16 * hour
/** After the end of its shift a clock-in is in the way of the next shift's for no longer than this. */
const betweenShifts = hour

const shiftOf = (punch: PunchFacts, shifts: readonly ShiftFacts[]): ShiftFacts | undefined =>
  shifts.find(({ assignmentId }) => assignmentId === punch.assignmentId)

/** Whether an open clock-in was forgotten: its shift has ended hours ago, or another one is at hand that begins after it. */
const isForgotten = (
  open: PunchFacts,
  { at, shifts, zone }: { at: number; shifts: readonly ShiftFacts[]; zone: string },
): boolean => {
  const own = shiftOf(open, shifts)
  const isNext = (shift: ShiftFacts) => at >= shift.startsAt - earliestBefore && at <= shift.endsAt
  if (own)
    return (
      at > own.endsAt + latestAfter ||
      (at >= own.endsAt + betweenShifts &&
        shifts.some((shift) => shift.startsAt >= own.endsAt && isNext(shift)))
    )
  if (at - open.at > longestWithoutShift) return true
  return (
    wallClock(open.at, zone).date !== wallClock(at, zone).date &&
    shifts.some((shift) => shift.startsAt - earliestBefore > open.at && isNext(shift))
  )
}

/** Whether a clock-in can still be closed by clocking out. */
export const isOpen = (
  punch: PunchFacts | undefined,
  now: number,
  shifts: readonly ShiftFacts[],
): punch is PunchFacts =>
  punch !== undefined &&
  punch.kind === 'in' &&
  punch.partnerId === null &&
  now - punch.at < longestPair(shiftOf(punch, shifts))

/** Without leave to stay overnight a clock-in ends with its day, so that it blocks nobody the next morning. */
const endsAtMidnight = (open: PunchFacts, site: SiteFacts | undefined, at: number): boolean =>
  site?.allowOvernight === false &&
  wallClock(open.at, site.timeZone).date !== wallClock(at, site.timeZone).date

/** Whether a clock-in was never closed and is over: it blocks no other one, and the clock asks when the person left. */
export const isLeftOpen = (
  punch: PunchFacts,
  asked: { at: number; sites: readonly SiteFacts[]; shifts: readonly ShiftFacts[]; timeZone: string },
): boolean => {
  if (punch.kind !== 'in' || punch.partnerId !== null || punch.at > asked.at) return false
  const site = asked.sites.find(({ siteId }) => siteId === punch.siteId)
  const zone = site?.timeZone ?? asked.timeZone
  return (
    !isOpen(punch, asked.at, asked.shifts) ||
    endsAtMidnight(punch, site, asked.at) ||
    isForgotten(punch, { ...asked, zone })
  )
}

/**
 * The site that a clock-in is meant for: a shift of this time whose site the position is near; else the site in whose circle
 * the position is; else the one whose network the call came from; else the site of the shift; else the nearest.
 */
export const inferSite = (
  sites: readonly SiteFacts[],
  shifts: readonly ShiftFacts[],
  position: Position | undefined,
  at: number,
): SiteFacts | undefined => {
  const byId = new Map(sites.map((site) => [site.siteId, site]))
  const meant = shifts
    .filter(({ startsAt, endsAt }) => at >= startsAt - earliestBefore && at <= endsAt + latestAfter)
    .toSorted((one, other) => Math.abs(one.startsAt - at) - Math.abs(other.startsAt - at))
    .flatMap(({ siteId }) => byId.get(siteId) ?? [])
  const reach = (site: SiteFacts): number =>
    (distanceTo(site, position) ?? Number.POSITIVE_INFINITY) - site.precisionM
  const nearest = sites.toSorted((one, other) => reach(one) - reach(other))[0]
  return (
    meant.find((site) => reach(site) <= nearMeters) ??
    (nearest && reach(nearest) <= 0 ? nearest : undefined) ??
    meant.find(({ networkName }) => networkName !== null) ??
    sites.find(({ networkName }) => networkName !== null) ??
    meant[0] ??
    (nearest && reach(nearest) <= nearMeters ? nearest : undefined)
  )
}

/** Whether a pair was a slip of the hand, or its end was, so that it does not use up the clock-in of its day. */
const wasSlip = (begun: PunchFacts, punches: readonly PunchFacts[], at: number): boolean => {
  const ended = punches.find(({ id }) => id === begun.partnerId)
  return ended !== undefined && (isSlip(begun.at, ended.at) || isSlip(ended.at, at))
}

/** What somebody takes back who clocked in by mistake: the clock-in that runs, or a pair that was a slip. */
export const takenBackBy = (
  punches: readonly PunchFacts[],
  at: number,
): { begun: PunchFacts; ended?: PunchFacts; isSlip: boolean } | undefined => {
  const last = punches.filter((punch) => punch.at <= at).at(-1)
  if (last?.kind === 'in')
    return last.partnerId === null ? { begun: last, isSlip: isSlip(last.at, at) } : undefined
  const begun = last && punches.find(({ id }) => id === last.partnerId)
  return begun && isSlip(begun.at, last.at) ? { begun, ended: last, isSlip: true } : undefined
}

/** The assignment that a clock-in at a site belongs to: the one at hand whose begin is nearest. */
export const findShift = (
  shifts: readonly ShiftFacts[],
  siteId: number,
  at: number,
): ShiftFacts | undefined =>
  shifts
    .filter(
      (shift) =>
        shift.siteId === siteId && at >= shift.startsAt - earliestBefore && at <= shift.endsAt + latestAfter,
    )
    .toSorted((one, other) => Math.abs(one.startsAt - at) - Math.abs(other.startsAt - at))[0]

/** Minutes after (negative: before) the shift's begin for a clock-in, its end for a clock-out. */
export const offsetMinutes = (
  kind: 'in' | 'out',
  at: number,
  shift: Pick<ShiftFacts, 'startsAt' | 'endsAt'>,
): number => Math.trunc((at - (kind === 'in' ? shift.startsAt : shift.endsAt)) / minute)

/** The doubts about where a punch was made. Inside the circle or on a known network there are none. */
export const placeDoubts = (site: SiteFacts, position: Position | undefined): Doubt[] => {
  if (site.networkName !== null) return []
  const distance = distanceTo(site, position)
  if (distance === undefined) return [{ Code: 'no_position' }]
  const found: Doubt[] = []
  const outside = distance - site.precisionM
  if (outside > nearMeters) found.push({ Code: 'far_away', Value: Math.round(distance) })
  else if (outside > 0) found.push({ Code: 'unknown_network', Value: Math.round(distance) })
  if ((position?.accuracy ?? 0) > site.rejectAccuracyM)
    // An accuracy above the limit was given.
    found.push({ Code: 'poor_accuracy', Value: Math.round(position!.accuracy!) })
  return found
}

/** The doubt that nobody travels so fast, against the punch before: from where it was made, or from its site. */
export const travelDoubt = (
  before: PunchFacts | undefined,
  beforeSite: SiteFacts | undefined,
  here: { latitude: number; longitude: number } | undefined,
  at: number,
): Doubt[] => {
  const there = placeOf(before) ?? placeOf(beforeSite)
  if (!before || !here || !there) return []
  const km = distanceMeters(there, here) / 1000
  if (km < minTravelKm) return []
  const hours = Math.max(at - before.at, minute) / hour
  const speed = km / hours
  return speed > impossibleKmh
    ? [{ Code: 'impossible_travel', Value: Math.min(Math.round(speed), 99_999) }]
    : []
}

export const toleranceDoubt = (offset: number | null, toleranceMinutes: number): Doubt[] =>
  offset !== null && Math.abs(offset) > toleranceMinutes ? [{ Code: 'outside_tolerance', Value: offset }] : []

/** The doubt that a pair is much longer than its shift, or than any shift where it has none. */
export const lengthDoubt = (
  minutes: number,
  shift: Pick<ShiftFacts, 'startsAt' | 'endsAt'> | null | undefined,
): Doubt[] =>
  minutes >
  (shift ? minutesBetween(shift.startsAt, shift.endsAt) + muchLongerMinutes : longestWithoutShift / minute)
    ? [{ Code: 'too_long', Value: minutes }]
    : []

const clockOff = (milliseconds: number): Doubt[] => [
  { Code: 'clock_off', Value: Math.min(Math.round(Math.abs(milliseconds) / minute), 5_000_000) },
]

/** What a device knows besides its own clock, which anybody can set; moments and spans in milliseconds. */
export interface DeviceFacts {
  /** What the server's clock said last before the punch. */
  serverAt?: number | undefined
  /** From then to the punch, by a clock that nobody can set; it may stand while the device sleeps. */
  sinceServerAt?: number | undefined
  /** From the punch to its sending, by the same clock. */
  beforeSending?: number | undefined
}

/**
 * The moment of a punch as it counts, and the doubts about the device's clock. It cannot lie before what the server had said by
 * then, nor after what has passed since.
 */
export const countedMoment = (
  now: number,
  occurredAt: number | undefined,
  sentAt: number | undefined,
  { serverAt, sinceServerAt = 0, beforeSending = 0 }: DeviceFacts = {},
): { at: number; doubts: Doubt[] } => {
  const skew = sentAt === undefined ? 0 : now - sentAt
  const isOff = Math.abs(skew) > clockOffMinutes * minute
  if (occurredAt === undefined) return { at: now, doubts: isOff ? clockOff(skew) : [] }
  const corrected = isOff ? occurredAt + skew : occurredAt
  const offline: Doubt = { Code: 'offline' }
  if (corrected > now + clockOffMinutes * minute)
    return { at: now, doubts: [offline, ...clockOff(corrected - now)] }
  const latest = now - Math.min(beforeSending, oldestOfflineDays * 24 * hour)
  const earliest = serverAt === undefined ? Number.NEGATIVE_INFINITY : serverAt + sinceServerAt
  // The server's own clock was put back meanwhile: it proves nothing.
  if (earliest > now + clockOffMinutes * minute)
    return { at: Math.min(corrected, now), doubts: [offline, ...clockOff(earliest - now)] }
  const possible = Math.min(Math.max(corrected, earliest), latest)
  if (Math.abs(possible - corrected) > clockOffMinutes * minute)
    return { at: possible, doubts: [offline, ...clockOff(possible - corrected)] }
  return { at: Math.min(corrected, now), doubts: isOff ? [offline, ...clockOff(skew)] : [offline] }
}

/** Whether two clocks are further apart than what a network takes. */
export const areClocksApart = (one: number, other: number): boolean =>
  Math.abs(one - other) > clockOffMinutes * minute

const noCredit: Credit = { minutes: 0, clockMinutes: 0, mealMinutes: 0 }

/** The rule of the day on which hours begin. */
const ruleOf = (rules: readonly HoursRule[] = [], at: number, zone: string): HoursRule =>
  rules.length === 0 ? noRule : ruleOn(rules, wallClock(at, zone).date)

/** The rule that refuses a punch. */
export type Refusal = Sentence<DeclaredFailure>

export interface NewPunch {
  kind: 'in' | 'out'
  site: SiteFacts
  at: number
  date: string
  shift: ShiftFacts | null
  rotationId: number | null
  partner: PunchFacts | null
  /** Of a pair. */
  credit: Credit
  insight: Insight
  reasons: Doubt[]
  latitude: number | null
  longitude: number | null
  accuracyM: number | null
  distanceM: number | null
  isInside: boolean | null
  networkName: string | null
  shiftType: ShiftType | null
  offset: number | null
  source: 'server' | 'offline'
}

export interface PunchQuestion {
  kind: 'in' | 'out'
  now: number
  occurredAt?: number | undefined
  sentAt?: number | undefined
  device?: DeviceFacts | undefined
  /** What this process's clock says at the database's `now`. */
  processNow?: number | undefined
  siteId?: number | undefined
  position?: Position | undefined
  policy: Policy
  /** Zone of the program, for what has no site. */
  timeZone: string
  sites: readonly SiteFacts[]
  shifts: readonly ShiftFacts[]
  /** Punches around the moment, oldest first. */
  punches: readonly PunchFacts[]
  /** Reported time around the moment: exceptions, absences and planned makeup. */
  reported?: readonly { from: number; to: number }[]
}

/**
 * Whether a punch counts, and as what: the site, the pair and its minutes, the doubts and the insight; or the
 * rule that refuses it.
 */
export const decidePunch = (question: PunchQuestion): NewPunch | Refusal => {
  const { kind, now, processNow = now, sites, shifts, punches, position, policy } = question
  const { at, doubts } = countedMoment(now, question.occurredAt, question.sentAt, question.device)
  const clockDoubts = doubts.some(({ Code }) => Code === 'clock_off')
    ? doubts
    : [...doubts, ...(areClocksApart(now, processNow) ? clockOff(now - processNow) : [])]
  if (now - at > oldestOfflineDays * 24 * hour) {
    return sentence(timeFailures.too_old, { Days: oldestOfflineDays })
  }
  const siteOf = (id: number | null): SiteFacts | undefined => sites.find(({ siteId }) => siteId === id)
  const tell = (moment: number, zone: string): string => {
    const { date, time } = wallClock(moment, zone)
    return `${formatDate(date)} ${time}`
  }
  const before = punches.filter((punch) => punch.at <= at).at(-1)
  const beforeSite = siteOf(before?.siteId ?? null)
  const open = isOpen(before, at, shifts) ? before : undefined
  const chosen =
    question.siteId !== undefined
      ? siteOf(question.siteId)
      : kind === 'out' && open
        ? beforeSite
        : inferSite(sites, shifts, position, at)
  const zone = chosen?.timeZone ?? question.timeZone

  if (kind === 'in') {
    const isInsidePair =
      before?.kind === 'in' && punches.some((punch) => punch.id === before.partnerId && punch.at > at)
    if ((open && !isLeftOpen(open, { ...question, at })) || isInsidePair) {
      return sentence(timeFailures.already_in, {
        // Open, or inside a pair: either way there is a punch before.
        Since: tell(before!.at, beforeSite?.timeZone ?? zone),
        At: atSite(beforeSite?.name),
      })
    }
  } else if (!open) {
    return sentence(timeFailures.nothing_to_clock_out)
  } else if (endsAtMidnight(open, beforeSite, at)) {
    // Its site is known, since it takes no nights.
    const { name, timeZone } = beforeSite!
    return sentence(timeFailures.no_nights, { Site: name, Since: tell(open.at, timeZone) })
  }
  if (!chosen) {
    return sentence(timeFailures.no_site_fits)
  }
  const { date } = wallClock(at, chosen.timeZone)
  if (
    kind === 'in' &&
    !chosen.allowMulticlock &&
    punches.some(
      (punch) =>
        punch.kind === 'in' &&
        punch.partnerId !== null &&
        punch.siteId === chosen.siteId &&
        wallClock(punch.at, chosen.timeZone).date === date &&
        !wasSlip(punch, punches, at),
    )
  ) {
    return sentence(timeFailures.one_clock_in_a_day, { Site: chosen.name, Date: formatDate(date) })
  }
  const accuracy = position?.accuracy
  if (
    chosen.rejectInaccuratePins &&
    chosen.networkName === null &&
    (accuracy ?? 0) > chosen.rejectAccuracyM
  ) {
    return sentence(timeFailures.inaccurate, {
      // An accuracy above the limit was given.
      Accuracy: formatDistance(accuracy!),
      Site: chosen.name,
      Needed: formatDistance(chosen.rejectAccuracyM),
    })
  }

  // A clock-out without an open clock-in was refused above.
  const partner = kind === 'out' ? open! : null
  const shift =
    partner && partner.assignmentId !== null
      ? (shiftOf(partner, shifts) ?? null)
      : (findShift(shifts, chosen.siteId, at) ?? null)
  const offset = shift ? offsetMinutes(kind, at, shift) : null
  const distance = distanceTo(chosen, position)
  const here = position ?? (chosen.networkName !== null ? placeOf(chosen) : undefined)
  const reasons: Doubt[] = [
    ...clockDoubts,
    ...(shift ? [] : [{ Code: 'no_assignment' as const }]),
    ...placeDoubts(chosen, position),
    ...travelDoubt(before, beforeSite, here, at),
    ...toleranceDoubt(offset, policy.toleranceMinutes),
    // A punch is never turned away for what was reported before: whoever approves sees that hours would count twice.
    ...(partner && question.reported?.some(({ from, to }) => from < at && to > partner.at)
      ? [{ Code: 'overlaps' as const }]
      : []),
    ...(partner ? lengthDoubt(minutesBetween(partner.at, at), shift) : []),
  ]
  return {
    kind,
    site: chosen,
    at,
    date,
    shift,
    rotationId: shift?.rotationId ?? partner?.rotationId ?? null,
    partner,
    credit: partner
      ? creditOf(
          ruleOf(policy.hoursRules, partner.at, beforeSite?.timeZone ?? zone),
          { startsAt: partner.at, endsAt: at },
          shift,
        )
      : noCredit,
    insight: insightOf(reasons),
    reasons,
    latitude: position ? roundCoordinate(position.latitude, policy.positionDecimals) : null,
    longitude: position ? roundCoordinate(position.longitude, policy.positionDecimals) : null,
    accuracyM: accuracy === undefined ? null : Math.round(accuracy),
    distanceM: distance === undefined ? null : Math.round(distance),
    isInside: distance === undefined ? null : distance <= chosen.precisionM,
    networkName: chosen.networkName,
    shiftType: shift?.shiftType ?? partner?.shiftType ?? null,
    offset,
    source: question.occurredAt === undefined ? 'server' : 'offline',
  }
}

/** A moment as the database tells it. */
const instantOf = (moment: number): string => new Date(moment).toISOString().replace(/\.?0+Z$/, 'Z')

/** A clock-in runs until its shift has ended, or for 16 hours without a shift. */
const isRunning = ({ at, shift }: NewPunch, now: number): boolean =>
  (shift?.endsAt ?? at + longestWithoutShift) > now

/**
 * A new punch as its student sees it. All of it is known when it is kept, and reading it again with its site, shift and program
 * cost a seventh of a punch.
 */
export const newRecord = (id: number, punch: NewPunch, now: number): OwnRecord => {
  const { site, shift } = punch
  const timeAt = (moment: number): string => wallClock(moment, site.timeZone).time
  return {
    Id: id,
    Type: punch.kind,
    SiteId: site.siteId,
    Location: site.name,
    TimeZone: site.timeZone,
    Date: punch.date,
    Time: timeAt(punch.at),
    EndTime: null,
    OccurredAt: instantOf(punch.at),
    Minutes: punch.credit.minutes,
    ClockMinutes: punch.credit.clockMinutes,
    MealMinutes: punch.credit.mealMinutes,
    OffsetMinutes: punch.offset,
    ShiftType: punch.shiftType,
    ShiftStart: shift && timeAt(shift.startsAt),
    ShiftEnd: shift && timeAt(shift.endsAt),
    ShiftEndsAt: shift && instantOf(shift.endsAt),
    TimeChangeRequest: null,
    IPName: punch.networkName,
    Distance: punch.distanceM,
    Accuracy: punch.accuracyM,
    IsInside: punch.isInside,
    ...judgeWith(punch.reasons, punch.partner),
    ...(!punch.partner && !isRunning(punch, now) && { Insight: 'u' }),
    Status: 'pending',
    Reason: '',
    Source: punch.source,
    PartnerId: punch.partner?.id ?? null,
    DecidedAt: null,
    DecidedBy: null,
    DecisionReason: null,
    Edits: 0,
  }
}
