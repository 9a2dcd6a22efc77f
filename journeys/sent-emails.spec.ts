import { desktop, expect, expectGoodScreen, phone, signIn, test, write } from './support.ts'

test('A78 a coordinator attaches a file, schedules an email, finds it under Sent emails and cancels it', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-users?search=alumnus')
  await page
    .getByRole('row')
    .filter({ hasText: 'alumnus@example.org' })
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Send email' }).click()
  await expect(page.getByRole('note').filter({ hasText: 'No mail server is set.' })).toBeVisible()
  const [year, month, day] = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10).split('-')
  const sendDate = `${month}/${day}/${year}`
  const subject = `Badges ${Date.now()}`
  await page.getByLabel(/^Subject/).fill(subject)
  await write(page.getByRole('textbox', { name: 'Message' }), 'Hello {{firstName}}.')
  await page
    .locator('input[type="file"]')
    .last()
    .setInputFiles([
      { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Bring your badge.') },
      { name: 'tool.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0x4d, 0x5a, 0, 1]) },
    ])
  const files = page.getByRole('list', { name: 'Attachments' })
  await expect(files.getByText('plan.txt')).toBeVisible()
  await expect(files.getByText('tool.bin')).toHaveCount(0)
  await expect(page.getByText(/^tool\.bin is no(t a)? PDF/)).toBeVisible()
  await page.getByLabel(/^Send on/).fill(sendDate)
  await page.getByRole('button', { name: 'Send emails' }).click()
  await expect(page.getByRole('alert').first()).toContainText('Choose the time to send it.')
  await page.getByLabel(/^at/).fill('8:00 AM')
  await page.getByLabel(/^at/).press('Tab')
  await expectGoodScreen(page, 'send email with a file')
  await page.getByRole('button', { name: 'Send emails' }).click()
  await expect(page).toHaveURL(/send-status$/)

  await page.goto(new URL('sent', page.url()).href)
  const row = page.getByRole('row').filter({ hasText: subject })
  await expect(row).toContainText('1 attachment')
  await expect(row).toContainText(`goes out ${sendDate}`)
  await expectGoodScreen(page, 'sent emails')
  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Cancel sending' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel sending' }).click()
  await expect(page.getByText('1 email will not be sent')).toBeVisible()
  await expect(row).toContainText('Canceled by')
})

test('A78 the list of sent emails on a phone', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'coordinator', 'admin/emails/sent')
  await expect(page.getByRole('heading', { name: 'Sent emails' })).toBeVisible()
  await expectGoodScreen(page, 'sent emails on a phone')
  await page.setViewportSize(desktop)
})
