import { expect, test } from 'vitest'
import { Expectation } from './expectation.solver.ts'

test('how long a run takes is not known before it has done steps of its own, and follows what these take', () => {
  let now = 0
  const expectation = new Expectation(40, () => now)
  for (now of [1, 30, 87]) expect(expectation.after(0)).toBe(0)
  const told: number[] = []
  for (let step = 1; step <= 40; step++) {
    now += step <= 10 ? 1 : 0.5
    told.push(expectation.after(step))
  }
  expect(told.slice(0, 9)).toEqual(new Array(9).fill(0))
  // By steps of a second each, and then by the half seconds that they really take.
  expect(told[9]).toBe(87 + 40)
  expect(told[20]).toBe(87 + 10 + 15)
  expect(told.at(-1)).toBe(now)
})

test('a run that goes on counts from where it goes on', () => {
  let now = 0
  const expectation = new Expectation(40, () => now)
  expectation.after(0)
  for (let step = 21; step <= 29; step++) {
    now++
    expect(expectation.after(step)).toBe(0)
  }
  now++
  expect(expectation.after(30)).toBe(20)
})
