import type { Page } from '@playwright/test'
import { writeMmdb } from '../server/test/mmdb.ts'
import { type Product, startProduct } from './start.ts'
import {
  another,
  expect,
  expectAccessible,
  expectGoodScreen,
  phone,
  saving,
  signIn,
  startSession,
  test,
  url,
  visitor,
} from './support.ts'

/** What holds for a whole installation cannot be tried on the shared one. Here a proxy's word counts for the address. */
let product: Product
let shared: string | undefined

test.beforeAll(async () => {
  product = await startProduct({ TRUST_PROXY: 'loopback' })
  shared = process.env.PRACTICUM_URL
  process.env.PRACTICUM_URL = product.address
})
test.afterAll(async () => {
  process.env.PRACTICUM_URL = shared
  await product?.stop()
})

const iPad =
  'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0'
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const runOf = async (page: Page, text: string, verb: string) => {
  await row(page, text)
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: verb }).click()
}
const errorsOf = (page: Page): string[] => {
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  return logged
}
const failWith = (page: Page, path: string, status: number, message: string) =>
  page.route(path, (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status, json: { Message: message } }),
  )

test('D1-033 D2-067 D2-068 D2-069 D2-070 D2-071 D2-072 a coordinator announces something with its options', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/announcements')
  await expect(page.getByRole('heading', { name: 'Announcements' })).toBeVisible()
  await expect(row(page, 'Sites close for students')).toContainText(/\d+ of \d+/)
  await expectGoodScreen(page, 'announcements')
  await page.getByRole('button', { name: 'Add New' }).click()
  await expect(page).toHaveURL(/\/admin\/announcements\/edit$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Announcement', exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Display to' }).click()
  await expect(page.getByRole('option')).toHaveText([
    'All',
    'Students',
    'Registrants',
    'Alumni',
    'Faculty',
    'Supervisors',
    'Site employees',
    'Staff',
  ])
  await page.getByRole('option', { name: 'Students' }).click()
  await expect(page.getByLabel('Hide the registrant ‘Acknowledged’ message')).not.toBeChecked()
  await expect(page.getByLabel('Display all active announcements on the index page')).toBeChecked()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter the announcement').first()).toBeVisible()
  await expectGoodScreen(page, 'announcement form with a refusal')
  const editor = page.getByRole('textbox', { name: 'Announcement' })
  await editor.click()
  await page.keyboard.type('Bring your badge on Monday.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Announcement saved.')).toBeVisible()
  await expect(row(page, 'Bring your badge')).toContainText('Students')
  await expect(row(page, 'Bring your badge')).toContainText(/0 of \d+/)

  await page.getByRole('combobox', { name: /^Display to/ }).click()
  await page.getByRole('option', { name: 'Registrants' }).click()
  await expect(row(page, 'Bring your badge')).toHaveCount(0)
  await page.getByRole('button', { name: 'Reset' }).click()
  await saving(page, () => page.getByRole('checkbox', { name: /^Active: Bring your badge/ }).uncheck())
  await page.reload()
  await expect(page.getByRole('checkbox', { name: /^Active: Bring your badge/ })).not.toBeChecked()
  await page.getByRole('checkbox', { name: /^Active: Bring your badge/ }).check()
  await runOf(page, 'Bring your badge', 'Delete')
  await expect(row(page, 'Bring your badge')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Bring your badge')).toBeVisible()
})

test('D2-073 a student acknowledges on the phone, staff see who has, and others read it where their day starts', async ({
  page,
  browser,
}) => {
  test.slow()
  const student = await another(browser, 'student', { size: phone, at: 'clock' })
  const folded = student.page.locator('details').filter({ hasText: 'Sites close for students' })
  await expectGoodScreen(student.page, 'clock with an announcement')
  await folded.locator('summary').click()
  await expectAccessible(student.page, 'clock with an open announcement')
  await folded.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(student.page.getByText('Acknowledged', { exact: true })).toBeVisible()
  await student.page.reload()
  await folded.locator('summary').click()
  await expect(folded.getByText(/^Acknowledged \d\d\/\d\d\/\d{4}$/)).toBeVisible()
  await expect(folded.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0)
  await student.leave()

  await signIn(page, 'coordinator', 'admin/announcements')
  await runOf(page, 'Sites close for students', 'Who acknowledged')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Search people').fill('Okafor')
  await expect(dialog.getByRole('row').nth(1)).toContainText('Okafor, Amara')
  await expect(dialog.getByRole('row').nth(1)).toContainText(/\d\d\/\d\d\/\d{4}/)
  await expectGoodScreen(page, 'who acknowledged')
  await page.goto(url('admin/home'))
  const post = page.getByRole('article', { name: 'Announcement' })
  await post.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(post.getByText(/^Acknowledged \d\d/)).toBeVisible()

  for (const [who, count] of [
    ['supervisor', 1],
    ['registrant', 2],
    ['alumnus', 1],
  ] as const) {
    const reader = await another(browser, who)
    await expect(reader.page.getByRole('article', { name: 'Announcement' })).toHaveCount(count)
    if (who === 'registrant') await expectGoodScreen(reader.page, 'index page of a registrant')
    await reader.leave()
  }
})

