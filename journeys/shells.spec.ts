import {
  another,
  desktop,
  expect,
  expectGoodScreen,
  phone,
  signIn,
  startSession,
  test,
  url,
} from './support.ts'

test('D1-024 D1-165 D1-172 the top bar of staff has Help, Home and Log Out, and for super admins the menu of the program', async ({
  page,
  browser,
}) => {
  test.slow()
  const bar = page.getByRole('banner')
  await signIn(page, 'director2', 'admin/manage-areas')
  await expect(page.getByRole('heading', { name: 'Manage areas' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'See menu as program' })).toHaveCount(0)
  await bar.getByRole('button', { name: 'Help' }).click()
  await expect(page).toHaveURL(/admin\/help$/)
  await bar.getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL(/admin\/home$/)
  await bar.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(/login$/)

  const { page: theirs, leave } = await another(browser, 'super', { at: 'admin/home' })
  const check = theirs.getByRole('checkbox', { name: 'See menu as program' })
  const menu = theirs.getByRole('navigation', { name: 'Main menu' })
  for (const name of ['Help', 'Home', 'Log Out'])
    await expect(theirs.getByRole('banner').getByText(name, { exact: true })).toBeAttached()
  await expect(menu.getByRole('button', { name: 'Colleges' })).toBeAttached()
  await check.click()
  await expect(menu.getByRole('button', { name: 'Colleges' })).toHaveCount(0)
  await expect(check).toBeChecked()
  await check.click()
  await expect(menu.getByRole('button', { name: 'Colleges' })).toBeAttached()
  await leave()
})

test('the top bar and the menu of staff are whole before any call is answered, so nothing in them moves', async ({
  page,
}) => {
  for (const person of ['director2', 'super']) {
    await signIn(page, person)
    await page.route('**/api/**', () => {})
    await page.goto(url('admin/help'))
    const bar = page.getByRole('banner')
    await expect(bar).toContainText(
      person === 'super' ? /\d+ online/ : /\d\d\/\d\d\/\d{4} · Program director/,
    )
    await expect(
      page.getByRole('navigation', { name: 'Main menu' }).getByRole('listitem').first(),
    ).toBeAttached()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})

test('D1-025 D1-163 an address where nothing is says so in the own shell and leads home', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'alumnus', 'no/such/page')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')
  await expect(page.getByText('There is nothing at this address.')).toBeVisible()
  await expect(page.getByText(`© 2005–${new Date().getFullYear()}`)).toBeVisible()
  await expectGoodScreen(page, 'not found')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page.getByRole('heading', { name: /^Welcome, / })).toBeVisible()

  const { page: staff, leave } = await another(browser, 'coordinator', { at: 'admin/no-such-page' })
  await expect(staff.getByRole('heading', { level: 1 })).toHaveText('Not found')
  await expect(staff.getByRole('button', { name: 'MENU', exact: true })).toBeVisible()
  await expectGoodScreen(staff, 'not found in the admin shell')
  await staff.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(staff).toHaveURL(/admin\/home$/)
  await leave()
})

for (const [who, lands, shows] of [
  ['student2', /\/clock$/, /./],
  ['supervisor2', /\/new\/$/, /./],
  ['registrant', /\/new\/$/, /^Welcome, /],
  ['faculty2', /\/admin\/home$/, /./],
] as const)
  test(`D1-099 the index page brings ${who} to where the day begins`, async ({ page }) => {
    await signIn(page, who, '')
    await page.goto(url())
    await expect(page).toHaveURL(lands)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(shows)
  })

test('what was typed stays when a window is resized or a phone is turned', async ({ page }) => {
  test.slow()
  await signIn(page, 'siteemployee2', 'change-password')
  const old = page.getByLabel('Old password')
  await old.fill('half typed')
  const element = await old.elementHandle()
  for (const size of [phone, { width: 844, height: 390 }, phone, desktop]) {
    await page.setViewportSize(size)
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible()
    await expect(old).toHaveValue('half typed')
    expect(await element!.evaluate((input) => input.isConnected)).toBe(true)
  }
})

