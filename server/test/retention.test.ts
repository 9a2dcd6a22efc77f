import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFileStore } from '#server/core/files/files.ts'
import { keyDays } from '#server/core/http/idempotency.ts'
import type { FileStore } from '#server/core/runtime/file-store.ts'
import { type ArchiveFilter, type Kind, readArchived, runRetention } from '#server/core/runtime/retention.ts'
import { retentionJobs } from '#server/modules/settings/retention.jobs.ts'
import { makeProgram, makeRow, makeStudent } from './factories.ts'
import { type Installation, startInstallation } from './installation.ts'

/** The months of the next year: what lies further ahead has a partition for each month until then. */
const year = new Date().getUTCFullYear() + 1

/** Old rows go by months, to a file first; what has no policy stays. */
let installation: Installation
let client: pg.Client
let files: FileStore
let one: { Id: number }
let other: { Id: number }

const connect = async (): Promise<pg.Client> => {
  const connected = new pg.Client({ connectionString: installation.services.ownerUrl })
  connected.on('error', () => {})
  await connected.connect()
  return connected
}
/** Each test has its own months: those that one makes, archives and drops are not there for the next. */
beforeEach(async () => {
  installation = await startInstallation()
  client = await connect()
  files = await openFileStore(installation.services.config.filesUrl)
  one = await makeProgram(installation.owner)
  other = await makeProgram(installation.owner)
})
afterEach(async () => {
  await client?.end()
  await installation?.stop()
})

const ask = async <R extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<R[]> =>
  (await client.query<R>(sql, values)).rows
const partitionsOf = async (kind: Kind): Promise<string[]> =>
  (
    await ask<{ name: string }>(
      `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = $1::regclass order by 1`,
      [kind],
    )
  ).map(({ name }) => name)
const addAudit = (program: { Id: number }, at: string, row: object = {}) =>
  makeRow(installation.owner, 'audit', { program_id: program.Id, action: 'tested', at, ...row })
const countAudit = async (program: { Id: number }): Promise<number> =>
  Number(
    (
      await ask<{ count: string }>("select count(*) from audit where program_id = $1 and action = 'tested'", [
        program.Id,
      ])
    )[0]!.count,
  )
const keep = (kind: Kind, months: number, program?: { Id: number }) =>
  makeRow(installation.owner, 'retention_policy', { kind, months, program_id: program?.Id ?? null })
const all = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const row of rows) found.push(row)
  return found
}
const read = async (filter: ArchiveFilter): Promise<Record<string, unknown>[]> =>
  (await all(readArchived(client, files, filter))).map((line) => JSON.parse(line))
const run = (now: string) => runRetention(client, files, { now })

describe('partitions', () => {
  test('are there ahead, one a month, and made again by nobody', async () => {
    const make = retentionJobs.find(({ name }) => name === 'retention:partitions')!
    await make.work({}, installation.services)
    const made = await partitionsOf('audit')
    // The months of the next three, what was there before, and what is after them.
    expect(made.length).toBeGreaterThanOrEqual(5)
    await make.work({}, installation.services)
    expect(await partitionsOf('audit')).toEqual(made)
  })

  test('what was written past them, because nobody made them, is kept in one of several months', async () => {
    await addAudit(one, `${year}-05-05T10:00:00Z`)
    await client.query(`select make_partitions_through('${year}-07-15')`)
    const [{ name } = { name: '' }] = await ask<{ name: string }>(
      `select tableoid::regclass::text as name from audit where at = '${year}-05-05T10:00:00Z'`,
    )
    expect(name).toMatch(/^partition\.audit_20\d\d_\d\d$/)
    expect(await partitionsOf('audit')).toContain(`audit_${year}_06`)
    expect(await countAudit(one)).toBe(1)
  })

  test('the serving role reaches rows through the table alone, which it can only add to and read', async () => {
    const app = new pg.Client({
      connectionString: installation.services.transactions.options.connectionString,
    })
    await app.connect()
    const refused = async (sql: string) =>
      expect((await app.query(sql).catch((error: pg.DatabaseError) => error)) as object, sql).toMatchObject({
        code: '42501',
      })
    for (const name of await partitionsOf('audit')) await refused(`select from partition.${name}`)
    await refused('delete from audit')
    await refused("select make_partitions_through('2040-01-01')")
    await refused('delete from retention_policy')
    await app.end()
    const open = await ask(
      `select c.relname from pg_class c where c.relnamespace = 'partition'::regnamespace and c.relkind = 'r'
         and (not c.relrowsecurity or has_table_privilege('app', c.oid, 'select,insert,update,delete'))`,
    )
    expect(open).toEqual([])
  })
})

