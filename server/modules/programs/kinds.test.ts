import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/programs/program-kinds.ts'
import { listPrograms } from '#contract/programs/programs.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let admin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())

const classIdOf = async (programId: number) =>
  (await installation.owner.query('select program_class_id as id from program where id = $1', [programId]))
    .rows[0].id

test('D3-154 D3-279 D3-280 D3-281 D3-282 classes of programs are added, changed, listed and deleted', async () => {
  const made = await admin.ok(contract.createProgramClass, { body: { Name: 'Evening', Value: 'E' } })
  expect(made).toEqual({ Id: made.Id, Name: 'Evening', Value: 'E', IsDefault: false, DelFlag: false })
  const at = { params: { classId: made.Id } }
  await admin.ok(contract.updateProgramClass, { ...at, body: { Name: 'Evening track', Value: '' } })
  expect(await admin.ok(contract.listProgramClasses)).toContainEqual({
    ...made,
    Name: 'Evening track',
    Value: '',
  })
  const program = await makeProgram(installation.owner, { program_class_id: made.Id })
  await admin.ok(contract.deleteProgramClass, at)
  expect((await admin.ok(contract.listProgramClasses)).map(({ Id }) => Id)).not.toContain(made.Id)
  expect(await classIdOf(program.Id)).toBeNull()
  expect((await admin.call(contract.deleteProgramClass, at)).status).toBe(404)
})

test('D3-209 D3-210 a class needs a name of its own, whatever the case, of at most 100 letters; a deleted one frees it', async () => {
  const made = await admin.ok(contract.createProgramClass, { body: { Name: 'Weekend', Value: '' } })
  const twin = await admin.call(contract.createProgramClass, { body: { Name: 'WEEKEND', Value: '' } })
  expect(twin.status).toBe(409)
  expect(twin.body).toMatchObject({
    Message: 'The name provided conflicts with another active program class',
    Errors: [{ Field: 'Name' }],
  })
  for (const body of [
    { Name: ' ', Value: '' },
    { Name: 'x'.repeat(101), Value: '' },
    { Name: 'Long', Value: 'x'.repeat(256) },
  ])
    expect((await admin.call(contract.createProgramClass, { body })).status).toBe(400)
  await admin.ok(contract.createProgramClass, { body: { Name: 'x'.repeat(100), Value: 'x'.repeat(255) } })
  await admin.ok(contract.deleteProgramClass, { params: { classId: made.Id } })
  await admin.ok(contract.createProgramClass, { body: { Name: 'Weekend', Value: '' } })
})

test('D3-179 D3-180 the default class keeps its name and is never deleted; its value may change', async () => {
  const { rows } = await installation.owner.query(
    "insert into program_class (name, value, is_default) values ('Regular', 'R', true) returning id::integer",
  )
  const at = { params: { classId: rows[0].id } }
  const renamed = await admin.call(contract.updateProgramClass, {
    ...at,
    body: { Name: 'Other', Value: 'R' },
  })
  expect(renamed.status).toBe(422)
  expect((await admin.call(contract.deleteProgramClass, at)).status).toBe(422)
  expect(
    await admin.ok(contract.updateProgramClass, { ...at, body: { Name: 'Regular', Value: 'X' } }),
  ).toMatchObject({ Name: 'Regular', Value: 'X', IsDefault: true })
})

test('D1-195 D1-268 D3-289 D3-290 D3-291 types of programs are added, renamed, listed by name and deleted', async () => {
  const made = await admin.ok(contract.createProgramType, { body: { Name: 'zeta' } })
  await admin.ok(contract.createProgramType, { body: { Name: 'Alpha' } })
  const at = { params: { typeId: made.Id } }
  await admin.ok(contract.updateProgramType, { ...at, body: { Name: 'Beta' } })
  const names = (await admin.ok(contract.listProgramTypes)).map(({ Name }) => Name)
  expect(names.indexOf('Alpha')).toBeLessThan(names.indexOf('Beta'))
  expect((await admin.call(contract.createProgramType, { body: { Name: 'ALPHA' } })).status).toBe(409)
  expect((await admin.call(contract.updateProgramType, { ...at, body: { Name: '' } })).status).toBe(400)
  await admin.ok(contract.deleteProgramType, at)
  expect((await admin.call(contract.updateProgramType, { ...at, body: { Name: 'B' } })).status).toBe(404)
})

test('D3-292 a program gets a type, another, and none; a type that is gone is refused and changes nothing', async () => {
  const program = await makeProgram(installation.owner)
  const typeOf = async () => (await admin.ok(listPrograms)).find(({ Id }) => Id === program.Id)?.ProgramTypeId
  const made = await admin.ok(contract.createProgramType, { body: { Name: 'Two-year degree' } })
  const at = { params: { programId: program.Id } }
  await admin.ok(contract.categorizeProgram, { ...at, query: { id: made.Id } })
  expect(await typeOf()).toBe(made.Id)
  expect((await admin.call(contract.categorizeProgram, { ...at, query: { id: 999_999 } })).status).toBe(422)
  expect(await typeOf()).toBe(made.Id)
  await admin.ok(contract.categorizeProgram, { ...at, query: {} })
  expect(await typeOf()).toBeNull()
  await admin.ok(contract.categorizeProgram, { ...at, query: { id: made.Id } })
  await admin.ok(contract.deleteProgramType, { params: { typeId: made.Id } })
  expect(await typeOf()).toBeNull()
  expect(
    (await admin.call(contract.categorizeProgram, { params: { programId: 999_999 }, query: {} })).status,
  ).toBe(404)
})
