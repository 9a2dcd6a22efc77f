import { escapeHtml } from '#server/core/mail.ts'

const americanDate = (date: string): string => `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`

const remaining = (days: number): string =>
  days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`

/** The letter about affiliation agreements that end soon, the soonest first (product 3.9, agreement expiring). */
export const expiringLetter = (
  {
    FirstName,
    Agreements,
  }: {
    FirstName: string
    Agreements: readonly { Site: string; TerminationDate: string; Days: number }[]
  },
  address: string,
): { subject: string; html: string } => {
  const first = Agreements[0]!
  return {
    subject:
      Agreements.length === 1
        ? `The affiliation agreement with ${first.Site} ends ${remaining(first.Days)}`
        : `${Agreements.length} affiliation agreements end soon, the first ${remaining(first.Days)}`,
    html: `<p>Hello ${escapeHtml(FirstName)},</p><p>these affiliation agreements end soon:</p><ul>${Agreements.map(
      ({ Site, TerminationDate, Days }) =>
        `<li>${escapeHtml(Site)}: ${americanDate(TerminationDate)}, ${remaining(Days)}</li>`,
    ).join('')}</ul><p><a href="${escapeHtml(address)}">Renew them</a> so that placements go on.</p>`,
  }
}
