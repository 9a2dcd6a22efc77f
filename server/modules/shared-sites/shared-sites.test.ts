import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { checkPlacementPlan, createPlacementPlan } from '#contract/placement/plans.ts'
import {
  addShiftAssignments,
  changeShiftAssignments,
  moveShiftAssignment,
  removeShiftAssignments,
} from '#contract/scheduling/assignments.ts'
import * as contract from '#contract/shared-sites/shared-sites.ts'
import {
  createOpenShifts,
  listOwnOpenShifts,
  signUpForOpenShift,
} from '#contract/shift-changes/open-shifts.ts'
import { answerOffer, offerShift } from '#contract/shift-changes/shift-changes.ts'
import { transaction } from '#server/core/database/pool.ts'
import {
  type MadePerson,
  type MadeProgram,
  makeCollege,
  makePerson,
  makeProgram,
  makeRotation,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { dayFromNow } from '#server/test/requirement-proofs.ts'

/** A program with the site as it knows it. */
interface Side {
  program: MadeProgram
  director: Caller
  coordinator: Caller
  site: { Id: number; Name: string }
  shift: { Id: number }
  rotation: { Id: number }
}

let installation: Installation
let one: Side
let two: Side
const day = dayFromNow(30)

const makeSide = async (college?: { Id: number }): Promise<Side> => {
  const { owner, as } = installation
  const program = await makeProgram(owner, {
    time_zone: 'UTC',
    options: { HoursPerWeekRule: 'off', AgreementRule: 'off', SwapApproval: 'none' },
    ...(college && { college_id: college.Id }),
  })
  const site = await makeSite(owner, program, { name: 'Harbor General' })
  return {
    program,
    director: await as(await makePerson(owner, Level.Director, { program })),
    coordinator: await as(await makePerson(owner, Level.Coord, { program })),
    site,
    shift: await makeShift(owner, program, { site, capacity: 50, start_date: '2020-01-01' }),
    rotation: await makeRotation(owner, program, { start_date: '2020-01-01' }),
  }
}

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  one = await makeSide()
  // A program of another college.
  two = await makeSide(await makeCollege(installation.owner))
})

const at = ({ program }: Side) => ({ programId: program.Id })
const share = (side: Side, Capacity = 3) =>
  side.director.ok(contract.shareSite, { params: at(side), body: { SiteId: side.site.Id, Capacity } })
const join = (side: Side, Code: string) =>
  side.director.call(contract.joinSharedSite, { params: at(side), body: { Code, SiteId: side.site.Id } })
const shareBoth = async (capacity = 3): Promise<number> => {
  const { Id, Code } = await share(one, capacity)
  expect((await join(two, Code)).status).toBe(201)
  return Id
}
const students = (side: Side, count: number): Promise<MadePerson[]> =>
  Promise.all(Array.from({ length: count }, () => makeStudent(installation.owner, side.program)))
const place = (side: Side, people: readonly { Id: number }[], date = day, shift = side.shift) =>
  side.coordinator.call(addShiftAssignments, {
    params: at(side),
    body: {
      RotationId: side.rotation.Id,
      SiteShiftId: shift.Id,
      StudentIds: people.map(({ Id }) => Id),
      Dates: [date],
      AllOrNothing: true,
    },
  })
const placeNew = async (side: Side, count: number, date = day) =>
  place(side, await students(side, count), date)
const daysOf = async (side: Side, sharedSiteId: number, from = day, through = day) =>
  side.coordinator.ok(contract.listSharedDays, {
    params: { ...at(side), sharedSiteId },
    query: { FromDate: from, ThroughDate: through },
  })
const counted = async (sharedSiteId: number, date = day): Promise<number> =>
  (
    await installation.owner.query(
      'select coalesce(max(placed), 0)::int as placed from shared_site_day where shared_site_id = $1 and date = $2',
      [sharedSiteId, date],
    )
  ).rows[0].placed

