import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { competencyImport } from '#contract/competencies/competencies-import.ts'
import * as lists from '#contract/competencies/competency-lists.ts'
import { summaryOfList } from '#contract/competencies/competency-rules.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/imports/imports.ts'
import { matchColumns } from '#contract/imports/imports-rules.ts'
import { type Design, designOf } from '#server/test/competency-design.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

const radiography = readFileSync(new URL('../../demo/radiography-competencies.csv', import.meta.url), 'utf8')
const head = 'Section,Procedure,Mandatory,LoggedBeforeExam,Simulation\n'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let design: Design

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  design = designOf(coordinator, program.Id)
})

const send = (content: string, query: { DryRun?: boolean } = {}, caller = coordinator) =>
  caller.call(
    contract.importIntoProgram,
    { params: { programId: program.Id }, query: { Kind: 'competencies', ...query } },
    { files: [{ field: 'file', name: 'competencies.csv', content }] },
  )
const all = () => coordinator.ok(lists.listCompetencyLists, { params: { programId: program.Id }, query: {} })
const undo = async () => {
  const { Items } = await coordinator.ok(contract.listImports, {
    params: { programId: program.Id },
    query: {},
  })
  return coordinator.call(contract.undoImport, { params: { programId: program.Id, importId: Items[0]!.Id } })
}

test('the columns of the registry’s list are found by themselves', () => {
  const columns = head.trim().split(',')
  expect(matchColumns(competencyImport.fields, columns)).toEqual(
    Object.fromEntries(columns.map((column) => [column, column])),
  )
})

test('the 80 rows of radiography come in as they are: 10 patient care, 36 mandatory, 34 electives', async () => {
  const done = await send(radiography)
  expect(done.body).toMatchObject({ Added: 80, Changed: 0, Unchanged: 0, Errors: [] })
  const [list] = await all()
  expect(summaryOfList(list!)).toMatchObject({ PatientCare: 10, Mandatory: 36, ElectivesListed: 34 })
  expect(list!.Sections.map(({ Name }) => Name)).toEqual([
    ...new Set(
      radiography
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0]!.replace(/\r/, '')),
    ),
  ])
  const procedures = await design.procedures(list!.Id)
  expect(procedures.find(({ Name }) => Name === 'Humerus')).toMatchObject({
    IsMandatory: true,
    LogsNeeded: 5,
    MayBeSimulated: true,
  })
  expect(procedures.filter(({ IsAlwaysDirect }) => IsAlwaysDirect).map(({ Name }) => Name)).toEqual([
    'C-Arm Procedure (More Than One Projection)',
    'Surgical C-Arm Procedure (Around a Sterile Field)',
    'Mobile Chest',
    'Mobile Abdomen',
    'Mobile Upper or Lower Extremity',
    'Pediatric Mobile Study',
  ])
  // The same file again changes nothing, and what goes out is what came in.
  expect((await send(radiography)).body).toMatchObject({ Added: 0, Changed: 0, Unchanged: 80 })
  const file = await coordinator.send(
    'GET',
    `/programs/${program.Id}/competency-lists/${list!.Id}/export?Format=csv`,
  )
  const plain = (text: string) => text.replace('\uFEFF', '').replaceAll('\r', '').replaceAll('"', '').trim()
  expect(plain(String(file.body))).toBe(plain(radiography))
})

test('an undone import leaves nothing behind, not even the list that it made', async () => {
  await send(radiography)
  expect((await undo()).status).toBe(204)
  expect(await all()).toEqual([])
})

test('an import is not undone while its procedures have exam items', async () => {
  await send(`${head}Chest,Routine,Y,5,N\n`)
  const [list] = await all()
  const [routine] = await design.procedures(list!.Id)
  await design.items(routine!.Id, await design.score(), 'Positions')
  expect((await undo()).status).toBe(409)
})

test('rows go to the newest list, or to the one that they name; known ones are changed and put back by undo', async () => {
  const old = await design.list('Old')
  await design.section(old.Id, 'Chest', ['Routine'])
  const { Id: next } = await coordinator.ok(lists.createCompetencyList, {
    params: { programId: program.Id },
    body: { Name: 'Next', Registry: '', EffectiveOn: '2028-01-01' },
  })
  await send(`${head}Chest,Ribs,N,2,Y\n`)
  expect([(await design.procedures(old.Id)).length, (await design.procedures(next)).length]).toEqual([1, 1])
  const changed = await send(`List,${head}old,CHEST,routine,N,,Y\n`)
  expect(changed.body).toMatchObject({ Added: 0, Changed: 1 })
  expect(await design.procedures(old.Id)).toMatchObject([
    { Name: 'Routine', IsMandatory: false, LogsNeeded: 0, MayBeSimulated: true },
  ])
  await undo()
  expect(await design.procedures(old.Id)).toMatchObject([
    { Name: 'Routine', IsMandatory: true, MayBeSimulated: false },
  ])
})

test('a name with other blanks or case is the one that is known, which stays as it was', async () => {
  const { Id } = await design.list('Radiography')
  await design.section(Id, 'Chest and Thorax', ['Chest Routine'])
  const { body } = await send(`${head}Chest  and Thorax,CHEST\u00A0 Routine,N,2,N\n`)
  expect(body).toMatchObject({ Added: 0, Changed: 1, Errors: [] })
  const [list] = await all()
  expect(list!.Sections.map(({ Name }) => Name)).toEqual(['Chest and Thorax'])
  expect((await design.procedures(Id)).map(({ Name }) => Name)).toEqual(['Chest Routine'])
  const twice = await send(`${head}Skull,Sinuses Open,N,2,N\nSkull ,Sinuses  Open,N,2,N\n`)
  expect(twice.body.Errors.map(({ Row, Column }) => [Row, Column])).toEqual([[3, 'Procedure']])
})

test('what does not fit is told by row and column, and nothing is imported', async () => {
  const done = await send(
    `List,${head}Nowhere,Chest,Routine,Y,5,N\n,Chest,Ribs,maybe,5,N\n,Chest,Sternum,Y,many,N\n,,Orphan,Y,1,N\n,Head,Skull,Y,1,N\n,head,SKULL,N,1,N\n`,
  )
  expect(done.body.Errors.map(({ Row, Column }) => [Row, Column])).toEqual([
    [2, 'List'],
    [3, 'Mandatory'],
    [4, 'LoggedBeforeExam'],
    [5, 'Section'],
    [7, 'Procedure'],
  ])
  expect(await all()).toEqual([])
})

test('whoever does not design lists imports none', async () => {
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await send(radiography, {}, faculty)).status).toBe(403)
})
