import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toBase64 } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/news/announcements.ts'
import { getHome } from '#contract/reports/reports.ts'
import { saveState } from '#contract/session/session.ts'
import { type MadeProgram, makePerson, makeProgram, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner, { time_zone: 'UTC' })
  coordinator = await as(Level.Coord)
})

const as = async (level: Level) => installation.as(await makePerson(installation.owner, level, { program }))
const inProgram = () => ({ params: { programId: program.Id } })
const at = (announcementId: number) => ({ params: { programId: program.Id, announcementId } })
const body = (html: string, more: Partial<contract.AnnouncementInput> = {}): contract.AnnouncementInput => ({
  Category: 'All',
  Text: toBase64(html),
  ...more,
})
const add = (html: string, more: Partial<contract.AnnouncementInput> = {}) =>
  coordinator.ok(contract.createAnnouncement, { ...inProgram(), body: body(html, more) })
const list = (query: object = {}) => coordinator.ok(contract.listAnnouncements, { ...inProgram(), query })
const shownTo = async (caller: Caller) =>
  (await caller.ok(contract.listOwnAnnouncements)).map(({ Html }) => Html.replace(/<[^>]*>/g, ''))
const acknowledge = (caller: Caller, announcementId: number) =>
  caller.call(contract.acknowledgeAnnouncement, { params: { announcementId } })
const today = () => new Date().toISOString().slice(0, 10)

test('D2-108 D2-194 an announcement is added with category, both flags and text, and read back', async () => {
  const made = await add('<p>Site closed – <strong>Monday</strong></p>', {
    Category: 'Students',
    HideAcknowledged: true,
    ShowAllActive: false,
  })
  expect(made).toEqual({
    Id: expect.any(Number),
    Category: 'Students',
    Text: '<p>Site closed – <strong>Monday</strong></p>',
    IsActive: true,
    HideAcknowledged: true,
    ShowAllActive: false,
    Date: today(),
    Author: expect.stringMatching(/^First\d+ Last\d+$/),
    Readers: 0,
    Acknowledged: 0,
  })
  expect(await coordinator.ok(contract.getAnnouncement, at(made.Id))).toEqual(made)
  expect(await list()).toEqual({ Items: [made], Total: 1, Page: 1, PageSize: 25 })
})

test('D2-194 one is changed, switched off and on, and the change is in the audit without its text', async () => {
  const { Id } = await add('<p>Before</p>')
  const input = body('<p>After</p>', { Category: 'Staff', IsActive: false })
  const changed = await coordinator.ok(contract.updateAnnouncement, { ...at(Id), body: input })
  expect(changed).toMatchObject({ Category: 'Staff', Text: '<p>After</p>', IsActive: false })
  const set = (value: boolean) =>
    coordinator.ok(contract.setAnnouncementActive, { ...at(Id), query: { value } })
  expect((await set(true)).IsActive).toBe(true)
  expect((await set(false)).IsActive).toBe(false)
  const { rows } = await installation.owner.query(
    "select detail::text as detail from audit where program_id = $1 and action like 'POST %:announcementId' order by id desc limit 1",
    [program.Id],
  )
  expect(rows[0].detail).toMatch(/"Category": "Staff"/)
  expect(rows[0].detail).not.toMatch(/After<|Before</)
})

test('D2-139 the text must show something, the category must be one of the list, other names are refused', async () => {
  const status = async (input: object) =>
    (await coordinator.send('POST', `/programs/${program.Id}/announcements`, { body: input })).status
  expect(await status(body('<p> </p>'))).toBe(422)
  expect(await status(body('<script>alert(1)</script>'))).toBe(422)
  expect(await status({ ...body('x'), Category: 'Everybody' })).toBe(400)
  expect(await status({ ...body('x'), Text: 'not base64!' })).toBe(400)
  expect(await status({ ...body('x'), More: 1 })).toBe(400)
  expect((await list()).Total).toBe(0)
})

test('D2-148 coordinators and above keep them; everybody else and other programs are refused', async () => {
  const { Id } = await add('<p>Kept</p>')
  for (const level of [Level.Faculty, Level.Supervisor, Level.Student, Level.Alumnus]) {
    const caller = await as(level)
    expect((await caller.call(contract.listAnnouncements, inProgram())).status).toBe(403)
    expect((await caller.call(contract.createAnnouncement, { ...inProgram(), body: body('x') })).status).toBe(
      403,
    )
    expect((await caller.call(contract.deleteAnnouncement, at(Id))).status).toBe(403)
  }
  const foreign = await installation.as(await makePerson(installation.owner, Level.Coord))
  const own = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
  expect((await own.ok(contract.listAnnouncements, inProgram())).Total).toBe(1)
  for (const endpoint of [
    contract.getAnnouncement,
    contract.deleteAnnouncement,
    contract.restoreAnnouncement,
    contract.listAnnouncementReaders,
  ])
    expect((await foreign.call(endpoint, at(Id))).status).toBe(404)
  expect((await acknowledge(foreign, Id)).status).toBe(404)
})

