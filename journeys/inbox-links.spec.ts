import { linkIn } from './mailbox.ts'
import { ownInstallation } from './own-installation.ts'
import {
  another,
  closeToasts,
  desktop,
  expect,
  expectGoodScreen,
  forgetSession,
  phone,
  settle,
  signIn,
  test,
  url,
  visitor,
} from './support.ts'

/** Links are mailed: they have their own installation, with a mail server. */
const own = ownInstallation()

const andre = 'andre.adebayo@hospital.example'

test('a supervisor of two colleges does what waits by one link on a phone, within two minutes', async ({
  page,
  browser,
}) => {
  test.slow()
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/inbox-links')
  const row = page.getByRole('row', { name: /Adebayo, Andre/ })
  await expect(row).toContainText('Safari, iPhone')
  await expectGoodScreen(page, 'inbox links')
  await row.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Email a link now' }).click()
  await expect(page.getByText('Emailing a link to Adebayo, Andre')).toBeVisible()
  const email = await own.mailbox.next(andre)
  expect(email.subject).toMatch(/^\d+ items need your attention$/)
  expect(email.html).toContain('Lakeside University')
  expect(email.html).toContain('Harbor College')
  const link = linkIn(email)

  await forgetSession(page)
  await page.setViewportSize(phone)
  const started = Date.now()
  await page.goto(link)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await page.getByLabel('Code').fill(/\d{6}/.exec((await own.mailbox.next(andre)).subject)![0])
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: /items?, about \d+ minutes?/ })).toBeVisible()

  // The other hours, and what was logged on a day, come when they are asked for.
  const waiting = page.getByRole('region', { name: /^Hours, / }).first()
  await expect(waiting.getByRole('listitem')).toHaveCount(4)
  await waiting.getByRole('button', { name: /^\d+ more$/ }).click()
  await expect(waiting.getByRole('listitem').nth(4)).toBeVisible()
  const day = page
    .getByRole('region', { name: /^Procedures, / })
    .first()
    .getByRole('listitem')
    .first()
  await day.getByRole('button').first().click()
  await expect(day.getByRole('button', { name: /^Verify .*day$/ })).toBeVisible()

  for (const college of ['Lakeside University', 'Harbor College']) {
    const hours = page.getByRole('region', { name: new RegExp(`^Hours, .*${college}`) })
    await hours.getByRole('button', { name: /^Approve \d+$/ }).click()
    await expect(page.getByText(/^Approved [\d.]+ h/).first()).toBeVisible()
    const procedures = page.getByRole('region', { name: new RegExp(`^Procedures, .*${college}`) })
    // One student's day, once it was seen.
    const first = procedures.getByRole('listitem').first().getByRole('button').first()
    if ((await first.getAttribute('aria-expanded')) !== 'true') await first.click()
    await procedures
      .getByRole('button', { name: /^Verify .*day$/ })
      .first()
      .click()
    await expect(page.getByText(/^Verified \d+ entr/).first()).toBeVisible()
  }
  const seconds = Math.round((Date.now() - started) / 1_000)
  test.info().annotations.push({ type: 'seconds', description: String(seconds) })
  expect(seconds).toBeLessThan(120)
  await settle(page)
  await expectGoodScreen(page, 'inbox')

  // One shift by itself.
  const hours = page.getByRole('region', { name: /^Hours, / }).first()
  await closeToasts(page)
  await hours.getByRole('listitem').first().getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: /Reject/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Start / })
    .first()
    .click()
  await expect(page.getByText(/0 of \d+ answered/)).toBeVisible()
  await page.getByRole('button', { name: 'Back to the inbox' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /items?, about/ })).toBeVisible()

  // It opens again by itself here, and asks a code elsewhere.
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /items?, about/ })).toBeVisible()
  const elsewhere = await visitor(browser)
  const other = elsewhere.page
  await other.goto(link)
  await expect(other.getByRole('button', { name: 'Email me a code' })).toBeVisible()
  await elsewhere.leave()

  const { page: desk, leave } = await another(browser, 'coordinator', { at: 'admin/inbox-links' })
  const again = desk.getByRole('row', { name: /Adebayo, Andre/ })
  await again.getByRole('button', { name: /^More/ }).click()
  await desk.getByRole('menuitem', { name: 'Withdraw link' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Withdraw link' }).click()
  await expect(again).toContainText('Withdrawn')
  await leave()
  await page.goto(link)
  await expect(page.getByText('This link no longer works', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Email me a new link' })).toBeVisible()
  expect(page.url()).toContain(url('inbox/'))
})
