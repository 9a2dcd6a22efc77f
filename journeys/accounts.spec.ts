import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { linkIn } from './mailbox.ts'
import { ownInstallation } from './own-installation.ts'
import {
  answerProofs,
  changeAnswers,
  expect,
  expectAccessible,
  expectGoodScreen,
  forgetSession,
  leaveProofs,
  phone,
  signIn,
  test,
  url,
  visitor,
} from './support.ts'

/** Sign-in changes accounts and reads mail: it has its own installation, with a mail server. */
const own = ownInstallation()

const password = 'Kingfisher-7-lake'
const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
/** Codes change every 30 seconds: one read just before would be too old. */
const youngStep = (): Promise<void> =>
  expect.poll(() => 30_000 - (Date.now() % 30_000)).toBeGreaterThan(5_000)
const ask = async (page: Page, email: string): Promise<void> => {
  await page.goto(url('auth/passwordless'))
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
}
const codeIn = ({ subject }: { subject: string }): string => /\d{6}/.exec(subject)![0]

test('D1-023 D1-187 D1-221 D1-224 D1-229 D1-244 D1-245 D1-311 D1-313 D1-314 a member of faculty signs in by the mailed code', async ({
  page,
}) => {
  await page.goto(url('login'))
  await page.getByRole('link', { name: 'Email me a sign-in link' }).click()
  await expect(page).toHaveURL(/auth\/passwordless$/)
  await expect(page).toHaveTitle(/Sign in/)
  await expectGoodScreen(page, 'asking for a link')
  await page.getByLabel('Email', { exact: true }).fill('not an address')
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('alert')).toContainText('Please enter a valid email address')
  await page.route('**/magic-links', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByLabel('Email', { exact: true }).fill('faculty@example.org')
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('alert')).toContainText('Error requesting login email')
  await page.unroute('**/magic-links')
  await ask(page, 'faculty@example.org')
  await expect(page.getByRole('status').first()).toHaveText(
    'If you have an account in our system, you will receive an email with a login link shortly.',
  )
  await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('readonly', '')
  const older = codeIn(await own.mailbox.next('faculty@example.org'))
  await page.getByRole('button', { name: 'Back' }).click()
  await ask(page, 'faculty@example.org')
  const newest = codeIn(await own.mailbox.next('faculty@example.org'))
  await page.getByLabel('6-digit code').fill(older)
  await page.getByRole('button', { name: 'Log Me In' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Only the most recent code works.')
  expect(await alert.textContent()).toContain('Something went wrong.  Please check your code and try again.')
  await expectGoodScreen(page, 'a wrong code')
  await page.getByLabel('6-digit code').fill(newest)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/admin\/home$/)
})

test('D1-222 D1-223 D1-226 D1-227 D1-316 the mailed link signs in by itself, once, and then says that it has expired', async ({
  page,
}) => {
  await ask(page, 'supervisor@example.org')
  const link = linkIn(await own.mailbox.next('supervisor@example.org'))
  await page.route('**/magic-links/login*', async (route) => {
    await expect(page.getByText('Logging you in...')).toBeVisible()
    await route.continue()
  })
  await page.goto(link)
  await expect(page.getByRole('link', { name: /Approve hours/ })).toBeVisible()
  await forgetSession(page)
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('This sign-in link has expired')
  await expectGoodScreen(page, 'an expired link')
})

test('D1-228 D1-315 D1-312 a sign-in that fails says so and begins again; without an answer the fallback is there', async ({
  page,
}) => {
  await ask(page, 'director@example.org')
  const link = linkIn(await own.mailbox.next('director@example.org'))
  await page.route('**/magic-links/login*', (route) => route.fulfill({ status: 503, json: { Message: 'x' } }))
  await page.goto(link)
  await expect(page.getByRole('alert')).toHaveText('Error logging in. Please try again.')
  await expect(page).toHaveURL(/passwordless$/)
  await page.route('**/magic-links', (route) => route.abort())
  await page.getByLabel('Email', { exact: true }).fill('director@example.org')
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Error requesting login email. Please check you email address and try again.',
  )
})

