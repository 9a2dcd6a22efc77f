import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkClock } from '#server/core/database/clock.ts'
import { startEmbedded } from '#server/core/database/embedded.ts'
import { prepareServed } from '#server/core/database/served.ts'
import { endOf, spawnMain, startServed } from './served.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const main = join(import.meta.dirname, '..', 'main.ts')
const output = join(import.meta.dirname, '..', 'core', 'runtime', 'output.ts')
const folder = mkdtempSync(join(tmpdir(), 'practicum-start-'))
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) await endOf(child, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Line {
  level: number
  time: number
  msg: string
}

/** Collects what a process says; a line that is no JSON throws. */
const listen = (child: ChildProcess) => {
  children.push(child)
  let said = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (said += chunk))
  const lines = (): Line[] =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  return { child, lines, messages: () => lines().map(({ msg }) => msg) }
}

const start = (env: Record<string, string>) =>
  listen(
    spawn(process.execPath, [main], {
      cwd: folder,
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, PORT: '0', DEMO: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )

/** The one line with which a start ends that cannot be. */
const refusal = async ({ child, lines }: ReturnType<typeof listen>): Promise<string> => {
  if (child.exitCode === null) await once(child, 'close')
  const last = lines().at(-1)
  expect([child.exitCode, last?.level, lines().filter(({ level }) => level === 60).length]).toEqual([
    1, 60, 1,
  ])
  return last!.msg
}

describe('without a terminal', { timeout: 60_000 }, () => {
  const dataDir = join(folder, 'data')

  test('every line is JSON from the first one on, and a second start and a taken port are refused in a sentence', async () => {
    const first = start({ DATA_DIR: dataDir })
    await expect.poll(() => first.messages().join(), { timeout: 40_000 }).toContain('and is ready.')
    const { port } = new URL(/http:\S+/.exec(first.messages().join())![0])
    expect(await refusal(start({ DATA_DIR: dataDir }))).toMatch(
      /^Practicum already runs on this DATA_DIR \(process \d+\): stop it first, .+\.$/,
    )
    expect(await refusal(start({ DATA_DIR: join(folder, 'other'), PORT: port }))).toBe(
      `PORT ${port} is in use by another program: stop it, or set PORT to a free one.`,
    )
    await endOf(first.child, 'SIGTERM')
    for (const line of first.lines())
      expect(line).toEqual(expect.objectContaining({ level: expect.any(Number), time: expect.any(Number) }))
  })

  test.each([
    ['PORT', { PORT: 'abc' }, /^PORT cannot be "abc": .+\.$/],
    [
      'SECRET_KEY_FILE',
      { SECRET_KEY_FILE: 'nowhere' },
      /^SECRET_KEY_FILE \(.+\) cannot be read because .+\.$/,
    ],
    ['APP_URL', { APP_URL: 'practicum' }, /^APP_URL cannot be .+\.$/],
  ])('an unusable %s is one line of JSON', async (_name, env, sentence) => {
    expect(await refusal(start({ DATA_DIR: join(folder, 'unused'), ...env }))).toMatch(sentence)
    expect(existsSync(join(folder, 'unused', 'postgres'))).toBe(false)
  })

  test('a folder of something else, a file in its place, and data of another version are left as they are', async () => {
    const foreign = join(folder, 'foreign')
    mkdirSync(foreign)
    writeFileSync(join(foreign, 'letter.txt'), 'x')
    expect(await refusal(start({ DATA_DIR: foreign }))).toMatch(/a folder with other things in it .+\.$/)
    expect(await refusal(start({ DATA_DIR: join(foreign, 'letter.txt') }))).toMatch(
      /cannot be used because it is a file: name a folder that can be written\.$/,
    )
    const version = join(dataDir, 'postgres', 'PG_VERSION')
    const written = readFileSync(version, 'utf8')
    writeFileSync(version, '17\n')
    expect(await refusal(start({ DATA_DIR: dataDir }))).toMatch(
      /is of PostgreSQL 17, and this Practicum brings 18: nothing was changed; .+\.$/,
    )
    writeFileSync(version, written)
  })

  test.runIf(process.getuid?.() === 0)('a folder of another user is refused in a sentence', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    chmodSync(folder, 0o755)
    const child = spawn(process.execPath, [main], {
      cwd: '/',
      env: { PATH: process.env.PATH, DATA_DIR: join(closed, 'data'), PORT: '0', DEMO: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      uid: 65_534,
      gid: 65_534,
    })
    expect(await refusal(listen(child))).toMatch(
      /cannot be used because the user who runs Practicum may not write there: name a folder that can be written\.$/,
    )
  })

  test.each(['setImmediate(() => { throw new Error("broken") })', 'Promise.reject(new Error("broken"))'])(
    'a crash is one line of JSON too: %s',
    async (code) => {
      const child = spawn(process.execPath, ['--import', output, '--eval', code], { stdio: 'pipe' })
      expect(await refusal(listen(child))).toBe('The process broke off')
    },
  )

  test('and so is a warning of Node.js', async () => {
    const child = spawn(process.execPath, ['--import', output, '--eval', 'process.emitWarning("old")'], {
      stdio: 'pipe',
    })
    const { lines } = listen(child)
    await once(child, 'close')
    expect(lines()).toMatchObject([{ level: 40, msg: 'old' }])
  })
})

describe('a database of its own', { timeout: 60_000 }, () => {
  const place = join(folder, 'served')
  let served: Awaited<ReturnType<typeof startServed>>
  beforeAll(async () => {
    served = await startServed(place)
  }, 60_000)
  afterAll(async () => {
    await served?.owner.end()
    await served?.database.stop()
  })
  const key = 'one key for all processes, long enough to be one'

  test('that comes later than the product is waited for, with a line every few seconds', async () => {
    await served.owner.end()
    await served.database.stop()
    const waiting = listen(spawnMain(served.database, folder, { LOG_LEVEL: 'info' }))
    await expect
      .poll(() => waiting.messages(), { timeout: 30_000 })
      .toEqual(expect.arrayContaining([expect.stringMatching(/trying for another (4\d|5[0-6]) seconds\.$/)]))
    served.database = await startEmbedded({ dataDir: join(place, 'data'), log: silent, tests: true })
    served.owner = new pg.Pool({ connectionString: served.database.ownerUrl })
    // The server is stopped beneath it.
    served.owner.on('error', () => {})
    await expect.poll(() => waiting.messages().join(), { timeout: 40_000 }).toContain('and is ready.')
    await endOf(waiting.child, 'SIGTERM')
    expect(waiting.messages().filter((text) => text.includes('does not answer yet')).length).toBeGreaterThan(
      1,
    )
  })

  test('that has another name, or refuses the password, is told apart and not waited for', async () => {
    const url = (change: (url: URL) => void): string => {
      const changed = new URL(served.database.ownerUrl)
      change(changed)
      return changed.href
    }
    const nameless = prepareServed(
      url((each) => {
        each.pathname = '/nowhere'
      }),
      key,
      { patienceMs: 60_000 },
    )
    await expect(nameless).rejects.toThrow(
      'The server of DATABASE_URL has no database nowhere: make it with "createdb --owner=owner nowhere", or correct the name.',
    )
    const rules = join(place, 'data', 'postgres', 'pg_hba.conf')
    const before = readFileSync(rules, 'utf8')
    writeFileSync(rules, `local all guest scram-sha-256\n${before}`)
    await served.owner.query("create role guest login password 'right'")
    const superuser = new pg.Client(served.database.ownerUrl.replace('//owner@', '//postgres@'))
    await superuser.connect()
    await superuser.query('select pg_reload_conf()')
    await superuser.end()
    const refused = () =>
      prepareServed(served.database.ownerUrl.replace('//owner@', '//guest:hidden@'), key, {
        patienceMs: 60_000,
      }).catch(({ message }: Error) => message)
    await expect
      .poll(refused)
      .toMatch(/^The server of DATABASE_URL refuses the user guest \((?!.*hidden).+\.$/)
    writeFileSync(rules, before)
  })

  test('whose clock is a day off is refused; a clock that went back by a day is told', async () => {
    const { ownerUrl } = served.database
    const dayMs = 86_400_000
    for (const away of [dayMs + 60_000, -dayMs - 60_000])
      await expect(checkClock(ownerUrl, silent, Date.now() + away)).rejects.toThrow(
        /^The clock of this machine says \S+Z and the database's \S+Z: nothing was started; .+\.$/,
      )
    await checkClock(ownerUrl, silent, Date.now() + dayMs / 2)
    const said: string[] = []
    const log = { ...silent, error: (text: string) => said.push(text) }
    await served.owner.query("insert into worker_beat values ('ahead', now() + interval '25 hours')")
    await checkClock(ownerUrl, log)
    expect(said).toEqual([
      expect.stringMatching(/^The clock says \S+, but Practicum already ran at \S+: .+\.$/),
    ])
    await served.owner.query("delete from worker_beat where worker_id = 'ahead'")
    await checkClock(ownerUrl, log)
    expect(said).toHaveLength(1)
  })
})
