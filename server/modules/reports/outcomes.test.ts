import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { getEvaluationResults } from '#contract/evaluations/evaluation-results.ts'
import { getEvaluationMeans, getOutcomes, getSiteUse, periodBefore } from '#contract/reports/outcomes.ts'
import { listShiftAssignments } from '#contract/scheduling/assignments.ts'
import { listAgreements } from '#contract/sites/agreements.ts'
import { pageSites } from '#contract/sites/sites.ts'
import { getHoursSummary } from '#contract/time/hours-summary.ts'
import { listMissedTimeRecords } from '#contract/time/missed-shifts.ts'
import { listTimeRecords } from '#contract/time/time-records.ts'
import { getTimeSummaries } from '#contract/time/time-summaries.ts'
import { transaction } from '#server/core/database/pool.ts'
import {
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { saveAttendance } from '../time/attendance.commands.ts'
import { changedDays } from '../time/kept.queries.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

/** The kept days that have changed since. */
const changedOf = (programId: number): Promise<string[]> =>
  transaction(installation.services.pool, { accountId: null, programIds: [programId] }, async (db) =>
    (
      await sql<{ date: string }>`select c.date from (${changedDays(programId)}) c (date)`.execute(db)
    ).rows.map(({ date }) => date),
  )

const today = new Date().toISOString().slice(0, 10)
const instant = (date: string, time: string): string => `${date}T${time}:00Z`

/** Three students at one of two sites in ten days of a rotation and in the ten before it. */
const start = async () => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const director = await installation.as(await makePerson(owner, Level.Director, { program }))
  const site = await makeSite(owner, program, { time_zone: 'UTC' })
  const idle = await makeSite(owner, program, { time_zone: 'UTC' })
  const from = addDays(today, -20)
  const earlier = await makeRotation(owner, program, {
    start_date: addDays(from, -30),
    end_date: addDays(from, -1),
    target_minutes: 60,
  })
  const rotation = await makeRotation(owner, program, {
    start_date: from,
    end_date: addDays(today, 30),
    target_minutes: 16 * 60,
  })
  const shift = await makeShift(owner, program, { site, capacity: 4, start_date: '2020-01-01' })
  const students = [1, 2, 3].map((level) => ({ level: level === 3 ? 2 : 1 }))
  const people: { Id: number }[] = []
  for (const { level } of students)
    people.push(await makeStudent(owner, program, { student_level_id: level }))
  const assign = (studentId: number, date: string, rotationId = rotation.Id) =>
    makeRow(owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotationId,
      site_shift_id: shift.Id,
      site_id: site.Id,
      student_id: studentId,
      date,
      starts_at: instant(date, '07:00'),
      ends_at: instant(date, '15:00'),
    })
  const record = (studentId: number, date: string, row: object) =>
    makeRow(owner, 'time_record', {
      program_id: program.Id,
      student_id: studentId,
      site_id: site.Id,
      rotation_id: rotation.Id,
      kind: 'exception',
      occurred_at: instant(date, '07:00'),
      date,
      minutes: 480,
      status: 'approved',
      ...row,
    })
  const [one, two, three] = people as [{ Id: number }, { Id: number }, { Id: number }]
  const day = addDays(today, -10)
  const worked = await assign(one.Id, day)
  await record(one.Id, day, { assignment_id: worked.id })
  await record(one.Id, addDays(day, 1), { assignment_id: (await assign(one.Id, addDays(day, 1))).id })
  const late = await assign(two.Id, day)
  await record(two.Id, day, {
    kind: 'in',
    minutes: 0,
    offset_minutes: 12,
    assignment_id: late.id,
    status: 'pending',
  })
  const absent = await assign(two.Id, addDays(day, 1))
  await record(two.Id, addDays(day, 1), { kind: 'absence', assignment_id: absent.id })
  await assign(three.Id, day)
  await assign(three.Id, addDays(from, -5), earlier.Id)
  return {
    owner,
    program,
    director,
    site,
    idle,
    rotation,
    earlier,
    day,
    from,
    people,
    record,
    assign,
    params: { programId: program.Id },
  }
}

