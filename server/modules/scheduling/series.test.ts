import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import {
  addShiftAssignments,
  listShiftAssignments,
  removeShiftAssignments,
} from '#contract/scheduling/assignments.ts'
import { createDayOff } from '#contract/scheduling/days-off.ts'
import * as contract from '#contract/scheduling/series.ts'
import { sendDigests } from '#server/modules/communication/digests.jobs.ts'
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
let coordinator: Caller
let rotation: { Id: number }
let shifts: { Id: number; Code: string }[]
let students: MadePerson[]

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner)
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  rotation = await makeRotation(owner, program)
  const site = await makeSite(owner, program, { name: 'Harbor General', code: 'HGH' })
  await makeRow(owner, 'affiliate_agreement', {
    program_id: program.Id,
    site_id: site.Id,
    initial_date: '2020-01-01',
    is_active: true,
    is_approved: true,
  })
  shifts = []
  for (const code of ['A1', 'B1', 'C1'])
    shifts.push(await makeShift(owner, program, { site, code, capacity: 2 }))
  students = []
  for (const last_name of ['Adams', 'Baker', 'Clark', 'Davis', 'Evans', 'Frank'])
    students.push(await makeStudent(owner, program, { first_name: 'Ada', last_name }))
})

const input = (more: Partial<contract.SeriesInput> = {}) => ({
  params: { programId: program.Id },
  body: {
    RotationId: rotation.Id,
    StudentIds: students.map(({ Id }) => Id),
    SiteShiftIds: shifts.map(({ Id }) => Id),
    StartDate: '2027-01-04',
    EndDate: '2027-01-31',
    Weekdays: [2, 4],
    ...more,
  },
})
const add = (more: Partial<contract.SeriesInput> = {}, who = coordinator) =>
  who.ok(contract.addPlacementSeries, input(more))
const check = (more: Partial<contract.SeriesInput> = {}) =>
  coordinator.ok(contract.checkPlacementSeries, input(more))
const list = async () =>
  (
    await coordinator.ok(listShiftAssignments, {
      params: { programId: program.Id },
      query: { pageSize: 500 },
    })
  ).Items
const dayOff = (Name: string, StartDate: string, EndDate = StartDate) =>
  coordinator.ok(createDayOff, {
    params: { programId: program.Id },
    body: { Name, StartDate, EndDate },
  })

test('one rule places a cohort in groups, and the groups change shifts', async () => {
  const answer = await add({ RotateEvery: 2 })
  expect(answer).toMatchObject({ Added: 48, Unchanged: 0, Conflicts: [], Warnings: [] })
  expect(answer.Dates).toHaveLength(8)
  expect(answer.Groups.map(({ Name, StudentIds }) => [Name, StudentIds.length])).toEqual([
    ['A', 2],
    ['B', 2],
    ['C', 2],
  ])
  const adams = (await list()).filter(({ LastName }) => LastName === 'Adams')
  expect(adams.map(({ Date: date, ShiftCode }) => `${date} ${ShiftCode}`)).toEqual([
    '2027-01-05 A1',
    '2027-01-07 A1',
    '2027-01-12 A1',
    '2027-01-14 A1',
    '2027-01-19 B1',
    '2027-01-21 B1',
    '2027-01-26 B1',
    '2027-01-28 B1',
  ])
})

test('a check changes nothing and foretells what adding answers', async () => {
  await dayOff('Founders Day', '2027-01-12')
  const told = await check({ Weekdays: [2] })
  expect(await list()).toEqual([])
  expect(told.Skipped).toEqual([{ Date: '2027-01-12', Name: 'Founders Day' }])
  const done = await add({ Weekdays: [2] })
  expect({ ...told, Ids: done.Ids }).toEqual(done)
})

test('the same rule again adds nothing, also when sent twice at once', async () => {
  const [one, other] = await Promise.all([add(), add()])
  expect([one.Added, other.Added].toSorted((a, b) => a - b)).toEqual([0, 48])
  expect(one.Unchanged + other.Unchanged).toBe(48)
  expect(await list()).toHaveLength(48)
})

test('conflicts are told by reason with names, and the others are placed', async () => {
  const { owner } = installation
  const [adams] = students
  const other = await makeShift(owner, program, { code: 'X1', capacity: 9 })
  await coordinator.ok(addShiftAssignments, {
    params: { programId: program.Id },
    body: {
      RotationId: rotation.Id,
      SiteShiftId: other.Id,
      StudentIds: [adams!.Id],
      Dates: ['2027-01-05', '2027-01-07'],
    },
  })
  const guest = await makeStudent(owner, program, { first_name: 'Grace', last_name: 'Guest' })
  await coordinator.ok(addShiftAssignments, {
    params: { programId: program.Id },
    body: {
      RotationId: rotation.Id,
      SiteShiftId: shifts[1]!.Id,
      StudentIds: [guest.Id],
      Dates: ['2027-01-19'],
    },
  })
  const told = await check()
  expect(told.Added).toBe(45)
  expect(told.Conflicts).toMatchObject([
    { Rule: 'overlap', Count: 2, People: [{ StudentId: adams!.Id, Name: 'Adams, Ada', Count: 2 }] },
    { Rule: 'capacity', Count: 1, People: [{ Name: 'Davis, Ada', Count: 1 }] },
  ])
  expect(told.Conflicts[1]!.People[0]!.Message).toMatch(/is full on Tue 01\/19: 2 of 2 places/)
  expect((await add()).Added).toBe(45)
})

