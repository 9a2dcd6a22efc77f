import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/people/employees.ts'
import { type MadeProgram, makePerson, makeProgram, makeSite } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let site: { Id: number; Name: string }
let coordinator: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  site = await makeSite(installation.owner, program)
  coordinator = await installation.as(
    await makePerson(installation.owner, Level.Coord, { program, first_name: 'Rosa', last_name: 'Duarte' }),
  )
})

const params = () => ({ programId: program.Id })
const at = (employeeId: number) => ({ params: { ...params(), employeeId } })
const input = (more: Partial<contract.EmployeeInput> = {}): contract.EmployeeInput => ({
  SiteId: site.Id,
  FirstName: 'Rosa',
  LastName: 'Lind',
  Email: 'rosa@example.org',
  ...more,
})
const add = (more: Partial<contract.EmployeeInput> = {}) =>
  coordinator.ok(contract.createEmployee, { params: params(), body: input(more) })
const create = (body: object) =>
  coordinator.call(contract.createEmployee, { params: params(), body: { ...input(), ...body } as never })

test('D3-158 D3-159 D3-269 D3-270 D3-271 an employee is added and read back with every field', async () => {
  const made = await add({
    Dob: '1990-05-17T00:00:00.000Z',
    NumSdms: '123456',
    NumArdms: '98765',
    NumArrt: '12345678',
    NumCci: '1',
    NumCardUp: '2',
    RegistryNumber: 'R-7',
  })
  expect(made).toEqual({
    Id: expect.any(Number),
    SiteId: site.Id,
    SiteName: site.Name,
    FirstName: 'Rosa',
    LastName: 'Lind',
    Email: 'rosa@example.org',
    Dob: '1990-05-17',
    Hash: expect.stringMatching(/^[0-9a-f]{32}$/),
    ModDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    ModBy: 'Rosa Duarte',
    DelFlag: false,
    NumSdms: '123456',
    NumArdms: '98765',
    NumArrt: '12345678',
    NumCci: '1',
    NumCardUp: '2',
    ProgId: program.Id,
    CreateDate: expect.any(String),
    RegistryNumber: 'R-7',
  })
  expect(await coordinator.ok(contract.getEmployee, at(made.Id))).toEqual(made)
  const other = await add({ FirstName: 'Abel', LastName: 'Abt' })
  expect(other).toMatchObject({ Dob: null, RegistryNumber: '' })
  expect(other.Hash).not.toBe(made.Hash)
  expect(await coordinator.ok(contract.listEmployees, { params: params() })).toEqual([other, made])
})

test('D3-272 an employee is changed as it was read; what the server knows better stays', async () => {
  const made = await add()
  const elsewhere = await makeSite(installation.owner, program)
  const changed = await coordinator.ok(contract.updateEmployee, {
    ...at(made.Id),
    body: { ...made, SiteId: elsewhere.Id, LastName: 'Linden', Hash: 'mine', ProgId: 1, DelFlag: true },
  })
  expect(changed).toEqual({
    ...made,
    SiteId: elsewhere.Id,
    SiteName: elsewhere.Name,
    LastName: 'Linden',
    ModDate: expect.any(String),
  })
  const { rows } = await installation.owner.query(
    "select detail from audit where program_id = $1 and action like 'POST %/employees/:employeeId'",
    [program.Id],
  )
  expect(rows[0].detail).toMatchObject({ Before: { LastName: 'Lind' }, After: { LastName: 'Linden' } })
})

test('D3-273 a deleted employee is gone from every list', async () => {
  const made = await add()
  await coordinator.ok(contract.deleteEmployee, at(made.Id))
  expect(await coordinator.ok(contract.listEmployees, { params: params() })).toEqual([])
  for (const call of [contract.getEmployee, contract.deleteEmployee])
    expect((await coordinator.call(call, at(made.Id))).status).toBe(404)
})

