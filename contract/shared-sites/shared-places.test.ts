import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fewest, shownPlaces } from './shared-places.ts'

test('the figure is told where others have five or more, and a range where they have fewer', () => {
  expect(shownPlaces(10, 2, 3)).toEqual({ From: 3, Through: 3 })
  expect(shownPlaces(10, 2, 8)).toEqual({ From: 4, Through: 8 })
  expect(shownPlaces(10, 2, 4)).toEqual({ From: 4, Through: 8 })
  expect(shownPlaces(3, 2, 0)).toEqual({ From: 0, Through: 1 })
})

test('what is told is true, and is the same whether others have none, one, two, three or four', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), fc.nat(60), (own, others, more) => {
      const capacity = own + others + more
      const told = shownPlaces(capacity, own, more)
      expect(told.From).toBeLessThanOrEqual(more)
      expect(told.Through).toBeGreaterThanOrEqual(more)
      if (others < fewest) expect(told).toEqual(shownPlaces(capacity, own, capacity - own))
    }),
  )
})
