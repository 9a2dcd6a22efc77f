import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as authenticator from '#contract/identity/authenticator.ts'
import {
  changePassword,
  listOwnAccounts,
  login,
  requestPasswordReset,
  resetPassword,
  switchAccount,
} from '#contract/identity/identity.ts'
import * as contract from '#contract/identity/passwordless.ts'
import { createUser } from '#contract/people/people.ts'
import { getState } from '#contract/session/session.ts'
import { type MadePerson, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Caller, callerOf, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
const statements: number[] = []

beforeAll(async () => {
  installation = await startInstallation(
    {},
    {
      statements: (endpoint, count) => {
        if (endpoint === contract.requestMagicLink) statements.push(count)
      },
    },
  )
})
afterAll(() => installation?.stop())

let counter = 0
const person = async (
  level: Level = Level.Coord,
  row: object = {},
): Promise<MadePerson & { email: string }> => {
  const email = `mailbox${++counter}@example.org`
  return { ...(await makePerson(installation.owner, level, { email, ...row })), email }
}
const ask = (Email: string) => installation.anonymous.call(contract.requestMagicLink, { body: { Email } })
const emailsTo = async (email: string): Promise<{ subject: string; html: string }[]> =>
  (
    await installation.owner.query(
      "select subject, html from mail where lower(recipient) = lower($1) and label = 'ACCOUNT_sign_in_link' order by id desc",
      [email],
    )
  ).rows
/** Asks, and reads what came by mail. */
const mailed = async (email: string) => {
  const { body } = await ask(email)
  const [message] = await emailsTo(email)
  return {
    key: body.PublicGuid,
    code: /\d{6}/.exec(message!.subject)![0],
    guid: /passwordless\?id=([0-9a-f-]{36})/.exec(message!.html)![1]!,
  }
}
const exchange = (key: string, code: string) =>
  installation.anonymous.call(contract.exchangeMagicCode, { query: { 'public-key': key, code } })
const users = (guid: string) => installation.anonymous.call(contract.listMagicLinkUsers, { params: { guid } })
const enter = (
  guid: string,
  UserId: number,
  more: { Code?: string; redirectTo?: string; cookie?: string } = {},
) =>
  installation.anonymous.call(
    contract.loginByMagicLink,
    {
      query: { ...(more.redirectTo !== undefined && { redirectTo: more.redirectTo }) },
      body: { UserId, Guid: guid, ...(more.Code && { Code: more.Code }) },
    },
    { headers: { ...(more.cookie && { cookie: more.cookie }) } },
  )
const cookieOf = (reply: { headers: Headers }): string =>
  /practicum_session=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '')?.[1] ?? ''

test('D1-009 D1-209 D1-210 D1-295 D1-296 D1-297 D1-208 D1-294 a person signs in by the mailed code, and by the mailed link', async () => {
  const account = await person()
  const { body } = await ask(account.email)
  expect(body).toEqual({ Sent: true, Email: account.email, PublicGuid: expect.any(String), Code: null })
  const first = await mailed(account.email)
  expect((await exchange(first.key, first.code)).body).toEqual({ Guid: first.guid })
  const program = await installation.owner.query('select name from program where id = $1', [
    account.ProgramId,
  ])
  expect((await users(first.guid)).body).toEqual([
    { UserId: account.Id, UserName: account.UserName, ProgramName: program.rows[0].name },
  ])
  const reply = await enter(first.guid, account.Id)
  expect(reply).toMatchObject({ status: 200, body: '/new/admin/home' })
  const state = await installation.anonymous.call(getState, undefined, {
    headers: { cookie: `practicum_session=${cookieOf(reply)}` },
  })
  expect(state.body.User.Id).toBe(account.Id)
})

test('D1-010 the email has the code in its subject, the link and the code in its text, and says how long they work', async () => {
  const account = await person()
  await ask(account.email)
  const [{ subject, html }] = (await emailsTo(account.email)) as [{ subject: string; html: string }]
  expect(subject).toMatch(/^Your sign-in code: \d{6}$/)
  const code = subject.slice(-6)
  expect(html).toContain(`>${code}<`)
  expect(html).toContain(`href="${installation.url}/new/auth/passwordless?id=`)
  expect(html).toContain('Both work once, for 10 minutes')
  expect(html).toContain('If you did not ask for this, do nothing')
})

