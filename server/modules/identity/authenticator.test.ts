import { generateSync } from 'otplib'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/identity/authenticator.ts'
import * as identity from '#contract/identity/identity.ts'
import { allEndpoints } from '#contract/index.ts'
import { getLeftMenu, getState } from '#contract/session/session.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { type MadePerson, makePerson, makeProgram } from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
const password = 'Bluebird-42-harbor'
let passwordHash: string

beforeAll(async () => {
  installation = await startInstallation()
  passwordHash = await hashPassword(password)
})
afterAll(() => installation?.stop())

const person = (level: Level = Level.Coord, row: object = {}): Promise<MadePerson> =>
  makePerson(installation.owner, level, { password_hash: passwordHash, ...row })
const codeAt = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
const settings = (account: MadePerson) => ({ params: { userId: account.Id } })

/** Codes change every 30 seconds: the clock stands still in the middle of them, so that a test sees no other. */
const holdStep = (): void => {
  vi.setSystemTime(Date.now() - (Date.now() % 30_000) + 15_000)
}
afterEach(() => void vi.useRealTimers())

/** A person with an authenticator; the step before the running one is used by it. */
const withAuthenticator = async (
  level: Level = Level.Coord,
  row: object = {},
): Promise<{ account: MadePerson; caller: Caller; secret: string }> => {
  holdStep()
  const account = await person(level, row)
  const caller = await installation.as(account)
  const { Secret } = await caller.ok(contract.createTotpSecret)
  const answer = await caller.ok(contract.saveTotpSettings, {
    ...settings(account),
    body: { Enable: true, Secret, Code: codeAt(Secret, -1) },
  })
  expect(answer).toEqual({
    Success: true,
    ErrorMessage: null,
    UserTotp: { Enabled: true, UserName: account.UserName },
  })
  return { account, caller, secret: Secret }
}
const signIn = (account: MadePerson, Code?: string) =>
  installation.anonymous.call(identity.login, {
    body: { UserName: account.UserName, Password: password, ...(Code !== undefined && { Code }) },
  })

test('D1-269 D1-270 D1-271 D1-196 D1-233 an authenticator is enabled with the issued secret and a code of it, and disabled without', async () => {
  const { account, caller } = await withAuthenticator()
  expect(await caller.ok(contract.getTotpSettings, settings(account))).toEqual({
    Enabled: true,
    UserName: account.UserName,
  })
  const off = await caller.ok(contract.saveTotpSettings, {
    ...settings(account),
    body: { Enable: false, Password: password },
  })
  expect(off).toMatchObject({ Success: true, UserTotp: { Enabled: false } })
  expect((await signIn(account)).status).toBe(200)
})

test('D1-233 D1-234 a wrong code is judged by the server, in words, and enables nothing', async () => {
  const account = await person()
  const caller = await installation.as(account)
  const { Secret } = await caller.ok(contract.createTotpSecret)
  for (const Code of ['000000', codeAt(Secret, 10), codeAt(Secret).slice(0, 5), '', 'abcdef']) {
    const answer = await caller.ok(contract.saveTotpSettings, {
      ...settings(account),
      body: { Enable: true, Secret, Code },
    })
    expect(answer).toMatchObject({ Success: false, UserTotp: { Enabled: false } })
    expect(answer.ErrorMessage).toMatch(/code is not right/)
  }
})

test('only the secret issued to this session within ten minutes is accepted', async () => {
  const account = await person()
  const [caller, other] = [await installation.as(account), await installation.as(account)]
  const enable = (who: Caller, Secret: string) =>
    who.ok(contract.saveTotpSettings, {
      ...settings(account),
      body: { Enable: true, Secret, Code: codeAt(Secret) },
    })
  const own = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  await caller.ok(contract.createTotpSecret)
  expect((await enable(caller, own)).Success).toBe(false)
  const { Secret } = await caller.ok(contract.createTotpSecret)
  expect((await enable(other, Secret)).Success).toBe(false)
  await installation.owner.query(
    "update session set totp_draft_at = now() - interval '10 minutes 1 second' where account_id = $1",
    [account.Id],
  )
  expect((await enable(caller, Secret)).Success).toBe(false)
})

test('the secret lies sealed in the database, and under no other account does it open', async () => {
  const { account, secret } = await withAuthenticator()
  const other = await person()
  const { rows } = await installation.owner.query(
    'update account set totp_secret = (select totp_secret from account where id = $1) where id = $2 returning totp_secret',
    [account.Id, other.Id],
  )
  expect(rows[0].totp_secret).not.toContain(secret)
  expect((await signIn(other, codeAt(secret))).status).toBe(500)
})

