import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '#contract/core/basis.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/graduates/graduates.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
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
const one = (Id: number) => ({ params: { ...params(), graduateId: Id } })
const maya = {
  FirstName: 'Maya',
  LastName: 'Okafor',
  StudentNumber: 'S1001',
  Cohort: '2024',
  Exam: 'ARRT (R)',
  Notes: 'Moved to Ohio',
  EnteredOn: '2022-08-22',
  GraduatedOn: '2024-05-17',
  WithdrewOn: null,
  WithdrawalReason: null,
  FirstAttemptOn: '2024-06-20',
  FirstAttemptResult: 'passed' as const,
  PassedOn: '2024-06-20',
  HighCutOn: null,
  Placement: 'field' as const,
  StartedWorkOn: '2024-07-08',
}
type Body = Parameters<typeof add>[0]
const add = (more: Partial<Omit<contract.Graduate, 'Id' | 'UserId'>> = {}) =>
  coordinator.ok(contract.createGraduate, { params: params(), body: { ...maya, ...more } })
const bare = {
  EnteredOn: null,
  GraduatedOn: null,
  FirstAttemptOn: null,
  FirstAttemptResult: null,
  PassedOn: null,
  Placement: null,
  StartedWorkOn: null,
}
const namesOf = async (query: Record<string, unknown> = {}) =>
  (await coordinator.ok(contract.listGraduates, { params: params(), query })).Items.map(
    ({ FirstName }) => FirstName,
  )
const refused = async (body: Body) => {
  const answer = await coordinator.call(contract.createGraduate, {
    params: params(),
    body: { ...maya, ...body },
  })
  expect(answer.status).toBe(400)
  return (answer.body as any).Errors.map(({ Field }: { Field: string }) => Field)
}

test('a coordinator adds a graduate, reads it back and changes it', async () => {
  const made = await add()
  expect(made).toEqual({ Id: expect.any(Number), UserId: null, ...maya })
  const seen = await coordinator.ok(contract.getGraduate, one(made.Id))
  expect(seen).toEqual(made)
  const after = await coordinator.ok(contract.updateGraduate, {
    ...one(made.Id),
    body: { ...maya, Placement: 'education', StartedWorkOn: null },
  })
  expect(after).toMatchObject({ Placement: 'education', StartedWorkOn: null })
})

test('dates and results that do not fit together are refused by field', async () => {
  expect(await refused({ FirstName: ' ' })).toEqual(['FirstName'])
  expect(await refused({ GraduatedOn: '2022-01-01' })).toEqual(['GraduatedOn'])
  expect(await refused({ WithdrewOn: '2023-01-01', WithdrawalReason: 'medical' })).toEqual(['WithdrewOn'])
  expect(await refused({ WithdrawalReason: 'medical' })).toEqual(['WithdrawalReason'])
  expect(await refused({ FirstAttemptOn: null, FirstAttemptResult: null })).toEqual(['PassedOn'])
  expect(await refused({ PassedOn: '2024-06-21' })).toEqual(['PassedOn'])
  expect(await refused({ FirstAttemptResult: 'failed', PassedOn: '2024-06-19' })).toEqual(['PassedOn'])
  expect(await refused({ FirstAttemptResult: 'high' })).toEqual(['HighCutOn'])
  expect(await refused({ PassedOn: null, FirstAttemptResult: 'failed', HighCutOn: '2024-08-01' })).toEqual([
    'HighCutOn',
  ])
  expect(await refused({ Placement: 'seeking' })).toEqual(['StartedWorkOn'])
  expect(await refused({ GraduatedOn: null })).toEqual(['Placement'])
})

test('the list is filtered by state, year, cohort and what is missing, searched, sorted and paged', async () => {
  await add()
  await add({
    ...bare,
    FirstName: 'Ann',
    LastName: 'Zee',
    Cohort: '2027',
    StudentNumber: '',
    EnteredOn: '2025-08-20',
  })
  await add({
    ...bare,
    FirstName: 'Bo',
    LastName: 'Abel',
    GraduatedOn: '2025-05-16',
    Placement: 'seeking',
    StudentNumber: '100%',
  })
  await add({
    ...bare,
    FirstName: 'Cy',
    LastName: 'Marsh',
    WithdrewOn: '2023-02-01',
    WithdrawalReason: 'academic',
  })
  expect(await namesOf()).toEqual(['Bo', 'Cy', 'Maya', 'Ann'])
  expect(await namesOf({ sort: '-GraduatedOn' })).toEqual(['Bo', 'Maya', 'Cy', 'Ann'])
  expect(await namesOf({ State: 'graduated' })).toEqual(['Bo', 'Maya'])
  expect(await namesOf({ State: 'enrolled' })).toEqual(['Ann'])
  expect(await namesOf({ State: 'withdrew' })).toEqual(['Cy'])
  expect(await namesOf({ Year: 2025 })).toEqual(['Bo'])
  expect(await namesOf({ Cohort: '2027' })).toEqual(['Ann'])
  expect(await namesOf({ Missing: 'exam' })).toEqual(['Bo'])
  expect(await namesOf({ Missing: 'placement' })).toEqual([])
  expect(await namesOf({ search: 'okafor maya' })).toEqual(['Maya'])
  expect(await namesOf({ search: '%' })).toEqual(['Bo'])
  expect(
    await coordinator.ok(contract.listGraduates, { params: params(), query: { page: 2, pageSize: 3 } }),
  ).toMatchObject({ Items: [{ FirstName: 'Ann' }], Total: 4, Page: 2, PageSize: 3 })
})