test('A60 each figure of the outcomes is as long as the list that it leads to', async () => {
  const { director, params, rotation, earlier, from, site, idle, owner, program } = await start()
  for (const [days, isApproved] of [
    [10, true],
    [60, true],
    [10, false],
    [-3, true],
  ] as const)
    await makeRow(owner, 'affiliate_agreement', {
      program_id: program.Id,
      site_id: site.Id,
      termination_date: addDays(today, days),
      is_approved: isApproved,
    })
  const outcomes = await director.ok(getOutcomes, { params, query: {} })
  const { FromDate, ThroughDate } = outcomes
  expect(outcomes).toMatchObject({
    FromDate: from,
    ThroughDate: addDays(today, -1),
    ...{ BeforeFrom: addDays(from, -20), BeforeThrough: addDays(from, -1) },
  })
  expect(outcomes.Attendance.Now).toEqual({
    Shifts: 5,
    PlannedMinutes: 5 * 480,
    ApprovedMinutes: 960,
    PendingMinutes: 0,
    AbsenceMinutes: 480,
    Absences: 1,
    Late: 1,
    Missed: 1,
  })
  expect(outcomes.Attendance.Before).toMatchObject({ Shifts: 1, Missed: 1, ApprovedMinutes: 0 })
  expect(outcomes.Attendance.Weeks.reduce((sum, week) => sum + week.PlannedMinutes, 0)).toBe(5 * 480)

  const days = { FromDate, ThroughDate }
  const totals = await director.ok(getTimeSummaries, { params, query: days })
  expect(totals.Totals).toMatchObject({ Planned: 5 * 480, Approved: 960, Pending: 0, Absence: 480 })
  expect(
    (await director.ok(getTimeSummaries, { params, query: { ...days, Type: 'absence' } })).Totals.Records,
  ).toBe(1)
  expect((await director.ok(listTimeRecords, { params, query: { ...days, IsLate: true } })).Total).toBe(1)
  expect((await director.ok(listMissedTimeRecords, { params, query: days })).Total).toBe(1)
  expect((await director.ok(listShiftAssignments, { params, query: days })).Total).toBe(5)

  const { Completion } = outcomes
  const hours = await director.ok(getHoursSummary, { params, query: { RotationId: rotation.Id } })
  expect(Completion).toMatchObject({ RotationId: rotation.Id, Students: 3, Reach: hours.Totals.Finish })
  expect(Completion!.Reach).toBe(1)
  expect(Completion!.Levels).toEqual([
    { LevelId: 1, Level: 'Level 1', Students: 2, Reach: 1 },
    { LevelId: 2, Level: 'Level 2', Students: 1, Reach: 0 },
  ])
  expect(Completion!.Before).toMatchObject({ RotationId: earlier.Id, Students: 1, Reach: 0 })

  expect(outcomes.Agreements).toMatchObject({ Urgent: 1, Ending: 2, Expired: 1 })
  for (const [Standing, count] of [
    ['urgent', 1],
    ['ending', 2],
    ['expired', 1],
  ] as const)
    expect((await director.ok(listAgreements, { params, query: { Standing } })).Total).toBe(count)
  expect(outcomes.Agreements.Next.map(({ Days }) => Days)).toEqual([10, 60])

  const use = await director.ok(getSiteUse, { params, query: {} })
  expect(use).toMatchObject({
    Active: 2,
    Now: { Placed: 5, Places: 80, Idle: 1 },
    Before: { Placed: 1, Idle: 1 },
  })
  expect(use.Sites).toEqual([{ SiteId: site.Id, Site: site.Name, Placed: 5, Places: 80 }])
  const idleSites = await director.ok(pageSites, {
    params,
    query: { IdleFrom: FromDate, IdleThrough: ThroughDate },
  })
  expect(idleSites.Items.map(({ Id }) => Id)).toEqual([idle.Id])
})

