import { expect, expectAccessible, signIn, test, url } from './support.ts'

const answer = async (page: import('@playwright/test').Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ({ method, path, body }) => {
      const { CsrfToken } = await (await fetch('/new/api/auth/session')).json()
      const reply = await fetch(`/new/api${path}`, {
        method,
        headers: { 'x-csrf-token': CsrfToken, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      return reply.status === 204 ? null : reply.json()
    },
    { method, path, body },
  )

test('D1-290 D1-291 D3-025 a super admin makes an arrangement, is asked for the evidence once, uploads it, and issues an invoice', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'super', 'admin/home')
  const name = `Payments ${Date.now()}`
  const program = await answer(page, 'POST', '/programs', {
    CollegeId: 1,
    Name: name,
    ModalityId: null,
    ProgramClassId: null,
    ProgramTypeId: null,
    LanguageProfileId: null,
    State: 'MA',
    TimeZone: 'America/New_York',
    HasCredit: false,
    RequiresTotp: false,
    HasPayments: true,
    ActiveFrom: null,
    ActiveThrough: null,
  })
  await answer(page, 'POST', '/state', { ProgramId: program.Id })
  try {
    await page.goto(url(`admin/manage-programs?search=${encodeURIComponent(name)}`))
    await page.getByRole('link', { name: `Payments of ${name}: None` }).click()
    await expect(page.getByRole('heading', { name: 'New arrangement' })).toBeVisible()
    await page.getByLabel('Name on invoices').fill('Accounts Payable')
    await page.getByLabel(/^Rate per student/).fill('82.5')
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'MA', exact: true }).click()
    await page.getByLabel('Exempt from tax').check()
    await page.getByRole('button', { name: /^Save/ }).click()

    const question = page.getByText('Do you want to upload evidence of Tax Exemption now?', { exact: true })
    await expect(question).toBeVisible()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect(page).toHaveURL(new RegExp(`payments/edit\\?program=${program.Id}&id=\\d+`))
    await expect(page.getByText('Evidence missing')).toBeVisible()
    await page
      .getByLabel('Drop the evidence here, or choose a file')
      .last()
      .setInputFiles({ name: 'st-2.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nST-2') })
    await expect(page.getByRole('link', { name: 'st-2.pdf' })).toBeVisible()
    await expect(question).toHaveCount(0)

    await page.getByRole('button', { name: 'Issue invoice' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('0 × $82.50 + $0.00 tax = $0.00')
    await dialog.getByRole('button', { name: 'Issue invoice' }).click()
    await expect(page.getByText(/^Issued INV-\d{4}-\d{5}$/)).toBeVisible()
    const row = page.getByRole('row', { name: /INV-/ })
    await expect(row).toContainText('Valid')
    await expectAccessible(page, 'arrangement')
    await row.hover()
    await row.getByRole('button', { name: /^Void INV/ }).click()
    await dialog.getByLabel(/^Reason/).fill('Made to see how it looks')
    await dialog.getByRole('button', { name: 'Void', exact: true }).click()
    await expect(row).toContainText('Void')

    await page.goto(url(`admin/payments?search=${encodeURIComponent(name)}`))
    await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('$82.50')
  } finally {
    await answer(page, 'DELETE', `/programs/${program.Id}`)
  }
})

test('D1-168 D1-170 D1-171 a super admin follows the links to Custom Reports and Weekly Reports, saves a report and steps back a week', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'super', 'admin/weekly-reports')
  const bar = page.getByRole('banner')
  for (const link of ['Tax Calc', 'Custom Reports', 'Weekly Reports'])
    await expect(bar.getByRole('link', { name: link, exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: /Nursing/ })).toBeVisible()
  await page.getByRole('button', { name: 'Week before' }).click()
  await expect(page).toHaveURL(/week=\d{4}-\d{2}-\d{2}/)
  await expectAccessible(page, 'weekly reports')

  await answer(page, 'POST', '/state', { ProgramId: 2 })
  await page.reload()
  await bar.getByRole('link', { name: 'Custom Reports', exact: true }).click()
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await expect(page.getByRole('columnheader', { name: 'Last name' })).toBeVisible()
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Value').fill('a')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page, 'custom report')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const name = `Roster ${Date.now()}`
  await dialog.getByLabel(/^Name/).fill(name)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await page.getByLabel('Email').selectOption('weekly')
  await expect(page.getByText('Email schedule saved')).toBeVisible()
  await page.goto(url('admin/custom-reports'))
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('Every week')
  await row.getByRole('button', { name: /actions|more/i }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText(`Deleted ${name}`)).toBeVisible()
})

test('D1-168 D1-169 a super admin opens Tax Calc and reckons with and without an exemption', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/home')
  await page.getByRole('link', { name: 'Tax Calc' }).click()
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'MA', exact: true }).click()
  await page.getByLabel(/^Amount/).fill('100')
  await expect(page.getByText('$106.25')).toBeVisible()
  await page.getByLabel('Exempt from tax').check()
  await expect(page.getByText('$100.00')).toBeVisible()
  await expectAccessible(page, 'tax calc')
})

test('D1-168 nobody else has the links', async ({ page }) => {
  await signIn(page, 'director2', 'admin/manage-areas')
  await expect(page.getByRole('banner').getByText('Welcome,')).toBeVisible()
  for (const link of ['Tax Calc', 'Custom Reports', 'Weekly Reports'])
    await expect(page.getByRole('banner').getByRole('link', { name: link })).toHaveCount(0)
})
