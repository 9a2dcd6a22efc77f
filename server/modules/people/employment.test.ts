import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import {
  type EmploymentInput,
  exportEmployment,
  getOwnEmployment,
  listEmployment,
  listPlacementPeople,
  listPlacementRates,
  saveOwnEmployment,
} from '#contract/people/employment.ts'
import { type MadeProgram, makePerson, makeProgram, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let faculty: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
})

const job: EmploymentInput = {
  Status: 'field',
  Employer: 'Harbor General',
  Position: 'CT technologist',
  StartDate: '2026-07-06',
  Credential: 'ARRT (R)(CT)',
  MayContact: true,
}
const alumnus = async (cohort: string | null, more: object = {}) => {
  const person = await makePerson(installation.owner, Level.Alumnus, { program, cohort, ...more })
  return { ...person, caller: await installation.as(person) }
}
const tell = (caller: Caller, more: Partial<EmploymentInput> = {}) =>
  caller.ok(saveOwnEmployment, { body: { ...job, ...more } })
const at = () => ({ params: { programId: program.Id } })

test('E9 the day of the last answer is a day where the program is', async () => {
  await installation.owner.query("update program set time_zone = 'America/Los_Angeles' where id = $1", [
    program.Id,
  ])
  const { caller, Id } = await alumnus('2026')
  await tell(caller)
  await installation.owner.query('alter table employment disable trigger touch')
  await installation.owner.query(
    "update employment set updated_at = '2026-03-02T05:00:00Z' where account_id = $1",
    [Id],
  )
  await installation.owner.query('alter table employment enable trigger touch')
  expect((await caller.ok(getOwnEmployment)).Employment!.UpdatedOn).toBe('2026-03-01')
  const { Items } = await faculty.ok(listEmployment, at())
  expect(Items.map(({ UpdatedOn }) => UpdatedOn)).toEqual(['2026-03-01'])
})

test('D1-182 students and alumni tell about their employment and change it; nobody else has it', async () => {
  for (const level of [Level.Student, Level.Alumnus]) {
    const own = await installation.as(await makePerson(installation.owner, level, { program }))
    expect(await own.ok(getOwnEmployment)).toEqual({ Employment: null })
    const { Employment } = await tell(own)
    expect(Employment).toMatchObject(job)
    // Midnight of the program's zone may pass in between.
    const now = Date.now()
    const days = [now - 5_000, now].map((moment) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(moment),
    )
    expect(days).toContain(Employment!.UpdatedOn)
    expect(await tell(own, { Employer: 'Bayside', MayContact: false })).toMatchObject({
      Employment: { Employer: 'Bayside', MayContact: false },
    })
    expect(await own.ok(getOwnEmployment)).toMatchObject({ Employment: { Employer: 'Bayside' } })
  }
  for (const level of [Level.Registrant, Level.Supervisor, Level.Faculty, Level.Admin]) {
    const other = await installation.as(await makePerson(installation.owner, level, { program }))
    expect((await other.call(getOwnEmployment)).status).toBe(403)
    expect((await other.call(saveOwnEmployment, { body: job })).status).toBe(403)
  }
})

test('a job has an employer; without a job employer, position and start are dropped and the credential stays', async () => {
  const { caller } = await alumnus('2025')
  const refused = await caller.call(saveOwnEmployment, { body: { ...job, Employer: '  ' } })
  expect(refused.status).toBe(400)
  expect((refused.body as any).Errors).toEqual([{ Field: 'Employer', Message: 'This field is required' }])
  expect((await caller.send('POST', '/employment', { body: { ...job, Status: 'rich' } })).status).toBe(400)
  expect(
    (await caller.send('POST', '/employment', { body: { ...job, StartDate: '2026-02-31' } })).status,
  ).toBe(400)
  expect(await tell(caller, { Status: 'education' })).toMatchObject({
    Employment: {
      Status: 'education',
      Employer: '',
      Position: '',
      StartDate: null,
      Credential: 'ARRT (R)(CT)',
    },
  })
})

