import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { login, logout, resetPassword } from '#contract/identity/identity.ts'
import * as contract from '#contract/people/people.ts'
import { getState } from '#contract/session/session.ts'
import { findSignedOutReason } from '#server/core/auth/session.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
  makeSupervisor,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let area: number
let number = 0

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  area = (await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'General' })).id
})

const newUser = (more: object = {}) => ({
  username: `newuser${++number}`,
  password: 'Bluebird-42-harbor',
  firstName: 'Theodora',
  lastName: 'Lindgren-Baptiste',
  zipCode: '02740',
  phoneNumber: '(508) 555-0100',
  emailAddress: 'theodora@example.org',
  areaId: area,
  accessLevel: Level.Faculty as number,
  ...more,
})
const params = () => ({ programId: program.Id })

test('D3-172 D3-295 a coordinator adds a person, who can sign in', async () => {
  const body = newUser()
  const { Id } = await coordinator.ok(contract.createUser, { body })
  const user = await coordinator.ok(contract.getUser, { params: { ...params(), userId: Id } })
  expect(user).toMatchObject({
    UserName: body.username,
    LastName: 'Lindgren-Baptiste',
    AccessLevel: 59,
    AreaId: area,
    IsActive: true,
  })
  const reply = await installation.anonymous.call(login, {
    body: { UserName: body.username, Password: body.password },
  })
  expect(reply.status).toBe(200)
})

test('D3-222 every required field is named when it is missing', async () => {
  for (const field of [
    'areaId',
    'accessLevel',
    'username',
    'password',
    'firstName',
    'lastName',
    'zipCode',
    'phoneNumber',
    'emailAddress',
  ]) {
    const { [field as 'username']: _left, ...rest } = newUser()
    const { status, body } = await coordinator.call(contract.createUser, { body: rest as never })
    expect(status, field).toBe(400)
    expect((body as any).Errors[0].Field).toBe(field)
  }
})

test('D3-224 D3-225 D3-227 D3-228 D3-346 lengths and emails are held', async () => {
  const wrong = [
    { username: 'with space' },
    { username: 'ümlaut' },
    { username: 'x'.repeat(51) },
    { firstName: '\u200b\u2060' },
    { password: 'short1!' },
    { password: 'x'.repeat(51) },
    { firstName: 'x'.repeat(256) },
    { suffix: 'x'.repeat(51) },
    { zipCode: 'x'.repeat(51) },
    { phoneNumber: 'x'.repeat(51) },
    { emailAddress: 'not an address' },
    { emailAddress: 'a@b.example\r\nBcc: all@b.example' },
  ]
  for (const change of wrong) {
    const { status, body } = await coordinator.call(contract.createUser, { body: newUser(change) })
    expect(status, JSON.stringify(change)).toBe(400)
    expect((body as any).Errors[0].Field).toBe(Object.keys(change)[0])
  }
})

test('a body that is no object, and an entry of a list, are told of in the singular', async () => {
  const send = (body: unknown) => coordinator.call(contract.createUser, { body: body as never })
  expect((await send([])).body).toMatchObject({ Message: 'This is not valid. Nothing was changed.' })
  const { body } = await send(newUser({ supervisorSiteIds: [null as never] }))
  expect((body as any).Errors[0].Message).toBe('Supervisor sites (row 1) is required.')
})

test('D3-226 passwords that everybody guesses are refused', async () => {
  for (const password of ['password1', 'Qwerty123', 'newperson77x']) {
    const { status } = await coordinator.call(contract.createUser, {
      body: newUser({ username: 'newperson77', password }),
    })
    expect(status, password).toBe(422)
  }
})

test('D3-332 a taken user name is told by the server, in any case of letters and across programs', async () => {
  const other = await makePerson(installation.owner, Level.Student)
  const { status, body } = await coordinator.call(contract.createUser, {
    body: newUser({ username: other.UserName.toUpperCase() }),
  })
  expect(status).toBe(409)
  expect((body as any).Message).toMatch(/is taken. Choose another/)
})

