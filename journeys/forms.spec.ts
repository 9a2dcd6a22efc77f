import type { Locator, Page } from '@playwright/test'
import { another, expect, expectGoodScreen, phone, signIn, test } from './support.ts'

test('A1 A36 D1-146 Escape closes the calendar first, then asks before typed text is left, and the draft comes back', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/admin-news/edit')
  const date = page.getByRole('textbox', { name: /^Date/ })
  await date.fill('12/01/2026')
  await page.keyboard.press('Tab')
  await date.click()
  const calendar = page.locator('.mantine-Popover-dropdown:visible')
  await expect(calendar).toBeVisible()
  const chosen = calendar.getByRole('button', { name: 'December 1, 2026', exact: true })
  const plain = calendar.getByRole('button', { name: 'December 2, 2026', exact: true })
  const background = (day: typeof chosen) =>
    day.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await background(chosen)).not.toBe(await background(plain))
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(page).toHaveURL(/admin-news\/edit/)
  await page.getByRole('checkbox', { name: 'Active' }).focus()
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(question).toContainText('kept as a draft')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(date).toHaveValue('12/01/2026')
  // Closing the tab would take the draft along, so the browser asks; who reloads all the same finds it.
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void (asked.length === 1 ? dialog.dismiss() : dialog.accept())
  })
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await expect(date).toHaveValue('12/01/2026')
  await page.reload()
  expect(asked).toHaveLength(2)
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await expect(date).toHaveValue('12/01/2026')
})

test('A2 A7 Enter on Cancel cancels an edited row, and leaving a typed row asks first', async ({ page }) => {
  await signIn(page, 'super', 'admin/modalities')
  const row = page.getByRole('row', { name: /Radiography/ })
  await row.getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Radiography and more')
  await page.getByRole('button', { name: /^Cancel/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeHidden()
  await expect(row).not.toContainText('and more')
  await row.getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Radiography and more')
  await page.getByRole('link', { name: 'Home' }).first().click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(question).toContainText('1 unsaved change will be lost.')
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Radiography and more')
})

test('A3 leaving a required field empty says nothing and moves nothing; saving does, and typing takes it back', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-areas/edit')
  const name = page.getByLabel('Name')
  const status = page.getByRole('combobox', { name: /Status/ })
  await name.focus()
  const before = await status.boundingBox()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(await status.boundingBox()).toEqual(before)
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('alert')).toContainText('Fix one field before saving: Name')
  await name.fill('Cardiac')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('A4 a save that fails marks its row and says so, and the mark goes with the next save', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/modalities')
  await page.getByRole('button', { name: 'Add New' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Perfusion')
  // One route for all of it: what is taken away and put up again may miss a call in between.
  let fails = true
  await page.route(/\/new\/api\/modalities(\/\d+)?$/, (route) =>
    fails && route.request().method() !== 'GET'
      ? route.fulfill({ status: 500, body: '{}' })
      : route.continue(),
  )
  await page.keyboard.press('Enter')
  const sign = page.getByRole('img', { name: 'The last change was not saved.' })
  await expect(sign).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Perfusion')
  fails = false
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /Perfusion/ })
  await expect(row).toBeVisible()
  await expect(sign).toHaveCount(0)

  // A new row gets another key when it is saved; one that exists keeps it, and its mark has to be taken away.
  await row.getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Perfusion science')
  fails = true
  await page.keyboard.press('Enter')
  await expect(sign).toBeVisible()
  fails = false
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeHidden()
  await expect(row).toContainText('Perfusion science')
  await expect(sign).toHaveCount(0)
})

test('A5 endings without a text are refused, not said to be saved', async ({ page }) => {
  await signIn(page, 'super', 'admin/language-profiles')
  await page.getByRole('button', { name: 'Add New' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Endings')
  await page.keyboard.press('Enter')
  await page
    .getByRole('row', { name: /Endings/ })
    .getByRole('link')
    .click()
  await page.getByRole('textbox', { name: /^Plural: Student$/i }).fill('y/ies')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('alert')).toContainText('Fix one field before saving')
  await expect(page.getByText('Enter the text that these endings belong to.')).toBeVisible()
  await expect(page.getByText(/^Saved/)).toHaveCount(0)
})

test('A6 two people who change different fields lose nothing; of the same field both are shown, and one is chosen', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-areas')
  await page.getByRole('button', { name: /^Add/ }).first().click()
  await page.getByLabel('Name').fill('Trauma')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByRole('row', { name: /Trauma/ }).click()
  await expect(page.getByLabel('Name')).toHaveValue('Trauma')
  const other = await another(browser, 'director', { at: 'admin/manage-areas' })
  await other.page.getByRole('row', { name: /Trauma/ }).click()
  await other.page.getByLabel('Name').fill('Trauma Center')
  await other.page.getByRole('button', { name: /^Save/ }).click()
  await expect(other.page.getByRole('row', { name: /Trauma Center/ })).toBeVisible()

  await page.getByRole('switch').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: /^Save/ }).click()
  const row = page.getByRole('row', { name: /Trauma Center/ })
  await expect(row).toContainText('On')

  const open = async (at: Page) => {
    await at.getByRole('row', { name: /Trauma Center/ }).click()
    await expect(at.getByLabel('Name')).toHaveValue('Trauma Center')
  }
  await open(page)
  await other.page.reload()
  await open(other.page)
  await page.getByLabel('Name').fill('Trauma East')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('row', { name: /Trauma East/ })).toBeVisible()

  const late = other.page
  await late.getByLabel('Name').fill('Trauma West')
  await late.getByRole('button', { name: /^Save/ }).click()
  const notice = late.getByRole('alert')
  await expect(notice).toContainText('changed this on')
  await expect(notice).toBeFocused()
  const [yours, theirs] = ['Yours Trauma West', /^Theirs Trauma East/].map((name) =>
    notice.getByRole('group', { name: 'Name' }).getByRole('radio', { name }),
  ) as [Locator, Locator] // Two names give two.
  await expect(yours).toBeChecked()
  await expect(late.getByRole('textbox', { name: 'Name' })).toHaveValue('Trauma West')
  await theirs.check()
  await expect(late.getByRole('textbox', { name: 'Name' })).toHaveValue('Trauma East')
  await expect(notice).toContainText('Nothing of yours is left to save.')
  await expect(notice.getByRole('button', { name: 'Close' })).toBeVisible()
  await yours.check()
  await expect(notice).toContainText('Your changes are still here')
  await expectGoodScreen(late, 'a conflict')
  await late.getByRole('button', { name: /^Save/ }).click()
  await expect(late.getByRole('row', { name: /Trauma West/ })).toBeVisible()
  await other.leave()
})

