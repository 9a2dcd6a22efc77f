import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { expect, expectGoodScreen, signIn, test, url } from './support.ts'

const act = async (page: Page, row: RegExp, action: string) => {
  const found = page.getByRole('row', { name: row })
  await found.hover()
  await found.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const choose = async (page: Page, field: RegExp, option: string) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const save = (page: Page) => page.getByRole('button', { name: /^Save/ }).click()

test('a search that waits for the last letter stays behind when a row is opened', async ({ page }) => {
  await signIn(page, 'super', 'admin/manage-colleges')
  const row = page.getByRole('row', { name: /Harbor College/ })
  await expect(row).toBeVisible()
  await page.getByLabel('Name, city or state').fill('Harbor')
  await row.click()
  await expect(page.getByRole('heading', { name: 'Harbor College' })).toBeVisible()
  await expect(page).toHaveURL(/manage-colleges\/edit\?id=\d+$/)
})

test('A72 D3-012 D3-013 D3-017 D3-018 D3-019 D3-020 D3-021 D3-022 D3-023 a super admin keeps colleges and programs', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'super', 'admin/manage-colleges')
  await expect(page.getByRole('row', { name: /Harbor College/ })).toBeVisible()
  await expectGoodScreen(page, 'colleges')
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await save(page)
  await expect(page.getByText('This field is required')).toBeVisible()
  await expectGoodScreen(page, 'college form with an error')
  await page.getByLabel('Name').fill('Journey College')
  await page.getByLabel('City').fill('Taunton')
  await save(page)
  await expect(page.getByText('Saved Journey College')).toBeVisible()
  await page.getByLabel('Name, city or state').fill('Journey')
  await expect(page.getByRole('row', { name: /Harbor College/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'View: Journey College' }).click()
  await expect(page.getByRole('dialog', { name: 'Journey College' })).toContainText('Taunton')
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /Journey College/ }).click()
  await expect(page.getByRole('heading', { name: 'Journey College' })).toBeVisible()
  await expectGoodScreen(page, 'college')

  await page.getByRole('link', { name: 'New program' }).click()
  await expect(page.getByRole('combobox', { name: /^College/ })).toHaveText(/Journey College/)
  await page.getByLabel('Name').fill('Journey Imaging')
  await page.getByLabel('State').fill('MA')
  await choose(page, /^Modality/, 'Radiography')
  await expectGoodScreen(page, 'program form')
  await save(page)
  await expect(page.getByText('Saved Journey Imaging')).toBeVisible()

  for (const name of [
    'ID',
    'College name',
    'Program name',
    'Modality',
    'Class',
    'State',
    'Credit',
    '2FA',
    'Payments',
  ])
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
  await expectGoodScreen(page, 'programs')
  await page.goto(url('admin/manage-programs'))
  await page.getByRole('combobox', { name: /^Has Credit:/ }).click()
  await page.getByRole('option', { name: 'No', exact: true }).click()
  await expect(page).toHaveURL(/credit=0/)
  const row = page.getByRole('row', { name: /Journey Imaging/ })
  await expect(row).toBeVisible()
  await expect(page.getByRole('row', { name: /Lakeside/ })).toHaveCount(0)
  await page.getByRole('combobox', { name: /^College:/ }).click()
  await page.getByRole('option', { name: 'Journey College' }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/college=\d+/)
  await expect(row).toBeVisible()
  for (const name of ['Modality', 'Class'])
    await expect(page.getByRole('combobox', { name: new RegExp(`^${name}:`) })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Excel' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/)
  const sheet = Object.entries(unzipSync(await readFile(await file.path())))
    .map(([, bytes]) => strFromU8(bytes))
    .join()
  expect(sheet).toContain('Journey Imaging')
  expect(sheet).not.toContain('Lakeside')

  await act(page, /Journey Imaging/, 'Settings')
  await expect(page.getByRole('heading', { name: 'Program settings' })).toBeVisible()
  const tolerance = page.getByLabel('Grace period around shift start and end (minutes)')
  await expectGoodScreen(page, 'program settings')
  await tolerance.fill('20')
  await save(page)
  await expect(page.getByText('Saved Program settings')).toBeVisible()
  await page.reload()
  await expect(tolerance).toHaveValue('20')

  await page.goto(url('admin/manage-programs?search=Journey'))
  await act(page, /Journey Imaging/, 'Delete')
  await expect(page.getByText('Deleted Journey Imaging')).toBeVisible()
  await expect(row).toHaveCount(0)
  await page.goto(url('admin/manage-programs?search=Journey'))
  await page.getByRole('combobox', { name: /^Activity:/ }).click()
  await page.getByRole('option', { name: 'Recently Deleted' }).click()
  await expect(page).toHaveURL(/activity=1/)
  await expectGoodScreen(page, 'programs recently deleted')
  await act(page, /Journey Imaging/, 'Restore')
  await expect(page.getByText('Restored Journey Imaging')).toBeVisible()
  await page.goto(url('admin/manage-programs?search=Journey'))
  await expect(row).toBeVisible()

  await page.goto(url('admin/manage-colleges?search=Journey'))
  const college = page.getByRole('row', { name: /Journey College/ })
  await college.hover()
  await college.getByRole('button', { name: /^More for/ }).click()
  await expect(page.getByRole('menuitem', { name: /Delete/ })).toHaveAttribute('aria-disabled', 'true')
})

