import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listNotifications } from '#contract/communication/notifications.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/scheduling/assignments.ts'
import { savePersonalFilterSettings } from '#contract/scheduling/personal-filters.ts'
import { getScheduleGrid } from '#contract/scheduling/schedule-grid.ts'
import { listSiteShifts } from '#contract/scheduling/site-shifts.ts'
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
  makeSupervisor,
} from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let site: { Id: number; Name: string }
let shift: { Id: number; Code: string; SiteId: number }
let rotation: { Id: number; Name: string }
let amara: MadePerson
let farah: MadePerson

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner)
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  site = await makeSite(owner, program, { name: 'Harbor General', code: 'HGH' })
  await makeAgreement(site.Id)
  shift = await makeShift(owner, program, { site, code: 'HGH-D1', capacity: 2 })
  rotation = await makeRotation(owner, program, { name: 'Clinical II', end_date: '2027-06-30' })
  amara = await makeStudent(owner, program, { first_name: 'Amara', last_name: 'Okafor' })
  farah = await makeStudent(owner, program, { first_name: 'Farah', last_name: 'Haddad' })
})

const makeAgreement = (siteId: number, more: Record<string, unknown> = {}) =>
  makeRow(installation.owner, 'affiliate_agreement', {
    program_id: program.Id,
    site_id: siteId,
    initial_date: '2020-01-01',
    is_active: true,
    is_approved: true,
    ...more,
  })
const setOptions = (options: object) =>
  installation.owner.query('update program set options = options || $2 where id = $1', [
    program.Id,
    JSON.stringify(options),
  ])
const params = () => ({ programId: program.Id })
const request = (StudentIds: number[], Dates: string[], more: object = {}) => ({
  params: params(),
  body: { RotationId: rotation.Id, SiteShiftId: shift.Id, StudentIds, Dates, ...more },
})
const add = (StudentIds: number[], Dates: string[], more: object = {}) =>
  coordinator.ok(contract.addShiftAssignments, request(StudentIds, Dates, more))
const list = (query: object = {}, who = coordinator) =>
  who.ok(contract.listShiftAssignments, { params: params(), query })
/** A file's bytes; the caller of the harness reads text only. */
const download = async (path: string): Promise<Uint8Array> => {
  const { openSession } = await import('#server/core/auth/session.ts')
  const account = await makePerson(installation.owner, Level.Coord, { program })
  const token = await openSession(installation.services.pool, account.Id, { address: '127.0.0.1', agent: '' })
  const response = await fetch(`${installation.url}/new/api${path}`, {
    headers: { cookie: `practicum_session=${token}` },
  })
  return new Uint8Array(await response.arrayBuffer())
}
const placedOn = async (date: string) => {
  const { rows } = await installation.owner.query(
    `select (select count(*)::int from shift_assignment where program_id = $1 and site_shift_id = $2 and date = $3
       and removed_at is null) as rows,
       coalesce((select placed from shift_day where program_id = $1 and site_shift_id = $2 and date = $3), 0) as counter`,
    [program.Id, shift.Id, date],
  )
  return rows[0]
}

