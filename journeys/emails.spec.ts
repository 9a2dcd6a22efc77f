import { tooManyEmails } from '#contract/communication/emails.ts'
import {
  desktop,
  expect,
  expectAccessible,
  expectGoodScreen,
  phone,
  settle,
  signIn,
  test,
  url,
  write,
} from './support.ts'

const nobody = 'Please select a program or individual users.'

test('D1-014 D1-015 D1-016 D1-017 D1-018 D1-041 D2-005 D2-006 D2-007 D2-008 D2-009 D2-010 D2-011 D2-012 D2-013 D2-014 D2-023 D2-031 D2-032 D2-033 D2-112 D2-113 D2-118 D2-119 D2-123 D2-195 a coordinator previews an email to one person and sees what became of it', async ({
  page,
  context,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-users?search=alumnus')
  await page
    .getByRole('row')
    .filter({ hasText: 'alumnus@example.org' })
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Send email' }).click()
  await expect(page).toHaveURL(/\/admin\/emails\?i=\d+$/)
  await expect(page.getByRole('definition')).toContainText('alumnus@example.org')
  await expect(page.getByRole('heading', { name: 'Send to' })).toHaveCount(0)
  await expect(page.getByLabel(/^From/)).toHaveValue('coordinator@example.org')
  await expect(page.getByLabel(/^From/)).toBeDisabled()
  await expect(page.locator('label', { hasText: /^Subject/ })).toContainText('*')
  await expect(page.locator('label', { hasText: /^From/ })).not.toContainText('*')

  await page.getByLabel(/^CC/).fill('head@example.org; b@example.org')
  await page.getByRole('button', { name: 'Send emails' }).click()
  const refusal = page.getByRole('alert')
  await expect(refusal).toContainText('Please specify a subject.')
  await expect(refusal).toContainText('Please specify valid emails separated by commas for the "CC" field.')
  await page.getByLabel(/^CC/).fill('')
  await page.getByLabel(/^Subject/).fill('The alumni evening')
  await expect(page.locator('label', { hasText: /^Subject/ })).not.toContainText('*')
  await page.getByLabel(/^Subject/).fill('The evening of {{nmae}}')
  await page.getByRole('button', { name: 'Send emails' }).click()
  await expect(refusal).toContainText('{{nmae}} is not a field. Choose one of the list of fields.')
  await page.getByLabel(/^Subject/).fill('The alumni evening')
  const message = page.getByRole('textbox', { name: 'Message' })
  await write(message, 'Everyone is welcome. ')
  await page.getByRole('button', { name: 'Insert a field' }).click()
  await page.getByRole('menuitem', { name: 'Next shift: date, time and site' }).click()
  await expect(message).toContainText('{{nextShift}}')
  await page.getByText('Fields that each recipient’s own values fill').click()
  await expect(page.getByText('or “no shift scheduled”')).toBeVisible()

  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = await opened
  await expect(preview).toHaveURL(/\/new\/admin\/emails\/preview\?rnd=\d{1,10}$/)
  await expect(preview.getByRole('heading', { name: 'Email preview' })).toBeVisible()
  await expect(preview.getByRole('paragraph').filter({ hasText: /^Subject/ })).toHaveText(
    'SubjectThe alumni evening',
  )
  await expect(preview.getByText('Everyone is welcome. no shift scheduled')).toBeVisible()
  await expect(preview.getByText('alumnus@example.org')).toBeVisible()
  await expect(
    preview.getByText('1 recipient has no value for {{nextShift}}; the email says “no shift scheduled”.'),
  ).toBeVisible()
  await expect(preview.getByRole('navigation', { name: 'Menu' })).toHaveCount(0)
  const stored = () =>
    preview.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('email-preview')))
  expect(await stored()).toEqual([])
  await expectAccessible(preview, 'preview')
  await preview.reload()
  await expect(preview.getByText('There is nothing to preview.')).toBeVisible()
  await preview.close()
  const again = page.getByRole('link', { name: 'Open it here if it did not' })
  await expect(again).toHaveAttribute('href', /\/new\/admin\/emails\/preview\?rnd=\d+$/)

  await page.route('**/api/emails', (route) =>
    route.fulfill({ status: 422, json: { Message: tooManyEmails, Code: 'too_many' } }),
  )
  await page.getByRole('button', { name: 'Send emails' }).click()
  await expect(refusal).toContainText(tooManyEmails)
  await expect(page).toHaveURL(/\/admin\/emails\?i=\d+$/)
  await expect(page.getByLabel(/^Subject/)).toHaveValue('The alumni evening')
  await page.unroute('**/api/emails')
  await page.route('**/api/emails', (route) => route.abort())
  await page.getByRole('button', { name: 'Send emails' }).click()
  await expect(refusal).toContainText('Press Send emails again: no one gets it twice.')
  await page.unroute('**/api/emails')

  await page.getByRole('button', { name: 'Send emails' }).click()
  await expect(page).toHaveURL(/\/admin\/emails\/send-status$/)
  const row = page.getByRole('row').filter({ hasText: 'alumnus@example.org' })
  await expect(row).toContainText(/Queued|Sent|Not sent/)
  await expect(row.getByText('Queued', { exact: true })).toHaveCSS('color', 'rgb(29, 95, 163)')
  await expect(row).toContainText('No mail server is set, so it is not sent until one is')
  await expect(page.getByRole('banner')).toHaveCount(0)
  const back = page.getByRole('link', { name: 'Back' })
  await expect(back).toHaveCount(2)
  await expectAccessible(page, 'send status')
  await back.first().click()
  await expect(page).toHaveURL(/\/admin\/manage-users\?search=alumnus$/)
})