test('D3-014 D3-015 D3-016 D3-177 D3-178 a super admin keeps modalities in place', async ({ page }) => {
  await signIn(page, 'super', 'admin/modalities')
  await expect(page.getByRole('columnheader', { name: 'ID' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toBeVisible()
  await expectGoodScreen(page, 'modalities')
  const add = page.getByRole('button', { name: 'Add New' })
  await add.click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toBeFocused()
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await expect(add).toHaveAccessibleDescription('Update or cancel the row you are editing first.')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The name field cannot be empty')).toBeVisible()
  await expectGoodScreen(page, 'modalities editing')
  await name.fill('Journey modality')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /Journey modality/ })
  await expect(row).toBeVisible()
  await expect(name).toHaveCount(0)

  const edit = page.getByRole('button', { name: 'Edit Journey modality' })
  await row.hover()
  await edit.click()
  await name.fill('Journey dropped')
  await page.keyboard.press('Escape')
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave' })
    .click()
  await expect(row).toBeVisible()
  await row.hover()
  await edit.click()
  await name.fill('Journey modality two')
  await page.getByRole('button', { name: /^Update/ }).click()
  await expect(page.getByRole('row', { name: /Journey modality two/ })).toBeVisible()

  await row.hover()
  await page.getByRole('button', { name: 'Delete Journey modality two' }).click()
  await expect(page.getByText('Deleted “Journey modality two”')).toBeVisible()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete Radiography' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})

test('A56 D1-070 D3-030 D3-208 D3-209 D3-242 D3-246 D3-331 a super admin keeps the classes of programs', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/program-classes')
  await expect(page.getByRole('columnheader', { name: 'Class Name' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Value' })).toBeVisible()
  await page.getByRole('button', { name: 'Add New' }).click()
  const name = page.getByRole('textbox', { name: 'Class Name' })
  await page.keyboard.press('Enter')
  await expect(page.getByText('The name field cannot be empty')).toBeVisible()
  await name.fill('certificate')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The name provided conflicts with another active program class')).toBeVisible()
  await expectGoodScreen(page, 'program classes, editing')
  await name.fill('Journey class')
  await page.getByRole('textbox', { name: 'Value' }).fill('J')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Updated Successfully!')).toBeVisible()
  const row = page.getByRole('row', { name: /Journey class/ })
  await row.hover()
  await page.getByRole('button', { name: 'Delete Journey class' }).click()
  await expect(page.getByText('Delete the class Journey class?')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(row).toHaveCount(0)
  const standard = page.getByRole('button', { name: 'Delete Accredited' })
  await expect(standard).toHaveAttribute('aria-disabled', 'true')
  // Its name is fixed, so the focus goes to the field that is not.
  await page.getByRole('button', { name: 'Edit Accredited' }).click()
  await expect(page.getByRole('textbox', { name: 'Value' })).toBeFocused()
})

test('D3-330 a class that cannot be saved says so and keeps what was typed', async ({ page }) => {
  await signIn(page, 'super', 'admin/program-classes')
  await page.getByRole('button', { name: 'Add New' }).click()
  await page.getByRole('textbox', { name: 'Class Name' }).fill('Journey kept')
  await page.route('**/api/program-classes', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { Message: 'Something went wrong.' } })
      : route.continue(),
  )
  await page.keyboard.press('Enter')
  await expect(page.getByText('Error saving program class: HTTP 500 error.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Class Name' })).toHaveValue('Journey kept')
})

test('D1-064 D1-072 D3-031 D3-032 D3-033 D3-034 D3-035 D3-242 D3-246 D3-336 D3-337 a super admin makes types and categorizes programs', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/program-types')
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Add more types' }).click()
  await expect(page).toHaveURL(/manage-program-types$/)
  await page.getByRole('button', { name: 'Add New' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Journey type')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /Journey type/ })).toBeVisible()
  await expectGoodScreen(page, 'program types')
  const names = () => page.getByRole('row').locator('[data-identity], td:first-child').allTextContents()
  const before = await names()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(names).not.toEqual(before)

  await page.getByRole('link', { name: 'Categorize Programs' }).first().click()
  const choice = page.getByRole('combobox', { name: 'Type of Harbor College - Sonography' })
  await expect(choice.getByRole('option', { name: 'Not set' })).toBeAttached()
  await choice.selectOption('Journey type')
  await expect(page.getByText('1 unsaved change')).toBeVisible()
  await expectGoodScreen(page, 'categorize programs')
  await page.route('**/program-type?*', (route) => route.fulfill({ status: 500, json: { Message: 'No.' } }))
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByText('Failed to save.')).toBeVisible()
  await expect(page.getByText('1 unsaved change')).toBeVisible()
  await page.unroute('**/program-type?*')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await expect(page.getByText('Successfully saved.')).toBeVisible()
  await page.reload()
  await expect(choice.locator('option:checked')).toHaveText('Journey type')

  await page.goto(url('admin/manage-program-types'))
  const row = page.getByRole('row', { name: /Journey type/ })
  await row.hover()
  await page.getByRole('button', { name: 'Delete Journey type' }).click()
  await expect(page.getByText('Delete the type Journey type?')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(row).toHaveCount(0)
})

test('D1-006 D1-007 D1-008 D3-117 D3-118 D3-119 the words of a profile are in the menu of its program', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'super', 'admin/language-profiles')
  await expect(page.getByText(/^\d+ profiles$/)).toBeVisible()
  await expectGoodScreen(page, 'language profiles')
  await page.getByRole('button', { name: 'Add New' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Journey words')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /Journey words/ })
  await row.getByRole('link', { name: 'Entries' }).click()
  for (const name of ['Key', 'Text', 'Plural'])
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Profile: Journey words' })).toBeVisible()
  await page.getByLabel('Text: college', { exact: true }).fill('facult')
  await page.getByLabel('Plural: college', { exact: true }).fill('y/ies')
  await page.getByLabel('Text: site', { exact: true }).fill('practice')
  await expect(page.getByText('faculty, faculties')).toBeVisible()
  await expectGoodScreen(page, 'language entries')
  await save(page)
  await expect(page.getByText('Saved Language Profile Entries')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Text: site', { exact: true })).toHaveValue('practice')

  await page.goto(url('admin/manage-programs?search=Sonography'))
  await page
    .getByRole('row', { name: /Sonography/ })
    .last()
    .click()
  await choose(page, /^Language profile/, 'Journey words')
  await save(page)
  await expect(page.getByText('Saved Sonography')).toBeVisible()
  await page.goto(url('admin/home'))
  const program = page.getByRole('row', { name: /Sonography/ })
  await program.hover()
  await program.getByRole('button', { name: 'Open: Sonography' }).click()
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible()
  await page.getByRole('button', { name: 'MENU' }).click()
  await expect(page.getByRole('button', { name: 'Practices', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Practices', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Manage practices' })).toBeVisible()
  await page.getByRole('button', { name: 'Faculties', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Manage faculties' })).toBeVisible()
  await expectGoodScreen(page, 'a program in its own words')
})

test('D3-243 a language profile is deleted only after the question', async ({ page }) => {
  await signIn(page, 'super', 'admin/language-profiles')
  await page.getByRole('button', { name: 'Add New' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Spare words')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /Spare words/ })
  const remove = async () => {
    await row.hover()
    await row.getByRole('button', { name: /^Delete/ }).click()
    await expect(page.getByText('Delete the profile Spare words?')).toBeVisible()
  }
  await remove()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(row).toBeVisible()
  await remove()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(row).toHaveCount(0)
})
