import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toBase64 } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'
import * as identity from '#contract/identity/identity.ts'
import { allEndpoints } from '#contract/index.ts'
import { getLeftMenu, getState } from '#contract/session/session.ts'
import * as contract from '#contract/settings/eula.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { makePerson, makeProgram, makeStudent } from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let admin: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  await installation.owner.query('delete from eula_acceptance')
  await installation.owner.query('delete from eula')
  admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})

const save = (html: string, isPlaintext = false, caller = admin) =>
  caller.ok(contract.saveEula, { body: { updatedText: toBase64(html), isPlaintext } })
/** Saves and answers the version. */
const publish = async (html: string): Promise<number> => {
  await save(html)
  return (await admin.ok(contract.getEula)).Version!
}
const accept = (caller: Caller, Version: number) => caller.call(contract.acceptEula, { body: { Version } })

test('D2-096 D2-160 D2-161 D2-196 the text is sent in base64, answered with Saved!, and read back as text', async () => {
  expect(await admin.ok(contract.getEula)).toEqual({ text: '', Version: null, AcceptedAt: null })
  expect(await save('<h2>Terms – ünïcode</h2>')).toEqual({ Message: 'Saved!' })
  expect(await admin.ok(contract.getEula)).toMatchObject({
    text: '<h2>Terms – ünïcode</h2>',
    Version: expect.any(Number),
    // Saving it is the saver's own acceptance.
    AcceptedAt: expect.any(String),
  })
})

test('D2-096 plain text of a tablet keeps its lines, and nothing in it becomes markup', async () => {
  await save('One <b>bold</b>\r\nTwo & three', true)
  expect((await admin.ok(contract.getEula)).text).toBe(
    '<p>One &lt;b&gt;bold&lt;/b&gt;</p><p>Two &amp; three</p>',
  )
})

test('D2-140 a text that is no base64, too long, or sent with other names is refused and nothing changes', async () => {
  for (const body of [
    { updatedText: 'not base64!', isPlaintext: false },
    { updatedText: toBase64('x'.repeat(310_000)), isPlaintext: false },
    { text: toBase64('x') },
    { updatedText: toBase64('x'), isPlaintext: 'yes' },
  ])
    expect((await admin.send('POST', '/eula', { body })).status).toBe(400)
  expect((await admin.ok(contract.getEula)).Version).toBeNull()
})

test('D2-144 only super admins save it and see who accepted', async () => {
  for (const level of [Level.Admin, Level.Coord, Level.Student]) {
    const caller = await installation.as(await makePerson(installation.owner, level))
    const body = { updatedText: toBase64('x'), isPlaintext: false }
    expect((await caller.call(contract.saveEula, { body })).status).toBe(403)
    expect((await caller.call(contract.getEulaAcceptances)).status).toBe(403)
    expect((await caller.call(contract.getEulaVersion, { params: { versionId: 1 } })).status).toBe(403)
  }
})

test('every changed text is a version that can be read again; the same text saved again is none', async () => {
  const first = await publish('<p>One</p>')
  await save('<p>One</p>')
  const second = await publish('<p>Two</p>')
  const { Versions } = await admin.ok(contract.getEulaAcceptances)
  expect(Versions.map(({ Id, Accepted }) => [Id, Accepted])).toEqual([
    [second, 1],
    [first, 1],
  ])
  expect(Versions[0]!.SavedBy).toMatch(/^First\d+ Last\d+$/)
  expect(await admin.ok(contract.getEulaVersion, { params: { versionId: first } })).toEqual({
    text: '<p>One</p>',
  })
  expect((await admin.call(contract.getEulaVersion, { params: { versionId: 999_999 } })).status).toBe(404)
})

test('who has not accepted the current text can do nothing but read it, accept it and sign out', async () => {
  const program = await makeProgram(installation.owner)
  const student = await installation.as(await makeStudent(installation.owner, program))
  await student.ok(getState)
  const version = await publish('<p>Terms</p>')
  for (const endpoint of allEndpoints.filter(({ may, duringStep }) => may !== 'everyone' && !duringStep)) {
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, program.Id]),
    )
    const { status, body } = await student.send(endpoint.method, addressOf(endpoint, { params }))
    expect([status, body.Code, body.RedirectTo], `${endpoint.method} ${endpoint.path}`).toEqual([
      403,
      'step',
      '/new/eula',
    ])
  }
  expect((await student.ok(identity.getSession)).Step).toBe('eula')
  expect((await accept(student, version + 1)).status).toBe(409)
  expect((await accept(student, version)).status).toBe(204)
  expect((await student.ok(identity.getSession)).Step).toBeNull()
  expect((await student.ok(contract.getEula)).AcceptedAt).toMatch(/^\d{4}-/)

  const other = await installation.as(await makeStudent(installation.owner, program))
  expect((await other.call(identity.logout)).status).toBe(204)
})