test('D1-013 D1-101 D1-103 D1-104 D1-105 D1-106 D1-107 D1-108 D1-109 D1-110 D1-111 D1-213 D1-214 D1-215 D1-235 D1-304 D1-306 D1-318 D1-319 a student sets up an authenticator, signs in with it, and disables it', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'more')
  await page.getByRole('link', { name: 'Authenticator' }).click()
  await expect(page.getByText('You currently do not have an authenticator configured.')).toBeVisible()
  await expect(page.getByText('use an authenticator app instead of an email address to log in')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close' })).toBeVisible()
  await expectGoodScreen(page, 'no authenticator')
  await page.getByRole('button', { name: 'Enable Authenticator' }).click()
  const picture = page.getByRole('img', { name: 'QR code for the authenticator app' })
  await expect(picture).toHaveAttribute('width', '256')
  await expectGoodScreen(page, 'the QR code')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('You currently do not have an authenticator configured.')).toBeVisible()

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Enable Authenticator' }).click()
  const secret = await page.locator('code').innerText()
  await page.getByRole('button', { name: 'Copy key' }).click()
  const toast = page.getByText('Secret copied to clipboard')
  await expect(toast).toBeVisible()
  const box = (await page.locator('[data-place="top-center"]').boundingBox())!
  expect(Math.abs(box.x + box.width / 2 - 640)).toBeLessThan(20)
  await expect(toast).toBeHidden({ timeout: 2_500 })
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

  await page.getByLabel('6-digit code').fill('000000')
  await page.getByRole('button', { name: 'Save' }).click()
  // At the field, where it stays, besides the message that goes.
  await expect(page.getByText(/That code is not right/).first()).toBeVisible()
  // The code before the running one also counts, and leaves the running one for the sign-in below.
  await youngStep()
  await page.getByLabel('6-digit code').fill(codeOf(secret, -1))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enabled', { exact: true })).toBeVisible()
  const codes = page.getByRole('region', { name: 'Recovery codes' }).locator('code')
  await expect(codes).toHaveCount(10)
  const recovery = await codes.first().innerText()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('practicum-recovery-codes.txt')
  await expectGoodScreen(page, 'recovery codes')
  await page.reload()
  await expect(page.getByText('10 of 10 left.')).toBeVisible()

  await forgetSession(page)
  await page.goto(url('login'))
  await page.getByLabel('User name').fill('student')
  await page.getByLabel('Password', { exact: true }).fill('Bluebird-42-harbor')
  await page.keyboard.press('Enter')
  await page.getByLabel('Authenticator code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('That code is not right')
  await expectGoodScreen(page, 'sign-in with a code')
  await page.getByLabel('Authenticator code').fill(codeOf(secret))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/clock$/)

  await forgetSession(page)
  await ask(page, 'student@example.org')
  // Notices of the authenticator, of its recovery codes and of a new device come to the same mailbox.
  let message = await own.mailbox.next('student@example.org')
  while (!/sign-in code/.test(message.subject)) message = await own.mailbox.next('student@example.org')
  await page.goto(linkIn(message))
  await page.getByLabel('Authenticator code').fill(recovery)
  await page.getByRole('button', { name: 'Log Me In' }).click()
  await expect(page).toHaveURL(/\/clock$/)

  await page.goto(url('totp-settings'))
  await expect(page.getByRole('button', { name: 'Close' })).toBeHidden()
  await page.getByRole('button', { name: 'Disable Authenticator' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    'Are you sure you want to disable your authenticator? You will need to create a new one if you re-enable this feature.',
  )
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password or an authenticator code').fill('not my password')
  await dialog.getByRole('button', { name: 'Disable Authenticator' }).click()
  await expect(dialog).toContainText('your authenticator is still on')
  await expectGoodScreen(page, 'disabling the authenticator')
  await dialog.getByLabel('Your password or an authenticator code').fill('Bluebird-42-harbor')
  await dialog.getByRole('button', { name: 'Disable Authenticator' }).click()
  await expect(page.getByText('You currently do not have an authenticator configured.')).toBeVisible()
})

