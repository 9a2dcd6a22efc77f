import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArea } from '#contract/areas/areas.ts'
import { Level } from '#contract/core/levels.ts'
import { allEndpoints } from '#contract/index.ts'
import { work } from '#server/test/busy.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { costsOf, createCosts, maxCost, networkOf } from './anonymous.ts'

let installation: Installation
let coordinator: Caller
let path: string

beforeAll(async () => {
  installation = await startInstallation()
  const program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  path = `/programs/${program.Id}/areas`
})
afterAll(() => installation?.stop())

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(`${installation.url}${address}`, { redirect: 'manual', headers })
const valid = { Name: 'Imaging', IsActive: true, AreNotificationsEnabled: false }

test('D1-004 D1-095 D1-096 D1-097 the old addresses lead to the pages below /new', async () => {
  for (const [from, to] of [
    ['/', '/new/'],
    ['/login', '/new/login'],
    ['/admin', '/new/admin/home'],
  ] as const) {
    const reply = await get(from)
    expect([reply.status, reply.headers.get('location')]).toEqual([302, to])
  }
})

test('life and readiness are told, figures only to this machine', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ Status: 'alive' })
  expect((await get('/readyz')).status).toBe(200)
  expect(await (await get('/metrics')).text()).toContain('practicum_request_seconds')
  expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404)
})

test('a process that was busy for longer than it waits reads what the database has answered, and is ready', async () => {
  installation.services.pool.once('acquire', () => setImmediate(() => work(1_000)))
  expect((await get('/readyz')).status).toBe(200)
})

test('a database without room for a change says so, and takes the next one when it has', async () => {
  const { owner } = installation
  await owner.query(`create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger no_room before insert on area for each row execute function no_room()`)
  const programId = Number(/\d+/.exec(path)![0])
  const add = () => coordinator.call(createArea, { params: { programId }, body: { ...valid, Name: 'Room' } })
  const { status, body, headers } = await add()
  await owner.query('drop function no_room cascade')
  expect([status, headers.get('retry-after'), body]).toEqual([
    503,
    '60',
    {
      Code: 'no_room',
      Message:
        'The database has run out of disk space or memory, so nothing was saved. Tell your administrator, and try again in a few minutes.',
      Values: { Changes: true },
    },
  ])
  expect((await add()).status).toBe(200)
})

test('HEAD answers what GET answers, without its body, and changes are no part of it', async () => {
  const head = async (address: string) => {
    const reply = await fetch(`${installation.url}${address}`, {
      method: 'HEAD',
      headers: coordinator.headers,
    })
    return [reply.status, reply.headers.get('content-type'), await reply.text()]
  }
  const json = 'application/json; charset=utf-8'
  expect(await head('/readyz')).toEqual([200, json, ''])
  expect(await head(`/new/api${path}`)).toEqual([200, json, ''])
  expect(await head('/new/api/no-such-call')).toEqual([404, json, ''])
  expect(await head('/new/api/clock/punches')).toEqual([404, json, ''])
})

test('D1-262 every call lies below {root}/new/, with a root too', async () => {
  const rooted = await startInstallation({ APP_ROOT: '/practicum' })
  try {
    const status = async (base: string, path: string) => {
      const reply = await fetch(`${base}${path}`)
      await reply.text()
      return reply.status
    }
    expect(allEndpoints.filter(({ path }) => !/^\/[a-z]/.test(path) || path.startsWith('/api'))).toEqual([])
    expect(await status(installation.url, '/new/api/state')).toBe(401)
    expect(await status(installation.url, '/api/state')).toBe(404)
    expect(await status(rooted.url, '/practicum/new/api/state')).toBe(401)
    expect(await status(rooted.url, '/new/api/state')).toBe(404)
    expect(await status(rooted.url, '/practicum/api/state')).toBe(404)
  } finally {
    await rooted.stop()
  }
})

test('D1-302 no request may take longer than 60 seconds to arrive', () => {
  expect(installation.app.server.requestTimeout).toBe(60_000)
})

test('A43 D1-321 every answer carries the headers that protect people, and no code comes from elsewhere', async () => {
  const { headers } = await get('/new/api/state')
  expect(headers.get('content-security-policy')).toContain("script-src 'self';")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')
})

