import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as items from '#contract/evaluations/evaluation-items.ts'
import * as contract from '#contract/evaluations/evaluations.ts'
import * as scores from '#contract/evaluations/score-types.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeStudent,
  makeSupervisor,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let supervisor: MadePerson
let student: MadePerson
let template: contract.TemplateDetail

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC' })
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  supervisor = await makeSupervisor(owner, program, [])
  student = await makeStudent(owner, program)
  template = await coordinator.ok(contract.createEvaluationTemplate, {
    params: { programId: program.Id },
    body: {
      Title: 'Student performance',
      EvaluatorRole: 'supervisor',
      SubjectRole: 'student',
      ScoreTypes: [
        { Title: 'Scale', Values: [1, 2, 3].map((Value) => ({ Label: `Score ${Value}`, Value })) },
        { Title: 'Yes or no', Values: ['No', 'Yes'].map((Label, Value) => ({ Label, Value })) },
      ],
      Groups: [{ Name: 'Core', IsMandatory: true }],
      Categories: [{ Name: 'Competence' }, { Name: 'Remarks' }],
      Items: [
        { Category: 0, Text: 'Verifies the patient', ScoreType: 0, Group: 0 },
        { Category: 0, Text: 'Protects the patient', ScoreType: 0, IsMandatory: true },
      ],
      FibItems: [{ Category: 1, Text: 'What should be kept?', InputType: 'long' }],
    },
  })
})

const at = () => ({ params: { programId: program.Id, templateId: template.Id } })
const item = (itemId: number) => ({ params: { ...at().params, itemId } })
const read = () => coordinator.ok(contract.getEvaluationTemplate, at())
const texts = async () => (await read()).Items.map(({ Text }) => Text)
const scored = (more: object = {}) => ({
  CategoryId: template.Categories[0]!.Id,
  ScoreTypeId: template.ScoreTypes[0]!.Id,
  Text: 'Positions the patient',
  ...more,
})
const fillIn = (more: object = {}) => ({
  CategoryId: template.Categories[1]!.Id,
  InputType: 'short' as const,
  Text: 'Room',
  ...more,
})
const addItem = (more: object = {}) => coordinator.ok(items.createItem, { ...at(), body: scored(more) })

test('D3-315 D3-094 D3-095 an item is added at the end of its category and changed in place', async () => {
  const added = await addItem({ GroupId: template.Groups[0]!.Id, IsMandatory: true })
  expect(added).toMatchObject({ Kind: 'scored', GroupId: template.Groups[0]!.Id, IsMandatory: true })
  expect(await texts()).toEqual([
    'Verifies the patient',
    'Protects the patient',
    'Positions the patient',
    'What should be kept?',
  ])
  const changed = await coordinator.ok(items.updateItem, {
    ...item(added.Id),
    body: scored({
      Text: 'Explains the exam',
      CategoryId: template.Categories[1]!.Id,
      GroupId: null,
      IsMandatory: false,
    }),
  })
  expect(changed).toEqual({
    ...added,
    Text: 'Explains the exam',
    CategoryId: template.Categories[1]!.Id,
    GroupId: null,
    IsMandatory: false,
  })
})

test('D3-090 D3-096 a fill-in item has an input type, its choices and an optional score', async () => {
  const types = contract.inputTypes
  expect(types).toEqual(['short', 'long', 'number', 'date', 'yesno', 'choice'])
  for (const InputType of types) {
    const made = await coordinator.ok(items.createFibItem, {
      ...at(),
      body: fillIn({
        InputType,
        Text: `Asked as ${InputType}`,
        Choices: ['Left', 'Right'],
        ScoreTypeId: template.ScoreTypes[1]!.Id,
      }),
    })
    expect(made).toMatchObject({
      Kind: 'fib',
      InputType,
      Choices: InputType === 'choice' ? ['Left', 'Right'] : [],
      ScoreTypeId: template.ScoreTypes[1]!.Id,
    })
  }
  const few = await coordinator.call(items.createFibItem, {
    ...at(),
    body: fillIn({ InputType: 'choice', Choices: ['One', 'One'] }),
  })
  expect(few.status).toBe(400)
  expect((few.body as any).Errors[0].Field).toBe('Choices')
})