test('an acceptance is kept once a person and version, with its moment', async () => {
  const student = await makeStudent(installation.owner)
  const caller = await installation.as(student)
  const version = await publish('<p>Terms</p>')
  const replies = await Promise.all(Array.from({ length: 6 }, () => accept(caller, version)))
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(204))
  const before = (await caller.ok(contract.getEula)).AcceptedAt
  await accept(caller, version)
  expect((await caller.ok(contract.getEula)).AcceptedAt).toBe(before)
  const { rows } = await installation.owner.query(
    'select host(address) as address from eula_acceptance where account_id = $1',
    [student.Id],
  )
  expect(rows).toEqual([{ address: '127.0.0.1' }])
})

test('a new text is asked of everybody again, an older one cannot be accepted any more, an empty one asks nobody', async () => {
  const student = await installation.as(await makeStudent(installation.owner))
  const first = await publish('<p>One</p>')
  await accept(student, first)
  await student.ok(getState)
  await publish('<p>Two</p>')
  expect((await student.ok(identity.getSession)).Step).toBe('eula')
  const { status, body } = await accept(student, first)
  expect([status, (body as { Code?: string } | undefined)?.Code]).toEqual([409, 'changed'])
  await save('<p> </p>')
  expect((await student.ok(identity.getSession)).Step).toBeNull()
  expect((await student.ok(contract.getEula)).text).toBe('')
})

test('super admins see how many of the active people accepted', async () => {
  const program = await makeProgram(installation.owner)
  const [one, two] = [
    await makeStudent(installation.owner, program),
    await makeStudent(installation.owner, program),
  ]
  const version = await publish('<p>Terms</p>')
  const before = await admin.ok(contract.getEulaAcceptances)
  await accept(await installation.as(one), version)
  await accept(await installation.as(two), version)
  expect(await admin.ok(contract.getEulaAcceptances)).toMatchObject({
    Accepted: before.Accepted + 2,
    People: before.People,
  })
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [two.Id])
  expect(await admin.ok(contract.getEulaAcceptances)).toMatchObject({
    Accepted: before.Accepted + 1,
    People: before.People - 1,
  })
})

test('signing in leads to the agreement first, and to the authenticator after it', async () => {
  const password = 'Bluebird-42-harbor'
  const program = await makeProgram(installation.owner, { requires_totp: true })
  const person = await makePerson(installation.owner, Level.Faculty, {
    program,
    password_hash: await hashPassword(password),
  })
  const signIn = () =>
    installation.anonymous.ok(identity.login, { body: { UserName: person.UserName, Password: password } })
  const version = await publish('<p>Terms</p>')
  expect(await signIn()).toEqual({ RedirectTo: '/new/eula' })
  const caller = await installation.as(person)
  await accept(caller, version)
  expect((await caller.ok(identity.getSession)).Step).toBe('authenticator')
  expect(await signIn()).toEqual({ RedirectTo: '/new/totp-settings' })
  const waiting = await caller.call(getLeftMenu)
  expect((waiting.body as unknown as { RedirectTo: string }).RedirectTo).toBe('/new/totp-settings')
})

test('an administrator who views as somebody accepts nothing in that person’s name', async () => {
  const program = await makeProgram(installation.owner)
  const student = await makeStudent(installation.owner, program)
  const director = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  await accept(director, await publish('<p>Terms</p>'))
  await installation.owner.query(
    `update session set viewed_account_id = $1 where account_id =
     (select max(account_id) from session where ended_at is null and account_id <> $1)`,
    [student.Id],
  )
  expect((await director.ok(getState)).Viewer).not.toBeNull()
  const { Version } = await director.ok(contract.getEula)
  expect((await accept(director, Version!)).status).toBe(403)
})
