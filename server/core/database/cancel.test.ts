import { sql } from 'kysely'
import type pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { AbandonedError } from './cancel.ts'
import { createPool, reading, transaction } from './pool.ts'

let database: TestDatabase
let pool: pg.Pool
/** Looks at what the others do. */
let other: pg.Pool
const nobody = { accountId: null, programIds: [] }

beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool(database.appUrl, pino({ level: 'silent' }), 1)
  other = createPool(database.appUrl, pino({ level: 'silent' }), 1)
})
afterAll(async () => {
  await pool?.end()
  await other?.end()
  await database?.drop()
})

const countSleeping = async (): Promise<number> => {
  const { rows } = await other.query(
    "select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
  )
  return rows[0].count
}

describe.each([
  ['a reading call', reading],
  ['a transaction', transaction],
] as const)('D2 in %s', (_what, run) => {
  const sleepFor = (hasLeft: AbortSignal, seconds = 50) =>
    run(pool, nobody, (db) => sql`select pg_sleep(${seconds})`.execute(db), { hasLeft })

  test('the statement of a caller who leaves is ended, and the next one has the connection unharmed', async () => {
    for (let round = 0; round < 5; round++) {
      const caller = new AbortController()
      const call = sleepFor(caller.signal)
      const ended = expect(call).rejects.toThrow(AbandonedError)
      await expect.poll(countSleeping).toBe(1)
      caller.abort()
      await ended
      const { rows } = await run(pool, nobody, (db) => sql`select pg_sleep(0.01), 7 as seven`.execute(db))
      expect(rows).toMatchObject([{ seven: 7 }])
    }
    expect(await countSleeping()).toBe(0)
  })

  test('a caller who leaves while waiting for a connection waits for none', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const working = sleepFor(first.signal)
    const waiting = sleepFor(second.signal)
    const bothEnd = Promise.all([
      expect(working).rejects.toThrow(AbandonedError),
      expect(waiting).rejects.toThrow(AbandonedError),
    ])
    await expect.poll(countSleeping).toBe(1)
    second.abort()
    await expect(waiting).rejects.toThrow(AbandonedError)
    expect(await countSleeping()).toBe(1)
    first.abort()
    await bothEnd
  })

  test('a caller who has left before is not worked for', async () => {
    await expect(sleepFor(AbortSignal.abort())).rejects.toThrow(AbandonedError)
  })

  test('a caller who leaves between two statements gets no second one', async () => {
    const caller = new AbortController()
    let count = 0
    const call = run(
      pool,
      nobody,
      async (db) => {
        for (; count < 5; count++) {
          await sql`select 1`.execute(db)
          caller.abort()
        }
      },
      { hasLeft: caller.signal },
    )
    await expect(call).rejects.toThrow(AbandonedError)
    expect(count).toBe(1)
  })
})

test('a reading call that would change something is refused by the database', async () => {
  await expect(
    reading(pool, nobody, (db) => sql`update program set name = name`.execute(db)),
  ).rejects.toMatchObject({ code: '25006' })
})

test('what a call was for is not left on its connection, where a pooler would hand it to another one', async () => {
  for (const run of [reading, transaction]) {
    await run(pool, { accountId: 5, programIds: [7], isSuper: true }, (db) => sql`select 1`.execute(db))
    const { rows } = await pool.query(
      "select concat(current_setting('app.program', true), current_setting('app.account', true), current_setting('app.super', true)) as left",
    )
    expect(rows).toEqual([{ left: '' }])
  }
})