describe('who sees what', () => {
  test('D2-068 each category reaches its people: All, Students, Registrants, Alumni, Faculty, Supervisors, Site employees, Staff', async () => {
    for (const Category of contract.announcementCategories) await add(`<p>${Category}</p>`, { Category })
    const expected: [Level, string[]][] = [
      [Level.Student, ['All', 'Students']],
      [Level.Registrant, ['All', 'Registrants']],
      [Level.Alumnus, ['All', 'Alumni']],
      [Level.Faculty, ['All', 'Faculty', 'Staff']],
      [Level.Supervisor, ['All', 'Supervisors']],
      [Level.CCUnderHood, ['All', 'Supervisors']],
      [Level.SiteEmployee, ['All', 'Site employees']],
      [Level.GenericEmployee, ['All']],
      [Level.Coord, ['All', 'Staff']],
      [Level.Director, ['All', 'Staff']],
    ]
    for (const [level, categories] of expected)
      expect((await shownTo(await as(level))).toSorted(), String(level)).toEqual(categories)
    const foreign = await installation.as(await makeStudent(installation.owner))
    expect(await shownTo(foreign)).toEqual([])
  })

  test('D2-073 readers see active ones with their day, the newest first; the staff home shows the same', async () => {
    await add('<p>Old</p>')
    await add('<p>Off</p>', { IsActive: false })
    await add('<p>New</p>')
    const student = await as(Level.Student)
    expect(await student.ok(contract.listOwnAnnouncements)).toEqual([
      {
        Id: expect.any(Number),
        Html: '<p>New</p>',
        Date: today(),
        AcknowledgedAt: null,
        AsksAcknowledgement: true,
      },
      {
        Id: expect.any(Number),
        Html: '<p>Old</p>',
        Date: today(),
        AcknowledgedAt: null,
        AsksAcknowledgement: true,
      },
    ])
    const home = await coordinator.ok(getHome, inProgram())
    expect(home.Announcements).toEqual(await coordinator.ok(contract.listOwnAnnouncements))
  })

  test('D2-070 the newest one shows all other active ones with it, or is shown alone', async () => {
    await add('<p>First</p>')
    const alone = await add('<p>Alone</p>', { ShowAllActive: false })
    const student = await as(Level.Student)
    expect(await shownTo(student)).toEqual(['Alone'])
    await add('<p>For staff</p>', { Category: 'Staff' })
    expect(await shownTo(student)).toEqual(['Alone'])
    await coordinator.ok(contract.updateAnnouncement, {
      ...at(alone.Id),
      body: body('<p>Alone</p>', { ShowAllActive: true }),
    })
    expect(await shownTo(student)).toEqual(['Alone', 'First'])
  })
})

