import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as identity from '#contract/identity/identity.ts'
import { getState } from '#contract/session/session.ts'
import { localPath } from '#server/core/auth/local-path.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { type MadePerson, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

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
const signIn = (UserName: string, Password = password, headers: Record<string, string> = {}) =>
  installation.anonymous.call(identity.login, { body: { UserName, Password } }, { headers })
const cookieOf = (reply: { headers: Headers }): string =>
  /practicum_session=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '')?.[1] ?? ''

test('D1-098 a person signs in by user name in any case of letters and lands on the page of their level', async () => {
  const staff = await signIn((await person()).UserName.toUpperCase())
  expect(staff).toMatchObject({ status: 200, body: { RedirectTo: '/new/admin/home' } })
  const student = await signIn((await person(Level.Student)).UserName)
  expect(student.body).toEqual({ RedirectTo: '/new/' })
})

test('the cookie cannot be read by scripts, and the server keeps only its hash', async () => {
  const { UserName, Id } = await person()
  const reply = await signIn(UserName)
  expect(reply.headers.get('set-cookie')).toMatch(/practicum_session=[\w-]{43};.*HttpOnly;.*SameSite=Lax/i)
  const { rows } = await installation.owner.query('select token_hash from session where account_id = $1', [
    Id,
  ])
  expect(rows[0].token_hash.toString('base64url')).not.toBe(cookieOf(reply))
})

test('every sign-in has a session id of its own, whatever cookie came with it', async () => {
  const { UserName } = await person()
  const planted = 'a'.repeat(43)
  const first = cookieOf(await signIn(UserName, password, { cookie: `practicum_session=${planted}` }))
  const second = cookieOf(await signIn(UserName))
  expect(new Set([planted, first, second]).size).toBe(3)
})

test('a wrong password, an unknown name, an empty account and an inactive one get the same answer', async () => {
  const active = await person()
  const withoutPassword = await person(Level.Coord, { password_hash: null })
  const inactive = await person(Level.Coord, { deactivated_at: new Date().toISOString() })
  const replies = [
    await signIn(active.UserName, 'wrong'),
    await signIn('nobody'),
    await signIn(withoutPassword.UserName),
    await signIn(inactive.UserName),
  ]
  for (const reply of replies) expect(reply).toMatchObject({ status: 401, body: replies[0]!.body })
})

describe('an email does as well as the user name', () => {
  const address = () => `${randomUUID().slice(0, 8)}@college.test`

  test('when one account has confirmed it, in capitals or not', async () => {
    const email = address()
    await person(Level.Coord, { email, is_email_confirmed: true })
    expect((await signIn(` ${email.toUpperCase()} `)).status).toBe(200)
    expect((await signIn(email, 'wrong')).status).toBe(401)
  })

  test('not when it is not confirmed, of several accounts, or of one that is gone; an unconfirmed one beside it does not count', async () => {
    const [unconfirmed, shared, gone, own] = [address(), address(), address(), address()]
    await person(Level.Coord, { email: unconfirmed, is_email_confirmed: false })
    const first = await person(Level.Coord, { email: shared, is_email_confirmed: true })
    await person(Level.Faculty, { email: shared, is_email_confirmed: true })
    const left = { email: gone, is_email_confirmed: true, deactivated_at: new Date().toISOString() }
    await person(Level.Coord, left)
    await person(Level.Coord, { email: own, is_email_confirmed: true })
    await person(Level.Student, { email: own, is_email_confirmed: false })
    const refusal = await signIn(address())
    expect(refusal.status).toBe(401)
    for (const email of [unconfirmed, shared, gone])
      expect(await signIn(email), email).toMatchObject({ status: 401, body: refusal.body })
    expect((await signIn(first.UserName)).status).toBe(200)
    expect((await signIn(own)).status).toBe(200)
  })

  test('gives no further guesses, and what is refused does not tell whose it is', async () => {
    const email = address()
    const { UserName } = await person(Level.Coord, { email, is_email_confirmed: true })
    for (const [guessed, other] of [
      [email, UserName],
      [UserName, email],
    ] as const) {
      await installation.owner.query("delete from throttle where key like 'sign-in:%'")
      for (let attempt = 0; attempt < 10; attempt++) expect((await signIn(guessed, 'wrong')).status).toBe(401)
      // As of a name that nobody has: the password would have been right.
      expect(await signIn(other)).toMatchObject({ status: 401, body: (await signIn('nobody')).body })
      expect((await signIn(guessed)).status).toBe(429)
    }
  })
})