test('D2-025 D2-026 D2-027 D2-028 D2-029 D2-030 D2-121 D2-125 D2-126 D2-206 D2-207 D2-208 D2-209 D2-217 D2-218 a coordinator chooses groups and people', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/emails')
  const group = (name: string) => page.getByRole('checkbox', { name, exact: true })
  for (const name of ['Faculty', 'Supervisors', 'Site employees', 'Shared site logins', 'Alumni', 'Students'])
    await expect(group(name)).not.toBeChecked()
  await expect(page.getByRole('combobox', { name: /^Sites/ })).toBeVisible()
  await page.getByRole('button', { name: 'Send emails' }).click()
  await expect(page.getByRole('alert')).toContainText(nobody)
  await group('Students').check()
  const levels = page.getByRole('group', { name: 'Student levels' }).getByRole('checkbox')
  await expect(levels).not.toHaveCount(0)
  for (const level of await levels.all()) await expect(level).toBeChecked()
  await expect(page.getByText(/^\d+ people get this email$/)).toBeVisible()
  await group('Alumni').check()
  const cohorts = page.getByRole('combobox', { name: /^Cohorts/ })
  await page.setViewportSize(phone)
  await cohorts.click()
  await expect(page.getByRole('option').first()).toHaveText('Not Specified')
  const list = await page.locator('.mantine-Combobox-dropdown:visible').boundingBox()
  expect([list!.x, list!.width]).toEqual([8, phone.width - 16])
  await page.keyboard.press('Escape')
  await page.setViewportSize(desktop)
  await expectGoodScreen(page, 'send email')

  const people = page.getByRole('combobox', { name: /^Specific users/ })
  await people.click()
  const search = page.getByRole('textbox', { name: 'Search Specific users' })
  await search.fill('ha')
  await expect(page.getByText('Please enter 1 or more characters')).toBeVisible()
  const { promise: isSeen, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/List.ashx?*', async (route) => {
    if (!route.request().url().includes('lost')) return route.continue()
    await isSeen
    await route.fulfill({ status: 500, json: { Message: 'x' } })
  })
  const typed = Date.now()
  const asked = page.waitForRequest('**/List.ashx?*')
  await search.fill('lost')
  await expect(page.getByText('Searching…')).toBeVisible()
  await asked
  answer()
  expect(Date.now() - typed).toBeGreaterThanOrEqual(990)
  await expect(page.getByText('The results could not be loaded.')).toBeVisible()
  await search.fill('nobody at all')
  await expect(page.getByText('No results found')).toBeVisible()
  await search.fill('harborcollege')
  await expect(page.getByRole('option')).toHaveCount(20)
  const { promise: isMoreSeen, resolve: answerMore } = Promise.withResolvers<void>()
  await page.route('**/List.ashx?*', async (route) => {
    await isMoreSeen
    await route.continue()
  })
  await page.getByRole('button', { name: 'More results' }).click()
  await expect(page.getByText('Loading more results…')).toBeVisible()
  answerMore()
  await expect(page.getByRole('option')).toHaveCount(40)
  const names: string[] = []
  for (const place of [0, 1, 2]) {
    const option = page.getByRole('option').nth(place)
    names.push((await option.locator('[title]').getAttribute('title'))!)
    await option.click()
  }
  await expect(people).toHaveText(names.join(', '))
  await page.getByRole('option').nth(3).click()
  await expect(people).toHaveText('4 selected')
  await people.click()
  await page.getByRole('button', { name: `Remove ${names[0]}`, exact: true }).click()
  await expect(people).not.toContainText('selected')
  await page.reload()
  await expect(page.getByText('Your unsent email was restored.')).toBeVisible()
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(group('Students')).not.toBeChecked()
})

