import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AdminArea, Level } from '#contract/core/levels.ts'
import {
  createSuperAdmin,
  getSuperAdmin,
  listSuperAdmins,
  setSuperAdminActive,
  updateSuperAdmin,
} from '#contract/identity/super-admins.ts'
import { listTestAccess } from '#contract/identity/test-access.ts'
import { getState } from '#contract/session/session.ts'
import { tellOfAddresses } from '#server/modules/identity/notices.jobs.ts'
import { type MadePerson, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let me: MadePerson
let all: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  me = await makePerson(installation.owner, Level.SuperAdmin)
  all = await installation.as(me)
})

const withAreas = (super_admin_areas: number | null) =>
  makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas, email: 'ari@example.org' })
const read = (id: number, caller = all) => caller.ok(getSuperAdmin, { params: { superAdminId: id } })
const change = async (id: number, Areas: number, caller = all) =>
  caller.call(updateSuperAdmin, {
    params: { superAdminId: id },
    body: { FirstName: 'Ari', LastName: 'Novak', EmailAddress: 'ari@example.org', Areas },
  })
const activate = (id: number, IsActive: boolean, caller = all) =>
  caller.call(setSuperAdminActive, { params: { superAdminId: id }, body: { IsActive } })
const emailsOf = async (accountId: number): Promise<string[]> =>
  (
    await installation.owner.query('select label from mail where account_id = $1 order by id', [accountId])
  ).rows.map(({ label }) => label)

test('A12 D1-003 a super admin is added with areas, emailed the way to a password, and audited', async () => {
  const UserName = `newcomer${me.Id}`
  const made = await all.ok(createSuperAdmin, {
    body: {
      UserName,
      FirstName: 'Ari',
      LastName: 'Novak',
      EmailAddress: 'ari@example.org',
      Areas: AdminArea.Email,
    },
  })
  expect(made).toMatchObject({
    UserName,
    Areas: AdminArea.Email,
    IsActive: true,
    CanEdit: true,
    LastSignInDate: null,
  })
  expect((await all.ok(listSuperAdmins)).map(({ Id }) => Id)).toContain(made.Id)
  expect(await emailsOf(made.Id)).toEqual(['ACCOUNT_created'])
  const { rows } = await installation.owner.query(
    "select account_id, detail -> 'Areas' as areas from audit where subject_id = $1 and action like 'POST %'",
    [made.Id],
  )
  expect(rows).toEqual([{ account_id: me.Id, areas: AdminArea.Email }])
  const again = await all.call(createSuperAdmin, {
    body: { UserName, FirstName: 'A', LastName: 'B', EmailAddress: 'a@example.org', Areas: 0 },
  })
  expect(again.status).toBe(409)
})

test('A12 D1-249 areas that are granted and removed count at once, and the person is told', async () => {
  const other = await withAreas(AdminArea.Roles | AdminArea.Email)
  const theirs = await installation.as(other)
  expect((await theirs.call(listTestAccess)).status).toBe(200)
  expect((await change(other.Id, AdminArea.Email)).status).toBe(200)
  expect((await theirs.call(listTestAccess)).status).toBe(403)
  expect(await theirs.ok(getState)).toMatchObject({ User: { SuperAdminAreas: AdminArea.Email } })
  expect(await emailsOf(other.Id)).toEqual(['ACCOUNT_notice_areas'])
  expect((await change(other.Id, 0)).status).toBe(200)
  expect(await theirs.ok(getState)).toMatchObject({ User: { SuperAdminAreas: null } })
})

test('D1-003 a super admin grants and removes only areas of their own, and changes nobody who has more', async () => {
  const limited = await installation.as(await withAreas(AdminArea.Roles | AdminArea.Payments))
  const beside = await withAreas(AdminArea.Payments)
  const beyond = await withAreas(AdminArea.Email)
  const free = await withAreas(null)
  expect((await change(beside.Id, AdminArea.Roles, limited)).status).toBe(200)
  expect((await change(beside.Id, AdminArea.Roles | AdminArea.Email, limited)).status).toBe(403)
  expect((await change(beside.Id, 0, limited)).status).toBe(403)
  for (const { Id } of [beyond, free]) {
    expect((await read(Id, limited)).CanEdit).toBe(false)
    expect((await change(Id, AdminArea.Roles, limited)).status).toBe(403)
    expect((await activate(Id, false, limited)).status).toBe(403)
  }
  const UserName = `granted${me.Id}`
  const add = (Areas: number) =>
    limited.call(createSuperAdmin, {
      body: { UserName, FirstName: 'A', LastName: 'B', EmailAddress: 'a@example.org', Areas },
    })
  expect((await add(0)).status).toBe(403)
  expect((await add(AdminArea.AdminNews)).status).toBe(403)
  expect((await add(AdminArea.Payments)).status).toBe(200)
})

test('nobody changes their own areas or ends their own access', async () => {
  expect((await change(me.Id, AdminArea.Email)).status).toBe(422)
  expect((await activate(me.Id, false)).status).toBe(422)
  expect((await read(me.Id)).IsActive).toBe(true)
})

test('deactivating ends the sessions, and reactivating gives access back', async () => {
  const other = await withAreas(AdminArea.Email)
  const theirs = await installation.as(other)
  expect((await activate(other.Id, false)).body).toMatchObject({ IsActive: false })
  expect((await theirs.call(getState)).status).toBe(401)
  expect((await activate(other.Id, true)).body).toMatchObject({ IsActive: true })
  expect((await (await installation.as(other)).call(getState)).status).toBe(200)
})

test('a new email address has to be confirmed, and the old one is told', async () => {
  const other = await withAreas(AdminArea.Email)
  await installation.owner.query('update account set is_email_confirmed = true where id = $1', [other.Id])
  const { status, body } = await all.call(updateSuperAdmin, {
    params: { superAdminId: other.Id },
    body: { FirstName: 'Ari', LastName: 'Novak', EmailAddress: 'new@example.org', Areas: AdminArea.Email },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ EmailAddress: 'new@example.org', IsEmailAddressConfirmed: false })
  await tellOfAddresses.work({}, installation.services)
  expect((await emailsOf(other.Id)).toSorted()).toEqual(['ACCOUNT_address_entered', 'ACCOUNT_notice_address'])
})

test('super admins who change each other at the same moment never lose the last unrestricted access', async () => {
  for (let round = 0; round < 10; round++) {
    const [one, two] = [await withAreas(null), await withAreas(null)]
    const [first, second] = [await installation.as(one), await installation.as(two)]
    const answers = await Promise.all([
      change(two.Id, AdminArea.Email, first),
      change(one.Id, AdminArea.Email, second),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
  }
})

test('only super admins with the area Roles open it, and nobody else is a super admin there', async () => {
  const program = await makeProgram(installation.owner)
  const student = await makePerson(installation.owner, Level.Student, { program_id: program.Id })
  const mailer = await installation.as(await withAreas(AdminArea.Email))
  expect((await mailer.call(listSuperAdmins)).status).toBe(403)
  expect((await (await installation.as(student)).call(listSuperAdmins)).status).toBe(403)
  expect((await all.call(getSuperAdmin, { params: { superAdminId: student.Id } })).status).toBe(404)
  expect((await change(student.Id, AdminArea.Email)).status).toBe(404)
  expect(
    (await all.call(updateSuperAdmin, { params: { superAdminId: me.Id }, body: { Areas: 64 } as never }))
      .status,
  ).toBe(400)
})
