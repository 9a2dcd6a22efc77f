import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createArea, listAreas } from '#contract/areas/areas.ts'
import { getDescription } from '#contract/core/description.ts'
import { keyRightOf } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { allEndpoints } from '#contract/index.ts'
import * as contract from '#contract/keys/keys.ts'
import {
  createUser,
  deactivateUser,
  getUser,
  inviteUser,
  reactivateUser,
  updateUser,
} from '#contract/people/people.ts'
import { exportSites, listSites } from '#contract/sites/sites.ts'
import { listTasks } from '#contract/tasks/tasks.ts'
import { routes } from '#server/app.ts'
import { isDatabaseReady } from '#server/core/database/pool.ts'
import { createWeb } from '#server/core/http/web.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow, makeSite } from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
/** The same product behind a proxy of this machine. */
let proxied: Installation
let program: MadeProgram
let adminId: number
let admin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  proxied = await startInstallation({ TRUST_PROXY: 'loopback' })
})
afterAll(async () => {
  await installation?.stop()
  await proxied?.stop()
})
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  const person = await makePerson(installation.owner, Level.Admin, { program })
  adminId = person.Id
  admin = await installation.as(person)
})

const inProgram = () => ({ params: { programId: program.Id } })
type Body = Partial<Parameters<typeof bodyOf>[0]>
const bodyOf = (body: {
  Name?: string
  Rights?: string[]
  Networks?: string[]
  ExpireDays?: number | null
  CallsPerMinute?: number
  IsForAllPrograms?: boolean
}) => ({ Name: 'Warehouse', Rights: ['sites.read'], ExpireDays: 90, ...body }) as never
const make = (body: Body = {}, caller = admin) =>
  caller.ok(contract.createApiKey, { ...inProgram(), body: bodyOf(body) })
const refused = async (body: Body, caller = admin) =>
  (await caller.call(contract.createApiKey, { ...inProgram(), body: bodyOf(body) })) as {
    status: number
    body: any
  }
