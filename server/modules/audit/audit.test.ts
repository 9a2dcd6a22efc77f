import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createArea, updateArea } from '#contract/areas/areas.ts'
import * as contract from '#contract/audit/audit.ts'
import { Level } from '#contract/core/levels.ts'
import { allEndpoints } from '#contract/index.ts'
import { getUser } from '#contract/people/people.ts'
import { approveTimeRecords, rejectTimeRecords } from '#contract/time/approvals.ts'
import { addTimeRecord, deleteTimeRecord, editTimeRecord } from '#contract/time/time-records.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { actionWords } from './action-words.service.ts'

let installation: Installation
let program: MadeProgram
let director: Caller
let coordinator: Caller
let student: MadePerson
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  director = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
  coordinator = await installation.as(
    await makePerson(installation.owner, Level.Coord, { program, first_name: 'Cora', last_name: 'Lane' }),
  )
  student = await makeStudent(installation.owner, program)
})

const inProgram = () => ({ params: { programId: program.Id } })
const list = (query: object = {}) => director.ok(contract.listAudit, { ...inProgram(), query })
const area = { Name: 'Imaging', IsActive: true, AreNotificationsEnabled: false }

test('who did what, when and from where, with old and new values', async () => {
  const { Id } = await coordinator.ok(createArea, { ...inProgram(), body: area })
  await coordinator.ok(updateArea, {
    params: { programId: program.Id, areaId: Id },
    body: { ...area, Name: 'CT' },
  })
  const { Items, NextCursor } = await list({ Kind: 'change' })
  expect(NextCursor).toBeNull()
  expect(Items.map(({ Summary }) => Summary)).toEqual(['Change an area', 'Add an area'])
  expect(Items[0]).toMatchObject({
    Person: 'Cora Lane',
    Key: null,
    Address: '127.0.0.1',
    Detail: { Before: { Name: 'Imaging' }, After: { Name: 'CT' } },
  })
})

test('what is done to time records names day, site and both values, and is found by each student whose it is', async () => {
  const shift = await makeShift(installation.owner, program)
  const other = await makeStudent(installation.owner, program)
  await installation.owner.query("update program set time_zone = 'America/Chicago' where id = $1", [
    program.Id,
  ])
  const add = async (StudentId: number, Time: string) =>
    (
      await coordinator.ok(addTimeRecord, {
        ...inProgram(),
        body: {
          StudentId,
          Kind: 'exception',
          SiteId: shift.SiteId,
          Date: '2026-03-09',
          Time,
          EndTime: '15:45',
        },
      })
    ).Id
  const [first, second] = [await add(student.Id, '08:00'), await add(other.Id, '09:00')]
  await coordinator.ok(editTimeRecord, {
    params: { programId: program.Id, recordId: first },
    body: { Date: '2026-03-09', Time: '08:30', EndTime: '15:45', Reason: 'Later' },
  })
  await coordinator.ok(approveTimeRecords, {
    ...inProgram(),
    body: { Ids: [first, second], IncludeCareful: true },
  })
  await coordinator.ok(rejectTimeRecords, {
    ...inProgram(),
    body: { Ids: [first], Reason: 'Not there', SeenApproved: [first] },
  })
  await coordinator.ok(deleteTimeRecord, { params: { programId: program.Id, recordId: first } })
  const done = async (SubjectId: number) =>
    (await list({ SubjectId, Kind: 'change' })).Items.map(({ Summary, Detail }) => [
      Summary,
      ((Detail.Records ?? []) as { Time: string; Hours: string; Status: string }[]).map(
        ({ Time, Hours, Status }) => `${Time} ${Hours} ${Status}`,
      ),
    ])
  // The site is in New York, the program in Chicago: its own time is told.
  expect(await done(student.Id)).toEqual([
    [expect.stringMatching(/^Delete/), ['07:30 7:15 rejected']],
    [expect.stringMatching(/^Reject/), ['07:30 7:15 rejected']],
    [expect.stringMatching(/^Approve/), ['07:30 7:15 approved']],
    [expect.stringMatching(/^Change|^Edit/), ['07:00 7:45 pending']],
    [expect.stringMatching(/^Add/), ['07:00 7:45 pending']],
  ])
  expect(await done(other.Id)).toHaveLength(2)
  const [edit] = (await list({ SubjectId: student.Id, Kind: 'change' })).Items.slice(3)
  const site = expect.any(String)
  expect(edit!.Detail).toMatchObject({
    Before: { Date: '2026-03-09', Time: '07:00', Site: site, Hours: '7:45' },
    After: { Date: '2026-03-09', Time: '07:30', Site: site, Hours: '7:15' },
    Reason: 'Later',
  })
})

test('numbers in an entry come with what they are called, of the own program only', async () => {
  const rotation = await makeRotation(installation.owner, program)
  const foreign = await makeRotation(installation.owner, await makeProgram(installation.owner))
  await makeRow(installation.owner, 'audit', {
    program_id: program.Id,
    action: 'POST /programs/:programId/rotations',
    detail: JSON.stringify({
      Before: [{ RotationId: rotation.Id, StudentId: student.Id }],
      rotationIds: [foreign.Id],
    }),
  })
  const { Names } = (await list({ Kind: 'change' })).Items[0]!
  expect(Object.keys(Names).toSorted()).toEqual([`person ${student.Id}`, `rotation ${rotation.Id}`])
})