test('what a phone opens the pages with is asked for anew each time, is nobody’s, and knows its root', async () => {
  const rooted = await startInstallation({ APP_ROOT: '/practicum' })
  try {
    const read = (path: string) =>
      fetch(`${rooted.url}/practicum/new/${path}`, { headers: coordinator.headers })
    // All are read: the server waits for who does not, and ends a minute later.
    const [worker, manifest, shell] = await Promise.all(['sw.js', 'manifest.webmanifest', 'shell'].map(read))
    for (const reply of [worker!, manifest!, shell!]) {
      expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-cache'])
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
    expect(worker!.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(worker!.headers.get('content-security-policy')).toBe(
      "default-src 'none'; connect-src 'self'; img-src 'self'",
    )
    expect(await worker!.text()).not.toBe('')
    // Addresses in it are below its own.
    expect(await manifest!.json()).toMatchObject({ start_url: './', scope: './' })
    const html = await shell!.text()
    expect(html).toContain('name="app-root" content="/practicum"')
    expect(html).toContain('<meta name="from-shell" content="yes">')
    expect(html).toContain('href="/practicum/new/manifest.webmanifest"')
    expect(html).not.toContain('id="answers"')
    expect(html).not.toContain('/new/api/')
    expect(shell!.headers.get('content-security-policy')).toContain("script-src 'self';")
  } finally {
    await rooted.stop()
  }
})

test('an address that does not exist answers 404 without a stack', async () => {
  const { status, body } = await coordinator.send('GET', '/no-such-call')
  expect(status).toBe(404)
  expect(body).toEqual({ Message: 'There is nothing at this address.', Code: 'not_found' })
})

test('a file that is gone answers 404 and is not kept, whoever asks for it', async () => {
  for (const headers of [{}, coordinator.headers]) {
    const reply = await get('/new/assets/of-an-earlier-version.js', headers)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ])
    expect(reply.headers.get('cache-control') ?? '').not.toContain('max-age')
    expect(await reply.json()).toMatchObject({ Code: 'not_found' })
  }
})

test('no address and no header of a file is a fault of the server', async () => {
  const [file] = /\/new\/assets\/[\w.-]+\.js/.exec(await (await get('/new/login', {})).text())!
  for (const path of [`${file}%00`, '/new/assets/....//....//x', `/new/assets/${'a'.repeat(5_000)}`])
    expect((await get(path, {})).status, path).toBe(404)
  for (const range of ['bytes=99999999-', 'bytes=-0'])
    expect((await get(file, { range })).status, range).toBe(200)
  expect((await get(file, { 'if-match': '"x"' })).status).toBe(404)
})

test('bodies that are broken, too large, too deep or of the wrong type are refused, and nothing is saved', async () => {
  const areas = async () => (await coordinator.send('GET', `${path}?all=true`)).body
  const before = await areas()
  let deep: unknown = 1
  for (let level = 0; level < 30; level++) deep = { a: deep }
  const cases: [unknown, Record<string, string>, number][] = [
    ['{"Name": "Imaging"', {}, 400],
    ['[]', {}, 400],
    ['"text"', {}, 400],
    ['null', {}, 400],
    [{ ...valid, Name: 'x'.repeat(2_000_000) }, {}, 413],
    [{ ...valid, Name: deep }, {}, 400],
    [{ ...valid, Name: 5 }, {}, 400],
    [{ ...valid, IsActive: 'yes' }, {}, 400],
    ['{"__proto__": {"x": 1}, "Name": "a"}', {}, 400],
    ['Name=Imaging', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['<Name/>', { 'content-type': 'text/xml' }, 415],
  ]
  for (const [body, headers, status] of cases) {
    const reply = await coordinator.send('POST', path, { body, headers })
    expect(reply.status, JSON.stringify(body).slice(0, 60)).toBe(status)
    expect(reply.body.Message).toMatch(/Nothing was changed|nothing was changed/)
    expect(JSON.stringify(reply.body)).not.toMatch(/node_modules|select |\.ts:/)
  }
  expect(await areas()).toEqual(before)
})

test('unknown names in query and body are refused and named', async () => {
  const query = await coordinator.send('GET', `${path}?all=true&sort=Name&x=1`)
  expect(query).toMatchObject({ status: 400, body: { Errors: [{ Field: 'sort' }, { Field: 'x' }] } })
  const body = await coordinator.send('POST', path, { body: { ...valid, IsAdmin: true } })
  expect(body).toMatchObject({ status: 400, body: { Errors: [{ Field: 'IsAdmin' }] } })
})

test('the same key gives the same answer and one effect, and another input under it is refused', async () => {
  const headers = { 'idempotency-key': 'a-key-of-a-caller-0001' }
  const post = (body: object) => coordinator.send('POST', path, { body, headers })
  const replies = await Promise.all(Array.from({ length: 8 }, () => post(valid)))
  expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1)
  expect((await post({ ...valid, Name: 'Other' })).status).toBe(422)
  expect(
    (await coordinator.send('POST', path, { body: valid, headers: { 'idempotency-key': 'short' } })).status,
  ).toBe(400)
})

