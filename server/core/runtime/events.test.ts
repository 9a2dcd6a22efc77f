import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, settle, startInstallation } from '#server/test/installation.ts'
import { addSubscribers, hearEvents, ofBatch, type Subscriber } from './events.ts'

let installation: Installation
let program: MadeProgram
let person: { Id: number }
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

let heard: { id: number; level: number }[]
const listener = (name: string, more: Partial<Subscriber> = {}): Subscriber => ({
  name,
  kinds: ['person'],
  hear: async (client, batch) => {
    const { rows } = await client.query(
      `select record_id as id, (after ->> 'AccessLevel')::int as level from domain_event e where ${ofBatch} order by e.id`,
      [...batch],
    )
    heard.push(...rows.filter(({ id }) => id === person.Id))
  },
  ...more,
})
const hear = async (subscriber: Subscriber) => hearEvents(installation.services, [subscriber])
const begin = async (subscriber: Subscriber) => {
  await settle(installation.owner)
  await addSubscribers(installation.services.pool, [subscriber])
  return subscriber
}
const setLevel = (client: pg.ClientBase | pg.Pool, level: number) =>
  client.query('update account set access_level = $2 where id = $1', [person.Id, level])
const levels = () => heard.map(({ level }) => level)

beforeEach(async () => {
  heard = []
  program = await makeProgram(installation.owner)
  person = await makePerson(installation.owner, Level.Faculty, { program })
})

const connect = async () => {
  const client = new pg.Client({ connectionString: installation.services.ownerUrl })
  await client.connect()
  return client
}

test('a new subscriber hears what changes from then on, each change once', async () => {
  const one = await begin(listener('new'))
  await setLevel(installation.owner, 60)
  await settle(installation.owner)
  await hear(one)
  await hear(one)
  expect(levels()).toEqual([60])
  // A process that starts later leaves the cursor where it is.
  await setLevel(installation.owner, 61)
  await begin(one)
  await hear(one)
  expect(levels()).toEqual([60, 61])
})

test('nothing is passed over that still runs, and a record’s changes come in the order in which they were made', async () => {
  const one = await begin(listener('order'))
  const [early, late] = [await connect(), await connect()]
  try {
    // The first takes its number, the second changes the record and is done, then the first changes it too.
    await early.query('begin')
    await early.query('select pg_current_xact_id()')
    await late.query('begin')
    await setLevel(late, 60)
    await late.query('commit')
    await hear(one)
    expect(levels()).toEqual([])
    await setLevel(early, 61)
    await early.query('commit')
  } finally {
    await Promise.all([early.end(), late.end()])
  }
  await settle(installation.owner)
  await hear(one)
  expect(levels()).toEqual([60, 61])
})

test('what fails is heard again, whole, and keeps no other waiting', async () => {
  let fails = true
  const failing = await begin(
    listener('failing', {
      hear: async (client, batch) => {
        await client.query(
          "insert into failure_hour (hour, kind, name, number) values (now(), 'job', 'events test', 1)",
        )
        if (fails) throw new Error('not now')
        await listener('').hear(client, batch)
      },
    }),
  )
  const other = await begin(listener('other'))
  await setLevel(installation.owner, 60)
  await settle(installation.owner)
  await expect(hear(failing)).rejects.toThrow('not now')
  await hear(other)
  expect(levels()).toEqual([60])
  const { rows } = await installation.owner.query("select from failure_hour where name = 'events test'")
  expect(rows).toEqual([])
  fails = false
  await hear(failing)
  expect(levels()).toEqual([60, 60])
})

test('of two workers one hears', async () => {
  const one = await begin(listener('race'))
  for (let level = 40; level < 60; level++) await setLevel(installation.owner, level)
  await settle(installation.owner)
  const elsewhere = new pg.Pool({ connectionString: installation.services.ownerUrl, max: 1 })
  try {
    await Promise.all([
      hear(one),
      hearEvents({ ...installation.services, everywhere: elsewhere }, [one]),
      hear(one),
    ])
    await hear(one)
  } finally {
    await elsewhere.end()
  }
  expect(levels()).toEqual(Array.from({ length: 20 }, (_none, index) => 40 + index))
})

test('in a restored copy what reaches out waits, and is heard when it is the real one', async () => {
  const { owner } = installation
  const outside = await begin(listener('outside', { reachesOut: true }))
  const inside = await begin(listener('inside'))
  await setLevel(owner, 60)
  await owner.query('insert into restored_copy (backup_at) values (now())')
  await settle(owner)
  try {
    await hear(outside)
    expect(levels()).toEqual([])
    await hear(inside)
    expect(levels()).toEqual([60])
  } finally {
    await owner.query('delete from restored_copy')
  }
  await hear(outside)
  expect(levels()).toEqual([60, 60])
})

test('the serving role can neither write events nor move a cursor', async () => {
  const { pool } = installation.services
  for (const statement of [
    "insert into domain_event (program_id, kind, record_id, is_quiet) values (1, 'person', 1, false)",
    'delete from domain_event',
    "update event_cursor set transaction = '0'",
    'delete from event_cursor',
  ])
    await expect(pool.query(statement), statement).rejects.toThrow(/permission denied/)
})
