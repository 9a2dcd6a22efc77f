import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/evaluations/evaluations.ts'
import * as scores from '#contract/evaluations/score-types.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let template: contract.TemplateDetail

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  template = await createTemplate('Student performance')
})

const createTemplate = (Title: string) =>
  coordinator.ok(contract.createEvaluationTemplate, {
    params: { programId: program.Id },
    body: {
      Title,
      EvaluatorRole: 'supervisor',
      SubjectRole: 'student',
      ScoreTypes: [
        {
          Title: 'Agreement',
          Values: [
            { Label: 'Disagree', Value: 1, NeedsComment: true },
            { Label: 'Agree', Value: 2 },
            { Label: 'N/A', Value: null, IsNotApplicable: true },
          ],
        },
      ],
      Categories: [{ Name: 'Competence' }],
      Items: [{ Category: 0, Text: 'Verifies the patient', ScoreType: 0 }],
    },
  })
const at = () => ({ params: { programId: program.Id, templateId: template.Id } })
const one = (scoreTypeId = template.ScoreTypes[0]!.Id) => ({ params: { ...at().params, scoreTypeId } })
const list = (deleted = false) => coordinator.ok(scores.listScoreTypes, { ...at(), query: { deleted } })
const titles = async (deleted = false) => (await list(deleted)).map(({ Title }) => Title)

test('D3-275 D3-168 the score types of a template have Id, Title and their values', async () => {
  expect(await list()).toEqual([{ ...template.ScoreTypes[0], ItemCount: 1 }])
  expect(await list(true)).toEqual([])
  const nowhere = { params: { ...at().params, templateId: 999_999 }, query: {} }
  expect((await coordinator.call(scores.listScoreTypes, nowhere)).status).toBe(404)
})

test('D3-182 D3-276 D3-277 D3-184 deleting moves a score type to the deleted ones, restoring brings it back', async () => {
  expect((await coordinator.call(scores.deleteScoreType, one())).status).toBe(204)
  expect([await titles(), await titles(true)]).toEqual([[], ['Agreement']])
  const restored = await coordinator.ok(scores.restoreScoreType, one())
  expect(restored).toMatchObject({ Title: 'Agreement', IsDeleted: false })
  expect([await titles(), await titles(true)]).toEqual([['Agreement'], []])
})

test('D3-183 D3-276 deleting a deleted one purges it for good; items that use it keep its scores', async () => {
  await coordinator.ok(scores.deleteScoreType, one())
  await coordinator.ok(scores.deleteScoreType, one())
  expect([await titles(), await titles(true)]).toEqual([[], []])
  expect((await coordinator.call(scores.restoreScoreType, one())).status).toBe(404)
  expect((await coordinator.call(scores.deleteScoreType, one())).status).toBe(404)
  const form = await coordinator.ok(contract.getEvaluationTemplate, at())
  expect(form.ScoreTypes).toMatchObject([{ IsDeleted: true, Values: template.ScoreTypes[0]!.Values }])
})

test('D3-278 D3-185 D3-116 a clone is in another template with the same values', async () => {
  const other = await createTemplate('Site and instructor')
  const clone = (destination: number | undefined, source = template.ScoreTypes[0]!.Id) =>
    coordinator.send(
      'POST',
      `/programs/${program.Id}/evaluation-templates/${template.Id}/score-types?source-score-type-id=${source}${destination ? `&destination-template-id=${destination}` : ''}`,
    )
  const { status, body } = await clone(other.Id)
  expect(status).toBe(200)
  expect(body).toMatchObject({ Title: 'Agreement', ItemCount: 0 })
  const there = await coordinator.ok(scores.listScoreTypes, {
    params: { programId: program.Id, templateId: other.Id },
    query: {},
  })
  const told = (type: contract.ScoreType) => type.Values.map(({ Id: _own, ...value }) => value)
  expect(there).toHaveLength(2)
  for (const type of there) expect(told(type)).toEqual(told(template.ScoreTypes[0]!))
  expect((await clone(undefined)).status).toBe(400)
  expect((await clone(template.Id)).status).toBe(422)
  expect((await clone(other.Id, 999_999)).status).toBe(404)
  expect((await clone(999_999)).status).toBe(404)
  expect(await list()).toHaveLength(1)
})

test('D3-115 score values are added, changed, ordered and taken away in one step', async () => {
  const [disagree, agree] = template.ScoreTypes[0]!.Values
  const body = {
    Title: 'Agreement, three steps',
    Seen: { Values: template.ScoreTypes[0]!.Values },
    Values: [
      { Id: agree!.Id, Label: 'Agree', Value: 3 },
      { Label: 'Neutral', Value: 2.5 },
      { Id: disagree!.Id, Label: 'Disagree', Value: 1, NeedsComment: true },
    ],
  }
  const changed = await coordinator.ok(scores.updateScoreType, { ...one(), body })
  expect(changed.Title).toBe('Agreement, three steps')
  expect(changed.Values.map(({ Label, Value, NeedsComment }) => [Label, Value, NeedsComment])).toEqual([
    ['Agree', 3, false],
    ['Neutral', 2.5, false],
    ['Disagree', 1, true],
  ])
  expect(changed.Values[0]!.Id).toBe(agree!.Id)
})

test('score values that make no sense are refused by the field and nothing is saved', async () => {
  const wrong: [number, object[], string][] = [
    [400, [], 'Values'],
    [400, [{ Label: '', Value: 1 }], 'Values.0.Label'],
    [400, [{ Label: 'Good', Value: null }], 'Values.0.Value'],
    [400, [{ Label: 'Good', Value: 1.005 }], 'Values.0.Value'],
    [
      422,
      [
        { Label: 'Good', Value: 1 },
        { Label: 'GOOD', Value: 2 },
      ],
      'Values.1.Label',
    ],
    [422, [{ Id: 999_999, Label: 'Good', Value: 1 }], 'Values.0.Id'],
  ]
  for (const [expected, Values, field] of wrong) {
    const body = { Title: 'Agreement', Values } as never
    const refused = await coordinator.call(scores.updateScoreType, { ...one(), body })
    expect(refused.status, field).toBe(expected)
    expect((refused.body as any).Errors[0].Field).toBe(field)
  }
  expect(await list()).toEqual([{ ...template.ScoreTypes[0], ItemCount: 1 }])
})

test('D3-113 a score type is added to a template', async () => {
  const made = await coordinator.ok(scores.createScoreType, {
    ...at(),
    body: { Title: 'Pass or fail', Values: [{ Label: 'Pass', Value: 1 }] },
  })
  expect(made).toMatchObject({ Title: 'Pass or fail', ItemCount: 0, IsDeleted: false })
  expect(await titles()).toEqual(['Agreement', 'Pass or fail'])
})

test('only those who design change score types, and nobody those of another program', async () => {
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await faculty.call(scores.deleteScoreType, one())).status).toBe(403)
  const foreign = await makePerson(installation.owner, Level.Coord)
  const stranger = await installation.as(foreign)
  const theirs = { params: { ...one().params, programId: foreign.ProgramId! } }
  expect((await stranger.call(scores.deleteScoreType, theirs)).status).toBe(404)
  expect((await stranger.call(scores.deleteScoreType, one())).status).toBe(404)
  expect(await titles()).toEqual(['Agreement'])
})
