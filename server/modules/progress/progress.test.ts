import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '#contract/core/basis.ts'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/progress/progress.ts'
import { getHome } from '#contract/reports/reports.ts'
import { addStudentNote, getStudent, getStudentHours } from '#contract/students/students.ts'
import { getClock } from '#contract/time/clock.ts'
import { getHoursSummary } from '#contract/time/hours-summary.ts'
import { transaction } from '#server/core/database/pool.ts'
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
import { countProgress } from './progress.commands.ts'
import { listDuePrograms } from './progress.queries.ts'

let installation: Installation
let program: MadeProgram
let student: MadePerson
let ada: Caller
let coordinator: Caller
let faculty: Caller
let today: string

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner, as } = installation
  today = new Date().toISOString().slice(0, 10)
  program = await makeProgram(owner, { time_zone: 'UTC' })
  student = await makeStudent(owner, program, { first_name: 'Ada', last_name: 'Núñez', cohort: '2027' })
  ada = await as(student)
  coordinator = await as(await makePerson(owner, Level.Coord, { program }))
  faculty = await as(await makePerson(owner, Level.Faculty, { program }))
})

const params = () => ({ programId: program.Id })
const ofStudent = (studentId = student.Id) => ({ params: { ...params(), studentId } })
const row = (table: string, columns: Record<string, unknown>) =>
  makeRow(installation.owner, table, { program_id: program.Id, ...columns })
const read = () => faculty.ok(contract.getStudentProgress, ofStudent())
const list = (query: object = {}) => faculty.ok(contract.listProgress, { params: params(), query })
const count = () =>
  transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    countProgress(db, program.Id, today),
  )

/** Eight hours in each of these weeks before today, of 100 that are needed. */
const work = async (weeks: number, of = student) => {
  const site = await makeSite(installation.owner, program)
  // It is over: nobody is short in it.
  const rotation = await makeRotation(installation.owner, program, {
    target_minutes: 6000,
    end_date: addDays(today, -1),
  })
  for (let week = 0; week < weeks; week++) {
    const date = addDays(today, -7 * week)
    await row('time_record', {
      student_id: of.Id,
      site_id: site.Id,
      rotation_id: rotation.Id,
      kind: 'exception',
      occurred_at: `${date}T00:10:00Z`,
      date,
      status: 'approved',
      minutes: 480,
    })
  }
}
const absence = (daysAgo: number) => {
  const date = addDays(today, -daysAgo)
  return row('time_record', {
    student_id: student.Id,
    kind: 'absence',
    occurred_at: `${date}T00:10:00Z`,
    date,
    status: 'approved',
    minutes: 480,
  })
}
const rules = (more: object = {}) => ({
  DaysLate: 0,
  AbsencesAbove: 3,
  LateAbove: null,
  EvaluationBelow: 60,
  BehindBy: 10,
  HasRequirements: true,
  RequirementsAbove: 3,
  HasRemediation: true,
  Levels: [],
  Cohorts: [],
  ...more,
})
const saveRules = async (body: object, caller = coordinator) =>
  caller.call(contract.saveProgressRules, { params: params(), body: body as any })
const plan = (more: object = {}) => ({
  Title: 'Chest positioning',
  Goal: 'Pass the exam at the second attempt',
  DueOn: addDays(today, 14),
  Tasks: [
    { Text: 'Watch the module', DueOn: addDays(today, 3) },
    { Text: 'Three supervised exposures', DueOn: null },
  ],
  ...more,
})
const addPlan = (more: object = {}) =>
  faculty.ok(contract.addRemediationPlan, { ...ofStudent(), body: plan(more) as any })

test('the day of completion is that of the pace in the last weeks, decided by hours', async () => {
  await work(4)
  const progress = await read()
  expect(progress.Hours).toEqual({
    Done: 1920,
    Pending: 0,
    Needed: 6000,
    PerWeek: 480,
    DoneOn: addDays(today, 60),
    By: 'pace',
    Projection: 1920,
    ShortMinutes: 4080,
    ShortIn: null,
  })
  // 4,080 minutes at 480 a week.
  expect(progress).toMatchObject({ CompletesOn: addDays(today, 60), DecidedBy: 'hours', Risks: [] })
})

