import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Level } from '#contract/core/levels.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import {
  type MadePerson,
  makePerson,
  makeProgram,
  makeSite,
  makeStudent,
} from '../../server/test/factories.ts'
import { openStream, type Stream } from '../../server/test/stream.ts'
import { until } from './parts.ts'

/** How long people wait for an answer before they ask again. */
const patienceMs = 4_000
const pauseMs = 250
const betweenPunchesMs = 400
const studentCount = 8

/** An answer, by when the question that it answers was asked, for the last time, and when it came. */
export interface Answered {
  askedAt: number
  at: number
}

/** People at work: students who punch in and out, each again until it is acknowledged, and somebody who reads. */
export interface People {
  punched: Answered[]
  read: Answered[]
  /** Answers that nobody may get: a refusal of a punch that is right. */
  wrong: string[]
  repeats: number
  /** Waits until both web processes tell a stream of a punch. */
  hearPunches(): Promise<void>
  /** Lets everybody finish what they do, and proves that what was acknowledged is there once. */
  finish(owner: pg.Pool): Promise<{ acknowledged: number; lost: number; doubled: number; unasked: number }>
}

interface Session {
  cookie: string
  'x-csrf-token': string
}

const signIn = async (url: string, userName: string, password: string): Promise<Session> => {
  const reply = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: userName, Password: password }),
  })
  const cookie = /practicum_session=[^;]+/.exec(reply.headers.get('set-cookie') ?? '')?.[0]
  if (!cookie) throw new Error(`${userName} could not sign in: ${reply.status} ${await reply.text()}`)
  const session = await fetch(`${url}/auth/session`, { headers: { cookie } })
  return { cookie, 'x-csrf-token': ((await session.json()) as { CsrfToken: string }).CsrfToken }
}

export const startPeople = async (owner: pg.Pool, urls: readonly string[]): Promise<People> => {
  const password = 'Bluebird-42-harbor'
  const password_hash = await hashPassword(password)
  const program = await makeProgram(owner)
  const site = await makeSite(owner, program, { allow_multiclock: true })
  const coordinator = await makePerson(owner, Level.Coord, { program, password_hash })
  const students: MadePerson[] = []
  for (let count = 0; count < studentCount; count++)
    students.push(await makeStudent(owner, program, { password_hash }))
  const urlOf = (number: number): string => urls[number % urls.length]!
  const readers = await signIn(urlOf(0), coordinator.UserName, password)

  const acknowledged = new Map<string, number>()
  const punched: Answered[] = []
  const read: Answered[] = []
  const wrong: string[] = []
  const counts = { repeats: 0 }
  let isOver = false

  const punch = async (session: Session, kind: 'in' | 'out', turn: number): Promise<void> => {
    const key = randomUUID()
    for (let attempt = 0; ; attempt++) {
      const askedAt = performance.now()
      const answer = await fetch(`${urlOf(turn + attempt)}/clock/punches`, {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ Kind: kind, SiteId: site.Id }),
        signal: AbortSignal.timeout(patienceMs),
      })
        .then(async (reply) => ({ status: reply.status, text: await reply.text() }))
        .catch(() => undefined)
      if (answer?.status === 200) {
        acknowledged.set(key, (JSON.parse(answer.text) as { Id: number }).Id)
        punched.push({ askedAt, at: performance.now() })
        return
      }
      // A lost database is 503. Everything else would tell the person something untrue.
      if (answer && answer.status !== 503) wrong.push(`${answer.status} ${answer.text}`)
      if (answer?.text.includes('"fault"')) wrong.push(answer.text)
      counts.repeats++
      await sleep(pauseMs)
    }
  }
  const sessions: Session[] = []
  for (const [index, { UserName }] of students.entries())
    sessions.push(await signIn(urlOf(index), UserName, password))
  const works = sessions.map(async (session, index) => {
    for (let turn = index; !isOver; turn++) {
      await punch(session, (turn - index) % 2 === 0 ? 'in' : 'out', turn)
      await sleep(betweenPunchesMs)
    }
  })
  const reading = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const askedAt = performance.now()
      const reply = await fetch(`${urlOf(turn)}/programs/${program.Id}/areas`, {
        headers: { ...readers },
        signal: AbortSignal.timeout(patienceMs),
      }).catch(() => undefined)
      await reply?.text().catch(() => {})
      if (reply?.status === 200) read.push({ askedAt, at: performance.now() })
      await sleep(100)
    }
  })()

  const streams = new Map<string, Stream>()
  /** Streams end with their process only. */
  const hear = async (url: string): Promise<void> => {
    const open = async (): Promise<Stream> => {
      const stream = await openStream(`${url}/live`, { ...readers })
      streams.set(url, stream)
      stream.ended.then(() => streams.delete(url))
      return stream
    }
    const stream = streams.get(url) ?? (await open())
    stream.events.length = 0
    // The first may be of the stream's beginning.
    await stream.told('time-records', 2)
  }
  try {
    for (const url of urls) await hear(url)
  } catch (error) {
    throw new Error(`Punches are not heard: ${wrong[0] ?? `${punched.length} were acknowledged`}`, {
      cause: error,
    })
  }

  return {
    punched,
    read,
    wrong,
    get repeats() {
      return counts.repeats
    },
    hearPunches: async () => {
      for (const url of urls)
        await until(
          'punches are heard',
          () =>
            hear(url).then(
              () => true,
              () => false,
            ),
          60_000,
        )
    },
    finish: async (pool) => {
      isOver = true
      await Promise.all([...works, reading])
      for (const stream of streams.values()) stream.close()
      const { rows } = await pool.query<{ key: string; ids: number[] }>(
        `select idempotency_key as key, array_agg(id)::bigint[] as ids from time_record
         where student_id = any($1) group by idempotency_key`,
        [students.map(({ Id }) => Id)],
      )
      const kept = new Map(rows.map(({ key, ids }) => [key, ids.map(Number)]))
      const entries = [...acknowledged]
      return {
        acknowledged: acknowledged.size,
        lost: entries.filter(([key, id]) => !kept.get(key)?.includes(id)).length,
        doubled: rows.filter(({ ids }) => ids.length !== 1).length,
        unasked: rows.filter(({ key }) => !acknowledged.has(key)).length,
      }
    },
  }
}
