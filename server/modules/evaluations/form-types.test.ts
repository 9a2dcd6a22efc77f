import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { createEvaluationTemplate } from '#contract/evaluations/evaluations.ts'
import * as contract from '#contract/evaluations/form-types.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
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
const add = (Name: string, ViewOnForm = true) =>
  coordinator.ok(contract.createFormType, { params: params(), body: { Name, ViewOnForm } })
const list = () => coordinator.ok(contract.listFormTypes, { params: params() })

test('D3-091 D3-315 a form type has a name and whether it is viewed on the form', async () => {
  const made = await add('Clinical')
  expect(made).toEqual({ Id: made.Id, Name: 'Clinical', ViewOnForm: true, TemplateCount: 0 })
  const changed = await coordinator.ok(contract.updateFormType, {
    params: { ...params(), formTypeId: made.Id },
    body: { Name: 'Clinical 2026', ViewOnForm: false },
  })
  expect(await list()).toEqual([changed])
  expect(changed).toMatchObject({ Name: 'Clinical 2026', ViewOnForm: false })
})

test('a name that exists is refused in any case of letters', async () => {
  await add('Clinical')
  const body = { Name: 'CLINICAL' }
  const refused = await coordinator.call(contract.createFormType, { params: params(), body })
  expect(refused.status).toBe(409)
  expect((refused.body as any).Errors[0].Field).toBe('Name')
})

test('a form type is deleted and comes back, unless a template is of it', async () => {
  const made = await add('Clinical')
  const at = { params: { ...params(), formTypeId: made.Id } }
  await coordinator.ok(contract.deleteFormType, at)
  expect(await list()).toEqual([])
  await coordinator.ok(contract.restoreFormType, at)
  await coordinator.ok(createEvaluationTemplate, {
    params: params(),
    body: { Title: 'T', EvaluatorRole: 'student', SubjectRole: 'site', FormTypeId: made.Id },
  })
  const refused = await coordinator.call(contract.deleteFormType, at)
  expect(refused.status).toBe(409)
  expect((refused.body as any).Message).toMatch(/1 template is of this type/)
})

test('only those who design change form types, and nobody those of another program', async () => {
  const made = await add('Clinical')
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  const at = { params: { ...params(), formTypeId: made.Id } }
  expect((await faculty.call(contract.deleteFormType, at)).status).toBe(403)
  const foreign = await makePerson(installation.owner, Level.Coord)
  const stranger = await installation.as(foreign)
  const theirs = { params: { programId: foreign.ProgramId!, formTypeId: made.Id } }
  expect((await stranger.call(contract.deleteFormType, theirs)).status).toBe(404)
  expect(
    (
      await stranger.call(createEvaluationTemplate, {
        params: { programId: foreign.ProgramId! },
        body: { Title: 'T', EvaluatorRole: 'student', SubjectRole: 'site', FormTypeId: made.Id },
      })
    ).status,
  ).toBe(422)
})