test('a call that the database refuses at the last moment says so instead of failing', async () => {
  const both = await Promise.all(
    [1, 2].map(() =>
      coordinator.call(createArea, {
        params: { programId: Number(path.split('/')[2]) },
        body: { ...valid, Name: 'Twin' },
      }),
    ),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

/** What a connection is told of bytes that are no call of ours. */
const tell = (...parts: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(installation.url)
    const socket = connect(Number(port), '127.0.0.1', async () => {
      for (const part of parts) socket.write(part)
    })
    let told = ''
    socket.on('data', (chunk) => {
      told += chunk.toString()
    })
    socket.on('close', () => resolve(told))
    socket.on('error', reject)
  })

test('headers that are too large, and what is no HTTP, are refused in our words', async () => {
  const large = await tell(`GET /new/login HTTP/1.1\r\nhost: x\r\ncookie: ${'a'.repeat(40_000)}\r\n\r\n`)
  expect(large).toMatch(/^HTTP\/1\.1 431 /)
  expect(JSON.parse(large.split('\r\n\r\n')[1]!)).toMatchObject({ Code: 'headers_too_large' })
  const expecting = await tell(`POST ${path} HTTP/1.1\r\nhost: x\r\nexpect: more\r\n\r\n`)
  expect(JSON.parse(expecting.split('\r\n\r\n')[1]!)).toMatchObject({ Code: 'expectation' })
  const nowhere = await tell('GET /new/login HTTP/1.1\r\nconnection: close\r\n\r\n')
  expect(JSON.parse(nowhere.split('\r\n\r\n')[1]!)).toMatchObject({ Code: 'invalid' })
  const none = await tell('this is no request\r\n\r\n')
  expect(JSON.parse(none.split('\r\n\r\n')[1]!)).toMatchObject({ Code: 'invalid' })
})

describe('whoever is not signed in', () => {
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`name${at}`, 1]))
  const post = (address: string, body: unknown, headers: Record<string, string> = {}) =>
    installation.anonymous.send('POST', address, { body, headers })

  test('sends at most 16 kB, which is refused before it is read', async () => {
    const large = await post('/auth/login', names(1_500))
    expect([large.status, large.body.Code]).toEqual([413, 'too_large'])
    // Of a call that nobody may make who is not signed in, nothing is read at all.
    expect((await post(path, 'x'.repeat(900_000))).status).toBe(401)
    expect((await post(path, names(60_000), { cookie: 'practicum_session=none' })).status).toBe(401)
  })

  test('is told of twenty fields at most, and so is everybody else', async () => {
    const small = await post('/auth/login', names(500))
    expect([small.status, small.body.Errors.length]).toEqual([400, 20])
    expect(small.body.Message).toMatch(/\d{3} more fields need attention/)
    const own = await coordinator.send('POST', path, { body: names(50_000) })
    expect([own.status, own.body.Errors.length]).toEqual([400, 20])
  })

  test('whose refused calls cost too much is refused for a minute, on every process; nobody who is signed in is', async () => {
    const fromAbove = createCosts(installation.services.pool)
    fromAbove.add('203.0.113.7', maxCost + 1)
    await fromAbove.write()
    expect(fromAbove.secondsLeft('203.0.113.7')).toBeGreaterThan(50)
    const other = createCosts(installation.services.pool)
    other.add('203.0.113.7', 1)
    await other.write()
    expect(other.secondsLeft('203.0.113.7')).toBeGreaterThan(50)
    expect(other.secondsLeft('203.0.113.8')).toBeLessThanOrEqual(0)

    const own = costsOf(installation.services)
    own.add('127.0.0.1', maxCost + 1)
    await own.write()
    const refused = await post('/auth/login', {})
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ])
    // Addresses of protocols are as open as the calls are, and refused before anything of them is read.
    const form = (address: string, body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${installation.url}${address}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': type },
        body,
      })
    const led = await form('/new/saml/acs', 'SAMLResponse=x')
    expect(led.headers.get('location')).toContain('problem=throttled')
    expect((await form('/scim/v2/Users', '{', 'application/scim+json')).status).toBe(429)
    expect((await coordinator.send('GET', path)).status).toBe(200)
    expect((await get('/healthz')).status).toBe(200)
    await installation.owner.query("delete from throttle where key like 'refused:%'")
    own.add('127.0.0.1', 1)
    await own.write()
    const spent = async () =>
      (await installation.owner.query("select count from throttle where key = 'refused:127.0.0.1'")).rows[0]
        .count
    const before = await spent()
    const fields = Array.from({ length: 101 }, (_, index) => `f${index}=1`).join('&')
    expect((await form('/new/saml/acs', fields)).headers.get('location')).toContain('problem=invalid')
    expect((await form('/new/saml/acs', 'SAMLResponse=x')).headers.get('location')).toContain(
      'problem=invalid',
    )
    expect((await form('/new/lti/launch', `id_token=${'x'.repeat(40_960)}`)).status).toBe(400)
    expect((await form('/scim/v2/Users', '{}', 'application/scim+json')).status).toBe(401)
    await own.write()
    expect((await spent()) - before).toBe(1 + 5 + 15 + 5)
  })

  test('is one network where addresses have networks of their own', () => {
    expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7')
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::9'))
    expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'))
  })
})
