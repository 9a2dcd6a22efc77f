import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdminArea, Level } from '#contract/core/levels.ts'
import { mayOpen } from '#contract/core/pages.ts'
import { getSession } from '#contract/identity/identity.ts'
import * as session from '#contract/session/session.ts'
import { makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const start = async (level: Level, row: object = {}) => {
  const program = await makeProgram(installation.owner)
  const person = await makePerson(installation.owner, level, { program, ...row })
  return { program, person, caller: await installation.as(person) }
}

test('D1-188 D1-189 D1-263 the state holds the person, college and program', async () => {
  const { program, person, caller } = await start(Level.Coord)
  const state = await caller.ok(session.getState)
  expect(state).toMatchObject({
    CollegeId: program.CollegeId,
    ProgramId: program.Id,
    TemplateId: null,
    IsProgramMenuEnabled: false,
    isAdminMenuSemiHidden: true,
    User: {
      Id: person.Id,
      AccessLevel: 69,
      SuperAdminAreas: null,
      HasUnreadRemarks: false,
      IsEmailAddressConfirmed: true,
      isSuperAdmin: false,
    },
  })
})

test('an unread notification shows as unread remarks', async () => {
  const { program, person, caller } = await start(Level.Coord)
  await makeRow(installation.owner, 'notification', {
    program_id: program.Id,
    account_id: person.Id,
    kind: 'x',
    text: 'x',
  })
  expect((await caller.ok(session.getState)).User.HasUnreadRemarks).toBe(true)
})

test('D1-190 D1-218 D1-264 D3-005 saving the state answers the options as JSON strings, and the state object may come back whole', async () => {
  const { caller } = await start(Level.Coord)
  const state = await caller.ok(session.getState)
  const answer = await caller.ok(session.saveState, { body: { ...state, isAdminMenuSemiHidden: false } })
  for (const text of [answer.ProgramOptionsData, answer.ProgramOptionsLegacyData, answer.GlobalSettings]) {
    expect(JSON.parse(text)).toEqual(expect.any(Object))
  }
  expect(JSON.parse(answer.ProgramOptionsData)).toMatchObject({
    HideDMSFields: false,
    EmployeeRegistryNumberEnabled: false,
  })
  expect(await caller.ok(session.getState)).toMatchObject({ isAdminMenuSemiHidden: false })
})

test('the person in a saved state changes nothing about who one is', async () => {
  const { caller } = await start(Level.Student)
  await caller.ok(session.saveState, { body: { User: { AccessLevel: 100, isSuperAdmin: true } } })
  expect((await caller.ok(session.getState)).User).toMatchObject({ AccessLevel: 39, isSuperAdmin: false })
})

test('D1-220 See menu as program shows a super admin the menu of the program', async () => {
  const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  const names = async () => (await admin.ok(session.getLeftMenu)).Items.map(({ Name }) => Name)
  expect(await names()).toContain('Colleges')
  await admin.ok(session.saveState, { body: { IsProgramMenuEnabled: true } })
  expect(await names()).not.toContain('Colleges')
  expect(await admin.ok(session.getState)).toMatchObject({ IsProgramMenuEnabled: true })
})

test('D1-191 D1-192 D1-266 D3-004 the globals name everything the front-end reads at its start', async () => {
  const { person, caller } = await start(Level.Faculty)
  const globals = await caller.ok(session.getGlobals)
  expect(globals).toMatchObject({
    AppUrl: `${installation.url}/`,
    CookieDomain: '127.0.0.1',
    AppVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    AccessLevel: 59,
    ModBy: person.UserName,
    IsSysAdmin: false,
    SuperAdminAreas: null,
    ServerTimeoutWarningMinutes: 0,
  })
})

test('D1-250 a super admin without a restriction is the system administrator', async () => {
  const isSysAdmin = async (super_admin_areas: number | null) => {
    const admin = await installation.as(
      await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas }),
    )
    return (await admin.ok(session.getGlobals)).IsSysAdmin
  }
  expect([await isSysAdmin(null), await isSysAdmin(0), await isSysAdmin(16)]).toEqual([true, true, false])
})

test('D1-265 resources answers only assets of this installation', async () => {
  const { caller } = await start(Level.Student)
  const own = '/new/assets/index.js'
  const foreign = ['https://evil.example/x.js', '/new/assets/../../x.js', '//evil.example/x.js']
  expect(await caller.ok(session.getResources, { body: { Scripts: [own, ...foreign], Styles: [] } })).toEqual(
    { Scripts: [own], Styles: [] },
  )
})

test('D1-175 D1-176 D1-204 D1-288 the left menu has items with sub-items; # items have no page of their own', async () => {
  const { caller } = await start(Level.Coord)
  const { Items } = await caller.ok(session.getLeftMenu)
  const time = Items.find(({ PageKey }) => PageKey === 'time')
  expect(time).toMatchObject({ Id: expect.any(Number), Name: 'Time', Url: '#' })
  expect(time!.SubMenuItems.map(({ Url }) => Url)).toContain('/new/admin/approve-time-records')
  for (const item of Items) expect(item.Url === '#').toBe(item.SubMenuItems.length > 0)
})

