import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { addShiftAssignments, removeShiftAssignments } from '#contract/scheduling/assignments.ts'
import * as contract from '#contract/shift-changes/open-shifts.ts'
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
import { dayFromNow } from '#server/test/requirement-proofs.ts'
import { moveUp, tendWaitingLists } from './waiting-list.service.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let shift: { Id: number; Code: string; SiteId: number }
let rotation: { Id: number; Name: string }
let date: string

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { options: { HoursPerWeekRule: 'off' } })
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  const site = await makeSite(owner, program, { name: 'Harbor General' })
  date = dayFromNow(20)
  shift = await makeShift(owner, program, { site, code: 'HGH-D1', capacity: 10, start_date: '2020-01-01' })
  rotation = await makeRotation(owner, program, { start_date: '2020-01-01' })
})

const inProgram = () => ({ programId: program.Id })
const open = (more: object = {}) =>
  coordinator.ok(contract.createOpenShifts, {
    params: inProgram(),
    body: {
      RotationId: rotation.Id,
      SiteShiftId: shift.Id,
      Dates: [date],
      LevelIds: [],
      Places: 2,
      ClosesHoursBefore: 24,
      ...more,
    },
  })
const list = (query: object = {}) => coordinator.ok(contract.listOpenShifts, { params: inProgram(), query })
const openOne = async (more: object = {}): Promise<contract.OpenShift> => {
  await open(more)
  const { Items } = await list()
  return Items.at(-1)!
}
const student = async (
  row: Record<string, unknown> = {},
): Promise<{ person: MadePerson; caller: Caller }> => {
  const person = await makeStudent(installation.owner, program, row)
  return { person, caller: await installation.as(person) }
}
const signUp = (caller: Caller, openShiftId: number, body: object = {}) =>
  caller.call(contract.signUpForOpenShift, { params: { openShiftId }, body })
const leave = (caller: Caller, openShiftId: number) =>
  caller.call(contract.leaveOpenShift, { params: { openShiftId }, body: {} })
const get = (openShiftId: number) =>
  coordinator.ok(contract.getOpenShift, { params: { ...inProgram(), openShiftId } })
const within = (work: Parameters<typeof transaction>[2]) =>
  transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, work)
const notes = async (person: MadePerson): Promise<string[]> => {
  const { rows } = await installation.owner.query(
    'select text from notification where program_id = $1 and account_id = $2 order by id',
    [program.Id, person.Id],
  )
  return rows.map(({ text }) => text)
}

