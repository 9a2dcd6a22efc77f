import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareQueue } from '#server/core/runtime/jobs.ts'
import { startEmbedded } from '../core/database/embedded.ts'
import type { Log } from '../core/database/log.ts'
import { migrate } from '../core/database/migrate.ts'
import { migrationsFolder } from '../core/database/prepare.ts'
import { prepareServed } from '../core/database/served.ts'

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

const startServer = async (log: Log): Promise<TestServer> => {
  // A PostgreSQL of another version, say, with an empty database `practicum` in it: postgresql://…/practicum?sslmode=disable
  const served = process.env.TEST_DATABASE_URL
  if (served) return { ...(await prepareServed(served, 'x'.repeat(32))), stop: async () => {} }
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
