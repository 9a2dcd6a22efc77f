import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/requirements/verifications.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRow,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let faculty: Caller
let ada: MadePerson
let ben: MadePerson

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner, { time_zone: 'UTC' })
  faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  ada = await makeStudent(installation.owner, program, { first_name: 'Ada', last_name: 'Adams' })
  ben = await makeStudent(installation.owner, program, {
    first_name: 'Ben',
    last_name: 'Baker',
    student_level_id: 2,
  })
})

const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
const record = (student: MadePerson, row: Record<string, unknown> = {}) =>
  makeRow(installation.owner, 'verification', {
    program_id: program.Id,
    student_id: student.Id,
    type: 2,
    vendor: 'Vaxline',
    item: 'MMR',
    status: 'complete',
    ...row,
  })
type Query = Parameters<typeof listed>[0]
const listed = (query: {
  Type?: number
  Show?: contract.VerificationFilter
  search?: string
  StudentId?: number
  StudentLevelIds?: number[]
  sort?: 'Student' | '-Expires' | 'State'
  page?: number
  pageSize?: number
}) =>
  faculty.ok(contract.listVerifications, { params: { programId: program.Id }, query: { Type: 2, ...query } })
const states = async (query: Query = {}) =>
  (await listed(query)).Items.map(({ Student, Item, State }) => [Student, Item, State])

test('D1-246 the type must be 1 or 2', async () => {
  for (const path of ['verifications', 'verifications/students', 'verifications/export'])
    for (const type of ['', '0', '3', '1.5', 'x']) {
      const { status } = await faculty.send('GET', `/programs/${program.Id}/${path}?Type=${type}`)
      expect(status, `${path} ${type}`).toBe(400)
    }
  expect((await faculty.send('GET', '/verifications/mine?Type=0')).status).toBe(400)
  expect([undefined, 0, 1, 2, 3, '1'].map(contract.isVerificationType)).toEqual([
    false,
    false,
    true,
    true,
    false,
    false,
  ])
})

test('D1-162 an immunization has requirement, status, date and expiry; what anybody has and a student lacks is missing', async () => {
  await record(ada, { completed_on: day(-30), expires_on: day(400), result: 'Immune' })
  await record(ben, { item: 'Hepatitis B', status: 'pending' })
  const { Items, Total, Totals } = await listed({})
  expect(Total).toBe(4)
  expect(Items[1]).toEqual({
    Id: expect.any(Number),
    StudentId: ada.Id,
    Student: 'Adams, Ada',
    StudentLevel: 'Level 1',
    Vendor: 'Vaxline',
    Item: 'MMR',
    State: 'complete',
    Result: 'Immune',
    Ordered: null,
    Completed: day(-30),
    Expires: day(400),
    Days: 400,
  })
  expect(Items.map(({ Id, State }) => [Id === null, State])).toEqual([
    [true, 'missing'],
    [false, 'complete'],
    [false, 'pending'],
    [true, 'missing'],
  ])
  expect(Totals).toMatchObject({ Complete: 1, Missing: 2, Open: 1, Expired: 0 })
})

test('D1-161 a background check has vendor, order, completion and result; a student without any misses one', async () => {
  await record(ada, {
    type: 1,
    vendor: 'ClearTrack',
    item: 'Level 2',
    result: 'Clear',
    ordered_on: day(-20),
    completed_on: day(-15),
  })
  const { Items } = await listed({ Type: 1 })
  expect(Items).toMatchObject([
    { Vendor: 'ClearTrack', Ordered: day(-20), Completed: day(-15), Result: 'Clear', State: 'complete' },
    { Id: null, Student: 'Baker, Ben', Item: 'Background check', State: 'missing' },
  ])
})

test('expiry decides before the vendor’s word: expired, within 7, 30 and 60 days', async () => {
  for (const [item, ahead, status] of [
    ['a', -1, 'complete'],
    ['b', 0, 'complete'],
    ['c', 7, 'complete'],
    ['d', 8, 'complete'],
    ['e', 30, 'complete'],
    ['f', 60, 'complete'],
    ['g', 61, 'complete'],
    ['h', -5, 'pending'],
    ['i', -5, 'waived'],
    ['j', 20, 'failed'],
  ] as const)
    await record(ada, { item, expires_on: day(ahead), status })
  const of = async (Show?: contract.VerificationFilter) =>
    (await listed({ StudentId: ada.Id, ...(Show && { Show }) })).Items.map(({ Item }) => Item).join('')
  expect(await of('expired')).toBe('ah')
  expect(await of('within7')).toBe('bc')
  expect(await of('within30')).toBe('bcde')
  expect(await of('within60')).toBe('bcdef')
  expect(await of('complete')).toBe('bcdefgi')
  expect(await of('open')).toBe('j')
  const { Totals, Total } = await listed({ StudentId: ada.Id, Show: 'within7' })
  expect(Total).toBe(2)
  expect(Totals).toEqual({
    Complete: 7,
    Missing: 0,
    Open: 1,
    Expired: 2,
    Within60: 5,
    Within30: 4,
    Within7: 2,
  })
})