describe('staff', () => {
  test('a coordinator opens a shift on some days; days that are open already are skipped', async () => {
    expect(await open({ Dates: [date, dayFromNow(21)] })).toEqual({ Created: 2, Skipped: 0 })
    expect(await open({ Dates: [date, dayFromNow(22)] })).toEqual({ Created: 1, Skipped: 1 })
    const { Items, Total } = await list()
    expect(Total).toBe(3)
    expect(Items[0]).toMatchObject({
      Date: date,
      Site: 'Harbor General',
      ShiftCode: 'HGH-D1',
      Places: 2,
      Taken: 0,
      Waiting: 0,
      State: 'open',
      Levels: [],
    })
  })

  test('days on which the shift does not run, outside the rotation, or over already are refused, and nothing is opened', async () => {
    const outside = await coordinator.call(contract.createOpenShifts, {
      params: inProgram(),
      body: {
        RotationId: rotation.Id,
        SiteShiftId: shift.Id,
        Dates: [date, '2098-01-01'],
        LevelIds: [],
        Places: 1,
        ClosesHoursBefore: 24,
      },
    })
    expect(outside).toMatchObject({ status: 422, body: { Code: 'day' } })
    const late = await coordinator.call(contract.createOpenShifts, {
      params: inProgram(),
      body: {
        RotationId: rotation.Id,
        SiteShiftId: shift.Id,
        Dates: [dayFromNow(1)],
        LevelIds: [],
        Places: 1,
        ClosesHoursBefore: 24 * 30,
      },
    })
    expect(late).toMatchObject({ status: 422, body: { Code: 'late' } })
    expect((await list()).Total).toBe(0)
  })

  test('more places than the shift has, a day off, and levels that the rotation leaves out are refused', async () => {
    const refused = async (more: object) => {
      const { status, body } = await coordinator.call(contract.createOpenShifts, {
        params: inProgram(),
        body: {
          RotationId: rotation.Id,
          SiteShiftId: shift.Id,
          Dates: [date],
          LevelIds: [],
          Places: 2,
          ClosesHoursBefore: 24,
          ...more,
        },
      })
      expect(status).toBe(422)
      return (body as unknown as { Message: string }).Message
    }
    expect(await refused({ Places: 50 })).toMatch(
      /^The shift takes 10 students on .*, so 50 places cannot be opened\. Nothing was saved\. Open at most 10/,
    )
    await makeRow(installation.owner, 'day_off', {
      program_id: program.Id,
      name: 'Founders Day',
      start_date: date,
      end_date: date,
    })
    expect(await refused({})).toContain('is a day off: Founders Day. Nothing was opened.')
    await makeRow(installation.owner, 'rotation_level', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      level_id: 1,
    })
    expect(await refused({ LevelIds: [2] })).toContain('is for none of these levels')
    const one = await openOne({ Dates: [dayFromNow(21)] })
    expect(
      await coordinator.call(contract.updateOpenShift, {
        params: { ...inProgram(), openShiftId: one.Id },
        body: { Places: 11, LevelIds: [], ClosesHoursBefore: 24, Note: '' },
      }),
    ).toMatchObject({ status: 422, body: { Code: 'above_capacity' } })
  })

  test('filters by state, rotation, site and dates; sorts by what is taken', async () => {
    const first = await openOne({ Places: 1 })
    await open({ Dates: [dayFromNow(25)], Places: 3 })
    const { caller } = await student()
    await signUp(caller, first.Id)
    expect((await list({ State: 'full' })).Items.map(({ Id }) => Id)).toEqual([first.Id])
    expect((await list({ State: 'open' })).Total).toBe(1)
    expect((await list({ State: 'closed' })).Total).toBe(0)
    expect((await list({ FromDate: dayFromNow(24) })).Total).toBe(1)
    expect((await list({ ThroughDate: dayFromNow(24) })).Total).toBe(1)
    expect((await list({ SiteId: shift.SiteId, RotationId: rotation.Id, sort: '-Taken' })).Items[0]?.Id).toBe(
      first.Id,
    )
  })

  test('announcing tells the students of the levels, within the product and by email', async () => {
    const second = await student({ student_level_id: 2 })
    const first = await student({ student_level_id: 1 })
    await open({ LevelIds: [2], IsAnnounced: true })
    expect(await notes(second.person)).toEqual([expect.stringContaining('Open for sign-up')])
    expect(await notes(first.person)).toEqual([])
    const { rows } = await installation.owner.query(
      "select account_id::int from email_notice where program_id = $1 and label = 'SHIFT_open'",
      [program.Id],
    )
    expect(rows).toEqual([{ account_id: second.person.Id }])
  })

  test('places cannot fall below those taken; more places move the waiting list up', async () => {
    const one = await openOne({ Places: 2 })
    const [a, b, c] = [await student(), await student(), await student()]
    for (const { caller } of [a, b, c]) await signUp(caller, one.Id, { IsWaiting: true })
    const change = async (Places: number) =>
      coordinator.call(contract.updateOpenShift, {
        params: { ...inProgram(), openShiftId: one.Id },
        body: { Places, LevelIds: [], ClosesHoursBefore: 12, Note: 'Bring your badge' },
      })
    expect(await change(1)).toMatchObject({ status: 409, body: { Code: 'places' } })
    expect((await change(3)).body).toMatchObject({
      Places: 3,
      ClosesHoursBefore: 12,
      Note: 'Bring your badge',
    })
    await within((db) => moveUp(db, program.Id, one.Id))
    expect(await get(one.Id)).toMatchObject({ Taken: 3, Waiting: 0 })
    expect(await notes(c.person)).toEqual([expect.stringContaining('You moved up from the waiting list')])
  })

  test('closing tells those who wait and keeps those who are placed; reopening brings the list back', async () => {
    const one = await openOne({ Places: 1 })
    const [a, b] = [await student(), await student()]
    await signUp(a.caller, one.Id)
    await signUp(b.caller, one.Id, { IsWaiting: true })
    const params = { ...inProgram(), openShiftId: one.Id }
    expect(await coordinator.ok(contract.closeOpenShift, { params })).toMatchObject({
      State: 'closed',
      Taken: 1,
      Waiting: 0,
    })
    expect(await coordinator.call(contract.closeOpenShift, { params })).toMatchObject({ status: 409 })
    expect(await notes(b.person)).toEqual([expect.stringContaining('Sign-up is over')])
    expect(await signUp(b.caller, one.Id)).toMatchObject({ status: 409, body: { Code: 'closed' } })
    expect(await coordinator.ok(contract.reopenOpenShift, { params })).toMatchObject({ Waiting: 1 })
    expect(await coordinator.call(contract.reopenOpenShift, { params })).toMatchObject({ status: 409 })
  })

  test('the export names who signed up', async () => {
    const one = await openOne()
    const { caller } = await student({ first_name: 'Amara', last_name: 'Okafor' })
    await signUp(caller, one.Id)
    const { body } = await coordinator.call(contract.exportOpenShifts, {
      params: inProgram(),
      query: { Format: 'csv' },
    })
    expect(String(body)).toContain('Okafor, Amara')
  })

  test('faculty reads and cannot open; another program sees nothing', async () => {
    const one = await openOne()
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.ok(contract.listOpenShifts, { params: inProgram(), query: {} })).Total).toBe(1)
    const params = { ...inProgram(), openShiftId: one.Id }
    expect(await faculty.call(contract.closeOpenShift, { params })).toMatchObject({ status: 403 })
    const other = await installation.as(await makePerson(installation.owner, Level.Coord))
    expect(await other.call(contract.getOpenShift, { params })).toMatchObject({ status: 404 })
  })
})