test('a class is added from its accounts: alumni as graduates with what they told about work, once', async () => {
  const { owner } = installation
  const person = (level: Level, last: string) =>
    makePerson(owner, level, { program, cohort: 'Fall 2024', first_name: 'A', last_name: last })
  const alumnus = await person(Level.Alumnus, 'Alum')
  await person(Level.Student, 'Stays')
  await makeRow(owner, 'employment', {
    program_id: program.Id,
    account_id: alumnus.Id,
    status: 'field',
    employer: 'Harbor General',
    start_date: '2024-07-01',
    credential: 'ARRT (R)',
  })
  const body = { Cohort: 'fall 2024', EnteredOn: '2022-08-22', GraduatedOn: '2024-05-17' }
  const addClass = () => coordinator.ok(contract.addClass, { params: params(), body })
  expect(await addClass()).toEqual({ Added: 2, Known: 0 })
  expect(await addClass()).toEqual({ Added: 0, Known: 2 })
  const { Items } = await coordinator.ok(contract.listGraduates, { params: params() })
  expect(Items).toMatchObject([
    {
      UserId: alumnus.Id,
      GraduatedOn: '2024-05-17',
      Placement: 'field',
      StartedWorkOn: '2024-07-01',
      Exam: 'ARRT (R)',
    },
    { LastName: 'Stays', EnteredOn: '2022-08-22', GraduatedOn: null, Placement: null },
  ])
  const nobody = await coordinator.call(contract.addClass, {
    params: params(),
    body: { ...body, Cohort: '1999' },
  })
  expect(nobody.status).toBe(422)
  const wrong = await coordinator.call(contract.addClass, {
    params: params(),
    body: { ...body, GraduatedOn: '2021-01-01' },
  })
  expect(wrong.status).toBe(400)
})

test('a save that started from an older state is refused and changes nothing', async () => {
  const seen = await add()
  await coordinator.ok(contract.updateGraduate, { ...one(seen.Id), body: { ...maya, Notes: 'Newer' } })
  const late = await coordinator.call(
    contract.updateGraduate,
    { ...one(seen.Id), body: { ...maya, Notes: 'Older' } },
    { headers: { 'if-match': fingerprint(seen) } },
  )
  expect(late.status).toBe(409)
  expect(late.body).toMatchObject({ Code: 'stale' })
  expect((await coordinator.ok(contract.getGraduate, one(seen.Id))).Notes).toBe('Newer')
})

test('a deleted row can be restored unless the person has been added since', async () => {
  const { owner } = installation
  await makePerson(owner, Level.Alumnus, {
    program,
    cohort: '2024',
    first_name: 'A',
    last_name: 'B',
  })
  const body = { Cohort: '2024', EnteredOn: '2022-08-22', GraduatedOn: '2024-05-17' }
  await coordinator.ok(contract.addClass, { params: params(), body })
  const [row] = (await coordinator.ok(contract.listGraduates, { params: params() })).Items
  const Id = row!.Id
  await coordinator.ok(contract.deleteGraduate, one(Id))
  expect((await coordinator.call(contract.getGraduate, one(Id))).status).toBe(404)
  expect((await coordinator.call(contract.deleteGraduate, one(Id))).status).toBe(404)
  expect((await coordinator.ok(contract.restoreGraduate, one(Id))).LastName).toBe('B')
  expect((await coordinator.call(contract.restoreGraduate, one(Id))).status).toBe(409)
  await coordinator.ok(contract.deleteGraduate, one(Id))
  await coordinator.ok(contract.addClass, { params: params(), body })
  expect((await coordinator.call(contract.restoreGraduate, one(Id))).status).toBe(409)
  expect((await coordinator.call(contract.restoreGraduate, one(Id + 99))).status).toBe(404)
})

test('the export holds what the list shows', async () => {
  await add()
  await add({ FirstName: 'Bo', Cohort: '2025' })
  const text = await coordinator.ok(contract.exportGraduates, {
    params: params(),
    query: { Format: 'csv', Cohort: '2024' },
  })
  expect(String(text)).toContain('Okafor')
  expect(String(text)).toContain('Employed in the field')
  expect(String(text)).not.toContain('Bo')
})

test('faculty read graduates and change none; students and other programs do not reach them', async () => {
  const { Id } = await add()
  const { owner } = installation
  const faculty = await installation.as(await makePerson(owner, Level.Faculty, { program }))
  expect((await faculty.ok(contract.getGraduate, one(Id))).LastName).toBe('Okafor')
  expect((await faculty.call(contract.deleteGraduate, one(Id))).status).toBe(403)
  const student = await installation.as(await makePerson(owner, Level.Student, { program }))
  expect((await student.call(contract.listGraduates, { params: params() })).status).toBe(403)

  const other = await makeProgram(owner)
  const theirs = await makeRow(owner, 'graduate', { program_id: other.Id, first_name: 'X', last_name: 'Y' })
  expect((await coordinator.call(contract.getGraduate, one(theirs.id))).status).toBe(404)
  expect((await coordinator.call(contract.updateGraduate, { ...one(theirs.id), body: maya })).status).toBe(
    404,
  )
  expect((await coordinator.call(contract.deleteGraduate, one(theirs.id))).status).toBe(404)
})
