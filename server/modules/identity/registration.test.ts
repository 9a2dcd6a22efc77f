import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications } from '#contract/communication/notifications.ts'
import { Level } from '#contract/core/levels.ts'
import * as identity from '#contract/identity/identity.ts'
import * as contract from '#contract/identity/registration.ts'
import { searchUsers } from '#contract/people/people.ts'
import { getState } from '#contract/session/session.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
const statements: number[] = []
const password = 'Kingfisher-7-lake'

beforeAll(async () => {
  installation = await startInstallation(
    {},
    {
      statements: (endpoint, count) => {
        if (endpoint === contract.register) statements.push(count)
      },
    },
  )
})
afterAll(() => installation?.stop())

interface Opened {
  program: MadeProgram
  coordinator: Caller
  token: string
}
const open = async (): Promise<Opened> => {
  const program = await makeProgram(installation.owner)
  const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  const { Link } = await coordinator.ok(contract.makeRegistrationLink, { params: { programId: program.Id } })
  expect(Link).toMatch(new RegExp(`^${installation.url}/new/register/[\\w-]{43}$`))
  return { program, coordinator, token: Link!.split('/').at(-1)! }
}
const enter = (token: string, EmailAddress: string, more: object = {}) =>
  installation.anonymous.call(contract.register, {
    params: { token },
    body: {
      FirstName: 'Ada',
      LastName: 'Renner',
      EmailAddress,
      PhoneNumber: '(508) 555-0100',
      ZipCode: '02740',
      ...more,
    },
  })
const emailsTo = async (recipient: string): Promise<{ label: string; html: string }[]> =>
  (
    await installation.owner.query('select label, html from mail where recipient = $1 order by id desc', [
      recipient,
    ])
  ).rows
const tokenTo = async (recipient: string): Promise<string> =>
  /confirm-email\?token=([\w-]+)/.exec((await emailsTo(recipient))[0]!.html)![1]!
const confirm = (Token: string, Password?: string) =>
  installation.anonymous.call(identity.confirmEmail, { body: { Token, ...(Password && { Password }) } })

let counter = 0
const registered = async ({ token }: Opened): Promise<{ email: string; userName: string; id: number }> => {
  const email = `registrant${++counter}@example.org`
  await enter(token, email)
  const link = await tokenTo(email)
  const { UserName } = await installation.anonymous.ok(identity.getEmailConfirmation, {
    params: { token: link },
  })
  expect((await confirm(link, password)).status).toBe(204)
  const { rows } = await installation.owner.query('select id from account where user_name = $1', [UserName])
  return { email, userName: UserName, id: rows[0].id }
}
const signIn = (UserName: string) =>
  installation.anonymous.call(identity.login, { body: { UserName, Password: password } })

test('somebody registers by the link, confirms the address, sets the password there, and is a registrant', async () => {
  const opened = await open()
  const { token, program, coordinator } = opened
  expect(await installation.anonymous.ok(contract.getRegistration, { params: { token } })).toMatchObject({
    ProgramName: program.Name,
  })
  const { userName, id, email } = await registered(opened)
  expect(userName).toMatch(/^arenner\d*$/)
  expect((await signIn(userName)).body).toEqual({ RedirectTo: '/new/' })
  const { rows } = await installation.owner.query(
    'select program_id, access_level, is_email_confirmed from account where id = $1',
    [id],
  )
  expect(rows).toEqual([{ program_id: program.Id, access_level: Level.Registrant, is_email_confirmed: true }])
  expect((await emailsTo(email)).map(({ label }) => label)).toEqual([
    'REGISTRANT_received',
    'REGISTRANT_confirm',
  ])
  const [told] = await coordinator.ok(listNotifications)
  expect(told).toMatchObject({ Kind: 'registrant', Link: '/new/admin/manage-users?level=36' })
})

test('the link alone, a refused password and no password open no account', async () => {
  const { token } = await open()
  const email = 'half.way@example.org'
  await enter(token, email)
  const link = await tokenTo(email)
  const { UserName } = await installation.anonymous.ok(identity.getEmailConfirmation, {
    params: { token: link },
  })
  expect((await confirm(link)).status).toBe(422)
  expect((await confirm(link, 'password1')).status).toBe(422)
  expect((await signIn(UserName)).status).toBe(401)
  expect((await confirm(link, password)).status).toBe(204)
})

