import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { MigrationError, migrate, readMigrations } from './migrate.ts'
import { prepareServed, requireSupportedVersion, ServedDatabaseError } from './served.ts'

const { ownerUrl: templateUrl } = inject('templateUrls')
const said: string[] = []
const log = {
  info: (text: string) => said.push(text),
  warn: (text: string) => said.push(text),
  error: () => {},
}

let folder: string
let database: string
let count = 0

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'practicum-migrations-'))
  database = `migrate_${process.pid}_${count++}`
  said.length = 0
  await ask(urlOf('postgres'), `create database ${database} template template0`)
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await ask(urlOf('postgres'), `drop database ${database} with (force)`)
})

describe('migrate', () => {
  test('applies the files in their order, once', async () => {
    file('0002-second.sql', 'alter table thing add column name text')
    file('0001-first.sql', 'create table thing (id int)')
    expect(await run()).toEqual(['0001-first', '0002-second'])
    expect(await run()).toEqual([])
    file('0003-third.sql', 'insert into thing values (1, $$one$$)')
    expect(await run()).toEqual(['0003-third'])
    expect(await ask(urlOf(database), 'select * from thing')).toEqual([{ id: 1, name: 'one' }])
  })

  test('lets the app work with what a migration made, and gives it no more', async () => {
    file(
      '0001-first.sql',
      'create table thing (id bigint generated always as identity primary key, name text)',
    )
    await run()
    const appUrl = urlOf(database).replace('//owner@', '//app@')
    await ask(appUrl, "insert into thing (name) values ('a')")
    await ask(appUrl, "update thing set name = 'b'")
    expect(await ask(appUrl, 'delete from thing returning name')).toEqual([{ name: 'b' }])
    for (const statement of [
      'drop table thing',
      'truncate thing',
      'delete from migration',
      'create table x (id int)',
    ]) {
      await expect(ask(appUrl, statement)).rejects.toThrow(/permission denied|must be owner/)
    }
  })

  test('keeps nothing of a file that fails, keeps those before it, and names the line', async () => {
    file('0001-first.sql', 'create table thing (id int)')
    file('0002-second.sql', 'create table other (id int);\n\nselect nonsense;')
    await expect(run()).rejects.toThrow(
      'The migration 0002-second failed in line 3 (column "nonsense" does not exist): it was rolled back, and those before it are kept.',
    )
    expect(await tables()).toEqual(['migration', 'thing'])
    file('0002-second.sql', 'create table other (id int)')
    expect(await run()).toEqual(['0002-second'])
  })

  test('refuses a file that was changed after it had been applied', async () => {
    file('0001-first.sql', 'create table thing (id int)')
    await run()
    file('0001-first.sql', 'create table thing (id bigint)')
    file('0002-second.sql', 'create table other (id int)')
    await expect(run()).rejects.toThrow(
      /^The migration 0001-first was changed after it had been applied .*\.$/,
    )
    expect(await tables()).toEqual(['migration', 'thing'])
  })

  test('does not mind that git changed the ends of lines', async () => {
    file('0001-first.sql', 'create table thing (\n  id int\n)')
    await run()
    file('0001-first.sql', 'create table thing (\r\n  id int\r\n)')
    expect(await run()).toEqual([])
  })

  test('refuses a database that is newer than the program', async () => {
    file('0001-first.sql', 'create table thing (id int)')
    file('0002-second.sql', 'create table other (id int)')
    await run()
    rmSync(join(folder, '0002-second.sql'))
    await expect(run()).rejects.toThrow(
      /^The database is newer than this program \(it knows migration 0002-second\).*\.$/,
    )
  })

  test('refuses a file that would come before one that was applied', async () => {
    file('0002-second.sql', 'create table other (id int)')
    await run()
    file('0001-first.sql', 'create table thing (id int)')
    await expect(run()).rejects.toThrow(/^The migration 0001-first comes before 0002-second/)
    expect(await tables()).toEqual(['migration', 'other'])
  })

  test('refuses a file that ends its own transaction', async () => {
    file('0001-first.sql', 'create table thing (id int); commit; create table other (id int)')
    await expect(run()).rejects.toThrow(/ends its own transaction/)
    expect(await ask(urlOf(database), 'select name from migration')).toEqual([])
  })

  test('by processes at the same moment is done once', async () => {
    file('0001-first.sql', 'create table thing (id int); select pg_sleep(0.2)')
    const results = await Promise.all([run(), run(), run()])
    expect(results.flat()).toEqual(['0001-first'])
  })

  // Under another clock PostgreSQL's own timeouts do not end.
  const isClockTrue = process.env.FAKETIME === undefined
  test.runIf(isClockTrue)(
    'gives way to a running transaction instead of blocking all others, then succeeds',
    {
      timeout: 90_000,
    },
    async () => {
      file('0001-first.sql', 'create table thing (id int)')
      await run()
      file('0002-second.sql', 'alter table thing add column name text')
      const reader = new Client({ connectionString: urlOf(database) })
      await reader.connect()
      await reader.query('begin; select from thing')
      const migrated = run()
      await expect
        .poll(() => said.join(), { timeout: 60_000 })
        .toContain('0002-second waits for running transactions')
      await reader.query('commit')
      await reader.end()
      expect(await migrated).toEqual(['0002-second'])
    },
  )
})

