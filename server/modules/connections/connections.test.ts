import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/connections/connections.ts'
import { Level } from '#contract/core/levels.ts'
import { loginByCollege } from '#contract/saml/saml.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { type OpenIdTestProvider, startOpenIdProvider } from '#server/test/openid-provider.ts'

let installation: Installation
let superAdmin: Caller
let program: MadeProgram
let op: OpenIdTestProvider

beforeAll(async () => {
  installation = await startInstallation({ WEBHOOK_ALLOW: '127.0.0.0/8' })
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  program = await makeProgram(installation.owner)
  op = await startOpenIdProvider()
})
afterAll(async () => {
  await installation?.stop()
  await op?.stop()
})

let counter = 0
const input = (more: Record<string, unknown> = {}) => ({
  Name: `College ${++counter}`,
  Issuer: op.issuer,
  ClientId: `client-${counter}`,
  ClientSecret: 'hidden from everyone',
  SubjectClaim: 'sub' as const,
  ProgramId: program.Id,
  AccessLevel: Level.Faculty as number,
  ...more,
})
const make = (more: Record<string, unknown> = {}) =>
  superAdmin.ok(contract.createConnection, { body: input(more) })
const at = ({ Id }: { Id: number }) => ({ params: { connectionId: Id } })

test('a connection is made, read back and changed; its secret is sealed in the database and told to no one', async () => {
  const made = await make()
  expect(made).toMatchObject({
    HasSecret: true,
    Programs: [{ ProgramId: program.Id, AccessLevel: Level.Faculty }],
  })
  expect(JSON.stringify(made)).not.toContain('hidden from everyone')
  expect(await superAdmin.ok(contract.getConnection, at(made))).toEqual(made)
  const sealed = async () =>
    (await installation.owner.query('select client_secret from saml_provider where id = $1', [made.Id]))
      .rows[0].client_secret as string | null
  const before = await sealed()
  expect(before).toMatch(/^v1\./)
  const change = { Name: `${made.Name}, renamed`, ClientId: made.ClientId, SubjectClaim: 'oid' as const }
  const changed = await superAdmin.ok(contract.updateConnection, { ...at(made), body: change })
  expect(changed).toMatchObject({ ...change, HasSecret: true, Issuer: made.Issuer })
  expect(await sealed()).toBe(before)
  await superAdmin.ok(contract.updateConnection, { ...at(made), body: { ...change, RemoveSecret: true } })
  expect(await sealed()).toBeNull()
  const { rows } = await installation.owner.query(
    "select detail from audit where action like '%/connections%'",
  )
  expect(JSON.stringify(rows)).not.toContain('hidden from everyone')
  await superAdmin.ok(contract.deleteConnection, at(made))
  expect((await superAdmin.call(contract.getConnection, at(made))).status).toBe(404)
})

test('names, issuers with their client, levels and addresses that cannot be are refused', async () => {
  const made = await make()
  const status = async (more: Record<string, unknown>) =>
    (await superAdmin.call(contract.createConnection, { body: input(more) })).status
  expect(await status({ Name: made.Name.toUpperCase() })).toBe(409)
  expect(await status({ ClientId: made.ClientId })).toBe(409)
  for (const Issuer of [
    'ftp://a.example',
    'https://a.example/?x',
    'https://u:p@a.example',
    'https://a.example/#x',
    'x',
  ])
    expect(await status({ Issuer }), Issuer).toBe(400)
  for (const AccessLevel of [Level.SuperAdmin, Level.Unknown, 1, 88])
    expect(await status({ AccessLevel }), String(AccessLevel)).toBe(400)
  expect(await status({ ProgramId: 999_999 })).toBe(422)
  expect(await status({ Name: '' })).toBe(400)
})

