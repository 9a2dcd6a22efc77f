import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as identity from '#contract/identity/identity.ts'
import * as contractOfPreferences from '#contract/identity/preferences.ts'
import { allEndpoints } from '#contract/index.ts'
import { getUser } from '#contract/people/people.ts'
import { getAdminData, getState } from '#contract/session/session.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { transaction } from '#server/core/database/pool.ts'
import { isChange } from '#server/core/http/handle.ts'
import { post } from '#server/core/mail/mail.ts'
import { type MadePerson, makePerson, makeProgram } from '#server/test/factories.ts'
import { addressOf, type Installation, startInstallation } from '#server/test/installation.ts'

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
const emailsTo = async (recipient: string): Promise<{ label: string; html: string }[]> =>
  (
    await installation.owner.query('select label, html from mail where recipient = $1 order by id desc', [
      recipient,
    ])
  ).rows
const linkTo = async (recipient: string): Promise<string> => {
  const messages = await emailsTo(recipient)
  return /confirm-email\?token=([\w-]+)/.exec(messages[0]!.html)![1]!
}
const confirm = (Token: string) => installation.anonymous.call(identity.confirmEmail, { body: { Token } })

test('an address becomes the own one only by the link that was mailed to it, once', async () => {
  const account = await person()
  const caller = await installation.as(account)
  const EmailAddress = `new.${account.UserName}@example.org`
  await caller.ok(identity.changeEmail, { body: { EmailAddress, Password: password } })
  expect(await caller.ok(identity.getOwnEmail)).toEqual({
    EmailAddress: `${account.UserName}@example.org`,
    IsConfirmed: true,
    PendingEmailAddress: EmailAddress,
    HasPassword: true,
  })
  expect((await emailsTo(`${account.UserName}@example.org`)).map(({ label }) => label)).toEqual([
    'ACCOUNT_notice_email',
  ])
  const token = await linkTo(EmailAddress)
  for (let time = 0; time < 3; time++) {
    const read = await installation.anonymous.ok(identity.getEmailConfirmation, { params: { token } })
    expect(read).toMatchObject({ EmailAddress, UserName: account.UserName, NeedsPassword: false })
  }
  const replies = await Promise.all([confirm(token), confirm(token), confirm(token)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 422, 422])
  expect(await caller.ok(identity.getOwnEmail)).toMatchObject({
    EmailAddress,
    IsConfirmed: true,
    PendingEmailAddress: null,
  })
})

test('changing the address needs the password, and a newer link ends the older', async () => {
  const account = await person()
  const caller = await installation.as(account)
  const change = (EmailAddress: string, Password = password) =>
    caller.call(identity.changeEmail, { body: { EmailAddress, Password } })
  expect((await change('a.thief@example.org', 'wrong')).status).toBe(422)
  expect(await emailsTo('a.thief@example.org')).toEqual([])
  const mine = `first.${account.UserName}@example.org`
  await change(mine)
  const old = await linkTo(mine)
  await change(mine)
  expect((await confirm(old)).status).toBe(422)
  expect((await confirm(await linkTo(mine))).status).toBe(204)
})

test('an address that is not confirmed yet is confirmed without the password, and the link ends after ten minutes', async () => {
  const account = await person(Level.Student, { is_email_confirmed: false })
  const caller = await installation.as(account)
  const EmailAddress = `${account.UserName}@example.org`
  await caller.ok(identity.changeEmail, { body: { EmailAddress } })
  const token = await linkTo(EmailAddress)
  await installation.owner.query(
    "update one_time_token set expires_at = expires_at - interval '10 minutes' where account_id = $1",
    [account.Id],
  )
  expect((await confirm(token)).status).toBe(422)
  await caller.ok(identity.changeEmail, { body: { EmailAddress } })
  await confirm(await linkTo(EmailAddress))
  expect((await caller.ok(getState)).User.IsEmailAddressConfirmed).toBe(true)
})

test('D1-183 the address of a demo account cannot be changed', async () => {
  const caller = await installation.as(await person(Level.Student, { is_demo: true }))
  const reply = await caller.call(identity.changeEmail, {
    body: { EmailAddress: 'demo.else@example.org', Password: password },
  })
  expect(reply.status).toBe(422)
  expect(await emailsTo('demo.else@example.org')).toEqual([])
})