describe('consent of both', () => {
  test('one shares and gives a code, the other sees what it is and joins; each knows the site as its own', async () => {
    const { Id, Code } = await share(one)
    const offer = await two.director.ok(contract.readSharedOffer, { params: at(two), body: { Code } })
    expect(offer).toMatchObject({ Site: 'Harbor General', Capacity: 3, Program: one.program.Name })
    expect(await two.director.ok(contract.listSharedSites, { params: at(two) })).toEqual([])
    // Typed as it is read out.
    expect(await join(two, Code.toLowerCase().replaceAll('-', ' '))).toMatchObject({
      status: 201,
      body: { Id, SiteId: two.site.Id, Programs: [{ IsOwn: false }, { IsOwn: true }] },
    })
    const { rows } = await installation.owner.query(
      `select text from notification where program_id = $1 and kind = 'shared_site'`,
      [one.program.Id],
    )
    expect(rows).toEqual([{ text: `${two.program.Name} shares Harbor General with you from now on` }])
  })

  test('a code lets one program in: of two who use it at once one joins, and nobody uses it again', async () => {
    const three = await makeSide()
    const { Id, Code } = await share(one)
    const answers = await Promise.all([join(two, Code), join(three, Code)])
    expect(answers.map(({ status }) => status === 201).filter(Boolean)).toHaveLength(1)
    const late = await makeSide()
    expect((await join(late, Code)).status).toBe(404)
    const more = await one.director.ok(contract.addSharedCode, { params: { ...at(one), sharedSiteId: Id } })
    expect((await join(late, more.Code)).status).toBe(201)
  })

  test('a code that is unknown, over, or of a program that left opens nothing', async () => {
    const { Id, Code } = await share(one)
    expect((await join(two, 'AAAA-BBBB-CCCC-DDDD')).status).toBe(404)
    await installation.owner.query(`update shared_site_code set expires_at = now() - interval '1 minute'`)
    expect((await join(two, Code)).status).toBe(404)
    const { Code: next } = await one.director.ok(contract.addSharedCode, {
      params: { ...at(one), sharedSiteId: Id },
    })
    await one.director.ok(contract.leaveSharedSite, { params: { ...at(one), sharedSiteId: Id } })
    expect((await join(two, next)).status).toBe(404)
  })

  test('coordinators read and do not share; faculty and students see nothing; no site is shared twice', async () => {
    const { owner, as } = installation
    const body = { SiteId: one.site.Id, Capacity: 3 }
    expect((await one.coordinator.call(contract.shareSite, { params: at(one), body })).status).toBe(403)
    await share(one)
    expect(await one.coordinator.ok(contract.listSharedSites, { params: at(one) })).toHaveLength(1)
    expect((await one.director.call(contract.shareSite, { params: at(one), body })).status).toBe(409)
    expect(
      (
        await one.director.call(contract.shareSite, {
          params: at(one),
          body: { ...body, SiteId: two.site.Id },
        })
      ).status,
    ).toBe(404)
    const faculty = await as(await makePerson(owner, Level.Faculty, { program: one.program }))
    expect((await faculty.call(contract.listSharedSites, { params: at(one) })).status).toBe(403)
  })
})

