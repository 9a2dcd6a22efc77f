import ical from 'ical.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { addShiftAssignments, listShiftAssignments } from '#contract/scheduling/assignments.ts'
import { createDayOff, deleteDayOff, listDaysOff, updateDayOff } from '#contract/scheduling/days-off.ts'
import {
  createCalendarFeed,
  createSiteCalendarFeed,
  createStaffCalendarFeed,
  endCalendarFeed,
  endSiteCalendarFeed,
  endStaffCalendarFeed,
  getCalendarFeed,
  getOwnSchedule,
  getSiteCalendarFeed,
  getStaffCalendarFeed,
} from '#contract/scheduling/own-schedule.ts'
import {
  getPersonalFilterSettings,
  getPersonalFilters,
  savePersonalFilterSettings,
} from '#contract/scheduling/personal-filters.ts'
import * as contract from '#contract/scheduling/planning.ts'
import {
  createRotation,
  deleteRotation,
  getRotation,
  listRotations,
  restoreRotation,
  updateRotation,
} from '#contract/scheduling/rotations.ts'
import { listSchedulingOptions, type OptionKind } from '#contract/scheduling/scheduling-options.ts'
import {
  createSiteShift,
  deleteSiteShift,
  listSiteShifts,
  restoreSiteShift,
  updateSiteShift,
} from '#contract/scheduling/site-shifts.ts'
import {
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

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})
const params = () => ({ programId: program.Id })
const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('D3-047 rotations', () => {
  const input = (Name: string, more: object = {}) => ({
    Name,
    StartDate: '2026-08-31',
    EndDate: '2026-12-18',
    StudentLevelIds: [2, 1],
    TargetMinutes: 20_400,
    ...more,
  })
  const add = (Name: string, more: object = {}) =>
    coordinator.ok(createRotation, { params: params(), body: input(Name, more) })
  const list = (query: object = {}) => coordinator.ok(listRotations, { params: params(), query })

  test('a coordinator adds, reads, changes, deletes and brings back a rotation', async () => {
    const { id: areaId } = await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'CT' })
    const made = await add('Clinical II', { AreaIds: [areaId], Cohorts: ['2027'] })
    expect(made).toMatchObject({
      Name: 'Clinical II',
      StudentLevelIds: [1, 2],
      AreaIds: [areaId],
      Cohorts: ['2027'],
      TargetMinutes: 20_400,
      AssignmentCount: 0,
    })
    const at = { params: { ...params(), rotationId: made.Id } }
    expect(await coordinator.ok(getRotation, at)).toEqual(made)
    const changed = await coordinator.ok(updateRotation, {
      ...at,
      body: input('Clinical III', { StudentLevelIds: [1], AreaIds: [] }),
    })
    expect(changed).toMatchObject({
      Name: 'Clinical III',
      StudentLevelIds: [1],
      AreaIds: [],
      Cohorts: ['2027'],
    })
    await coordinator.ok(deleteRotation, at)
    expect((await list()).Items).toEqual([])
    expect((await coordinator.call(getRotation, at)).status).toBe(404)
    expect(await coordinator.ok(restoreRotation, at)).toMatchObject({ Name: 'Clinical III' })
  })

  test('the list is searched, filtered, sorted and paged', async () => {
    await add('Alpha', { StartDate: '2026-01-05', EndDate: '2026-03-01' })
    await add('Beta', { StudentLevelIds: [2] })
    await add('Gamma', { StartDate: '2027-01-05', EndDate: '2027-03-01', StudentLevelIds: [] })
    const names = async (query: object) => (await list(query)).Items.map(({ Name }) => Name)
    expect(await names({})).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await names({ sort: 'Name' })).toEqual(['Alpha', 'Beta', 'Gamma'])
    expect(await names({ search: 'ET' })).toEqual(['Beta'])
    expect(await names({ FromDate: '2026-03-02', ThroughDate: '2026-12-31' })).toEqual(['Beta'])
    expect(await names({ StudentLevelId: 1 })).toEqual(['Alpha'])
    const second = await list({ sort: 'Name', pageSize: 2, page: 2 })
    expect(second).toMatchObject({ Total: 3, Page: 2, PageSize: 2, Items: [{ Name: 'Gamma' }] })
  })

  test('wrong dates, empty names and unknown fields are refused; foreign areas and levels are not there', async () => {
    const call = (body: object) => coordinator.call(createRotation, { params: params(), body: body as never })
    for (const body of [
      input(''),
      input('x', { EndDate: '2026-08-30' }),
      input('x', { StartDate: '2026-02-30' }),
      input('x', { TargetMinutes: -1 }),
      input('x', { Surprise: 1 }),
    ])
      expect((await call(body)).status).toBe(400)
    const other = await makeProgram(installation.owner)
    const theirs = await makeRow(installation.owner, 'area', { program_id: other.Id, name: 'Theirs' })
    expect((await call(input('x', { AreaIds: [theirs.id] }))).status).toBe(404)
    expect((await call(input('x', { StudentLevelIds: [19] }))).status).toBe(404)
    await add('Taken')
    expect((await call(input('TAKEN'))).status).toBe(409)
  })

  test('a rotation in use is not deleted, and the message tells how many assignments it has', async () => {
    const made = await add('Clinical II')
    const shift = await makeShift(installation.owner, program)
    const student = await makeStudent(installation.owner, program)
    await coordinator.ok(addShiftAssignments, {
      params: params(),
      body: {
        RotationId: made.Id,
        SiteShiftId: shift.Id,
        StudentIds: [student.Id],
        Dates: ['2026-12-01', '2026-12-02'],
      },
    })
    const { status, body } = await coordinator.call(deleteRotation, {
      params: { ...params(), rotationId: made.Id },
    })
    expect(status).toBe(409)
    expect((body as any).Message).toBe(
      'Clinical II cannot be deleted because it has 2 assignments. Remove them first.',
    )
  })

  test('faculty read rotations and shifts, but do not plan them', async () => {
    const teacher = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    await add('Clinical II')
    expect((await teacher.ok(listRotations, { params: params() })).Items).toHaveLength(1)
    const { status } = await teacher.call(createRotation, { params: params(), body: input('Mine') })
    expect(status).toBe(403)
  })
})

