import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { createCalendarFeed } from '#contract/scheduling/own-schedule.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { handle } from './handle.ts'
import { createWeb } from './web.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

test('E9 what an attempt noted and promised does not outlive it: a retried call fires once', async () => {
  const fired: number[] = []
  let attempts = 0
  const shaky = endpoint({
    method: 'POST',
    path: '/shaky',
    may: 'signed-in',
    summary: 'Fails twice as a deadlock does, then succeeds',
  })
  const app = await createWeb(
    installation.services,
    [
      handle(shaky, async ({ audit, afterCommit }) => {
        attempts++
        const attempt = attempts
        afterCommit(() => fired.push(attempt))
        if (attempt === 1) audit.detail = { First: true }
        if (attempt < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      }),
    ],
    { watch: { isStrict: true }, isReady: async () => true, openPages: [] },
  )
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const program = await makeProgram(installation.owner)
    const person = await makePerson(installation.owner, Level.Coord, { program })
    const caller = await installation.as(person, address)
    const { status } = await caller.call(shaky)
    expect([status, attempts]).toEqual([204, 3])
    expect(fired).toEqual([3])
    const { rows } = await installation.owner.query("select detail from audit where action = 'POST /shaky'")
    expect(rows).toEqual([{ detail: {} }])
  } finally {
    await app.close()
  }
})

test('a repeat gets the same secret, and neither the secret nor a guessable hash of the input is kept', async () => {
  const program = await makeProgram(installation.owner)
  const person = await makePerson(installation.owner, Level.Student, { program })
  const caller = await installation.as(person)
  const headers = { 'idempotency-key': 'one-calendar-please' }
  const first = await caller.ok(createCalendarFeed, {}, { headers })
  expect(await caller.ok(createCalendarFeed, {}, { headers })).toEqual(first)
  const { rows } = await installation.owner.query<{ answer: unknown; request_hash: Buffer }>(
    'select answer, request_hash from idempotency_key where account_id = $1',
    [person.Id],
  )
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows[0]!.answer)).not.toContain(first.Address.slice(-20))
  const guess = (input: unknown) => createHash('sha256').update(JSON.stringify(input)).digest()
  for (const input of [{}, { params: undefined, query: undefined, body: undefined }])
    expect(rows[0]!.request_hash.equals(guess(input))).toBe(false)
})
