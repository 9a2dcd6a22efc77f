import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { untilItWorks, waitAfter } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('D1-231 the pause begins at a second, doubles, and never passes a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 1_000].map(waitAfter)).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
  ])
})

test('D1-231 a failing attempt is repeated at these moments until it works', async () => {
  const began = Date.now()
  const moments: number[] = []
  const answer = untilItWorks(async () => {
    moments.push((Date.now() - began) / 1_000)
    if (moments.length < 9) throw new Error('no token')
    return 'token'
  }, new AbortController().signal)
  await vi.advanceTimersByTimeAsync(400_000)
  expect(await answer).toBe('token')
  expect(moments).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183])
})

test('called off, it neither tries again nor keeps a timer', async () => {
  const attempt = vi.fn(async () => {
    throw new Error('no token')
  })
  const control = new AbortController()
  const answer = untilItWorks(attempt, control.signal)
  await vi.advanceTimersByTimeAsync(1_500)
  control.abort()
  expect(await answer).toBeUndefined()
  await vi.advanceTimersByTimeAsync(100_000)
  expect(attempt).toHaveBeenCalledTimes(2)
  expect(vi.getTimerCount()).toBe(0)
})
