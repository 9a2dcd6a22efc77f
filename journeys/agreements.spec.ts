import { expect, expectAccessible, signIn, test } from './support.ts'

test('A70 D1-032 D3-128 D3-129 D3-130 D3-131 D3-132 D3-174 a coordinator adds an agreement, finds it, renews it, takes it back and deletes it', async ({
  page,
}) => {
  await signIn(page, 'coordinator2', 'admin/affiliate-agreements')
  await expect(page.getByRole('heading', { name: 'Affiliate Agreements' })).toBeVisible()
  for (const header of [
    'Initial Date',
    'Last Renewal Date',
    'Terms',
    'Active',
    'Approved',
    'Termination Date',
    'Renew',
  ])
    await expect(page.getByRole('columnheader', { name: header, exact: true })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: /site$/i })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: /^Actions/ })).toBeVisible()
  await expectAccessible(page, 'agreements')

  await page.getByRole('button', { name: 'Add New' }).click()
  const save = page.getByRole('button', { name: /^Save/ })
  await save.click()
  await expect(page.getByText('Required', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: /site/i }).click()
  await page.getByRole('option').first().click()
  const field = (name: RegExp) => page.getByRole('textbox', { name })
  await field(/^Initial Date/).fill('01/15/2090')
  await field(/^Termination Date/).fill('01/14/2090')
  await field(/^Terms/).fill('2 years, journey')
  await page.getByRole('checkbox', { name: 'Approved' }).check()
  await page.getByRole('button', { name: 'Add contact' }).click()
  await field(/^Contact name/).fill('Theodora Lind')
  await save.click()
  await expect(page.getByText('must not be before the initial date')).toBeVisible()
  await field(/^Initial Date/).fill('01/15/2020')
  await page
    .getByLabel('Drop the agreement here, or choose a file')
    .last()
    .setInputFiles({
      name: 'agreement.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7\nWe agree'),
    })
  await save.click()
  await expect(page.getByText(/^Agreement with .* saved/)).toBeVisible()

  await page.getByLabel(/terms or notes$/).fill('2 years, journey')
  await expect(page.getByText('1 agreement', { exact: true }).first()).toBeVisible()
  const row = page.getByRole('row', { name: /2 years, journey/ })
  await expect(row).toContainText('01/15/2020')
  const area = page.getByRole('combobox', { name: /^Area/ })
  await expect(area).toBeVisible()
  for (const [name, file] of [
    ['XLS', 'Affiliate agreements.xlsx'],
    ['PDF', 'Affiliate agreements.pdf'],
  ] as const) {
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name, exact: true }).click()
    expect((await download).suggestedFilename()).toBe(file)
  }

  await row.getByRole('button', { name: /^Renew / }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Ends 01/14/2092 instead of 01/14/2090')
  await dialog.getByRole('button', { name: 'Renew', exact: true }).click()
  await expect(row).toContainText('01/14/2092')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('01/14/2090')

  await row.click()
  await expect(page.getByRole('link', { name: 'agreement.pdf' })).toBeVisible()
  await expect(field(/^Contact name/)).toHaveValue('Theodora Lind')
  await expectAccessible(page, 'agreement form')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(/^Agreement with .* deleted/)).toBeVisible()
  await page.getByLabel(/terms or notes$/).fill('2 years, journey')
  await expect(page.getByText('No matches.')).toBeVisible()
})

test('an agreement that ends soon is renewed from the home page with two clicks', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/home')
  await page
    .getByRole('link', { name: /^Renew ./ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: /Renew/ })
  await dialog.getByRole('button', { name: /^Renew/ }).click()
  const done = page.getByRole('status').filter({ hasText: /renewed/i })
  await done.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog).toBeHidden()
})
