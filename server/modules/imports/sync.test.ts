import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { importIntoProgram, listImports } from '#contract/imports/imports.ts'
import * as contract from '#contract/imports/sync.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { ignoredColumns, tableOfRows } from './sync.rules.ts'

let installation: Installation
let program: MadeProgram
let admin: Caller
let adminId: number

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  const person = await makePerson(installation.owner, Level.Admin, { program })
  adminId = person.Id
  admin = await installation.as(person)
})

const inProgram = () => ({ params: { programId: program.Id } })
const makeKey = (Name = 'Registrar', caller = admin) =>
  caller.ok(contract.createSyncKey, { ...inProgram(), body: { Name } })
type Rows = Record<string, string | number | boolean | null>[]
const send = (key: string, module: contract.SyncModule, Rows: Rows, query: { DryRun?: boolean } = {}) =>
  installation.anonymous.call(
    contract.sync,
    { params: { module }, query, body: { Rows } },
    { headers: { authorization: `Bearer ${key}` } },
  )
const logs = async (
  query: { ModuleId?: number; ProgramId?: number; page?: number; pageSize?: number } = {},
) => (await admin.ok(contract.listSyncLogs, { query })).Items
const ada = { FirstName: 'Ada', LastName: 'Lind', EmailAddress: 'ada@example.org', StudentNumber: 'A1' }

test('rows become a table: the first is line 2, names of all rows are columns, nothing is a cell', () => {
  const table = tableOfRows([
    { Name: 'A', Beds: 3 },
    { Name: 'B', Status: false, Beds: null },
  ])
  expect(table).toEqual({
    columns: ['Name', 'Beds', 'Status'],
    rows: [
      { line: 2, cells: ['A', '3', ''] },
      { line: 3, cells: ['B', '', 'false'] },
    ],
    errors: [],
  })
  expect(ignoredColumns({ Columns: ['Name', 'Color'], Mapping: { Name: 'Name' } })).toEqual(['Color'])
})

test('D2-107 D2-192 students that another system sends are added, changed and left alone, each run with one row in the log', async () => {
  const { Key } = await makeKey()
  const first = await send(Key, 'students', [
    ada,
    { ...ada, FirstName: 'Bo', EmailAddress: 'bo@example.org', StudentNumber: 'A2', Color: 'red' },
  ])
  expect(first.body).toEqual({
    Rows: 2,
    Added: 2,
    Changed: 0,
    Unchanged: 0,
    Ignored: ['Color'],
    DryRun: false,
  })
  const second = await send(Key, 'students', [
    { ...ada, Cohort: '2027' },
    { ...ada, FirstName: 'Bo', EmailAddress: 'bo@example.org', StudentNumber: 'A2' },
  ])
  expect(second.body).toMatchObject({ Added: 0, Changed: 1, Unchanged: 1 })
  const [newest, oldest] = await logs()
  const { rows } = await installation.owner.query(
    'select p.name, c.name as college from program p join college c on c.id = p.college_id where p.id = $1',
    [program.Id],
  )
  expect(newest).toEqual({
    Id: expect.any(Number),
    ModuleId: 1,
    ModuleName: 'students',
    Date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    UserId: adminId,
    ProgramId: program.Id,
    ProgramName: rows[0].name,
    CollegeName: rows[0].college,
    Event: { Success: true, Key: 'Registrar', Rows: 2, Added: 0, Changed: 1, Unchanged: 1 },
  })
  expect(oldest!.Event).toMatchObject({ Success: true, Added: 2, Ignored: ['Color'] })
  const { rows: people } = await installation.owner.query(
    'select first_name, cohort, created_by, updated_by from account where program_id = $1 and access_level = 39 order by first_name',
    [program.Id],
  )
  expect(people).toEqual([
    { first_name: 'Ada', cohort: '2027', created_by: adminId, updated_by: adminId },
    { first_name: 'Bo', cohort: null, created_by: adminId, updated_by: adminId },
  ])
})

test('staff, sites and verifications are modules too', async () => {
  const { Key } = await makeKey()
  await makeStudent(installation.owner, program, { student_number: 'S7' })
  const runs: [contract.SyncModule, Rows][] = [
    ['staff', [{ FirstName: 'Cy', LastName: 'Reed', EmailAddress: 'cy@example.org', Role: 'Faculty' }]],
    ['sites', [{ Name: 'Harbor Hospital', Beds: 120, Status: true }]],
    [
      'verifications',
      [
        {
          Student: 'S7',
          Vendor: 'CheckCo',
          Type: 'Immunization',
          Requirement: 'MMR',
          Completed: '2026-05-01',
        },
      ],
    ],
  ]
  for (const [module, Rows] of runs)
    expect((await send(Key, module, Rows)).body, module).toMatchObject({ Added: 1 })
  expect((await logs()).map(({ ModuleId, ModuleName }) => [ModuleId, ModuleName])).toEqual([
    [4, 'verifications'],
    [3, 'sites'],
    [2, 'staff'],
  ])
  expect((await send(Key, 'colleges' as never, [{ Name: 'X' }])).status).toBe(400)
})