test('D1-053 D2-040 D2-199 a super admin switches forgery protection off and on', async ({ page }) => {
  await signIn(page, 'super', 'admin/global-settings')
  const box = page.getByLabel('Enable CSRF protection')
  await expect(box).toBeChecked()
  for (const isOn of [false, true]) {
    await box.setChecked(isOn)
    if (!isOn) await expectGoodScreen(page, 'global settings')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved Successfully').last()).toBeVisible()
    await page.reload()
    await expect(box).toBeChecked({ checked: isOn })
  }
})

test('D2-144 settings of the installation lead everybody else to the admin home page', async ({ page }) => {
  await startSession(page, 'admin')
  for (const at of ['eula', 'geo-ip', 'global-settings']) {
    await page.goto(url(`admin/${at}`))
    await expect(page).toHaveURL(/\/admin\/home$/)
  }
})

test('D1-052 D2-036 D2-037 D2-038 D2-039 D2-109 D2-127 D2-198 a super admin keeps who may connect, from Warn to ON', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'super', 'admin/geo-ip')
  await expect(page.getByRole('radio')).toHaveCount(3)
  await expect(page.getByRole('radio', { name: 'OFF' })).toBeChecked()
  await saving(page, () => page.getByRole('radio', { name: 'Warn' }).check())

  const far = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' } })
  const farPage = await far.newPage()
  await signIn(farPage, 'faculty', 'admin/home')
  await expect(farPage.getByText(/You are connected from 203\.0\.113\.9/)).toBeVisible()
  await expectGoodScreen(farPage, 'home with a warning of the address')

  const box = page.getByLabel('New address or network')
  await expect(box).toHaveAttribute('maxlength', '255')
  await box.fill('not an address')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText(/must be an IP address or a network/)).toBeVisible()
  await expectGoodScreen(page, 'IP access with a refusal')
  await box.fill('198.51.100.0/24')
  await box.press('Enter')
  await expect(row(page, '198.51.100.0/24')).toContainText('Castellane')
  await expect(box).toHaveValue('')

  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.mmdb', mimeType: 'application/octet-stream', buffer: Buffer.from('none') })
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText(/is no GeoIP database/)).toBeVisible()
  await page.locator('input[type=file]').setInputFiles({
    name: 'country.mmdb',
    mimeType: 'application/octet-stream',
    buffer: writeMmdb({ '203.0.113.0/24': { country: { iso_code: 'FR' } } }),
  })
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Updated Successfully')).toBeVisible()
  await expect(page.getByText('country.mmdb · Test-Country')).toBeVisible()

  await page.getByRole('radio', { name: 'ON' }).check()
  await expect.poll(async () => (await farPage.goto(url('admin/home')))?.status()).toBe(403)
  await expect(farPage.getByRole('heading', { name: 'Not available from here' })).toBeVisible()
  await expectGoodScreen(farPage, 'page for refused addresses')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'ON' })).toBeChecked()
  // What comes later above the list would push it out of sight, and an open menu goes with its row.
  await expect(row(page, '198.51.100.0/24')).toBeVisible()
  await expect(page.getByText('country.mmdb · Test-Country')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Allowed countries' })).toBeVisible()
  await runOf(page, '203.0.113.9', 'Add to whitelist')
  await expect.poll(async () => (await farPage.goto(url('admin/home')))?.status()).toBe(200)
  await far.close()

  await saving(page, () => page.getByRole('radio', { name: 'OFF' }).check())
  await expect(page.getByRole('radio', { name: 'OFF' })).toBeChecked()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'OFF' })).toBeChecked()
  const whitelist = page.getByRole('region', { name: 'Whitelist' })
  await whitelist
    .getByRole('row')
    .filter({ hasText: '198.51.100.0/24' })
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(whitelist.getByText('198.51.100.0/24', { exact: true })).toHaveCount(0)
})

