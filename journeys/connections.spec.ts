import { startOpenIdProvider } from '../server/test/openid-provider.ts'
import { closeToasts, expect, expectAccessible, signIn, test, url, visitor } from './support.ts'

test('a super admin connects a college by OpenID Connect, tests it, and a student links their account and comes in by it', async ({
  page,
  browser,
}) => {
  const op = await startOpenIdProvider()
  op.page.subject = 'student-at-harbor'
  const choose = async (field: RegExp, option: RegExp) => {
    await page.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option }).first().click()
  }
  const act = async (action: string) => {
    const row = page.getByRole('row', { name: /Journey Harbor College/ })
    await row.hover()
    await row.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  try {
    await signIn(page, 'super', 'admin/connections')
    await page.getByRole('button', { name: 'Add connection' }).first().click()
    await expect(page).toHaveURL(url('admin/connections/new'))
    await expect(page.getByText('open without HTTPS')).toBeVisible()
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page.getByText('This field is required').first()).toBeVisible()
    await expectAccessible(page, 'new connection with errors')
    await page.getByLabel('Name').fill('Journey Harbor College')
    await page.getByLabel('Issuer').fill(op.issuer)
    await page.getByLabel('Client ID').fill(op.clientId)
    await page.getByRole('textbox', { name: 'Client secret' }).fill('wrong at first')
    await choose(/^Program/, /Radiography/)
    await choose(/^Highest level/, /^Student$/)
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page).toHaveURL(url('admin/connections'))
    const row = page.getByRole('row', { name: /Journey Harbor College/ })
    await expect(row).toContainText('Not used yet')

    await act('Test')
    await expect(page.getByRole('dialog')).toContainText('client secret is wrong')
    await expectAccessible(page, 'test of a connection')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await expect(row).toContainText('Failing')
    await row.click()
    await page.getByRole('textbox', { name: 'Client secret' }).fill(op.clientSecret)
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page).toHaveURL(url('admin/connections'))
    await act('Test')
    await expect(page.getByRole('dialog')).toContainText('it knows this client')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await expect(row).toContainText('Working')
    await expectAccessible(page, 'connections')

    const visit = await visitor(browser)
    const guest = visit.page
    await guest.goto(url('login'))
    await guest.getByRole('link', { name: 'Sign in with your college' }).click()
    await guest.getByRole('link', { name: 'Yes, it is me' }).click()
    await expect(guest.getByRole('heading', { name: 'Link your account' })).toBeVisible()
    await expectAccessible(guest, 'link an account')
    await guest.getByLabel('User name').fill('student')
    await guest.getByRole('textbox', { name: 'Password' }).fill('Bluebird-42-harbor')
    await guest.getByRole('button', { name: 'Link and sign in' }).click()
    await guest.waitForURL(url('clock'))
    await visit.leave()

    await page.getByRole('row', { name: /Journey Harbor College/ }).click()
    const program = page
      .getByRole('region', { name: 'Connected programs' })
      .getByRole('row', { name: /Radiography/ })
    await expect(program).toContainText('Student')
    await program.hover()
    await program.getByRole('button', { name: /^Change level/ }).click()
    await page.getByRole('dialog').getByRole('combobox').click()
    await page.getByRole('option', { name: 'Faculty', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(program).toContainText('Faculty')
    await expectAccessible(page, 'a connection with its programs')

    // Its directory: turned on, it sends a group, which gives a level; then it is turned off again.
    await program.hover()
    await program.getByRole('button', { name: /^Provisioning/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Provisioning of/ })
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const key = await dialog.getByRole('textbox', { name: /^Key for/ }).inputValue()
    const sent = await page.request.post(url('../scim/v2/Groups'), {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' },
      data: JSON.stringify({ displayName: 'Journey teachers' }),
    })
    expect(sent.status()).toBe(201)
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(dialog.getByText('The key works')).toBeVisible()
    await dialog.getByLabel('Key to test').fill('scim_of_somebody_else')
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(dialog.getByText('This key is unknown')).toBeVisible()
    await closeToasts(page)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await program.hover()
    await program.getByRole('button', { name: /^Provisioning/ }).click()
    await expect(dialog.getByText('Journey teachers', { exact: true })).toBeVisible()
    await expectAccessible(page, 'provisioning')
    await dialog.getByRole('combobox', { name: 'Level of Journey teachers' }).click()
    await page.getByRole('option', { name: 'Student', exact: true }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Provisioning saved')).toBeVisible()
    await program.hover()
    await program.getByRole('button', { name: /^Provisioning/ }).click()
    await expect(dialog.getByRole('combobox', { name: 'Level of Journey teachers' })).toContainText('Student')
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    const question = page.getByRole('dialog').filter({ hasText: 'Turn off provisioning of' })
    await question.getByRole('button', { name: 'Turn off' }).click()
    await expect(page.getByText('Provisioning is off.')).toBeVisible()
    await page.getByLabel('Name, user name, email or name at the provider').fill('student-at-harbor')
    const linked = page.getByRole('row', { name: /student@example\.org/ })
    await expect(linked).toContainText('student-at-harbor')
    await expectAccessible(page, 'a connection with its people')

    const { page: again, leave } = await visitor(browser)
    await again.goto(url('login'))
    await again.getByRole('link', { name: 'Sign in with your college' }).click()
    await again.getByRole('link', { name: 'Yes, it is me' }).click()
    await again.waitForURL(url('clock'))
    await leave()
    await linked.getByRole('button', { name: 'Delete student' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Unlinked student')).toBeVisible()
  } finally {
    await page.goto(url('admin/connections'))
    await act('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Deleted Journey Harbor College')).toBeVisible()
    await op.stop()
  }
})