test('each student has counts and the next expiry, and a filter leaves those that have something of it', async () => {
  await record(ada, { expires_on: day(5) })
  await record(ada, { item: 'Flu', expires_on: day(90) })
  const students = (query: object = {}) =>
    faculty.ok(contract.listVerifiedStudents, {
      params: { programId: program.Id },
      query: { Type: 2, ...query },
    })
  const { Items, Total, Totals } = await students()
  expect(Total).toBe(2)
  expect(Items).toEqual([
    {
      StudentId: ada.Id,
      Student: 'Adams, Ada',
      StudentLevel: 'Level 1',
      Complete: 2,
      Missing: 0,
      Open: 0,
      Expired: 0,
      Within60: 1,
      Within30: 1,
      Within7: 1,
      NextExpiry: day(5),
    },
    expect.objectContaining({ Student: 'Baker, Ben', Missing: 2, Complete: 0, NextExpiry: null }),
  ])
  expect(Totals).toMatchObject({ Complete: 2, Missing: 2 })
  expect((await students({ Show: 'missing' })).Items.map(({ Student }) => Student)).toEqual(['Baker, Ben'])
  expect((await students({ sort: '-Missing' })).Items[0]!.Student).toBe('Baker, Ben')
  expect(await students({ page: 2, pageSize: 1 })).toMatchObject({
    Total: 2,
    Items: [{ Student: 'Baker, Ben' }],
  })
})

test('rows are searched, filtered by level, sorted and paged', async () => {
  await record(ada, { expires_on: day(10) })
  await record(ben, { expires_on: day(300) })
  expect(await states({ search: 'bEn' })).toEqual([['Baker, Ben', 'MMR', 'complete']])
  expect(await states({ search: '%' })).toEqual([])
  expect(await states({ StudentLevelIds: [2] })).toEqual([['Baker, Ben', 'MMR', 'complete']])
  expect((await states({ sort: '-Expires' }))[0]![0]).toBe('Baker, Ben')
  expect((await states({ sort: 'State' }))[0]![2]).toBe('expiring')
  expect(await listed({ page: 2, pageSize: 1 })).toMatchObject({
    Total: 2,
    Items: [{ Student: 'Baker, Ben' }],
  })
})

test('people who left and records that were deleted are not counted', async () => {
  await record(ada)
  await record(ada, { item: 'Gone', deleted_at: '2026-01-01' })
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [ben.Id])
  expect(await states()).toEqual([['Adams, Ada', 'MMR', 'complete']])
})

test('the summary is downloaded as CSV and XLSX with its filter, and no cell is a formula', async () => {
  const found = await record(ada, { item: '=HYPERLINK("x")', completed_on: '2026-02-03' })
  await record(ada, { type: 1, vendor: 'ClearTrack', item: 'Level 2', ordered_on: '2026-02-01' })
  const file = (query: object) =>
    faculty.call(contract.exportVerifications, {
      params: { programId: program.Id },
      query: { Type: 2, Format: 'csv' as const, ...query },
    })
  const csv = await file({ Show: 'complete' })
  expect(csv.headers.get('content-disposition')).toContain('Immunization Summary.csv')
  expect(csv.body).toBe(
    `Student,Student level,Requirement,Vendor,Status,Result,Date,Expires,Record ID,Student ID\r\n"Adams, Ada",Level 1,"'=HYPERLINK(""x"")",Vaxline,Complete,,02/03/2026,,${found.id},\r\n`,
  )
  expect((await file({ Type: 1 })).body).toContain('"Adams, Ada",Level 1,ClearTrack,Level 2,02/01/2026')
  const xlsx = await file({ Format: 'xlsx' })
  expect(xlsx.headers.get('content-type')).toContain('spreadsheetml')
})

test('D1-026 everybody sees the own record and nobody else’s', async () => {
  await record(ada, { expires_on: day(3) })
  await record(ben, { item: 'Flu' })
  const own = async (person: MadePerson, Type = 2) =>
    (await installation.as(person)).ok(contract.listOwnVerifications, { query: { Type } })
  const mine = await own(ada)
  expect(mine.Items.map(({ Item, State }) => [Item, State])).toEqual([
    ['Flu', 'missing'],
    ['MMR', 'expiring'],
  ])
  expect(mine.Totals).toMatchObject({ Missing: 1, Within7: 1 })
  expect((await own(ada, 1)).Items).toMatchObject([{ Item: 'Background check', State: 'missing' }])
  const alumnus = await makePerson(installation.owner, Level.Alumnus, { program })
  expect((await own(alumnus)).Items).toEqual([])
  expect((await own(await makePerson(installation.owner, Level.SuperAdmin))).Items).toEqual([])
  const student = await installation.as(ada)
  for (const endpoint of [contract.listVerifications, contract.listVerifiedStudents])
    expect(
      (await student.call(endpoint, { params: { programId: program.Id }, query: { Type: 2 } })).status,
    ).toBe(403)
})

test('another program’s verifications are not there', async () => {
  await record(ada)
  const stranger = await installation.as(await makePerson(installation.owner, Level.Admin))
  const query = { Type: 2 }
  expect(
    (await stranger.call(contract.listVerifications, { params: { programId: program.Id }, query })).status,
  ).toBe(404)
})

test('a page of 30,000 requirements counts them all', { timeout: 60_000 }, async () => {
  const { owner } = installation
  await owner.query(
    `insert into account (program_id, user_name, access_level, first_name, last_name)
      select $1::bigint, 'many' || $1::bigint || 'x' || n, 39, 'First' || n, 'Last' || n from generate_series(1, 3000) n`,
    [program.Id],
  )
  await owner.query(
    `insert into verification (program_id, student_id, type, vendor, item, status, expires_on)
      select a.program_id, a.id, 2, 'Vaxline', 'Item ' || n, 'complete', current_date + (a.id + n * 13)::integer % 500 - 20
      from account a cross join generate_series(1, 10) n where a.program_id = $1 and a.access_level = 39 and (a.id + n) % 9 > 0`,
    [program.Id],
  )
  await owner.query('analyze verification')
  const { Items, Total } = await listed({ pageSize: 200 })
  expect(Items).toHaveLength(200)
  expect(Total).toBe(30_020)
})
