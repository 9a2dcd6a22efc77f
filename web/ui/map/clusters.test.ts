import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cluster } from './clusters.ts'

const spot = fc.record({ x: fc.integer({ min: -5000, max: 5000 }), y: fc.integer({ min: -5000, max: 5000 }) })

test('every point is in exactly one cluster', () => {
  fc.assert(
    fc.property(fc.array(spot, { maxLength: 300 }), (spots) => {
      const found = cluster(
        spots.map((each, index) => ({ point: index, ...each })),
        60,
      ).flatMap((each) => each.points)
      expect(found.toSorted((a, b) => a - b)).toEqual(spots.map((_, index) => index))
    }),
  )
})
test('near points join, far ones do not, and the one apart is alone', () => {
  const placed = [
    { point: 'a', x: 10, y: 10 },
    { point: 'b', x: 20, y: 20 },
    { point: 'c', x: 500, y: 500 },
  ]
  expect(cluster(placed, 60)).toHaveLength(2)
  expect(cluster(placed, 60, (point) => point === 'b')).toHaveLength(3)
})
