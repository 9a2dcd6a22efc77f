import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import type { EmbeddedDatabase } from '#server/core/database/embedded.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from './factories.ts'
import { endOf, spawnMain, startServed, untilItServes } from './served.ts'
import { openStream } from './stream.ts'

/** Two processes with one database are one installation: no rule holds in one process only. */
let database: EmbeddedDatabase
let owner: pg.Pool
let program: MadeProgram
let passwordHash: string
const password = 'Bluebird-42-harbor'
const folder = mkdtempSync(join(tmpdir(), 'practicum-two-'))
const servers: { child: ChildProcess; url: string }[] = []

const startServer = async (
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; url: string }> => {
  const child = spawnMain(database, folder, env)
  return { child, url: await untilItServes(child) }
}

beforeAll(async () => {
  ;({ database, owner } = await startServed(folder))
  // Both at once: the migrator's lock lets one work and the other wait.
  servers.push(...(await Promise.all([startServer(), startServer()])))
  passwordHash = await hashPassword(password)
  program = await makeProgram(owner)
}, 60_000)

afterAll(async () => {
  await Promise.all(servers.map(({ child }) => endOf(child, 'SIGTERM')))
  await owner?.end()
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 30_000)

interface Session {
  cookie: string
  csrf: string
}

const post = (server: number, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${servers[server % servers.length]!.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const signIn = async (server: number, userName: string): Promise<Session> => {
  const reply = await post(server, '/auth/login', { UserName: userName, Password: password })
  const cookie = /practicum_session=[^;]+/.exec(reply.headers.get('set-cookie') ?? '')![0]
  const session = await fetch(`${servers[server]!.url}/auth/session`, { headers: { cookie } })
  return { cookie, csrf: ((await session.json()) as { CsrfToken: string }).CsrfToken }
}
const headersOf = ({ cookie, csrf }: Session): Record<string, string> => ({ cookie, 'x-csrf-token': csrf })

test('a session of one process is good in the other, and ends in both', async () => {
  const person = await makePerson(owner, Level.Coord, { program, password_hash: passwordHash })
  const session = await signIn(0, person.UserName)
  const state = (server: number) => fetch(`${servers[server]!.url}/state`, { headers: headersOf(session) })
  expect((await state(1)).status).toBe(200)
  expect((await post(1, '/auth/logout', undefined, headersOf(session))).status).toBe(204)
  expect((await state(0)).status).toBe(401)
  expect((await state(1)).status).toBe(401)
})

test('wrong passwords count over both processes together', async () => {
  const person = await makePerson(owner, Level.Coord, { program, password_hash: passwordHash })
  const guesses = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      post(index, '/auth/login', { UserName: person.UserName, Password: 'wrong' }),
    ),
  )
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(14)
})

test('40 racing writers over both processes leave exactly one in the last place', async () => {
  const coordinator = await makePerson(owner, Level.Coord, { program, password_hash: passwordHash })
  const session = await signIn(0, coordinator.UserName)
  const rotation = await makeRotation(owner, program)
  for (const level of [1, 2]) {
    await makeRow(owner, 'rotation_level', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      level_id: level,
    }).catch(() => undefined)
  }
  const shift = await makeShift(owner, program, { capacity: 1 })
  const students = await Promise.all(Array.from({ length: 40 }, () => makeStudent(owner, program)))
  const replies = await Promise.all(
    students.map(async (student, index) => {
      const body = {
        RotationId: rotation.Id,
        SiteShiftId: shift.Id,
        StudentIds: [student.Id],
        Dates: ['2026-12-03'],
      }
      const reply = await post(index, `/programs/${program.Id}/shift-assignments`, body, headersOf(session))
      return {
        status: reply.status,
        body: (await reply.json()) as { Added: number; Refused: { Rule: string }[] },
      }
    }),
  )
  expect(replies.filter(({ status }) => status !== 200)).toEqual([])
  expect(replies.filter(({ body }) => body.Added === 1)).toHaveLength(1)
  expect(new Set(replies.flatMap(({ body }) => body.Refused.map(({ Rule }) => Rule)))).toEqual(
    new Set(['capacity']),
  )
  const { rows } = await owner.query('select placed from shift_day where site_shift_id = $1', [shift.Id])
  expect(rows).toEqual([{ placed: 1 }])
})

