import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import {
  addShiftAssignments,
  listShiftAssignments,
  removeShiftAssignments,
} from '#contract/scheduling/assignments.ts'
import { getOwnSchedule } from '#contract/scheduling/own-schedule.ts'
import {
  createOpenShifts,
  leaveOpenShift,
  listOwnOpenShifts,
  signUpForOpenShift,
} from '#contract/shift-changes/open-shifts.ts'
import * as contract from '#contract/shift-changes/shift-changes.ts'
import { transaction } from '#server/core/database/pool.ts'
import { mailedToken, openedByLink } from '#server/test/by-link.ts'
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
import { expireChanges } from './expiry.service.ts'

interface Someone {
  person: MadePerson
  caller: Caller
}

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let site: { Id: number; Name: string }
let shift: { Id: number; SiteId: number }
let evening: { Id: number; SiteId: number }
let rotation: { Id: number }
let ada: Someone
let ben: Someone
let cleo: Someone
let date: string
let later: string

const student = async (first: string): Promise<Someone> => {
  const person = await makeStudent(installation.owner, program, { first_name: first, last_name: 'Sample' })
  return { person, caller: await installation.as(person) }
}
const setOptions = (options: object) =>
  installation.owner.query('update program set options = options || $2 where id = $1', [
    program.Id,
    JSON.stringify(options),
  ])

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { options: { HoursPerWeekRule: 'off', SwapApproval: 'none' } })
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  site = await makeSite(owner, program, { name: 'Harbor General' })
  date = dayFromNow(20)
  later = dayFromNow(22)
  // One place a day: handing over must not need a second one.
  shift = await makeShift(owner, program, { site, capacity: 1, start_date: '2020-01-01' })
  evening = await makeShift(owner, program, {
    site,
    capacity: 2,
    start_date: '2020-01-01',
    start_time: '16:00',
    end_time: '22:00',
  })
  rotation = await makeRotation(owner, program, { start_date: '2020-01-01' })
  ada = await student('Ada')
  ben = await student('Ben')
  cleo = await student('Cleo')
})

const inProgram = () => ({ programId: program.Id })
const place = async ({ person }: Someone, on = date, of = shift): Promise<number> => {
  const { Ids } = await coordinator.ok(addShiftAssignments, {
    params: inProgram(),
    body: { RotationId: rotation.Id, SiteShiftId: of.Id, StudentIds: [person.Id], Dates: [on] },
  })
  return Ids[0]!
}
const offer = async (who: Someone, AssignmentId: number, more: object = {}): Promise<number> =>
  (
    await who.caller.ok(contract.offerShift, {
      body: { AssignmentId, Kind: 'cover' as const, StudentIds: [], ...more },
    })
  ).Id
const answer = (who: Someone, changeId: number, body: object = { Answer: 'take' }) =>
  who.caller.call(contract.answerOffer, { params: { changeId }, body: body as { Answer: 'take' } })
const choose = (who: Someone, changeId: number, StudentId: number) =>
  who.caller.call(contract.chooseProposal, { params: { changeId }, body: { StudentId } })
const cancel = (who: Someone, changeId: number) =>
  who.caller.call(contract.cancelShiftChange, { params: { changeId } })
const decide = (changeId: number, IsApproved: boolean, Reason = '') =>
  coordinator.call(contract.decideShiftChange, {
    params: { ...inProgram(), changeId },
    body: { IsApproved, Reason },
  })
const offersTo = async (who: Someone) =>
  (await who.caller.ok(contract.listOwnShiftChanges, { query: { show: 'offers' } })).Items
const own = async (who: Someone) =>
  (await who.caller.ok(contract.listOwnShiftChanges, { query: { show: 'own' } })).Items
const daysOf = async (who: Someone): Promise<string[]> =>
  (
    await who.caller.ok(getOwnSchedule, { query: { FromDate: dayFromNow(1), ThroughDate: dayFromNow(60) } })
  ).Shifts.map((each) => `${each.Date} ${each.StartTime}`)
