import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as connections from '#contract/connections/connections.ts'
import { Level } from '#contract/core/levels.ts'
import * as authenticator from '#contract/identity/authenticator.ts'
import { deactivateUser } from '#contract/people/people.ts'
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
  type IdTokenSaying,
  type OpenIdTestProvider,
  readOpenIdRequest,
  startOpenIdProvider,
} from '#server/test/openid-provider.ts'

let installation: Installation
let superAdmin: Caller
let program: MadeProgram
let op: OpenIdTestProvider
let connectionId: number
let college: ReturnType<typeof collegeSignIn>
const password = 'Bluebird-42-harbor'
let passwordHash: string

beforeAll(async () => {
  installation = await startInstallation({ WEBHOOK_ALLOW: '127.0.0.0/8', TRUST_PROXY: 'loopback' })
  college = collegeSignIn(installation)
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  passwordHash = await hashPassword(password)
  program = await makeProgram(installation.owner)
  op = await startOpenIdProvider()
  connectionId = await connect('Harbor College', op)
})
afterAll(async () => {
  await installation?.stop()
  await op?.stop()
})

const connect = async (
  Name: string,
  provider: OpenIdTestProvider,
  {
    ProgramId = program.Id,
    AccessLevel = Level.Faculty as number,
    SubjectClaim = 'sub' as 'sub' | 'oid',
    ...more
  } = {},
): Promise<number> => {
  const { issuer: Issuer, clientId: ClientId, clientSecret: ClientSecret } = provider
  const body = { Name, Issuer, ClientId, ClientSecret, SubjectClaim, ProgramId, AccessLevel, ...more }
  return (await superAdmin.ok(connections.createConnection, { body })).Id
}

let counter = 0
/** A person of the program whom the provider knows. */
const person = async (level: Level = Level.Student, row: Record<string, unknown> = {}) => {
  const subject = `subject-${++counter}`
  const made = await makePerson(installation.owner, level, { program, ...row })
  await linkAs(made, subject)
  return { ...made, subject }
}
const linkAs = (made: { Id: number; ProgramId: number | null }, subject: string, provider = connectionId) =>
  college.linkAs(made, subject, provider)

const at = (path: string) => `${installation.url}/new/${path}`

/** A browser begins a sign-in: its cookie, and what the provider reads. */
const begin = async (redirectTo?: string, connection = connectionId) => {
  const query = redirectTo === undefined ? '' : `?redirectTo=${encodeURIComponent(redirectTo)}`
  const { status, headers } = await fetch(at(`oidc/${connection}/login${query}`), { redirect: 'manual' })
  expect(status).toBe(303)
  const address = headers.get('location')!
  return {
    address,
    cookie: `practicum_college=${cookieIn(headers, 'practicum_college')}`,
    request: readOpenIdRequest(address),
  }
}

const answerOf = (connection: number) => `oidc/${connection}/answer`

/** Comes back from the provider with these parts in the address. */
const bring = async (
  query: Record<string, string>,
  cookie: string,
  to = installation.url,
  path = answerOf(connectionId),
) => {
  const { status, headers } = await fetch(`${to}/new/${path}?${new URLSearchParams(query)}`, {
    redirect: 'manual',
    headers: { cookie },
  })
  const address = new URL(headers.get('location') ?? '', to)
  return {
    status,
    path: address.pathname,
    problem: address.searchParams.get('problem'),
    mayLink: address.searchParams.get('link') === 'true',
    guid: address.searchParams.get('id') ?? '',
    setCookie: headers.getSetCookie().join(),
  }
}

/** A whole way until the provider's answer was taken. */
const answered = async (saying: IdTokenSaying, provider = op, connection = connectionId) => {
  const begun = await begin(undefined, connection)
  const { state } = begun.request
  const query = { state, code: provider.grant(begun.request, saying) }
  return { ...begun, ...(await bring(query, begun.cookie, installation.url, answerOf(connection))) }
}
const problemOf = async (saying: IdTokenSaying) => (await answered(saying)).problem

const lastReason = async () =>
  (
    await installation.owner.query(
      "select detail ->> 'Reason' as reason from audit where action = 'sign-in refused' order by id desc limit 1",
    )
  ).rows[0].reason as string