test('ten wrong passwords lock the account for a while, also parallel ones; another account is free', async () => {
  const { UserName } = await person()
  const replies = await Promise.all(Array.from({ length: 30 }, () => signIn(UserName, 'wrong')))
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(10)
  const locked = await signIn(UserName)
  expect(locked.status).toBe(429)
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await signIn((await person()).UserName)).status).toBe(200)
})

test('a right password forgives the wrong ones before it', async () => {
  const { UserName } = await person()
  for (let round = 0; round < 3; round++) {
    for (let attempt = 0; attempt < 6; attempt++) await signIn(UserName, 'wrong')
    expect((await signIn(UserName)).status).toBe(200)
  }
})

test('D1-252 after signing in the page wanted before is shown, if it is one of ours', async () => {
  const { UserName } = await person()
  const wanted = (path: string) =>
    signIn(UserName, password, { cookie: `practicum_redirect=${encodeURIComponent(path)}` })
  expect((await wanted('/new/admin/sites?search=x')).body).toEqual({
    RedirectTo: '/new/admin/sites?search=x',
  })
  for (const foreign of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/new/../..//evil.example\\',
    'javascript:alert(1)',
  ]) {
    expect((await wanted(foreign)).body).toEqual({ RedirectTo: '/new/admin/home' })
  }
  expect(localPath('/other', '')).toBeUndefined()
})

test('a signed-out session is over, and one’s other sessions are not', async () => {
  const account = await person()
  const [one, other] = [await installation.as(account), await installation.as(account)]
  await one.ok(identity.logout)
  expect((await one.call(getState)).status).toBe(401)
  expect((await other.call(getState)).status).toBe(200)
})

test('C4 signing in again in the same browser ends the session it had, and no other', async () => {
  const account = await person()
  const [here, elsewhere] = [
    cookieOf(await signIn(account.UserName)),
    cookieOf(await signIn(account.UserName)),
  ]
  const isGood = async (token: string) =>
    (
      await installation.anonymous.send('GET', '/auth/session', {
        headers: { cookie: `practicum_session=${token}` },
      })
    ).status === 200
  const again = cookieOf(await signIn(account.UserName, password, { cookie: `practicum_session=${here}` }))
  expect([await isGood(here), await isGood(elsewhere), await isGood(again)]).toEqual([false, true, true])
})

test('C3 the clock of the database decides when a session ends, whatever that of the process says', async () => {
  const account = await person()
  const cookie = `practicum_session=${cookieOf(await signIn(account.UserName))}`
  const ask = () => installation.anonymous.send('GET', '/auth/session', { headers: { cookie } })
  const idle = (minutes: number) =>
    installation.owner.query(
      "update session set last_seen_at = now() - $2 * interval '1 minute' where account_id = $1",
      [account.Id, minutes],
    )
  try {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 3_600_000 })
    expect((await ask()).status).toBe(200)
    vi.setSystemTime(Date.now() - 10 * 3_600_000)
    await idle(59)
    expect((await ask()).status).toBe(200)
    await idle(61)
    expect((await ask()).status).toBe(401)
  } finally {
    vi.useRealTimers()
  }
})

test('own sessions are listed and ended, those of others are not there', async () => {
  const account = await person()
  const [one, other] = [await installation.as(account), await installation.as(account)]
  const stranger = await installation.as(await person())
  const sessions = await one.ok(identity.listSessions)
  expect(sessions).toHaveLength(2)
  const second = sessions.find(({ IsCurrent }) => !IsCurrent)!
  const at = { params: { sessionId: second.Id } }
  expect((await stranger.call(identity.endOwnSession, at)).status).toBe(404)
  await one.ok(identity.endOwnSession, at)
  expect((await other.call(getState)).status).toBe(401)
})

