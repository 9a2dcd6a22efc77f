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
  await expect(page.getByLabel('Email everyone added a link to set a password')).toBeVisible()
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
  await expect(other.getByText('Your role cannot open this page.')).toBeVisible()
  await context.close()
})

test('a coordinator places students from a file: what the rules refuse stands by row and column, then all go in and out', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/shift-assignments')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Import assignments' })).toBeVisible()
  // A shift and a rotation of the journey's own: the demo's depend on the day.
  const code = `IMP${Date.now() % 100_000}`
  const { student, other } = await page.evaluate(async (code) => {
    const session = await (await fetch('/new/api/auth/session')).json()
    const { ProgramId } = await (await fetch('/new/api/state')).json()
    const within = `/new/api/programs/${ProgramId}`
    const post = async (path: string, body: object) =>
      (
        await fetch(`${within}/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrf-token': session.CsrfToken },
          body: JSON.stringify(body),
        })
      ).json()
    const options = async (kind: string) =>
      (await (await fetch(`${within}/scheduling-options?Kind=${kind}&search=`)).json()).Items
    const [site] = await options('site')
    const [one, two] = await options('student')
    await post('rotations', {
      Name: code,
      StartDate: '2022-01-01',
      EndDate: '2022-12-31',
      StudentLevelIds: [],
      AreaIds: [],
      TargetMinutes: 600,
    })
    await post('site-shifts', {
      SiteId: site.Id,
      Code: code,
      Name: 'Journey',
      Type: 'day',
      Weekdays: [1, 2, 3, 4, 5],
      StartTime: '07:00',
      EndTime: '15:30',
      Capacity: 1,
      StartDate: '2022-01-01',
      EndDate: '2022-12-31',
    })
    return { student: one.Name as string, other: two.Name as string }
  }, code)
  const file = (rows: string[]) => ({
    name: 'plan.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Student Name,Term,Shift Code,Day', ...rows, ''].join('\n')),
  })
  const row = (name: string, day: string) => `"${name}",${code},${code},${day}`
  await page
    .locator('input[type=file]')
    .setInputFiles(file([row(student, '06/02/2022'), row(other, '06/02/2022'), row(student, '06/04/2022')]))
  await expect(page.getByLabel('Column for Student')).toHaveValue('Student Name')
  await expect(page.getByLabel('Column for Shift')).toHaveValue('Shift Code')
  await expectGoodScreen(page, 'import of assignments: columns')
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await expect(page.getByText(/^Fix 2 errors before importing/)).toBeVisible()
  const refusals = page.getByRole('row')
  await expect(refusals.filter({ hasText: 'Shift Code' })).toContainText(
    /is full on Thu 06\/02: 1 of 1 places/,
  )
  await expect(refusals.filter({ hasText: 'Day' })).toContainText(/does not run on Sat 06\/04/)
  await expectGoodScreen(page, 'import of assignments: refusals')
  await page.getByRole('button', { name: 'Choose another file' }).click()

  await page
    .locator('input[type=file]')
    .setInputFiles(file([row(student, '06/02/2022'), row(other, '06/03/2022')]))
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('2 added, 0 changed, 0 unchanged.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'View assignments' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone: plan.csv')).toBeVisible()
})