test('A57 a wrong code stays told at its field, and an empty code costs none of the five attempts', async ({
  page,
}) => {
  await ask(page, 'faculty2@example.org')
  const code = codeIn(await own.mailbox.next('faculty2@example.org'))
  for (let attempt = 0; attempt < 6; attempt++) {
    await page.getByRole('button', { name: 'Log Me In' }).click()
    await expect(page.getByText('Enter all 6 digits of the code.')).toBeVisible()
  }
  await page.getByLabel('6-digit code').fill(code)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/admin\/home$/)

  await page.goto(url('admin/totp-settings'))
  await page.getByRole('button', { name: 'Enable Authenticator' }).click()
  const field = page.getByLabel('6-digit code')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(field).toHaveAccessibleDescription(/Enter all 6 digits of the code\./)
  await field.fill('000000')
  const toast = page.locator('[data-place="top-center"]').getByText(/That code is not right/)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast).toBeVisible()
  await expect(toast).toBeHidden()
  await expect(field).toHaveAccessibleDescription(/That code is not right/)
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expectGoodScreen(page, 'a wrong code at its field')
  await field.fill('1')
  await expect(page.getByText(/That code is not right/)).toHaveCount(0)
})

test('D1-092 D1-102 D1-305 D1-307 staff have the authenticator in the admin shell, and are told when copying fails', async ({
  page,
}) => {
  await signIn(page, 'faculty', 'admin/totp-settings')
  await expect(page.getByRole('heading', { name: 'Totp Settings' })).toBeVisible()
  await expectGoodScreen(page, 'Totp Settings')
  await page.getByRole('button', { name: 'Enable Authenticator' }).click()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
  })
  await page.getByRole('button', { name: 'Copy key' }).click()
  await expect(page.getByText('Failed to copy text')).toBeVisible()
  await changeAnswers(page, () => [])
  await page.route('**/api/state', (route) => route.fulfill({ status: 404, json: { Message: 'x' } }))
  await page.goto(url('totp-settings'))
  await expect(page.getByText('An Unknown Error Occurred. Please try again.')).toBeVisible()
})

