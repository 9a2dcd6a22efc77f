/** Days of the calendar, 'YYYY-MM-DD', counted in UTC so that no change of a clock moves them. */

const msPerDay = 86_400_000
const msOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** addDays('2026-02-28', 1) is '2026-03-01'; `days` may be negative. */
export const addDays = (date: string, days: number): string => dateOf(msOf(date) + days * msPerDay)

/** Whole days from one date to another; negative when the second is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((msOf(to) - msOf(from)) / msPerDay)

/** Every date of a stretch, in order. */
export const datesBetween = (from: string, through: string): string[] =>
  Array.from({ length: daysBetween(from, through) + 1 }, (_, day) => addDays(from, day))

/** 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(msOf(date)).getUTCDay()

/** A week begins on Sunday, as calendars have it here. */
export const firstWeekday = 0

/**
 * The first day of the week that a date is in; in SQL `week_of`. What counts by weeks goes by these two. What is sent on Mondays is not
 * about a week.
 */
export const weekOf = (date: string): string => addDays(date, firstWeekday - weekdayOf(date))

/** Months count from 1. */
export const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate()

/** The day so many months later, or the last one of a shorter month; never after 2099-12-31. */
export const addMonths = (day: string, months: number): string => {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const at = year * 12 + month - 1 + months
  const [toYear, toMonth] = [Math.floor(at / 12), (at % 12) + 1]
  if (toYear > 2099) return '2099-12-31'
  const text = (value: number, digits: number) => String(value).padStart(digits, '0')
  return `${text(toYear, 4)}-${text(toMonth, 2)}-${text(Math.min(date, daysInMonth(toYear, toMonth)), 2)}`
}

/** A date (or a longer ISO text) as people here write it: mm/dd/yyyy; '' for nothing. */
export const formatDate = (date: string | null | undefined): string => {
  const match = date ? /^(\d{4})-(\d{2})-(\d{2})/.exec(date) : null
  return match ? `${match[2]}/${match[3]}/${match[1]}` : ''
}
