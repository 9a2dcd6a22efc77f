import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArea } from '#contract/areas/areas.ts'
import { Level } from '#contract/core/levels.ts'
import { login, requestPasswordReset } from '#contract/identity/identity.ts'
import { addSiteDocument, downloadSiteDocument } from '#contract/sites/sites.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { startBucket } from './bucket.ts'
import { makePerson, makeProgram, makeSite } from './factories.ts'
import { addressOf, type Installation, startInstallation } from './installation.ts'

/** What surrounds an installation and does not behave: bodies that unfold, proxies, stores that stop answering. */

describe('behind a proxy that speaks https', () => {
  let installation: Installation
  const password = 'Bluebird-42-harbor'
  beforeAll(async () => {
    installation = await startInstallation({
      APP_URL: 'https://practicum.example.edu',
      TRUST_PROXY: 'loopback',
    })
  })
  afterAll(() => installation?.stop())

  const person = async () =>
    makePerson(installation.owner, Level.Coord, {
      program: await makeProgram(installation.owner),
      password_hash: await hashPassword(password),
      email: 'pat@example.org',
    })
  const enter = async (UserName: string, headers: Record<string, string> = {}) =>
    installation.anonymous.call(login, { body: { UserName, Password: password } }, { headers })

  test('the session cookie is bound to this host and to https, and scripts cannot read it', async () => {
    const { UserName } = await person()
    const { status, headers } = await enter(UserName, { origin: 'https://practicum.example.edu' })
    expect(status).toBe(200)
    const session = headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-practicum_session='))
    for (const part of [/; Secure/, /; HttpOnly/, /; SameSite=Lax/, /; Path=\//])
      expect(session).toMatch(part)
    expect(session).not.toMatch(/Domain=/i)
    for (const cookie of headers.getSetCookie()) expect(cookie).toMatch(/; Secure/)
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/)
  })

  test('a cookie for plain http is none here', async () => {
    const caller = await installation.as(await person())
    expect((await caller.send('GET', '/state')).status).toBe(401)
  })

  test('the address that the proxy names is the one that is kept, and only its last word counts', async () => {
    const { UserName, Id } = await person()
    await enter(UserName, { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' })
    const { rows } = await installation.owner.query(
      'select host(address) as address from session where account_id = $1',
      [Id],
    )
    expect(rows).toEqual([{ address: '203.0.113.9' }])
  })

  test('links in emails lead to the public address, whatever host a request names', async () => {
    const { UserName, Id } = await person()
    await installation.anonymous.call(
      requestPasswordReset,
      { body: { UserName } },
      { headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' } },
    )
    await expect
      .poll(async () => {
        const { rows } = await installation.owner.query('select html from mail where account_id = $1', [Id])
        return rows[0]?.html ?? ''
      })
      .toContain('https://practicum.example.edu/new/reset-password')
    const { rows } = await installation.owner.query('select html from mail where account_id = $1', [Id])
    expect(rows[0].html).not.toContain('evil.example')
  })

  test('calls from another origin are refused, also from the same host without https', async () => {
    const { UserName } = await person()
    for (const origin of ['http://practicum.example.edu', 'https://practicum.example.edu.evil.example'])
      expect((await enter(UserName, { origin })).status, origin).toBe(403)
  })
})

describe('bodies that unfold', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await startInstallation()
  })
  afterAll(() => installation?.stop())

  test('a compressed body is refused in a sentence and never unfolded', async () => {
    const program = await makeProgram(installation.owner)
    const caller = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '), { level: 9 })
    const before = process.memoryUsage().rss
    const path = createArea.path.replace(':programId', String(program.Id))
    const { status, body } = await caller.send('POST', path, {
      bytes: bomb,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    expect([400, 413, 415]).toContain(status)
    expect(body.Message).toMatch(/^[A-Z][^{}]+\.$/)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })

  test('an office file that would unfold into gigabytes is kept as it is, and comes back as it is', async () => {
    const program = await makeProgram(installation.owner)
    const caller = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    const site = await makeSite(installation.owner, program)
    const params = { programId: program.Id, siteId: site.Id }
    const content = zipOf({
      '[Content_Types].xml': Buffer.from('<Types/>'),
      'word/document.xml': Buffer.alloc(400_000_000, ' '),
    })
    expect(content.length).toBeLessThan(1_000_000)
    const before = process.memoryUsage().rss
    const { status, body } = await caller.call(
      addSiteDocument,
      { params, body: {} },
      { files: [{ field: 'file', name: 'plan.docx', content }] },
    )
    expect(status).toBe(200)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
    const { Id: documentId } = body as { Id: number }
    const back = await fetch(
      `${installation.url}/new/api${addressOf(downloadSiteDocument, { params: { ...params, documentId } })}`,
      { headers: caller.headers },
    )
    expect(Buffer.from(await back.arrayBuffer()).equals(content)).toBe(true)
  })
})

/** A ZIP of deflated entries; checksums are left out, for nobody here reads the entries. */
const zipOf = (entries: Record<string, Buffer>): Buffer => {
  const parts = Object.entries(entries).flatMap(([name, bytes]) => {
    const packed = deflateRawSync(bytes, { level: 9 })
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(bytes.length, 22)
    head.writeUInt16LE(name.length, 26)
    return [head, Buffer.from(name), packed]
  })
  return Buffer.concat(parts)
}

describe('a store of files that stops', () => {
  test('what cannot be stored is told and not half kept, and everything works again afterwards', async () => {
    const bucket = await startBucket()
    const store = await startGate(bucket.url)
    const installation = await startInstallation({ FILES_URL: store.url })
    try {
      const program = await makeProgram(installation.owner)
      const caller = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
      const site = await makeSite(installation.owner, program)
      const params = { programId: program.Id, siteId: site.Id }
      const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(50_000, 'x')])
      const add = (name: string) =>
        caller.call(addSiteDocument, { params, body: {} }, { files: [{ field: 'file', name, content }] })
      const kept = async () =>
        (await installation.owner.query('select id from site_file where program_id = $1', [program.Id])).rows
      const first = await add('first.pdf')
      expect(first.status, JSON.stringify(first.body)).toBeLessThan(300)
      const { Id: documentId } = first.body as { Id: number }
      for (const fault of ['refuses', 'fails'] as const) {
        store.let(fault)
        const { status, body } = await add(`${fault}.pdf`)
        expect(status, fault).toBeGreaterThanOrEqual(500)
        expect((body as unknown as { Message: string }).Message).toMatch(/^[A-Z][^{}]+\.$/)
        expect((body as unknown as { Message: string }).Message).not.toMatch(/ECONN|S3|bucket|127\.0\.0\.1/i)
        expect(await kept()).toHaveLength(1)
        const read = await caller.send(
          'GET',
          addressOf(downloadSiteDocument, { params: { ...params, documentId } }),
        )
        expect(read.status, fault).toBeGreaterThanOrEqual(500)
      }
      store.let('passes')
      expect((await add('second.pdf')).status).toBeLessThan(300)
      expect(await kept()).toHaveLength(2)
    } finally {
      await installation.stop()
      await store.stop()
      await bucket.stop()
    }
  })
})

/** Stands before a store: passes its calls, answers 500 to all, or breaks every connection. */
const startGate = async (
  url: string,
): Promise<{ url: string; let(next: 'passes' | 'fails' | 'refuses'): void; stop(): Promise<void> }> => {
  let manner: 'passes' | 'fails' | 'refuses' = 'passes'
  const target = /endpoint=([^&]+)/.exec(url)![1]!
  const server: Server = createServer(async (request, response) => {
    if (manner === 'refuses') {
      request.socket.destroy()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (manner === 'fails') {
      response.writeHead(500).end()
      return
    }
    const { connection: _connection, ...headers } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const body = Buffer.from(await answer.arrayBuffer())
    const back = Object.fromEntries(
      [...answer.headers].filter(([name]) => !/transfer-encoding|content-length|connection/.test(name)),
    )
    response.writeHead(answer.status, { ...back, 'content-length': String(body.length) })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: url.replace(target, `http://127.0.0.1:${port}`),
    let: (next) => {
      manner = next
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
