import { addDays } from '#contract/core/calendar.ts'

/** Days of a period, both ends included. */
export interface Days {
  from: string
  through: string
}

/** Both ends included; an open end is null. */
export interface Period {
  from: string | null
  through: string | null
}

/**
 * A period in calendar months: those that sums by month answer, and the days of the others, which have to be looked at one by
 * one. An end that is missing is open.
 */
export interface Months {
  /** First and last month that may be whole, by their first days; null where that end is open. */
  first: string | null
  last: string | null
  /** Months between them that are not whole, by their first days. */
  broken: string[]
  /** What of the period lies in the broken months. */
  days: Days[]
}

export const monthOf = (date: string): string => `${date.slice(0, 7)}-01`
const lastDayOf = (month: string): string => addDays(monthOf(addDays(month, 31)), -1)

/**
 * @param from and through: first and last day, 'YYYY-MM-DD'
 * @param open days whose months are never taken as a whole, such as today, before and after which shifts count differently
 */
export const splitMonths = (
  from: string | undefined,
  through: string | undefined,
  open: readonly string[] = [],
): Months => {
  const isInside = (month: string) =>
    (!from || month >= monthOf(from)) && (!through || month <= monthOf(through))
  const broken = new Set(open.map(monthOf).filter(isInside))
  if (from && from !== monthOf(from)) broken.add(monthOf(from))
  if (through && through !== lastDayOf(monthOf(through))) broken.add(monthOf(through))
  const months = [...broken].filter(isInside).toSorted()
  return {
    first: from ? monthOf(from) : null,
    last: through ? monthOf(through) : null,
    broken: months,
    days: months
      .map((month) => ({
        from: from && from > month ? from : month,
        through: through && through < lastDayOf(month) ? through : lastDayOf(month),
      }))
      .filter((days) => days.from <= days.through),
  }
}

/** What of a period its whole months cover; undefined where there is none. */
export const wholeMonths = ({ first, last, broken }: Omit<Months, 'days'>): Period | undefined => {
  const from = first !== null && broken.includes(first) ? monthOf(addDays(first, 31)) : first
  const through = last === null ? null : broken.includes(last) ? addDays(last, -1) : lastDayOf(last)
  return from !== null && through !== null && from > through ? undefined : { from, through }
}
