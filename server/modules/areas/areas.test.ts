import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/areas/areas.ts'
import { Level } from '#contract/core/levels.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})

const params = () => ({ programId: program.Id })
const input = (Name: string, more: Partial<contract.AreaInput> = {}) => ({
  Name,
  IsActive: true,
  AreNotificationsEnabled: false,
  ...more,
})
const add = (Name: string) => coordinator.ok(contract.createArea, { params: params(), body: input(Name) })
const list = (all = true) => coordinator.ok(contract.listAreas, { params: params(), query: { all } })

test('D3-265 D3-155 a coordinator adds an area and reads it back', async () => {
  const area = await add('Imaging')
  expect(area).toEqual({
    Id: expect.any(Number),
    Name: 'Imaging',
    IsActive: true,
    AreNotificationsEnabled: false,
    UserCount: 0,
  })
  expect(await list()).toEqual([area])
})

test('D3-264 the list leaves out inactive areas unless all=true asks for them', async () => {
  const area = await add('Imaging')
  await coordinator.ok(contract.toggleArea, { params: { ...params(), areaId: area.Id } })
  expect(await list(false)).toEqual([])
  expect((await list()).map(({ Name }) => Name)).toEqual(['Imaging'])
})

test('D3-266 a coordinator renames an area', async () => {
  const area = await add('Imaging')
  const body = input('Imaging North', { AreNotificationsEnabled: true })
  const changed = await coordinator.ok(contract.updateArea, {
    params: { ...params(), areaId: area.Id },
    body,
  })
  expect(changed).toMatchObject({ Id: area.Id, Name: 'Imaging North', AreNotificationsEnabled: true })
})

test('D3-198 the name is trimmed, required, and at most 100 characters', async () => {
  expect((await add('  Imaging  ')).Name).toBe('Imaging')
  for (const Name of ['', '   ', 'x'.repeat(101), 'x'.repeat(10_000), 'two\nlines', 'nul\u0000']) {
    const { status, body } = await coordinator.call(contract.createArea, {
      params: params(),
      body: input(Name),
    })
    expect(status, JSON.stringify(Name.slice(0, 12))).toBe(400)
    expect((body as any).Errors[0].Field).toBe('Name')
  }
  expect((await add('x'.repeat(100))).Name).toHaveLength(100)
})

test('names with emoji and right-to-left letters are kept as they are', async () => {
  for (const Name of ['Urgent 🚑', 'قسم الأشعة', 'Ünïcödé']) expect((await add(Name)).Name).toBe(Name)
})

test('D3-199 D3-041 the status is required', async () => {
  const { status, body } = await coordinator.call(contract.createArea, {
    params: params(),
    body: { Name: 'Imaging', AreNotificationsEnabled: false } as never,
  })
  expect(status).toBe(400)
  expect((body as any).Errors).toEqual([{ Field: 'IsActive', Message: 'Status is required.' }])
})

test('D3-319 a name that exists is refused with 409, in any case of letters', async () => {
  await add('Imaging')
  const { status, body } = await coordinator.call(contract.createArea, {
    params: params(),
    body: input('IMAGING'),
  })
  expect(status).toBe(409)
  expect((body as any).Message).toBe('IMAGING already exists.')
})

test('D3-176 D3-320 an area with people is neither set inactive nor deleted, and says what to do', async () => {
  const area = await add('Imaging')
  await makePerson(installation.owner, Level.Faculty, { program, area_id: area.Id })
  const at = { params: { ...params(), areaId: area.Id } }
  for (const refused of [
    await coordinator.call(contract.toggleArea, at),
    await coordinator.call(contract.deleteArea, at),
    await coordinator.call(contract.updateArea, { ...at, body: input('Imaging', { IsActive: false }) }),
  ]) {
    expect(refused.status).toBe(409)
    expect((refused.body as any).Message).toMatch(
      /1 person is assigned to it. Reset them to another area first/,
    )
  }
  expect(await list()).toMatchObject([{ IsActive: true, UserCount: 1 }])
})

test('D3-268 D3-175 the status toggles; an area with people can always be set active', async () => {
  const { id } = await makeRow(installation.owner, 'area', {
    program_id: program.Id,
    name: 'Old',
    is_active: false,
  })
  await makePerson(installation.owner, Level.Faculty, { program, area_id: id })
  const area = await coordinator.ok(contract.toggleArea, { params: { ...params(), areaId: id } })
  expect(area.IsActive).toBe(true)
})

test('D3-267 a deleted area is gone, and its name is free again', async () => {
  const area = await add('Imaging')
  await coordinator.ok(contract.deleteArea, { params: { ...params(), areaId: area.Id } })
  expect(await list()).toEqual([])
  expect(
    (await coordinator.call(contract.deleteArea, { params: { ...params(), areaId: area.Id } })).status,
  ).toBe(404)
  await add('Imaging')
})

test('an area of another program does not exist', async () => {
  const other = await makeProgram(installation.owner)
  const { id } = await makeRow(installation.owner, 'area', { program_id: other.Id, name: 'Theirs' })
  const at = { params: { ...params(), areaId: id } }
  expect((await coordinator.call(contract.updateArea, { ...at, body: input('Mine') })).status).toBe(404)
  expect((await coordinator.call(contract.deleteArea, at)).status).toBe(404)
})

test('every change of an area is in the audit with the old value', async () => {
  const area = await add('Imaging')
  await coordinator.ok(contract.updateArea, { params: { ...params(), areaId: area.Id }, body: input('CT') })
  const { rows } = await installation.owner.query(
    "select action, detail from audit where program_id = $1 and action like 'POST /programs/:programId/areas%' order by id",
    [program.Id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'POST /programs/:programId/areas',
    'POST /programs/:programId/areas/:areaId',
  ])
  expect(rows[1].detail.Before.Name).toBe('Imaging')
})
