import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AdminArea, Level } from '#contract/core/levels.ts'
import { login, requestPasswordReset, switchAccount } from '#contract/identity/identity.ts'
import { requestMagicLink } from '#contract/identity/passwordless.ts'
import { listTestAccess, type TestMode, toggleTestAccess } from '#contract/identity/test-access.ts'
import { deactivateUser, getUser, reactivateUser, updateUser } from '#contract/people/people.ts'
import { getState } from '#contract/session/session.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { type MadePerson, type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let owner: MadePerson
let superAdmin: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  owner = await makePerson(installation.owner, Level.SuperAdmin)
  superAdmin = await installation.as(owner)
})

const toggle = (mode: TestMode, caller = superAdmin, programId = program.Id) =>
  caller.call(toggleTestAccess, { params: { programId }, query: { mode } })
const rowOf = async (programId = program.Id) =>
  (await superAdmin.ok(listTestAccess)).find(({ ProgramId }) => ProgramId === programId)
const testUser = async (mode: TestMode) => {
  const { rows } = await installation.owner.query(
    'select id as "Id", user_name as "UserName", email, deactivated_at, access_level from account where program_id = $1 and test_mode = $2',
    [program.Id, mode],
  )
  return rows[0]
}

test('D1-281 D1-203 every program is one row of the test access, by college and name', async () => {
  const other = await makeProgram(installation.owner, { college_id: program.CollegeId, name: 'Zoology' })
  const gone = await makeProgram(installation.owner, { deleted_at: '2026-01-01T00:00:00Z' })
  const { rows } = await installation.owner.query('select name from college where id = $1', [
    program.CollegeId,
  ])
  expect(await rowOf()).toEqual({
    ProgramId: program.Id,
    CollegeName: rows[0].name,
    ProgramName: program.Name,
    HasCoordAccess: false,
    HasAdminAccess: false,
  })
  const ids = (await superAdmin.ok(listTestAccess)).map(({ ProgramId }) => ProgramId)
  expect(ids.indexOf(other.Id)).toBe(ids.indexOf(program.Id) + 1)
  expect(ids).not.toContain(gone.Id)
  const found = async (search: string) =>
    (await superAdmin.ok(listTestAccess, { query: { search } })).map(({ ProgramId }) => ProgramId)
  expect(await found(`${rows[0].name} - ${program.Name}`.toUpperCase())).toEqual([program.Id])
  expect(await found(String(other.Id))).toContain(other.Id)
  expect(await found('%')).toEqual([])
})

test('D1-282 D1-232 each mode toggles for one program, and back', async () => {
  const other = await makeProgram(installation.owner)
  expect((await toggle('coord')).body).toMatchObject({
    ProgramId: program.Id,
    HasCoordAccess: true,
    HasAdminAccess: false,
  })
  expect((await toggle('admin')).body).toMatchObject({ HasCoordAccess: true, HasAdminAccess: true })
  expect(await rowOf(other.Id)).toMatchObject({ HasCoordAccess: false, HasAdminAccess: false })
  expect((await toggle('coord')).body).toMatchObject({ HasCoordAccess: false, HasAdminAccess: true })
  expect(await rowOf()).toMatchObject({ HasCoordAccess: false, HasAdminAccess: true })
})

test('a test user enters their program only while the access is on, and is out at once when it goes off', async () => {
  await toggle('coord')
  const user = await testUser('coord')
  expect(user).toMatchObject({ access_level: Level.Coord, UserName: `testcoord${program.Id}` })
  expect((await testUser('admin'))?.Id).toBeUndefined()

  // The super admin goes in from their own menu, as a coordinator of this program and nothing more.
  const mine = await installation.as(owner)
  expect((await mine.call(switchAccount, { body: { UserId: user.Id } })).status).toBe(200)
  const inside = await installation.as(user)
  expect(await inside.ok(getState)).toMatchObject({
    ProgramId: program.Id,
    User: { AccessLevel: Level.Coord, isSuperAdmin: false },
  })
  expect((await inside.call(listTestAccess)).status).toBe(403)
  await installation.owner.query('update account set password_hash = $1 where id = $2', [
    await hashPassword('Correct-horse-9'),
    user.Id,
  ])
  const enter = () =>
    installation.anonymous.call(login, { body: { UserName: user.UserName, Password: 'Correct-horse-9' } })
  expect((await enter()).status).toBe(200)

  await toggle('coord')
  expect((await inside.call(getState)).status).toBe(401)
  expect((await enter()).status).toBe(401)
  const again = await installation.as(owner)
  expect((await again.call(switchAccount, { body: { UserId: user.Id } })).status).toBe(404)
  const messages = async () =>
    (await installation.owner.query('select count(*)::int as n from mail where account_id = $1', [user.Id]))
      .rows[0].n
  const before = await messages()
  await installation.anonymous.ok(requestPasswordReset, { body: { UserName: user.UserName } })
  expect(await messages()).toBe(before)

  // On again: the same account, but the old password and the old sessions are worth nothing.
  await toggle('coord')
  expect((await testUser('coord')).Id).toBe(user.Id)
  expect((await enter()).status).toBe(401)
  expect((await inside.call(getState)).status).toBe(401)
})

