import { addDays, formatDate } from '#contract/core/calendar.ts'
import { requirementFailures } from '#contract/requirements/failures.ts'
import type { EventField, Proof } from '#contract/requirements/requirement-fields.ts'
import { fail } from '#server/core/runtime/failure.ts'

type Shown = Pick<Proof, 'State' | 'Events'>

/** The newest result of a check. `proofs` are the newest first. */
const newestResult = (proofs: readonly Shown[]): EventField | undefined =>
  proofs
    .toReversed()
    .filter(({ State }) => State === 'accepted')
    .flatMap(({ Events }) => Events.filter(({ Kind }) => Kind === 'result'))
    .toSorted((a, b) => a.On.localeCompare(b.On))
    .at(-1)

/** When the notice of a finding was sent, and the last day to answer it; null where none is open. */
export const noticeOf = (
  proofs: readonly Shown[],
  days: number,
): { SentOn: string; AnswerBy: string } | null => {
  const newest = newestResult(proofs)
  return newest?.Result === 'preAdverse' ? { SentOn: newest.On, AnswerBy: addDays(newest.On, days) } : null
}

/**
 * A finding is final only after its notice, and after the days that the student had to answer it. The notice is of the day on which it
 * is sent.
 *
 * @param proofs what was recorded before, the newest first
 * @throws Failure 422
 */
export const refusePreAdverse = (
  events: readonly EventField[],
  proofs: readonly Shown[],
  { days, today }: { days: number; today: string },
): void => {
  if (events.some(({ Result, On }) => Result === 'preAdverse' && On !== today))
    throw fail(requirementFailures.pre_adverse_day, 'Events.0.On')
  if (!events.some(({ Result }) => Result === 'notEligible')) return
  const notice = noticeOf(proofs, days)
  if (!notice) throw fail(requirementFailures.pre_adverse, 'Events.0.Result')
  if (today <= notice.AnswerBy)
    throw fail(
      requirementFailures.pre_adverse_open,
      { AnswerBy: formatDate(notice.AnswerBy) },
      'Events.0.Result',
    )
}