test('no line break comes into the recipient or subject of an email', async () => {
  await transaction(installation.services.pool, { accountId: null, programIds: [] }, (db) =>
    post(db, [
      {
        programId: null,
        label: 'TEST',
        recipient: 'a@example.org\r\nBcc: evil@example.org',
        subject: 'Hello\nX-Evil: 1',
        html: '',
      },
    ]),
  )
  const { rows } = await installation.owner.query("select recipient, subject from mail where label = 'TEST'")
  for (const text of Object.values(rows[0])) expect(text).not.toMatch(/[\r\n]/)
})

test('preferences are kept: start page, the menu of the next session, and emails that are not sent', async () => {
  const account = await person(Level.Coord)
  const caller = await installation.as(account)
  expect(await caller.ok(contractOfPreferences.getPreferences)).toEqual({
    StartPage: '',
    IsMenuShown: false,
    MutedEmails: [],
    Language: null,
  })
  const Preferences = {
    StartPage: '/new/admin/approve-time-records',
    IsMenuShown: true,
    MutedEmails: ['EVALUATION_due', 'ACCOUNT_password_reset'],
  }
  const saved = await caller.ok(contractOfPreferences.savePreferences, { body: Preferences })
  expect(saved).toEqual({ ...Preferences, MutedEmails: ['EVALUATION_due'], Language: null })
  const signedIn = await installation.anonymous.ok(identity.login, {
    body: { UserName: account.UserName, Password: password },
  })
  expect(signedIn.RedirectTo).toBe('/new/admin/approve-time-records')
  expect((await (await installation.as(account)).ok(getState)).isAdminMenuSemiHidden).toBe(false)
  for (const StartPage of ['//evil.example', 'https://evil.example', '/new/api/state', '/elsewhere']) {
    expect(
      (await caller.call(contractOfPreferences.savePreferences, { body: { ...Preferences, StartPage } }))
        .status,
    ).toBe(422)
  }
  const message = { programId: account.ProgramId, accountId: account.Id, subject: 'S', html: '' }
  await transaction(installation.services.pool, { accountId: null, programIds: [account.ProgramId!] }, (db) =>
    post(db, [
      { ...message, label: 'EVALUATION_due', recipient: 'muted@example.org' },
      { ...message, label: 'TIME_message', recipient: 'muted@example.org' },
    ]),
  )
  const { rows } = await installation.owner.query(
    "select label, status, status_message from mail where recipient = 'muted@example.org' order by label",
  )
  expect(rows).toEqual([
    { label: 'EVALUATION_due', status: 4, status_message: 'Switched off by the recipient' },
    { label: 'TIME_message', status: 1, status_message: '' },
  ])
})

test('on a ward computer another own account has a short session, too', async () => {
  const email = 'ward@example.org'
  const target = await person(Level.Faculty, { email })
  const account = await person(Level.Coord, { email })
  const caller = await installation.as(account)
  await installation.owner.query('update session set is_shared = true where account_id = $1', [account.Id])
  const reply = await caller.call(identity.switchAccount, { body: { UserId: target.Id } })
  expect(reply.headers.get('set-cookie')).toMatch(/Max-Age=1200/)
  const { rows } = await installation.owner.query('select is_shared from session where account_id = $1', [
    target.Id,
  ])
  expect(rows).toEqual([{ is_shared: true }])
})

test('the session after switching has an id of its own', async () => {
  const email = 'hats@example.org'
  const target = await person(Level.Faculty, { email })
  const caller = await installation.as(await person(Level.Coord, { email }))
  const reply = await caller.call(identity.switchAccount, { body: { UserId: target.Id } })
  expect(reply.headers.get('set-cookie')).toMatch(/practicum_session=[\w-]{43};/)
  expect((await caller.call(getState)).status).toBe(401)
})

const viewing = async (level: Level = Level.Admin) => {
  const program = await makeProgram(installation.owner)
  const admin = await person(level, { program })
  const student = await person(Level.Student, { program })
  const caller = await installation.as(admin)
  const view = (userId: number, programId = program.Id) =>
    caller.call(identity.viewAs, { params: { programId, userId } })
  return { program, admin, student, caller, view }
}