test('a new, a repeated and a known address get the same answer after the same work; only the emails differ', async () => {
  const opened = await open()
  const { email: known } = await registered(opened)
  statements.length = 0
  const fresh = 'fresh@example.org'
  for (const email of [fresh, fresh, known, known.toUpperCase()]) {
    expect(await enter(opened.token, email)).toMatchObject({ status: 202, body: '' })
  }
  expect(new Set(statements).size).toBe(1)
  const accounts = await installation.owner.query(
    'select lower(email) as email from account where program_id = $1 and access_level = 36 order by 1',
    [opened.program.Id],
  )
  expect(accounts.rows).toEqual([{ email: fresh }, { email: known }])
  expect((await emailsTo(known))[0]!.label).toBe('REGISTRANT_known')
  expect((await emailsTo(fresh)).map(({ label }) => label)).toEqual([
    'REGISTRANT_confirm',
    'REGISTRANT_confirm',
  ])
})

test('a renewed link ends the old one, and switched off there is none', async () => {
  const { program, coordinator, token } = await open()
  const at = { params: { programId: program.Id } }
  const { Link } = await coordinator.ok(contract.makeRegistrationLink, at)
  expect((await enter(token, 'late@example.org')).status).toBe(404)
  const renewed = Link!.split('/').at(-1)!
  expect((await enter(renewed, 'in.time@example.org')).status).toBe(202)
  await coordinator.ok(contract.removeRegistrationLink, at)
  expect(await coordinator.ok(contract.getRegistrationLink, at)).toEqual({ Link: null })
  expect((await enter(renewed, 'too.late@example.org')).status).toBe(404)
  expect(await emailsTo('too.late@example.org')).toEqual([])
})

test('registration is throttled, and takes no line breaks into names', async () => {
  const { token } = await open()
  const replies = await Promise.all(Array.from({ length: 8 }, () => enter(token, 'often@example.org')))
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(3)
  const { rows } = await installation.owner.query("select 1 from account where email = 'often@example.org'")
  expect(rows).toHaveLength(1)
  for (const bad of [
    { FirstName: 'Ada\r\nBcc: x@example.org' },
    { FirstName: '🌸🌸' },
    { PhoneNumber: '-1' },
    { ZipCode: 'abcde' },
  ])
    expect((await enter(token, 'lines@example.org', bad)).status).toBe(400)
})

test('a coordinator approves a registrant into a student, who is told by mail', async () => {
  const opened = await open()
  const { coordinator, program } = opened
  const { id, email, userName } = await registered(opened)
  const list = await coordinator.ok(searchUsers, {
    params: { programId: program.Id },
    query: { AccessLevels: [Level.Registrant] },
  })
  expect(list.Items).toMatchObject([{ Id: id, IsEmailAddressConfirmed: true }])
  const at = { params: { programId: program.Id, userId: id } }
  const approve = (StudentLevelId: number | null) =>
    coordinator.call(contract.approveRegistrant, { ...at, body: { StudentLevelId, Cohort: '2028' } })
  expect((await approve(19)).status).toBe(422)
  expect((await approve(1)).status).toBe(204)
  expect((await approve(1)).status).toBe(404)
  expect((await emailsTo(email))[0]!.label).toBe('REGISTRANT_approved')
  const student = await installation.as({ Id: id })
  expect((await student.ok(getState)).User).toMatchObject({ AccessLevel: Level.Student, UserName: userName })
})

test('a registrant whose address is not confirmed cannot be approved', async () => {
  const { coordinator, program, token } = await open()
  await enter(token, 'not.yet@example.org')
  const { rows } = await installation.owner.query(
    "select id from account where email = 'not.yet@example.org'",
  )
  const reply = await coordinator.call(contract.approveRegistrant, {
    params: { programId: program.Id, userId: rows[0].id },
    body: { StudentLevelId: null, Cohort: '' },
  })
  expect(reply).toMatchObject({ status: 422, body: { Code: 'not_confirmed' } })
})

test('a declined registrant gets the reason as text and has no access', async () => {
  const opened = await open()
  const { coordinator, program } = opened
  const { id, email, userName } = await registered(opened)
  const session = await installation.as({ Id: id })
  await coordinator.ok(contract.declineRegistrant, {
    params: { programId: program.Id, userId: id },
    body: { Reason: 'The class is full.\n<b>Sorry</b>' },
  })
  const [message] = await emailsTo(email)
  expect(message).toMatchObject({ label: 'REGISTRANT_declined' })
  expect(message!.html).toContain('<p>The class is full.<br>&lt;b&gt;Sorry&lt;/b&gt;</p>')
  expect((await session.call(getState)).status).toBe(401)
  expect((await signIn(userName)).status).toBe(401)
})

test('registrants of another program and students are nobody to decide about', async () => {
  const opened = await open()
  const other = await open()
  const { id } = await registered(other)
  const student = await makePerson(installation.owner, Level.Student, { program: opened.program })
  for (const userId of [id, student.Id]) {
    const params = { programId: opened.program.Id, userId }
    expect(
      (await opened.coordinator.call(contract.declineRegistrant, { params, body: { Reason: '' } })).status,
    ).toBe(404)
  }
})
