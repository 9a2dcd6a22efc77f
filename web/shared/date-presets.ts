import { addDays, addMonths, mondayOf } from '#contract/core/calendar.ts'
import type { DateRange } from '#web/ui/filters/date-range.ts'
import type { Words } from '#web/words/plain-words.ts'

/** The days of a month so far and to come. */
export const monthOf = (today: string): DateRange => {
  const from = `${today.slice(0, 7)}-01`
  return { from, to: addDays(addMonths(from, 1), -1) }
}

/** Ready ranges of days around today. */
export const datePresets = (words: Words, today: string) => {
  const monday = mondayOf(today)
  const preset = (label: string, from: string, to: string) => ({ label, range: { from, to } })
  return [
    preset(words('time.presetToday'), today, today),
    preset(words('time.presetYesterday'), addDays(today, -1), addDays(today, -1)),
    preset(words('time.presetThisWeek'), monday, addDays(monday, 6)),
    preset(words('time.presetLastWeek'), addDays(monday, -7), addDays(monday, -1)),
  ]
}
