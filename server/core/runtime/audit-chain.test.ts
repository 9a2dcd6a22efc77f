import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { makePerson } from '#server/test/factories.ts'
import { resealAudit, sealAudit, verifyAudit } from './audit-chain.ts'
import type { FileStore } from './file-store.ts'

const secretKey = 'a key for tests only, long enough to be one'
let database: TestDatabase
let pool: pg.Pool
let owner: pg.Client
let files: FileStore
let folder: string
const open: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 })
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  folder = mkdtempSync(join(tmpdir(), 'practicum-chain-'))
  files = await openFileStore(pathToFileURL(folder).href)
  const [client, ended, gone, emptied] = [owner, pool, database, folder]
  // Ending a pool says nothing of its connections, and dropping the database may still cut one.
  ended.on('error', () => {})
  open.push(async () => {
    await client.end()
    await ended.end()
    await gone.drop()
    rmSync(emptied, { recursive: true })
  })
})
afterAll(async () => {
  for (const close of open) await close()
})

const write = (action: string, programId: number | null = null) =>
  owner.query<{ id: number }>(
    'insert into audit (program_id, action, detail) values ($1, $2, $3) returning id',
    [programId, action, JSON.stringify({ Before: 'A', After: 'B' })],
  )
/** Runs until no transaction is left to wait for: those of the server's other databases count too. */
const sealWhenFree = (key = secretKey) =>
  vi.waitUntil(
    async () => {
      const said = await sealAudit(owner, files, key)
      return said.includes('still open') ? false : said
    },
    { timeout: 20_000 },
  )
/** What is written is sealed by the second run. */
const seal = async (key = secretKey) => {
  await sealWhenFree(key)
  return sealWhenFree(key)
}
const problems = async () => (await verifyAudit(owner, files, secretKey)).problems

test('rows are sealed in a chain, and verified as they were written', async () => {
  const { ProgramId } = await makePerson(pool, Level.Student)
  for (const action of ['one', 'two', 'three']) await write(action, ProgramId)
  expect(await seal()).toMatch(/^Seal 1: \d+ rows, head [0-9a-f]{64}$/)
  await write('four')
  expect(await seal()).toMatch(/^Seal 2: 1 rows/)
  expect(await verifyAudit(owner, files, secretKey)).toMatchObject({ seals: 2, retired: 0, problems: [] })
  expect(await seal()).toBe('Nothing to seal yet.')
})

