import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, formatDate } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/people/leaving.ts'
import { deactivateUser, getUser, reactivateUser, searchUsers, updateUser } from '#contract/people/people.ts'
import { countsOn } from '#contract/people/who-counts.ts'
import { listProgress } from '#contract/progress/progress.ts'
import { getOutcomes } from '#contract/reports/outcomes.ts'
import { getHome } from '#contract/reports/reports.ts'
import {
  addShiftAssignments,
  getShiftAssignment,
  moveShiftAssignment,
} from '#contract/scheduling/assignments.ts'
import { getScheduleGrid } from '#contract/scheduling/schedule-grid.ts'
import { signUpForOpenShift } from '#contract/shift-changes/open-shifts.ts'
import { getStudent } from '#contract/students/students.ts'
import { approveTimeRecords, rejectTimeRecords } from '#contract/time/approvals.ts'
import { getClock, reportException } from '#contract/time/clock.ts'
import { getHoursSummary } from '#contract/time/hours-summary.ts'
import { addTimeRecord } from '#contract/time/time-records.ts'
import { transaction } from '#server/core/database/pool.ts'
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
import { whileHeld } from '#server/test/held-program.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { countProgress } from '../progress/progress.commands.ts'
import { endAccessOnDay } from './leaving.jobs.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let ada: MadePerson
let bo: MadePerson
let rotation: { Id: number }
let shift: { Id: number; SiteId: number }
let today: string

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner, as } = installation
  today = new Date().toISOString().slice(0, 10)
  program = await makeProgram(owner, { time_zone: 'UTC' })
  coordinator = await as(await makePerson(owner, Level.Coord, { program }))
  ada = await makeStudent(owner, program, { first_name: 'Ada', last_name: 'Okafor' })
  bo = await makeStudent(owner, program, { first_name: 'Bo', last_name: 'Lind' })
  rotation = await makeRotation(owner, program, {
    start_date: addDays(today, -60),
    end_date: addDays(today, 60),
  })
  shift = await makeShift(owner, program, {
    capacity: 1,
    start_date: addDays(today, -90),
    end_date: addDays(today, 90),
  })
})

const params = () => ({ programId: program.Id })
const of = (userId: number) => ({ params: { ...params(), userId } })
const place = (studentId: number, date: string, siteShiftId = shift.Id) =>
  coordinator.ok(addShiftAssignments, {
    params: params(),
    body: { RotationId: rotation.Id, SiteShiftId: siteShiftId, StudentIds: [studentId], Dates: [date] },
  })
const leave = (body: object = {}, userId = ada.Id) =>
  coordinator.ok(contract.leaveProgram, { ...of(userId), body: { LastDay: today, ...body } })
const evaluate = () =>
  makeRow(installation.owner, 'evaluation_template', {
    program_id: program.Id,
    title: 'Weekly',
    evaluator_role: 'faculty',
    subject_role: 'student',
  })
const record = (studentId: number, date: string) =>
  coordinator.ok(addTimeRecord, {
    params: params(),
    body: {
      StudentId: studentId,
      Kind: 'exception',
      SiteId: shift.SiteId,
      Date: date,
      Time: '07:00',
      EndTime: '15:00',
    },
  })

test('who leaves frees the places to come at once, as the preview says, and gets back what is still free', async () => {
  await place(ada.Id, addDays(today, 3))
  await place(ada.Id, addDays(today, 4))
  expect((await place(bo.Id, addDays(today, 3))).Refused[0]?.Rule).toBe('capacity')
  const preview = await coordinator.ok(contract.previewLeaving, { ...of(ada.Id), query: { LastDay: today } })
  expect(preview).toMatchObject({ Sites: [{ SiteId: shift.SiteId, Shifts: 2, Handed: 0 }], LastRecord: null })
  expect(await leave()).toEqual({
    Freed: 2,
    Handed: 0,
    Evaluations: 0,
    Refused: [],
    LeavesOn: null,
    Returned: 0,
  })
  expect(await place(bo.Id, addDays(today, 3))).toMatchObject({ Added: 1 })
  expect(
    (await coordinator.call(contract.leaveProgram, { ...of(ada.Id), body: { LastDay: today } })).status,
  ).toBe(409)
  const back = await coordinator.ok(contract.undoLeaving, of(ada.Id))
  expect(back).toMatchObject({ Shifts: 1, Refused: [{ Date: addDays(today, 3) }] })
  expect((await coordinator.ok(getUser, of(ada.Id))).IsActive).toBe(true)
  expect((await coordinator.call(contract.undoLeaving, of(ada.Id))).status).toBe(409)
})

