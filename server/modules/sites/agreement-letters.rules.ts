import { htmlList, type MadeHtml } from '#server/core/letter-text.ts'

const americanDate = (date: string): string => `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`

const remaining = (days: number): string =>
  days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`

/** What the letter about affiliation agreements says of them, the soonest first (product 3.9, agreement expiring). */
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
        ({ Site, TerminationDate, Days }) => `${Site}: ${americanDate(TerminationDate)}, ${remaining(Days)}`,
      ),
    ),
  }
}
