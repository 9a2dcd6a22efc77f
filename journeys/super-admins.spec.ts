import { desktop, expect, expectAccessible, expectGoodScreen, phone, signIn, test } from './support.ts'

test('A12 D1-003 D1-249 a super admin adds another one with areas, changes them, and ends the access', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/super-admins')
  await expect(page.getByRole('heading', { name: 'Super admins' })).toBeVisible()
  await expectGoodScreen(page, 'super admins')

  await page.getByRole('button', { name: 'Add New' }).click()
  await page.getByLabel('First name').fill('Noor')
  await page.getByLabel('Last name').fill('Vandenberg')
  await page.getByLabel('Email').first().fill('noor.vandenberg@example.org')
  await page.getByLabel('Username').fill(`noor${Date.now()}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Choose at least one area.').first()).toBeVisible()
  await page.getByLabel('Payments').check()
  await page.getByLabel('Admin news').check()
  await expectAccessible(page, 'a new super admin')
  await page.getByRole('button', { name: 'Save' }).click()

  const row = page.getByRole('row').filter({ hasText: 'Vandenberg, Noor' }).first()
  await expect(row).toContainText('Payments, Admin news')
  await expect(row).toContainText('Never')
  await row.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Payments').uncheck()
  await page.getByLabel('Custom reports').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Custom reports, Admin news')

  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await expect(row).toContainText('Deactivated')
})

test('A12 the own row says who can change it, on a phone too', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'super', 'admin/super-admins')
  await expect(page.getByText('All areas').first()).toBeVisible()
  await expectGoodScreen(page, 'super admins on a phone')
  await page.setViewportSize(desktop)
})