const state = async (connection = connectionId) =>
  (await superAdmin.ok(connections.listConnections)).find(({ Id }) => Id === connection)!

test('a person signs in by OpenID Connect with PKCE, lands on the page wanted, and has a session of their own', async () => {
  const student = await person(Level.Student, { user_name: 'openidstudent' })
  const begun = await begin('/new/schedule?from=college')
  expect(begun.request).toMatchObject({
    endpoint: `${op.issuer}/authorize`,
    clientId: op.clientId,
    redirectUri: at(answerOf(connectionId)),
    responseType: 'code',
    method: 'S256',
  })
  expect(begun.request.scope.split(' ')).toContain('openid')
  const code = op.grant(begun.request, { subject: student.subject })
  const brought = await bring({ state: begun.request.state, code }, begun.cookie)
  expect(brought).toMatchObject({
    status: 303,
    path: '/new/auth/college-answer',
    problem: null,
    mayLink: false,
  })
  expect(brought.setCookie).not.toContain('practicum_session')
  const { body } = await college.users(brought.guid, begun.cookie)
  expect(body).toEqual([{ UserId: student.Id, UserName: 'openidstudent', ProgramName: program.Name }])
  const reply = await college.enter(brought.guid, student.Id, begun.cookie)
  expect(reply.body).toBe('/new/schedule?from=college')
  const cookie = `practicum_session=${cookieIn(reply.headers, 'practicum_session')}`
  const signedIn = await installation.anonymous.call(getState, {}, { headers: { cookie } })
  expect(signedIn.body.User.Id).toBe(student.Id)
  expect(await state()).toMatchObject({ LastSuccessDate: expect.any(String), LastError: expect.any(String) })
})

test('a code and a state are taken once, by the browser that began, and by any process', async () => {
  const student = await person()
  const begun = await begin()
  const { state } = begun.request
  const code = () => op.grant(begun.request, { subject: student.subject })
  // Another browser, none, and a state that was never given.
  const other = await begin()
  for (const cookie of ['', other.cookie])
    expect((await bring({ state, code: code() }, cookie)).problem).toBe('expired')
  expect((await bring({ state: 'never-given', code: code() }, begun.cookie)).problem).toBe('expired')
  expect((await bring({ code: code() }, begun.cookie)).problem).toBe('expired')
  // Another process takes it; two at once, of which one wins; then it is spent.
  const web = await createWeb(installation.services, routes, { openPages, isReady: async () => true })
  try {
    const url = await web.listen({ port: 0, host: '127.0.0.1' })
    const used = code()
    const both = await Promise.all([
      bring({ state, code: used }, begun.cookie, url),
      bring({ state, code: code() }, begun.cookie),
    ])
    expect(both.map(({ problem }) => problem).toSorted()).toEqual(['expired', null].toSorted())
    expect((await bring({ state, code: used }, begun.cookie)).problem).toBe('expired')
    expect((await bring({ state, code: code() }, begun.cookie)).problem).toBe('expired')
    const { guid } = both.find(({ problem }) => problem === null)!
    expect((await college.users(guid, other.cookie)).status).toBe(404)
    expect((await college.enter(guid, student.Id, other.cookie)).status).toBe(422)
    expect((await college.enter(guid, student.Id, begun.cookie)).status).toBe(200)
    expect((await college.enter(guid, student.Id, begun.cookie)).status).toBe(422)
  } finally {
    await web.close()
  }
})

test('a code that was exchanged before is refused, and the sign-in still works with the right one', async () => {
  const student = await person()
  const first = await begin()
  const used = op.grant(first.request, { subject: student.subject })
  expect((await bring({ state: first.request.state, code: used }, first.cookie)).problem).toBeNull()
  // Replayed into a second sign-in; and a code that was made for the first, by its verifier.
  const second = await begin()
  expect((await bring({ state: second.request.state, code: used }, second.cookie)).problem).toBe('expired')
  const foreign = op.grant(first.request, { subject: student.subject })
  expect((await bring({ state: second.request.state, code: foreign }, second.cookie)).problem).toBe('expired')
  expect(await lastReason()).toContain('invalid_grant')
  const right = op.grant(second.request, { subject: student.subject })
  expect((await bring({ state: second.request.state, code: right }, second.cookie)).problem).toBeNull()
})