test('an item that refers to what is not on the form is refused by the field', async () => {
  const other = await coordinator.ok(contract.copyEvaluationTemplate, at())
  const wrong: [object, string][] = [
    [{ CategoryId: other.Categories[0]!.Id }, 'CategoryId'],
    [{ ScoreTypeId: other.ScoreTypes[0]!.Id }, 'ScoreTypeId'],
    [{ GroupId: other.Groups[0]!.Id }, 'GroupId'],
  ]
  for (const [more, field] of wrong) {
    const { status, body } = await coordinator.call(items.createItem, { ...at(), body: scored(more) })
    expect(status, field).toBe(422)
    expect((body as any).Errors[0].Field).toBe(field)
  }
  expect((await coordinator.call(items.createItem, { ...at(), body: scored({ Text: ' ' }) })).status).toBe(
    400,
  )
  expect(await texts()).toHaveLength(3)
})

test('D3-096 Bulk Insert takes a line each, without bullets, and names the lines it refuses', async () => {
  const Lines = `• Selects exposure factors\n\n2. Judges the images\nverifies the PATIENT\nJudges the images\n${'x'.repeat(2_001)}`
  const { Items, Refused } = await coordinator.ok(items.insertItems, {
    ...at(),
    body: { CategoryId: template.Categories[0]!.Id, ScoreTypeId: template.ScoreTypes[1]!.Id, Lines },
  })
  expect(Items.map(({ Text, ScoreTypeId }) => [Text, ScoreTypeId])).toEqual([
    ['Selects exposure factors', template.ScoreTypes[1]!.Id],
    ['Judges the images', template.ScoreTypes[1]!.Id],
  ])
  expect(Refused.map(({ Line, Reason }) => [Line, Reason])).toEqual([
    [4, 'exists'],
    [5, 'twice'],
    [6, 'too_long'],
  ])
  expect((await texts()).slice(2, 4)).toEqual(['Selects exposure factors', 'Judges the images'])
  const fib = await coordinator.ok(items.insertFibItems, {
    ...at(),
    body: { CategoryId: template.Categories[1]!.Id, InputType: 'yesno', Lines: 'Was there time to teach?' },
  })
  expect(fib.Items).toMatchObject([{ Kind: 'fib', InputType: 'yesno' }])
})

test('D3-096 Bulk Score Change and Bulk Input Change act on the items named, each on its kind', async () => {
  const [first, second, fib] = template.Items.map(({ Id }) => Id)
  const to = template.ScoreTypes[1]!.Id
  const { Changed } = await coordinator.ok(items.changeItemScores, {
    ...at(),
    body: { Ids: [first!, fib!, 999_999], ScoreTypeId: to },
  })
  expect(Changed).toBe(1)
  await coordinator.ok(items.changeItemInputs, {
    ...at(),
    body: { Ids: [fib!, second!], InputType: 'choice', Choices: ['Yes', 'Perhaps'] },
  })
  const after = await read()
  expect(after.Items.map(({ ScoreTypeId, InputType }) => [ScoreTypeId, InputType])).toEqual([
    [to, null],
    [template.ScoreTypes[0]!.Id, null],
    [null, 'choice'],
  ])
})

test('items that are removed leave the form and come back where they were', async () => {
  const [first] = template.Items
  const body = { Ids: [first!.Id] }
  expect(await coordinator.ok(items.removeItems, { ...at(), body })).toEqual({ Changed: 1 })
  expect(await texts()).toEqual(['Protects the patient', 'What should be kept?'])
  expect((await coordinator.call(items.updateItem, { ...item(first!.Id), body: scored() })).status).toBe(404)
  await coordinator.ok(items.restoreItems, { ...at(), body })
  expect(await texts()).toEqual(['Verifies the patient', 'Protects the patient', 'What should be kept?'])
})