test('A46 D3-254 nobody gives a level above the own one; coordinators also make students and registrants, no alumni', async () => {
  for (const level of [Level.SuperAdmin, Level.Admin, Level.Director, Level.Alumnus, Level.Unknown, 12]) {
    const { status } = await coordinator.call(contract.createUser, { body: newUser({ accessLevel: level }) })
    expect(status, String(level)).toBe(422)
  }
  for (const level of [Level.Coord, Level.GenericEmployee, Level.Student, Level.Registrant]) {
    expect(
      (await coordinator.call(contract.createUser, { body: newUser({ accessLevel: level }) })).status,
    ).toBe(200)
  }
})

describe('people added by an invitation', () => {
  const invitation = (more: object = {}) => ({
    firstName: 'Ingrid',
    lastName: 'Sørensen',
    emailAddress: 'ingrid@example.org',
    accessLevel: Level.Faculty as number,
    ...more,
  })

  test('a name, an email and a role are enough: the user name is made, and the mailed link sets the password once', async () => {
    const { Id, UserName } = await coordinator.ok(contract.inviteUser, { body: invitation() })
    const next = await coordinator.ok(contract.inviteUser, { body: invitation() })
    expect(UserName).toMatch(/^isorensen\d*$/)
    expect(next.UserName).not.toBe(UserName)
    const { rows } = await installation.owner.query(
      "select html, recipient from mail where account_id = $1 and label = 'ACCOUNT_invited'",
      [Id],
    )
    expect(rows).toMatchObject([{ recipient: expect.stringContaining('ingrid@example.org') }])
    expect(rows[0].html).toContain(UserName)
    const Token = /token=([\w-]+)/.exec(rows[0].html)![1]!
    const Password = 'Bluebird-42-harbor'
    const { rows: tokens } = await installation.owner.query(
      'select expires_at > now() + interval \'6 days\' as "isLong" from one_time_token where account_id = $1',
      [Id],
    )
    expect(tokens).toEqual([{ isLong: true }])
    const set = () => installation.anonymous.call(resetPassword, { body: { Token, Password } })
    expect((await set()).status).toBe(204)
    expect((await installation.anonymous.call(login, { body: { UserName, Password } })).status).toBe(200)
    expect((await set()).status).toBeGreaterThanOrEqual(400)
  })

  test('many of the same name at once get user names of their own', async () => {
    const body = invitation({ firstName: 'Quinn', lastName: 'Zyx' })
    const made = await Promise.all([1, 2, 3, 4].map(() => coordinator.ok(contract.inviteUser, { body })))
    expect(new Set(made.map(({ UserName }) => UserName)).size).toBe(4)
  })

  test('bad input, levels above the own one and foreign areas are refused, and nobody is added or written to', async () => {
    const foreign = await makeRow(installation.owner, 'area', {
      program_id: (await makeProgram(installation.owner)).Id,
      name: 'Elsewhere',
    })
    const wrong: [object, number][] = [
      [{ firstName: ' ', lastName: '' }, 400],
      [{ emailAddress: 'nobody' }, 400],
      [{ password: 'Bluebird-42-harbor' }, 400],
      [{ accessLevel: Level.Director }, 422],
      [{ areaId: foreign.id }, 422],
    ]
    for (const [more, status] of wrong)
      expect(
        (await coordinator.call(contract.inviteUser, { body: invitation(more) as never })).status,
        JSON.stringify(more),
      ).toBe(status)
    const { rows } = await installation.owner.query(
      "select count(*)::int as people from account where program_id = $1 and last_name = 'Sørensen'",
      [program.Id],
    )
    expect(rows).toEqual([{ people: 0 }])
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.call(contract.inviteUser, { body: invitation() })).status).toBe(403)
  })
})

test('D3-255 a supervisor is tied to the sites chosen, and only to sites of the program', async () => {
  const own = await makeSite(installation.owner, program)
  const foreign = await makeSite(installation.owner, await makeProgram(installation.owner))
  const body = newUser({ accessLevel: Level.Supervisor, supervisorSiteIds: [own.Id, foreign.Id] })
  const { Id } = await coordinator.ok(contract.createUser, { body })
  const user = await coordinator.ok(contract.getUser, { params: { ...params(), userId: Id } })
  expect(user.SupervisorSiteIds).toEqual([own.Id])
})