test('A6 of a row that two people edit, the field that both have changed is named, and the saved value can be taken', async ({
  page,
  browser,
}) => {
  await signIn(page, 'super', 'admin/modalities')
  await page.getByRole('button', { name: 'Add New' }).click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Sleep')
  await page.keyboard.press('Enter')
  await expect(name).toBeHidden()
  const other = await another(browser, 'super', { at: 'admin/modalities' })
  const edit = (at: Page) => at.getByRole('button', { name: /^Edit Sleep/ }).click()
  await edit(page)
  await edit(other.page)
  await other.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sleep studies')
  await other.page.keyboard.press('Enter')
  await expect(other.page.getByRole('row', { name: /Sleep studies/ })).toBeVisible()
  await other.leave()
  await name.fill('Sleep lab')
  await page.keyboard.press('Enter')
  const notice = page.getByRole('alert').filter({ hasText: 'after you opened it' })
  await expect(notice).toContainText('Name is now “Sleep studies”.')
  await expect(name).toHaveValue('Sleep lab')
  await notice.getByRole('button', { name: 'Use theirs' }).click()
  await expect(name).toHaveValue('Sleep studies')
})

test('a change whose answer never came says so, and pressing again makes it once', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/manage-areas/edit')
  await page.getByLabel('Name').fill('Once Only')
  const keys: (string | undefined)[] = []
  let isCut = true
  await page.route('**/api/programs/*/areas', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    if (!isCut) return route.continue()
    isCut = false
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('alert')).toContainText(
    'We could not confirm that this was saved. Pressing again is safe.',
  )
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page).toHaveURL(/manage-areas$/)
  await expect(page.getByRole('row', { name: /Once Only/ })).toHaveCount(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
})

test('A76 pressing another field while a list is open leaves the focus there, and what is typed arrives', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/emails')
  const list = page.getByRole('combobox').first()
  await list.click()
  await expect(page.locator('.mantine-Combobox-dropdown:visible')).toBeVisible()
  const subject = page.getByRole('textbox', { name: /Subject/ })
  await subject.click()
  await page.keyboard.type('Schedule for December', { delay: 5 })
  await expect(subject).toHaveValue('Schedule for December')
  await expect(subject).toBeFocused()
})

test('A24 on a phone a row is edited in a sheet, with every field and both buttons on the screen', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'super', 'admin/modalities')
  await page.getByRole('button', { name: /^Edit Radiography/ }).click()
  const sheet = page.getByRole('dialog')
  const name = sheet.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toBeVisible()
  expect((await name.boundingBox())!.width).toBeGreaterThan(300)
  for (const button of ['Cancel', 'Update'])
    await expect(sheet.getByRole('button', { name: button })).toBeInViewport()
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await expect(sheet).toBeHidden()
})

test('A63 a college keeps every digit of its coordinates', async ({ page }) => {
  await signIn(page, 'super', 'admin/manage-colleges')
  await page.getByRole('row', { name: /Harbor College/ }).click()
  const latitude = page.getByRole('textbox', { name: /Latitude/ })
  await latitude.fill('41.5123')
  await page.getByRole('textbox', { name: /Longitude/ }).fill('-70.5')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByRole('row', { name: /Harbor College/ }).click()
  await expect(latitude).toHaveValue('41.5123')
  await expect(page.getByRole('textbox', { name: /Longitude/ })).toHaveValue('-70.5')
})
