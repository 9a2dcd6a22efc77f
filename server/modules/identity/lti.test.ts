import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as connections from '#contract/connections/connections.ts'
import * as lti from '#contract/connections/lti.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/saml/saml.ts'
import { getState } from '#contract/session/session.ts'
import { openPages, routes } from '#server/app.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { createWeb } from '#server/core/http/web.ts'
import { collegeSignIn } from '#server/test/college-sign-in.ts'
import { cookieIn } from '#server/test/cookies.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import {
  type LaunchSaying,
  type LtiTestPlatform,
  readLaunchRequest,
  startLtiPlatform,
} from '#server/test/lti-platform.ts'
import { renewToolKey } from './tidy.jobs.ts'

let installation: Installation
let superAdmin: Caller
let program: MadeProgram
let platform: LtiTestPlatform
let connectionId: number
let college: ReturnType<typeof collegeSignIn>
const password = 'Bluebird-42-harbor'

beforeAll(async () => {
  installation = await startInstallation({ WEBHOOK_ALLOW: '127.0.0.0/8', TRUST_PROXY: 'loopback' })
  college = collegeSignIn(installation)
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  program = await makeProgram(installation.owner)
  platform = await startLtiPlatform()
  platform.page.tool = `${installation.url}/new/lti/login`
  connectionId = await connect('Harbor LMS', platform)
})
afterAll(async () => {
  await installation?.stop()
  await platform?.stop()
})

const connect = async (
  Name: string,
  at: LtiTestPlatform,
  more: Record<string, unknown> = {},
): Promise<number> => {
  const body = {
    Name,
    Issuer: at.issuer,
    ClientId: at.clientId,
    AuthUrl: at.authUrl,
    KeysUrl: at.keysUrl,
    TokenUrl: at.tokenUrl,
    Deployments: ['deployment-1'],
    RoleLevels: [],
    ProgramId: program.Id,
    AccessLevel: Level.Faculty as number,
    ...more,
  }
  return (await superAdmin.ok(lti.createLtiConnection, { body })).Id
}

let counter = 0
const linkAs = (made: { Id: number; ProgramId: number | null }, subject: string, provider = connectionId) =>
  college.linkAs(made, subject, provider)
/** A person of the program whom the platform knows. */
const person = async (level: Level = Level.Student, row: Record<string, unknown> = {}) => {
  const subject = `subject-${++counter}`
  const made = await makePerson(installation.owner, level, { program, ...row })
  await linkAs(made, subject)
  return { ...made, subject }
}

const at = (path: string, to = installation.url) => `${to}/new/${path}`
const initiation = (more: Record<string, string> = {}) => ({
  iss: platform.issuer,
  login_hint: 'hint of the person',
  lti_message_hint: 'hint of the link',
  client_id: platform.clientId,
  target_link_uri: at('lti/launch'),
  ...more,
})

/** A platform sends the browser to begin a launch in a window: its cookie, and what the platform reads. */
const begin = async (more: Record<string, string> = {}) => {
  const { status, headers } = await fetch(at('lti/login'), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-dest': 'document', origin: 'https://lms.example' },
    body: new URLSearchParams(initiation(more)),
  })
  expect(status).toBe(303)
  const address = headers.get('location')!
  return {
    cookie: `practicum_college=${cookieIn(headers, 'practicum_college')}`,
    request: readLaunchRequest(address),
  }
}
type Begun = Awaited<ReturnType<typeof begin>>

/** The platform’s form brings its answer: without a cookie, for it comes from another site. */
const post = async (fields: Record<string, string>, to = installation.url) => {
  const answer = await fetch(at('lti/launch', to), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://lms.example' },
    body: new URLSearchParams(fields),
  })
  const text = await answer.text()
  const address = new URL(answer.headers.get('location') ?? '', to)
  return {
    status: answer.status,
    text,
    isTaken: answer.status === 303,
    mayLink: address.searchParams.get('link') === 'true',
    guid: address.searchParams.get('id') ?? '',
  }
}
const bring = async ({ request }: Begun, saying: LaunchSaying, to = installation.url, at = platform) =>
  post({ state: request.state, id_token: await at.idToken(request, saying) }, to)

/** A whole launch until the platform’s answer was taken. */
const launched = async (saying: LaunchSaying) => {
  const begun = await begin()
  return { ...begun, ...(await bring(begun, saying)) }
}
const lastRefusal = async () =>
  (
    await installation.owner.query(
      "select detail ->> 'Problem' as problem, detail ->> 'Reason' as reason from audit where action = 'sign-in refused' order by id desc limit 1",
    )
  ).rows[0] as { problem: string; reason: string }