test('placement by cohort counts alumni only, and the rate those on the labor market', async () => {
  const told = async (cohort: string | null, Status: EmploymentInput['Status'], more: object = {}) =>
    tell((await alumnus(cohort, more)).caller, { Status })
  await told('2025', 'field')
  await told('2025', 'field')
  await told('2025', 'other')
  await told('2025', 'seeking')
  await told('2025', 'education')
  await told('2025', 'military')
  await told('2024', 'notSeeking')
  await alumnus('2025')
  await alumnus(null, { deactivated_at: '2026-01-01T00:00:00Z' })
  await alumnus('2025', { deleted_at: '2026-01-01T00:00:00Z' })
  await tell(await installation.as(await makeStudent(installation.owner, program, { cohort: '2025' })))
  const { Rows, Totals } = await faculty.ok(listPlacementRates, at())
  const none = { Field: 0, Other: 0, Seeking: 0, Education: 0, Military: 0, NotSeeking: 0, Unknown: 0 }
  expect(Rows).toEqual([
    {
      ...{ Cohort: '2025', Graduates: 7, Field: 2, Other: 1, Seeking: 1, Education: 1, Military: 1 },
      ...{ NotSeeking: 0, Unknown: 1, Rate: 50, Placed: 2, Counted: 4 },
    },
    { Cohort: '2024', Graduates: 1, ...none, NotSeeking: 1, Rate: null, Placed: 0, Counted: 0 },
    { Cohort: '', Graduates: 1, ...none, Unknown: 1, Rate: null, Placed: 0, Counted: 0 },
  ])
  expect(Totals).toMatchObject({ Graduates: 9, Field: 2, Unknown: 2, Rate: 50 })
  // Each of them with the reason; 2 of 4 are the rate.
  const people = async (query: { Cohort?: string }) =>
    (await faculty.ok(listPlacementPeople, { ...at(), query })).map(
      ({ State, Reason, IsInRate }) => `${State} ${Reason} ${IsInRate}`,
    )
  expect((await people({ Cohort: '2025' })).toSorted()).toEqual([
    ...['counted null true', 'counted null true', 'leftOut market false', 'leftOut market false'],
    ...['open unknown false', 'success null true', 'success null true'],
  ])
  expect(await people({ Cohort: '2024' })).toEqual(['leftOut market false'])
  expect(await people({})).toHaveLength(9)
})

test('staff find people by cohort, status, name and employer, page by page', async () => {
  const { owner } = installation
  const first = await alumnus('2025', { first_name: 'Ada', last_name: 'Abel' })
  const second = await alumnus('2024', { first_name: 'Bo', last_name: 'Baker' })
  await alumnus(null, { first_name: 'Cy', last_name: 'Cole' })
  await tell(first.caller)
  await tell(second.caller, { Employer: 'Bayside 100%' })
  const student = await makeStudent(owner, program, { last_name: 'Dunn' })
  await tell(await installation.as(student), { Status: 'seeking' })
  const names = async (query: object = {}) =>
    (await faculty.ok(listEmployment, { ...at(), query })).Items.map(({ Name }) => Name.split(',')[0])
  expect(await names()).toEqual(['Abel', 'Baker', 'Cole'])
  expect(await names({ Cohort: '2025' })).toEqual(['Abel'])
  expect(await names({ Cohort: '' })).toEqual(['Cole'])
  expect(await names({ Status: 'none' })).toEqual(['Cole'])
  expect(await names({ Status: 'field', sort: '-Name' })).toEqual(['Baker', 'Abel'])
  expect(await names({ search: '100%' })).toEqual(['Baker'])
  expect(await names({ Who: 'students' })).toEqual(['Dunn'])
  const page = await faculty.ok(listEmployment, { ...at(), query: { page: 2, pageSize: 2 } })
  expect(page).toMatchObject({
    Total: 3,
    Page: 2,
    Items: [{ Name: 'Cole, Cy', Status: null, UpdatedOn: null }],
  })
  expect((await faculty.ok(listEmployment, at())).Items[0]).toMatchObject({
    UserId: first.Id,
    IsAlumnus: true,
    Cohort: '2025',
    ...job,
  })
})

test('both views come as files, where an employer is never a formula; other programs see nothing', async () => {
  const { caller } = await alumnus('2025', { last_name: 'Abel', first_name: 'Ada' })
  await tell(caller, { Employer: '=HYPERLINK("x")' })
  const file = (query: object) =>
    faculty.call(exportEmployment, { ...at(), query: { Format: 'csv', ...query } })
  const rates = await file({})
  expect(rates.headers.get('content-disposition')).toContain('Placement rates.csv')
  expect(String(rates.body).split('\r\n').slice(1, 3)).toEqual([
    '2025,1,1,0,0,0,0,0,0,100',
    'All,1,1,0,0,0,0,0,0,100',
  ])
  const people = await file({ By: 'person' })
  expect(String(people.body)).toContain(`"Abel, Ada"`)
  expect(String(people.body)).toContain(`'=HYPERLINK`)
  const stranger = await installation.as(await makePerson(installation.owner, Level.Coord))
  for (const endpoint of [listPlacementRates, listEmployment, exportEmployment])
    expect((await stranger.call(endpoint, at() as never)).status).toBe(404)
  expect((await caller.call(listEmployment, at())).status).toBe(403)
})

test('what somebody tells is audited on the own record', async () => {
  const person = await alumnus('2025')
  await tell(person.caller)
  const { rows } = await installation.owner.query(
    "select subject_id, detail from audit where account_id = $1 and action = 'POST /employment'",
    [person.Id],
  )
  expect(rows).toMatchObject([{ subject_id: person.Id, detail: { Employer: 'Harbor General' } }])
})
