import { addMonths, formatDate } from '#contract/core/calendar.ts'
import { requirementFailures } from '#contract/requirements/failures.ts'
import type { Asked, EventField } from '#contract/requirements/requirement-fields.ts'
import { eventKindsOf, type Rule } from '#contract/requirements/requirement-rules.ts'
import { fail } from '#server/core/runtime/failure.ts'

/** Nobody is that old; dates of birth are not kept. */
const oldestMonths = 90 * 12

/** What an import says of an end that may be a slip. */
export const farEnd = (name: string, until: unknown): string =>
  `${name} would be good until ${formatDate(String(until))}, longer than usual. Check the year.`

/**
 * What is said of a proof must fit its requirement: events of its kind, on days that have been, none before the student was born.
 *
 * @throws Failure 422 with the field
 */
export const refuseEvents = (
  asked: Pick<Asked, 'Name'> & { Rule: Rule },
  events: readonly EventField[],
  today: string,
): void => {
  for (const [index, { Kind, On, Until, Result }] of events.entries()) {
    const field = (name: string) => `Events.${index}.${name}`
    if (!eventKindsOf[asked.Rule.Kind].includes(Kind))
      throw fail(requirementFailures.other_event, { Name: asked.Name }, field('Kind'))
    if (On > today) throw fail(requirementFailures.date_ahead, { Date: formatDate(On) }, field('On'))
    if (On < addMonths(today, -oldestMonths))
      throw fail(requirementFailures.before_birth, { Date: formatDate(On) }, field('On'))
    if (asked.Rule.Kind === 'until' && Until === null)
      throw fail(requirementFailures.no_last_day, field('Until'))
    if (Until !== null && Until < On)
      throw fail(
        requirementFailures.ends_too_early,
        { Until: formatDate(Until), On: formatDate(On) },
        field('Until'),
      )
    if (Kind === 'titer' && !['positive', 'negative', 'equivocal'].includes(Result))
      throw fail(requirementFailures.no_titer_result, field('Result'))
    if (
      Kind === 'result' &&
      (Result === '' || Result === 'positive' || Result === 'negative' || Result === 'equivocal')
    )
      throw fail(requirementFailures.no_vendor_result, field('Result'))
  }
}
