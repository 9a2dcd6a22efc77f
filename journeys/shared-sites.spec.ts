import { another, expect, expectGoodScreen, phone, signIn, test } from './support.ts'

test('two programs share a site: one gives a code, the other joins by it, and either leaves', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'director', 'admin/shared-sites')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectGoodScreen(page, 'shared sites')
  await page.getByRole('row').nth(1).click()
  await expect(page.getByRole('dialog').getByText('left').first()).toBeVisible()
  await expectGoodScreen(page, 'places left')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Share a site' }).click()
  const sharing = page.getByRole('dialog', { name: 'Share a site' })
  await sharing.getByRole('combobox', { name: 'Site' }).click()
  await page.getByRole('option', { name: /Mercy Ridge/ }).click()
  await sharing.getByLabel('Places a day').fill('90')
  await expectGoodScreen(page, 'sharing a site')
  await sharing.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeVisible()
  const code = await page.getByRole('textbox', { name: 'Code' }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()

  const { page: other, leave } = await another(browser, 'director2', {
    size: phone,
    at: 'admin/shared-sites',
  })
  await other.getByRole('button', { name: 'Enter a code' }).click()
  const joining = other.getByRole('dialog', { name: 'Enter a code' })
  await joining.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase())
  await joining.getByRole('button', { name: 'Continue' }).click()
  await expect(joining.getByText(/Mercy Ridge.*90 places a day/)).toBeVisible()
  await joining.getByRole('combobox').click()
  await other.getByRole('option').nth(1).click()
  await expectGoodScreen(other, 'joining a shared site')
  await joining.getByRole('button', { name: 'Join' }).click()
  await expect(other.getByText(/^You share /)).toBeVisible()
  await leave()

  await page.reload()
  const row = page.getByRole('row', { name: /Mercy Ridge/ })
  await expect(row).not.toContainText('No one yet')
  await row.getByRole('button', { name: /^(More|Actions)/ }).click()
  await page.getByRole('menuitem', { name: 'Stop sharing' }).click()
  await page.getByRole('button', { name: 'Stop sharing' }).click()
  await expect(page.getByText(/^Stopped sharing/)).toBeVisible()
})