test('D3-123 a super admin has to choose a program first', async () => {
  const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  const { status, body } = await admin.call(contract.createUser, { body: newUser() })
  expect(status).toBe(422)
  expect((body as any).Message).toMatch(/Select a college and a program first/)
})

test('D3-250 a super admin needs the Roles area, full or limited', async () => {
  const mail = await installation.as(
    await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas: 16 }),
  )
  expect((await mail.call(contract.createUser, { body: newUser() })).status).toBe(403)
  const limited = await installation.as(
    await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas: 8 }),
  )
  expect((await limited.call(contract.createUser, { body: newUser() })).status).toBe(422)
})

test('D3-297 D3-126 people are searched by name, user name, email and student ID, filtered and sorted', async () => {
  await makeStudent(installation.owner, program, {
    first_name: 'Oluwaseun',
    last_name: 'Adebayo-Fitzgerald',
    student_number: 'S77',
    cohort: '2028',
  })
  await makeStudent(installation.owner, program, {
    first_name: 'Grace',
    last_name: 'Pemberton_%',
    student_level_id: 2,
    cohort: '2027',
  })
  const names = async (query: object) =>
    (await coordinator.ok(contract.searchUsers, { params: params(), query })).Items.map(
      ({ LastName }) => LastName,
    )
  expect(await names({ search: 'adebayo' })).toEqual(['Adebayo-Fitzgerald'])
  expect(await names({ search: 's77' })).toEqual(['Adebayo-Fitzgerald'])
  expect(await names({ search: '_%' })).toEqual(['Pemberton_%'])
  expect(await names({ StudentLevelIds: [2] })).toEqual(['Pemberton_%'])
  expect(await names({ AccessLevels: [Level.Student], sort: '-Cohort' })).toEqual([
    'Adebayo-Fitzgerald',
    'Pemberton_%',
  ])
  expect(await coordinator.ok(contract.listCohorts, { params: params() })).toEqual(['2028', '2027'])
})

test('a supervisor sees the students of his sites and nobody else', async () => {
  const site = await makeSite(installation.owner, program)
  const shift = await makeShift(installation.owner, program, { site })
  const rotation = await makeRotation(installation.owner, program)
  const here = await makeStudent(installation.owner, program)
  const elsewhere = await makeStudent(installation.owner, program)
  await makeRow(installation.owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: site.Id,
    student_id: here.Id,
    date: '2026-11-23',
    starts_at: '2026-11-23T12:00:00Z',
    ends_at: '2026-11-23T20:30:00Z',
  })
  const supervisor = await makeSupervisor(installation.owner, program, [site.Id])
  const caller = await installation.as(supervisor)
  const users = await caller.ok(contract.listUsers, { params: params() })
  expect(users.map(({ Id }) => Id).toSorted()).toEqual([here.Id, supervisor.Id].toSorted())
  expect(
    (await caller.call(contract.getUser, { params: { ...params(), userId: elsewhere.Id } })).status,
  ).toBe(404)
})

test('the list for pickers tells every name letter by letter, and says null where nothing is known', async () => {
  const names = { first_name: 'Zoë "Zo\\"', last_name: "Ó'Brien\t\u0001{},[]: 💉 ملاك" }
  const student = await makeStudent(installation.owner, program, { ...names, student_level_id: null })
  const query = { AccessLevel: Level.Student }
  expect(await coordinator.ok(contract.listUsers, { params: params(), query })).toEqual([
    {
      Id: student.Id,
      FirstName: names.first_name,
      LastName: names.last_name,
      UserName: student.UserName,
      EmailAddress: expect.any(String),
      AccessLevel: Level.Student,
      StudentLevelId: null,
    },
  ])
  expect(
    await coordinator.ok(contract.listUsers, { params: params(), query: { AccessLevel: Level.Alumnus } }),
  ).toEqual([])
})

