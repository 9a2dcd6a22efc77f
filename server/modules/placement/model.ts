import { addDays, formatDate, mondayOf } from '#contract/core/calendar.ts'
import type { Block } from '#contract/placement/plan-rules.ts'
import { daysOfBlock, milesBetween, patternsOf } from '#contract/placement/plan-rules.ts'
import type { Experience, PlanRules, Template } from '#contract/placement/plans.ts'
import type { ProgramOptions } from '#contract/programs/program-options.ts'
import { findRequirementFault } from '#contract/scheduling/requirement-fault.ts'
import {
  type AgreementFacts,
  dayKey,
  findLevelFault,
  type RotationFacts,
  type StudentFacts,
  sharedKey,
} from '#contract/scheduling/scheduling-rules.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { shiftTimes } from '../scheduling/shift-times.service.ts'

export interface PlanStudentFacts extends StudentFacts {
  /** 'Okafor, Ada' */
  Name: string
  /** Sites as ranked, the best first. */
  SiteIds: readonly number[]
  Pins: readonly { Block: number; SiteId: number }[]
  Excluded: readonly number[]
  /** Owed from earlier plans. */
  Points: number
  Latitude: number | null
  Longitude: number | null
}

export interface PlanShiftFacts {
  Id: number
  Code: string
  SiteId: number
  Type: ShiftType
  Weekdays: readonly number[]
  StartDate: string
  EndDate: string
  Capacity: number
  StartTime: string
  EndTime: string
}

export interface PlanSiteFacts {
  Id: number
  Name: string
  Code: string
  AreaId: number | null
  TimeZone: string
  Latitude: number | null
  Longitude: number | null
  /** Students that the site has room for at all. */
  Capacity: number | null
  Takes: number | null
  Reserved: number
  Technologists: number | null
  Agreements: readonly (AgreementFacts & { Capacity: number | null })[]
}

/** At most so many students at a time at a site, as it answered to a request; of one level, or of any. */
export interface AgreedPlaces {
  SiteId: number
  StudentLevelId: number | null
  StartDate: string
  EndDate: string
  Places: number
}

export interface PlanPlacement {
  StudentId: number
  SiteShiftId: number
  Date: string
  StartsAt: number
  EndsAt: number
}

/** Everything that a plan is solved from. */
export interface PlanFacts {
  Name: string
  Template: Template
  Blocks: readonly Block[]
  Rules: PlanRules
  MostRanks: number
  Rotation: RotationFacts
  Options: ProgramOptions
  ActiveFrom: string | null
  ActiveThrough: string | null
  DaysOff: readonly { StartDate: string; EndDate: string }[]
  Students: readonly PlanStudentFacts[]
  Sites: readonly PlanSiteFacts[]
  Shifts: readonly PlanShiftFacts[]
  /** By `dayKey`; without what the plan itself has placed. */
  Taken: ReadonlyMap<string, { Placed: number; Capacity: number }>
  /** Other shifts of the students. */
  Placed: readonly PlanPlacement[]
  /** What sites offered for all their shifts and the program accepted, the oldest first. */
  Agreed: readonly AgreedPlaces[]
  /** Places left at sites that several programs share, by `sharedKey`; without what the plan itself has placed. */
  Shared: ReadonlyMap<string, number>
  /** What was accepted already. */
  Accepted: readonly { StudentId: number; Block: number; SiteShiftId: number }[]
}

/** A shift on some of its weekdays: what a student is given for a block. */
export interface PlanOption {
  SiteShiftId: number
  SiteId: number
  site: number
  code: string
  type: ShiftType
  areaId: number | null
  /** By group; null for groups that cannot come. */
  weekdays: (number[] | null)[]
}

/** An experience of a group: so many blocks that each of its students has at some of the options. */
export interface Need {
  name: string
  /** By option. */
  has: Uint8Array
  /** By student. */
  least: Int16Array
}

/** A plan in numbers: students i, blocks b, options o and sites s by their position. */
export interface Model {
  facts: PlanFacts
  blocks: number
  options: readonly PlanOption[]
  /** The group of each student; -1 for none. */
  groupOf: Int16Array
  /** [o × blocks + b], and [s × blocks + b]. */
  optionPlaces: Int32Array
  sitePlaces: Int32Array
  /** [(i × blocks + b) × options + o] */
  allowed: Uint8Array
  /** The option that was accepted, [i × blocks + b]; -1. */
  fixed: Int16Array
  needs: readonly Need[]
  /** Why a student cannot be on an option in a block. */
  faultOf: (i: number, b: number, o: number) => string | undefined
}

