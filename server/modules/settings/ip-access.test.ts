import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as identity from '#contract/identity/identity.ts'
import { getState } from '#contract/session/session.ts'
import * as contract from '#contract/settings/ip-access.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { makePerson, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { writeMmdb } from '#server/test/mmdb.ts'
import { tellOfSignIn } from '../identity/notices.jobs.ts'
import { settingJobs } from './tidy.jobs.ts'

let installation: Installation
let admin: Caller

beforeAll(async () => {
  // The tests come from this machine; what they say in X-Forwarded-For counts.
  installation = await startInstallation({ TRUST_PROXY: 'loopback' })
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner, services } = installation
  await owner.query('delete from ip_whitelist')
  await services.ipAccess.flush()
  await owner.query('delete from ip_notice')
  await owner.query(
    "update ip_access set mode = 0, countries = '{US}', geo_file_id = null, version = version + 1",
  )
  services.ipAccess.expire()
  admin = await installation.as(await makePerson(owner, Level.SuperAdmin))
})

const [american, french, college] = ['198.51.100.7', '203.0.113.9', '192.0.2.44'] as const
const geoFile = writeMmdb({
  '198.51.100.0/24': { country: { iso_code: 'US' } },
  '203.0.113.0/24': { country: { iso_code: 'FR' } },
})
const via = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const add = (ip: string) => admin.ok(contract.addToWhitelist, { body: ip })
const setMode = (mode: 0 | 1 | 2) => admin.ok(contract.setIpBlockMode, { body: mode })
const upload = (
  bytes: Uint8Array,
  { name = 'GeoLite2-Country.mmdb', ...headers }: Record<string, string> = {},
) =>
  admin.send('POST', `/geo-ip/blocks?name=${name}`, {
    headers: { 'content-type': 'application/octet-stream', ...headers },
    bytes,
  })
const list = async () => (await admin.ok(contract.listWhitelist)).map(({ IPAddress }) => IPAddress)
const page = (path: string, address: string) =>
  fetch(`${installation.url}${path}`, { redirect: 'manual', ...via(address) })

describe('whitelist', () => {
  test('D2-097 D2-162 D2-163 D2-177 an address or network is added by its text alone and is in the list', async () => {
    const entry = await add(college)
    expect(entry).toEqual({
      IPAddress: college,
      AddedAt: expect.stringMatching(/^\d{4}-/),
      AddedBy: expect.stringMatching(/^First\d+ Last\d+$/),
    })
    await add(' 10.20.0.0/16 ')
    await add('2001:DB8::/32')
    expect(await list()).toEqual(['10.20.0.0/16', college, '2001:db8::/32'])
    expect(await add(college)).toEqual(entry)
    expect(await list()).toHaveLength(3)
  })

  test('D2-127 what is no address, names a host inside a network, or has more than 255 characters is refused', async () => {
    for (const body of [
      '',
      'college.edu',
      '10.0.0.300',
      '10.0.0.5/8',
      '10.0.0.0/40',
      `${' '.repeat(255)}1.2.3.4`,
      7,
      null,
    ])
      expect((await admin.send('POST', '/geo-ip/whitelist', { body: JSON.stringify(body) })).status).toBe(400)
    expect(
      (await admin.send('POST', '/geo-ip/whitelist', { body: JSON.stringify(`${' '.repeat(246)}192.0.2.4`) }))
        .status,
    ).toBe(200)
  })

  test('D2-164 D2-177 an entry is removed by its address, with or without the slash at the end', async () => {
    await add(college)
    await add('10.20.0.0/16')
    await add('2001:db8::/32')
    expect((await admin.send('DELETE', `/geo-ip/whitelist/${college}/`)).status).toBe(204)
    expect((await admin.send('DELETE', '/geo-ip/whitelist/10.20.0.0%2F16/')).status).toBe(204)
    const params = { ip: '2001:db8::/32' }
    expect((await admin.call(contract.removeFromWhitelist, { params })).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await admin.call(contract.removeFromWhitelist, { params })).status).toBe(404)
    expect((await admin.send('DELETE', '/geo-ip/whitelist/nonsense/')).status).toBe(400)
  })
})

describe('mode', () => {
  test('D2-098 D2-109 D2-166 D2-167 D2-177 any of the three can be chosen from any other, and is read back', async () => {
    expect(await admin.ok(contract.getDatabaseSettings)).toEqual({ IPBlockMode: 0 })
    for (const mode of [1, 2, 0, 2, 1, 0, 0] as const) {
      expect(await setMode(mode)).toEqual({ IPBlockMode: mode })
      expect(await admin.ok(contract.getDatabaseSettings)).toEqual({ IPBlockMode: mode })
    }
    for (const body of ['3', '-1', '"1"', 'true', '{}', '1.5'])
      expect((await admin.send('POST', '/global-settings/database/ip-block-mode', { body })).status).toBe(400)
  })

  test('D2-144 nobody but super admins sees or changes anything', async () => {
    const someone = await installation.as(await makePerson(installation.owner, Level.Admin))
    for (const [method, path] of [
      ['GET', '/geo-ip/whitelist'],
      ['POST', '/geo-ip/whitelist'],
      ['DELETE', `/geo-ip/whitelist/${college}`],
      ['POST', '/geo-ip/blocks'],
      ['GET', '/geo-ip/status'],
      ['POST', '/geo-ip/countries'],
      ['GET', '/geo-ip/notices'],
      ['GET', '/global-settings/database'],
      ['POST', '/global-settings/database/ip-block-mode'],
    ] as const)
      expect((await someone.send(method, path)).status, `${method} ${path}`).toBe(403)
  })
})

