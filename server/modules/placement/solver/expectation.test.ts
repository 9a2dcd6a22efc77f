import { expect, test } from 'vitest'
import { makeInstance } from '#server/test/placement-instances.ts'
import { expectationOf, roughSeconds } from './expectation.ts'

const shape = { students: 20, blocks: 4, options: 8, slack: 1.2, ranks: 3, skew: 1, isCoupled: true }

test('what a run is said to take grows with the plan and with its steps, and is in seconds where it is small', () => {
  const small = { students: 36, blocks: 6, options: 30 }
  const middle = { students: 300, blocks: 12, options: 40 }
  const largest = { students: 5_000, blocks: 16, options: 200 }
  expect(roughSeconds([small], 5)).toBeLessThan(10)
  expect(roughSeconds([middle], 40)).toBeLessThan(20)
  expect(roughSeconds([middle], 300)).toBeGreaterThan(roughSeconds([middle], 40))
  // It was measured once: 457 s of a processor.
  expect(roughSeconds([largest], 40)).toBeGreaterThan(300)
  expect(roughSeconds([largest], 40)).toBeLessThan(600)
})

test('as steps are done, what is left shrinks, and at the end nothing is left', () => {
  const expectation = expectationOf(makeInstance(shape, 1), 40)
  const left = [0, 10, 20, 30, 40].map((step) => expectation.after(step) - performance.now() / 1_000)
  expect(left.toSorted((one, other) => other - one)).toEqual(left)
  expect(left.at(-1)).toBeLessThan(0.01)
})

test('a plan whose blocks are apart has no steps to wait for', () => {
  const began = performance.now() / 1_000
  const expectation = expectationOf(makeInstance({ ...shape, isCoupled: false }, 1), 300)
  expect(expectation.atFirst - began).toBeLessThan(5)
})
