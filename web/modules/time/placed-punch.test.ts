import { afterEach, expect, test, vi } from 'vitest'
import { drop, isTaken, keep } from '#web/api/queue/queue.ts'
import { sendKept } from '#web/api/queue/send.ts'
import { listItems } from '#web/api/queue/stores.ts'
import { placePunch } from './placed-punch.ts'
import { punchKind } from './punch-kind.ts'

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

afterEach(async () => {
  for (const item of await listItems()) await drop(item)
  vi.unstubAllGlobals()
})

test('a punch that was refused for want of a site is sent with one and its own time, and so is the clock-out after it', async () => {
  const taken: { Kind: string; OccurredAt: string; SiteId?: number }[] = []
  let isIn = false
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address.endsWith('/auth/session')) return json(200, { User: { Id: 1 }, CsrfToken: 'token' })
    const body = JSON.parse(String(init.body))
    if (body.Kind === 'in' && !body.SiteId) return json(422, { Message: 'No site matches.', Code: 'SiteId' })
    if (body.Kind === 'out' && !isIn) return json(409, { Message: 'You are not clocked in.', Code: 'not_in' })
    isIn = body.Kind === 'in'
    taken.push({ Kind: body.Kind, OccurredAt: body.OccurredAt, SiteId: body.SiteId })
    return json(200, {})
  })
  const owner = { account: 1, program: 5 }
  const [from, to] = ['2026-11-28T12:00:00.000Z', '2026-11-28T20:00:00.000Z']
  await keep(punchKind, owner, { body: { Kind: 'in', OccurredAt: from } })
  await keep(punchKind, owner, { body: { Kind: 'out', OccurredAt: to } })
  await sendKept([punchKind])
  const [first, second] = await listItems(1)
  expect([first?.refusalCode, second?.refusalCode]).toEqual(['SiteId', 'not_in'])

  await placePunch(first!, 9)
  await sendKept([punchKind])
  expect(taken).toEqual([
    { Kind: 'in', OccurredAt: from, SiteId: 9 },
    { Kind: 'out', OccurredAt: to, SiteId: undefined },
  ])
  expect((await listItems(1)).filter((item) => !isTaken(item))).toEqual([])
})
