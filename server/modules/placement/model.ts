import { addDays, formatDate, mondayOf } from '#contract/core/calendar.ts'
import type { Block } from '#contract/placement/plan-rules.ts'
import { daysOfBlock, milesBetween, patternsOf } from '#contract/placement/plan-rules.ts'
import type { Experience, PlanRules, Template } from '#contract/placement/plans.ts'
import type { ProgramOptions } from '#contract/programs/program-options.ts'
import {
  findRequirementFault,
  isInOrder,
  type RequirementFacts,
} from '#contract/scheduling/requirement-fault.ts'
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
import { type AgreedPlaces, agreedOn } from './agreed-places.ts'

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
  /** All reasons. */
  faultsOf: (i: number, b: number, o: number) => Iterable<Fault>
  /** Most students that a site takes by its answer, its agreement and what is reserved, [s × blocks + b]; `noLimit` where only its shifts say it. */
  siteMost: Int32Array
}

/** More places than any plan has students. */
export const noLimit = 30_000

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

/** What of a plan keeps somebody from an option: the kind says where it is changed. */
export interface Fault {
  kind:
    | 'noGroup'
    | 'weekdays'
    | 'excluded'
    | 'pinned'
    | 'noDay'
    | 'shiftDates'
    | 'rotationDates'
    | 'programDates'
    | 'agreement'
    | 'level'
    | 'requirement'
    | 'hoursPerDay'
    | 'hoursPerWeek'
    | 'overlap'
  /** As it follows the name of a student. */
  text: string
}

/** Why nobody can be on an option on these dates of a block: all that there is. */
const findOptionFaults = (
  facts: PlanFacts,
  option: PlanOption,
  shift: PlanShiftFacts,
  dates: readonly string[],
): Fault[] => {
  const site = facts.Sites[option.site]
  const [first] = dates
  const last = dates.at(-1)
  if (!site || first === undefined || last === undefined) return [{ kind: 'noDay', text: 'has no day in it' }]
  const faults: Fault[] = []
  if (first < shift.StartDate || last > shift.EndDate)
    faults.push({
      kind: 'shiftDates',
      text: `runs ${formatDate(shift.StartDate)} – ${formatDate(shift.EndDate)} only`,
    })
  if (
    facts.Options.RotationDatesRule !== 'off' &&
    (first < facts.Rotation.StartDate || last > facts.Rotation.EndDate)
  )
    faults.push({ kind: 'rotationDates', text: `lies outside ${facts.Rotation.Name}` })
  if (
    facts.Options.ProgramDatesRule !== 'off' &&
    !dates.every((date) => isWithin(date, facts.ActiveFrom, facts.ActiveThrough))
  )
    faults.push({ kind: 'programDates', text: 'lies outside the program’s dates' })
  if (
    facts.Options.AgreementRule !== 'off' &&
    !dates.every((date) =>
      site.Agreements.some(({ InitialDate, TerminationDate }) =>
        isWithin(date, InitialDate, TerminationDate),
      ),
    )
  )
    faults.push({ kind: 'agreement', text: 'has no agreement in force' })
  return faults
}

const minutesOf = ({ StartTime, EndTime }: PlanShiftFacts): number => {
  const at = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  return (at(EndTime) - at(StartTime) + 1440) % 1440 || 1440
}

const places = (facts: PlanFacts, options: readonly PlanOption[]) => {
  const blocks = facts.Blocks.length
  const optionPlaces = new Int32Array(options.length * blocks)
  const sitePlaces = new Int32Array(facts.Sites.length * blocks)
  const siteMost = new Int32Array(facts.Sites.length * blocks).fill(noLimit)
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
      optionPlaces[o * blocks + b] = Math.max(0, Math.min(least, noLimit))
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
      let takes = most
      for (const date of dates) {
        const atMost = Math.min(most, agreedOn(agreedOf.get(site.Id) ?? [], site.Id, date) ?? most)
        takes = Math.min(takes, atMost - (others.get(`${site.Id} ${date}`) ?? 0))
        takes = Math.min(takes, facts.Shared.get(sharedKey(site.Id, date)) ?? takes)
      }
      const left = Math.min(scheduled, takes)
      sitePlaces[s * blocks + b] = Math.max(0, left - site.Reserved)
      const said = site.Reserved > 0 ? left : takes
      if (said < Number.POSITIVE_INFINITY) siteMost[s * blocks + b] = Math.max(0, said - site.Reserved)
    }
  }
  return { optionPlaces, sitePlaces, siteMost }
}