test('pending hours are told beside those that are done, on the page and in the list', async () => {
  await work(4)
  await installation.owner.query(
    "update time_record set status = 'pending' where program_id = $1 and date = (select max(date) from time_record where program_id = $1)",
    [program.Id],
  )
  const { Hours } = await read()
  expect(Hours).toMatchObject({ Done: 1440, Pending: 480 })
  const [row] = (await list()).Items
  expect(row?.Hours).toMatchObject({ Done: 1440, Pending: 480 })
})

test('when the hours are done is one day, and what they lack one number: for the student, on their page, in the list and in Hours', async () => {
  const { owner } = installation
  const site = await makeSite(owner, program)
  const shift = await makeShift(owner, program, { site, capacity: 50 })
  const rotation = await makeRotation(owner, program, { target_minutes: 960 })
  // A rotation that runs today and is not theirs says nothing of them.
  await makeRotation(owner, program, { target_minutes: 60_000, start_date: '2020-01-06' })
  for (const days of [-7, 20, 30])
    await row('shift_assignment', {
      rotation_id: rotation.Id,
      site_shift_id: shift.Id,
      site_id: site.Id,
      student_id: student.Id,
      date: addDays(today, days),
      starts_at: `${addDays(today, days)}T08:00:00Z`,
      ends_at: `${addDays(today, days)}T16:00:00Z`,
    })
  const told = async () => {
    const { Ledger } = await ada.ok(getClock)
    const own = (await ada.ok(contract.getOwnProgress)).Hours
    const hours = await faculty.ok(getStudentHours, ofStudent())
    const { Items } = await faculty.ok(getHoursSummary, { params: params(), query: {} })
    return {
      days: [Ledger.ProjectedFinishDate, own.DoneOn, (await list()).Items[0]!.Hours.DoneOn],
      short: [
        Ledger.TargetMinutes - Ledger.ProjectedMinutes,
        own.ShortMinutes,
        -hours.Rotation!.Hours.Difference,
        -hours.All.Difference,
        -Items[0]!.Difference,
      ],
      isOnTrack: (await faculty.ok(getStudent, ofStudent())).IsOnTrack,
      risks: (await read()).Risks,
      listed: (await list({ IsAtRisk: true })).Total,
      shortOnHome: await faculty
        .ok(getHome, { params: params() })
        .then(({ Rotation }) => Rotation!.Students - Rotation!.OnTime),
      shortInList: await faculty
        .ok(getHoursSummary, { params: params(), query: { IsCurrent: true, IsShort: true } })
        .then(({ Total }) => Total),
    }
  }
  const day = addDays(today, 30)
  expect(await told()).toEqual({
    days: [day, day, day],
    short: [0, 0, -0, -0, -0],
    isOnTrack: true,
    risks: [],
    listed: 0,
    shortOnHome: 0,
    shortInList: 0,
  })
  await owner.query('update rotation set target_minutes = 1200 where id = $1', [rotation.Id])
  await saveRules(rules())
  expect(await told()).toEqual({
    days: [null, null, null],
    short: [240, 240, 240, 240, 240],
    isOnTrack: false,
    risks: ['hours'],
    listed: 1,
    shortOnHome: 1,
    shortInList: 1,
  })
})

test('who has enough hours in all and too few in a rotation that runs is told of both, by the name of the rotation', async () => {
  const { owner } = installation
  await work(4)
  await owner.query('update rotation set target_minutes = 960 where program_id = $1', [program.Id])
  const shift = await makeShift(owner, program, { site: await makeSite(owner, program) })
  const rotation = await makeRotation(owner, program, { name: 'Clinical II', target_minutes: 960 })
  const date = addDays(today, 20)
  await row('shift_assignment', {
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: shift.SiteId,
    student_id: student.Id,
    date,
    starts_at: `${date}T08:00:00Z`,
    ends_at: `${date}T16:00:00Z`,
  })
  await saveRules(rules())
  const hours = {
    Done: 1920,
    Needed: 1920,
    By: null,
    ShortMinutes: 0,
    ShortIn: { Rotation: 'Clinical II', Done: 0, Projection: 480, Needed: 960 },
  }
  expect(await read()).toMatchObject({ Hours: hours, Risks: ['hours'] })
  expect((await list()).Items).toMatchObject([{ Hours: hours, Risks: ['hours'] }])
  await count()
  expect((await list()).Items).toMatchObject([{ Hours: hours, Risks: ['hours'] }])
  const { Rotation } = await faculty.ok(getHome, { params: params() })
  expect([Rotation!.Students, Rotation!.OnTime]).toEqual([1, 0])
})

