import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { listStudentLevels } from '#contract/people/people.ts'
import { listedName } from '#contract/people/person-fields.ts'
import * as contract from '#contract/people/student-levels.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let coordinator: Caller
let params: { programId: number }

beforeAll(async () => {
  installation = await startInstallation()
  const program = await makeProgram(installation.owner)
  params = { programId: program.Id }
  coordinator = await installation.as(
    await makePerson(installation.owner, Level.Coord, { program_id: program.Id }),
  )
})
afterAll(() => installation?.stop())

const makeStudent = () => makePerson(installation.owner, Level.Student, { program_id: params.programId })
const labels = async () =>
  Object.fromEntries((await coordinator.ok(listStudentLevels, { params })).map(({ Id, Name }) => [Id, Name]))
const set = (body: { Id: number; Name: string }[]) =>
  coordinator.call(contract.saveStudentLevels, { params, body })

test('D3-217 D3-303 labels are set for up to 20 levels of at most 50 letters', async () => {
  expect(
    (
      await set([
        { Id: 1, Name: 'First year' },
        { Id: 20, Name: 'x'.repeat(50) },
      ])
    ).status,
  ).toBe(204)
  expect(await labels()).toMatchObject({ 1: 'First year', 20: 'x'.repeat(50) })
  expect((await set([{ Id: 21, Name: 'A' }])).status).toBe(400)
  expect((await set([{ Id: 0, Name: 'A' }])).status).toBe(400)
  expect((await set([{ Id: 2, Name: 'x'.repeat(51) }])).status).toBe(400)
})

test('D3-218 D3-219 D3-220 a comma is refused in any of the 20, and nothing of the call is kept', async () => {
  for (const Id of [1, 19, 20]) {
    const refused = await set([
      { Id: 3, Name: 'Third' },
      { Id, Name: 'a, b' },
    ])
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      Message: `Data not saved. Level ${Id} contains an illegal character (,). Please correct it and try again.`,
    })
  }
  expect(await labels()).not.toHaveProperty('3')
})

test('D3-165 D3-301 D3-302 students get a level, another, and none', async () => {
  await set([{ Id: 4, Name: 'Fourth' }])
  const student = await makeStudent()
  const levelOf = async () =>
    (await coordinator.ok(contract.listLevelAssignments, { params })).find(
      ({ UserId }) => UserId === student.Id,
    )
  const give = (StudentLevelId: number | null) =>
    coordinator.call(contract.saveLevelAssignments, {
      params,
      body: [{ UserId: student.Id, StudentLevelId }],
    })
  expect((await give(4)).status).toBe(204)
  expect(await levelOf()).toMatchObject({ UserFullName: expect.stringContaining(', '), StudentLevelId: 4 })
  expect((await give(17)).status).toBe(422)
  expect((await give(null)).status).toBe(204)
  expect(await levelOf()).toMatchObject({ StudentLevelId: null })
})

test('a name of one word stands alone in lists, whichever field has it', async () => {
  const { owner } = installation
  const named = (first_name: string, last_name: string) =>
    makePerson(owner, Level.Student, { program_id: params.programId, first_name, last_name })
  await named('', 'Suharto')
  await named('محمد', '')
  const names = (await coordinator.ok(contract.listLevelAssignments, { params })).map(
    ({ UserFullName }) => UserFullName,
  )
  expect(names).toEqual(expect.arrayContaining(['Suharto', 'محمد']))
  expect([
    listedName({ FirstName: '', LastName: 'Suharto' }),
    listedName({ FirstName: 'محمد', LastName: '' }),
  ]).toEqual(['Suharto', 'محمد'])
})

test('students of another program and staff are not there, and then nobody gets the level', async () => {
  await set([{ Id: 4, Name: 'Fourth' }])
  const own = await makeStudent()
  const other = await makeProgram(installation.owner)
  const strangers = [
    await makePerson(installation.owner, Level.Student, { program_id: other.Id }),
    await makePerson(installation.owner, Level.Faculty, { program_id: params.programId }),
  ]
  for (const stranger of strangers) {
    const answer = await coordinator.call(contract.saveLevelAssignments, {
      params,
      body: [
        { UserId: own.Id, StudentLevelId: 4 },
        { UserId: stranger.Id, StudentLevelId: 4 },
      ],
    })
    expect(answer.status).toBe(404)
  }
  const { rows } = await installation.owner.query('select student_level_id from account where id = $1', [
    own.Id,
  ])
  expect(rows[0].student_level_id).toBeNull()
})

test('D3-192 D3-304 a level that templates name A74 or that students have is not cleared; another is', async () => {
  await set([
    { Id: 5, Name: 'Fifth' },
    { Id: 6, Name: 'Sixth' },
  ])
  const student = await makeStudent()
  await coordinator.ok(contract.saveLevelAssignments, {
    params,
    body: [{ UserId: student.Id, StudentLevelId: 6 }],
  })
  const { rows } = await installation.owner.query(
    `insert into evaluation_template (program_id, title, evaluator_role, subject_role)
     values ($1, 'Named form', 'supervisor', 'student') returning id`,
    [params.programId],
  )
  await installation.owner.query(
    'insert into evaluation_template_level (program_id, template_id, level_id) values ($1, $2, 5)',
    [params.programId, rows[0].id],
  )
  expect(await coordinator.ok(contract.findLevelTemplates, { params, body: [5, 6] })).toEqual([
    { Id: Number(rows[0].id), Title: 'Named form' },
  ])
  const refused = await set([
    { Id: 5, Name: '' },
    { Id: 6, Name: '' },
  ])
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({ Message: expect.stringMatching(/^Not Saved.*Named form/) })
  expect(await labels()).toMatchObject({ 5: 'Fifth', 6: 'Sixth' })
  const held = await set([{ Id: 6, Name: '' }])
  expect(held.status).toBe(409)
  expect(held.body).toMatchObject({ Message: expect.stringMatching(/^Not Saved\. 1 student has a level/) })
  await coordinator.ok(contract.saveLevelAssignments, {
    params,
    body: [{ UserId: student.Id, StudentLevelId: null }],
  })
  expect((await set([{ Id: 6, Name: '' }])).status).toBe(204)
  expect(await labels()).not.toHaveProperty('6')
})

test('D3-251 levels are kept by those with the right over roles: faculty is refused, a foreign program does not exist', async () => {
  const faculty = await installation.as(
    await makePerson(installation.owner, Level.Faculty, { program_id: params.programId }),
  )
  expect((await faculty.call(contract.listLevelAssignments, { params })).status).toBe(403)
  const other = await makeProgram(installation.owner)
  expect(
    (
      await coordinator.call(contract.saveStudentLevels, {
        params: { programId: other.Id },
        body: [{ Id: 1, Name: 'Theirs' }],
      })
    ).status,
  ).toBe(404)
})