describe('D3-048 site shifts', () => {
  let site: { Id: number; Name: string }
  beforeEach(async () => {
    site = await makeSite(installation.owner, program, { name: 'Harbor General', code: 'HGH' })
  })
  const input = (Code: string, more: object = {}) => ({
    SiteId: site.Id,
    Code,
    Type: 'day' as const,
    Weekdays: [5, 1, 1],
    StartTime: '07:00',
    EndTime: '15:30',
    Capacity: 3,
    StartDate: '2026-01-01',
    EndDate: dayFromToday(365),
    ...more,
  })
  const add = (Code: string, more: object = {}) =>
    coordinator.ok(createSiteShift, { params: params(), body: input(Code, more) })
  const change = (id: number, body: object) =>
    coordinator.call(updateSiteShift, {
      params: { ...params(), siteShiftId: id },
      body: body as never,
    })
  const everyDay = { Weekdays: [0, 1, 2, 3, 4, 5, 6] }
  const place = async (siteShiftId: number, dates: string[], count = 1) => {
    const rotation = await makeRotation(installation.owner, program, {
      start_date: '2026-01-01',
      end_date: dayFromToday(365),
    })
    const students = []
    for (let index = 0; index < count; index++)
      students.push((await makeStudent(installation.owner, program)).Id)
    const answer = await coordinator.ok(addShiftAssignments, {
      params: params(),
      body: { RotationId: rotation.Id, SiteShiftId: siteShiftId, StudentIds: students, Dates: dates },
    })
    expect(answer.Added).toBe(count * dates.length)
    return { students, rotation, answer }
  }

  test('a coordinator adds, changes, deletes and brings back a shift', async () => {
    const made = await add('HGH-D1', { Name: 'Day' })
    expect(made).toMatchObject({
      Code: 'HGH-D1',
      Site: 'Harbor General',
      SiteCode: 'HGH',
      Weekdays: [1, 5],
      StartTime: '07:00',
      EndTime: '15:30',
      TimeZone: 'America/New_York',
    })
    const at = { params: { ...params(), siteShiftId: made.Id } }
    const changed = await coordinator.ok(updateSiteShift, {
      ...at,
      body: input('HGH-N1', { Type: 'night', StartTime: '23:00', EndTime: '07:30' }),
    })
    expect(changed).toMatchObject({ Code: 'HGH-N1', Type: 'night', EndTime: '07:30' })
    await coordinator.ok(deleteSiteShift, at)
    expect((await coordinator.ok(listSiteShifts, { params: params() })).Items).toEqual([])
    expect(await coordinator.ok(restoreSiteShift, at)).toMatchObject({ Code: 'HGH-N1' })
  })

  test('the list is searched by code, site and time, filtered and sorted', async () => {
    await add('HGH-D1')
    await add('HGH-N1', { Type: 'night', StartTime: '23:00', EndTime: '07:30', EndDate: '2026-06-30' })
    const codes = async (query: object) =>
      (await coordinator.ok(listSiteShifts, { params: params(), query })).Items.map(({ Code }) => Code)
    expect(await codes({})).toEqual(['HGH-D1', 'HGH-N1'])
    expect(await codes({ search: '23:00' })).toEqual(['HGH-N1'])
    expect(await codes({ search: 'harbor' })).toHaveLength(2)
    expect(await codes({ Type: 'night' })).toEqual(['HGH-N1'])
    expect(await codes({ ActiveFrom: '2026-07-01' })).toEqual(['HGH-D1'])
    expect(await codes({ sort: '-StartTime' })).toEqual(['HGH-N1', 'HGH-D1'])
  })

  test('wrong times, weekdays and capacities are refused; a foreign site does not exist', async () => {
    const call = (body: object) =>
      coordinator.call(createSiteShift, { params: params(), body: body as never })
    for (const more of [
      { StartTime: '24:00' },
      { Weekdays: [] },
      { Weekdays: [7] },
      { Capacity: -1 },
      { Capacity: 1.5 },
      { EndDate: '2025-01-01' },
      { Type: 'lunch' },
    ])
      expect((await call(input('X', more))).status, JSON.stringify(more)).toBe(400)
    expect(await call(input('X', { EndTime: '07:00' }))).toMatchObject({
      status: 422,
      body: { Code: 'same_time', Errors: [{ Field: 'EndTime' }] },
    })
    const other = await makeProgram(installation.owner)
    const theirs = await makeSite(installation.owner, other)
    expect((await call(input('X', { SiteId: theirs.Id }))).status).toBe(404)
    await add('TAKEN')
    expect((await call(input('taken'))).status).toBe(409)
  })

  test('where the program has 24-hour shifts, one that ends when it starts lasts a day; its plan has the meal break off', async () => {
    const dayLong = { ...everyDay, EndTime: '07:00' }
    await installation.owner.query(
      `update program set options = '{"DayLongShifts": true, "HoursPerDayRule": "off", "HoursPerWeekRule": "off"}',
        hours_rules = '[{"From": "2026-01-01", "MealMinutes": 30, "MealAfterHours": 6, "RoundTo": "0", "FromShiftStart": false, "ToShiftEnd": false}]'
      where id = $1`,
      [program.Id],
    )
    const made = await add('HGH-24', dayLong)
    expect(made).toMatchObject({ StartTime: '07:00', EndTime: '07:00' })
    const day = dayFromToday(10)
    await place(made.Id, [day, dayFromToday(11)])
    const placed = async () => {
      const { rows } = await installation.owner.query(
        `select date, starts_at, ends_at, meal_minutes from shift_assignment where program_id = $1 order by date`,
        [program.Id],
      )
      return rows.map(({ date, starts_at, ends_at, meal_minutes }) => ({
        date,
        ends: new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(ends_at)),
        isLong: Date.parse(ends_at) - Date.parse(starts_at) > 22.5 * 3_600_000,
        meal_minutes,
      }))
    }
    expect(await placed()).toEqual([
      { date: day, ends: dayFromToday(11), isLong: true, meal_minutes: 30 },
      { date: dayFromToday(11), ends: dayFromToday(12), isLong: true, meal_minutes: 30 },
    ])
    // Other times have another plan.
    expect((await change(made.Id, input('HGH-24', { ...everyDay, EndTime: '12:00' }))).status).toBe(200)
    expect((await placed())[0]).toEqual({ date: day, ends: day, isLong: false, meal_minutes: 0 })
    expect((await change(made.Id, input('HGH-24', dayLong))).status).toBe(200)
    expect((await placed())[0]).toMatchObject({ isLong: true, meal_minutes: 30 })
  })

  test('a capacity below what is placed is refused with the first date; a higher one opens full days', async () => {
    const made = await add('HGH-D1', { ...everyDay, Capacity: 2 })
    const [first, second] = [dayFromToday(10), dayFromToday(11)]
    await place(made.Id, [first!, second!], 2)
    const refused = await change(made.Id, input('HGH-D1', { ...everyDay, Capacity: 1 }))
    expect(refused.status).toBe(409)
    expect((refused.body as any).Message).toContain(`${first!.slice(5, 7)}/${first!.slice(8)}, more than 1`)
    expect((await change(made.Id, input('HGH-D1', { ...everyDay, Capacity: 3 }))).status).toBe(200)
    await place(made.Id, [first!], 1)
  })

  test('racing: a capacity is lowered while students are placed, and no day is left overbooked', async () => {
    const made = await add('HGH-D1', { ...everyDay, Capacity: 5 })
    const date = dayFromToday(20)
    const { rotation } = await place(made.Id, [date], 1)
    const students: number[] = []
    for (let index = 0; index < 10; index++)
      students.push((await makeStudent(installation.owner, program)).Id)
    await Promise.all([
      ...students.map((id) =>
        coordinator.call(addShiftAssignments, {
          params: params(),
          body: { RotationId: rotation.Id, SiteShiftId: made.Id, StudentIds: [id], Dates: [date] },
        }),
      ),
      change(made.Id, input('HGH-D1', { ...everyDay, Capacity: 2 })),
    ])
    const { rows } = await installation.owner.query(
      `select h.capacity, d.capacity as of_day, d.placed from site_shift h
       join shift_day d on d.program_id = h.program_id and d.site_shift_id = h.id where h.id = $1`,
      [made.Id],
    )
    expect(rows[0].of_day).toBe(rows[0].capacity)
    expect(rows[0].placed).toBeLessThanOrEqual(rows[0].capacity)
  })

  test('new times move the assignments to come, unless a student would be in two places', async () => {
    const made = await add('HGH-D1', everyDay)
    const later = await add('HGH-E1', { ...everyDay, StartTime: '16:00', EndTime: '20:00' })
    const date = dayFromToday(12)
    const { students, rotation } = await place(made.Id, [date])
    await coordinator.ok(addShiftAssignments, {
      params: params(),
      body: { RotationId: rotation.Id, SiteShiftId: later.Id, StudentIds: students, Dates: [date] },
    })
    const refused = await change(made.Id, input('HGH-D1', { ...everyDay, EndTime: '16:30' }))
    expect(refused.status).toBe(409)
    expect((refused.body as any).Message).toMatch(/would be on HGH-D1 and HGH-E1 at once on/)
    expect((await change(made.Id, input('HGH-D1', { ...everyDay, StartTime: '06:00' }))).status).toBe(200)
    const { rows } = await installation.owner.query(
      "select (starts_at at time zone 'America/New_York')::time::text as at from shift_assignment where site_shift_id = $1",
      [made.Id],
    )
    expect(rows[0].at).toBe('06:00:00')
  })

  test('a shift in use is neither deleted nor moved to another site', async () => {
    const made = await add('HGH-D1', everyDay)
    await place(made.Id, [dayFromToday(5)])
    const gone = await coordinator.call(deleteSiteShift, {
      params: { ...params(), siteShiftId: made.Id },
    })
    expect(gone.status).toBe(409)
    expect((gone.body as any).Message).toContain('it has 1 assignment')
    const other = await makeSite(installation.owner, program)
    expect((await change(made.Id, input('HGH-D1', { ...everyDay, SiteId: other.Id }))).status).toBe(409)
  })

  test('D3-066 D3-068 the plan tells every day of the month and every student of the rotation', async () => {
    const { owner } = installation
    const made = await add('HGH-D1', { Weekdays: [1, 2, 3, 4, 5], Capacity: 1 })
    const rotation = await makeRotation(owner, program, { end_date: '2026-12-18' })
    await makeRow(owner, 'day_off', {
      program_id: program.Id,
      name: 'Founders Day',
      start_date: '2026-12-04',
      end_date: '2026-12-04',
    })
    const cpr = await makeRow(owner, 'requirement', {
      program_id: program.Id,
      name: 'CPR',
      blocks_placement: true,
    })
    const okafor = await makeStudent(owner, program, { last_name: 'Okafor' })
    const haddad = await makeStudent(owner, program, { last_name: 'Haddad' })
    await makeRow(owner, 'student_requirement', {
      program_id: program.Id,
      student_id: haddad.Id,
      requirement_id: cpr.id,
      status: 'accepted',
      expires_on: '2026-11-14',
    })
    await makeRow(owner, 'student_requirement', {
      program_id: program.Id,
      student_id: okafor.Id,
      requirement_id: cpr.id,
      status: 'accepted',
    })
    const { Ids } = await coordinator.ok(addShiftAssignments, {
      params: params(),
      body: {
        RotationId: rotation.Id,
        SiteShiftId: made.Id,
        StudentIds: [okafor.Id],
        Dates: ['2026-12-03'],
      },
    })
    const plan = await coordinator.ok(contract.getPlacementPlan, {
      params: params(),
      query: { RotationId: rotation.Id, SiteShiftId: made.Id, Month: '2026-12' },
    })
    expect(plan.Days).toHaveLength(31)
    const state = (day: number) => plan.Days[day - 1]!.State
    expect([state(3), state(4), state(5), state(7), state(21)]).toEqual([
      'full',
      'day_off',
      'shift_weekday',
      'open',
      'rotation_dates',
    ])
    expect(plan.Students).toMatchObject([
      { LastName: 'Haddad', Days: 0, Refusal: 'CPR expired 11/14/2026' },
      { LastName: 'Okafor', Days: 1, Refusal: null },
    ])
    expect(plan.Assigned).toEqual({
      Ids,
      StudentIds: [okafor.Id],
      SiteShiftIds: [made.Id],
      Dates: ['2026-12-03'],
    })
  })

  test('filters offer rotations, students, levels, areas, sites and shifts by text or id', async () => {
    const made = await add('HGH-D1')
    await makeStudent(installation.owner, program, { last_name: 'Okafor', first_name: 'Amara' })
    const find = async (Kind: OptionKind, more: object = {}) =>
      (await coordinator.ok(listSchedulingOptions, { params: params(), query: { Kind, ...more } })).Items
    expect(await find('student', { search: 'amara' })).toMatchObject([
      { Name: 'Okafor, Amara', Detail: 'Level 1' },
    ])
    expect(await find('shift', { Ids: [made.Id] })).toEqual([
      { Id: made.Id, Name: 'HGH-D1', Detail: '07:00–15:30 · Harbor General' },
    ])
    expect(await find('site', { search: 'HARBOR' })).toHaveLength(1)
    expect((await find('level')).map(({ Name }) => Name)).toEqual(['Level 1', 'Level 2'])
    expect(await find('area')).toEqual([])
    expect(await find('rotation')).toEqual([])
  })
})