test('of whom neither hours nor competencies are asked is neither done nor at risk by what they lack', async () => {
  expect(await read()).toMatchObject({ CompletesOn: null, DecidedBy: null, Risks: [] })
  expect(await list({ IsAtRisk: true })).toMatchObject({ Total: 0, AtRisk: 0 })
})

test('who does not work has no day, and is at risk only against a planned end', async () => {
  await work(1)
  await installation.owner.query(
    `update time_record set date = date - 200, occurred_at = occurred_at - interval '200 days'
    where program_id = $1`,
    [program.Id],
  )
  expect(await read()).toMatchObject({ CompletesOn: null, DecidedBy: 'hours', EndsOn: null, Risks: [] })
  expect((await saveRules(rules({ Cohorts: [{ Cohort: '2027', EndsOn: '2027-05-15' }] }))).status).toBe(200)
  expect(await read()).toMatchObject({ CompletesOn: null, EndsOn: '2027-05-15', Risks: ['forecast'] })
})

test('absences of the last 120 days count, older ones do not, and the program says how many are too many', async () => {
  for (const days of [1, 20, 119, 130]) await absence(days)
  expect(await read()).toMatchObject({ Absences: 3, Risks: [] })
  await saveRules(rules({ AbsencesAbove: 2 }))
  expect((await read()).Risks).toEqual(['absences'])
})

test('the list is right when it is looked at, with or without a count, and sorted by the day', async () => {
  const { owner } = installation
  await work(4)
  const bo = await makeStudent(owner, program, { first_name: 'Bo', last_name: 'Aalto', cohort: '2028' })
  await work(8, bo)
  const { Items, Total, AsOf, AtRisk } = await list()
  await count()
  expect((await list()).Items).toEqual(Items)
  expect(Items.map(({ Student, CompletesOn }) => [Student, CompletesOn])).toEqual([
    ['Núñez, Ada', addDays(today, 60)],
    ['Aalto, Bo', addDays(today, 32)],
  ])
  expect([Total, AtRisk, AsOf]).toEqual([2, 0, expect.stringContaining(today)])
  expect((await list({ sort: 'Student' })).Items[0]!.Student).toBe('Aalto, Bo')
  expect((await list({ Cohort: '2028' })).Items).toHaveLength(1)
  expect((await list({ search: 'núñez' })).Items).toHaveLength(1)
  await saveRules(rules({ Cohorts: [{ Cohort: '2027', EndsOn: addDays(today, 10) }] }))
  expect(await list({ IsAtRisk: true })).toMatchObject({
    Total: 1,
    AtRisk: 1,
    Items: [{ Risks: ['forecast'] }],
  })
  // Who has left is forgotten.
  await owner.query('update account set deactivated_at = now() where id = $1', [bo.Id])
  expect((await list()).Total).toBe(1)
  // What is recorded after a count is in the list at once, of this student alone.
  await count()
  await absence(1)
  expect((await list()).Items).toMatchObject([{ Absences: 1 }])
})

test('home counts who is at risk as the list does: before a count, after a change, and without whoever has left', async () => {
  const told = async () => (await coordinator.ok(getHome, { params: params() })).AtRisk.Count
  await saveRules(rules({ AbsencesAbove: 1 }))
  for (const days of [1, 2]) await absence(days)
  expect([await told(), (await list()).AtRisk]).toEqual([1, 1])
  await count()
  expect(await told()).toBe(1)
  await saveRules(rules({ AbsencesAbove: 2 }))
  expect([await told(), (await list()).AtRisk]).toEqual([0, 0])
  await count()
  await absence(3)
  expect([await told(), (await list()).AtRisk]).toEqual([1, 1])
  await count()
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [student.Id])
  expect([await told(), (await list()).AtRisk]).toEqual([0, 0])
})

