import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/placement-lists/place-requests.ts'
import { openPlacementList } from '#contract/placement-lists/placement-lists.ts'
import { addShiftAssignments } from '#contract/scheduling/assignments.ts'
import { transaction } from '#server/core/database/pool.ts'
import { mailedToken, openedByLink } from '#server/test/by-link.ts'
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
import { dayFromNow } from '#server/test/requirement-proofs.ts'
import { tendRequests } from './placement-lists.jobs.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let site: { Id: number; Name: string }
let shift: { Id: number }
let rotation: { Id: number }

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC', options: { HoursPerWeekRule: 'off' } })
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  site = await makeSite(owner, program, { name: 'Harbor General' })
  shift = await makeShift(owner, program, { site, code: 'ICU-D', capacity: 2, start_date: '2020-01-01' })
  rotation = await makeRotation(owner, program, { name: 'Fall', start_date: '2020-01-01' })
  await makeRow(owner, 'site_contact', {
    program_id: program.Id,
    site_id: site.Id,
    name: 'Grace Pell',
    email: 'grace@example.org',
  })
})

const inProgram = () => ({ programId: program.Id })
const asked = (more: object = {}) => ({
  SiteIds: [site.Id],
  StartDate: dayFromNow(20),
  EndDate: dayFromNow(60),
  Places: 6,
  AnswerBy: dayFromNow(10),
  ...more,
})
const send = (more: object = {}) =>
  coordinator.call(contract.sendPlaceRequests, { params: inProgram(), body: asked(more) })
const list = async (query: object = { show: 'all' }) =>
  (await coordinator.ok(contract.listPlaceRequests, { params: inProgram(), query })).Items
const newest = async () => (await list())[0]!
const opened = async () => {
  const token = await mailedToken(installation, program.Id, 'SITE_places_asked')
  const contact = await openedByLink(installation, program.Id, token)
  const params = { token }
  return {
    token,
    contact,
    open: () => contact.call(contract.openPlaceRequest, { params }),
    answer: (body: { Answer: contract.SiteAnswerKind } & Record<string, unknown>) =>
      contact.call(contract.answerPlaceRequest, { params, body }),
  }
}
/** Asks, and the site answers so. */
const offered = async (
  answer: { Answer: contract.SiteAnswerKind } & Record<string, unknown>,
  more: object = {},
) => {
  await send(more)
  const link = await opened()
  expect((await link.answer(answer)).status).toBe(200)
  return { ...(await newest()), link }
}
const decide = (requestId: number, IsAccepted: boolean, AnsweredAt: string) =>
  coordinator.call(contract.decidePlaceRequest, {
    params: { ...inProgram(), requestId },
    body: { IsAccepted, AnsweredAt },
  })
const place = (studentIds: readonly number[], date: string) =>
  coordinator.call(addShiftAssignments, {
    params: inProgram(),
    body: {
      RotationId: rotation.Id,
      SiteShiftId: shift.Id,
      StudentIds: [...studentIds],
      Dates: [date],
      AllOrNothing: true,
    },
  })
const students = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeStudent(installation.owner, program)))
const mails = async (label: string): Promise<string[]> =>
  (
    await installation.owner.query('select html from mail where program_id = $1 and label = $2 order by id', [
      program.Id,
      label,
    ])
  ).rows.map(({ html }) => html)
const notes = async (): Promise<string[]> =>
  (
    await installation.owner.query(
      `select text from notification where program_id = $1 and kind = 'site_places_answered' order by id`,
      [program.Id],
    )
  ).rows.map(({ text }) => text)

