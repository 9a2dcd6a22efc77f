import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readNameLines } from '#contract/competencies/competency-rules.ts'
import * as contract from '#contract/competencies/procedures.ts'
import { fingerprint } from '#contract/core/basis.ts'
import { Level } from '#contract/core/levels.ts'
import { blank, type Design, designOf } from '#server/test/competency-design.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let design: Design
let listId: number

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  design = designOf(coordinator, program.Id)
  listId = (await design.list('ARRT')).Id
})

const at = () => ({ params: { programId: program.Id, listId } })
const sections = (deleted = false) =>
  coordinator.ok(contract.listMajorStudies, { ...at(), query: { deleted } })
const names = (rows: readonly { Name: string }[]) => rows.map(({ Name }) => Name)
const procedureNames = async (deleted = false) => names(await design.procedures(listId, deleted))
const basedOn = (row: unknown) => ({ headers: { 'if-match': fingerprint(row) } })
const levelNames = async (deleted = false) => names(await design.levelsOf(listId, deleted))

test('lines become major studies; what is there already is told, and nothing at all is refused', async () => {
  const made = await coordinator.ok(contract.createMajorStudies, {
    ...at(),
    body: { Lines: '• Chest\n2. Head\n\nchest\n' },
  })
  expect(made).toMatchObject({
    Ids: [expect.any(Number), expect.any(Number)],
    Refused: [{ Line: 4, Reason: 'twice' }],
  })
  expect(names(await sections())).toEqual(['Chest', 'Head'])
  const again = await coordinator.call(contract.createMajorStudies, { ...at(), body: { Lines: 'HEAD' } })
  expect([again.status, again.body]).toMatchObject([422, { Errors: [{ Field: 'Name' }] }])
  expect(
    (await coordinator.call(contract.createMajorStudies, { ...at(), body: { Lines: ' \n' } })).status,
  ).toBe(422)
})

test('a major study is renamed, and refused a name that another one of the list has', async () => {
  await design.section(listId, 'Chest')
  const head = await design.section(listId, 'Head')
  const [, before] = await sections()
  const save = (Name: string) =>
    coordinator.call(
      contract.updateMajorStudy,
      {
        params: { ...at().params, majorStudyId: head },
        body: { Name, IsPatientCare: true, ElectivesNeeded: 2 },
      },
      basedOn(before),
    )
  expect((await save('CHEST')).status).toBe(409)
  expect((await save('Skull')).body).toMatchObject({ Name: 'Skull', IsPatientCare: true, ElectivesNeeded: 2 })
  expect((await save('Later')).status).toBe(409)
  // The next version may have the same names.
  const next = await design.list('Next')
  await design.section(next.Id, 'Chest')
})

test('deleting a major study takes its procedures along, and brings back only those', async () => {
  const chest = await design.section(listId, 'Chest', ['Routine', 'Ribs', 'Sternum'])
  await design.levels(listId, 'Observed')
  const [routine] = await design.procedures(listId)
  await design.remove('procedure', [routine!.Id])
  expect((await design.remove('major-study', [chest])).body).toEqual({ Changed: 1, Deactivated: 0 })
  expect([names(await sections(true)), await procedureNames(), await levelNames()]).toEqual([
    ['Chest'],
    [],
    [],
  ])
  expect((await design.restore('procedure', [routine!.Id])).status).toBe(409)
  expect((await design.restore('major-study', [chest])).body).toEqual({ Changed: 1 })
  expect([await procedureNames(), await procedureNames(true), await levelNames()]).toEqual([
    ['Ribs', 'Sternum'],
    ['Routine'],
    ['Observed'],
  ])
  await design.restore('procedure', [routine!.Id])
  expect(await procedureNames()).toEqual(['Routine', 'Ribs', 'Sternum'])
})

test('a procedure is not brought back beside another one of its name', async () => {
  const chest = await design.section(listId, 'Chest', ['Routine'])
  const [routine] = await design.procedures(listId)
  await design.remove('procedure', [routine!.Id])
  await coordinator.ok(contract.createProcedures, { ...at(), body: { ...blank(chest), Lines: 'ROUTINE' } })
  expect((await design.restore('procedure', [routine!.Id])).status).toBe(409)
})