test('an idle session ends after the minutes of its program, an active one after 24 hours', async () => {
  const program = await makeProgram(installation.owner, { options: { SessionIdleMinutes: 10 } })
  const account = await person(Level.Coord, { program })
  const caller = await installation.as(account)
  const seen = (interval: string) =>
    installation.owner.query(
      `update session set last_seen_at = now() - interval '${interval}' where account_id = $1`,
      [account.Id],
    )
  await seen('9 minutes')
  expect((await caller.call(getState)).status).toBe(200)
  await seen('11 minutes')
  expect((await caller.call(getState)).status).toBe(401)
  await seen('0 minutes')
  await installation.owner.query(
    "update session set expires_at = now() - interval '1 second' where account_id = $1",
    [account.Id],
  )
  expect((await caller.call(getState)).status).toBe(401)
})

test('D2-040 D2-099 without the protection against forgery the token is not asked for, but a foreign origin is refused', async () => {
  const caller = await installation.as(await person())
  const post = (headers: Record<string, string>) => caller.send('POST', '/state', { body: {}, headers })
  expect((await post({ 'x-csrf-token': 'wrong' })).status).toBe(403)
  await installation.owner.query("insert into setting values ('EnableAntiForgery', 'false')")
  expect((await post({ 'x-csrf-token': 'wrong' })).status).toBe(200)
  expect((await post({ 'x-csrf-token': 'wrong', origin: 'https://evil.example' })).status).toBe(403)
  await installation.owner.query("delete from setting where name = 'EnableAntiForgery'")
})

test('localhost and 127.0.0.1 with the own port are the same origin while no public address is set', async () => {
  const { UserName } = await person()
  const { port } = new URL(installation.url)
  for (const host of ['localhost', '127.0.0.1']) {
    expect((await signIn(UserName, password, { origin: `http://${host}:${port}` })).status).toBe(200)
  }
  expect((await signIn(UserName, password, { origin: 'http://localhost:1' })).status).toBe(403)
})

test('asking for a password link answers the same for known and unknown names, and mails only the known', async () => {
  const { UserName, Id } = await person()
  for (const body of [{ UserName }, { UserName: 'nobody' }, { Email: 'nobody@example.org' }]) {
    const reply = await installation.anonymous.call(identity.requestPasswordReset, { body })
    expect(reply).toMatchObject({ status: 202, body: '' })
  }
  const { rows } = await installation.owner.query(
    "select account_id from mail where label = 'ACCOUNT_password_reset'",
  )
  expect(rows.filter(({ account_id }) => account_id === Id)).toHaveLength(1)
})

const linkOf = async (account: MadePerson): Promise<string> => {
  await installation.anonymous.call(identity.requestPasswordReset, { body: { UserName: account.UserName } })
  const { rows } = await installation.owner.query(
    'select html from mail where account_id = $1 order by id desc limit 1',
    [account.Id],
  )
  return /token=([\w-]+)/.exec(rows[0].html)![1]!
}
const reset = (Token: string, Password: string) =>
  installation.anonymous.call(identity.resetPassword, { body: { Token, Password } })

test('a link sets the password once, ends all sessions, and dies with a newer one', async () => {
  const account = await person()
  const old = await linkOf(account)
  const link = await linkOf(account)
  const caller = await installation.as(account)
  expect((await reset(old, 'Kingfisher-7-lake')).status).toBe(422)
  const both = await Promise.all([reset(link, 'Kingfisher-7-lake'), reset(link, 'Kingfisher-8-lake')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 422])
  expect((await caller.call(getState)).status).toBe(401)
  expect((await signIn(account.UserName)).status).toBe(401)
})

test('a refused password leaves the link good, and an expired link does nothing', async () => {
  const account = await person()
  const link = await linkOf(account)
  expect((await reset(link, 'password1')).status).toBe(422)
  await installation.owner.query(
    "update one_time_token set expires_at = now() - interval '1 second' where account_id = $1",
    [account.Id],
  )
  expect((await reset(link, 'Kingfisher-7-lake')).status).toBe(422)
  expect((await signIn(account.UserName)).status).toBe(200)
})

