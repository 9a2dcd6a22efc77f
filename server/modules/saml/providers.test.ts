import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AdminArea, Level } from '#contract/core/levels.ts'
import * as contract from '#contract/saml/saml.ts'
import { makeCertificate } from '#server/core/auth/certificates.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { makeKeys } from '#server/test/identity-provider.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let superAdmin: Caller
let program: MadeProgram
const Certificate = makeCertificate(makeKeys())

beforeAll(async () => {
  installation = await startInstallation()
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
})

let counter = 0
const input = (more: object = {}) => {
  const n = ++counter
  return {
    Name: `College ${n}`,
    EntityId: `https://idp.example/${n}`,
    SsoUrl: `https://idp.example/${n}/sso`,
    Certificate,
    ...more,
  }
}
const add = (more: object = {}): Promise<contract.SamlProvider> =>
  superAdmin.ok(contract.createSamlProvider, { body: { ...input(), ProgramId: program.Id, ...more } })
const link = (samlId: number, ProgramId: number, AccessLevel?: number) =>
  superAdmin.call(contract.linkSamlProgram, {
    params: { samlId },
    body: { ProgramId, ...(AccessLevel !== undefined && { AccessLevel }) },
  })
const unlink = (samlId: number, programId: number) =>
  superAdmin.call(contract.unlinkSamlProgram, { params: { samlId, programId } })
const users = (samlId: number, query: object = {}) =>
  superAdmin.ok(contract.listSamlUsers, { params: { samlId }, query })
const name = (samlId: number, userId: number, body: object) =>
  superAdmin.call(contract.saveSamlUser, { params: { samlId, userId }, body })

test('D3-308 D3-305 D3-306 D3-169 D3-347 a provider is added for a program, with level 1, and read back alone and in the list', async () => {
  const made = await add()
  expect(made).toEqual({
    Id: expect.any(Number),
    Name: `College ${counter}`,
    EntityId: `https://idp.example/${counter}`,
    SsoUrl: `https://idp.example/${counter}/sso`,
    SloUrl: '',
    Certificate,
    CertificateExpires: '2049-12-31T23:59:59Z',
    CreateDate: expect.any(String),
    ModDate: expect.any(String),
    HasMultiple: false,
    Programs: [
      {
        ProgramId: program.Id,
        ProgramName: program.Name,
        CollegeId: program.CollegeId,
        CollegeName: expect.any(String),
        AccessLevel: 1,
        AccessLevelVerbose: 'No level granted',
      },
    ],
  })
  expect(await superAdmin.ok(contract.getSamlProvider, { params: { samlId: made.Id } })).toEqual(made)
  const all = await superAdmin.ok(contract.listSamlProviders)
  expect(all).toContainEqual({ ...made, LastSuccessDate: null, LastErrorDate: null, LastError: '' })
  const names = all.map(({ Name }) => Name.toLowerCase())
  expect(names).toEqual(names.toSorted())
})

test('D3-309 a provider is changed, and the audit tells from what', async () => {
  const made = await add()
  const body = input({ Certificate: Certificate.replace(/-----[^-]+-----|\n/g, '') })
  const changed = await superAdmin.ok(contract.updateSamlProvider, { params: { samlId: made.Id }, body })
  expect(changed).toMatchObject({ ...body, Certificate, Programs: made.Programs })
  const { rows } = await installation.owner.query(
    "select detail from audit where action = 'POST /saml/:samlId' order by id desc limit 1",
  )
  expect(rows[0].detail).toMatchObject({ Before: { Name: made.Name }, IsCertificateChanged: false })
})

