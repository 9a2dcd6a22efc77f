import { addDays, formatDate } from '#contract/core/calendar.ts'
import type { EventField, Proof } from '#contract/requirements/requirement-fields.ts'
import { ruleBroken } from '#server/core/runtime/failure.ts'

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
    throw ruleBroken('pre_adverse_day', 'The notice is sent now: enter today’s date.', 'Events.0.On')
  if (!events.some(({ Result }) => Result === 'notEligible')) return
  const notice = noticeOf(proofs, days)
  if (!notice)
    throw ruleBroken(
      'pre_adverse',
      'Record “Pre-adverse notice sent” first: the student is told and can answer. Nothing was saved.',
      'Events.0.Result',
    )
  if (today <= notice.AnswerBy)
    throw ruleBroken(
      'pre_adverse_open',
      `The student may answer the notice through ${formatDate(notice.AnswerBy)}. Record “Not eligible” after that day; nothing was saved.`,
      'Events.0.Result',
    )
}