describe('files of functions', () => {
  const one = (answer: number) =>
    `create or replace function answer() returns integer language sql as $$ select ${answer} $$`
  const answer = async () => (await ask(urlOf(database), 'select answer()'))[0]!.answer
  beforeEach(() => {
    mkdirSync(join(folder, 'functions'))
    file('0001-first.sql', 'create table thing (id int)')
  })

  test('come after the migrations, and again whenever they have changed', async () => {
    file('functions/answer.sql', one(1))
    expect(await run()).toEqual(['0001-first', 'functions/answer'])
    expect(await run()).toEqual([])
    file('functions/answer.sql', one(2))
    file('functions/other.sql', 'select 1')
    expect(await run()).toEqual(['functions/answer', 'functions/other'])
    expect(await answer()).toBe(2)
    expect(await run()).toEqual([])
  })

  test('wait until all migrations are there', async () => {
    file('functions/answer.sql', one(1))
    expect(await migrate({ ownerUrl: urlOf(database), folder, log, through: 1 })).toEqual(['0001-first'])
    expect(await run()).toEqual(['functions/answer'])
  })

  test('by processes at the same moment are applied once', async () => {
    file('functions/answer.sql', `${one(1)}; select pg_sleep(0.2)`)
    const results = await Promise.all([run(), run(), run()])
    expect(results.flat()).toEqual(['0001-first', 'functions/answer'])
  })

  test('that fail keep what was there and are tried again by the next start', async () => {
    file('functions/answer.sql', one(1))
    await run()
    file('functions/answer.sql', `${one(2)};\nselect nonsense`)
    await expect(run()).rejects.toThrow('The migration functions/answer failed in line 2')
    expect(await answer()).toBe(1)
    file('functions/answer.sql', one(3))
    expect(await run()).toEqual(['functions/answer'])
    expect(await answer()).toBe(3)
  })
})

describe('readMigrations', () => {
  test('refuses names without a number and two files with the same one', () => {
    file('first.sql', '')
    expect(() => readMigrations(folder)).toThrow(MigrationError)
    rmSync(join(folder, 'first.sql'))
    file('0001-a.sql', '')
    file('0001-b.sql', '')
    expect(() => readMigrations(folder)).toThrow(
      'Two migrations bear the number of 0001-b; nothing was changed.',
    )
  })
})

test('indexes of names are made anew for another version of ICU, once', async () => {
  const byOwner = urlOf(database)
  const index = async () =>
    (await ask(byOwner, "select pg_relation_filenode('thing_pkey') as file"))[0]!.file as number
  file(
    '0001-a.sql',
    `create collation alphabetical (provider = icu, locale = 'en-US-u-kn-true');
      create table thing (name text collate alphabetical primary key)`,
  )
  await run()
  const before = await index()
  await run()
  expect(await index()).toBe(before)
  await ask(
    byOwner.replace('//owner@', '//postgres@'),
    "update pg_collation set collversion = '1' where collname = 'alphabetical'",
  )
  await run()
  const after = await index()
  expect(after).not.toBe(before)
  expect(said.join()).toContain('by a new version of ICU: one index is made anew')
  await run()
  expect(await index()).toBe(after)
})