describe('effect', () => {
  test('OFF lets everybody in, ON only the whitelist and this machine, at once after the change', async () => {
    const student = await installation.as(await makeStudent(installation.owner))
    const status = async (address: string) => (await student.call(getState, {}, via(address))).status
    expect(await status(french)).toBe(200)
    await add(college)
    await setMode(1)
    expect(await status(french)).toBe(403)
    expect(await status(college)).toBe(200)
    expect(await status('127.0.0.1')).toBe(200)
    const { body } = await student.call(getState, {}, via(french))
    expect(body).toMatchObject({ Code: 'ip_refused', Message: expect.stringContaining(french) })
    await add(french)
    expect(await status(french)).toBe(200)
    await admin.ok(contract.removeFromWhitelist, { params: { ip: french } })
    expect(await status(french)).toBe(403)
    await setMode(0)
    expect(await status(french)).toBe(200)
  })

  test('refused are pages, files and sign-in as well, with a page that tells the address; probes are not', async () => {
    await setMode(1)
    for (const path of ['/', '/new/login', '/new/admin/home', '/new/assets/x.js']) {
      const reply = await page(path, french)
      expect(reply.status, path).toBe(403)
      const html = await reply.text()
      expect(html).toContain(french)
      expect(html).toMatch(/<h1>Not available from here<\/h1>/)
    }
    const signIn = await installation.anonymous.call(
      identity.login,
      { body: { UserName: 'x', Password: 'y' } },
      via(french),
    )
    expect(signIn.status).toBe(403)
    for (const path of ['/healthz', '/readyz']) expect((await page(path, french)).status).toBe(200)
  })

  test('D2-165 D2-198 an uploaded GeoIP database lets the chosen countries in', async () => {
    const { status, body } = await upload(geoFile)
    expect([status, body]).toEqual([200, { Message: 'Updated Successfully' }])
    expect(await admin.ok(contract.getIpStatus)).toMatchObject({
      Database: {
        Name: 'GeoLite2-Country.mmdb',
        Kind: 'Test-Country',
        BuiltAt: '2026-11-01T00:00:00Z',
        ByteCount: geoFile.length,
      },
      Countries: ['US'],
    })
    await setMode(1)
    const statusOf = async (address: string) => (await page('/new/login', address)).status
    expect(await statusOf(american)).not.toBe(403)
    expect(await statusOf(french)).toBe(403)
    expect(await statusOf(college)).toBe(403)
    expect(await admin.ok(contract.saveIpCountries, { body: { Countries: ['FR', 'CA', 'FR'] } })).toEqual({
      Countries: ['CA', 'FR'],
    })
    expect(await statusOf(american)).toBe(403)
    expect(await statusOf(french)).not.toBe(403)
    for (const Countries of [['us'], ['USA'], 'US'])
      expect((await admin.send('POST', '/geo-ip/countries', { body: { Countries } })).status).toBe(400)
  })

  test('the owner of an account is told of a sign-in from a country that it has never had, once', async () => {
    await upload(geoFile)
    const Password = 'Bluebird-42-harbor'
    const owner = await makeStudent(installation.owner, undefined, {
      email: 'ada@example.org',
      password_hash: await hashPassword(Password),
    })
    let device = ''
    const signIn = async (address: string, cookie = device) => {
      const { status, headers } = await installation.anonymous.call(
        identity.login,
        { body: { UserName: owner.UserName, Password, IsShared: false } },
        { headers: { ...via(address).headers, cookie } },
      )
      expect(status).toBe(200)
      device = headers
        .getSetCookie()
        .find((line) => line.startsWith('practicum_device='))!
        .split(';')[0]!
      const { rows } = await installation.owner.query(
        `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
        where t.id = j.task_id and t.identifier = 'identity:device' and (j.payload ->> 'accountId')::bigint = $1 returning j.payload`,
        [owner.Id],
      )
      for (const { payload } of rows) await tellOfSignIn.work(payload, installation.services)
      return rows.map(({ payload }) => payload.what)
    }
    expect(await signIn(college)).toEqual([])
    expect(await signIn(american)).toEqual([])
    expect(await signIn(french)).toEqual(['a new country (FR)'])
    for (const address of [american, french, college]) expect(await signIn(address)).toEqual([])
    expect(await signIn(french, '')).toEqual(['a new device'])
    const { rows } = await installation.owner.query(
      'select recipient, html from mail where account_id = $1 order by id',
      [owner.Id],
    )
    expect(rows).toMatchObject([
      { recipient: 'ada@example.org', html: expect.stringContaining('a new country (FR)') },
      { recipient: 'ada@example.org', html: expect.stringContaining('a new device') },
    ])
  })

  test('a file that is no GeoIP database, empty, too large or of another type changes nothing', async () => {
    await upload(geoFile)
    expect((await upload(Buffer.from('no database at all'))).status).toBe(415)
    expect((await upload(new Uint8Array())).status).toBe(400)
    expect((await upload(geoFile, { 'content-type': 'text/plain' })).status).toBe(415)
    const large = await upload(new Uint8Array(contract.maxGeoFileBytes + 1)).catch(() => ({ status: 413 }))
    expect(large.status).toBe(413)
    expect((await admin.ok(contract.getIpStatus)).Database).toMatchObject({ ByteCount: geoFile.length })
  })

  test('Warn lets everybody in, tells those who would be refused, and keeps their addresses for the super admin', async () => {
    await upload(geoFile)
    await setMode(2)
    const student = await installation.as(await makeStudent(installation.owner))
    expect((await student.ok(getState, {}, via(french))).IpWarning).toBe(french)
    expect((await student.ok(getState, {}, via(french))).IpWarning).toBe(french)
    expect((await student.ok(getState, {}, via(american))).IpWarning).toBeNull()
    const notices = await admin.ok(contract.listIpNotices)
    expect(notices).toEqual([
      {
        Address: french,
        Country: 'FR',
        IsRefused: false,
        Hits: 2,
        FirstAt: expect.any(String),
        LastAt: expect.any(String),
      },
    ])
    await setMode(1)
    expect((await page('/new/login', french)).status).toBe(403)
    expect(await admin.ok(contract.listIpNotices)).toMatchObject([
      { Address: french, IsRefused: true, Hits: 3 },
    ])
    await setMode(0)
    expect((await student.ok(getState, {}, via(french))).IpWarning).toBeNull()
  })

  test('addresses are forgotten 30 days after they were last seen', async () => {
    await installation.owner.query(
      `insert into ip_notice (address, is_refused, hits, last_at) values
       ('203.0.113.1', true, 1, now() - interval '31 days'), ('203.0.113.2', true, 1, now() - interval '29 days')`,
    )
    await settingJobs[0]!.work({}, installation.services)
    const { rows } = await installation.owner.query('select host(address) as address from ip_notice')
    expect(rows).toEqual([{ address: '203.0.113.2' }])
  })
})

