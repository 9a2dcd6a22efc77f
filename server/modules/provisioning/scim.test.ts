import { afterAll, beforeAll, expect, test } from 'vitest'
import * as connections from '#contract/connections/connections.ts'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { changeEmail } from '#contract/identity/identity.ts'
import { importIntoProgram } from '#contract/imports/imports.ts'
import { createApiKey } from '#contract/keys/keys.ts'
import { getUser, updateUser } from '#contract/people/people.ts'
import * as contract from '#contract/provisioning/provisioning.ts'
import { addShiftAssignments } from '#contract/scheduling/assignments.ts'
import { getState } from '#contract/session/session.ts'
import { type MadeProgram, makePerson, makeProgram, makeRotation, makeShift } from '#server/test/factories.ts'
import { whileHeld } from '#server/test/held-program.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { holds, parseFilter } from './scim-filter.rules.ts'

let installation: Installation
let superAdmin: Caller
let program: MadeProgram
let connectionId: number
let key: string

beforeAll(async () => {
  installation = await startInstallation()
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  program = await makeProgram(installation.owner)
  connectionId = await connect(program.Id)
  key = await turnOn(program.Id, connectionId)
})
afterAll(() => installation?.stop())

let counter = 0
const connect = async (ProgramId: number): Promise<number> => {
  const body = {
    Name: `Directory ${++counter}`,
    Issuer: `https://id${counter}.harbor.example`,
    ClientId: 'practicum',
    SubjectClaim: 'oid' as const,
    ProgramId,
    AccessLevel: Level.Faculty,
  }
  return (await superAdmin.ok(connections.createConnection, { body })).Id
}
const turnOn = async (
  programId: number,
  connection: number,
  more: Record<string, unknown> = {},
): Promise<string> => {
  const body = { MaxLevel: Level.Faculty as number, DefaultLevel: Level.Student as number, ...more }
  const params = { connectionId: connection, programId }
  return (await superAdmin.ok(contract.saveProvisioning, { params, body })).Key ?? ''
}

interface Answer {
  status: number
  body: any
  headers: Headers
}
const scim = async (
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
  by = key,
): Promise<Answer> => {
  const reply = await fetch(`${installation.url}/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${by}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...more,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? undefined : JSON.parse(text), headers: reply.headers }
}
const person = (name = `user${++counter}`, more: Record<string, unknown> = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@harbor.example`,
  externalId: `ext-${name}`,
  name: { givenName: 'Maria', familyName: `Gomez ${name}` },
  emails: [{ value: `${name}@harbor.example`, type: 'work', primary: true }],
  active: true,
  ...more,
})
const made = async (...given: Parameters<typeof person>): Promise<any> => {
  const { status, body } = await scim('POST', '/Users', person(...given))
  expect([status, body.detail]).toEqual([201, undefined])
  return body
}
const account = async (id: string) =>
  (await installation.owner.query('select * from account where id = $1', [id])).rows[0]

test('a directory makes a person, reads and changes it, and each change is in the audit under the connection’s name', async () => {
  const { status, body, headers } = await scim(
    'POST',
    '/Users',
    person('first', { phoneNumbers: [{ value: '5551234' }] }),
  )
  expect(status).toBe(201)
  expect(headers.get('content-type')).toContain('application/scim+json')
  expect(headers.get('location')).toBe(`${installation.url}/scim/v2/Users/${body.id}`)
  expect(headers.get('etag')).toBe(body.meta.version)
  expect(await account(body.id)).toMatchObject({
    program_id: program.Id,
    access_level: Level.Student,
    email: 'first@harbor.example',
    is_email_confirmed: false,
    password_hash: null,
    phone: '5551234',
  })
  expect((await scim('GET', `/Users/${body.id}`)).body).toEqual(body)
  const put = await scim('PUT', `/Users/${body.id}`, {
    ...person('first'),
    name: { givenName: 'Ana', familyName: 'Lopez' },
  })
  expect(put.body).toMatchObject({ name: { givenName: 'Ana', familyName: 'Lopez', formatted: 'Ana Lopez' } })
  expect(put.body.phoneNumbers).toBeUndefined()
  const { rows } = await installation.owner.query(
    "select action, detail, program_id from audit where subject_id = $1 and action like 'SCIM%' order by id",
    [body.id],
  )
  expect(rows.map(({ action }) => action)).toEqual(['SCIM POST /Users', 'SCIM PUT /Users/:id'])
  expect(rows[1].detail).toMatchObject({
    ByConnection: { Id: connectionId },
    Before: { firstName: 'Maria' },
    After: { firstName: 'Ana' },
  })
})

