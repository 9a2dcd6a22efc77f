import { createSign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { generateSync } from 'otplib'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { Level } from '#contract/core/levels.ts'
import * as authenticator from '#contract/identity/authenticator.ts'
import { getSession, listOwnAccounts, logout, switchAccount } from '#contract/identity/identity.ts'
import * as contract from '#contract/saml/saml.ts'
import { getState } from '#contract/session/session.ts'
import { saveEula } from '#contract/settings/eula.ts'
import { setIpBlockMode } from '#contract/settings/ip-access.ts'
import { openPages, routes } from '#server/app.ts'
import { createWeb } from '#server/core/http/web.ts'
import { cookieIn } from '#server/test/cookies.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import {
  type IdentityProvider,
  makeIdentityProvider,
  readRequest,
  type Saying,
} from '#server/test/identity-provider.ts'
import { type Caller, callerOf, type Installation, startInstallation } from '#server/test/installation.ts'
import { tidySignIn } from './tidy.jobs.ts'

let installation: Installation
let superAdmin: Caller
let program: MadeProgram
let idp: IdentityProvider
let samlId: number

beforeAll(async () => {
  installation = await startInstallation({ TRUST_PROXY: 'loopback' })
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  program = await makeProgram(installation.owner)
  idp = makeIdentityProvider()
  samlId = await addProvider('Harbor College', idp)
})
afterAll(() => installation?.stop())
afterEach(() => void vi.useRealTimers())

const addProvider = async (
  Name: string,
  provider: IdentityProvider,
  ProgramId = program.Id,
): Promise<number> => {
  const body = {
    Name,
    EntityId: provider.entityId,
    SsoUrl: provider.ssoUrl,
    Certificate: provider.certificate,
    ProgramId,
  }
  return (await superAdmin.ok(contract.createSamlProvider, { body })).Id
}

let counter = 0
/** A person of the program who has a name at the provider. */
const person = async (level: Level = Level.Student, row: Record<string, unknown> = {}, provider = samlId) => {
  const nameId = `person-${++counter}@harbor.example`
  const made = await makePerson(installation.owner, level, { program, ...row })
  await nameAt(provider, made, nameId)
  return { ...made, nameId }
}
const nameAt = (
  provider: number,
  { Id, ProgramId }: { Id: number; ProgramId: number | null },
  nameId: string,
) =>
  makeRow(installation.owner, 'saml_user', {
    program_id: ProgramId,
    account_id: Id,
    provider_id: provider,
    name_id: nameId,
  })

const at = (path: string) => `${installation.url}/new/${path}`

/** A browser begins a sign-in: its cookie, and what the provider reads. */
const begin = async (redirectTo?: string, provider = samlId) => {
  const query = redirectTo === undefined ? '' : `?redirectTo=${encodeURIComponent(redirectTo)}`
  const { status, headers } = await fetch(at(`saml/${provider}/login${query}`), { redirect: 'manual' })
  expect(status).toBe(303)
  const address = headers.get('location')!
  return {
    address,
    setCookie: headers.getSetCookie().join('\n'),
    cookie: `practicum_college=${cookieIn(headers, 'practicum_college')}`,
    request: readRequest(address),
  }
}

/** Posts the provider's form as a browser does: from a foreign origin, without cookies. */
const post = async (SAMLResponse: string, more: Record<string, string> = {}) => {
  const { status, headers } = await fetch(at('saml/acs'), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://idp.example' },
    body: new URLSearchParams({ SAMLResponse, ...more }),
  })
  const to = new URL(headers.get('location') ?? '', installation.url)
  return {
    status,
    path: to.pathname,
    problem: to.searchParams.get('problem'),
    guid: to.searchParams.get('id') ?? '',
    setCookie: headers.getSetCookie(),
  }
}

/** A whole way until the provider's answer was taken. */
const answered = async (saying: Saying, provider: IdentityProvider = idp) => {
  const begun = await begin()
  return { ...begun, ...(await post(provider.respond(begun.request, saying))) }
}
const problemOf = async (saying: Saying, provider?: IdentityProvider) =>
  (await answered(saying, provider)).problem

const users = (guid: string, cookie: string) =>
  installation.anonymous.call(contract.listCollegeAccounts, { params: { guid } }, { headers: { cookie } })
const enter = (guid: string, UserId: number, cookie: string, Code?: string) =>
  installation.anonymous.call(
    contract.loginByCollege,
    { body: { UserId, Guid: guid, ...(Code && { Code }) } },
    { headers: { cookie } },
  )
const lastAudit = async () =>
  (
    await installation.owner.query(
      "select action, account_id, detail from audit where action in ('signed in', 'sign-in refused') order by id desc limit 1",
    )
  ).rows[0]

