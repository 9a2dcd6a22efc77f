import { expect, test } from 'vitest'
import { ruleDetail, ruleOf, ruleWord } from './rule-text.ts'

const read = (
  word: Parameters<typeof ruleOf>[0],
  detail: string,
  more: Partial<Parameters<typeof ruleOf>[1]> = {},
) => ruleOf(word, { name: 'Something', kind: 'immunization', detail, ...more })

test('a hepatitis B series is read with its products, months, titer and non-responder', () => {
  const detail =
    '2 doses (Heplisav-B) or 3 doses (0, 1, 6 months), titer 1-2 months after the last; or a positive titer (10 mIU/mL or more); challenge dose; non-responder after two full series with negative HBsAg and anti-HBc'
  expect(read('series-or-titer', detail)).toEqual({
    Scope: 'program',
    Rule: {
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
    },
  })
})

test('measles, mumps and rubella need a titer for each', () => {
  const detail = '2 doses at least 28 days apart or a positive titer for each of the three'
  expect(read('series-or-titer', detail, { name: 'Measles, Mumps, Rubella' })?.Rule).toMatchObject({
    Schedules: [{ Name: '2 doses', MinDays: [28] }],
    Titer: 'instead',
    Parts: ['Measles', 'Mumps', 'Rubella'],
    NonResponder: false,
  })
})

test('seasons and months need their figures', () => {
  expect(read('season', 'dose from 07/01; required from 11/01 until 04/30')?.Rule).toEqual({
    Kind: 'season',
    DoseFrom: '07-01',
    AskedFrom: '11-01',
    AskedThrough: '04-30',
  })
  expect(read('season', 'each winter')).toBeNull()
  expect(read('months', 'one Tdap; then Tdap or Td every 120 months')?.Rule).toEqual({
    Kind: 'months',
    Months: 120,
  })
  expect(read('months', 'each year')).toBeNull()
})

test('what only sites ask is signed, shown once, or shown to each', () => {
  expect(read('site', '', { kind: 'signature' })).toMatchObject({
    Scope: 'perSite',
    Rule: { Kind: 'signed' },
  })
  expect(read('site', '', { kind: 'document' })).toEqual({ Scope: 'perSite', Rule: { Kind: 'until' } })
  expect(read('site', '')).toEqual({ Scope: 'site', Rule: { Kind: 'once' } })
})

test('what the export writes is read back as the same rule', () => {
  for (const [word, detail] of [
    ['expires', ''],
    ['months', '12 months'],
    ['season', 'dose from 07/01; required from 11/01 until 04/30'],
    ['vendor', ''],
    ['once', ''],
  ] as const) {
    const first = read(word, detail)!
    expect(read(ruleWord(first), ruleDetail(first.Rule))).toEqual(first)
  }
})
