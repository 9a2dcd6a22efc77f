import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level, levels } from '#contract/core/levels.ts'
import { allPages, isStaffAddress, mayOpen } from '#contract/core/pages.ts'
import { listPageNotes } from '#contract/menus/menus.ts'
import { getAdminData, getGlobals, getLeftMenu, getState, homePath } from '#contract/session/session.ts'
import { getTerms } from '#contract/terminology/terminology.ts'
import { openSession } from '#server/core/auth/session.ts'
import { makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { sendOverWire } from '#server/test/wire.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const cookieOf = async (level: Level, row: Record<string, unknown> = {}) => {
  const person = await makePerson(installation.owner, level, row)
  const token = await openSession(installation.services.pool, person.Id, {
    address: '127.0.0.1',
    agent: 'test',
  })
  return { person, cookie: `practicum_session=${token}` }
}
/** Writes what a program says at the top of Schedule Assignments. */
const direct = (programId: number, directions: string) =>
  installation.owner.query(
    `insert into program_menu_item (program_id, menu_item_id, link_order, directions) values ($1, 41, 0, $2)
    on conflict (program_id, menu_item_id) do update set directions = excluded.directions`,
    [programId, directions],
  )
const get = (path: string, cookie = '') =>
  sendOverWire(`${installation.url}${path}`, { method: 'GET', headers: { cookie } })
const addressOf = (path: string): string => `/new/${path.replace(/\$\w+/g, '12')}`
/** All but the one that is there only while no one has an account. */
const pages = allPages.filter(({ path }) => path !== 'first-account')
const answersIn = (html: string): [readonly unknown[], any][] =>
  JSON.parse(/<script type="application\/json" id="answers">(.*?)<\/script>/.exec(html)?.[1] ?? '[]')

test.each(levels.filter(({ Id }) => Id !== Level.Unknown))(
  'E2 to $Name the server shows every page, or leads away, as the table of pages says',
  async ({ Id: level }) => {
    const { cookie } = await cookieOf(level)
    const who = { AccessLevel: level, SuperAdminAreas: null }
    await Promise.all(
      pages.map(async ({ path, isOpen }) => {
        const reply = await get(addressOf(path), cookie)
        const opens = isOpen || mayOpen(who, addressOf(path))
        const away = isStaffAddress(path) && level < Level.Faculty ? '/new/' : homePath(level)
        expect([reply.status, reply.headers.get('location')], path).toEqual(opens ? [200, null] : [302, away])
      }),
    )
  },
)

test('E2 without a sign-in only the open pages are shown; every other one is kept for afterwards', async () => {
  for (const { path, isOpen } of pages) {
    const reply = await get(addressOf(path))
    expect([reply.status, reply.headers.get('location')], path).toEqual(
      isOpen ? [200, null] : [302, '/new/login'],
    )
    if (!isOpen)
      expect(decodeURIComponent(reply.headers.get('set-cookie') ?? ''), path).toContain(
        `practicum_redirect=${addressOf(path)};`,
      )
  }
})

test('A11 D1-163 an address where nothing is shows the page that says so, to whoever the shell is for', async () => {
  const { cookie } = await cookieOf(Level.SuperAdmin)
  expect((await get('/new/admin/no-such-page', cookie)).status).toBe(200)
  const { cookie: student } = await cookieOf(Level.Student)
  expect((await get('/new/no-such-page', student)).status).toBe(200)
  expect((await get('/new/admin/no-such-page', student)).headers.get('location')).toBe('/new/')
})

