import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countLogs, logsMissing, stateOf } from './standing-rules.ts'

const logged = [
  { Lineage: 'chest', Level: 'performed', Verified: 3, Waiting: 1 },
  { Lineage: 'chest', Level: 'observed', Verified: 4, Waiting: 0 },
  { Lineage: 'chest', Level: null, Verified: 2, Waiting: 0 },
  { Lineage: 'hand', Level: 'performed', Verified: 9, Waiting: 9 },
]

test('logs count at the levels that count, and all of them where there are none', () => {
  expect(countLogs({ Lineage: 'chest', hasLevels: true, counted: ['performed'] }, logged)).toEqual({
    Counted: 3,
    CountedWaiting: 1,
  })
  expect(countLogs({ Lineage: 'chest', hasLevels: false, counted: [] }, logged)).toEqual({
    Counted: 9,
    CountedWaiting: 1,
  })
  expect(countLogs({ Lineage: 'chest', hasLevels: true, counted: [] }, logged).Counted).toBe(0)
})

const counts = fc.record({
  LogsNeeded: fc.nat(6),
  Counted: fc.nat(6),
  CountedWaiting: fc.nat(6),
  More: fc.nat(3),
})

test('a state says what is missing, and verifying or logging never takes a student back', () => {
  const order = ['not-begun', 'more', 'waiting', 'ready']
  fc.assert(
    fc.property(counts, ({ More, ...some }) => {
      const now = { ...some, Logged: some.Counted + some.CountedWaiting + More }
      const state = stateOf(now)
      expect(state === 'ready').toBe(now.Counted >= now.LogsNeeded)
      expect(logsMissing(now) === 0).toBe(state === 'ready' || state === 'waiting')
      const later = stateOf({ ...now, CountedWaiting: now.CountedWaiting + 1, Logged: now.Logged + 1 })
      expect(order.indexOf(later)).toBeGreaterThanOrEqual(order.indexOf(state))
    }),
  )
})