test('nobody but super admins with that area sees or keeps connections', async () => {
  const made = await make()
  for (const level of [Level.Admin, Level.Coord, Level.Student] as const) {
    const caller = await installation.as(await makePerson(installation.owner, level, { program }))
    expect((await caller.call(contract.listConnections)).status).toBe(403)
    expect((await caller.call(contract.createConnection, { body: input() })).status).toBe(403)
    expect((await caller.call(contract.testConnection, at(made))).status).toBe(403)
    expect((await caller.call(contract.listConnectedPeople, at(made))).status).toBe(403)
  }
  expect((await installation.anonymous.call(contract.listConnections)).status).toBe(401)
})

test('programs are connected up to a level; the last one stays', async () => {
  const made = await make()
  const other = await makeProgram(installation.owner)
  const last = { params: { connectionId: made.Id, programId: program.Id } }
  expect((await superAdmin.call(contract.disconnectProgram, last)).status).toBe(409)
  const body = { ProgramId: other.Id, AccessLevel: Level.Student }
  const { Programs } = await superAdmin.ok(contract.connectProgram, { ...at(made), body })
  expect(Programs.map(({ AccessLevel }) => AccessLevel).toSorted()).toEqual([Level.Student, Level.Faculty])
  await superAdmin.ok(contract.disconnectProgram, last)
  expect((await superAdmin.call(contract.disconnectProgram, last)).status).toBe(404)
})

test('people in reach are listed, searched and linked by name; nobody above the level or of another program is', async () => {
  const made = await make()
  const student = await makePerson(installation.owner, Level.Student, { program, last_name: 'Linkable' })
  const admin = await makePerson(installation.owner, Level.Admin, { program, last_name: 'Linkable' })
  const foreign = await makePerson(installation.owner, Level.Student, { last_name: 'Linkable' })
  const list = (query: { search?: string; IsLinked?: boolean; page?: number; pageSize?: number }) =>
    superAdmin.ok(contract.listConnectedPeople, { ...at(made), query })
  const found = await list({ search: 'linkable' })
  expect([found.Total, found.Items.map(({ UserId }) => UserId)]).toEqual([1, [student.Id]])
  const save = (userId: number, Subject: string) =>
    superAdmin.call(contract.saveConnectedPerson, {
      params: { connectionId: made.Id, userId },
      body: { Subject },
    })
  expect((await save(student.Id, 'sub-1')).body).toMatchObject({ Subject: 'sub-1' })
  for (const { Id } of [admin, foreign]) expect((await save(Id, 'sub-2')).status).toBe(404)
  const second = await makePerson(installation.owner, Level.Student, { program })
  expect((await save(second.Id, 'sub-1')).status).toBe(409)
  expect((await list({ IsLinked: true })).Items.map(({ UserId }) => UserId)).toEqual([student.Id])
  // The claim stays while people are known by it.
  const change = { Name: made.Name, ClientId: made.ClientId, SubjectClaim: 'oid' as const }
  expect((await superAdmin.call(contract.updateConnection, { ...at(made), body: change })).status).toBe(409)
  expect((await save(student.Id, '')).body).toMatchObject({ Subject: null })
  expect((await superAdmin.call(contract.updateConnection, { ...at(made), body: change })).status).toBe(200)
})

test('a test says how far it came: the description, the keys, and whether the client is known', async () => {
  const good = await make({ ClientId: op.clientId, ClientSecret: op.clientSecret })
  const tested = await superAdmin.ok(contract.testConnection, at(good))
  expect(tested).toMatchObject({
    IsOk: true,
    Steps: [{ IsOk: true }, { IsOk: true, Detail: 'key-1' }, { IsOk: true }],
  })
  const wrong = await make({ ClientSecret: 'wrong' })
  const { IsOk, Steps } = await superAdmin.ok(contract.testConnection, at(wrong))
  expect([IsOk, Steps.map(({ IsOk }) => IsOk)]).toEqual([false, [true, true, false]])
  expect(Steps[2]?.Detail).toContain('client secret is wrong')
  const listed = (await superAdmin.ok(contract.listConnections)).find(({ Id }) => Id === wrong.Id)
  expect(listed).toMatchObject({ LastSuccessDate: null, LastError: Steps[2]?.Detail })
  // A description of another issuer, one that is none, and one that leads on to another address.
  for (const answer of [
    { body: { issuer: 'https://another.example' } },
    { body: 'hello' },
    { status: 302, body: {} },
  ]) {
    op.answers.set('/.well-known/openid-configuration', () => answer)
    expect(await superAdmin.ok(contract.testConnection, at(good))).toMatchObject({ IsOk: false })
  }
  op.answers.clear()
})

