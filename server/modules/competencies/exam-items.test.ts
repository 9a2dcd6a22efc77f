import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/competencies/exam-items.ts'
import { fingerprint } from '#contract/core/basis.ts'
import { Level } from '#contract/core/levels.ts'
import { type Design, designOf } from '#server/test/competency-design.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let design: Design
let procedureId: number
let others: number[]
let score: contract.CompetencyScore

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  design = designOf(coordinator, program.Id)
  const { Id: listId } = await design.list('ARRT')
  await design.section(listId, 'Chest', ['Routine', 'Ribs', 'Sternum'])
  const ids = (await design.procedures(listId)).map(({ Id }) => Id)
  procedureId = ids[0]!
  others = ids.slice(1)
  score = await design.score()
})

const inProgram = () => ({ params: { programId: program.Id } })
const of = () => ({ params: { programId: program.Id, procedureId } })
const basedOn = (row: unknown) => ({ headers: { 'if-match': fingerprint(row) } })
const create = (body: object) =>
  coordinator.call(contract.createExamItems, {
    ...of(),
    body: { Lines: 'Positions', ScoreId: score.Id, DefaultValueId: null, IsCritical: false, ...body },
  })
const texts = async (id = procedureId) => (await design.itemsOf(id)).map(({ Text }) => Text)
const scores = (deleted = false) =>
  coordinator.ok(contract.listCompetencyScores, { ...inProgram(), query: { deleted } })
const saveScore = (body: object, basis = score) =>
  coordinator.call(
    contract.updateCompetencyScore,
    {
      params: { programId: program.Id, scoreId: score.Id },
      body: { Name: score.Name, IsActive: true, Values: score.Values, ...body },
    },
    basedOn(basis),
  )

test('items begin with a default score; a critical one never does', async () => {
  const passes = score.Values[1]!.Id
  expect((await create({ Lines: 'Positions\nCollimates', DefaultValueId: passes })).body.Ids).toHaveLength(2)
  expect((await create({ Lines: 'Identity', IsCritical: true })).status).toBe(200)
  expect(await design.itemsOf(procedureId)).toMatchObject([
    { Text: 'Positions', DefaultValueId: passes, IsCritical: false },
    { Text: 'Collimates', DefaultValueId: passes, IsCritical: false },
    { Text: 'Identity', DefaultValueId: null, IsCritical: true },
  ])
  expect((await create({ Lines: 'X', IsCritical: true, DefaultValueId: passes })).status).toBe(422)
  expect((await create({ Lines: 'X', DefaultValueId: 999_999 })).status).toBe(422)
  expect((await create({ Lines: 'X', ScoreId: 999_999 })).status).toBe(422)
  expect((await create({ Lines: 'positions' })).status).toBe(422)
  const nowhere = { params: { programId: program.Id, procedureId: 999_999 } }
  expect((await coordinator.call(contract.listExamItems, nowhere)).status).toBe(404)
})

test('an item is changed from what was read; critical with a default is refused', async () => {
  await create({ DefaultValueId: score.Values[1]!.Id })
  const [item] = await design.itemsOf(procedureId)
  const { Id: itemId, ...body } = item!
  const save = (part: object) =>
    coordinator.call(
      contract.updateExamItem,
      { params: { ...of().params, itemId }, body: { ...body, ...part } },
      basedOn(item),
    )
  expect((await save({ IsCritical: true })).status).toBe(422)
  expect((await save({ Text: '' })).status).toBe(400)
  expect((await save({ Text: 'Aligns', IsCritical: true, DefaultValueId: null })).body).toEqual({
    ...item,
    Text: 'Aligns',
    IsCritical: true,
    DefaultValueId: null,
  })
  expect((await save({ Text: 'Later' })).status).toBe(409)
})

