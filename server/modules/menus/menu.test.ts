import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AdminArea, Level, levels } from '#contract/core/levels.ts'
import { mayOpen } from '#contract/core/pages.ts'
import * as menus from '#contract/menus/menus.ts'
import * as session from '#contract/session/session.ts'
import { makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { catalogue } from './menu.rules.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const start = async (level: Level = Level.Coord, row: Record<string, unknown> = {}) => {
  const program = await makeProgram(installation.owner, row)
  const caller = await installation.as(await makePerson(installation.owner, level, { program }))
  return { program, caller, in: { params: { programId: program.Id } } }
}
const startSuper = async () => installation.as(await makePerson(installation.owner, Level.SuperAdmin))

const base64 = (text: string) => Buffer.from(text).toString('base64')
const flat = (items: session.MenuItem[]): session.MenuItem[] =>
  items.flatMap((item) => [item, ...flat(item.SubMenuItems)])
const leftMenu = async (caller: Caller) => flat((await caller.ok(session.getLeftMenu)).Items)
const addresses = async (caller: Caller) => (await leftMenu(caller)).map(({ Url }) => Url)

const schedule = 4
const assignments = 41
const notifications = 201

test('E2 every row of the table is an item of the product, and says nothing that the table of pages says', async () => {
  const known = new Set(catalogue.map(({ Id }) => Id))
  expect(known.size).toBe(catalogue.length)
  const { rows, fields } = await installation.owner.query('select * from menu_item order by id')
  expect(rows.length).toBeGreaterThan(40)
  for (const { id } of rows) expect(known.has(id), `item ${id}`).toBe(true)
  expect(fields.map(({ name }) => name)).toEqual(['id', 'prog_types', 'updated_at', 'updated_by'])
})

test('E2 a menu shows exactly the pages that its person may open', async () => {
  for (const { Id: level } of levels) {
    if (level === Level.Unknown) continue
    const { program, caller } = await start(level)
    const who = { AccessLevel: level, SuperAdminAreas: null }
    const isStaff = level >= Level.Faculty
    const shown = isStaff
      ? await addresses(caller)
      : (await caller.ok(session.getProgramMenu, { params: { programId: program.Id } })).map(({ Url }) => Url)
    for (const url of shown.filter((url) => url !== '#'))
      expect(mayOpen(who, url), `${level} ${url}`).toBe(true)
    const inMenu = catalogue.filter(
      ({ PageUrl, IsMenuItem }) =>
        IsMenuItem && PageUrl !== '#' && PageUrl.startsWith('/new/admin/') === isStaff && isStaff,
    )
    // Declarations are in the menu of directors, and of officers whom a director names.
    const isNamed = (url: string) => url !== '/new/admin/safety/declarations' || level >= Level.Director
    for (const { PageUrl } of inMenu)
      expect(shown.includes(PageUrl), `${level} ${PageUrl}`).toBe(mayOpen(who, PageUrl) && isNamed(PageUrl))
  }
})

test('A40 Setup visibility names the items in the words of the program', async () => {
  const profile = await makeRow(installation.owner, 'language_profile', { name: 'Clinics' })
  await makeRow(installation.owner, 'language_entry', {
    profile_id: profile.id,
    key_id: 1,
    value: 'clinic',
    singular: '',
    plural: 's',
  })
  const { caller } = await start(Level.Coord, { language_profile_id: profile.id })
  const names = (await caller.ok(menus.listAdminMenuItems)).map(({ LinkName }) => LinkName)
  expect(names).toContain('Manage clinics')
  expect(names).not.toContain('Manage sites')
})

test('a page without a row is in the menu all the same', async () => {
  const { caller } = await start()
  const client = await installation.owner.connect()
  await client.query('delete from menu_item where id = 43')
  client.release()
  expect(await addresses(caller)).toContain('/new/admin/rotations')
  const super_ = await startSuper()
  await super_.ok(menus.saveAdminMenuItems, { body: [{ Id: 43, ProgTypes: '' }] })
  const { rows } = await installation.owner.query('select prog_types from menu_item where id = 43')
  expect(rows).toEqual([{ prog_types: '' }])
})