describe('one counter', () => {
  test('what both have placed before is counted when they join, and what is removed is free for either', async () => {
    await placeNew(one, 1)
    const placed = await placeNew(two, 1)
    const shared = await shareBoth(3)
    expect(await counted(shared)).toBe(2)
    expect((await placeNew(two, 2)).status).toBe(422)
    expect((await placeNew(two, 1)).status).toBe(200)
    const refused = await placeNew(one, 1)
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.body)).toContain('is shared with other programs and has no place left')
    const { Ids } = placed.body as { Ids: number[] }
    await two.coordinator.ok(removeShiftAssignments, { params: at(two), body: { Ids } })
    expect((await placeNew(one, 1)).status).toBe(200)
    expect(await counted(shared)).toBe(3)
  })

  test('a day that is fuller than agreed when they join keeps its students and takes nobody new', async () => {
    await placeNew(one, 3)
    await placeNew(two, 2)
    const shared = await shareBoth(3)
    expect(await counted(shared)).toBe(5)
    expect((await placeNew(one, 1)).status).toBe(422)
  })

  test('two programs race for the last place: one has it, on each of many days', async () => {
    const shared = await shareBoth(1)
    const days = Array.from({ length: 8 }, (_, index) => dayFromNow(40 + index))
    const [ours, theirs] = [await students(one, 8), await students(two, 8)]
    const answers = await Promise.all(
      days.flatMap((date, index) => [place(one, [ours[index]!], date), place(two, [theirs[index]!], date)]),
    )
    for (const [index, date] of days.entries()) {
      const pair = [answers[index * 2]!.status, answers[index * 2 + 1]!.status]
      expect(pair.toSorted()).toEqual([200, 422])
      expect(await counted(shared, date)).toBe(1)
    }
  })

  test('open shifts and covers count by it too: a sign-up is refused when it is full, a cover changes nothing', async () => {
    const shared = await shareBoth(1)
    const [ada, ben] = await students(one, 2)
    const callers = [await installation.as(ada!), await installation.as(ben!)] as const
    await one.coordinator.ok(createOpenShifts, {
      params: at(one),
      body: {
        RotationId: one.rotation.Id,
        SiteShiftId: one.shift.Id,
        Dates: [day],
        LevelIds: [],
        Places: 5,
        ClosesHoursBefore: 1,
      },
    })
    const [open] = (await callers[0].ok(listOwnOpenShifts, { query: {} })).Items
    const signUp = (caller: Caller) =>
      caller.call(signUpForOpenShift, { params: { openShiftId: open!.Id }, body: {} })
    expect((await signUp(callers[0])).status).toBe(200)
    expect((await signUp(callers[1])).status).toBeGreaterThanOrEqual(400)
    const { rows } = await installation.owner.query(
      'select id from shift_assignment where program_id = $1 and student_id = $2',
      [one.program.Id, ada!.Id],
    )
    const { Id } = await callers[0].ok(offerShift, {
      body: { AssignmentId: Number(rows[0].id), Kind: 'cover', StudentIds: [ben!.Id] },
    })
    expect(
      await callers[1].call(answerOffer, { params: { changeId: Id }, body: { Answer: 'take' } }),
    ).toMatchObject({ status: 200, body: { State: 'done' } })
    expect(await counted(shared)).toBe(1)
  })

  test('moved to another day or put on a shift there, a student counts where they are', async () => {
    const shared = await shareBoth(1)
    const later = addDays(day, 1)
    const [ada, ben] = await students(one, 2)
    const { Ids } = (await place(one, [ada!], later)).body as { Ids: number[] }
    await placeNew(two, 1)
    const move = (date: string) =>
      one.coordinator.call(moveShiftAssignment, {
        params: { ...at(one), assignmentId: Ids[0]! },
        body: { StudentId: ada!.Id, Date: date },
      })
    expect((await move(day)).body).toMatchObject({ Added: 0, Refused: [{ Rule: 'capacity' }] })
    expect((await move(addDays(day, 2))).body).toMatchObject({ Added: 1 })
    expect([await counted(shared, later), await counted(shared, addDays(day, 2))]).toEqual([0, 1])
    // Onto a shift of the shared site, from one that is not.
    const elsewhere = await makeShift(installation.owner, one.program, {
      site: await makeSite(installation.owner, one.program),
      capacity: 9,
      start_date: '2020-01-01',
    })
    const other = (await place(one, [ben!], day, elsewhere)).body as { Ids: number[] }
    const put = await one.coordinator.call(changeShiftAssignments, {
      params: at(one),
      body: { Ids: other.Ids, SiteShiftId: one.shift.Id },
    })
    expect(put.body).toMatchObject({ Added: 0, Refused: [{ Rule: 'capacity' }] })
  })

  test('a plan counts the places that others have left', async () => {
    const monday = '2032-03-01'
    const { owner } = installation
    await makeStudent(owner, one.program, { cohort: '2032' })
    const rotation = await makeRotation(owner, one.program, {
      start_date: monday,
      end_date: addDays(monday, 27),
    })
    const plan = await one.coordinator.ok(createPlacementPlan, {
      params: at(one),
      body: {
        Name: 'Clinical II',
        RotationId: rotation.Id,
        Template: 'ranked',
        StartDate: monday,
        EndDate: addDays(monday, 27),
        WeeksPerBlock: 2,
        Cohort: '2032',
        Rules: { Groups: [{ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2] }] },
      },
    })
    await owner.query(`update rotation set end_date = '2099-12-31' where program_id = $1`, [two.program.Id])
    await owner.query(
      `update site_shift set start_date = '2020-01-01', end_date = '2099-12-31' where id = any ($1)`,
      [[one.shift.Id, two.shift.Id]],
    )
    await shareBoth(4)
    const params = { ...at(one), planId: plan.Id }
    const places = async () =>
      (await one.coordinator.ok(checkPlacementPlan, { params })).Demand.map(({ Places }) => Places)
    expect(await places()).toEqual([[4, 4]])
    expect((await placeNew(two, 3, monday)).status).toBe(200)
    expect(await places()).toEqual([[1, 4]])
  })

  test('joining while both place and remove counts each student once', async () => {
    const { Id, Code } = await share(one, 100)
    const before = await placeNew(two, 6)
    const { Ids } = before.body as { Ids: number[] }
    await Promise.all([
      join(two, Code),
      ...Ids.slice(0, 3).map((id) =>
        two.coordinator.call(removeShiftAssignments, { params: at(two), body: { Ids: [id] } }),
      ),
      placeNew(two, 2),
      placeNew(one, 2),
    ])
    const { rows } = await installation.owner.query(
      'select count(*)::int as count from shift_assignment where program_id = any ($1) and date = $2 and removed_at is null',
      [[one.program.Id, two.program.Id], day],
    )
    expect(await counted(Id)).toBe(rows[0].count)
  })
})

