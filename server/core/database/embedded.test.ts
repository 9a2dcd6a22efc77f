import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedDatabase, relaunchDelayMs, startEmbedded } from './embedded.ts'
import { unmarkFolder } from './unfinished-restore.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const isRoot = process.getuid?.() === 0

let folder: string
let dataDir: string
let started: EmbeddedDatabase[]
let children: ChildProcess[]

/** Making a data folder takes most of a second: tests that are not about that begin with a copy of this one. */
let made: string

beforeAll(async () => {
  made = join(mkdtempSync(join(tmpdir(), 'practicum-made-')), 'data')
  await (await startEmbedded({ dataDir: made, log })).stop()
})
afterAll(() => rmSync(dirname(made), { recursive: true, force: true }))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'practicum-embedded-'))
  chmodSync(folder, 0o755)
  dataDir = join(folder, 'data')
  started = []
  children = []
})
afterEach(async () => {
  for (const child of children) await kill(child)
  for (const database of started) await database.stop()
  // A server whose process was killed above is still on its way down.
  const pid = postmasterPid()
  if (pid) await waitUntil(() => !isAlive(pid))
  rmSync(folder, { recursive: true, force: true })
})

describe('a new DATA_DIR', () => {
  test('that a restore has been killed on before it had a database starts nothing but the restore', async () => {
    // As the kill leaves it: the server is made, and nothing in it says so.
    const restoring = await startEmbedded({ dataDir, log, isRestore: true })
    await restoring.stop()
    await expect(startEmbedded({ dataDir, log })).rejects.toThrow(
      /^A restore .* was interrupted, .* starts over\.$/,
    )
    await (await startEmbedded({ dataDir, log, isRestore: true })).stop()
    unmarkFolder(dataDir)
    await (await startEmbedded({ dataDir, log })).stop()
  })

  test('gets a durable server in UTC and UTF-8, on a socket in a closed folder, that sorts the same way on every machine', async () => {
    const { ownerUrl, appUrl, adopted } = await start()
    expect(adopted).toBe(false)
    expect(await query(ownerUrl, 'select current_user::text as name')).toEqual([{ name: 'owner' }])
    const rights = 'select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname in ($1, $2)'
    const none = { rolsuper: false, rolbypassrls: false, rolcreaterole: false }
    expect(await query(appUrl, rights, ['app', 'owner'])).toEqual([none, none])

    const wanted = {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      TimeZone: 'UTC',
      server_encoding: 'UTF8',
      listen_addresses: '',
    }
    const rows = await query(appUrl, 'select name, setting from pg_settings where name = any ($1)', [
      Object.keys(wanted),
    ])
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(wanted)
    expect(await query(appUrl, "select upper('émile') as upper, 'Z' < 'a' as plain")).toEqual([
      { upper: 'ÉMILE', plain: true },
    ])
    expect(statSync(join(dataDir, 'socket')).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'postgres')).uid !== 0 || !isRoot).toBe(true)
  })

  test('keeps what was written over a stop and a start, which makes a role that an older version did not know', async () => {
    copyMadeDataDir()
    const first = await start()
    await query(first.ownerUrl, 'create table kept as select 7 as seven')
    await query(first.ownerUrl.replace('//owner@', '//postgres@'), 'drop role app_across')
    await first.stop()
    expect(postmasterPid()).toBeUndefined()
    const second = await start()
    expect(await query(second.ownerUrl, 'select seven from kept')).toEqual([{ seven: 7 }])
    const rights =
      "select pg_has_role('app_across', 'member') as may, pg_has_role('app_across', 'usage') as has"
    expect(await query(second.appUrl, rights)).toEqual([{ may: true, has: false }])
  })

  test('whose path has spaces, quotes and commas, and is too long for a socket, puts the socket into a closed temporary folder while it runs', async () => {
    dataDir = join(folder, 'x'.repeat(90), `a "b", c's`)
    const { appUrl, stop } = await start()
    expect(await query(appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    const socketFolder = decodeURIComponent(/@([^:]+):/.exec(appUrl)![1]!)
    expect(Buffer.byteLength(socketFolder)).toBeLessThan(90)
    expect(statSync(socketFolder).mode & 0o777).toBe(0o700)
    await stop()
    expect(existsSync(socketFolder)).toBe(false)
  })
})