test('an ID token of another issuer, audience or sign-in, out of time or without its parts is refused', async () => {
  const { subject } = await person()
  const problems = {
    expired: [{ expires: -120 }, { notBefore: 180 }],
    invalid: [
      { issuer: 'https://another.example' },
      { issuer: `${op.issuer}/` },
      { audience: 'another-client' },
      { audience: [op.clientId, 'another-client'], claims: { azp: 'another-client' } },
      { nonce: 'another nonce' },
      { without: ['nonce'] },
      { without: ['sub'] },
      { without: ['aud'] },
      { without: ['exp'] },
      { without: ['id_token'] },
      { subject: '' },
      { subject: 'x'.repeat(1_025) },
    ],
  } satisfies Record<string, IdTokenSaying[]>
  for (const [problem, sayings] of Object.entries(problems))
    for (const saying of sayings) {
      const found = await problemOf({ subject, ...saying })
      // What is no answer of the protocol at all counts as the provider’s failure.
      const isProvider = found === 'unreachable' && problem === 'invalid'
      expect(isProvider ? 'invalid' : found, JSON.stringify(saying).slice(0, 100)).toBe(problem)
    }
  // A clock that is off by half a minute is nobody's fault.
  expect(await problemOf({ subject, expires: -30 })).toBeNull()
  expect(await problemOf({ subject, notBefore: 30 })).toBeNull()
})

test('an ID token that the provider’s own key has not signed is refused: none, HMAC by the public key, a stranger', async () => {
  const { subject } = await person(Level.Faculty)
  for (const saying of [
    { signs: 'none' },
    { signs: 'hs256-public' },
    { signs: 'hs256-secret' },
    { signs: 'stranger' },
    { signs: 'stranger', kid: 'unknown' },
    {
      subject: 'somebody',
      after: (token: string) => {
        const [header, payload, signature] = token.split('.') as [string, string, string]
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
        const forged = Buffer.from(JSON.stringify({ ...claims, sub: subject })).toString('base64url')
        return `${header}.${forged}.${signature}`
      },
    },
    { after: (token: string) => `${token.split('.').slice(0, 2).join('.')}.` },
  ] satisfies IdTokenSaying[])
    expect(await problemOf({ subject, ...saying }), JSON.stringify(saying)).toBe('invalid')
  expect((await state()).LastError).not.toBe('')
})

test('an address never opens an account, confirmed or not: only the name at this issuer does, letter by letter', async () => {
  const known = await makePerson(installation.owner, Level.Student, {
    program,
    email: 'owner@harbor.example',
  })
  for (const email_verified of [true, false, 'true']) {
    const { problem, mayLink, guid, cookie } = await answered({
      subject: 'a stranger',
      claims: { email: 'owner@harbor.example', email_verified },
    })
    expect([problem, mayLink]).toEqual([null, true])
    expect((await college.users(guid, cookie)).status).toBe(404)
    expect((await college.enter(guid, known.Id, cookie)).status).toBe(422)
  }
  const { subject } = await person()
  expect((await answered({ subject: subject.toUpperCase() })).mayLink).toBe(true)
  await linkAs(known, 'owner@harbor.example')
  expect((await answered({ subject: 'Owner@harbor.example' })).mayLink).toBe(true)
  expect((await answered({ subject: 'owner@harbor.example' })).mayLink).toBe(false)
})

test('who is known there links the own account by its password once, and comes in by the college alone from then on', async () => {
  const mine = await makePerson(installation.owner, Level.Student, {
    program,
    user_name: 'linkme',
    password_hash: passwordHash,
  })
  const { guid, cookie } = await answered({ subject: 'link-me' })
  expect((await college.link(guid, cookie, 'linkme', 'a wrong password')).status).toBe(401)
  expect((await college.link(guid, '', 'linkme', password)).status).toBe(422)
  const linked = await college.link(guid, cookie, 'linkme', password)
  expect(linked.status).toBe(200)
  expect(cookieIn(linked.headers, 'practicum_session')).not.toBe('')
  expect((await college.link(guid, cookie, 'linkme', password)).status).toBe(422)
  const again = await answered({ subject: 'link-me' })
  expect(again.mayLink).toBe(false)
  expect((await college.enter(again.guid, mine.Id, again.cookie)).status).toBe(200)
  const { rows } = await installation.owner.query(
    "select detail from audit where action = 'college sign-in linked' and account_id = $1",
    [mine.Id],
  )
  expect(rows).toEqual([{ detail: { ProviderId: connectionId, NameId: 'link-me' } }])
  const { rows: told } = await installation.owner.query(
    'select label, html from mail where account_id = $1',
    [mine.Id],
  )
  expect(told).toMatchObject([
    {
      label: 'ACCOUNT_notice_device',
      html: expect.stringMatching(/linked to it just now: .*\/not-me\?token=/s),
    },
  ])
  // Who has a name there gets no second one, and no other person gets the name of this one.
  const second = await answered({ subject: 'link-me-too' })
  expect((await college.link(second.guid, second.cookie, 'linkme', password)).body).toMatchObject({
    Code: 'not_linked',
  })
})

