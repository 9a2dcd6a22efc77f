import { addDays, daysBetween } from '#contract/core/calendar.ts'

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

/** @param from and through: first and last day, 'YYYY-MM-DD' */
export const splitMonths = (from: string | undefined, through: string | undefined): Months => {
  const isInside = (month: string) =>
    (!from || month >= monthOf(from)) && (!through || month <= monthOf(through))
  const broken = new Set<string>()
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

/** Days of a period that are added, or taken away again. */
export interface SignedDays extends Days {
  sign: 1 | -1
}

const lengthOf = ({ from, through }: Days): number => Math.max(0, daysBetween(from, through) + 1)

/**
 * A period as `splitMonths` has it, for sums that can be taken away again: a month that lies in it for the most part counts as
 * a whole, less its other days. So of no month more than half has to be looked at day by day.
 */
export const nearestMonths = (
  from: string | undefined,
  through: string | undefined,
): Omit<Months, 'days'> & { days: SignedDays[] } => {
  const { first, last, broken, days } = splitMonths(from, through)
  if (from && through && from > through) return { first, last, broken, days: [] }
  const split = days.map((inside): { month: string; isWhole: boolean; days: SignedDays[] } => {
    const month = monthOf(inside.from)
    const outside = [
      { from: month, through: addDays(inside.from, -1) },
      { from: addDays(inside.through, 1), through: lastDayOf(month) },
    ].filter((each) => each.from <= each.through)
    const isMostly = outside.reduce((sum, each) => sum + lengthOf(each), 0) < lengthOf(inside)
    return isMostly
      ? { month, isWhole: true, days: outside.map((each) => ({ ...each, sign: -1 })) }
      : { month, isWhole: false, days: [{ ...inside, sign: 1 }] }
  })
  const whole = split.flatMap(({ month, isWhole }) => (isWhole ? [month] : []))
  return {
    first,
    last,
    broken: broken.filter((month) => !whole.includes(month)),
    days: split.flatMap((each) => each.days),
  }
}

/** What of a period its whole months cover; undefined where there is none. */
export const wholeMonths = ({ first, last, broken }: Omit<Months, 'days'>): Period | undefined => {
  const from = first !== null && broken.includes(first) ? monthOf(addDays(first, 31)) : first
  const through = last === null ? null : broken.includes(last) ? addDays(last, -1) : lastDayOf(last)
  return from !== null && through !== null && from > through ? undefined : { from, through }
}
