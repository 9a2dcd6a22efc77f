import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { ProgramOptions } from '#contract/programs/program-options.ts'
import * as contract from '#contract/programs/programs.ts'
import { getState, saveState } from '#contract/session/session.ts'
import { makeCollege, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let admin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())

const program = (CollegeId: number, more: Partial<contract.ProgramInput> = {}) => ({
  CollegeId,
  Name: 'Radiography',
  ModalityId: null,
  ProgramClassId: null,
  ProgramTypeId: null,
  LanguageProfileId: null,
  State: 'MA',
  TimeZone: 'America/New_York',
  HasCredit: true,
  RequiresTotp: false,
  HasPayments: false,
  ActiveFrom: null,
  ActiveThrough: null,
  ...more,
})
const college = (Name: string) => admin.ok(contract.createCollege, { body: { Name } })

test('D3-012 D3-151 D3-256 a super admin adds, changes, lists and deletes a college', async () => {
  const made = await college('Harbor College')
  expect(made).toMatchObject({ Name: 'Harbor College', City: '' })
  const at = { params: { collegeId: made.Id } }
  await admin.ok(contract.updateCollege, {
    ...at,
    body: { Name: 'Harbor College', City: 'New Bedford', State: 'MA' },
  })
  expect(await admin.ok(contract.getCollege, at)).toMatchObject({ City: 'New Bedford' })
  expect(await admin.ok(contract.listColleges)).toContainEqual({ Id: made.Id, Name: 'Harbor College' })
  const found = await admin.ok(contract.searchColleges, { query: { search: 'new bedf' } })
  expect(found).toMatchObject({ Total: 1, Items: [{ Id: made.Id, ProgramCount: 0 }] })
  await admin.ok(contract.deleteCollege, at)
  expect((await admin.call(contract.getCollege, at)).status).toBe(404)
  await admin.ok(contract.restoreCollege, at)
  expect((await admin.call(contract.getCollege, at)).status).toBe(200)
})

test('a college needs a name, and its place must lie on the globe', async () => {
  for (const body of [
    { Name: ' ' },
    { Name: 'x'.repeat(256) },
    { Name: 'A', Latitude: 91 },
    { Name: 'A', Longitude: -181 },
  ]) {
    expect((await admin.call(contract.createCollege, { body })).status).toBe(400)
  }
})

test('a college with programs is not deleted, and says how many', async () => {
  const { CollegeId } = await makeProgram(installation.owner)
  const { status, body } = await admin.call(contract.deleteCollege, { params: { collegeId: CollegeId } })
  expect(status).toBe(409)
  expect((body as any).Message).toMatch(/has 1 program\. Delete or move them first/)
})

test('D1-193 D1-194 D1-267 D3-152 D3-257 D3-314 a program is added to a college and listed with its name', async () => {
  const { Id, Name } = await college('Ashford College')
  const made = await admin.ok(contract.createProgram, { body: program(Id) })
  const item = {
    Id: made.Id,
    Name: 'Radiography',
    CollegeId: Id,
    CollegeName: Name,
    ProgramTypeId: null,
    DelFlag: false,
  }
  expect(await admin.ok(contract.listPrograms)).toContainEqual(item)
  expect(await admin.ok(contract.listProgramsOfCollege, { params: { collegeId: Id } })).toEqual([item])
  expect(contract.programLabel(item)).toBe('Ashford College - Radiography')
})

test('A48 D3-257 the programs of a college that is not one’s own are not found, as are those of no college', async () => {
  const { CollegeId } = await makeProgram(installation.owner)
  const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord))
  for (const collegeId of [CollegeId, 999_999])
    expect((await coordinator.call(contract.listProgramsOfCollege, { params: { collegeId } })).status).toBe(
      404,
    )
  expect(
    (await admin.call(contract.listProgramsOfCollege, { params: { collegeId: CollegeId } })).status,
  ).toBe(200)
})

