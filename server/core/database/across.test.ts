import { sql } from 'kysely'
import type pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { acrossPrograms, oneAcrossPrograms } from './across.ts'
import { acrossRole } from './across-role.ts'
import { createPool, type Db, reading, transaction } from './pool.ts'

let database: TestDatabase
let owner: pg.Pool
/** Of one connection, so that whatever is left on it shows. */
let pool: pg.Pool
let own: { accountId: null; programIds: number[] }
beforeAll(async () => {
  database = await createTestDatabase()
  owner = createPool(database.ownerUrl, pino({ level: 'silent' }), 1)
  pool = createPool(database.appUrl, pino({ level: 'silent' }), 1)
  const [one, two] = [await makeProgram(owner), await makeProgram(owner)]
  await makePerson(owner, 39, { program: one })
  await makePerson(owner, 39, { program: two })
  own = { accountId: null, programIds: [one.Id] }
})
afterAll(async () => {
  await Promise.all([pool?.end(), owner?.end()])
  await database?.drop()
})

const people = sql<{ count: number }>`select count(id) as count from account`
const countOwn = async (db: Db) => (await people.execute(db)).rows[0]!.count
const countAll = async (db: Db | pg.Pool) => (await oneAcrossPrograms(db, people)).count
const roleOf = async (db: Db) =>
  (await sql<{ role: string }>`select current_user as role`.execute(db)).rows[0]!.role
const roleOfPool = async () => (await pool.query('select current_user as role')).rows[0].role

test.each([
  ['a reading call', reading],
  ['a transaction', transaction],
] as const)(
  'in %s one statement sees all programs, and those before, beside and after it their own',
  async (_what, run) => {
    const counts = await run(pool, own, async (db: Db) => [
      await countOwn(db),
      ...(await Promise.all([countOwn(db), countAll(db), countOwn(db), countAll(db), countOwn(db)])),
      await countOwn(db),
    ])
    expect(counts).toEqual([1, 1, 2, 1, 2, 1, 1])
    expect(await roleOfPool()).toBe('app')
  },
)

test('outside of a transaction it begins one of its own', async () => {
  expect(await countAll(pool)).toBe(2)
  await expect(acrossPrograms(pool, sql`select 1 / ${0}::integer`)).rejects.toThrow('division by zero')
  expect(await roleOfPool()).toBe('app')
  expect((await pool.query('select from account')).rowCount).toBe(0)
})

test('a statement that fails leaves the role in no savepoint, transaction or connection', async () => {
  await transaction(pool, own, async (db) => {
    await sql`savepoint before`.execute(db)
    await expect(acrossPrograms(db, sql`select 1 / ${0}::integer`)).rejects.toThrow('division by zero')
    await sql`rollback to before`.execute(db)
    expect(await roleOf(db)).toBe('app')
    expect(await countOwn(db)).toBe(1)
    expect(await countAll(db)).toBe(2)
  })
  await expect(
    transaction(pool, own, (db) => acrossPrograms(db, sql`select 1 / ${0}::integer`)),
  ).rejects.toThrow('division by zero')
  expect(await roleOfPool()).toBe('app')
})

test('it changes nothing, and reads neither secrets nor tables that nobody asks across programs about', async () => {
  for (const statement of [
    sql`update account set first_name = ''`,
    sql`delete from session`,
    sql`select password_hash from account`,
    sql`select totp_secret from account`,
    sql`select csrf_token from session`,
    sql`select from idempotency_key`,
    sql`select public.make_partitions_through(now())`,
  ])
    await expect(transaction(pool, own, (db) => acrossPrograms(db, statement))).rejects.toThrow(
      'permission denied',
    )
})

test('what the role may do is SELECT of what is told, the serving role does not have its rights, and nobody signs in as it', async () => {
  const { rows } = await owner.query(
    `select rolcanlogin or rolsuper or rolbypassrls or rolcreaterole as "isMore", pg_has_role('app', oid, 'usage') as "isInherited",
      pg_has_role('app', oid, 'member') as "isTaken",
      (select array_agg(distinct a.privilege_type) from (
        select (aclexplode(relacl)).* from pg_class union all select (aclexplode(attacl)).* from pg_attribute) a where a.grantee = r.oid) as may,
      (select array_agg(distinct polcmd::text) from pg_policy where polroles @> array[r.oid]) as commands
    from pg_roles r where rolname = $1`,
    [acrossRole],
  )
  expect(rows).toEqual([
    { isMore: false, isInherited: false, isTaken: true, may: ['SELECT'], commands: ['r'] },
  ])
})
