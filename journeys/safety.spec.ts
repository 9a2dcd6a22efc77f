import { desktop, expect, expectGoodScreen, phone, signIn, test } from './support.ts'

test('a student reports an incident from the phone, and staff close it', async ({ page }) => {
  test.slow()
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'safety')
  await expect(page.getByRole('heading', { name: 'Safety', exact: true })).toBeVisible()
  await expectGoodScreen(page, 'own safety')
  await page.getByRole('button', { name: 'Report an incident' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: /^What was it/ }).click()
  await page.getByRole('option', { name: 'Needle stick or sharps' }).click()
  await dialog.getByLabel(/^What happened/).fill('Stuck by a needle, MRN 12345678')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Never enter a patient')
  await dialog.getByLabel(/^What happened/).fill('Stuck by a needle when recapping')
  await expectGoodScreen(page, 'reporting an incident')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Reported. Your program was told.').last()).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'recapping' })).toContainText('Open')

  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/safety/incidents')
  const row = page.getByRole('row').filter({ hasText: 'recapping' })
  await expectGoodScreen(page, 'incidents')
  await row.getByRole('button', { name: 'Close' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^What came of it/)
    .fill('Tested; all negative')
  await expectGoodScreen(page, 'closing an incident')
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(page.getByText(/^Closed the report of /).last()).toBeVisible()
})

test('a reading that was removed with a reason is brought back by undo', async ({ page }) => {
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/safety/doses')
  const rows = page.getByRole('grid').or(page.getByRole('table')).getByRole('row')
  await expect(rows.nth(1)).toBeVisible()
  const name = await rows.nth(1).getByRole('link').first().textContent()
  await rows
    .nth(1)
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Reason/).fill('Of another badge')
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText(`Removed the reading of ${name}`)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Brought the reading of ${name} back`)).toBeVisible()
})

test('a student declares a pregnancy in writing and withdraws it; the director alone sees it', async ({
  page,
}) => {
  test.slow()
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'safety')
  await page.getByRole('button', { name: 'Declare', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Estimated date/).fill(
    new Date(Date.now() - 50 * 86_400_000).toLocaleDateString('en-US', {
      month: '2-digit',
      day: '2-digit',
      year: 'numeric',
    }),
  )
  await page.keyboard.press('Escape')
  await dialog.getByLabel(/^Type your full name/).fill('Somebody Else')
  await dialog.getByRole('button', { name: 'Declare' }).click()
  await expect(dialog.getByText(/^Type your name as it is in your account/)).toBeVisible()
  await expectGoodScreen(page, 'declaring')
  await dialog.getByLabel(/^Type your full name/).fill('Amara Okafor')
  await dialog.getByRole('button', { name: 'Declare' }).click()
  await expect(page.getByText(/^Declared \d/)).toBeVisible()

  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/safety/declarations')
  await expect(page.getByText('Declarations are for the director')).toBeVisible()
  await signIn(page, 'director', 'admin/safety/declarations')
  await expect(page.getByRole('row').filter({ hasText: 'Okafor' })).toContainText('Holds')
  await expectGoodScreen(page, 'declarations')
  await page.getByRole('button', { name: 'Safety officers' }).click()
  await expect(page.getByRole('dialog').getByText('Staff who see declarations')).toBeVisible()
  await expectGoodScreen(page, 'radiation safety officers')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await page.setViewportSize(phone)
  await signIn(page, 'student', 'safety')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await dialog.getByLabel(/^Type your full name/).fill('Amara Okafor')
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByRole('button', { name: 'Declare', exact: true })).toBeVisible()
})
