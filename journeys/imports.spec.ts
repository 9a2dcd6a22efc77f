import { readFile } from 'node:fs/promises'
import { ownWorkbook } from '../server/test/workbook.ts'
import { desktop, expect, expectGoodScreen, phone, signIn, test, visitor } from './support.ts'

test('a coordinator imports a roster of students and undoes it', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/imports?kind=students')
  await page.locator('input[type=file]').setInputFiles({
    name: 'roster.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Student ID,First Name,Last Name,E-Mail\nJ-1,Jörn,Østergård,jorn@example.org\nJ-2,Ama,Kwarteng,ama@example.org\n',
    ),
  })
  await expect(page.getByRole('combobox', { name: 'Column for Student ID' })).toHaveText('Student ID')
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await expect(page.getByLabel('Email everyone added a link to set a password')).toBeVisible()
  await expectGoodScreen(page, 'import of students: preview')
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('2 added', { exact: true })).toBeVisible()
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
  await expect(page.getByRole('combobox', { name: 'Column for IPEDS ID' })).toHaveText('IPEDSID')
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('1 added', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone: colleges.csv')).toBeVisible()

  const { page: other, leave } = await visitor(browser)
  await signIn(other, 'coordinator', 'admin/imports?kind=colleges')
  await expect(other.getByText('Your role cannot open this page.')).toBeVisible()
  await leave()
})

test('a coordinator places students from a file: what the rules refuse is listed by row and column, then all go in and out', async ({
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
  await expect(page.getByRole('combobox', { name: 'Column for Student', exact: true })).toHaveText(
    'Student Name',
  )
  await expect(page.getByRole('combobox', { name: 'Column for Shift' })).toHaveText('Shift Code')
  await expectGoodScreen(page, 'import of assignments: columns')
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await expect(page.getByText(/^2 rows have errors/)).toBeVisible()
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
  await expect(page.getByText('2 added', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'View assignments' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone: plan.csv')).toBeVisible()
})

for (const size of [desktop, phone])
  test(`words of a file are matched to those of the program and remembered; rows with errors come back to be fixed (${size.width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await signIn(page, 'coordinator', 'admin/imports?kind=students')
    const [sample] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Sample file (CSV)' }).click(),
    ])
    expect(await readFile(await sample.path(), 'utf8')).toMatch(/First name,Last name,/)
    await expectGoodScreen(page, 'import: file')

    // Years of this width's own: what is remembered would already be matched for the other one.
    const year = `1st year ${size.width}`
    const other = `Somewhere ${size.width}`
    const file = (rows: string[]) => ({
      name: 'roster.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Student ID,First Name,Last Name,E-Mail,Year', ...rows, ''].join('\n')),
    })
    const person = (number: number, name: string, level: string) =>
      `V${size.width}-${number},${name},vera${number}.${size.width}@example.org,${level}`
    await page
      .locator('input[type=file]')
      .setInputFiles(
        file([person(1, 'Vera,Alpha', year), person(2, 'Vera,Beta', other), person(3, ',', year)]),
      )
    const meaning = (text: string) => page.getByRole('combobox', { name: `What “${text}” means` })
    await expect(meaning(year)).toBeVisible()
    await meaning(year).click()
    await page.getByRole('option').first().click()
    await meaning(other).click()
    await page.getByRole('option', { name: 'Leave empty' }).click()
    await expectGoodScreen(page, 'import: columns and values')
    await page.getByRole('button', { name: 'Check all rows' }).click()
    await expect(page.getByText(/^1 row has errors/)).toBeVisible()
    await expectGoodScreen(page, 'import: values and errors')
    await page.getByRole('button', { name: 'Import the other 2 rows' }).click()
    await expect(page.getByText('2 added · 1 row with errors, not imported')).toBeVisible()
    const [refused] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the row with errors' }).click(),
    ])
    const text = await readFile(await refused.path(), 'utf8')
    expect(text).toContain('Problem,Student ID,First Name')
    expect(text).toContain(`Last name is required and empty.,V${size.width}-3,,,`)

    await page.getByRole('button', { name: 'Import another file' }).click()
    await page.locator('input[type=file]').setInputFiles({
      name: 'fixed.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text.replace('-3,,,', '-3,Vera,Gamma,')),
    })
    await expect(meaning(year)).not.toHaveText('Choose')
    await page.getByRole('button', { name: 'Check all rows' }).click()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await expect(page.getByText('1 added', { exact: true })).toBeVisible()
  })

for (const size of [desktop, phone])
  test(`the sample for Excel, filled in Excel, is imported as it is (${size.width} px)`, async ({ page }) => {
    await page.setViewportSize(size)
    await signIn(page, 'coordinator', 'admin/imports?kind=students')
    await expect(page.getByText('Drop a CSV or Excel (.xlsx) file here, or choose one')).toBeVisible()
    const [sample] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Sample file (Excel)' }).click(),
    ])
    await page.locator('input[type=file]').setInputFiles(await sample.path())
    await expect(page.getByText(/^13 of 13 fields matched in /)).toBeVisible()
    await page.getByRole('button', { name: 'Choose another file' }).click()

    const person = (number: number, first: string, last: string) => [
      `X${size.width}-${number}`,
      first,
      last,
      `xenia${number}.${size.width}@example.org`,
      '02740',
    ]
    await page.locator('input[type=file]').setInputFiles({
      name: 'roster.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await ownWorkbook(
        ['Student ID', 'First name', 'Last name', 'Email', 'ZIP code'],
        [person(1, 'Xenia', 'Alpha'), person(2, '', ''), person(3, 'Xenia', 'Gamma')],
      ),
    })
    await expect(page.getByRole('combobox', { name: 'Column for ZIP code' })).toHaveText('ZIP code')
    await expectGoodScreen(page, 'import of a workbook: columns')
    await page.getByRole('button', { name: 'Check all rows' }).click()
    await expect(page.getByText(/^1 row has errors/)).toBeVisible()
    await expect(page.getByText('Last name is required and empty.')).toBeVisible()
    await page.getByRole('button', { name: 'Import the other 2 rows' }).click()
    await expect(page.getByText('2 added · 1 row with errors, not imported')).toBeVisible()
    await page.getByRole('button', { name: 'Undo the import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Undone: roster.xlsx')).toBeVisible()
  })
