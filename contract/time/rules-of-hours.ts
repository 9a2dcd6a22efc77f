import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram } from '#contract/core/fields.ts'

/** To how many minutes of the clock a clock-in and a clock-out can be rounded; 0 rounds nothing. */
export const roundings = ['0', '5', '6', '15'] as const

export const mealLimits = { MealMinutes: { min: 0, max: 120 }, MealAfterHours: { min: 0, max: 24 } } as const

const ruleFields = {
  /** The first day, at the site, of whose records it tells the hours. */
  From: DateOnly,
  /** Taken off a record that counts for longer than MealAfterHours. */
  MealMinutes: z.number().int().min(mealLimits.MealMinutes.min).max(mealLimits.MealMinutes.max),
  MealAfterHours: z
    .number()
    .min(mealLimits.MealAfterHours.min)
    .max(mealLimits.MealAfterHours.max)
    .multipleOf(0.25),
  RoundTo: z.enum(roundings),
  /** Time on the clock before the shift starts does not count. */
  FromShiftStart: z.boolean(),
  /** Nor does time after it has ended. */
  ToShiftEnd: z.boolean(),
}

/** How much of the time on the clock counts, from a day on. */
export const HoursRule = z.strictObject({
  ...ruleFields,
  /** The break is taken off again after as many hours each: after 6 hours, after 12, after 18. */
  MealRepeats: z.boolean().default(false),
})
export type HoursRule = z.infer<typeof HoursRule>

const minute = 60_000
const dayMinutes = 24 * 60

/** What a program without rules has: time counts as it was on the clock. */
export const noRule: HoursRule = {
  From: '0001-01-01',
  MealMinutes: 0,
  MealAfterHours: 6,
  MealRepeats: false,
  RoundTo: '0',
  FromShiftStart: false,
  ToShiftEnd: false,
}

/** The rule of a day. */
export const ruleOn = (rules: readonly HoursRule[], date: string): HoursRule =>
  rules.filter(({ From }) => From <= date).toSorted((one, other) => (one.From < other.From ? 1 : -1))[0] ??
  noRule

/** Whether two rules count alike, whenever they begin. */
export const countAlike = (one: HoursRule, other: HoursRule): boolean =>
  one.MealMinutes === other.MealMinutes &&
  (one.MealMinutes === 0 ||
    (one.MealAfterHours === other.MealAfterHours && one.MealRepeats === other.MealRepeats)) &&
  one.RoundTo === other.RoundTo &&
  one.FromShiftStart === other.FromShiftStart &&
  one.ToShiftEnd === other.ToShiftEnd

/** A begin and an end, in milliseconds. */
export interface Span {
  startsAt: number
  endsAt: number
}

export interface Credit {
  /** What counts. */
  minutes: number
  /** From begin to end. */
  clockMinutes: number
  /** What of it was taken off as meal breaks. */
  mealMinutes: number
}

/** How many meal breaks are taken off a record that counts for so many minutes. */
const breaksIn = (minutes: number, { MealAfterHours, MealRepeats }: HoursRule): number => {
  const after = MealAfterHours * 60
  if (minutes <= after) return 0
  return MealRepeats && after > 0 ? Math.ceil(minutes / after) - 1 : 1
}

/** Minutes between two moments in milliseconds. Daylight saving has no part in them. */
export const minutesBetween = (from: number, to: number): number =>
  Math.max(0, Math.round((to - from) / minute))

/**
 * What counts of a span: it is held to the shift, then its ends are rounded, then the meal breaks are taken off.
 *
 * @param shift of punches that belong to one; nothing else is held to a shift
 */
export const creditOf = (
  rule: HoursRule,
  { startsAt, endsAt }: Span,
  shift: Span | null | undefined,
): Credit => {
  const clockMinutes = minutesBetween(startsAt, endsAt)
  const step = Number(rule.RoundTo) * minute
  // The clock shows whole minutes, and a half goes up: 07:07:59 is 07:07, which is nearer to 07:00; 07:08 is nearer to 07:15.
  const rounded = (at: number): number => {
    const shown = at - (at % minute)
    return shown + step / 2 - ((shown + step / 2) % step)
  }
  const counted = (
    at: number,
    bound: number | undefined,
    outside: (one: number, other: number) => boolean,
  ) => {
    const shown = step > 0 ? at - (at % minute) : at
    // Held to the shift, a time is the shift's own, to the minute. Nor does rounding lead out of it.
    if (bound !== undefined && !outside(bound, shown)) return bound
    const moment = step > 0 ? rounded(at) : at
    return bound !== undefined && !outside(bound, moment) ? bound : moment
  }
  const begin = counted(
    startsAt,
    rule.FromShiftStart ? shift?.startsAt : undefined,
    (bound, at) => at > bound,
  )
  const end = counted(endsAt, rule.ToShiftEnd ? shift?.endsAt : undefined, (bound, at) => at < bound)
  // Nobody is credited more than a day for a shift of a day, but on the night on which the clocks go back and it lasts longer.
  const longest = shift
    ? Math.max(dayMinutes, minutesBetween(shift.startsAt, shift.endsAt))
    : Number.POSITIVE_INFINITY
  const present = Math.min(minutesBetween(begin, end), longest)
  const mealMinutes = Math.min(rule.MealMinutes * breaksIn(present, rule), present)
  return { minutes: present - mealMinutes, clockMinutes, mealMinutes }
}

const HoursRules = z.object({
  /** The program's day, before which nothing can be changed any longer. */
  Today: DateOnly,
  /** The latest first. Before the first of them, and without any, all time on the clock counts. */
  Rules: z.array(HoursRule),
})

export const listHoursRules = endpoint({
  method: 'GET',
  path: '/programs/:programId/hours-rules',
  may: 'program.settings',
  summary: 'How much of the time on the clock counts, from which day on',
  params: InProgram,
  answer: HoursRules,
})

export const saveHoursRule = endpoint({
  method: 'POST',
  path: '/programs/:programId/hours-rules',
  may: 'program.settings',
  summary: 'Add a rule from a day on, or change that of the day; pending records since then are counted anew',
  params: InProgram,
  body: z.strictObject({
    ...ruleFields,
    /** Left out, as the rule of the day has it, else false. */
    MealRepeats: z.boolean().optional(),
  }),
  answer: HoursRules.extend({
    /** Pending records whose hours are others now. */
    Recounted: z.number().int(),
  }),
  errors: { 422: 'its day is over, its break repeats before it is over, or the program has too many rules' },
})

export const checkHoursRule = endpoint({
  method: 'POST',
  path: '/programs/:programId/hours-rules/checks',
  may: 'program.settings',
  changes: false,
  summary: 'What saving the rule would change now; nothing is changed',
  params: InProgram,
  body: HoursRule,
  answer: z.object({
    /** Pending records whose hours would be others. */
    Recounted: z.number().int(),
    /** How much more all of them would count; negative where it is less. */
    Minutes: z.number().int(),
    /** Shifts that have not ended and would count otherwise: projected hours change with them. */
    Planned: z.number().int(),
    /** How much more all of them would count; negative where it is less. */
    PlannedMinutes: z.number().int(),
  }),
  errors: { 404: 'the program does not exist' },
})

export const removeHoursRule = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/hours-rules/:from',
  may: 'program.settings',
  summary: 'Remove a rule whose day has not passed; pending records since then are counted anew',
  params: z.strictObject({ programId: Id, from: DateOnly }),
  errors: { 404: 'there is none from that day on', 422: 'its day is over' },
})