test('D1-313 known, unknown and disabled addresses get the same answer after the same work, and only the known get an email', async () => {
  const known = await person()
  const disabled = await person(Level.Coord, { deactivated_at: new Date().toISOString() })
  const unknown = 'nobody.at.all@example.org'
  statements.length = 0
  for (const email of [known.email, disabled.email, unknown]) {
    const { status, body } = await ask(email)
    expect({ status, body: { ...body, PublicGuid: '' } }).toEqual({
      status: 200,
      body: { Sent: true, Email: email, PublicGuid: '', Code: null },
    })
  }
  expect(new Set(statements).size).toBe(1)
  expect(await emailsTo(known.email)).toHaveLength(1)
  expect(await emailsTo(disabled.email)).toHaveLength(0)
  expect(await emailsTo(unknown)).toHaveLength(0)
})

test('guessing codes of an unknown address answers like guessing those of a known one, to the last attempt', async () => {
  const answers = async (email: string) => {
    const { body } = await ask(email)
    const replies = []
    for (let attempt = 0; attempt < 7; attempt++) {
      const reply = await exchange(body.PublicGuid, String(attempt).padStart(6, 'x'))
      replies.push([reply.status, (reply.body as unknown as { Message: string }).Message])
    }
    return replies
  }
  const known = await answers((await person()).email)
  expect(known).toEqual(await answers('nobody.to.guess@example.org'))
  expect(known.map(([status]) => status)).toEqual([422, 422, 422, 422, 422, 429, 429])
})

test('A57 an empty code is refused in words and costs none of the five attempts', async () => {
  const account = await person()
  await ask(account.email)
  const { key, code, guid } = await mailed(account.email)
  for (let attempt = 0; attempt < 8; attempt++) {
    const reply = await exchange(key, attempt % 2 ? '  ' : '')
    expect(reply).toMatchObject({ status: 422, body: { Message: 'Enter the 6-digit code from the email.' } })
  }
  expect((await exchange(key, code)).body).toEqual({ Guid: guid })
})

test('D1-229 only the newest code and link work', async () => {
  const account = await person()
  const old = await mailed(account.email)
  const newest = await mailed(account.email)
  expect((await exchange(old.key, old.code)).status).toBe(422)
  expect((await users(old.guid)).status).toBe(404)
  expect((await enter(old.guid, account.Id)).status).toBe(422)
  expect((await enter(newest.guid, account.Id)).status).toBe(200)
})

test('requests at the same moment leave one link that works', async () => {
  const account = await person()
  await Promise.all(Array.from({ length: 5 }, () => ask(account.email)))
  const messages = await emailsTo(account.email)
  const guids = messages.map(({ html }) => /id=([0-9a-f-]{36})/.exec(html)![1]!)
  const open = (await Promise.all(guids.map(users))).filter(({ status }) => status === 200)
  expect(open).toHaveLength(1)
})

test('a link is used once, also by many at the same moment', async () => {
  const account = await person()
  const { guid, key, code } = await mailed(account.email)
  const replies = await Promise.all(Array.from({ length: 6 }, () => enter(guid, account.Id)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await exchange(key, code)).status).toBe(422)
  expect((await users(guid)).status).toBe(404)
})

test('a scanner that opens the link and reads its accounts uses nothing up', async () => {
  const account = await person()
  const { guid } = await mailed(account.email)
  for (let time = 0; time < 5; time++) {
    await fetch(`${installation.url}/new/auth/passwordless?id=${guid}`)
    expect((await users(guid)).status).toBe(200)
  }
  expect((await enter(guid, account.Id)).status).toBe(200)
})

test('link and code end after ten minutes', async () => {
  const account = await person()
  const { guid, key, code } = await mailed(account.email)
  await installation.owner.query(
    "update one_time_token set expires_at = expires_at - interval '10 minutes' where email = $1",
    [account.email],
  )
  expect((await exchange(key, code)).status).toBe(422)
  expect((await users(guid)).status).toBe(404)
  expect((await enter(guid, account.Id)).status).toBe(422)
})

