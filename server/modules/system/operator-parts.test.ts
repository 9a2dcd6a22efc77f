import { generateKeyPairSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer, getCACertificates, type Server, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { getGlobals } from '#contract/session/session.ts'
import {
  confirmMailArrival,
  getSystemStatus,
  type SystemPartKey,
  testSystemPart,
} from '#contract/system/system.ts'
import { makeCertificate } from '#server/core/auth/certificates.ts'
import { transaction } from '#server/core/database/pool.ts'
import { saveSetting } from '#server/core/runtime/saved-setting.ts'
import { makePerson } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { backupToDo, diskToDo, httpsToDo, mailToDo, timeToDo } from './part.rules.ts'

let installation: Installation
let superAdmin: Caller
const servers: Server[] = []
const authorities = getCACertificates('default')
beforeAll(async () => {
  installation = await startInstallation()
  superAdmin = await installation.as(
    await makePerson(installation.owner, Level.SuperAdmin, { email: 'ops@example.edu' }),
  )
})
afterEach(() => setDefaultCACertificates(authorities))
afterAll(async () => {
  for (const server of servers) server.close()
  await installation?.stop()
})

const configured = async <T>(changes: object, work: () => Promise<T>): Promise<T> => {
  const { services } = installation
  const before = services.config
  services.config = { ...before, ...changes }
  try {
    return await work()
  } finally {
    services.config = before
  }
}
const testOf = (part: SystemPartKey) => superAdmin.ok(testSystemPart, { params: { part } })
const partOf = async (key: SystemPartKey, caller = superAdmin) =>
  (await caller.ok(getSystemStatus)).Parts.find(({ Key }) => Key === key)!
const figureLine = async (name: string): Promise<number | undefined> => {
  const text = await (await fetch(`${installation.url}/metrics`)).text()
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)
  return found ? Number(found[1]) : undefined
}
const keep = (name: string, value: unknown) =>
  transaction(installation.services.pool, { accountId: null, programIds: [] }, (db) =>
    saveSetting(db, name, value),
  )

const dayMs = 86_400_000
/** A server whose certificate lasts so many days; its address, and the certificate. */
const serverWith = async (days: number): Promise<{ appUrl: string; certificate: string }> => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const until = new Date(Date.now() + days * dayMs)
    .toISOString()
    .replace(/[-:T]|\.\d+/g, '')
    .slice(2)
  const certificate = makeCertificate(keys, { of: 'localhost', until })
  const server = createServer(
    { cert: certificate, key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) },
    (socket) => socket.end(),
  )
  server.on('tlsClientError', () => {})
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return { appUrl: `https://localhost:${(server.address() as AddressInfo).port}`, certificate }
}

describe('https', () => {
  test('without it something has to be done; with another address than this machine’s it fails', async () => {
    expect((await testOf('https')).IsOk).toBe(true)
    expect(await partOf('https')).toMatchObject({
      State: 'attention',
      ToDo: expect.stringMatching(/^Put a proxy with TLS in front and set APP_URL/),
    })
    await configured({ appUrl: 'http://practicum.example.edu' }, async () => {
      expect((await testOf('https')).IsOk).toBe(false)
      expect(await partOf('https')).toMatchObject({
        State: 'failing',
        LastError: expect.stringMatching(/^APP_URL is http:\/\/practicum.example.edu, without https: .+\.$/),
        ToDo: '',
      })
    })
  })

  test.each([
    [60.5, 'working', /^$/, /^$/],
    [12.5, 'attention', /^$/, /^Renew the certificate within 12 days/],
    [5.5, 'failing', /ends on \d{4}-\d\d-\d\d: renew it now/, /^$/],
    [-1.5, 'failing', /ended on \d{4}-\d\d-\d\d: renew it/, /^$/],
  ])('a certificate of %f more days', async (days, State, error, toDo) => {
    const { appUrl, certificate } = await serverWith(days)
    setDefaultCACertificates([...authorities, certificate])
    await installation.owner.query("delete from system_check where part = 'https'")
    await configured({ appUrl }, async () => {
      await testOf('https')
      expect(await partOf('https')).toMatchObject({
        State,
        Place: appUrl,
        LastError: expect.stringMatching(error),
        ToDo: expect.stringMatching(toDo),
      })
      expect((await partOf('https')).Figures).toEqual([{ Name: 'days', Value: String(Math.floor(days)) }])
      expect(await figureLine(`practicum_tls_days_left{host="${new URL(appUrl).host}"}`)).toBeCloseTo(days, 1)
    })
  })

  test('a certificate that no browser trusts fails, and one that cannot be read is to be watched elsewhere', async () => {
    const { appUrl } = await serverWith(60)
    await configured({ appUrl }, async () => {
      expect((await testOf('https')).Steps.at(-1)?.Detail).toMatch(
        /^Browsers do not trust the certificate of localhost/,
      )
    })
    await configured({ appUrl: 'https://localhost:1' }, async () => {
      expect((await testOf('https')).Steps.at(-1)).toMatchObject({
        IsOk: true,
        Detail: expect.stringContaining('ECONNREFUSED'),
      })
      expect((await partOf('https')).ToDo).toMatch(/^Let this server reach its own APP_URL/)
      expect(await figureLine('practicum_tls_days_left{host="localhost:1"}')).toBeUndefined()
    })
  })

  test('a proxy that is not named shows by the calls that come through it', async () => {
    const { appUrl, certificate } = await serverWith(60)
    setDefaultCACertificates([...authorities, certificate])
    await configured({ appUrl }, async () => {
      await testOf('https')
      const { Parts } = await superAdmin.ok(
        getSystemStatus,
        {},
        { headers: { 'x-forwarded-for': '198.51.100.7' } },
      )
      expect(Parts.find(({ Key }) => Key === 'https')?.ToDo).toMatch(/^Name the proxy in TRUST_PROXY/)
    })
  })
})