test('items are put in order, deleted and brought back', async () => {
  await create({ Lines: 'A\nB\nC' })
  const [a, b, c] = (await design.itemsOf(procedureId)).map(({ Id }) => Id)
  await design.order('exam-item', [c!, a!, b!])
  expect(await texts()).toEqual(['C', 'A', 'B'])
  await design.remove('exam-item', [a!])
  expect(await texts()).toEqual(['C', 'B'])
  expect((await design.restore('exam-item', [a!])).body).toEqual({ Changed: 1 })
  expect(await texts()).toEqual(['C', 'A', 'B'])
})

test('the items of one procedure are given to others; what they have by the same text stays', async () => {
  await create({ Lines: 'Positions\nCollimates', DefaultValueId: score.Values[1]!.Id })
  await design.items(others[0]!, score, 'Judges\ncollimates')
  const copy = (ProcedureIds: number[]) =>
    coordinator.call(contract.copyExamItems, { ...of(), body: { ProcedureIds } })
  expect((await copy([...others, procedureId])).body).toMatchObject({ Ids: { length: 3 }, Procedures: 2 })
  expect([await texts(), await texts(others[0]), await texts(others[1])]).toEqual([
    ['Positions', 'Collimates'],
    ['Judges', 'collimates', 'Positions'],
    ['Positions', 'Collimates'],
  ])
  expect((await design.itemsOf(others[1]!))[0]).toMatchObject({ DefaultValueId: score.Values[1]!.Id })
  expect((await copy(others)).body).toEqual({ Ids: [], Procedures: 0 })
  expect((await copy([999_999])).status).toBe(422)
})

test('a score needs two values with labels of their own, one of which passes', async () => {
  const [fails, passes] = score.Values
  expect((await saveScore({ Values: [fails] })).status).toBe(400)
  expect((await saveScore({ Values: [fails, { ...passes, Label: 'FAILS' }] })).status).toBe(422)
  expect((await saveScore({ Values: [fails, { ...passes, IsPassing: false }] })).status).toBe(422)
  expect((await saveScore({ Values: [fails, { ...passes, Id: 999_999 }] })).status).toBe(422)
  await design.score('Other')
  expect((await saveScore({ Name: 'OTHER' })).status).toBe(409)
  expect(await scores()).toMatchObject([{ Values: score.Values }, {}])
})

test('a value that goes is no default any longer, and the others keep theirs', async () => {
  const [fails, passes] = score.Values
  await create({ Lines: 'A', DefaultValueId: fails!.Id })
  await create({ Lines: 'B', DefaultValueId: passes!.Id })
  const good = { Label: 'Good', Value: 3, IsPassing: true }
  const saved = await saveScore({ Values: [passes, good] })
  expect(saved.body.Values).toMatchObject([{ Id: passes!.Id, Label: 'Passes' }, good])
  expect((await design.itemsOf(procedureId)).map(({ DefaultValueId }) => DefaultValueId)).toEqual([
    null,
    passes!.Id,
  ])
  expect((await saveScore({ Name: 'Late' })).status).toBe(409)
})

test('a score that items use is deactivated: they keep it, and no others get it; an unused one is deleted', async () => {
  await create({})
  const unused = await design.score('Unused')
  expect((await design.remove('score', [score.Id, unused.Id])).body).toEqual({ Changed: 1, Deactivated: 1 })
  expect((await scores()).map(({ Name, IsActive }) => [Name, IsActive])).toEqual([['Exam', false]])
  expect((await scores(true)).map(({ Name }) => Name)).toEqual(['Unused'])
  const [item] = await design.itemsOf(procedureId)
  const { Id: itemId, ...body } = item!
  expect(
    (
      await coordinator.call(contract.updateExamItem, {
        params: { ...of().params, itemId },
        body: { ...body, Text: 'Aligns' },
      })
    ).status,
  ).toBe(200)
  expect((await create({ Lines: 'New' })).status).toBe(422)
  expect((await design.restore('score', [score.Id, unused.Id])).body).toEqual({ Changed: 2 })
  expect((await scores()).map(({ IsActive }) => IsActive)).toEqual([true, true])
})
