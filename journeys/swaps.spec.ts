import { another, expect, expectGoodScreen, phone, signIn, test } from './support.ts'

test('a student offers a shift on a phone, staff see it, and it can be taken back', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/shift-requests')
  await expect(page.getByRole('heading', { name: 'Shift requests' })).toBeVisible()
  await expectGoodScreen(page, 'shift requests')
  const { page: own, context } = await another(browser, 'student', { size: phone, at: 'swaps' })
  await expect(own.getByRole('heading', { name: 'Swaps' })).toBeVisible()
  await own.getByRole('button', { name: 'Offer a shift' }).click()
  const dialog = own.getByRole('dialog', { name: 'Offer a shift' })
  await dialog.getByRole('combobox', { name: 'Which shift' }).click()
  await own.getByRole('option').last().click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('A family visit')
  await expectGoodScreen(own, 'offering a shift')
  await dialog.getByRole('button', { name: 'Offer', exact: true }).click()
  await expect(own.getByText('Offered the shift')).toBeVisible()
  await expect(own.getByText('Offered to everyone who could take it')).toBeVisible()
  await expectGoodScreen(own, 'own requests')

  await page.getByRole('combobox', { name: /^Show:/ }).click()
  await page.getByRole('option', { name: 'Looking for someone' }).click()
  const name = 'Okafor'
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()

  await own.getByRole('button', { name: 'Take back' }).click()
  await expect(own.getByText('Took it back')).toBeVisible()
  await context.close()
})

test('students sign up for open shifts on a phone, and staff see who did', async ({ page, browser }) => {
  await signIn(page, 'coordinator', 'admin/open-shifts')
  await expect(page.getByRole('heading', { name: 'Open shifts' })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectGoodScreen(page, 'open shifts')
  const { page: own, context } = await another(browser, 'student', { size: phone, at: 'open-shifts' })
  await expect(own.getByRole('tab', { name: 'Open' })).toBeVisible()
  await expectGoodScreen(own, 'own open shifts')
  await own.getByRole('tab', { name: 'Mine' }).click()
  await expectGoodScreen(own, 'own sign-ups')
  await context.close()
})