test('D3-315 the whole order is kept at once, and an order of other items is refused', async () => {
  const [one, two, fib] = template.Items.map(({ Id }) => Id) as [number, number, number]
  const [competence, remarks] = template.Categories.map(({ Id }) => Id) as [number, number]
  const order = (Categories: items.FormOrder) =>
    coordinator.call(items.orderItems, { ...at(), body: { Categories } })
  const moved = await order([
    { CategoryId: remarks, ItemIds: [two, fib] },
    { CategoryId: competence, ItemIds: [one] },
  ])
  expect(moved.status).toBe(204)
  const after = await read()
  expect(after.Categories.map(({ Id }) => Id)).toEqual([remarks, competence])
  expect(after.Items.map(({ Id, CategoryId }) => [Id, CategoryId])).toEqual([
    [two, remarks],
    [fib, remarks],
    [one, competence],
  ])
  for (const wrong of [
    [{ CategoryId: remarks, ItemIds: [two, fib, one] }],
    [
      { CategoryId: remarks, ItemIds: [two, fib] },
      { CategoryId: competence, ItemIds: [] },
    ],
    [
      { CategoryId: remarks, ItemIds: [two, fib, fib] },
      { CategoryId: competence, ItemIds: [one] },
    ],
  ]) {
    expect((await order(wrong)).status).toBe(409)
  }
  expect(await read()).toEqual(after)
})

test('categories are added, renamed and removed with their items, and come back with them', async () => {
  const added = await coordinator.ok(items.createCategory, { ...at(), body: { Name: 'Conduct' } })
  const of = (categoryId: number) => ({ params: { ...at().params, categoryId } })
  const taken = await coordinator.call(items.createCategory, { ...at(), body: { Name: 'COMPETENCE' } })
  expect(taken.status).toBe(409)
  await coordinator.ok(items.renameCategory, { ...of(added.Id), body: { Name: 'Bearing' } })
  expect((await read()).Categories.map(({ Name }) => Name)).toEqual(['Competence', 'Remarks', 'Bearing'])
  const first = template.Categories[0]!.Id
  await coordinator.ok(items.removeCategory, of(first))
  expect(await texts()).toEqual(['What should be kept?'])
  await coordinator.ok(items.restoreCategory, of(first))
  expect(await texts()).toHaveLength(3)
  expect((await coordinator.call(items.restoreCategory, of(first))).status).toBe(404)
})

test('D3-095 a group asks for one choice among its items; without it each is alone', async () => {
  const added = await coordinator.ok(items.createGroup, {
    ...at(),
    body: { Name: 'Safety', IsMandatory: false },
  })
  const of = (groupId: number) => ({ params: { ...at().params, groupId } })
  await coordinator.ok(items.updateGroup, { ...of(added.Id), body: { Name: 'Safety', IsMandatory: true } })
  expect((await read()).Groups.map(({ Name, IsMandatory }) => [Name, IsMandatory])).toEqual([
    ['Core', true],
    ['Safety', true],
  ])
  const core = template.Groups[0]!.Id
  await coordinator.ok(items.removeGroup, of(core))
  expect((await read()).Items[0]!.GroupId).toBeNull()
  await coordinator.ok(items.restoreGroup, of(core))
  expect((await read()).Items[0]!.GroupId).toBe(core)
})

test('only those who design reach the items, and nobody those of another program', async () => {
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await faculty.call(items.createItem, { ...at(), body: scored() })).status).toBe(403)
  const foreign = await makePerson(installation.owner, Level.Coord)
  const stranger = await installation.as(foreign)
  const theirs = { params: { programId: foreign.ProgramId!, templateId: template.Id } }
  expect((await stranger.call(items.createItem, { ...theirs, body: scored() })).status).toBe(404)
  const Ids = [template.Items[0]!.Id]
  expect((await stranger.call(items.removeItems, { ...theirs, body: { Ids } })).status).toBe(404)
  expect((await stranger.call(items.removeItems, { ...at(), body: { Ids } })).status).toBe(404)
  expect(await read()).toEqual(template)
})

/** Asks the supervisor for an evaluation and answers both scored items with the value. */
const fill = async (value: number, isSubmitted: boolean) => {
  const { Id } = await coordinator.ok(contract.assignEvaluation, {
    params: { programId: program.Id },
    body: {
      TemplateId: template.Id,
      EvaluatorId: supervisor.Id,
      SubjectId: student.Id,
      Date: '2026-11-20',
    },
  })
  const caller = await installation.as(supervisor)
  const score = template.ScoreTypes[0]!.Values[value - 1]!.Id
  const Answers = template.Items.filter(({ Kind }) => Kind === 'scored').map((each) => ({
    ItemId: each.Id,
    ScoreValueId: score,
  }))
  await caller.ok(contract.saveAnswers, {
    params: { evaluationId: Id },
    body: { Answers, Submit: isSubmitted, SignedName: 'T. Lindgren' },
  })
  return { read: () => caller.ok(contract.getAnswers, { params: { evaluationId: Id } }), Id, caller }
}