test('without skipping, days off are checked by the rule of the program', async () => {
  await dayOff('Founders Day', '2027-01-12')
  const told = await check({ SkipsDaysOff: false, Weekdays: [2] })
  expect(told.Skipped).toEqual([])
  expect(told.Dates).toContain('2027-01-12')
  expect([...told.Conflicts, ...told.Warnings]).toMatchObject([{ Rule: 'day_off', Count: 6 }])
})

test('a number of dates ends the series; undoing takes all of it back as one', async () => {
  const answer = await add({ EndDate: null, Occurrences: 3, WeeksOn: 2, WeeksOff: 1 })
  expect(answer.Dates).toEqual(['2027-01-05', '2027-01-07', '2027-01-12'])
  const { Removed } = await coordinator.ok(removeShiftAssignments, {
    params: { programId: program.Id },
    body: { Ids: answer.Ids },
  })
  expect(Removed).toBe(18)
  expect(await list()).toEqual([])
})

test('each student gets one email for the whole term', async () => {
  const { owner } = installation
  await owner.query('delete from mail')
  await installation.hear()
  await owner.query('delete from email_notice')
  await owner.query(
    'update rotation set start_date = current_date - 30, end_date = current_date + 300 where id = $1',
    [rotation.Id],
  )
  await owner.query(
    'update site_shift set start_date = current_date - 30, end_date = current_date + 300 where program_id = $1',
    [program.Id],
  )
  const StartDate = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  await add({ StartDate, EndDate: null, Occurrences: 10 })
  await installation.hear()
  await owner.query("update email_notice set due_at = now() - interval '1 minute'")
  await sendDigests.work({}, installation.services)
  const { rows } = await owner.query(
    'select account_id, count(*)::int as emails from mail where program_id = $1 group by account_id',
    [program.Id],
  )
  expect(rows.map(({ emails }) => emails)).toEqual([1, 1, 1, 1, 1, 1])
})

test('a rule that gives no date, or too many assignments, is refused and adds nothing', async () => {
  const none = await coordinator.call(
    contract.addPlacementSeries,
    input({ Weekdays: [0], EndDate: '2027-01-08' }),
  )
  expect(none.status).toBe(422)
  expect((none.body as any).Code).toBe('no_dates')
  const many = Array.from({ length: 100 }, (_, index) => index + 1)
  const tooMany = await coordinator.call(
    contract.addPlacementSeries,
    input({ StudentIds: many, EndDate: '2027-12-31', Weekdays: [0, 1, 2, 3, 4, 5, 6] }),
  )
  expect(tooMany.status).toBe(422)
  expect((tooMany.body as any).Code).toBe('too_many')
})

test('an input that makes no sense is refused by its field', async () => {
  const wrong: [Partial<contract.SeriesInput>, string][] = [
    [{ EndDate: null }, 'EndDate'],
    [{ EndDate: '2027-01-01' }, 'EndDate'],
    [{ Weekdays: [] }, 'Weekdays'],
    [{ Weekdays: [7] }, 'Weekdays.0'],
    [{ SiteShiftIds: [] }, 'SiteShiftIds'],
    [{ StudentIds: [] }, 'StudentIds'],
    [{ WeeksOn: 0 }, 'WeeksOn'],
    [{ Occurrences: 0 }, 'Occurrences'],
    [{ StudentIds: [1], SiteShiftIds: [1, 2] }, 'SiteShiftIds'],
    [{ SiteShiftIds: [1, 1] }, 'SiteShiftIds'],
  ]
  for (const [more, field] of wrong) {
    const { status, body } = await coordinator.call(contract.checkPlacementSeries, input(more))
    expect(status, JSON.stringify(more)).toBe(400)
    expect((body as any).Errors[0].Field, JSON.stringify(more)).toBe(field)
  }
})