describe('days off', () => {
  test('a coordinator adds, changes, lists and deletes days off', async () => {
    const body = { Name: 'Thanksgiving', StartDate: '2026-11-26', EndDate: '2026-11-27' }
    const made = await coordinator.ok(createDayOff, { params: params(), body })
    expect(made).toMatchObject(body)
    const at = { params: { ...params(), dayOffId: made.Id } }
    await coordinator.ok(updateDayOff, { ...at, body: { ...body, Name: 'Fall break' } })
    const list = (query: object = {}) => coordinator.ok(listDaysOff, { params: params(), query })
    expect(await list()).toMatchObject([{ Name: 'Fall break' }])
    expect(await list({ FromDate: '2026-11-28' })).toEqual([])
    await coordinator.ok(deleteDayOff, at)
    expect((await coordinator.call(deleteDayOff, at)).status).toBe(404)
    const backwards = { ...body, EndDate: '2026-11-25' }
    const { status } = await coordinator.call(createDayOff, { params: params(), body: backwards })
    expect(status).toBe(400)
  })
})

describe('D3-160 D3-161 D3-263 personal filters', () => {
  test('are off at first, are saved with what they hold, and belong to one person', async () => {
    const off = { IsStudentFilterEnabled: false, IsSiteFilterEnabled: false, IsShiftFilterEnabled: false }
    expect(await coordinator.ok(getPersonalFilterSettings)).toEqual(off)
    const student = await makeStudent(installation.owner, program)
    const on = { ...off, IsStudentFilterEnabled: true }
    await coordinator.ok(savePersonalFilterSettings, { body: { ...on, StudentIds: [student.Id] } })
    await coordinator.ok(savePersonalFilterSettings, { body: on })
    expect(await coordinator.ok(getPersonalFilterSettings)).toEqual(on)
    expect((await coordinator.ok(getPersonalFilters)).Students).toMatchObject([{ Id: student.Id }])
    const colleague = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    expect(await colleague.ok(getPersonalFilterSettings)).toEqual(off)
  })

  test('hold nobody of another program', async () => {
    const stranger = await makeStudent(installation.owner)
    const { status } = await coordinator.call(savePersonalFilterSettings, {
      body: {
        IsStudentFilterEnabled: true,
        IsSiteFilterEnabled: false,
        IsShiftFilterEnabled: false,
        StudentIds: [stranger.Id],
      },
    })
    expect(status).toBe(404)
  })
})

