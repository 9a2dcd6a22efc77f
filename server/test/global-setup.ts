import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareQueue } from '#server/core/runtime/jobs.ts'
import { acrossRole, grantAcross } from '../core/database/across-role.ts'
import { startEmbedded } from '../core/database/embedded.ts'
import type { Log } from '../core/database/log.ts'
import { migrate } from '../core/database/migrate.ts'
import { fillPlaces } from '../core/database/places.ts'
import { migrationsFolder } from '../core/database/prepare.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the migrated template, which nobody may connect to while it is copied. */
    templateUrls: { ownerUrl: string; appUrl: string }
  }
}

interface TestServer {
  ownerUrl: string
  appUrl: string
  stop: () => Promise<void>
}

/**
 * The same roles and the same empty database as the embedded server begins with, on a server that is there to be tested with, such
 * as one of another version: `TEST_DATABASE_URL` is its superuser's, and it lets everybody of this machine in.
 */
const takeServer = async (superUrl: string): Promise<TestServer> => {
  const client = new Client({ connectionString: superUrl })
  await client.connect()
  await client.query('drop database if exists practicum with (force)')
  for (const [role, rights] of [
    ['owner', 'createdb nocreaterole'],
    ['app', ''],
  ]) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    await client.query(`${rowCount === 0 ? 'create' : 'alter'} role ${role} login ${rights}`)
  }
  const { rows } = await client.query<{ version: string; isThere: boolean }>(
    `select current_setting('server_version_num') as version,
      exists (select from pg_roles where rolname = '${acrossRole}') as "isThere"`,
  )
  if (!rows[0]!.isThere) await client.query(`create role ${acrossRole} nologin`)
  await client.query(grantAcross(Number(rows[0]!.version)))
  await client.query('grant pg_signal_backend to owner')
  await client.query('create database practicum owner owner')
  await client.end()
  const urlOf = (user: string): string => {
    const url = new URL(superUrl)
    url.username = user
    url.pathname = '/practicum'
    url.searchParams.set('sslmode', 'disable')
    return url.href
  }
  return { ownerUrl: urlOf('owner'), appUrl: urlOf('app'), stop: async () => {} }
}

const startServer = async (log: Log): Promise<TestServer> => {
  const { TEST_DATABASE_URL } = process.env
  if (TEST_DATABASE_URL) return takeServer(TEST_DATABASE_URL)
  const folder = mkdtempSync(join(tmpdir(), 'practicum-test-'))
  const { ownerUrl, appUrl, stop } = await startEmbedded({ dataDir: join(folder, 'data'), log, tests: true })
  return {
    ownerUrl,
    appUrl,
    stop: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One PostgreSQL for the whole run, without fsync, and in it one migrated database that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = { info: () => {}, warn: console.warn, error: console.error }
  const database = await startServer(log)
  try {
    await migrate({ ownerUrl: database.ownerUrl, folder: migrationsFolder, log })
    await prepareQueue(database.ownerUrl)
    // Each server of a test would fill them in: a third of a second of processor.
    await fillPlaces(database.ownerUrl)
    const client = new Client({ connectionString: database.ownerUrl })
    await client.connect()
    // Without statistics of the empty tables, plans in tests would depend on the moment of an autovacuum.
    await client.query('analyze')
    await client.end()
  } catch (error) {
    await database.stop()
    throw error
  }
  project.provide('templateUrls', { ownerUrl: database.ownerUrl, appUrl: database.appUrl })
  return database.stop
}