test('what a directory never said stays through whole users, and what it said and says no longer goes', async () => {
  const user = await made('owned', { phoneNumbers: [{ value: '5551234' }] })
  const put = (more: object = {}) => scim('PUT', `/Users/${user.id}`, person('owned', { ...more }))
  const byStaff = (set: string) => installation.owner.query(`update account set ${set} where id = ${user.id}`)
  await byStaff("student_number = 'S-77', middle_name = 'Luz'")
  for (const more of [{}, { phoneNumbers: [] }, { name: { givenName: 'Ana', familyName: 'Lopez' } }])
    expect((await put(more)).status).toBe(200)
  // The phone was the directory's and is gone; what staff write now is theirs.
  expect(await account(user.id)).toMatchObject({
    first_name: 'Ana',
    last_name: 'Lopez',
    middle_name: 'Luz',
    student_number: 'S-77',
    phone: '',
  })
  for (const [more, detail] of [
    [{ phoneNumbers: [{ value: '-1' }] }, 'phoneNumbers must be a phone number'],
    [{ name: { givenName: '🌸🌸', familyName: 'Lopez' } }, 'name.givenName must have'],
  ] as const)
    expect((await put(more)).body).toMatchObject({ status: '400', detail: expect.stringContaining(detail) })
  await byStaff("phone = '777', last_name = 'Lopez-Reyes'")
  expect((await put({ name: undefined, emails: undefined })).body).toMatchObject({
    name: { familyName: 'Lopez-Reyes' },
    emails: [{ value: 'owned@harbor.example' }],
    phoneNumbers: [{ value: '777' }],
  })
  // A change of one attribute takes nothing else to the directory; taking it away is as good as said.
  await scim('PATCH', `/Users/${user.id}`, {
    Operations: [{ op: 'replace', path: 'name.givenName', value: 'Ona' }],
  })
  expect((await put({ name: { givenName: 'Ona' } })).body).toMatchObject({ phoneNumbers: [{ value: '777' }] })
  await scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'remove', path: 'phoneNumbers' }] })
  expect(await account(user.id)).toMatchObject({ first_name: 'Ona', phone: '', student_number: 'S-77' })
})

test('an import knows the directory’s people by their name there, and takes nothing from them', async () => {
  const user = await made('bo17', { phoneNumbers: [{ value: '5551234' }] })
  const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  const csv =
    'Student ID,UserName,First Name,Last Name,Email\nS-17,BO17,Maria,Gomez bo17,other@harbor.example\n'
  const result = await coordinator.ok(
    importIntoProgram,
    { params: { programId: program.Id }, query: { Kind: 'students' } },
    { files: [{ field: 'file', name: 'roster.csv', content: csv }] },
  )
  // The address is the directory's, the student ID is nobody's yet.
  expect(result).toMatchObject({
    Added: 0,
    Changed: 1,
    Warnings: [
      { Row: 2, Column: 'Email', Message: expect.stringMatching(/^It comes from Directory 1 and stays/) },
    ],
  })
  const imported = { student_number: 'S-17', email: 'bo17@harbor.example', phone: '5551234' }
  expect(await account(user.id)).toMatchObject(imported)
})

