import { addDays, datesBetween, formatDate, weekOf } from '#contract/core/calendar.ts'
import { daysOfBlock } from '#contract/placement/plan-rules.ts'
import {
  findRequirementFaults,
  isInOrder,
  type RequirementFacts,
} from '#contract/scheduling/requirement-fault.ts'
import { findLevelFault, type PlacementRule, strictnessOf } from '#contract/scheduling/scheduling-rules.ts'
import { shiftTimes } from '../../scheduling/shift-times.service.ts'
import type { Plan, PlannedShift, PlanOption, PlanPlacement } from './plan.rules.ts'
import { findPlaceFault, rotationOf, rotationsAt } from './rotations.rules.ts'

export const isWithin = (date: string, from: string | null, through: string | null): boolean =>
  (!from || date >= from) && (!through || date <= through)

const isOff = (plan: Plan, date: string): boolean =>
  plan.Options.DayOffRule !== 'off' &&
  plan.DaysOff.some(({ StartDate, EndDate }) => isWithin(date, StartDate, EndDate))

/** The dates of an option in a block for a group, without days off. */
export const datesOf = (plan: Plan, option: PlanOption, group: number, block: number): string[] => {
  const weekdays = option.weekdays[group]
  const at = plan.Blocks[block]
  return weekdays && at ? daysOfBlock(at, weekdays).filter((date) => !isOff(plan, date)) : []
}

/** What in a plan bars somebody from an option; the kind says where to change it. */
export interface Fault {
  kind:
    | 'noGroup'
    | 'weekdays'
    | 'excluded'
    | 'pinned'
    | 'noDay'
    | 'shiftDates'
    | 'rotationArea'
    | 'otherRotation'
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
  /** The requirement. */
  of?: string
}

/** The rules of the program that faults come from; all others hold in every plan. */
export const programRules = {
  rotationDates: 'rotation_dates',
  programDates: 'program_dates',
  agreement: 'agreement',
  level: 'rotation_level',
  requirement: 'compliance',
  hoursPerDay: 'hours_per_day',
  hoursPerWeek: 'hours_per_week',
} as const satisfies Partial<Record<Fault['kind'], PlacementRule>>

/** All reasons why nobody can be on an option on these dates of a block. */
const findOptionFaults = (
  plan: Plan,
  option: PlanOption,
  shift: PlannedShift,
  dates: readonly string[],
): Fault[] => {
  const site = plan.Sites[option.site]
  const [first] = dates
  const last = dates.at(-1)
  if (!site || first === undefined || last === undefined) return [{ kind: 'noDay', text: 'has no day in it' }]
  const faults: Fault[] = []
  if (first < shift.StartDate || last > shift.EndDate)
    faults.push({
      kind: 'shiftDates',
      text: `runs ${formatDate(shift.StartDate)} – ${formatDate(shift.EndDate)} only`,
    })
  const placeFault = findPlaceFault(plan, site.AreaId, first, last)
  if (placeFault) faults.push(placeFault)
  if (
    plan.Options.ProgramDatesRule !== 'off' &&
    !dates.every((date) => isWithin(date, plan.ActiveFrom, plan.ActiveThrough))
  )
    faults.push({ kind: 'programDates', text: 'lies outside the program’s dates' })
  if (
    plan.Options.AgreementRule !== 'off' &&
    !dates.every((date) =>
      site.Agreements.some(({ InitialDate, TerminationDate }) =>
        isWithin(date, InitialDate, TerminationDate),
      ),
    )
  )
    faults.push({ kind: 'agreement', text: 'has no agreement in force' })
  return faults
}

const minutesOf = ({ StartTime, EndTime }: PlannedShift): number => {
  const at = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  return (at(EndTime) - at(StartTime) + 1440) % 1440 || 1440
}

/** An option in a block for a group: its faults, its days with their times, and its minutes per week, keyed by its first day. */
interface OptionDays {
  faults: readonly Fault[]
  dates: readonly string[]
  /** Actual minutes, including on days when the clocks change. */
  minutesOn: (date: string) => number
  mostInDay: number
  weeks: ReadonlyMap<string, number>
  mostInWeek: number
  times: () => readonly { StartsAt: number; EndsAt: number }[]
  /** The rotations that it is for then. */
  rotations: readonly number[]
}

