import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#server/test/database.ts'
import { logTo, prepareQueue } from './jobs.ts'
import { plainError } from './plain-error.ts'

test('A62 C6 what the queue says is a line of the one log, without what an error quotes', () => {
  const lines: unknown[] = []
  const note = (level: string) => (about: object, message: string) => lines.push([level, about, message])
  const log = { error: note('error'), warn: note('warn'), debug: note('debug'), trace: note('trace') }
  const say = logTo(log as never)({ label: 'job', taskIdentifier: 'mail' })
  say('info' as never, 'Worker connected', {})
  const error = new Error('broken')
  say('error' as never, 'Failed task 1 with payload zzqx', { error })
  expect(lines).toEqual([
    ['debug', { job: 'mail' }, 'Worker connected'],
    ['error', { job: 'mail', err: error }, 'A job failed'],
  ])
  expect(plainError(error as never)).toMatchObject({ type: 'Error', message: 'broken' })
})

test('the queue is prepared once: a later start leaves it as it is, and one with other rights prepares it again', async () => {
  const { ownerUrl, drop } = await createTestDatabase()
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  const policies = async () =>
    (
      await client.query<{ oid: number }>(
        "select p.oid from pg_policy p where p.polname = 'app' and p.polrelid::regclass::text like 'graphile_worker.%' order by 1",
      )
    ).rows.map(({ oid }) => oid)
  try {
    const made = await policies()
    expect(made.length).toBeGreaterThan(0)
    await prepareQueue(ownerUrl)
    expect(await policies()).toEqual(made)
    await client.query("comment on schema graphile_worker is 'graphile-worker 0.1.0, rights 0 of app'")
    await prepareQueue(ownerUrl)
    const again = await policies()
    expect(again).toHaveLength(made.length)
    expect(again.filter((oid) => made.includes(oid))).toEqual([])
  } finally {
    await client.end()
    await drop()
  }
})
