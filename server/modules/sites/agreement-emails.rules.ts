import { formatDate } from '#contract/core/calendar.ts'
import { htmlList, type MadeHtml } from '#server/core/mail/email-text.ts'

const remaining = (days: number): string =>
  days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`

/** What the email about affiliation agreements says of them, the soonest first. */
export const expiringValues = (
  agreements: readonly { Site: string; TerminationDate: string; Days: number }[],
): { 'agreement.summary': string; 'agreement.list': MadeHtml } => {
  const first = agreements[0]!
  return {
    'agreement.summary':
      agreements.length === 1
        ? `The affiliation agreement with ${first.Site} ends ${remaining(first.Days)}`
        : `${agreements.length} affiliation agreements end soon, the first ${remaining(first.Days)}`,
    'agreement.list': htmlList(
      agreements.map(
        ({ Site, TerminationDate, Days }) => `${Site}: ${formatDate(TerminationDate)}, ${remaining(Days)}`,
      ),
    ),
  }
}
