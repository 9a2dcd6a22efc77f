import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { punch } from '#contract/time/clock.ts'
import { onQueueChange, type QueueChange } from './changes.ts'
import { queueKind } from './item.ts'
import { alone } from './locks.ts'
import { change, drop, enqueueHeld, isTaken, isWaiting, keep, lockOf } from './queue.ts'
import { sendKept } from './send.ts'
import { listItems } from './stores.ts'

// Without a database of the browser, as here, items are in its list, and without that on the page.

const kind = queueKind({ name: 'punch', call: punch })
const grouped = queueKind({ name: 'log', call: punch, groupOf: ({ body }) => String(body.SiteId) })
const kinds = [kind, grouped]
const owner = { account: 1, program: 5 }
const input = (Kind: 'in' | 'out' = 'in', SiteId?: number) => ({ body: { Kind, ...(SiteId && { SiteId }) } })
const keys = async (account = 1) => (await listItems(account)).map(({ key }) => key)

const listOf = (most = Number.POSITIVE_INFINITY) => {
  const held = new Map<string, string>()
  return {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (value.length > most) throw new DOMException('The quota is used up.', 'QuotaExceededError')
      held.set(name, value)
    },
    removeItem: (name: string) => void held.delete(name),
  }
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** A server in which somebody is signed in, and that answers changes by their keys; 200 unless said otherwise. */
const serverOf = (account: number | undefined, answers: Record<string, () => Response> = {}) => {
  const sent: { key: string; headers: Record<string, string>; body: unknown }[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address.endsWith('/auth/session'))
      return account === undefined ? json(401, {}) : json(200, { User: { Id: account }, CsrfToken: 'token' })
    const headers = init.headers as Record<string, string>
    const key = headers['idempotency-key']!
    sent.push({ key, headers, body: JSON.parse(String(init.body)) })
    return answers[key]?.() ?? json(200, {})
  })
  return sent
}

beforeEach(() => void vi.stubGlobal('localStorage', listOf()))
afterEach(async () => {
  for (const item of await listItems()) await drop(item)
  vi.unstubAllGlobals()
})

test('what is kept is sent in its order, with key, token and account, and then gone', async () => {
  const changes: QueueChange[] = []
  const leave = onQueueChange((each) => changes.push(each))
  await keep(kind, owner, input(), { key: 'a' })
  await keep(kind, owner, input('out'), { key: 'b' })
  const sent = serverOf(1)
  expect(await sendKept(kinds)).toBe('done')
  leave()
  expect(sent.map(({ key, body }) => [key, body])).toEqual([
    ['a', { Kind: 'in' }],
    ['b', { Kind: 'out' }],
  ])
  expect(sent[0]!.headers).toMatchObject({ 'x-account': '1', 'x-csrf-token': 'token' })
  expect(await keys()).toEqual([])
  expect(changes.flatMap((each) => each.sent ?? [])).toEqual([{ kind: 'punch', count: 2 }])
})

test('what a kind keeps until it was read stays once it is taken: it waits no longer, is not sent again and holds up nobody', async () => {
  const stays = queueKind({ name: 'punch', call: punch, staysUntilRead: true })
  await keep(stays, owner, input(), { key: 'a' })
  const sent = serverOf(1)
  expect(await sendKept([stays])).toBe('done')
  const [item] = await listItems(1)
  expect([isTaken(item!), isWaiting(item!)]).toEqual([true, false])
  expect(await sendKept([stays])).toBe('done')
  await keep(stays, owner, input('out'), { key: 'b' })
  expect(await sendKept([stays])).toBe('done')
  expect(sent.map(({ key }) => key)).toEqual(['a', 'b'])
  expect(await keys()).toEqual(['a', 'b'])
})

test('an item that nobody answers holds up its group and no other', async () => {
  await keep(kind, owner, input(), { key: 'in' })
  await keep(grouped, owner, input('in', 1), { key: 'first' })
  await keep(grouped, owner, input('in', 2), { key: 'second' })
  await keep(kind, owner, input('out'), { key: 'out' })
  const lost = () => {
    throw new TypeError('no network')
  }
  const sent = serverOf(1, { in: lost })
  expect(await sendKept(kinds)).toBe('waiting')
  expect(sent.map(({ key }) => key).sort()).toEqual(['first', 'in', 'second'])
  expect(await keys()).toEqual(['in', 'out'])
})

test.each([401, 403, 408, 429, 500, 502, 503])(
  'the answer %i decides nothing: the item stays',
  async (status) => {
    await keep(kind, owner, input(), { key: 'a' })
    serverOf(1, { a: () => json(status, { Message: 'Not now.', Code: 'other_account' }) })
    expect(await sendKept(kinds)).toBe('waiting')
    expect((await listItems(1)).map(({ refusal }) => refusal)).toEqual([undefined])
  },
)

