import type { Page } from '@playwright/test'
import { api, desktop, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

const choose = async (page: Page, field: string | RegExp, option: string | RegExp) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).first().click()
}
const person: Record<string, string> = {
  'First name': 'Ingeborg',
  'Last name': 'Journeysen',
  Email: 'ingeborg@example.org',
  'Primary phone': '508 555 0100',
  ZIP: '02740',
}
const fillPerson = async (page: Page) => {
  for (const [label, text] of Object.entries(person)) await page.getByLabel(label).fill(text)
}
/** The one row that has this text, found by the search above the list. */
const find = async (page: Page, text: string, also = '') => {
  await page.goto(url(`admin/manage-users?search=${encodeURIComponent(text)}${also}`))
  const row = page.getByRole('row', { name: new RegExp(text) })
  await expect(row).toHaveCount(1)
  return row
}
const runOf = async (page: Page, text: string, action: string) => {
  const row = await find(page, text)
  await row.hover()
  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('A39 A46 D3-122 D3-222 D3-223 D3-224 D3-225 D3-227 D3-228 D3-254 D3-255 D3-332 D3-333 a coordinator adds people', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/add-user')
  await expect(page.getByRole('heading', { name: 'Add User' })).toBeVisible()
  await page.getByRole('button', { name: 'More details' }).click()
  await page.getByLabel('Set a password now').check()
  await expect(
    page.getByText('At least 8 characters with 1 letter, 1 number, 1 special character'),
  ).toBeVisible()
  await expectGoodScreen(page, 'add user')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('This field is required')).toHaveCount(10)
  await expectGoodScreen(page, 'add user with errors')

  for (const [label, length] of [
    ['User name', 50],
    ['First name', 255],
    ['Middle name', 255],
    ['Last name', 255],
    ['Institution', 255],
    ['Email', 255],
    ['Suffix', 50],
    ['ZIP', 50],
    ['Primary phone', 50],
  ] as const)
    await expect(page.getByLabel(label)).toHaveAttribute('maxlength', String(length))
  await expect(page.getByLabel(/^Password/)).toHaveAttribute('maxlength', '50')

  await page.getByRole('combobox', { name: /^Role/ }).click()
  await expect(page.getByRole('option', { name: 'Employee', exact: false }).first()).toBeVisible()
  const levels = await page.getByRole('option').allInnerTexts()
  expect(levels.join()).not.toMatch(/Super admin|Director|Anonymous|Alumn/)
  expect(levels.join()).toMatch(/[Cc]oordinator/)
  await page.getByRole('option', { name: 'Faculty' }).click()
  await expect(page.getByRole('combobox', { name: 'Sites' })).toHaveCount(0)
  await choose(page, /^Role/, /^Supervis/)
  await expect(page.getByRole('combobox', { name: 'Sites' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Sites' }).click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Add User' })).toBeVisible()
  await choose(page, /^Area/, /./)

  await fillPerson(page)
  await page.getByLabel('User name').fill('not allowed')
  await page.getByLabel(/^Password/).fill('Bluebird-42-harbor')
  await page.getByLabel(/^Confirm password/).fill('Bluebird-42-harbour')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Letters and digits only')).toBeVisible()
  await expect(page.getByText('Passwords Do Not Match')).toBeVisible()
  await page.getByLabel('User name').fill('student')
  await page.getByLabel(/^Confirm password/).fill('Bluebird-42-harbor')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: /student/ })
      .first(),
  ).toBeVisible()
  await expectGoodScreen(page, 'add user refused')
  // The box alone says why.
  await expect(page.getByText(/is taken/)).toHaveCount(1)
  await expect(page.getByLabel('First name')).toHaveValue('Ingeborg')
  await page.getByLabel('User name').fill('journeysen1')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Added!')).toBeVisible()
  await expect(page).toHaveURL(/manage-users$/)
  await find(page, 'journeysen1')
})