test('nobody is offered what the role does not open', async () => {
  const faculty = (await start(Level.Faculty)).caller
  const addresses = (await faculty.ok(session.getLeftMenu)).Items.flatMap((item) => [
    item,
    ...item.SubMenuItems,
  ]).map(({ Url }) => Url)
  expect(addresses).toContain('/new/admin/shift-assignments')
  for (const closed of [
    '/new/admin/manage-colleges',
    '/new/admin/program-settings',
    '/new/admin/assign-supervisor-sites',
  ]) {
    expect(addresses).not.toContain(closed)
  }
})

test('D1-166 D1-167 D1-205 D1-289 admin data has the welcome, and counts for super admins only', async () => {
  const { caller } = await start(Level.Coord)
  const data = await caller.ok(session.getAdminData)
  expect(data).toMatchObject({
    WelcomeText: 'Welcome,',
    OnlineUsers: null,
    DailyUsers: null,
    TotalStudents: null,
    NewArrangementId: null,
  })
  expect(data.CurrentDate).toMatch(/^\d{2}\/\d{2}\/\d{4}$/)
  const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  expect(await admin.ok(session.getAdminData)).toMatchObject({
    OnlineUsers: expect.any(Number),
    DailyUsers: expect.any(Number),
    TotalStudents: expect.any(Number),
  })
})

test('D1-180 D1-206 D1-292 non-admin data tells program, name, and whether an evaluation is overdue', async () => {
  const { program, person, caller } = await start(Level.Student)
  expect(await caller.ok(session.getNonAdminData)).toMatchObject({
    HasMissedEvaluations: false,
    Timeout: 60,
    ProgramName: program.Name,
    IsEmailAddressConfirmed: true,
    NotificationCount: 0,
  })
  const template = await makeRow(installation.owner, 'evaluation_template', {
    program_id: program.Id,
    title: 'T',
    evaluator_role: 'student',
    subject_role: 'site',
  })
  await makeRow(installation.owner, 'evaluation', {
    program_id: program.Id,
    template_id: template.id,
    evaluator_id: person.Id,
    date: '2026-01-01',
    end_date: '2026-01-05',
  })
  expect((await caller.ok(session.getNonAdminData)).HasMissedEvaluations).toBe(true)
})

test('A13 D1-179 D1-207 D1-293 the side menu of members is made for their level', async () => {
  const student = await start(Level.Student)
  const menu = await student.caller.ok(session.getProgramMenu, { params: { programId: student.program.Id } })
  expect(menu.map(({ Name, Url }) => [Name, Url])).toEqual([
    ['Clock', '/new/clock'],
    ['Schedule', '/new/schedule'],
    ['Open shifts', '/new/open-shifts'],
    ['Swaps', '/new/swaps'],
    ['Skills', '/new/competencies'],
    ['Requirements', '/new/requirements'],
    ['Safety', '/new/safety'],
    ['Evaluate', '/new/evaluate'],
    ['Hours', '/new/hours'],
    ['Documents', '/new/documents'],
    ['Background check', '/new/verification?type=1'],
    ['Immunizations', '/new/verification?type=2'],
    ['Progress', '/new/progress'],
    ['Placement', '/new/placement'],
    ['Clinical record', '/new/clinical-record'],
  ])
})

test('what a page asks for by itself does not keep the session alive', async () => {
  const { person, caller } = await start(Level.Coord)
  await installation.owner.query(
    "update session set last_seen_at = now() - interval '10 minutes' where account_id = $1",
    [person.Id],
  )
  const minutesLeft = async (headers: Record<string, string>) => {
    const { ExpiresAt } = await caller.ok(getSession, {}, { headers })
    return Math.round((Date.parse(ExpiresAt) - Date.now()) / 60_000)
  }
  expect(await minutesLeft({ 'x-background': '1' })).toBe(50)
  expect(await minutesLeft({ 'x-background': '1' })).toBe(50)
  expect(await minutesLeft({})).toBe(60)
  expect(await minutesLeft({ 'x-background': '1' })).toBe(60)
})

test('D1-254 D1-255 pages ask for the right that specification 1 §6 names, and their lower pages for the same', () => {
  const admin = (SuperAdminAreas: number | null) => ({ AccessLevel: Level.SuperAdmin, SuperAdminAreas })
  expect(mayOpen(admin(AdminArea.AdminNews), '/new/admin/admin-news/edit')).toBe(true)
  expect(mayOpen(admin(AdminArea.Email), '/new/admin/admin-news')).toBe(false)
  expect(mayOpen(admin(AdminArea.Roles), '/new/admin/email-blacklist')).toBe(true)
  expect(mayOpen(admin(AdminArea.AdminNews), '/new/admin/email-blacklist')).toBe(false)
  const faculty = { AccessLevel: Level.Faculty, SuperAdminAreas: null }
  expect(mayOpen(faculty, '/new/admin/admin-menu')).toBe(true)
  expect(mayOpen(faculty, '/new/admin/menu-items/edit?id=1')).toBe(false)
  expect(mayOpen(faculty, '/new/admin/home')).toBe(true)
})