test('what was submitted stays word for word, whatever becomes of its template', async () => {
  const signed = await fill(2, true)
  const before = await signed.read()
  const [first, second] = template.Items
  await coordinator.ok(items.updateItem, { ...item(first!.Id), body: scored({ Text: 'Something else' }) })
  await coordinator.ok(items.removeItems, { ...at(), body: { Ids: [second!.Id] } })
  await coordinator.ok(items.removeGroup, { params: { ...at().params, groupId: template.Groups[0]!.Id } })
  await coordinator.ok(items.renameCategory, {
    params: { ...at().params, categoryId: template.Categories[0]!.Id },
    body: { Name: 'Renamed' },
  })
  const type = template.ScoreTypes[0]!
  await coordinator.ok(scores.updateScoreType, {
    params: { ...at().params, scoreTypeId: type.Id },
    body: { Title: 'New scale', Values: [{ Id: type.Values[0]!.Id, Label: 'Poor', Value: 10 }] },
  })
  await coordinator.ok(contract.updateEvaluationTemplate, {
    ...at(),
    body: {
      Title: 'Renamed',
      Instructions: '<p>New</p>',
      EvaluatorRole: 'supervisor',
      SubjectRole: 'student',
    },
  })
  expect(await signed.read()).toEqual(before)
  expect(before).toMatchObject({ Title: 'Student performance', Score: 2 })
  const { rows } = await installation.owner.query(
    'select score::float from evaluation_answer where evaluation_id = $1',
    [signed.Id],
  )
  expect(rows).toEqual([{ score: 2 }, { score: 2 }])
})

test('forms submitted without a change between them are kept once, and nobody can change them', async () => {
  await fill(1, true)
  await fill(3, true)
  const count = async () =>
    (await installation.owner.query('select id from evaluation_form where template_id = $1', [template.Id]))
      .rows.length
  expect(await count()).toBe(1)
  await addItem()
  await fill(2, true)
  expect(await count()).toBe(2)
  await expect(installation.services.pool.query("update evaluation_form set content = '{}'")).rejects.toThrow(
    /permission denied/,
  )
})

test('an evaluation that is not submitted follows the template; answers that no longer fit are asked again', async () => {
  const open = await fill(2, false)
  const [first, second] = template.Items as [contract.Item, contract.Item]
  await coordinator.ok(items.changeItemScores, {
    ...at(),
    body: { Ids: [first.Id], ScoreTypeId: template.ScoreTypes[1]!.Id },
  })
  await coordinator.ok(items.removeItems, { ...at(), body: { Ids: [second.Id] } })
  const added = await addItem({ IsMandatory: true })
  const form = await open.read()
  expect(form.Items.map(({ Text }) => Text)).toEqual([
    'Verifies the patient',
    'Positions the patient',
    'What should be kept?',
  ])
  expect(form.Answers).toEqual([{ ItemId: first.Id, ScoreValueId: null, Text: null, Comment: null }])
  expect(form.Missing.map(({ Kind, ItemId }) => [Kind, ItemId])).toEqual([
    ['answer', added.Id],
    ['group', first.Id],
  ])
  const yes = template.ScoreTypes[1]!.Values[1]!.Id
  const done = await open.caller.ok(contract.saveAnswers, {
    params: { evaluationId: open.Id },
    body: {
      Answers: [
        { ItemId: first.Id, ScoreValueId: yes },
        { ItemId: added.Id, ScoreValueId: template.ScoreTypes[0]!.Values[2]!.Id },
      ],
      Submit: true,
    },
  })
  expect(done).toMatchObject({ Status: 1, Score: 2 })
  expect(done.Answers.map(({ ItemId }) => ItemId)).toEqual([first.Id, added.Id])
})