test('the test user belongs to the super admin who admits them; who had them before has no way in', async () => {
  await toggle('admin')
  await toggle('admin')
  const { Id } = await testUser('admin')
  await installation.owner.query("update account set totp_secret = 'sealed' where id = $1", [Id])
  const next = await makePerson(installation.owner, Level.SuperAdmin, { email: 'next@example.org' })
  await toggle('admin', await installation.as(next))
  expect(await testUser('admin')).toMatchObject({ Id, email: 'next@example.org', access_level: Level.Admin })
  expect((await superAdmin.call(switchAccount, { body: { UserId: Id } })).status).toBe(404)
  expect((await (await installation.as(next)).call(switchAccount, { body: { UserId: Id } })).status).toBe(200)
  await installation.anonymous.ok(requestMagicLink, { body: { Email: 'next@example.org' } })
})

test('staff of the program see the test user, and neither switch nor raise them', async () => {
  await toggle('coord')
  const { Id } = await testUser('coord')
  const admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  const at = { params: { programId: program.Id, userId: Id } }
  const { Id: _id, UserName: _name, IsActive: _active, IsTestUser, ...person } = await admin.ok(getUser, at)
  expect(IsTestUser).toBe(true)
  const kept = { ...person, ZipCode: '02740', PhoneNumber: '508-555-0100' }
  const raised = await admin.call(updateUser, { ...at, body: { ...kept, AccessLevel: Level.Admin } })
  expect([raised.status, (raised.body as any).Code]).toEqual([422, 'test_user'])
  expect((await admin.call(updateUser, { ...at, body: kept })).status).toBe(200)
  expect((await admin.call(deactivateUser, at)).status).toBe(422)
  await toggle('coord')
  expect((await admin.call(reactivateUser, at)).status).toBe(422)
  expect(await rowOf()).toMatchObject({ HasCoordAccess: false })
})

test('two who switch at once switch twice; a taken user name gives way to the next', async () => {
  await makePerson(installation.owner, Level.Coord, { user_name: `testcoord${program.Id}` })
  const answers = await Promise.all([toggle('coord'), toggle('coord'), toggle('coord')])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(answers.filter(({ body }) => body.HasCoordAccess)).toHaveLength(2)
  expect(await rowOf()).toMatchObject({ HasCoordAccess: true })
  expect((await testUser('coord')).UserName).toBe(`testcoord${program.Id}n2`)
})

test('D1-261 only super admins with the Roles area switch test users, with a confirmed address of their own', async () => {
  const with_ = async (row: object) =>
    installation.as(await makePerson(installation.owner, Level.SuperAdmin, row as never))
  expect((await toggle('coord', await with_({ super_admin_areas: AdminArea.Email }))).status).toBe(403)
  expect((await toggle('coord', await with_({ super_admin_areas: AdminArea.RolesLimited }))).status).toBe(403)
  expect((await toggle('coord', await with_({ super_admin_areas: AdminArea.Roles }))).status).toBe(200)
  const unconfirmed = await toggle('admin', await with_({ is_email_confirmed: false }))
  expect([unconfirmed.status, (unconfirmed.body as any).Code]).toEqual([422, 'email'])
  const admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  expect((await admin.call(listTestAccess)).status).toBe(403)
  expect((await toggle('coord', admin)).status).toBe(403)
  expect((await toggle('coord', superAdmin, 999_999)).status).toBe(404)
  const wrong = await superAdmin.send('POST', `/programs/${program.Id}/test-user-access?mode=faculty`)
  expect(wrong.status).toBe(400)
})

test('every switch is a row of the audit with the program, the mode and the test user', async () => {
  await toggle('admin')
  await toggle('admin')
  const { rows } = await installation.owner.query(
    "select account_id, subject_id, detail from audit where program_id = $1 and action like '%test-user-access' order by id",
    [program.Id],
  )
  const { Id } = await testUser('admin')
  expect(rows).toMatchObject([
    { account_id: owner.Id, subject_id: Id, detail: { Mode: 'admin', IsOpen: true } },
    { account_id: owner.Id, subject_id: Id, detail: { Mode: 'admin', IsOpen: false } },
  ])
})