const withKey = (Key: string, headers: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${Key}`, ...headers },
})
/** What a list of sites answers to whoever has the key. */
const sites = async (Key: string, headers: Record<string, string> = {}, at = installation) => {
  const reply = await at.anonymous.call(listSites, inProgram(), withKey(Key, headers))
  return { ...reply, body: reply.body as any }
}
const codeOf = async (Key: string, headers: Record<string, string> = {}) => {
  const { status, body } = await sites(Key, headers)
  return [status, body.Code]
}
const areaInput = { Name: 'Imaging', IsActive: true, AreNotificationsEnabled: false }

test('a key opens what its rights allow, without cookie or token, and nothing else', async () => {
  await makeSite(installation.owner, program)
  const { Key, Ending } = await make()
  expect(Key).toMatch(/^psk_[\w-]{43}$/)
  expect(Key.endsWith(Ending)).toBe(true)
  expect((await sites(Key)).body).toHaveLength(1)
  const areas = await installation.anonymous.call(listAreas, { ...inProgram(), query: {} }, withKey(Key))
  expect([areas.status, (areas.body as any).Code]).toEqual([403, 'key_right'])
  const { Key: writing } = await make({ Name: 'Areas', Rights: ['areas.write'] })
  const saved = await installation.anonymous.call(
    createArea,
    { ...inProgram(), body: areaInput },
    withKey(writing),
  )
  expect(saved.status).toBe(200)
})

test('a key is shown once and kept as a hash', async () => {
  const { Key, Id } = await make()
  const listed = await admin.ok(contract.listApiKeys, inProgram())
  expect(listed).toMatchObject([{ Id, Name: 'Warehouse', State: 'active', LastUsedDate: null }])
  const { rows } = await installation.owner.query('select * from api_key where id = $1', [Id])
  expect(JSON.stringify([listed, rows])).not.toContain(Key)
  await sites(Key)
  expect((await admin.ok(contract.listApiKeys, inProgram()))[0]).toMatchObject({
    LastUsedDate: expect.any(String),
    LastUsedAddress: '127.0.0.1',
  })
})

test('every call is either open to keys by a right of the table, or to none: those of identity and of key-making are not', () => {
  const closed = allEndpoints.filter((endpoint) => keyRightOf(endpoint) === undefined)
  const paths = closed.map(({ method, path }) => `${method} ${path}`)
  for (const path of [
    'POST /auth/password',
    'GET /auth/session',
    'POST /auth/switch',
    'POST /totp-secrets',
    'POST /programs/:programId/api-keys',
    'POST /programs/:programId/api-keys/:keyId/rotations',
    'POST /programs/:programId/sync-keys',
    'DELETE /programs/:programId/users/:userId/authenticator',
    'POST /programs/:programId/users/:userId/password-links',
    'POST /super-admins',
    'POST /saml/:samlId',
    'GET /live',
    'GET /state',
  ])
    expect(paths).toContain(path)
})

test('the calls that are closed to keys answer 403 to a key with every right there is', async () => {
  const boss = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  const Rights = (await boss.ok(contract.listKeyRights, inProgram())).map(({ Right }) => Right)
  const { Key } = await make({ Rights, IsForAllPrograms: true, CallsPerMinute: 6_000, Name: 'All' }, boss)
  for (const endpoint of allEndpoints) {
    if (keyRightOf(endpoint) !== undefined) continue
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, name === 'programId' ? program.Id : 1]),
    )
    const { status, body } = await installation.anonymous.send(
      endpoint.method,
      addressOf(endpoint, { params }),
      withKey(Key),
    )
    expect([status, body.Code], `${endpoint.method} ${endpoint.path}`).toEqual([403, 'not_for_keys'])
  }
  expect((await installation.anonymous.call(getDescription, {}, withKey(Key))).status).toBe(200)
})

test('nobody gives a key more than they have, and only administrators keep keys', async () => {
  expect(await refused({ Rights: ['settings.manage'] })).toMatchObject({
    status: 403,
    body: { Code: 'not_yours' },
  })
  expect((await refused({ Rights: ['time.clock'] })).status).toBe(403)
  expect((await refused({ Rights: ['api-keys.manage'] })).status).toBe(403)
  expect((await refused({ Rights: ['no.such'] })).status).toBe(400)
  expect((await refused({ Rights: [] })).status).toBe(400)
  expect((await refused({ IsForAllPrograms: true })).status).toBe(403)
  for (const level of [Level.Director, Level.Coord, Level.Faculty, Level.Supervisor, Level.Student]) {
    const person = await installation.as(await makePerson(installation.owner, level, { program }))
    expect((await refused({}, person)).status).toBe(403)
    expect((await person.call(contract.listApiKeys, inProgram())).status).toBe(403)
  }
  const limited = await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas: 16 })
  expect((await refused({ Rights: ['people.write'] }, await installation.as(limited))).status).toBe(403)
})

test('bad input is told by its field', async () => {
  for (const body of [
    { Networks: ['10.0.0.0/33'] },
    { Networks: ['nonsense'] },
    { ExpireDays: 0 },
    { ExpireDays: 731 },
    { CallsPerMinute: 0 },
    { CallsPerMinute: 6_001 },
    { Name: ' ' },
  ])
    expect((await refused(body)).status, JSON.stringify(body)).toBe(400)
  await make()
  expect(await refused({ Name: 'WAREHOUSE' })).toMatchObject({ status: 409, body: { Code: 'name_taken' } })
})

test('attack: another program is not there, whoever made the key', async () => {
  const other = await makeProgram(installation.owner)
  const boss = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  for (const caller of [admin, boss]) {
    const { Key } = await make({ Name: `Of ${caller === boss}` }, caller)
    const { status } = await installation.anonymous.call(
      listSites,
      { params: { programId: other.Id } },
      withKey(Key),
    )
    expect(status).toBe(404)
  }
  const { Key } = await make({ Name: 'Both', IsForAllPrograms: true }, boss)
  const all = await installation.anonymous.call(listSites, { params: { programId: other.Id } }, withKey(Key))
  expect(all.status).toBe(200)
  expect((await admin.ok(contract.listApiKeys, inProgram())).map(({ Name }) => Name)).not.toContain('Both')
  expect((await boss.ok(contract.listApiKeys, inProgram())).map(({ Name }) => Name)).toContain('Both')
  const stranger = await installation.as(
    await makePerson(installation.owner, Level.Admin, { program: other }),
  )
  const { Id } = (await admin.ok(contract.listApiKeys, inProgram()))[0]!
  for (const endpoint of [contract.revokeApiKey, contract.rotateApiKey])
    expect(
      (
        await stranger.call(endpoint, {
          params: { programId: other.Id, keyId: Id },
          ...(endpoint === contract.rotateApiKey && { body: { OverlapHours: 0 } }),
        } as never)
      ).status,
    ).toBe(404)
})

test('attack: a forbidden network is refused, kept for the page and in the audit; the address may be mapped', async () => {
  const { Key, Id } = await make({ Networks: ['203.0.113.0/24', '2001:db8::/32'] })
  expect(await codeOf(Key)).toEqual([403, 'key_network'])
  await sites(Key)
  const [listed] = await admin.ok(contract.listApiKeys, inProgram())
  expect(listed).toMatchObject({ RefusedReason: 'network', RefusedAddress: '127.0.0.1', LastUsedDate: null })
  expect(listed!.Networks).toEqual(['203.0.113.0/24', '2001:db8::/32'])
  const { rows } = await installation.owner.query(
    `select action, host(address) as address, detail from audit where program_id = $1 and action = 'key refused'`,
    [program.Id],
  )
  expect(rows).toEqual([
    {
      action: 'key refused',
      address: '127.0.0.1',
      detail: { ByKey: { Id, Name: 'Warehouse' }, Reason: 'network' },
    },
  ])
  const { Key: own } = await make({ Name: 'Here', Networks: ['127.0.0.1'] })
  expect((await sites(own)).status).toBe(200)
})

test('attack: X-Forwarded-For counts for nothing unless a proxy that is trusted wrote it', async () => {
  const { Key } = await make({ Networks: ['203.0.113.7'] })
  expect(await codeOf(Key, { 'x-forwarded-for': '203.0.113.7' })).toEqual([403, 'key_network'])
  program = await makeProgram(proxied.owner)
  const caller = await proxied.as(await makePerson(proxied.owner, Level.Admin, { program }))
  const { Key: behind } = await make({ Networks: ['203.0.113.7'] }, caller)
  const via = async (address: string) => (await sites(behind, { 'x-forwarded-for': address }, proxied)).status
  expect(await via('203.0.113.7')).toBe(200)
  expect(await via('::ffff:203.0.113.7')).toBe(200)
  expect(await via('198.51.100.1')).toBe(403)
  // What the caller wrote itself comes before what the proxy added.
  expect(await via('203.0.113.7, 198.51.100.1')).toBe(403)
})

test('attack: an expired key opens nothing, and rotating it begins its time anew', async () => {
  const { Key, Id } = await make({ ExpireDays: 30 })
  await installation.owner.query(
    "update api_key set created_at = now() - interval '31 days', expires_at = now() - interval '1 day' where id = $1",
    [Id],
  )
  expect(await codeOf(Key)).toEqual([401, 'expired_key'])
  expect((await admin.ok(contract.listApiKeys, inProgram()))[0]!.State).toBe('expired')
  const again = await admin.ok(contract.rotateApiKey, {
    params: { programId: program.Id, keyId: Id },
    body: { OverlapHours: 0 },
  })
  const days = (Date.parse(again.ExpireDate!) - Date.parse(again.RotateDate!)) / 86_400_000
  expect(days).toBeCloseTo(30, 3)
  expect((await sites(again.Key)).status).toBe(200)
})

test('a revoked key opens nothing from that moment on, nor does the one before its rotation', async () => {
  const { Key, Id } = await make()
  const at = { params: { programId: program.Id, keyId: Id } }
  const { Key: next } = await admin.ok(contract.rotateApiKey, { ...at, body: { OverlapHours: 24 } })
  expect([(await sites(Key)).status, (await sites(next)).status]).toEqual([200, 200])
  await admin.ok(contract.revokeApiKey, at)
  expect(await codeOf(Key)).toEqual([401, 'unknown_key'])
  expect(await codeOf(next)).toEqual([401, 'unknown_key'])
  expect(await admin.ok(contract.listApiKeys, inProgram())).toEqual([])
  expect((await admin.call(contract.revokeApiKey, at)).status).toBe(404)
  await make()
})

test('the key before a rotation ends with the overlap, and at once without one', async () => {
  const { Key, Id } = await make()
  const rotate = (OverlapHours: number) =>
    admin.ok(contract.rotateApiKey, { params: { programId: program.Id, keyId: Id }, body: { OverlapHours } })
  const second = await rotate(24)
  expect(second.PreviousUntil).not.toBeNull()
  await installation.owner.query(
    "update api_key set previous_until = now() - interval '1 second' where id = $1",
    [Id],
  )
  expect(await codeOf(Key)).toEqual([401, 'unknown_key'])
  const third = await rotate(0)
  expect(await codeOf(second.Key)).toEqual([401, 'unknown_key'])
  expect((await sites(third.Key)).status).toBe(200)
})

test('whoever rotates a key takes it over, and only with all of its rights', async () => {
  const boss = await makePerson(installation.owner, Level.SuperAdmin)
  const { Key, Id } = await make({ Rights: ['sites.read', 'settings.manage'] }, await installation.as(boss))
  const rotation = { params: { programId: program.Id, keyId: Id }, body: { OverlapHours: 1 } }
  expect((await admin.call(contract.rotateApiKey, rotation)).status).toBe(403)
  expect((await sites(Key)).status).toBe(200)
  const { Id: plain } = await make({ Name: 'Plain' })
  const colleague = await makePerson(installation.owner, Level.Admin, { program })
  const mine = await (await installation.as(colleague)).ok(contract.rotateApiKey, {
    params: { programId: program.Id, keyId: plain },
    body: { OverlapHours: 1 },
  })
  expect(mine.CreateBy).toBe(colleague.UserName.replace(/^person(\d+)$/, 'First$1 Last$1'))
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [adminId])
  expect((await sites(mine.Key)).status).toBe(200)
})

test('attack: the maker is demoted, moved or deactivated, and the key ends with the rights', async () => {
  const { Key } = await make()
  const set = (columns: string) =>
    installation.owner.query(`update account set ${columns} where id = $1`, [adminId])
  await set('access_level = 69')
  expect(await codeOf(Key)).toEqual([403, 'key_owner'])
  await set('access_level = 89')
  expect((await sites(Key)).status).toBe(200)
  await set('deactivated_at = now()')
  expect(await codeOf(Key)).toEqual([401, 'unknown_key'])
  const other = await makeProgram(installation.owner)
  await installation.owner.query('delete from leaving where account_id = $1', [adminId])
  await set(`deactivated_at = null, program_id = ${other.Id}`)
  expect(await codeOf(Key)).toEqual([401, 'unknown_key'])
})

test('attack: a super admin who loses an area or the level takes the rights from keys that are out already', async () => {
  const boss = await makePerson(installation.owner, Level.SuperAdmin)
  const caller = await installation.as(boss)
  const { Key } = await make({ Rights: ['people.write', 'sites.read'], IsForAllPrograms: true }, caller)
  await installation.owner.query('update account set super_admin_areas = 16 where id = $1', [boss.Id])
  const user = await installation.anonymous.call(createUser, { body: {} as never }, withKey(Key))
  expect([user.status, (user.body as any).Code]).toEqual([403, 'key_right'])
  expect((await sites(Key)).status).toBe(200)
  const listed = (await caller.ok(contract.listApiKeys, inProgram())).find(({ Name }) => Name === 'Warehouse')
  expect(listed!.LostRights).toEqual(['people.write'])
  await installation.owner.query('update account set access_level = 89, program_id = $2 where id = $1', [
    boss.Id,
    program.Id,
  ])
  expect(await codeOf(Key)).toEqual([401, 'unknown_key'])
})

test('attack: with a bad key the cookie of an administrator counts for nothing, whatever the scheme’s case', async () => {
  const { Key } = await make()
  for (const authorization of [
    'Bearer psk_wrong',
    'bearer psk_wrong',
    'BEARER  psk_wrong',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Bearer ${Key}x`,
    `Bearer ${Key.slice(0, -1)}`,
  ]) {
    const { status, body } = await admin.call(listSites, inProgram(), { headers: { authorization } })
    expect([status, (body as any).Code], authorization).toEqual([401, 'unknown_key'])
  }
  // With a good one, too: the rights are the key's, not those of the person who is signed in.
  const areas = await admin.call(listAreas, { ...inProgram(), query: {} }, withKey(Key))
  expect(areas.status).toBe(403)
  const basic = await admin.call(listSites, inProgram(), { headers: { authorization: 'Basic YTpi' } })
  expect(basic.status).toBe(200)
})

