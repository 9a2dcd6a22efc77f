import { formatDate, weekdayOf, weekOf } from '#contract/core/calendar.ts'
import { hoursText } from '#contract/core/hours.ts'
import { countsOn } from '#contract/people/who-counts.ts'
import type { ProgramOptions, Strictness } from '#contract/programs/program-options.ts'
import { findRequirementFault, isInOrder, type RequirementFacts } from './requirement-fault.ts'

/**
 * The rules of placement as pure functions: what they look at is loaded once, whatever the number of
 * students and dates. The database holds capacity and overlap again under racing writers.
 */

/** Every rule of placement, in the order in which they are looked at. */
export const placementRules = [
  'last_day',
  'rotation_dates',
  'rotation_level',
  'shift_dates',
  'shift_weekday',
  'program_dates',
  'day_off',
  'compliance',
  'agreement',
  'overlap',
  'capacity',
  'hours_per_day',
  'hours_per_week',
] as const
export type PlacementRule = (typeof placementRules)[number]

/** How strictly each rule is held in a program: no program can switch off capacity, overlap and the last day of who leaves. */
export const strictnessOf = (options: ProgramOptions, rule: PlacementRule): Strictness => {
  switch (rule) {
    case 'last_day':
    case 'capacity':
    case 'overlap':
      return 'block'
    case 'shift_dates':
    case 'shift_weekday':
      return options.ShiftDaysRule
    case 'rotation_dates':
      return options.RotationDatesRule
    case 'rotation_level':
      return options.RotationLevelRule
    case 'program_dates':
      return options.ProgramDatesRule
    case 'day_off':
      return options.DayOffRule
    case 'compliance':
      return options.ComplianceRule
    case 'agreement':
      return options.AgreementRule
    case 'hours_per_day':
      return options.HoursPerDayRule
    case 'hours_per_week':
      return options.HoursPerWeekRule
  }
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const weekdayNames = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays']

/** 'Thu 12/03' */
export const dayText = (date: string): string =>
  `${weekdays[weekdayOf(date)]} ${date.slice(5, 7)}/${date.slice(8, 10)}`

export interface RotationFacts {
  Id: number
  Name: string
  StartDate: string
  EndDate: string
  /** Levels that may be placed; empty means every level. */
  StudentLevelIds: readonly number[]
  /** Cohorts that may be placed; empty means every cohort. */
  Cohorts: readonly string[]
}

export interface ShiftFacts {
  Id: number
  Code: string
  SiteId: number
  Site: string
  /** 0 is Sunday. */
  Weekdays: readonly number[]
  StartDate: string
  EndDate: string
  Capacity: number
}

export interface StudentFacts {
  Id: number
  FirstName: string
  LastName: string
  StudentLevelId: number | null
  LevelName: string | null
  Cohort: string | null
  /** The last day to come of whoever leaves. */
  LeavesOn: string | null
  /** What is required for placement and not in order; in order until `ExpiresOn` when that is given. */
  Requirements: readonly RequirementFacts[]
}

export interface AgreementFacts {
  SiteId: number
  InitialDate: string | null
  TerminationDate: string | null
}

/** A place of a student on a shift and day. Moments in milliseconds, minutes as they really pass. */
export interface Placement {
  /** The assignment's id; absent while it is only requested. */
  Id?: number
  StudentId: number
  SiteShiftId: number
  RotationId: number
  Date: string
  StartsAt: number
  EndsAt: number
}

/** What the rules of a day look at, whoever is placed. */
export interface DayFacts {
  Options: ProgramOptions
  ActiveFrom: string | null
  ActiveThrough: string | null
  DaysOff: readonly { Name: string; StartDate: string; EndDate: string }[]
  /** Agreements that are active and approved. */
  Agreements: readonly AgreementFacts[]
}

/** Everything that the rules look at. */
export interface Facts extends DayFacts {
  Rotations: ReadonlyMap<number, RotationFacts>
  Shifts: ReadonlyMap<number, ShiftFacts>
  Students: ReadonlyMap<number, StudentFacts>
  /** What the students are placed on already, a week around the requested dates. */
  Placed: readonly Placement[]
  /** Places taken per shift and day, by `dayKey`. A day that is not here has none taken. */
  Taken: ReadonlyMap<string, { Placed: number; Capacity: number }>
  /** Places left at sites that several programs share, by `sharedKey`; other sites are not here. */
  Shared?: ReadonlyMap<string, number>
}

export const sharedKey = (siteId: number, date: string): string => `${siteId} ${date}`

export const dayKey = (siteShiftId: number, date: string): string => `${siteShiftId} ${date}`

/** A broken rule, worded for people. */
export interface Finding {
  StudentId: number
  Date: string
  Rule: PlacementRule
  Message: string
  /** What speaks against a refused request besides. */
  Also?: { Rule: PlacementRule; Message: string; IsWarning: boolean }[]
}

const isWithin = (date: string, from: string | null, through: string | null): boolean =>
  (!from || date >= from) && (!through || date <= through)

const person = ({ FirstName, LastName }: StudentFacts): string => `${FirstName} ${LastName}`.trim()

/** Why whoever leaves cannot be placed after the last day. */
const findLastDayFault = (student: StudentFacts, date: string): string | undefined =>
  !countsOn(student.LeavesOn ?? undefined, date)
    ? `${person(student)} leaves on ${formatDate(student.LeavesOn)} and cannot be placed on ${dayText(date)}. Pick an earlier date.`
    : undefined

/** Weekdays of dates that were asked for: a picture of the schedule asks for the same few thousands of times. */
const knownWeekdays = new Map<string, number>()
const weekdayAt = (date: string): number => {
  const known = knownWeekdays.get(date)
  if (known !== undefined) return known
  if (knownWeekdays.size >= 2_000) knownWeekdays.clear()
  const weekday = weekdayOf(date)
  knownWeekdays.set(date, weekday)
  return weekday
}

/** Why the shift does not run on the date, whoever the student is; undefined when it does. */
export const findShiftDayFault = (
  shift: ShiftFacts,
  date: string,
): { Rule: 'shift_dates' | 'shift_weekday'; Message: string } | undefined => {
  if (!isWithin(date, shift.StartDate, shift.EndDate)) {
    return {
      Rule: 'shift_dates',
      Message: `${shift.Code} does not run on ${dayText(date)}: it is active ${formatDate(shift.StartDate)} – ${formatDate(shift.EndDate)}. Pick another date or shift.`,
    }
  }
  if (!shift.Weekdays.includes(weekdayAt(date))) {
    const names = [1, 2, 3, 4, 5, 6, 0]
      .filter((day) => shift.Weekdays.includes(day))
      .map((day) => weekdayNames[day])
    const text =
      names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? 'no day')
    return {
      Rule: 'shift_weekday',
      Message: `${shift.Code} does not run on ${dayText(date)}: it runs on ${text}. Pick another date or shift.`,
    }
  }
  return undefined
}

