import { expect, signIn, test } from './support.ts'

test('D3-040 the list hands the area over to its form, which needs no call to show it', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/manage-areas')
  const row = page.getByRole('row', { name: /General/ })
  await expect(row).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/areas(\?|$)/.test(request.url())) asked.push(request.url())
  })
  await row.click()
  await expect(page).toHaveURL(/manage-areas\/edit\?id=\d+$/)
  await expect(page.getByLabel('Name')).toHaveValue('General')
  expect(await page.evaluate(() => history.state.area)).toMatchObject({ Name: 'General', IsActive: true })
  expect(asked).toEqual([])
  await page.reload()
  await expect(page.getByLabel('Name')).toHaveValue('General')
})