const assigned = async () =>
  (
    await installation.owner.query(
      'select student_id, date::text from shift_assignment where program_id = $1 and removed_at is null order by date, student_id',
      [program.Id],
    )
  ).rows.map(({ student_id, date }) => [student_id, date])

const soon = (days: number) => addDays(today, days)

test('on a last day to come shifts after it are free at once, none can be added, and everything else goes on until then', async () => {
  for (const days of [0, 2, 4, 6]) await place(ada.Id, soon(days))
  const preview = await coordinator.ok(contract.previewLeaving, {
    ...of(ada.Id),
    query: { LastDay: soon(3) },
  })
  expect(preview).toMatchObject({ Today: today, Sites: [{ Shifts: 2 }], Returning: 0 })
  expect(await leave({ LastDay: soon(3) })).toMatchObject({ Freed: 2, LeavesOn: soon(3), Evaluations: 0 })
  expect(await assigned()).toEqual([
    [ada.Id, soon(0)],
    [ada.Id, soon(2)],
  ])
  expect(await place(bo.Id, soon(4))).toMatchObject({ Added: 1 })
  const refused = (await place(ada.Id, soon(6))).Refused[0]
  expect(refused).toMatchObject({
    Rule: 'last_day',
    Message: expect.stringContaining(`Ada Okafor leaves on ${formatDate(soon(3))}`),
  })
  expect(await place(ada.Id, soon(3))).toMatchObject({ Added: 1 })
  const student = await installation.as(ada)
  expect((await student.call(getClock)).status).toBe(200)
  const makeup = (days: number) =>
    student.call(reportException, {
      body: {
        Kind: 'makeup',
        Date: soon(days),
        SiteId: shift.SiteId,
        Time: '17:00',
        EndTime: '18:00',
        Reason: 'Was ill.',
      },
    })
  expect(await makeup(5)).toMatchObject({ status: 422, body: { Code: 'last_day' } })
  expect((await makeup(3)).status).toBe(200)
  const listed = await coordinator.ok(searchUsers, { params: params(), query: { search: 'Okafor' } })
  expect(listed.Items).toMatchObject([{ Id: ada.Id, IsActive: true, LeavesOn: soon(3) }])
  expect(await coordinator.ok(getStudent, { params: { ...params(), studentId: ada.Id } })).toMatchObject({
    IsActive: true,
    LeavesOn: soon(3),
    LastDay: null,
  })
})

test('of waiting lists only those of days after the last one end, and nobody joins one there', async () => {
  const { owner } = installation
  const offer = async (days: number) => {
    const offered = await makeRow(owner, 'open_shift', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      site_shift_id: shift.Id,
      date: soon(days),
      places: 1,
      taken: 1,
      closes_at: `${soon(days)}T00:00:00Z`,
    })
    return Number(offered.id)
  }
  const [before, after] = [await offer(2), await offer(5)]
  const student = await installation.as(ada)
  const join = (openShiftId: number) =>
    student.call(signUpForOpenShift, { params: { openShiftId }, body: { IsWaiting: true } })
  for (const days of [2, 5]) await place(bo.Id, soon(days))
  for (const id of [before, after]) expect((await join(id)).body).toMatchObject({ WaitingAs: 1 })
  const preview = { ...of(ada.Id), query: { LastDay: soon(3) } }
  expect(await coordinator.ok(contract.previewLeaving, preview)).toMatchObject({ WaitingLists: 1 })
  await leave({ LastDay: soon(3) })
  const { rows } = await owner.query(
    'select open_shift_id as id, state from open_shift_signup where program_id = $1 order by id',
    [program.Id],
  )
  expect(rows).toEqual([
    { id: before, state: 'waiting' },
    { id: after, state: 'ended' },
  ])
  expect(await join(after)).toMatchObject({ status: 422 })
})

