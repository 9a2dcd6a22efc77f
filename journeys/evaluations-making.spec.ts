import type { Page } from '@playwright/test'
import { another, expect, expectGoodScreen, phone, signIn, test, url, visitor } from './support.ts'

const pick = async (page: Page, field: string, option: string | RegExp): Promise<void> => {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option }).first().click()
}

test('evaluations make themselves by the rule of their template, which tells first what it would create', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/evaluations/templates')
  const row = page.getByRole('row', { name: /Student performance .*Supervisor/ }).first()
  await row.click()
  const toggle = page.getByRole('switch', { name: /Automatic/ })
  await expect(toggle).not.toBeChecked()
  await toggle.click()
  const planned = page.getByText(/evaluations would be created in the next 30 days, by \d+ evaluators/)
  await expect(planned).toBeVisible()
  const each = await planned.textContent()
  await pick(page, 'How often', 'Once for each site in a rotation')
  await expect(planned).not.toHaveText(each ?? '')
  await expectGoodScreen(page, 'the rule of a template')
  await page.getByRole('button', { name: 'View list' }).click()
  await expect(page.getByRole('dialog').getByRole('row').nth(1)).toBeVisible()
  await expectGoodScreen(page, 'what a rule would create')
  await page.keyboard.press('Escape')
  await page.getByLabel('Tell coordinators after days overdue').fill('5')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Saved Student performance')).toBeVisible()
  await expect(row).toContainText('On')
  await row.click()
  await expect(page.getByLabel('Tell coordinators after days overdue')).toHaveValue('5')
  await toggle.click()
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(row).toContainText('Off')
})

test('evaluations make themselves for many students in one dialog, and are extended, stopped and resumed together', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/evaluations/status')
  await page.getByRole('button', { name: 'Assign to many' }).click()
  const dialog = page.getByRole('dialog')
  await pick(page, 'Template', 'Site and instructor')
  await dialog.getByLabel('Name, ID or email contains').fill('okafor')
  await expect(dialog.getByText(/evaluations? will be created/)).toBeVisible()
  await dialog.getByLabel('Name, ID or email contains').fill('')
  await expect(dialog.getByText(/\d\d evaluations will be created/)).toBeVisible()
  await expectGoodScreen(page, 'assigning to many')
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(page.getByText(/Assigned \d+ evaluations/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/Removed \d+ evaluations/)).toBeVisible()

  await page.goto(url('admin/evaluations/status?quick=late'))
  const ticks = page.getByRole('row').getByRole('checkbox')
  await expect(ticks.nth(2)).toBeVisible()
  await ticks.nth(1).check()
  await ticks.nth(2).check()
  await page.getByRole('button', { name: 'Extend due date' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Days' }).fill('300')
  await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click()
  await expect(page.getByText('Extended 2 evaluations')).toBeVisible()
  const undone = page.waitForResponse(/\/evaluations\/extensions/)
  await page.getByRole('button', { name: 'Undo' }).click()
  expect((await undone).status()).toBe(200)

  await page.goto(url('admin/evaluations/status?quick=late'))
  await expect(ticks.nth(1)).toBeVisible()
  await ticks.nth(1).check()
  const all = page.getByRole('button', { name: /^Stop all \d+$/ })
  const count = Number((await all.textContent())?.match(/\d+/)?.[0])
  await all.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText(`Stopped ${count} evaluations`)).toBeVisible()
  await page.getByText('Stopped', { exact: true }).first().click()
  await expect(page.getByRole('row').nth(count)).toContainText('Stopped')
  await ticks.nth(1).check()
  await page.getByRole('button', { name: `Resume all ${count}` }).click()
  await expect(page.getByText(`Resumed ${count} evaluations`)).toBeVisible()
  await expect(page.getByText('No matches.')).toBeVisible()
})

test('evaluations make themselves when a student asks on a phone, and the supervisor is told', async ({
  browser,
}) => {
  const student = await another(browser, 'student', { size: phone, at: 'evaluate' })
  const hand = student.page
  await hand.getByRole('button', { name: 'Request an evaluation' }).click()
  await hand.getByRole('combobox', { name: 'Who should evaluate you' }).click()
  const name = ((await hand.getByRole('option').first().textContent()) ?? '').split(' · ')[0] ?? ''
  await hand.getByRole('option').first().click()
  await hand.getByLabel('Note').fill('About my last week, please')
  await expectGoodScreen(hand, 'asking for an evaluation')
  await hand.getByRole('button', { name: 'Send request' }).click()
  await expect(hand.getByText(`Sent the request to ${name}`)).toBeVisible()
  await hand.getByRole('button', { name: 'Request an evaluation' }).click()
  await pick(hand, 'Who should evaluate you', new RegExp(name))
  await hand.getByRole('button', { name: 'Send request' }).click()
  await expect(hand.getByText(`You asked ${name} before`).first()).toBeVisible()
  await student.leave()

  const staff = await another(browser, 'coordinator', { at: 'admin/evaluations/status?sort=-Id' })
  const [last = '', first = ''] = [name.split(' ').slice(1).join(' '), name.split(' ')[0]]
  await expect(staff.page.getByRole('row').nth(1)).toContainText(`${last}, ${first}`)
  await staff.leave()
})

test('A66 A67 A75 D3-105 D3-106 evaluations make themselves known by links from the templates page: several live, each can be ended', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/evaluations/templates')
  for (const title of ['Student performance', 'Student performance (2024)']) {
    const cell = page.getByText(title, { exact: true })
    const isWhole = await cell.evaluate((element) => element.scrollWidth <= element.clientWidth)
    expect(isWhole, title).toBe(true)
  }
  await page.getByRole('button', { name: 'Add evaluation' }).click()
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Template' })).toBeVisible()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row', { name: /Voice of the students/ })
  await row.getByRole('button', { name: 'Anonymous links' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add anonymous evaluation' }).click()
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(dialog.getByLabel('Anonymous link')).toBeVisible()
  const firstLink = await dialog.getByLabel('Anonymous link').inputValue()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Anonymous links' }).click()
  await dialog.getByRole('button', { name: 'Show link' }).first().click()
  await expect(dialog.getByLabel('Anonymous link')).toHaveValue(firstLink)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByLabel('Anonymous link')).toHaveCount(2)
  const secondLink = await dialog.getByLabel('Anonymous link').first().inputValue()
  expect(secondLink).not.toBe(firstLink)
  await expectGoodScreen(page, 'anonymous links')

  const { page: guest, leave } = await visitor(browser, phone)
  await guest.goto(firstLink)
  await expect(guest.getByText('Anonymous. No one can see who answered')).toBeVisible()
  await expect(guest.getByText('Saved', { exact: true })).toBeHidden()
  await dialog.getByRole('button', { name: 'End link' }).last().click()
  await page
    .getByRole('dialog', { name: /^End this link/ })
    .getByRole('button', { name: 'End link' })
    .click()
  await expect(page.getByText('Ended the link')).toBeVisible()
  await guest.goto(firstLink)
  await expect(guest.getByText('This link has expired or is incomplete', { exact: true })).toBeVisible()
  await guest.goto(secondLink)
  await expect(guest.getByText('Anonymous. No one can see who answered')).toBeVisible()
  await leave()

  await page.setViewportSize(phone)
  await page.goto(url('admin/evaluations/status?quick=uncompleted&sort=-Id'))
  const card = page.getByRole('listitem').filter({ hasText: 'Voice of the students' }).first()
  await expect(card).toContainText('Program')
})
