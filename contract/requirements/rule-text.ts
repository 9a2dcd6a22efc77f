import type { RequirementKind, Rule, Schedule, Scope } from './requirement-rules.ts'

/** Rules as the words of `requirements.csv`, which is also what the export writes. */
export const ruleWords = ['expires', 'series-or-titer', 'months', 'once', 'season', 'site', 'vendor'] as const
export type RuleWord = (typeof ruleWords)[number]

const yearDays = (text: string): string[] =>
  [...text.matchAll(/\b(\d{1,2})\/(\d{1,2})\b(?!\/)/g)].map(
    ([, month = '', day = '']) => `${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  )

/** '2 doses (Heplisav-B)', '3 doses (0, 1, 6 months)', '2 doses at least 28 days apart'. */
const schedulesIn = (text: string): Schedule[] =>
  [...text.matchAll(/\b(\d) doses?(?:\s*\(([^)]*)\))?(?:\s*at least (\d+) days apart)?/gi)].map(
    ([, count, inside = '', apart]) => {
      const doses = Number(count)
      const months = /months?/i.test(inside) ? [...inside.matchAll(/\d+/g)].map(Number) : []
      const MinDays = Array.from({ length: doses - 1 }, (_, at) => {
        if (apart !== undefined) return Number(apart)
        // Four weeks before a second dose and eight before a third are what counts; the months are when they are given.
        return (months[at + 1] ?? 1) - (months[at] ?? 0) > 1 ? 56 : 28
      })
      const isProduct = inside !== '' && months.length === 0
      return {
        Name: isProduct ? inside.trim().slice(0, 60) : `${doses} doses`,
        MinDays,
        TotalDays: doses > 2 ? 112 : 0,
      }
    },
  )

const seriesIn = (name: string, text: string): Rule => {
  const schedules = schedulesIn(text)
  const [, from, through] = /titer (\d+)\s*-\s*(\d+) months? after/i.exec(text) ?? []
  const parts = /for each of/i.test(text) ? name.split(',').map((part) => part.trim()) : []
  return {
    Kind: 'series',
    Schedules: schedules.length > 0 ? schedules : [{ Name: '2 doses', MinDays: [28], TotalDays: 0 }],
    Titer: /titer.*after the last/i.test(text) ? 'after' : /titer/i.test(text) ? 'instead' : 'none',
    Parts: parts.filter((part) => part !== ''),
    TiterFromDays: 30 * Number(from ?? 1),
    TiterThroughDays: 30 * Number(through ?? 2),
    GraceDays: 30,
    NonResponder: /non-?responder/i.test(text),
  }
}

const signed = (name: string): Rule => ({
  Kind: 'signed',
  Text: `I have read “${name}” and agree to follow it.`,
})

/** What a row of a file asks. Null where the detail lacks what the rule needs. */
export const ruleOf = (
  word: RuleWord,
  { name, kind, detail }: { name: string; kind: RequirementKind; detail: string },
): { Rule: Rule; Scope: Scope } | null => {
  const forAll = (Rule: Rule) => ({ Rule, Scope: 'program' as const })
  switch (word) {
    case 'expires':
      return forAll({ Kind: 'until' })
    case 'series-or-titer':
      return forAll(seriesIn(name, detail))
    case 'months': {
      const [, months] = /(\d+)\s*months?/i.exec(detail) ?? []
      return months === undefined ? null : forAll({ Kind: 'months', Months: Number(months) })
    }
    case 'once':
      return forAll(kind === 'signature' ? signed(name) : { Kind: 'once' })
    case 'season': {
      const [DoseFrom, AskedFrom, AskedThrough] = yearDays(detail)
      return DoseFrom && AskedFrom && AskedThrough
        ? forAll({ Kind: 'season', DoseFrom, AskedFrom, AskedThrough })
        : null
    }
    case 'site':
      return kind === 'signature'
        ? { Rule: signed(name), Scope: 'perSite' }
        : kind === 'document'
          ? { Rule: { Kind: 'until' }, Scope: 'perSite' }
          : { Rule: { Kind: 'once' }, Scope: 'site' }
    case 'vendor':
      return forAll({ Kind: 'result' })
  }
}

/** The word of a rule in a file. */
export const ruleWord = ({ Rule, Scope }: { Rule: Rule; Scope: Scope }): RuleWord => {
  if (Scope !== 'program') return 'site'
  switch (Rule.Kind) {
    case 'until':
      return 'expires'
    case 'series':
      return 'series-or-titer'
    case 'signed':
      return 'once'
    case 'result':
      return 'vendor'
    default:
      return Rule.Kind
  }
}

const slashed = (yearDay: string): string => yearDay.replace('-', '/')

/** What the detail has to say for the rule to be read back. */
export const ruleDetail = (rule: Rule): string => {
  switch (rule.Kind) {
    case 'months':
      return `${rule.Months} months`
    case 'season':
      return `dose from ${slashed(rule.DoseFrom)}; required from ${slashed(rule.AskedFrom)} until ${slashed(rule.AskedThrough)}`
    case 'series':
      return [
        rule.Schedules.map(({ Name, MinDays }) => `${MinDays.length + 1} doses (${Name})`).join(' or '),
        ...(rule.Titer === 'after' ? ['titer 1-2 months after the last'] : []),
        ...(rule.Titer === 'instead' ? ['or a positive titer'] : []),
        ...(rule.NonResponder ? ['non-responder'] : []),
      ].join('; ')
    default:
      return ''
  }
}