describe('acknowledging', () => {
  test('D2-073 it is kept once a reader, with its moment, and told to that reader', async () => {
    const { Id } = await add('<p>Read me</p>')
    const student = await as(Level.Student)
    const replies = await Promise.all(Array.from({ length: 5 }, () => acknowledge(student, Id)))
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const first = (await student.ok(contract.listOwnAnnouncements))[0]!.AcknowledgedAt
    expect(first).toMatch(/^\d{4}-/)
    expect((await acknowledge(student, Id)).body.AcknowledgedAt).toBe(first)
    expect((await coordinator.ok(contract.getAnnouncement, at(Id))).Acknowledged).toBe(1)
    expect((await (await as(Level.Student)).ok(contract.listOwnAnnouncements))[0]!.AcknowledgedAt).toBeNull()
  })

  test('D2-069 registrants are neither asked nor told where the option hides it; others are', async () => {
    const hidden = await add('<p>Welcome</p>', { HideAcknowledged: true })
    const [registrant, student] = [await as(Level.Registrant), await as(Level.Student)]
    const asks = async (caller: Caller) =>
      (await caller.ok(contract.listOwnAnnouncements))[0]!.AsksAcknowledgement
    expect([await asks(registrant), await asks(student)]).toEqual([false, true])
    expect((await acknowledge(registrant, hidden.Id)).status).toBe(404)
    await coordinator.ok(contract.updateAnnouncement, {
      ...at(hidden.Id),
      body: body('<p>Welcome</p>', { HideAcknowledged: false }),
    })
    expect(await asks(registrant)).toBe(true)
    expect((await acknowledge(registrant, hidden.Id)).body.AcknowledgedAt).toMatch(/^\d{4}-/)
  })

  test('what is not shown to somebody cannot be acknowledged: other categories, switched off, deleted', async () => {
    const student = await as(Level.Student)
    const forStaff = await add('<p>Staff</p>', { Category: 'Staff' })
    const off = await add('<p>Off</p>', { IsActive: false })
    const gone = await add('<p>Gone</p>')
    await coordinator.ok(contract.deleteAnnouncement, at(gone.Id))
    for (const { Id } of [forStaff, off, gone]) expect((await acknowledge(student, Id)).status).toBe(404)
    const { rows } = await installation.owner.query(
      'select count(*)::int as count from announcement_reader where program_id = $1',
      [program.Id],
    )
    expect(rows).toEqual([{ count: 0 }])
  })

  test('staff see who has acknowledged and who has not, page by page', async () => {
    const students = []
    for (const name of ['Adams', 'Brown', 'Clark'])
      students.push(await makeStudent(installation.owner, program, { last_name: name, first_name: 'Zoe' }))
    await makeStudent(installation.owner, program, { last_name: 'Left', deactivated_at: '2026-01-01' })
    const { Id } = await add('<p>Read me</p>', { Category: 'Students' })
    await acknowledge(await installation.as(students[1]!), Id)
    const readers = async (query: object = {}) => {
      const page = await coordinator.ok(contract.listAnnouncementReaders, { ...at(Id), query })
      return [page.Total, page.Items.map(({ LastName }) => LastName)]
    }
    expect(await readers()).toEqual([3, ['Adams', 'Brown', 'Clark']])
    expect(await readers({ sort: '-LastName', pageSize: 2, page: 2 })).toEqual([3, ['Adams']])
    expect(await readers({ IsAcknowledged: true })).toEqual([1, ['Brown']])
    expect(await readers({ IsAcknowledged: false, search: 'zoe c' })).toEqual([1, ['Clark']])
    expect((await list()).Items[0]).toMatchObject({ Readers: 3, Acknowledged: 1 })
  })

  test('a super admin who looks at a program reads its announcements and acknowledges nothing', async () => {
    const { Id } = await add('<p>Read me</p>')
    const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
    expect(await admin.ok(contract.listOwnAnnouncements)).toEqual([])
    await admin.ok(saveState, { body: { ProgramId: program.Id } })
    expect(await admin.ok(contract.listOwnAnnouncements)).toMatchObject([{ Id, AsksAcknowledgement: false }])
    expect((await acknowledge(admin, Id)).status).toBe(404)
  })
})

test('deleting is soft: an undo brings it back with who acknowledged it', async () => {
  const { Id } = await add('<p>Short</p>')
  const student = await as(Level.Student)
  await acknowledge(student, Id)
  await coordinator.ok(contract.deleteAnnouncement, at(Id))
  expect((await list()).Total).toBe(0)
  expect(await shownTo(student)).toEqual([])
  expect((await coordinator.call(contract.deleteAnnouncement, at(Id))).status).toBe(404)
  expect(await coordinator.ok(contract.restoreAnnouncement, at(Id))).toMatchObject({ Id, Acknowledged: 1 })
  expect((await coordinator.call(contract.restoreAnnouncement, at(Id))).status).toBe(404)
  expect(await shownTo(student)).toEqual(['Short'])
})

test('the list is searched by what is read, filtered and paged', async () => {
  await add('<p>Parking at <strong>Harbor</strong> General</p>')
  await add('<p>100% attendance</p>', { Category: 'Students', IsActive: false })
  for (let index = 0; index < 3; index++) await add(`<p>Item ${index}</p>`)
  const texts = async (query: object) =>
    (await list(query)).Items.map(({ Text }) => Text.replace(/<[^>]*>/g, ''))
  expect(await texts({ search: 'at harbor general' })).toEqual(['Parking at Harbor General'])
  expect(await texts({ search: '0%' })).toEqual(['100% attendance'])
  expect(await texts({ search: 'strong' })).toEqual([])
  expect(await texts({ Category: 'Students' })).toEqual(['100% attendance'])
  expect(await texts({ IsActive: false })).toEqual(['100% attendance'])
  expect(await texts({ pageSize: 2, page: 2 })).toEqual(['Item 0', '100% attendance'])
  expect((await list({ pageSize: 2 })).Total).toBe(5)
})