describe('asking', () => {
  test('the contact of each site gets one email with a link; a site without a contact is named', async () => {
    const other = await makeSite(installation.owner, program, { name: 'Lakeside' })
    const sent = await send({ SiteIds: [site.Id, other.Id], Note: 'Second-year students.' })
    expect(sent).toMatchObject({ status: 201, body: { Sent: 1, Skipped: ['Lakeside'] } })
    expect(await mails('SITE_places_asked')).toEqual([expect.stringContaining('Second-year students.')])
    expect(await list()).toMatchObject([
      { Site: 'Harbor General', Places: 6, Shift: null, State: 'waiting', Answer: null, IsLate: false },
    ])
  })

  test('a day that is over, a stretch too long, and what is not of the program are refused', async () => {
    const { owner } = installation
    const other = await makeSite(owner, await makeProgram(owner))
    expect((await send({ AnswerBy: dayFromNow(-1) })).status).toBe(422)
    expect((await send({ StartDate: dayFromNow(-9), EndDate: dayFromNow(-2) })).status).toBe(422)
    expect((await send({ EndDate: addDays(dayFromNow(20), 731) })).status).toBe(422)
    expect((await send({ EndDate: dayFromNow(19) })).status).toBe(400)
    expect((await send({ Places: 0 })).status).toBe(400)
    expect((await send({ SiteIds: [site.Id, other.Id] })).status).toBe(404)
    expect((await send({ SiteShiftId: shift.Id + 1_000_000 })).status).toBe(404)
    expect((await send({ StudentLevelId: 19 })).status).toBe(404)
    expect(await list()).toEqual([])
    expect(await mails('SITE_places_asked')).toEqual([])
  })

  test('faculty sees requests and decides nothing; a student and another program see none', async () => {
    const { owner } = installation
    await send()
    const { Id } = await newest()
    const faculty = await installation.as(await makePerson(owner, Level.Faculty, { program }))
    expect(
      (await faculty.ok(contract.listPlaceRequests, { params: inProgram(), query: {} })).Items,
    ).toHaveLength(1)
    const theirs = { params: { ...inProgram(), requestId: Id } }
    expect((await faculty.call(contract.withdrawPlaceRequest, theirs)).status).toBe(403)
    const student = await installation.as(await makeStudent(owner, program))
    expect((await student.call(contract.getPlaceRequest, theirs)).status).toBe(403)
    const elsewhere = await makeProgram(owner)
    const stranger = await installation.as(await makePerson(owner, Level.Coord, { program: elsewhere }))
    expect((await stranger.call(contract.getPlaceRequest, theirs)).status).toBe(404)
    expect(
      (
        await stranger.call(contract.withdrawPlaceRequest, {
          params: { programId: elsewhere.Id, requestId: Id },
        })
      ).status,
    ).toBe(404)
  })
})

