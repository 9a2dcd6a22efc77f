import { addDays } from '#contract/core/calendar.ts'

/** Both ends included; an open end is null. */
export interface Period {
  from: string | null
  through: string | null
}

const firstOf = (day: string): string => `${day.slice(0, 7)}-01`
/** The first day of the month after. */
const nextMonth = (day: string): string => firstOf(addDays(firstOf(day), 31))
const lastOf = (day: string): string => addDays(nextMonth(day), -1)

/** The whole months of a period, if it has any, and the days at its ends that are only a part of their month. */
export const splitByMonths = ({ from, through }: Period): { whole: Period | null; cut: Period[] } => {
  const begins = from === null || from === firstOf(from) ? from : nextMonth(from)
  const ends = through === null || through === lastOf(through) ? through : addDays(firstOf(through), -1)
  if (begins !== null && ends !== null && begins > ends) {
    // Nothing but parts of one month, or of two that follow each other.
    return { whole: null, cut: from! <= through! ? [{ from, through }] : [] }
  }
  return {
    whole: { from: begins, through: ends },
    cut: [
      // An end that is open is equal to its month's.
      ...(from === begins ? [] : [{ from, through: addDays(begins!, -1) }]),
      ...(through === ends ? [] : [{ from: addDays(ends!, 1), through }]),
    ],
  }
}
