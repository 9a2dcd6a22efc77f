import { expect, expectGoodScreen, saving, signIn, test, url } from './support.ts'

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

test('what was deleted is found in the list of deleted records and brought back, also several at once', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-areas/edit')
  for (const name of ['Angiography', 'Densitometry']) {
    await page.goto(url('admin/manage-areas/edit'))
    await page.getByLabel('Name').fill(name)
    await saving(page, () => page.getByRole('button', { name: /^(Save|Add)/ }).press('Enter'))
    await page.goto(url('admin/manage-areas'))
    const row = page.getByRole('row', { name: new RegExp(name) })
    await row.hover()
    await row.getByRole('button', { name: /^Delete/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await expect(row).toHaveCount(0)
  }
  await page.goto(url('admin/deleted?kind=area'))
  const rows = page.getByRole('row', { name: /Angiography|Densitometry/ })
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('Whitfield')
  await expectGoodScreen(page, 'deleted records')
  for (const box of await rows.getByRole('checkbox').all()) await box.press(' ')
  await page.getByRole('button', { name: 'Restore', exact: true }).last().press('Enter')
  await expect(page.getByText('2 records were restored.')).toBeVisible()
  await expect(rows).toHaveCount(0)
  await page.goto(url('admin/manage-areas'))
  await expect(page.getByRole('row', { name: /Angiography|Densitometry/ })).toHaveCount(2)
})