describe('what is told', () => {
  test('the figure where others have five or more, a range where they have fewer; never the others’ number', async () => {
    const shared = await shareBoth(12)
    expect(await daysOf(one, shared)).toEqual([{ Date: day, Own: 0, LeftFrom: 8, LeftThrough: 12 }])
    await placeNew(two, 3)
    // The same as with none of them.
    expect(await daysOf(one, shared)).toEqual([{ Date: day, Own: 0, LeftFrom: 8, LeftThrough: 12 }])
    await placeNew(two, 3)
    expect(await daysOf(one, shared)).toEqual([{ Date: day, Own: 0, LeftFrom: 6, LeftThrough: 6 }])
    expect(await daysOf(two, shared)).toEqual([{ Date: day, Own: 6, LeftFrom: 2, LeftThrough: 6 }])
    const more = { params: { ...at(one), sharedSiteId: shared } }
    expect(
      (
        await one.coordinator.call(contract.listSharedDays, {
          ...more,
          query: { FromDate: day, ThroughDate: addDays(day, 62) },
        })
      ).status,
    ).toBe(422)
  })

  test('rows of the counter and of other programs are read by nobody, and a program reads its own sites only', async () => {
    const shared = await shareBoth(3)
    await placeNew(two, 1)
    const { pool } = installation.services
    const read = (programId: number, statement: string) =>
      transaction(pool, { accountId: null, programIds: [programId] }, async (db) => {
        const { rows } = await db.executeQuery<Record<string, unknown>>({
          sql: statement,
          parameters: [],
        } as never)
        return rows
      })
    for (const table of ['shared_site', 'shared_site_day', 'shared_site_code'])
      expect(await read(one.program.Id, `select * from ${table}`)).toEqual([])
    expect(await read(one.program.Id, 'select program_id from shared_site_program')).toHaveLength(1)
    const free = `select * from shared_free(array[${two.site.Id}], array['${day}'::date], false)`
    expect(await read(one.program.Id, free)).toEqual([])
    const stranger = await makeSide()
    const params = { ...at(stranger), sharedSiteId: shared }
    const query = { FromDate: day, ThroughDate: day }
    expect((await stranger.coordinator.call(contract.listSharedDays, { params, query })).status).toBe(404)
    expect((await stranger.director.call(contract.leaveSharedSite, { params })).status).toBe(404)
    expect((await stranger.director.call(contract.addSharedCode, { params })).status).toBe(404)
  })
})

test('who leaves is no longer counted, the others are told, and the rest goes on', async () => {
  const shared = await shareBoth(2)
  await placeNew(one, 1)
  await placeNew(two, 1)
  expect((await placeNew(one, 1)).status).toBe(422)
  await two.director.ok(contract.leaveSharedSite, { params: { ...at(two), sharedSiteId: shared } })
  expect(await counted(shared)).toBe(1)
  expect((await placeNew(one, 1)).status).toBe(200)
  expect((await placeNew(one, 1)).status).toBe(422)
  // The other is held by its own shifts again.
  expect((await placeNew(two, 10)).status).toBe(200)
  expect(await counted(shared)).toBe(2)
  const { rows } = await installation.owner.query(
    `select text from notification where program_id = $1 and kind = 'shared_site' order by id desc limit 1`,
    [one.program.Id],
  )
  expect(rows).toEqual([{ text: `${two.program.Name} no longer shares Harbor General with you` }])
  expect(
    (await two.director.call(contract.leaveSharedSite, { params: { ...at(two), sharedSiteId: shared } }))
      .status,
  ).toBe(404)
})
