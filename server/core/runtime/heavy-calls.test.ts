import { expect, test, vi } from 'vitest'
import { AbandonedError } from '#server/core/database/cancel.ts'
import { createHeavyCalls } from './heavy-calls.ts'

/** What has begun so far, in its order, after everything that can go on has. */
const follow = (heavy = createHeavyCalls(6)) => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const enter = (name: string, accountId: number, hasLeft?: AbortSignal): Promise<void> =>
    heavy.enter(accountId, hasLeft).then((leave) => {
      begun.push(name)
      ends.set(name, leave)
    })
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    enter,
    begunAfter: async (end?: string) => {
      if (end) ends.get(end)!()
      await settled()
      return begun.splice(0)
    },
  }
}

test('D2 two calls of an account run at a time, the next when one ends, in the order of coming', async () => {
  const { enter, begunAfter } = follow()
  for (const name of ['a', 'b', 'c', 'd']) void enter(name, 1)
  void enter('other', 2)
  expect(await begunAfter()).toEqual(['a', 'b', 'other'])
  expect(await begunAfter('b')).toEqual(['c'])
  expect(await begunAfter('b')).toEqual([])
  expect(await begunAfter('a')).toEqual(['d'])
})

test('D2 six run at a time, and an account that has its two lets others pass', async () => {
  const { enter, begunAfter } = follow()
  for (const account of [1, 2, 3])
    for (const place of ['first', 'second']) void enter(`${account} ${place}`, account)
  expect(await begunAfter()).toHaveLength(6)
  void enter('1 third', 1)
  void enter('4 first', 4)
  expect(await begunAfter('2 first')).toEqual(['4 first'])
  expect(await begunAfter('1 second')).toEqual(['1 third'])
})

test('D2 an account that asks for too many at once is told to come again', async () => {
  const { enter } = follow()
  for (let number = 0; number < 8; number++) void enter(String(number), 1)
  await expect(enter('ninth', 1)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 3 })
})

test('D2 when everybody asks for too many at once, the next is told to come again', async () => {
  const { enter } = follow()
  for (let account = 1; account <= 66; account++) void enter('one', account)
  await expect(enter('one more', 99)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 })
})

test('D2 whoever leaves while waiting gives the turn to the next', async () => {
  const { enter, begunAfter } = follow()
  const caller = new AbortController()
  void enter('a', 1)
  void enter('b', 1)
  const left = expect(enter('c', 1, caller.signal)).rejects.toThrow(AbandonedError)
  void enter('d', 1)
  caller.abort()
  await left
  await begunAfter()
  expect(await begunAfter('a')).toEqual(['d'])
})

test('D2 whoever waits too long is told to come again', async () => {
  vi.useFakeTimers()
  try {
    const { enter } = follow()
    void enter('a', 1)
    void enter('b', 1)
    const late = expect(enter('c', 1)).rejects.toMatchObject({ status: 503 })
    await vi.advanceTimersByTimeAsync(20_001)
    await late
  } finally {
    vi.useRealTimers()
  }
})