test('D1-074 D2-015 D2-016 D2-017 D2-018 D2-019 D2-020 D2-021 D2-022 D2-063 D2-064 D2-065 D2-066 D2-118 D2-214 a super admin chooses programs, and reads the ledger', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/emails')
  await expect(page.getByLabel(/^From/)).toHaveValue('')
  await expect(page.locator('label', { hasText: /^From/ })).toContainText('*')
  await page.getByLabel(/^From/).fill('not an address')
  await page.getByRole('button', { name: 'Send emails' }).click()
  await expect(page.getByRole('alert')).toContainText('Please specify a valid email for the "From" field.')
  await expect(page.getByRole('alert')).toContainText(nobody)
  for (const name of ['Email Notifications', 'Payment Contacts'])
    await expect(page.getByRole('checkbox', { name })).not.toBeChecked()
  for (const name of ['Students', 'Alumni', 'Faculty'])
    await expect(page.getByRole('checkbox', { name, exact: true })).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: /^Sites/ })).toHaveCount(0)
  const programs = page
    .getByRole('grid', { name: 'Programs' })
    .or(page.getByRole('table', { name: 'Programs' }))
  const rows = programs.getByRole('row').filter({ hasText: ' - ' })
  await expect(rows.filter({ hasText: 'Harbor College - Radiography' })).toHaveCount(1)
  await programs.getByRole('button', { name: 'Id/date' }).click()
  await expect(rows.first()).toContainText('1')
  await programs.getByRole('button', { name: 'Id/date' }).click()
  await expect(async () => {
    const ids = (await rows.allInnerTexts()).map((text) => Number(/\d+/.exec(text)![0]))
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  }).toPass({ timeout: 30_000 })
  await page.getByLabel('ID from').fill('2')
  await page.getByLabel('ID to').fill('3')
  await expect(rows).toHaveCount(2)
  await page.getByLabel('Name contains').fill('sono')
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Check all', exact: true }).click()
  await expect(page.getByText('1 program chosen')).toBeVisible()
  await page.getByLabel('Name contains').fill('')
  await page.getByRole('button', { name: 'Check all', exact: true }).click()
  await expect(page.getByText('2 programs chosen')).toBeVisible()
  await expectAccessible(page, 'send email of super admins')
  await page.getByRole('button', { name: 'Uncheck all' }).click()
  await expect(page.getByText('0 programs chosen')).toBeVisible()

  await page.route('**/api/scheduled-emails?*', (route) =>
    route.fulfill({ status: 500, json: { Message: 'The emails could not be read.' } }),
  )
  await page.goto(url('admin/scheduled-emails'))
  await expect(page.getByText('The emails could not be read.')).toBeVisible()
  await page.unroute('**/api/scheduled-emails?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('columnheader').filter({ hasText: /\S/ })).toHaveText([
    'Date',
    'To',
    'Subject',
    'Message',
    'Status',
    'Actions',
  ])
  for (const name of ['Create Date From', 'Through Date'])
    await expect(
      page.getByRole('button').filter({ hasText: new RegExp(`^${name} ?\\d\\d/\\d\\d/\\d{4}$`) }),
    ).toBeVisible()
  await page.getByRole('combobox', { name: /^Display status/ }).click()
  await expect(page.getByRole('option')).toHaveText(['ANY', 'Queued', 'Sending', 'Success', 'Error'])
  await page.getByRole('option', { name: 'Error' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/status=4/)
  const failed = page.getByRole('row').filter({ hasText: '550 No such mailbox' })
  await expect(failed.first()).toContainText('Error')
  await expect(page.getByRole('row').filter({ hasText: 'Success' })).toHaveCount(0)
  await expectGoodScreen(page, 'scheduled emails')
  await failed
    .first()
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Show' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Your schedule has new shifts.')
  await expect(dialog.getByRole('button', { name: 'Send again' })).toBeVisible()
  await expectAccessible(page, 'a scheduled email')
})

for (const size of [desktop, phone])
  test(`a text is saved with its name fields, begins the next email, is deleted and restored (${size.width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    const name = `Hours behind ${size.width}`
    const subject = 'Your hours, {{firstName}}'
    const come = Promise.withResolvers<void>()
    await page.route('**/email-texts', async (route) => {
      if (route.request().method() === 'GET') await come.promise
      await route.continue()
    })
    await signIn(page, 'coordinator', 'admin/emails')
    await page.getByLabel(/^Subject/).fill(subject)
    const save = page.getByRole('button', { name: 'Save as text' })
    await settle(page)
    const before = await save.boundingBox()
    const texts = page.waitForResponse('**/email-texts')
    come.resolve()
    await (await texts).finished()
    await settle(page)
    expect(await save.boundingBox(), 'its place once the texts have come').toEqual(before)
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Save this text' })
    await dialog.getByLabel(/^Name/).fill(name)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(`Saved ${name}`)).toBeVisible()
    await page.goto(url('admin/emails'))
    await page.getByRole('button', { name: 'Start over' }).click()
    await expectGoodScreen(page, 'send email with saved texts')
    const saved = page.getByRole('combobox', { name: 'Saved text' })
    await saved.click()
    await page.getByRole('option', { name }).click()
    await expect(page.getByLabel(/^Subject/)).toHaveValue(subject)
    await page.getByRole('button', { name: 'Delete text' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: `Deleted ${name}` })
      .getByRole('button', { name: 'Undo' })
      .last()
      .click()
    await saved.click()
    await expect(page.getByRole('option', { name })).toBeVisible()
  })
