import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { exportTimeSummaries, getTimeSummaries } from '#contract/time/time-summaries.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let faculty: Caller
let student: MadePerson
let other: MadePerson
let site: { Id: number; Name: string }
let rotation: { Id: number }

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC' })
  faculty = await installation.as(await makePerson(owner, Level.Faculty, { program }))
  student = await makeStudent(owner, program)
  other = await makeStudent(owner, program)
  site = await makeSite(owner, program, { time_zone: 'UTC' })
  rotation = await makeRotation(owner, program, { target_minutes: 6_000 })
})

const record = (more: object = {}) =>
  makeRow(installation.owner, 'time_record', {
    program_id: program.Id,
    student_id: student.Id,
    site_id: site.Id,
    rotation_id: rotation.Id,
    kind: 'exception',
    occurred_at: '2026-10-05T08:00:00Z',
    date: '2026-10-05',
    minutes: 480,
    status: 'approved',
    ...more,
  })
const totals = (query: object = {}) =>
  faculty.ok(getTimeSummaries, { params: { programId: program.Id }, query })

test('D3-086 time is added up by student against the hours of the rotations', async () => {
  await record()
  await record({ status: 'pending', minutes: 60 })
  await record({ kind: 'absence', minutes: 240 })
  await record({ status: 'rejected' })
  await record({ deleted_at: '2026-10-06T00:00:00Z' })
  await record({ kind: 'out', minutes: 300 })
  await record({ student_id: other.Id, minutes: 120, rotation_id: null })
  const found = await totals({ sort: '-Approved' })
  expect(found.Items).toMatchObject([
    { Id: student.Id, Records: 3, Approved: 480, Pending: 60, Absence: 240, Planned: 0, Target: 6_000 },
    { Id: other.Id, Records: 1, Approved: 120, Target: 0 },
  ])
  expect(found.Totals).toEqual({
    Students: 2,
    Records: 4,
    Approved: 600,
    Pending: 60,
    Absence: 240,
    Planned: 0,
  })
  expect(found.Weeks).toEqual([{ Week: '2026-10-04', Monday: '2026-10-05', Approved: 600, Pending: 60 }])
})

test('D3-086 the same time by site, area, month and type, beside what was planned', async () => {
  const { owner } = installation
  const second = await makeSite(owner, program, { time_zone: 'UTC' })
  const shift = await makeShift(owner, program, { site, capacity: 3 })
  await makeRow(owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: site.Id,
    student_id: student.Id,
    date: '2026-10-07',
    starts_at: '2026-10-07T08:00:00Z',
    ends_at: '2026-10-07T16:00:00Z',
  })
  await record()
  await record({
    site_id: second.Id,
    kind: 'makeup',
    date: '2026-11-03',
    occurred_at: '2026-11-03T08:00:00Z',
  })
  const bySite = await totals({ By: 'site', sort: '-Planned' })
  expect(bySite.Items.map(({ Id, Approved, Planned, Target }) => [Id, Approved, Planned, Target])).toEqual([
    [site.Id, 480, 480, null],
    [second.Id, 480, 0, null],
  ])
  expect((await totals({ By: 'area' })).Totals.Planned).toBe(480)
  expect((await totals({ By: 'month' })).Items.map(({ Key, Approved }) => [Key, Approved])).toEqual([
    ['2026-10', 480],
    ['2026-11', 480],
  ])
  expect((await totals({ By: 'type' })).Items.map(({ Key, Planned }) => [Key, Planned]).toSorted()).toEqual([
    ['exception', null],
    ['makeup', null],
  ])
  expect((await totals({ Type: 'makeup' })).Totals).toMatchObject({ Approved: 480, Planned: null })
  expect((await totals({ SiteId: second.Id })).Totals).toMatchObject({ Approved: 480, Planned: 0 })
  expect((await totals({ ThroughDate: '2026-10-31' })).Items).toMatchObject([{ Approved: 480, Target: null }])
  expect((await totals({ RotationId: rotation.Id, StudentId: other.Id })).Items).toEqual([])
})

test('totals are for faculty and up of the program, and come as a file', async () => {
  await record()
  const at = { params: { programId: program.Id } }
  const learner = await installation.as(student)
  expect((await learner.call(getTimeSummaries, at)).status).toBe(403)
  const stranger = await installation.as(await makePerson(installation.owner, Level.Coord))
  expect((await stranger.call(getTimeSummaries, at)).status).toBe(404)
  expect((await faculty.send('GET', `/programs/${program.Id}/time-summaries?By=mood`)).status).toBe(400)
  const { status, body } = await faculty.call(exportTimeSummaries, {
    ...at,
    query: { By: 'type', Format: 'csv' },
  })
  expect(status).toBe(200)
  expect(String(body).split('\n')[1]).toMatch(/^Time exception,1,1,8/)
})

test('a cohort alone is added up, in its weeks too', async () => {
  const ofCohort = await makeStudent(installation.owner, program, { cohort: '2028' })
  await record()
  await record({ student_id: ofCohort.Id, minutes: 90 })
  const found = await totals({ Cohort: '2028' })
  expect(found.Items).toMatchObject([{ Id: ofCohort.Id, Approved: 90 }])
  expect(found.Totals).toMatchObject({ Students: 1, Records: 1, Approved: 90 })
  expect(found.Weeks).toEqual([{ Week: '2026-10-04', Monday: '2026-10-05', Approved: 90, Pending: 0 }])
  const bySite = await totals({ Cohort: '2028', By: 'site' })
  expect(bySite.Items).toMatchObject([{ Id: site.Id, Students: 1, Approved: 90 }])
})
