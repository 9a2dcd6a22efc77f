import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { Level } from '#contract/core/levels.ts'
import { reportBrowserError } from '#contract/session/browser-errors.ts'
import { handle } from '#server/core/http/handle.ts'
import { createWeb } from '#server/core/http/web.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { fail } from './failure.ts'
import { createFailureCounts } from './failure-counts.ts'
import { job, prepareQueue, startWorker } from './jobs.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const kept = async (name: string): Promise<number> => {
  const { rows } = await installation.owner.query(
    'select coalesce(sum(number), 0)::integer as number from failure_hour where name = $1',
    [name],
  )
  return rows[0].number
}

test('A60 answers with an error of the server are counted by their route, those with a refusal are not', async () => {
  const breaks = endpoint({
    method: 'POST',
    path: '/breaks/:how',
    may: 'signed-in',
    summary: 'Fails as it is told',
    params: z.strictObject({ how: z.string() }),
  })
  const { services, owner } = installation
  const app = await createWeb(
    services,
    [
      handle(breaks, async ({ params: { how } }) => {
        if (how === 'refused') throw fail(coreFailures.key_reused)
        if (how === 'broken') throw new Error('A fault of ours')
      }),
    ],
    { isReady: async () => true },
  )
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const person = await makePerson(owner, Level.Coord, { program: await makeProgram(owner) })
    const caller = await installation.as(person, address)
    const fault = await caller.call(breaks, { params: { how: 'broken' } })
    expect(fault).toMatchObject({
      status: 500,
      body: { Code: 'fault', Reference: expect.stringMatching(/^[0-9a-f]{8}$/) },
    })
    const { Message, Reference } = fault.body as unknown as { Message: string; Reference: string }
    expect(Message).toBe(
      `Something went wrong on the server, and nothing was saved. It is recorded as ${Reference}: give support this number if it happens again.`,
    )
    for (const how of ['refused', 'broken', 'well']) await caller.call(breaks, { params: { how } })
    const name = 'POST /new/api/breaks/:how'
    expect(await kept(name)).toBe(0)
    await services.failures.write()
    expect(await kept(name)).toBe(2)
  } finally {
    await app.close()
  }
})

test('A60 processes add up, a stop writes the rest, and what cannot be written is kept for the next time', async () => {
  const { services } = installation
  let isAway = true
  const query = ((text: string, values: unknown[]) =>
    isAway ? Promise.reject(new Error('away')) : services.pool.query(text, values)) as never
  const [one, other] = [1, 2].map(() => createFailureCounts({ query }, services.log))
  one!.add('server', 'GET /both')
  other!.add('server', 'GET /both')
  await Promise.all([one!.write(), other!.write()])
  expect(await kept('GET /both')).toBe(0)
  isAway = false
  one!.add('server', 'GET /both')
  await Promise.all([one!.write(), one!.close(), other!.close()])
  expect(await kept('GET /both')).toBe(3)
  await one!.write()
  expect(await kept('GET /both')).toBe(3)
})

test('A60 a page that broke is counted under its page and its place in our code, and nothing else of what was sent is kept', async () => {
  const { services, anonymous } = installation
  const report = (body: object) =>
    anonymous.call(reportBrowserError, {
      body: {
        Kind: 'TypeError',
        Message: 'x is not a function',
        Page: '/new/admin/home',
        Places: [],
        ...body,
      },
    })
  await report({ Places: ['Ada Lovelace', 'HomePage-a1.js:2:77'] })
  await report({ Kind: 'Ada Lovelace', Page: '/new/nobody-knows/ada@example.org', Places: ['/etc/passwd'] })
  for (let n = 0; n < 80; n++) await report({ Kind: `K${n}` })
  expect((await report({ Places: Array(7).fill('a.js:1:1') })).status).toBe(400)
  await services.failures.write()
  const { rows } = await installation.owner.query(
    "select name, number from failure_hour where kind = 'browser' order by name",
  )
  expect(rows).toContainEqual({ name: 'TypeError · admin/home · HomePage-a1.js:2:77', number: 1 })
  expect(JSON.stringify(rows)).not.toMatch(/ada|passwd/i)
  expect(rows.length).toBeLessThan(10)
})

test('A60 runs of jobs that end with an error are counted', async () => {
  const { services, owner } = installation
  await prepareQueue(owner.options.connectionString!)
  const failing = job({
    name: 'test:failing',
    payload: z.object({}).loose(),
    work: async () => {
      throw new Error('No')
    },
  })
  const runner = await startWorker([failing], services, services.pool)
  try {
    const failed = new Promise((resolve) => runner.events.once('job:error', resolve))
    const client = await services.pool.connect()
    try {
      await client.query("select graphile_worker.add_job('test:failing', '{}')")
    } finally {
      client.release()
    }
    await failed
    await services.failures.write()
    expect(await kept('test:failing')).toBe(1)
  } finally {
    await runner.stop()
  }
})