describe('visibility by program type', () => {
  const makeType = async (name: string) =>
    (await makeRow(installation.owner, 'program_type', { name })).id as number

  test('D1-197 D1-239 D1-272 D1-273 what types see is saved, and all types are stored as empty', async () => {
    const [one, two] = [await makeType('Residency'), await makeType('Fellowship')]
    const admin = await startSuper()
    const items = await admin.ok(menus.listAdminMenuItems)
    expect(items.find(({ Id }) => Id === assignments)).toEqual({
      Id: assignments,
      LinkName: 'Schedule Assignments',
      LinkLevel: 1,
      ProgTypes: '',
    })
    const save = async (ProgTypes: string) =>
      (await admin.ok(menus.saveAdminMenuItems, { body: [{ Id: assignments, ProgTypes }] })).find(
        ({ Id }) => Id === assignments,
      )!.ProgTypes
    expect(await save(`${one}`)).toBe(`${one}`)
    const inOne = await start(Level.Coord, { program_type_id: one })
    const inTwo = await start(Level.Coord, { program_type_id: two })
    const without = await start()
    const seen = async () =>
      Promise.all(
        [inOne, inTwo, without].map(async ({ caller }) =>
          (await addresses(caller)).includes('/new/admin/shift-assignments'),
        ),
      )
    expect(await seen()).toEqual([true, false, true])
    expect(await save('0')).toBe('0')
    expect(await seen()).toEqual([false, false, true])
    const { rows: types } = await installation.owner.query('select id from program_type order by id desc')
    expect(await save(types.map(({ id }) => id).join())).toBe('')
    const { rows } = await installation.owner.query('select prog_types from menu_item where id = $1', [
      assignments,
    ])
    expect(rows).toEqual([{ prog_types: '' }])
    expect(await seen()).toEqual([true, true, true])
  })

  test('a heading that a type does not see takes what is below it along', async () => {
    const type = await makeType('Apprenticeship')
    await makeType('Externship')
    const admin = await startSuper()
    await admin.ok(menus.saveAdminMenuItems, { body: [{ Id: schedule, ProgTypes: '0' }] })
    const { caller } = await start(Level.Coord, { program_type_id: type })
    expect(await addresses(caller)).not.toContain('/new/admin/visualization')
    await admin.ok(menus.saveAdminMenuItems, { body: [{ Id: schedule, ProgTypes: '' }] })
    expect(await addresses(caller)).toContain('/new/admin/visualization')
  })

  test('D1-115 staff read it and super admins set it, as it holds for all programs; what is unknown is refused', async () => {
    const body = [{ Id: assignments, ProgTypes: '' }]
    for (const level of [Level.Faculty, Level.Coord, Level.Admin]) {
      const { caller } = await start(level)
      expect((await caller.call(menus.listAdminMenuItems)).status).toBe(200)
      expect((await caller.call(menus.saveAdminMenuItems, { body })).status).toBe(403)
    }
    const { caller: student } = await start(Level.Student)
    expect((await student.call(menus.listAdminMenuItems)).status).toBe(403)
    const caller = await startSuper()
    const status = async (body: unknown) => (await caller.send('POST', '/admin-menu-items', { body })).status
    expect(await status([{ Id: 999_999, ProgTypes: '' }])).toBe(422)
    expect(await status([{ Id: assignments, ProgTypes: '987654' }])).toBe(422)
    expect(await status([{ Id: assignments, ProgTypes: 'x' }])).toBe(400)
    expect(await status([{ Id: assignments, ProgTypes: '', Name: 'x' }])).toBe(400)
    expect(await status([])).toBe(200)
  })
})