describe('a student', () => {
  test('sees the own shifts with the address of the site, and nobody else’s', async () => {
    const { owner } = installation
    const site = await makeSite(owner, program, {
      name: 'Harbor General',
      address: '1 Main Street',
      city: 'Boston',
      state: 'MA',
      zip: '02110',
    })
    const shift = await makeShift(owner, program, { site })
    const rotation = await makeRotation(owner, program)
    const [amara, farah] = [await makeStudent(owner, program), await makeStudent(owner, program)]
    const day = dayFromToday(3)
    await coordinator.ok(addShiftAssignments, {
      params: params(),
      body: {
        RotationId: rotation.Id,
        SiteShiftId: shift.Id,
        StudentIds: [amara.Id, farah.Id],
        Dates: [day],
      },
    })
    for (const [name, phone] of [
      ['Front desk', ''],
      ['Ruth Bell', '617-555-0100'],
      ['Night desk', '617-555-0199'],
    ])
      await owner.query(
        'insert into site_contact (program_id, site_id, name, role, phone) values ($1, $2, $3, $4, $5)',
        [program.Id, site.Id, name, 'Lead technologist', phone],
      )
    const own = await installation.as(amara)
    const { Shifts } = await own.ok(getOwnSchedule, {
      query: { FromDate: day, ThroughDate: day },
    })
    expect(Shifts).toMatchObject([
      { Date: day, StartTime: '07:00', Site: 'Harbor General', Address: '1 Main Street, Boston, MA 02110' },
    ])
    // The first who can be called.
    expect(Shifts[0]?.Contact).toEqual({
      Name: 'Ruth Bell',
      Role: 'Lead technologist',
      Phone: '617-555-0100',
    })
    expect((await own.call(listShiftAssignments, { params: params() })).status).toBe(403)

    expect(await own.ok(getCalendarFeed)).toBeNull()
    const first = await own.ok(createCalendarFeed)
    expect(await own.ok(getCalendarFeed)).toEqual({ CreatedAt: expect.any(String), LastReadAt: null })
    const feed = await fetch(first.Address)
    expect(feed.status).toBe(200)
    expect(feed.headers.get('content-type')).toContain('text/calendar')
    const text = await feed.text()
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    expect(text.replaceAll('\r\n ', '')).toContain(
      'LOCATION:Harbor General\\, 1 Main Street\\, Boston\\, MA 02110',
    )
    expect(await own.ok(getCalendarFeed)).toEqual({
      CreatedAt: expect.any(String),
      LastReadAt: expect.stringMatching(/Z$/),
    })
    const second = await own.ok(createCalendarFeed)
    expect((await own.ok(getCalendarFeed))?.LastReadAt).toBeNull()
    expect((await fetch(first.Address)).status).toBe(404)
    expect((await fetch(second.Address)).status).toBe(200)
    await own.ok(endCalendarFeed)
    expect((await fetch(second.Address)).status).toBe(404)
    expect(await own.ok(getCalendarFeed)).toBeNull()
    const third = await own.ok(createCalendarFeed)
    await owner.query('update account set deactivated_at = now() where id = $1', [amara.Id])
    expect((await fetch(third.Address)).status).toBe(404)
  })
})

