import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hoursText } from './hours.ts'

test('hours have one decimal, and half a tenth goes away from zero', () => {
  expect([0, 510, 507, 40 * 60, 6093, -6093, -2].map(hoursText)).toEqual([
    '0.0',
    '8.5',
    '8.5',
    '40.0',
    '101.6',
    '-101.6',
    '0.0',
  ])
})

test('no figure is farther from its minutes than half a tenth, three minutes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -600_000, max: 600_000 }),
      (minutes) => Math.abs(Number(hoursText(minutes)) * 60 - minutes) <= 3 + 1e-6,
    ),
  )
})
