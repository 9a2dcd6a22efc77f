import { expect, test } from 'vitest'
import { dollars, percent, rateOn, states, taxOf } from './payments-rules.ts'

test('D1-169 the tax is counted in whole cents, and half a cent goes up', () => {
  expect(taxOf(10_000, 6250)).toBe(625)
  expect(taxOf(1, 50_000)).toBe(1)
  expect(taxOf(1, 49_999)).toBe(0)
  expect(taxOf(3, 16_667)).toBe(1)
  expect(taxOf(0, 6250)).toBe(0)
  expect(taxOf(100_000_000_000, 9_875)).toBe(9_875_000_000)
})

test('D1-169 the rate of a day is the last one that has begun in that state', () => {
  const rates = [
    { State: 'MA', StartsOn: '2024-01-01', Rate: 6250 },
    { State: 'MA', StartsOn: '2026-07-01', Rate: 6500 },
    { State: 'WI', StartsOn: '2020-01-01', Rate: 5000 },
  ]
  expect(rateOn(rates, 'MA', '2026-06-30')?.Rate).toBe(6250)
  expect(rateOn(rates, 'MA', '2026-07-01')?.Rate).toBe(6500)
  expect(rateOn(rates.toReversed(), 'MA', '2030-01-01')?.Rate).toBe(6500)
  expect(rateOn(rates, 'MA', '2023-12-31')).toBeUndefined()
  expect(rateOn(rates, 'OR', '2026-07-01')).toBeUndefined()
})

test('money and rates are written as people write them', () => {
  expect([0, 5, 123_456, 100_000_000_000, -250].map(dollars)).toEqual([
    '$0.00',
    '$0.05',
    '$1,234.56',
    '$1,000,000,000.00',
    '-$2.50',
  ])
  expect([0, 5000, 6250, 4225, 100_000].map(percent)).toEqual(['0%', '5%', '6.25%', '4.225%', '100%'])
  expect(new Set(states).size).toBe(52)
})