test('a form that is being filled in stays where it is when a phone is turned', async ({ page }) => {
  await signIn(page, 'supervisor2', 'evaluate')
  const id = await page.evaluate(async () => {
    const { Waiting } = await (await fetch('/new/api/evaluations/mine')).json()
    return (Waiting as { Id: number }[])[0]?.Id
  })
  expect(id).toBeDefined()
  await page.goto(url(`evaluate/${id}`))
  const first = page.getByRole('main').locator('input, textarea').first()
  await first.waitFor({ state: 'attached' })
  const element = await first.elementHandle()
  for (const size of [phone, { width: 844, height: 390 }, phone]) {
    await page.setViewportSize(size)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toHaveCount(size === phone ? 0 : 1)
    expect(await element!.evaluate((input) => input.isConnected)).toBe(true)
  }
})

test('D1-317 a toast is at the top right and leaves by itself after five seconds', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/email-blacklist')
  await page.getByPlaceholder('Add to blacklist').fill('former.liaison@hgh.example')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const toast = page.getByText('Nothing was added: already on the list')
  await expect(toast).toBeVisible()
  const shownAt = Date.now()
  const box = (await toast.boundingBox())!
  expect(box.y).toBeLessThan(desktop.height / 4)
  expect(box.x + box.width).toBeGreaterThan(desktop.width * 0.75)
  const clock = page.locator('[data-clock]')
  expect(await clock.evaluate((line) => getComputedStyle(line).animationDuration)).toBe('5s')
  await page.mouse.move(200, 700)
  await expect(toast).toBeHidden({ timeout: 9_000 })
  expect(Date.now() - shownAt).toBeGreaterThan(3_500)
})

test('where the code of all pages cannot be loaded, that is said, and tried again', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/manage-areas')
  await page.route(/\/assets\/app-[^/]*\.js$/, (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Practicum could not be loaded' })).toBeVisible()
  await expectGoodScreen(page, 'the application could not be loaded')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Manage areas' })).toBeVisible()
})

test('D3-044 the code of maps comes with the screens that have one; news from the server to every screen', async ({
  page,
}) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  const hasMap = () => loaded.some((path) => /\/assets\/(MapView|leaflet)[^/]*\.js$/i.test(path))
  await signIn(page, 'coordinator', 'admin/manage-areas')
  await expect(page.getByRole('heading', { name: 'Manage areas' })).toBeVisible()
  await expect.poll(() => loaded.some((path) => path.endsWith('/api/live'))).toBe(true)
  expect(hasMap()).toBe(false)
  await page.goto(url('admin/sites'))
  await expect.poll(hasMap).toBe(true)
})

test('A41 D1-310 D3-344 menu items, areas and the blacklist that cannot be changed are logged with the status and marked, nothing else', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/menu-items/edit?id=53')
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  for (const path of ['**/menu-items/53', '**/areas/*', '**/email-blacklist/*'])
    await page.route(path, (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 503, json: { Message: 'Try again.' } }),
    )
  await page.getByLabel('Page title').fill('Who forgot')
  await page.getByRole('button', { name: /^Save/ }).first().click()
  await expect.poll(() => logged).toContain('Saving a menu item: HTTP 503')
  await expect(page.getByLabel('Page title')).toHaveValue('Who forgot')
  await expect(page.getByRole('img', { name: /^The last attempt to save failed/ })).toBeVisible()
  await expect(page.getByText('Try again')).toHaveCount(0)
  await expect(page.locator('[data-clock]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Cancel' }).first().click()

  await page.goto(url('admin/manage-areas'))
  const row = page.getByRole('row').nth(1)
  await row.getByRole('switch').click()
  await expect.poll(() => logged).toContain('Changing the notifications of an area: HTTP 503')
  await expect(page.locator('[data-clock]')).toHaveCount(0)

  await page.goto(url('admin/email-blacklist'))
  await page
    .getByRole('row')
    .nth(1)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect.poll(() => logged).toContain('Removing from the blacklist: HTTP 503')
  await expect(page.getByRole('img', { name: 'The last change was not saved.' })).toBeVisible()
  await expect(page.locator('[data-clock]')).toHaveCount(0)
})

