import type { Locator, Page } from '@playwright/test'
import { desktop, expect, expectGoodScreen, phone, press, signIn, test, url } from './support.ts'

/** The link that is the figure of this name, which describes it. */
const figureLink = (within: Page | Locator, name: string): Locator =>
  within.locator('dl > div').filter({ hasText: name }).getByRole('link')

for (const [size, view] of [
  ['phone', phone],
  ['desktop', desktop],
] as const) {
  test(`A60 a director sees outcomes on a ${size}, and a figure leads to its list`, async ({ page }) => {
    test.slow()
    await page.setViewportSize(view)
    await signIn(page, 'director', 'admin/home')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Outcomes')
    const attendance = page.getByRole('region', { name: 'Attendance' })
    await expect(attendance.getByText('Hours worked of those planned')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Site use' }).getByText('Places filled')).toBeVisible()
    await expect(
      page.getByRole('region', { name: 'Evaluations' }).getByText('By template, lowest first'),
    ).toBeVisible()
    await expectGoodScreen(page, `outcomes ${size}`)
    const missed = figureLink(attendance, 'Missed shifts')
    const count = Number((await missed.innerText()).replace(/\D/g, ''))
    await missed.click()
    await expect(page).toHaveURL(/missed-time-records\?from=[\d-]+&through=[\d-]+$/)
    await expect(page.getByRole('main').getByText(`${count} shifts without a record`).first()).toBeVisible()
    await page.goto(url('admin/home'))
    const idle = figureLink(page, 'Sites without students')
    const sites = Number(/^\d+/.exec(await idle.innerText())![0])
    await idle.click()
    await expect(page).toHaveURL(/admin\/sites\?idle=/)
    const listed = page.getByRole('main').getByText(new RegExp(`(^|\\D)${sites}(\\D|$)`))
    await expect(listed.first()).toBeVisible()
    await page.goto(url('admin/home'))
    await page.getByText('Today', { exact: true }).click()
    await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible()
    await expect(page).toHaveURL(/view=today$/)
  })

  test(`A60 somebody of a site sees who is coming on a ${size}`, async ({ page }) => {
    await page.setViewportSize(view)
    await signIn(page, 'siteemployee', '')
    const who = page.getByRole('region', { name: 'Who is coming' })
    await expect(who.getByRole('radio', { name: /^Today/ })).toBeChecked()
    await press(who, 'Next week')
    await expect(who.getByRole('listitem').first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'Agreements' }).getByRole('listitem')).toHaveCount(2)
    await expect(page.getByRole('link', { name: 'Call Dana Whitfield' })).toHaveAttribute('href', /^tel:/)
    await expectGoodScreen(page, `site employee ${size}`)
  })

  test(`A60 an employee finds the sites, the program and documents on a ${size}`, async ({ page }) => {
    await page.setViewportSize(view)
    await signIn(page, 'employee', '')
    await expect(page.getByRole('region', { name: 'Your sites' }).getByRole('listitem')).toHaveCount(2)
    await expect(page.getByRole('link', { name: 'Email Dana Whitfield' })).toBeVisible()
    await expectGoodScreen(page, `employee ${size}`)
  })

  test(`A60 an alumnus has the record of hours, and tells where the work is, on a ${size}`, async ({
    page,
  }) => {
    await page.setViewportSize(view)
    await signIn(page, 'alumnus', '')
    const record = page.getByRole('region', { name: 'Hours record' })
    await expect(record.getByText(/^[\d.,]+ h approved of [\d.,]+ h required$/)).toBeVisible()
    const download = page.waitForEvent('download')
    await record.getByRole('link', { name: 'Download PDF' }).click()
    expect((await download).suggestedFilename()).toBe('Hours record.pdf')
    await expectGoodScreen(page, `alumnus ${size}`)
    await page.getByRole('region', { name: 'Where you work now' }).getByRole('link').click()
    await expect(page).toHaveURL(/\/employment$/)
  })

  test(`A60 a super admin sees the installation and its quiet programs on a ${size}`, async ({ page }) => {
    await page.setViewportSize(view)
    await signIn(page, 'super', 'admin/home')
    await expect(page.getByRole('region', { name: 'Right now' }).getByText('Signed in today')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Versions' }).getByText('PostgreSQL')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Storage' }).getByText('Database')).toBeVisible()
    await expectGoodScreen(page, `overview ${size}`)
    await page.getByRole('link', { name: 'Failed', exact: true }).click()
    await expect(page).toHaveURL(/scheduled-emails\?status=4&failed=true$/)

    // The list behind a failure is as long as its figure says.
    await page.goto(url('admin/home'))
    const failure = page.getByRole('row', { name: /^Emails not sent/ })
    const week = await failure.getByRole('cell').last().innerText()
    await failure.getByRole('link').click()
    await expect(page.getByLabel(/^After: /)).toBeVisible()
    await expect(page.getByText(new RegExp(`^${week} emails?$`)).first()).toBeVisible()
  })

  test(`A60 a supervisor begins with what waits, and the students of the own sites, on a ${size}`, async ({
    page,
  }) => {
    await page.setViewportSize(view)
    await signIn(page, 'supervisor', '')
    const students = page.getByRole('main').getByRole('link', { name: /^Students/ })
    await expect(students).toContainText(/\d+ students? at your sites/)
    await students.click()
    await expect(page.getByText('Hours this week').first()).toBeVisible()
    await expectGoodScreen(page, `students of a supervisor ${size}`)
  })
}
