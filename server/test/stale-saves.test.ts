import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import * as areas from '#contract/areas/areas.ts'
import { fingerprint } from '#contract/core/basis.ts'
import { Level } from '#contract/core/levels.ts'
import { allEndpoints } from '#contract/index.ts'
import type { ProgramOptions } from '#contract/programs/program-options.ts'
import * as programs from '#contract/programs/programs.ts'
import { type MadeProgram, makePerson, makeProgram } from './factories.ts'
import { type Caller, type Installation, startInstallation } from './installation.ts'

let installation: Installation
let program: MadeProgram
let dana: Caller
let sam: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  const make = async (FirstName: string) =>
    installation.as(
      await makePerson(installation.owner, Level.Coord, {
        program,
        first_name: FirstName,
        last_name: 'Reyes',
      }),
    )
  dana = await make('Dana')
  sam = await make('Sam')
})

const make = (Name: string) =>
  dana.ok(areas.createArea, {
    params: { programId: program.Id },
    body: { Name, IsActive: true, AreNotificationsEnabled: false },
  })
const save = (caller: Caller, seen: areas.Area, change: Partial<areas.AreaInput>) =>
  caller.call(
    areas.updateArea,
    {
      params: { programId: program.Id, areaId: seen.Id },
      body: { Name: seen.Name, IsActive: seen.IsActive, AreNotificationsEnabled: false, ...change },
    },
    { headers: { 'if-match': fingerprint(seen) } },
  )
const nameOf = async (id: number) =>
  (await dana.ok(areas.listAreas, { params: { programId: program.Id }, query: { all: true } })).find(
    ({ Id }) => Id === id,
  )?.Name

test('A6 a save that started from an older state is refused, says who changed it, and changes nothing', async () => {
  const area = await make('Imaging')
  expect((await save(dana, area, { Name: 'Imaging North' })).status).toBe(200)
  const late = await save(sam, area, { Name: 'Imaging South' })
  expect(late.status).toBe(409)
  expect(late.body).toMatchObject({
    Code: 'stale',
    ChangedBy: 'Dana Reyes',
    ChangedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    Message: 'Dana Reyes changed this after you opened it. Your changes are not saved yet.',
  })
  expect(await nameOf(area.Id)).toBe('Imaging North')
})

test('A6 of ten saves from the same state at once exactly one is kept', async () => {
  const area = await make('Imaging')
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_each, index) =>
      save(index % 2 ? dana : sam, area, { Name: `Imaging ${index}` }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  const kept = answers.find(({ status }) => status === 200)!.body.Name
  expect(await nameOf(area.Id)).toBe(kept)
})

test('A6 people who joined meanwhile do not make a save stale', async () => {
  const area = await make('Imaging')
  await makePerson(installation.owner, Level.Student, { program, area_id: area.Id })
  expect((await save(sam, area, { Name: 'Imaging South' })).status).toBe(200)
})

test('A6 a save of something that was deleted meanwhile answers 404', async () => {
  const area = await make('Imaging')
  await dana.ok(areas.deleteArea, { params: { programId: program.Id, areaId: area.Id } })
  expect((await save(sam, area, { Name: 'Imaging South' })).status).toBe(404)
})

test('A6 the options of a program are compared as a whole', async () => {
  const params = { programId: program.Id }
  const before = await dana.ok(programs.getProgramOptions, { params })
  const change = (caller: Caller, part: Partial<ProgramOptions>) =>
    caller.call(
      programs.saveProgramOptions,
      { params, body: { ...before, ...part } },
      { headers: { 'if-match': fingerprint(before) } },
    )
  expect((await change(dana, { EmployeeRegistryNumberName: 'Badge' })).status).toBe(200)
  expect((await change(sam, { EmployeeRegistryNumberName: 'License' })).status).toBe(409)
})

/** Single-use links have no second writer; time records and logged procedures are compared under the student's own lock. */
const otherwiseGuarded = [
  '/registrations/:token',
  '/programs/:programId/time-records/:recordId',
  '/programs/:programId/procedure-logs/:logId',
]

test('A6 what a basis leaves out is nothing that the change writes, unless the change says what it saw of it', () => {
  const namesIn = (schema: unknown): string[] => {
    if (typeof schema !== 'object' || schema === null) return []
    const own = (schema as { properties?: object }).properties ?? {}
    return [...Object.keys(own), ...Object.values(schema).flatMap(namesIn)]
  }
  const unguarded = allEndpoints.flatMap(({ path, basis, body }) => {
    if (!basis || !body) return []
    const names = new Set(namesIn(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })))
    if (names.has('Seen')) return []
    return [...names]
      .filter((name) => name.endsWith('Count') || basis.ignores?.includes(name))
      .map((name) => `${path} ${name}`)
  })
  // Sent back as it was read, and written nowhere.
  expect(unguarded).toEqual(['/modalities/:modalityId ProgramCount'])
})

test('A6 every change that edits one thing in a form says what it starts from', () => {
  const reads = new Set(allEndpoints.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const silent = allEndpoints
    .filter(({ method, path, basis }) => method === 'POST' && !basis && reads.has(path))
    .map(({ path }) => path)
    .filter((path) => /:\w+$/.test(path) && !otherwiseGuarded.includes(path))
  expect(silent).toEqual([])
})
