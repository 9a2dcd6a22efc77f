import { sql } from 'kysely'
import type pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { createPool, type Db, plannedForItsValues, reading, transaction } from './pool.ts'

let database: TestDatabase
let pool: pg.Pool
const nobody = { accountId: null, programIds: [] }

beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool(database.appUrl, pino({ level: 'silent' }), 1)
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

/** How often the statement that holds the word was planned for its values, and how often it ran by its one plan. */
const plansOf = async (word: string): Promise<[own: number, kept: number]> => {
  const { rows } = await pool.query(
    'select custom_plans, generic_plans from pg_prepared_statements where statement like $1',
    [`%'${word}'%`],
  )
  return [rows[0].custom_plans, rows[0].generic_plans]
}
const modeOf = async (): Promise<string> => (await pool.query('show plan_cache_mode')).rows[0].plan_cache_mode

describe.each([
  ['a reading call', reading],
  ['a transaction', transaction],
] as const)('D1 plans of statements in %s', (what, run) => {
  const ask = (word: string, mark: typeof plannedForItsValues | undefined, id: number) =>
    run(pool, nobody, (db: Db) =>
      sql`select ${mark ?? sql``} '${sql.raw(word)}' from program where id = ${id}`.execute(db),
    )

  test('one that is marked is planned for its values each time, any other once', async () => {
    const [own, kept] = [`own in ${what}`, `kept in ${what}`]
    for (const id of [1, 2, 3]) {
      await ask(own, plannedForItsValues, id)
      await ask(kept, undefined, id)
    }
    expect(await plansOf(own)).toEqual([3, 0])
    expect(await plansOf(kept)).toEqual([0, 3])
    expect(await modeOf()).toBe('force_generic_plan')
  })

  test('one that fails leaves the connection as it was', async () => {
    const failing = run(pool, nobody, (db: Db) =>
      sql`select ${plannedForItsValues} 1 / ${0}::integer`.execute(db),
    )
    await expect(failing).rejects.toThrow('division by zero')
    expect(await modeOf()).toBe('force_generic_plan')
    const word = `after a failure in ${what}`
    await ask(word, undefined, 1)
    expect(await plansOf(word)).toEqual([0, 1])
  })
})

test('D8 a connection that holds a thousand statements is replaced, and their memory freed', async () => {
  const process = async () => (await pool.query('select pg_backend_pid() as id')).rows[0].id
  const before = await process()
  await reading(pool, nobody, async (db) => {
    for (let each = 0; each < 900; each++) await sql`select ${sql.lit(each)}`.execute(db)
  })
  expect(await process()).toBe(before)
  await reading(pool, nobody, async (db) => {
    for (let each = 900; each < 1_010; each++) await sql`select ${sql.lit(each)}`.execute(db)
  })
  expect(await process()).not.toBe(before)
  const { rows } = await pool.query('select count(*)::integer as count from pg_prepared_statements')
  expect(rows[0].count).toBeLessThan(10)
})

test('whoever waits for a connection that others use waits on while the database answers', async () => {
  const used = await pool.connect()
  // Its clock alone; the database's own goes on.
  vi.useFakeTimers({ toNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] })
  const waiting = pool.query('select 1 as one')
  vi.advanceTimersByTime(15_000)
  vi.useRealTimers()
  used.release()
  expect((await waiting).rows).toEqual([{ one: 1 }])
})
