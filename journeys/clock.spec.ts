import type { Browser, BrowserContext, Page } from '@playwright/test'
import { clearDays, placeNow } from './clock-day.ts'
import {
  another,
  api,
  changeAnswers,
  expect,
  expectAccessible,
  expectGoodScreen,
  phone,
  signIn,
  test,
  url,
} from './support.ts'

test.use({ viewport: phone, permissions: ['geolocation'] })

/** The phone is at the door of the shift's site. */
const standAtDoor = async (page: Page, context: BrowserContext): Promise<void> => {
  const [{ Latitude, Longitude }] = (await api(page, 'GET', '/clock')).Shifts
  await context.setGeolocation({ latitude: Latitude, longitude: Longitude, accuracy: 14 })
}

test('a student clocks in at the door and out without a connection, asks for a correction and reports hours', async ({
  page,
  context,
  browser,
}) => {
  const staff = await another(browser, 'coordinator')
  await placeNow(staff.page)
  await staff.leave()

  await signIn(page, 'student', 'clock')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Amara/)
  await expect(page.getByText('No shift today')).toHaveCount(0)
  await standAtDoor(page, context)
  await expectGoodScreen(page, 'clock, out')

  await page.getByRole('button', { name: 'Clock in', exact: true }).click()
  // The second of two quick taps finds the other button in its place, and is not for it.
  await page.getByRole('button', { name: 'Clock out' }).click({ force: true, noWaitAfter: true })
  await expect(page.getByRole('heading', { name: 'You are clocked in, Amara' })).toBeVisible()
  await expect(page.getByText(/^Since \d\d:\d\d/)).toBeVisible()
  await expect(page.getByText(/within 46 ft$/)).toBeVisible()
  await expectGoodScreen(page, 'clock, in')

  // Pressed by mistake: taken back at once, and the same without a connection.
  const clockIn = page.getByRole('button', { name: 'Clock in', exact: true })
  const mistake = page.getByRole('button', { name: 'Clocked in by mistake' })
  await mistake.click()
  await expect(page.getByText(/^Clock-in removed/)).toBeVisible()
  await expect(clockIn).not.toHaveAttribute('aria-disabled')
  await context.setOffline(true)
  await clockIn.click()
  await expect(page.getByText(/Kept on this phone at/)).toBeVisible()
  await mistake.click()
  await expect(mistake).toHaveCount(0)
  await expect(clockIn).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('2 saved punches were sent')).toBeVisible()
  await expect(clockIn).not.toHaveAttribute('aria-disabled')
  await clockIn.click()
  await expect(page.getByRole('heading', { name: 'You are clocked in, Amara' })).toBeVisible()
  await expect(page.getByText(/^Since \d\d:\d\d/)).toBeVisible()

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Clock out' }).click()
  await expect(
    page.getByText(/Kept on this phone at \d\d:\d\d\. Sent when you are back online\./),
  ).toBeVisible()
  await expect(page.getByRole('heading', { name: 'You are clocked out, Amara' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('1 saved punch was sent')).toBeVisible()
  await expect(page.getByText(/^Clocked out at \d\d:\d\d/)).toBeVisible()
  await expect(page.getByText(/Kept on this phone/)).toHaveCount(0)

  await page.goto(url('hours'))
  const first = page.getByRole('listitem').first()
  await expect(first).toContainText('Today')
  await expect(first).toContainText('Pending')
  await expectGoodScreen(page, 'own hours')
  await first.getByRole('button', { name: /Request a correction/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: /Which/ }).click()
  await page.getByRole('option', { name: /Clock in/ }).click()
  const wall = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    timeStyle: 'short',
    hourCycle: 'h23',
  })
  const before = wall.format(Date.now() - 20 * 60_000)
  // Just after midnight twenty minutes before is the evening of another day.
  const earlier = before > wall.format(Date.now()) ? '00:00' : before
  await dialog.getByLabel(/^Time/).fill(earlier)
  await dialog.getByLabel(/^Reason/).fill('Orientation ran before the shift')
  await expectAccessible(page, 'requesting a correction')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(first).toContainText('Correction requested')
  await expect(first).toContainText('Orientation ran before the shift')

  await page.goto(url('clock'))
  await page.getByRole('button', { name: 'Time exception' }).click()
  const report = page.getByRole('dialog')
  await report.getByRole('button', { name: 'Send' }).click()
  await expect(report.getByText('This field is required').first()).toBeVisible()
  // A Sunday: the student of the demo has no shift on one, nor in the night before.
  const day = new Date(Date.now() - 40 * 86_400_000)
  day.setDate(day.getDate() - day.getDay())
  await report
    .getByLabel(/^Date/)
    .fill(
      `${String(day.getMonth() + 1).padStart(2, '0')}/${String(day.getDate()).padStart(2, '0')}/${day.getFullYear()}`,
    )
  await report.getByLabel(/^Start/).fill('09:00')
  await report.getByLabel(/^End time/).fill('10:30')
  await report.getByLabel(/^Reason/).fill('The phone lay in the locker')
  await expectAccessible(page, 'time exception')
  await report.getByRole('button', { name: 'Send' }).click()
  await expect(report).toHaveCount(0)

  await page.goto(url('hours'))
  await page.getByText('Pending', { exact: true }).first().click()
  await expect(page.getByRole('listitem').filter({ hasText: 'The phone lay in the locker' })).toContainText(
    '1.5',
  )
})