/** Launches to the end; answers where it leads, and the session. */
const entered = async (who: { Id: number; subject: string }, saying: LaunchSaying = {}) => {
  const { guid, cookie } = await launched({ subject: who.subject, ...saying })
  const reply = await college.enter(guid, who.Id, cookie)
  expect(reply.status).toBe(200)
  return { to: reply.body, cookie: `practicum_session=${cookieIn(reply.headers, 'practicum_session')}` }
}
const state = async () =>
  (await superAdmin.ok(connections.listConnections)).find(({ Id }) => Id === connectionId)!

test('a launch signs a linked person in and opens the page that the link names', async () => {
  const student = await person()
  const begun = await begin()
  expect(begun.request).toMatchObject({
    endpoint: platform.authUrl,
    clientId: platform.clientId,
    redirectUri: at('lti/launch'),
    loginHint: 'hint of the person',
    messageHint: 'hint of the link',
    responseMode: 'form_post',
    responseType: 'id_token',
    prompt: 'none',
    scope: 'openid',
  })
  const brought = await bring(begun, { subject: student.subject, custom: { page: 'schedule' } })
  expect(brought).toMatchObject({ status: 303, mayLink: false })
  const reply = await college.enter(brought.guid, student.Id, begun.cookie)
  expect(reply.body).toBe('/new/schedule')
  const cookie = `practicum_session=${cookieIn(reply.headers, 'practicum_session')}`
  const signedIn = await installation.anonymous.call(getState, {}, { headers: { cookie } })
  expect(signedIn.body.User.Id).toBe(student.Id)
  expect(await state()).toMatchObject({ LastSuccessDate: expect.any(String) })
})

test('links lead to schedule, clock and evaluations by their parameter or their target; staff to where they look after students', async () => {
  const student = await person()
  const teacher = await person(Level.Faculty)
  expect((await entered(student, { custom: { page: 'clock' } })).to).toBe('/new/clock')
  expect((await entered(student, { target: `${at('lti/launch')}?page=evaluations` })).to).toBe(
    '/new/evaluate',
  )
  expect((await entered(student, { target: at('schedule') })).to).toBe('/new/schedule')
  expect((await entered(teacher, { custom: { page: 'schedule' } })).to).toBe('/new/admin/shift-assignments')
  expect((await entered(student, { custom: { page: 'admin/audit' } })).to).toBe('/new/')
})

test('in a frame a page with one button opens the launch in a window of its own, by a ticket that is good once', async () => {
  const student = await person()
  for (const method of ['GET', 'POST']) {
    const query = new URLSearchParams(initiation())
    const page = await fetch(`${at('lti/login')}${method === 'GET' ? `?${query}` : ''}`, {
      method,
      redirect: 'manual',
      headers: { 'sec-fetch-dest': 'iframe', origin: 'https://lms.example' },
      ...(method === 'POST' && { body: query }),
    })
    const text = await page.text()
    expect(page.status).toBe(200)
    expect(page.headers.getSetCookie()).toEqual([])
    expect(page.headers.get('x-frame-options')).toBeNull()
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    const href = /href="([^"]+)"/.exec(text)![1]!
    const frame = /data-frame="([^"]+)"/.exec(text)![1]!
    const stateOf = async () =>
      ((await (await fetch(at(`lti/state?frame=${frame}`))).json()) as { State: string }).State
    expect(await stateOf()).toBe('waiting')
    const open = () => fetch(`${installation.url}${href}`, { redirect: 'manual' })
    const both = await Promise.all([open(), open()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400])
    const opened = both.find(({ status }) => status === 303)!
    expect((await open()).status).toBe(400)
    expect(await stateOf()).toBe('open')
    const cookie = `practicum_college=${cookieIn(opened.headers, 'practicum_college')}`
    const request = readLaunchRequest(opened.headers.get('location')!)
    expect(request).toMatchObject({ loginHint: 'hint of the person', messageHint: 'hint of the link' })
    const brought = await bring({ cookie, request }, { subject: student.subject })
    expect(await stateOf()).toBe('done')
    expect((await college.enter(brought.guid, student.Id, cookie)).status).toBe(200)
  }
  // Too late, and never made.
  const page = await (await fetch(`${at('lti/login')}?${new URLSearchParams(initiation())}`)).text()
  await installation.owner.query("update lti_ticket set expires_at = now() - interval '1 second'")
  const href = /href="([^"]+)"/.exec(page)![1]!
  expect((await fetch(`${installation.url}${href}`, { redirect: 'manual' })).status).toBe(400)
  expect((await fetch(at('lti/open?ticket=never-made'), { redirect: 'manual' })).status).toBe(400)
  expect(((await (await fetch(at('lti/state?frame=none'))).json()) as { State: string }).State).toBe('done')
})