test('where many are to be counted home does not wait for it, and tells the last count until the job has been there', async () => {
  const told = async () => (await coordinator.ok(getHome, { params: params() })).AtRisk.Count
  await saveRules(rules({ AbsencesAbove: 1 }))
  for (let nth = 0; nth < 100; nth++) await makeStudent(installation.owner, program)
  for (const days of [1, 2]) await absence(days)
  expect([await told(), (await list()).AtRisk]).toEqual([0, 1])
  await count()
  expect(await told()).toBe(1)
  await saveRules(rules({ AbsencesAbove: 2 }))
  expect([await told(), (await list()).AtRisk]).toEqual([1, 0])
  await count()
  expect(await told()).toBe(0)
})

test('in the first weeks of a cohort only who is behind it is at risk, and ranks first; a level may have its own rule', async () => {
  const { owner } = installation
  const level = await row('student_level', { id: 9, name: 'Ninth' })
  await saveRules(rules({ Cohorts: [{ Cohort: '2027', EndsOn: addDays(today, 400) }] }))
  await work(1)
  for (let nth = 0; nth < 5; nth++) await work(3, await makeStudent(owner, program, { cohort: '2027' }))
  // 600 hours at 8 a week: nobody is done in 400 days.
  await owner.query('update rotation set target_minutes = 36000 where program_id = $1', [program.Id])
  await saveRules(rules({ BehindBy: 1 }))
  await count()
  const risky = async () =>
    (await list({ IsAtRisk: true, sort: '-Risks' })).Items.map(({ StudentId }) => StudentId)
  // 8 hours of 600 beside 24: all are late, and one is behind.
  expect(await risky()).toEqual([student.Id])
  expect((await read()).Risks).toEqual(['forecast'])
  await absence(5)
  await owner.query('update account set student_level_id = $1 where id = $2', [level.id, student.Id])
  const own = { ...rules(), StudentLevelId: level.id, BehindBy: 50, AbsencesAbove: 0 }
  const { Cohorts: _c, Levels: _l, ...ofLevel } = own
  const saved = await saveRules(rules({ Levels: [ofLevel] }))
  expect(saved.body).toMatchObject({ BehindBy: 10, Levels: [ofLevel] })
  await count()
  expect((await read()).Risks).toEqual(['absences'])
  // What a caller who knows nothing of levels leaves out stays.
  const { Levels: _left, BehindBy: _behind, RequirementsAbove: _above, ...older } = rules()
  expect((await saveRules(older)).body).toMatchObject({ Levels: [ofLevel] })
  await saveRules(rules({ BehindBy: null, Levels: [] }))
  await count()
  expect(await risky()).toHaveLength(6)
})

test('where a whole cohort is late past its first weeks, everybody late is at risk: in the list, on home and on their own page', async () => {
  await saveRules(rules({ Cohorts: [{ Cohort: '2027', EndsOn: addDays(today, 10) }] }))
  await work(8)
  const others = []
  for (let nth = 0; nth < 5; nth++)
    others.push(await makeStudent(installation.owner, program, { cohort: '2027' }))
  for (const other of others) await work(8, other)
  const told = async () => [
    (await list({ IsAtRisk: true })).Total,
    (await coordinator.ok(getHome, { params: params() })).AtRisk.Count,
    (await read()).Risks,
  ]
  await count()
  expect(await told()).toEqual([6, 6, ['forecast']])
  // Two years ahead, the first weeks say nothing of the cohort, and nobody is behind it.
  await saveRules(rules({ Cohorts: [{ Cohort: '2027', EndsOn: addDays(today, 700) }] }))
  await installation.owner.query('update rotation set target_minutes = 99000 where program_id = $1', [
    program.Id,
  ])
  await count()
  expect(await told()).toEqual([0, 0, []])
})

