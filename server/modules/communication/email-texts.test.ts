import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/communication/emails.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'
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
const text = (more: object = {}) => ({
  name: 'Hours behind',
  subject: 'Your hours, {{firstName}}',
  body: toBase64('<p>Dear {{name}}, please see me.</p>'),
  ...more,
})
const save = (more: object = {}, who = coordinator) =>
  who.call(contract.saveEmailText, { params: params(), body: text(more) })
const list = (who = coordinator) => who.ok(contract.listEmailTexts, { params: params() })

test('a text is saved, listed by name for everybody who sends, replaced only on request', async () => {
  await save()
  await save({ name: 'absences' })
  const faculty = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
  expect((await list(faculty)).map(({ Name }) => Name)).toEqual(['absences', 'Hours behind'])
  expect((await list()).at(1)).toMatchObject({
    Subject: 'Your hours, {{firstName}}',
    Html: '<p>Dear {{name}}, please see me.</p>',
  })
  expect((await save({ name: 'HOURS BEHIND', subject: 'New' })).status).toBe(409)
  expect((await save({ name: 'HOURS BEHIND', subject: 'New', replaces: true })).status).toBe(200)
  expect((await list()).map(({ Name, Subject }) => `${Name}: ${Subject}`)).toContain('HOURS BEHIND: New')
  expect(await list()).toHaveLength(2)
})

test('what could run in a reader’s browser is taken out of a text', async () => {
  const { body } = await save({ body: toBase64('<p onclick="x()">Hello<script>x()</script></p>') })
  expect(body.Html).toBe('<p>Hello</p>')
})

test('a deleted text comes back, unless its name was taken since', async () => {
  const { body } = await save()
  const at = { params: { ...params(), textId: body.Id } }
  await coordinator.ok(contract.deleteEmailText, at)
  expect(await list()).toEqual([])
  expect((await coordinator.call(contract.deleteEmailText, at)).status).toBe(404)
  await coordinator.ok(contract.restoreEmailText, at)
  expect(await list()).toHaveLength(1)
  await coordinator.ok(contract.deleteEmailText, at)
  await save()
  expect((await coordinator.call(contract.restoreEmailText, at)).status).toBe(409)
})

test('bad input, students and other programs are refused', async () => {
  expect((await save({ name: ' ' })).status).toBe(400)
  expect((await save({ subject: 'x'.repeat(256) })).status).toBe(400)
  const student = await installation.as(await makePerson(installation.owner, Level.Student, { program }))
  expect((await save({}, student)).status).toBe(403)
  const { body } = await save()
  const stranger = await installation.as(await makePerson(installation.owner, Level.Coord))
  expect((await stranger.call(contract.listEmailTexts, { params: params() })).status).toBe(404)
  expect(
    (await stranger.call(contract.deleteEmailText, { params: { ...params(), textId: body.Id } })).status,
  ).toBe(404)
})