const isWithin = (date: string, from: string | null, through: string | null): boolean =>
  (!from || date >= from) && (!through || date <= through)

/** Students by the group that names their level, or by the one that names none. */
const groupsOf = ({ Students, Rules: { Groups } }: PlanFacts): Int16Array =>
  Int16Array.from(Students, ({ StudentLevelId }) => {
    const named = Groups.findIndex(
      ({ StudentLevelIds }) => StudentLevelId !== null && StudentLevelIds.includes(StudentLevelId),
    )
    return named >= 0 ? named : Groups.findIndex(({ StudentLevelIds }) => StudentLevelIds.length === 0)
  })

/** Patterns of one shift that share a weekday share its places, so they are one option. */
const optionsOf = (facts: PlanFacts): PlanOption[] => {
  const { Groups, SiteIds } = facts.Rules
  const siteIndex = new Map(facts.Sites.map(({ Id }, index) => [Id, index]))
  const chosen = new Set(SiteIds)
  const options: PlanOption[] = []
  for (const shift of facts.Shifts) {
    const site = siteIndex.get(shift.SiteId)
    if (site === undefined || (chosen.size > 0 && !chosen.has(shift.SiteId))) continue
    const parts: { days: Set<number>; weekdays: (number[] | null)[] }[] = []
    for (const [index, group] of Groups.entries()) {
      if (group.Types.length > 0 && !group.Types.includes(shift.Type)) continue
      for (const pattern of patternsOf(group, shift.Weekdays)) {
        const touching = parts.filter(({ days }) => pattern.some((day) => days.has(day)))
        const part = touching[0] ?? { days: new Set<number>(), weekdays: Groups.map(() => null) }
        if (touching.length === 0) parts.push(part)
        for (const other of touching.slice(1)) {
          for (const day of other.days) part.days.add(day)
          part.weekdays = part.weekdays.map((days, at) => days ?? other.weekdays[at] ?? null)
          parts.splice(parts.indexOf(other), 1)
        }
        for (const day of pattern) part.days.add(day)
        part.weekdays[index] ??= pattern
      }
    }
    for (const { weekdays } of parts)
      options.push({
        SiteShiftId: shift.Id,
        SiteId: shift.SiteId,
        site,
        code: shift.Code,
        type: shift.Type,
        areaId: facts.Sites[site]?.AreaId ?? null,
        weekdays,
      })
  }
  return options
}

const isOff = (facts: PlanFacts, date: string): boolean =>
  facts.Options.DayOffRule !== 'off' &&
  facts.DaysOff.some(({ StartDate, EndDate }) => isWithin(date, StartDate, EndDate))

/** The dates of an option in a block for a group, without days off. */
export const datesOf = (facts: PlanFacts, option: PlanOption, group: number, block: number): string[] => {
  const weekdays = option.weekdays[group]
  const at = facts.Blocks[block]
  return weekdays && at ? daysOfBlock(at, weekdays).filter((date) => !isOff(facts, date)) : []
}

/** Why nobody can be on an option on these dates of a block; undefined when somebody can. */
const findOptionFault = (
  facts: PlanFacts,
  option: PlanOption,
  shift: PlanShiftFacts,
  dates: readonly string[],
): string | undefined => {
  const site = facts.Sites[option.site]
  const [first] = dates
  const last = dates.at(-1)
  if (!site || first === undefined || last === undefined) return 'has no day in it'
  if (first < shift.StartDate || last > shift.EndDate)
    return `runs ${formatDate(shift.StartDate)} – ${formatDate(shift.EndDate)} only`
  if (
    facts.Options.RotationDatesRule !== 'off' &&
    (first < facts.Rotation.StartDate || last > facts.Rotation.EndDate)
  )
    return `lies outside ${facts.Rotation.Name}`
  if (
    facts.Options.ProgramDatesRule !== 'off' &&
    !dates.every((date) => isWithin(date, facts.ActiveFrom, facts.ActiveThrough))
  )
    return 'lies outside the program’s dates'
  if (
    facts.Options.AgreementRule !== 'off' &&
    !dates.every((date) =>
      site.Agreements.some(({ InitialDate, TerminationDate }) =>
        isWithin(date, InitialDate, TerminationDate),
      ),
    )
  )
    return 'has no agreement in force'
  return undefined
}

