import { once } from 'node:events'
import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { callOutside, type Lookup, mayReach, type OutsideCall, readAddress } from './outside.ts'

const servers: http.Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** A server of this machine, and how often somebody came. */
const serve = async (listener: RequestListener) => {
  const seen = { count: 0, hosts: [] as string[] }
  const server = http.createServer((request, response) => {
    seen.count++
    seen.hosts.push(request.headers.host ?? '')
    listener(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, seen }
}

const local = ['127.0.0.0/8']
const small = { deadlineMs: 5_000, maxBytes: 1_000 }
const call = (address: string, more: Partial<OutsideCall> = {}) =>
  callOutside(address, { ...small, allowed: local, ...more })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error) => error.code,
  )

test('addresses of this machine, its network, the metadata of clouds, and every other way to write them are out of reach', () => {
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.254',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.192',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '100.100.100.200',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::a00:1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '100::1',
    'localhost',
    '',
    '127.1',
  ])
    expect(mayReach(address), address).toBe(false)
  for (const address of [
    '8.8.8.8',
    '93.184.216.34',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
  ])
    expect(mayReach(address), address).toBe(true)
})

test('an IPv4 address is as far away in any disguise as it is itself', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const reach = mayReach(address)
      const hex = address.split('.').map(Number)
      const pair = (a: number, b: number) => ((a << 8) | b).toString(16)
      const groups = `${pair(hex[0]!, hex[1]!)}:${pair(hex[2]!, hex[3]!)}`
      for (const disguise of [`::ffff:${address}`, `::ffff:${groups}`, `64:ff9b::${groups}`])
        expect(mayReach(disguise), disguise).toBe(reach)
    }),
  )
})

test('the operator lists networks, and nothing beside them opens', () => {
  expect(mayReach('10.1.2.3', ['10.1.0.0/16'])).toBe(true)
  expect(mayReach('::ffff:10.1.2.3', ['10.1.0.0/16'])).toBe(true)
  expect(mayReach('10.2.2.3', ['10.1.0.0/16'])).toBe(false)
  expect(mayReach('fd00::5', ['fd00::/64'])).toBe(true)
  expect(mayReach('169.254.169.254', ['10.0.0.0/8'])).toBe(false)
})

test('addresses are https, without user, password and fragment', () => {
  expect(readAddress('https://example.org/hook?a=1').hostname).toBe('example.org')
  for (const text of [
    'http://example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'https://user@example.org/',
    'https://u:p@example.org/',
    'https://example.org/#x',
    'example.org',
    'javascript:alert(1)',
    '',
  ])
    expect(() => readAddress(text), text).toThrow()
  expect(readAddress('http://10.0.0.1/', ['10.0.0.0/8']).protocol).toBe('http:')
})

test('numbers that are addresses in disguise are read as what they are', async () => {
  for (const host of ['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]'])
    expect(await codeOf(callOutside(`https://${host}/`, small)), host).toBe('network')
})

test('a listed server is called, its answer read', async () => {
  const { port, seen } = await serve((_request, response) => response.writeHead(201).end('Done'))
  expect(await call(`http://127.0.0.1:${port}/hook`, { method: 'POST', body: '{}' })).toMatchObject({
    status: 201,
    body: 'Done',
  })
  expect(seen.count).toBe(1)
})

test('attack: a name that leads to this machine is never called', async () => {
  const { port, seen } = await serve((_request, response) => response.end())
  const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  expect(await codeOf(call(`http://inside.example:${port}/`, { allowed: ['10.0.0.0/8'], lookup }))).toBe(
    'network',
  )
  expect(seen.count).toBe(0)
})

test('attack: the public internet is called by TLS alone, whichever networks are listed', async () => {
  const publicly: Lookup = async () => [{ address: '93.184.216.34', family: 4 }]
  for (const [address, lookup] of [
    ['http://public.example/', publicly],
    ['http://93.184.216.34/', undefined],
    ['http://[2606:2800:220:1::1]/', undefined],
  ] as const) {
    const sent = call(address, { deadlineMs: 1_000, ...(lookup && { lookup }) })
    expect(await codeOf(sent)).toBe('address')
  }
})

test('attack: one address in public and one inside is refused as a whole', async () => {
  const lookup: Lookup = async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '169.254.169.254', family: 4 },
  ]
  expect(await codeOf(callOutside('https://both.example/', { ...small, lookup }))).toBe('network')
})

test('attack: a name that changes between the check and the use is looked up once, and keeps its name', async () => {
  const { port, seen } = await serve((_request, response) => response.end('right'))
  let asked = 0
  const lookup: Lookup = async () => {
    asked++
    return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }]
  }
  const { body } = await call(`http://rebinding.example:${port}/`, { allowed: ['127.0.0.1/32'], lookup })
  expect([body, asked]).toEqual(['right', 1])
  expect(seen.hosts).toEqual([`rebinding.example:${port}`])
  // Each call checks again.
  expect(await codeOf(call(`http://rebinding.example:${port}/`, { allowed: ['127.0.0.1/32'], lookup }))).toBe(
    'network',
  )
  expect(seen.count).toBe(1)
})

test('attack: redirects are not followed, wherever they lead', async () => {
  const inside = await serve((_request, response) => response.end('secret'))
  for (const status of [301, 302, 303, 307, 308]) {
    const { port } = await serve((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    )
    expect(await codeOf(call(`http://127.0.0.1:${port}/`)), String(status)).toBe('redirect')
  }
  expect(inside.seen.count).toBe(0)
})

test('attack: one deadline counts for all: no answer, slow headers, a body that drips, a lookup that hangs', async () => {
  const silent = await serve(() => {})
  const dripping = await serve((_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 20)
    response.once('close', () => clearInterval(drip))
  })
  for (const { port } of [silent, dripping]) {
    const began = performance.now()
    expect(await codeOf(call(`http://127.0.0.1:${port}/`, { deadlineMs: 300, maxBytes: 1e9 }))).toBe(
      'timeout',
    )
    expect(performance.now() - began).toBeLessThan(3_000)
  }
  const lookup: Lookup = () => new Promise(() => {})
  expect(await codeOf(callOutside('https://slow.example/', { ...small, deadlineMs: 100, lookup }))).toBe(
    'timeout',
  )
})

test('attack: a gigabyte is never read', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  let written = 0
  const { port } = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': String(1024 ** 3) })
    const more = () => {
      while (written < 1024 ** 3 && !response.destroyed) {
        written += chunk.length
        if (!response.write(chunk)) return
      }
    }
    response.on('drain', more)
    more()
  })
  expect(await codeOf(call(`http://127.0.0.1:${port}/`))).toBe('too_large')
  const cut = await call(`http://127.0.0.1:${port}/`, { cutsBody: true })
  expect(cut.body).toBe('x'.repeat(1_000))
  expect(written).toBeLessThan(64 * 1024 * 1024)
})

test('a connection that is refused or broken off is told in a sentence', async () => {
  const { port } = await serve((request) => request.socket.destroy())
  await expect(call(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'connection' })
  await expect(call('http://127.0.0.1:1/')).rejects.toThrow('127.0.0.1 refused the connection.')
})