describe('menu items of a program', () => {
  const input = {
    LinkOrder: 5,
    LinkName: 'Who goes where',
    Title: 'Placements of this term',
    AccessLevels: [Level.Coord, Level.Faculty] as number[],
    Directions: base64('<p>Tick, then press <b>Change</b>.<script>alert(1)</script></p>'),
  }

  test('D1-198 D1-283 D1-285 D1-286 a coordinator changes an item for their program, and nobody else sees it', async () => {
    const { caller, in: here } = await start()
    const other = await start()
    const items = await caller.ok(menus.listProgramMenuItems, here)
    expect(items.find(({ Id }) => Id === assignments)).toMatchObject({
      PageUrl: '/new/admin/shift-assignments',
      LinkName: 'Schedule Assignments',
      Title: '',
      Directions: '',
      IsMenuItem: true,
    })
    expect(items.map(({ PageUrl }) => PageUrl)).not.toContain('/new/admin/manage-colleges')
    const at = { params: { ...here.params, itemId: assignments } }
    const saved = await caller.ok(menus.saveProgramMenuItem, { ...at, body: input })
    expect(saved).toMatchObject({
      Id: assignments,
      LinkOrder: 5,
      LinkName: 'Who goes where',
      Title: 'Placements of this term',
      AccessLevels: [Level.Coord, Level.Faculty],
      Directions: '<p>Tick, then press <b>Change</b>.</p>',
    })
    expect(await caller.ok(menus.getProgramMenuItem, at)).toEqual(saved)
    expect((await leftMenu(caller)).map(({ Name }) => Name)).toContain('Who goes where')
    expect((await leftMenu(other.caller)).map(({ Name }) => Name)).not.toContain('Who goes where')
    expect(await caller.ok(menus.listPageNotes, here)).toEqual([
      {
        Url: '/new/admin/shift-assignments',
        Title: 'Placements of this term',
        Directions: '<p>Tick, then press <b>Change</b>.</p>',
      },
    ])
  })

  test('D1-200 D1-260 the list of levels leaves out CCUnderHood and shows Unknown as Anonymous', async () => {
    expect(menus.menuLevels.map(({ Name }) => Name)).toContain('Anonymous')
    expect(menus.menuLevels.map(({ Id }) => Id)).not.toContain(Level.CCUnderHood)
    const { caller, in: here } = await start()
    const body = { ...input, AccessLevels: [Level.CCUnderHood] }
    const at = { params: { ...here.params, itemId: assignments } }
    expect((await caller.call(menus.saveProgramMenuItem, { ...at, body })).status).toBe(400)
  })

  test('a page is named by what a person does there, unless the program has named it', async () => {
    const { program, caller, in: here } = await start()
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    const nameFor = async (who: typeof caller): Promise<string | undefined> =>
      (await who.ok(session.getLeftMenu)).Items.flatMap(({ SubMenuItems }) => SubMenuItems).find(
        ({ Url }) => Url === '/new/admin/approve-time-records',
      )?.Name
    expect([await nameFor(caller), await nameFor(faculty)]).toEqual([
      'Approve Time Records',
      'Pending time records',
    ])
    await caller.ok(menus.saveProgramMenuItem, {
      params: { ...here.params, itemId: 51 },
      body: { ...input, LinkName: 'Hours to sign', AccessLevels: [Level.Coord, Level.Faculty] },
    })
    expect([await nameFor(caller), await nameFor(faculty)]).toEqual(['Hours to sign', 'Hours to sign'])
  })

  test('who is not among the levels does not see the item, and a level without the right never does', async () => {
    const { program, caller, in: here } = await start()
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    const open = (itemId: number, AccessLevels: number[]) =>
      caller.ok(menus.saveProgramMenuItem, {
        params: { ...here.params, itemId },
        body: { ...input, AccessLevels },
      })
    await open(assignments, [Level.Coord])
    expect(await addresses(faculty)).not.toContain('/new/admin/shift-assignments')
    expect(await addresses(caller)).toContain('/new/admin/shift-assignments')
    await open(assignments, [])
    expect(await addresses(caller)).not.toContain('/new/admin/shift-assignments')
    const settings = 91
    await open(settings, [Level.Faculty, Level.Coord])
    expect(await addresses(faculty)).not.toContain('/new/admin/program-settings')
  })

  test('D1-240 D1-241 D1-242 D1-243 text, order and title keep their limits', async () => {
    const { caller, in: here } = await start()
    const status = async (change: object) =>
      (
        await caller.send('POST', `/programs/${here.params.programId}/menu-items/${assignments}`, {
          body: { ...input, ...change },
        })
      ).status
    expect(await status({ LinkName: 'x'.repeat(50), LinkOrder: 9_999, Title: 'x'.repeat(200) })).toBe(200)
    expect(await status({ LinkOrder: '12' })).toBe(200)
    for (const wrong of [
      { LinkName: 'x'.repeat(51) },
      { LinkName: '  ' },
      { Title: 'x'.repeat(201) },
      { LinkOrder: 10_000 },
      { LinkOrder: -1 },
      { LinkOrder: 1.5 },
      { LinkOrder: '' },
      { LinkOrder: '1'.repeat(51) },
      { Directions: 'not base64!' },
      { IsMenuItem: true },
    ])
      expect(await status(wrong), JSON.stringify(wrong)).toBe(400)
  })

  test('the order of a page that is in no menu stays; text equal to the usual one follows the terminology', async () => {
    const { program, caller, in: here } = await start()
    const page = { params: { ...here.params, itemId: notifications } }
    expect(await caller.ok(menus.saveProgramMenuItem, { ...page, body: input })).toMatchObject({
      IsMenuItem: false,
      LinkOrder: 0,
    })
    const sites = { params: { ...here.params, itemId: 7 } }
    const { LinkName } = await caller.ok(menus.getProgramMenuItem, sites)
    await caller.ok(menus.saveProgramMenuItem, { ...sites, body: { ...input, LinkName } })
    const profile = await makeRow(installation.owner, 'language_profile', { name: 'Menu words' })
    await makeRow(installation.owner, 'language_entry', {
      profile_id: profile.id,
      key_id: 1,
      value: 'ward',
      singular: '',
      plural: 's',
    })
    await installation.owner.query('update program set language_profile_id = $2 where id = $1', [
      program.Id,
      profile.id,
    ])
    expect((await caller.ok(menus.getProgramMenuItem, sites)).LinkName).toBe('Wards')
  })

  test('the order decides where an item is among its neighbors', async () => {
    const { caller, in: here } = await start()
    const below = async () =>
      (await caller.ok(session.getLeftMenu)).Items.find(({ Id }) => Id === schedule)!.SubMenuItems.map(
        ({ Id }) => Id,
      )
    expect((await below()).slice(0, 2)).toEqual([41, 42])
    await caller.ok(menus.saveProgramMenuItem, {
      params: { ...here.params, itemId: assignments },
      body: { ...input, LinkOrder: 25 },
    })
    expect((await below()).slice(0, 2)).toEqual([42, 41])
  })

  test('D1-284 without Visible To Program its people see the usual menu and pages', async () => {
    const { caller, in: here } = await start()
    const at = { params: { ...here.params, itemId: assignments } }
    await caller.ok(menus.saveProgramMenuItem, { ...at, body: input })
    expect(await caller.ok(menus.saveMenuVisibility, { ...here, query: { value: false } })).toEqual({
      Value: false,
    })
    expect(await caller.ok(menus.getMenuVisibility, here)).toEqual({ Value: false })
    expect((await leftMenu(caller)).map(({ Name }) => Name)).toContain('Schedule Assignments')
    expect(await caller.ok(menus.listPageNotes, here)).toEqual([])
    expect((await caller.ok(menus.getProgramMenuItem, at)).LinkName).toBe('Who goes where')
    await caller.ok(menus.saveMenuVisibility, { ...here, query: { value: true } })
    expect((await leftMenu(caller)).map(({ Name }) => Name)).toContain('Who goes where')
  })

  test('faculty may not change menus, and pages of the installation are not there for a program', async () => {
    const { program, caller, in: here } = await start()
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.call(menus.listProgramMenuItems, here)).status).toBe(403)
    for (const itemId of [21, 999_999])
      expect(
        (await caller.call(menus.getProgramMenuItem, { params: { ...here.params, itemId } })).status,
      ).toBe(404)
  })

  test('the side menu of members follows what the program changed', async () => {
    const { program, caller, in: here } = await start()
    const student = await installation.as(await makePerson(installation.owner, Level.Student, { program }))
    const names = async () => (await student.ok(session.getProgramMenu, here)).map(({ Name }) => Name)
    const checks = ['Background check', 'Immunizations']
    expect(await names()).toEqual([
      'Clock',
      'Schedule',
      'Open shifts',
      'Swaps',
      'Skills',
      'Requirements',
      'Safety',
      'Evaluate',
      'Hours',
      'Documents',
      ...checks,
      'Progress',
      'Placement',
      'Clinical record',
    ])
    await caller.ok(menus.saveProgramMenuItem, {
      params: { ...here.params, itemId: 107 },
      body: { ...input, LinkOrder: 1, LinkName: 'My hours', AccessLevels: [Level.Student] },
    })
    expect(await names()).toEqual([
      'My hours',
      'Clock',
      'Schedule',
      'Open shifts',
      'Swaps',
      'Skills',
      'Requirements',
      'Safety',
      'Evaluate',
      'Documents',
      ...checks,
      'Progress',
      'Placement',
      'Clinical record',
    ])
  })
})

