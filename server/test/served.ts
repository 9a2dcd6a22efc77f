import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedDatabase, startEmbedded } from '#server/core/database/embedded.ts'
import { createPool } from '#server/core/database/pool.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * A PostgreSQL of its own in a folder, which plays the served one of several processes: its owner may make the role that serves.
 * `isDurable` where it is killed: what was acknowledged is there afterwards.
 */
export const startServed = async (
  folder: string,
  { isDurable = false } = {},
): Promise<{ database: EmbeddedDatabase; owner: pg.Pool }> => {
  const database = await startEmbedded({ dataDir: join(folder, 'data'), log: silent, tests: !isDurable })
  const superuser = new pg.Client({ connectionString: database.ownerUrl.replace('//owner@', '//postgres@') })
  await superuser.connect()
  await superuser.query('alter role owner createrole; grant app to owner with admin option')
  await superuser.end()
  return { database, owner: createPool(database.ownerUrl, silent, 4) }
}

/** Starts the product, or that of another release, as a process of its own on such a database. */
export const spawnMain = (
  { ownerUrl }: Pick<EmbeddedDatabase, 'ownerUrl'>,
  folder: string,
  env: Record<string, string> = {},
  release = join(import.meta.dirname, '..', '..'),
): ChildProcess =>
  spawn(process.execPath, [join(release, 'server', 'main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: ownerUrl,
      SECRET_KEY: 'one key for all processes, long enough to be one',
      DATA_DIR: join(folder, 'files'),
      PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Answers where the calls of a process go, once it says so. */
export const untilItServes = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    const read = (chunk: Buffer) => {
      said += chunk
      const found = /runs at (http:\/\/127\.0\.0\.1:\d+)/.exec(said)
      if (found) resolve(`${found[1]}/new/api`)
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)))
  })

/** Ends a process, and waits for its end. */
export const endOf = (child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> => {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  child.removeAllListeners('exit')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}