test('C5 an open session alone does not disable the authenticator: the password or a code does', async () => {
  const { account, caller, secret } = await withAuthenticator()
  const disable = (proof: object) =>
    caller.ok(contract.saveTotpSettings, { ...settings(account), body: { Enable: false, ...proof } })
  const { Codes } = await caller.ok(contract.createRecoveryCodes)
  for (const proof of [{}, { Code: '' }, { Password: 'wrong' }, { Code: '000000' }, { Code: Codes[0]! }])
    expect(await disable(proof), JSON.stringify(proof)).toMatchObject({
      Success: false,
      ErrorMessage: expect.stringMatching(/password/),
      UserTotp: { Enabled: true },
    })
  expect(await disable({ Code: codeAt(secret) })).toMatchObject({
    Success: true,
    UserTotp: { Enabled: false },
  })
})

test('nobody reads or changes the authenticator of another account', async () => {
  const { account } = await withAuthenticator()
  const admin = await installation.as(await person(Level.SuperAdmin))
  expect((await admin.call(contract.getTotpSettings, settings(account))).status).toBe(404)
  const change = { ...settings(account), body: { Enable: false } }
  expect((await admin.call(contract.saveTotpSettings, change)).status).toBe(404)
})

test('sign-in asks for the code only after the right password, and a code works once', async () => {
  const { account, secret } = await withAuthenticator()
  const wrong = await installation.anonymous.call(identity.login, {
    body: { UserName: account.UserName, Password: 'wrong' },
  })
  expect(wrong.body).not.toHaveProperty('TotpRequired')
  expect(await signIn(account)).toMatchObject({ status: 401, body: { TotpRequired: true } })
  expect(await signIn(account, '123456')).toMatchObject({ status: 401, body: { TotpRequired: true } })
  const code = codeAt(secret)
  expect((await signIn(account, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
  expect((await signIn(account, code)).status).toBe(401)
})

test('the code that enabled the authenticator does not sign in, nor does an older one after a newer', async () => {
  const { account, secret } = await withAuthenticator()
  expect((await signIn(account, codeAt(secret, -1))).status).toBe(401)
  expect((await signIn(account, codeAt(secret, 1))).status).toBe(200)
  expect((await signIn(account, codeAt(secret))).status).toBe(401)
})

test('of many sign-ins with one code at the same moment, one succeeds', async () => {
  const { account, secret } = await withAuthenticator()
  const code = codeAt(secret)
  const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(account, code)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('codes cannot be guessed: a right password forgives no wrong code, and parallel guesses all count', async () => {
  const { account } = await withAuthenticator()
  const replies = await Promise.all(
    Array.from({ length: 25 }, (_, at) => signIn(account, String(100_000 + at))),
  )
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(15)
})

test('A57 asking for the code costs no guess: a sign-in without one does not count, a wrong one does', async () => {
  const { account } = await withAuthenticator()
  for (let attempt = 0; attempt < 12; attempt++)
    expect(await signIn(account, attempt % 2 ? ' ' : undefined)).toMatchObject({
      status: 401,
      body: { TotpRequired: true },
    })
  for (let attempt = 0; attempt < 10; attempt++)
    expect((await signIn(account, String(100_000 + attempt))).status).toBe(401)
  expect((await signIn(account)).status).toBe(429)
})

test('ten recovery codes are shown once, kept as hashes, work once each, and die with new ones', async () => {
  const { account, caller } = await withAuthenticator()
  const { Codes } = await caller.ok(contract.createRecoveryCodes)
  expect(new Set(Codes).size).toBe(10)
  expect(await caller.ok(contract.getRecoveryCodes)).toEqual({ Left: 10 })
  const { rows } = await installation.owner.query(
    "select string_agg(encode(code_hash, 'escape'), '') as kept from recovery_code where account_id = $1",
    [account.Id],
  )
  for (const code of Codes) expect(rows[0].kept).not.toContain(code)
  const typed = Codes[0]!.replace('-', ' ').toUpperCase()
  const replies = await Promise.all([signIn(account, typed), signIn(account, Codes[0])])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401])
  expect(await caller.ok(contract.getRecoveryCodes)).toEqual({ Left: 9 })
  const messages = await installation.owner.query(
    "select 1 from mail where account_id = $1 and label = 'ACCOUNT_notice_recovery_code'",
    [account.Id],
  )
  expect(messages.rowCount).toBe(1)
  await caller.ok(contract.createRecoveryCodes)
  expect((await signIn(account, Codes[1])).status).toBe(401)
})

test('without an authenticator there are no recovery codes, and disabling ends them', async () => {
  const { account, caller } = await withAuthenticator()
  const { Codes } = await caller.ok(contract.createRecoveryCodes)
  await caller.ok(contract.saveTotpSettings, {
    ...settings(account),
    body: { Enable: false, Password: password },
  })
  expect(await caller.ok(contract.getRecoveryCodes)).toEqual({ Left: 0 })
  expect((await caller.call(contract.createRecoveryCodes)).status).toBe(422)
  expect(Codes).toHaveLength(10)
})

test('enabling ends the other sessions, which were opened without a code', async () => {
  const account = await person()
  const [caller, other] = [await installation.as(account), await installation.as(account)]
  const { Secret } = await caller.ok(contract.createTotpSecret)
  const body = { Enable: true, Secret, Code: codeAt(Secret) }
  await caller.ok(contract.saveTotpSettings, { ...settings(account), body })
  expect((await other.call(getState)).status).toBe(401)
  const again = await caller.ok(contract.createTotpSecret)
  const twice = await caller.ok(contract.saveTotpSettings, {
    ...settings(account),
    body: { Enable: true, Secret: again.Secret, Code: codeAt(again.Secret) },
  })
  expect(twice).toMatchObject({ Success: false, UserTotp: { Enabled: true } })
})

test('switching to an own account with an authenticator asks for its code', async () => {
  const email = 'switch.with.code@example.org'
  const { account: target, secret } = await withAuthenticator(Level.Faculty, { email })
  const caller = await installation.as(await person(Level.Coord, { email }))
  const to = (Code?: string) =>
    caller.call(identity.switchAccount, { body: { UserId: target.Id, ...(Code && { Code }) } })
  expect(await to()).toMatchObject({ status: 401, body: { TotpRequired: true } })
  expect((await caller.call(getState)).status).toBe(200)
  expect((await to(codeAt(secret))).status).toBe(200)
})

test('staff of a program that requires it set up an authenticator before anything else; its students need none', async () => {
  const program = await makeProgram(installation.owner, { requires_totp: true })
  const account = await person(Level.Faculty, { program })
  const reply = await installation.anonymous.call(
    identity.login,
    { body: { UserName: account.UserName, Password: password } },
    { headers: { cookie: 'practicum_redirect=%2Fnew%2Fadmin%2Fsites' } },
  )
  expect(reply.body).toEqual({ RedirectTo: '/new/totp-settings' })
  // Kept until the step is done: then it is shown.
  expect(decodeURIComponent(reply.headers.get('set-cookie') ?? '')).toContain(
    'practicum_redirect=/new/admin/sites;',
  )

  const caller = await installation.as(account)
  const open = allEndpoints.filter(({ duringStep }) => duringStep)
  for (const endpoint of allEndpoints) {
    if (endpoint.may === 'everyone' || open.includes(endpoint)) continue
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, program.Id]),
    )
    const { status, body } = await caller.send(endpoint.method, addressOf(endpoint, { params }))
    expect(
      { status, Code: body.Code, RedirectTo: body.RedirectTo },
      `${endpoint.method} ${endpoint.path}`,
    ).toEqual({ status: 403, Code: 'step', RedirectTo: '/new/totp-settings' })
  }

  const { Secret } = await caller.ok(contract.createTotpSecret)
  const body = { Enable: true, Secret, Code: codeAt(Secret) }
  await caller.ok(contract.saveTotpSettings, { ...settings(account), body })
  await caller.ok(getLeftMenu)
  expect((await signIn(await person(Level.Student, { program }))).body).toEqual({ RedirectTo: '/new/' })
})