test('D1-001 students, staff, sites, rotations, time, evaluations and documents are kept for each program', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-areas')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const { page: nursing, leave } = await another(browser, 'coordinator2', { at: 'admin/manage-areas' })
  await expect(nursing.getByRole('heading', { level: 1 })).toBeVisible()
  const programOf = (who: typeof page) =>
    who.evaluate(async () => (await (await fetch('/new/api/state')).json()).ProgramId as number)
  const [own, foreign] = [await programOf(page), await programOf(nursing)]
  await leave()
  const kinds = [
    'users/list?AccessLevels=39',
    'users/list?AccessLevels=59',
    'sites',
    'rotations',
    'time-records',
    'evaluations',
    'verifications?Type=1',
  ]
  const read = (programId: number) =>
    page.evaluate(
      ({ programId, kinds }) =>
        Promise.all(
          kinds.map(async (kind) => {
            const answer = await fetch(`/new/api/programs/${programId}/${kind}`)
            if (!answer.ok) return answer.status
            const body = await answer.json()
            return (body.Items ?? body).length > 0
          }),
        ),
      { programId, kinds },
    )
  expect(await read(own)).toEqual(kinds.map(() => true))
  expect(await read(foreign)).toEqual(kinds.map(() => 404))
})

test('A11 A81 a super admin without a program reads the help and the own settings, and a mistyped address is not found', async ({
  page,
}) => {
  await signIn(page, 'super')
  for (const [path, heading] of [
    ['admin/help', 'User Guide'],
    ['admin/preferences', 'Preferences'],
    ['admin/totp-settings', /./],
    ['admin/change-email', /./],
    ['admin/no-such-page', 'Not found'],
    ['admin/logs/data-sync', 'DataSync Logs'],
  ] as const) {
    await page.goto(url(path))
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading)
    await expect(page.getByText('Select a college and a program first.'), path).toHaveCount(0)
  }
  await expect(page.getByRole('button', { name: /^College/ })).toBeVisible()
  await page.goto(url('admin/sites'))
  await expect(page.getByText('Select a college and a program first.')).toBeVisible()
  await expect(page).toHaveTitle('Manage sites · Practicum')
})

test('A13 a student finds the own background check and immunizations in the menu and in the finder', async ({
  page,
}) => {
  await signIn(page, 'student2', 'schedule')
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await menu.getByRole('link', { name: 'Background check' }).click()
  await expect(page).toHaveURL(/verification\?type=1$/)
  await page.keyboard.press('Control+K')
  await page.getByPlaceholder(/^Find pages/).fill('immun')
  await page.getByRole('button', { name: /Immunizations/ }).click()
  await expect(page).toHaveURL(/verification\?type=2$/)
})

test('A14 A15 A42 D1-172 at every width a super admin sees the program and reaches all of the top bar', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/home')
  const account = page.getByRole('button', { name: /^Account of/ })
  const programName = page.getByRole('banner').locator('b').first()
  for (const width of [390, 800, 992, 1024, 1090, 1200, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(account).toBeInViewport({ ratio: 1 })
    expect(
      await programName.evaluate((name) => name.scrollWidth <= name.clientWidth),
      `the program's name at ${width}`,
    ).toBe(true)
    if (width >= 1440)
      for (const name of ['Help', 'Home', 'Log Out']) {
        const word = page.getByRole('banner').getByText(name, { exact: true })
        expect((await word.boundingBox())!.width, `the word ${name} at ${width}`).toBeGreaterThan(20)
      }
    if (width >= 1280) {
      await expect(page.getByRole('banner').getByRole('link', { name: 'Weekly Reports' })).toBeVisible()
      continue
    }
    await account.click()
    for (const name of ['Tax Calc', 'Custom Reports', 'Weekly Reports', 'User Guide'])
      await expect(page.getByRole('menuitem', { name }), `${name} at ${width}`).toBeVisible()
    if (width < 992) {
      await expect(page.getByRole('menuitemcheckbox', { name: 'See menu as program' })).toBeVisible()
      await expect(page.getByRole('menu').getByText(/^Welcome, /)).toBeVisible()
      await expect(page.getByRole('menu').getByText(/^\w+ \d\d\/\d\d\/\d{4}$/)).toBeVisible()
      await expect(page.getByRole('menu').getByText(/ online$/)).toBeVisible()
    }
    await page.keyboard.press('Escape')
  }
})

