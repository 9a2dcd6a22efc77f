import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import type { EmbeddedDatabase } from '#server/core/database/embedded.ts'
import { type MadePerson, makePerson, makeProgram, makeSite, makeStudent } from './factories.ts'
import { makeRelease, type Release } from './releases.ts'
import { endOf, spawnMain, startServed, untilItServes } from './served.ts'

const folder = mkdtempSync(join(tmpdir(), 'practicum-rolling-'))
const password = 'Bluebird-42-harbor'
/** As a release expands what is there: the one before goes on beside it. */
const expansion = `create table badge (program_id bigint not null references program, id bigint generated always as identity, primary key (program_id, id));
  call protect_by_program('badge');
  alter table time_record add column weather text;
  alter table account add column nickname text not null default '';
  alter table site add column floor integer;`

let database: EmbeddedDatabase
let owner: pg.Pool
let [older, newer]: Release[] = []
const children: ChildProcess[] = []

const start = async (release: Release): Promise<{ child: ChildProcess; url: string }> => {
  const child = spawnMain(database, folder, {}, release.folder)
  children.push(child)
  return { child, url: await untilItServes(child) }
}

beforeAll(async () => {
  ;({ database, owner } = await startServed(folder))
  older = makeRelease(join(folder, 'older'))
  newer = makeRelease(join(folder, 'newer'), { '1001-expand.sql': expansion })
})
afterAll(async () => {
  await Promise.all(children.map((child) => endOf(child, 'SIGTERM')))
  await owner?.end()
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Session {
  cookie: string
  'x-csrf-token': string
}

const signIn = async (url: string, { UserName }: MadePerson): Promise<Session> => {
  const reply = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName, Password: password }),
  })
  const cookie = /practicum_session=[^;]+/.exec(reply.headers.get('set-cookie') ?? '')![0]
  const session = await fetch(`${url}/auth/session`, { headers: { cookie } })
  return { cookie, 'x-csrf-token': ((await session.json()) as { CsrfToken: string }).CsrfToken }
}

test('two releases answer beside each other while people punch: nothing is lost, doubled or refused by a fault', async () => {
  const first = await start(older!)
  const serving = [first.url]
  const passwordHash = await hashPassword(password)
  const program = await makeProgram(owner)
  const site = await makeSite(owner, program, { allow_multiclock: true })
  const students = await Promise.all(
    Array.from({ length: 6 }, () => makeStudent(owner, program, { password_hash: passwordHash })),
  )
  const coordinator = await makePerson(owner, Level.Coord, { program, password_hash: passwordHash })
  const sessions = await Promise.all(students.map((student) => signIn(first.url, student)))
  const staff = await signIn(first.url, coordinator)
  const faults = new Set<string>()
  const acknowledged = new Set<number>()
  const answeredBy = new Map<string, number>()
  let [turn, isOver] = [0, false]

  /** Sent again, elsewhere, while nobody answers; as a phone does and a proxy in front. */
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    for (;;) {
      const url = serving[turn++ % serving.length]!
      const reply = await fetch(`${url}${path}`, init).catch(() => undefined)
      if (!reply) continue
      if (reply.status >= 400) faults.add(`${init.method} ${path}: ${reply.status} ${await reply.text()}`)
      answeredBy.set(url, (answeredBy.get(url) ?? 0) + 1)
      return reply
    }
  }
  const punching = sessions.map(async (session) => {
    for (let count = 0; !isOver; count++) {
      const reply = await ask('/clock/punches', {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify({ Kind: count % 2 === 0 ? 'in' : 'out', SiteId: site.Id }),
      })
      if (reply.ok) acknowledged.add(((await reply.json()) as { Id: number }).Id)
    }
  })
  const reading = (async () => {
    while (!isOver) {
      for (const path of ['sites', 'time-records', 'rotations'])
        await ask(`/programs/${program.Id}/${path}`, { method: 'GET', headers: { ...staff } })
    }
  })()

  const reached = (url: string, count: number): Promise<void> =>
    expect.poll(() => answeredBy.get(url) ?? 0, { timeout: 60_000 }).toBeGreaterThan(count)
  await reached(first.url, 60)
  const second = await start(newer!)
  serving.push(second.url)
  await reached(second.url, 60)
  const beside = answeredBy.get(first.url)!
  await reached(first.url, beside + 60)
  serving.shift()
  await endOf(first.child, 'SIGTERM')
  await reached(second.url, answeredBy.get(second.url)! + 60)
  isOver = true
  await Promise.all([...punching, reading])

  expect([...faults]).toEqual([])
  const { rows } = await owner.query<{ id: string }>('select id from time_record where deleted_at is null')
  expect(new Set(rows.map(({ id }) => Number(id)))).toEqual(acknowledged)
  expect(acknowledged.size).toBeGreaterThan(100)
})