describe('adding', () => {
  test('D3-062 D3-066 a coordinator places two students on two dates', async () => {
    const answer = await add([amara.Id, farah.Id], ['2026-12-03', '2026-12-04'])
    expect(answer).toMatchObject({ Added: 4, Refused: [], Warnings: [] })
    const { Items, Total } = await list()
    expect(Total).toBe(4)
    expect(Items.map((row) => `${row.Date} ${row.LastName}`).toSorted()).toEqual([
      '2026-12-03 Haddad',
      '2026-12-03 Okafor',
      '2026-12-04 Haddad',
      '2026-12-04 Okafor',
    ])
  })

  test('D3-069 a full day takes nobody and says so with shift, day and places', async () => {
    const grace = await makeStudent(installation.owner, program)
    await add([amara.Id, farah.Id], ['2026-12-03'])
    const answer = await add([grace.Id], ['2026-12-03', '2026-12-04'])
    expect(answer.Added).toBe(1)
    expect(answer.Refused).toEqual([
      {
        StudentId: grace.Id,
        Date: '2026-12-03',
        Rule: 'capacity',
        Message: 'Harbor General is full on Thu 12/03: 2 of 2 places. Pick another date or shift.',
      },
    ])
  })

  test('the last place goes to the first of the students named', async () => {
    const grace = await makeStudent(installation.owner, program)
    const answer = await add([amara.Id, farah.Id, grace.Id], ['2026-12-03'])
    expect(answer.Added).toBe(2)
    expect(answer.Refused).toMatchObject([{ StudentId: grace.Id, Rule: 'capacity' }])
  })

  test('AllOrNothing adds nothing when something is refused, and answers 422 with the refusals', async () => {
    await add([amara.Id, farah.Id], ['2026-12-03'])
    const grace = await makeStudent(installation.owner, program)
    const { status, body } = await coordinator.call(
      contract.addShiftAssignments,
      request([grace.Id], ['2026-12-02', '2026-12-03'], { AllOrNothing: true }),
    )
    expect(status).toBe(422)
    expect(body).toMatchObject({
      Message: expect.stringContaining('Harbor General is full on Thu 12/03'),
      Added: 0,
      Refused: [{ StudentId: grace.Id, Date: '2026-12-03', Rule: 'capacity' }],
    })
    expect(await placedOn('2026-12-02')).toEqual({ rows: 0, counter: 0 })
  })

  test('a student is never on two shifts at once', async () => {
    const other = await makeShift(installation.owner, program, {
      code: 'SBM-D2',
      start_time: '15:00',
      end_time: '23:00',
    })
    await makeAgreement(other.SiteId)
    await add([amara.Id], ['2026-12-03'])
    const { Refused } = await add([amara.Id], ['2026-12-03'], { SiteShiftId: other.Id })
    expect(Refused).toMatchObject([
      {
        Rule: 'overlap',
        Message:
          'Amara Okafor is already placed on HGH-D1 at Harbor General on Thu 12/03. Pick another date, or change that assignment.',
      },
    ])
  })

  test('placing the same students again is refused as an overlap and changes nothing', async () => {
    await add([amara.Id], ['2026-12-03'])
    const again = await add([amara.Id], ['2026-12-03'])
    expect(again).toMatchObject({ Added: 0, Refused: [{ Rule: 'overlap' }] })
    expect(await placedOn('2026-12-03')).toEqual({ rows: 1, counter: 1 })
  })

  test('the same id or date named twice counts once', async () => {
    const answer = await add([amara.Id, amara.Id], ['2026-12-03', '2026-12-03'])
    expect(answer).toMatchObject({ Added: 1, Refused: [] })
  })

  test('weekday, active dates, rotation, levels, program dates and days off each refuse by their rule', async () => {
    const { owner } = installation
    await owner.query("update program set active_through = '2026-12-20' where id = $1", [program.Id])
    await makeRow(owner, 'day_off', {
      program_id: program.Id,
      name: 'Thanksgiving',
      start_date: '2026-11-26',
      end_date: '2026-11-27',
    })
    const weekly = await makeShift(owner, program, {
      site,
      code: 'HGH-W',
      weekdays: [1, 3],
      start_date: '2026-11-01',
      end_date: '2026-12-31',
    })
    const refusal = async (date: string, more: object = {}) =>
      (await add([amara.Id], [date], { SiteShiftId: weekly.Id, ...more })).Refused[0]
    expect(await refusal('2026-12-01')).toMatchObject({
      Rule: 'shift_weekday',
      Message:
        'HGH-W does not run on Tue 12/01: it runs on Mondays and Wednesdays. Pick another date or shift.',
    })
    expect(await refusal('2026-10-28')).toMatchObject({ Rule: 'shift_dates' })
    expect(await refusal('2027-07-05')).toMatchObject({ Rule: 'rotation_dates' })
    expect(await refusal('2026-12-21')).toMatchObject({ Rule: 'program_dates' })
    expect(await refusal('2026-11-26', { SiteShiftId: shift.Id })).toMatchObject({
      Rule: 'day_off',
      Message: 'Thu 11/26 is a day off: Thanksgiving. Pick another date.',
    })
    const second = await makeRotation(owner, program)
    await makeRow(owner, 'rotation_level', { program_id: program.Id, rotation_id: second.Id, level_id: 2 })
    expect(await refusal('2026-12-02', { RotationId: second.Id })).toMatchObject({ Rule: 'rotation_level' })
  })

  test('a requirement that blocks placement keeps a student out when missing or expired', async () => {
    const { owner } = installation
    const cpr = await makeRow(owner, 'requirement', {
      program_id: program.Id,
      name: 'CPR',
      blocks_placement: true,
    })
    await makeRow(owner, 'student_requirement', {
      program_id: program.Id,
      student_id: amara.Id,
      requirement_id: cpr.id,
      status: 'accepted',
      expires_on: '2026-12-03',
    })
    const { Added, Refused } = await add([amara.Id, farah.Id], ['2026-12-03', '2026-12-04'])
    expect(Added).toBe(1)
    expect(Refused.map(({ Message }) => Message)).toEqual([
      'Farah cannot be placed on Thu 12/03: CPR is missing. Upload a new card or ask for a waiver.',
      'Amara cannot be placed on Fri 12/04: CPR expired 12/03/2026. Upload a new card or ask for a waiver.',
      'Farah cannot be placed on Fri 12/04: CPR is missing. Upload a new card or ask for a waiver.',
    ])
  })

  test('hours a week block, hours a day warn, and a rule set off says nothing', async () => {
    await setOptions({ MostHoursPerWeek: 20, MostHoursPerDay: 8 })
    const week = ['2026-11-30', '2026-12-01', '2026-12-02']
    const answer = await add([amara.Id], week)
    expect(answer.Added).toBe(2)
    expect(answer.Warnings.map(({ Rule }) => Rule)).toEqual(['hours_per_day', 'hours_per_day'])
    expect(answer.Refused).toMatchObject([
      {
        Date: '2026-12-02',
        Rule: 'hours_per_week',
        Message:
          'Amara Okafor would have 25.5 h in the week of Sun 11/29 with Wed 12/02; the program allows 20.0. Remove one day or ask for an exception.',
      },
    ])
    await setOptions({ HoursPerWeekRule: 'off', HoursPerDayRule: 'off' })
    expect(await add([farah.Id], week)).toMatchObject({ Added: 3, Warnings: [], Refused: [] })
  })

  test('a site without an agreement in force warns, or blocks when the program says so', async () => {
    const bare = await makeShift(installation.owner, program)
    const warned = await add([amara.Id], ['2026-12-03'], { SiteShiftId: bare.Id })
    expect(warned).toMatchObject({ Added: 1, Warnings: [{ Rule: 'agreement' }] })
    await setOptions({ AgreementRule: 'block' })
    const blocked = await add([amara.Id], ['2026-12-04'], { SiteShiftId: bare.Id })
    expect(blocked).toMatchObject({ Added: 0, Refused: [{ Rule: 'agreement' }] })
  })

  test('a check answers what adding would, and changes nothing', async () => {
    await add([amara.Id, farah.Id], ['2026-12-03'])
    const grace = await makeStudent(installation.owner, program)
    const input = request([grace.Id], ['2026-12-03', '2026-12-04'])
    const checked = await coordinator.ok(contract.checkShiftAssignments, input)
    expect(await placedOn('2026-12-04')).toEqual({ rows: 0, counter: 0 })
    const added = await coordinator.ok(contract.addShiftAssignments, input)
    expect(checked).toMatchObject({ Added: added.Added, Refused: added.Refused })
  })

  test('people who are not active students of the program, and foreign rotations and shifts, are not there', async () => {
    const { owner } = installation
    const other = await makeProgram(owner)
    const stranger = await makeStudent(owner, other)
    const teacher = await makePerson(owner, Level.Faculty, { program })
    const gone = await makeStudent(owner, program, { deactivated_at: '2026-01-01' })
    for (const id of [stranger.Id, teacher.Id, gone.Id, 999_999_999]) {
      const { status } = await coordinator.call(
        contract.addShiftAssignments,
        request([amara.Id, id], ['2026-12-03']),
      )
      expect(status).toBe(404)
    }
    const theirs = await makeShift(owner, other)
    const foreign = request([amara.Id], ['2026-12-03'], { SiteShiftId: theirs.Id })
    expect((await coordinator.call(contract.addShiftAssignments, foreign)).status).toBe(404)
    const theirRotation = await makeRotation(owner, other)
    const inTheirs = request([amara.Id], ['2026-12-03'], { RotationId: theirRotation.Id })
    expect((await coordinator.call(contract.addShiftAssignments, inTheirs)).status).toBe(404)
    expect((await list()).Items).toEqual([])
  })

  test('no students, no dates, dates that do not exist and too many of both are refused with 400', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => index + 1)
    const dates = Array.from({ length: 11 }, (_, index) => `2026-12-${String(index + 1).padStart(2, '0')}`)
    for (const body of [
      request([], ['2026-12-03']),
      request([amara.Id], []),
      request([amara.Id], ['2026-02-30']),
      request(many, dates),
      request([amara.Id], ['2026-12-03'], { Surprise: 1 }),
    ])
      expect((await coordinator.call(contract.addShiftAssignments, body)).status).toBe(400)
  })

  test('the number of statements does not grow with students and dates', async () => {
    const counts: number[] = []
    const watched = await startInstallation(
      {},
      { statements: (endpoint, count) => endpoint === contract.addShiftAssignments && counts.push(count) },
    )
    try {
      const { owner } = watched
      const own = await makeProgram(owner)
      const who = await watched.as(await makePerson(owner, Level.Coord, { program: own }))
      const ownShift = await makeShift(owner, own, { capacity: 50 })
      const ownRotation = await makeRotation(owner, own)
      const students: number[] = []
      for (let index = 0; index < 30; index++) students.push((await makeStudent(owner, own)).Id)
      const place = (StudentIds: number[], Dates: string[]) =>
        who.ok(contract.addShiftAssignments, {
          params: { programId: own.Id },
          body: { RotationId: ownRotation.Id, SiteShiftId: ownShift.Id, StudentIds, Dates },
        })
      await place(students.slice(0, 1), ['2026-12-01'])
      const answer = await place(students, ['2026-12-07', '2026-12-08', '2026-12-14', '2026-12-15'])
      expect(answer.Added).toBe(120)
      expect(counts[1]).toBe(counts[0])
      expect(counts[0]).toBeLessThanOrEqual(16)
    } finally {
      await watched.stop()
    }
  })
})

