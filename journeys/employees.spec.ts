import type { Page } from '@playwright/test'
import { expect, expectGoodScreen, signIn, test, url } from './support.ts'

const save = (page: Page) => page.getByRole('button', { name: /^Save/ }).click()

test('A70 D1-042 D1-043 D3-009 D3-010 D3-049 D3-050 D3-051 D3-053 D3-054 D3-055 D3-056 D3-057 D3-194 D3-195 D3-196 D3-197 D3-322 D3-323 D3-325 D3-327 a coordinator keeps the employees of sites', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator2', 'admin/employees')
  for (const name of ['Name', 'Site', 'Actions'])
    await expect(page.getByRole('columnheader', { name })).toBeVisible()
  await expectGoodScreen(page, 'employees')
  await page.getByRole('button', { name: 'Add New' }).click()
  await expect(page).toHaveURL(/admin\/employees\/new$/)
  await expect(page.getByRole('heading', { name: 'Update Employee Data' })).toBeVisible()
  await expect(page.getByLabel('SDMS')).toBeVisible()
  await expect(page.getByLabel('State license')).toHaveCount(0)
  await save(page)
  await expect(page.getByText('This field is required')).toHaveCount(4)
  await expectGoodScreen(page, 'employee refused')
  await page.getByRole('combobox', { name: /site/i }).click()
  await page.getByRole('option').first().click()
  await page.getByLabel('First name').fill('Journey')
  await page.getByLabel('Last name').fill('Zimmer')
  await page.getByLabel('Email').fill('no address')
  await page.getByRole('textbox', { name: /^Date of birth/ }).fill('02/31/1990')
  for (const name of ['ARRT', 'CCI', 'CARDUP'])
    await expect(page.getByLabel(name, { exact: true })).toHaveAttribute('maxlength', '8')
  await page.getByLabel('ARRT', { exact: true }).fill('12345678')
  await expect(page.getByText('02/31/1990 is not a date')).toBeVisible()
  await page.getByRole('textbox', { name: /^Date of birth/ }).fill('01/01/2100')
  await page.getByLabel('First name').focus()
  await expect(
    page.getByText(/01\/01\/2100 is not a date|Choose 12\/31\/2099 or earlier/).first(),
  ).toBeVisible()
  await save(page)
  await expect(page.getByText('Fix 2 fields before saving:')).toBeVisible()
  await expect(page.getByText('Please enter a valid email address').first()).toBeVisible()
  await page.getByLabel('Email').fill('journey@example.org')
  await page.getByRole('textbox', { name: /^Date of birth/ }).fill('05/17/1990')
  await save(page)
  const told = page.getByRole('status').filter({ hasText: 'Employee created successfully' })
  await expect(told).toBeVisible()
  await expect(told).toHaveAttribute('data-place', 'bottom-center')
  await expect(told.locator('[data-clock]')).toHaveCSS('animation-duration', '4s')
  await expect(page).toHaveURL(/admin\/employees(\?.*)?$/)

  const row = page.getByRole('row', { name: /Zimmer, Journey/ })
  await page.getByLabel('Search name, email or number').fill('zimmer')
  await expect(page.getByRole('row')).toHaveCount(2)
  await row.click()
  await expect(page).toHaveURL(/admin\/employees\/\d+$/)
  await expect(page.getByRole('textbox', { name: /^Date of birth/ })).toHaveValue('05/17/1990')
  await page.getByLabel('First name').fill('Journeyman')
  await save(page)
  await expect(page.getByText('Employee updated successfully')).toBeVisible()

  const setting = async (isOn: boolean) => {
    await page.goto(url('admin/program-settings'))
    for (const name of [/registry number/i, /credential|SDMS/i]) {
      const tick = page.getByRole('checkbox', { name })
      await tick.setChecked(isOn)
    }
    await page.getByLabel('Its name').fill(isOn ? 'State license' : 'Registry number')
    await save(page)
    await expect(page.getByText(/^Saved/)).toBeVisible()
  }
  await setting(true)
  await page.goto(url('admin/employees?search=zimmer'))
  await row.click()
  await expect(page.getByLabel('State license')).toBeVisible()
  await expect(page.getByLabel('SDMS')).toHaveCount(0)
  await page.getByLabel('State license').fill('LIC-77')
  await save(page)
  await page.getByLabel('Search name, email or number').fill('LIC-77')
  await expect(row.getByTitle('State license')).toHaveText('LIC-77')
  await expectGoodScreen(page, 'employees with registry numbers')
  await setting(false)

  await page.goto(url('admin/employees?search=zimmer'))
  await row.hover()
  await row.getByRole('button', { name: /^Delete/ }).click()
  const question = page.getByRole('dialog')
  await expect(question.getByText('Delete Zimmer, Journeyman?')).toBeVisible()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Employee deleted successfully')).toBeVisible()
  await expect(page.getByText('No matches.')).toBeVisible()
})