test('the name of a program is its own within the college, and its last day is not before the first', async () => {
  const { Id } = await college('Belmont College')
  await admin.ok(contract.createProgram, { body: program(Id) })
  const again = await admin.call(contract.createProgram, { body: program(Id, { Name: 'radiography' }) })
  expect(again.status).toBe(409)
  expect((again.body as any).Message).toBe('This college already has a program named radiography.')
  const dates = { Name: 'Other', ActiveFrom: '2026-09-01', ActiveThrough: '2026-08-31' }
  expect((await admin.call(contract.createProgram, { body: program(Id, dates) })).status).toBe(400)
  for (const wrong of [{ TimeZone: 'Mars/Olympus' }, { ActiveFrom: '2026-02-31' }, { Name: '' }]) {
    expect(
      (await admin.call(contract.createProgram, { body: program(Id, { Name: 'Other', ...wrong }) })).status,
    ).toBe(400)
  }
})

test('D3-017 D3-018 D3-019 D3-021 D3-186 D3-314 programs are filtered, deleted, listed as Recently Deleted and restored', async () => {
  const { Id } = await college('Franklin College')
  const credit = await admin.ok(contract.createProgram, { body: program(Id, { Name: 'With credit' }) })
  await admin.ok(contract.createProgram, { body: program(Id, { Name: 'Without', HasCredit: false }) })
  const names = async (query: object) =>
    (await admin.ok(contract.searchPrograms, { query: { CollegeIds: [Id], ...query } })).Items.map(
      ({ Name }) => Name,
    )
  expect(await names({ sort: '-Name' })).toEqual(['Without', 'With credit'])
  expect(await names({ HasCredit: 1 })).toEqual(['With credit'])
  expect(await names({ HasCredit: 0 })).toEqual(['Without'])
  expect(await names({ search: 'franklin college - credit w' })).toEqual(['With credit'])
  const at = { params: { programId: credit.Id } }
  await admin.ok(contract.deleteProgram, at)
  expect(await names({ Activity: 0 })).toEqual(['Without'])
  expect(await names({ Activity: 1 })).toEqual(['With credit'])
  await admin.ok(contract.restoreProgram, at)
  expect(await names({ Activity: 1 })).toEqual([])
})

test('Recently Deleted lasts 90 days', async () => {
  const made = await makeProgram(installation.owner)
  await installation.owner.query("update program set deleted_at = now() - interval '91 days' where id = $1", [
    made.Id,
  ])
  const { Items } = await admin.ok(contract.searchPrograms, {
    query: { Activity: 1, CollegeIds: [made.CollegeId] },
  })
  expect(Items).toEqual([])
})

test('people of a deleted program are signed out at once', async () => {
  const made = await makeProgram(installation.owner)
  const person = await installation.as(await makePerson(installation.owner, Level.Coord, { program: made }))
  expect((await person.call(getState)).status).toBe(200)
  await admin.ok(contract.deleteProgram, { params: { programId: made.Id } })
  expect((await person.call(getState)).status).toBe(401)
})

test('D3-020 the filtered programs come as an Excel file', async () => {
  const { Id } = await college('=cmd|calc')
  await admin.ok(contract.createProgram, { body: program(Id, { Name: 'Sonography' }) })
  const response = await fetch(`${installation.url}/new/api/programs/export?CollegeIds=${Id}`, {
    headers: { cookie: `practicum_session=${await cookieOf()}` },
  })
  expect(response.headers.get('content-disposition')).toContain('Programs.xlsx')
  const parts = unzipSync(new Uint8Array(await response.arrayBuffer()))
  const texts = strFromU8(parts['xl/sharedStrings.xml']!)
  expect(texts).toContain('Sonography')
  expect(texts).toContain('=cmd|calc')
  expect(strFromU8(parts['xl/worksheets/sheet1.xml']!)).not.toContain('<f>')
})