test('students, shifts and rotations of another program are not there; faculty wait for the option', async () => {
  const other = await makeProgram(installation.owner)
  const foreign = await makeStudent(installation.owner, other)
  const shift = await makeShift(installation.owner, other)
  const elsewhere = await makeRotation(installation.owner, other)
  for (const more of [
    { StudentIds: [...students.map(({ Id }) => Id), foreign.Id] },
    { SiteShiftIds: [shift.Id] },
    { RotationId: elsewhere.Id },
  ])
    expect((await coordinator.call(contract.addPlacementSeries, input(more))).status).toBe(404)
  expect(await list()).toEqual([])

  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  await installation.owner.query('update program set options = options || $2 where id = $1', [
    program.Id,
    JSON.stringify({ DisableScheduleAssignmentsForFaculty: true }),
  ])
  const { status, body } = await faculty.call(contract.addPlacementSeries, input())
  expect([status, (body as any).Message]).toEqual([403, 'Add/Edit Disabled for faculty'])
})

test('300 students on 60 dates are checked and placed in seconds', async () => {
  const { owner } = installation
  const large = await makeProgram(owner, { options: { AgreementRule: 'off' } })
  const person = await installation.as(await makePerson(owner, Level.Coord, { program: large }))
  const term = await makeRotation(owner, large)
  const many: number[] = []
  for (let count = 0; count < 300; count++) many.push((await makeStudent(owner, large)).Id)
  const places: number[] = []
  for (let count = 0; count < 6; count++) places.push((await makeShift(owner, large, { capacity: 50 })).Id)
  const body = {
    RotationId: term.Id,
    StudentIds: many,
    SiteShiftIds: places,
    StartDate: '2026-09-01',
    Occurrences: 60,
    Weekdays: [1, 3],
    RotateEvery: 2,
  }
  const params = { programId: large.Id }
  expect((await person.ok(contract.checkPlacementSeries, { params, body })).Added).toBe(18_000)
  expect((await person.ok(contract.addPlacementSeries, { params, body })).Added).toBe(18_000)
}, 60_000)

test('students are moved to another group by hand: the check and the series place them there, and the rules checkPlacement it', async () => {
  const [adams, baker] = students as [MadePerson, MadePerson]
  const moved = { Groups: [{ StudentId: adams.Id, Group: 1 }] }
  const checked = await check(moved)
  expect(checked.Groups.map(({ StudentIds }) => StudentIds.length)).toEqual([1, 3, 2])
  expect(checked.Groups[1]!.StudentIds.at(-1)).toBe(adams.Id)
  expect(checked.Groups[0]!.StudentIds).toEqual([baker.Id])
  // Each shift has two places, so the third of group B is refused on all eight dates.
  expect(checked.Conflicts).toMatchObject([{ Rule: 'capacity', Count: 8 }])
  const swapped = {
    Groups: [
      { StudentId: adams.Id, Group: 1 },
      { StudentId: checked.Groups[1]!.StudentIds[0]!, Group: 0 },
    ],
  }
  const answer = await add(swapped)
  expect(answer).toMatchObject({ Added: 48, Conflicts: [] })
  const own = (await list()).filter(({ StudentId }) => StudentId === adams.Id)
  expect(own).toHaveLength(8)
  expect(new Set(own.map(({ SiteShiftId }) => SiteShiftId))).toEqual(new Set([shifts[1]!.Id]))
})

test('a moved student keeps changing shifts with the group', async () => {
  const [adams] = students as [MadePerson]
  const others = (await check({ RotateEvery: 2 })).Groups
  const swap = others[1]!.StudentIds[0]!
  await add({
    RotateEvery: 2,
    Groups: [
      { StudentId: adams.Id, Group: 1 },
      { StudentId: swap, Group: 0 },
    ],
  })
  const placed = await list()
  const shiftOn = (id: number, date: string) =>
    placed.find(({ StudentId, Date: day }) => StudentId === id && day === date)?.SiteShiftId
  expect([shiftOn(adams.Id, '2027-01-05'), shiftOn(adams.Id, '2027-01-19')]).toEqual([
    shifts[1]!.Id,
    shifts[2]!.Id,
  ])
})

test('a group without a shift, a student twice and one who was not chosen are refused', async () => {
  const [adams] = students as [MadePerson]
  const elsewhere = await makeStudent(installation.owner, program)
  for (const Groups of [
    [{ StudentId: adams.Id, Group: 3 }],
    [{ StudentId: adams.Id, Group: -1 }],
    [
      { StudentId: adams.Id, Group: 1 },
      { StudentId: adams.Id, Group: 2 },
    ],
    [{ StudentId: elsewhere.Id, Group: 1 }],
  ])
    for (const endpoint of [contract.checkPlacementSeries, contract.addPlacementSeries]) {
      const { status, body } = await coordinator.call(endpoint, input({ Groups }))
      expect({ status, Errors: (body as any).Errors }).toMatchObject({
        status: 400,
        Errors: [{ Field: expect.stringMatching(/^Groups/) }],
      })
    }
  expect(await list()).toEqual([])
})
