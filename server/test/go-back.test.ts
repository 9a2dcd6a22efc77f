import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { verifyBackup } from '#server/core/backup/backup.ts'
import { startEmbedded } from '#server/core/database/embedded.ts'
import { makeRelease, type Release } from './releases.ts'
import { endOf, spawnMain, untilItServes } from './served.ts'

const folder = mkdtempSync(join(tmpdir(), 'practicum-go-back-'))
const dataDir = join(folder, 'data')
const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const prepare = 'server/core/database/prepare.fixture.ts'
let older: Release
let newer: Release

beforeAll(() => {
  older = makeRelease(join(folder, 'older'))
  newer = makeRelease(join(folder, 'newer'), {
    '1001-nickname.sql': 'alter table account add column nickname text not null default $$none$$;',
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ask = async (...statements: string[]): Promise<Record<string, unknown>[]> => {
  const database = await startEmbedded({ dataDir, log: quiet })
  const client = new Client({ connectionString: database.ownerUrl })
  try {
    await client.connect()
    const rows: Record<string, unknown>[] = []
    for (const sql of statements) rows.push(...(await client.query(sql)).rows)
    return rows
  } finally {
    await client.end()
    await database.stop()
  }
}

const start = (release: Release) => release.run(prepare, [], { DATA_DIR: dataDir })
const goBack = (release: Release) => release.run('scripts/admin.ts', ['go-back'], { DATA_DIR: dataDir })
const backups = (): string[] =>
  readdirSync(join(dataDir, 'backups')).filter((name) => name.startsWith('before-'))

const ada = `insert into account (user_name, access_level, email, first_name, last_name)
  values ('ada', ${Level.SuperAdmin}, 'ada@example.org', 'Ada', 'Lovelace')`

describe('an update of the embedded installation', () => {
  test('begins with no backup where there is nothing yet, and where nothing is due', async () => {
    expect(await start(older)).toMatchObject({ code: 0 })
    expect(await start(older)).toMatchObject({ code: 0 })
    expect(existsSync(join(dataDir, 'backups'))).toBe(false)
  })

  test('begins with a whole backup, which the log names', async () => {
    await ask(ada)
    mkdirSync(join(dataDir, 'files', 'ab'), { recursive: true })
    writeFileSync(join(dataDir, 'files', 'ab', 'cd'), 'a file')
    const { code, said } = await start(newer)
    expect(code).toBe(0)
    const [, path] = /^The installation was backed up before the update: (\S+\.tar)\. /m.exec(said)!
    expect(dirname(path!)).toBe(join(dataDir, 'backups'))
    const { manifest, counts } = await verifyBackup(path!)
    expect(manifest.migrations.map(({ name }) => name)).not.toContain('1001-nickname')
    expect(counts.files).toBe(1)
    expect(await ask('select nickname from account')).toEqual([{ nickname: 'none' }])
  })

  test('leaves a database on which the version before does not start, and says what to do', async () => {
    const { code, said } = await start(older)
    expect(code).toBe(3)
    expect(said).toMatch(
      /^The database is newer than this program \(it knows migration 1001-nickname\): nothing was changed; .* "npm run admin -- go-back"\.$/m,
    )
  })

  test('is not undone by the new version, nor while somebody uses it', async () => {
    expect(await goBack(newer)).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^This version starts on the data as they are, and nothing was changed: .*\n$/,
      ),
    })
    const running = await startEmbedded({ dataDir, log: quiet })
    try {
      expect(await goBack(older)).toEqual({
        code: 1,
        said: expect.stringMatching(/^Practicum already runs on this DATA_DIR \(process \d+\).*\n$/),
      })
    } finally {
      await running.stop()
    }
  })

  test('is undone by one command of the version before: it is the real one, and what was done since is laid aside', async () => {
    await ask("update account set last_name = 'Byron'")
    writeFileSync(join(dataDir, 'files', 'ab', 'ef'), 'a later file')
    const key = readFileSync(join(dataDir, 'secret.key'), 'utf8')
    const { code, said } = await goBack(older)
    expect(code, said).toBe(0)
    expect(said).toMatch(
      /^Goes back to before-\S+\.tar, of .*\. The database and the files of now are kept in \S+\.$/m,
    )
    expect(said).toMatch(
      /^Done: the installation is as it was before the update, and sends what waited then\./m,
    )
    expect(await start(older)).toMatchObject({ code: 0 })
    expect(await ask('select last_name from account', 'select from restored_copy')).toEqual([
      { last_name: 'Lovelace' },
    ])
    expect(readdirSync(join(dataDir, 'files', 'ab'))).toEqual(['cd'])
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(key)
    const aside = readdirSync(dataDir).find((name) => name.startsWith('set-aside-'))!
    expect(readFileSync(join(dataDir, aside, 'files', 'ab', 'ef'), 'utf8')).toBe('a later file')
    expect(existsSync(join(dataDir, aside, 'postgres', 'PG_VERSION'))).toBe(true)
    expect(await goBack(older)).toMatchObject({
      said: expect.stringMatching(/^This version starts on the data as they are/),
    })
  })

  test('that was broken off goes on with the backup that it began with, and of three the last two stay', async () => {
    const failing = makeRelease(join(folder, 'failing'), {
      '1001-nickname.sql': 'alter table account add column nickname text;',
      '1002-wrong.sql': 'select nonsense;',
    })
    const before = backups()
    expect(await start(failing)).toMatchObject({ code: 3, said: expect.stringMatching(/1002-wrong failed/) })
    expect(await start(failing)).toMatchObject({
      code: 3,
      said: expect.stringMatching(/^The update goes on\. The backup from before it is \S+\.tar\.$/m),
    })
    expect(backups()).toHaveLength(before.length + 1)
    writeFileSync(join(failing.folder, 'server/migrations/1002-wrong.sql'), 'select 1;')
    expect(await start(failing)).toMatchObject({ code: 0 })
    writeFileSync(join(failing.folder, 'server/migrations/1003-next.sql'), 'select 1;')
    expect(await start(failing)).toMatchObject({ code: 0 })
    expect(backups()).toHaveLength(2)
    expect(backups()).not.toContain(before[0])
    expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(2)
  })

  test('going back that was broken off at either of its steps starts nothing, and goes on', async () => {
    const plan = {
      backup: join(dataDir, 'backups', backups().sort()[0]!),
      aside: join(dataDir, 'set-aside-later'),
    }
    writeFileSync(join(dataDir, 'restore-unfinished'), JSON.stringify(plan))
    expect(await start(older)).toMatchObject({
      code: 3,
      said: expect.stringMatching(
        /^Going back to the backup .* was interrupted, .* "npm run admin -- go-back" again, which goes on\.$/m,
      ),
    })
    expect(await goBack(older)).toMatchObject({ code: 0 })
    // As a kill leaves it after the last row and before the mark is taken away.
    writeFileSync(join(dataDir, 'restore-unfinished'), JSON.stringify(plan))
    expect(await goBack(older)).toMatchObject({ code: 0 })
    expect(await start(older)).toMatchObject({ code: 0 })
    expect(await ask('select last_name from account')).toEqual([{ last_name: 'Lovelace' }])
  })
})

test('with DATABASE_URL going back is said to be the operator’s', async () => {
  const { code, said } = await older.run('scripts/admin.ts', ['go-back'], {
    DATA_DIR: join(folder, 'none'),
    DATABASE_URL: 'postgresql://owner@127.0.0.1:1/practicum',
    SECRET_KEY: 's'.repeat(40),
  })
  expect({ code, said }).toEqual({
    code: 1,
    said: expect.stringMatching(
      /^The database of DATABASE_URL is backed up by you, and nothing was changed: .*\n$/,
    ),
  })
})

test('files that are kept elsewhere stay there when an update is undone, those of before and those of since', async () => {
  const files = join(folder, 'elsewhere')
  const env = { DATA_DIR: join(folder, 'other-data'), FILES_URL: pathToFileURL(files).href }
  expect(await older.run(prepare, [], env)).toMatchObject({ code: 0 })
  mkdirSync(join(files, 'ab'), { recursive: true })
  writeFileSync(join(files, 'ab', 'before'), 'before')
  expect(await newer.run(prepare, [], env)).toMatchObject({ code: 0 })
  writeFileSync(join(files, 'ab', 'since'), 'since')
  const { code, said } = await older.run('scripts/admin.ts', ['go-back'], env)
  expect(code, said).toBe(0)
  expect(said).toMatch(/The database of now is kept in \S+\.$/m)
  expect(readdirSync(join(files, 'ab'))).toEqual(['before', 'since'])
  expect(await older.run(prepare, [], env)).toMatchObject({ code: 0 })
})

test('the product itself begins an update with the backup, and says where it is', async () => {
  const place = join(folder, 'product-data')
  expect(await older.run(prepare, [], { DATA_DIR: place })).toMatchObject({ code: 0 })
  const env = { DATABASE_URL: '', SECRET_KEY: '', FILES_URL: '', DATA_DIR: place, LOG_LEVEL: 'info' }
  const child = spawnMain({ ownerUrl: '' }, folder, env, newer.folder)
  const lines: string[] = []
  child.stdout!.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n')))
  try {
    await untilItServes(child)
    const told = lines.find((line) => line.includes('was backed up before the update'))!
    const [name] = readdirSync(join(place, 'backups'))
    expect(JSON.parse(told).msg).toContain(join(place, 'backups', name!))
  } finally {
    await endOf(child, 'SIGTERM')
  }
})

test('a second start during an update is refused in one sentence, and the first ends whole', async () => {
  const slow = makeRelease(join(folder, 'slow'), {
    '1001-slow.sql': 'select pg_sleep(3); create table slow (id int);',
  })
  const place = join(folder, 'slow-data')
  const env = { DATA_DIR: place }
  expect(await older.run(prepare, [], env)).toMatchObject({ code: 0 })
  const first = slow.run(prepare, [], env)
  await expect
    .poll(() => existsSync(join(place, 'backups', 'update-unfinished')), { timeout: 60_000 })
    .toBe(true)
  expect(await slow.run(prepare, [], env)).toEqual({
    code: 3,
    said: expect.stringMatching(
      /^Practicum already runs on this DATA_DIR \(process \d+\): stop it first, .*\.\n$/,
    ),
  })
  expect(await first).toMatchObject({ code: 0, said: expect.stringMatching(/^Database updated: 1001-slow/m) })
  expect(await slow.run(prepare, [], env)).toEqual({ code: 0, said: '' })
})