test('a last day to come is moved either way and taken back, each with its shifts', async () => {
  for (const days of [1, 3, 5, 7]) await place(ada.Id, soon(days))
  await leave({ LastDay: soon(2) })
  await place(bo.Id, soon(3))
  const later = { ...of(ada.Id), query: { LastDay: soon(6) } }
  expect(await coordinator.ok(contract.previewLeaving, later)).toMatchObject({ Returning: 2, Sites: [] })
  expect(await leave({ LastDay: soon(6) })).toMatchObject({
    Returned: 1,
    Freed: 0,
    Refused: [{ Date: soon(3) }],
  })
  expect(await leave({ LastDay: soon(4), HandToId: bo.Id })).toMatchObject({ Handed: 1, Returned: 0 })
  expect(await assigned()).toEqual([
    [ada.Id, soon(1)],
    [bo.Id, soon(3)],
    [bo.Id, soon(5)],
  ])
  const back = await coordinator.ok(contract.undoLeaving, of(ada.Id))
  expect(back).toMatchObject({ Shifts: 2, Refused: [{ Date: soon(3) }] })
  expect(await assigned()).toEqual([
    [ada.Id, soon(1)],
    [bo.Id, soon(3)],
    [ada.Id, soon(5)],
    [ada.Id, soon(7)],
  ])
  expect((await coordinator.ok(contract.previewLeaving, { ...of(ada.Id), query: {} })).LeavesOn).toBeNull()
  expect((await coordinator.call(contract.undoLeaving, of(ada.Id))).status).toBe(409)
})

test('access ends once the last day is over where the program is, also days later and for staff, and undo gives it all back', async () => {
  const { owner, services } = installation
  const faculty = await makePerson(owner, Level.Faculty, { program })
  const template = await evaluate()
  await makeRow(owner, 'evaluation', {
    program_id: program.Id,
    template_id: template.id,
    date: today,
    evaluator_id: faculty.Id,
    subject_id: ada.Id,
  })
  await place(ada.Id, soon(5))
  for (const id of [ada.Id, faculty.Id]) await leave({ LastDay: soon(1) }, id)
  const work = () => endAccessOnDay.work({}, services)
  const active = async () =>
    Promise.all([ada.Id, faculty.Id].map(async (id) => (await coordinator.ok(getUser, of(id))).IsActive))
  await work()
  expect(await active()).toEqual([true, true])
  // As if the worker had been down since then.
  const passed = soon(-3)
  await owner.query('update account set leaves_on = $2 where program_id = $1 and leaves_on is not null', [
    program.Id,
    passed,
  ])
  await work()
  await work()
  expect(await active()).toEqual([false, false])
  expect((await coordinator.ok(getStudent, { params: { ...params(), studentId: ada.Id } })).LastDay).toBe(
    passed,
  )
  const { rows } = await owner.query(
    'select count(*)::int as n from evaluation where program_id = $1 and stopped_at is not null',
    [program.Id],
  )
  expect(rows[0].n).toBe(1)
  expect(await coordinator.ok(contract.undoLeaving, of(ada.Id))).toMatchObject({ Shifts: 1, Evaluations: 1 })
})