test('without a good key nothing is told about what was sent, however broken it is', async () => {
  for (const body of ['{"Name":', { Foreign: 1 }])
    expect(
      await installation.anonymous.send('POST', `/programs/${program.Id}/areas`, {
        body,
        headers: { authorization: 'Bearer psk_wrong' },
      }),
    ).toMatchObject({ status: 401, body: { Code: 'unknown_key' } })
})

test('what a key does is in the audit under its name', async () => {
  const { Key, Id } = await make({ Name: 'Registrar', Rights: ['areas.write'] })
  await installation.anonymous.call(createArea, { ...inProgram(), body: areaInput }, withKey(Key))
  const { rows } = await installation.owner.query(
    "select account_id, detail -> 'ByKey' as key from audit where program_id = $1 and action like '%/areas'",
    [program.Id],
  )
  expect(rows).toEqual([{ account_id: adminId, key: { Id, Name: 'Registrar' } }])
  const made = await installation.owner.query(
    "select detail from audit where program_id = $1 and action like 'POST %/api-keys' order by id limit 1",
    [program.Id],
  )
  expect(made.rows[0].detail).toMatchObject({ KeyId: Id, Name: 'Registrar', Rights: ['areas.write'] })
  expect(JSON.stringify(made.rows)).not.toContain(Key)
})