describe('students', () => {
  test('sees what is open for their level, signs up, and has the shift in their schedule', async () => {
    const one = await openOne({ LevelIds: [1] })
    await open({ Dates: [dayFromNow(25)], LevelIds: [2] })
    const { caller, person } = await student({ student_level_id: 1 })
    const before = await caller.ok(contract.listOwnOpenShifts, { query: {} })
    expect(before.Items).toMatchObject([{ Id: one.Id, IsPlaced: false, WaitingAs: null, Blocked: null }])
    expect(await signUp(caller, one.Id)).toMatchObject({ body: { IsPlaced: true, WaitingAs: null } })
    expect((await caller.ok(contract.listOwnOpenShifts, { query: {} })).Total).toBe(0)
    expect((await caller.ok(contract.listOwnOpenShifts, { query: { show: 'own' } })).Items).toMatchObject([
      { Id: one.Id, IsPlaced: true, Taken: 1 },
    ])
    expect((await get(one.Id)).Signups).toMatchObject([{ StudentId: person.Id, State: 'placed' }])
    expect(await signUp(caller, one.Id)).toMatchObject({ status: 409, body: { Code: 'signed_up' } })
  })

  test('another level, another program and staff cannot sign up', async () => {
    const one = await openOne({ LevelIds: [2] })
    const { caller } = await student({ student_level_id: 1 })
    expect(await signUp(caller, one.Id)).toMatchObject({ status: 404 })
    const foreign = await installation.as(await makeStudent(installation.owner))
    expect(await signUp(foreign, one.Id)).toMatchObject({ status: 404 })
    expect(await signUp(coordinator, one.Id)).toMatchObject({ status: 403 })
  })

  test('the rules of placement hold: a missing requirement blocks, and the list says why', async () => {
    const one = await openOne()
    await makeRow(installation.owner, 'requirement', {
      program_id: program.Id,
      name: 'CPR',
      blocks_placement: true,
    })
    const { caller } = await student()
    const { Items } = await caller.ok(contract.listOwnOpenShifts, { query: {} })
    expect(Items[0]?.Blocked).toEqual({
      Rule: 'compliance',
      Message: 'A requirement is missing, or will have expired by that day.',
    })
    expect(await signUp(caller, one.Id)).toMatchObject({ status: 422, body: { Code: 'compliance' } })
    expect(await get(one.Id)).toMatchObject({ Taken: 0, Signups: [] })
  })

  test('a shift at the same time blocks', async () => {
    const one = await openOne()
    const other = await makeShift(installation.owner, program, { start_date: '2020-01-01' })
    const { caller, person } = await student()
    await coordinator.ok(addShiftAssignments, {
      params: inProgram(),
      body: { RotationId: rotation.Id, SiteShiftId: other.Id, StudentIds: [person.Id], Dates: [date] },
    })
    expect(await signUp(caller, one.Id)).toMatchObject({
      status: 422,
      body: { Code: 'overlap', Message: 'You have another shift at that time.' },
    })
    const inSpanish = { headers: { 'x-language': 'es' } }
    expect((await caller.ok(contract.listOwnOpenShifts, { query: {} }, inSpanish)).Items).toMatchObject([
      { Id: one.Id, Blocked: { Rule: 'overlap', Message: 'Tiene otro turno a esa hora.' } },
    ])
  })

  test('a shift that others have filled shows no place, whatever was opened', async () => {
    const one = await openOne({ Places: 1 })
    const { caller } = await student()
    await installation.owner.query('update site_shift set capacity = 1 where program_id = $1 and id = $2', [
      program.Id,
      shift.Id,
    ])
    await coordinator.ok(addShiftAssignments, {
      params: inProgram(),
      body: {
        RotationId: rotation.Id,
        SiteShiftId: shift.Id,
        StudentIds: [(await makeStudent(installation.owner, program)).Id],
        Dates: [date],
      },
    })
    expect((await caller.ok(contract.listOwnOpenShifts, { query: {} })).Items).toMatchObject([
      { Id: one.Id, Places: 1, Taken: 1, Blocked: null },
    ])
    expect(await signUp(caller, one.Id)).toMatchObject({ status: 409, body: { Code: 'full' } })
  })

  test('a full shift answers `full`, then the waiting list keeps the order', async () => {
    const one = await openOne({ Places: 1 })
    const [a, b, c] = [await student(), await student(), await student()]
    await signUp(a.caller, one.Id)
    expect(await signUp(b.caller, one.Id)).toMatchObject({ status: 409, body: { Code: 'full' } })
    expect((await signUp(b.caller, one.Id, { IsWaiting: true })).body).toEqual({
      IsPlaced: false,
      WaitingAs: 1,
    })
    expect((await signUp(c.caller, one.Id, { IsWaiting: true })).body).toMatchObject({ WaitingAs: 2 })
    await leave(b.caller, one.Id)
    expect((await c.caller.ok(contract.listOwnOpenShifts, { query: { show: 'own' } })).Items).toMatchObject([
      { WaitingAs: 1 },
    ])
  })

  test('the site’s own places count too: filled by hand, an open place cannot be taken', async () => {
    const tight = await makeShift(installation.owner, program, { capacity: 1, start_date: '2020-01-01' })
    const one = await openOne({ SiteShiftId: tight.Id, Places: 1 })
    const [a, b] = [await student(), await student()]
    await coordinator.ok(addShiftAssignments, {
      params: inProgram(),
      body: { RotationId: rotation.Id, SiteShiftId: tight.Id, StudentIds: [a.person.Id], Dates: [date] },
    })
    expect(await signUp(b.caller, one.Id)).toMatchObject({ status: 409, body: { Code: 'full' } })
  })

  test('a drop frees the place, and the next who may moves up and is told', async () => {
    const one = await openOne({ Places: 1 })
    const [a, b, c] = [await student(), await student(), await student()]
    for (const { caller } of [a, b, c]) await signUp(caller, one.Id, { IsWaiting: true })
    const other = await makeShift(installation.owner, program, { start_date: '2020-01-01' })
    await coordinator.ok(addShiftAssignments, {
      params: inProgram(),
      body: { RotationId: rotation.Id, SiteShiftId: other.Id, StudentIds: [b.person.Id], Dates: [date] },
    })
    expect((await leave(a.caller, one.Id)).body).toEqual({ IsDropped: true })
    await within((db) => moveUp(db, program.Id, one.Id))
    await within((db) => moveUp(db, program.Id, one.Id))
    const shown = await get(one.Id)
    expect(shown).toMatchObject({ Taken: 1, Waiting: 1 })
    expect(shown.Signups.map(({ StudentId, State }) => [StudentId, State])).toEqual([
      [c.person.Id, 'placed'],
      [b.person.Id, 'waiting'],
      [a.person.Id, 'dropped'],
    ])
    expect(await notes(c.person)).toHaveLength(1)
  })

  test('who could not move up is told why, once', async () => {
    const one = await openOne({ Places: 1 })
    const [a, b] = [await student(), await student()]
    for (const { caller } of [a, b]) await signUp(caller, one.Id, { IsWaiting: true })
    const other = await makeShift(installation.owner, program, { start_date: '2020-01-01' })
    await coordinator.ok(addShiftAssignments, {
      params: inProgram(),
      body: { RotationId: rotation.Id, SiteShiftId: other.Id, StudentIds: [b.person.Id], Dates: [date] },
    })
    await leave(a.caller, one.Id)
    await tendWaitingLists(program.Id, within)
    await tendWaitingLists(program.Id, within)
    expect(await notes(b.person)).toEqual([
      expect.stringContaining(
        'A place is free, but you cannot take it. You have another shift at that time.',
      ),
    ])
    expect((await get(one.Id)).Signups).toContainEqual(
      expect.objectContaining({
        StudentId: b.person.Id,
        State: 'waiting',
        Hindrance: 'You have another shift at that time.',
      }),
    )
  })

  test('after the start it cannot be dropped', async () => {
    const one = await openOne({ Dates: [dayFromNow(3)], ClosesHoursBefore: 1 })
    const { caller, person } = await student()
    await signUp(caller, one.Id)
    await installation.owner.query(
      `update shift_assignment set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'
       where program_id = $1 and student_id = $2`,
      [program.Id, person.Id],
    )
    expect(await leave(caller, one.Id)).toMatchObject({ status: 409, body: { Code: 'started' } })
  })

  test('removed by staff, the place is free again and the sign-up says so', async () => {
    const one = await openOne({ Places: 1 })
    const { caller, person } = await student()
    await signUp(caller, one.Id)
    const { rows } = await installation.owner.query(
      'select id::int from shift_assignment where program_id = $1 and student_id = $2',
      [program.Id, person.Id],
    )
    await coordinator.ok(removeShiftAssignments, { params: inProgram(), body: { Ids: [rows[0].id] } })
    expect(await get(one.Id)).toMatchObject({ Taken: 0, Signups: [{ State: 'removed' }] })
    expect(await signUp(caller, one.Id)).toMatchObject({ body: { IsPlaced: true } })
  })

  test('the waiting list ends with the sign-up, and those who waited are told', async () => {
    const one = await openOne({ Places: 1 })
    const [a, b] = [await student(), await student()]
    for (const { caller } of [a, b]) await signUp(caller, one.Id, { IsWaiting: true })
    await installation.owner.query(
      "update open_shift set closes_at = now() - interval '1 minute' where id = $1",
      [one.Id],
    )
    await tendWaitingLists(program.Id, within)
    expect(await get(one.Id)).toMatchObject({ Waiting: 0, State: 'closed' })
    expect(await notes(b.person)).toEqual([expect.stringContaining('Sign-up is over')])
  })
})