test('nobody above the connection’s level, of another program, a super admin or test user is opened or linked', async () => {
  const above = await person(Level.Admin)
  expect((await answered({ subject: above.subject })).mayLink).toBe(true)
  const foreign = await makePerson(installation.owner, Level.Student, { password_hash: passwordHash })
  await linkAs(foreign, 'a foreigner')
  expect((await answered({ subject: 'a foreigner' })).mayLink).toBe(true)
  const withPassword = { password_hash: passwordHash }
  const boss = await makePerson(installation.owner, Level.SuperAdmin, withPassword)
  const free = await makePerson(installation.owner, Level.Admin, { program, ...withPassword })
  const tester = await makePerson(installation.owner, Level.Coord, {
    program,
    test_mode: 'coord',
    ...withPassword,
  })
  for (const each of [boss, foreign, free, tester]) {
    const { guid, cookie } = await answered({ subject: `free-${each.Id}` })
    const reply = await college.link(guid, cookie, each.UserName, password)
    expect([reply.status, (reply.body as unknown as { Code: string }).Code]).toEqual([422, 'not_linked'])
  }
  // A connection whose level is raised reaches further, and no longer when it is lowered again.
  const level = (AccessLevel: number) =>
    superAdmin.ok(connections.connectProgram, {
      params: { connectionId },
      body: { ProgramId: program.Id, AccessLevel },
    })
  await level(Level.Admin)
  expect((await answered({ subject: above.subject })).mayLink).toBe(false)
  await level(Level.Faculty)
  expect((await answered({ subject: above.subject })).mayLink).toBe(true)
})

test('who is deactivated is not let in, also between the answer and the choice of the account', async () => {
  const student = await person()
  const boss = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  const { guid, cookie } = await answered({ subject: student.subject })
  await boss.ok(deactivateUser, { params: { programId: program.Id, userId: student.Id } })
  expect((await college.enter(guid, student.Id, cookie)).status).toBe(422)
  expect((await answered({ subject: student.subject })).mayLink).toBe(true)
})

test('the authenticator is asked here as on every way in', async () => {
  const staff = await person(Level.Faculty)
  const caller = await installation.as(staff)
  const { Secret } = await caller.ok(authenticator.createTotpSecret)
  await caller.ok(authenticator.saveTotpSettings, {
    params: { userId: staff.Id },
    body: { Enable: true, Secret, Code: generateSync({ secret: Secret }) },
  })
  const { guid, cookie } = await answered({ subject: staff.subject })
  const asked = await college.enter(guid, staff.Id, cookie)
  expect([asked.status, asked.body]).toMatchObject([401, { TotpRequired: true }])
})

test('the provider’s refusal is told as one, and its silence as its own', async () => {
  const begun = await begin()
  const refused = await bring({ state: begun.request.state, error: 'access_denied' }, begun.cookie)
  expect(refused.problem).toBe('declined')
  const silent = await startOpenIdProvider({ clientId: 'silent' })
  const connection = await connect('Silent College', silent, {})
  await silent.stop()
  const { headers } = await fetch(at(`oidc/${connection}/login`), { redirect: 'manual' })
  expect(headers.get('location')).toContain('problem=unreachable')
  expect((await state(connection)).LastError).toContain('refused the connection')
  for (const unknown of ['0', '999999', 'x', String(connection + 1_000)]) {
    const reply = await fetch(at(`oidc/${unknown}/login`), { redirect: 'manual' })
    expect(reply.headers.get('location')).toContain('problem=unavailable')
  }
})