const minutesOf = ({ StartTime, EndTime }: PlanShiftFacts): number => {
  const at = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  return (at(EndTime) - at(StartTime) + 1440) % 1440 || 1440
}

/**
 * The places that a site has agreed to on a day: of each level the newest, together. Undefined where it was not asked, or asked for
 * some of its shifts only.
 */
export const agreedOn = (
  agreed: readonly AgreedPlaces[],
  siteId: number,
  date: string,
): number | undefined => {
  const byLevel = new Map<number | null, number>()
  for (const { SiteId, StudentLevelId, StartDate, EndDate, Places } of agreed)
    if (SiteId === siteId && isWithin(date, StartDate, EndDate)) byLevel.set(StudentLevelId, Places)
  return byLevel.size === 0 ? undefined : [...byLevel.values()].reduce((sum, each) => sum + each, 0)
}

const places = (facts: PlanFacts, options: readonly PlanOption[]) => {
  const blocks = facts.Blocks.length
  const optionPlaces = new Int32Array(options.length * blocks)
  const sitePlaces = new Int32Array(facts.Sites.length * blocks)
  /** The days of an option in a block, for whichever group. */
  const optionDates: Set<string>[] = []
  const shifts = new Map(facts.Shifts.map((shift) => [shift.Id, shift]))
  /** Students of others at a site by day. */
  const others = new Map<string, number>()
  const siteOfShift = new Map(facts.Shifts.map(({ Id, SiteId }) => [Id, SiteId]))
  for (const [key, { Placed }] of facts.Taken) {
    const [shiftId, date] = key.split(' ')
    const at = `${siteOfShift.get(Number(shiftId))} ${date}`
    others.set(at, (others.get(at) ?? 0) + Placed)
  }
  for (const [o, option] of options.entries()) {
    const shift = shifts.get(option.SiteShiftId)
    const site = facts.Sites[option.site]
    if (!shift || !site) continue
    for (let b = 0; b < blocks; b++) {
      const dates = new Set(option.weekdays.flatMap((_, group) => datesOf(facts, option, group, b)))
      optionDates[o * blocks + b] = dates
      let least = dates.size === 0 ? 0 : Number.POSITIVE_INFINITY
      for (const date of dates) {
        const day = facts.Taken.get(dayKey(shift.Id, date))
        const capacity = Math.min(
          day?.Capacity ?? shift.Capacity,
          site.Technologists ?? Number.POSITIVE_INFINITY,
        )
        least = Math.min(least, capacity - (day?.Placed ?? 0))
      }
      optionPlaces[o * blocks + b] = Math.max(0, Math.min(least, 30_000))
    }
  }
  const agreedOf = Map.groupBy(facts.Agreed, ({ SiteId }) => SiteId)
  for (const [s, site] of facts.Sites.entries()) {
    const ofSite = [...options.keys()].filter((o) => options[o]?.site === s)
    for (let b = 0; b < blocks; b++) {
      const at = facts.Blocks[b]
      const inForce = at
        ? site.Agreements.filter(({ InitialDate, TerminationDate }) =>
            isWithin(at.StartDate, InitialDate, TerminationDate),
          )
        : []
      const agreed =
        inForce.length > 0 && inForce.every(({ Capacity }) => Capacity !== null)
          ? Math.max(...inForce.map(({ Capacity }) => Capacity ?? 0))
          : Number.POSITIVE_INFINITY
      const most = Math.min(
        site.Takes ?? Number.POSITIVE_INFINITY,
        agreed,
        site.Capacity ?? Number.POSITIVE_INFINITY,
      )
      const dates = new Set(ofSite.flatMap((o) => [...(optionDates[o * blocks + b] ?? [])]))
      const scheduled = ofSite.reduce((sum, o) => sum + (optionPlaces[o * blocks + b] ?? 0), 0)
      let left = scheduled
      for (const date of dates) {
        const atMost = Math.min(most, agreedOn(agreedOf.get(site.Id) ?? [], site.Id, date) ?? most)
        left = Math.min(left, atMost - (others.get(`${site.Id} ${date}`) ?? 0))
        left = Math.min(left, facts.Shared.get(sharedKey(site.Id, date)) ?? left)
      }
      sitePlaces[s * blocks + b] = Math.max(0, left - site.Reserved)
    }
  }
  return { optionPlaces, sitePlaces }
}