test('a field of the directory is written by nobody else until staff take it over, and goes back and forth in no round', async () => {
  const user = await made('whose', { phoneNumbers: [{ value: '5551234' }] })
  const admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  const at = { params: { programId: program.Id, userId: Number(user.id) } }
  const form = async (change: object) => {
    const { Id, UserName, IsActive, IsTestUser, ...body } = await admin.ok(getUser, at)
    return admin.call(updateUser, { ...at, body: { ...body, ...change } })
  }
  const file = async (phone: string) =>
    admin.ok(
      importIntoProgram,
      { params: { programId: program.Id }, query: { Kind: 'students' } },
      {
        files: [
          {
            field: 'file',
            name: 'sync.csv',
            content: `UserName,First Name,Last Name,Email,Phone\nwhose,Maria,Gomez whose,whose@harbor.example,${phone}\n`,
          },
        ],
      },
    )
  // As Okta sends whole users, and Entra single operations.
  const okta = () =>
    scim('PUT', `/Users/${user.id}`, {
      ...person('whose', { phoneNumbers: [{ value: '5551234', type: 'work', primary: true }] }),
      id: user.id,
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    })
  const entra = () =>
    scim('PATCH', `/Users/${user.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'Replace', path: 'phoneNumbers[type eq "work"].value', value: '5551234' }],
    })
  expect((await admin.ok(getUser, at)).Directory).toEqual({
    Name: 'Directory 1',
    Fields: expect.arrayContaining(['FirstName', 'LastName', 'EmailAddress', 'PhoneNumber']),
    Kept: [],
  })
  const refused = await form({ PhoneNumber: '777 1234' })
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      Code: 'of_directory',
      Message: expect.stringMatching(/^The phone number comes from Directory 1, so nothing was saved\./),
    },
  ])
  const seen = new Set<unknown>()
  const round = async (phone: string) => {
    for (const step of [okta, () => file(phone), entra, () => form({ ZipCode: '12345' })]) {
      await step()
      seen.add((await account(user.id)).phone)
    }
  }
  for (let at = 0; at < 5; at++) await round('888 1234')
  expect([...seen]).toEqual(['5551234'])
  // What nobody says is anybody's, and the owner's own page says whose the address is.
  expect((await form({ StudentNumber: 'S-1', Cohort: '2030' })).status).toBe(200)
  const own = await installation.as({ Id: Number(user.id) })
  const asked = await own.call(changeEmail, { body: { EmailAddress: 'mine@example.org' } })
  expect(asked.body).toMatchObject({ Code: 'of_directory' })

  expect((await form({ PhoneNumber: '777 1234', KeptFields: ['PhoneNumber'] })).status).toBe(200)
  seen.clear()
  for (let at = 0; at < 5; at++) await round('777 1234')
  expect([...seen]).toEqual(['777 1234'])
  expect((await file('888 1234')).Changed).toBe(1)
  expect((await admin.ok(getUser, at)).Directory?.Kept).toEqual(['PhoneNumber'])

  expect((await form({ KeptFields: [] })).status).toBe(200)
  await okta()
  seen.clear()
  for (let at = 0; at < 5; at++) await round('888 1234')
  expect([...seen]).toEqual(['5551234'])

  // A second directory of the college says the same fields later, and writes none of them.
  const second = await connect(program.Id)
  const secondKey = await turnOn(program.Id, second, { AdoptsByEmail: true })
  const other = await scim(
    'POST',
    '/Users',
    person('whose', { name: { givenName: 'Mary', familyName: 'Gomez' } }),
    { authorization: `Bearer ${secondKey}` },
  )
  expect(other.status).toBe(201)
  expect(await account(user.id)).toMatchObject({ first_name: 'Maria', phone: '5551234' })
})

test('what is wrong is refused in SCIM’s own shape, and without a good key everything is', async () => {
  for (const [by, expected] of [
    ['', 401],
    ['scim_wrong-key-that-is-long-enough', 401],
  ] as const) {
    const { status, body, headers } = await scim('GET', '/Users', undefined, {}, by)
    expect([status, body.schemas, body.status]).toEqual([
      expected,
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
      '401',
    ])
    expect(headers.get('www-authenticate')).toContain('Bearer')
  }
  const refused = async (expected: [number, string | undefined], ...call: Parameters<typeof scim>) => {
    const { status, body } = await scim(...call)
    expect([status, body.scimType], JSON.stringify(call).slice(0, 120)).toEqual(expected)
    expect(body).toMatchObject({ status: String(expected[0]), detail: expect.any(String) })
  }
  await refused([400, 'invalidSyntax'], 'POST', '/Users', '{"userName": ')
  await refused([400, 'invalidValue'], 'POST', '/Users', { active: true })
  await refused([400, 'invalidValue'], 'POST', '/Users', person('x', { emails: [{ value: 'no address' }] }))
  const long = 'a'.repeat(256)
  for (const more of [
    { phoneNumbers: [{ value: '617 555 0100 '.repeat(4) }] },
    { name: { formatted: `Ana ${long}` } },
    { name: { formatted: `${long} Reyes` } },
    { name: { familyName: long } },
    { emails: [{ value: `${long}@harbor.example` }] },
  ])
    await refused([400, 'invalidValue'], 'POST', '/Users', person('long', more))
  await refused([400, 'invalidSyntax'], 'POST', '/Users', person('nul', { externalId: 'a\u0000b' }))
  await refused([400, 'invalidFilter'], 'GET', '/Users?filter=userName')
  await refused([400, 'invalidFilter'], 'GET', `/Users?filter=${encodeURIComponent('password eq "x"')}`)
  await refused([400, 'invalidValue'], 'GET', '/Users?startIndex=x')
  await refused([404, undefined], 'GET', '/Users/999999999')
  await refused([404, undefined], 'GET', '/Users/abc')
  await refused([404, undefined], 'GET', '/Nothing')
  await refused([405, undefined], 'DELETE', '/Users')
  const { id } = await made()
  await refused([400, 'invalidSyntax'], 'PATCH', `/Users/${id}`, { Operations: 'none' })
  const plain = await fetch(`${installation.url}/scim/v2/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/xml' },
    body: 'x',
  })
  expect([plain.status, ((await plain.json()) as { status: string }).status]).toEqual([415, '415'])
})