const offered = async (who: Someone) =>
  (
    await who.caller.ok(getOwnSchedule, { query: { FromDate: dayFromNow(1), ThroughDate: dayFromNow(60) } })
  ).Shifts.map(({ Offered }) => Offered)
const notes = async ({ person }: Someone): Promise<string[]> => {
  const { rows } = await installation.owner.query(
    'select text from notification where program_id = $1 and account_id = $2 order by id',
    [program.Id, person.Id],
  )
  return rows.map(({ text }) => text)
}
const emailLines = async ({ person }: Someone): Promise<string[]> => {
  const { rows } = await installation.owner.query(
    `select after from email_notice where program_id = $1 and account_id = $2 and label = 'SHIFT_swap' order by id`,
    [program.Id, person.Id],
  )
  return rows.map(({ after }) => after)
}
/** Opens the evening of a day for one student. */
const openEvening = async (on: string): Promise<number> => {
  await coordinator.ok(createOpenShifts, {
    params: inProgram(),
    body: {
      RotationId: rotation.Id,
      SiteShiftId: evening.Id,
      Dates: [on],
      LevelIds: [],
      Places: 1,
      ClosesHoursBefore: 1,
    },
  })
  const { Items } = await ada.caller.ok(listOwnOpenShifts, { query: {} })
  return Items.find((each) => each.Date === on)!.Id
}
const remove = (id: number) =>
  coordinator.call(removeShiftAssignments, { params: inProgram(), body: { Ids: [id] } })
const stateOf = async (changeId: number) =>
  (await coordinator.ok(contract.getShiftChange, { params: { ...inProgram(), changeId } })).State
const expectCounters = async () => {
  const { rows } = await installation.owner.query(
    `select d.site_shift_id from shift_day d where d.program_id = $1 and d.placed <> (select count(*) from shift_assignment a
       where a.program_id = d.program_id and a.site_shift_id = d.site_shift_id and a.date = d.date and a.removed_at is null)`,
    [program.Id],
  )
  expect(rows).toEqual([])
}