test('the list for pickers has everybody by name, however long it is, and 5,000 at most', async () => {
  const add = (from: number, to: number) =>
    installation.owner.query(
      `insert into account (program_id, user_name, access_level, first_name, last_name)
       select $1::bigint, 'many' || $1::bigint || 'x' || n, $2, 'Person', case when n % 2 = 0 then 'Name ' else 'name ' end || lpad(n::text, 5, '0')
       from generate_series($3::integer, $4::integer) as n order by md5(n::text)`,
      [program.Id, Level.Student, from, to],
    )
  const list = () =>
    coordinator.ok(contract.listUsers, { params: params(), query: { AccessLevel: Level.Student } })
  const named = (count: number) =>
    Array.from({ length: count }, (_, n) => `name ${String(n + 1).padStart(5, '0')}`)
  await add(1, 801)
  expect((await list()).map(({ LastName }) => LastName.toLowerCase())).toEqual(named(801))
  await add(802, 5_100)
  expect((await list()).map(({ LastName }) => LastName.toLowerCase())).toEqual(named(5_000))
})

const detail = async (userId: number) => {
  const {
    Id: _id,
    UserName: _name,
    IsActive: _active,
    IsTestUser: _test,
    ...rest
  } = await coordinator.ok(contract.getUser, { params: { ...params(), userId } })
  return rest
}

test('D3-125 a student ID that another student has is asked about, and kept when confirmed', async () => {
  await makeStudent(installation.owner, program, {
    first_name: 'Grace',
    last_name: 'Pemberton',
    student_number: 'S1',
  })
  const student = await makeStudent(installation.owner, program, { zip: '1', phone: '1' })
  const at = { params: { ...params(), userId: student.Id } }
  const body = { ...(await detail(student.Id)), StudentNumber: 'S1' }
  const refused = await coordinator.call(contract.updateUser, { ...at, body })
  expect(refused.status).toBe(409)
  expect(refused.body as any).toMatchObject({
    Code: 'student_number',
    Message: 'Grace Pemberton has the student ID S1 too. Nothing was saved.',
  })
  const kept = await coordinator.ok(contract.updateUser, {
    ...at,
    body: { ...body, AllowsSharedStudentNumber: true },
  })
  expect(kept.StudentNumber).toBe('S1')
})

test('who came in without phone, ZIP code, email or a second name can be changed, and nobody loses the email', async () => {
  const bare = { phone: '', zip: '', email: '', first_name: 'Sukarno', last_name: '' }
  const student = await makeStudent(installation.owner, program, bare)
  const at = { params: { ...params(), userId: student.Id } }
  const body = { ...(await detail(student.Id)), Cohort: '2029' }
  expect(await coordinator.ok(contract.updateUser, { ...at, body })).toMatchObject({ Cohort: '2029' })
  const other = await makeStudent(installation.owner, program)
  const theirs = { params: { ...params(), userId: other.Id } }
  const save = async (more: object) =>
    coordinator.call(contract.updateUser, { ...theirs, body: { ...(await detail(other.Id)), ...more } })
  expect(await save({ EmailAddress: '' })).toMatchObject({
    status: 422,
    body: { Errors: [{ Field: 'EmailAddress', Message: 'Email address is required. Nothing was saved.' }] },
  })
  expect(await save({ FirstName: ' ', LastName: '' })).toMatchObject({
    status: 400,
    body: { Errors: [{ Field: 'LastName', Message: 'Last name is required.' }] },
  })
})