test('who is ended, by a page or on the day, takes with them what somebody was writing at that moment', async () => {
  const { owner, services } = installation
  const template = await evaluate()
  const ends: [string, (userId: number) => Promise<unknown>][] = [
    ['leaving', (userId) => leave({}, userId)],
    ['deactivation', (userId) => coordinator.ok(deactivateUser, of(userId))],
    ['the day', () => endAccessOnDay.work({}, services)],
  ]
  for (const [how, end] of ends) {
    const { Id } = await makeStudent(owner, program)
    if (how === 'the day')
      await owner.query('update account set leaves_on = $2 where id = $1', [Id, soon(-1)])
    await whileHeld(owner, program.Id, [() => end(Id)], {
      write: (client) =>
        client.query(
          'insert into evaluation (program_id, template_id, date, subject_id, student_id) values ($1, $2, $3, $4, $4)',
          [program.Id, template.id, today, Id],
        ),
    })
    const { rows } = await owner.query(
      'select a.deactivated_at is not null as ended, e.stopped_at is not null as stopped from account a join evaluation e on e.subject_id = a.id where a.id = $1',
      [Id],
    )
    expect([how, rows]).toEqual([how, [{ ended: true, stopped: true }]])
  }
})

test('a mailed link to a password ends with the access, and does not come back with it', async () => {
  const { owner } = installation
  await makeRow(owner, 'one_time_token', {
    kind: 'password_reset',
    token_hash: Buffer.from(`reset ${ada.Id}`),
    account_id: ada.Id,
    expires_at: '2032-01-01',
  })
  await coordinator.ok(deactivateUser, of(ada.Id))
  await coordinator.ok(reactivateUser, of(ada.Id))
  const { rows } = await owner.query(
    'select used_at is not null as used from one_time_token where account_id = $1',
    [ada.Id],
  )
  expect(rows).toEqual([{ used: true }])
})

test('of two who end each other at once one stays', async () => {
  const { owner, as } = installation
  for (let round = 0; round < 4; round++) {
    const people = [
      await makePerson(owner, Level.Coord, { program }),
      await makePerson(owner, Level.Coord, { program }),
    ] as const
    const [one, other] = [await as(people[0]), await as(people[1])]
    // Both are there before either may begin.
    const replies = await whileHeld(
      owner,
      program.Id,
      [() => one.call(deactivateUser, of(people[1].Id)), () => other.call(deactivateUser, of(people[0].Id))],
      { alone: true },
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 401])
    const { rows } = await owner.query(
      'select id from account where id = any ($1) and deactivated_at is null',
      [people.map(({ Id }) => Id)],
    )
    expect(rows.length).toBe(1)
  }
})

test('a directory ends access at once before the last day to come, and what it took comes back with the rest', async () => {
  await place(ada.Id, soon(2))
  await place(ada.Id, soon(5))
  await leave({ LastDay: soon(3) })
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [ada.Id])
  expect(await assigned()).toEqual([])
  expect((await coordinator.ok(contract.previewLeaving, { ...of(ada.Id), query: {} })).LeavesOn).toBeNull()
  expect(await coordinator.ok(contract.undoLeaving, of(ada.Id))).toMatchObject({ Shifts: 2, Refused: [] })
})

test('access that is given back by the plain call brings back what its end has taken', async () => {
  await place(ada.Id, addDays(today, 3))
  await coordinator.ok(deactivateUser, of(ada.Id))
  await coordinator.ok(reactivateUser, of(ada.Id))
  expect(await assigned()).toEqual([[ada.Id, addDays(today, 3)]])
})

test('shifts are handed on as far as the rules allow, the others freed, and come back', async () => {
  const night = await makeShift(installation.owner, program, {
    start_date: addDays(today, -90),
    end_date: addDays(today, 90),
  })
  await place(ada.Id, addDays(today, 3))
  await place(ada.Id, addDays(today, 5))
  await place(bo.Id, addDays(today, 5), night.Id)
  const HandToId = bo.Id
  const preview = await coordinator.ok(contract.previewLeaving, {
    ...of(ada.Id),
    query: { LastDay: today, HandToId },
  })
  expect(preview).toMatchObject({ Sites: [{ Shifts: 2, Handed: 1 }], Refused: [{ Date: addDays(today, 5) }] })
  expect(await leave({ HandToId })).toMatchObject({ Freed: 1, Handed: 1, Refused: preview.Refused })
  expect(await coordinator.ok(contract.undoLeaving, of(ada.Id))).toEqual({
    Shifts: 2,
    Evaluations: 0,
    Refused: [],
  })
})

