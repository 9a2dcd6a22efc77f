import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readNotifications } from '#contract/communication/notifications.ts'
import { Level } from '#contract/core/levels.ts'
import { punch } from '#contract/time/clock.ts'
import { openSession } from '#server/core/auth/session.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { openStream, type Stream } from '#server/test/stream.ts'

let installation: Installation
let program: MadeProgram
const streams: Stream[] = []
beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  // The first stream of a process opens the listening connection, and looks once when it is there.
  const first = await follow(await makePerson(installation.owner, Level.Student, { program }))
  await first.told('notifications')
  first.close()
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => installation?.stop())

const cookieOf = async (person: { Id: number }): Promise<string> =>
  `practicum_session=${await openSession(installation.services.pool, person.Id, { address: '127.0.0.1', agent: 'test' })}`
const follow = async (person: { Id: number }, cookie?: string): Promise<Stream> => {
  const stream = await openStream(`${installation.url}/new/api/live`, {
    cookie: cookie ?? (await cookieOf(person)),
  })
  streams.push(stream)
  return stream
}
const note = (person: { Id: number }, where = program) =>
  makeRow(installation.owner, 'notification', {
    program_id: where.Id,
    account_id: person.Id,
    kind: 'time',
    text: 'Your hours were approved',
  })

test('D1-185 a person hears of their own notifications as they come and as they are read; nobody else hears of them', async () => {
  const elsewhere = await makeProgram(installation.owner)
  const [own, colleague, foreign] = [
    await makePerson(installation.owner, Level.Student, { program }),
    await makePerson(installation.owner, Level.Coord, { program }),
    await makePerson(installation.owner, Level.Coord, { program: elsewhere }),
  ]
  const [mine, colleagues, theirs] = [await follow(own), await follow(colleague), await follow(foreign)]
  expect(mine.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(mine.headers.get('cache-control')).toBe('no-store')
  expect(mine.headers.get('x-content-type-options')).toBe('nosniff')
  await note(own)
  await mine.told('notifications')
  await (await installation.as(own)).ok(readNotifications, { body: {} })
  await mine.told('notifications', 2)
  await note(foreign, elsewhere)
  await theirs.told('notifications')
  expect(colleagues.events).toEqual([])
  expect(theirs.events).toEqual(['notifications'])
})

test('those who read the time records of the program hear of new ones; students and other programs do not', async () => {
  const elsewhere = await makeProgram(installation.owner)
  const [coordinator, student, foreign] = [
    await makePerson(installation.owner, Level.Coord, { program }),
    await makeStudent(installation.owner, program),
    await makePerson(installation.owner, Level.Coord, { program: elsewhere }),
  ]
  const all = [await follow(coordinator), await follow(student), await follow(foreign)]
  await makeRow(installation.owner, 'time_record', {
    program_id: program.Id,
    student_id: student.Id,
    kind: 'in',
    occurred_at: new Date().toISOString(),
    date: '2026-11-19',
  })
  await all[0]!.told('time-records')
  await note(student)
  await all[1]!.told('notifications')
  expect(all.map(({ events }) => events)).toEqual([['time-records'], ['notifications'], []])
})

test('staff hear of open shifts that are added or fill up; students and other programs do not', async () => {
  const { owner } = installation
  const elsewhere = await makeProgram(owner)
  const [faculty, student, foreign] = [
    await makePerson(owner, Level.Faculty, { program }),
    await makeStudent(owner, program),
    await makePerson(owner, Level.Faculty, { program: elsewhere }),
  ]
  const shift = await makeShift(owner, program, { site: await makeSite(owner, program) })
  const rotation = await makeRotation(owner, program)
  const all = [await follow(faculty), await follow(student), await follow(foreign)]
  const open = await makeRow(owner, 'open_shift', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    date: '2026-11-19',
    places: 2,
    closes_at: '2026-11-18T00:00:00Z',
  })
  await all[0]!.told('open-shifts')
  await owner.query('update open_shift set taken = 1 where program_id = $1 and id = $2', [
    program.Id,
    open.id,
  ])
  await all[0]!.told('open-shifts', 2)
  await note(student)
  await all[1]!.told('notifications')
  expect(all.map(({ events }) => events)).toEqual([['open-shifts', 'open-shifts'], ['notifications'], []])
})

