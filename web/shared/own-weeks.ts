import { addDays, weekOf } from '#contract/core/calendar.ts'

const weeksAhead = 13

/** The weeks of the own schedule that are read at once: from the week of a day, or from the day itself where a person chose one. */
export const ownWeeks = (today: string, from = weekOf(today)) => ({
  query: { FromDate: from, ThroughDate: addDays(from, weeksAhead * 7 - 1) },
})