/** Why nobody can be placed in the rotation on the date; undefined when it is inside. */
export const findRotationDayFault = (
  rotation: Pick<RotationFacts, 'Name' | 'StartDate' | 'EndDate'>,
  date: string,
): string | undefined =>
  isWithin(date, rotation.StartDate, rotation.EndDate)
    ? undefined
    : `${dayText(date)} lies ${date < rotation.StartDate ? 'before' : 'after'} ${rotation.Name}, which runs ${formatDate(rotation.StartDate)} – ${formatDate(rotation.EndDate)}. Pick another date or rotation.`

/** Whether the rotation takes the student: their level and their cohort. */
export const findLevelFault = (
  rotation: Pick<RotationFacts, 'Name' | 'StudentLevelIds' | 'Cohorts'>,
  student: StudentFacts,
): string | undefined => {
  if (
    rotation.StudentLevelIds.length > 0 &&
    (student.StudentLevelId === null || !rotation.StudentLevelIds.includes(student.StudentLevelId))
  ) {
    return `${rotation.Name} does not take ${student.LevelName ?? 'students without a level'}`
  }
  if (rotation.Cohorts.length > 0 && !rotation.Cohorts.includes(student.Cohort ?? '')) {
    return `${rotation.Name} does not take ${student.Cohort ? `cohort ${student.Cohort}` : 'students without a cohort'}`
  }
  return undefined
}