test('phones, ZIP codes and names in no known form are refused with what is expected, and stay where they are there already', async () => {
  const there = { phone: 'call the office', zip: '?', first_name: '🌸', last_name: 'Ito' }
  const student = await makeStudent(installation.owner, program, there)
  const at = { params: { ...params(), userId: student.Id } }
  const body = { ...(await detail(student.Id)), Cohort: '2031' }
  expect(await coordinator.ok(contract.updateUser, { ...at, body })).toMatchObject({
    Cohort: '2031',
    PhoneNumber: there.phone,
  })
  const odd = { FirstName: '🌸🌸', PhoneNumber: '-1', ZipCode: 'abcde' }
  const messages = {
    FirstName: 'First name must have at least one letter or digit.',
    ZipCode: 'ZIP code must be a ZIP or postal code such as 02740 or K1A 0B1.',
    PhoneNumber:
      'Phone number must be a phone number of at least 7 digits such as (508) 555-0142 or +44 20 7946 0958 ext. 12.',
  }
  expect(await coordinator.call(contract.updateUser, { ...at, body: { ...body, ...odd } })).toMatchObject({
    status: 400,
    body: { Errors: Object.entries(messages).map(([Field, Message]) => ({ Field, Message })) },
  })
  const made = await coordinator.call(contract.createUser, {
    body: newUser({ firstName: '🌸🌸', phoneNumber: '📞📞📞', zipCode: 'abcde' }),
  })
  expect(made).toMatchObject({
    status: 400,
    body: { Errors: [{ Field: 'firstName' }, { Field: 'zipCode' }, { Field: 'phoneNumber' }] },
  })
  const world = { PhoneNumber: '+44 20 7946 0958 ext. 12', ZipCode: 'SW1A 1AA', FirstName: '李' }
  expect(await coordinator.ok(contract.updateUser, { ...at, body: { ...body, ...world } })).toMatchObject(
    world,
  )
})

test('what a change leaves out stays as it is: number, level, cohort and sites', async () => {
  const student = await makeStudent(installation.owner, program, {
    student_number: 'S-9',
    student_level_id: 2,
    cohort: '2028',
    middle_name: 'Luz',
    phone: '555',
  })
  const { FirstName, LastName, EmailAddress, AreaId, AccessLevel, ...kept } = await detail(student.Id)
  const body = { FirstName: 'Ona', LastName, EmailAddress, AreaId, AccessLevel }
  const changed = await coordinator.ok(contract.updateUser, {
    params: { ...params(), userId: student.Id },
    body,
  })
  expect(changed).toMatchObject({ ...kept, FirstName: 'Ona' })
  const sites = [(await makeSite(installation.owner, program)).Id]
  const supervisor = await makeSupervisor(installation.owner, program, sites)
  const { SupervisorSiteIds: _sites, ...rest } = await detail(supervisor.Id)
  expect(
    await coordinator.ok(contract.updateUser, { params: { ...params(), userId: supervisor.Id }, body: rest }),
  ).toMatchObject({ SupervisorSiteIds: sites })
})

test('D3-124 a student becomes an alumnus and keeps what was recorded', async () => {
  const student = await makeStudent(installation.owner, program, { zip: '1', phone: '1', cohort: '2026' })
  const body = { ...(await detail(student.Id)), AccessLevel: 29 }
  const director = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  const changed = await director.ok(contract.updateUser, {
    params: { ...params(), userId: student.Id },
    body,
  })
  expect(changed).toMatchObject({ AccessLevel: 29, Cohort: '2026' })
  const inactive = await director.call(contract.updateUser, {
    params: { ...params(), userId: student.Id },
    body: { ...body, AccessLevel: Level.Inactive },
  })
  expect([inactive.status, (inactive.body as unknown as { Message: string }).Message]).toEqual([
    422,
    'You may not give the level Inactive. Nothing was saved.',
  ])
})

test('nobody changes a person of a higher level', async () => {
  const director = await makePerson(installation.owner, Level.Director, { program })
  const at = { params: { ...params(), userId: director.Id } }
  expect((await coordinator.call(contract.deactivateUser, at)).status).toBe(403)
  expect((await coordinator.call(contract.mailPasswordLink, at)).status).toBe(403)
})

test('a deactivated person is signed out at once, cannot sign in, and comes back with everything', async () => {
  const body = newUser()
  const { Id } = await coordinator.ok(contract.createUser, { body })
  const person = await installation.as({ Id })
  const at = { params: { ...params(), userId: Id } }
  await coordinator.ok(contract.deactivateUser, at)
  expect((await person.call(getState)).status).toBe(401)
  const signIn = { body: { UserName: body.username, Password: body.password } }
  expect((await installation.anonymous.call(login, signIn)).status).toBe(401)
  await coordinator.ok(contract.reactivateUser, at)
  expect((await installation.anonymous.call(login, signIn)).status).toBe(200)
})