test('D1-225 an address with several accounts lists them, and a link opens no other account', async () => {
  const first = await person()
  const second = await person(Level.Student, { email: first.email.toUpperCase() })
  const stranger = await person()
  const { guid } = await mailed(first.email)
  const listed = (await users(guid)).body.map(({ UserId }) => UserId)
  expect(listed.toSorted()).toEqual([first.Id, second.Id].toSorted())
  expect((await enter(guid, stranger.Id)).status).toBe(422)
  expect(await enter(guid, second.Id)).toMatchObject({ status: 200, body: '/new/' })
})

test('A19 D1-225 a mailed link proves the mailbox: all accounts with this address can be switched to', async () => {
  const first = await person(Level.Coord, { is_email_confirmed: false })
  const second = await person(Level.Student, { email: first.email.toUpperCase(), is_email_confirmed: false })
  const stranger = await person(Level.Coord, { is_email_confirmed: false })
  const { guid } = await mailed(first.email)
  await users(guid)
  const confirmed = async () =>
    (
      await installation.owner.query(
        'select id::int as id from account where id = any($1) and is_email_confirmed order by id',
        [[first.Id, second.Id, stranger.Id]],
      )
    ).rows.map(({ id }) => id)
  expect(await confirmed()).toEqual([])
  const reply = await enter(guid, first.Id)
  expect(await confirmed()).toEqual([first.Id, second.Id])
  const { body } = await installation.anonymous.call(listOwnAccounts, undefined, {
    headers: { cookie: `practicum_session=${cookieOf(reply)}` },
  })
  expect(body.map(({ UserId }) => UserId)).toEqual([second.Id])
})

test('attack: who makes an account with another person’s address and a password reaches none of that person’s', async () => {
  const victim = await person(Level.SuperAdmin)
  const program = await makeProgram(installation.owner)
  const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  const password = 'Trapdoor-17-lantern'
  const area = await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'General' })
  const { Id } = await coordinator.ok(createUser, {
    body: {
      accessLevel: Level.Student,
      emailAddress: victim.email,
      username: `trap${victim.Id}`,
      password,
      firstName: 'Trap',
      lastName: 'Door',
      zipCode: '02740',
      phoneNumber: '(508) 555-0100',
      areaId: area.id,
    } as never,
  })
  // The victim reads the mailbox, so all accounts with this address count as confirmed.
  const { guid } = await mailed(victim.email)
  expect((await enter(guid, victim.Id)).status).toBe(200)
  const come = async (Password: string) => {
    const reply = await installation.anonymous.call(login, {
      body: { UserName: `trap${victim.Id}`, Password } as never,
    })
    expect(reply.status).toBe(200)
    return callerOf(installation, cookieOf(reply))
  }
  const reach = async (caller: Caller) => [
    (await caller.ok(listOwnAccounts)).map(({ UserId }) => UserId),
    (await caller.call(switchAccount, { body: { UserId: victim.Id } })).status,
  ]
  const first = await come(password)
  expect(await reach(first)).toEqual([[], 404])
  await first.ok(changePassword, { body: { OldPassword: password, Password: 'Trapdoor-18-lantern' } })
  expect(await reach(await come('Trapdoor-18-lantern'))).toEqual([[], 404])
  // With a password that was set by a mailed link the account is the mailbox owner's alone.
  await installation.anonymous.ok(requestPasswordReset, { body: { UserName: `trap${victim.Id}` } })
  const { rows } = await installation.owner.query(
    'select html from mail where account_id = $1 order by id desc',
    [Id],
  )
  await installation.anonymous.ok(resetPassword, {
    body: { Token: /token=([\w-]+)/.exec(rows[0].html)![1]!, Password: 'Harbor-77-bluebird' },
  })
  expect(await reach(await come('Harbor-77-bluebird'))).toEqual([[victim.Id], 200])
})