test('A80 while the license agreement waits, the page that was asked for is kept and shown after it', async () => {
  const { person, cookie } = await cookieOf(Level.Coord)
  const { id } = await makeRow(installation.owner, 'eula', { html: '<p>Be careful.</p>' })
  try {
    const asked = await get('/new/admin/sites?search=harbor', cookie)
    expect(asked.headers.get('location')).toBe('/new/eula')
    const kept = /practicum_redirect=[^;]+/.exec(asked.headers.get('set-cookie') ?? '')![0]
    expect(decodeURIComponent(kept)).toBe('practicum_redirect=/new/admin/sites?search=harbor')
    // The page of the step, and the index page that it leads to, do not take its place.
    for (const path of ['/new/eula', '/new/'])
      expect((await get(path, `${cookie}; ${kept}`)).headers.get('set-cookie'), path).toBeNull()
    await makeRow(installation.owner, 'eula_acceptance', {
      eula_id: id,
      account_id: person.Id,
      address: '127.0.0.1',
    })
    expect((await get('/new/', `${cookie}; ${kept}`)).headers.get('location')).toBe(
      '/new/admin/sites?search=harbor',
    )
  } finally {
    await installation.owner.query('delete from eula_acceptance')
    await installation.owner.query('delete from eula')
  }
})

test('A40 the page brings the state, the settings, the menu, the top bar, and the words and directions of the program, as the calls answer them', async () => {
  const profile = await makeRow(installation.owner, 'language_profile', { name: 'Clinics' })
  await makeRow(installation.owner, 'language_entry', {
    profile_id: profile.id,
    key_id: 1,
    value: 'clinic</script><b>',
    singular: '',
    plural: 's',
  })
  const program = await makeProgram(installation.owner, { language_profile_id: profile.id })
  const { person, cookie } = await cookieOf(Level.Coord, { program })
  await direct(program.Id, '<p>Ask the site first.</p>')
  const reply = await get('/new/admin/sites', cookie)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  const answers = answersIn(reply.text)
  const params = { programId: program.Id }
  expect(answers.map(([key]) => key)).toEqual([
    [getState.path, {}],
    [getGlobals.path, {}],
    [getLeftMenu.path, {}],
    [getAdminData.path, {}],
    [getTerms.path, { params }],
    [listPageNotes.path, { params }],
  ])
  const caller = await installation.as(person)
  expect(answers[0]![1]).toEqual(await caller.ok(getState))
  expect(answers[1]![1]).toEqual(await caller.ok(getGlobals))
  expect(answers[2]![1]).toEqual(await caller.ok(getLeftMenu))
  expect(answers[3]![1]).toEqual(await caller.ok(getAdminData))
  expect(answers[4]![1]).toEqual(await caller.ok(getTerms, { params }))
  expect(answers[4]![1].site.Plural).toBe('clinic</script><b>s')
  expect(answers[5]![1]).toEqual(await caller.ok(listPageNotes, { params }))
  expect(answers[5]![1]).toMatchObject([{ Directions: '<p>Ask the site first.</p>' }])
})

test('directions of great length are in no page: the browser asks for them', async () => {
  const program = await makeProgram(installation.owner)
  const { cookie } = await cookieOf(Level.Coord, { program })
  const told = async () => answersIn((await get('/new/admin/sites', cookie)).text).map(([[call]]) => call)
  await direct(program.Id, `<p>${'Ask the site first. '.repeat(2_500)}</p>`)
  expect(await told()).toContain(listPageNotes.path)
  await direct(program.Id, `<p>${'Ask the site first. '.repeat(3_500)}</p>`)
  expect(await told()).not.toContain(listPageNotes.path)
})

test('menu and top bar of staff are in no page outside their frame', async () => {
  const { cookie } = await cookieOf(Level.Coord)
  const told = async (path: string) => answersIn((await get(path, cookie)).text).map(([[call]]) => call)
  expect(await told('/new/notifications')).toEqual([
    getState.path,
    getGlobals.path,
    getTerms.path,
    listPageNotes.path,
  ])
  expect(await told('/new/admin/not-there')).toContain(getLeftMenu.path)
})

test('A40 nobody gets answers without a sign-in, and a super admin without a program only their own', async () => {
  expect(answersIn((await get('/new/login')).text)).toEqual([])
  const { cookie } = await cookieOf(Level.SuperAdmin)
  const answers = answersIn((await get('/new/admin/home', cookie)).text)
  expect(answers.map(([[path]]) => path)).toEqual([
    getState.path,
    getGlobals.path,
    getLeftMenu.path,
    getAdminData.path,
  ])
})
