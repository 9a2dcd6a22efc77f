import { addMonths, formatDate } from '#contract/core/calendar.ts'
import type { Asked, EventField } from '#contract/requirements/requirement-fields.ts'
import { eventKindsOf, type Rule } from '#contract/requirements/requirement-rules.ts'
import { ruleBroken } from '#server/core/runtime/failure.ts'

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
      throw ruleBroken('event', `${asked.Name} asks for something else. Nothing was saved.`, field('Kind'))
    if (On > today)
      throw ruleBroken(
        'ahead',
        `${formatDate(On)} has not come yet. Enter the date on the proof.`,
        field('On'),
      )
    if (On < addMonths(today, -oldestMonths))
      throw ruleBroken(
        'before_birth',
        `${formatDate(On)} is before you were born. Check the year.`,
        field('On'),
      )
    if (asked.Rule.Kind === 'until' && Until === null)
      throw ruleBroken('until', 'Enter the last day on the card or document.', field('Until'))
    if (Until !== null && Until < On)
      throw ruleBroken(
        'until',
        `It would end on ${formatDate(Until)}, before ${formatDate(On)}.`,
        field('Until'),
      )
    if (Kind === 'titer' && !['positive', 'negative', 'equivocal'].includes(Result))
      throw ruleBroken('result', 'Choose what the titer says.', field('Result'))
    if (
      Kind === 'result' &&
      (Result === '' || Result === 'positive' || Result === 'negative' || Result === 'equivocal')
    )
      throw ruleBroken('result', 'Choose what the vendor says.', field('Result'))
  }
}
