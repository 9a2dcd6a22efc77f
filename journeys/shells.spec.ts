import { another, desktop, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

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

  const { page: theirs, context } = await another(browser, 'super', { at: 'admin/home' })
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
  await context.close()
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

  const { page: staff, context } = await another(browser, 'coordinator', { at: 'admin/no-such-page' })
  await expect(staff.getByRole('heading', { level: 1 })).toHaveText('Not found')
  await expect(staff.getByRole('button', { name: 'MENU', exact: true })).toBeVisible()
  await expectGoodScreen(staff, 'not found in the admin shell')
  await staff.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(staff).toHaveURL(/admin\/home$/)
  await context.close()
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

test('D1-317 a toast stands at the top right and leaves by itself after five seconds', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/email-blacklist')
  await page.getByPlaceholder('Add to blacklist').fill('former.liaison@hgh.example')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const toast = page.getByText('Nothing was added: it stands there already')
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

test('D1-310 D3-344 menu items and areas that cannot be saved are logged with the status, and no toast tells it', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/menu-items/edit?id=53')
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  for (const path of ['**/menu-items/53', '**/areas/*'])
    await page.route(path, (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 503, json: { Message: 'Try again.' } }),
    )
  await page.getByLabel('Page title').fill('Who forgot')
  await page.getByRole('button', { name: /^Save/ }).first().click()
  await expect.poll(() => logged).toContain('Saving a menu item: HTTP 503')
  await expect(page.getByLabel('Page title')).toHaveValue('Who forgot')
  await expect(page.locator('[data-clock]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Cancel' }).first().click()

  await page.goto(url('admin/manage-areas'))
  const row = page.getByRole('row').nth(1)
  await row.getByRole('checkbox').click()
  await expect.poll(() => logged).toContain('Changing the notifications of an area: HTTP 503')
  await expect(page.locator('[data-clock]')).toHaveCount(0)
})

test('D1-001 students, staff, sites, rotations, time, evaluations and documents are kept for each program', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-areas')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const { page: nursing, context } = await another(browser, 'coordinator2', { at: 'admin/manage-areas' })
  await expect(nursing.getByRole('heading', { level: 1 })).toBeVisible()
  const programOf = (who: typeof page) =>
    who.evaluate(async () => (await (await fetch('/new/api/state')).json()).ProgramId as number)
  const [own, foreign] = [await programOf(page), await programOf(nursing)]
  await context.close()
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
