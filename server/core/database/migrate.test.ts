import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { domainFiles, statementsOf } from './baseline.ts'
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
  folder = join(mkdtempSync(join(tmpdir(), 'practicum-')), 'migrations')
  mkdirSync(folder)
  database = `migrate_${process.pid}_${count++}`
  said.length = 0
  await ask(urlOf('postgres'), `create database ${database} template template0`)
})
afterEach(async () => {
  rmSync(dirname(folder), { recursive: true, force: true })
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

  test.runIf(isClockTrue)(
    'begins again after it and a running transaction waited for each other',
    async () => {
      file('0001-first.sql', 'create table one (id int); create table two (id int)')
      await run()
      file('0002-second.sql', 'alter table one add column name text; alter table two add column name text')
      const reader = new Client({ connectionString: urlOf(database) })
      await reader.connect()
      await reader.query('begin; select from two')
      const migrated = run()
      await expect
        .poll(() =>
          ask(urlOf(database), "select from pg_locks where relation = 'two'::regclass and not granted"),
        )
        .toHaveLength(1)
      // Whichever of them the database refuses: the file comes again, and the reader is done.
      await reader.query('select from one').catch(() => {})
      await reader.query('rollback')
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
    file('0001-first.sql', 'create table thing (id int)')
  })

  test('come after the migrations, and again whenever they have changed', async () => {
    file('../core/answer/functions.sql', one(1))
    expect(await run()).toEqual(['0001-first', 'core/answer/functions'])
    expect(await run()).toEqual([])
    file('../core/answer/functions.sql', one(2))
    file('../modules/other/functions.sql', 'select 1')
    expect(await run()).toEqual(['core/answer/functions', 'modules/other/functions'])
    expect(await answer()).toBe(2)
    expect(await run()).toEqual([])
  })

  test('wait until all migrations are there', async () => {
    file('../core/answer/functions.sql', one(1))
    expect(await migrate({ ownerUrl: urlOf(database), folder, log, through: 1 })).toEqual(['0001-first'])
    expect(await run()).toEqual(['core/answer/functions'])
  })

  test('by processes at the same moment are applied once', async () => {
    file('../core/answer/functions.sql', `${one(1)}; select pg_sleep(0.2)`)
    const results = await Promise.all([run(), run(), run()])
    expect(results.flat()).toEqual(['0001-first', 'core/answer/functions'])
  })

  test('that fail keep what was there and are tried again by the next start', async () => {
    file('../core/answer/functions.sql', one(1))
    await run()
    file('../core/answer/functions.sql', `${one(2)};\nselect nonsense`)
    await expect(run()).rejects.toThrow('The migration core/answer/functions failed in line 2')
    expect(await answer()).toBe(1)
    file('../core/answer/functions.sql', one(3))
    expect(await run()).toEqual(['core/answer/functions'])
    expect(await answer()).toBe(3)
  })
})

