import { daysBetween, formatDate } from '#contract/core/calendar.ts'
import { isAsked, type Rule, type StandingStatus } from '#contract/requirements/requirement-rules.ts'

/** What is kept of a student and a requirement. */
export interface RequirementFacts {
  Name: string
  /** 'accepted', 'inProgress' and 'waived' are in order while they last. */
  Status: StandingStatus
  ExpiresOn: string | null
  /** Outside its season nothing is asked. */
  Rule?: Rule
  /** Asked at this site alone. */
  SiteId?: number | null
  /** The site takes nothing older on the first day there. */
  MaxAgeDays?: number | null
  CompletedOn?: string | null
  /** The first day that the student is placed at the site already. */
  FirstDay?: string | null
  /** The site does not accept the exemption. */
  IsExemptionRefused?: boolean
}

/** Whether it is, as long as it lasts. */
export const isInOrder = ({ Status }: Pick<RequirementFacts, 'Status'>): boolean =>
  Status === 'accepted' || Status === 'inProgress' || Status === 'waived'

const openTexts: Record<StandingStatus, string> = {
  missing: 'is missing',
  submitted: 'is waiting to be accepted',
  returned: 'was returned',
  accepted: '',
  inProgress: '',
  waived: '',
}

/** Why a requirement keeps its student out on the date; undefined when it does not. */
const findFaultOf = (requirement: RequirementFacts, date: string): string | undefined => {
  const { Name, ExpiresOn, MaxAgeDays, CompletedOn, FirstDay } = requirement
  if (requirement.Rule && !isAsked(requirement.Rule, date)) return undefined
  if (!isInOrder(requirement)) return `${Name} ${openTexts[requirement.Status]}`
  if (ExpiresOn && ExpiresOn < date)
    return requirement.Status === 'inProgress'
      ? `the next step of ${Name} was due ${formatDate(ExpiresOn)}`
      : `${Name} expired ${formatDate(ExpiresOn)}`
  if (requirement.IsExemptionRefused) return `the site does not accept the exemption from ${Name}`
  if (MaxAgeDays && CompletedOn) {
    const first = FirstDay && FirstDay < date ? FirstDay : date
    if (daysBetween(CompletedOn, first) > MaxAgeDays)
      return `${Name} of ${formatDate(CompletedOn)} is older than ${MaxAgeDays} days on the first day at the site, ${formatDate(first)}`
  }
  return undefined
}

/** Every requirement that is missing or expired by the date, with what is wrong. With a site, what that site asks besides. */
export const findRequirementFaults = (
  student: { Requirements: readonly RequirementFacts[] },
  date: string,
  siteId?: number,
): { Name: string; Text: string }[] =>
  student.Requirements.flatMap((requirement) => {
    if (requirement.SiteId != null && requirement.SiteId !== siteId) return []
    const Text = findFaultOf(requirement, date)
    return Text === undefined ? [] : [{ Name: requirement.Name, Text }]
  })

/** What keeps a student out of shifts on the date: the first of them. */
export const findRequirementFault = (
  student: { Requirements: readonly RequirementFacts[] },
  date: string,
  siteId?: number,
): string | undefined => findRequirementFaults(student, date, siteId)[0]?.Text