test('a page tells of a student what the count tells of all', async () => {
  await work(3)
  await absence(5)
  await count()
  const { Notes: _notes, Plans: _plans, ...own } = await read()
  const {
    StudentId: _id,
    Student: _name,
    Cohort: _cohort,
    StudentLevel: _level,
    ...counted
  } = (await list()).Items[0]!
  expect(counted).toEqual(own)
})

/** What the page of the student tells, as the list has it. */
const counted = async () => {
  const { Notes: _notes, Plans: _plans, ...figures } = await read()
  return figures
}

test('programs are due until they were counted on their day, and again after a change', async () => {
  const due = () =>
    listDuePrograms(installation.services.everywhere).then((rows) =>
      rows.some(({ program_id }) => program_id === program.Id),
    )
  expect(await due()).toBe(true)
  await count()
  expect(await due()).toBe(false)
  await installation.owner.query(
    `update progress_count set counted_on = counted_on - 1 where program_id = $1`,
    [program.Id],
  )
  expect(await due()).toBe(true)
  await count()
  for (const change of [() => absence(1), () => saveRules(rules()), () => addPlan({ DueOn: today })]) {
    await change()
    expect((await list()).Items).toMatchObject([await counted()])
    await count()
  }
  expect(await due()).toBe(false)
})

test('rules name every cohort with students, and a save from old ones is refused', async () => {
  const before = await coordinator.ok(contract.getProgressRules, { params: params() })
  expect(before).toEqual({ ...rules(), Cohorts: [{ Cohort: '2027', EndsOn: null }] })
  const twice = await saveRules(
    rules({
      Cohorts: [
        { Cohort: 'A', EndsOn: null },
        { Cohort: 'A', EndsOn: null },
      ],
    }),
  )
  expect(twice.status).toBe(400)
  expect((await saveRules(rules(), faculty)).status).toBe(403)
  await saveRules(rules({ LateAbove: 5 }))
  const stale = await coordinator.call(
    contract.saveProgressRules,
    { params: params(), body: rules() },
    { headers: { 'if-match': fingerprint(before) } },
  )
  expect([stale.status, (stale.body as any).Code]).toEqual([409, 'stale'])
})

test('a remediation plan is begun, changed, ticked off and closed; the student reads all of it and is told twice', async () => {
  const made = await addPlan()
  expect(made).toMatchObject({
    State: 'open',
    StartedOn: today,
    ClosedOn: null,
    Tasks: [{ DoneOn: null }, { DoneOn: null }],
  })
  const at = { params: { ...ofStudent().params, planId: made.Id } }
  const done = await faculty.ok(contract.setRemediationTask, {
    params: { ...at.params, taskId: made.Tasks[0]!.Id },
    body: { IsDone: true },
  })
  expect(done.Tasks[0]).toMatchObject({ DoneOn: today, DoneBy: expect.any(String) })
  const tasks = [{ Id: done.Tasks[0]!.Id, Text: 'Watch the module twice', DueOn: today }, { Text: 'New' }]
  const change = (Revision: number) =>
    faculty.call(contract.updateRemediationPlan, {
      ...at,
      body: { ...plan({ Tasks: tasks }), Revision } as any,
    })
  expect((await change(made.Revision)).status).toBe(409)
  const changed = await change(done.Revision)
  expect(changed.body).toMatchObject({
    Tasks: [
      { Text: 'Watch the module twice', DoneOn: today },
      { Text: 'New', DoneOn: null },
    ],
  })
  const { Title, Goal, DueOn } = plan()
  const { Id } = done.Tasks[0]!
  const again = await faculty.ok(contract.updateRemediationPlan, {
    ...at,
    body: { Title, DueOn, Tasks: [{ Id, Text: 'Once more' }], Revision: (changed.body as any).Revision },
  })
  expect(again).toMatchObject({ Goal, Tasks: [{ Text: 'Once more', DueOn: today }] })
  const close = () =>
    faculty.call(contract.closeRemediationPlan, { ...at, body: { State: 'completed', Outcome: 'Passed' } })
  expect((await Promise.all([close(), close()])).map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await change(9)).status).toBe(409)
  const { Plans } = await ada.ok(contract.getOwnProgress)
  expect(Plans).toMatchObject([
    { Title: 'Chest positioning', State: 'completed', Outcome: 'Passed', ClosedOn: today },
  ])
  const { rows } = await installation.owner.query(
    'select subject from mail where account_id = $1 order by id',
    [student.Id],
  )
  expect(rows.map(({ subject }) => subject)).toEqual([
    'Your remediation plan: Chest positioning',
    'Your remediation plan was closed: Chest positioning',
  ])
})