test('an answer of somebody between is none, whatever its status', async () => {
  await keep(kind, owner, input(), { key: 'a' })
  for (const status of [200, 404]) {
    serverOf(1, { a: () => new Response('<title>Guest network</title>', { status }) })
    expect(await sendKept(kinds)).toBe('waiting')
  }
  expect(await keys()).toEqual(['a'])
})

test('a refusal stays with its reason until it was seen, is not sent again, and holds up nobody', async () => {
  await keep(kind, owner, input(), { key: 'a' })
  await keep(kind, owner, input('out'), { key: 'b' })
  const refused = { a: () => json(409, { Message: 'You are clocked in.' }) }
  expect(serverOf(1, refused)).toEqual([])
  expect(await sendKept(kinds)).toBe('done')
  const [item] = await listItems(1)
  expect(item).toMatchObject({ key: 'a', refusal: 'You are clocked in.' })
  expect(isWaiting(item!)).toBe(false)
  const sent = serverOf(1, refused)
  expect(await sendKept(kinds)).toBe('done')
  expect(sent).toEqual([])
  await drop(item!)
  expect(await keys()).toEqual([])
})

test('whoever views as somebody else is told at once: nothing is ever sent in that name', async () => {
  await keep(kind, owner, input(), { key: 'a' })
  serverOf(1, { a: () => json(403, { Message: 'You are viewing as Amara.', Code: 'viewing' }) })
  await sendKept(kinds)
  expect(await listItems(1)).toMatchObject([{ refusal: 'You are viewing as Amara.' }])
})

test('nobody sends what another account kept, and without a session nobody sends anything', async () => {
  await keep(kind, owner, input(), { key: 'a' })
  await keep(kind, { account: 2, program: 5 }, input(), { key: 'b' })
  expect(serverOf(undefined)).toEqual([])
  expect(await sendKept(kinds)).toBe('signed-out')
  const sent = serverOf(2)
  expect(await sendKept(kinds, 1)).toBe('waiting')
  expect(sent).toEqual([])
  expect(await sendKept(kinds)).toBe('done')
  expect(sent.map(({ key }) => key)).toEqual(['b'])
  expect([await keys(1), await keys(2)]).toEqual([['a'], []])
})

test('one window sends at a time, and nobody sends what another one works on', async () => {
  await enqueueHeld(kind, owner, input(), 'a', async (item) => {
    const sent = serverOf(1)
    expect(await sendKept(kinds)).toBe('waiting')
    await change({ ...item, input: input('out') })
    expect(await alone(`group 1 ${kind.name}`, () => sendKept(kinds))).toBe('waiting')
    expect(sent).toEqual([])
  })
  const sent = serverOf(1)
  expect(await alone(lockOf({ key: 'b' }), () => sendKept(kinds))).toBe('done')
  expect(sent).toMatchObject([{ key: 'a', body: { Kind: 'out' } }])
})

test('what a newer version of the product kept waits for it', async () => {
  const item = await keep(kind, owner, input(), { key: 'a' })
  await change({ ...item, version: item.version + 1 })
  await keep({ ...kind, name: 'of-tomorrow' }, owner, input(), { key: 'b' })
  const sent = serverOf(1)
  expect(await sendKept(kinds)).toBe('waiting')
  expect(sent).toEqual([])
  expect(await keys()).toEqual(['a', 'b'])
})

test('the same key is kept once, people do not see each other, and a later item comes after an earlier one', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-24T12:00:00Z'), toFake: ['Date'] })
  await keep(kind, owner, input(), { key: 'a' })
  // The phone's clock was set back.
  vi.setSystemTime(Date.parse('2026-11-24T09:00:00Z'))
  await keep(kind, owner, input('out'), { key: 'b' })
  await keep(kind, owner, input('out'), { key: 'a' })
  vi.useRealTimers()
  expect(await keys()).toEqual(['a', 'b'])
  expect(await keys(2)).toEqual([])
})

test('where there is no room, or nothing is kept, the page has it and says so', async () => {
  const files = { file: [new File(['card'], 'card.png')] }
  expect(await keep(kind, owner, input(), { key: 'file', files })).toMatchObject({ isLasting: false })
  vi.stubGlobal('localStorage', listOf(300))
  expect(await keep(kind, owner, input(), { key: 'small' })).toMatchObject({ isLasting: true })
  expect(await keep(kind, owner, input('out'), { key: 'second' })).toMatchObject({ isLasting: false })
  vi.stubGlobal('localStorage', undefined)
  expect(await keep(kind, owner, input(), { key: 'third' })).toMatchObject({ isLasting: false })
})