/** An option in a block for a group: why it cannot be, its days with their moments, and its minutes by the Monday of the week. */
interface OptionDays {
  fault: string | undefined
  dates: readonly string[]
  minutes: number
  weeks: ReadonlyMap<string, number>
  mostInWeek: number
  times: readonly { StartsAt: number; EndsAt: number }[]
}

/** What keeps a student from options, looked up once for each of them. */
class StudentFaults {
  private readonly facts: PlanFacts
  private readonly options: readonly PlanOption[]
  private readonly groupOf: Int16Array
  private readonly shifts: Map<number, PlanShiftFacts>
  private readonly placed: Map<number, PlanPlacement[]>
  private readonly known = new Map<string, OptionDays>()

  constructor(facts: PlanFacts, options: readonly PlanOption[], groupOf: Int16Array) {
    this.facts = facts
    this.options = options
    this.groupOf = groupOf
    this.shifts = new Map(facts.Shifts.map((shift) => [shift.Id, shift]))
    this.placed = Map.groupBy(facts.Placed, ({ StudentId }) => StudentId)
  }

  /** What holds of an option for everyone of a group in a block. */
  private ofOption(o: number, option: PlanOption, group: number, block: number): OptionDays {
    const key = `${o} ${group} ${block}`
    const before = this.known.get(key)
    if (before) return before
    const shift = this.shifts.get(option.SiteShiftId)
    const site = this.facts.Sites[option.site]
    const dates = datesOf(this.facts, option, group, block)
    const minutes = shift ? minutesOf(shift) : 0
    const weeks = new Map<string, number>()
    for (const date of dates) weeks.set(mondayOf(date), (weeks.get(mondayOf(date)) ?? 0) + minutes)
    const found: OptionDays = {
      fault:
        shift && option.weekdays[group]
          ? findOptionFault(this.facts, option, shift, dates)
          : 'does not run on the weekdays of the group',
      dates,
      minutes,
      weeks,
      mostInWeek: Math.max(0, ...weeks.values()),
      times:
        shift && site
          ? dates.map((date) => shiftTimes(date, shift.StartTime, shift.EndTime, site.TimeZone))
          : [],
    }
    this.known.set(key, found)
    return found
  }

  find(i: number, block: number, o: number): string | undefined {
    const { facts } = this
    const student = facts.Students[i]
    const option = this.options[o]
    const group = this.groupOf[i] ?? -1
    if (!student || !option) return 'is not in the plan'
    if (group < 0) return 'is in no group of the plan'
    if (student.Excluded.includes(option.SiteId)) return 'is excluded from this site'
    const pin = student.Pins.find(({ Block: at }) => at === block)
    if (pin && pin.SiteId !== option.SiteId) return 'is pinned to another site'
    const days = this.ofOption(o, option, group, block)
    if (days.fault) return days.fault
    if (facts.Options.RotationLevelRule !== 'off' && findLevelFault(facts.Rotation, student))
      return 'is not taken by the rotation'
    if (facts.Options.ComplianceRule !== 'off' && student.Requirements.length > 0) {
      for (const date of days.dates) {
        const fault = findRequirementFault(student, date, option.SiteId)
        if (fault) return fault
      }
    }
    return this.findTimeFault(student.Id, days)
  }