/** The places of each student, kept up while requests are checked one after the other. */
class Ledger {
  private readonly places = new Map<number, Placement[]>()
  private readonly taken: Map<string, { Placed: number; Capacity: number }>
  /** Minutes of each student by day and by week, so that no request looks through all the others. */
  private readonly days = new Map<number, Map<string, number>>()
  private readonly weeks = new Map<number, Map<string, number>>()
  private readonly weekStarts = new Map<string, string>()
  private readonly shared: Map<string, number>
  private readonly shifts: Facts['Shifts']

  constructor({ Placed, Taken, Shared, Shifts }: Facts) {
    for (const placement of Placed) this.put(placement)
    this.taken = new Map([...Taken].map(([key, day]) => [key, { ...day }]))
    this.shared = new Map(Shared)
    this.shifts = Shifts
  }

  /** Places left at the site of a shift, where several programs share it. */
  leftOfShared(siteId: number, date: string): number | undefined {
    return this.shared.get(sharedKey(siteId, date))
  }

  private countShared({ SiteShiftId, Date: date }: Placement, by: 1 | -1): void {
    const siteId = this.shifts.get(SiteShiftId)?.SiteId
    const left = siteId === undefined ? undefined : this.leftOfShared(siteId, date)
    if (siteId !== undefined && left !== undefined) this.shared.set(sharedKey(siteId, date), left - by)
  }

  private weekStart(date: string): string {
    let weekStart = this.weekStarts.get(date)
    if (weekStart === undefined) {
      weekStart = weekOf(date)
      this.weekStarts.set(date, weekStart)
    }
    return weekStart
  }

  /** Adds the minutes of the placement, or with -1 takes them away, without keeping where it is. */
  count(placement: Placement, sign: 1 | -1): void {
    const { StudentId, Date: date } = placement
    const minutes = sign * minutesOf(placement)
    let [days, weeks] = [this.days.get(StudentId), this.weeks.get(StudentId)]
    if (!days || !weeks) {
      days = new Map()
      weeks = new Map()
      this.days.set(StudentId, days)
      this.weeks.set(StudentId, weeks)
    }
    days.set(date, (days.get(date) ?? 0) + minutes)
    const weekStart = this.weekStart(date)
    weeks.set(weekStart, (weeks.get(weekStart) ?? 0) + minutes)
  }

  private put(placement: Placement): void {
    this.list(placement.StudentId).push(placement)
    this.count(placement, 1)
  }

  /** Minutes of the student on the day. */
  onDay({ StudentId, Date: date }: Placement): number {
    return this.days.get(StudentId)?.get(date) ?? 0
  }

  /** Minutes of the student in the week of the day, and its first day. */
  inWeek({ StudentId, Date: date }: Placement): { weekStart: string; minutes: number } {
    const weekStart = this.weekStart(date)
    return { weekStart, minutes: this.weeks.get(StudentId)?.get(weekStart) ?? 0 }
  }

  private list(studentId: number): Placement[] {
    let list = this.places.get(studentId)
    if (!list) {
      list = []
      this.places.set(studentId, list)
    }
    return list
  }

  of(studentId: number): readonly Placement[] {
    return this.list(studentId)
  }

  day(shift: ShiftFacts, date: string): { Placed: number; Capacity: number } {
    return this.taken.get(dayKey(shift.Id, date)) ?? { Placed: 0, Capacity: shift.Capacity }
  }