test('the mailed link names the public address, whatever host the request names', async () => {
  const account = await person()
  await fetch(`${installation.url}/new/api/auth/password-reset-requests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example' },
    body: JSON.stringify({ UserName: account.UserName }),
  })
  const { rows } = await installation.owner.query('select html from mail where account_id = $1', [account.Id])
  expect(rows[0].html).toContain(`${installation.url}/new/reset-password`)
  expect(rows[0].html).not.toContain('evil.example')
})

test('changing the password needs the old one and ends the other sessions', async () => {
  const account = await person()
  const [one, other] = [await installation.as(account), await installation.as(account)]
  const change = (OldPassword: string) =>
    one.call(identity.changePassword, { body: { OldPassword, Password: 'Kingfisher-7-lake' } })
  expect((await change('wrong')).status).toBe(422)
  expect((await change(password)).status).toBe(204)
  expect((await one.call(getState)).status).toBe(200)
  expect((await other.call(getState)).status).toBe(401)
  expect((await signIn(account.UserName, 'Kingfisher-7-lake')).status).toBe(200)
})

test('a person switches between own accounts with the same confirmed address, and to no other', async () => {
  const email = 'two.hats@example.org'
  const first = await person(Level.Coord, { email })
  const second = await person(Level.Faculty, { email: email.toUpperCase() })
  const unconfirmed = await person(Level.Faculty, { email, is_email_confirmed: false })
  const stranger = await person()
  const caller = await installation.as(first)
  expect((await caller.ok(identity.listOwnAccounts)).map(({ UserId }) => UserId)).toEqual([second.Id])
  for (const { Id } of [unconfirmed, stranger]) {
    expect((await caller.call(identity.switchAccount, { body: { UserId: Id } })).status).toBe(404)
  }
  const reply = await caller.call(identity.switchAccount, { body: { UserId: second.Id } })
  expect(reply.body).toEqual({ RedirectTo: '/new/admin/home' })
  expect((await caller.call(getState)).status).toBe(401)
})

test('refused and successful sign-ins are in the audit with the address they came from', async () => {
  const account = await person()
  await signIn(account.UserName, 'wrong')
  await signIn(account.UserName)
  const { rows } = await installation.owner.query(
    'select action, host(address) as address from audit where account_id = $1 order by id',
    [account.Id],
  )
  expect(rows).toEqual([
    { action: 'sign-in refused', address: '127.0.0.1' },
    { action: 'signed in', address: '127.0.0.1' },
  ])
})

test('on a ward computer a session ends after five idle minutes, and after twenty whatever happens', async () => {
  const program = await makeProgram(installation.owner, { options: { SessionIdleMinutes: 90 } })
  const { UserName, Id } = await person(Level.Student, { program_id: program.Id })
  const reply = await installation.anonymous.call(identity.login, {
    body: { UserName, Password: password, IsShared: true },
  })
  expect(reply.headers.get('set-cookie')).toMatch(/Max-Age=1200/)
  const headers = { cookie: `practicum_session=${cookieOf(reply)}` }
  const ask = () => installation.anonymous.call(getState, {}, { headers })
  expect((await ask()).body).toMatchObject({ IsShared: true })
  const { rows } = await installation.owner.query(
    'select round(extract(epoch from expires_at - created_at) / 60)::integer as minutes from session where account_id = $1',
    [Id],
  )
  expect(rows).toEqual([{ minutes: 20 }])
  await installation.owner.query(
    "update session set last_seen_at = now() - interval '6 minutes' where account_id = $1",
    [Id],
  )
  expect((await ask()).status).toBe(401)
  const usual = await signIn(UserName)
  const state = await installation.anonymous.call(
    getState,
    {},
    { headers: { cookie: `practicum_session=${cookieOf(usual)}` } },
  )
  expect(state.body).toMatchObject({ IsShared: false })
})