describe('covers', () => {
  test('offered to everyone, only those who could take it see it; the first takes it, on a full day too', async () => {
    const id = await place(ada)
    await place(cleo, date, evening)
    const dora = await student('Dora')
    await place(dora, date, await makeShift(installation.owner, program, { start_date: '2020-01-01' }))
    const change = await offer(ada, id)
    expect(await offersTo(ben)).toMatchObject([{ Id: change, Kind: 'cover', Blocked: null }])
    expect(await offersTo(dora)).toEqual([])
    expect((await answer(ben, change)).body).toEqual({ State: 'done' })
    expect(await daysOf(ben)).toEqual([`${date} 07:00`])
    expect(await daysOf(ada)).toEqual([])
    expect(await notes(ada)).toEqual([expect.stringContaining('Cover is final. Ben Sample takes the shift')])
    expect(await notes(ben)).toHaveLength(1)
    await expectCounters()
  })

  test('offered to some, only they see it; a refusal is told, and taking it back too', async () => {
    const id = await place(ada)
    expect(await offered(ada)).toEqual([null])
    const change = await offer(ada, id, { StudentIds: [ben.person.Id] })
    expect(await offered(ada)).toEqual(['open'])
    expect(await offersTo(cleo)).toEqual([])
    expect(await answer(cleo, change)).toMatchObject({ status: 404 })
    expect(await notes(ben)).toEqual([expect.stringContaining('Ada Sample asks you to take a shift')])
    await answer(ben, change, { Answer: 'decline' })
    expect(await notes(ada)).toEqual([expect.stringContaining('Ben Sample declined')])
    expect(await offersTo(ben)).toEqual([])
    expect((await cancel(ada, change)).body).toEqual({ State: 'canceled' })
    expect(await offered(ada)).toEqual([null])
    expect(await answer(ben, change)).toMatchObject({ status: 404 })
    expect(await daysOf(ada)).toEqual([`${date} 07:00`])
  })

  test('who could take it is offered by name, without those whom a rule keeps out', async () => {
    const id = await place(ada)
    await place(cleo, date, await makeShift(installation.owner, program, { start_date: '2020-01-01' }))
    const takers = (search = '') =>
      ada.caller.ok(contract.listTakers, { query: { AssignmentId: id, Kind: 'cover', search } })
    expect((await takers()).map(({ Name }) => Name)).toEqual(['Sample, Ben'])
    expect(await takers('nobody of this name')).toEqual([])
    const outside = await ada.caller.call(contract.offerShift, {
      body: { AssignmentId: id, Kind: 'cover', StudentIds: [cleo.person.Id] },
    })
    expect(outside).toMatchObject({ status: 404 })
  })

  test('a shift is offered once; of others and past ones nothing can be offered', async () => {
    const id = await place(ada)
    await offer(ada, id)
    const body = { AssignmentId: id, Kind: 'cover' as const, StudentIds: [] }
    expect(await ada.caller.call(contract.offerShift, { body })).toMatchObject({ status: 409 })
    expect(await ben.caller.call(contract.offerShift, { body })).toMatchObject({ status: 404 })
    await setOptions({ SwapApproval: 'off' })
    expect(await ada.caller.call(contract.offerShift, { body })).toMatchObject({ status: 422 })
    expect(await offersTo(ben)).toEqual([])
  })

  test('the rules are checked at the time of becoming final', async () => {
    await setOptions({ SwapApproval: 'staff' })
    const id = await place(ada)
    const change = await offer(ada, id)
    expect((await answer(ben, change)).body).toEqual({ State: 'pending' })
    expect(await daysOf(ada)).toEqual([`${date} 07:00`])
    await makeRow(installation.owner, 'requirement', {
      program_id: program.Id,
      name: 'CPR',
      blocks_placement: true,
    })
    const shown = await coordinator.ok(contract.getShiftChange, {
      params: { ...inProgram(), changeId: change },
    })
    expect(shown.Blocked).toMatchObject({ Rule: 'compliance' })
    expect(await decide(change, true)).toMatchObject({ status: 422, body: { Code: 'compliance' } })
    expect(await stateOf(change)).toBe('pending')
    expect(await offered(ada)).toEqual(['pending'])
    expect(await daysOf(ada)).toEqual([`${date} 07:00`])
    await installation.owner.query('update requirement set deleted_at = now() where program_id = $1', [
      program.Id,
    ])
    expect((await decide(change, true)).body).toMatchObject({ State: 'done', Taker: 'Sample, Ben' })
    expect(await daysOf(ben)).toEqual([`${date} 07:00`])
  })

  test('staff decline with a reason, which both read, and the history tells it all', async () => {
    await setOptions({ SwapApproval: 'staff' })
    const change = await offer(ada, await place(ada))
    await answer(ben, change)
    expect((await decide(change, false, 'You need these hours here.')).body).toMatchObject({
      State: 'declined',
    })
    expect(await decide(change, true)).toMatchObject({ status: 409 })
    for (const who of [ada, ben])
      expect(await notes(who)).toContainEqual(expect.stringContaining('declined. You need these hours here.'))
    const { Events } = await coordinator.ok(contract.getShiftChange, {
      params: { ...inProgram(), changeId: change },
    })
    expect(Events.map(({ Action }) => Action)).toEqual(['offered', 'taken', 'declined'])
    const list = (query: object) => coordinator.ok(contract.listShiftChanges, { params: inProgram(), query })
    expect((await list({})).Total).toBe(0)
    expect((await list({ show: 'over', Kind: 'cover', StudentId: ben.person.Id })).Total).toBe(1)
    const file = await coordinator.call(contract.exportShiftChanges, {
      params: inProgram(),
      query: { show: 'all', Format: 'csv' },
    })
    expect(String(file.body)).toContain('Sample, Ada')
  })

  test('whoever takes a shift steps back, and it is offered again; only its owner takes the offer back', async () => {
    await setOptions({ SwapApproval: 'staff' })
    const change = await offer(ada, await place(ada), { StudentIds: [ben.person.Id, cleo.person.Id] })
    await answer(ben, change)
    expect(await cancel(cleo, change)).toMatchObject({ status: 404 })
    expect((await cancel(ben, change)).body).toEqual({ State: 'open' })
    expect(await notes(ada)).toContainEqual(expect.stringContaining('so it is offered again'))
    expect(await notes(cleo)).toContainEqual(expect.stringContaining('Offered again: '))
    expect(await cancel(ben, change)).toMatchObject({ status: 404 })
    expect((await answer(cleo, change)).body).toEqual({ State: 'pending' })
    expect((await decide(change, true)).body).toMatchObject({ State: 'done', Taker: 'Sample, Cleo' })
    const { Events } = await coordinator.ok(contract.getShiftChange, {
      params: { ...inProgram(), changeId: change },
    })
    expect(Events.map(({ Action }) => Action)).toEqual([
      'offered',
      'taken',
      'withdrawn',
      'taken',
      'approved',
      'done',
    ])
  })

  test('coordinators are told that one waits; faculty reads and does not decide; others see nothing', async () => {
    await setOptions({ SwapApproval: 'staff' })
    const change = await offer(ada, await place(ada))
    await answer(ben, change)
    const { rows } = await installation.owner.query(
      "select count(*)::int from email_notice where program_id = $1 and label = 'SHIFT_change_asked'",
      [program.Id],
    )
    expect(rows[0].count).toBe(1)
    const params = { ...inProgram(), changeId: change }
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    await faculty.ok(contract.getShiftChange, { params })
    expect(
      await faculty.call(contract.decideShiftChange, { params, body: { IsApproved: true } }),
    ).toMatchObject({ status: 403 })
    const foreign = await installation.as(await makePerson(installation.owner, Level.Coord))
    expect(await foreign.call(contract.getShiftChange, { params })).toMatchObject({ status: 404 })
  })
})