test('D3-150 the metadata tell a provider how this installation is called and where answers go', async () => {
  const response = await fetch(at('saml/metadata'))
  const xml = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/samlmetadata+xml')
  expect(xml).toContain(`entityID="${at('saml/metadata')}"`)
  expect(xml).toContain(`Location="${at('saml/acs')}"`)
  expect(xml).toContain('WantAssertionsSigned="true"')
  expect(xml).toContain('bindings:HTTP-POST')
})

test('D3-150 a person signs in through the college, lands on the page wanted, and has a session of their own', async () => {
  const student = await person(Level.Student, { user_name: 'collegestudent' })
  const begun = await begin('/new/schedule?from=college')
  expect(begun.address).toMatch(/^https:\/\/idp\.example\/sso\?SAMLRequest=/)
  expect(begun.request).toMatchObject({
    acsUrl: at('saml/acs'),
    issuer: at('saml/metadata'),
    destination: idp.ssoUrl,
  })
  expect(begun.setCookie).toMatch(/HttpOnly.*SameSite=Lax/)

  const brought = await post(idp.respond(begun.request, { nameId: student.nameId }))
  expect(brought).toMatchObject({ status: 303, path: '/new/auth/college-answer', problem: null })
  expect(brought.setCookie.join()).not.toContain('practicum_session')

  const { body } = await users(brought.guid, begun.cookie)
  expect(body).toEqual([{ UserId: student.Id, UserName: 'collegestudent', ProgramName: program.Name }])
  const fixed = 'practicum_session=chosen-by-somebody-else'
  const reply = await enter(brought.guid, student.Id, `${begun.cookie}; ${fixed}`)
  expect(reply.body).toBe('/new/schedule?from=college')
  const session = cookieIn(reply.headers, 'practicum_session')
  expect(session.length).toBeGreaterThan(30)
  const state = await installation.anonymous.call(
    getState,
    {},
    {
      headers: { cookie: `practicum_session=${session}` },
    },
  )
  expect(state.body.User.Id).toBe(student.Id)
  expect(await lastAudit()).toMatchObject({
    action: 'signed in',
    account_id: student.Id,
    detail: { How: 'college' },
  })
})

test('D3-150 an answer is taken once: neither it nor its code signs in a second time', async () => {
  const student = await person()
  const begun = await begin()
  const answer = idp.respond(begun.request, { nameId: student.nameId })
  const [first, second] = await Promise.all([post(answer), post(answer)])
  expect([first.problem, second.problem].toSorted()).toEqual(['expired', null].toSorted())
  const guid = first.guid || second.guid
  expect((await post(answer)).problem).toBe('expired')
  expect((await enter(guid, student.Id, begun.cookie)).status).toBe(200)
  expect((await enter(guid, student.Id, begun.cookie)).status).toBe(422)
  expect((await users(guid, begun.cookie)).status).toBe(404)
})

test('D3-150 only the browser that began finishes, and only with what the provider sent it back with', async () => {
  const student = await person()
  const mine = await answered({ nameId: student.nameId })
  const other = await begin()
  for (const cookie of ['', other.cookie, 'practicum_college=']) {
    expect((await users(mine.guid, cookie)).status).toBe(404)
    expect((await enter(mine.guid, student.Id, cookie)).status).toBe(422)
  }
  expect((await users('', mine.cookie)).status).toBe(404)
  expect((await enter('', student.Id, mine.cookie)).status).toBe(422)
  expect((await enter(mine.guid, student.Id, mine.cookie)).status).toBe(200)
})

test('D3-150 a sign-in that one process began is answered and finished by another', async () => {
  const { services } = installation
  const other = await createWeb(services, routes, { openPages, isReady: async () => true })
  try {
    const url = await other.listen({ port: 0, host: '127.0.0.1' })
    const student = await person()
    const begun = await begin()
    const answer = idp.respond(begun.request, { nameId: student.nameId })
    const { headers } = await fetch(`${url}/new/saml/acs`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ SAMLResponse: answer }),
    })
    const guid = new URL(headers.get('location')!, url).searchParams.get('id')!
    expect((await post(answer)).problem).toBe('expired')
    expect((await enter(guid, student.Id, begun.cookie)).status).toBe(200)
  } finally {
    await other.close()
  }
})

test('D3-150 a sign-in that is over is deleted a day later', async () => {
  const [old, young] = [await begin(), await begin()]
  await installation.owner.query(
    "update saml_request set expires_at = now() - interval '25 hours' where id = $1",
    [old.request.id],
  )
  await tidySignIn.work({}, installation.services)
  const { rows } = await installation.owner.query('select id from saml_request where id = any ($1)', [
    [old.request.id, young.request.id],
  ])
  expect(rows).toEqual([{ id: young.request.id }])
})