test('staff take away a lost authenticator of people up to their own level, who are told by mail', async () => {
  const program = await makeProgram(installation.owner)
  const { account } = await withAuthenticator(Level.Faculty, { program })
  const { account: director } = await withAuthenticator(Level.Director, { program })
  const coordinator = await installation.as(await person(Level.Coord, { program }))
  const remove = (userId: number) =>
    coordinator.call(contract.removeAuthenticator, { params: { programId: program.Id, userId } })
  expect((await remove(director.Id)).status).toBe(403)
  expect((await remove((await withAuthenticator()).account.Id)).status).toBe(404)
  expect((await remove(account.Id)).status).toBe(204)
  expect((await signIn(account)).status).toBe(200)
  const { rowCount } = await installation.owner.query(
    "select 1 from mail where account_id = $1 and label = 'ACCOUNT_notice_authenticator_off'",
    [account.Id],
  )
  expect(rowCount).toBe(1)
  expect((await remove(account.Id)).status).toBe(422)
})

test('D1-320 the link of the QR code names SHA1, 6 digits and 30 seconds', () => {
  const link = new URL(contract.totpAddress('dwhitfield', 'JBSWY3DPEHPK3PXP'))
  expect(link.protocol).toBe('otpauth:')
  expect(Object.fromEntries(link.searchParams)).toEqual({
    secret: 'JBSWY3DPEHPK3PXP',
    issuer: 'Practicum',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
