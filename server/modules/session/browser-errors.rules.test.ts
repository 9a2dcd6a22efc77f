import { expect, test } from 'vitest'
import { createBudget } from './browser-errors.rules.ts'

const minuteMs = 60_000

test('A60 sixty errors count in a minute, and as many in the next one', () => {
  const admit = createBudget()
  const countedIn = (minute: number): number =>
    Array.from({ length: 80 }, () => admit('Error · admin/home', minute * minuteMs)).filter(Boolean).length
  expect([countedIn(0), countedIn(1)]).toEqual([60, 60])
})

test('A60 fifty names are told apart in an hour, and what is new is said once', () => {
  const admit = createBudget()
  const told = Array.from({ length: 60 }, (_, n) => admit(`K${n}`, n * 1000)!)
  expect(told.filter(({ isNew }) => isNew)).toHaveLength(50)
  expect(told.slice(50).every(({ name }) => name === 'others')).toBe(true)
  expect(admit('K0', 2 * minuteMs)).toEqual({ name: 'K0', isNew: false })
  expect(admit('K0', 60 * minuteMs)).toEqual({ name: 'K0', isNew: true })
})