test('a wrong row refuses all rows, and the log says which', async () => {
  const { Key } = await makeKey()
  const { status, body } = await send(Key, 'students', [ada, { ...ada, EmailAddress: 'nobody' }])
  expect(status).toBe(422)
  expect((body as any).Message).toMatch(/^Nothing was imported: row 3/)
  expect((body as any).Errors).toContainEqual(expect.objectContaining({ Row: 3, Column: 'EmailAddress' }))
  const [log] = await logs()
  expect(log!.Event).toMatchObject({ Success: false, Key: 'Registrar', Message: (body as any).Message })
  expect(log!.Event.Errors).toContainEqual(expect.objectContaining({ Row: 3 }))
  const { rows } = await installation.owner.query(
    'select from account where program_id = $1 and access_level = 39',
    [program.Id],
  )
  expect(rows).toEqual([])
})

test('a dry run changes nothing and leaves no row; rows without sense are refused before anything', async () => {
  const { Key } = await makeKey()
  expect((await send(Key, 'students', [ada], { DryRun: true })).body).toMatchObject({
    Added: 1,
    DryRun: true,
  })
  expect((await send(Key, 'students', [{ FirstName: 'Ada' }], { DryRun: true })).status).toBe(422)
  expect((await send(Key, 'students', [])).status).toBe(400)
  expect((await send(Key, 'students', [{ FirstName: ['Ada'] }] as never)).status).toBe(400)
  expect(await logs()).toEqual([])
})

test('a run that changes nothing is logged but leaves no import; one that does can be undone there', async () => {
  const { Key } = await makeKey()
  await send(Key, 'students', [ada])
  await send(Key, 'students', [ada])
  expect(await logs()).toHaveLength(2)
  const imports = await admin.ok(listImports, { ...inProgram(), query: {} })
  expect(imports.Items).toMatchObject([{ Kind: 'students', FileName: 'Data sync: Registrar', Added: 1 }])
})

test('a CSV file that somebody imports is logged with its name, refused ones too, and other kinds are not', async () => {
  const upload = (Kind: 'sites' | 'employees', content: string) =>
    admin.call(
      importIntoProgram,
      { ...inProgram(), query: { Kind } },
      { files: [{ field: 'file', name: 'vendor.csv', content }] },
    )
  expect((await upload('sites', 'Name\nHarbor\n')).status).toBe(200)
  expect((await upload('sites', 'Name,Beds\nHarbor,many\n')).status).toBe(422)
  await upload('employees', 'Site,FirstName,LastName,Email\nHarbor,Di,Fox,di@example.org\n')
  expect((await logs()).map(({ ModuleName, Event }) => [ModuleName, Event.Success, Event.File])).toEqual([
    ['sites', false, 'vendor.csv'],
    ['sites', true, 'vendor.csv'],
  ])
})

test('a key is shown once, kept as a hash, and opens nothing once it is revoked', async () => {
  const { Key, Id, Ending } = await makeKey('Immunization vendor')
  expect(Key).toMatch(/^psk_[\w-]{43}$/)
  const [listed] = await admin.ok(contract.listSyncKeys, inProgram())
  expect(listed).toMatchObject({ Id, Name: 'Immunization vendor', Ending: Key.slice(-4), LastUsedDate: null })
  expect(Ending).toBe(Key.slice(-4))
  expect(JSON.stringify(listed)).not.toContain(Key)
  const { rows } = await installation.owner.query('select * from api_key where id = $1', [Id])
  expect(JSON.stringify(rows)).not.toContain(Key)
  await send(Key, 'students', [ada])
  expect((await admin.ok(contract.listSyncKeys, inProgram()))[0]!.LastUsedDate).not.toBeNull()
  await admin.ok(contract.revokeSyncKey, { params: { programId: program.Id, keyId: Id } })
  expect(await admin.ok(contract.listSyncKeys, inProgram())).toEqual([])
  const { status, body } = await send(Key, 'students', [ada])
  expect([status, (body as any).Code]).toEqual([401, 'unknown_key'])
  expect(
    (await admin.call(contract.revokeSyncKey, { params: { programId: program.Id, keyId: Id } })).status,
  ).toBe(404)
  await makeKey('Immunization vendor')
})