test('D3-230 name, entity ID, address and certificate are required, on new the program too', async () => {
  const whole = { ...input(), ProgramId: program.Id }
  const refused = async (path: string, body: object) => {
    const reply = await superAdmin.send('POST', path, { body })
    return [reply.status, reply.body.Errors?.[0]?.Field]
  }
  const made = await add()
  for (const field of ['Name', 'EntityId', 'SsoUrl', 'Certificate'] as const) {
    const { [field]: _, ...without } = whole
    const { ProgramId: __, ...change } = without
    for (const part of [{}, { [field]: '' }, { [field]: '  \n' }]) {
      expect(await refused('/saml', { ...without, ...part })).toEqual([400, field])
      expect(await refused(`/saml/${made.Id}`, { ...change, ...part })).toEqual([400, field])
    }
  }
  const { ProgramId: _, ...withoutProgram } = whole
  expect(await refused('/saml', withoutProgram)).toEqual([400, 'ProgramId'])
  expect(await refused('/saml', { ...whole, ProgramId: 999_999_999 })).toEqual([422, 'ProgramId'])
  for (const SsoUrl of [
    'http://idp.example/sso',
    'javascript:alert(1)',
    'idp.example',
    'https://user:word@idp.example/',
    'https://idp.example/#x',
  ])
    expect(await refused('/saml', { ...whole, SsoUrl })).toEqual([400, 'SsoUrl'])
  expect(await refused('/saml', { ...whole, Certificate: 'no certificate' })).toEqual([422, 'Certificate'])
  expect(await refused('/saml', { ...whole, Name: 'x'.repeat(256) })).toEqual([400, 'Name'])
})

test('two providers have neither the same name nor the same entity ID, until one is deleted', async () => {
  const made = await add()
  const refused = async (more: object) => {
    const { status, body } = await superAdmin.call(contract.createSamlProvider, {
      body: { ...input(), ProgramId: program.Id, ...more },
    })
    return [status, (body as any).Errors?.[0]?.Field]
  }
  expect(await refused({ Name: made.Name.toUpperCase() })).toEqual([409, 'Name'])
  expect(await refused({ EntityId: made.EntityId })).toEqual([409, 'EntityId'])
  const other = await add()
  const { status } = await superAdmin.call(contract.updateSamlProvider, {
    params: { samlId: other.Id },
    body: input({ Name: made.Name }),
  })
  expect(status).toBe(409)
  await superAdmin.ok(contract.deleteSamlProvider, { params: { samlId: made.Id } })
  expect((await add({ Name: made.Name, EntityId: made.EntityId })).Id).not.toBe(made.Id)
})

test('D3-310 D3-188 a provider of a single program is deleted, one of several is not', async () => {
  const made = await add()
  const other = await makeProgram(installation.owner)
  await link(made.Id, other.Id)
  const params = { samlId: made.Id }
  const refused = await superAdmin.call(contract.deleteSamlProvider, { params })
  expect(refused.status).toBe(409)
  expect((refused.body as any).Message).toMatch(/linked to 2 programs, so it was not deleted/)
  await unlink(made.Id, other.Id)
  await superAdmin.ok(contract.deleteSamlProvider, { params })
  for (const reply of [
    await superAdmin.call(contract.getSamlProvider, { params }),
    await superAdmin.call(contract.deleteSamlProvider, { params }),
    await superAdmin.call(contract.updateSamlProvider, { params, body: input() }),
    await superAdmin.call(contract.listSamlUsers, { params }),
    await link(made.Id, other.Id),
  ])
    expect(reply.status).toBe(404)
})

test('D3-311 D3-312 D3-189 D3-347 programs are linked with the level given, and unlinked while more than one remains', async () => {
  const made = await add()
  const other = await makeProgram(installation.owner)
  const linked = await link(made.Id, other.Id, Level.Faculty)
  expect(linked.status).toBe(200)
  expect(linked.body.HasMultiple).toBe(true)
  expect(linked.body.Programs.find(({ ProgramId }) => ProgramId === other.Id)).toMatchObject({
    AccessLevel: 59,
    AccessLevelVerbose: 'Faculty',
  })
  expect((await link(made.Id, other.Id)).status).toBe(409)
  expect((await link(made.Id, 999_999_999)).status).toBe(422)
  for (const AccessLevel of [-1, 101, 1.5])
    expect((await link(made.Id, other.Id, AccessLevel)).status).toBe(400)

  expect((await unlink(made.Id, 999_999_999)).status).toBe(404)
  expect((await unlink(made.Id, program.Id)).status).toBe(204)
  const last = await unlink(made.Id, other.Id)
  expect(last.status).toBe(409)
  expect((last.body as any).Message).toMatch(/last program .* stays linked/)
  expect((await link(made.Id, program.Id)).body.Programs).toHaveLength(2)
})

