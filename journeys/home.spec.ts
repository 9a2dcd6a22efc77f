import type { Page } from '@playwright/test'
import { expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name })

/** The row of what needs attention with these words, and the figure in it; none when nothing of it waits. */
const waiting = async (page: Page, words: RegExp) => {
  const row = section(page, 'Needs attention').getByRole('listitem').filter({ hasText: words })
  if ((await row.count()) === 0) return undefined
  return { row, count: Number((await row.locator('b').first().innerText()).replace(/\D/g, '')) }
}

test('A10 A31 A37 a coordinator sees what needs attention, and each verb leads to exactly that', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/home')
  await expect(page.getByRole('heading', { name: /^Good (morning|afternoon|evening), Dana$/ })).toBeVisible()
  await expect(page.getByText(/things? needs? you today/)).toBeVisible()
  await expectGoodScreen(page, 'home')

  await page.getByRole('button', { name: 'What counts here' }).click()
  await expect(page.getByText(/affiliation agreements ending within 30 days/)).toBeVisible()
  await expectGoodScreen(page, 'home explained')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByText(/affiliation agreements ending within 30 days/)).toBeHidden()

  const leadsTo = async (words: RegExp, address: RegExp, arrived: (count: number) => Promise<void>) => {
    await page.goto(url('admin/home'))
    await expect(section(page, 'Needs attention').getByRole('listitem').first()).toBeVisible()
    const found = await waiting(page, words)
    if (!found) return 0
    await found.row.getByRole('link').click()
    await expect(page).toHaveURL(address)
    await arrived(found.count)
    return 1
  }
  const chosen = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) })
  let walked = 0
  walked += await leadsTo(/records to review/, /approve-time-records\?insight=3$/, async () => {
    await expect(chosen('Careful Review')).toBeChecked()
  })
  walked += await leadsTo(/without a clock-out/, /approve-time-records\?insight=u$/, async () => {
    await expect(chosen('Unmatched')).toBeChecked()
  })
  walked += await leadsTo(
    /did not clock in today/,
    /missed-time-records\?from=(\d{4}-\d\d-\d\d)&through=\1&begun=true$/,
    async (count) => {
      await expect(page.getByText(new RegExp(`^${count} shifts? without a record$`))).toBeVisible()
      await expect(page.getByRole('row').nth(1)).toBeVisible()
    },
  )
  walked += await leadsTo(/Overdue evaluations/, /evaluations\/status\?quick=late$/, async () => {
    await expect(chosen('Uncompleted-Late')).toBeChecked()
  })
  walked += await leadsTo(/Expired requirements/, /expired-requirements$/, async (count) => {
    await expect(page.getByText(new RegExp(`^${count} requirements?$`))).toBeVisible()
    await expect(page.getByRole('grid').getByRole('link').first()).toBeVisible()
  })
  walked += await leadsTo(
    /agreements ending soon/,
    /affiliate-agreements\?standing=urgent$/,
    async (count) => {
      await expect(page.getByText(new RegExp(`^${count} agreements?$`)).first()).toBeVisible()
      await page
        .getByRole('button', { name: /^Renew / })
        .first()
        .click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  )
  expect(walked).toBeGreaterThan(2)
})

test('a coordinator approves all clean records from home and takes it back', async ({ page }) => {
  await signIn(page, 'coordinator2', 'admin/home')
  const all = page.getByRole('button', { name: /^Approve all \d+$/ })
  await expect(all).toBeVisible()
  const count = Number((await all.innerText()).replace(/\D/g, ''))
  await all.click()
  await expect(page.getByText(new RegExp(`^Approved ${count} records, [\\d.,]+ h$`))).toBeVisible()
  await expect(all).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${count} records are pending again`)).toBeVisible()
  await expect(all).toHaveText(`Approve all ${count}`)
})

test('home fits a phone: every figure, sentence and verb stays inside the screen', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'coordinator', 'admin/home')
  const verbs = section(page, 'Needs attention').getByRole('listitem').getByRole('link')
  await expect(verbs.first()).toBeVisible()
  for (const verb of await verbs.all()) {
    const box = (await verb.boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(phone.width)
    expect(box.height).toBeGreaterThanOrEqual(36)
  }
})

test('D1-219 a super admin sees the installation and opens a program from there', async ({ page }) => {
  await signIn(page, 'super', 'admin/home')
  await expect(section(page, 'Right now').getByText('Signed in today')).toBeVisible()
  await expect(section(page, 'Right now').getByText('Students', { exact: true })).toBeVisible()
  await expectGoodScreen(page, 'overview')
  const row = section(page, 'Programs by activity').getByRole('row', { name: /Nursing/ })
  await row.hover()
  await row.getByRole('button', { name: 'Open: Nursing' }).click()
  await expect(section(page, 'Needs attention')).toBeVisible()
})

test('faculty are told only of what they can do something about', async ({ page }) => {
  await signIn(page, 'faculty', 'admin/home')
  const needs = section(page, 'Needs attention')
  await expect(needs.getByText('Procedures waiting for verification')).toBeVisible()
  for (const others of [/^Time records to review/, /^Clean time records/, /^Exam results suspended/])
    await expect(needs.getByText(others)).toHaveCount(0)
  const figures = await needs.getByRole('listitem').locator('b').filter({ hasText: /^\d+$/ }).allInnerTexts()
  const sum = figures.reduce((total, figure) => total + Number(figure), 0)
  await expect(page.getByText(`${sum} things need you today.`)).toBeVisible()
})