test('a page knows one address for each protocol: the one of SAML leads on to OpenID Connect', async () => {
  const { headers } = await fetch(at(`saml/${connectionId}/login?redirectTo=%2Fnew%2Fclock`), {
    redirect: 'manual',
  })
  expect(headers.get('location')).toBe(`/new/oidc/${connectionId}/login?redirectTo=%2Fnew%2Fclock`)
  const colleges = await installation.anonymous.ok(contract.listSignInColleges)
  expect(colleges).toContainEqual({ Id: connectionId, Name: 'Harbor College' })
})

test('people are named by oid where the connection says so, and not by the other claim', async () => {
  const entra = await startOpenIdProvider({ clientId: 'entra' })
  try {
    const connection = await connect('Entra College', entra, { SubjectClaim: 'oid' })
    const student = await makePerson(installation.owner, Level.Student, { program })
    await linkAs(student, 'object-1', connection)
    expect(
      (await answered({ subject: 'pairwise', claims: { oid: 'object-1' } }, entra, connection)).mayLink,
    ).toBe(false)
    expect(
      (await answered({ subject: 'object-1', claims: { oid: 'object-2' } }, entra, connection)).mayLink,
    ).toBe(true)
    expect((await answered({ subject: 'object-1' }, entra, connection)).problem).toBe('invalid')
  } finally {
    await entra.stop()
  }
})

test('attack: a provider that sends its browsers on to another one is told no code of that one (RFC 9700, 4.4)', async () => {
  const evil = await startOpenIdProvider({ clientId: 'evil' })
  try {
    const connection = await connect('Evil College', evil)
    const victim = await person()
    const begun = await begin(undefined, connection)
    // The honest provider knows one redirect URI of this client, and sends the browser there with the state of the other.
    const { state } = begun.request
    const own = { ...begun.request, redirectUri: at(answerOf(connectionId)) }
    const code = op.grant(own, { subject: victim.subject })
    for (const path of [answerOf(connectionId), 'oidc/answer', answerOf(connectionId + 1_000)]) {
      const brought = await bring({ state, code }, begun.cookie, installation.url, path)
      expect([path, brought.problem, brought.guid]).toEqual([path, 'invalid', ''])
    }
    expect(await lastReason()).toBe('The answer came to the address of another provider.')
    expect(evil.asked).not.toContain('/token')
    // With nothing of that sign-in used up.
    const right = { state, code: evil.grant(begun.request, { subject: 'x' }) }
    expect((await bring(right, begun.cookie, installation.url, answerOf(connection))).mayLink).toBe(true)
  } finally {
    await evil.stop()
  }
})

test('a provider that was connected before has the shared address until it is said that it has its own', async () => {
  const old = await startOpenIdProvider({ clientId: 'old' })
  try {
    const connection = await connect('Old College', old)
    await installation.owner.query('update saml_provider set has_own_answer = false where id = $1', [
      connection,
    ])
    const comeBack = async (path: string) => {
      const { request, cookie } = await begin(undefined, connection)
      const query = { state: request.state, code: old.grant(request, { subject: 'x' }) }
      const { problem, mayLink } = await bring(query, cookie, installation.url, path)
      return [request.redirectUri, problem, mayLink]
    }
    expect(await comeBack('oidc/answer')).toEqual([at('oidc/answer'), null, true])
    const params = { connectionId: connection }
    const { Name, ClientId, SubjectClaim, HasOwnAnswer } = await superAdmin.ok(connections.getConnection, {
      params,
    })
    expect(HasOwnAnswer).toBe(false)
    const body = { Name, ClientId, SubjectClaim, ClientSecret: '', RemoveSecret: false }
    expect((await superAdmin.ok(connections.updateConnection, { params, body })).HasOwnAnswer).toBe(false)
    await superAdmin.ok(connections.updateConnection, { params, body: { ...body, HasOwnAnswer: true } })
    const own = answerOf(connection)
    expect(await comeBack(own)).toEqual([at(own), null, true])
    expect((await comeBack('oidc/answer'))[1]).toBe('invalid')
  } finally {
    await old.stop()
  }
})
