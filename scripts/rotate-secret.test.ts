import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as authenticator from '#contract/identity/authenticator.ts'
import { login } from '#contract/identity/identity.ts'
import { punch } from '#contract/time/clock.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { seal, unseal } from '#server/core/auth/seal.ts'
import { startEmbedded } from '#server/core/database/embedded.ts'
import { acceptSecretKey } from '#server/core/database/secret-key-mark.ts'
import { type SealedColumn, sealedColumns } from '#server/sealed-columns.ts'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import {
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeStudent,
} from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { startServed } from '#server/test/served.ts'
import { resealAll } from './lib/rotate-secret.ts'

const root = join(import.meta.dirname, '..')
const [from, to] = ['the key of before, long enough to be one', 'the key of now, which is as long as that']
const folder = mkdtempSync(join(tmpdir(), 'practicum-rotate-'))
const undo: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const step of undo.reverse()) await step()
  rmSync(folder, { recursive: true, force: true })
})

/** Every file that seals, and the columns that it fills; a cookie of a minute is in no column. */
const sealing: Record<string, string[]> = {
  'server/core/auth/first-account.ts': ['first_code.sealed'],
  'server/core/http/idempotency.ts': ['idempotency_key.answer'],
  'server/demo/webhooks.ts': ['webhook_endpoint.secret'],
  'server/modules/clinical-records/signing.commands.ts': ['signing_key.sealed_private'],
  'server/modules/competencies/supervision.routes.ts': ['supervision_link.sealed_token'],
  'server/modules/connections/connections.routes.ts': ['saml_provider.client_secret'],
  'server/modules/evaluations/links.commands.ts': ['evaluation_link.sealed_token'],
  'server/modules/identity/authenticator.routes.ts': ['account.totp_secret', 'session.totp_draft'],
  'server/modules/identity/college-leaving.service.ts': [],
  'server/modules/identity/lti.service.ts': ['lti_key.sealed_private'],
  'server/modules/identity/openid.pages.ts': ['saml_request.verifier'],
  'server/modules/identity/saml-key.service.ts': ['saml_key.sealed_private'],
  'server/modules/push/installation.commands.ts': ['push_service.private_key'],
  'server/modules/webhooks/webhooks.routes.ts': [
    'webhook_endpoint.secret',
    'webhook_endpoint.previous_secret',
  ],
}