/** As if so many days had passed since somebody left. */
const passDays = async (days: number, ids: readonly number[]) => {
  const { owner } = installation
  const back = `interval '${days} days'`
  await owner.query(
    `update leaving set made_at = made_at - ${back}, last_day = last_day - ${days} where program_id = $1`,
    [program.Id],
  )
  await owner.query(
    `update evaluation set stopped_at = stopped_at - ${back} where program_id = $1 and stopped_at is not null`,
    [program.Id],
  )
  await owner.query(
    `update shift_assignment set date = date - ${days}, starts_at = starts_at - ${back}, ends_at = ends_at - ${back}
      where program_id = $1 and student_id = any ($2)`,
    [program.Id, ids],
  )
}

test('who returns later has not missed the shifts of the time away, and takes none from whoever worked them', async () => {
  const of2 = await makeShift(installation.owner, program, {
    capacity: 1,
    start_date: addDays(today, -90),
    end_date: addDays(today, 90),
  })
  await place(ada.Id, addDays(today, 3))
  await place(ada.Id, addDays(today, 30))
  await place(ada.Id, addDays(today, 4), of2.Id)
  await place(bo.Id, addDays(today, 4))
  await place(bo.Id, addDays(today, 31))
  // The day 3 goes to the other one; on day 4 they have a shift.
  expect(await leave({ HandToId: bo.Id })).toMatchObject({ Handed: 2, Freed: 1 })
  await passDays(10, [ada.Id, bo.Id])
  await record(bo.Id, addDays(today, -7))
  const shiftsOf = async (id: number) =>
    (
      await installation.owner.query(
        'select date::text from shift_assignment where program_id = $1 and student_id = $2 and removed_at is null order by date',
        [program.Id, id],
      )
    ).rows.map(({ date }) => date)
  const back = await coordinator.ok(contract.undoLeaving, of(ada.Id))
  expect(await shiftsOf(ada.Id)).toEqual([addDays(today, 20)])
  expect(await shiftsOf(bo.Id)).toEqual([addDays(today, -7), addDays(today, -6), addDays(today, 21)])
  const Message = 'The day passed while the student was away.'
  expect(back).toMatchObject({
    Shifts: 1,
    Refused: [
      { Date: addDays(today, -7), Message },
      { Date: addDays(today, -6), Message },
    ],
  })
})

test('each site that may be told is told once that a student leaves, as the preview says, and of the return', async () => {
  const { owner } = installation
  const other = await makeShift(owner, program, {
    start_date: addDays(today, -90),
    end_date: addDays(today, 90),
  })
  for (const SiteId of [shift.SiteId, other.SiteId])
    await makeRow(owner, 'site_contact', {
      program_id: program.Id,
      site_id: SiteId,
      name: 'Gia',
      email: `gia${SiteId}@example.org`,
    })
  await makeRow(owner, 'site_disclosure', {
    program_id: program.Id,
    site_id: shift.SiteId,
    basis: 'schoolOfficial',
    notice_on: today,
    agreement_on: today,
  })
  await place(ada.Id, addDays(today, 3))
  await place(ada.Id, addDays(today, 4))
  await place(ada.Id, addDays(today, 5), other.Id)
  const told = async () =>
    (
      await owner.query(
        "select recipient, subject, html from mail where program_id = $1 and label = 'SITE_student_left' order by id",
        [program.Id],
      )
    ).rows
  const HandToId = bo.Id
  await place(bo.Id, addDays(today, 4), other.Id)
  const { Sites } = await coordinator.ok(contract.previewLeaving, {
    ...of(ada.Id),
    query: { LastDay: today, HandToId },
  })
  expect(Sites.map(({ SiteId, IsTold }) => [SiteId, IsTold])).toEqual([
    [shift.SiteId, true],
    [other.SiteId, false],
  ])
  expect(await told()).toEqual([])
  await leave({ HandToId })
  expect(await told()).toMatchObject([
    {
      recipient: `gia${shift.SiteId}@example.org`,
      subject: expect.stringMatching(/: Ada Okafor no longer comes$/),
    },
  ])
  const day = (days: number) => formatDate(addDays(today, days))
  expect((await told())[0].html).toContain(`1 shift is free: ${day(4)}. Bo Lind comes instead: ${day(3)}.`)
  await coordinator.ok(contract.undoLeaving, of(ada.Id))
  expect((await told()).slice(1)).toMatchObject([
    { recipient: `gia${shift.SiteId}@example.org`, html: expect.stringContaining(`: ${day(3)}, ${day(4)}.`) },
  ])
})

