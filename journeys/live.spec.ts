import type { Page } from '@playwright/test'
import { another, expect, expectGoodScreen, signIn, test } from './support.ts'

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications: \d+$/ })
const waiting = async (page: Page): Promise<number> =>
  Number((await bell(page).getAttribute('aria-label'))!.replace(/\D/g, ''))

/** Reports an absence of a day that nobody else's journey looks at, with the session of the page. */
const reportAbsence = (page: Page, day: string): Promise<number> =>
  page.evaluate(async (day) => {
    const session = await (await fetch('/new/api/auth/session')).json()
    const response = await fetch('/new/api/clock/exceptions', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-csrf-token': session.CsrfToken,
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({
        Kind: 'absence',
        Date: day,
        Time: '05:00',
        EndTime: '05:30',
        Reason: 'Live journey',
      }),
    })
    return response.status
  }, day)
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

test('D3-045 D1-185 a new record shows as a quiet line, and the bell of the student counts up without a reload', async ({
  page,
  browser,
}) => {
  const student = await another(browser, 'student2', { at: 'hours' })
  await expect(bell(student.page)).toBeVisible()
  const before = await waiting(student.page)
  await signIn(page, 'coordinator2', 'admin/approve-time-records')
  await expect(page.getByRole('radio', { name: /^All Records ?\d/ })).toBeVisible()
  await expect(page.getByText(/^\d+ new records?\./)).toHaveCount(0)

  let day = 40
  while ((await reportAbsence(student.page, daysAgo(day))) !== 200) day++
  await expect(page.getByText('1 new record.')).toBeVisible()
  await expectGoodScreen(page, 'approve with new records')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText(/^\d+ new records?\./)).toHaveCount(0)

  await page.goto(`${page.url().split('?')[0]}?from=${daysAgo(day)}&through=${daysAgo(day)}`)
  const row = page.getByRole('row').filter({ hasText: 'Absence' }).first()
  await row.hover()
  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Reject…' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Reason/)
    .fill('Nothing was planned on that day')
  await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click()
  await expect.poll(() => waiting(student.page)).toBe(before + 1)
  await bell(student.page).click()
  await expect(student.page.getByText(/Nothing was planned on that day/)).toBeVisible()
  await student.leave()
})
