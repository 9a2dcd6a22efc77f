import type { OwnRequirement } from '#contract/requirements/own-requirements.ts'
import type { RequirementKind, Rule } from '#contract/requirements/requirement-rules.ts'
import { formatDate } from '#web/ui/dates.ts'
import type { WordKey, Words } from '#web/words/plain-words.ts'

export const slashed = (yearDay: string): string => yearDay.replace('-', '/')

/** A rule in one sentence. */
export const ruleText = (words: Words, rule: Rule): string => {
  switch (rule.Kind) {
    case 'until':
      return words('requirements.ruleUntil')
    case 'months':
      return words('requirements.ruleMonths', { count: rule.Months })
    case 'once':
      return words('requirements.ruleOnce')
    case 'season':
      return words('requirements.ruleSeason', {
        dose: slashed(rule.DoseFrom),
        from: slashed(rule.AskedFrom),
        through: slashed(rule.AskedThrough),
      })
    case 'series':
      return words('requirements.ruleSeries', {
        schedules: rule.Schedules.map(({ Name, MinDays }) =>
          words(/^\d+ doses$/.test(Name) ? 'requirements.rulePlainDoses' : 'requirements.ruleDoses', {
            count: MinDays.length + 1,
            name: Name,
          }),
        ).join(words('requirements.ruleOr')),
        titer:
          rule.Titer === 'none'
            ? ''
            : words(rule.Titer === 'after' ? 'requirements.ruleTiterAfter' : 'requirements.ruleTiterInstead'),
      })
    case 'signed':
      return words('requirements.ruleSigned')
    case 'result':
      return words('requirements.ruleResult')
  }
}

export const kindWords: Record<RequirementKind, WordKey> = {
  certification: 'requirements.kindCertification',
  immunization: 'requirements.kindImmunization',
  screening: 'requirements.kindScreening',
  training: 'requirements.kindTraining',
  document: 'requirements.kindDocument',
  signature: 'requirements.kindSignature',
}

export const exemptionWords = {
  waiver: 'requirements.exemptionWaiver',
  medical: 'requirements.exemptionMedical',
  religious: 'requirements.exemptionReligious',
  declination: 'requirements.exemptionDeclination',
} as const
export const resultWords = {
  ordered: 'requirements.resultOrdered',
  clear: 'requirements.resultClear',
  underReview: 'requirements.resultUnderReview',
  eligible: 'requirements.resultEligible',
  preAdverse: 'requirements.resultPreAdverse',
  notEligible: 'requirements.resultNotEligible',
  positive: 'requirements.positive',
  negative: 'requirements.negative',
  equivocal: 'requirements.equivocal',
} as const

/** Why a site does not take what is in order elsewhere. */
export const siteRefusalText = (
  words: Words,
  { Site, SiteRefuses }: Pick<OwnRequirement, 'Site' | 'SiteRefuses'>,
): string => {
  if (!SiteRefuses) return ''
  return SiteRefuses.MaxAgeDays === null
    ? words('requirements.siteNoExemption', { site: Site })
    : words('requirements.siteTooOld', {
        site: Site,
        days: SiteRefuses.MaxAgeDays,
        date: formatDate(SiteRefuses.FirstDay),
      })
}
