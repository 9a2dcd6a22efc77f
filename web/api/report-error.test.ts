import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from './call.ts'
import { report } from './report-error.ts'

const sent: { address: string; body: { Message: string } }[] = []
beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('location', { pathname: '/new/admin/home' })
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    sent.push({ address, body: JSON.parse(String(body)) })
    return new Response(null, { status: 204 })
  })
})
afterEach(() => vi.unstubAllGlobals())

const broke = (message: string, line: number, name = 'TypeError'): Error =>
  Object.assign(new Error(message), {
    name,
    stack: `${name}: ${message}\n at save (https://x.edu/new/assets/HomePage-a1.js:${line}:7)\n at https://x.edu/new/assets/es/app-b2.js:1:2`,
  })

test('an error of ours is told once, with its places and without texts of people', async () => {
  const error = broke('Unexpected token, "Ada Lovelace, 555-1234" of ada@example.org', 1, 'SyntaxError')
  report(error)
  report(error)
  report(broke("Cannot read properties of undefined (reading 'Name')", 2))
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[0]).toEqual({
    address: '/new/api/browser-errors',
    body: {
      Kind: 'SyntaxError',
      Message: 'Unexpected token, … of …',
      Page: '/new/admin/home',
      Places: ['HomePage-a1.js:1:7', 'app-b2.js:1:2'],
    },
  })
  expect(sent[1]!.body.Message).toBe("Cannot read properties of undefined (reading 'Name')")
})

test('refusals, what was broken off and what extensions do are not told, and of many errors five', async () => {
  report(new CallError(422, { Message: 'No.' }))
  report(Object.assign(new Error('Aborted'), { name: 'AbortError' }))
  report(Object.assign(new Error('x'), { stack: 'at chrome-extension://abc/content.js:1:1' }))
  report('a text')
  for (let line = 10; line < 30; line++) report(broke('x', line))
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0))
  expect(sent).toHaveLength(3)
})