test('all rules of a procedure are kept; a stale save, a taken name and bad figures are refused', async () => {
  await design.section(listId, 'Chest', ['Routine', 'Ribs'])
  await design.levels(listId, 'Observed\nPerformed')
  const [routine] = await design.procedures(listId)
  const performed = (await design.levelsOf(listId))[1]!.In[0]!.Id
  const rules = {
    IsMandatory: false,
    LogsNeeded: 5,
    MayBeSimulated: true,
    NeedsLabCheck: true,
    IsAlwaysDirect: true,
    CommentBelow: 2,
    PassingPercent: 80,
    CountedLevelIds: [performed],
  }
  const { 'if-match': basis } = basedOn(routine).headers
  const saved = await design.change(listId, routine!, rules, { 'if-match': basis })
  expect([saved.status, saved.body]).toMatchObject([200, rules])
  expect((await design.procedures(listId))[0]).toEqual(saved.body)
  const stale = await design.change(listId, routine!, { LogsNeeded: 1 }, { 'if-match': basis })
  expect([stale.status, (stale.body as { Code?: string }).Code]).toEqual([409, 'stale'])
  expect((await design.change(listId, routine!, { Name: 'ribs' })).status).toBe(409)
  expect((await design.change(listId, routine!, { CountedLevelIds: [999_999] })).status).toBe(422)
  expect((await design.change(listId, routine!, { MajorStudyId: 999_999 })).status).toBe(404)
  for (const bad of [
    { LogsNeeded: -1 },
    { LogsNeeded: 1.5 },
    { PassingPercent: 101 },
    { Name: ' ' },
    { CountedLevelIds: [] },
  ])
    expect([bad, (await design.change(listId, routine!, bad)).status]).toEqual([bad, 400])
  // Taking the choice back leaves those of the major study.
  expect((await design.change(listId, routine!, { CountedLevelIds: null })).body).toMatchObject({
    CountedLevelIds: null,
  })
})

test('a procedure that moves to another major study is its last, and counts the levels of the same names', async () => {
  await design.section(listId, 'Chest', ['Routine'])
  const head = await design.section(listId, 'Head', ['Skull'])
  await design.levels(listId, 'Observed\nPerformed')
  await design.levels(listId, 'Watched', [head])
  const levels = await design.levelsOf(listId)
  const idIn = (name: string, section: number) =>
    levels.find(({ Name }) => Name === name)!.In.find(({ MajorStudyId }) => MajorStudyId === section)?.Id
  const [routine] = await design.procedures(listId)
  const old = levels.map(
    ({ In }) => In.find(({ MajorStudyId }) => MajorStudyId === routine!.MajorStudyId)?.Id,
  )
  await design.change(listId, routine!, { CountedLevelIds: [old[1]!] })
  const [before] = await design.procedures(listId)
  const moved = await design.change(listId, before!, { MajorStudyId: head })
  expect(moved.body).toMatchObject({ MajorStudyId: head, CountedLevelIds: [idIn('Performed', head)] })
  expect(await procedureNames()).toEqual(['Skull', 'Routine'])
})

test('several procedures get the same rules at once; what is not named stays', async () => {
  await design.section(listId, 'Chest', ['Routine', 'Ribs', 'Sternum'])
  const [routine, ribs] = await design.procedures(listId)
  const change = (Changes: object, Ids = [routine!.Id, ribs!.Id, 999_999]) =>
    coordinator.call(contract.changeProcedures, { ...at(), body: { Ids, Changes } })
  expect((await change({ IsMandatory: false, LogsNeeded: 3 })).body).toEqual({ Changed: 2 })
  expect(
    (await design.procedures(listId)).map(({ IsMandatory, LogsNeeded }) => [IsMandatory, LogsNeeded]),
  ).toEqual([
    [false, 3],
    [false, 3],
    [true, 0],
  ])
  expect((await change({ NeedsLabCheck: true }, [999_999])).body).toEqual({ Changed: 0 })
  expect((await change({})).status).toBe(400)
})

test('parts are put in order; those that are not named follow, and parts of two things are refused', async () => {
  await design.section(listId, 'Chest', ['A', 'B', 'C', 'D'])
  await design.section(listId, 'Head', ['E'])
  const [a, b, c, d, e] = (await design.procedures(listId)).map(({ Id }) => Id)
  expect((await design.order('procedure', [d!, b!])).status).toBe(200)
  expect(await procedureNames()).toEqual(['D', 'B', 'A', 'C', 'E'])
  expect((await design.order('procedure', [a!, e!])).status).toBe(422)
  expect((await design.order('procedure', [999_999])).status).toBe(422)
  const [chest, head] = await sections()
  await design.order('major-study', [head!.Id, chest!.Id])
  expect(await procedureNames()).toEqual(['E', 'D', 'B', 'A', 'C'])
  expect(c).toBeGreaterThan(0)
})