describe('the baseline', () => {
  const site = `create table site (
  id int primary key,
  area_id int references area
);
create trigger touched before insert on site for each row execute function touch();
`
  beforeEach(() => {
    file('1000-baseline.sql', '-- All that was before.\n-- adopts 0002-second\n')
    file('../modules/areas/schema.sql', 'create table area (\n  id int primary key\n);\n')
    file('../core/sites/schema.sql', `create type pair as (one int, two int);\n\n${site}`)
    file(
      '../core/sites/functions.sql',
      `create or replace function touch() returns trigger language plpgsql as $$
begin
  return new;
end $$;

-- Two of the same.
create or replace function twins(of int) returns pair language sql as 'select of, of';
`,
    )
  })

  test('makes what files of several domains say, whichever names another first, once', async () => {
    expect(await run()).toEqual(['1000-baseline'])
    expect(await tables()).toEqual(['area', 'migration', 'site'])
    await ask(urlOf(database), 'insert into area values (1); insert into site values (1, 1)')
    expect(await ask(urlOf(database), 'select one from twins(3)')).toEqual([{ one: 3 }])
    expect(await run()).toEqual([])
  })

  test('leaves out a function until the migration is there that makes its type', async () => {
    file('1001-later.sql', 'create table later (id int)')
    file(
      '../modules/later/functions.sql',
      "create or replace function all_later() returns setof later language sql as 'table later';",
    )
    expect(await run()).toEqual(['1000-baseline', '1001-later', 'modules/later/functions'])
  })

  test('says what leads to it from a database that ends with the migration before it', async () => {
    const baseline = join(folder, '1000-baseline.sql')
    const kept = readFileSync(baseline, 'utf8')
    rmSync(baseline)
    rmSync(join(folder, '../core'), { recursive: true })
    file('0001-first.sql', 'create table area (id int primary key)')
    file('0002-second.sql', 'insert into area values (7)')
    await run()
    for (const name of ['0001-first.sql', '0002-second.sql']) rmSync(join(folder, name))
    file('1000-baseline.sql', `${kept}update area set id = id + 10;`)
    file('1001-next.sql', 'insert into area values (8)')
    expect(await run()).toEqual(['1000-baseline', '1001-next'])
    expect(await ask(urlOf(database), 'select id from area')).toEqual([{ id: 17 }, { id: 8 }])
    expect(await run()).toEqual([])
  })

  test('refuses a database of before, and says which version comes between', async () => {
    rmSync(join(folder, '1000-baseline.sql'))
    rmSync(join(folder, '../core'), { recursive: true })
    file('0001-first.sql', 'create table area (id int primary key)')
    await run()
    rmSync(join(folder, '0001-first.sql'))
    file('1000-baseline.sql', '-- adopts 0002-second')
    await expect(run()).rejects.toThrow(
      'The database is older than 1.0 (its last migration is 0001-first): nothing was changed; start the version that ends ' +
        'with migration 0002-second on it once, then this one.',
    )
  })

  test('that was changed after it had been applied is refused', async () => {
    await run()
    file('../modules/areas/schema.sql', 'create table area (\n  id bigint primary key\n);\n')
    await expect(run()).rejects.toThrow(/^The migration 1000-baseline was changed after/)
  })

  test('that fails says where, and nothing of it is kept', async () => {
    file(
      '../modules/areas/schema.sql',
      'create table area (\n  id int primary key\n);\n\ncreate index area_name\n  on area (lower(name));\n',
    )
    await expect(run()).rejects.toThrow(
      'The migration 1000-baseline failed (column "name" does not exist, at “create index area_name”): it was rolled back',
    )
    expect(await tables()).toEqual(['migration'])
  })

  test('with tables that refer to each other names them', async () => {
    file('../modules/areas/schema.sql', 'create table area (\n  id int primary key references site\n);\n')
    await expect(run()).rejects.toThrow('These tables refer to each other: site, area, site.')
  })
})

test('every statement of our own functions begins after an empty line, and can be run again', () => {
  const begins = /^(--[^\n]*\n)*(create or replace (function|procedure)|do \$|call read_across\(|grant )/
  const files = domainFiles(join(import.meta.dirname, '../..'), 'functions.sql')
  expect(files.length).toBeGreaterThan(25)
  for (const { name, path } of files)
    for (const sql of statementsOf(readFileSync(path, 'utf8'))) expect(sql, name).toMatch(begins)
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
    const across =
      "select pg_has_role('app_across', 'member') as may, pg_has_role('app_across', 'usage') as has"
    expect(await ask(appUrl, across)).toEqual([{ may: true, has: false }])
    expect((await prepareServed(databaseUrl, secret)).appUrl).toBe(appUrl)
    expect((await prepareServed(databaseUrl, 'other'.repeat(8))).appUrl).not.toBe(appUrl)
  })

  test('is refused when the role of the app could pass by row-level security', async () => {
    const databaseUrl = superUrl.replace('/practicum?', `/${database}?`)
    await prepareServed(databaseUrl, secret)
    await ask(superUrl, 'alter role practicum_app bypassrls')
    await expect(prepareServed(databaseUrl, secret)).rejects.toThrow(/bypasses row-level security/)
    await ask(superUrl, 'alter role practicum_app nobypassrls')
    await ask(superUrl, 'grant app_across to practicum_app')
    await expect(prepareServed(databaseUrl, secret)).rejects.toThrow(/inherits from app_across/)
    await ask(superUrl, 'revoke app_across from practicum_app')
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
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, sql)
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
