import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { expect, expectGoodScreen, signIn, test, url } from './support.ts'

const count = 20_100

test('a large import and a large export are done by the worker: with progress, left, told of by the bell, downloaded', async ({
  page,
}) => {
  await signIn(page, 'coordinator2', 'admin/imports?kind=sites')
  const rows = Array.from({ length: count }, (_, at) => `Journey Hospital ${at},Springfield,IL,62701`)
  await page.locator('input[type=file]').setInputFiles({
    name: 'hospitals.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Name,City,State,ZIPcode\n${rows.join('\n')}\n`),
  })
  await expect(page.getByText(/^hospitals\.csv: (Waiting to start|Reading the file|Checking)/)).toBeVisible()
  await page.getByRole('button', { name: 'Check all rows' }).click({ timeout: 120_000 })
  await page.getByRole('button', { name: /^Import 20,?100 rows$/ }).click({ timeout: 120_000 })
  await expect(page.getByRole('button', { name: 'Cancel the import' })).toBeVisible()
  await page.goto(url('admin/inbox'))
  await expect(page.getByRole('link', { name: 'Open imports' }).first()).toBeVisible({ timeout: 120_000 })
  await expect(page.getByText('hospitals.csv is imported.')).toBeVisible()

  await page.goto(url('admin/sites'))
  await page.getByRole('link', { name: 'Excel' }).click()
  await expect(page.getByText(/^(Waiting to start|Preparing)/)).toBeVisible()
  await page.goto(url('admin/inbox'))
  const download = page.getByRole('link', { name: 'Download Sites.xlsx' })
  await expect(download).toBeVisible({ timeout: 120_000 })
  await expect(page.getByText(/^Sites\.xlsx is ready\. Download it until/)).toBeVisible()
  await expectGoodScreen(page, 'notifications with prepared files')
  const coming = page.waitForEvent('download')
  await download.click()
  const file = await coming
  expect(file.suggestedFilename()).toBe('Sites.xlsx')
  const parts = unzipSync(new Uint8Array(await readFile((await file.path())!)))
  expect(strFromU8(parts['xl/worksheets/sheet1.xml']!).match(/<row\b/g)!.length).toBeGreaterThan(count)

  await page.goto(url('admin/imports?kind=sites'))
  const row = page.getByRole('row').filter({ hasText: 'hospitals.csv' }).first()
  await row.hover()
  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Undo the import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone: hospitals.csv')).toBeVisible({ timeout: 120_000 })
})
