import { expect, expectGoodScreen, signIn, test } from './support.ts'

test('a super admin sees how the parts of the installation are, and tests one', async ({ page }) => {
  await signIn(page, 'super', 'admin/system-status')
  const partOf = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(partOf('HTTPS').getByText('To do')).toBeVisible()
  await expect(partOf('HTTPS').getByText('set APP_URL to its https address')).toBeVisible()
  await expect(partOf('Database').getByText('PostgreSQL')).toBeVisible()
  const unused = page.getByRole('button', { name: 'Test Virus scanner' })
  await expect(unused).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Test File store' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test: File store' })
  await expect(dialog.getByText('It works.')).toBeVisible()
  await expect(dialog.getByText('It came back byte for byte.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(partOf('File store').getByText('Working')).toBeVisible()
  await expectGoodScreen(page, 'system status')
})
