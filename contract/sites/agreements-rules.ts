import { addMonths, daysBetween } from '#contract/core/calendar.ts'
import { type AgreementState, agreementState } from './sites-rules.ts'

/** The state of one agreement: unapproved and inactive ones are not in force, whatever their dates. */
export const agreementStandings = [
  'in-force',
  'ending',
  'urgent',
  'expired',
  'unapproved',
  'inactive',
] as const
/** What a list of agreements is filtered by: a standing, or those to renew, which end within 30 days or have ended while students still go there. */
export const agreementFilters = [...agreementStandings, 'to-renew'] as const
export type AgreementStandingFilter = (typeof agreementFilters)[number]

export type AgreementStanding = (typeof agreementStandings)[number]

interface Dated {
  IsActive: boolean
  IsApproved: boolean
  TerminationDate: string | null
}

/** The state of an agreement on a day; days are 'YYYY-MM-DD'. An end that has passed goes before a missing approval. */
export const standingOf = (
  { IsActive, IsApproved, TerminationDate }: Dated,
  today: string,
): AgreementStanding => {
  if (!IsActive) return 'inactive'
  const state = agreementState(true, TerminationDate, today) as Exclude<AgreementState, 'none'>
  return IsApproved || state === 'expired' ? state : 'unapproved'
}

/** Days before its end at which an agreement is brought to mind. */
export const reminderSteps = [90, 60, 30] as const

/** The reminder that is due so many days before the end; undefined before the first and after the end. */
export const reminderStep = (days: number): (typeof reminderSteps)[number] | undefined =>
  days < 0 ? undefined : reminderSteps.findLast((step) => days <= step)

/** The months that terms such as '3 years', '18 months' or '1-year, renewable' speak of; undefined when they name none. */
export const monthsOfTerms = (terms: string): number | undefined => {
  const found = /(\d{1,3})[\s-]*(year|yr|month|mo)/i.exec(terms)
  if (!found) return undefined
  const months = Number(found[1]) * (/^y/i.test(found[2]!) ? 12 : 1)
  return months >= 1 && months <= 600 ? months : undefined
}

const monthsBetween = (from: string, through: string): number =>
  Math.round(daysBetween(from, through) / 30.4369)

/**
 * The dates of a renewal: a term longer, from the old end on or from today if that has passed. The term is what the terms
 * say, else as long as the last one was, else a year.
 */
export const renewedDates = (
  agreement: {
    InitialDate: string | null
    LastRenewalDate: string | null
    TerminationDate: string | null
    Terms: string
  },
  today: string,
): { LastRenewalDate: string; TerminationDate: string } => {
  const { InitialDate, LastRenewalDate, TerminationDate, Terms } = agreement
  const began = LastRenewalDate ?? InitialDate
  const lasted = began && TerminationDate ? monthsBetween(began, TerminationDate) : 0
  const from = TerminationDate && TerminationDate > today ? TerminationDate : today
  return {
    LastRenewalDate: today,
    TerminationDate: addMonths(from, monthsOfTerms(Terms) ?? (lasted >= 1 ? lasted : 12)),
  }
}
