import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/placement-lists/placement-lists.ts'
import { addShiftAssignments } from '#contract/scheduling/assignments.ts'
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
import { tendLists } from './placement-lists.jobs.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let site: { Id: number; Name: string }
let shift: { Id: number }
let rotation: { Id: number }
let ada: MadePerson
let ben: MadePerson

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const inProgram = () => ({ programId: program.Id })
const place = async (StudentIds: readonly number[], ...days: number[]) => {
  await coordinator.ok(addShiftAssignments, {
    params: inProgram(),
    body: {
      RotationId: rotation.Id,
      SiteShiftId: shift.Id,
      StudentIds: [...StudentIds],
      Dates: days.map(dayFromNow),
    },
  })
}
const addContact = (siteId: number, name = 'Grace Pell') =>
  makeRow(installation.owner, 'site_contact', {
    program_id: program.Id,
    site_id: siteId,
    name,
    email: `${name.split(' ')[0]!.toLowerCase()}@example.org`,
  })
const addBasis = (siteId: number, basis = 'schoolOfficial') =>
  makeRow(installation.owner, 'site_disclosure', {
    program_id: program.Id,
    site_id: siteId,
    basis,
    ...(basis === 'consent'
      ? { purpose: 'Who comes, and when' }
      : { notice_on: '2026-01-01', agreement_on: '2026-01-01' }),
  })
const send = (more: object = {}) =>
  coordinator.call(contract.sendPlacementLists, {
    params: inProgram(),
    body: { RotationId: rotation.Id, SiteIds: [site.Id], AnswerBy: dayFromNow(10), ...more },
  })
const lists = async (query: object = { show: 'all' }) =>
  (await coordinator.ok(contract.listPlacementLists, { params: inProgram(), query })).Items
const one = (listId: number) =>
  coordinator.ok(contract.getPlacementList, { params: { ...inProgram(), listId } })
const openedList = async () => {
  const token = await mailedToken(installation, program.Id, 'SITE_list_asked')
  const contact = await openedByLink(installation, program.Id, token)
  const params = { token }
  return {
    open: () => contact.call(contract.openPlacementList, { params }),
    answer: (Answers: { StudentId: number; IsConfirmed: boolean; Reason?: string }[]) =>
      contact.call(contract.answerPlacementList, { params, body: { Answers } }),
  }
}
const mails = async (label: string): Promise<number> =>
  (
    await installation.owner.query(
      'select count(*)::int as n from mail where program_id = $1 and label = $2',
      [program.Id, label],
    )
  ).rows[0].n
const notes = async (): Promise<string[]> =>
  (
    await installation.owner.query(
      `select text from notification where program_id = $1 and kind = 'site_list_answered' order by id`,
      [program.Id],
    )
  ).rows.map(({ text }) => text)

beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC', options: { HoursPerWeekRule: 'off' } })
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  site = await makeSite(owner, program, { name: 'Harbor General' })
  shift = await makeShift(owner, program, { site, capacity: 9, start_date: '2020-01-01' })
  rotation = await makeRotation(owner, program, { name: 'Fall', start_date: '2020-01-01' })
  ada = await makeStudent(owner, program, { first_name: 'Ada', last_name: 'Sample' })
  ben = await makeStudent(owner, program, { first_name: 'Ben', last_name: 'Sample' })
  await place([ada.Id, ben.Id], 20, 22)
})