describe('answering', () => {
  test('the site says yes, fewer, other dates or no with words, and may change it until the school decides', async () => {
    await send()
    const { open, answer } = await opened()
    expect((await open()).body).toMatchObject({ Site: 'Harbor General', Places: 6, State: 'waiting' })
    expect((await answer({ Answer: 'yes' })).body).toMatchObject({ OfferedPlaces: 6, State: 'offered' })
    expect(
      (await answer({ Answer: 'fewer', Places: 4, Words: 'Two preceptors are away.' })).body,
    ).toMatchObject({
      OfferedPlaces: 4,
      OfferedFrom: dayFromNow(20),
      Words: 'Two preceptors are away.',
    })
    const later = { StartDate: dayFromNow(30), EndDate: dayFromNow(70) }
    expect((await answer({ Answer: 'otherDates', Places: 5, ...later })).body).toMatchObject({
      OfferedPlaces: 5,
      OfferedFrom: later.StartDate,
      OfferedThrough: later.EndDate,
    })
    expect((await answer({ Answer: 'no', Words: 'We move.' })).body).toMatchObject({ OfferedPlaces: 0 })
    // The same answer again tells nobody.
    await answer({ Answer: 'no', Words: 'We move.' })
    expect(await notes()).toHaveLength(4)
    expect((await notes()).at(-1)).toBe('Harbor General offers no places; asked for 6')
    const { AnsweredAt, Id } = await newest()
    expect((await decide(Id, true, AnsweredAt ?? '')).status).toBe(200)
    expect(await answer({ Answer: 'yes' })).toMatchObject({ status: 409 })
    expect((await open()).body).toMatchObject({ State: 'accepted' })
  })

  test('fewer must be fewer, and other dates complete and to come; nothing is kept of a wrong answer', async () => {
    await send()
    const { answer } = await opened()
    expect((await answer({ Answer: 'fewer' })).status).toBe(400)
    expect((await answer({ Answer: 'fewer', Places: 6 })).status).toBe(422)
    expect((await answer({ Answer: 'otherDates', StartDate: dayFromNow(1) })).status).toBe(400)
    const over = { StartDate: dayFromNow(-9), EndDate: dayFromNow(-2) }
    expect((await answer({ Answer: 'otherDates', ...over })).status).toBe(422)
    expect(await newest()).toMatchObject({ State: 'waiting', Answer: null })
    expect(await notes()).toEqual([])
  })

  test('the answer is in the audit by the link, with what was asked and offered', async () => {
    await offered({ Answer: 'fewer', Places: 3 })
    const { rows } = await installation.owner.query(
      `select detail from audit where program_id = $1 and action = 'link: places answered'`,
      [program.Id],
    )
    expect(rows).toMatchObject([
      { detail: { Recipient: 'Grace Pell <grace@example.org>', Answer: 'fewer', Site: 'Harbor General' } },
    ])
  })

  test('a forwarded link opens nothing on another device, nor does a link of another kind or an expired one', async () => {
    const { link } = await offered({ Answer: 'yes' })
    const { anonymous, owner } = installation
    const params = { token: link.token }
    expect(await anonymous.call(contract.openPlaceRequest, { params })).toMatchObject({ status: 401 })
    expect(
      await anonymous.call(contract.answerPlaceRequest, { params, body: { Answer: 'no' } }),
    ).toMatchObject({ status: 401 })
    // The device that opened it is let into this kind of thing only.
    expect(await link.contact.call(openPlacementList, { params })).toMatchObject({ status: 404 })
    await owner.query(
      `update scoped_link set expires_at = now() - interval '1 second' where program_id = $1`,
      [program.Id],
    )
    expect(await link.open()).toMatchObject({ status: 404 })
    expect(await link.answer({ Answer: 'no' })).toMatchObject({ status: 404 })
    expect(await newest()).toMatchObject({ Answer: 'yes' })
  })

  test('withdrawn, an open page learns it with its next call; it cannot be withdrawn or reminded of again', async () => {
    const { link, Id } = await offered({ Answer: 'yes' })
    const params = { ...inProgram(), requestId: Id }
    expect((await coordinator.ok(contract.withdrawPlaceRequest, { params })).State).toBe('withdrawn')
    expect(await link.open()).toMatchObject({ status: 404 })
    expect(await link.answer({ Answer: 'no' })).toMatchObject({ status: 404 })
    expect(await coordinator.call(contract.withdrawPlaceRequest, { params })).toMatchObject({ status: 409 })
    expect(await coordinator.call(contract.remindPlaceRequest, { params })).toMatchObject({ status: 409 })
    expect((await decide(Id, true, (await newest()).AnsweredAt ?? '')).status).toBe(409)
  })

  test('a reminder is a new link, and the one before opens nothing any more', async () => {
    await send()
    const first = await opened()
    const { Id } = await newest()
    await coordinator.ok(contract.remindPlaceRequest, { params: { ...inProgram(), requestId: Id } })
    expect(await first.open()).toMatchObject({ status: 404 })
    expect((await (await opened()).open()).status).toBe(200)
    expect(await newest()).toMatchObject({ RemindedAt: expect.any(String) })
  })

  test('sites are reminded once before the date, and coordinators told once after it', async () => {
    const tend = () =>
      transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
        tendRequests(db, installation.services, program.Id),
      )
    const moveTo = (date: string) =>
      installation.owner.query('update place_request set answer_by = $2 where program_id = $1', [
        program.Id,
        date,
      ])
    await send()
    await tend()
    expect(await mails('SITE_places_asked')).toHaveLength(1)
    await moveTo(dayFromNow(2))
    await tend()
    await tend()
    expect(await mails('SITE_places_asked')).toHaveLength(2)
    await moveTo(dayFromNow(-1))
    await tend()
    await tend()
    expect(await notes()).toEqual(['Harbor General has not answered about 6 places'])
    expect(await list({ show: 'late' })).toMatchObject([{ IsLate: true }])
  })
})

