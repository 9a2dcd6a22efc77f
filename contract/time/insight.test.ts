import { expect, test } from 'vitest'
import { judgeWith, type OtherHalf } from './insight.ts'

const late = { Code: 'outside_tolerance', Value: 20 } as const
const half = (insight: OtherHalf['insight'], isChangeAsked = false): OtherHalf => ({ insight, isChangeAsked })

test('a half is of the graver insight of the two, and says that the other one is why', () => {
  expect(judgeWith([], null)).toEqual({ Insight: 1, Reasons: [] })
  expect(judgeWith([late], half(1))).toEqual({ Insight: 2, Reasons: [late] })
  expect(judgeWith([late], half(2))).toEqual({ Insight: 2, Reasons: [late] })
  expect(judgeWith([], half(2))).toEqual({ Insight: 2, Reasons: [{ Code: 'other_half' }] })
  expect(judgeWith([late], half(3))).toEqual({ Insight: 3, Reasons: [late, { Code: 'other_half' }] })
})

test('a time change that is asked for one half holds both, once', () => {
  expect(judgeWith([late], half(3, true))).toEqual({ Insight: 3, Reasons: [late, { Code: 'change_asked' }] })
  expect(judgeWith([{ Code: 'change_asked' }], half(3, true)).Reasons).toEqual([{ Code: 'change_asked' }])
})