describe('the custom admin menu', () => {
  const category = (Key: string, Name: string, ParentKey: string | null = null): menus.MenuNode => ({
    Key,
    ParentKey,
    Kind: 'category',
    ItemId: null,
    Name,
    Url: '',
    IsHidden: false,
  })
  const page = (ItemId: number, more: Partial<menus.MenuNode> = {}): menus.MenuNode => ({
    Key: `page-${ItemId}`,
    ParentKey: null,
    Kind: 'page',
    ItemId,
    Name: '',
    Url: '',
    IsHidden: false,
    ...more,
  })
  const link = (Key: string, Url: string): menus.MenuNode => ({
    ...category(Key, 'Handbook'),
    Kind: 'link',
    Url,
  })

  test('D1-137 a program saves its own tree whole, and its people see it', async () => {
    const { program, caller, in: here } = await start()
    const before = await caller.ok(menus.getCustomMenu, here)
    expect(before).toMatchObject({ Version: 0, IsCustomized: false })
    expect(before.Nodes.find(({ ItemId }) => ItemId === assignments)!.ParentKey).toBe(`page-${schedule}`)
    const Nodes = [
      link('handbook', 'https://college.example/handbook'),
      category('daily', 'Every day'),
      page(assignments, { ParentKey: 'daily', Name: 'Placements' }),
      page(94, { ParentKey: 'daily', IsHidden: true }),
    ]
    const saved = await caller.ok(menus.saveCustomMenu, { ...here, body: { Version: 0, Nodes } })
    expect(saved).toMatchObject({ Version: 1, IsCustomized: true })
    expect(saved.Nodes.slice(0, 4)).toEqual(Nodes)
    const { Items } = await caller.ok(session.getLeftMenu)
    expect(Items.slice(0, 2)).toMatchObject([
      { Name: 'Handbook', Url: 'https://college.example/handbook', PageKey: 'link' },
      { Name: 'Every day', Url: '#', SubMenuItems: [{ Id: assignments, Name: 'Placements' }] },
    ])
    expect(flat(Items).map(({ Url }) => Url)).toContain('/new/admin/rotations')
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect(await addresses(faculty)).not.toContain('/new/admin/program-settings')
  })

  test('who saves over someone else is told, and nothing is lost', async () => {
    const { caller, in: here } = await start()
    const first = [category('a', 'First'), page(41, { ParentKey: 'a' })]
    await caller.ok(menus.saveCustomMenu, { ...here, body: { Version: 0, Nodes: first } })
    const late = await caller.call(menus.saveCustomMenu, { ...here, body: { Version: 0, Nodes: [] } })
    expect([late.status, (late.body as unknown as { Code: string }).Code]).toEqual([409, 'stale'])
    expect((await caller.ok(menus.getCustomMenu, here)).Nodes.slice(0, 2)).toEqual(first)
    const race = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        caller.call(menus.saveCustomMenu, {
          ...here,
          body: { Version: 1, Nodes: [category('c', `Race ${n}`)] },
        }),
      ),
    )
    expect(race.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  })

  test('D1-133 all customizations are removed, the version goes on, and saving puts them back', async () => {
    const { caller, in: here } = await start()
    const usual = (await caller.ok(session.getLeftMenu)).Items
    const Nodes = [category('a', 'First'), page(41, { ParentKey: 'a' })]
    await caller.ok(menus.saveCustomMenu, { ...here, body: { Version: 0, Nodes } })
    expect((await caller.call(menus.removeCustomMenu, { ...here, query: { Version: 0 } })).status).toBe(409)
    const removed = await caller.ok(menus.removeCustomMenu, { ...here, query: { Version: 1 } })
    expect(removed).toMatchObject({ Version: 2, IsCustomized: false })
    expect((await caller.ok(session.getLeftMenu)).Items).toEqual(usual)
    await caller.ok(menus.saveCustomMenu, { ...here, body: { Version: 2, Nodes } })
    expect((await caller.ok(session.getLeftMenu)).Items[0]).toMatchObject({ Name: 'First' })
  })

  test('a tree that is none is refused', async () => {
    const { caller, in: here } = await start()
    const status = async (...Nodes: menus.MenuNode[]) =>
      (await caller.call(menus.saveCustomMenu, { ...here, body: { Version: 0, Nodes } })).status
    expect(await status(page(41), page(41, { Key: 'again' }))).toBe(400)
    expect(await status(category('a', 'A'), category('a', 'B'))).toBe(400)
    expect(await status(page(41, { ParentKey: 'later' }), category('later', 'Later'))).toBe(400)
    expect(await status(category('a', ''))).toBe(400)
    expect(await status(link('l', 'javascript:alert(1)'))).toBe(400)
    expect(await status(link('l', ''))).toBe(400)
    expect(await status(link('l', '/new/admin/sites'), page(41, { ParentKey: 'l' }))).toBe(400)
    expect(await status(page(21))).toBe(422)
    expect(await status(page(41), page(42, { ParentKey: 'page-41' }))).toBe(422)
    expect(
      await status(
        category('a', 'A'),
        category('b', 'B', 'a'),
        page(41, { ParentKey: 'b' }),
        category('c', 'C', 'b'),
      ),
    ).toBe(200)
    expect(
      await status(
        category('a', 'A'),
        category('b', 'B', 'a'),
        category('c', 'C', 'b'),
        category('d', 'D', 'c'),
      ),
    ).toBe(400)
  })

  test('D1-165 super admins see the usual menu, and with See menu as program the one of the program', async () => {
    const { program, caller, in: here } = await start()
    await caller.ok(menus.saveCustomMenu, {
      ...here,
      body: { Version: 0, Nodes: [category('a', 'Ours'), page(41, { ParentKey: 'a' })] },
    })
    const admin = await startSuper()
    const names = async () => (await leftMenu(admin)).map(({ Name }) => Name)
    await admin.ok(session.saveState, { body: { ProgramId: program.Id } })
    expect(await names()).not.toContain('Ours')
    await admin.ok(session.saveState, { body: { IsProgramMenuEnabled: true } })
    expect(await names()).toContain('Ours')
    expect(await names()).not.toContain('Colleges')
  })

  test('a super admin reads the tree of any program, a coordinator only their own', async () => {
    const { in: here } = await start()
    const other = await start()
    expect((await other.caller.call(menus.getCustomMenu, here)).status).toBe(404)
    expect((await (await startSuper()).call(menus.getCustomMenu, here)).status).toBe(200)
  })
})

test('areas of super admins open the items of their area only', async () => {
  const menu = async (super_admin_areas: number) =>
    addresses(
      await installation.as(await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas })),
    )
  const news = '/new/admin/admin-news'
  expect(await menu(AdminArea.AdminNews)).toContain(news)
  expect(await menu(AdminArea.Email)).not.toContain(news)
  expect(await menu(AdminArea.Email)).toContain('/new/admin/email-blacklist')
  expect(await menu(AdminArea.AdminNews)).not.toContain('/new/admin/email-blacklist')
})
