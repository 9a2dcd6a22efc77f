import { addDays, formatDate } from '#contract/core/calendar.ts'
import type { DeclaredFailure } from '#contract/core/failure.ts'
import { problems } from '#contract/core/problems.ts'
import { type Sentence, sentence, type Text } from '#contract/language/texts.ts'
import { competencyFailures } from './failures.ts'
import { loggableDays, privateDetailIn } from './log-rules.ts'

/** Why a text is refused; undefined where it may be kept. */
export const whyPrivate = (text: string): Text | undefined => {
  const detail = privateDetailIn(text)
  const { ssn, telephone: phone, birth, record } = problems
  return detail && { ssn, phone, birth, record }[detail]
}

/**
 * Why nothing can be logged on a day; undefined where it can. `from` is the program's first day, `enteredOn` the student's, where
 * they are known.
 */
export const whyNotLoggable = (
  date: string,
  { today, from, enteredOn = null }: { today: string; from: string | null; enteredOn?: string | null },
): Sentence<DeclaredFailure> | undefined => {
  const on = (failure: DeclaredFailure<`${string}{Day}${string}`>, day: string) =>
    sentence(failure, { Day: formatDate(day) })
  if (date > today) return on(competencyFailures.day_to_come, date)
  if (date < addDays(today, -loggableDays)) return on(competencyFailures.day_too_long_ago, date)
  if (from !== null && date < from) return on(competencyFailures.day_before_program, from)
  return enteredOn !== null && date < enteredOn
    ? on(competencyFailures.day_before_entry, enteredOn)
    : undefined
}