test('a last day before recorded time, oneself, lower roles and other programs are refused', async () => {
  const call = (body: object, by = coordinator, at = of(ada.Id)) =>
    by.call(contract.leaveProgram, { ...at, body: { LastDay: today, ...body } as never })
  await record(ada.Id, addDays(today, -2))
  expect((await call({ LastDay: addDays(today, -3) })).status).toBe(422)
  expect((await call({ HandToId: ada.Id })).status).toBe(422)
  expect((await call({ LastDay: 'soon' })).status).toBe(400)
  const { owner, as } = installation
  const faculty = await as(await makePerson(owner, Level.Faculty, { program }))
  expect((await call({}, faculty)).status).toBe(403)
  const stranger = await as(await makePerson(owner, Level.Coord))
  expect((await call({}, stranger)).status).toBe(404)
})

const setLevel = async (AccessLevel: Level): Promise<void> => {
  const {
    Id: _,
    UserName: __,
    IsActive: ___,
    IsTestUser: ____,
    ...rest
  } = await coordinator.ok(getUser, of(ada.Id))
  await coordinator.ok(updateUser, { ...of(ada.Id), body: { ...rest, AccessLevel } })
}

test('who is a student again after another level has the shifts to come again, as far as they are free', async () => {
  await place(ada.Id, addDays(today, 3))
  await place(ada.Id, addDays(today, 4))
  await setLevel(Level.Alumnus)
  await place(bo.Id, addDays(today, 4))
  await setLevel(Level.Student)
  expect((await place(bo.Id, addDays(today, 3))).Refused[0]?.Rule).toBe('capacity')
  // And once more: what was taken the second time comes back too.
  await setLevel(Level.Alumnus)
  await setLevel(Level.Student)
  const { rows } = await installation.owner.query(
    'select student_id, date::text from shift_assignment where program_id = $1 and removed_at is null order by date',
    [program.Id],
  )
  expect(rows).toEqual([
    { student_id: ada.Id, date: addDays(today, 3) },
    { student_id: bo.Id, date: addDays(today, 4) },
  ])
})

test.each([
  ['deactivation', () => coordinator.ok(deactivateUser, of(ada.Id))],
  ['a level that is not Student', () => setLevel(Level.Alumnus)],
  [
    'a directory or roster in one statement',
    () => installation.owner.query('update account set deactivated_at = now() where id = $1', [ada.Id]),
  ],
  [
    'deletion',
    () => installation.owner.query('update account set deleted_at = now() where id = $1', [ada.Id]),
  ],
])('%s frees the places to come too', async (_, end) => {
  await place(ada.Id, addDays(today, 3))
  await end()
  expect(await place(bo.Id, addDays(today, 3))).toMatchObject({ Added: 1 })
})

test('the home page counts at risk nobody who has left, and until a last day to come is over whoever is about to', async () => {
  await transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    countProgress(db, program.Id, today),
  )
  await installation.owner.query(
    "update student_progress set risks = '{requirements}' where program_id = $1",
    [program.Id],
  )
  const atRisk = async () => (await coordinator.ok(getHome, { params: params() })).AtRisk.Count
  expect(await atRisk()).toBe(2)
  await leave({ LastDay: soon(5) })
  expect(await atRisk()).toBe(2)
  await leave()
  expect(await atRisk()).toBe(1)
})

