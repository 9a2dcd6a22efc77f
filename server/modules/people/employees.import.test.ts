import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/imports/imports.ts'
import { matchColumns } from '#contract/imports/imports-rules.ts'
import { employeeImport } from '#contract/people/employees-import.ts'
import { type MadeProgram, makePerson, makeProgram, makeSite } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let north: { Id: number }

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  north = await makeSite(installation.owner, program, { name: 'North', code: 'N1' })
  await makeSite(installation.owner, program, { name: 'Twin', code: 'T1' })
  await makeSite(installation.owner, program, { name: 'Twin', code: 'T2' })
})

const send = (content: string, DryRun = false, caller = coordinator) =>
  caller.call(
    contract.importIntoProgram,
    { params: { programId: program.Id }, query: { Kind: 'employees', DryRun } },
    { files: [{ field: 'file', name: 'employees.csv', content }] },
  )
const kept = async () =>
  (
    await installation.owner.query(
      `select e.first_name, e.last_name, e.email, e.dob, e.registry_number, e.num_arrt, s.code from employee e
        join site s on s.program_id = e.program_id and s.id = e.site_id
        where e.program_id = $1 and e.deleted_at is null order by e.last_name, e.first_name`,
      [program.Id],
    )
  ).rows
const header = 'Hospital,First,Last,Email,Date of birth,Registry,ARRT\n'
const file = `${header}North,Rosa,Lind,rosa@example.org,5/17/1990,R-1,12345678\nt2,Abel,Abt,desk@example.org,,,\nT2,Bea,Bly,desk@example.org,,,\n`

test('the columns of a list of employees are found by name', () => {
  expect(matchColumns(employeeImport.fields, header.trim().split(','))).toEqual({
    Site: 'Hospital',
    FirstName: 'First',
    LastName: 'Last',
    Email: 'Email',
    Dob: 'Date of birth',
    RegistryNumber: 'Registry',
    NumArrt: 'ARRT',
  })
})

test('employees come in by site name or code; a second run changes nothing; undo takes them away', async () => {
  const preview = await send(file, true)
  expect(preview.body).toMatchObject({ Rows: 3, Added: 3, ErrorCount: 0, ImportId: null })
  expect(await kept()).toEqual([])
  const { body } = await send(file)
  expect(body).toMatchObject({ Added: 3, Changed: 0, Unchanged: 0 })
  expect(await kept()).toEqual([
    {
      first_name: 'Abel',
      last_name: 'Abt',
      email: 'desk@example.org',
      dob: null,
      registry_number: '',
      num_arrt: '',
      code: 'T2',
    },
    expect.objectContaining({ first_name: 'Bea', code: 'T2' }),
    expect.objectContaining({ dob: '1990-05-17', registry_number: 'R-1', num_arrt: '12345678', code: 'N1' }),
  ])
  expect((await send(file)).body).toMatchObject({ Added: 0, Changed: 0, Unchanged: 3 })
  const params = { programId: program.Id, importId: (body as contract.ImportResult).ImportId! }
  await coordinator.ok(contract.undoImport, { params })
  expect(await kept()).toEqual([])
})

test('a known registry number changes that employee, and undo gives the old values back', async () => {
  await send(file)
  const { body } = await send(`${header}N1,Rosa,Lindgren,new@example.org,,R-1,\n`)
  expect(body).toMatchObject({ Added: 0, Changed: 1 })
  expect(await kept()).toContainEqual(
    expect.objectContaining({ last_name: 'Lindgren', email: 'new@example.org', num_arrt: '12345678' }),
  )
  const params = { programId: program.Id, importId: (body as contract.ImportResult).ImportId! }
  await coordinator.ok(contract.undoImport, { params })
  expect(await kept()).toContainEqual(
    expect.objectContaining({ last_name: 'Lind', email: 'rosa@example.org' }),
  )
})

test('every cell that does not fit is told by row and column, and nothing is imported', async () => {
  const { status, body } = await send(
    `${header}Nowhere,A,B,a@example.org,,,\nTwin,A,B,b@example.org,,,\nN1,,B,nobody,13/45/2020,,123456789\nN1,C,D,c@example.org,,R-9,\nN1,E,F,e@example.org,,R-9,\n`,
  )
  expect(status).toBe(422)
  expect((body as any).Errors).toEqual([
    { Row: 2, Column: 'Hospital', Message: '“Nowhere” is not a site of this program.' },
    {
      Row: 3,
      Column: 'Hospital',
      Message: 'Site names several sites of this program; write the code: Twin.',
    },
    { Row: 4, Column: 'First', Message: 'First name is required and empty.' },
    { Row: 4, Column: 'Email', Message: 'Email is not an email address: nobody.' },
    {
      Row: 4,
      Column: 'Date of birth',
      Message: 'Date of birth is not a date such as 11/19/2026: 13/45/2020.',
    },
    { Row: 4, Column: 'ARRT', Message: 'ARRT number has 9 characters; at most 8 fit.' },
    { Row: 6, Column: 'Registry', Message: 'Duplicate registry number (also in row 5).' },
  ])
  expect(await kept()).toEqual([])
})

test('an import of sites is not undone while employees work there; faculty imports no employees', async () => {
  const { rows } = await installation.owner.query(
    `insert into import_run (program_id, kind, row_count, added, changed, unchanged) values ($1, 'sites', 1, 1, 0, 0) returning id`,
    [program.Id],
  )
  await installation.owner.query('update site set import_id = $1 where program_id = $2 and id = $3', [
    rows[0].id,
    program.Id,
    north.Id,
  ])
  await send(file)
  const undone = await coordinator.call(contract.undoImport, {
    params: { programId: program.Id, importId: rows[0].id },
  })
  expect(undone.status).toBe(409)
  expect((undone.body as any).Message).toMatch(/North has employees/)
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await send(file, false, faculty)).status).toBe(403)
})
