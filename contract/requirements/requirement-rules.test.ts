import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import {
  type ExemptionFacts,
  eventKinds,
  exemptionKinds,
  isAsked,
  isFarEnd,
  isMet,
  isYearDay,
  judge,
  nextAsked,
  type ProofEvent,
  type ProofFacts,
  type Rule,
  stateOn,
  states,
  statusOf,
  titerResults,
  vendorResults,
} from './requirement-rules.ts'

const event = (Kind: ProofEvent['Kind'], On: string, more: Partial<ProofEvent> = {}): ProofEvent => ({
  Kind,
  On,
  Until: null,
  Result: '',
  Of: '',
  ...more,
})
const proof = (Events: ProofEvent[], State: ProofFacts['State'] = 'accepted', Version = 1): ProofFacts => ({
  State,
  Events,
  Version,
})
const of = (rule: Rule, TextVersion = 1) => ({ Rule: rule, TextVersion })

const hepatitis: Rule = {
  Kind: 'series',
  Schedules: [
    { Name: 'Heplisav-B', MinDays: [28], TotalDays: 0 },
    { Name: '3 doses', MinDays: [28, 56], TotalDays: 112 },
  ],
  Titer: 'after',
  Parts: [],
  TiterFromDays: 30,
  TiterThroughDays: 60,
  GraceDays: 30,
  NonResponder: true,
}
const mmr: Rule = {
  ...hepatitis,
  Schedules: [{ Name: '2 doses', MinDays: [28], TotalDays: 0 }],
  Titer: 'instead',
  Parts: ['Measles', 'Mumps', 'Rubella'],
  NonResponder: false,
}
const influenza: Rule = { Kind: 'season', DoseFrom: '07-01', AskedFrom: '11-01', AskedThrough: '04-30' }

describe('a card with a date', () => {
  const card = of({ Kind: 'until' })
  const held = [proof([event('done', '2024-11-18', { Until: '2026-11-30' })])]
  test('is good through its last day, is expiring for 60 days before, and has expired the day after', () => {
    expect(statusOf(card, [], '2026-01-01')).toBe('missing')
    expect(statusOf(card, held, '2026-09-30')).toBe('accepted')
    expect(statusOf(card, held, '2026-10-01')).toBe('expiring')
    expect(statusOf(card, held, '2026-11-30')).toBe('expiring')
    expect(statusOf(card, held, '2026-12-01')).toBe('expired')
  })
  test('a renewal waits, may be returned, and an older card never shortens it', () => {
    const renewal = [event('done', '2026-11-18', { Until: '2028-11-30' })]
    expect(statusOf(card, [...held, proof(renewal, 'submitted')], '2026-12-01')).toBe('submitted')
    expect(statusOf(card, [...held, proof(renewal, 'submitted')], '2026-11-01')).toBe('expiring')
    expect(statusOf(card, [...held, proof(renewal, 'returned')], '2026-12-01')).toBe('returned')
    expect(statusOf(card, [proof(renewal), ...held], '2026-12-01')).toBe('accepted')
  })
})

test('months run to the same day, or the last day of a shorter month', () => {
  const yearly = of({ Kind: 'months', Months: 12 })
  expect(judge(yearly, [proof([event('done', '2028-02-29')])])).toMatchObject({ ExpiresOn: '2029-02-28' })
  expect(judge(yearly, [proof([event('done', '2026-08-01')])])).toMatchObject({ ExpiresOn: '2027-08-01' })
})

describe('a season', () => {
  const flu = of(influenza)
  const dose = [proof([event('dose', '2026-09-12')])]
  test('is asked from 11/01 through 04/30, passes on 04/30 and takes new doses from 07/01', () => {
    expect(statusOf(flu, [], '2026-10-31')).toBe('notDue')
    expect(statusOf(flu, [], '2026-11-01')).toBe('missing')
    expect(statusOf(flu, dose, '2026-11-01')).toBe('accepted')
    expect(statusOf(flu, dose, '2027-04-30')).toBe('accepted')
    expect(statusOf(flu, dose, '2027-05-01')).toBe('notDue')
    expect(statusOf(flu, dose, '2027-08-01')).toBe('notDue')
    expect(statusOf(flu, dose, '2027-11-01')).toBe('expired')
    expect(statusOf(flu, [...dose, proof([event('dose', '2027-07-01')])], '2027-11-01')).toBe('accepted')
    expect(statusOf(flu, [...dose, proof([event('dose', '2027-06-30')])], '2027-11-01')).toBe('expired')
    expect(nextAsked(influenza, '2027-08-01')).toBe('2027-11-01')
  })
  test('may lie within one year', () => {
    const summer: Rule = { Kind: 'season', DoseFrom: '01-01', AskedFrom: '04-01', AskedThrough: '09-30' }
    expect([
      isAsked(summer, '2026-03-31'),
      isAsked(summer, '2026-04-01'),
      isAsked(summer, '2026-10-01'),
    ]).toEqual([false, true, false])
  })
})