test('calls of a key are limited on all processes together, and say how many are left', async () => {
  const second = await createWeb(installation.services, routes, {
    isReady: () => isDatabaseReady(installation.services.pool),
  })
  try {
    const { Key } = await make({ CallsPerMinute: 3 })
    const path = `/new/api/programs/${program.Id}/sites`
    const beside = () =>
      second.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${Key}` } })
    const first = await sites(Key)
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60')
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=2;t=\d+$/)
    expect((await beside()).statusCode).toBe(200)
    expect((await sites(Key)).headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/)
    const refusal = await beside()
    expect([refusal.statusCode, refusal.json().Code]).toEqual([429, 'throttled'])
    const wait = Number(refusal.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    // Another key of the same person has its own count.
    const { Key: other } = await make({ Name: 'Other', CallsPerMinute: 3 })
    expect((await sites(other)).status).toBe(200)
  } finally {
    await second.close()
  }
})

test('ten calls at once are counted ten times', async () => {
  const { Key } = await make({ CallsPerMinute: 5 })
  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await sites(Key)).status))
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429, 429])
})

test('a key ends for good with the access of its person, the other administrators are told, and a rotation alone opens it again', async () => {
  const { owner, as, anonymous } = installation
  const person = await makePerson(owner, Level.Admin, { program, first_name: 'Ana', last_name: 'Cruz' })
  const { Key, Id } = await make({ Name: 'Warehouse' }, await as(person))
  await make({ Name: 'Own' })
  const of = { params: { ...inProgram().params, userId: person.Id } }
  const told = async () =>
    (
      await owner.query<{ text: string }>(
        'select text from notification where account_id = $1 and kind = $2',
        [adminId, 'keys'],
      )
    ).rows.map(({ text }) => text)
  const coordinator = await as(await makePerson(owner, Level.Coord, { program }))
  expect(await codeOf(Key)).toEqual([200, undefined])
  await admin.ok(deactivateUser, of)
  expect(await told()).toEqual([
    'The key Warehouse ended with the access of Ana Cruz. Rotate what another system still needs: the new key has your rights.',
  ])
  expect(await codeOf(Key)).toEqual([401, 'unknown_key'])
  await admin.ok(reactivateUser, of)
  expect(await codeOf(Key)).toEqual([401, 'unknown_key'])
  const states = async () =>
    (await admin.ok(contract.listApiKeys, inProgram())).map(({ Name, State }) => [Name, State])
  expect(await states()).toEqual([
    ['Own', 'active'],
    ['Warehouse', 'ended'],
  ])
  const params = { ...inProgram().params, keyId: Id }
  const rotate = (caller: Caller) =>
    caller.call(contract.rotateApiKey, { params, body: { OverlapHours: 24 } })
  expect([(await rotate(coordinator)).status, (await rotate(anonymous)).status]).toEqual([403, 401])
  const { body } = await rotate(admin)
  expect(body).toMatchObject({ State: 'active', PreviousUntil: null })
  expect([await codeOf(body.Key), await codeOf(Key)]).toEqual([
    [200, undefined],
    [401, 'unknown_key'],
  ])
})

test('whoever tries keys is slowed down', async () => {
  await installation.owner.query("delete from throttle where key = 'api-key:address:127.0.0.1'")
  await makeRow(installation.owner, 'throttle', {
    key: 'api-key:address:127.0.0.1',
    count: 300,
    window_ends_at: new Date(Date.now() + 600_000).toISOString(),
  })
  expect((await sites('psk_wrong')).status).toBe(429)
  const { Key } = await make()
  expect((await sites(Key)).status).toBe(200)
  await installation.owner.query("delete from throttle where key = 'api-key:address:127.0.0.1'")
})

test('attack: a key gives nobody a level above faculty, and touches nobody above it', async () => {
  const { Key } = await make({ Rights: ['people.write', 'people.read'] })
  const director = await makePerson(installation.owner, Level.Director, { program })
  const person = { params: { programId: program.Id, userId: director.Id } }
  const {
    Id: _id,
    UserName: _name,
    IsActive: _active,
    IsTestUser: _test,
    ...before
  } = await admin.ok(getUser, person)
  const body = {
    ...before,
    ZipCode: '02740',
    PhoneNumber: '5085550100',
    EmailAddress: 'thief@example.org',
  } as never
  const { status } = await installation.anonymous.call(updateUser, { ...person, body }, withKey(Key))
  expect(status).toBe(403)
  expect((await admin.call(updateUser, { ...person, body })).status).toBe(200)
  const invite = (accessLevel: number) =>
    installation.anonymous.call(
      inviteUser,
      { body: { firstName: 'T', lastName: 'F', emailAddress: 'thief@example.org', accessLevel } },
      withKey(Key),
    )
  for (const level of [Level.SuperAdmin, Level.Admin, Level.Director, Level.Coord])
    expect((await invite(level)).status, String(level)).toBe(422)
  expect((await invite(Level.Faculty)).status).toBe(200)
})

test('what a key has asked to be prepared is its own: neither another key of the person nor the person’s bell has it', async () => {
  const { Key, Id } = await make({ Rights: ['sites.read'] })
  const { Key: other } = await make({ Name: 'Other' })
  await makeRow(installation.owner, 'background_task', {
    program_id: program.Id,
    account_id: adminId,
    key_id: Id,
    kind: 'file',
    action: `${exportSites.method} ${exportSites.path}`,
    input: JSON.stringify({ params: {}, query: {} }),
    address: '127.0.0.1',
    name: 'Sites.xlsx',
  })
  const tasks = async (key: string) =>
    (await installation.anonymous.call(listTasks, {}, withKey(key))).body.map(({ Name }) => Name)
  expect(await tasks(Key)).toEqual(['Sites.xlsx'])
  expect(await tasks(other)).toEqual([])
  expect(await admin.ok(listTasks, {})).toEqual([])
})

test('an Idempotency-Key of one key is not that of another', async () => {
  const { Key } = await make({ Rights: ['areas.write'] })
  const { Key: other } = await make({ Name: 'Other', Rights: ['areas.write'] })
  const add = (key: string, Name: string) =>
    installation.anonymous.call(
      createArea,
      { ...inProgram(), body: { ...areaInput, Name } },
      withKey(key, { 'idempotency-key': 'the-same-key' }),
    )
  const first = await add(Key, 'First')
  expect((await add(Key, 'First')).body).toEqual(first.body)
  expect((await add(other, 'Second')).status).toBe(200)
})