  add(placement: Placement, shift: ShiftFacts): void {
    this.put(placement)
    const day = this.day(shift, placement.Date)
    this.taken.set(dayKey(shift.Id, placement.Date), { ...day, Placed: day.Placed + 1 })
    this.countShared(placement, 1)
  }

  remove(assignmentId: number, studentId: number): Placement | undefined {
    const list = this.list(studentId)
    const at = list.findIndex(({ Id }) => Id === assignmentId)
    if (at < 0) return undefined
    const [placement] = list.splice(at, 1)
    // The index was found, so something was cut out.
    this.count(placement!, -1)
    const key = dayKey(placement!.SiteShiftId, placement!.Date)
    const day = this.taken.get(key)
    if (day) this.taken.set(key, { ...day, Placed: day.Placed - 1 })
    // As above.
    this.countShared(placement!, -1)
    return placement
  }

  /** Puts back what `remove` took out. */
  restore(placement: Placement): void {
    this.put(placement)
    const key = dayKey(placement.SiteShiftId, placement.Date)
    const day = this.taken.get(key)
    if (day) this.taken.set(key, { ...day, Placed: day.Placed + 1 })
    this.countShared(placement, 1)
  }
}

const minutesOf = ({ StartsAt, EndsAt }: Placement): number => Math.round((EndsAt - StartsAt) / 60_000)

/** Rules that look at nothing but the shift and the day: everybody who is there has the same answer. */
const dayRules = ['shift_dates', 'shift_weekday', 'program_dates', 'day_off', 'agreement'] as const
type DayRule = (typeof dayRules)[number]

const findDayFault = (
  rule: DayRule,
  shift: ShiftFacts,
  date: string,
  facts: DayFacts,
): string | undefined => {
  switch (rule) {
    case 'shift_dates':
    case 'shift_weekday': {
      const fault = findShiftDayFault(shift, date)
      return fault?.Rule === rule ? fault.Message : undefined
    }
    case 'program_dates':
      return isWithin(date, facts.ActiveFrom, facts.ActiveThrough)
        ? undefined
        : `${dayText(date)} lies outside the program’s dates, ${facts.ActiveFrom ? formatDate(facts.ActiveFrom) : 'open'} – ${facts.ActiveThrough ? formatDate(facts.ActiveThrough) : 'open'}. Pick another date.`
    case 'day_off': {
      const off = facts.DaysOff.find(({ StartDate, EndDate }) => isWithin(date, StartDate, EndDate))
      return off && `${dayText(date)} is a day off: ${off.Name}. Pick another date.`
    }
    case 'agreement': {
      const isInForce = facts.Agreements.some(
        ({ SiteId, InitialDate, TerminationDate }) =>
          SiteId === shift.SiteId && isWithin(date, InitialDate, TerminationDate),
      )
      return isInForce
        ? undefined
        : `${shift.Site} has no agreement in force on ${dayText(date)}. Renew it, or pick another date or shift.`
    }
  }
}

/** Whether everybody who is on the shift that day is in conflict with a rule of the program. */
export const isDayBroken = (shift: ShiftFacts, date: string, facts: DayFacts): boolean =>
  dayRules.some(
    (rule) =>
      strictnessOf(facts.Options, rule) !== 'off' && findDayFault(rule, shift, date, facts) !== undefined,
  )

