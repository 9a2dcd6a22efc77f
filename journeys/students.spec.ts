import { api, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

test('a coordinator opens a student from Hours Summary, goes through the tiles, and keeps a note', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/hours-summary')
  await page.getByRole('grid').getByRole('link').first().click()
  await expect(page).toHaveURL(/admin\/students\/\d+$/)
  await expect(page.getByRole('region', { name: /^Hours/ }).getByText(/^[\d.,]+ approved$/)).toBeVisible()
  await expectGoodScreen(page, 'student')
  await page.getByRole('region', { name: 'Requirements' }).getByRole('button').click()
  await expect(page).toHaveURL(/tab=requirements$/)
  for (const name of ['Schedule', 'Time records', 'Evaluations', 'Emails', 'Changes', 'Notes']) {
    await page.getByRole('tab', { name }).click()
    await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
  }
  await page.getByRole('textbox', { name: /^Note/ }).fill('Wants pediatrics next term.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('listitem').getByText('Wants pediatrics next term.')).toBeVisible()
  await expectGoodScreen(page, 'notes')
  await page
    .getByRole('button', { name: /^Delete the note/ })
    .first()
    .click()
  await expect(page.getByRole('listitem').getByText('Wants pediatrics next term.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('listitem').getByText('Wants pediatrics next term.')).toBeVisible()
  await page.getByRole('tab', { name: 'Changes' }).click()
  await expect(page.getByText('Add a note about a student')).toBeVisible()
})

test('A60 a supervisor sees their students on a phone, and of one what happens at their sites', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'supervisor', 'students')
  await expect(page.getByText('Hours this week').first()).toBeVisible()
  await expectGoodScreen(page, 'supervised students')
  await page.getByRole('main').getByRole('link').first().click()
  await expect(page).toHaveURL(/new\/students\/\d+$/)
  await expect(page.getByRole('tab')).toHaveCount(4)
  await expect(page.getByRole('region', { name: 'Next shifts' })).toBeVisible()
  await expectGoodScreen(page, 'student for a supervisor')
})

test('the figure of hours is what is approved, beside what is pending, wherever it is shown', async ({
  page,
}) => {
  await signIn(page, 'student', 'hours')
  const { User } = await api(page, 'GET', '/auth/session')
  // What the demo has left to approve, another journey may have approved.
  await signIn(page, 'coordinator', 'admin/home')
  const { Items } = await api(page, 'GET', `/programs/1/time-records?StudentId=${User.Id}&Type=out`)
  const { SiteId, Date: day } = Items[0]
  const added = { StudentId: User.Id, SiteId, Kind: 'exception', Date: day, Time: '02:00', EndTime: '03:00' }
  await api(page, 'POST', '/programs/1/time-records', added)
  await signIn(page, 'student', 'hours')
  const { Ledger } = await api(page, 'GET', '/clock')
  const [approved, pending] = [Ledger.ApprovedMinutes, Ledger.PendingMinutes].map((minutes: number) =>
    (minutes / 60).toFixed(1),
  )
  expect(Ledger.PendingMinutes).toBeGreaterThan(0)
  const book = page.getByRole('region', { name: Ledger.Rotation })
  await expect(book.locator('b').first()).toHaveText(approved!)
  await expect(book).toContainText(`${approved} approved · ${pending} pending`)
  const ring = page.getByRole('img', { name: `${approved} h approved, ${pending} h pending` })
  await page.goto(url('clock'))
  await expect(ring).toContainText(String(Math.round(Ledger.ApprovedMinutes / 60)))
  await signIn(page, 'coordinator', `admin/students/${User.Id}`)
  await expect(ring).toContainText(String(Math.round(Ledger.ApprovedMinutes / 60)))
  const tile = page.getByRole('region', { name: /^Hours/ })
  await expect(tile).toContainText(`${approved} approved`)
  await expect(tile).toContainText(`${pending} pending`)
})