const cookieOf = async (): Promise<string> => {
  const { openSession } = await import('#server/core/auth/session.ts')
  const person = await makePerson(installation.owner, Level.SuperAdmin)
  return openSession(installation.services.pool, person.Id, { address: '127.0.0.1', agent: 'test' })
}

test('D3-014 D3-153 D3-258 D3-259 D3-260 D3-261 modalities are added, renamed, deleted and brought back', async () => {
  const made = await admin.ok(contract.createModality, { body: { Id: 0, Name: 'Perfusion', DelFlag: false } })
  expect(made).toEqual({ Id: expect.any(Number), Name: 'Perfusion', DelFlag: false, ProgramCount: 0 })
  const at = { params: { modalityId: made.Id } }
  await admin.ok(contract.updateModality, { ...at, body: { ...made, Name: 'Cardiovascular Perfusion' } })
  expect(await admin.ok(contract.listModalities)).toContainEqual({
    ...made,
    Name: 'Cardiovascular Perfusion',
  })
  await admin.ok(contract.deleteModality, at)
  expect((await admin.ok(contract.listModalities)).map(({ Id }) => Id)).not.toContain(made.Id)
  await admin.ok(contract.updateModality, { ...at, body: { ...made, DelFlag: false } })
  expect((await admin.ok(contract.listModalities)).map(({ Id }) => Id)).toContain(made.Id)
})

test('a modality in use is not deleted, and two never bear one name', async () => {
  const made = await admin.ok(contract.createModality, { body: { Id: 0, Name: 'Dosimetry', DelFlag: false } })
  await makeProgram(installation.owner, { modality_id: made.Id })
  expect((await admin.call(contract.deleteModality, { params: { modalityId: made.Id } })).status).toBe(409)
  const twin = await admin.call(contract.createModality, {
    body: { Id: 0, Name: 'DOSIMETRY', DelFlag: false },
  })
  expect(twin.status).toBe(409)
})

test('D3-002 D3-003 a coordinator changes the options of their program, and only values that make sense', async () => {
  const made = await makeProgram(installation.owner)
  const coordinator = await installation.as(
    await makePerson(installation.owner, Level.Coord, { program: made }),
  )
  const at = { params: { programId: made.Id } }
  expect(await coordinator.ok(contract.getProgramOptions, at)).toEqual(ProgramOptions.parse({}))
  const options = { ...ProgramOptions.parse({}), VisualizeFirst: true, MostHoursPerWeek: 32 }
  await coordinator.ok(contract.saveProgramOptions, { ...at, body: options })
  expect(await coordinator.ok(contract.getProgramOptions, at)).toEqual(options)
  const wrong = { ...options, MostHoursPerWeek: 169 }
  expect((await coordinator.call(contract.saveProgramOptions, { ...at, body: wrong })).status).toBe(400)
})

test('D1-219 D1-264 a super admin chooses a program of another college, and the state follows', async () => {
  const made = await makeProgram(installation.owner)
  const answer = await admin.ok(saveState, { body: { ProgramId: made.Id } })
  expect(JSON.parse(answer.ProgramOptionsData)).toMatchObject({ VisualizeFirst: false })
  expect(await admin.ok(getState)).toMatchObject({ ProgramId: made.Id, CollegeId: made.CollegeId })
  const other = await makeCollege(installation.owner)
  await admin.ok(saveState, { body: { CollegeId: other.Id } })
  expect(await admin.ok(getState)).toMatchObject({ ProgramId: null, CollegeId: other.Id })
})

test('D1-174 D3-024 other people work in their own program: another one does not exist', async () => {
  const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord))
  const foreign = await makeProgram(installation.owner)
  expect((await coordinator.call(saveState, { body: { ProgramId: foreign.Id } })).status).toBe(404)
  expect(await coordinator.ok(contract.listPrograms)).toHaveLength(1)
  expect(await coordinator.ok(contract.listColleges)).toHaveLength(1)
})
