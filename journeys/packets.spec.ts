import { linkIn } from './mailbox.ts'
import { ownInstallation } from './own-installation.ts'
import { desktop, expect, expectGoodScreen, forgetSession, phone, signIn, test, url } from './support.ts'

/** Packets are mailed: they have their own installation, with a mail server. */
const own = ownInstallation()

test('a site packet opens by its link and a mailed code until it is withdrawn', async ({ page }) => {
  test.slow()
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/requirements/packets')
  await expect(page.getByText('Marion Pell')).toBeVisible()
  await expectGoodScreen(page, 'packets')
  await page.getByRole('button', { name: 'Share packet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: /Site/ }).click()
  await page.getByRole('option', { name: /Harbor General/ }).click()
  await expect(dialog.getByRole('checkbox').first()).toBeVisible()
  await dialog.getByLabel(/^Recipient’s name/).fill('Grace Sample')
  await dialog.getByLabel(/^Recipient’s email/).fill('grace@site.example')
  await expectGoodScreen(page, 'sharing a packet')
  await dialog.getByRole('button', { name: /^Share with/ }).click()
  await expect(page.getByText('Emailed the link to Grace Sample')).toBeVisible()
  const email = await own.mailbox.next('grace@site.example')
  const link = linkIn(email)
  expect(link).toMatch(/\/new\/packet\//)

  // The recipient has no account, and another device.
  await forgetSession(page)
  await page.setViewportSize(phone)
  await page.goto(link)
  await expect(page.getByText('For Grace Sample')).toBeVisible()
  await expectGoodScreen(page, 'a link before its code')
  await page.getByRole('button', { name: 'Email me a code' }).click()
  const { subject } = await own.mailbox.next('grace@site.example')
  const code = /\d{6}/.exec(subject)![0]
  await page.getByLabel('Code').fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByText(/This code is wrong/)).toBeVisible()
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('heading', { name: /Harbor General/ })).toBeVisible()
  await expect(page.getByText(/FERPA/)).toBeVisible()
  await expectGoodScreen(page, 'an opened packet')
  // On the same device it opens by itself.
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: /Harbor General/ })).toBeVisible()

  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/requirements/packets')
  const row = page.getByRole('row').filter({ hasText: 'Grace Sample' })
  await expect(row).toContainText('2 times')
  await row.hover()
  await row.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('Withdrew the packet. Its link opens nothing now.')).toBeVisible()
  await forgetSession(page)
  await page.goto(link)
  await expect(page.getByText('This link no longer works', { exact: true })).toBeVisible()
})

test('a site is told with the consent of each student alone, where its basis says so', async ({ page }) => {
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/requirements/sites')
  await expect(page.getByText('Consent of each student')).toBeVisible()
  await expectGoodScreen(page, 'site requirements')
  await page.getByText('Consent of each student').click()
  await expect(page.getByLabel(/^Purpose/)).toHaveValue(/Placement at/)
  await expectGoodScreen(page, 'requirements of a site')
  await page.goto(url('admin/requirements/packets'))
  await expect(page.getByText('Marion Pell')).toBeVisible()
})