test('filters find what somebody did, what is about somebody, what keys did, and the days', async () => {
  await coordinator.ok(getUser, { params: { programId: program.Id, userId: student.Id } })
  await makeRow(installation.owner, 'audit', {
    program_id: program.Id,
    action: 'POST /programs/:programId/areas',
    at: '2026-01-15T05:30:00Z',
    detail: JSON.stringify({ ByKey: { Id: 1, Name: 'Registrar' } }),
  })
  expect((await list({ SubjectId: student.Id })).Items).toMatchObject([
    { SubjectId: student.Id, Person: 'Cora Lane' },
  ])
  const [view] = (await list({ Kind: 'view' })).Items
  expect((await list({ PersonId: view!.PersonId! })).Items).toHaveLength(1)
  expect((await list({ ByKey: true })).Items).toMatchObject([{ Key: 'Registrar', Link: null }])
  // By inbox links as the account that they name, by others as nobody.
  for (const [action, detail] of [
    ['POST /programs/:programId/time-records', { ByLink: { Id: 1, Recipient: 'inbox@site.example' } }],
    ['link: packet opened', { Link: 2, Recipient: 'Site <packet@site.example>' }],
  ] as const)
    await makeRow(installation.owner, 'audit', {
      program_id: program.Id,
      action,
      at: '2026-01-16T05:30:00Z',
      detail: JSON.stringify(detail),
    })
  expect((await list({ ByLink: true })).Items.map(({ Link }) => Link)).toEqual([
    'Site <packet@site.example>',
    'inbox@site.example',
  ])
  // The days are the program's own: it is 00:30 there.
  expect((await list({ FromDate: '2026-01-15', ThroughDate: '2026-01-15' })).Items).toHaveLength(1)
  expect((await list({ FromDate: '2026-01-14', ThroughDate: '2026-01-14' })).Items).toHaveLength(0)
})

test('what a student does is about them, and is found by their name; what it was is told in the words of the trade', async () => {
  for (const [account_id, action] of [
    [student.Id, 'POST /requirements/:requirementId/signature'],
    [student.Id, 'GET /requirements/mine'],
    [null, 'exam: code mailed'],
  ] as const)
    await makeRow(installation.owner, 'audit', { program_id: program.Id, account_id, action })
  const { FirstName, LastName } = await coordinator.ok(getUser, {
    params: { programId: program.Id, userId: student.Id },
  })
  const name = `${FirstName} ${LastName}`
  const Items = (await list({})).Items.slice(-3)
  expect(Items.map(({ Subject, Summary }) => [Subject, Summary])).toEqual([
    [null, 'Code for an exam emailed'],
    [null, expect.any(String)],
    [name, expect.any(String)],
  ])
  expect((await list({ SubjectId: student.Id, Kind: 'change' })).Items.map(({ Action }) => Action)).toEqual([
    'POST /requirements/:requirementId/signature',
  ])
  const audited = allEndpoints.filter(
    ({ method, views, answers }) => method !== 'GET' || views !== undefined || answers === 'file',
  )
  const summaries = audited.map(({ method, path }) => actionWords(`${method} ${path}`))
  expect(summaries.filter((text) => /\b(?:caller|token|endpoint|row)\b|:/i.test(text))).toEqual([])
})

test('pages follow each other without a gap, also of rows of one moment', async () => {
  await installation.owner.query(
    `insert into audit (program_id, action, at) select $1, 'row ' || n, now() from generate_series(1, 250) n`,
    [program.Id],
  )
  const seen: number[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list({ ...(cursor && { cursor }) })
    seen.push(...page.Items.map(({ Id }) => Id))
    cursor = page.NextCursor
  }
  expect(seen).toHaveLength(250)
  expect(new Set(seen).size).toBe(250)
  expect(seen).toEqual(seen.toSorted((a, b) => b - a))
})

test('the same rows are a file', async () => {
  await coordinator.ok(createArea, { ...inProgram(), body: area })
  const { status, body } = await director.call(contract.exportAudit, {
    ...inProgram(),
    query: { Format: 'csv' },
  })
  expect(status).toBe(200)
  expect(body).toContain('Add an area')
  expect(body).toContain('Cora Lane')
})

test('only directors and above read it, of their own program; bad filters are refused', async () => {
  expect((await coordinator.call(contract.listAudit, { ...inProgram(), query: {} })).status).toBe(403)
  const other = await makeProgram(installation.owner)
  expect(
    (await director.call(contract.listAudit, { params: { programId: other.Id }, query: {} })).status,
  ).toBe(404)
  await makeRow(installation.owner, 'audit', { program_id: other.Id, action: 'foreign' })
  expect((await list()).Items.map(({ Action }) => Action)).not.toContain('foreign')
  for (const query of [{ Kind: 'x' }, { FromDate: 'x' }, { PersonId: 0 }])
    expect((await director.call(contract.listAudit, { ...inProgram(), query: query as never })).status).toBe(
      400,
    )
})

test('a student sees who opened the own record, and nothing of anybody else', async () => {
  const own = await installation.as(student)
  const other = await makeStudent(installation.owner, program)
  await coordinator.ok(getUser, { params: { programId: program.Id, userId: student.Id } })
  await coordinator.ok(getUser, { params: { programId: program.Id, userId: other.Id } })
  const { Items } = await own.ok(contract.listRecordViews, { query: {} })
  expect(Items).toMatchObject([{ Person: 'Cora Lane', Summary: "One person's account", IsChange: false }])
  const boss = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  await boss.ok(getUser, { params: { programId: program.Id, userId: student.Id } })
  expect((await own.ok(contract.listRecordViews, { query: {} })).Items[0]!.Person).toBe('Practicum support')
  expect((await coordinator.call(contract.listRecordViews, { query: {} })).status).toBe(403)
})