test('a login of an unknown platform or client, without a person, or that fits two connections is refused', async () => {
  const refused = async (more: Record<string, string>) => {
    const answer = await fetch(`${at('lti/login')}?${new URLSearchParams(initiation(more))}`, {
      redirect: 'manual',
    })
    expect(await answer.text()).toContain('not connected')
    return answer.status
  }
  expect(await refused({ iss: 'https://elsewhere.example' })).toBe(400)
  expect(await refused({ client_id: 'another' })).toBe(400)
  expect(await refused({ login_hint: '' })).toBe(400)
  expect((await lastRefusal()).problem).toBe('unknown_platform')
  // Platforms may leave the client out: then the deployment tells which of two it is.
  const second = await startLtiPlatform({ clientId: 'second-client' })
  try {
    await connect('Second client', second, { Issuer: platform.issuer, Deployments: ['of-the-second'] })
    const { request } = await begin({ client_id: '', lti_deployment_id: 'of-the-second' })
    expect(request).toMatchObject({ endpoint: second.authUrl, clientId: 'second-client' })
    expect(await refused({ client_id: '' })).toBe(400)
    expect((await begin()).request.clientId).toBe(platform.clientId)
  } finally {
    await second.stop()
  }
})

test('a state and its nonce are taken once, by any process, and finished by the browser that began', async () => {
  const student = await person()
  const saying = { subject: student.subject }
  const begun = await begin()
  const other = await begin()
  const token = await platform.idToken(begun.request, saying)
  for (const fields of [
    { state: '', id_token: token },
    { state: 'never-given', id_token: token },
  ])
    expect((await post(fields)).status).toBe(400)
  expect((await lastRefusal()).problem).toBe('expired')
  // A token of another launch: its nonce is not the one of this state.
  expect((await post({ state: other.request.state, id_token: token })).status).toBe(400)
  expect(await lastRefusal()).toMatchObject({
    problem: 'invalid',
    reason: expect.stringContaining('another sign-in'),
  })
  const web = await createWeb(installation.services, routes, { openPages, isReady: async () => true })
  try {
    const url = await web.listen({ port: 0, host: '127.0.0.1' })
    const fields = { state: begun.request.state, id_token: token }
    const both = await Promise.all([post(fields, url), post(fields)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400])
    expect((await post(fields)).status).toBe(400)
    const { guid } = both.find(({ isTaken }) => isTaken)!
    // Another browser has the code and not the cookie.
    expect((await college.users(guid, other.cookie)).status).toBe(404)
    expect((await college.enter(guid, student.Id, other.cookie)).status).toBe(422)
    expect((await college.enter(guid, student.Id, '')).status).toBe(422)
    expect((await college.enter(guid, student.Id, begun.cookie)).status).toBe(200)
    expect((await college.enter(guid, student.Id, begun.cookie)).status).toBe(422)
  } finally {
    await web.close()
  }
  const late = await begin()
  await installation.owner.query(
    "update saml_request set expires_at = now() - interval '1 second' where id = $1",
    [late.request.state],
  )
  expect((await bring(late, saying)).status).toBe(400)
  expect((await lastRefusal()).problem).toBe('expired')
})