test('participation levels are shown once by name, and changed in all their major studies', async () => {
  const chest = await design.section(listId, 'Chest')
  const head = await design.section(listId, 'Head')
  await design.levels(listId, 'Observed\nAssisted\nPerformed')
  expect(await levelNames()).toEqual(['Observed', 'Assisted', 'Performed'])
  const [observed] = await design.levelsOf(listId)
  const save = (level: contract.ParticipationLevel, body: object, basis = level) =>
    coordinator.call(
      contract.updateParticipationLevel,
      {
        params: { ...at().params, levelId: level.Id },
        body: { Name: level.Name, IsCounted: level.IsCounted, MajorStudyIds: null, ...body },
      },
      basedOn(basis),
    )
  const watched = await save(observed!, { Name: 'Watched', IsCounted: false, MajorStudyIds: [head] })
  expect(watched.body).toMatchObject({ Name: 'Watched', IsCounted: false, In: [{ MajorStudyId: head }] })
  expect((await save(observed!, { Name: 'Late' })).status).toBe(404)
  const [row] = await design.levelsOf(listId)
  expect((await save(row!, { Name: 'PERFORMED' })).status).toBe(409)
  expect((await save(row!, { MajorStudyIds: [999_999] })).status).toBe(422)
  const back = await save(row!, { MajorStudyIds: null })
  expect(back.body.In.map(({ MajorStudyId }) => MajorStudyId)).toEqual([chest, head])
  // A new major study has what all others have.
  const spine = await design.section(listId, 'Spine')
  expect(
    (await design.levelsOf(listId)).map(({ Name, In }) => [
      Name,
      In.some((each) => each.MajorStudyId === spine),
    ]),
  ).toEqual([
    ['Watched', true],
    ['Assisted', true],
    ['Performed', true],
  ])
  const ids = (await design.levelsOf(listId)).map(({ Id }) => Id)
  await design.order('participation-level', [ids[2]!, ids[0]!])
  expect(await levelNames()).toEqual(['Performed', 'Watched', 'Assisted'])
  await design.remove('participation-level', [ids[2]!])
  expect([await levelNames(), await levelNames(true)]).toEqual([
    ['Watched', 'Assisted'],
    expect.arrayContaining(['Performed']),
  ])
  await design.restore('participation-level', [ids[2]!])
  expect((await design.levelsOf(listId))[0]!.In).toHaveLength(3)
})

test('levels need a major study, and lines that are there already are refused', async () => {
  const create = (Lines: string) =>
    coordinator.call(contract.createParticipationLevels, {
      ...at(),
      body: { Lines, IsCounted: true, MajorStudyIds: null },
    })
  expect((await create('Observed')).status).toBe(422)
  await design.section(listId, 'Chest')
  expect((await create('Observed')).status).toBe(200)
  expect((await create('observed')).status).toBe(422)
})

test('pathologies are added to several procedures at once, each once, and renamed', async () => {
  await design.section(listId, 'Chest', ['Routine', 'Ribs'])
  const [routine, ribs] = (await design.procedures(listId)).map(({ Id }) => Id)
  const create = (Lines: string, ProcedureIds: number[]) =>
    coordinator.call(contract.createPathologies, { ...at(), body: { Lines, ProcedureIds } })
  const list = (deleted = false) => coordinator.ok(contract.listPathologies, { ...at(), query: { deleted } })
  await create('Fracture', [ribs!])
  expect((await create('Fracture\nPneumonia', [routine!, ribs!])).body.Ids).toHaveLength(3)
  expect((await create('fracture', [ribs!])).status).toBe(422)
  expect((await create('Fracture', [999_999])).status).toBe(422)
  expect((await list()).map(({ ProcedureId, Name }) => [ProcedureId, Name])).toEqual([
    [routine, 'Fracture'],
    [routine, 'Pneumonia'],
    [ribs, 'Fracture'],
    [ribs, 'Pneumonia'],
  ])
  const [fracture, pneumonia] = await list()
  const rename = (Name: string) =>
    coordinator.call(
      contract.updatePathology,
      { params: { ...at().params, pathologyId: fracture!.Id }, body: { Name } },
      basedOn(fracture),
    )
  expect((await rename('pneumonia')).status).toBe(409)
  expect((await rename('Effusion')).body).toMatchObject({ Name: 'Effusion' })
  expect((await rename('Other')).status).toBe(409)
  await design.order('pathology', [pneumonia!.Id])
  await design.remove('pathology', [fracture!.Id])
  expect([names(await list()).slice(0, 2), names(await list(true))]).toEqual([
    ['Pneumonia', 'Fracture'],
    ['Effusion'],
  ])
  await design.restore('pathology', [fracture!.Id])
  expect(names(await list()).slice(0, 2)).toEqual(['Pneumonia', 'Effusion'])
})

test('whether logs name the pathology is a setting of the program', async () => {
  const inProgram = { params: { programId: program.Id } }
  const before = await coordinator.ok(contract.getPathologySetting, inProgram)
  expect(before).toEqual({ IsAsked: 'optional', AllowsOther: true })
  const save = (body: object) =>
    coordinator.call(contract.savePathologySetting, { ...inProgram, body: body as never }, basedOn(before))
  expect((await save({ IsAsked: 'sometimes', AllowsOther: true })).status).toBe(400)
  expect((await save({ IsAsked: 'required', AllowsOther: false })).status).toBe(200)
  expect((await save({ IsAsked: 'off', AllowsOther: false })).status).toBe(409)
  expect(await coordinator.ok(contract.getPathologySetting, inProgram)).toEqual({
    IsAsked: 'required',
    AllowsOther: false,
  })
})

test('a section takes 3,000 procedures, and one line more is refused', () => {
  const many = Array.from({ length: 3_000 }, (_each, index) => `P${index}`)
  const read = readNameLines([...many, 'One more'].join('\n'), [])
  expect([read.Taken.length, read.Refused]).toEqual([
    3_000,
    [{ Line: 3_001, Text: 'One more', Reason: 'full' }],
  ])
})