describe('swaps', () => {
  test('both give: one proposes, the other chooses, and then both change hands at once', async () => {
    const a = await place(ada)
    const b = await place(ben, later, evening)
    const change = await offer(ada, a, { Kind: 'swap' })
    expect(
      (await ben.caller.ok(contract.listReturnable, { params: { changeId: change } })).map(
        ({ AssignmentId }) => AssignmentId,
      ),
    ).toEqual([b])
    expect(await answer(ben, change)).toMatchObject({ status: 422, body: { Code: 'return' } })
    expect((await answer(ben, change, { Answer: 'take', AssignmentId: b })).body).toEqual({ State: 'open' })
    expect((await own(ada))[0]?.Proposals).toMatchObject([
      { StudentId: ben.person.Id, Shift: { AssignmentId: b } },
    ])
    expect(await choose(ben, change, ben.person.Id)).toMatchObject({ status: 404 })
    expect((await choose(ada, change, ben.person.Id)).body).toEqual({ State: 'done' })
    expect(await daysOf(ada)).toEqual([`${later} 16:00`])
    expect(await daysOf(ben)).toEqual([`${date} 07:00`])
    await expectCounters()
  })

  test('two on full shifts at the same time swap, for neither is on both', async () => {
    const other = await makeShift(installation.owner, program, { capacity: 1, start_date: '2020-01-01' })
    const a = await place(ada)
    const b = await place(ben, date, other)
    const change = await offer(ada, a, { Kind: 'swap', StudentIds: [ben.person.Id] })
    await answer(ben, change, { Answer: 'take', AssignmentId: b })
    expect((await choose(ada, change, ben.person.Id)).body).toEqual({ State: 'done' })
    await expectCounters()
  })

  test('what the other could not take is refused before it is proposed', async () => {
    const a = await place(ada)
    await place(ada, later)
    const b = await place(
      ben,
      later,
      await makeShift(installation.owner, program, { start_date: '2020-01-01' }),
    )
    const change = await offer(ada, a, { Kind: 'swap' })
    expect(await ben.caller.ok(contract.listReturnable, { params: { changeId: change } })).toEqual([])
    expect(await answer(ben, change, { Answer: 'take', AssignmentId: b })).toMatchObject({
      status: 422,
      body: { Message: 'Ada Sample cannot take that shift. Choose another one.' },
    })
  })

  test('a proposed shift that staff remove is no longer proposed', async () => {
    const a = await place(ada)
    const b = await place(ben, later, evening)
    const change = await offer(ada, a, { Kind: 'swap' })
    await answer(ben, change, { Answer: 'take', AssignmentId: b })
    await remove(b)
    expect((await own(ada))[0]?.Proposals).toEqual([])
    expect(await choose(ada, change, ben.person.Id)).toMatchObject({ status: 404 })
  })
})