/** Whether a requirement may keep its student out at some point through the last day of the plan. */
const mayKeepOut = (requirement: RequirementFacts, last: string): boolean =>
  !isInOrder(requirement) ||
  (requirement.ExpiresOn !== null && requirement.ExpiresOn < last) ||
  requirement.IsExemptionRefused === true ||
  (requirement.MaxAgeDays ?? 0) > 0

/** What bars students from options; each option is looked up once. */
export class StudentFaults {
  private readonly plan: Plan
  private readonly options: readonly PlanOption[]
  private readonly groupOf: Int16Array
  private readonly shifts: Map<number, PlannedShift>
  private readonly placed: Map<number, PlanPlacement[]>
  private readonly known = new Map<number, OptionDays>()
  private readonly changes = new Map<string, ReadonlySet<string>>()
  /** Students whom a requirement may keep out on some day of the plan. */
  private readonly mayLack: Uint8Array

  constructor(plan: Plan, options: readonly PlanOption[], groupOf: Int16Array) {
    this.plan = plan
    this.options = options
    this.groupOf = groupOf
    this.shifts = new Map(plan.Shifts.map((shift) => [shift.Id, shift]))
    this.placed = Map.groupBy(plan.Placed, ({ StudentId }) => StudentId)
    const last = plan.Blocks.at(-1)?.EndDate ?? ''
    this.mayLack = Uint8Array.from(plan.Students, ({ Requirements }) =>
      plan.Options.ComplianceRule !== 'off' && Requirements.some((each) => mayKeepOut(each, last)) ? 1 : 0,
    )
  }

  /** The days of a plan on which clocks change in a time zone, and the days before, whose night shifts run into them. */
  private changedDays(zone: string): ReadonlySet<string> {
    const known = this.changes.get(zone)
    if (known) return known
    const [first, last] = [this.plan.Blocks[0]?.StartDate, this.plan.Blocks.at(-1)?.EndDate]
    const days = new Set<string>()
    for (const date of first && last ? datesBetween(first, addDays(last, 1)) : []) {
      const { StartsAt, EndsAt } = shiftTimes(date, '00:00', '00:00', zone)
      if (EndsAt - StartsAt !== 86_400_000) days.add(date).add(addDays(date, -1))
    }
    this.changes.set(zone, days)
    return days
  }