describe('nobody locks themself out', () => {
  test('with ON, a change that would refuse the own address is refused and nothing is changed', async () => {
    const lockOut = async (call: Promise<{ status: number; body: unknown }>) => {
      const { status, body } = await call
      expect([status, (body as { Code: string }).Code]).toEqual([422, 'locks_out'])
    }
    const at = via(college)
    await lockOut(admin.call(contract.setIpBlockMode, { body: 1 }, at))
    expect(await admin.ok(contract.getDatabaseSettings, {}, at)).toEqual({ IPBlockMode: 0 })
    await admin.ok(contract.addToWhitelist, { body: '192.0.2.0/24' }, at)
    await admin.ok(contract.setIpBlockMode, { body: 1 }, at)
    await lockOut(admin.call(contract.removeFromWhitelist, { params: { ip: '192.0.2.0/24' } }, at))
    expect(await list()).toEqual(['192.0.2.0/24'])
    await upload(geoFile)
    await admin.ok(contract.addToWhitelist, { body: college }, via(american))
    await lockOut(admin.call(contract.saveIpCountries, { body: { Countries: ['FR'] } }, via(american)))
    await lockOut(
      upload(writeMmdb({ '203.0.113.0/24': { country_code: 'US' } }), { 'x-forwarded-for': american }),
    )
    expect(await admin.ok(contract.getIpStatus, {}, via(american))).toMatchObject({
      Countries: ['US'],
      Own: { Address: american, Country: 'US', IsAllowed: true },
    })
  })

  test('this machine is always let in, and the mode can be switched off from it', async () => {
    await setMode(1)
    await admin.ok(contract.setIpBlockMode, { body: 0 })
    expect(await admin.ok(contract.getIpStatus)).toMatchObject({
      Own: { Address: '127.0.0.1', IsAllowed: true },
      IsProxyUnknown: false,
    })
  })
})

test('a proxy that TRUST_PROXY does not name is told, and what it says counts for nothing', async () => {
  const bare = await startInstallation()
  try {
    const caller = await bare.as(await makePerson(bare.owner, Level.SuperAdmin))
    const status = await caller.ok(contract.getIpStatus, {}, via(french))
    expect(status).toMatchObject({ Own: { Address: '127.0.0.1' }, IsProxyUnknown: true })
    expect((await caller.ok(contract.getIpStatus)).IsProxyUnknown).toBe(false)
  } finally {
    await bare.stop()
  }
})