test('a link never skips the authenticator, and a wrong code leaves it good', async () => {
  const account = await person()
  const caller = await installation.as(account)
  const { Secret } = await caller.ok(authenticator.createTotpSecret)
  const now = () => generateSync({ secret: Secret })
  const before = generateSync({ secret: Secret, epoch: Math.floor(Date.now() / 1000) - 30 })
  await caller.ok(authenticator.saveTotpSettings, {
    params: { userId: account.Id },
    body: { Enable: true, Secret, Code: before },
  })
  const { guid } = await mailed(account.email)
  for (const more of [{}, { Code: '000000' }, { Code: before }]) {
    expect(await enter(guid, account.Id, more)).toMatchObject({ status: 401, body: { TotpRequired: true } })
  }
  expect((await enter(guid, account.Id, { Code: now() })).status).toBe(200)
})

test('requests are throttled by address of mail and of caller, for unknown ones too', async () => {
  for (const email of [(await person()).email, 'nobody.often@example.org']) {
    const replies = await Promise.all(Array.from({ length: 9 }, () => ask(email)))
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(4)
  }
  await installation.owner.query("update throttle set count = 60 where key = 'magic-link:address:127.0.0.1'")
  expect((await ask('somebody.else@example.org')).status).toBe(429)
  await installation.owner.query("delete from throttle where key = 'magic-link:address:127.0.0.1'")
})

test('the mailed link names the public address, whatever host the request names', async () => {
  const account = await person()
  const { hostname, port } = new URL(installation.url)
  const { request } = await import('node:http')
  await new Promise<void>((resolve, reject) => {
    const call = request(
      {
        hostname,
        port,
        method: 'POST',
        path: '/new/api/magic-links',
        headers: {
          'content-type': 'application/json',
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          forwarded: 'host=evil.example',
        },
      },
      (response) => response.resume().on('end', resolve),
    )
    call.on('error', reject)
    call.end(JSON.stringify({ Email: account.email }))
  })
  const [message] = await emailsTo(account.email)
  expect(message!.html).toContain(`${installation.url}/new/auth/passwordless?id=`)
  expect(message!.html).not.toContain('evil.example')
})

test('D1-311 a malformed address is refused in words and mails nothing: no line of a header comes in', async () => {
  for (const Email of [
    'nobody',
    'a@b@c.org',
    'a@example.org\r\nBcc: x@evil.example',
    'a@example.org, x@evil.example',
  ]) {
    const reply = await ask(Email)
    expect(reply.status).toBe(400)
    expect((reply.body as unknown as { Message: string }).Message).toContain(
      'Please enter a valid email address',
    )
  }
  expect(await emailsTo('x@evil.example')).toHaveLength(0)
})

const attacks = [
  'https://evil.example',
  '//evil.example/new/',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/new/../..//evil.example',
  '/new/..//..//evil.example',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  '/new/\t/evil.example',
  '/new\\@evil.example',
  'http:evil.example',
  '/new/%0d%0aSet-Cookie:x=y\r\n',
  '/newer/page',
  '/other',
  '/new/api/auth/sessions',
  '/new/login',
  '/new/auth/passwordless?redirectTo=//evil.example',
  'data:text/html,x',
  '?redirectTo=//evil.example',
  '@evil.example',
]

test('no redirect parameter and no redirect cookie leads out of the installation', async () => {
  for (const attack of attacks) {
    const account = await person()
    const byQuery = await mailed(account.email)
    expect((await enter(byQuery.guid, account.Id, { redirectTo: attack })).body, attack).toBe(
      '/new/admin/home',
    )
    const byCookie = await mailed(account.email)
    const cookie = `practicum_redirect=${encodeURIComponent(attack)}`
    expect((await enter(byCookie.guid, account.Id, { cookie })).body, attack).toBe('/new/admin/home')
    await installation.owner.query('delete from throttle')
  }
  const account = await person()
  const { guid } = await mailed(account.email)
  const wanted = '/new/admin/sites?search=x#row'
  expect((await enter(guid, account.Id, { redirectTo: wanted })).body).toBe(wanted)
})

test('the session of a mailed link has an id of its own, whatever cookie came with it', async () => {
  const account = await person()
  const { guid } = await mailed(account.email)
  const planted = 'a'.repeat(43)
  const reply = await enter(guid, account.Id, { cookie: `practicum_session=${planted}` })
  expect(cookieOf(reply)).toMatch(/^[\w-]{43}$/)
  expect(cookieOf(reply)).not.toBe(planted)
})