test('open evaluations about and by whoever leaves stop, and resume when they come back', async () => {
  const template = await evaluate()
  const open = (columns: object) =>
    makeRow(installation.owner, 'evaluation', {
      program_id: program.Id,
      template_id: template.id,
      date: today,
      ...columns,
    })
  await open({ evaluator_id: bo.Id, subject_id: ada.Id })
  await open({ evaluator_id: ada.Id, subject_id: bo.Id })
  const stopped = async () =>
    (
      await installation.owner.query(
        'select count(*)::int as n from evaluation where program_id = $1 and stopped_at is not null',
        [program.Id],
      )
    ).rows[0].n
  expect(await leave()).toMatchObject({ Evaluations: 2 })
  expect(await stopped()).toBe(2)
  expect(await coordinator.ok(contract.undoLeaving, of(ada.Id))).toMatchObject({ Evaluations: 2 })
  expect(await stopped()).toBe(0)
})

/** Numbers from 0 up to a bound, the same for a seed. */
const randomOf = (seed: number) => (below: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

test('every page counts whom the rule counts, whatever happens before: placed, moved, rejected, left or leaving, returned', {
  timeout: 60_000,
}, async () => {
  const { owner, as } = installation
  const director = await as(await makePerson(owner, Level.Director, { program }))
  const random = randomOf(7)
  const people = [
    ada.Id,
    bo.Id,
    (await makeStudent(owner, program)).Id,
    (await makeStudent(owner, program)).Id,
  ]
  const shifts = [
    shift,
    await makeShift(owner, program, {
      capacity: 2,
      start_date: addDays(today, -90),
      end_date: addDays(today, 90),
    }),
  ]
  const from = addDays(today, -12)
  const through = addDays(today, 12)
  const placed = new Map<number, { student: number; shift: number; site: number; date: string }>()
  const worked = new Map<number, { student: number; date: string; minutes: number }>()
  const lastDays = new Map<number, string | undefined>(people.map((id) => [id, undefined]))
  const freed = new Map<number, [number, { student: number; shift: number; site: number; date: string }][]>()
  const isGone = (student: number) => (lastDays.get(student) ?? '9999-12-31') <= today
  const lost = (refused: { AssignmentId: number }[]) =>
    new Set(refused.map(({ AssignmentId }) => AssignmentId))
  const dayIn = (first: number, last: number) => addDays(today, first + random(last - first + 1))
  const steps = [
    async (student: number) => {
      const { Id, SiteId } = shifts[random(2)]!
      if (isGone(student)) return
      const date = dayIn(-10, 10)
      const { Ids } = await place(student, date, Id)
      if (!countsOn(lastDays.get(student), date)) expect(Ids).toEqual([])
      if (Ids[0]) placed.set(Ids[0], { student, shift: Id, site: SiteId, date })
    },
    async (student: number) => {
      const [id, row] = [...placed].find(([, each]) => each.student === student) ?? []
      if (!id || !row || isGone(student)) return
      const date = dayIn(1, 10)
      const { Added } = await coordinator.ok(moveShiftAssignment, {
        params: { ...params(), assignmentId: id },
        body: { StudentId: student, Date: date },
      })
      if (Added === 1) placed.set(id, { ...row, date })
    },
    async (student: number) => {
      const date = dayIn(-10, -1)
      if (
        isGone(student) ||
        [...worked.values()].some((each) => each.student === student && each.date === date)
      )
        return
      const { Id } = await record(student, date)
      const body = { Ids: [Id] }
      if (random(3) === 0)
        await coordinator.ok(rejectTimeRecords, { params: params(), body: { ...body, Reason: 'No.' } })
      else if ((await coordinator.ok(approveTimeRecords, { params: params(), body })).Approved === 1)
        worked.set(Id, { student, date, minutes: 480 })
    },
    async (student: number) => {
      if (isGone(student)) return
      const wished = dayIn(-4, 8)
      const lastDay = [...worked.values()]
        .filter((each) => each.student === student)
        .reduce((latest, { date }) => (date > latest ? date : latest), wished)
      const { Refused } = await leave({ LastDay: lastDay }, student)
      const missed = lost(Refused)
      const before = freed.get(student) ?? []
      const back = lastDay > today ? before.filter(([, { date }]) => date <= lastDay) : []
      const gone = [...placed].filter(([, each]) => each.student === student && !countsOn(lastDay, each.date))
      for (const [id] of gone) placed.delete(id)
      for (const [id, row] of back) if (!missed.has(id)) placed.set(id, row)
      freed.set(student, [...before.filter(([id]) => !placed.has(id)), ...gone])
      lastDays.set(student, lastDay)
    },
    async (student: number) => {
      if (!lastDays.get(student)) return
      const missed = lost((await coordinator.ok(contract.undoLeaving, of(student))).Refused)
      for (const [id, row] of freed.get(student) ?? []) if (!missed.has(id)) placed.set(id, row)
      freed.delete(student)
      lastDays.set(student, undefined)
    },
  ]
  const weights = [0, 0, 0, 0, 1, 2, 2, 3, 4]
  const compare = async () => {
    const now = people.filter((id) => !isGone(id))
    const rows = [...placed.values()]
    const minutesOf = (list: { minutes: number }[]) => list.reduce((sum, { minutes }) => sum + minutes, 0)
    const all = [...worked.values()]
    const home = await coordinator.ok(getHome, { params: params() })
    for (const { SiteId } of shifts) {
      const shown = home.CapacityToday.find((each) => each.SiteId === SiteId)?.Placed ?? 0
      expect(shown).toBe(rows.filter(({ site, date }) => site === SiteId && date === today).length)
    }
    const busy = people.filter((id) => [...rows, ...all].some(({ student }) => student === id))
    expect(home.Rotation?.ApprovedMinutes ?? 0).toBe(minutesOf(all))
    const hours = await coordinator.ok(getHoursSummary, {
      params: params(),
      query: { RotationId: rotation.Id },
    })
    expect(hours.Items.map(({ StudentId }) => StudentId).toSorted((a, b) => a - b)).toEqual(busy)
    expect(hours.Totals.Approved).toBe(minutesOf(all))
    const span = await coordinator.ok(getHoursSummary, {
      params: params(),
      query: { FromDate: from, ThroughDate: today },
    })
    expect(span.Totals.Approved).toBe(minutesOf(all))
    const outcomes = await director.ok(getOutcomes, {
      params: params(),
      query: { FromDate: from, ThroughDate: today },
    })
    expect(outcomes.Attendance.Now).toMatchObject({
      Shifts: rows.filter(({ date }) => date <= today).length,
      ApprovedMinutes: minutesOf(all),
    })
    await transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
      countProgress(db, program.Id, today),
    )
    expect((await coordinator.ok(listProgress, { params: params(), query: {} })).Total).toBe(now.length)
    for (const { SiteId } of shifts) {
      const grid = await coordinator.ok(getScheduleGrid, {
        params: params(),
        query: { FromDate: from, ThroughDate: through, SiteId },
      })
      const here = rows.filter(({ site }) => site === SiteId)
      expect(new Set(grid.Students.Id)).toEqual(new Set(here.map(({ student }) => student)))
      const ids = [...placed].filter(([, { site }]) => site === SiteId).map(([id]) => id)
      expect(grid.Cells.Id.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
    }
    const [id, row] = [...placed][random(Math.max(1, placed.size))] ?? []
    if (id && row)
      expect(
        (await coordinator.ok(getShiftAssignment, { params: { ...params(), assignmentId: id } })).Placed,
      ).toBe(rows.filter((each) => each.shift === row.shift && each.date === row.date).length)
  }
  for (let round = 1; round <= 90; round++) {
    await steps[weights[random(weights.length)]!]!(people[random(people.length)]!)
    if (round % 6 === 0) await compare()
  }
  expect(placed.size).toBeGreaterThan(3)
})
