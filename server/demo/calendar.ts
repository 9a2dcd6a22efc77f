import { addDays, weekdayOf } from '#contract/core/calendar.ts'
import { formatsByZone, toTheMinute } from '#server/core/runtime/today.ts'

/** The Monday on or before a date: rotations of the demo run from Mondays. */
export const mondayOf = (date: string): string => addDays(date, -((weekdayOf(date) + 6) % 7))

const formatOf = formatsByZone('en-US', toTheMinute)

const instants = new Map<string, string>()

/** The moment of a wall-clock time in a zone. Cached: whole programs share the same few shifts. */
export const instantOf = (date: string, time: string, timeZone: string): string => {
  const key = `${date} ${time} ${timeZone}`
  const known = instants.get(key)
  if (known) return known
  const wanted = Date.parse(`${date}T${time}:00Z`)
  let moment = wanted
  for (let round = 0; round < 2; round++) {
    const parts = Object.fromEntries(
      formatOf(timeZone)
        .formatToParts(moment)
        .map(({ type, value }) => [type, value]),
    )
    const shown = Date.parse(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:00Z`)
    moment += wanted - shown
  }
  const instant = new Date(moment).toISOString()
  instants.set(key, instant)
  return instant
}

const dayOf = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
/** The n-th such weekday of a month (0 is Sunday); counted from its end where n is negative. */
const nthWeekday = (year: number, month: number, weekday: number, n: number): string => {
  const edge = n > 0 ? Date.UTC(year, month - 1, 1) : Date.UTC(year, month, 0)
  const away =
    n > 0 ? (weekday - new Date(edge).getUTCDay() + 7) % 7 : -((new Date(edge).getUTCDay() - weekday + 7) % 7)
  return new Date(edge + (away + 7 * (n > 0 ? n - 1 : n + 1)) * 86_400_000).toISOString().slice(0, 10)
}

const closedDays = new Map<number, ReadonlySet<string>>()
const closedDaysOf = (year: number): ReadonlySet<string> => {
  let days = closedDays.get(year)
  if (!days) {
    const thanksgiving = nthWeekday(year, 11, 4, 4)
    days = new Set([
      dayOf(year, 1, 1),
      nthWeekday(year, 1, 1, 3),
      nthWeekday(year, 2, 1, 3),
      nthWeekday(year, 5, 1, -1),
      dayOf(year, 6, 19),
      dayOf(year, 7, 4),
      nthWeekday(year, 9, 1, 1),
      nthWeekday(year, 10, 1, 2),
      dayOf(year, 11, 11),
      thanksgiving,
      addDays(thanksgiving, 1),
    ])
    closedDays.set(year, days)
  }
  return days
}

/** Whether US colleges are closed: federal holidays, the day after Thanksgiving, and from Christmas Eve to New Year. */
export const isHoliday = (date: string): boolean =>
  closedDaysOf(Number(date.slice(0, 4))).has(date) || date.slice(5) >= '12-24'

/** The two days of the program's own holiday, both 'YYYY-MM-DD': a Thursday and a Friday in three weeks. */
export const daysOff = (today: string): readonly [string, string] => [
  addDays(mondayOf(today), 24),
  addDays(mondayOf(today), 25),
]

/** The instant so many minutes after another one; before it where they are negative. */
export const minutesLater = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString()