describe('a calendar', () => {
  const eventsOf = async (address: string) => {
    const text = await (await fetch(address)).text()
    return new ical.Component(ical.parse(text)).getAllSubcomponents('vevent').map((event) => ({
      uid: event.getFirstPropertyValue('uid'),
      status: event.getFirstPropertyValue('status'),
      sequence: Number(event.getFirstPropertyValue('sequence')),
      summary: event.getFirstPropertyValue('summary'),
      description: event.getFirstPropertyValue('description'),
    }))
  }
  const setUp = async () => {
    const { owner } = installation
    const [here, away] = [
      await makeSite(owner, program, { name: 'Harbor General' }),
      await makeSite(owner, program, { name: 'Valley Clinic' }),
    ]
    const shifts = [
      await makeShift(owner, program, { site: here, code: 'D1' }),
      await makeShift(owner, program, { site: away, code: 'D2' }),
    ]
    const rotation = await makeRotation(owner, program)
    const students = [
      await makeStudent(owner, program, { first_name: 'Amara', last_name: 'Okafor' }),
      await makeStudent(owner, program, { first_name: 'Farah', last_name: 'Nasser' }),
    ]
    const day = dayFromToday(3)
    const assign = (shift: { Id: number }, StudentIds: number[]) =>
      coordinator.ok(addShiftAssignments, {
        params: params(),
        body: { RotationId: rotation.Id, SiteShiftId: shift.Id, StudentIds, Dates: [day] },
      })
    await assign(
      shifts[0]!,
      students.map(({ Id }) => Id),
    )
    return { owner, here, shifts, students, day, assign }
  }

  test('of staff shows each shift with the students they see there: supervisors at their sites, others by their personal filters', async () => {
    const { owner, here, shifts, students, day, assign } = await setUp()
    const third = await makeStudent(owner, program, { first_name: 'Wei', last_name: 'Zhang' })
    await assign(shifts[1]!, [third.Id])
    const supervisor = await makePerson(owner, Level.Supervisor, { program })
    await owner.query('insert into supervisor_site (program_id, account_id, site_id) values ($1, $2, $3)', [
      program.Id,
      supervisor.Id,
      here.Id,
    ])
    const seen = await (await installation.as(supervisor)).ok(createStaffCalendarFeed, { params: params() })
    const expected = {
      uid: `shift-${shifts[0]!.Id}-${day.replaceAll('-', '')}@${new URL(seen.Address).hostname}`,
      status: 'CONFIRMED',
      summary: 'Harbor General · D1 · 2 students',
      description: expect.stringMatching(/\nNasser, Farah\nOkafor, Amara$/),
    }
    expect(await eventsOf(seen.Address)).toMatchObject([expected])

    const { Address } = await coordinator.ok(createStaffCalendarFeed, { params: params() })
    expect(await eventsOf(Address)).toHaveLength(2)
    await coordinator.ok(savePersonalFilterSettings, {
      body: {
        IsStudentFilterEnabled: true,
        IsSiteFilterEnabled: false,
        IsShiftFilterEnabled: false,
        StudentIds: [third.Id],
      },
    })
    expect(await eventsOf(Address)).toMatchObject([{ summary: 'Valley Clinic · D2 · 1 student' }])

    // Each turns off their own, and nobody else's.
    expect(await coordinator.ok(getStaffCalendarFeed, { params: params() })).toMatchObject({
      LastReadAt: expect.any(String),
    })
    await coordinator.ok(endStaffCalendarFeed, { params: params() })
    expect((await fetch(Address)).status).toBe(404)
    expect(await coordinator.ok(getStaffCalendarFeed, { params: params() })).toBeNull()

    // What somebody may no longer see, their calendar no longer shows.
    await owner.query('delete from supervisor_site where account_id = $1', [supervisor.Id])
    expect(await eventsOf(seen.Address)).toEqual([])
    await owner.query('update account set access_level = $2 where id = $1', [supervisor.Id, Level.Registrant])
    expect((await fetch(seen.Address)).status).toBe(404)
    expect(students).toHaveLength(2)
  })

  test.each([Level.Supervisor, Level.SiteEmployee])(
    'of people of a site of level %i shows who comes to their sites, until it is turned off or they are there no longer',
    async (level) => {
      const { owner, here, shifts, assign } = await setUp()
      await assign(shifts[1]!, [(await makeStudent(owner, program)).Id])
      const person = await makePerson(owner, level, { program })
      const assigned = 'insert into supervisor_site (program_id, account_id, site_id) values ($1, $2, $3)'
      await owner.query(assigned, [program.Id, person.Id, here.Id])
      const own = await installation.as(person)
      expect(await own.ok(getSiteCalendarFeed)).toBeNull()
      const { Address } = await own.ok(createSiteCalendarFeed)
      const expected = [
        {
          summary: 'Harbor General · D1 · 2 students',
          description: expect.stringMatching(/\nNasser, Farah\nOkafor, Amara$/),
        },
      ]
      expect(await eventsOf(Address)).toMatchObject(expected)
      expect(await own.ok(getSiteCalendarFeed)).toMatchObject({ LastReadAt: expect.any(String) })
      await owner.query('delete from supervisor_site where account_id = $1', [person.Id])
      expect(await eventsOf(Address)).toEqual([])
      await owner.query(assigned, [program.Id, person.Id, here.Id])
      const { Address: again } = await own.ok(createSiteCalendarFeed)
      expect((await fetch(Address)).status).toBe(404)
      await owner.query('update account set deactivated_at = now() where id = $1', [person.Id])
      expect((await fetch(again)).status).toBe(404)
      await owner.query('update account set deactivated_at = null where id = $1', [person.Id])
      // It ended for good: nobody but its owner would notice one that came back.
      expect((await fetch(again)).status).toBe(404)
      const back = await installation.as(person)
      const { Address: last } = await back.ok(createSiteCalendarFeed)
      expect(await eventsOf(last)).toMatchObject(expected)
      await back.ok(endSiteCalendarFeed)
      expect((await fetch(last)).status).toBe(404)
      for (const other of [Level.GenericEmployee, Level.Student, Level.Alumnus]) {
        const caller = await installation.as(await makePerson(owner, other, { program }))
        expect((await caller.call(createSiteCalendarFeed)).status).toBe(403)
      }
    },
  )

  test('that has not changed is not sent again, and a shift taken away is cancelled under its id with a higher number', async () => {
    const { owner, students } = await setUp()
    const own = await installation.as(students[0]!)
    const { Address } = await own.ok(createCalendarFeed)
    const first = await fetch(Address)
    const tag = first.headers.get('etag')!
    await first.text()
    const again = await fetch(Address, { headers: { 'if-none-match': `"other", ${tag}` } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('etag')).toBe(tag)
    const [before] = await eventsOf(Address)

    await owner.query(
      "update shift_assignment set removed_at = now() + interval '2 seconds' where program_id = $1 and student_id = $2",
      [program.Id, students[0]!.Id],
    )
    expect((await fetch(Address, { headers: { 'if-none-match': tag } })).status).toBe(200)
    const [after] = await eventsOf(Address)
    expect(after).toMatchObject({ uid: before!.uid, status: 'CANCELLED' })
    expect(after!.sequence).toBeGreaterThan(before!.sequence)
    // Those who see the shift keep it with whoever is left.
    const staff = await coordinator.ok(createStaffCalendarFeed, { params: params() })
    expect(await eventsOf(staff.Address)).toMatchObject([
      { status: 'CONFIRMED', summary: 'Harbor General · D1 · 1 student' },
    ])
    await owner.query(
      "update shift_assignment set removed_at = now() - interval '31 days' where program_id = $1 and student_id = $2",
      [program.Id, students[0]!.Id],
    )
    expect(await eventsOf(Address)).toEqual([])
  })

  test('says that a shift is cancelled where it was given to somebody else or went to another shift, and not once it is back', async () => {
    const { owner, students, shifts } = await setUp()
    const [first, second] = [students[0]!, students[1]!]
    const own = await (await installation.as(first)).ok(createCalendarFeed)
    const staff = await coordinator.ok(createStaffCalendarFeed, { params: params() })
    const said = async ({ Address }: { Address: string }) =>
      (await eventsOf(Address)).map(({ status, summary, sequence }) => ({ status, summary, sequence }))
    const [before] = await said(own)
    const change = (what: string, ...values: unknown[]) =>
      owner.query(`update shift_assignment set ${what} where program_id = $1 and student_id = $2`, [
        program.Id,
        ...values,
      ])
    await change('removed_at = now()', second.Id)
    await change('student_id = $3', first.Id, (await makeStudent(owner, program)).Id)
    const [given] = await said(own)
    expect(given).toMatchObject({ status: 'CANCELLED', summary: before!.summary })
    expect(given!.sequence).toBeGreaterThanOrEqual(before!.sequence)
    expect(await said(staff)).toMatchObject([
      { status: 'CONFIRMED', summary: 'Harbor General · D1 · 1 student' },
    ])
    await owner.query(
      `update shift_assignment set student_id = $2, site_shift_id = $3, site_id = (select site_id from site_shift where id = $3)
       where program_id = $1 and removed_at is null`,
      [program.Id, first.Id, shifts[1]!.Id],
    )
    expect(await said(own)).toMatchObject([{ status: 'CONFIRMED', summary: 'Valley Clinic · D2' }])
    expect((await said(staff)).map(({ status, summary }) => `${status} ${summary}`).sort()).toEqual([
      'CANCELLED Harbor General · D1',
      'CONFIRMED Valley Clinic · D2 · 1 student',
    ])
  })

  test('of a super admin is of the program asked for; staff of another program get none', async () => {
    const { students } = await setUp()
    const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
    const { Address } = await admin.ok(createStaffCalendarFeed, { params: params() })
    expect(await eventsOf(Address)).toMatchObject([{ summary: 'Harbor General · D1 · 2 students' }])
    const stranger = await installation.as(await makePerson(installation.owner, Level.Coord))
    expect((await stranger.call(createStaffCalendarFeed, { params: params() })).status).toBe(404)
    const student = await installation.as(students[0]!)
    expect((await student.call(createStaffCalendarFeed, { params: params() })).status).toBe(403)
  })
})
