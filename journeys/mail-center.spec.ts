import type { Page } from '@playwright/test'
import { expect, expectAccessible, signIn, test, url } from './support.ts'

interface Template {
  ID: number
  Label: string
  IsEnabled: boolean
}

const templates = (page: Page): Promise<Template[]> =>
  page.evaluate(() => fetch('../api/mail-templates').then((response) => response.json()))
const rowOf = (page: Page, label: string) => page.getByRole('row').filter({ hasText: label })
const labels = async (page: Page): Promise<string[]> => page.locator('tbody code').allTextContents()
/** Other journeys read the emails of other templates: only this one is changed. */
const label = 'OTHER_test'

test('D1-058 D2-041 D2-042 D2-043 D2-044 D2-045 D2-046 D2-047 D2-048 D2-204 a super admin switches, orders and tries templates', async ({
  page,
}) => {
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await signIn(page, 'super', `admin/mail-center#${label}`)
  const row = rowOf(page, label)
  await expect(row).toContainText('Shows whether mail arrives.')
  await expect(row).toBeInViewport()
  await expect(rowOf(page, 'TIME_unmatched')).not.toBeInViewport()

  const notify = page.getByRole('button', { name: 'Send Test Notification' })
  const active = row.getByRole('checkbox', { name: 'Active: Test notification' })
  // Two presses before the first is answered: the box stays as it was pressed last, and the last one is what is kept.
  const isOn = () => templates(page).then((all) => all.find(({ Label }) => Label === label)?.IsEnabled)
  let asked = 0
  const holdChanges = async (): Promise<() => void> => {
    const held = Promise.withResolvers<void>()
    await page.route('**/mail-templates/*/enabled*', async (route) => {
      asked++
      await held.promise
      await route.continue()
    })
    return held.resolve
  }
  const release = await holdChanges()
  await active.click()
  await expect(active).not.toBeChecked()
  await active.click()
  await expect(active).toBeChecked()
  const answers: boolean[] = []
  // The first one asks for the proof before it is answered.
  page.on(
    'response',
    (answer) => /enabled/.test(answer.url()) && answer.status() !== 403 && answers.push(answer.ok()),
  )
  await expect.poll(() => asked).toBe(1)
  release()
  await expect(async () => {
    await expect(active).toBeChecked()
    expect(answers.length).toBeGreaterThan(0)
  }).toPass()
  await expect.poll(() => answers).toEqual([true, true])
  await expect.poll(isOn).toBe(true)
  await page.unroute('**/mail-templates/*/enabled*')

  await active.click()
  await expect(active).not.toBeChecked()
  await expect(notify).toHaveAttribute('aria-disabled', 'true')
  // Pressed before the switch has arrived, the button waits for it.
  const arrive = await holdChanges()
  await active.click()
  await expect(active).toBeChecked()
  await expect(notify).not.toHaveAttribute('aria-disabled', 'true')
  await notify.click()
  arrive()
  await expect(page.getByText(/^Queued for super@example.org/)).toBeVisible()
  await page.unroute('**/mail-templates/*/enabled*')

  const place = () => labels(page).then((all) => all.indexOf(label))
  const before = await place()
  await row.hover()
  await row.getByRole('button', { name: 'Move up: Test notification' }).click()
  await expect.poll(place).toBe(before - 1)
  await row.hover()
  await row.getByRole('button', { name: 'Move down: Test notification' }).click()
  await expect.poll(place).toBe(before)

  const other = rowOf(page, 'CUSTOM_report')
  await other.hover()
  const sent = page.waitForResponse((response) => /mail-templates\/\d+\/test$/.test(response.url()))
  await other.getByRole('button', { name: /^Send test email/ }).click()
  expect((await sent).status()).toBe(200)

  // A change that fails puts the box back and marks the row; nothing else is said.
  await page.route('**/mail-templates/*/enabled*', (route) =>
    route.fulfill({ status: 409, json: { Message: 'It was refused.' } }),
  )
  await active.click()
  await expect(row.getByRole('img', { name: 'The last change was not saved: It was refused.' })).toBeVisible()
  await expect(active).toBeChecked()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(logged.join('\n')).toMatch(/409/)
  await expectAccessible(page, 'mail center')

  await row.hover()
  await row.getByRole('button', { name: 'Edit: Test notification' }).click()
  await expect(page).toHaveURL(/\/admin\/mail-center\/edit\?id=\d+$/)
  expect(await page.evaluate(() => history.state.description)).toContain('Shows whether mail arrives.')
})

test('D1-059 D1-060 D2-049 D2-051 D2-053 D2-054 D2-056 D2-057 D2-058 D2-059 D2-060 D2-061 D2-204 a super admin edits a template and its description', async ({
  page,
  browser,
}) => {
  await signIn(page, 'super', 'admin/mail-center')
  const { ID } = (await templates(page)).find((each) => each.Label === label)!
  const edit = url(`admin/mail-center/edit?id=${ID}`)
  await page.goto(edit)
  const subject = page.getByLabel('Subject')
  await expect(subject).toHaveValue('Test notification')
  for (const name of ['From', 'To', 'CC'])
    await expect(page.getByLabel(name, { exact: true })).toHaveValue('')
  await expect(page.getByRole('region', { name: 'Legend' })).toContainText('{{user.name}}')
  await expect(page.getByText('Additional Settings', { exact: true })).toBeVisible()
  await expect(page.getByLabel('How the email begins')).toHaveValue('Hello')
  await expect(page.getByRole('textbox', { name: 'Email', exact: true })).toContainText('Mail works.')
  await expectAccessible(page, 'mail template')

  await page.getByRole('link', { name: 'Edit the description' }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/mail-center/edit-description\\?id=${ID}$`))
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  await expect(description).toContainText('Shows whether mail arrives.')
  await expectAccessible(page, 'description of a template')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(edit)
  await page.getByRole('link', { name: 'Edit the description' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(edit)

  await page.getByLabel('To', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('nobody is not a valid email address.')).toBeVisible()
  // A failure of saving is shown by the sign beside the title only.
  await page.getByLabel('To', { exact: true }).fill('{{user.email}}')
  await page.route(`**/api/mail-templates/${ID}`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { Message: 'Come back later.' } })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('img', { name: /^The last attempt to save failed: Come back/ })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.unroute(`**/api/mail-templates/${ID}`)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/mail-center#${label}$`))

  await page.goto(edit)
  await page.getByRole('button', { name: 'Discard them' }).click()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('')
  await page.getByLabel('How the email begins').fill('Good day')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/mail-center#${label}$`))
  await expect(rowOf(page, label)).toBeInViewport()
  await page.goto(edit)
  const greeting = page.getByLabel('How the email begins')
  await expect(greeting).toHaveValue('Good day')
  await greeting.fill('Hello')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/#/)

  const tablet = await browser.newContext({
    storageState: await page.context().storageState(),
    userAgent: 'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15',
    viewport: { width: 820, height: 1180 },
  })
  const pad = await tablet.newPage()
  await pad.goto(url(`admin/mail-center/edit?id=${(await templates(page)).at(0)!.ID}`))
  const plain = pad.getByRole('textbox', { name: 'Email', exact: true })
  await expect(plain).toHaveValue(/Hello \{\{student\.firstName\}\},\n/)
  expect(await plain.evaluate((element) => element.tagName)).toBe('TEXTAREA')
  await expect(pad.getByText('the formatting is lost').first()).toBeVisible()
  await tablet.close()
})