describe('a server of its own', () => {
  const superUrl = templateUrl.replace('//owner@', '//postgres@')
  const secret = 's'.repeat(32)

  afterAll(async () => {
    await ask(superUrl, 'drop role if exists practicum_app')
    await ask(superUrl, 'drop role if exists landlord')
  })

  test('gets a role for the app whose password comes from the secret key', async () => {
    await ask(superUrl, 'drop role if exists practicum_app')
    await ask(superUrl, 'create role landlord login createrole')
    await ask(superUrl, 'grant app to landlord with admin option')
    const databaseUrl = urlOf(database).replace('//owner@', '//landlord@')
    const { appUrl, ownerUrl, serverVersion } = await prepareServed(databaseUrl, secret)
    expect(ownerUrl).toBe(databaseUrl)
    expect([{ version: String(serverVersion) }]).toEqual(
      await ask(superUrl, "select current_setting('server_version_num') as version"),
    )
    expect(new URL(appUrl).username).toBe('practicum_app')
    expect(new URL(appUrl).password).toHaveLength(43)
    expect(await ask(appUrl, "select pg_has_role('app', 'usage') as member")).toEqual([{ member: true }])
    expect((await prepareServed(databaseUrl, secret)).appUrl).toBe(appUrl)
    expect((await prepareServed(databaseUrl, 'other'.repeat(8))).appUrl).not.toBe(appUrl)
  })

  test('is refused when the role of the app could pass by row-level security', async () => {
    const databaseUrl = superUrl.replace('/practicum?', `/${database}?`)
    await prepareServed(databaseUrl, secret)
    await ask(superUrl, 'alter role practicum_app bypassrls')
    await expect(prepareServed(databaseUrl, secret)).rejects.toThrow(/bypasses row-level security/)
    await ask(superUrl, 'alter role practicum_app nobypassrls')
  })

  test('whose owner may not make roles is refused with what an administrator can do', async () => {
    await ask(superUrl, 'drop role if exists practicum_app')
    await expect(prepareServed(urlOf(database), secret)).rejects.toThrow(/CREATEROLE/)
  })

  test('without ICU is refused before anything is changed', async () => {
    const databaseUrl = superUrl.replace('/practicum?', `/${database}?`)
    await ask(databaseUrl, "delete from pg_collation where collname = 'en-US-x-icu'")
    await expect(prepareServed(databaseUrl, secret)).rejects.toThrow(
      /without the collation en-US-x-icu.*nothing was changed; use one that was built with ICU/,
    )
    await ask(databaseUrl, "select pg_import_system_collations('pg_catalog')")
    await prepareServed(databaseUrl, secret)
  })

  test('older than 15 is refused', () => {
    expect(() => requireSupportedVersion(140_020)).toThrow(/PostgreSQL 14, and Practicum needs 15 or newer/)
    expect(() => requireSupportedVersion(150_000)).not.toThrow()
  })

  test('that cannot be reached is named by its variable and without its password', async () => {
    const unreachable = prepareServed('postgresql://u:hidden@127.0.0.1:1/d', secret)
    await expect(unreachable).rejects.toThrow(ServedDatabaseError)
    await expect(unreachable).rejects.toThrow(
      /^The database of DATABASE_URL cannot be reached \((?!.*hidden).*\.$/,
    )
  })
})

function file(name: string, sql: string): void {
  writeFileSync(join(folder, name), sql)
}

function run(): Promise<string[]> {
  return migrate({ ownerUrl: urlOf(database), folder, log })
}

function urlOf(name: string): string {
  return templateUrl.replace('/practicum?', `/${name}?`)
}

async function tables(): Promise<unknown[]> {
  const rows = await ask(
    urlOf(database),
    "select tablename from pg_tables where schemaname = 'public' order by tablename",
  )
  return rows.map(({ tablename }) => tablename)
}

async function ask(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