describe('late drops', () => {
  const signedUp = async () => {
    const params = { openShiftId: await openEvening(dayFromNow(4)) }
    await ada.caller.ok(signUpForOpenShift, { params, body: {} })
    await setOptions({ DropHours: 700 })
    return params
  }
  const waiting = async () =>
    (await coordinator.ok(contract.listShiftChanges, { params: inProgram(), query: {} })).Items

  test('after the limit a drop waits for staff, and is theirs to approve', async () => {
    const params = await signedUp()
    expect(await ada.caller.ok(leaveOpenShift, { params, body: { Reason: 'Surgery' } })).toEqual({
      IsDropped: false,
    })
    expect(await ada.caller.call(leaveOpenShift, { params, body: {} })).toMatchObject({ status: 409 })
    const [change] = await waiting()
    expect(change).toMatchObject({ Kind: 'drop', State: 'pending', Note: 'Surgery', Approval: 'staff' })
    expect((await ada.caller.ok(listOwnOpenShifts, { query: { show: 'own' } })).Items).toMatchObject([
      { IsDropAsked: true },
    ])
    expect((await decide(change!.Id, true)).body).toMatchObject({ State: 'done' })
    expect(await daysOf(ada)).toEqual([])
    await expectCounters()
  })

  test('declined, they keep the shift', async () => {
    const params = await signedUp()
    await ada.caller.ok(leaveOpenShift, { params, body: {} })
    const [change] = await waiting()
    await decide(change!.Id, false, 'Nobody else is there.')
    expect(await daysOf(ada)).toHaveLength(1)
    expect(await notes(ada)).toContainEqual(expect.stringContaining('Nobody else is there.'))
  })
})