describe('sending', () => {
  test('the contact of a site gets one email with a link; faculty sees the list and cannot send', async () => {
    await addContact(site.Id)
    await addBasis(site.Id)
    const sent = await send({ Note: 'Bring badges.' })
    expect(sent).toMatchObject({ status: 201, body: { Sent: 1, Skipped: [] } })
    expect(await mails('SITE_list_asked')).toBe(1)
    expect(await lists()).toMatchObject([
      { Site: 'Harbor General', Rotation: 'Fall', State: 'waiting', Students: 2, Confirmed: 0, Declined: 0 },
    ])
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect(
      (await faculty.ok(contract.listPlacementLists, { params: inProgram(), query: {} })).Items,
    ).toHaveLength(1)
    const refused = await faculty.call(contract.sendPlacementLists, {
      params: inProgram(),
      body: { RotationId: rotation.Id, SiteIds: [site.Id], AnswerBy: dayFromNow(10) },
    })
    expect(refused.status).toBe(403)
  })

  test('a site without a contact, or that may not be told who comes, is left out and says why', async () => {
    const sendable = () =>
      coordinator.ok(contract.listSendableSites, {
        params: inProgram(),
        query: { RotationId: rotation.Id },
      })
    expect(await sendable()).toMatchObject([{ Students: 2, Problem: 'contact' }])
    await addContact(site.Id)
    expect(await sendable()).toMatchObject([{ Problem: 'basis', Untold: 2 }])
    expect((await send()).body).toMatchObject({ Sent: 0, Skipped: [{ Problem: 'basis' }] })
    expect(await mails('SITE_list_asked')).toBe(0)
  })

  test('where students consent one by one, only those who did are named', async () => {
    await addContact(site.Id)
    await addBasis(site.Id, 'consent')
    await makeRow(installation.owner, 'disclosure_consent', {
      program_id: program.Id,
      student_id: ada.Id,
      site_id: site.Id,
      text: 'My requirements and dates',
      signed_name: 'Ada Sample',
      signed_from: '127.0.0.1',
    })
    await send()
    const [list] = await lists()
    expect((await one(list!.Id)).Items.map(({ Student }) => Student)).toEqual(['Sample, Ada'])
  })

  test('a date that is over, a site nobody goes to, and another program’s rotation are refused', async () => {
    await addContact(site.Id)
    await addBasis(site.Id)
    expect(await send({ AnswerBy: dayFromNow(-1) })).toMatchObject({ status: 422 })
    const empty = await makeSite(installation.owner, program)
    expect(await send({ SiteIds: [site.Id, empty.Id] })).toMatchObject({ status: 404 })
    const other = await makeProgram(installation.owner)
    const foreign = await makeRotation(installation.owner, other)
    expect(await send({ RotationId: foreign.Id })).toMatchObject({ status: 404 })
    expect(await lists()).toEqual([])
  })

  test('a new list replaces the open one and keeps answers about students whose dates are the same', async () => {
    await addContact(site.Id)
    await addBasis(site.Id)
    await send()
    const first = await openedList()
    await first.answer([
      { StudentId: ada.Id, IsConfirmed: true },
      { StudentId: ben.Id, IsConfirmed: true },
    ])
    await place([ben.Id], 24)
    await send()
    expect(await first.open()).toMatchObject({ status: 404 })
    const [now, before] = await lists()
    expect(before).toMatchObject({ State: 'withdrawn', Confirmed: 2 })
    expect(now).toMatchObject({ State: 'waiting', Students: 2, Confirmed: 1 })
    expect((await one(now!.Id)).Items).toMatchObject([
      { Student: 'Sample, Ada', IsConfirmed: true },
      { Student: 'Sample, Ben', IsConfirmed: null, Shifts: 3 },
    ])
  })

  test('sent by two at once there is one open list', async () => {
    await addContact(site.Id)
    await addBasis(site.Id)
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)
    expect(statuses).toEqual([201, 201, 201])
    expect((await lists()).filter(({ State }) => State === 'waiting')).toHaveLength(1)
  })
})