test('of two who unlink the last two programs at once, one is refused', async () => {
  const made = await add()
  const other = await makeProgram(installation.owner)
  await link(made.Id, other.Id)
  const replies = await Promise.all([unlink(made.Id, program.Id), unlink(made.Id, other.Id)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409])
})

test('D3-307 D3-170 D3-171 the people of the linked programs are listed with the names they have at the provider', async () => {
  const made = await add()
  const person = await makePerson(installation.owner, Level.Student, {
    program,
    first_name: 'Ada',
    last_name: 'Lind',
    email: 'ada@harbor.example',
  })
  await makePerson(installation.owner, Level.Student, { program, deactivated_at: new Date() })
  await makePerson(installation.owner, Level.SuperAdmin, { program })
  await makePerson(installation.owner, Level.Student)
  const nameless = {
    Id: null,
    UserId: person.Id,
    Email: 'ada@harbor.example',
    FirstName: 'Ada',
    LastName: 'Lind',
    UserName: person.UserName,
    SamlEntityId: null,
    SamlNameId: null,
    CreateDate: null,
    ModDate: null,
    ProgramId: program.Id,
    CollegeName: expect.any(String),
    ProgramName: program.Name,
  }
  expect(await users(made.Id)).toEqual({ Items: [nameless], Total: 1, Page: 1, PageSize: 25 })
  await name(made.Id, person.Id, { SamlNameId: 'ada@harbor.example' })
  expect((await users(made.Id)).Items).toEqual([
    {
      ...nameless,
      Id: expect.any(Number),
      SamlEntityId: made.EntityId,
      SamlNameId: 'ada@harbor.example',
      CreateDate: expect.any(String),
      ModDate: expect.any(String),
    },
  ])
})

test('the list of people is searched, sorted, paged, and narrowed to a program', async () => {
  const made = await add()
  const other = await makeProgram(installation.owner)
  await link(made.Id, other.Id)
  const ids: number[] = []
  for (const last_name of ['Abel', 'Baker', 'Cole'])
    ids.push((await makePerson(installation.owner, Level.Student, { program, last_name })).Id)
  const apart = await makePerson(installation.owner, Level.Student, { program: other, last_name: 'Dorn' })
  await name(made.Id, ids[1]!, { SamlNameId: 'b_100%' })
  const shown = async (query: object) => (await users(made.Id, query)).Items.map(({ UserId }) => UserId)
  expect(await shown({ sort: 'Name' })).toEqual([...ids, apart.Id])
  expect(await shown({ sort: '-Name', pageSize: 2 })).toEqual([apart.Id, ids[2]])
  expect(await users(made.Id, { sort: 'Name', page: 2, pageSize: 3 })).toMatchObject({
    Items: [{ UserId: apart.Id }],
    Total: 4,
    Page: 2,
  })
  expect(await shown({ ProgramId: other.Id })).toEqual([apart.Id])
  expect(await shown({ search: 'b_100%' })).toEqual([ids[1]])
  expect(await shown({ search: '%' })).toEqual([ids[1]])
  expect((await shown({ sort: 'SamlNameId' }))[0]).toBe(ids[1])
  for (const sort of ['ProgramName', 'UserId', 'Email', 'UserName', '-SamlNameId', 'ModDate'])
    expect(await shown({ sort, search: 'col' }), sort).toEqual([ids[2]])
})

