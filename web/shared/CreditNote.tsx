import type { TimeRecord } from '#contract/time/time-records.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'

/** '8 h 5 min': to the minute, where hours and tenths would hide what was counted. */
export const formatSpan = (minutes: number): string => `${Math.floor(minutes / 60)} h ${minutes % 60} min`

/** Answers that an earlier version kept on a device tell what counts alone. */
type Credited = Pick<TimeRecord, 'Minutes'> & Partial<Pick<TimeRecord, 'ClockMinutes' | 'MealMinutes'>>

/** '8 h 0 min counted · 8 h 49 min on the clock · 30 min meal break' where a rule counts other hours than the clock; else ''. */
export const creditText = (
  words: Words,
  { Minutes, ClockMinutes = Minutes, MealMinutes = 0 }: Credited,
): string =>
  Minutes === ClockMinutes
    ? ''
    : [
        words('time.counted', { hours: formatSpan(Minutes) }),
        words('time.onTheClock', { hours: formatSpan(ClockMinutes) }),
        MealMinutes > 0 && words('time.mealBreak', { count: MealMinutes }),
      ]
        .filter(Boolean)
        .join(' · ')

/** What counts of a record and why, beside its time on the clock; nothing where both are the same. */
export function CreditNote({ record }: { record: Credited }) {
  const text = creditText(useWords(), record)
  return text ? <small className="p-muted">{text}</small> : null
}
