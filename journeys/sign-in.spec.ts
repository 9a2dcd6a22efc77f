import { another, api, expect, expectGoodScreen, signIn, test, url, visitor } from './support.ts'

test('D1-251 D1-252 whoever is signed out lands on the login page and, signed in, on the page wanted', async ({
  page,
}) => {
  await page.goto(url('admin/manage-areas'))
  await expect(page).toHaveURL(/\/new\/login$/)
  await expect(page).toHaveTitle(/Sign in/)
  await expectGoodScreen(page, 'login')
  await page.getByLabel('User name').fill('coordinator')
  await page.getByLabel('Password', { exact: true }).fill('Bluebird-42-harbor')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/admin\/manage-areas$/)
  await expect(page.getByRole('heading', { name: 'Manage areas' })).toBeVisible()
  const cookies = await page.context().cookies()
  expect(cookies.some(({ name }) => name === 'practicum_redirect')).toBe(false)
})

test('a wrong password is told without saying what was wrong, and the text stays', async ({ page }) => {
  await page.goto(url('login'))
  await page.getByLabel('User name').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'User name, email or password is not right. Check them and try again. If several accounts have your email, type the user name.',
  )
  await expect(page.getByLabel('User name')).toHaveValue('nobody')
})

test('whoever was signed out by staff is told why where they signed in, and nobody else', async ({
  page,
  browser,
}) => {
  await signIn(page, 'faculty')
  const { page: staff } = await another(browser, 'coordinator')
  const { Items } = await api(staff, 'GET', '/programs/1/users/list?search=faculty')
  const { Id } = Items.find(({ UserName }: { UserName: string }) => UserName === 'faculty')
  await api(staff, 'POST', `/programs/1/users/${Id}/session-ends`, {})
  const told = 'this session was ended from another device or by staff'
  await page.goto(url('admin/home'))
  await expect(page).toHaveURL(/\/new\/login$/)
  await expect(page.getByText(told)).toBeVisible()
  await expectGoodScreen(page, 'login after being signed out')
  const { page: stranger } = await visitor(browser)
  await stranger.goto(url('login'))
  await expect(stranger.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(stranger.getByText(told)).toBeHidden()
})

test('D1-253 a student is sent from a staff page to the index page', async ({ page }) => {
  await signIn(page, 'student', 'admin/manage-areas')
  await expect(page).not.toHaveURL(/admin/)
})

test('A69 D3-036 D3-038 D3-039 D3-041 D3-175 D3-200 D3-319 a coordinator keeps areas', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/manage-areas')
  await expect(
    page.getByRole('columnheader', { name: 'Copy Notifications To All Area Coordinators' }),
  ).toBeVisible()
  await expectGoodScreen(page, 'areas')
  // On/Off is a switch, and the icons of a row show before anybody points at it.
  const general = page.getByRole('row', { name: /General/ })
  await expect(general.getByRole('switch')).toHaveCount(1)
  await page.mouse.move(0, 0)
  for (const name of [/^Edit/, /^Delete/]) {
    const icon = general.getByRole('button', { name }).locator('svg')
    const opacity = await icon.evaluate((element) => {
      let product = 1
      for (let at: Element | null = element; at; at = at.parentElement)
        product *= Number(getComputedStyle(at).opacity)
      return product
    })
    expect(opacity, String(name)).toBeGreaterThan(0.4)
  }
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await expect(page).toHaveURL(/manage-areas\/edit$/)
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('This field is required')).toBeVisible()
  await expectGoodScreen(page, 'area form with an error')
  await page.getByLabel('Name').fill('general')
  await page.keyboard.press('Enter')
  await expect(page.getByText('general already exists.').first()).toBeVisible()
  await page.getByLabel('Name').fill('Urgent care')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/manage-areas$/)
  const row = page.getByRole('row', { name: /Urgent care/ })
  await row.getByRole('button', { name: 'Active', exact: true }).click()
  await expect(page.getByText('Are you sure?')).toBeVisible()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(row.getByRole('button', { name: 'Inactive' })).toBeVisible()
  await row.hover()
  await row.getByRole('button', { name: 'Delete' }).first().click()
  await expect(page.getByText('Are you sure you wish to delete?')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
})

test('D3-037 D1-173 D1-174 D3-321 a super admin chooses college and program above the screen and sees the ids', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/manage-areas')
  await expect(page.getByText('Select a college and a program first.')).toBeVisible()
  await page.getByRole('combobox', { name: /College/ }).click()
  await page.getByRole('option', { name: 'Harbor College' }).click()
  await page.getByRole('combobox', { name: /Program/ }).click()
  await page.getByRole('option', { name: 'Radiography' }).click()
  await expect(page.getByRole('columnheader', { name: 'ID' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'ID' })).toBeVisible()
})

test('D1-164 D1-178 MENU shows the menu with its words, and the choice stays', async ({ page }) => {
  await signIn(page, 'coordinator')
  await expect(page.getByRole('link', { name: 'Approve Time Records' })).toBeHidden()
  // A reload would take the choice along before it has arrived.
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/state') && answer.request().method() === 'POST',
  )
  await page.getByRole('button', { name: 'MENU' }).click()
  await page.getByRole('button', { name: 'Time', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Approve Time Records' })).toBeVisible()
  await saved
  await page.reload()
  await expect(page.getByRole('button', { name: 'MENU' })).toHaveAttribute('aria-expanded', 'true')
  await page.getByRole('button', { name: 'MENU' }).click()
})

test('D1-008 the words of a program are its own', async ({ page }) => {
  await signIn(page, 'coordinator2', 'admin/home')
  await page.getByRole('button', { name: 'MENU' }).click()
  await expect(page.getByText('Clinical sites', { exact: true }).first()).toBeVisible()
})

test('a page announces its font, code, styles and calls, and the login page nothing of the other pages', async ({
  page,
}) => {
  const linksOf = async (path: string): Promise<string> =>
    (
      (await (await page.request.get(url(path))).text()).match(
        /<(script type="module"|link rel="(module)?preload")[^>]*>/g,
      ) ?? []
    ).join('\n')
  const font = /as="font"[^>]*figtree-latin-wght-normal/
  const login = await linksOf('login')
  expect(login).toMatch(font)
  expect(login).toMatch(/script type="module"[^\n]*\/login-/)
  expect(login).not.toMatch(/\/app-|as="fetch"/)
  await signIn(page, 'coordinator')
  const staff = await linksOf('admin/home')
  expect(staff).toMatch(font)
  expect(staff).toMatch(/modulepreload[^\n]*\/app-/)
  expect(staff).toMatch(/modulepreload[^\n]*\/staff-/)
  expect(staff).toMatch(/as="style"[^\n]*app-/)
  // What every page begins with is in it already; no call has to be announced for it.
  expect(staff).not.toMatch(/as="fetch"[^\n]*\/new\/api\/state"/)
  expect(staff).not.toMatch(/\/member-/)
  const inbox = await linksOf('inbox')
  expect(inbox).toMatch(/modulepreload[^\n]*\/member-/)
  expect(inbox).toMatch(/modulepreload[^\n]*InboxPage/)
})