test('the room on the disk is told here and in the metrics', async () => {
  expect((await testOf('disk')).Steps[0]).toMatchObject({ Name: 'room' })
  expect((await partOf('disk')).Figures).toEqual([{ Name: 'free', Value: expect.stringMatching(/^\d+$/) }])
  for (const disk of ['data', 'files'])
    expect(await figureLine(`practicum_disk_free_bytes{of="${disk}"}`)).toBeGreaterThan(0)
})

test('the clock of the database is told in the metrics, and its moment to the browser', async () => {
  expect((await testOf('time')).IsOk).toBe(true)
  expect(Math.abs((await figureLine('practicum_clock_skew_seconds'))!)).toBeLessThan(5)
  expect(Math.abs(Date.parse((await superAdmin.ok(getSystemStatus)).Now) - Date.now())).toBeLessThan(5_000)
})

test('a backup that is missing, old, broken or failed is told, and its notes reach no browser', async () => {
  expect((await testOf('backup')).IsOk).toBe(true)
  expect(await partOf('backup')).toMatchObject({
    State: 'attention',
    ToDo: expect.stringMatching(/no backup/),
  })
  const at = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
  const last = (days: number, more: object = {}) =>
    keep('backup.last', { At: at(days), File: '/srv/secret-place.tar', Bytes: 1, Verified: true, ...more })
  await last(0.5)
  expect((await testOf('backup')).IsOk).toBe(true)
  expect(await partOf('backup')).toMatchObject({
    State: 'working',
    ToDo: '',
    Figures: [{ Name: 'backupHours', Value: '12' }],
  })
  await last(3)
  await testOf('backup')
  expect((await partOf('backup')).State).toBe('attention')
  for (const [days, more, sentence] of [
    [8, {}, /^The last backup is of \d{4}-\d\d-\d\d: /],
    [0, { Verified: false }, /could not be read back/],
    [0, { Error: 'The disk of BACKUP_DIR is full.' }, /^The disk of BACKUP_DIR is full\.$/],
  ] as const) {
    await last(days, more)
    await testOf('backup')
    expect(await partOf('backup')).toMatchObject({
      State: 'failing',
      LastError: expect.stringMatching(sentence),
    })
  }
  const { GlobalSettings } = await superAdmin.ok(getGlobals)
  expect(GlobalSettings).toContain('EnableAntiForgery')
  expect(GlobalSettings).not.toMatch(/backup\.last|secret-place/)
})

test('an email has arrived once somebody types the code in it', async () => {
  const { SMTPServer } = await import('smtp-server')
  let received = ''
  const relay = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      stream.on('data', (chunk: Buffer) => (received += chunk)).on('end', () => done())
    },
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const { port } = relay.server.address() as AddressInfo
  const confirm = (Code: string) => superAdmin.call(confirmMailArrival, { body: { Code } })
  try {
    expect((await partOf('mail')).ToDo).toMatch(/^Set SMTP_URL/)
    expect((await confirm('123456')).status).toBe(422)
    await configured({ smtpUrl: `smtp://127.0.0.1:${port}` }, async () => {
      expect((await testOf('mail')).IsOk).toBe(true)
      expect(await partOf('mail')).toMatchObject({
        State: 'attention',
        ToDo: expect.stringMatching(/^Press Test/),
      })
      const code = /: (\d{6})\s/.exec(received.replace(/=\r\n/g, ''))![1]!
      const wrong = await confirm(code === '100000' ? '100001' : '100000')
      expect([wrong.status, wrong.body]).toMatchObject([422, { Code: 'wrong_mail_code' }])
      expect((await confirm(` ${code} `)).status).toBe(204)
      const part = await partOf('mail')
      expect([part.State, part.ToDo]).toEqual(['working', ''])
      expect(part.Figures.find(({ Name }) => Name === 'arrived')?.Value).toMatch(/^\d{4}-/)
    })
  } finally {
    await new Promise<void>((resolve) => relay.close(() => resolve()))
  }
})

test('what to do is one sentence, and nothing where all is well', () => {
  const now = new Date('2026-11-30T12:00:00Z')
  const told = [
    httpsToDo({ isHttps: false }, { isProxyUnknown: false }),
    httpsToDo({ isHttps: true }, { isProxyUnknown: false }),
    httpsToDo({ isHttps: true, certificateDays: 20 }, { isProxyUnknown: false }),
    timeToDo({ skewSeconds: -31 }),
    diskToDo({ freeBytes: 4 * 2 ** 30 }),
    backupToDo(undefined, now),
    backupToDo({ At: '2026-11-28T11:00:00Z', Verified: true }, now),
    mailToDo(false, undefined),
    mailToDo(true, undefined),
  ]
  for (const sentence of told) expect(sentence).toMatch(/^[A-Z][^.]+\.$/)
  expect([
    httpsToDo({ isHttps: true, certificateDays: 22 }, { isProxyUnknown: false }),
    timeToDo({ skewSeconds: 30 }),
    timeToDo({}),
    diskToDo({ freeBytes: 6 * 2 ** 30 }),
    diskToDo({}),
    backupToDo({ At: '2026-11-29T12:00:00Z', Verified: true }, now),
    mailToDo(true, { Hash: '', SentAt: '', ArrivedAt: '2026-11-29T12:00:00Z' }),
  ]).toEqual(Array(7).fill(''))
})