test('a punch is told soon after it is kept; one that is refused is not', async () => {
  const [coordinator, student] = [
    await makePerson(installation.owner, Level.Coord, { program }),
    await makeStudent(installation.owner, program),
  ]
  const site = await makeSite(installation.owner, program)
  const stream = await follow(coordinator)
  const send = async (Kind: 'in' | 'out') =>
    (await installation.as(student)).call(
      punch,
      { body: { Kind, SiteId: site.Id } },
      { headers: { 'idempotency-key': randomUUID() } },
    )
  expect((await send('out')).status).toBe(409)
  expect((await send('in')).status).toBe(200)
  await stream.told('time-records')
  expect(stream.events).toEqual(['time-records'])
})

test('what is rolled back is told to nobody', async () => {
  const [person, neighbor] = [
    await makePerson(installation.owner, Level.Student, { program }),
    await makePerson(installation.owner, Level.Student, { program }),
  ]
  const [stream, later] = [await follow(person), await follow(neighbor)]
  const client = await installation.owner.connect()
  const add = 'insert into notification (program_id, account_id, kind, text) values ($1, $2, $3, $4)'
  await client.query('begin')
  await client.query(add, [program.Id, person.Id, 'time', 'taken back'])
  await client.query('rollback')
  await client.query('begin')
  await client.query(add, [program.Id, person.Id, 'time', 'kept'])
  // Hints come in the order of the commits: whoever hears of this one has passed where the others would be.
  await note(neighbor)
  await later.told('notifications')
  expect(stream.events).toEqual([])
  await client.query('commit')
  client.release()
  await stream.told('notifications')
  expect(stream.events).toHaveLength(1)
})

test('the stream ends at once when its session ends, and only that one', async () => {
  const person = await makePerson(installation.owner, Level.Student, { program })
  const cookies = [await cookieOf(person), await cookieOf(person)]
  const [ending, staying] = [await follow(person, cookies[0]), await follow(person, cookies[1])]
  await installation.owner.query(
    'update session set ended_at = now() where id = (select min(id) from session where account_id = $1)',
    [person.Id],
  )
  await ending.ended
  expect(ending.events.at(-1)).toBe('ended')
  await note(person)
  await staying.told('notifications')
  expect(staying.events).not.toContain('ended')
  expect((await follow(person, cookies[0])).status).toBe(401)
})

test('an account has at most eight streams; closing one makes room', async () => {
  const person = await makePerson(installation.owner, Level.Student, { program })
  const cookie = await cookieOf(person)
  for (let count = 0; count < 8; count++) expect((await follow(person, cookie)).status).toBe(200)
  const ninth = await follow(person, cookie)
  expect(ninth.status).toBe(429)
  expect(ninth.headers.get('retry-after')).toBe('60')
  const other = await makePerson(installation.owner, Level.Student, { program })
  expect((await follow(other)).status).toBe(200)
  streams[0]!.close()
  await expect.poll(async () => (await follow(person, cookie)).status).toBe(200)
})

test('a lost connection to the database comes back by itself, and everybody looks again', async () => {
  const person = await makePerson(installation.owner, Level.Student, { program })
  const stream = await follow(person)
  const { rowCount } = await installation.owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'practicum live' and datname = current_database()",
  )
  expect(rowCount).toBe(1)
  await stream.told('notifications')
  await note(person)
  await stream.told('notifications', 2)
})

test('an open stream does not keep an idle session alive', async () => {
  const person = await makePerson(installation.owner, Level.Student, { program })
  const stream = await follow(person)
  expect(stream.status).toBe(200)
  const seen = async () =>
    (await installation.owner.query('select last_seen_at from session where account_id = $1', [person.Id]))
      .rows
  await installation.owner.query(
    "update session set last_seen_at = now() - interval '2 minutes' where account_id = $1",
    [person.Id],
  )
  const before = await seen()
  await note(person)
  await stream.told('notifications')
  expect(await seen()).toEqual(before)
})