describe('racing writers', () => {
  const race = async (writers: { url?: string; send: (path: string, body: unknown) => Promise<any> }[]) => {
    const rivals = await Promise.all(writers.map(() => makeStudent(installation.owner, program)))
    const path = addressOf(contract.addShiftAssignments, { params: params() })
    return Promise.all(
      writers.map((writer, index) =>
        writer.send(path, {
          RotationId: rotation.Id,
          SiteShiftId: shift.Id,
          StudentIds: [rivals[index]!.Id],
          Dates: ['2026-12-10'],
        }),
      ),
    )
  }
  const expectOneWinner = async (replies: { status: number; body: any }[]) => {
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(replies.reduce((sum, { body }) => sum + body.Added, 0)).toBe(1)
    const refused = replies.flatMap(({ body }) => body.Refused)
    expect(refused).toHaveLength(replies.length - 1)
    for (const { Rule, Message } of refused) {
      expect(Rule).toBe('capacity')
      expect(Message).toBe('Harbor General is full on Thu 12/10: 2 of 2 places. Pick another date or shift.')
    }
    expect(await placedOn('2026-12-10')).toEqual({ rows: 2, counter: 2 })
  }

  test('forty writers on the last place leave exactly one in it, and the others learn why', async () => {
    await add([amara.Id], ['2026-12-10'])
    const send = (path: string, body: unknown) => coordinator.send('POST', path, { body })
    await expectOneWinner(await race(Array.from({ length: 40 }, () => ({ send }))))
  })

  test('the same with two servers on one database', async () => {
    await add([amara.Id], ['2026-12-10'])
    const second = await secondServer()
    try {
      const account = await makePerson(installation.owner, Level.Coord, { program })
      const near = await installation.as(account)
      const far = await second.as(account)
      await expectOneWinner(
        await race(
          Array.from({ length: 40 }, (_, index) => ({
            send: (path: string, body: unknown) => (index % 2 ? far : near).send('POST', path, { body }),
          })),
        ),
      )
    } finally {
      await second.stop()
    }
  })

  test('twenty writers place the same student on overlapping shifts: one wins', async () => {
    const shifts = []
    for (let index = 0; index < 20; index++) {
      const made = await makeShift(installation.owner, program, { capacity: 5 })
      shifts.push(made.Id)
    }
    const replies = await Promise.all(
      shifts.map((id) =>
        coordinator.call(
          contract.addShiftAssignments,
          request([amara.Id], ['2026-12-10'], { SiteShiftId: id }),
        ),
      ),
    )
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    expect(replies.reduce((sum, { body }) => sum + body.Added, 0)).toBe(1)
    expect(replies.flatMap(({ body }) => body.Refused).every(({ Rule }) => Rule === 'overlap')).toBe(true)
  })

  test('a writer that takes no locks is still refused by the database, and ours gives the same refusal', async () => {
    const client = await installation.owner.connect()
    try {
      await client.query('begin')
      for (const student of [farah.Id, (await makeStudent(installation.owner, program)).Id])
        await client.query(
          `insert into shift_assignment (program_id, rotation_id, site_shift_id, site_id, student_id, date, starts_at, ends_at)
           values ($1, $2, $3, $4, $5, '2026-12-10', '2026-12-10T12:00Z', '2026-12-10T20:30Z')`,
          [program.Id, rotation.Id, shift.Id, site.Id, student],
        )
      const waiting = add([amara.Id], ['2026-12-10'])
      const held = `select from pg_locks l join pg_stat_activity a using (pid)
        where a.datname = current_database() and not l.granted`
      await expect
        .poll(async () => (await installation.owner.query(held)).rowCount, { timeout: 5_000 })
        .toBe(1)
      await client.query('commit')
      expect(await waiting).toMatchObject({ Added: 0, Refused: [{ Rule: 'capacity' }] })
    } finally {
      client.release()
    }
    expect(await placedOn('2026-12-10')).toEqual({ rows: 2, counter: 2 })
  })

  test('adding, changing and removing at the same time keep counter and rows in step', async () => {
    const students: number[] = []
    for (let index = 0; index < 8; index++) students.push((await makeStudent(installation.owner, program)).Id)
    const wide = await makeShift(installation.owner, program, { site, capacity: 20 })
    await Promise.all(students.map((id) => add([id], ['2026-12-10', '2026-12-11'], { SiteShiftId: wide.Id })))
    const { Items } = await list({ pageSize: 100 })
    const replies = await Promise.all(
      Items.map(({ Id }, index) =>
        index % 2
          ? coordinator.call(contract.removeShiftAssignments, { params: params(), body: { Ids: [Id] } })
          : coordinator.call(contract.changeShiftAssignments, {
              params: params(),
              body: { Ids: [Id], SiteShiftId: shift.Id },
            }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const { rows } = await installation.owner.query(
      `select count(*)::int as wrong from shift_day d where program_id = $1 and placed <> (select count(*)
         from shift_assignment a where a.program_id = d.program_id and a.site_shift_id = d.site_shift_id
         and a.date = d.date and a.removed_at is null)`,
      [program.Id],
    )
    expect(rows[0].wrong).toBe(0)
    expect((await placedOn('2026-12-10')).rows).toBeLessThanOrEqual(2)
  })
})

/** Another process's share of the installation: its own pool and its own port on the same database. */
const secondServer = async () => {
  const { createPool } = await import('#server/core/database/pool.ts')
  const { createWeb } = await import('#server/core/http/web.ts')
  const { openSession } = await import('#server/core/auth/session.ts')
  const { routes } = await import('#server/app.ts')
  const { services } = installation
  const pool = createPool(services.pool.options.connectionString!, services.log, 20)
  const app = await createWeb({ ...services, pool }, routes, { isReady: async () => true })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    as: async ({ Id }: { Id: number }) => {
      const token = await openSession(pool, Id, { address: '127.0.0.1', agent: 'test' })
      const { rows } = await installation.owner.query(
        'select csrf_token from session where account_id = $1 order by id desc limit 1',
        [Id],
      )
      return {
        send: async (method: string, path: string, { body }: { body: unknown }) => {
          const response = await fetch(`${url}/new/api${path}`, {
            method,
            headers: {
              cookie: `practicum_session=${token}`,
              'x-csrf-token': rows[0].csrf_token,
              'content-type': 'application/json',
            },
            body: JSON.stringify(body),
          })
          return { status: response.status, body: (await response.json()) as any }
        },
      }
    },
    stop: async () => {
      await app.close()
      await pool.end()
    },
  }
}

describe('changing, moving, removing', () => {
  test('D3-065 D3-070 selected rows go to another shift as far as the rules allow', async () => {
    const small = await makeShift(installation.owner, program, {
      site,
      code: 'HGH-E1',
      capacity: 1,
      start_time: '15:00',
      end_time: '23:00',
    })
    const { Ids } = await add([amara.Id, farah.Id], ['2026-12-03'])
    const answer = await coordinator.ok(contract.changeShiftAssignments, {
      params: params(),
      body: { Ids, SiteShiftId: small.Id },
    })
    expect(answer).toMatchObject({ Added: 1, Refused: [{ Rule: 'capacity', Date: '2026-12-03' }] })
    expect(await placedOn('2026-12-03')).toEqual({ rows: 1, counter: 1 })
    const codes = (await list()).Items.map(({ ShiftCode }) => ShiftCode).toSorted()
    expect(codes).toEqual(['HGH-D1', 'HGH-E1'])
  })

  test('an assignment may change to a shift that overlaps only its own old place', async () => {
    const later = await makeShift(installation.owner, program, {
      site,
      start_time: '08:00',
      end_time: '16:30',
    })
    const { Ids } = await add([amara.Id], ['2026-12-03'])
    const answer = await coordinator.ok(contract.changeShiftAssignments, {
      params: params(),
      body: { Ids, SiteShiftId: later.Id },
    })
    expect(answer).toMatchObject({ Added: 1, Refused: [] })
  })

  test('changing with AllOrNothing changes nothing when one is refused', async () => {
    const small = await makeShift(installation.owner, program, { site, capacity: 1 })
    const { Ids } = await add([amara.Id, farah.Id], ['2026-12-03'])
    const { status } = await coordinator.call(contract.changeShiftAssignments, {
      params: params(),
      body: { Ids, SiteShiftId: small.Id, AllOrNothing: true },
    })
    expect(status).toBe(422)
    expect(await placedOn('2026-12-03')).toEqual({ rows: 2, counter: 2 })
  })

  test('an assignment moves to another date or student, or is refused and stays', async () => {
    const { Ids } = await add([amara.Id], ['2026-12-03'])
    const move = (body: { StudentId: number; Date: string }) =>
      coordinator.ok(contract.moveShiftAssignment, {
        params: { ...params(), assignmentId: Ids[0]! },
        body,
      })
    expect(await move({ StudentId: amara.Id, Date: '2026-12-04' })).toMatchObject({ Added: 1 })
    expect(await move({ StudentId: farah.Id, Date: '2026-12-04' })).toMatchObject({ Added: 1 })
    expect(await move({ StudentId: farah.Id, Date: '2027-08-04' })).toMatchObject({
      Added: 0,
      Refused: [{ Rule: 'rotation_dates' }],
    })
    expect((await list()).Items).toMatchObject([{ StudentId: farah.Id, Date: '2026-12-04' }])
    expect(await placedOn('2026-12-03')).toEqual({ rows: 0, counter: 0 })
  })

  test('a change of a shift that begins within 48 hours is in the notifications of the student at once, a later one is not', async () => {
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    await installation.owner.query(
      'update rotation set start_date = current_date - 30, end_date = current_date + 300 where id = $1',
      [rotation.Id],
    )
    await installation.owner.query(
      'update site_shift set start_date = current_date - 30, end_date = current_date + 300 where id = $1',
      [shift.Id],
    )
    const student = await installation.as(amara)
    const told = async () => {
      await installation.hear()
      return (await student.ok(listNotifications)).map(({ Text, Link }) => [Text.split(': ')[0], Link])
    }
    const { Ids } = await add([amara.Id], [day(20)])
    expect(await told()).toEqual([])
    const move = (date: string, StudentId = amara.Id) =>
      coordinator.ok(contract.moveShiftAssignment, {
        params: { ...params(), assignmentId: Ids[0]! },
        body: { StudentId, Date: date },
      })
    expect(await move(day(1))).toMatchObject({ Added: 1 })
    const changed = ['Your shift was changed', '/new/schedule']
    expect(await told()).toEqual([changed])
    await move(day(20), farah.Id)
    expect(await told()).toEqual([['Your shift was removed', '/new/schedule'], changed])
  })

  test('removed assignments free their places and come back with the rules checked again', async () => {
    const { Ids } = await add([amara.Id, farah.Id], ['2026-12-03'])
    const { Removed } = await coordinator.ok(contract.removeShiftAssignments, {
      params: params(),
      body: { Ids },
    })
    expect(Removed).toBe(2)
    expect(await placedOn('2026-12-03')).toEqual({ rows: 0, counter: 0 })
    const grace = await makeStudent(installation.owner, program)
    await add([grace.Id], ['2026-12-03'])
    const back = await coordinator.ok(contract.restoreShiftAssignments, { params: params(), body: { Ids } })
    expect(back).toMatchObject({ Added: 1, Refused: [{ Rule: 'capacity' }] })
    expect(await placedOn('2026-12-03')).toEqual({ rows: 2, counter: 2 })
  })

  test('a list that names shifts which are gone is refused whole, and says which', async () => {
    const { Ids } = await add([amara.Id, farah.Id], ['2026-12-03'])
    const remove = (ids: number[]) =>
      coordinator.call(contract.removeShiftAssignments, { params: params(), body: { Ids: ids } })
    await remove([Ids[0]!])
    const { status, body } = await remove([...Ids, 999_999_999])
    expect(status).toBe(404)
    expect(body).toMatchObject({
      Message: `These shifts do not exist, or you do not have access to them: ${Ids[0]}, 999999999. Nothing was changed. Load the list again.`,
      Missing: [Ids[0], 999_999_999],
    })
    expect(await placedOn('2026-12-03')).toEqual({ rows: 1, counter: 1 })
  })

  test('assignments of another program are not there, in any batch', async () => {
    const other = await makeProgram(installation.owner)
    const theirCoordinator = await installation.as(
      await makePerson(installation.owner, Level.Coord, { program: other }),
    )
    const { Ids } = await add([amara.Id], ['2026-12-03'])
    const theirs = { programId: other.Id }
    for (const [endpoint, body] of [
      [contract.removeShiftAssignments, { Ids }],
      [contract.restoreShiftAssignments, { Ids }],
      [contract.changeShiftAssignments, { Ids, SiteShiftId: shift.Id }],
    ] as const) {
      const { status } = await theirCoordinator.call(endpoint as typeof contract.removeShiftAssignments, {
        params: theirs,
        body: body as never,
      })
      expect(status).toBe(404)
    }
    expect(await placedOn('2026-12-03')).toEqual({ rows: 1, counter: 1 })
  })
})

describe('D3-249 D3-071 faculty', () => {
  test('may edit, unless the program disables it: then every change answers 403 in these words', async () => {
    const teacher = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    const first = await teacher.ok(contract.addShiftAssignments, request([amara.Id], ['2026-12-03']))
    await setOptions({ DisableScheduleAssignmentsForFaculty: true })
    const refused = await teacher.call(contract.addShiftAssignments, request([farah.Id], ['2026-12-03']))
    expect(refused.status).toBe(403)
    expect((refused.body as any).Message).toBe('Add/Edit Disabled for faculty')
    const removal = await teacher.call(contract.removeShiftAssignments, {
      params: params(),
      body: { Ids: first.Ids },
    })
    expect(removal.status).toBe(403)
    expect((await list({}, teacher)).Items).toHaveLength(1)
    expect(await add([farah.Id], ['2026-12-03'])).toMatchObject({ Added: 1 })
  })
})

describe('D3-058 D3-061 the list', () => {
  let evening: { Id: number; SiteId: number }
  let area: { id: number }
  beforeEach(async () => {
    const { owner } = installation
    area = await makeRow(owner, 'area', { program_id: program.Id, name: 'CT' })
    const second = await makeSite(owner, program, { name: 'St. Brannoc', code: 'SBM', area_id: area.id })
    evening = await makeShift(owner, program, {
      site: second,
      code: 'SBM-E1',
      type: 'evening',
      start_time: '15:00',
      end_time: '23:30',
    })
    await add([amara.Id, farah.Id], ['2026-12-03'])
    await add([amara.Id], ['2026-12-07'], { SiteShiftId: evening.Id })
  })

  test('rows carry the columns of the specification and the ids', async () => {
    const { Items } = await list({ SiteId: evening.SiteId })
    expect(Items).toEqual([
      {
        Id: expect.any(Number),
        ModifiedAt: expect.any(String),
        RotationId: rotation.Id,
        StudentId: amara.Id,
        AreaId: area.id,
        SiteId: evening.SiteId,
        SiteShiftId: evening.Id,
        Rotation: 'Clinical II',
        Date: '2026-12-07',
        LastName: 'Okafor',
        FirstName: 'Amara',
        Area: 'CT',
        Site: 'St. Brannoc',
        SiteCode: 'SBM',
        ShiftCode: 'SBM-E1',
        ShiftType: 'evening',
      },
    ])
  })

  test('every filter narrows it', async () => {
    const counts = async (query: object) => (await list(query)).Items.length
    expect(await counts({ RotationId: rotation.Id })).toBe(3)
    expect(await counts({ RotationId: 999_999 })).toBe(0)
    expect(await counts({ StudentId: farah.Id })).toBe(1)
    expect(await counts({ AreaId: area.id })).toBe(1)
    expect(await counts({ SiteShiftId: shift.Id })).toBe(2)
    expect(await counts({ FromDate: '2026-12-04' })).toBe(1)
    expect(await counts({ ThroughDate: '2026-12-03' })).toBe(2)
    expect(await counts({ search: 'okaf' })).toBe(2)
    expect(await counts({ search: '100%' })).toBe(0)
    expect(await counts({ search: 'amara okafor', FromDate: '2026-12-07' })).toBe(1)
  })

  test('what calls added is found by one assignment of each, alone or with the other filters', async () => {
    const third = await add([farah.Id], ['2026-12-09', '2026-12-10'])
    const [first] = (await list({ StudentId: farah.Id, ThroughDate: '2026-12-03' })).Items
    const dates = async (query: object) => (await list(query)).Items.map(({ Date: date }) => date)
    expect(await dates({ AddedWith: third.Ids.slice(1) })).toEqual(['2026-12-09', '2026-12-10'])
    expect(await dates({ AddedWith: [first!.Id] })).toEqual(['2026-12-03', '2026-12-03'])
    expect(await dates({ AddedWith: [first!.Id, third.Ids[0]!], StudentId: farah.Id })).toEqual([
      '2026-12-03',
      '2026-12-09',
      '2026-12-10',
    ])
    expect(await dates({ AddedWith: [999_999_999] })).toEqual([])
  })

  test('sorts by every column, both ways, and pages by cursor through the same rows', async () => {
    const plain = contract.assignmentSorts.flatMap((field) => [field, `-${field}`] as const)
    for (const sort of plain) {
      const whole = (await list({ sort, pageSize: 100 })).Items
      const field = sort.replace('-', '') as (typeof contract.assignmentSorts)[number]
      const values = whole.map((row) => String(row[field] ?? '').toLowerCase())
      const sorted = values.toSorted()
      expect(values).toEqual(sort.startsWith('-') ? sorted.toReversed() : sorted)
      const paged: number[] = []
      let cursor: string | null | undefined
      do {
        const page: any = await list({ sort, pageSize: 2, ...(cursor && { cursor }) })
        paged.push(...page.Items.map(({ Id }: { Id: number }) => Id))
        expect(page.Total).toBe(cursor ? null : 3)
        cursor = page.NextCursor
      } while (cursor)
      expect(paged).toEqual(whole.map(({ Id }) => Id))
    }
  })

  test('the list opens at a day: with its page, the last one where nothing is to come', async () => {
    const days = (await list({ pageSize: 500 })).Items.map(({ Date: date }) => date)
    const opened = async (StartAt: string) => {
      const { Page, Items, Total } = await list({ StartAt, pageSize: 1 })
      return [Page, Items[0]?.Date, Total]
    }
    expect(days).toHaveLength(3)
    expect(await opened('2000-01-01')).toEqual([1, days[0], 3])
    expect(await opened(days[2]!)).toEqual([1 + days.indexOf(days[2]!), days[2], 3])
    expect(await opened('2099-01-01')).toEqual([3, days[2], 3])
    expect((await list({ StartAt: days[2]!, pageSize: 2, sort: '-Date' })).Page).toBe(1)
    expect(await list({ StartAt: '2099-01-01', StudentId: 999_999_999 })).toMatchObject({ Page: 1, Total: 0 })
  })

  test('a cursor of another order, an unknown sort and an unknown filter are refused with 400', async () => {
    const { NextCursor } = await list({ pageSize: 1 })
    for (const query of [
      { sort: 'LastName', cursor: NextCursor! },
      { cursor: 'nonsense' },
      { sort: 'Password' },
      { Nothing: '1' },
      { FromDate: '2026-02-30' },
    ]) {
      const { status } = await coordinator.call(contract.listShiftAssignments, {
        params: params(),
        query: query as never,
      })
      expect(status, JSON.stringify(query)).toBe(400)
    }
  })

  test('a supervisor sees the assignments, shifts and grid of their sites only', async () => {
    const supervisor = await installation.as(
      await makeSupervisor(installation.owner, program, [evening.SiteId]),
    )
    const { Items } = await list({}, supervisor)
    expect(Items.map(({ ShiftCode }) => ShiftCode)).toEqual(['SBM-E1'])
    const shifts = await supervisor.ok(listSiteShifts, { params: params() })
    expect(shifts.Items.map(({ Code }) => Code)).toEqual(['SBM-E1'])
    const hidden = (await list({ SiteShiftId: shift.Id })).Items[0]!
    const one = await supervisor.call(contract.getShiftAssignment, {
      params: { ...params(), assignmentId: hidden.Id },
    })
    expect(one.status).toBe(404)
    const grid = await supervisor.ok(getScheduleGrid, {
      params: params(),
      query: { FromDate: '2026-11-30', ThroughDate: '2026-12-13' },
    })
    expect(grid.Students.LastName).toEqual(['Okafor'])
    expect(grid.Cells.Id).toHaveLength(1)
    const file = await supervisor.send('GET', `/programs/${program.Id}/shift-assignments/export?Format=csv`)
    expect(parse(file.body)).toHaveLength(2)
  })

  test('D3-064 D3-317 the export holds the filtered rows under the column names, as CSV and XLSX', async () => {
    const path = `/programs/${program.Id}/shift-assignments/export`
    const csv = await coordinator.send('GET', `${path}?Format=csv&StudentId=${amara.Id}`)
    expect(csv.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Schedule assignments .*\.csv"/,
    )
    const rows = parse(csv.body) as string[][]
    const [, ...ids] = rows.map((row) => row.splice(9))
    expect(ids).toEqual([
      [expect.stringMatching(/^\d+$/), ''],
      [expect.stringMatching(/^\d+$/), ''],
    ])
    expect(rows).toEqual([
      ['Rotation', 'Date', 'Lastname', 'Firstname', 'Area', 'Site', 'Site Code', 'Shift Code', 'Shift Type'],
      ['Clinical II', '12/03/2026', 'Okafor', 'Amara', '', 'Harbor General', 'HGH', 'HGH-D1', 'day'],
      ['Clinical II', '12/07/2026', 'Okafor', 'Amara', 'CT', 'St. Brannoc', 'SBM', 'SBM-E1', 'evening'],
    ])
    const xlsx = await download(`${path}?Format=xlsx`)
    const parts = unzipSync(xlsx)
    const sheet = new TextDecoder().decode(parts['xl/worksheets/sheet1.xml'])
    expect(sheet.match(/<row /g)).toHaveLength(4)
    expect(new TextDecoder().decode(parts['xl/sharedStrings.xml'])).toContain('Okafor')
  })

  test('D3-059 personal filters narrow the list only while they are enabled', async () => {
    const save = (IsStudentFilterEnabled: boolean) =>
      coordinator.ok(savePersonalFilterSettings, {
        body: {
          IsStudentFilterEnabled,
          IsSiteFilterEnabled: true,
          IsShiftFilterEnabled: false,
          StudentIds: [farah.Id],
          SiteIds: [evening.SiteId],
        },
      })
    await save(true)
    expect((await list({ MyStudents: true })).Items.map(({ LastName }) => LastName)).toEqual(['Haddad'])
    expect((await list({ MySites: true })).Items).toHaveLength(1)
    expect((await list({ MyShifts: true })).Items).toHaveLength(3)
    await save(false)
    expect((await list({ MyStudents: true })).Items).toHaveLength(3)
  })

  test('one assignment tells its times, its places and when the student clocked in', async () => {
    const [row] = (await list({ StudentId: farah.Id })).Items
    await makeRow(installation.owner, 'time_record', {
      program_id: program.Id,
      student_id: farah.Id,
      site_id: site.Id,
      kind: 'in',
      occurred_at: '2026-12-03T11:54:00Z',
      date: '2026-12-03',
      assignment_id: row!.Id,
    })
    const one = await coordinator.ok(contract.getShiftAssignment, {
      params: { ...params(), assignmentId: row!.Id },
    })
    expect(one).toMatchObject({
      StartTime: '07:00',
      EndTime: '15:30',
      Placed: 2,
      Capacity: 2,
      ClockedInAt: '2026-12-03T11:54:00Z',
      ClockedOutAt: null,
    })
  })
})