test('where a rotation asks for no hours, nobody is told to reach them or not', async () => {
  const { director, params, rotation, earlier, owner } = await start()
  await owner.query('update rotation set target_minutes = 0 where id = any ($1)', [[rotation.Id, earlier.Id]])
  const { Completion } = await director.ok(getOutcomes, { params, query: {} })
  expect(Completion).toMatchObject({ RotationId: rotation.Id, TargetMinutes: 0, Levels: [], Before: null })
})

test('A60 days off give no places, and a site no more than it has', async () => {
  const { director, params, owner, program, site } = await start()
  await makeRow(owner, 'day_off', {
    program_id: program.Id,
    name: 'Break',
    start_date: addDays(today, -3),
    end_date: addDays(today, -2),
  })
  await owner.query('update site set capacity = 3 where program_id = $1 and id = $2', [program.Id, site.Id])
  expect((await director.ok(getSiteUse, { params, query: {} })).Now.Places).toBe(18 * 3)
})

test('A60 kept days read as counted ones, and a later change of a kept day shows at once', async () => {
  const { director, params, program, day, from, people, record } = await start()
  const read = async () => (await director.ok(getOutcomes, { params, query: {} })).Attendance
  const listMissed = async () => (await director.ok(listMissedTimeRecords, { params, query: {} })).Items
  const counted = await read()
  const missed = await listMissed()
  expect(missed).toHaveLength(2)
  const keep = () =>
    transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
      saveAttendance(db, program.Id, today),
    )
  await keep()
  const { rows } = await installation.owner.query(
    'select count(*)::integer as days, sum(missed)::integer as missed from attendance_day where program_id = $1',
    [program.Id],
  )
  expect(rows[0].days).toBeGreaterThan(40)
  expect(rows[0].missed).toBe(2)
  expect(await read()).toEqual(counted)
  expect(await listMissed()).toEqual(missed)
  await record(people[2]!.Id, day, {})
  const changed = await read()
  const missedStill = await listMissed()
  expect(missedStill.map((shift) => shift.Date)).toEqual([addDays(from, -5)])
  expect(changed.Now).toMatchObject({ Missed: 0, ApprovedMinutes: counted.Now.ApprovedMinutes + 480 })
  await keep()
  expect(await changedOf(program.Id)).toEqual([])
  expect(await read()).toEqual(changed)
  expect(await listMissed()).toEqual(missedStill)
})

test('D3-046 a change of yesterday after it was kept shows at once, and a record of today makes no kept day wrong', async () => {
  const { director, params, program, people, assign, record } = await start()
  const { owner } = installation
  const yesterday = addDays(today, -1)
  const forgotten = await assign(people[0]!.Id, yesterday)
  const night = await assign(people[1]!.Id, yesterday)
  const missed = async () =>
    (await director.ok(listMissedTimeRecords, { params, query: { FromDate: yesterday } })).Items.map(
      ({ AssignmentId }) => AssignmentId,
    )
  const marksOfYesterday = async () =>
    (await changedOf(program.Id)).filter((date) => date === yesterday).length
  const keep = () =>
    transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
      saveAttendance(db, program.Id, today),
    )
  await keep()
  expect((await missed()).toSorted()).toEqual([forgotten.id, night.id].toSorted())
  await record(people[2]!.Id, today, {})
  expect(await marksOfYesterday()).toBe(0)
  const absence = await record(people[0]!.Id, yesterday, { kind: 'absence', assignment_id: forgotten.id })
  expect(await missed()).toEqual([night.id])
  await keep()
  await record(people[1]!.Id, today, { assignment_id: night.id, occurred_at: instant(today, '00:30') })
  expect(await missed()).toEqual([])
  await keep()
  await owner.query('update time_record set deleted_at = now() where id = $1', [absence.id])
  expect(await missed()).toEqual([forgotten.id])
  await keep()
  await owner.query('update shift_assignment set removed_at = now() where id = $1', [forgotten.id])
  expect(await missed()).toEqual([])
})