describe('deciding', () => {
  test('an accepted offer for a shift is its places on these days, and no others', async () => {
    const { Id, AnsweredAt } = await offered({ Answer: 'fewer', Places: 3 }, { SiteShiftId: shift.Id })
    const four = (await students(4)).map(({ Id: id }) => id)
    expect((await place(four.slice(0, 3), dayFromNow(25))).status).toBe(422)
    expect(await decide(Id, true, AnsweredAt ?? '')).toMatchObject({
      status: 200,
      body: { State: 'accepted' },
    })
    expect((await place(four.slice(0, 3), dayFromNow(25))).status).toBe(200)
    expect((await place(four.slice(3), dayFromNow(25))).status).toBe(422)
    expect((await place(four.slice(0, 3), dayFromNow(61))).status).toBe(422)
    expect((await mails('SITE_places_decided')).at(-1)).toContain('We plan with 3 places')
  })

  test('an offer below what is placed already names the day and changes nothing', async () => {
    const two = (await students(2)).map(({ Id: id }) => id)
    expect((await place(two, dayFromNow(25))).status).toBe(200)
    const { Id, AnsweredAt } = await offered({ Answer: 'fewer', Places: 1 }, { SiteShiftId: shift.Id })
    expect(
      await coordinator.ok(contract.getPlaceRequest, { params: { ...inProgram(), requestId: Id } }),
    ).toMatchObject({ Overfull: { Date: dayFromNow(25), Placed: 2 } })
    const refused = await decide(Id, true, AnsweredAt ?? '')
    expect(refused).toMatchObject({ status: 409 })
    expect(JSON.stringify(refused.body)).toContain('2 students are placed on ICU-D')
    const { rows } = await installation.owner.query(
      'select max(capacity)::int as most, min(capacity)::int as least from shift_day where program_id = $1',
      [program.Id],
    )
    expect(rows).toEqual([{ most: 2, least: 2 }])
    expect((await decide(Id, false, AnsweredAt ?? '')).body).toMatchObject({ State: 'declined' })
  })

  test('whoever places while an offer is accepted overbooks no day', async () => {
    const { Id, AnsweredAt } = await offered({ Answer: 'fewer', Places: 1 }, { SiteShiftId: shift.Id })
    const two = (await students(2)).map(({ Id: id }) => id)
    const [decided, placed] = await Promise.all([
      decide(Id, true, AnsweredAt ?? ''),
      place(two, dayFromNow(25)),
    ])
    expect([decided.status === 200, placed.status === 200].filter(Boolean)).toHaveLength(1)
    const { rows } = await installation.owner.query(
      'select max(placed)::int as placed, min(capacity)::int as capacity from shift_day where program_id = $1 and date = $2',
      [program.Id, dayFromNow(25)],
    )
    expect(rows[0].placed).toBeLessThanOrEqual(rows[0].capacity)
  })

  test('an answer that changed since it was read is not decided, and a decision is made once', async () => {
    const { Id, AnsweredAt, link } = await offered({ Answer: 'yes' })
    await link.answer({ Answer: 'fewer', Places: 2 })
    expect(await decide(Id, true, AnsweredAt ?? '')).toMatchObject({
      status: 409,
      body: { Code: 'answered_anew' },
    })
    const { AnsweredAt: now } = await newest()
    const results = await Promise.all([decide(Id, true, now ?? ''), decide(Id, false, now ?? '')])
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await mails('SITE_places_decided')).toHaveLength(1)
  })

  test('a request without an answer cannot be decided', async () => {
    await send()
    const { Id } = await newest()
    expect((await decide(Id, true, new Date().toISOString())).status).toBe(409)
  })
})

test('the list filters by what waits for whom, and the file has a row for each request', async () => {
  await offered({ Answer: 'yes' })
  await send({ Places: 2 })
  expect(await list({ show: 'open' })).toHaveLength(2)
  expect(await list({ show: 'offered' })).toMatchObject([{ Places: 6 }])
  expect(await list({ show: 'accepted' })).toEqual([])
  expect(await list({ show: 'all', SiteId: site.Id + 1_000_000 })).toEqual([])
  const file = await coordinator.call(contract.exportPlaceRequests, {
    params: inProgram(),
    query: { show: 'all', Format: 'csv' },
  })
  expect(String(file.body).trim().split('\n')).toHaveLength(3)
})

test('a request can take the dates of blocks of a plan that is not over', async () => {
  const plan = (name: string, from: string, through: string, more: object = {}) =>
    makeRow(installation.owner, 'placement_plan', {
      program_id: program.Id,
      name,
      rotation_id: rotation.Id,
      template: 'wheel',
      start_date: from,
      end_date: through,
      weeks_per_block: 2,
      rules: JSON.stringify({}),
      ...more,
    })
  await plan('Later', '2090-01-02', '2090-02-03')
  await plan('Over', '2020-01-06', '2020-02-02')
  await plan('Deleted', '2090-01-02', '2090-02-03', { deleted_at: '2026-01-01' })
  expect(await coordinator.ok(contract.listRequestPlans, { params: inProgram() })).toEqual([
    {
      Id: expect.any(Number),
      Name: 'Later',
      StartDate: '2090-01-02',
      EndDate: '2090-02-03',
      Blocks: [
        { StartDate: '2090-01-02', EndDate: '2090-01-15' },
        { StartDate: '2090-01-16', EndDate: '2090-01-29' },
        { StartDate: '2090-01-30', EndDate: '2090-02-03' },
      ],
    },
  ])
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await faculty.call(contract.listRequestPlans, { params: inProgram() })).status).toBe(403)
})
