import { expect, expectGoodScreen, signIn, test } from './support.ts'

test('a coordinator imports a roster of students and undoes it', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/imports?kind=students')
  await page.locator('input[type=file]').setInputFiles({
    name: 'roster.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Student ID,First Name,Last Name,E-Mail\nJ-1,Jörn,Østergård,jorn@example.org\nJ-2,Ama,Kwarteng,ama@example.org\n',
    ),
  })
  await expect(page.getByLabel('Column for StudentNumber')).toHaveValue('Student ID')
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await expect(page.getByLabel('Mail everybody who is added a link to set a password')).toBeVisible()
  await expectGoodScreen(page, 'import of students: preview')
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('2 added, 0 changed, 0 unchanged.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone: roster.csv')).toBeVisible()
})

test('a super admin imports colleges without choosing a program; nobody else does', async ({
  page,
  browser,
}) => {
  await signIn(page, 'super', 'admin/imports?kind=colleges')
  await page.locator('input[type=file]').setInputFiles({
    name: 'colleges.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('IPEDSID,NAME,CITY,STATE\n990001,JOURNEY COLLEGE,TAUNTON,MA\n'),
  })
  await expect(page.getByLabel('Column for IpedsId')).toHaveValue('IPEDSID')
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('1 added, 0 changed, 0 unchanged.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone: colleges.csv')).toBeVisible()

  const context = await browser.newContext()
  const other = await context.newPage()
  await signIn(other, 'coordinator', 'admin/imports?kind=colleges')
  await expect(other.getByText('Your role does not open this screen.')).toBeVisible()
  await context.close()
})
