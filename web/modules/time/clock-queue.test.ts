import { expect, test } from 'vitest'
import {
  dropPunch,
  type KeptPunch,
  newKey,
  queuePunch,
  readKept,
  type Sent,
  type Shelf,
  sendKept,
} from './clock-queue.ts'

const shelfOf = (): Shelf => {
  const held = new Map<string, string>()
  return {
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, value) => void held.set(name, value),
    removeItem: (name) => void held.delete(name),
  }
}
const punch = (key: string, Kind: 'in' | 'out' = 'in'): KeptPunch => ({
  key,
  body: { Kind, OccurredAt: '2026-11-19T12:00:00Z' },
})

test('kept punches are sent in their order and then gone', async () => {
  const shelf = shelfOf()
  queuePunch(shelf, 1, punch('a'))
  queuePunch(shelf, 1, punch('b', 'out'))
  const order: string[] = []
  const taken = await sendKept(shelf, 1, async ({ key }) => {
    order.push(key)
    return { is: 'taken' }
  })
  expect(taken).toBe(2)
  expect(order).toEqual(['a', 'b'])
  expect(readKept(shelf, 1)).toEqual([])
})

test('a clock-out never overtakes a clock-in that is not answered', async () => {
  const shelf = shelfOf()
  queuePunch(shelf, 1, punch('a'))
  queuePunch(shelf, 1, punch('b', 'out'))
  const answers: Sent[] = [{ is: 'unanswered' }, { is: 'taken' }]
  expect(await sendKept(shelf, 1, async () => answers.shift()!)).toBe(0)
  expect(readKept(shelf, 1).map(({ key }) => key)).toEqual(['a', 'b'])
})

test('a refused punch stays with the reason, is not sent again, and does not hold up the next', async () => {
  const shelf = shelfOf()
  queuePunch(shelf, 1, punch('a'))
  queuePunch(shelf, 1, punch('b'))
  const send = async ({ key }: KeptPunch): Promise<Sent> =>
    key === 'a' ? { is: 'refused', message: 'You are clocked in.' } : { is: 'taken' }
  expect(await sendKept(shelf, 1, send)).toBe(1)
  expect(readKept(shelf, 1)).toMatchObject([{ key: 'a', refusal: 'You are clocked in.' }])
  expect(await sendKept(shelf, 1, send)).toBe(0)
  dropPunch(shelf, 1, 'a')
  expect(readKept(shelf, 1)).toEqual([])
})

test('the same key is kept once, people do not see each other, and a broken shelf is empty', () => {
  const shelf = shelfOf()
  queuePunch(shelf, 1, punch('a'))
  queuePunch(shelf, 1, punch('a'))
  expect(readKept(shelf, 1)).toHaveLength(1)
  expect(readKept(shelf, 2)).toEqual([])
  shelf.setItem('practicum-punches-3', '{broken')
  expect(readKept(shelf, 3)).toEqual([])
})

test('keys are long and differ', () => {
  expect(newKey()).toMatch(/^[0-9a-f]{32}$/)
  expect(newKey()).not.toBe(newKey())
})
