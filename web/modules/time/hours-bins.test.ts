import fc from 'fast-check'
import { expect, test } from 'vitest'
import { histogramBins } from './hours-bins.ts'

const minutes = fc.array(fc.integer({ min: 0, max: 120_000 }), { minLength: 1, maxLength: 200 })
const target = fc.integer({ min: 1, max: 100_000 })

test('every student is in exactly one bar', () => {
  fc.assert(
    fc.property(minutes, target, (values, aim) => {
      const sorted = values.toSorted((one, other) => one - other)
      const bins = histogramBins(sorted, aim)
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
      expect(bins.length).toBeLessThanOrEqual(14)
    }),
  )
})

test('bars below the target hold exactly those who fall short', () => {
  fc.assert(
    fc.property(minutes, target, (values, aim) => {
      const sorted = values.toSorted((one, other) => one - other)
      const short = histogramBins(sorted, aim)
        .filter(({ to }) => to <= aim / 60 + 1e-6)
        .reduce((sum, { count }) => sum + count, 0)
      expect(short).toBe(values.filter((value) => value < aim).length)
    }),
  )
})
