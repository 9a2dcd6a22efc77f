import { expect, expectGoodScreen, signIn, test, url } from './support.ts'

test('D1-090 D1-091 D3-086 a coordinator reads time totals, from student to site, and takes them along', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await signIn(page, 'coordinator', 'admin/time-summaries')
  await expect(page.getByRole('heading', { name: /Totals/, level: 1 })).toBeVisible()
  await expect(page.getByText('Okafor, Amara').first()).toBeVisible()
  await expectGoodScreen(page, 'totals by student')
  await page.getByText('Okafor, Amara').first().click()
  await expect(page).toHaveURL(/student=\d+/)
  await expect(page.getByRole('radio', { name: 'Sites' })).toBeChecked()
  await expect(page.getByRole('combobox', { name: 'Student: Okafor, Amara' })).toBeVisible()
  await expectGoodScreen(page, 'totals of one student by site')
  await page.getByRole('radiogroup', { name: 'Totals by' }).getByText('Types').click()
  await expect(page.getByText('Clocked', { exact: true }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Types' })).toBeChecked()
  await page.getByRole('button', { name: 'Reset' }).first().click()
  await page.getByRole('radiogroup', { name: 'Totals by' }).getByText('Months').click()
  await expectGoodScreen(page, 'totals by month')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Excel' }).click()
  expect((await download).suggestedFilename()).toBe('Time summaries.xlsx')
  await page.goto(url('admin/time-summaries?from=2001-01-01&through=2001-01-02'))
  await expect(page.getByText(/match these filters/)).toBeVisible()
  await expectGoodScreen(page, 'no totals')
})