test('every file that seals is known, and every column that it fills is sealed anew', () => {
  const found = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .map((path) => `server/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|^server\/test\//.test(path))
    .filter((path) =>
      /import \{[^}]*\bseal\b[^}]*\} from '(#server\/core\/auth|\.)\/seal\.ts'/.test(
        readFileSync(join(root, path), 'utf8'),
      ),
    )
  expect(found.sort()).toEqual(Object.keys(sealing).sort())
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect([...new Set(Object.values(sealing).flat())].sort()).toEqual(listed.sort())
})

const samples: Record<string, string> = {
  bigint: '7',
  integer: '7',
  smallint: '7',
  boolean: 'true',
  bytea: '\\x07',
  jsonb: '{}',
  'timestamp with time zone': '2026-11-30T12:00:00Z',
  ARRAY: '{}',
  uuid: '00000000-0000-4000-8000-000000000007',
}

/** A row with something in every column that must have it, and the sealed one of `sealed`. */
const addSealed = async (client: pg.Client, { table, column, of, context, isJson }: SealedColumn) => {
  await client.query(`alter table ${table} disable trigger user`)
  const { rows: rules } = await client.query(
    `select conname as name from pg_constraint where conrelid = $1::regclass and contype in ('f', 'c')`,
    [table],
  )
  for (const { name } of rules) await client.query(`alter table ${table} drop constraint "${name}"`)
  const { rows: needed } = await client.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and column_default is null and is_identity = 'NO' and is_generated = 'NEVER'
       and (is_nullable = 'NO' or column_name = any ($2))`,
    [table, of],
  )
  const row = new Map<string, string>(
    needed.map(({ name, type }) => [name, samples[type] ?? `sample ${column}`]),
  )
  if (table === 'signing_key') row.set('kid', 'k'.repeat(43))
  for (const name of of) if (!row.has(name)) row.set(name, '7')
  const text = seal(from, context(...of.map((name) => row.get(name)!)), `what ${table}.${column} keeps`)
  row.set(column, isJson ? JSON.stringify(text) : text)
  const names = [...row.keys()]
  await client.query(
    `insert into ${table} (${names.join(', ')}) overriding system value values (${names.map((_name, at) => `$${at + 1}`).join(', ')})`,
    [...row.values()],
  )
  return { table, column, name: context(...of.map((each) => row.get(each)!)), isJson }
}

test('every sealed column opens with the new key alone; the old one is needed no more', async () => {
  const database: TestDatabase = await createTestDatabase()
  undo.push(() => database.drop())
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  undo.push(() => client.end())
  const added = []
  for (const column of sealedColumns) {
    if (column.column === 'previous_secret') continue
    added.push(await addSealed(client, column))
  }
  await client.query('update webhook_endpoint set previous_secret = secret')
  await client.query(
    "insert into push_service (id, public_key, private_key) values (false, 'lost', 'v1.lost')",
  )
  const store = { place: async () => {} }
  const said = await resealAll(client, store, { from, to })
  expect(said).toContain(
    'push_service.private_key: 1 did not open with the key of now either, and were left.',
  )
  for (const { table, column, name, isJson } of added) {
    const { rows } = await client.query(
      `select ${isJson ? `${column} #>> '{}'` : column} as sealed from ${table} where ${column} is not null`,
    )
    const opened = rows.map(({ sealed }) => {
      expect(() => unseal(from, name, sealed)).toThrow()
      try {
        return unseal(to, name, sealed)
      } catch {
        return undefined
      }
    })
    expect(opened, `${table}.${column}`).toContain(`what ${table}.${column} keeps`)
  }
  const { rows: twice } = await client.query(
    'select secret = previous_secret as is_same from webhook_endpoint',
  )
  expect(twice).toEqual([{ is_same: false }])
})

test('with the new key people sign in with their authenticators, and what a phone tells again counts once', async () => {
  const installation: Installation = await startInstallation()
  undo.push(() => installation.stop())
  const { owner, services } = installation
  vi.setSystemTime(Date.now() - (Date.now() % 30_000) + 15_000)
  undo.push(async () => void vi.useRealTimers())
  const program = await makeProgram(owner)
  const password = 'Bluebird-42-harbor'
  const coordinator = await makePerson(owner, Level.Coord, {
    program,
    password_hash: await hashPassword(password),
  })
  const caller = await installation.as(coordinator)
  const codeOf = (secret: string, steps: number) =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
  const key = { headers: { 'idempotency-key': 'before-the-new-key' } }
  const { Secret } = await caller.ok(authenticator.createTotpSecret, undefined, key)
  await caller.ok(authenticator.saveTotpSettings, {
    params: { userId: coordinator.Id },
    body: { Enable: true, Secret, Code: codeOf(Secret, -1) },
  })
  const student = await makeStudent(owner, program)
  const shift = await makeShift(owner, program)
  const rotation = await makeRotation(owner, program)
  await makeRow(owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: shift.SiteId,
    student_id: student.Id,
    date: new Date(Date.now() - 600_000).toISOString().slice(0, 10),
    starts_at: new Date(Date.now() - 600_000).toISOString(),
    ends_at: new Date(Date.now() + 28_800_000).toISOString(),
  })
  const phone = await installation.as(student)
  const clockIn = () =>
    phone.ok(
      punch,
      { body: { Kind: 'in', Latitude: 41.63, Longitude: -70.93, Accuracy: 14 } },
      { headers: { 'idempotency-key': 'a-punch-before-the-new-key' } },
    )
  const { Id } = await clockIn()

  const client = new pg.Client({ connectionString: services.ownerUrl })
  await client.connect()
  await client.query("insert into recovery_code (account_id, code_hash) values ($1, '\\x01')", [
    coordinator.Id,
  ])
  const said = await resealAll(client, services.files, { from: services.config.secretKey, to })
  expect(said.join(' ')).toMatch(/Recovery codes of 1 people are void: each makes new ones/)
  await client.end()
  // The next start reads the new key.
  Object.assign(services.config, { secretKey: to })

  expect((await clockIn()).Id).toBe(Id)
  const { rows } = await owner.query('select count(*)::integer as count from time_record')
  expect(rows).toEqual([{ count: 1 }])
  const again = await installation.as(coordinator)
  expect(await again.ok(authenticator.createTotpSecret, undefined, key)).toMatchObject({ Secret })
  const signedIn = await installation.anonymous.call(login, {
    body: { UserName: coordinator.UserName, Password: password, Code: codeOf(Secret, 0) },
  })
  expect(signedIn.status).toBe(200)
})

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const dataDir = join(folder, 'data')
const keyFile = join(dataDir, 'secret.key')
const readKey = () => readFileSync(keyFile, 'utf8').trim()
const run = (file: string, words: string[] = [], env: Record<string, string> = {}) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, file), ...words], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', SECRET_KEY: '', FILES_URL: '', ...env },
    encoding: 'utf8',
    cwd: folder,
  })
  return { said: `${stdout}${stderr}`, status }
}
const prepare = 'server/core/database/prepare.fixture.ts'
const rotate = (env?: Record<string, string>) => run('scripts/admin.ts', ['rotate-secret'], env)

