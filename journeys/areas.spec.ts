import { expect, signIn, test } from './support.ts'

test('D3-040 A6 the form shows at once what the list handed over, and follows what has changed since', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-areas')
  const row = page.getByRole('row', { name: /General/ })
  await expect(row).toBeVisible()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/areas\?/, async (route) => {
    const response = await route.fetch()
    const areas = (await response.json()) as { Name: string }[]
    await released
    await route.fulfill({
      response,
      json: areas.map((area) => (area.Name === 'General' ? { ...area, Name: 'General Imaging' } : area)),
    })
  })
  await row.click()
  await expect(page).toHaveURL(/manage-areas\/edit\?id=\d+$/)
  await expect(page.getByLabel('Name')).toHaveValue('General')
  release()
  await expect(page.getByLabel('Name')).toHaveValue('General Imaging')
  await page.unrouteAll()
  await page.reload()
  await expect(page.getByLabel('Name')).toHaveValue('General')
})