describe('answering', () => {
  beforeEach(async () => {
    await addContact(site.Id)
    await addBasis(site.Id)
    await send()
  })

  test('the contact confirms one and declines another with a reason; coordinators are told', async () => {
    const { open, answer } = await openedList()
    expect((await open()).body).toMatchObject({
      Site: 'Harbor General',
      Items: [
        { Student: 'Sample, Ada', FirstDate: dayFromNow(20), LastDate: dayFromNow(22), Shifts: 2 },
        { Student: 'Sample, Ben' },
      ],
    })
    expect((await answer([{ StudentId: ada.Id, IsConfirmed: true }])).body).toEqual({
      Confirmed: 1,
      Declined: 0,
      Waiting: 1,
    })
    await answer([{ StudentId: ben.Id, IsConfirmed: false, Reason: 'No preceptor in the evening.' }])
    const [list] = await lists({ show: 'declined' })
    expect(list).toMatchObject({ State: 'answered', Confirmed: 1, Declined: 1 })
    expect(await one(list!.Id)).toMatchObject({
      Openings: 1,
      Items: [{ IsConfirmed: true }, { IsConfirmed: false, Reason: 'No preceptor in the evening.' }],
    })
    expect((await notes()).at(-1)).toBe('Harbor General, Fall: 1 of 2 confirmed, 1 declined (Ben Sample)')
  })

  test('an answer can be changed; the same answer again tells nobody', async () => {
    const { answer } = await openedList()
    await answer([{ StudentId: ada.Id, IsConfirmed: true }])
    await answer([{ StudentId: ada.Id, IsConfirmed: true }])
    expect(await notes()).toHaveLength(1)
    expect((await answer([{ StudentId: ada.Id, IsConfirmed: false, Reason: 'Full.' }])).body).toMatchObject({
      Declined: 1,
      Confirmed: 0,
    })
  })

  test('a decline without a reason and a student who is not listed are refused, and nothing is kept', async () => {
    const { answer } = await openedList()
    const stranger = await makeStudent(installation.owner, program)
    expect(await answer([{ StudentId: ada.Id, IsConfirmed: false }])).toMatchObject({ status: 422 })
    expect(
      await answer([
        { StudentId: ada.Id, IsConfirmed: true },
        { StudentId: stranger.Id, IsConfirmed: true },
      ]),
    ).toMatchObject({ status: 422 })
    expect(await lists()).toMatchObject([{ Confirmed: 0, Declined: 0 }])
  })

  test('a link that was not opened answers nothing; another kind of link neither', async () => {
    const token = await mailedToken(installation, program.Id, 'SITE_list_asked')
    const { anonymous } = installation
    expect(await anonymous.call(contract.openPlacementList, { params: { token } })).toMatchObject({
      status: 401,
    })
    expect(
      await anonymous.call(contract.openPlacementList, { params: { token: 'x'.repeat(43) } }),
    ).toMatchObject({ status: 404 })
  })

  test('withdrawn, its link opens nothing, and it cannot be withdrawn or reminded of again', async () => {
    const { open } = await openedList()
    const [list] = await lists()
    const params = { ...inProgram(), listId: list!.Id }
    expect(await coordinator.ok(contract.withdrawPlacementList, { params })).toMatchObject({
      State: 'withdrawn',
    })
    expect(await open()).toMatchObject({ status: 404 })
    expect(await coordinator.call(contract.withdrawPlacementList, { params })).toMatchObject({ status: 409 })
    expect(await coordinator.call(contract.remindSite, { params })).toMatchObject({ status: 409 })
  })

  test('a reminder is a new link, and the one before opens nothing any more', async () => {
    const first = await openedList()
    const [list] = await lists()
    await coordinator.ok(contract.remindSite, { params: { ...inProgram(), listId: list!.Id } })
    expect(await first.open()).toMatchObject({ status: 404 })
    expect((await (await openedList()).open()).status).toBe(200)
    expect(await lists()).toMatchObject([{ RemindedAt: expect.any(String) }])
  })

  test('sites are reminded once before the date, and coordinators told once after it', async () => {
    const tend = () =>
      transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
        tendLists(db, installation.services, program.Id),
      )
    const moveTo = (date: string) =>
      installation.owner.query('update placement_list set answer_by = $2 where program_id = $1', [
        program.Id,
        date,
      ])
    await tend()
    expect(await mails('SITE_list_asked')).toBe(1)
    await moveTo(dayFromNow(2))
    await tend()
    await tend()
    expect(await mails('SITE_list_asked')).toBe(2)
    await moveTo(dayFromNow(-1))
    await tend()
    await tend()
    expect(await notes()).toEqual(['Harbor General has not answered about 2 of 2 students in Fall'])
    expect(await lists({ show: 'late' })).toMatchObject([{ IsLate: true }])
  })

  test('the file has one row for each student; another program sees and changes nothing', async () => {
    const file = await coordinator.call(contract.exportPlacementLists, {
      params: inProgram(),
      query: { show: 'all', Format: 'csv' },
    })
    expect(String(file.body).trim().split('\n')).toHaveLength(3)
    const other = await makeProgram(installation.owner)
    const stranger = await installation.as(
      await makePerson(installation.owner, Level.Coord, { program: other }),
    )
    const [list] = await lists()
    const theirs = { programId: other.Id, listId: list!.Id }
    for (const call of [contract.getPlacementList, contract.remindSite, contract.withdrawPlacementList])
      expect(await stranger.call(call, { params: theirs })).toMatchObject({ status: 404 })
    expect(
      await stranger.call(contract.listPlacementLists, { params: inProgram(), query: {} }),
    ).toMatchObject({ status: 404 })
  })
})
