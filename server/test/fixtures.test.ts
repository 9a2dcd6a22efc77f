import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { verifyBackup } from '#server/core/backup/backup.ts'
import { restoreBackup } from '#server/core/backup/restore.ts'
import { readMigrations } from '#server/core/database/migrate.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { verifyAudit } from '#server/core/runtime/audit-chain.ts'
import { storedSums } from '#server/stored-sums.ts'
import { fixtureFolder, fixtureKey, readFigures } from './fixtures.ts'
import { makeRelease } from './releases.ts'
import { wrongSums } from './stored-sums.ts'

const releases = readdirSync(fixtureFolder).flatMap((name) => /^release-(.+)\.tar\.gz$/.exec(name)?.[1] ?? [])
const folder = mkdtempSync(join(tmpdir(), 'practicum-fixtures-'))
const database = `fixture_${process.pid}`
const urlOf = (name: string) => inject('templateUrls').ownerUrl.replace('/practicum?', `/${name}?`)
const onServer = async (statement: string) => {
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
let migrations: string

beforeAll(() => {
  const next = makeRelease(join(folder, 'next'), {
    '1001-badges.sql': `create table badge (account_id bigint primary key references account);
      alter table account add column nickname text; update account set nickname = first_name;`,
  })
  migrations = join(next.folder, 'server', 'migrations')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('there is an installation of a release', () => {
  expect(releases.length).toBeGreaterThan(0)
})

test.each(releases)(
  'an installation of release %s is upgraded with every row, sum and file',
  async (release) => {
    const path = join(fixtureFolder, `release-${release}.tar.gz`)
    const known = new Map(readMigrations(migrations).map(({ name, sha256 }) => [name, sha256]))
    const { manifest } = await verifyBackup(path)
    for (const { name, sha256 } of manifest.migrations)
      expect(
        known.get(name),
        `${name} is another one than in this fixture. Before that release is out, make it anew: npm run fixture -- ${release}. After it, ` +
          'migrations that are out never change: write the change as the next one.',
      ).toBe(sha256)
    await onServer(`create database ${database} template template0`)
    const filesUrl = pathToFileURL(join(folder, `files-${release}`)).href
    const owner = new pg.Pool({ connectionString: urlOf(database), max: 2 })
    owner.on('error', () => {})
    try {
      const quiet = { info: () => {}, warn: () => {}, error: () => {} }
      const counts = await restoreBackup(path, {
        ownerUrl: urlOf(database),
        filesUrl,
        secretKey: fixtureKey,
        migrations,
        log: quiet,
      })
      const client = await owner.connect()
      try {
        const before = JSON.parse(readFileSync(join(fixtureFolder, `release-${release}.json`), 'utf8'))
        expect(await readFigures(client)).toEqual(before)
        expect(await verifyAudit(client, await openFileStore(filesUrl), fixtureKey)).toMatchObject({
          seals: 1,
          problems: [],
        })
        const { rows: added } = await client.query(
          `select (select count(*) from account where nickname is null)::integer as bare, (select count(*) from restored_copy)::integer as copies`,
        )
        // It was restored, so it is a copy and quiet; an installation that goes back is not.
        expect(added).toEqual([{ bare: 0, copies: 1 }])
        const stored = await client.query<{ count: number }>(
          'select count(*)::integer as count from stored_file',
        )
        expect(counts.files).toBeGreaterThanOrEqual(stored.rows[0]!.count)
        const { rows: programs } = await client.query<{ id: string }>('select id from program order by id')
        for (const { id } of programs)
          for (const sums of storedSums) expect(await wrongSums(owner, sums, Number(id))).toEqual([])
      } finally {
        client.release()
      }
    } finally {
      await owner.end()
      await onServer(`drop database ${database} with (force)`)
    }
  },
)