  /** What applies to everyone of a group on an option in a block. */
  private ofOption(o: number, option: PlanOption, group: number, block: number): OptionDays {
    const key = (group * this.plan.Blocks.length + block) * this.options.length + o
    const before = this.known.get(key)
    if (before) return before
    const shift = this.shifts.get(option.SiteShiftId)
    const site = this.plan.Sites[option.site]
    const dates = datesOf(this.plan, option, group, block)
    const minutes = shift ? minutesOf(shift) : 0
    const changed = shift && site ? this.changedDays(site.TimeZone) : undefined
    const minutesOn = (date: string): number => {
      if (!shift || !site || !changed?.has(date)) return minutes
      const { StartsAt, EndsAt } = shiftTimes(date, shift.StartTime, shift.EndTime, site.TimeZone)
      return (EndsAt - StartsAt) / 60_000
    }
    const weeks = new Map<string, number>()
    for (const date of dates) weeks.set(weekOf(date), (weeks.get(weekOf(date)) ?? 0) + minutesOn(date))
    let times: { StartsAt: number; EndsAt: number }[] | undefined
    const [first] = dates
    const last = dates.at(-1)
    const found: OptionDays = {
      faults:
        shift && option.weekdays[group]
          ? findOptionFaults(this.plan, option, shift, dates)
          : [{ kind: 'weekdays', text: 'does not run on the weekdays of the group' }],
      rotations: first && last ? rotationsAt(this.plan, site?.AreaId ?? null, first, last) : [],
      dates,
      minutesOn,
      mostInDay: dates.reduce((most, date) => Math.max(most, minutesOn(date)), 0),
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

  /** Whether a student's group alone decides where they can be. */
  isPlain(i: number): boolean {
    const student = this.plan.Students[i]
    return (
      student !== undefined &&
      student.Excluded.length === 0 &&
      student.Pins.length === 0 &&
      this.mayLack[i] === 0 &&
      !this.placed.has(student.Id) &&
      (this.plan.Options.RotationLevelRule === 'off' || this.takesOf(i).every(Boolean))
    )
  }

  /** Which of the plan's rotations take a student. */
  private takesOf(i: number): boolean[] {
    const student = this.plan.Students[i]
    return this.plan.Rotations.map(
      (_, r) => student !== undefined && rotationOf(this.plan, student, [r]) === r,
    )
  }

  /** The rotation that a student serves on an option in a block, by its position in the plan; -1 if none takes them. */
  rotationAt(i: number, block: number, o: number): number {
    const student = this.plan.Students[i]
    const option = this.options[o]
    const group = this.groupOf[i] ?? -1
    return student && option && group >= 0
      ? rotationOf(this.plan, student, this.ofOption(o, option, group, block).rotations)
      : -1
  }

  find(i: number, block: number, o: number): string | undefined {
    for (const { text } of this.each(i, block, o)) return text
    return undefined
  }

  /** Whether the program only warns about a fault, so that students are placed all the same. */
  private isWarned({ kind }: Fault): boolean {
    const { [kind]: rule }: Partial<Record<Fault['kind'], PlacementRule>> = programRules
    return rule !== undefined && strictnessOf(this.plan.Options, rule) === 'warn'
  }

  /** Everything that bars a student from an option, the plainest reason first. */
  *each(i: number, block: number, o: number): Generator<Fault> {
    for (const fault of this.all(i, block, o)) if (!this.isWarned(fault)) yield fault
  }

  /** What the program warns about where a student is on an option. */
  *warnings(i: number, block: number, o: number): Generator<Fault> {
    for (const fault of this.all(i, block, o)) if (this.isWarned(fault)) yield fault
  }

  private *all(i: number, block: number, o: number): Generator<Fault> {
    const { plan } = this
    const student = plan.Students[i]
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
    if (option.blocks && option.blocks[block] !== true)
      yield { kind: 'otherRotation', text: 'is for another rotation then' }
    const served = plan.Rotations[rotationOf(plan, student, days.rotations)]
    const isLevelHeld = plan.Options.RotationLevelRule !== 'off'
    if (days.rotations.length > 0 && (!served || (isLevelHeld && findLevelFault(served, student))))
      yield {
        kind: 'level',
        text:
          plan.Rotations.length > 1 ? 'is taken by none of its rotations' : 'is not taken by the rotation',
      }
    if (this.mayLack[i] === 1) {
      const found = new Set<string>()
      for (const date of days.dates)
        for (const { Name, Text } of findRequirementFaults(student, date, option.SiteId)) {
          if (found.has(Name)) continue
          found.add(Name)
          yield { kind: 'requirement', text: Text, of: Name }
        }
    }
    yield* this.timeFaults(student.Id, days)
  }

  private *timeFaults(studentId: number, days: OptionDays): Generator<Fault> {
    const { Options } = this.plan
    const { dates, minutesOn } = days
    const isDayHeld = Options.HoursPerDayRule !== 'off'
    const isWeekHeld = Options.HoursPerWeekRule !== 'off'
    const mostOfDay = Options.MostHoursPerDay * 60
    const mostOfWeek = Options.MostHoursPerWeek * 60
    const isLong = isDayHeld && days.mostInDay > mostOfDay
    if (isLong) yield { kind: 'hoursPerDay', text: `is longer than ${Options.MostHoursPerDay} hours a day` }
    const [first] = dates
    const last = dates.at(-1)
    const others =
      first === undefined || last === undefined
        ? []
        : (this.placed.get(studentId) ?? []).filter(
            ({ Date: date }) => date >= addDays(weekOf(first), -1) && date <= addDays(weekOf(last), 7),
          )
    const weeks = new Map(days.weeks)
    for (const { Date: date, StartsAt, EndsAt } of others) {
      const week = weekOf(date)
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
      return (
        sameDay.reduce((all, each) => all + (each.EndsAt - each.StartsAt) / 60_000, minutesOn(date)) >
        mostOfDay
      )
    })
    if (isDayHeld && !isLong && long)
      yield { kind: 'hoursPerDay', text: `passes ${Options.MostHoursPerDay} hours on ${formatDate(long)}` }
  }
}