test('ending the sessions of a person signs them out everywhere', async () => {
  const person = await makePerson(installation.owner, Level.Faculty, { program })
  const [first, second] = [await installation.as(person), await installation.as(person)]
  await coordinator.ok(contract.endUserSessions, { params: { ...params(), userId: person.Id } })
  expect((await first.call(getState)).status).toBe(401)
  expect((await second.call(getState)).status).toBe(401)
})

test('whoever is signed out from elsewhere is told why by the token alone, and nobody who signed out by themselves', async () => {
  const { owner, as } = installation
  const reasonOf = ({ headers }: Caller) =>
    findSignedOutReason(installation.services.pool, headers.cookie!.split('=')[1]!)
  const made = async () => {
    const { Id } = await makePerson(owner, Level.Faculty, { program })
    return { person: await as({ Id }), at: { params: { ...params(), userId: Id } } }
  }
  const [ended, deactivated, leaving] = [await made(), await made(), await made()]
  expect(await reasonOf(ended.person)).toBeUndefined()
  await coordinator.ok(contract.endUserSessions, ended.at)
  await coordinator.ok(contract.deactivateUser, deactivated.at)
  await leaving.person.ok(logout)
  await coordinator.ok(contract.deactivateUser, leaving.at)
  expect([
    await reasonOf(ended.person),
    await reasonOf(deactivated.person),
    await reasonOf(leaving.person),
    await findSignedOutReason(installation.services.pool, 'nobody'),
  ]).toEqual(['ended', 'access', undefined, undefined])

  const closed = await makeProgram(owner)
  const member = await as(await makePerson(owner, Level.Faculty, { program: closed }))
  await owner.query('update program set deleted_at = now() where id = $1', [closed.Id])
  expect((await member.call(getState)).status).toBe(401)
  expect(await reasonOf(member)).toBe('program')
  await owner.query(
    `update session set expires_at = now() where account_id in (select id from account where program_id = $1)`,
    [closed.Id],
  )
  expect(await reasonOf(member)).toBeUndefined()
})

test('a password link is mailed, and only its hash is kept', async () => {
  const person = await makePerson(installation.owner, Level.Faculty, { program })
  await coordinator.ok(contract.mailPasswordLink, { params: { ...params(), userId: person.Id } })
  const { rows } = await installation.owner.query('select html from mail where account_id = $1', [person.Id])
  const token = /token=([\w-]+)/.exec(rows[0].html)![1]
  const kept = await installation.owner.query('select token_hash from one_time_token where account_id = $1', [
    person.Id,
  ])
  expect(kept.rows[0].token_hash.toString('base64url')).not.toBe(token)
})

test('looking at a person is in the audit', async () => {
  const person = await makeStudent(installation.owner, program)
  await coordinator.ok(contract.getUser, { params: { ...params(), userId: person.Id } })
  const { rows } = await installation.owner.query('select action from audit where subject_id = $1', [
    person.Id,
  ])
  expect(rows.map(({ action }) => action)).toEqual(['GET /programs/:programId/users/:userId'])
})

test('D1-199 D1-287 D3-293 the access levels come highest first, within the range asked for', async () => {
  const list = await coordinator.ok(contract.listAccessLevels, { query: { min: 45, max: 69 } })
  expect(list.map(({ Id }) => Id)).toEqual([69, 59, 50, 49, 47, 45])
  const all = await coordinator.ok(contract.listAccessLevels)
  expect(all.map(({ Id }) => Id)).not.toContain(100)
})

test('D2-153 D3-164 student levels are listed with their labels', async () => {
  const levels = await coordinator.ok(contract.listStudentLevels, { params: params() })
  expect(levels).toEqual([
    { Id: 1, ProgId: program.Id, Name: 'Level 1' },
    { Id: 2, ProgId: program.Id, Name: 'Level 2' },
  ])
})