describe('months', () => {
  test('stay for ever without a policy for all programs', async () => {
    await client.query(`select make_partitions_through('${year}-07-15')`)
    await addAudit(one, `${year}-05-05T10:00:00Z`)
    await keep('audit', 1, other)
    expect(await run('2050-01-01T00:00:00Z')).toEqual([])
    expect(await countAudit(one)).toBe(1)
  })

  test('older than the longest policy are in a file that is found again by program, person and time, and are dropped', async () => {
    await client.query(`select make_partitions_through('${year}-12-15')`)
    const student = await makeStudent(installation.owner, one)
    await addAudit(one, `${year}-01-10T10:00:00Z`, {
      subject_id: student.Id,
      detail: { Text: 'line\nbreak "é"' },
    })
    await addAudit(one, `${year}-01-20T10:00:00Z`)
    await addAudit(other, `${year}-01-31T23:59:59Z`)
    await addAudit(other, `${year}-02-01T00:00:00Z`)
    await keep('audit', 6)
    await keep('audit', 12, other)
    // The shorter policy takes the rows of its programs only, the longest one the month when it is over for all.
    expect((await run(`${year}-12-01T00:00:00Z`)).join()).toContain('rows of other programs are deleted')
    expect(await countAudit(one)).toBe(0)
    expect(await countAudit(other)).toBe(2)
    await addAudit(one, `${year}-01-10T10:00:00Z`, {
      subject_id: student.Id,
      detail: { Text: 'line\nbreak "é"' },
    })
    await client.query('delete from retention_policy')
    await keep('audit', 12)
    const said = await run(`${year + 1}-02-01T00:00:00Z`)
    expect(said.join()).toContain(`audit_${year}_01: 2 rows are in archive/audit/audit_${year}_01.ndjson.gz.`)
    expect(await partitionsOf('audit')).not.toContain(`audit_${year}_01`)
    expect(await partitionsOf('audit')).toContain(`audit_${year}_02`)
    expect(await countAudit(other)).toBe(1)
    expect((await read({ kind: 'audit', personId: student.Id })).map(({ detail }) => detail)).toEqual([
      { Text: 'line\nbreak "é"' },
    ])
    expect((await read({ kind: 'audit', programId: other.Id })).map(({ at }) => at)).toEqual([
      `${year}-01-31T23:59:59+00:00`,
    ])
    expect(
      await read({ kind: 'audit', from: `${year}-01-11`, before: `${year}-01-31`, programId: other.Id }),
    ).toEqual([])
    const [kept] = await ask<{ sha256: string; row_count: number; last_id: number }>(
      `select * from archived_partition where name = 'audit_${year}_01'`,
    )
    expect(kept).toMatchObject({ row_count: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const folder = fileURLToPath(installation.services.config.filesUrl)
    const manifest = JSON.parse(readFileSync(join(folder, `archive/audit/audit_${year}_01.json`), 'utf8'))
    expect(manifest).toMatchObject({ rows: 2, sha256: kept!.sha256, lastId: kept!.last_id })
  })

  test('are still there when their file cannot be read back, or all ends before the drop; the next run does both', async () => {
    await client.query(`select make_partitions_through('${year}-12-15')`)
    await addAudit(one, `${year}-01-10T10:00:00Z`)
    await keep('audit', 12)
    const broken: FileStore = {
      ...files,
      place: async (key, body) => {
        const bytes = Buffer.concat(await all(body as AsyncIterable<Buffer>))
        const isLines = key.endsWith('.gz')
        await files.place(key, [isLines ? gzipSync(gunzipSync(bytes).subarray(0, -20)) : bytes])
      },
    }
    await expect(runRetention(client, broken, { now: `${year + 1}-02-01T00:00:00Z` })).rejects.toThrow(
      'is damaged',
    )
    expect(await countAudit(one)).toBe(1)

    const killed = await connect()
    const [{ pid } = { pid: 0 }] = (await killed.query<{ pid: number }>('select pg_backend_pid() as pid'))
      .rows
    const dying: FileStore = {
      ...files,
      read: async (key) => {
        // Its locks go with its process, some time after its client was told.
        const { rows } = await client.query('select pg_terminate_backend($1, 60000) as is_gone', [pid])
        expect(rows).toEqual([{ is_gone: true }])
        return files.read(key)
      },
    }
    await expect(runRetention(killed, dying, { now: `${year + 1}-02-01T00:00:00Z` })).rejects.toThrow()
    expect(await countAudit(one)).toBe(1)
    expect(await partitionsOf('audit')).toContain(`audit_${year}_01`)

    await run(`${year + 1}-02-01T00:00:00Z`)
    expect(await partitionsOf('audit')).not.toContain(`audit_${year}_01`)
    expect(await read({ kind: 'audit', programId: one.Id, from: `${year}-01-01` })).toHaveLength(1)
  })

  test('whose file was damaged later are told, not shown as whole', async () => {
    await client.query(`select make_partitions_through('${year}-12-15')`)
    await addAudit(one, `${year}-01-10T10:00:00Z`)
    await keep('audit', 12)
    await run(`${year + 1}-02-01T00:00:00Z`)
    const folder = join(fileURLToPath(installation.services.config.filesUrl), 'archive/audit')
    const name = readdirSync(folder).find((file) => file === `audit_${year}_01.ndjson.gz`)!
    const path = join(folder, name)
    const whole = readFileSync(path)
    writeFileSync(path, gzipSync(`${gunzipSync(whole)}`.replace('tested', 'forged')))
    await expect(read({ kind: 'audit', from: `${year}-01-01`, before: `${year}-02-01` })).rejects.toThrow(
      'is damaged',
    )
    writeFileSync(path, whole)
  })

  test('of the ledger with an email that still waits stay', async () => {
    await client.query(`select make_partitions_through('${year}-12-15')`)
    const mail = { program_id: one.Id, recipient: 'a@example.org', subject: 'Hi', html: '' }
    await makeRow(installation.owner, 'mail', { ...mail, status: 3, created_at: `${year}-01-10T10:00:00Z` })
    await makeRow(installation.owner, 'mail', { ...mail, status: 1, created_at: `${year}-02-10T10:00:00Z` })
    await keep('mail', 12)
    const said = await run(`${year + 1}-06-01T00:00:00Z`)
    expect(said).toContain(`mail_${year}_02 is kept: some of its emails still wait.`)
    expect(await partitionsOf('mail')).not.toContain(`mail_${year}_01`)
    expect(await read({ kind: 'mail', programId: one.Id, from: `${year}-01-01` })).toHaveLength(1)
  })
})

test('a shorter policy of a program deletes its rows in batches and touches no others', async () => {
  const old = '2020-01-05T10:00:00Z'
  for (const program of [one, other])
    await client.query(
      `insert into audit (program_id, action, at) select $1, 'tested', $2::timestamptz + make_interval(secs => n)
       from generate_series(1, 10050) as n`,
      [program.Id, old],
    )
  await addAudit(one, '2021-06-01T10:00:00Z')
  await keep('audit', 12, one)
  expect(await run('2021-07-01T00:00:00Z')).toEqual([`audit: 10050 rows of program ${one.Id} are deleted.`])
  expect(await countAudit(one)).toBe(1)
  expect(await countAudit(other)).toBe(10_050)
})

test('keys of calls are forgotten after the longest wait, in batches; those of today stay', async () => {
  const student = await makeStudent(installation.owner, one)
  await client.query(
    `insert into idempotency_key (account_id, key, endpoint, request_hash, created_at)
     select $1, 'old-key-' || n, 'POST /x', '', now() - make_interval(days => $2, secs => 1) from generate_series(1, 10001) as n`,
    [student.Id, keyDays],
  )
  await client.query(
    `insert into idempotency_key (account_id, key, endpoint, request_hash, created_at)
     values ($1, 'new-key-1', 'POST /x', '', now() - make_interval(days => $2 - 1))`,
    [student.Id, keyDays],
  )
  await retentionJobs.find(({ name }) => name === 'retention:keys')!.work({}, installation.services)
  expect(await ask('select key from idempotency_key where account_id = $1', [student.Id])).toEqual([
    { key: 'new-key-1' },
  ])
})