test('a provider inside this network is not called unless the operator lists its network', async () => {
  const careful = await startInstallation()
  try {
    const boss = await careful.as(await makePerson(careful.owner, Level.SuperAdmin))
    const { Id: ProgramId } = await makeProgram(careful.owner)
    const of = (Issuer: string) =>
      boss.call(contract.createConnection, { body: input({ Issuer, ProgramId }) })
    expect((await of(op.issuer)).status).toBe(422)
    const made = await of('https://127.0.0.1:9')
    const { Steps } = await boss.ok(contract.testConnection, at(made.body))
    expect(Steps).toMatchObject([{ IsOk: false, Detail: expect.stringContaining('WEBHOOK_ALLOW') }])
  } finally {
    await careful.stop()
  }
})

test('a provider that others have written signs a person in', async () => {
  let server: Server | undefined
  try {
    const listening = (await import('node:http')).createServer()
    server = listening
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
    const connection = await make({
      Issuer: issuer,
      ClientId: 'practicum',
      ClientSecret: 'a secret of the test',
    })
    const redirect = `${installation.url}/new/oidc/${connection.Id}/answer`
    const provider = new Provider(issuer, {
      clients: [{ client_id: 'practicum', client_secret: 'a secret of the test', redirect_uris: [redirect] }],
      pkce: { required: () => true },
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: async () => ({ sub: accountId, email: 'someone@harbor.example' }),
      }),
      cookies: { keys: ['a key of the test'] },
    })
    listening.on('request', provider.callback())
    expect(await superAdmin.ok(contract.testConnection, at(connection))).toMatchObject({ IsOk: true })
    const student = await makePerson(installation.owner, Level.Student, { program })
    await superAdmin.ok(contract.saveConnectedPerson, {
      params: { connectionId: connection.Id, userId: student.Id },
      body: { Subject: 'the student' },
    })
    // A browser with its own cookies for each of the two, through the provider's pages for sign-in and consent.
    const jars = new Map<string, Map<string, string>>()
    const visit = async (address: string, form?: Record<string, string>): Promise<Response> => {
      const { host } = new URL(address)
      const jar = jars.get(host) ?? new Map<string, string>()
      jars.set(host, jar)
      const answer = await fetch(address, {
        redirect: 'manual',
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return answer
    }
    const follow = async (
      address: string,
      form?: Record<string, string>,
    ): Promise<{ at: string; page: string }> => {
      const answer = await visit(address, form)
      const next = answer.headers.get('location')
      const page = await answer.text()
      if (!next) return { at: address, page }
      const to = new URL(next, address).href
      return to.includes('/auth/college-answer') ? { at: to, page } : follow(to)
    }
    const actionOf = (page: string) => /action="([^"]+)"/.exec(page)?.[1] ?? ''
    const login = await follow(`${installation.url}/new/oidc/${connection.Id}/login`)
    const consent = await follow(actionOf(login.page), {
      prompt: 'login',
      login: 'the student',
      password: 'any',
    })
    const back = await follow(actionOf(consent.page), { prompt: 'consent' })
    const guid = new URL(back.at).searchParams.get('id') ?? ''
    expect(new URL(back.at).searchParams.get('problem')).toBeNull()
    const own = jars.get(new URL(installation.url).host)
    const cookie = `practicum_college=${own?.get('practicum_college')}`
    const entered = await installation.anonymous.call(
      loginByCollege,
      { body: { UserId: student.Id, Guid: guid } },
      { headers: { cookie } },
    )
    expect(entered.status).toBe(200)
  } finally {
    server?.closeAllConnections()
    server?.close()
  }
})