describe('when the app is killed', () => {
  beforeEach(copyMadeDataDir)

  test('its server ends by itself', async () => {
    const app = await startApp()
    const pid = postmasterPid()!
    expect(isAlive(pid)).toBe(true)
    await kill(app)
    await waitUntil(() => !isAlive(pid))
  })

  test('the next start takes over at once, and what was committed is there', async () => {
    const app = await startApp()
    await query(app.ownerUrl, 'create table kept as select 7 as seven')
    await kill(app)
    const { ownerUrl } = await start()
    expect(await query(ownerUrl, 'select seven from kept')).toEqual([{ seven: 7 }])
  })

  test('together with the supervisor, the orphan is proved to be ours and taken over', async () => {
    const app = await startApp()
    await query(app.ownerUrl, 'create table kept as select 7 as seven')
    const orphan = postmasterPid()!
    const supervisor = parentOf(orphan)
    // Stopped, the app cannot see its supervisor die and start another one before it is killed itself.
    process.kill(app.pid!, 'SIGSTOP')
    process.kill(supervisor, 'SIGKILL')
    await kill(app)
    await sleep(300)
    expect(isAlive(orphan)).toBe(true)
    const { ownerUrl, adopted } = await start()
    expect(adopted).toBe(true)
    expect(isAlive(orphan)).toBe(false)
    expect(await query(ownerUrl, 'select seven from kept')).toEqual([{ seven: 7 }])
  })
})

describe('when the database is killed', () => {
  beforeEach(copyMadeDataDir)

  test('it is back within five seconds with all that was committed', async () => {
    const { ownerUrl } = await start()
    await query(ownerUrl, 'create table kept as select 7 as seven')
    const pid = postmasterPid()!
    const killedAt = Date.now()
    process.kill(pid, 'SIGKILL')
    await waitUntil(
      async () => (await query(ownerUrl, 'select seven from kept').catch(() => [])).length === 1,
    )
    expect(Date.now() - killedAt).toBeLessThan(5_000)
    expect(postmasterPid()).not.toBe(pid)
  })

  test('C7 a start reads and writes again what a minute wrote, and 512 MB at most', async () => {
    const { appUrl } = await start()
    const rows = await query(
      appUrl,
      "select name, setting::integer as most from pg_settings where name in ('checkpoint_timeout', 'max_wal_size') order by 1",
    )
    expect(rows).toEqual([
      { name: 'checkpoint_timeout', most: 60 },
      { name: 'max_wal_size', most: 512 },
    ])
  })

  test('C7 backends that outlive it for a moment cost tenths of a second, and no wait doubles for them', () => {
    const held = 'The database did not start (pre-existing shared memory block is still in use)'
    expect([1, 2, 5, 20].map((attempt) => relaunchDelayMs(attempt, held))).toEqual([100, 100, 100, 100])
    expect([1, 2, 3, 4, 5, 6, 7, 20].map((attempt) => relaunchDelayMs(attempt, 'disk full'))).toEqual([
      50, 100, 200, 400, 800, 1_600, 2_000, 2_000,
    ])
  })

  test('C7 its process runs before anything else is loaded, and whoever starts it is told so once', async () => {
    const told: (number | undefined)[] = []
    started.push(await startEmbedded({ dataDir, log, onLaunched: () => told.push(postmasterPid()) }))
    // Told before the server has written its file: what is loaded now is loaded beside its start.
    expect(told).toEqual([undefined])
    const main = readFileSync(join(import.meta.dirname, '..', '..', 'main.ts'), 'utf8')
    expect([...main.matchAll(/^import .* from '(.*)'$/gm)].map(([, path]) => path)).toEqual([
      '#server/core/backup/update-care.ts',
      '#server/core/config/config.ts',
      '#server/core/runtime/log.ts',
      './core/database/prepare.ts',
      './core/runtime/output.ts',
    ])
  })

  test('and its supervisor is killed, it is back as well', async () => {
    const { ownerUrl } = await start()
    const pid = postmasterPid()!
    process.kill(parentOf(pid), 'SIGKILL')
    await waitUntil(() => postmasterPid() !== undefined && postmasterPid() !== pid)
    await waitUntil(async () => (await query(ownerUrl, 'select 1 as one').catch(() => [])).length === 1)
    expect(isAlive(pid)).toBe(false)
  })
})

