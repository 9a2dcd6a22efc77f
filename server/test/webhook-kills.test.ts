import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http, { type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import type { EmbeddedDatabase } from '#server/core/database/embedded.ts'
import { type MadeProgram, makePerson, makeProgram } from './factories.ts'
import { endOf, spawnMain, startServed, untilItServes } from './served.ts'

/**
 * Webhooks over kills that are real: the worker and PostgreSQL are ended without a warning while events are on their way to a
 * receiver and people are changed. Every event arrives, in the order of its subject, with a signature that the receiver's own library
 * accepts.
 */
const folder = mkdtempSync(join(tmpdir(), 'practicum-webhook-kills-'))
const password = 'Bluebird-42-harbor'
const patienceMs = 60_000
let database: EmbeddedDatabase
let owner: pg.Pool
let program: MadeProgram
let web: ChildProcess
let worker: ChildProcess
let secret: string

/** What the receiver got, in its order, and the calls that it has not answered yet. */
const arrived: { subject: string; number: number; id: string }[] = []
const open = new Set<ServerResponse>()
/** Of calls whose signature did not fit. */
const forged: string[] = []
/** Until the next call arrives. */
let heard = Promise.withResolvers<void>()
const hear = (): void => {
  heard.resolve()
  heard = Promise.withResolvers()
}
/** While it is set, calls are left open: an event is in the middle of being sent. */
let isHolding = false
const receiver = http.createServer(async (request, response) => {
  try {
    const body = await text(request)
    const headers = request.headers as Record<string, string>
    const event = new Webhook(secret).verify(body, headers) as { subject: string; number: number }
    arrived.push({ ...event, id: String(headers['webhook-id']) })
    hear()
  } catch (error) {
    // A call that was cut off has no body; everything else must verify.
    if (request.complete) forged.push((error as Error).message)
    return
  }
  if (!isHolding) return response.writeHead(204).end()
  open.add(response)
  response.once('close', () => open.delete(response))
})

const startWorker = () => {
  worker = spawnMain(database, folder, { ROLE: 'worker', WEBHOOK_ALLOW: '127.0.0.0/8' })
}

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  ;({ database, owner } = await startServed(folder, { isDurable: true }))
  web = spawnMain(database, folder, { ROLE: 'web', WEBHOOK_ALLOW: '127.0.0.0/8' })
  const url = await untilItServes(web)
  program = await makeProgram(owner)
  const admin = await makePerson(owner, Level.Admin, {
    program,
    password_hash: await hashPassword(password),
  })
  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ UserName: admin.UserName, Password: password }),
  })
  const cookie = /practicum_session=[^;]+/.exec(login.headers.get('set-cookie') ?? '')![0]
  const session = (await (await fetch(`${url}/auth/session`, { headers: { cookie } })).json()) as {
    CsrfToken: string
  }
  const own = { ...json, cookie, 'x-csrf-token': session.CsrfToken }
  const proven = await fetch(`${url}/auth/proofs`, {
    method: 'POST',
    headers: own,
    body: JSON.stringify({ Kind: 'password', Password: password }),
  })
  const { Proof } = (await proven.json()) as { Proof: string }
  const made = await fetch(`${url}/programs/${program.Id}/webhooks`, {
    method: 'POST',
    headers: { ...own, 'x-proof': Proof },
    body: JSON.stringify({
      Url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
      Events: ['person.created', 'person.changed'],
    }),
  })
  secret = ((await made.json()) as { Secret: string }).Secret
  startWorker()
}, 60_000)

