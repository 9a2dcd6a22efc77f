import type { Page } from '@playwright/test'
import {
  another,
  changeGlobals,
  desktop,
  expect,
  expectAccessible,
  expectGoodScreen,
  phone,
  press,
  signIn,
  startSession,
  test,
  url,
} from './support.ts'

const openAccount = (page: Page) => page.getByRole('button', { name: /^Account of / }).click()

test('D1-089 D1-154 D1-232 a super admin admits a test user at a tick, goes in as them, and shuts them out', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'super', 'admin/test-users-access')
  await expect(page.getByRole('heading', { name: 'Test Users Access' })).toBeVisible()
  for (const name of ['Id', 'College — Program', 'Coordinator', 'Admin'])
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Harbor College — Sonography' })
  await expect(row.getByRole('checkbox')).toHaveCount(2)
  await expectGoodScreen(page, 'test users access')

  const tick = row.getByRole('checkbox', { name: /^Coordinator/ })
  await tick.click()
  await expect(tick).toHaveAttribute('aria-busy', 'false')
  await expect(tick).toBeChecked()
  await page.getByLabel('Search colleges and programs').fill('sonogr')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(tick).toBeChecked()

  const { page: inside, leave } = await another(browser, 'super', { at: 'admin/test-users-access' })
  await openAccount(inside)
  await inside.getByRole('menuitem', { name: /^Switch to testcoord/ }).click()
  await expect(inside).toHaveURL(/admin\/home$/)
  await expect(inside.getByText('Test Coordinator').first()).toBeVisible()
  await inside.goto(url('admin/test-users-access'))
  await expect(inside).toHaveURL(/admin\/home$/)

  // Shut out, their page would reload, in the way of the next address.
  await inside.goto('about:blank')
  await tick.click()
  await expect(tick).toHaveAttribute('aria-busy', 'false')
  await expect(tick).not.toBeChecked()
  await inside.goto(url('admin/manage-areas'))
  await expect(inside).toHaveURL(/login$/)
  await leave()
})

test('a toggle that fails is logged with its status, the tick goes back, and the row is marked', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/test-users-access')
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  await page.route('**/test-user-access?mode=admin', (route) =>
    route.fulfill({ status: 503, json: { Message: 'Try again.' } }),
  )
  const row = page.getByRole('row').filter({ hasText: 'Lakeside University — Nursing' })
  const tick = row.getByRole('checkbox', { name: /^Admin/ })
  await tick.click()
  await expect.poll(() => logged).toContain('Toggling the access of a test user: HTTP 503')
  await expect(tick).not.toBeChecked()
  await expect(row.getByRole('img', { name: 'The last change was not saved.' })).toBeVisible()
  await expect(page.locator('[role=status] [data-tone]')).toHaveCount(0)
  await expectAccessible(page, 'test users access with a failed row')
})

test('D1-182 an alumnus tells where they work, and the staff read it and the placement rates', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'alumnus2')
  await openAccount(page)
  await page.getByRole('menuitem', { name: 'Employment Information' }).click()
  await expect(page.getByRole('heading', { name: 'Employment Information' })).toBeVisible()
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: /^Status/ }).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await choose('Looking for work')
  const employer = page.getByRole('textbox', { name: /^Employer/ })
  await expect(employer).toHaveCount(0)
  await choose('Working in the field')
  await employer.fill('')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText('This field is required').first()).toBeVisible()
  await expectGoodScreen(page, 'employment with a refusal')
  await employer.fill('Journey Memorial')
  await page.getByLabel('Position').fill('Registered nurse')
  await page.getByRole('textbox', { name: /^Start/ }).fill('07/06/2026')
  await page.getByRole('textbox', { name: /^Credential/ }).fill('RN')
  await page.getByLabel(/may contact me/).check()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText('Employment information saved')).toBeVisible()
  await page.reload()
  await expect(employer).toHaveValue('Journey Memorial')
  await expect(page.getByRole('textbox', { name: /^Start/ })).toHaveValue('07/06/2026')

  const { page: staff, leave } = await another(browser, 'coordinator2', { at: 'admin/employment' })
  await expect(staff.getByRole('heading', { name: 'Employment', exact: true })).toBeVisible()
  await expect(staff.getByRole('img', { name: /in the job market work in the field/ }).first()).toBeVisible()
  await expectGoodScreen(staff, 'placement rates')
  const download = staff.waitForEvent('download')
  await staff.getByRole('link', { name: 'Excel' }).click()
  expect((await download).suggestedFilename()).toBe('Placement rates.xlsx')
  await press(staff, 'Graduates')
  await staff.getByLabel('Name, email or employer').fill('journey memorial')
  await expect(staff.getByRole('row')).toHaveCount(2)
  await expect(staff.getByRole('row').nth(1)).toContainText('Working in the field')
  await expectGoodScreen(staff, 'employment of graduates')
  await leave()
})

test('D1-182 nobody but students and alumni is offered Employment Information', async ({ page, browser }) => {
  await signIn(page, 'supervisor2', 'help')
  await openAccount(page)
  await expect(page.getByRole('menuitem', { name: 'Preferences' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Employment Information' })).toHaveCount(0)
  await page.goto(url('employment'))
  await expect(page).not.toHaveURL(/employment/)
  const student = await another(browser, 'student2', { size: phone, at: 'more' })
  await student.page.getByRole('link', { name: 'Employment Information' }).click()
  await expect(student.page.getByRole('heading', { name: 'Employment Information' })).toBeVisible()
  await student.leave()
})

const widget = `
  window.heard = []
  window.zE = (kind, verb, ask) => ask((token) => window.heard.push(kind, verb, token))
`

/** For a signed-in person the help chat is a script of our own; the token is refused as often as told. */
const withChat = async (page: Page, refusals: number) => {
  const asked: number[] = []
  let loads = 0
  await changeGlobals(page, { HelpChatUrl: url('assets/help-chat.js') })
  await page.route('**/api/v1/auth/zendesk-token', (route) => {
    asked.push(Date.now())
    return asked.length <= refusals
      ? route.fulfill({ status: 503, json: { Message: 'Try again.' } })
      : route.fulfill({ json: { Token: 'token of the student' } })
  })
  await page.route('**/assets/help-chat.js', (route) => {
    loads++
    return route.fulfill({ contentType: 'text/javascript', body: widget })
  })
  return { asked, loads: () => loads }
}

test('D1-230 D1-231 the help chat loads once the token has come, which is asked for again after a failure', async ({
  page,
}) => {
  await startSession(page, 'student2')
  const chat = await withChat(page, 2)
  await page.goto(url('help'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => chat.asked.length).toBeGreaterThan(0)
  expect(chat.loads()).toBe(0)
  await expect
    .poll(() => page.evaluate(() => (window as { heard?: string[] }).heard), { timeout: 12_000 })
    .toEqual(['messenger', 'loginUser', 'token of the student'])
  expect(chat.asked).toHaveLength(3)
  expect(chat.asked[1]! - chat.asked[0]!).toBeGreaterThanOrEqual(950)
  expect(chat.asked[2]! - chat.asked[1]!).toBeGreaterThanOrEqual(1_950)
  await page.goto(url('hours'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('without a configured help chat nothing of it is asked for', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => /zendesk|help-chat\.js/.test(request.url()) && asked.push(request.url()))
  await page.setViewportSize(desktop)
  await signIn(page, 'student2', 'help')
  await expect(page.getByRole('button', { name: /^Notifications/ })).toBeVisible()
  await page.waitForLoadState('load')
  expect(asked).toEqual([])
})
