import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '#server/core/database/embedded.ts'

/**
 * The real product as its own processes: killed without a warning while students punch. What was acknowledged is there
 * once, nothing is there twice, and the product is healthy again by itself within seconds.
 */
const folder = mkdtempSync(join(tmpdir(), 'practicum-faults-'))
const dataDir = join(folder, 'data')
const main = join(import.meta.dirname, '..', 'main.ts')
const silent = { info: () => {}, warn: () => {}, error: () => {} }
/** The five seconds of the bar are measured by the bench: on a busy machine, reading the disk again alone takes longer. */
const patienceMs = 60_000
let port = 0
let server: ChildProcess
let owner: pg.Client

const startServer = (): Promise<void> =>
  new Promise((resolve, reject) => {
    server = spawn(process.execPath, [main], {
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        PORT: String(port),
        DEMO: '1',
        LOG_LEVEL: 'error',
        DATABASE_URL: '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    const read = (chunk: Buffer) => {
      said += chunk
      const found = /runs at http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
      if (!found) return
      port = Number(found[1])
      resolve()
    }
    server.stdout!.on('data', read)
    server.stderr!.on('data', read)
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)))
  })

const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', resolve))

/** A connection of the test's own, past everything; made again after each fault. */
const connect = async (): Promise<void> => {
  const { ownerUrl } = await startEmbedded({ dataDir, log: silent, attach: true })
  owner = new pg.Client({ connectionString: ownerUrl })
  owner.on('error', () => {})
  await owner.connect()
}

beforeAll(async () => {
  await startServer()
  await connect()
  // Otherwise a student punches once a day, and the crowd would fall silent.
  await owner.query('update site set allow_multiclock = true')
}, 60_000)

afterAll(async () => {
  await owner?.end().catch(() => {})
  server?.kill('SIGTERM')
  await ended(server)
  rmSync(folder, { recursive: true, force: true })
}, 30_000)

interface Student {
  cookie: string
  csrf: string
}
const origin = () => `http://127.0.0.1:${port}/new/api`

const signIn = async (userName: string): Promise<Student> => {
  const reply = await fetch(`${origin()}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: userName, Password: 'Bluebird-42-harbor' }),
  })
  const cookie = /practicum_session=[^;]+/.exec(reply.headers.get('set-cookie') ?? '')![0]
  const session = await fetch(`${origin()}/auth/session`, { headers: { cookie } })
  return { cookie, csrf: ((await session.json()) as { CsrfToken: string }).CsrfToken }
}

/** One punch with its key; undefined when nobody answered. */
const punch = async (
  { cookie, csrf }: Student,
  Kind: 'in' | 'out',
  key: string,
): Promise<number | undefined> => {
  try {
    const reply = await fetch(`${origin()}/clock/punches`, {
      method: 'POST',
      headers: { cookie, 'x-csrf-token': csrf, 'idempotency-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ Kind, Latitude: 41.6362, Longitude: -70.9342, Accuracy: 12 }),
      signal: AbortSignal.timeout(5_000),
    })
    await reply.text()
    return reply.status
  } catch {
    return undefined
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Punches in and out until told to stop; a punch that was not answered is sent again under the same key. */
const work = async (
  student: Student,
  state: { isOver: boolean },
  sent: Set<string>,
  acknowledged: Set<string>,
): Promise<void> => {
  let kind: 'in' | 'out' = 'in'
  while (!state.isOver) {
    const key = randomUUID()
    sent.add(key)
    let status: number | undefined
    while ((status === undefined || status === 503) && !state.isOver) {
      status = await punch(student, kind, key)
      if (status === undefined || status === 503) await pause(100)
    }
    if (status === 200) acknowledged.add(key)
    if (status === 200 || status === 409) kind = kind === 'in' ? 'out' : 'in'
  }
}

const students = async (): Promise<Student[]> => {
  const { rows } = await owner.query<{ user_name: string }>(
    `select user_name from account where program_id = 2 and access_level = 39 and deleted_at is null
     and not exists (select from time_record r where r.student_id = account.id and r.kind = 'in' and r.partner_id is null
       and r.deleted_at is null) order by id limit 12`,
  )
  return Promise.all(rows.map(({ user_name }) => signIn(user_name)))
}

/** Lets a dozen students punch, does `harm`, lets them go on, and answers what was sent and acknowledged. */
const punchThrough = async (harm: () => Promise<void>) => {
  const state = { isOver: false }
  const sent = new Set<string>()
  const acknowledged = new Set<string>()
  const crowd = (await students()).map((student) => work(student, state, sent, acknowledged))
  const reach = (count: number) =>
    expect.poll(() => acknowledged.size, { timeout: patienceMs }).toBeGreaterThan(count)
  try {
    await reach(20)
    await harm()
    await reach(acknowledged.size + 20)
  } finally {
    state.isOver = true
    await Promise.all(crowd)
  }
  return { sent, acknowledged }
}

const rowsByKey = async (keys: Set<string>): Promise<Map<string, number>> => {
  const { rows } = await owner.query<{ key: string; count: number }>(
    'select idempotency_key as key, count(*)::int as count from time_record where idempotency_key = any ($1) group by 1',
    [[...keys]],
  )
  return new Map(rows.map(({ key, count }) => [key, count]))
}

const expectNothingLost = async ({
  sent,
  acknowledged,
}: Awaited<ReturnType<typeof punchThrough>>): Promise<void> => {
  const kept = await rowsByKey(sent)
  expect([...acknowledged].filter((key) => !kept.has(key))).toEqual([])
  expect([...kept].filter(([, count]) => count !== 1)).toEqual([])
  const { rows } = await owner.query(
    `select a.id from account a where a.program_id = 2 and a.access_level = 39 and 1 < (select count(*) from time_record r
       where r.program_id = 2 and r.student_id = a.id and r.kind = 'in' and r.partner_id is null and r.deleted_at is null and r.received_at > now() - interval '5 minutes')`,
  )
  expect(rows).toEqual([])
  const sums = await owner.query(
    `select h.student_id from student_hours h where h.program_id = 2 and h.approved_minutes + h.pending_minutes <>
       (select coalesce(sum(r.minutes), 0) from time_record r where r.program_id = 2 and r.student_id = h.student_id
         and coalesce(r.rotation_id, 0) = h.rotation_id and r.kind not in ('in', 'absence') and r.is_matched and r.status <> 'rejected' and r.deleted_at is null)`,
  )
  expect(sums.rows).toEqual([])
}

test('kill -9 of the server while punches are acknowledged loses none and doubles none', {
  timeout: 4 * patienceMs,
}, async () => {
  const result = await punchThrough(async () => {
    server.removeAllListeners('exit')
    await owner.end().catch(() => {})
    server.kill('SIGKILL')
    await ended(server)
    await startServer()
    await connect()
  })
  await expectNothingLost(result)
})

test('kill -9 of PostgreSQL while punches are acknowledged loses none, and the product heals by itself', {
  timeout: 4 * patienceMs,
}, async () => {
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  expect(existsSync(pidFile)).toBe(true)
  let healedAfterMs = 0
  const result = await punchThrough(async () => {
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL')
    const began = Date.now()
    await pause(50)
    while ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status !== 200)
      await pause(50)
    healedAfterMs = Date.now() - began
    await owner.end().catch(() => {})
    await connect()
  })
  expect(healedAfterMs).toBeLessThan(patienceMs)
  await expectNothingLost(result)
})
