import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, signIn, test, url } from './support.ts'

test('D1-057 D2-084 D2-085 D2-086 D2-087 D2-213 an administrator makes a key, a system sends rows with it, and the log shows the run and its event', async ({
  page,
  request,
}) => {
  await signIn(page, 'admin', 'admin/logs/data-sync')
  await expect(page.getByRole('heading', { name: 'DataSync Logs' })).toBeVisible()
  for (const header of ['Date', 'Log', 'Prog ID', 'Program', 'Success', 'Added', 'Changed', 'Unchanged'])
    await expect(page.getByRole('columnheader', { name: header, exact: true })).toBeVisible()

  const name = `Journey ${randomUUID().slice(0, 8)}`
  await page.getByRole('button', { name: 'Keys' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keys for data sync' })
  await dialog.getByLabel('Name of the system').fill(name)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const made = dialog.getByRole('textbox', { name: `Key for ${name}` })
  await expect(made).toBeVisible()
  const key = await made.inputValue()
  await expectAccessible(page, 'keys')
  const send = () =>
    request.post(url('api/v1/sync/sites'), {
      headers: { authorization: `Bearer ${key}` },
      data: { Rows: [{ Name: '' }] },
    })
  expect((await send()).status()).toBe(422)
  await dialog.getByRole('button', { name: `Revoke ${name}` }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
  await expect(page.getByText(`Key for ${name} revoked`)).toBeVisible()
  expect((await send()).status()).toBe(401)
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

  await page.getByRole('combobox', { name: /^Log/ }).click()
  await page.getByRole('option', { name: 'Sites' }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row.getByRole('img', { name: 'Failed' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Immunization vendor/ })).toHaveCount(0)
  await expectAccessible(page, 'data sync log')
  await row.hover()
  await row.getByRole('button', { name: 'View Event' }).click()
  const event = page.getByRole('dialog', { name: 'Event' }).locator('pre')
  await expect(event).toContainText('"Success": false')
  await expect(event).toContainText(`\n  "Key": "${name}"`)

  await page.route(/\/v1\/sync\/logs/, (route) =>
    route.fulfill({ status: 400, json: { Message: 'The log is away.' } }),
  )
  await page.goto(url('admin/logs/data-sync'))
  await expect(page.getByText('The log could not be loaded: The log is away.')).toBeVisible()
})

test('D1-093 D3-134 a super admin sees what a program never used and mails a guide to those who lead it', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/unused-feature-notifications')
  await expect(page.getByRole('heading', { name: 'Unused Feature Notifications' })).toBeVisible()
  await page.getByRole('combobox', { name: /^Never used/ }).click()
  await page.getByRole('option', { name: 'Data sync' }).click()
  await page.getByLabel('Search college or program').fill('Sonography')
  const open = page.getByRole('button', { name: /^Guides: Sonography/ })
  await expect(open).toHaveCount(1)
  await expectAccessible(page, 'unused features')
  await open.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('checkbox', { name: /clock/i })).toBeDisabled()
  // From the last on, for each one counts among those that are ticked still.
  const ticked = await dialog.getByRole('checkbox', { checked: true }).all()
  for (const box of ticked.toReversed()) await box.uncheck()
  await dialog.getByRole('checkbox', { name: 'Data sync' }).check()
  await expectAccessible(page, 'guides')
  await dialog.getByRole('button', { name: 'Mail 1 guide' }).click()
  await expect(page.getByText(/^Mailed Data sync to \d+ (person|people)$/)).toBeVisible()
  await expect(dialog.getByText(/^Mailed .* by super\. Recipients: \d+$/)).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: 'Data sync' })).not.toBeChecked()
})

test('D1-087 D1-088 a director fills a year of the plan where it is, copies it into the next and takes it away', async ({
  page,
}) => {
  await signIn(page, 'director', 'admin/systematic-plans?year=2090')
  await expect(page.getByText('No plan for 2090 yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Add goal' }).first().click()
  await page.getByLabel(/^Goal/).fill('Graduates are employed')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const goal = page.getByRole('region', { name: 'Goal 1' })
  await goal.getByRole('button', { name: 'Add outcome' }).click()
  await page.getByLabel(/^Outcome/).fill('They work within a year')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await goal.getByRole('button', { name: /^Result: / }).click()
  await goal.getByRole('textbox', { name: 'Result' }).fill('92 % of 24')
  // The answer is late: the text that is opened meanwhile keeps the focus.
  const { promise: isOpened, resolve: answer } = Promise.withResolvers<void>()
  await page.route(
    /outcomes\/\d+/,
    async (route) => {
      await isOpened
      await route.continue()
    },
    { times: 1 },
  )
  await goal.getByRole('textbox', { name: 'Result' }).press('Control+Enter')
  await goal.getByRole('button', { name: /^Measure: / }).click()
  await expect(goal.getByRole('textbox', { name: 'Measure' })).toBeFocused()
  answer()
  await expect(goal.getByRole('button', { name: 'Result: 92 % of 24. Edit' })).toBeVisible()
  await goal.getByRole('textbox', { name: 'Measure' }).fill('Survey')
  await goal.getByRole('textbox', { name: 'Measure' }).blur()
  await expect(goal.getByRole('button', { name: 'Measure: Survey. Edit' })).toBeVisible()
  await expect(goal.getByRole('button', { name: 'Result: 92 % of 24. Edit' })).toBeVisible()
  await expectAccessible(page, 'systematic plan')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Excel' }).click()
  expect((await download).suggestedFilename()).toBe('Systematic plan 2090.xlsx')

  await page.getByRole('button', { name: 'Copy into 2091' }).click()
  await expect(page).toHaveURL(/year=2091/)
  await expect(goal.getByRole('button', { name: 'Measure: Survey. Edit' })).toBeVisible()
  await expect(goal.getByRole('button', { name: 'Result: empty. Edit' })).toBeVisible()
  for (const year of [2091, 2090]) {
    await page.goto(url(`admin/systematic-plans?year=${year}`))
    await goal.getByRole('button', { name: 'Delete goal 1' }).click()
    await expect(page.getByText(`No plan for ${year} yet.`)).toBeVisible()
  }
})