afterAll(async () => {
  for (const child of [worker, web]) if (child) await endOf(child, 'SIGKILL')
  receiver.closeAllConnections()
  receiver.close()
  await owner?.end()
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 30_000)

/** Changes people until told to stop, whatever becomes of the database. Answers how many changes were acknowledged, by subject. */
const changePeople = async (state: { isOver: boolean }) => {
  const people = await Promise.all(
    Array.from({ length: 6 }, () => makePerson(owner, Level.Faculty, { program })),
  )
  const acknowledged = new Map(people.map(({ Id }) => [`person/${Id}`, 1]))
  const change = async (id: number) => {
    for (let count = 0; !state.isOver; count++) {
      const isKept = await owner
        .query("update account set phone = '', email = $2 where id = $1", [id, `p${id}-${count}@a.example`])
        .then(
          () => true,
          () => false,
        )
      // A change that was not acknowledged may have been kept or not: it counts in what the database says alone.
      if (isKept) acknowledged.set(`person/${id}`, acknowledged.get(`person/${id}`)! + 1)
      // The next one when something has arrived, so that changes go on while events are sent.
      if (isKept) await heard.promise
    }
  }
  return { acknowledged, over: Promise.all(people.map(({ Id }) => change(Id))) }
}

const succeeds = (statement: string, values: unknown[] = []): Promise<boolean> =>
  owner.query(statement, values).then(
    () => true,
    () => false,
  )

/** When the last of what was ended had ended for sure. */
let endedAt = new Date(0)
/**
 * The job of each minute, and as if the minute had passed for which a process that died has its events, or one whose database did:
 * what was claimed later is on its way.
 */
const goOn = async (): Promise<void> => {
  await succeeds(
    `update webhook_delivery set claimed_until = now()
     where claimed_until > now() and claimed_until < $1::timestamptz + interval '1 minute'`,
    [endedAt],
  )
  await succeeds("select graphile_worker.add_job('webhooks:retry', '{}')")
}

/** Whether every event has reached the webhooks and no delivery is left to send. */
const isAllSent = async (): Promise<boolean> => {
  const { rows } = await owner.query<{ is: boolean }>(
    `select not exists (select from domain_event e join event_cursor c on c.subscriber = 'webhooks' where e.transaction >= c.transaction)
       and not exists (select from webhook_delivery where state = 'waiting') as is`,
  )
  return rows[0]!.is
}

/** A time of the database, whose clock the claims are written by. */
const readTime = async (time: 'now' | 'pg_postmaster_start_time'): Promise<Date> => {
  const { rows } = await owner.query<{ at: Date }>(`select ${time}() as at`)
  return rows[0]!.at
}

/** Answers when the next one began: connections to the one before may go on for a moment. */
const endPostgres = async (signal: NodeJS.Signals): Promise<Date> => {
  const pidFile = join(folder, 'data', 'postgres', 'postmaster.pid')
  const before = await readTime('pg_postmaster_start_time')
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), signal)
  let now = before
  await expect
    .poll(
      async () => {
        now = await readTime('pg_postmaster_start_time').catch(() => before)
        return now > before
      },
      { timeout: patienceMs },
    )
    .toBe(true)
  return now
}

const endWorker = async (): Promise<Date> => {
  await endOf(worker, 'SIGKILL')
  const now = await readTime('now')
  startWorker()
  return now
}

/** Ends something while calls to the receiver are open, and lets the rest go on until more has arrived. */
const endWhileSending = async (end: () => Promise<Date>): Promise<void> => {
  isHolding = true
  await expect
    .poll(
      async () => {
        // Everything may have arrived already, and then nobody changes anything more.
        hear()
        await goOn()
        return open.size
      },
      { timeout: patienceMs, interval: 200 },
    )
    .toBeGreaterThan(0)
  endedAt = await end()
  isHolding = false
  for (const response of open) response.writeHead(204).end()
  const before = arrived.length
  await expect
    .poll(
      async () => {
        await goOn()
        return arrived.length
      },
      { timeout: patienceMs, interval: 200 },
    )
    .toBeGreaterThan(before + 5)
}

test('every event arrives at least once, in order and signed, although the worker and PostgreSQL are killed while it is sent', {
  timeout: 4 * patienceMs,
}, async () => {
  const state = { isOver: false }
  const { acknowledged, over } = await changePeople(state)
  try {
    await endWhileSending(endWorker)
    await endWhileSending(() => endPostgres('SIGKILL'))
    await endWhileSending(endWorker)
    // An immediate shutdown, as of a machine that goes down.
    await endWhileSending(() => endPostgres('SIGQUIT'))
  } finally {
    state.isOver = true
    heard.resolve()
    await over
  }
  await expect
    .poll(
      async () => {
        await goOn()
        return isAllSent()
      },
      { timeout: patienceMs, interval: 200 },
    )
    .toBe(true)

  expect(forged).toEqual([])
  const { rows } = await owner.query<{ id: string; subject: string; number: number }>(
    `select 'msg_' || program_id || '_' || id as id, subject, number::int from webhook_event where program_id = $1 order by id`,
    [program.Id],
  )
  const got = new Set(arrived.map(({ id }) => id))
  expect(rows.filter(({ id }) => !got.has(id))).toEqual([])
  for (const [subject, count] of acknowledged) {
    const numbers = arrived.filter((event) => event.subject === subject).map(({ number }) => number)
    expect(numbers.at(-1)).toBeGreaterThanOrEqual(count)
    // The next one or the same once more, never one before it and none left out.
    expect(numbers.filter((number, index) => ![0, 1].includes(number - (numbers[index - 1] ?? 0)))).toEqual(
      [],
    )
  }
})