describe('postmaster.pid', () => {
  beforeEach(copyMadeDataDir)

  test('of a dead process does not keep the server from starting', async () => {
    await leavePostmasterFile((lines) => [String(deadProcess()), ...lines.slice(1)])
    expect(await query((await start()).appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('with a process id that now belongs to another process of the same user is mended', async () => {
    const { uid, gid } = statSync(join(dataDir, 'postgres'))
    const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
    children.push(stranger)
    await leavePostmasterFile((lines) => [String(stranger.pid), ...lines.slice(1)])
    expect(await query((await start()).appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  })
})

describe('a first start that was cut off', () => {
  test('leaves nothing that hinders the next one', async () => {
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'practicum.json'), '{}')
    mkdirSync(join(dataDir, 'postgres.new-1', 'base'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres.new-1', 'PG_VERSION'), '18\n')
    expect(await query((await start()).appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(dataDir)).not.toContain('postgres.new-1')
  })

  test('by kill -9 at any moment is made good by the next one', async () => {
    for (const delayMs of [60, 150, 300, 450, 600]) {
      const app = spawnApp()
      await sleep(delayMs)
      await kill(app)
    }
    expect(await query((await start()).appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a second start on the same DATA_DIR', () => {
  beforeEach(copyMadeDataDir)

  test('is refused with the process that has it, and does not disturb the first', async () => {
    const { appUrl } = await start()
    await expect(start()).rejects.toThrow(
      `Practicum already runs on this DATA_DIR (process ${process.pid}): stop it first, or choose another DATA_DIR and PORT.`,
    )
    expect(await query(appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('at the same moment: one of them wins', async () => {
    const results = await Promise.allSettled([start(), start(), start()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('of processes at the same moment: one of them wins', async () => {
    const apps = [spawnApp(), spawnApp(), spawnApp()]
    await waitUntil(() => apps.filter(({ exitCode }) => exitCode === 3).length === 2)
    expect(apps.filter(({ exitCode }) => exitCode === null)).toHaveLength(1)
  })

  test('from another process that died is no reason to refuse', async () => {
    await kill(await startApp())
    expect((await start()).attached).toBe(false)
  })

  test('of a command attaches to the running server and leaves it running', async () => {
    const app = await startApp()
    const command = await startEmbedded({ dataDir, log, attach: true })
    expect(command.attached).toBe(true)
    expect(command.appUrl).toBe(app.appUrl)
    await command.stop()
    expect(await query(app.appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('of a command starts the server when none runs', async () => {
    const command = await startEmbedded({ dataDir, log, attach: true })
    started.push(command)
    expect(command.attached).toBe(false)
  })
})

describe('a DATA_DIR that cannot be used is refused in one sentence', () => {
  test('when it holds something else', async () => {
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'thesis.txt'), 'text')
    await expect(start()).rejects.toThrow(/^DATA_DIR \(.*\) is a folder with other things in it .*\.$/)
    expect(readdirSync(dataDir)).toEqual(['thesis.txt'])
  })

  test('when its database is of another PostgreSQL, and stays as it is', async () => {
    copyMadeDataDir()
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await expect(start()).rejects.toThrow(
      /is of PostgreSQL 17, and this Practicum brings 18: nothing was changed/,
    )
    expect(readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n')
  })

  test.runIf(isRoot)('when this user may not write there', async () => {
    mkdirSync(dataDir, { mode: 0o755 })
    const nobody = Number(spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout)
    const app = spawnApp({ uid: nobody, gid: nobody })
    const [said] = await Promise.all([errorOf(app), once(app, 'exit')])
    expect(said).toMatch(
      /^DATA_DIR \(.*\) cannot be used because the user who runs Practicum may not write there: .*\.$/m,
    )
  })

  test('when the server cannot start: with its reason, and the next start after the repair works', async () => {
    copyMadeDataDir()
    const file = join(dataDir, 'postgres', 'postgresql.conf')
    const { uid, gid } = statSync(file)
    const good = readFileSync(file)
    writeFileSync(file, 'nonsense = on\n')
    await expect(start()).rejects.toThrow(/did not start \(.*\): the data is untouched; see .*\.$/)
    writeFileSync(file, good)
    chownSync(file, uid, gid)
    expect(await query((await start()).appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe.runIf(isRoot)('root', () => {
  test('can have DATA_DIR in a folder that is closed to everybody else', async () => {
    chmodSync(folder, 0o700)
    expect(await query((await start()).appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('can start on a copy that it made of a DATA_DIR', async () => {
    copyMadeDataDir()
    for (const entry of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
      chownSync(join(dataDir, entry), 0, 0)
    }
    expect(await query((await start()).appUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

async function start(): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log })
  started.push(database)
  return database
}

/** A DATA_DIR whose server has been stopped. */
function copyMadeDataDir(): void {
  expect(spawnSync('cp', ['-a', made, dataDir]).status).toBe(0)
}

/** Leaves a postmaster.pid as a crash would: the file of a running server, put back after its stop. */
async function leavePostmasterFile(change: (lines: string[]) => string[]): Promise<void> {
  const database = await start()
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const { uid, gid } = statSync(file)
  const text = readFileSync(file, 'utf8')
  await database.stop()
  writeFileSync(file, change(text.split('\n')).join('\n'), { mode: 0o600 })
  chownSync(file, uid, gid)
}

type App = ChildProcess & { ownerUrl: string; appUrl: string }

function spawnApp(user: { uid?: number; gid?: number } = {}): ChildProcess {
  const app = spawn(process.execPath, [join(import.meta.dirname, 'embedded.fixture.ts'), dataDir], {
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(app)
  return app
}

async function startApp(): Promise<App> {
  const app = spawnApp()
  const said = errorOf(app)
  const [line] = await Promise.race([
    once(app.stdout!, 'data'),
    said.then((error) => Promise.reject(new Error(error))),
  ])
  return Object.assign(app, JSON.parse(String(line)))
}

async function errorOf(app: ChildProcess): Promise<string> {
  let text = ''
  for await (const part of app.stderr!) text += part
  return text
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

function postmasterPid(): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
}

/** Asked of the system by its own tool: a process that is dead but was not yet collected is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

function parentOf(pid: number): number {
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
}

function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

async function waitUntil(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error('it did not happen within ten seconds')
    await sleep(20)
  }
}

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}
