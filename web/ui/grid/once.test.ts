import { expect, test } from 'vitest'
import { once } from './once.ts'

test('the second press of a double click does nothing, a press by keyboard and a later one do', () => {
  let done = 0
  const press = once(() => done++)
  for (const detail of [1, 2, 0, 1]) press({ detail })
  expect(done).toBe(3)
})