/** The shifts of a plan with their weekdays, and how many places they and their sites have in each block. */
export const placesOfPlan = (facts: PlanFacts) => {
  const options = optionsOf(facts)
  return { options, ...places(facts, options) }
}

/** An option in a block for a group: why it cannot be, its days with their moments, and its minutes by the Monday of the week. */
interface OptionDays {
  faults: readonly Fault[]
  dates: readonly string[]
  minutes: number
  weeks: ReadonlyMap<string, number>
  mostInWeek: number
  times: () => readonly { StartsAt: number; EndsAt: number }[]
}

/** Whether a requirement may keep its student out by the last day of the plan. */
const mayKeepOut = (requirement: RequirementFacts, last: string): boolean =>
  !isInOrder(requirement) ||
  (requirement.ExpiresOn !== null && requirement.ExpiresOn < last) ||
  requirement.IsExemptionRefused === true ||
  (requirement.MaxAgeDays ?? 0) > 0

/** What keeps a student from options, looked up once for each of them. */
class StudentFaults {
  private readonly facts: PlanFacts
  private readonly options: readonly PlanOption[]
  private readonly groupOf: Int16Array
  private readonly shifts: Map<number, PlanShiftFacts>
  private readonly placed: Map<number, PlanPlacement[]>
  private readonly known = new Map<number, OptionDays>()
  /** Students whom a requirement may keep out on some day of the plan. */
  private readonly mayLack: Uint8Array

  constructor(facts: PlanFacts, options: readonly PlanOption[], groupOf: Int16Array) {
    this.facts = facts
    this.options = options
    this.groupOf = groupOf
    this.shifts = new Map(facts.Shifts.map((shift) => [shift.Id, shift]))
    this.placed = Map.groupBy(facts.Placed, ({ StudentId }) => StudentId)
    const last = facts.Blocks.at(-1)?.EndDate ?? ''
    this.mayLack = Uint8Array.from(facts.Students, ({ Requirements }) =>
      facts.Options.ComplianceRule !== 'off' && Requirements.some((each) => mayKeepOut(each, last)) ? 1 : 0,
    )
  }

  /** What holds of an option for everyone of a group in a block. */
  private ofOption(o: number, option: PlanOption, group: number, block: number): OptionDays {
    const key = (group * this.facts.Blocks.length + block) * this.options.length + o
    const before = this.known.get(key)
    if (before) return before
    const shift = this.shifts.get(option.SiteShiftId)
    const site = this.facts.Sites[option.site]
    const dates = datesOf(this.facts, option, group, block)
    const minutes = shift ? minutesOf(shift) : 0
    const weeks = new Map<string, number>()
    for (const date of dates) weeks.set(mondayOf(date), (weeks.get(mondayOf(date)) ?? 0) + minutes)
    let times: { StartsAt: number; EndsAt: number }[] | undefined
    const found: OptionDays = {
      faults:
        shift && option.weekdays[group]
          ? findOptionFaults(this.facts, option, shift, dates)
          : [{ kind: 'weekdays', text: 'does not run on the weekdays of the group' }],
      dates,
      minutes,
      weeks,
      mostInWeek: Math.max(0, ...weeks.values()),
      times: () => {
        times ??=
          shift && site
            ? dates.map((date) => shiftTimes(date, shift.StartTime, shift.EndTime, site.TimeZone))
            : []
        return times
      },
    }
    this.known.set(key, found)
    return found
  }

  /** Whether nothing but her group says where a student can be. */
  isPlain(i: number): boolean {
    const student = this.facts.Students[i]
    return (
      student !== undefined &&
      student.Excluded.length === 0 &&
      student.Pins.length === 0 &&
      this.mayLack[i] === 0 &&
      !this.placed.has(student.Id) &&
      (this.facts.Options.RotationLevelRule === 'off' || !findLevelFault(this.facts.Rotation, student))
    )
  }

  find(i: number, block: number, o: number): string | undefined {
    for (const { text } of this.each(i, block, o)) return text
    return undefined
  }