test('the owner of the database edits, deletes or adds a row, and it is found', async () => {
  const { rows } = await write('first')
  const { rows: second } = await write('second')
  await write('third')
  await seal()
  const restore = async (statement: string, values: unknown[] = []) => {
    await owner.query('begin')
    await owner.query(statement, values)
  }
  for (const [change, said] of [
    ["update audit set detail = '{}' where id = $1", /a row of no program on .* was changed/],
    ["update audit set at = at + interval '1 microsecond' where id = $1", /was changed/],
    ["update audit set address = '10.0.0.1' where id = $1", /was changed/],
    ['delete from audit where id = $1', /3 rows were sealed, and 2 are there/],
    ['update audit set program_id = 77 where id = $1', /sealed, and|added afterwards/],
  ] as const) {
    const { rows: before } = await owner.query('select * from audit where id = $1', [rows[0]!.id])
    await restore(change, [rows[0]!.id])
    await owner.query('commit')
    expect((await problems()).join(' '), change).toMatch(said)
    await owner.query('delete from audit where id = $1', [rows[0]!.id])
    const { id, at, program_id, account_id, action, subject_id, detail, address } = before[0]
    await owner.query(
      `insert into audit (id, at, program_id, account_id, action, subject_id, detail, address) overriding system value
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, at, program_id, account_id, action, subject_id, JSON.stringify(detail), address],
    )
  }
  await owner.query('delete from audit where id = $1', [second[0]!.id])
  await owner.query("insert into audit (id, action) overriding system value values ($1, 'forged')", [
    second[0]!.id,
  ])
  expect((await problems()).join(' ')).toMatch(/was changed/)
})

test('a new key makes all heads anew, and covers nothing up', async () => {
  const to = 'another key, which is long enough as well'
  for (const action of ['first', 'second']) {
    await write(action)
    await seal()
  }
  // As a kill leaves it: the files have the new heads, the database has the old ones.
  await owner.query('begin')
  await resealAudit(owner, files, { from: secretKey, to })
  await owner.query('rollback')
  const { head, seals } = await resealAudit(owner, files, { from: secretKey, to })
  expect(seals).toBe(2)
  expect(await verifyAudit(owner, files, to)).toMatchObject({ seals: 2, problems: [] })
  expect((await problems()).join(' ')).toMatch(/not made with the key/)
  await write('third')
  expect(await seal(to)).toMatch(/^Seal 3: /)
  expect(await verifyAudit(owner, files, to)).toMatchObject({ seals: 3, problems: [] })
  expect(head).toMatch(/^[0-9a-f]{64}$/)
  await owner.query('update audit_seal set row_count = row_count + 1 where id = 2')
  await expect(resealAudit(owner, files, { from: to, to: secretKey })).rejects.toThrow(
    /^Seal 2 of the audit is not as it was made, and nothing was changed/,
  )
})

test('attack: whoever has only the database cannot make a seal, cut the end off, or take one out', async () => {
  await write('first')
  await seal()
  await write('second')
  await seal()
  await write('third')
  await seal()
  const { rows } = await owner.query('select id, action from audit order by id')
  // The row and its digest are changed together, as somebody would who knows how digests are made.
  await owner.query('begin')
  await owner.query("update audit set action = 'forged' where id = $1", [rows[0].id])
  await owner.query("update audit_seal_part set digest = sha256('forged') where seal_id = 1")
  await owner.query('commit')
  expect((await problems()).join(' ')).toMatch(/Seal 1 was not made with the key/)
  await owner.query('delete from audit_seal_part where seal_id = 3')
  await owner.query('delete from audit_seal where id = 3')
  expect((await problems()).join(' ')).toMatch(/Seal 3 is missing: its head is in the file store/)
  await owner.query('delete from audit_seal_part where seal_id = 2')
  await owner.query('delete from audit_seal where id = 2')
  expect((await problems()).join(' ')).toMatch(/Seal 2 is missing/)
})

test('another key makes no seal of this installation, and a missing head is told', async () => {
  await write('first')
  await seal('another key that is long enough to be one')
  expect((await problems()).join(' ')).toMatch(/not made with the key/)
  rmSync(join(folder, 'audit-heads'), { recursive: true })
  expect((await problems()).join(' ')).toMatch(/head of seal 1 is missing/)
})

test('a row of a transaction that is still open is never left behind', async () => {
  const slow = new pg.Client({ connectionString: database.ownerUrl })
  await slow.connect()
  try {
    await slow.query("begin; insert into audit (action) values ('slow')")
    await write('quick')
    await sealAudit(owner, files, secretKey)
    expect(await sealAudit(owner, files, secretKey)).toMatch(/still open/)
    await slow.query('commit')
  } finally {
    await slow.end()
  }
  expect(await sealWhenFree()).toMatch(/^Seal 1: 2 rows/)
  expect(await problems()).toEqual([])
})

test('what retention deletes is counted, and what it does not keep is no excuse for the rest', async () => {
  const { ProgramId } = await makePerson(pool, Level.Student)
  await owner.query(
    "insert into audit (program_id, action, at) values ($1, 'old', now() - interval '2 years'), ($1, 'new', now())",
    [ProgramId],
  )
  await seal()
  await owner.query("delete from audit where action = 'old'")
  expect((await problems()).join(' ')).toMatch(/1 rows were sealed, and 0 are there/)
  await owner.query("insert into retention_policy (kind, program_id, months) values ('audit', $1, 12)", [
    ProgramId,
  ])
  expect(await verifyAudit(owner, files, secretKey)).toMatchObject({ retired: 1, problems: [] })
  await owner.query("delete from audit where action = 'new'")
  expect(await problems()).toHaveLength(1)
})

test('the serving role sees nothing of the chain', async () => {
  const app = new pg.Client({ connectionString: database.appUrl })
  await app.connect()
  try {
    for (const table of ['audit_seal', 'audit_seal_part', 'audit_horizon'])
      await expect(app.query(`select from ${table}`)).rejects.toThrow('permission denied')
  } finally {
    await app.end()
  }
})