test('D1-225 D1-181 somebody registers, is approved, signs in among several accounts, and changes the address', async ({
  page,
  browser,
}) => {
  const email = 'ada.renner@example.org'
  const { page: newcomer } = await visitor(browser)
  const register = async (userName: string): Promise<void> => {
    await forgetSession(page)
    await signIn(page, userName, 'admin/program-settings')
    await page.getByRole('button', { name: 'Turn on registration' }).click()
    await expect(page.getByLabel('Registration link')).toBeVisible()
    const link = await page.getByLabel('Registration link').inputValue()
    await newcomer.goto(link)
    await newcomer.getByRole('button', { name: 'Register' }).click()
    await expect(newcomer.getByText('This field is required').first()).toBeVisible()
    await expectGoodScreen(newcomer, 'registration')
    const values = {
      'First name': 'Ada',
      'Last name': 'Renner',
      Email: email,
      'Primary phone': '(508) 555-0100',
      ZIP: '02740',
    }
    for (const [label, value] of Object.entries(values))
      await newcomer.getByLabel(label, { exact: true }).fill(value)
    await newcomer.getByRole('button', { name: 'Register' }).click()
    await expect(newcomer.getByRole('status').first()).toContainText(`We emailed a link to ${email}`)
    await newcomer.goto(linkIn(await own.mailbox.next(email)))
    await newcomer.getByLabel('New password').fill(password)
    await newcomer.getByLabel('Repeat password').fill(password)
    await expectGoodScreen(newcomer, 'finishing the registration')
    await newcomer.getByRole('button', { name: 'Finish registration' }).click()
    await expect(newcomer.getByText(/Your registration was received/)).toBeVisible()
    expect((await own.mailbox.next(email)).subject).toBe('Your registration was received')
  }
  const approve = async (): Promise<void> => {
    await page.goto(url('admin/manage-users?status=waiting'))
    const row = page.getByRole('row', { name: /Renner, Ada/ })
    await expectGoodScreen(page, 'registrants that wait')
    await row.hover()
    await row.getByRole('button', { name: /Approve as/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectGoodScreen(page, 'approving a registrant')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(row).toHaveCount(0)
    expect((await own.mailbox.next(email)).subject).toMatch(/^Welcome to /)
  }
  await register('coordinator')
  await approve()
  await register('coordinator2')
  await approve()

  await ask(newcomer, email)
  await newcomer.goto(linkIn(await own.mailbox.next(email)))
  await expect(newcomer.getByRole('heading', { name: 'Which account?' })).toBeVisible()
  await expect(newcomer.getByRole('button', { name: 'Nursing - arenner2' })).toBeVisible()
  await expectGoodScreen(newcomer, 'the choice of an account')
  await newcomer.getByRole('button', { name: 'Radiography - arenner' }).click()
  const account = newcomer.getByRole('button', { name: 'Account of Ada Renner' })
  await account.click()
  await expect(newcomer.getByRole('menuitem', { name: /Switch to/ })).toBeVisible()
  const entries = await newcomer.getByRole('menuitem').allInnerTexts()
  expect(entries.map((entry) => entry.split('\n')[0])).toEqual([
    'Switch to arenner2',
    'Employment Information',
    'Who saw my record',
    'Change/Confirm Email',
    'Change Password',
    'Preferences',
    'Authenticator',
    'Where you are signed in',
    'User Guide',
    'Logout',
  ])
  await newcomer.getByRole('menuitem', { name: /Switch to arenner2/ }).click()
  await expect(newcomer.getByText('Nursing', { exact: true }).first()).toBeVisible()

  await newcomer.goto(url('change-email'))
  await expect(newcomer.getByText('Confirmed', { exact: true })).toBeVisible()
  await expectGoodScreen(newcomer, 'changing the address')
  // The shell of wide screens is back.
  await expect(newcomer.getByRole('button', { name: 'MENU' })).toBeVisible()
  leaveProofs(newcomer)
  await newcomer.getByRole('textbox', { name: 'Email' }).fill('ada@home.example')
  await newcomer.getByRole('button', { name: /Email a link to the new address/ }).click()
  // No sign-in proves this, nor the switch from another account.
  const proof = newcomer.getByRole('dialog', { name: 'Confirm that it is you' })
  await expectGoodScreen(newcomer, 'the proof')
  await proof.getByLabel('Password', { exact: true }).fill(password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect(proof).toBeHidden()
  answerProofs(newcomer)
  await expect(newcomer.getByText('Link emailed to ada@home.example')).toBeVisible()
  await expect(newcomer.getByText('ada@home.example is not confirmed yet')).toBeVisible()
  await newcomer.goto(linkIn(await own.mailbox.next('ada@home.example')))
  await expectGoodScreen(newcomer, 'confirming the address')
  await newcomer.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(newcomer.getByText('ada@home.example is confirmed.')).toBeVisible()
  await newcomer.goto(url('change-email'))
  await expect(newcomer.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@home.example')
})

test('D1-183 a demo coordinator sets preferences, and the next session begins with them', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/home')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Change/Confirm Email' })).toBeHidden()
  await page.getByRole('menuitem', { name: 'Preferences' }).click()
  await expect(page.getByRole('heading', { name: 'Preferences' })).toBeVisible()
  await expectGoodScreen(page, 'preferences')
  await page.getByRole('combobox', { name: 'First page' }).click()
  await page.getByRole('option', { name: 'Approve Time Records' }).click()
  await page.getByLabel('Keep menu expanded').check()
  await page.getByRole('combobox', { name: 'Appearance' }).click()
  await page.getByRole('option', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Preferences saved')).toBeVisible()
  await forgetSession(page)
  await signIn(page, 'coordinator')
  await expect(page).toHaveURL(/admin\/approve-time-records$/)
  await expect(page.getByRole('button', { name: 'MENU' })).toHaveAttribute('aria-expanded', 'true')
})

test('an administrator views as a student without changing anything, and stops', async ({ page }) => {
  await signIn(page, 'admin', 'admin/manage-users?search=student')
  const row = page.getByRole('row', { name: /student@example\.org/ })
  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'View as' }).click()
  const bar = page.getByRole('region', { name: 'View as' })
  await expect(bar).toContainText('Changes are disabled.')
  await expect(page.getByRole('button', { name: /Clock in|Clock out/ })).toBeVisible()
  await expectGoodScreen(page, 'viewing as a student')
  await page.goto(url('change-password'))
  await page.getByLabel('Old password').fill('x')
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Repeat password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/You are viewing as .*, so nothing was changed/)).toBeVisible()
  await bar.getByRole('button', { name: 'Stop viewing' }).click()
  await expect(page.getByRole('heading', { name: 'Manage users' })).toBeVisible()
  await expect(bar).toBeHidden()
})