test('an ID token of another issuer, audience, client or sign-in, out of time or without its parts is refused; the launch still works', async () => {
  const { subject } = await person()
  const begun = await begin()
  const refused = {
    expired: [{ expires: -120 }, { notBefore: 180 }, { issuedAt: 180 }, { issuedAt: -900 }],
    invalid: [
      { issuer: 'https://another.example' },
      { issuer: `${platform.issuer}/` },
      { audience: 'another-client' },
      { audience: [platform.clientId, 'another-client'] },
      { audience: [platform.clientId, 'another-client'], claims: { azp: 'another-client' } },
      { claims: { azp: 'another-client' } },
      { nonce: 'another nonce' },
      { deployment: 'deployment-2' },
      { deployment: '' },
      { messageType: 'LtiSubmissionReviewRequest' },
      { version: '1.1' },
      { target: 'https://elsewhere.example/new/schedule' },
      { target: `${platform.issuer}/new/schedule` },
      { target: at('schedule').replace('//', '//user@elsewhere.example/') },
      { target: installation.url.replace(/\d+$/, '1') },
      { target: 'javascript:alert(1)' },
      { subject: '' },
      { subject: '  ' },
      { subject: 'x'.repeat(256) },
      ...['nonce', 'sub', 'aud', 'iss', 'exp', 'iat'].map((left) => ({ without: [left] })),
      ...['message_type', 'version', 'deployment_id', 'target_link_uri', 'resource_link', 'roles'].map(
        (left) => ({
          without: [left],
        }),
      ),
      { after: () => '' },
      { after: () => 'no token' },
      { after: (token: string) => `${token}${' '.repeat(70_000)}` },
    ],
  } satisfies Record<string, LaunchSaying[]>
  for (const [problem, sayings] of Object.entries(refused))
    for (const saying of sayings) {
      const { status } = await bring(begun, { subject, ...saying })
      const name = JSON.stringify(saying).slice(0, 100)
      expect([status, (await lastRefusal()).problem], name).toEqual([400, problem])
    }
  expect(await state()).toMatchObject({ LastError: expect.any(String), LastErrorDate: expect.any(String) })
  // A clock that is off by half a minute is nobody’s fault. What was refused has not used the launch up.
  expect((await launched({ subject, expires: -30 })).isTaken).toBe(true)
  expect((await launched({ subject, notBefore: 30, issuedAt: 30 })).isTaken).toBe(true)
  const azp = { audience: [platform.clientId, 'more'], claims: { azp: platform.clientId } }
  expect((await launched({ subject, ...azp })).isTaken).toBe(true)
  expect((await bring(begun, { subject })).isTaken).toBe(true)
})

test('an ID token that the platform’s own key has not signed is refused: none, HMAC by the public key, a stranger', async () => {
  const { subject } = await person(Level.Faculty)
  for (const saying of [
    { signs: 'none' },
    { signs: 'hs256-public' },
    { signs: 'stranger' },
    { signs: 'stranger', kid: 'unknown' },
    {
      subject: 'somebody',
      after: (token: string) => {
        const [header, , signature] = token.split('.') as [string, string, string]
        const forged = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: subject })).toString(
          'base64url',
        )
        return `${header}.${forged}.${signature}`
      },
    },
    { after: (token: string) => `${token.split('.').slice(0, 2).join('.')}.` },
  ] satisfies LaunchSaying[]) {
    const { status } = await launched({ subject, ...saying })
    expect([status, (await lastRefusal()).problem], JSON.stringify(saying)).toEqual([400, 'invalid'])
  }
  const begun = await begin()
  expect((await post({ state: begun.request.state, error: 'login_required' })).status).toBe(400)
  expect((await lastRefusal()).problem).toBe('declined')
})

test('keys that the platform has changed are read at once, and no more often than a few times in a minute', async () => {
  const changing = await startLtiPlatform({ clientId: 'changing' })
  try {
    const id = await connect('Changing keys', changing)
    const teacher = await makePerson(installation.owner, Level.Faculty, { program })
    await linkAs(teacher, 'teacher', id)
    const launch = async (saying: LaunchSaying = {}) => {
      const begun = await begin({ iss: changing.issuer, client_id: 'changing' })
      return bring(begun, { subject: 'teacher', ...saying }, installation.url, changing)
    }
    const reads = () => changing.asked.filter((path) => path === '/jwks').length
    await Promise.all([launch(), launch(), launch()])
    expect(reads()).toBe(1)
    await changing.rotate()
    expect((await launch()).isTaken).toBe(true)
    expect(reads()).toBe(2)
    for (let round = 0; round < 10; round++)
      expect((await launch({ kid: `made-up-${round}` })).status).toBe(400)
    expect(reads()).toBeLessThanOrEqual(8)
  } finally {
    await changing.stop()
  }
})