test('a deleted user answers 404 from then on, and the same name restores the account', async () => {
  const user = await made('returns')
  expect((await scim('DELETE', `/Users/${user.id}`)).status).toBe(204)
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
    expect(
      (
        await scim(
          method,
          `/Users/${user.id}`,
          method === 'GET' || method === 'DELETE' ? undefined : person('returns'),
        )
      ).status,
    ).toBe(method === 'PATCH' ? 400 : 404)
  expect(
    (await scim('GET', `/Users?filter=${encodeURIComponent('userName eq "returns@harbor.example"')}`)).body
      .totalResults,
  ).toBe(0)
  expect((await account(user.id)).deactivated_at).not.toBeNull()
  const again = await scim('POST', '/Users', person('RETURNS', { externalId: 'another' }))
  expect([again.status, again.body.id, again.body.active]).toEqual([201, user.id, true])
  expect((await account(user.id)).deactivated_at).toBeNull()
  expect((await scim('POST', '/Users', person('returns'))).body).toMatchObject({
    status: '409',
    scimType: 'uniqueness',
  })
})

test('the same user twice in parallel makes one, and many calls at once are told to wait', async () => {
  const both = await Promise.all([1, 2, 3, 4].map(() => scim('POST', '/Users', person('twice'))))
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  const { rows } = await installation.owner.query(
    "select count(*)::integer as count from account where email = 'twice@harbor.example'",
  )
  expect(rows[0].count).toBe(1)
  const flood = await Promise.all(
    Array.from({ length: 60 }, (_each, index) => scim('POST', '/Users', person(`flood${index}`))),
  )
  const waiting = flood.filter(({ status }) => status === 429)
  expect(waiting.length).toBeGreaterThan(0)
  for (const { headers, body } of waiting) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body).toMatchObject({ status: '429' })
  }
  expect(flood.filter(({ status }) => ![201, 429].includes(status))).toEqual([])
  // Whoever waits as told gets all of them in.
  const rest = flood.flatMap(({ status }, index) => (status === 429 ? [index] : []))
  for (const index of rest) expect((await scim('POST', '/Users', person(`flood${index}`))).status).toBe(201)
})

test('a directory that goes on naming somebody leaves their last day to come as it is', async () => {
  const user = await made('leaving')
  const { owner } = installation
  await owner.query("update account set leaves_on = '2032-03-01' where id = $1", [user.id])
  await scim('PUT', `/Users/${user.id}`, person('leaving', { active: true, title: 'Student' }))
  await scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', value: { active: true } }] })
  const { rows } = await owner.query(
    'select leaves_on::text as day, deactivated_at is null as here from account where id = $1',
    [user.id],
  )
  expect(rows).toEqual([{ day: '2032-03-01', here: true }])
})