test('D3-313 D3-191 a name is given, changed and deleted; a blank one deletes too', async () => {
  const made = await add()
  const { Id } = await makePerson(installation.owner, Level.Student, { program })
  expect((await name(made.Id, Id, { SamlNameId: '  one@x.example ' })).body.SamlNameId).toBe('one@x.example')
  expect((await name(made.Id, Id, { SamlNameId: 'two', Delete: false })).body.SamlNameId).toBe('two')
  expect((await name(made.Id, Id, { SamlNameId: ' ' })).body).toMatchObject({ Id: null, SamlNameId: null })
  await name(made.Id, Id, { SamlNameId: 'three' })
  expect((await name(made.Id, Id, { SamlNameId: 'three', Delete: true })).body.SamlNameId).toBeNull()
  expect((await name(made.Id, Id, { Delete: true })).status).toBe(200)
  const { rows } = await installation.owner.query(
    "select detail from audit where action = 'POST /saml/:samlId/users/:userId' and subject_id = $1 order by id desc limit 1 offset 1",
    [Id],
  )
  expect(rows[0].detail).toEqual({
    samlId: made.Id,
    userId: Id,
    Provider: made.Name,
    Before: 'three',
    After: null,
  })
  for (const SamlNameId of ['x'.repeat(1025), 'two\nlines'])
    expect((await name(made.Id, Id, { SamlNameId })).status).toBe(400)
})

test('a name is shared by the accounts of one person only', async () => {
  const made = await add()
  const email = `shared${counter}@harbor.example`
  const one = await makePerson(installation.owner, Level.Student, { program, email })
  const two = await makePerson(installation.owner, Level.Faculty, { program, email: email.toUpperCase() })
  const other = await makePerson(installation.owner, Level.Student, { program })
  for (const { Id } of [one, two])
    expect((await name(made.Id, Id, { SamlNameId: 'S@x.example' })).status).toBe(200)
  const refused = await name(made.Id, other.Id, { SamlNameId: 's@X.example' })
  expect(refused.status).toBe(409)
  expect((refused.body as any).Message).toMatch(/has this SAML Name ID/)
  // Names that are no addresses may differ in case alone.
  await name(made.Id, one.Id, { SamlNameId: 'AbC' })
  expect((await name(made.Id, other.Id, { SamlNameId: 'abc' })).status).toBe(200)
})

test('people of programs that are not linked, super admins and those who are gone get no name', async () => {
  const made = await add()
  for (const { Id } of [
    await makePerson(installation.owner, Level.Student),
    await makePerson(installation.owner, Level.SuperAdmin, { program }),
    await makePerson(installation.owner, Level.Student, { program, deleted_at: new Date() }),
  ])
    expect((await name(made.Id, Id, { SamlNameId: 'x' })).status).toBe(404)
})

test('super admins with the Roles area keep providers, nobody else does, and no program sees the tables', async () => {
  const made = await add()
  const caller = async (level: Level, row: Record<string, unknown> = {}) =>
    installation.as(await makePerson(installation.owner, level, row))
  const roles = await caller(Level.SuperAdmin, { super_admin_areas: AdminArea.Roles })
  expect((await roles.call(contract.listSamlProviders)).status).toBe(200)
  for (const refused of [
    await caller(Level.SuperAdmin, { super_admin_areas: AdminArea.Email }),
    await caller(Level.Admin, { program }),
  ])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${made.Id}`],
      ['POST', `/${made.Id}`],
      ['DELETE', `/${made.Id}`],
      ['POST', `/${made.Id}/programs`],
      ['DELETE', `/${made.Id}/programs/${program.Id}`],
      ['GET', `/${made.Id}/users`],
      ['POST', `/${made.Id}/users/1`],
    ] as const)
      expect((await refused.send(method, `/saml${path}`)).status, `${method} ${path}`).toBe(403)

  const { Id } = await makePerson(installation.owner, Level.Student, { program })
  const row = { program_id: program.Id, account_id: Id, provider_id: made.Id, name_id: 'x' }
  await makeRow(installation.owner, 'saml_user', row)
  for (const table of ['saml_user', 'saml_program']) {
    const client = await installation.services.transactions.connect()
    try {
      await client.query(
        `begin; set local app.super = ''; set local app.program = '${program.Id}'; set local app.programs = '${program.Id}'`,
      )
      expect((await client.query(`select from ${table}`)).rowCount).toBe(0)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
})