beforeAll(() => {
  expect(run(prepare).status).toBe(0)
})

test('the command takes a new key, made or given, and the installation starts with it', async () => {
  const first = readKey()
  expect(rotate()).toEqual({
    status: 0,
    said: expect.stringMatching(
      /Done: DATA_DIR has the new key\. Backups from before bring the old one with them\.\n$/,
    ),
  })
  expect(readKey()).not.toBe(first)
  expect(run(prepare).status).toBe(0)
  expect(rotate({ NEW_SECRET_KEY: 'short' })).toEqual({
    status: 1,
    said: expect.stringMatching(/^NEW_SECRET_KEY is too short, and nothing was changed/),
  })
  writeFileSync(join(folder, 'given'), `${to}\n`)
  expect(rotate({ NEW_SECRET_KEY_FILE: join(folder, 'given') }).status).toBe(0)
  expect(readKey()).toBe(to)
  const running = await startEmbedded({ dataDir, log: quiet })
  try {
    expect(rotate()).toMatchObject({
      status: 1,
      said: expect.stringMatching(/^Practicum already runs on this/),
    })
  } finally {
    await running.stop()
  }
})

test('broken off after the last row it goes on, and until then nothing starts', async () => {
  const next = 'n'.repeat(40)
  writeFileSync(`${keyFile}.new`, `${next}\n`)
  const database = await startEmbedded({ dataDir, log: quiet })
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await acceptSecretKey(client, next)
  await client.end()
  await database.stop()
  expect(run(prepare)).toEqual({
    status: 3,
    said: expect.stringMatching(
      /^SECRET_KEY is not the one .*"npm run admin -- rotate-secret" again if that was interrupted/,
    ),
  })
  expect(rotate()).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^What was sealed is sealed under the new key already\.$/m),
  })
  expect(readKey()).toBe(next)
  expect(run(prepare).status).toBe(0)
})

test('with DATABASE_URL the new key comes from the environment, and nothing is changed while anybody is served', async () => {
  const { database, owner } = await startServed(join(folder, 'served'))
  undo.push(async () => {
    await owner.end()
    await database.stop()
  })
  const env = { DATABASE_URL: database.ownerUrl, SECRET_KEY: from, DATA_DIR: join(folder, 'unused') }
  expect(run(prepare, [], env).status).toBe(0)
  expect(rotate(env)).toEqual({
    status: 1,
    said: expect.stringMatching(/^NEW_SECRET_KEY is missing, and nothing was changed/),
  })
  const served = new pg.Client({ connectionString: database.appUrl })
  await served.connect()
  expect(rotate({ ...env, NEW_SECRET_KEY: to })).toEqual({
    status: 1,
    said: expect.stringMatching(
      /^Practicum runs on this database \(1 connections\), and nothing was changed: stop all of its/,
    ),
  })
  await served.end()
  for (const said of [
    /^Done: set SECRET_KEY to the new key everywhere, then start\./m,
    /is sealed under the new key already/,
  ])
    expect(rotate({ ...env, NEW_SECRET_KEY: to })).toEqual({ status: 0, said: expect.stringMatching(said) })
  expect(run(prepare, [], env)).toMatchObject({
    status: 3,
    said: expect.stringMatching(/^SECRET_KEY is not the one/),
  })
  expect(run(prepare, [], { ...env, SECRET_KEY: to }).status).toBe(0)
})