test('a key set that is slow, endless, broken, elsewhere or inside the network ends in a refusal that says so', async () => {
  const { subject } = await person()
  let endless: Server | undefined
  try {
    endless = createServer((request, response) => {
      if (request.url === '/slow') return
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (response.write(' '.repeat(64 * 1024)));
        response.once('drain', more)
      }
      more()
    })
    const server = endless
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const there = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const attempt = async (KeysUrl: string) => {
      await superAdmin.ok(lti.updateLtiConnection, {
        params: { connectionId },
        body: {
          Name: 'Harbor LMS',
          ClientId: platform.clientId,
          AuthUrl: platform.authUrl,
          KeysUrl,
          TokenUrl: platform.tokenUrl,
          Deployments: ['deployment-1'],
          RoleLevels: [],
        },
      })
      const { status } = await launched({ subject })
      return [status, (await lastRefusal()).problem, (await lastRefusal()).reason]
    }
    expect(await attempt(`${there}/endless`)).toEqual([
      400,
      'unreachable',
      expect.stringContaining('more than'),
    ])
    expect(await attempt(`${platform.issuer}/none`)).toEqual([
      400,
      'unreachable',
      expect.stringContaining('404'),
    ])
    expect(await attempt(`${platform.issuer}/course`)).toEqual([
      400,
      'unreachable',
      expect.stringContaining('JSON'),
    ])
    expect(await attempt('http://10.0.0.1/jwks')).toEqual([
      400,
      'unreachable',
      expect.stringContaining('WEBHOOK_ALLOW'),
    ])
    expect(await attempt(`${there}/slow`)).toEqual([400, 'unreachable', expect.stringContaining('8 seconds')])
    expect((await attempt(platform.keysUrl))[0]).toBe(303)
  } finally {
    endless?.closeAllConnections()
    endless?.close()
  }
})

test('an address never opens an account; who is known there links the own account by its password once', async () => {
  const passwordHash = await hashPassword(password)
  const mine = await makePerson(installation.owner, Level.Student, {
    program,
    email: 'owner@harbor.example',
    user_name: 'ltilinkme',
    password_hash: passwordHash,
  })
  const first = await launched({
    subject: 'link-me',
    custom: { page: 'schedule' },
    claims: { email: 'owner@harbor.example', email_verified: true },
  })
  expect(first.mayLink).toBe(true)
  expect((await college.users(first.guid, first.cookie)).status).toBe(404)
  expect((await college.enter(first.guid, mine.Id, first.cookie)).status).toBe(422)
  const again = await launched({ subject: 'link-me', custom: { page: 'schedule' } })
  const linked = await installation.anonymous.call(
    contract.linkCollege,
    { body: { Guid: again.guid, UserName: 'ltilinkme', Password: password } },
    { headers: { cookie: again.cookie } },
  )
  expect([linked.status, linked.body]).toEqual([200, '/new/schedule'])
  expect((await entered({ ...mine, subject: 'link-me' })).to).toBe('/new/')
  expect((await launched({ subject: 'Link-Me' })).mayLink).toBe(true)
})

test('nobody above the connection’s level, of another program, deactivated, a super admin or test user is opened', async () => {
  const above = await person(Level.Admin)
  const ended = await person(Level.Student, { deactivated_at: new Date() })
  const tester = await person(Level.Coord, { test_mode: 'coord' })
  const foreign = await makePerson(installation.owner, Level.Student)
  await linkAs(foreign, 'a foreigner')
  const boss = await makePerson(installation.owner, Level.SuperAdmin)
  for (const { Id, subject } of [
    above,
    ended,
    tester,
    { Id: foreign.Id, subject: 'a foreigner' },
    { Id: boss.Id, subject: 'boss' },
  ]) {
    const { guid, cookie, mayLink } = await launched({
      subject,
      roles: ['http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator'],
    })
    expect(mayLink, subject).toBe(true)
    expect((await college.enter(guid, Id, cookie)).status, subject).toBe(422)
  }
})