test('a plan past its day puts its student at risk until it is closed', async () => {
  const { Id } = await addPlan({ DueOn: addDays(today, -1) })
  expect((await read()).Risks).toEqual(['remediation'])
  await faculty.ok(contract.closeRemediationPlan, {
    params: { ...ofStudent().params, planId: Id },
    body: { State: 'canceled', Outcome: 'Began by mistake' },
  })
  expect((await read()).Risks).toEqual([])
})

test('a student reads shared notes and no others', async () => {
  for (const IsShared of [true, false])
    await faculty.ok(addStudentNote, {
      ...ofStudent(),
      body: { Text: IsShared ? 'Well done' : 'Private', IsShared },
    })
  expect((await ada.ok(contract.getOwnProgress)).Notes.map(({ Text }) => Text)).toEqual(['Well done'])
})

test('rights: students their own, faculty of the program, nobody else', async () => {
  const { owner, as } = installation
  const supervisor = await as(await makePerson(owner, Level.Supervisor, { program }))
  const elsewhere = await as(await makePerson(owner, Level.Coord))
  const made = await addPlan()
  expect((await ada.call(contract.getStudentProgress, ofStudent())).status).toBe(403)
  expect((await supervisor.call(contract.getStudentProgress, ofStudent())).status).toBe(403)
  expect((await faculty.call(contract.getOwnProgress)).status).toBe(403)
  expect((await elsewhere.call(contract.getStudentProgress, ofStudent())).status).toBe(404)
  expect((await elsewhere.call(contract.listProgress, { params: params() })).status).toBe(404)
  const other = await makeStudent(owner, program)
  const foreign = { params: { ...ofStudent(other.Id).params, planId: made.Id } }
  const close = await faculty.call(contract.closeRemediationPlan, {
    ...foreign,
    body: { State: 'completed', Outcome: 'x' },
  })
  expect(close.status).toBe(404)
  expect((await faculty.call(contract.getStudentProgress, ofStudent(999_999))).status).toBe(404)
})

test('the file has a row a student', async () => {
  await work(2)
  await count()
  const { status, body } = await faculty.send('GET', `/programs/${program.Id}/progress/export?Format=csv`)
  expect(status).toBe(200)
  expect(String(body)).toMatch(/Completes on/)
  expect(String(body)).toMatch(/"?Núñez, Ada"?,2027/)
})

test('somebody who was only added is not set up, which is a task and no risk, until they have what they lack or a shift', async () => {
  const added = await makePerson(installation.owner, Level.Student, { program })
  await installation.owner.query('update account set cohort = null, student_level_id = null where id = $1', [
    added.Id,
  ])
  const of = { params: { programId: program.Id, studentId: added.Id } }
  expect(await faculty.ok(contract.getStudentProgress, of)).toMatchObject({
    Risks: [],
    Lacks: ['cohort', 'level'],
  })
  const before = await list({ IsNotSetUp: true })
  expect(before.Items.map(({ StudentId }) => StudentId)).toContain(added.Id)
  expect(before.NotSetUp).toBe(before.Total)
  expect((await list({ IsAtRisk: true })).Items.map(({ StudentId }) => StudentId)).not.toContain(added.Id)
  const { NotSetUp } = await faculty.ok(getHome, { params: params() })
  expect(NotSetUp.Count).toBe(before.Total)

  await work(1, added)
  expect((await faculty.ok(contract.getStudentProgress, of)).Lacks).toEqual([])
  expect((await list({ IsNotSetUp: true })).Total).toBe(before.NotSetUp! - 1)
})