test('A16 D1-180 D1-186 on a phone a student has the count of notifications, the own name and the copyright', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student2', 'schedule')
  const bar = page.getByRole('banner')
  await expect(bar.getByRole('button', { name: /^Notifications: \d+$/ })).toBeVisible()
  await bar.getByRole('button', { name: /^Account of/ }).click()
  const name = await page.evaluate(
    async () => (await (await fetch('/new/api/state')).json()).User.Name as string,
  )
  await expect(page.getByRole('menu').getByText(name)).toBeVisible()
  await expect(page.getByRole('menu').getByText(`© 2005–${new Date().getFullYear()}`)).toBeVisible()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page).toHaveURL(/\/inbox$/)
})

test('A17 pages of things that are not there have a heading and a way back', async ({ page }) => {
  await signIn(page, 'super')
  for (const [path, back] of [
    ['admin/mail-center/edit', /mail-center$/],
    ['admin/mail-center/edit?id=abc', /mail-center$/],
    ['admin/mail-center/edit-description', /mail-center$/],
    ['admin/saml/admin/999999', /saml\/admin$/],
    ['admin/saml/admin/999999/link', /saml\/admin$/],
    ['admin/admin-news/edit?id=999999', /admin-news$/],
    ['admin/menu-items/edit', /menu-items$/],
  ] as const) {
    await page.goto(url(path))
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('Not found')
    await expect(page.getByRole('button', { name: 'Try again' }), path).toHaveCount(0)
    const link = page.getByRole('link', { name: 'Back to the list' })
    // It is not this page, and looks like every other link.
    await expect(link, path).not.toHaveAttribute('aria-current')
    await expect(link, path).not.toHaveClass(/./)
    await link.click()
    await expect(page, path).toHaveURL(back)
  }
})

test('where somebody wants no motion, nothing of the first picture is on its way to another color', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const times = await page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll('*')].flatMap((element) => {
        const { transitionDuration, transitionDelay } = getComputedStyle(element)
        return `${transitionDuration}, ${transitionDelay}`.split(', ')
      }),
    ),
  ])
  expect(times).toEqual(['0s'])
})

test('links in an editor are told by more than their color', async ({ page }) => {
  await signIn(page, 'super', 'admin/mail-center')
  const templates = await (await page.request.get(url('api/mail-templates'))).json()
  const { ID } = templates.find(({ Label }: { Label: string }) => Label === 'PLACEMENT_made')
  await page.goto(url(`admin/mail-center/edit?id=${ID}`))
  const link = page.locator('.ProseMirror a').first()
  await expect(link).toBeVisible()
  await expect(link).toHaveCSS('text-decoration-line', 'underline')
})

test("A40 a page is drawn in the program's own words from the first picture on", async ({ page }) => {
  await startSession(page, 'coordinator')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(url('admin/manage-areas'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(asked.filter((path) => /\/api\/(state|globals|programs\/\d+\/terms)$/.test(path))).toEqual([])
})

test('C1 while the database is away every page says so, and reads again once it is back', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/home')
  let isAway = true
  await page.route('**/new/api/**', async (route) => {
    const asked = route.request()
    // The stream of live updates has no end to wait for.
    if (!isAway || asked.method() !== 'GET' || asked.url().endsWith('/live')) return route.fallback()
    const answer = await route.fetch()
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-data-age': '20' } })
  })
  await page.goto(url('admin/manage-areas'))
  const notice = page.getByText(/^The database is not available right now\. Data as of \d\d:\d\d\./)
  await expect(notice).toBeVisible()
  await expectGoodScreen(page, 'the database away')
  const readAgain = page.waitForRequest(/\/areas(\?|$)/)
  isAway = false
  await readAgain
  await expect(notice).toHaveCount(0)
})

test('on a phone each page begins at its top, however far the one before it was scrolled', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'requirements')
  const main = page.getByRole('main')
  await main.getByRole('listitem').last().scrollIntoViewIfNeeded()
  expect(await main.evaluate((element) => element.scrollTop)).toBeGreaterThan(100)
  await page.getByRole('navigation').getByRole('link', { name: 'Schedule' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My schedule')
  expect(await main.evaluate((element) => element.scrollTop)).toBe(0)
})