/** The message of one rule for one request; undefined when the rule is kept. */
const findFault = (
  rule: PlacementRule,
  request: Placement,
  facts: Facts,
  ledger: Ledger,
): string | undefined => {
  const { Date: date } = request
  const student = facts.Students.get(request.StudentId)!
  const shift = facts.Shifts.get(request.SiteShiftId)!
  const rotation = facts.Rotations.get(request.RotationId)!
  switch (rule) {
    case 'last_day':
      return findLastDayFault(student, date)
    case 'rotation_dates':
      return findRotationDayFault(rotation, date)
    case 'rotation_level': {
      const fault = findLevelFault(rotation, student)
      return fault && `${person(student)} cannot be placed on ${dayText(date)}: ${fault}.`
    }
    case 'shift_dates':
    case 'shift_weekday':
    case 'program_dates':
    case 'day_off':
    case 'agreement':
      return findDayFault(rule, shift, date, facts)
    case 'compliance': {
      const fault = findRequirementFault(student, date, shift.SiteId)
      return (
        fault &&
        `${student.FirstName || person(student)} cannot be placed on ${dayText(date)}: ${fault}. Upload a new card or ask for a waiver.`
      )
    }
    case 'overlap': {
      const other = ledger
        .of(request.StudentId)
        .find(({ StartsAt, EndsAt }) => StartsAt < request.EndsAt && EndsAt > request.StartsAt)
      if (!other) return undefined
      const where = facts.Shifts.get(other.SiteShiftId)
      return `${person(student)} is already placed${where ? ` on ${where.Code} at ${where.Site}` : ''} on ${dayText(other.Date)}. Pick another date, or change that assignment.`
    }
    case 'capacity': {
      const { Placed, Capacity } = ledger.day(shift, date)
      if (Placed >= Capacity)
        return `${shift.Site} is full on ${dayText(date)}: ${Placed} of ${Capacity} places. Pick another date or shift.`
      // Without figures: they would tell how many students of other programs are there.
      const left = ledger.leftOfShared(shift.SiteId, date)
      return left !== undefined && left <= 0
        ? `${shift.Site} is shared with other programs and has no place left on ${dayText(date)}. Pick another date or site.`
        : undefined
    }
    case 'hours_per_day': {
      const most = facts.Options.MostHoursPerDay
      const sum = minutesOf(request) + ledger.onDay(request)
      return sum <= most * 60
        ? undefined
        : `${person(student)} would have ${hoursText(sum)} h on ${dayText(date)}; the program allows ${hoursText(most * 60)}. Pick another date.`
    }
    case 'hours_per_week': {
      const most = facts.Options.MostHoursPerWeek
      const { weekStart: week, minutes } = ledger.inWeek(request)
      const sum = minutesOf(request) + minutes
      return sum <= most * 60
        ? undefined
        : `${person(student)} would have ${hoursText(sum)} h in the week of ${dayText(week)} with ${dayText(date)}; the program allows ${hoursText(most * 60)}. Remove one day or ask for an exception.`
    }
  }
}

export interface PlacementVerdict<W extends Placement> {
  Accepted: W[]
  Refused: Finding[]
  /** Rules that the program only warns about, of accepted requests. */
  Warnings: Finding[]
}

/**
 * Checks requests one after the other, each against what is placed and the requests accepted before it. A request with an `Id`
 * replaces that assignment: its old place counts as free while it is checked, and it stays when it is refused.
 */
export const checkPlacement = <W extends Placement>(
  requests: readonly W[],
  facts: Facts,
): PlacementVerdict<W> => {
  const ledger = new Ledger(facts)
  const held = placementRules
    .map((rule) => ({ rule, strictness: strictnessOf(facts.Options, rule) }))
    .filter(({ strictness }) => strictness !== 'off')
  const result: PlacementVerdict<W> = { Accepted: [], Refused: [], Warnings: [] }
  for (const request of requests) {
    const replaced = request.Id === undefined ? undefined : ledger.remove(request.Id, request.StudentId)
    const found = held.flatMap(({ rule, strictness }) => {
      const Message = findFault(rule, request, facts, ledger)
      return Message ? [{ Rule: rule, Message, IsWarning: strictness !== 'block' }] : []
    })
    const whose = { StudentId: request.StudentId, Date: request.Date }
    const refusal = found.find(({ IsWarning }) => !IsWarning)
    if (refusal) {
      const Also = found.filter((one) => one !== refusal)
      const { Rule, Message } = refusal
      result.Refused.push({ ...whose, Rule, Message, ...(Also.length > 0 && { Also }) })
      if (replaced) ledger.restore(replaced)
    } else {
      result.Accepted.push(request)
      result.Warnings.push(...found.map(({ Rule, Message }) => ({ ...whose, Rule, Message })))
      ledger.add(request, facts.Shifts.get(request.SiteShiftId)!)
    }
  }
  return result
}