test('staff of a program that requires an authenticator set it up before anything else', async ({
  page,
  browser,
}) => {
  await signIn(page, 'super', 'admin/manage-programs')
  await page
    .getByRole('row', { name: /Lakeside University Nursing/ })
    .getByText('Lakeside University')
    .click()
  await page.getByLabel('Staff need an authenticator to sign in (2FA)').check()
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText(/Saved/).first()).toBeVisible()

  const { page: staff, leave } = await visitor(browser)
  await staff.goto(url('admin/sites'))
  await staff.getByLabel('User name').fill('coordinator2')
  await staff.getByLabel('Password', { exact: true }).fill('Bluebird-42-harbor')
  await staff.keyboard.press('Enter')
  await expect(staff).toHaveURL(/totp-settings$/)
  await expect(staff.getByRole('note')).toContainText('requires an authenticator for staff')
  await expectGoodScreen(staff, 'an authenticator that is required')
  await staff.goto(url('admin/home'))
  await expect(staff).toHaveURL(/totp-settings$/)
  await staff.getByRole('button', { name: 'Enable Authenticator' }).click()
  await expect(staff.locator('code')).toBeVisible()
  await staff.getByLabel('6-digit code').fill(codeOf(await staff.locator('code').innerText()))
  await staff.keyboard.press('Enter')
  await staff.getByRole('link', { name: 'Continue to Practicum' }).click()
  await expect(staff).toHaveURL(/admin\//)
  await expect(staff.getByRole('button', { name: 'MENU' })).toBeVisible()
  await leave()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`A79 the link of an email turns its kind off and on again on a phone, without a sign-in (${colorScheme})`, async ({
    page,
    browser,
  }) => {
    await signIn(page, 'super', 'admin/scheduled-emails?status=4&failed=true')
    await page
      .getByRole('row', { name: /Your next shifts/ })
      .first()
      .getByRole('button', { name: /^More for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Send again' }).click()
    const { unsubscribe } = await own.mailbox.next('student3@example.org')

    const context = await browser.newContext({ viewport: phone, colorScheme })
    const plain = await context.newPage()
    await plain.goto(unsubscribe)
    await expect(plain.getByRole('heading', { name: 'Turn off these emails?' })).toBeVisible()
    await expect(
      plain.getByText('Emails about shifts added to your schedule would no longer be sent to'),
    ).toBeVisible()
    await expectAccessible(plain, 'turn off')
    const off = plain.getByRole('button', { name: 'Turn off' })
    expect((await off.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    await off.click()
    await expect(plain.getByRole('heading', { name: 'Turned off' })).toBeVisible()
    await expectAccessible(plain, 'turned off')
    await plain.getByRole('button', { name: 'Undo' }).click()
    await expect(plain.getByRole('heading', { name: 'Turned on again' })).toBeVisible()
    await expectAccessible(plain, 'turned on again')
    await context.close()
  })