test('names of keys are unique, required and short', async () => {
  await makeKey('Registrar')
  const attempt = (Name: string) => admin.call(contract.createSyncKey, { ...inProgram(), body: { Name } })
  expect((await attempt('REGISTRAR')).status).toBe(409)
  expect((await attempt(' ')).status).toBe(400)
  expect((await attempt('x'.repeat(101))).status).toBe(400)
})

test('a key ends with its owner', async () => {
  const { Key } = await makeKey()
  await installation.owner.query('update account set access_level = 69 where id = $1', [adminId])
  expect((await send(Key, 'students', [ada])).status).toBe(403)
  await installation.owner.query(
    'update account set access_level = 89, deactivated_at = now() where id = $1',
    [adminId],
  )
  expect((await send(Key, 'students', [ada])).status).toBe(401)
})

test('a key writes into its own program only, and makes no super admins', async () => {
  const other = await makeProgram(installation.owner)
  const { Key } = await makeKey()
  await makeStudent(installation.owner, other, { email: ada.EmailAddress, student_number: 'A1' })
  expect((await send(Key, 'students', [ada])).body).toMatchObject({ Added: 1, Changed: 0 })
  const { status } = await send(Key, 'staff', [{ ...ada, Role: 'Super admin' }])
  expect(status).toBe(422)
  const { rows } = await installation.owner.query('select program_id from sync_log where program_id = $1', [
    other.Id,
  ])
  expect(rows).toEqual([])
})

test('calls with one key are throttled', async () => {
  const { Key, Id } = await makeKey()
  await makeRow(installation.owner, 'throttle', {
    key: `api-key:${Id}`,
    count: 600,
    window_ends_at: new Date(Date.now() + 600_000).toISOString(),
  })
  const { status, headers } = await send(Key, 'students', [ada])
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

const log = (programId: number, module_id: number, event: object = { Success: true }) =>
  makeRow(installation.owner, 'sync_log', { program_id: programId, module_id, event: JSON.stringify(event) })

test('D2-085 D2-141 D2-193 the log is filtered by its module and comes in pages, newest first', async () => {
  for (const module of [1, 2, 1, 3, 1]) await log(program.Id, module)
  expect((await logs({ ModuleId: 1 })).map(({ ModuleId }) => ModuleId)).toEqual([1, 1, 1])
  const page = await admin.ok(contract.listSyncLogs, { query: { page: 2, pageSize: 2 } })
  expect([page.Total, page.Items.map(({ ModuleId }) => ModuleId)]).toEqual([5, [1, 2]])
  for (const query of [{ ModuleId: 5 }, { ModuleId: 0 }, { Module: 1 }])
    expect((await admin.call(contract.listSyncLogs, { query: query as never })).status).toBe(400)
})

test('D2-150 administrators read the log and keep the keys, nobody below them; only super admins see other programs', async () => {
  const other = await makeProgram(installation.owner)
  await log(program.Id, 1)
  await log(other.Id, 2)
  expect((await logs({ ProgramId: other.Id })).map(({ ProgramId }) => ProgramId)).toEqual([program.Id])
  const boss = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  const all = await boss.ok(contract.listSyncLogs, { query: { pageSize: 100 } })
  const seen = all.Items.map(({ ProgramId }) => ProgramId)
  expect(seen).toContain(program.Id)
  expect(seen).toContain(other.Id)
  const theirs = await boss.ok(contract.listSyncLogs, { query: { ProgramId: other.Id } })
  expect(theirs.Items.map(({ ProgramId }) => ProgramId)).toEqual([other.Id])
  for (const level of [Level.Director, Level.Coord, Level.Faculty, Level.Student]) {
    const person = await installation.as(await makePerson(installation.owner, level, { program }))
    expect((await person.call(contract.listSyncLogs, { query: {} })).status).toBe(403)
    expect((await person.call(contract.listSyncKeys, inProgram())).status).toBe(403)
    expect(
      (await person.call(contract.createSyncKey, { ...inProgram(), body: { Name: 'Mine' } })).status,
    ).toBe(403)
  }
  const { Id } = await makeKey()
  const stranger = await installation.as(
    await makePerson(installation.owner, Level.Admin, { program: other }),
  )
  expect((await stranger.call(contract.listSyncKeys, inProgram())).status).toBe(404)
  expect(
    (await stranger.call(contract.revokeSyncKey, { params: { programId: other.Id, keyId: Id } })).status,
  ).toBe(404)
})

test('C6 without a good key nothing is told about the rows, however broken they are', async () => {
  for (const body of ['{"Rows":', { Rows: 'x' }, { NoSuchName: 1 }])
    for (const authorization of ['', 'Bearer no-such-key'])
      expect(
        await installation.anonymous.send('POST', '/v1/sync/students', { body, headers: { authorization } }),
      ).toMatchObject({
        status: 401,
        body: { Code: 'unknown_key' },
      })
})