test('an administrator sees the product as a student, and comes back', async () => {
  const { admin, student, caller, view } = await viewing()
  expect((await view(student.Id)).body).toEqual({ RedirectTo: '/new/' })
  expect(await caller.ok(getState)).toMatchObject({
    User: { Id: student.Id, AccessLevel: Level.Student },
    Viewer: { Name: expect.stringContaining('First') },
  })
  expect((await caller.call(getAdminData)).status).toBe(403)
  expect((await caller.ok(identity.stopViewing)).RedirectTo).toBe('/new/admin/manage-users')
  expect(await caller.ok(getState)).toMatchObject({ User: { Id: admin.Id }, Viewer: null })
})

test('while viewing every call that changes something is refused, whoever may make it', async () => {
  const { program, student, caller, view } = await viewing()
  await view(student.Id)
  const open = allEndpoints.filter(({ whileViewing }) => whileViewing).map(({ path }) => path)
  expect(open.toSorted()).toEqual(['/auth/logout', '/auth/view'])
  for (const endpoint of allEndpoints.filter(isChange)) {
    // The sync looks at no session: without its key it is refused before anything else.
    if (endpoint.whileViewing || endpoint.path === '/v1/sync/:module') continue
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, program.Id]),
    )
    const { status, body } = await caller.send(endpoint.method, addressOf(endpoint, { params }), { body: {} })
    expect({ status, Code: body.Code }, `${endpoint.method} ${endpoint.path}`).toEqual({
      status: 403,
      Code: 'viewing',
    })
  }
})

test('viewing goes never upwards, never into another program, not to oneself, and not to who has no access', async () => {
  const { program, admin, view } = await viewing()
  const inactive = await person(Level.Student, { program, deactivated_at: new Date().toISOString() })
  const over = await person(Level.SuperAdmin, { program })
  const stranger = await person(Level.Student)
  expect((await view(over.Id)).status).toBe(403)
  expect((await view(stranger.Id)).status).toBe(404)
  expect((await view(stranger.Id, stranger.ProgramId!)).status).toBe(404)
  expect((await view(admin.Id)).status).toBe(422)
  expect((await view(inactive.Id)).status).toBe(422)
  const director = await viewing(Level.Director)
  expect((await director.view(director.student.Id)).status).toBe(403)
})

test('a super admin views nobody of the same level', async () => {
  const program = await makeProgram(installation.owner)
  const caller = await installation.as(await person(Level.SuperAdmin))
  const other = await person(Level.SuperAdmin, { program })
  const reply = await caller.call(identity.viewAs, { params: { programId: program.Id, userId: other.Id } })
  expect(reply.status).toBe(404)
})

test('viewing ends when the viewed person rises above the viewer, and when the viewer loses access', async () => {
  const { admin, student, caller, view } = await viewing()
  await view(student.Id)
  await installation.owner.query('update account set access_level = 100 where id = $1', [student.Id])
  expect((await caller.call(getState)).status).toBe(401)
  await installation.owner.query('update account set access_level = 39 where id = $1', [student.Id])
  expect((await caller.call(getState)).status).toBe(200)
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [admin.Id])
  expect((await caller.call(getState)).status).toBe(401)
})

test('viewing is in the audit under the administrator, with whom and what was seen', async () => {
  const { program, admin, caller, view } = await viewing()
  const coordinator = await person(Level.Coord, { program })
  const seen = await person(Level.Student, { program })
  await view(coordinator.Id)
  await caller.ok(getUser, { params: { programId: program.Id, userId: seen.Id } })
  await caller.ok(identity.stopViewing)
  const { rows } = await installation.owner.query(
    "select account_id, action, subject_id, detail ->> 'ViewingAs' as viewed from audit where program_id = $1 order by id",
    [program.Id],
  )
  expect(rows).toEqual([
    {
      account_id: admin.Id,
      action: 'POST /programs/:programId/users/:userId/views',
      subject_id: coordinator.Id,
      viewed: null,
    },
    {
      account_id: admin.Id,
      action: 'GET /programs/:programId/users/:userId',
      subject_id: seen.Id,
      viewed: coordinator.UserName,
    },
    {
      account_id: admin.Id,
      action: 'DELETE /auth/view',
      subject_id: coordinator.Id,
      viewed: coordinator.UserName,
    },
  ])
})