test('an instructor chooses links, and the platform gets them signed, once, with what it wants back', async () => {
  const teacher = await person(Level.Faculty)
  const stranger = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  const request = async (deepLink: Record<string, unknown> = {}) => {
    const { to, cookie } = await entered(teacher, { deepLink, without: ['resource_link'] })
    expect(to).toMatch(/^\/new\/deep-links\/[\w-]+$/)
    const guid = to.split('/').at(-1)!
    const { rows } = await installation.owner.query(
      'select csrf_token from session where account_id = $1 order by id desc limit 1',
      [teacher.Id],
    )
    const send = { headers: { cookie, 'x-csrf-token': rows[0].csrf_token as string } }
    return {
      guid,
      read: () => installation.anonymous.call(lti.getDeepLink, { params: { guid } }, send),
      choose: (Pages: ('schedule' | 'clock' | 'evaluations')[]) =>
        installation.anonymous.call(lti.answerDeepLink, { params: { guid }, body: { Pages } }, send),
    }
  }
  const asked = await request()
  expect((await asked.read()).body).toEqual({
    Platform: 'Harbor LMS',
    AcceptsMultiple: true,
    IsAnswered: false,
  })
  // Nobody else may, signed in or not.
  const of = { params: { guid: asked.guid } }
  expect((await stranger.call(lti.getDeepLink, of)).status).toBe(404)
  expect((await stranger.call(lti.answerDeepLink, { ...of, body: { Pages: [] } })).status).toBe(404)
  expect((await installation.anonymous.call(lti.getDeepLink, of)).status).toBe(401)
  expect((await fetch(at(`lti/return?id=${asked.guid}`))).status).toBe(400)
  const chosen = await asked.choose(['schedule', 'clock'])
  expect(chosen.body).toEqual({ Address: `/new/lti/return?id=${asked.guid}` })
  expect((await asked.choose(['clock'])).status).toBe(409)
  const back = await fetch(`${installation.url}${chosen.body.Address}`)
  const page = await back.text()
  expect(back.headers.get('content-security-policy')).toContain(`form-action 'self' ${platform.issuer}`)
  expect(page).toContain(`action="${platform.issuer}/return"`)
  const token = /name="JWT" value="([^"]+)"/.exec(page)![1]!
  const set = (await (await fetch(at('lti/jwks'))).json()) as JSONWebKeySet
  expect(JSON.stringify(set)).not.toContain('"d"')
  const { payload } = await jwtVerify(token, createLocalJWKSet(set), {
    issuer: platform.clientId,
    audience: platform.issuer,
    maxTokenAge: 60,
    requiredClaims: ['nonce', 'exp'],
  })
  expect(payload).toMatchObject({
    'https://purl.imsglobal.org/spec/lti/claim/message_type': 'LtiDeepLinkingResponse',
    'https://purl.imsglobal.org/spec/lti/claim/version': '1.3.0',
    'https://purl.imsglobal.org/spec/lti/claim/deployment_id': 'deployment-1',
    'https://purl.imsglobal.org/spec/lti-dl/claim/data': 'what the platform wants back',
    'https://purl.imsglobal.org/spec/lti-dl/claim/content_items': [
      { type: 'ltiResourceLink', url: `${at('lti/launch')}?page=schedule`, custom: { page: 'schedule' } },
      { type: 'ltiResourceLink', custom: { page: 'clock' } },
    ],
  })
  const single = await request({ accept_multiple: false, data: undefined })
  expect((await single.choose(['schedule', 'clock'])).status).toBe(422)
  expect((await single.choose([])).status).toBe(200)
  // Places that take no links of tools, and answers that would go nowhere.
  for (const deepLink of [
    { accept_types: ['file'] },
    { deep_link_return_url: 'javascript:alert(1)' },
    { deep_link_return_url: '' },
  ])
    expect((await launched({ subject: teacher.subject, deepLink })).status).toBe(400)
})

test('the tool’s keys are made anew twice a year, are used a day later, and stay published for a month', async () => {
  const read = async () =>
    ((await (await fetch(at('lti/jwks'))).json()) as JSONWebKeySet).keys.map(({ kid }) => kid)
  const [first] = await read()
  const age = (days: number) =>
    installation.owner.query('update lti_key set created_at = created_at - make_interval(days => $1)', [days])
  await renewToolKey.work({}, installation.services)
  expect(await read()).toEqual([first])
  await age(181)
  await renewToolKey.work({}, installation.services)
  const [second, ...rest] = await read()
  expect([second === first, rest]).toEqual([false, [first]])
  await age(31)
  await renewToolKey.work({}, installation.services)
  expect(await read()).toEqual([second])
})

test('Canvas finds its configuration, and who opens an address of launches by hand is told where to go', async () => {
  const config = (await (await fetch(at('lti/canvas.json'))).json()) as Record<string, unknown>
  expect(config).toMatchObject({
    oidc_initiation_url: at('lti/login'),
    target_link_uri: at('lti/launch'),
    public_jwk_url: at('lti/jwks'),
  })
  const opened = await fetch(at('lti/launch'))
  expect([opened.status, await opened.text()]).toEqual([400, expect.stringContaining('from a course')])
})