test('D2-203 failures of whitelist changes are logged with their status, marked, and told nowhere else', async ({
  page,
}) => {
  const logged = errorsOf(page)
  await signIn(page, 'super', 'admin/geo-ip')
  await page.getByLabel('New address or network').fill('192.0.2.1')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const whitelist = page.getByRole('region', { name: 'Whitelist' })
  const entry = whitelist.getByRole('row').filter({ hasText: '192.0.2.1' })
  await expect(entry).toBeVisible()
  await failWith(page, '**/api/geo-ip/whitelist**', 500, 'x')
  await page.getByLabel('New address or network').fill('192.0.2.2')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('img', { name: /The last address was not added/ })).toBeVisible()
  await expect(page.getByLabel('New address or network')).toHaveValue('192.0.2.2')
  await failWith(page, '**/api/geo-ip/whitelist/**', 500, 'x')
  await entry.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('img', { name: /Not deleted/ })).toBeVisible()
  await expect(entry).toBeVisible()
  expect(logged).toContain('Adding to the whitelist: HTTP 500')
  expect(logged).toContain('Deleting from the whitelist: HTTP 500')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expectGoodScreen(page, 'IP access with failed changes')
})

test('A83 D1-044 D2-034 D2-035 D2-196 D2-197 the agreement is written, asked of everybody, accepted once, and withdrawn', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'super', 'admin/eula')
  const editor = page.getByRole('textbox', { name: 'License agreement' })
  await expect(page.locator('.mantine-RichTextEditor-root')).toHaveCSS('height', '500px')
  await editor.click()
  await page.getByRole('button', { name: /bold/i }).click()
  await page.keyboard.type('Keep your password to yourself.')
  const submit = page.getByRole('button', { name: 'Submit Changes' })
  await failWith(page, '**/api/eula', 500, 'x')
  await submit.click()
  await expect(page.getByText('Not Saved! HTTP 500')).toBeVisible()
  await page.unroute('**/api/eula')
  await failWith(page, '**/api/eula', 422, 'The text is too long.')
  await submit.click()
  await expect(page.getByText('Not Saved! The text is too long.')).toBeVisible()
  await page.unroute('**/api/eula')
  await expect(editor).toContainText('Keep your password')
  await submit.click()
  await expect(page.getByText('Saved!', { exact: true })).toBeVisible()
  await expect(page.getByText(/^1 of \d+ people have accepted/)).toBeVisible()
  await expectGoodScreen(page, 'agreement in its editor')

  const { page: reader, leave } = await visitor(browser, phone)
  await reader.goto(url('hours'))
  await reader.getByLabel('User name').fill('student')
  await reader.getByLabel('Password', { exact: true }).fill('Bluebird-42-harbor')
  await reader.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(reader).toHaveURL(/\/new\/eula$/)
  await expect(reader.getByText('Keep your password to yourself.')).toBeVisible()
  await expectGoodScreen(reader, 'agreement to accept')
  await reader.goto(url('clock'))
  await expect(reader).toHaveURL(/\/new\/eula$/)
  await reader.getByRole('button', { name: 'Accept' }).click()
  await expect(reader).toHaveURL(/\/new\/(hours|clock)$/)
  await reader.goto(url('eula'))
  await expect(reader.getByText(/^You accepted it on \d\d\/\d\d\/\d{4}\.$/)).toBeVisible()
  await expect(reader.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await leave()

  const other = await another(browser, 'alumnus')
  await other.page.getByRole('button', { name: 'Log Out' }).click()
  await expect(other.page).toHaveURL(/\/login$/)
  await other.leave()

  const tablet = await browser.newContext({ userAgent: iPad })
  const iPadPage = await tablet.newPage()
  await signIn(iPadPage, 'super', 'admin/eula')
  const area = iPadPage.locator('textarea')
  await expect(area).toHaveCSS('height', '500px')
  await expect(iPadPage.getByText(/the formatting is lost/)).toBeVisible()
  await area.fill('Plain <b>text</b>')
  await iPadPage.getByRole('button', { name: 'Submit Changes' }).click()
  await expect(iPadPage.getByText('Saved!', { exact: true })).toBeVisible()
  expect(await iPadPage.evaluate(async () => (await (await fetch('/new/api/eula')).json()).text)).toBe(
    '<p>Plain &lt;b&gt;text&lt;/b&gt;</p>',
  )
  await expect(iPadPage.getByText(/^1 of \d+ people have accepted/)).toBeVisible()
  // The text has no formatting by now, and the warning stays.
  await expect(iPadPage.getByText(/the formatting is lost/)).toBeVisible()
  await iPadPage
    .getByRole('button', { name: /\d+ accepted$/ })
    .last()
    .click()
  await expect(iPadPage.getByRole('dialog')).toContainText('Keep your password to yourself.')
  await iPadPage.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await area.fill('')
  await iPadPage.getByRole('button', { name: 'Submit Changes' }).click()
  await expect(iPadPage.getByText('There is no text, so no one is asked.')).toBeVisible()
  await tablet.close()
})