test('one key sent to both processes many times is one punch with one answer', async () => {
  const site = await makeSite(owner, program)
  const student = await makeStudent(owner, program, { password_hash: passwordHash })
  const session = await signIn(0, student.UserName)
  const key = randomUUID()
  const replies = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const reply = await post(
        index,
        '/clock/punches',
        { Kind: 'in', SiteId: site.Id },
        { ...headersOf(session), 'idempotency-key': key },
      )
      return `${reply.status} ${await reply.text()}`
    }),
  )
  expect(new Set(replies).size).toBe(1)
  expect(replies[0]).toMatch(/^200 /)
  const { rows } = await owner.query('select count(*)::int as count from time_record where student_id = $1', [
    student.Id,
  ])
  expect(rows).toEqual([{ count: 1 }])
})

test('what one process changes is heard at the other, and a stop waits neither for open streams nor for silent connections', {
  timeout: 30_000,
}, async () => {
  const student = await makeStudent(owner, program, { password_hash: passwordHash })
  const coordinator = await makePerson(owner, Level.Coord, { program, password_hash: passwordHash })
  const third = await startServer()
  const session = await signIn(0, coordinator.UserName)
  const stream = await openStream(`${third.url}/live`, headersOf(session))
  await stream.told('time-records')
  stream.events.length = 0
  const site = await makeSite(owner, program)
  const punching = headersOf(await signIn(1, student.UserName))
  const body = { Kind: 'in', SiteId: site.Id }
  const punched = await post(1, '/clock/punches', body, { ...punching, 'idempotency-key': randomUUID() })
  expect(punched.status).toBe(200)
  await stream.told('time-records')
  const silent = connect(Number(new URL(third.url).port), '127.0.0.1')
  await once(silent, 'connect')
  silent.on('error', () => {})
  third.child.removeAllListeners('exit')
  const stopped = new Promise((resolve) => third.child.once('exit', resolve))
  const begun = Date.now()
  third.child.kill('SIGTERM')
  expect(await stopped).toBe(0)
  expect(Date.now() - begun).toBeLessThan(5_000)
  await stream.ended
  expect(stream.events.at(-1)).toBe('ended')
})

test('a process that is told to stop first says that it is not ready, and answers everything meanwhile', {
  timeout: 30_000,
}, async () => {
  const { child, url } = await startServer({ DRAIN_SECONDS: '2' })
  const ready = new URL('/readyz', url)
  expect((await fetch(ready)).status).toBe(200)
  child.removeAllListeners('exit')
  const ended = once(child, 'exit')
  const begun = Date.now()
  child.kill('SIGTERM')
  const seen: number[] = []
  while (seen.at(-1) !== 503) seen.push((await fetch(ready)).status)
  // A proxy needs time to notice; a browser goes on with the connection it has.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
      get(new URL('/new/api/auth/session', url), { agent }, (answer) => {
        answer.resume().once('end', () => resolve([answer.statusCode, answer.headers.connection]))
      }).once('error', reject)
    })
  expect(await ask()).toEqual([401, 'close'])
  expect(await ask()).toEqual([401, 'close'])
  expect((await ended)[0]).toBe(0)
  expect(Date.now() - begun).toBeGreaterThan(1_900)
  agent.destroy()
})

test('a process with another secret key does not start, and those that run go on', {
  timeout: 30_000,
}, async () => {
  const child = spawnMain(database, folder, { SECRET_KEY: 'quite another key, long enough to be one' })
  await expect(untilItServes(child)).rejects.toThrow(
    /ended with 1: .*"msg":"SECRET_KEY is not the one that this installation was used with/,
  )
  const person = await makePerson(owner, Level.Coord, { program, password_hash: passwordHash })
  const session = await signIn(1, person.UserName)
  expect((await fetch(`${servers[1]!.url}/state`, { headers: headersOf(session) })).status).toBe(200)
})

test('a process that dies takes nothing with it: the other goes on with the same session', {
  timeout: 30_000,
}, async () => {
  const person = await makePerson(owner, Level.Coord, { program, password_hash: passwordHash })
  const session = await signIn(0, person.UserName)
  const [dying] = servers.splice(0, 1)
  await endOf(dying!.child, 'SIGKILL')
  const state = await fetch(`${servers[0]!.url}/state`, { headers: headersOf(session) })
  expect(state.status).toBe(200)
})