describe('races', () => {
  test('of 40 who sign up at once exactly the places are taken, and everyone learns which it is', async () => {
    const one = await openOne({ Places: 7 })
    const people = await Promise.all(Array.from({ length: 40 }, () => student()))
    const answers = await Promise.all(people.map(({ caller }) => signUp(caller, one.Id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(
      answers.filter(({ status, body }) => status === 409 && (body as { Code?: string }).Code === 'full'),
    ).toHaveLength(33)
    const { rows } = await installation.owner.query(
      `select (select count(*)::int from shift_assignment where program_id = $1 and removed_at is null) as assignments,
        (select placed from shift_day where program_id = $1 and site_shift_id = $2 and date = $3) as counter`,
      [program.Id, shift.Id, date],
    )
    expect(rows).toEqual([{ assignments: 7, counter: 7 }])
    expect(await get(one.Id)).toMatchObject({ Taken: 7, State: 'full' })
  })

  test('of 40 on the last places all who would wait are placed or wait, and drops meanwhile lose nobody', async () => {
    const one = await openOne({ Places: 5 })
    const people = await Promise.all(Array.from({ length: 20 }, () => student()))
    const answers = await Promise.all(
      people.map(async ({ caller }, index) => {
        const answer = await signUp(caller, one.Id, { IsWaiting: true })
        if (index % 4 === 0) await leave(caller, one.Id)
        return answer
      }),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    await tendWaitingLists(program.Id, within)
    const shown = await get(one.Id)
    expect(shown).toMatchObject({ Taken: 5, Waiting: 10 })
    expect(shown.Signups.filter(({ State }) => State === 'placed')).toHaveLength(5)
  })

  test('of 50 who come at once each has a number of their own, in the order of the list and of its times', async () => {
    const one = await openOne({ Places: 6 })
    const people = await Promise.all(Array.from({ length: 50 }, () => student()))
    const answers = await Promise.all(people.map(({ caller }) => signUp(caller, one.Id, { IsWaiting: true })))
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200))
    const told = new Map(
      answers.map(({ body }, index) => [
        people[index]!.person.Id,
        (body as { WaitingAs: number | null }).WaitingAs,
      ]),
    )
    const { Signups } = await get(one.Id)
    const numbers = Array.from({ length: 44 }, (_, index) => index + 1)
    expect(Signups.map(({ StudentId }) => told.get(StudentId))).toEqual([...Array(6).fill(null), ...numbers])
    const times = Signups.map(({ At }) => At)
    expect(times).toEqual(times.toSorted())
  })

  test('one student who signs up many times at once has one place', async () => {
    const one = await openOne({ Places: 5 })
    const { caller } = await student()
    const answers = await Promise.all(Array.from({ length: 8 }, () => signUp(caller, one.Id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await get(one.Id)).toMatchObject({ Taken: 1 })
  })
})