describe('the site approves', () => {
  const prepare = async () => {
    await setOptions({ SwapApproval: 'site' })
    await makeRow(installation.owner, 'site_contact', {
      program_id: program.Id,
      site_id: site.Id,
      name: 'Grace Pell',
      email: 'grace@example.org',
    })
    await makeRow(installation.owner, 'site_disclosure', {
      program_id: program.Id,
      site_id: site.Id,
      basis: 'schoolOfficial',
      notice_on: '2026-01-01',
      agreement_on: '2026-01-01',
    })
    const change = await offer(ada, await place(ada))
    expect((await answer(ben, change)).body).toEqual({ State: 'pending' })
    return change
  }
  const tokenOf = () => mailedToken(installation, program.Id, 'SHIFT_site_asked')
  const opened = async () => {
    const token = await tokenOf()
    return { contact: await openedByLink(installation, program.Id, token), params: { token } }
  }

  test('by a link, without an account; then it is final', async () => {
    const change = await prepare()
    const { contact, params } = await opened()
    expect((await contact.call(contract.openShiftChange, { params })).body).toMatchObject({
      Site: 'Harbor General',
      Lines: [{ From: 'Ada Sample', To: 'Ben Sample' }],
      Answer: null,
    })
    expect(
      (await contact.call(contract.answerShiftChange, { params, body: { IsApproved: true } })).body,
    ).toEqual({
      State: 'done',
    })
    expect(await daysOf(ben)).toHaveLength(1)
    expect(await contact.call(contract.openShiftChange, { params })).toMatchObject({ status: 404 })
    const shown = await coordinator.ok(contract.getShiftChange, {
      params: { ...inProgram(), changeId: change },
    })
    expect(shown.Sites).toMatchObject([{ Site: 'Harbor General', Answer: 'approved', Openings: 1 }])
  })

  test('declines with a reason that both students read', async () => {
    await prepare()
    const { contact, params } = await opened()
    await contact.call(contract.answerShiftChange, {
      params,
      body: { IsApproved: false, Reason: 'No preceptor.' },
    })
    expect(await notes(ada)).toContainEqual(expect.stringContaining('No preceptor.'))
    expect(await daysOf(ada)).toHaveLength(1)
  })

  test('a link that was not opened, and another kind of link, answer nothing', async () => {
    await prepare()
    const token = await tokenOf()
    const stranger = installation.anonymous
    expect(await stranger.call(contract.openShiftChange, { params: { token } })).toMatchObject({
      status: 401,
    })
    expect(
      await stranger.call(contract.answerShiftChange, { params: { token }, body: { IsApproved: true } }),
    ).toMatchObject({ status: 401 })
    expect(
      await stranger.call(contract.openShiftChange, { params: { token: 'x'.repeat(43) } }),
    ).toMatchObject({ status: 404 })
  })

  test('taken back, the link ends; staff may decide in the site’s place', async () => {
    const change = await prepare()
    const { contact, params } = await opened()
    await cancel(ben, change)
    expect(
      await contact.call(contract.answerShiftChange, { params, body: { IsApproved: true } }),
    ).toMatchObject({
      status: 404,
    })
    // The site is asked anew when somebody else takes it.
    expect((await answer(ben, change)).body).toEqual({ State: 'pending' })
    const shown = await coordinator.ok(contract.getShiftChange, {
      params: { ...inProgram(), changeId: change },
    })
    expect(shown).toMatchObject({ Approval: 'site', Sites: [{ Answer: null }] })
  })

  test('a site without a contact or a legal basis is not asked: staff are', async () => {
    await setOptions({ SwapApproval: 'site' })
    const change = await offer(ada, await place(ada))
    await answer(ben, change)
    expect(
      await coordinator.ok(contract.getShiftChange, { params: { ...inProgram(), changeId: change } }),
    ).toMatchObject({
      Approval: 'staff',
      Sites: [],
    })
  })
})