test('A60 evaluations are told by template and site as Results tells them, beside the period before', async () => {
  const { director, params, owner, program, site, people, from } = await start()
  const template = await makeRow(owner, 'evaluation_template', {
    program_id: program.Id,
    title: 'Weekly',
    evaluator_role: 'supervisor',
    subject_role: 'student',
  })
  const category = await makeRow(owner, 'evaluation_category', {
    program_id: program.Id,
    template_id: template.id,
    name: 'Care',
    position: 1,
  })
  const scoreType = await makeRow(owner, 'score_type', {
    program_id: program.Id,
    template_id: template.id,
    title: 'Scale',
  })
  const item = await makeRow(owner, 'evaluation_item', {
    score_type_id: scoreType.id,
    program_id: program.Id,
    template_id: template.id,
    category_id: category.id,
    kind: 'scored',
    text: 'Asks',
    position: 1,
  })
  const form = await makeRow(owner, 'evaluation_form', {
    program_id: program.Id,
    template_id: template.id,
    content: {},
    hash: Buffer.alloc(32),
  })
  const evaluate = async (date: string, share: number) => {
    const evaluation = await makeRow(owner, 'evaluation', {
      program_id: program.Id,
      template_id: template.id,
      subject_id: people[0]!.Id,
      site_id: site.Id,
      date,
      is_completed: true,
      form_id: form.id,
    })
    await makeRow(owner, 'evaluation_answer', {
      program_id: program.Id,
      evaluation_id: evaluation.id,
      item_id: item.id,
      score: share * 4,
      scale_share: share,
    })
  }
  await evaluate(addDays(today, -4), 0.75)
  await evaluate(addDays(today, -3), 0.25)
  await evaluate(addDays(from, -2), 1)
  const means = await director.ok(getEvaluationMeans, { params, query: {} })
  expect(means).toMatchObject({
    Now: { Answers: 2, Percent: 50 },
    Before: { Answers: 1, Percent: 100 },
    Templates: [{ Id: template.id, Name: 'Weekly', Percent: 50, BeforePercent: 100 }],
    Sites: [{ Id: site.Id, Percent: 50, BeforePercent: 100 }],
  })
  const results = await director.ok(getEvaluationResults, {
    params,
    query: { By: 'template', FromDate: means.FromDate, ThroughDate: means.ThroughDate },
  })
  expect(results.Items).toMatchObject([{ Name: 'Weekly', TemplateId: template.id, Answers: 2, Percent: 50 }])
})

test('the period before has as many days and ends the day before', () => {
  expect(periodBefore({ from: '2026-03-01', through: '2026-03-01' })).toEqual({
    from: '2026-02-28',
    through: '2026-02-28',
  })
  expect(periodBefore({ from: '2026-03-01', through: '2026-03-31' })).toEqual({
    from: '2026-01-29',
    through: '2026-02-28',
  })
})

test('a period that ends before it begins or lasts longer than two years is refused', async () => {
  const { director, params } = await start()
  for (const query of [
    { FromDate: '2026-03-02', ThroughDate: '2026-03-01' },
    { FromDate: '2020-01-01', ThroughDate: '2026-03-01' },
    { FromDate: '2026-02-30' },
  ])
    for (const endpoint of [getOutcomes, getSiteUse, getEvaluationMeans])
      expect((await director.call(endpoint, { params, query })).status).toBe(400)
  expect((await director.ok(getOutcomes, { params, query: { ThroughDate: '2019-05-05' } })).FromDate).toBe(
    '2019-02-05',
  )
})

test('outcomes are for directors and above, of their own program and college', async () => {
  const { params, program } = await start()
  const other = await start()
  for (const endpoint of [getOutcomes, getSiteUse, getEvaluationMeans]) {
    expect((await other.director.call(endpoint, { params, query: {} })).status).toBe(404)
    for (const level of [Level.Coord, Level.Faculty, Level.Supervisor, Level.SiteEmployee, Level.Student]) {
      const caller = await installation.as(await makePerson(installation.owner, level, { program }))
      expect((await caller.call(endpoint, { params, query: {} })).status).toBe(403)
    }
  }
})