describe('a hepatitis B series', () => {
  const series = of(hepatitis)
  const dose = (On: string, Of = '') => event('dose', On, { Of })
  const titer = (On: string, Result: string) => event('titer', On, { Result })
  const at = (events: ProofEvent[], day: string) => statusOf(series, [proof(events)], day)
  test('runs through doses and titer, in order until the next step is overdue', () => {
    const first = [dose('2026-01-05')]
    expect(judge(series, [proof(first)]).Next).toEqual({
      Kind: 'dose',
      Number: 2,
      Of: 2,
      From: '2026-02-02',
      By: '2026-03-04',
    })
    expect(at(first, '2026-03-04')).toBe('inProgress')
    expect(at(first, '2026-03-05')).toBe('expired')
    const two = [dose('2026-01-05', 'Heplisav-B'), dose('2026-02-02', 'Heplisav-B')]
    expect(judge(series, [proof(two)]).Next).toEqual({
      Kind: 'titer',
      Number: 1,
      Of: 1,
      From: '2026-03-04',
      By: '2026-05-03',
    })
    expect(at([...two, titer('2026-03-10', 'positive')], '2040-01-01')).toBe('accepted')
  })
  test('takes three doses as well; one that comes too early does not count', () => {
    const three = [
      dose('2026-01-05', '3 doses'),
      dose('2026-02-02', '3 doses'),
      dose('2026-04-27', '3 doses'),
    ]
    expect(judge(series, [proof(three)]).Next).toMatchObject({ Kind: 'titer' })
    const early = [
      dose('2026-01-05', '3 doses'),
      dose('2026-02-02', '3 doses'),
      dose('2026-04-26', '3 doses'),
    ]
    expect(judge(series, [proof(early)]).Next).toMatchObject({ Kind: 'dose', Number: 3, From: '2026-04-27' })
    expect(judge(series, [proof([dose('2026-01-05'), dose('2026-02-01')])]).Next).toMatchObject({ Number: 2 })
  })
  test('a negative titer asks for a second series, and a second one for a documented non-responder', () => {
    const two = [dose('2026-01-05'), dose('2026-02-02'), titer('2026-03-10', 'negative')]
    expect(judge(series, [proof(two)]).Next).toMatchObject({ Kind: 'dose', Number: 1, From: '2026-03-10' })
    const four = [...two, dose('2026-03-12'), dose('2026-04-20')]
    expect(judge(series, [proof(four)]).Next).toMatchObject({ Kind: 'titer', From: '2026-05-20' })
    const ended = [...four, titer('2026-05-25', 'negative')]
    expect(judge(series, [proof(ended)]).Next).toMatchObject({ Kind: 'nonResponder' })
    expect(at(ended, '2026-05-25')).toBe('inProgress')
    expect(at(ended, '2026-07-25')).toBe('expired')
    expect(at([...ended, event('nonResponder', '2026-06-01')], '2030-01-01')).toBe('accepted')
    expect(at([...two, dose('2026-03-12'), titer('2026-04-15', 'positive')], '2030-01-01')).toBe('accepted')
  })
  test('a positive titer is good by itself; where there are parts, all of them have to be covered', () => {
    expect(at([titer('2026-03-10', 'positive')], '2030-01-01')).toBe('accepted')
    const parts = (...names: string[]) =>
      names.map((Of) => event('titer', '2026-03-10', { Result: 'positive', Of }))
    expect(statusOf(of(mmr), [proof(parts('Measles', 'Mumps'))], '2026-04-01')).toBe('missing')
    expect(statusOf(of(mmr), [proof(parts('Measles', 'Mumps', 'Rubella'))], '2026-04-01')).toBe('accepted')
    expect(statusOf(of(mmr), [proof([dose('2026-01-05'), dose('2026-02-02')])], '2026-04-01')).toBe(
      'accepted',
    )
  })
})

test('a signature is for a text, and is asked again when the text has changed', () => {
  const signed = [proof([event('signed', '2026-08-20')], 'accepted', 1)]
  expect(statusOf(of({ Kind: 'signed', Text: 'I keep secrets.' }, 1), signed, '2026-09-01')).toBe('accepted')
  expect(statusOf(of({ Kind: 'signed', Text: 'I keep all secrets.' }, 2), signed, '2026-09-01')).toBe(
    'missing',
  )
})

test('a vendor’s newest result decides', () => {
  const result = (On: string, Result: string) => proof([event('result', On, { Result })])
  const check = of({ Kind: 'result' })
  expect(statusOf(check, [result('2026-08-01', 'ordered')], '2026-08-02')).toBe('submitted')
  expect(
    statusOf(check, [result('2026-08-01', 'ordered'), result('2026-08-09', 'clear')], '2026-08-10'),
  ).toBe('accepted')
  expect(
    statusOf(check, [result('2026-08-09', 'clear'), result('2027-08-09', 'underReview')], '2027-08-10'),
  ).toBe('submitted')
  expect(statusOf(check, [result('2026-08-09', 'notEligible')], '2026-08-10')).toBe('returned')
})