describe('races have exactly one outcome', () => {
  test('of many who take one cover at once, one has it, and the others learn it', async () => {
    const change = await offer(ada, await place(ada))
    const people = await Promise.all(Array.from({ length: 12 }, (_, index) => student(`P${index}`)))
    const answers = await Promise.all(people.map((who) => answer(who, change)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11)
    await expectCounters()
  })

  test('two swaps over the same shift: one is final, and the other is over', async () => {
    const a = await place(ada)
    const c = await place(cleo, dayFromNow(24))
    const b = await place(ben, later, evening)
    const first = await offer(ada, a, { Kind: 'swap' })
    const second = await offer(cleo, c, { Kind: 'swap' })
    for (const change of [first, second]) await answer(ben, change, { Answer: 'take', AssignmentId: b })
    const answers = await Promise.all([
      choose(ada, first, ben.person.Id),
      choose(cleo, second, ben.person.Id),
    ])
    expect(answers.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(1)
    const states = [await stateOf(first), await stateOf(second)]
    expect(states.filter((state) => state === 'done')).toHaveLength(1)
    await expectCounters()
  })

  test('approved, taken back and removed by staff at once: one of them, and both students are told', async () => {
    await setOptions({ SwapApproval: 'staff' })
    const id = await place(ada)
    const change = await offer(ada, id)
    await answer(ben, change)
    await Promise.all([decide(change, true), cancel(ada, change), remove(id)])
    const state = await stateOf(change)
    expect(['done', 'canceled', 'failed']).toContain(state)
    for (const who of [ada, ben]) expect((await notes(who)).length).toBeGreaterThanOrEqual(2)
    const { rows } = await installation.owner.query(
      'select count(*)::int from shift_request_event where program_id = $1 and change_id = $2 and action = any ($3)',
      [program.Id, change, ['done', 'canceled', 'failed']],
    )
    expect(rows[0].count).toBe(1)
    await expectCounters()
  })

  test('removed by staff meanwhile: the pending swap fails, and both are told', async () => {
    await setOptions({ SwapApproval: 'staff' })
    const a = await place(ada)
    const b = await place(ben, later, evening)
    const change = await offer(ada, a, { Kind: 'swap' })
    await answer(ben, change, { Answer: 'take', AssignmentId: b })
    await choose(ada, change, ben.person.Id)
    await remove(b)
    expect(await stateOf(change)).toBe('failed')
    for (const who of [ada, ben])
      expect(await notes(who)).toContainEqual(expect.stringContaining('Nothing came of the swap'))
    expect(await decide(change, true)).toMatchObject({ status: 409 })
    expect(await daysOf(ada)).toEqual([`${date} 07:00`])
  })

  test('dropped while a swap of it is pending and staff approve: one of them, and both students are told', async () => {
    await setOptions({ SwapApproval: 'staff', DropHours: 1 })
    for (let round = 0; round < 4; round++) {
      const day = dayFromNow(30 + round)
      const params = { openShiftId: await openEvening(day) }
      await ada.caller.ok(signUpForOpenShift, { params, body: {} })
      const own = await coordinator.ok(listShiftAssignments, {
        params: inProgram(),
        query: { FromDate: day, ThroughDate: day, StudentId: ada.person.Id },
      })
      const change = await offer(ada, own.Items[0]!.Id, { StudentIds: [ben.person.Id] })
      await answer(ben, change)
      const told = async () => [(await notes(ada)).length, (await notes(ben)).length] as const
      const before = await told()
      const [left, decided] = await Promise.all([
        ada.caller.call(leaveOpenShift, { params, body: {} }),
        decide(change, true),
      ])
      const state = await stateOf(change)
      const holders = [await daysOf(ada), await daysOf(ben)].map(
        (days) => days.filter((each) => each.startsWith(day)).length,
      )
      // Either it was dropped and nobody has it, or the cover is final and Ben has it.
      expect([left.status === 200, decided.status === 200].filter(Boolean)).toHaveLength(1)
      expect([state, ...holders]).toEqual(decided.status === 200 ? ['done', 0, 1] : ['failed', 0, 0])
      const after = await told()
      for (const who of [0, 1] as const) expect(after[who]).toBeGreaterThan(before[who])
      await expectCounters()
    }
  })

  test('removed by staff while it is offered: those who were asked or have proposed are told, by email too', async () => {
    const id = await place(ada)
    const change = await offer(ada, id, { Kind: 'swap', StudentIds: [ben.person.Id, cleo.person.Id] })
    const b = await place(ben, later, evening)
    await answer(ben, change, { Answer: 'take', AssignmentId: b })
    await remove(id)
    expect(await stateOf(change)).toBe('failed')
    for (const who of [ada, ben, cleo]) {
      expect(await notes(who)).toContainEqual(expect.stringContaining('Nothing came of the swap'))
      expect(await emailLines(who)).toContainEqual(expect.stringContaining('Nothing came of the swap'))
    }
  })

  test('a proposed shift that is taken away meanwhile: who was to choose is told', async () => {
    const change = await offer(ada, await place(ada), { Kind: 'swap' })
    const b = await place(ben, later, evening)
    await answer(ben, change, { Answer: 'take', AssignmentId: b })
    await remove(b)
    expect(await notes(ada)).toContainEqual(
      expect.stringContaining('Ben Sample can no longer give the proposed shift'),
    )
    expect(await stateOf(change)).toBe('open')
  })

  test('a request whose shift has started is over', async () => {
    const change = await offer(ada, await place(ada))
    await installation.owner.query(
      "update shift_request set expires_at = now() - interval '1 minute' where id = $1",
      [change],
    )
    const expire = () =>
      transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
        expireChanges(db, program.Id),
      )
    expect(await expire()).toBe(1)
    expect(await expire()).toBe(0)
    expect(await stateOf(change)).toBe('expired')
    expect(await answer(ben, change)).toMatchObject({ status: 409 })
  })
})
