import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/communication/notification-copies.ts'
import { Level } from '#contract/core/levels.ts'
import { transaction } from '#server/core/database/pool.ts'
import { post } from '#server/core/mail/mail.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRow,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let faculty: MadePerson
let area: number

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  faculty = await makePerson(installation.owner, Level.Faculty, {
    program,
    first_name: 'Faye',
    last_name: 'Falk',
    email: 'faye@example.org',
  })
  area = (await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'Imaging' })).id
})

const params = () => ({ programId: program.Id })
const add = (UserId: number, AreaId: number | null = null) =>
  coordinator.call(contract.createNotificationCopy, { params: params(), body: { Id: 0, UserId, AreaId } })
const list = () => coordinator.ok(contract.listNotificationCopies, { params: params() })

test('D3-166 D3-296 D3-298 D3-299 D3-300 copies are added, changed, listed and deleted', async () => {
  expect((await add(faculty.Id)).status).toBe(200)
  const [row] = await list()
  expect(row).toEqual({
    Id: expect.any(Number),
    UserId: faculty.Id,
    UserName: 'Falk, Faye',
    AreaId: null,
    AreaName: null,
  })
  const at = { params: { ...params(), notificationId: row!.Id } }
  expect(
    await coordinator.ok(contract.updateNotificationCopy, { ...at, body: { ...row!, AreaId: area } }),
  ).toEqual({ ...row, AreaId: area, AreaName: 'Imaging' })
  await coordinator.ok(contract.deleteNotificationCopy, at)
  expect(await list()).toEqual([])
  expect((await coordinator.call(contract.deleteNotificationCopy, at)).status).toBe(404)
})

test('D3-229 a person is required, must be staff of the program, and gets the same copies once', async () => {
  const missing = await coordinator.call(contract.createNotificationCopy, {
    params: params(),
    body: { AreaId: null } as never,
  })
  expect(missing.status).toBe(400)
  expect((missing.body as any).Errors).toEqual([{ Field: 'UserId', Message: 'User is required.' }])
  const stranger = await makePerson(installation.owner, Level.Faculty)
  const student = await makeStudent(installation.owner, program)
  for (const id of [stranger.Id, student.Id]) expect((await add(id)).status).toBe(422)
  const theirs = await makeRow(installation.owner, 'area', { program_id: stranger.ProgramId, name: 'Theirs' })
  expect((await add(faculty.Id, theirs.id)).status).toBe(422)
  expect((await add(faculty.Id, area)).status).toBe(200)
  expect((await add(faculty.Id)).status).toBe(200)
  for (const where of [area, null]) expect((await add(faculty.Id, where)).status).toBe(409)
})

test('notifications are kept by coordinators of the program', async () => {
  const caller = await installation.as(faculty)
  expect((await caller.call(contract.listNotificationCopies, { params: params() })).status).toBe(403)
  const stranger = await installation.as(await makePerson(installation.owner, Level.Coord))
  expect((await stranger.call(contract.listNotificationCopies, { params: params() })).status).toBe(404)
})

const write = (to: MadePerson, label = 'TIME_message') =>
  transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    post(db, [
      {
        programId: program.Id,
        accountId: to.Id,
        label,
        recipient: `${to.UserName}@example.org`,
        subject: 'Your time',
        html: '<p>Look at it.</p>',
      },
    ]),
  )
const messages = async () =>
  (
    await installation.owner.query(
      'select recipient, subject, html, account_id from mail where program_id = $1 order by id',
      [program.Id],
    )
  ).rows

test('D1-069 whoever is named for the area gets the emails to its people in copy, once and beside the addressee’s', async () => {
  const inArea = await makeStudent(installation.owner, program, { area_id: area, first_name: 'A<b>' })
  const elsewhere = await makeStudent(installation.owner, program)
  await add(faculty.Id, area)
  await write(inArea)
  await write(elsewhere)
  expect(await messages()).toEqual([
    expect.objectContaining({ recipient: `${inArea.UserName}@example.org`, subject: 'Your time' }),
    expect.objectContaining({
      recipient: 'faye@example.org',
      subject: 'Copy: Your time',
      account_id: faculty.Id,
      html: expect.stringMatching(/^<p>Copy of an email to A&lt;b&gt; .*<\/p><p>Look at it/),
    }),
    expect.objectContaining({ recipient: `${elsewhere.UserName}@example.org` }),
  ])
  await add(faculty.Id)
  await write(inArea)
  await write(elsewhere)
  expect((await messages()).filter(({ recipient }) => recipient === 'faye@example.org')).toHaveLength(3)
})

test('emails with links and codes of an account are never copied, nor are emails to the reader or kinds they switched off', async () => {
  const student = await makeStudent(installation.owner, program, { area_id: area })
  await add(faculty.Id)
  await write(student, 'ACCOUNT_password_reset')
  await write(student, 'REGISTRANT_approved')
  await write(faculty)
  expect(await messages()).toHaveLength(3)
  await installation.owner.query('update account set preferences = $2 where id = $1', [
    faculty.Id,
    { MutedEmails: ['TIME_missed'] },
  ])
  await write(student, 'TIME_missed')
  expect(await messages()).toHaveLength(4)
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [faculty.Id])
  await write(student)
  expect(await messages()).toHaveLength(5)
})

test('with "Copy Notifications To All Area Coordinators" on, the coordinators of the area get copies', async () => {
  const own = await makePerson(installation.owner, Level.Coord, { program, area_id: area })
  await makePerson(installation.owner, Level.Director, { program, area_id: area })
  const student = await makeStudent(installation.owner, program, { area_id: area })
  await write(student)
  expect(await messages()).toHaveLength(1)
  await installation.owner.query('update area set are_notifications_enabled = true where id = $1', [area])
  await write(student)
  expect((await messages()).map(({ recipient }) => recipient).slice(1)).toEqual([
    `${student.UserName}@example.org`,
    `${own.UserName}@example.org`,
  ])
})

test('words about a student’s exemptions and returned proofs are copied to those alone who review them', async () => {
  const student = await makeStudent(installation.owner, program)
  const reviewer = await makePerson(installation.owner, Level.Coord, { program })
  await add(faculty.Id)
  await add(reviewer.Id)
  const copiesOf = async (label: string) => {
    const before = (await messages()).length
    await write(student, label)
    return (await messages()).slice(before + 1).map(({ account_id }) => account_id)
  }
  expect(await copiesOf('REQUIREMENT_answered')).toEqual([reviewer.Id])
  expect(await copiesOf('REQUIREMENT_returned')).toEqual([reviewer.Id])
  expect((await copiesOf('REQUIREMENT_expired')).toSorted((a, b) => a - b)).toEqual([faculty.Id, reviewer.Id])
})