test('an exemption holds to its end, where no proof is good for longer', () => {
  const card = of({ Kind: 'until' })
  const held = [proof([event('done', '2025-01-01', { Until: '2026-06-30' })])]
  const waiver = (Until: string | null): ExemptionFacts[] => [{ Kind: 'medical', Until }]
  expect(statusOf(card, held, '2026-07-01', waiver('2026-08-31'))).toBe('waived')
  expect(statusOf(card, held, '2026-09-01', waiver('2026-08-31'))).toBe('expired')
  expect(statusOf(card, held, '2026-06-01', waiver('2026-02-01'))).toBe('expiring')
  expect(statusOf(card, [], '2050-01-01', waiver(null))).toBe('waived')
  expect(judge(card, [], waiver(null)).Exemption).toBe('medical')
})

test('days of the year are real ones', () => {
  expect(['11-01', '02-29', '13-01', '02-30', '1-1', ''].map(isYearDay)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

const day = fc.integer({ min: 0, max: 2_000 }).map((days) => addDays('2024-01-01', days))
const rules: Rule[] = [
  { Kind: 'until' },
  { Kind: 'months', Months: 12 },
  { Kind: 'once' },
  influenza,
  hepatitis,
  mmr,
  { Kind: 'signed', Text: 'text' },
  { Kind: 'result' },
]
const anyEvent = fc.record({
  Kind: fc.constantFrom(...eventKinds),
  On: day,
  Until: fc.option(day),
  Result: fc.constantFrom('', ...titerResults, ...vendorResults),
  Of: fc.constantFrom('', 'Heplisav-B', '3 doses', 'Measles', 'Mumps', 'Rubella'),
})
const anyProof = fc.record({
  State: fc.constantFrom('submitted', 'accepted', 'returned') as fc.Arbitrary<ProofFacts['State']>,
  Events: fc.array(anyEvent, { maxLength: 4 }),
  Version: fc.integer({ min: 1, max: 3 }),
})
const anyExemption = fc.record({ Kind: fc.constantFrom(...exemptionKinds), Until: fc.option(day) })
const anything = fc.record({
  rule: fc.constantFrom(...rules),
  proofs: fc.array(anyProof, { maxLength: 6 }),
  exemptions: fc.array(anyExemption, { maxLength: 2 }),
  today: day,
})

describe('whatever is shown', () => {
  test('has a state, and is kept without the day: what is good is good until its end and never after', () => {
    fc.assert(
      fc.property(anything, ({ rule, proofs, exemptions, today }) => {
        const kept = judge(of(rule), proofs, exemptions)
        const state = stateOn(rule, kept, today)
        expect(states).toContain(state)
        if (kept.ExpiresOn !== null && today > kept.ExpiresOn)
          expect(isMet(state)).toBe(!isAsked(rule, today) && state === 'notDue')
        if (kept.Next) expect(kept.Next.From <= kept.Next.By).toBe(true)
      }),
    )
  })
  test('one more accepted proof never takes away what a rule of dates had given', () => {
    const lasting = rules.filter(({ Kind }) => Kind !== 'result' && Kind !== 'series')
    fc.assert(
      fc.property(anything, fc.constantFrom(...lasting), anyProof, ({ proofs, today }, rule, more) => {
        const accepted = proofs.map((each) => ({ ...each, State: 'accepted' as const }))
        const before = statusOf(of(rule), accepted, today)
        const after = statusOf(of(rule), [...accepted, { ...more, State: 'accepted' }], today)
        if (isMet(before)) expect(isMet(after)).toBe(true)
      }),
    )
  })
  test('what is only submitted or returned gives nothing', () => {
    fc.assert(
      fc.property(anything, ({ rule, proofs, today }) => {
        const open = proofs.map((each) =>
          each.State === 'accepted' ? { ...each, State: 'submitted' as const } : each,
        )
        const state = statusOf(of(rule), open, today)
        expect(['missing', 'submitted', 'returned', 'notDue']).toContain(state)
      }),
    )
  })
  test('the order of the events in a proof does not matter', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent, { maxLength: 6 }),
        fc.constantFrom(hepatitis, mmr, influenza),
        day,
        (events, rule, today) => {
          const shuffled = events.toReversed()
          const days = events.map(({ On }) => On)
          fc.pre(new Set(days).size === days.length)
          expect(statusOf(of(rule), [proof(events)], today)).toBe(
            statusOf(of(rule), [proof(shuffled)], today),
          )
        },
      ),
    )
  })
})

test('an end beyond the interval and a margin is a question, and no other one is', () => {
  const On = '2026-03-15'
  const asks = (rule: Pick<Rule, 'Kind'> & { Months?: number }, Until: string | null) =>
    isFarEnd(rule, { On, Until })
  expect(asks({ Kind: 'until' }, '2099-12-31')).toBe(true)
  expect(asks({ Kind: 'until' }, '2031-06-16')).toBe(true)
  expect(asks({ Kind: 'until' }, '2031-06-15')).toBe(false)
  expect(asks({ Kind: 'months', Months: 24 }, '2028-06-16')).toBe(true)
  expect(asks({ Kind: 'months', Months: 24 }, '2028-06-15')).toBe(false)
  expect(asks({ Kind: 'season' }, '2027-07-01')).toBe(true)
  expect(asks({ Kind: 'result' }, null)).toBe(false)
})