  private findTimeFault(studentId: number, days: OptionDays): string | undefined {
    const { Options } = this.facts
    const { dates, minutes, times } = days
    if (Options.HoursPerDayRule !== 'off' && minutes > Options.MostHoursPerDay * 60)
      return `is longer than ${Options.MostHoursPerDay} hours a day`
    const isWeekHeld = Options.HoursPerWeekRule !== 'off'
    const mostOfWeek = Options.MostHoursPerWeek * 60
    const inWeek = `passes ${Options.MostHoursPerWeek} hours a week`
    if (isWeekHeld && days.mostInWeek > mostOfWeek) return inWeek
    const [first] = dates
    const last = dates.at(-1)
    const others =
      first === undefined || last === undefined
        ? []
        : (this.placed.get(studentId) ?? []).filter(
            ({ Date: date }) => date >= addDays(mondayOf(first), -1) && date <= addDays(mondayOf(last), 7),
          )
    if (others.length === 0) return undefined
    const weeks = new Map(days.weeks)
    for (const { Date: date, StartsAt, EndsAt } of others) {
      const week = mondayOf(date)
      const sum = weeks.get(week)
      if (sum !== undefined) weeks.set(week, sum + (EndsAt - StartsAt) / 60_000)
    }
    if (isWeekHeld && Math.max(...weeks.values()) > mostOfWeek) return inWeek
    for (const [index, date] of dates.entries()) {
      const time = times[index]
      if (time && others.some((other) => other.StartsAt < time.EndsAt && other.EndsAt > time.StartsAt))
        return `overlaps another shift on ${formatDate(date)}`
      const sameDay = others.filter((other) => other.Date === date)
      const sum = sameDay.reduce((all, each) => all + (each.EndsAt - each.StartsAt) / 60_000, minutes)
      if (Options.HoursPerDayRule !== 'off' && sum > Options.MostHoursPerDay * 60)
        return `passes ${Options.MostHoursPerDay} hours on ${formatDate(date)}`
    }
    return undefined
  }
}

const matches = ({ SiteIds, AreaIds, Types }: Experience, option: PlanOption): boolean =>
  (SiteIds.length === 0 || SiteIds.includes(option.SiteId)) &&
  (AreaIds.length === 0 || (option.areaId !== null && AreaIds.includes(option.areaId))) &&
  (Types.length === 0 || Types.includes(option.type))

const needsOf = (facts: PlanFacts, options: readonly PlanOption[], groupOf: Int16Array): Need[] =>
  facts.Rules.Groups.flatMap((group, g) =>
    group.Experiences.map((experience) => ({
      name: experience.Name,
      has: Uint8Array.from(options, (option) => (matches(experience, option) ? 1 : 0)),
      least: Int16Array.from(groupOf, (of) => (of === g ? experience.Blocks : 0)),
    })),
  )

/** Miles from a student to a site; null when one of both is not known. */
export const milesOf = (student: PlanStudentFacts, site: PlanSiteFacts): number | null =>
  student.Latitude === null || student.Longitude === null || site.Latitude === null || site.Longitude === null
    ? null
    : milesBetween(
        { Latitude: student.Latitude, Longitude: student.Longitude },
        { Latitude: site.Latitude, Longitude: site.Longitude },
      )

/** A plan in numbers; who may be where only of the blocks that are asked for, of all when none are named. */
export const buildModel = (facts: PlanFacts, only?: readonly number[]): Model => {
  const blocks = facts.Blocks.length
  const groupOf = groupsOf(facts)
  const options = optionsOf(facts)
  const faults = new StudentFaults(facts, options, groupOf)
  const { optionPlaces, sitePlaces } = places(facts, options)
  const count = facts.Students.length
  const width = options.length
  const allowed = new Uint8Array(count * blocks * width)
  const fixed = new Int16Array(count * blocks).fill(-1)
  const indexOf = new Map(facts.Students.map(({ Id }, i) => [Id, i]))
  for (const { StudentId, Block: block, SiteShiftId } of facts.Accepted) {
    const i = indexOf.get(StudentId)
    if (i === undefined || block >= blocks) continue
    const o = options.findIndex(
      (option) => option.SiteShiftId === SiteShiftId && option.weekdays[groupOf[i] ?? -1],
    )
    if (o >= 0) fixed[i * blocks + block] = o
  }
  for (let i = 0; i < count; i++)
    for (const b of only ?? facts.Blocks.keys())
      for (let o = 0; o < width; o++) {
        const at = fixed[i * blocks + b] ?? -1
        if (at >= 0 ? at !== o : faults.find(i, b, o) !== undefined) continue
        allowed[(i * blocks + b) * width + o] = 1
      }
  return {
    facts,
    blocks,
    options,
    groupOf,
    optionPlaces,
    sitePlaces,
    allowed,
    fixed,
    needs: needsOf(facts, options, groupOf),
    faultOf: (i, b, o) => faults.find(i, b, o),
  }
}