test('D3-194 D3-195 D3-196 D3-197 what is missing, too long, no address or no day is refused by its field', async () => {
  const wrong: [object, string][] = [
    [{ SiteId: undefined }, 'SiteId'],
    [{ FirstName: ' ' }, 'FirstName'],
    [{ LastName: '' }, 'LastName'],
    [{ Email: '' }, 'Email'],
    [{ Email: 'rosa at example' }, 'Email'],
    [{ Dob: '02/31/1990' }, 'Dob'],
    [{ Dob: '1990-02-31' }, 'Dob'],
    [{ Dob: '1899-12-31' }, 'Dob'],
    [{ Dob: '2100-01-01' }, 'Dob'],
    [{ NumArrt: '123456789' }, 'NumArrt'],
    [{ NumCci: '123456789' }, 'NumCci'],
    [{ NumCardUp: '123456789' }, 'NumCardUp'],
  ]
  for (const [change, field] of wrong) {
    const { status, body } = await create(change)
    expect(status, field).toBe(400)
    expect((body as any).Errors[0].Field).toBe(field)
  }
  for (const Dob of ['1900-01-01', '2099-12-31', null]) expect((await create({ Dob })).status).toBe(200)
})

test('a site of another program, or a deleted one, takes nobody', async () => {
  const other = await makeSite(installation.owner, await makeProgram(installation.owner))
  const gone = await makeSite(installation.owner, program, { deleted_at: '2026-01-01' })
  for (const SiteId of [other.Id, gone.Id]) {
    const { status, body } = await create({ SiteId })
    expect(status).toBe(422)
    expect((body as any).Errors[0].Field).toBe('SiteId')
  }
})

test('D3-051 the page of employees is searched, filtered by site, sorted and counted', async () => {
  const second = await makeSite(installation.owner, program, { name: 'Aardvark Clinic' })
  await add({ FirstName: 'Zoe', LastName: 'Zorn', RegistryNumber: 'REG-42' })
  await add({ FirstName: 'Abe', LastName: 'Abt', SiteId: second.Id, Email: 'abe@clinic.example' })
  await add({ FirstName: 'Max', LastName: '100%' })
  const names = async (query: object) =>
    (await coordinator.ok(contract.searchEmployees, { params: params(), query })).Items.map(
      ({ LastName }) => LastName,
    )
  expect(await names({})).toEqual(['100%', 'Abt', 'Zorn'])
  expect(await names({ sort: '-Name' })).toEqual(['Zorn', 'Abt', '100%'])
  expect(await names({ sort: 'Site' })).toEqual(['Abt', '100%', 'Zorn'])
  expect(await names({ SiteId: second.Id })).toEqual(['Abt'])
  expect(await names({ search: 'reg-42' })).toEqual(['Zorn'])
  expect(await names({ search: 'clinic.example' })).toEqual(['Abt'])
  expect(await names({ search: '%' })).toEqual(['100%'])
  const page = await coordinator.ok(contract.searchEmployees, {
    params: params(),
    query: { page: 2, pageSize: 2 },
  })
  expect(page).toMatchObject({ Total: 3, Page: 2, PageSize: 2, Items: [{ LastName: 'Zorn' }] })
})

test('D3-056 D3-057 the file holds what the form shows: no hidden credentials, the registry number by its name', async () => {
  await add({ Dob: '1990-05-17', NumArrt: 'R777', RegistryNumber: '=1+1' })
  const file = async () =>
    (await coordinator.send('GET', `/programs/${program.Id}/employees/export?Format=csv`)).body as string
  expect(await file()).toMatch(/Last name,First name,Site,Email,Date of birth,SDMS,ARDMS,ARRT,CCI,CARDUP/)
  expect(await file()).toContain('R777')
  await installation.owner.query('update program set options = $2 where id = $1', [
    program.Id,
    { HideDMSFields: true, EmployeeRegistryNumberEnabled: true, EmployeeRegistryNumberName: 'State license' },
  ])
  const hidden = await file()
  expect(hidden).toContain('State license')
  expect(hidden).not.toMatch(/ARRT|R777/)
  expect(hidden).toContain("'=1+1")
  expect(hidden).toContain('05/17/1990')
})

test('employees are for coordinators; those of another program are not there', async () => {
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await faculty.call(contract.listEmployees, { params: params() })).status).toBe(403)
  const made = await add()
  const stranger = await installation.as(await makePerson(installation.owner, Level.Coord))
  expect((await stranger.call(contract.getEmployee, at(made.Id))).status).toBe(404)
  const theirs = await makeProgram(installation.owner)
  const superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  const wrongProgram = { params: { programId: theirs.Id, employeeId: made.Id } }
  expect((await superAdmin.call(contract.getEmployee, wrongProgram)).status).toBe(404)
  expect((await superAdmin.call(contract.deleteEmployee, wrongProgram)).status).toBe(404)
})