test('D3-150 an answer that is not signed by the provider is refused, and the right one still works afterwards', async () => {
  const student = await person()
  const begun = await begin()
  const { nameId } = student
  const stranger = makeIdentityProvider(idp.entityId)
  for (const answer of [
    idp.respond(begun.request, { nameId, signs: 'nothing' }),
    idp.respond(begun.request, { nameId, signs: 'response' }),
    stranger.respond(begun.request, { nameId }),
    idp.respond(begun.request, { nameId: 'somebody', after: (xml) => xml.replace('somebody', nameId) }),
    idp.respond(begun.request, {
      nameId,
      after: (xml) => xml.replace(/<(ds:)?Signature .*<\/(ds:)?Signature>/s, ''),
    }),
  ]) {
    expect((await post(answer)).problem).toBe('invalid')
    expect((await lastAudit()).action).toBe('sign-in refused')
  }
  const { guid } = await post(idp.respond(begun.request, { nameId }))
  expect((await enter(guid, student.Id, begun.cookie)).status).toBe(200)
})

test('D3-150 signatures of SHA-1, by HMAC or over a text with comments are refused', async () => {
  const { nameId } = await person()
  for (const weak of [
    { signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' },
    { digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' },
  ])
    expect(await problemOf({ nameId, ...weak })).toBe('invalid')
  const begun = await begin()
  const unsigned = Buffer.from(idp.respond(begun.request, { nameId, signs: 'nothing' }), 'base64').toString()
  const hmac = new SignedXml({
    privateKey: idp.certificate,
    signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  hmac.enableHMAC()
  hmac.addReference({
    xpath: "//*[local-name(.)='Assertion']",
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature'],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  })
  hmac.computeSignature(unsigned, {
    location: { reference: "//*[local-name(.)='Assertion']/*[local-name(.)='Issuer']", action: 'after' },
  })
  expect((await post(Buffer.from(hmac.getSignedXml()).toString('base64'))).problem).toBe('invalid')
})

test('D3-150 a signed assertion wrapped in a forged answer signs in nobody', async () => {
  const victim = await person(Level.Admin)
  const attacker = await person()
  const assertionOf = (xml: string) => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0]
  const signatureOf = (xml: string) => /<(?:ds:)?Signature .*<\/(?:ds:)?Signature>/s.exec(xml)![0]
  const forge = (assertion: string) =>
    assertion
      .replace(signatureOf(assertion), '')
      .replace(/ID="[^"]*"/, 'ID="_forged"')
      .replace(attacker.nameId, victim.nameId)
  const wrappings: ((xml: string) => string)[] = [
    // The forged one before and after the signed one.
    (xml) => xml.replace(assertionOf(xml), `${forge(assertionOf(xml))}${assertionOf(xml)}`),
    (xml) => xml.replace(assertionOf(xml), `${assertionOf(xml)}${forge(assertionOf(xml))}`),
    // The signed one inside the forged one, and inside an extension.
    (xml) =>
      xml.replace(
        assertionOf(xml),
        forge(assertionOf(xml)).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
      ),
    (xml) =>
      xml.replace(
        assertionOf(xml),
        `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${forge(assertionOf(xml))}`,
      ),
    // The forged one bears the signature, which holds the signed one as its object.
    (xml) => {
      const signed = assertionOf(xml)
      const signature = signatureOf(signed)
      const carrying = signature.replace(
        /<\/((?:ds:)?)Signature>/,
        `<$1Object>${signed.replace(signature, '')}</$1Object></$1Signature>`,
      )
      return xml.replace(signed, forge(signed).replace('</saml:Issuer>', `</saml:Issuer>${carrying}`))
    },
    // The same ID twice.
    (xml) => {
      const id = /<saml:Assertion [^>]*ID="([^"]*)"/.exec(xml)![1]!
      const forged = forge(assertionOf(xml)).replace('_forged', id)
      return xml.replace(
        assertionOf(xml),
        `${forged}<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>`,
      )
    },
  ]
  for (const after of wrappings) {
    expect(await problemOf({ nameId: attacker.nameId, after })).toBe('invalid')
  }
})

test('D3-150 a comment, a document type or an instruction in the answer does not cut a name short', async () => {
  const victim = await person()
  const rawNameId = `${victim.nameId}<!---->.evil.example`
  const exclusiveWithComments = 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'
  for (const saying of [
    { rawNameId },
    { rawNameId, canonicalization: exclusiveWithComments },
    {
      nameId: `${victim.nameId}.evil.example`,
      after: (xml: string) => xml.replace('.evil.example', '<?x ?>.evil.example'),
    },
    {
      nameId: victim.nameId,
      after: (xml: string) => xml.replace(victim.nameId, `<![CDATA[${victim.nameId}]]>`),
    },
    { nameId: victim.nameId, after: (xml: string) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}` },
    {
      nameId: `${victim.nameId}.evil.example`,
      after: (xml: string) => xml.replace('.evil.example', '<!---->.evil.example'),
    },
  ])
    expect(await problemOf(saying)).toBe('invalid')
  expect(await problemOf({ nameId: `${victim.nameId}.evil.example` })).toBe('unknown')
})

test('D3-150 an answer out of time, for someone else or without its parts is refused', async () => {
  const { nameId } = await person()
  const problems = {
    expired: [
      { notOnOrAfter: -120 },
      { notBefore: 180 },
      { issueInstant: -1_000, notOnOrAfter: 3_600 },
      {
        before: (xml) =>
          xml.replace(
            '<saml:AuthnStatement ',
            '<saml:AuthnStatement SessionNotOnOrAfter="2020-01-01T00:00:00Z" ',
          ),
      },
    ],
    declined: [{ status: 'Responder' }],
    invalid: [
      { audience: 'https://another.example/metadata' },
      { recipient: 'https://another.example/acs' },
      { destination: 'https://another.example/acs' },
      { issuer: 'https://another-idp.example' },
      // Outside alone, and inside alone.
      { after: (xml) => xml.replace(/<saml:Issuer>[^<]*/, '<saml:Issuer>https://another-idp.example') },
      {
        before: (xml) =>
          xml.replace(/(<saml:Assertion.*?<saml:Issuer>)[^<]*/s, '$1https://another-idp.example'),
      },
      { after: (xml) => xml.replace('</samlp:Response>', `${'<x/>'.repeat(3_000)}</samlp:Response>`) },
      { without: ['Conditions'] },
      { without: ['AudienceRestriction'] },
      { without: ['AuthnStatement'] },
      { without: ['InResponseTo'] },
      { without: ['NotOnOrAfter'] },
      { nameId: '' },
    ],
  } satisfies Record<string, Saying[]>
  for (const [problem, sayings] of Object.entries(problems))
    for (const saying of sayings)
      expect(await problemOf({ nameId, ...saying }), JSON.stringify(saying)).toBe(problem)
  // A clock that is off by half a minute is nobody's fault.
  expect(await problemOf({ nameId, notBefore: 30 })).toBeNull()
})

test('D3-150 an answer that nobody asked for, or that came too late, is refused', async () => {
  const { nameId } = await person()
  expect(await problemOf({ nameId, inResponseTo: '_never-sent' })).toBe('expired')
  const begun = await begin()
  const strip = (xml: string) => xml.replaceAll(/ InResponseTo="[^"]*"/g, '')
  expect((await post(idp.respond(begun.request, { nameId, before: strip }))).problem).toBe('invalid')
  await installation.owner.query(
    "update saml_request set expires_at = now() - interval '1 second' where id = $1",
    [begun.request.id],
  )
  expect((await post(idp.respond(begun.request, { nameId }))).problem).toBe('expired')
  for (const junk of ['', 'not base64 !', Buffer.from('<a/>').toString('base64'), 'a'.repeat(210_000)])
    expect((await post(junk)).problem).toBe('invalid')
})

test('D3-150 a provider answers its own requests only, and signs in the people of its programs only', async () => {
  const otherProgram = await makeProgram(installation.owner)
  const otherIdp = makeIdentityProvider()
  const otherId = await addProvider('Other College', otherIdp, otherProgram.Id)
  const mine = await person()
  // Its answer to a request that was sent to another.
  const begun = await begin()
  expect((await post(otherIdp.respond(begun.request, { nameId: mine.nameId }))).problem).toBe('invalid')
  // Its answer about somebody of a program that it is not linked to, though a name is there.
  await nameAt(otherId, mine, mine.nameId)
  const own = await begin(undefined, otherId)
  expect((await post(otherIdp.respond(own.request, { nameId: mine.nameId }))).problem).toBe('unknown')
  const byAddress = {
    nameId: 'nobody',
    attributes: { mail: `person${counter}@example.org` },
  }
  const again = await begin(undefined, otherId)
  expect((await post(otherIdp.respond(again.request, byAddress))).problem).toBe('unknown')
})

test('attack: a college that answers for a person reaches none of that person’s accounts elsewhere', async () => {
  const email = 'many.hats@harbor.example'
  const mine = await person(Level.Faculty, { email })
  const beside = await person(Level.Student, { email })
  const elsewhere = await makePerson(installation.owner, Level.Admin, { email })
  const above = await makePerson(installation.owner, Level.SuperAdmin, { email })
  const { guid, cookie } = await answered({ nameId: mine.nameId })
  const { headers } = await enter(guid, mine.Id, cookie)
  let session = await callerOf(installation, cookieIn(headers, 'practicum_session'))
  const own = async () => (await session.ok(listOwnAccounts)).map(({ UserId }) => UserId)
  expect(await own()).toEqual([beside.Id])
  for (const { Id } of [elsewhere, above])
    expect((await session.call(switchAccount, { body: { UserId: Id } })).status).toBe(404)
  // Nor by way of another account that the college does answer for.
  const reply = await session.call(switchAccount, { body: { UserId: beside.Id } })
  session = await callerOf(installation, cookieIn(reply.headers, 'practicum_session'))
  expect(await own()).toEqual([mine.Id])
})

test('attack: what a provider has opened is shut when it may open it no longer', async () => {
  const otherIdp = makeIdentityProvider()
  const otherId = await addProvider('Lost College', otherIdp)
  const second = await makeProgram(installation.owner)
  await superAdmin.ok(contract.linkSamlProgram, {
    params: { samlId: otherId },
    body: { ProgramId: second.Id, AccessLevel: Level.Student },
  })
  const people = [
    await person(Level.Student, {}, otherId),
    await person(Level.Student, {}, otherId),
    await person(Level.Student, { program: second }, otherId),
  ]
  const bystander = await installation.as(people[0]!)
  const callers = await Promise.all(
    people.map(async ({ Id, nameId }) => {
      const begun = await begin(undefined, otherId)
      const { guid } = await post(otherIdp.respond(begun.request, { nameId }))
      const { headers } = await enter(guid, Id, begun.cookie)
      return callerOf(installation, cookieIn(headers, 'practicum_session'))
    }),
  )
  const open = () => Promise.all(callers.map(async (caller) => (await caller.call(getState)).status))
  expect(await open()).toEqual([200, 200, 200])
  await superAdmin.ok(contract.saveSamlUser, {
    params: { samlId: otherId, userId: people[0]!.Id },
    body: { Delete: true } as never,
  })
  expect(await open()).toEqual([401, 200, 200])
  await superAdmin.ok(contract.unlinkSamlProgram, { params: { samlId: otherId, programId: program.Id } })
  expect(await open()).toEqual([401, 401, 200])
  await superAdmin.ok(contract.deleteSamlProvider, { params: { samlId: otherId } })
  expect(await open()).toEqual([401, 401, 401])
  expect((await bystander.call(getState)).status).toBe(200)
})

test('D3-150 names that nobody has, inactive accounts, super admins and deleted programs are refused', async () => {
  expect(await problemOf({ nameId: 'nobody@harbor.example' })).toBe('unknown')
  expect(await lastAudit()).toMatchObject({
    action: 'sign-in refused',
    detail: {
      How: 'college',
      Problem: 'unknown',
      Provider: 'Harbor College',
      NameId: 'nobody@harbor.example',
    },
  })
  for (const row of [{ deactivated_at: new Date() }, { deleted_at: new Date() }]) {
    const { nameId } = await person(Level.Student, row)
    expect(await problemOf({ nameId })).toBe('unknown')
  }
  const { nameId } = await person(Level.SuperAdmin)
  expect(await problemOf({ nameId })).toBe('unknown')

  // Who is deactivated between the answer and the last step does not come in either.
  const student = await person()
  const { guid, cookie } = await answered({ nameId: student.nameId })
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [student.Id])
  expect((await users(guid, cookie)).status).toBe(404)
  expect((await enter(guid, student.Id, cookie)).status).toBe(422)
})

test('D3-150 the accounts of one person that share a name are offered for choice, and no others', async () => {
  const first = await person(Level.Faculty, { user_name: 'twofaculty' })
  const second = await makePerson(installation.owner, Level.Student, { program, user_name: 'twostudent' })
  await nameAt(samlId, second, first.nameId)
  const stranger = await person()
  const { guid, cookie } = await answered({ nameId: first.nameId.toUpperCase() })
  expect((await users(guid, cookie)).body.map(({ UserName }) => UserName)).toEqual([
    'twofaculty',
    'twostudent',
  ])
  expect((await enter(guid, stranger.Id, cookie)).status).toBe(422)
  expect((await enter(guid, second.Id, cookie)).body).toBe('/new/')
})

test('D3-150 names that are no addresses are told apart by the case of their letters', async () => {
  const made = await makePerson(installation.owner, Level.Student, { program })
  await nameAt(samlId, made, 'AbC123')
  expect(await problemOf({ nameId: 'abc123' })).toBe('unknown')
  expect(await problemOf({ nameId: 'AbC123' })).toBeNull()
})

test('D3-150 without a name the confirmed address counts, if one account alone has it', async () => {
  const email = 'only.one@harbor.example'
  const made = await makePerson(installation.owner, Level.Student, { program, email })
  const emailAddress = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
  expect(await problemOf({ nameId: email, format: emailAddress })).toBeNull()
  expect(await problemOf({ nameId: 'x1', attributes: { mail: 'Only.One@harbor.example' } })).toBeNull()
  // A name that merely looks like an address, and several addresses, prove nothing.
  expect(await problemOf({ nameId: email })).toBe('unknown')
  expect(await problemOf({ nameId: 'x1', attributes: { mail: [email, 'two@harbor.example'] } })).toBe(
    'unknown',
  )

  const { guid, cookie } = await answered({ nameId: 'x1', attributes: { email } })
  expect((await enter(guid, made.Id, cookie)).status).toBe(200)

  // A second account with the address: nobody knows which one is meant.
  await makePerson(installation.owner, Level.Faculty, { program, email })
  expect(await problemOf({ nameId: 'x1', attributes: { email } })).toBe('ambiguous')

  for (const row of [
    { email: 'unconfirmed@harbor.example', is_email_confirmed: false },
    { email: 'super@harbor.example', access_level: Level.SuperAdmin },
    { email: 'test@harbor.example', test_mode: 'admin' },
    { email: 'gone@harbor.example', deactivated_at: new Date() },
  ]) {
    await makePerson(installation.owner, Level.Admin, { program, ...row })
    expect(await problemOf({ nameId: 'x2', attributes: { email: row.email } }), row.email).toBe('unknown')
  }
  // Who has another name at the provider is somebody else there.
  await nameAt(
    samlId,
    await makePerson(installation.owner, Level.Student, { program, email: 'n@harbor.example' }),
    'n1',
  )
  expect(await problemOf({ nameId: 'n2', attributes: { email: 'n@harbor.example' } })).toBe('unknown')
})

test('D3-150 neither the page wanted nor RelayState leads anywhere but to pages of ours', async () => {
  const student = await person()
  for (const wanted of [
    'https://evil.example/',
    '//evil.example/new/',
    '/new/../../evil',
    '/new/api/state',
    '/new/saml/1/login',
    '/new/\\evil.example',
  ]) {
    const begun = await begin(wanted)
    const answer = idp.respond(begun.request, { nameId: student.nameId })
    const { guid, path } = await post(answer, { RelayState: 'https://evil.example/phish' })
    expect(path).toBe('/new/auth/college-answer')
    expect((await enter(guid, student.Id, begun.cookie)).body, wanted).toBe('/new/')
  }
})

test('D3-150 the authenticator is asked for, and the license agreement still comes first', async () => {
  // Codes change every 30 seconds: the clock stands still in the middle of them, so that none is another one meanwhile.
  vi.setSystemTime(Date.now() - (Date.now() % 30_000) + 15_000)
  const member = await person(Level.Faculty)
  const caller = await installation.as(member)
  const { Secret } = await caller.ok(authenticator.createTotpSecret)
  const codeAt = (steps: number) =>
    generateSync({ secret: Secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
  await caller.ok(authenticator.saveTotpSettings, {
    params: { userId: member.Id },
    body: { Enable: true, Secret, Code: codeAt(-1) },
  })
  const { guid, cookie } = await answered({ nameId: member.nameId })
  const asked = await enter(guid, member.Id, cookie)
  expect(asked.status).toBe(401)
  expect(asked.body).toMatchObject({ TotpRequired: true })
  expect((await enter(guid, member.Id, cookie, codeAt(10))).status).toBe(401)
  expect((await enter(guid, member.Id, cookie, codeAt(0))).status).toBe(200)

  await superAdmin.ok(saveEula, { body: { updatedText: btoa('<p>Terms</p>') } })
  const student = await person()
  const later = await answered({ nameId: student.nameId })
  expect((await enter(later.guid, student.Id, later.cookie)).body).toBe('/new/eula')
  await superAdmin.ok(saveEula, { body: { updatedText: '' } })
})

test('D3-150 colleges are offered by name before signing in, and one that is gone leads to a page that says so', async () => {
  const list = (search?: string) =>
    installation.anonymous.ok(contract.listSignInColleges, { query: { ...(search && { search }) } })
  expect(await list('harb')).toEqual([{ Id: samlId, Name: 'Harbor College' }])
  expect(await list('%')).toEqual([])
  const alone = await makeProgram(installation.owner)
  const id = await addProvider('Vanishing College', makeIdentityProvider(), alone.Id)
  await installation.owner.query('update program set deleted_at = now() where id = $1', [alone.Id])
  expect(await list('vanishing')).toEqual([])
  for (const path of [`saml/${id}/login`, 'saml/0/login', 'saml/x/login', 'saml/999999999/login']) {
    const { headers } = await fetch(at(path), { redirect: 'manual' })
    expect(headers.get('location')).toBe('/new/auth/college-answer?problem=unavailable')
    expect(headers.getSetCookie()).toEqual([])
  }
})

test('D3-150 forms are read at the one address that needs them, and IP access holds there too', async () => {
  const form = { method: 'POST', body: new URLSearchParams({ UserName: 'x', Password: 'y' }) }
  expect((await fetch(at('api/auth/login'), form)).status).toBe(415)
  await superAdmin.ok(setIpBlockMode, { body: 1 })
  const french = { 'x-forwarded-for': '2.2.2.2' }
  for (const [method, path] of [
    ['POST', 'saml/acs'],
    ['GET', `saml/${samlId}/login`],
  ] as const) {
    const response = await fetch(at(path), { method, redirect: 'manual', headers: french })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('<h1>Not available from here</h1>')
  }
  await superAdmin.ok(setIpBlockMode, { body: 0 })
})

/** The provider as a library of others knows it: it reads our metadata, and signs and checks as it was written. */
const samlifyOf = async (provider: IdentityProvider) => {
  const samlify = (await import('samlify')).default
  samlify.setSchemaValidator({ validate: async () => 'not asked' })
  const sloUrl = 'https://idp.example/slo'
  const other = samlify.IdentityProvider({
    entityID: provider.entityId,
    privateKey: provider.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    signingCert: provider.certificate,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    singleSignOnService: [
      { Binding: samlify.Constants.namespace.binding.redirect, Location: provider.ssoUrl },
    ],
    singleLogoutService: [{ Binding: samlify.Constants.namespace.binding.redirect, Location: sloUrl }],
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
  })
  const ours = samlify.ServiceProvider({
    metadata: await (await fetch(at('saml/metadata'))).text(),
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
  })
  return { other, ours, sloUrl }
}

describe('signing out of a college', () => {
  let slo: Awaited<ReturnType<typeof samlifyOf>>
  beforeAll(async () => {
    slo = await samlifyOf(idp)
    const params = { samlId }
    const { Name, EntityId, SsoUrl, Certificate } = await superAdmin.ok(contract.getSamlProvider, { params })
    const body = { Name, EntityId, SsoUrl, Certificate, SloUrl: slo.sloUrl }
    expect((await superAdmin.ok(contract.updateSamlProvider, { params, body })).SloUrl).toBe(slo.sloUrl)
  })

  /** Signs somebody in by the provider, which calls the session so. */
  const signIn = async ({ Id, nameId }: { Id: number; nameId: string }, sessionIndex = '') => {
    const { guid, cookie } = await answered({ nameId, sessionIndex })
    const { headers } = await enter(guid, Id, cookie)
    return callerOf(installation, cookieIn(headers, 'practicum_session'))
  }
  const isIn = async (caller: Caller) => (await caller.call(getState)).status === 200
  const visit = async (address: string, cookie = '') => {
    const { status, headers } = await fetch(address, { redirect: 'manual', headers: { cookie } })
    const to = new URL(headers.get('location') ?? '', installation.url)
    return { status, to, headers }
  }

  test('at the provider ends what it has opened, by a signed address, without any cookie, and is answered', async () => {
    const [student, other] = [await person(), await person()]
    const [one, two, stranger] = [
      await signIn(student, 'index-1'),
      await signIn(student, 'index-2'),
      await signIn(other, 'index-1'),
    ]
    const byPassword = await installation.as(student)
    const { context } = slo.other.createLogoutRequest(slo.ours, 'redirect', { logoutNameID: student.nameId })
    expect(new URL(context).origin + new URL(context).pathname).toBe(at('saml/logout'))
    // The library names no session, which the provider may.
    const index = '<samlp:SessionIndex>index-1</samlp:SessionIndex></samlp:LogoutRequest>'
    const xml = readRequest(context).xml.replace('</samlp:LogoutRequest>', index)
    const parts = {
      SAMLRequest: deflateRawSync(xml).toString('base64'),
      RelayState: 'keep me',
      SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    }
    const query = new URLSearchParams(parts).toString()
    const Signature = createSign('sha256').update(query).sign(idp.keys.privateKey, 'base64')
    const states = async () => [
      await isIn(one),
      await isIn(two),
      await isIn(stranger),
      await isIn(byPassword),
    ]
    const { to: first } = await visit(`${at('saml/logout')}?${query}&${new URLSearchParams({ Signature })}`)
    expect([first.searchParams.get('RelayState'), await states()]).toEqual([
      'keep me',
      [false, true, true, true],
    ])
    const { to } = await visit(context)
    expect([`${to.origin}${to.pathname}`, await states()]).toEqual([slo.sloUrl, [false, false, true, true]])
    const { extract } = await slo.other.parseLogoutResponse(slo.ours, 'redirect', {
      query: Object.fromEntries(to.searchParams),
      octetString: to.search.slice(1).replace(/&Signature=.*$/, ''),
    })
    expect(extract.response?.inResponseTo).toBe(readRequest(context).id)
  })

  test('by what nobody signed, somebody else signed, or was changed ends nothing', async () => {
    const student = await person()
    const caller = await signIn(student)
    const { context } = slo.other.createLogoutRequest(slo.ours, 'redirect', { logoutNameID: student.nameId })
    const stranger = await samlifyOf(makeIdentityProvider(idp.entityId))
    const forged = stranger.other.createLogoutRequest(slo.ours, 'redirect', { logoutNameID: student.nameId })
    const unsigned = new URL(context)
    unsigned.searchParams.delete('Signature')
    const another = slo.other.createLogoutRequest(slo.ours, 'redirect', { logoutNameID: 'another' }).context
    const mixed = `${another}&SAMLRequest=${encodeURIComponent(new URL(context).searchParams.get('SAMLRequest')!)}`
    const renamed = another
      .replace('SAMLRequest=', 'xSAMLRequest=')
      .replace('?', `?SAMLRequest=${encodeURIComponent(new URL(context).searchParams.get('SAMLRequest')!)}&`)
    const weak = context.replace(/rsa-sha256/, 'rsa-sha1')
    // By the provider's own key, and still not taken.
    const strong = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
    const signed = (message: string, SigAlg = strong, hash = 'sha256') => {
      const parts = { SAMLRequest: deflateRawSync(message).toString('base64'), SigAlg }
      const query = new URLSearchParams(parts).toString()
      const Signature = createSign(hash).update(query).sign(idp.keys.privateKey, 'base64')
      return `${at('saml/logout')}?${query}&${new URLSearchParams({ Signature })}`
    }
    const { xml } = readRequest(context)
    const elsewhere = xml.replace(at('saml/logout'), 'https://another.example/logout')
    expect(elsewhere).not.toBe(xml)
    const own = caller.headers.cookie
    for (const address of [
      forged.context,
      unsigned.href,
      mixed,
      renamed,
      weak,
      signed(xml, 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'sha1'),
      signed(elsewhere),
      `${signed(xml)}&SigAlg=${encodeURIComponent(strong)}`,
      at('saml/logout?SAMLRequest=x'),
    ])
      expect((await visit(address, own)).to.searchParams.get('problem'), address.slice(0, 200)).toBe(
        'sign-out',
      )
    expect((await visit(at('saml/logout'), own)).to.pathname).toBe('/new/login')
    expect(await isIn(caller)).toBe(true)
    expect((await lastAudit()).action).toBe('sign-in refused')
    vi.setSystemTime(Date.now() + 7 * 60_000)
    expect((await visit(context)).to.searchParams.get('problem')).toBe('sign-out')
    vi.useRealTimers()
    expect((await visit(context)).to.origin).toBe('https://idp.example')
    expect(await isIn(caller)).toBe(false)
  })

  test('at the provider by a signed form does the same', async () => {
    const student = await person()
    const caller = await signIn(student)
    const { context } = slo.other.createLogoutRequest(slo.ours, 'post', { logoutNameID: student.nameId })
    const send = async (SAMLRequest: string) => {
      const { headers } = await fetch(at('saml/logout'), {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: 'https://idp.example' },
        body: new URLSearchParams({ SAMLRequest }),
      })
      return new URL(headers.get('location')!, installation.url)
    }
    const xml = Buffer.from(context, 'base64').toString('utf8')
    expect(xml).toContain('SignatureValue')
    const changed = Buffer.from(xml.replace(student.nameId, 'someone@harbor.example')).toString('base64')
    expect((await send(changed)).searchParams.get('problem')).toBe('sign-out')
    expect(await isIn(caller)).toBe(true)
    expect((await send(context)).origin).toBe('https://idp.example')
    expect(await isIn(caller)).toBe(false)
  })

  test('begun here sends the browser on to the provider with a request that it can prove, once', async () => {
    const student = await person()
    const caller = await signIn(student, 'index-9')
    const { SignOutAddress } = await caller.ok(getSession)
    expect(SignOutAddress).toBe('/new/saml/leave')
    const { headers } = await caller.call(logout)
    const leaving = `practicum_leaving=${cookieIn(headers, 'practicum_leaving')}`
    expect(await isIn(caller)).toBe(false)
    const { to, headers: left } = await visit(at('saml/leave'), leaving)
    expect(left.getSetCookie().join()).toContain('practicum_leaving=;')
    const { extract } = await slo.other.parseLogoutRequest(slo.ours, 'redirect', {
      query: Object.fromEntries(to.searchParams),
      octetString: to.search.slice(1).replace(/&Signature=.*$/, ''),
    })
    expect(extract).toMatchObject({ nameID: student.nameId, issuer: at('saml/metadata') })
    expect(readRequest(to.href).xml).toContain('>index-9<')
    // Back from the provider nothing is left to do; others have nobody to tell.
    for (const address of ['saml/leave', 'saml/logout?SAMLResponse=x'])
      expect((await visit(at(address))).to.pathname).toBe('/new/login')
    expect((await visit(at('saml/leave'), 'practicum_leaving=forged')).to.pathname).toBe('/new/login')
    expect((await (await installation.as(student)).ok(getSession)).SignOutAddress).toBe('')
  })
})
