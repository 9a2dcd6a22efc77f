import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getClock, punch } from '#contract/time/clock.ts'
import { onQueueChange } from '#web/api/queue/changes.ts'
import { queueKind } from '#web/api/queue/item.ts'
import { drop, keep } from '#web/api/queue/queue.ts'
import { sendKept } from '#web/api/queue/send.ts'
import { listItems } from '#web/api/queue/stores.ts'
import { queryClient, readKey } from '#web/api/use-call.ts'
import { readClock, readTaken, startReadingTaken } from './read-clock.ts'

const punchKind = queueKind({ name: 'punch', call: punch, staysUntilRead: true })
const json = (body: unknown) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
const known = () => queryClient.getQueryData(readKey(getClock, {}))

/** A server that takes punches; its clock says how many it has. */
const server = { taken: 0, isCut: false, reads: 0 }
/** Each test has its own person: what listens to an account goes on. */
let account = 0
const press = (key: string) =>
  keep(punchKind, { account, program: 5 }, { body: { Kind: 'in' } }, { key: `${account} ${key}` })
const left = async () => (await listItems(account)).map(({ key }) => key.split(' ')[1])

beforeEach(() => {
  account++
  Object.assign(server, { taken: 0, isCut: false, reads: 0 })
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.endsWith('/auth/session')) return json({ User: { Id: account }, CsrfToken: 'token' })
    if (!address.endsWith('/clock')) return json({ taken: ++server.taken })
    server.reads++
    if (server.isCut) throw new TypeError('no network')
    return json({ taken: server.taken })
  })
})
afterEach(async () => {
  for (const item of await listItems()) await drop(item)
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('a punch that was taken goes once the screen has the clock that knows it', async () => {
  server.isCut = true
  await press('first')
  await sendKept([punchKind])
  await expect(readTaken(account)).rejects.toMatchObject({ status: 0 })
  expect([await left(), known()]).toEqual([['first'], undefined])

  const whileGoing: unknown[] = []
  const leave = onQueueChange(() => whileGoing.push(known()))
  server.isCut = false
  await readTaken(account)
  leave()
  expect([await left(), whileGoing]).toEqual([[], [{ taken: 1 }]])
})

test('what was taken while no page was open goes with the first one, by one read; what waits stays', async () => {
  await press('first')
  await sendKept([punchKind])
  await press('second')
  startReadingTaken(account)
  await readTaken(account)
  expect([await left(), known(), server.reads]).toEqual([['second'], { taken: 1 }, 1])
})

test('a clock that was being read meanwhile comes too late', async () => {
  const { promise, resolve } = Promise.withResolvers()
  const older = queryClient
    .fetchQuery({ queryKey: readKey(getClock, {}), queryFn: () => promise, retry: false })
    .catch(() => 'given up')
  server.taken = 1
  await readClock()
  resolve({ taken: 0 })
  expect([await older, known()]).toEqual(['given up', { taken: 1 }])
})