  /** All that keeps a student from an option, the plainest first. */
  *each(i: number, block: number, o: number): Generator<Fault> {
    const { facts } = this
    const student = facts.Students[i]
    const option = this.options[o]
    const group = this.groupOf[i] ?? -1
    if (!student || !option || group < 0) {
      yield { kind: 'noGroup', text: 'is in no group of the plan' }
      return
    }
    if (student.Excluded.includes(option.SiteId))
      yield { kind: 'excluded', text: 'is excluded from this site' }
    const pin = student.Pins.find(({ Block: at }) => at === block)
    if (pin && pin.SiteId !== option.SiteId) yield { kind: 'pinned', text: 'is pinned to another site' }
    const days = this.ofOption(o, option, group, block)
    yield* days.faults
    if (facts.Options.RotationLevelRule !== 'off' && findLevelFault(facts.Rotation, student))
      yield { kind: 'level', text: 'is not taken by the rotation' }
    if (this.mayLack[i] === 1) {
      for (const date of days.dates) {
        const text = findRequirementFault(student, date, option.SiteId)
        if (text) {
          yield { kind: 'requirement', text }
          break
        }
      }
    }
    yield* this.timeFaults(student.Id, days)
  }

  private *timeFaults(studentId: number, days: OptionDays): Generator<Fault> {
    const { Options } = this.facts
    const { dates, minutes } = days
    const isDayHeld = Options.HoursPerDayRule !== 'off'
    const isWeekHeld = Options.HoursPerWeekRule !== 'off'
    const mostOfDay = Options.MostHoursPerDay * 60
    const mostOfWeek = Options.MostHoursPerWeek * 60
    const isLong = isDayHeld && minutes > mostOfDay
    if (isLong) yield { kind: 'hoursPerDay', text: `is longer than ${Options.MostHoursPerDay} hours a day` }
    const [first] = dates
    const last = dates.at(-1)
    const others =
      first === undefined || last === undefined
        ? []
        : (this.placed.get(studentId) ?? []).filter(
            ({ Date: date }) => date >= addDays(mondayOf(first), -1) && date <= addDays(mondayOf(last), 7),
          )
    const weeks = new Map(days.weeks)
    for (const { Date: date, StartsAt, EndsAt } of others) {
      const week = mondayOf(date)
      const sum = weeks.get(week)
      if (sum !== undefined) weeks.set(week, sum + (EndsAt - StartsAt) / 60_000)
    }
    if (isWeekHeld && Math.max(days.mostInWeek, ...weeks.values()) > mostOfWeek)
      yield { kind: 'hoursPerWeek', text: `passes ${Options.MostHoursPerWeek} hours a week` }
    if (others.length === 0) return
    const overlap = dates.find((_, index) => {
      const time = days.times()[index]
      return time && others.some((other) => other.StartsAt < time.EndsAt && other.EndsAt > time.StartsAt)
    })
    if (overlap) yield { kind: 'overlap', text: `overlaps another shift on ${formatDate(overlap)}` }
    const long = dates.find((date) => {
      const sameDay = others.filter((other) => other.Date === date)
      return sameDay.reduce((all, each) => all + (each.EndsAt - each.StartsAt) / 60_000, minutes) > mostOfDay
    })
    if (isDayHeld && !isLong && long)
      yield { kind: 'hoursPerDay', text: `passes ${Options.MostHoursPerDay} hours on ${formatDate(long)}` }
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
  const { optionPlaces, sitePlaces, siteMost } = places(facts, options)
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
  // Those of a group who have nothing of their own have the same row.
  const plainRows = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const isPlain = faults.isPlain(i)
    for (const b of only ?? facts.Blocks.keys()) {
      const at = i * blocks + b
      const isFree = (fixed[at] ?? -1) < 0
      const key = (groupOf[i] ?? -1) * blocks + b
      const same = isPlain && isFree ? plainRows.get(key) : undefined
      if (same !== undefined) {
        allowed.copyWithin(at * width, same * width, (same + 1) * width)
        continue
      }
      for (let o = 0; o < width; o++)
        if (isFree ? faults.find(i, b, o) === undefined : fixed[at] === o) allowed[at * width + o] = 1
      if (isPlain && isFree) plainRows.set(key, at)
    }
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
    faultsOf: (i, b, o) => faults.each(i, b, o),
    siteMost,
  }
}