/** Takes the shifts around now from the student, so that the server has none to find the site by either. */
const withoutShiftsNow = async (browser: Browser, student: Page): Promise<void> => {
  const { Id } = (await api(student, 'GET', '/auth/session')).User
  const { ProgramId } = await api(student, 'GET', '/state')
  const staff = await another(browser, 'coordinator2', { at: 'admin/shift-assignments' })
  await clearDays(staff.page, ProgramId, Id)
  await staff.leave()
}

test('A29 where location is blocked and no shift is now, the sheet says so and names every site in full', async ({
  browser,
}) => {
  const { page, leave } = await another(browser, 'student2', { size: phone, at: 'clock' })
  await withoutShiftsNow(browser, page)
  await page.context().clearPermissions()
  const Name = 'Llanfairpwllgwyngyllgogerychwyrndrobwyll Memorial Hospital and Outpatient Imaging'
  type Clock = { Sites: { Name: string }[] }
  const withoutShift = (clock: object) => {
    const [first, ...others] = (clock as Clock).Sites
    return { ...clock, Shifts: [], Open: null, Site: null, Sites: [{ ...first, Name }, ...others] }
  }
  await changeAnswers(page, (answers) =>
    answers.map(([key, answer]) => [key, key[0] === '/clock' ? withoutShift(answer) : answer]),
  )
  await page.route('**/api/clock', async (route) =>
    route.fulfill({ json: withoutShift(await (await route.fetch()).json()) }),
  )
  await page.goto(url('clock'))
  await page.getByRole('button', { name: 'Clock in' }).click()
  const sheet = page.getByRole('dialog', { name: 'Choose your clinical site' })
  await expect(sheet).toContainText('Location is blocked and you have no shift now.')
  const name = sheet.getByRole('button', { name: /^Llanfair/ })
  await expect(name).toContainText('Outpatient Imaging')
  const isWhole = await name.evaluate((box) => {
    const text = document.createRange()
    text.selectNodeContents(box)
    const [inner, outer] = [text.getBoundingClientRect(), box.getBoundingClientRect()]
    return inner.right <= outer.right && inner.bottom <= outer.bottom
  })
  expect(isWhole).toBe(true)
  await leave()
})

test('a student reports an absence, which then is in the history', async ({ page }) => {
  await signIn(page, 'student2', 'clock')
  await page.getByRole('button', { name: 'Report absence' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Reason/).fill('Fever since the night')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto(url('hours?show=absences'))
  await expect(page.getByRole('listitem').first()).toContainText('Fever since the night')
})