test('D3-052 D3-324 D3-326 D3-328 D3-329 a failure is told and logged, and nothing is lost', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/home')
  const program = page.getByRole('row', { name: /Nursing/ })
  await program.hover()
  await program.getByRole('button', { name: 'Open: Nursing' }).click()
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible()
  await page.goto(url('admin/employees'))
  await expect(
    page
      .getByRole('combobox', { name: /Program/ })
      .or(page.getByText('Nursing'))
      .first(),
  ).toBeVisible()
  await page.route('**/api/programs/*/employees**', (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 500, json: { Message: 'It broke.' } }),
  )
  const row = page.getByRole('row', { name: /Abernathy, Helen/ })
  const failed = async (what: string, work: () => Promise<void>) => {
    const logged = page.waitForEvent('console', (message) => message.text().startsWith(what))
    await work()
    await logged
  }
  await row.hover()
  await row.getByRole('button', { name: /^Delete/ }).click()
  await failed('Error deleting employee', () =>
    page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click(),
  )
  await expect(page.getByText('Error deleting employee.')).toBeVisible()
  await row.click()
  await page.getByLabel('First name').fill('Helena')
  await failed('Error updating employee', () => save(page))
  await expect(page.getByText('Failed to update employee')).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Helena')
  await page.getByRole('button', { name: 'Cancel' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/admin\/employees(\?|$)/)

  await page.goto(url('admin/employees/new'))
  await page.getByRole('combobox', { name: /site/i }).click()
  await page.getByRole('option').first().click()
  await page.getByLabel('First name').fill('New')
  await page.getByLabel('Last name').fill('Person')
  await page.getByLabel('Email').fill('new@example.org')
  await failed('Error creating employee', () => save(page))
  await expect(page.getByText('Failed to create employee')).toBeVisible()
})

test('D1-069 D3-127 D3-229 D3-244 a coordinator says who gets copies of emails', async ({ page }) => {
  await signIn(page, 'coordinator2', 'admin/notifications')
  for (const name of ['ID', 'User Name', 'Area'])
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Add New' }).click()
  await page.getByRole('button', { name: /^Update/ }).click()
  await expect(page.getByText('Required', { exact: true })).toBeVisible()
  await expectGoodScreen(page, 'notifications while one is added')
  const user = page.getByRole('combobox', { name: 'User Name' })
  const name = (await user.locator('option').nth(2).textContent())!
  await user.selectOption({ label: name })
  await page.getByRole('combobox', { name: 'Area' }).selectOption('General')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: new RegExp(`${name}.*General`) })
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('combobox', { name: 'Area' }).selectOption('Advanced imaging')
  await page.getByRole('button', { name: /^Update/ }).click()
  const changed = page.getByRole('row', { name: new RegExp(`${name}.*Advanced imaging`) })
  await expect(changed).toBeVisible()
  await changed.getByRole('button', { name: /^Delete/ }).click()
  await expect(page.getByRole('dialog').getByText(`Delete the notification of ${name}?`)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(changed).toHaveCount(0)
})