for (const size of [desktop, phone])
  test(`a coordinator adds a person by name, email and role; a link sets the password (${size.width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await signIn(page, 'coordinator', 'admin/add-user')
    await expect(page.getByRole('textbox')).toHaveCount(3)
    await expectGoodScreen(page, 'add user: short')
    await page.getByLabel('First name').fill('Ingrid')
    await page.getByLabel('Last name').fill(`Invitee${size.width}`)
    await page.getByLabel('Email').fill(`ingrid.${size.width}@example.org`)
    await choose(page, /^Role/, 'Faculty')
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page.getByText(`ingrid.${size.width}@example.org gets an email`)).toBeVisible()
    await expect(page).toHaveURL(/manage-users$/)
    await page.getByLabel('Name, user name, email or ID').fill(`Invitee${size.width}`)
    await expect(page.getByText(`Invitee${size.width}`).first()).toBeVisible()
  })

test('D3-126 a coordinator searches, filters, edits, deactivates and brings back', async ({ page }) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/manage-users')
  await expect(page.getByRole('row').nth(5)).toBeVisible()
  await expectGoodScreen(page, 'manage users')
  await page.getByLabel('Name, user name, email or ID').fill('okafor')
  const amara = page.getByRole('row', { name: /Okafor, Amara/ })
  await expect(amara).toBeVisible()
  await expect(page).toHaveURL(/search=okafor/)
  await page.goto(url('admin/manage-users?level=39&cohort=2027'))
  await expect(page.getByRole('row', { name: /2027/ }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: /2028/ })).toHaveCount(0)

  await page.goto(url('admin/manage-users?search=S00100012'))
  await page.getByRole('row', { name: /S00100012/ }).click()
  await expect(page).toHaveURL(/manage-users\/edit\?id=\d+$/)
  await expect(page.getByLabel('Institution')).toBeVisible()
  await expectGoodScreen(page, 'person')
  await page.getByLabel('Institution').fill('Harbor annex')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText(/^Saved /)).toBeVisible()

  await runOf(page, 'S00100012', 'Deactivate')
  const leaving = page.getByRole('dialog')
  await expect(leaving.getByText(/Everything up to the last day is kept/)).toBeVisible()
  await expectGoodScreen(page, 'leaving')
  await leaving.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText(/can no longer sign in/)).toBeVisible()
  await expect(page.getByRole('row', { name: /S00100012/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/can sign in again/)).toBeVisible()
  await expect(page.getByRole('row', { name: /S00100012/ })).toHaveCount(1)

  await runOf(page, 'S00100012', 'Deactivate')
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await expect(leaving).toBeHidden()
  await runOf(page, 'S00100012', 'Deactivate')
  await leaving.getByRole('button', { name: 'Deactivate' }).click()
  await expect(leaving).toBeHidden()
  const { ProgramId } = await api(page, 'GET', '/state')
  const { Items } = await api(
    page,
    'GET',
    `/programs/${ProgramId}/users/list?search=S00100012&IsActive=false`,
  )
  await page.goto(url(`students/${Items[0].Id}`))
  await expect(page.getByText(/^Left, last day /)).toBeVisible()
  await expect(page.getByText('Short of hours in this rotation')).toBeHidden()
  await page.getByRole('button', { name: 'Reactivate' }).click()
  await expect(page.getByText(/^Left, last day /)).toBeHidden()

  // Leaving on a day to come: set, seen on the list and the page, and taken back with one press.
  await page.goto(url('admin/manage-users?search=S00100012'))
  await runOf(page, 'S00100012', 'Deactivate')
  const day = new Date(Date.now() + 5 * 86_400_000).toLocaleDateString('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  await leaving.getByRole('textbox', { name: 'Last day' }).fill(day)
  await page.keyboard.press('Tab')
  await expect(leaving.getByText(new RegExp(`Through ${day}, .* can sign in`))).toBeVisible()
  await expectGoodScreen(page, 'leaving on a day to come')
  await leaving.getByRole('button', { name: 'Set last day' }).press('Enter')
  await expect(page.getByRole('row', { name: new RegExp(`Leaves ${day}`) })).toBeVisible()
  await page.goto(url(`students/${Items[0].Id}`))
  await expect(page.getByText(`Leaves ${day}`)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel departure' }).click()
  await expect(page.getByText(`Leaves ${day}`)).toBeHidden()
})

test('A64 D3-124 D3-125 an ID that another has and the step to alumnus are asked about first', async ({
  page,
}) => {
  await signIn(page, 'coordinator')
  await find(page, 'S00100014')
  await page.getByRole('row', { name: /S00100014/ }).click()
  const number = page.getByLabel('Student ID')
  await number.fill('S00100016')
  await page.getByRole('button', { name: /^Save/ }).click()
  const question = page.getByRole('dialog')
  await expect(question.getByText(/Keep the ID for both\?/)).toBeVisible()
  await expectGoodScreen(page, 'student ID question')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(number).toHaveValue('S00100016')
  await page.getByRole('button', { name: /^Save/ }).click()
  await question.getByRole('button', { name: 'Keep for both' }).click()
  await expect(page.getByText(/^Saved /)).toBeVisible()

  await find(page, 'S00100018')
  await page.getByRole('row', { name: /S00100018/ }).click()
  await page.getByRole('button', { name: /^Make alumn/ }).click()
  await expect(question.getByText(/Hours and evaluations are kept\./)).toBeVisible()
  await expectGoodScreen(page, 'alumnus question')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await choose(page, /^Role/, /^Alumn/)
  await page.getByRole('button', { name: /^Save/ }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('combobox', { name: /^Role/ })).toHaveText(/Alumn/)
  await choose(page, /^Role/, /^Student/)
  await page.getByRole('button', { name: /^Make alumn/ }).click()
  await question.getByRole('button', { name: /^Make alumn/ }).click()
  await expect(page.getByText(/^Saved /)).toBeVisible()
})

test('D3-123 without a program a super admin is led from Add User to Manage users', async ({ page }) => {
  await signIn(page, 'super', 'admin/add-user')
  await expect(page).toHaveURL(/admin\/manage-users$/)
  await expect(page.getByText('Select a college and a program first.')).toBeVisible()
})

test('the screens of the password and of the sessions hold at every size', async ({ page }) => {
  await signIn(page, 'coordinator2', 'admin/change-password')
  await expect(page.getByRole('heading', { name: 'Change Password' })).toBeVisible()
  await expectGoodScreen(page, 'change password')
  await page.goto(url('admin/sessions'))
  await expect(page.getByText('This browser')).toBeVisible()
  await expectGoodScreen(page, 'sessions')
})