export interface Conflict extends Finding {
  AssignmentId: number
  /** Whether the program refuses it today, or only warns. */
  Strictness: 'warn' | 'block'
}

/** Rules that one assignment can break by itself or with the student's others; the ones that a picture marks. */
const marked: readonly PlacementRule[] = [
  'rotation_dates',
  'shift_dates',
  'shift_weekday',
  'program_dates',
  'day_off',
  'compliance',
  'agreement',
  'hours_per_day',
  'hours_per_week',
]

/** Of them, those that look at nothing but the day, the shift and the rotation: everybody there has the same answer. */
const ofPlace: ReadonlySet<PlacementRule> = new Set<PlacementRule>(['rotation_dates', ...dayRules])

/** Until which day all that is required is in order; '' when something is not, null when it has no end. */
const inOrderUntil = ({ Requirements }: StudentFacts): string | null => {
  let first: string | null = null
  for (const requirement of Requirements) {
    const { ExpiresOn } = requirement
    if (!isInOrder(requirement) || requirement.MaxAgeDays || requirement.IsExemptionRefused) return ''
    if (ExpiresOn && (first === null || ExpiresOn < first)) first = ExpiresOn
  }
  return first
}

/** What `make` answers for a key, made once. */
const kept = <K, V>(known: Map<K, V>, key: K, make: () => V): V => {
  const found = known.get(key)
  if (found !== undefined || known.has(key)) return found as V
  const made = make()
  known.set(key, made)
  return made
}

/**
 * What breaks the rules of today among assignments made earlier, by date: at most one finding an assignment. Hours
 * are charged to the assignment that passes the limit, in the order of time. What many assignments share is looked at once:
 * a picture of 3,000 students holds 50,000 of them.
 */
export const findConflicts = (
  assignments: readonly (Placement & { Id: number })[],
  facts: Facts,
): Conflict[] => {
  const held = marked
    .map((rule) => ({ rule, strictness: strictnessOf(facts.Options, rule) }))
    .filter(({ strictness }) => strictness !== 'off')
  const own = held.filter(({ rule }) => !ofPlace.has(rule))
  const ledger = new Ledger({ ...facts, Placed: [], Taken: new Map() })
  const places = new Map<string, Map<number, Map<number, boolean>>>()
  const orders = new Map<number, string | null>()
  /** Whether a rule of the place is broken there on the day, whoever is placed. */
  const isPlaceBroken = (assignment: Placement): boolean => {
    const shifts = kept(places, assignment.Date, () => new Map<number, Map<number, boolean>>())
    const rotations = kept(shifts, assignment.SiteShiftId, () => new Map<number, boolean>())
    return kept(rotations, assignment.RotationId, () =>
      held.some(({ rule }) => ofPlace.has(rule) && findFault(rule, assignment, facts, ledger) !== undefined),
    )
  }
  const mayBreak = (rule: PlacementRule, { StudentId, Date: date }: Placement): boolean => {
    if (rule !== 'compliance') return true
    const until = kept(orders, StudentId, () => inOrderUntil(facts.Students.get(StudentId)!))
    return until !== null && date > until
  }
  const conflicts: Conflict[] = []
  for (const assignment of assignments.toSorted((a, b) => a.StartsAt - b.StartsAt || a.Id - b.Id)) {
    for (const { rule, strictness } of isPlaceBroken(assignment) ? held : own) {
      if (!mayBreak(rule, assignment)) continue
      const message = findFault(rule, assignment, facts, ledger)
      if (!message) continue
      conflicts.push({
        AssignmentId: assignment.Id,
        StudentId: assignment.StudentId,
        Date: assignment.Date,
        Rule: rule,
        Message: message,
        Strictness: strictness === 'block' ? 'block' : 'warn',
      })
      break
    }
    ledger.count(assignment, 1)
  }
  return conflicts
}
