import { addDays, weekdayOf } from '#contract/core/calendar.ts'
import { type DayFacts, isDayBroken, type Placement } from '#contract/scheduling/scheduling-rules.ts'
import type { CountedShift, GridStudent, ShiftDate } from './schedule-grid.queries.ts'

// JSON reads a list of numbers several times as fast as splitting its text does.
const numbersOf = (text: string): number[] => JSON.parse(`[${text}]`)

const minute = 60_000

/** The assignments of students out of their packed texts: id, day after `from`, shift, rotation, first and last minute. */
export const unpackCells = (
  students: readonly Pick<GridStudent, 'Id' | 'Cells'>[],
  from: string,
): (Placement & { Id: number })[] => {
  const dates = new Map<number, string>()
  const dateOf = (day: number): string => {
    let date = dates.get(day)
    if (date === undefined) {
      date = addDays(from, day)
      dates.set(day, date)
    }
    return date
  }
  return students.flatMap(({ Id: StudentId, Cells }) => {
    const numbers = numbersOf(Cells)
    const placements: (Placement & { Id: number })[] = []
    for (let at = 0; at < numbers.length; at += 6) {
      // Packed in sixes.
      const [Id, day, SiteShiftId, RotationId, begins, ends] = numbers.slice(at, at + 6) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ]
      placements.push({
        Id,
        StudentId,
        SiteShiftId,
        RotationId,
        Date: dateOf(day),
        StartsAt: begins * minute,
        EndsAt: ends * minute,
      })
    }
    return placements
  })
}

/** The counters of a shift out of their packed text, by the day after the first. */
const unpackDays = ({ Days }: CountedShift): Map<number, { Placed: number; Capacity: number }> => {
  const numbers = numbersOf(Days)
  const days = new Map<number, { Placed: number; Capacity: number }>()
  for (let at = 0; at < numbers.length; at += 3) {
    // Packed in threes.
    const [day, Placed, Capacity] = numbers.slice(at, at + 3) as [number, number, number]
    days.set(day, { Placed, Capacity })
  }
  return days
}

/** Per date: students placed and places, of the shifts that run then. A day without a counter has the places of its shift. */
export const sumCapacity = (
  shifts: readonly CountedShift[],
  dates: readonly string[],
): { Placed: number[]; Places: number[] } => {
  const Placed = dates.map(() => 0)
  const Places = dates.map(() => 0)
  const weekdays = dates.map(weekdayOf)
  for (const shift of shifts) {
    const counted = unpackDays(shift)
    dates.forEach((date, day) => {
      // As many as there are dates.
      if (date < shift.StartDate || date > shift.EndDate || !shift.Weekdays.includes(weekdays[day]!)) return
      const { Placed: placed, Capacity: places } = counted.get(day) ?? { Placed: 0, Capacity: shift.Capacity }
      Placed[day] = (Placed[day] ?? 0) + placed
      Places[day] = (Places[day] ?? 0) + places
    })
  }
  return { Placed, Places }
}

/** The days on which everybody who is on the shift is in conflict with a rule. */
export const listBrokenDays = (
  shifts: readonly CountedShift[],
  dates: readonly string[],
  facts: DayFacts,
): ShiftDate[] =>
  shifts.flatMap((shift) =>
    [...unpackDays(shift)].flatMap(([day, { Placed }]) => {
      const date = dates[day]
      return date !== undefined && Placed > 0 && isDayBroken(shift, date, facts)
        ? [{ SiteShiftId: shift.Id, Date: date }]
        : []
    }),
  )
