import { addDays, datesBetween, weekdayOf } from '#contract/core/calendar.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'

/** A stretch of a plan in which a student stays on one shift. */
export interface Block {
  StartDate: string
  EndDate: string
}

export const maxBlocks = 60

/** Most students and sites of a plan: the largest that is solved. */
export const maxPlanStudents = 5_000

/** The blocks of a plan: the last one may be shorter. */
export const blocksOf = (startDate: string, endDate: string, weeks: number): Block[] => {
  const blocks: Block[] = []
  for (let from = startDate; from <= endDate && blocks.length <= maxBlocks; from = addDays(from, weeks * 7)) {
    const through = addDays(from, weeks * 7 - 1)
    blocks.push({ StartDate: from, EndDate: through < endDate ? through : endDate })
  }
  return blocks
}

/** The group of a student by their level: the one that names it, or the one that names none; -1 for none. */
export const groupAt = (
  groups: readonly { StudentLevelIds: readonly number[] }[],
  levelId: number | null,
): number => {
  const named = groups.findIndex(
    ({ StudentLevelIds }) => levelId !== null && StudentLevelIds.includes(levelId),
  )
  return named >= 0 ? named : groups.findIndex(({ StudentLevelIds }) => StudentLevelIds.length === 0)
}

/**
 * Whether a shift is what an experience asks for: at one of its sites, in one of its areas, of one of its types, served in one of its
 * rotations; without a rotation that is not asked.
 */
export const givesExperience = (
  experience: {
    SiteIds: readonly number[]
    AreaIds: readonly number[]
    Types: readonly ShiftType[]
    RotationIds: readonly number[]
  },
  shift: { SiteId: number; AreaId: number | null; Type: ShiftType; RotationId?: number | undefined },
): boolean =>
  (experience.SiteIds.length === 0 || experience.SiteIds.includes(shift.SiteId)) &&
  (experience.AreaIds.length === 0 || (shift.AreaId !== null && experience.AreaIds.includes(shift.AreaId))) &&
  (experience.Types.length === 0 || experience.Types.includes(shift.Type)) &&
  (experience.RotationIds.length === 0 ||
    shift.RotationId === undefined ||
    experience.RotationIds.includes(shift.RotationId))

/** Whether a type of shift counts as evening, night or weekend. */
export const isEvening = (type: ShiftType): boolean =>
  type === 'evening' || type === 'night' || type === 'weekend'

/** Weekdays from Monday on, so that those of a weekend come together. */
const inOrder = (days: readonly number[]): number[] => days.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7))

/**
 * The sets of weekdays on which students of a group can be on a shift, none of them twice: a shift from Monday to Friday has two for
 * a group that comes on two days. Empty when the shift runs on too few of the group's weekdays.
 */
export const patternsOf = (
  group: { ShiftsPerWeek: number; Weekdays: readonly number[] },
  shiftWeekdays: readonly number[],
): number[][] => {
  const days = inOrder(group.Weekdays.filter((day) => shiftWeekdays.includes(day)))
  return Array.from({ length: Math.floor(days.length / group.ShiftsPerWeek) }, (_, index) =>
    days.slice(index * group.ShiftsPerWeek, (index + 1) * group.ShiftsPerWeek),
  )
}

/** The days of a block on these weekdays. */
export const daysOfBlock = ({ StartDate, EndDate }: Block, weekdays: readonly number[]): string[] =>
  datesBetween(StartDate, EndDate).filter((date) => weekdays.includes(weekdayOf(date)))

const earthMiles = 3958.8
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Miles between two points as the crow flies. */
export const milesBetween = (
  one: { Latitude: number; Longitude: number },
  other: { Latitude: number; Longitude: number },
): number => {
  const dLat = radians(other.Latitude - one.Latitude)
  const dLon = radians(other.Longitude - one.Longitude)
  const a =
    Math.sin(dLat / 2) ** 2 +
    Math.cos(radians(one.Latitude)) * Math.cos(radians(other.Latitude)) * Math.sin(dLon / 2) ** 2
  return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(a)))
}
