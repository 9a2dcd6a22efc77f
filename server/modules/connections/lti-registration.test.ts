import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as connections from '#contract/connections/connections.ts'
import * as contract from '#contract/connections/lti.ts'
import { Level } from '#contract/core/levels.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { type LtiTestPlatform, startLtiPlatform } from '#server/test/lti-platform.ts'

let installation: Installation
/** One whose operator lists no networks. */
let strict: Installation
let superAdmin: Caller
let program: MadeProgram
let platform: LtiTestPlatform

beforeAll(async () => {
  installation = await startInstallation({ WEBHOOK_ALLOW: '127.0.0.0/8' })
  strict = await startInstallation()
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  program = await makeProgram(installation.owner)
})
afterAll(async () => {
  await installation?.stop()
  await strict?.stop()
})
beforeEach(async () => {
  platform = await startLtiPlatform({ clientId: `tool-${++counter}` })
  platform.page.tool = `${installation.url}/new/lti/login`
  return () => platform.stop()
})

let counter = 0
const toolPart = 'https://purl.imsglobal.org/spec/lti-tool-configuration'
const at = ({ Id }: { Id: number }) => ({ params: { connectionId: Id } })

const begin = async (more: Record<string, unknown> = {}, caller = superAdmin, into = program) => {
  const body = {
    Name: `LMS ${++counter}`,
    ProgramId: into.Id,
    AccessLevel: Level.Faculty as number,
    ...more,
  }
  return caller.ok(contract.createLtiRegistration, { body })
}
/** The browser of whoever entered an address in the LMS opens it. */
const open = async (address: string, query: Record<string, string> = {}) => {
  const to = new URL(address)
  const parts = { openid_configuration: platform.configurationUrl, registration_token: 'secret', ...query }
  for (const [name, value] of Object.entries(parts)) if (value) to.searchParams.set(name, value)
  const answer = await fetch(to, { redirect: 'manual', headers: { 'sec-fetch-dest': 'iframe' } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const find = async (connectionId: number, caller = superAdmin) =>
  (await caller.ok(connections.listConnections)).find(({ Id }) => Id === connectionId)!
const audited = async (of = installation) =>
  (
    await of.owner.query(
      "select action, detail from audit where action like 'LMS registration%' or action = 'LMS registered' order by id desc limit 1",
    )
  ).rows[0] as { action: string; detail: Record<string, unknown> }
const launch = (client: string) =>
  fetch(`${installation.url}/new/lti/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-dest': 'document' },
    body: new URLSearchParams({ iss: platform.issuer, login_hint: 'somebody', client_id: client }),
  })

test('an LMS registers by the address, tells the frame that it is done, and works after a super admin has turned it on', async () => {
  const made = await begin()
  expect(made.Address).toMatch(new RegExp(`^${installation.url}/new/lti/register/[\\w-]{30,}$`))
  expect(await find(made.ConnectionId)).toMatchObject({
    Stage: 'awaits_lms',
    Issuer: '',
    ClientId: '',
    AddressExpireDate: made.ExpireDate,
    Programs: [{ ProgramId: program.Id, AccessLevel: Level.Faculty }],
  })
  const page = await open(made.Address)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Practicum is registered')
  // Whatever LMS it is, it shows the page in its frame.
  expect(page.headers.get('content-security-policy')).toContain('frame-ancestors *')
  const script = await fetch(`${installation.url}/new/lti/registered.js`)
  expect(await script.text()).toContain("{ subject: 'org.imsglobal.lti.close' }, '*'")

  const own = (path: string) => `${installation.url}/new/lti/${path}`
  expect(platform.registrations).toMatchObject([
    {
      authorization: 'Bearer secret',
      body: {
        application_type: 'web',
        response_types: ['id_token'],
        grant_types: ['implicit', 'client_credentials'],
        initiate_login_uri: own('login'),
        redirect_uris: [own('launch')],
        client_name: 'Practicum',
        jwks_uri: own('jwks'),
        token_endpoint_auth_method: 'private_key_jwt',
        scope: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
        [toolPart]: {
          domain: new URL(installation.url).host,
          target_link_uri: own('launch'),
          custom_parameters: {},
          claims: expect.arrayContaining(['iss', 'sub']),
          messages: [
            { type: 'LtiResourceLinkRequest', placements: ['course_navigation'] },
            { type: 'LtiDeepLinkingRequest', placements: ['ContentArea'] },
          ],
        },
      },
    },
  ])
  expect(await find(made.ConnectionId)).toMatchObject({
    Stage: 'awaits_approval',
    Issuer: platform.issuer,
    ClientId: platform.clientId,
    AddressExpireDate: null,
    LastError: '',
    Lti: {
      AuthUrl: platform.authUrl,
      KeysUrl: platform.keysUrl,
      TokenUrl: platform.tokenUrl,
      Deployments: ['deployment-1'],
      RoleLevels: [
        { Role: 'Instructor', Level: Level.Faculty },
        { Role: 'Learner', Level: Level.Student },
      ],
    },
  })
  expect(await audited()).toMatchObject({
    action: 'LMS registered',
    detail: { Issuer: platform.issuer, ClientId: platform.clientId },
  })

  // Tested before it is on; nobody comes in by it.
  const tried = await superAdmin.ok(connections.testConnection, at({ Id: made.ConnectionId }))
  expect(tried).toMatchObject({ IsOk: true })
  expect((await launch(platform.clientId)).status).toBe(400)
  const on = await superAdmin.ok(contract.approveLtiConnection, at({ Id: made.ConnectionId }))
  expect(on.Stage).toBe('on')
  const begun = await launch(platform.clientId)
  expect([begun.status, begun.headers.get('location')]).toEqual([
    303,
    expect.stringContaining(platform.authUrl),
  ])
  expect((await superAdmin.call(contract.approveLtiConnection, at({ Id: made.ConnectionId }))).status).toBe(
    409,
  )
})

test('attack: an address is good once, for its days, until another is made, and not after its connection was deleted', async () => {
  const refused = async (address: string) => {
    const { status, text } = await open(address)
    expect([status, text]).toEqual([400, expect.stringContaining('unknown, has expired, or was used')])
  }
  const used = await begin()
  await open(used.Address)
  await refused(used.Address)
  expect(platform.registrations).toHaveLength(1)
  expect((await superAdmin.call(contract.renewLtiRegistration, at({ Id: used.ConnectionId }))).status).toBe(
    409,
  )

  const late = await begin()
  await installation.owner.query(
    "update lti_registration set expires_at = now() - interval '1 second' where provider_id = $1",
    [late.ConnectionId],
  )
  await refused(late.Address)
  const next = await superAdmin.ok(contract.renewLtiRegistration, at({ Id: late.ConnectionId }))
  await refused(late.Address)
  await superAdmin.ok(connections.deleteConnection, at({ Id: late.ConnectionId }))
  await refused(next.Address)
  await refused(`${installation.url}/new/lti/register/made-up`)
  expect((await audited()).detail).toMatchObject({ Reason: expect.stringContaining('unknown') })

  const gone = await begin({}, superAdmin, await makeProgram(installation.owner))
  await installation.owner.query(
    'update program set deleted_at = now() where id = (select program_id from saml_program where provider_id = $1)',
    [gone.ConnectionId],
  )
  await refused(gone.Address)
  expect(platform.registrations).toHaveLength(1)
})

test('attack: of two that open an address at once one registers', async () => {
  const made = await begin()
  const answers = await Promise.all([open(made.Address), open(made.Address), open(made.Address)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  expect(platform.registrations).toHaveLength(1)
})

test('attack: an address ends with the rights of whoever made it', async () => {
  const maker = await makePerson(installation.owner, Level.SuperAdmin)
  const caller = await installation.as(maker)
  const [demoted, deactivated] = [await begin({}, caller), await begin({}, caller)]
  const set = (columns: string) =>
    installation.owner.query(`update account set ${columns} where id = $1`, [maker.Id])
  await set('super_admin_areas = 16')
  const answer = await open(demoted.Address)
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('no longer valid')])
  expect((await find(demoted.ConnectionId)).LastError).toContain('may no longer keep connections')
  await set('super_admin_areas = null, deactivated_at = now()')
  expect((await open(deactivated.Address)).status).toBe(400)
  expect(platform.registrations).toEqual([])
})

test('attack: configurations of another issuer, without what a launch needs, or with addresses that may not be called register nothing', async () => {
  const made = await begin()
  const lti = 'https://purl.imsglobal.org/spec/lti-platform-configuration'
  for (const [changed, words] of [
    [{ issuer: 'https://other.example' }, 'but its issuer is https://other.example'],
    [{ issuer: platform.issuer.replace(/\d+$/, '1') }, 'but its issuer is'],
    [{ issuer: `${platform.issuer}?tenant=1` }, 'may hold no'],
    [{ issuer: undefined }, 'has no issuer'],
    [{ issuer: ['x'] }, 'has no issuer'],
    [{ jwks_uri: 'javascript:alert(1)' }, 'jwks_uri'],
    [{ authorization_endpoint: 'https://user:word@lms.example/' }, 'authorization_endpoint'],
    [{ registration_endpoint: undefined }, 'has no registration_endpoint'],
    [{ registration_endpoint: 'http://10.0.0.1/registrations' }, 'not in the public internet'],
    [{ [lti]: undefined }, 'launches tools by LTI 1.3'],
    [{ [lti]: { messages_supported: [{ type: 'Something' }] } }, 'launches tools by LTI 1.3'],
  ] as const) {
    platform.answers.set('/.well-known/openid-configuration', () => ({
      body: { ...platform.configuration(), ...changed },
    }))
    const { status, text } = await open(made.Address)
    expect([status, text]).toEqual([400, expect.stringContaining(words)])
    expect(text).toContain('can be opened again')
    expect((await find(made.ConnectionId)).LastError).toContain(words)
  }
  expect(platform.registrations).toEqual([])
  // Corrected, the same address registers, and nothing is left of the errors.
  platform.answers.clear()
  expect((await open(made.Address)).status).toBe(200)
  expect(await find(made.ConnectionId)).toMatchObject({ Stage: 'awaits_approval', LastError: '' })
})

test('attack: a configuration inside, one that leads on, and one of a gigabyte are not read', async () => {
  const made = await begin()
  const refused = async (openid_configuration: string, words: string) => {
    const { status, text } = await open(made.Address, { openid_configuration })
    expect([status, text]).toEqual([400, expect.stringContaining(words)])
  }
  await refused('http://10.1.2.3/configuration', 'not in the public internet')
  await refused('http://[::1]/configuration', 'not in the public internet')
  await refused('file:///etc/passwd', 'must begin with https://')
  await refused('nothing', 'must begin with https://')
  await refused(`https://lms.example/${'x'.repeat(3_000)}`, 'too long')
  platform.answers.set('/.well-known/openid-configuration', () => ({
    status: 302,
    body: {},
    headers: { location: '/other' },
  }))
  await refused(platform.configurationUrl, 'not followed')
  platform.answers.set('/.well-known/openid-configuration', () => ({ status: 500, body: {} }))
  await refused(platform.configurationUrl, 'status 500')
  platform.answers.set('/.well-known/openid-configuration', () => ({ body: 'not JSON' }))
  await refused(platform.configurationUrl, 'not JSON')
  const endless = await serve((response) => {
    const more = () => {
      while (!response.destroyed) if (!response.write('x'.repeat(65_536))) break
    }
    response.on('drain', more)
    more()
  })
  await refused(endless.address, 'more than')
  await endless.stop()
  // Where the operator lists no networks, this machine is inside too.
  const admin = await strict.as(await makePerson(strict.owner, Level.SuperAdmin))
  const inside = await begin({}, admin, await makeProgram(strict.owner))
  expect((await open(inside.Address)).text).toContain('must begin with https://')
  const secure = { openid_configuration: 'https://127.0.0.1/configuration' }
  expect((await open(inside.Address, secure)).text).toContain('not in the public internet')
  expect((await find(inside.ConnectionId, admin)).Stage).toBe('awaits_lms')
})

test('attack: a platform that answers nothing is given up', async () => {
  const made = await begin()
  const silent = await serve(() => {})
  const { status, text } = await open(made.Address, { openid_configuration: silent.address })
  expect([status, text]).toEqual([400, expect.stringContaining('did not answer within 8 seconds')])
  await silent.stop()
}, 20_000)

test('attack: answers without a client ID, of a client that is connected already, or refusals leave the connection as it was', async () => {
  const first = await begin()
  await open(first.Address)
  const made = await begin()
  for (const [answer, words] of [
    [{ body: {} }, 'without a client ID'],
    [{ body: { client_id: '' } }, 'without a client ID'],
    [{ body: { client_id: { id: 1 } } }, 'without a client ID'],
    [{ body: { client_id: 'x'.repeat(300) } }, 'without a client ID'],
    [{ body: [] }, 'without a client ID'],
    [{ body: { client_id: platform.clientId } }, 'is connected with the client ID'],
    [
      { status: 401, body: { error: 'invalid_token', error_description: 'too old' } },
      'invalid_token, too old',
    ],
    [{ status: 302, body: {}, headers: { location: '/other' } }, 'not followed'],
  ] as const) {
    platform.answers.set('/registrations', () => answer)
    const { status, text } = await open(made.Address)
    expect([status, text]).toEqual([400, expect.stringContaining(words)])
  }
  expect(await find(made.ConnectionId)).toMatchObject({ Stage: 'awaits_lms', ClientId: '' })
  platform.answers.set('/registrations', () => ({
    status: 201,
    body: { client_id: 'numbered', [toolPart]: { deployment_id: 7 } },
  }))
  expect((await open(made.Address)).status).toBe(200)
  expect(await find(made.ConnectionId)).toMatchObject({ ClientId: 'numbered', Lti: { Deployments: ['7'] } })
})

test('attack: what a platform says is text on the page, never HTML', async () => {
  const made = await begin({ Name: '<img src=x onerror=alert(1)>' })
  platform.answers.set('/registrations', () => ({
    status: 400,
    body: { error: '<script>alert(1)</script>', error_description: '"><b>' },
  }))
  const { text } = await open(made.Address)
  expect(text).toContain('&#60;script&#62;alert(1)')
  expect(text).not.toMatch(/<script>alert|<img|<b>/)
})

test('who looks at an address spends nothing, and after many failures it is spent', async () => {
  const made = await begin()
  const looked = await open(made.Address, { openid_configuration: '' })
  expect([looked.status, looked.text]).toEqual([400, expect.stringContaining('did not use it up')])
  await installation.owner.query('update lti_registration set attempts = 19 where provider_id = $1', [
    made.ConnectionId,
  ])
  expect((await open(made.Address, { openid_configuration: 'nothing' })).text).toContain('must begin')
  expect((await open(made.Address)).text).toContain('unknown, has expired')
})

test('addresses are kept by super admins with that area alone, and a connection without an LMS is neither saved, tested nor turned on', async () => {
  const made = await begin()
  const place = at({ Id: made.ConnectionId })
  for (const level of [Level.Admin, Level.Coord, Level.Student] as const) {
    const caller = await installation.as(await makePerson(installation.owner, level, { program }))
    const body = { Name: 'x', ProgramId: program.Id, AccessLevel: Level.Student as number }
    expect((await caller.call(contract.createLtiRegistration, { body })).status).toBe(403)
    expect((await caller.call(contract.renewLtiRegistration, place)).status).toBe(403)
    expect((await caller.call(contract.approveLtiConnection, place)).status).toBe(403)
  }
  const status = async (more: Record<string, unknown>) => {
    const body = { Name: `N ${++counter}`, ProgramId: program.Id, AccessLevel: Level.Student as number }
    return (await superAdmin.call(contract.createLtiRegistration, { body: { ...body, ...more } })).status
  }
  expect(await status({ Name: (await find(made.ConnectionId)).Name.toUpperCase() })).toBe(409)
  expect(await status({ ProgramId: 999_999 })).toBe(422)
  expect(await status({ AccessLevel: Level.SuperAdmin })).toBe(400)
  const settings = {
    Name: 'y',
    ClientId: 'z',
    AuthUrl: platform.authUrl,
    KeysUrl: platform.keysUrl,
    Deployments: [],
    RoleLevels: [],
  }
  expect((await superAdmin.call(contract.updateLtiConnection, { ...place, body: settings })).status).toBe(409)
  expect((await superAdmin.call(contract.approveLtiConnection, place)).status).toBe(409)
  expect((await superAdmin.call(connections.testConnection, place)).status).toBe(404)
  expect((await launch('')).status).toBe(400)
})

/** A host of this machine that answers as a test wants. */
const serve = async (answer: (response: ServerResponse) => void) => {
  const server = createServer((_request, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/configuration`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