test('deactivation ends sessions and keys at once, however the directory says it', async () => {
  const user = await made('leaver')
  const asUser = async () => installation.as({ Id: Number(user.id) })
  const caller = await asUser()
  expect((await caller.call(getState)).status).toBe(200)
  // Entra: "False" as text with a capital operation. Okta: the whole user with active false.
  const entra = await scim('PATCH', `/Users/${user.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  })
  expect(entra.body.active).toBe(false)
  expect((await caller.call(getState)).status).toBe(401)
  await scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', value: { active: true } }] })
  expect((await caller.call(getState)).status).toBe(401)
  const second = await asUser()
  expect((await scim('PUT', `/Users/${user.id}`, person('leaver', { active: false }))).body.active).toBe(
    false,
  )
  expect((await second.call(getState)).status).toBe(401)

  // Shifts to come are freed, and are there again with the access: a directory suspends people by mistake too.
  const today = new Date().toISOString().slice(0, 10)
  const { owner } = installation
  const rotation = await makeRotation(owner, program, { start_date: today, end_date: addDays(today, 60) })
  const shift = await makeShift(owner, program, { start_date: today, end_date: addDays(today, 60) })
  const placed = await made('suspended')
  const coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  await coordinator.ok(addShiftAssignments, {
    params: { programId: program.Id },
    body: {
      RotationId: rotation.Id,
      SiteShiftId: shift.Id,
      StudentIds: [Number(placed.id)],
      Dates: [addDays(today, 9)],
    },
  })
  const shifts = async () =>
    (
      await owner.query('select id from shift_assignment where student_id = $1 and removed_at is null', [
        placed.id,
      ])
    ).rows.length
  const setActive = (active: boolean) =>
    scim('PATCH', `/Users/${placed.id}`, { Operations: [{ op: 'replace', value: { active } }] })
  const counts = [await shifts()]
  for (const active of [false, true]) {
    await setActive(active)
    counts.push(await shifts())
  }
  expect(counts).toEqual([1, 0, 1])

  // The key of an administrator in reach of another connection ends with the account.
  const other = await makeProgram(installation.owner)
  const connection = await connect(other.Id)
  const own = await turnOn(other.Id, connection, { MaxLevel: Level.Admin, DefaultLevel: Level.Admin })
  const admin = (await scim('POST', '/Users', person('keykeeper'), {}, own)).body
  const keeper = await installation.as({ Id: Number(admin.id) })
  const { Key } = await keeper.ok(createApiKey, {
    params: { programId: other.Id },
    body: {
      Name: 'Warehouse',
      Rights: ['people.read'],
      Networks: [],
      CallsPerMinute: 60,
      ExpireDays: null,
      IsForAllPrograms: false,
    },
  })
  const byKey = () =>
    installation.anonymous.send('GET', `/programs/${other.Id}/users?pageSize=1`, {
      headers: { authorization: `Bearer ${Key}` },
    })
  const before = (await byKey()).status
  await scim('DELETE', `/Users/${admin.id}`, undefined, {}, own)
  expect(before).not.toBe(401)
  expect((await byKey()).status).toBe(401)
})

test('nobody above the connection’s level or of another program is seen, changed or made', async () => {
  const other = await makeProgram(installation.owner)
  const foreignKey = await turnOn(other.Id, await connect(other.Id))
  const user = await made('mine')
  for (const method of ['GET', 'DELETE'])
    expect((await scim(method, `/Users/${user.id}`, undefined, {}, foreignKey)).status).toBe(404)
  expect((await scim('GET', '/Users', undefined, {}, foreignKey)).body.totalResults).toBe(0)
  const foreignGroup = await scim(
    'POST',
    '/Groups',
    { displayName: 'G', members: [{ value: user.id }] },
    {},
    foreignKey,
  )
  expect([foreignGroup.status, foreignGroup.body.scimType]).toEqual([400, 'invalidValue'])
  // Somebody whom the program has raised is out of reach from then on.
  await installation.owner.query('update account set access_level = $1 where id = $2', [Level.Coord, user.id])
  for (const [method, body] of [
    ['GET', undefined],
    ['DELETE', undefined],
    ['PUT', person('mine')],
  ] as const)
    expect((await scim(method, `/Users/${user.id}`, body)).status).toBe(404)
  expect((await scim('POST', '/Users', person('mine'))).status).toBe(409)
  // An account that is there already is not taken over by its address unless the connection may.
  const admin = await makePerson(installation.owner, Level.Admin, { program, email: 'boss@harbor.example' })
  const student = await makePerson(installation.owner, Level.Student, {
    program,
    email: 'old@harbor.example',
  })
  for (const name of ['boss', 'old'])
    expect((await scim('POST', '/Users', person(name))).body.scimType).toBe('uniqueness')
  // Whom the connection may see is told with both names: by student number first, then by address.
  const enrolled = await makePerson(installation.owner, Level.Student, {
    program,
    first_name: 'Ada',
    last_name: 'Lind',
    student_number: 'N-1',
  })
  const numbered = { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { employeeNumber: 'n-1' } }
  expect((await scim('POST', '/Users', person('old', numbered))).body.detail).toBe(
    `Ada Lind (${enrolled.UserName}) of the program has the student number n-1 already, and Maria Gomez old is sent with it. If they are one person, link the account under Connected people in Practicum.`,
  )
  expect((await scim('POST', '/Users', person('old'))).body.detail).toContain(
    `(${student.UserName}) of the program has the address old@harbor.example already, and Maria Gomez old`,
  )
  expect((await scim('POST', '/Users', person('boss'))).body.detail).toMatch(/^An account of the program/)
  const body = { MaxLevel: Level.Faculty, DefaultLevel: Level.Student, AdoptsByEmail: true }
  await superAdmin.ok(contract.saveProvisioning, { params: { connectionId, programId: program.Id }, body })
  expect((await scim('POST', '/Users', person('old'))).body.id).toBe(String(student.Id))
  expect((await scim('POST', '/Users', person('boss'))).status).toBe(409)
  expect((await account(String(admin.Id))).first_name).not.toBe('Maria')
  const { AdoptsByEmail, ...levels } = body
  const params = { connectionId, programId: program.Id }
  expect(await superAdmin.ok(contract.saveProvisioning, { params, body: levels })).toMatchObject({
    AdoptsByEmail,
  })
})

test('filters give the same in the database as on the resources', async () => {
  const own = await makeProgram(installation.owner)
  const by = await turnOn(own.Id, await connect(own.Id))
  await scim('POST', '/Users', person('Anna', { name: { givenName: 'Anna', familyName: 'Berg' } }), {}, by)
  await scim(
    'POST',
    '/Users',
    person('bert', { name: { familyName: 'Ångström' }, active: false, externalId: 'X1' }),
    {},
    by,
  )
  await scim(
    'POST',
    '/Users',
    { userName: 'cara', displayName: 'Cara Q', phoneNumbers: [{ value: '5550142' }] },
    {},
    by,
  )
  const all = (await scim('GET', '/Users', undefined, {}, by)).body.Resources as { userName: string }[]
  expect(all).toHaveLength(3)
  for (const text of [
    'userName eq "ANNA@harbor.example"',
    'userName ne "cara"',
    'externalId eq "x1"',
    'externalId eq "X1"',
    'externalId ne "X1"',
    'externalId pr',
    'not (externalId pr)',
    'emails pr',
    'emails co "harbor"',
    'emails.value sw "BERT"',
    'emails[type eq "work" and value co "anna"]',
    'emails[type eq "home"]',
    'emails[type eq "work"].value eq "ANNA@harbor.example"',
    'emails[type eq "home"].value eq "anna@harbor.example"',
    'active eq true and emails[primary eq true].value pr or userName eq "cara"',
    'emails[not (value co "anna")]',
    'phoneNumbers[value eq "5550142"] or active eq false',
    'active eq true and name.familyName sw "b"',
    'active ne true',
    'name.familyName co "ström"',
    'name.givenName ew "a"',
    'displayName gt "b"',
    'name.givenName eq null',
    'meta.created gt "2020-01-01T00:00:00Z" and meta.lastModified lt "2020-01-01T00:00:00Z"',
    `id eq "${(all[0] as unknown as { id: string }).id}"`,
    'userName sw "%" or userName co "_" or userName ew "\\"" or userName eq "\' or 1=1"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "c" and (emails pr or not (active eq false))',
  ]) {
    const { body } = await scim('GET', `/Users?filter=${encodeURIComponent(text)}`, undefined, {}, by)
    const expected = all.filter((user) => holds(parseFilter(text), user)).map(({ userName }) => userName)
    expect(
      body.Resources?.map(({ userName }: { userName: string }) => userName),
      text,
    ).toEqual(expected)
  }
  const page = await scim('GET', '/Users?startIndex=2&count=1', undefined, {}, by)
  expect(page.body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 })
  expect(page.body.Resources[0].userName).toBe(all[1]!.userName)
  expect((await scim('GET', '/Users?startIndex=0&count=0', undefined, {}, by)).body).toMatchObject({
    totalResults: 3,
    startIndex: 1,
    Resources: [],
  })
  const few = (await scim('GET', '/Users?attributes=userName', undefined, {}, by)).body.Resources[0]
  expect(Object.keys(few).toSorted()).toEqual(['id', 'meta', 'schemas', 'userName'])
})

test('groups give levels: the highest that counts, never above the connection, back to the usual one when the last is left', async () => {
  const own = await makeProgram(installation.owner)
  const connection = await connect(own.Id)
  const by = await turnOn(own.Id, connection)
  const [maria, ana] = [
    (await scim('POST', '/Users', person('gmaria'), {}, by)).body,
    (await scim('POST', '/Users', person('gana'), {}, by)).body,
  ]
  const group = await scim(
    'POST',
    '/Groups',
    { displayName: 'Teachers', members: [{ value: maria.id }] },
    {},
    by,
  )
  expect([group.status, group.body.members.length]).toEqual([201, 1])
  const levelOf = async ({ id }: { id: string }) => (await account(id)).access_level
  expect(await levelOf(maria)).toBe(Level.Student)
  const params = { connectionId: connection, programId: own.Id }
  const levels = (Level_: number | null) =>
    superAdmin.call(contract.saveProvisioning, {
      params,
      body: {
        MaxLevel: Level.Faculty,
        DefaultLevel: Level.Student,
        Groups: [{ Id: Number(group.body.id), Level: Level_ }],
      },
    })
  expect((await levels(Level.Admin)).status).toBe(400)
  expect((await levels(Level.Faculty)).body).toMatchObject({
    Key: null,
    Groups: [{ Name: 'Teachers', MemberCount: 1, Level: Level.Faculty }],
  })
  expect(await levelOf(maria)).toBe(Level.Faculty)
  // Entra adds and removes members one by one, also two at once.
  const path = `/Groups/${group.body.id}`
  const patch = (operation: object) => scim('PATCH', path, { Operations: [operation] }, {}, by)
  const added = await Promise.all([
    patch({ op: 'Add', path: 'members', value: [{ value: ana.id }] }),
    patch({ op: 'Add', path: 'members', value: [{ value: maria.id }] }),
  ])
  expect(added.map(({ status }) => status)).toEqual([204, 204])
  expect(await levelOf(ana)).toBe(Level.Faculty)
  expect((await patch({ op: 'remove', path: `members[value eq "${ana.id}"]` })).status).toBe(204)
  expect([await levelOf(ana), await levelOf(maria)]).toEqual([Level.Student, Level.Faculty])
  expect((await scim('GET', `/Users/${maria.id}`, undefined, {}, by)).body.groups).toMatchObject([
    { display: 'Teachers' },
  ])
  expect(
    (
      await scim(
        'GET',
        `/Groups?filter=${encodeURIComponent('displayName eq "teachers"')}&excludedAttributes=members`,
        undefined,
        {},
        by,
      )
    ).body.Resources,
  ).toMatchObject([{ displayName: 'Teachers' }])
  expect(
    (
      await scim(
        'GET',
        `/Groups?filter=${encodeURIComponent(`members[value eq "${maria.id}"]`)}`,
        undefined,
        {},
        by,
      )
    ).body.totalResults,
  ).toBe(1)
  expect((await scim('POST', '/Groups', { displayName: 'TEACHERS' }, {}, by)).status).toBe(409)
  expect((await scim('DELETE', path, undefined, {}, by)).status).toBe(204)
  expect(await levelOf(maria)).toBe(Level.Student)
  expect((await scim('GET', path, undefined, {}, by)).status).toBe(404)
})

test('a version that is not the present one changes nothing, and one that is need not be sent again', async () => {
  const user = await made('versioned')
  const path = `/Users/${user.id}`
  const { version } = user.meta
  for (const known of [version, `"old", ${version}`, version.replace('W/', ''), '*'])
    expect((await scim('GET', path, undefined, { 'if-none-match': known })).status, known).toBe(304)
  const changed = await scim(
    'PATCH',
    path,
    { Operations: [{ op: 'replace', path: 'name.givenName', value: 'Eva' }] },
    { 'if-match': `"old", ${version}` },
  )
  expect([changed.status, changed.body.name.givenName]).toEqual([200, 'Eva'])
  for (const [method, body] of [
    ['PUT', person('versioned')],
    ['DELETE', undefined],
  ] as const)
    expect((await scim(method, path, body, { 'if-match': version })).status).toBe(412)
  expect((await scim('GET', path, undefined, { 'if-none-match': version })).body.name.givenName).toBe('Eva')
})

test('a directory reads what the service can, and finds its users as Okta and Entra look for them', async () => {
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    etag: { supported: true },
  })
  expect((await scim('GET', '/ResourceTypes')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([
    'User',
    'Group',
  ])
  const { Resources } = (await scim('GET', '/Schemas')).body
  expect((await scim('GET', `/Schemas/${Resources[0].id}`)).body).toEqual(Resources[0])
  expect((await scim('GET', '/Schemas/none')).status).toBe(404)
  // Okta’s test of a connection, and Entra’s, ask for somebody who is not there: an empty list, no 404.
  for (const query of [
    'count=1&startIndex=1',
    `filter=${encodeURIComponent('userName eq "non-existent@harbor.example"')}&startIndex=1&count=100`,
  ])
    expect((await scim('GET', `/Users?${query}`)).status).toBe(200)
  const user = await made('lookedfor')
  const found = await scim('GET', `/Users?filter=${encodeURIComponent('externalId eq "ext-lookedfor"')}`)
  expect(found.body.Resources).toMatchObject([{ id: user.id }])
})

test('the name at sign-in comes with the user, and one that somebody gave otherwise stays', async () => {
  const user = await made('signer')
  const names = async (id: string) =>
    (await installation.owner.query('select name_id from saml_user where account_id = $1', [id])).rows
  expect(await names(user.id)).toEqual([{ name_id: 'ext-signer' }])
  await scim('PATCH', `/Users/${user.id}`, {
    Operations: [{ op: 'replace', path: 'externalId', value: 'ext-2' }],
  })
  expect(await names(user.id)).toEqual([{ name_id: 'ext-2' }])
  await installation.owner.query("update saml_user set name_id = 'by hand' where account_id = $1", [user.id])
  await scim('PATCH', `/Users/${user.id}`, {
    Operations: [{ op: 'replace', path: 'externalId', value: 'ext-3' }],
  })
  expect(await names(user.id)).toEqual([{ name_id: 'by hand' }])
  // Another person’s name opens nothing of this one.
  const thief = await made('thief', { externalId: 'by hand' })
  expect(await names(thief.id)).toEqual([])
})

test('a key is shown once, rotated with a day of overlap, and ends with the provisioning', async () => {
  const own = await makeProgram(installation.owner)
  const connection = await connect(own.Id)
  const params = { connectionId: connection, programId: own.Id }
  expect(await superAdmin.ok(contract.getProvisioning, { params })).toMatchObject({ IsOn: false })
  const first = await turnOn(own.Id, connection)
  expect(first).toMatch(/^scim_/)
  const shown = await superAdmin.ok(contract.getProvisioning, { params })
  expect(shown).toMatchObject({ IsOn: true, Ending: first.slice(-4) })
  expect(JSON.stringify(shown)).not.toContain(first)
  const { Key } = await superAdmin.ok(contract.rotateProvisioningKey, { params })
  const works = async (by: string) => (await scim('GET', '/Users?count=0', undefined, {}, by)).status
  expect([await works(first), await works(Key)]).toEqual([200, 200])
  await installation.owner.query(
    "update scim_connection set previous_until = now() - interval '1 second' where program_id = $1",
    [own.Id],
  )
  expect([await works(first), await works(Key)]).toEqual([401, 200])
  await scim('POST', '/Users', { active: true }, {}, Key)
  expect((await superAdmin.ok(contract.getProvisioning, { params })).LastError).toContain('userName')
  expect((await superAdmin.ok(contract.getProvisioning, { params })).LastUsedDate).not.toBeNull()
  const admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program: own }))
  expect((await admin.call(contract.getProvisioning, { params })).status).toBe(403)
  const elsewhere = { params: { connectionId: connection, programId: program.Id } }
  expect((await superAdmin.call(contract.getProvisioning, elsewhere)).status).toBe(404)
  await superAdmin.ok(contract.endProvisioning, { params })
  expect(await works(Key)).toBe(401)
  expect((await superAdmin.call(contract.endProvisioning, { params })).status).toBe(404)
})

test('a directory waits for whoever ends people, and ends nobody while something is written', async () => {
  const { owner } = installation
  const [first, second, third] = [await made(), await made(), await made()]
  const inactive = { Operations: [{ op: 'replace', path: 'active', value: false }] }
  const waited = await whileHeld(
    owner,
    program.Id,
    [
      () => scim('POST', '/Users', person()),
      () =>
        scim('PATCH', `/Users/${first.id}`, {
          Operations: [{ op: 'replace', path: 'name.givenName', value: 'Ana' }],
        }),
      () => scim('POST', '/Groups', { displayName: 'Second years', members: [{ value: first.id }] }),
    ],
    { alone: true },
  )
  expect(waited.map(({ status }) => status)).toEqual([201, 200, 201])
  const ended = await whileHeld(
    owner,
    program.Id,
    [
      () => scim('DELETE', `/Users/${first.id}`),
      () => scim('PATCH', `/Users/${second.id}`, inactive),
      () => scim('PUT', `/Users/${third.id}`, { ...person(), userName: third.userName, active: false }),
    ],
    {},
  )
  expect(ended.map(({ status }) => status)).toEqual([204, 200, 200])
})

test('a directory that ends somebody during an import is told to come again', async () => {
  const { id } = await made()
  const import_ = await installation.owner.connect()
  try {
    await import_.query('begin')
    await import_.query("select pg_advisory_xact_lock_shared(hashtextextended('people:' || $1::bigint, 0))", [
      program.Id,
    ])
    const { status, headers, body } = await scim('DELETE', `/Users/${id}`)
    expect([status, headers.get('retry-after'), body.detail]).toEqual([
      503,
      '5',
      expect.stringContaining('Nothing was changed'),
    ])
  } finally {
    await import_.query('rollback')
    import_.release()
  }
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
})
