import { startOpenIdProvider } from '../server/test/openid-provider.ts'
import { expect, expectAccessible, signIn, test, url } from './support.ts'

test('a super admin connects a college by OpenID Connect, tests it, and a student links her account and comes in by it', async ({
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
    await page.getByLabel('Client secret').fill('wrong at first')
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
    await page.getByLabel('Client secret').fill(op.clientSecret)
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page).toHaveURL(url('admin/connections'))
    await act('Test')
    await expect(page.getByRole('dialog')).toContainText('it knows this client')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await expect(row).toContainText('Working')
    await expectAccessible(page, 'connections')

    const guest = await (await browser.newContext()).newPage()
    await guest.goto(url('login'))
    await guest.getByRole('link', { name: 'Sign in with your college' }).click()
    await guest.getByRole('link', { name: 'Yes, it is me' }).click()
    await expect(guest.getByRole('heading', { name: 'Link your account' })).toBeVisible()
    await expectAccessible(guest, 'link an account')
    await guest.getByLabel('User name').fill('student')
    await guest.getByRole('textbox', { name: 'Password' }).fill('Bluebird-42-harbor')
    await guest.getByRole('button', { name: 'Link and sign in' }).click()
    await guest.waitForURL(url('clock'))
    await guest.context().close()

    await act('Programs')
    await expect(page.getByRole('row', { name: /Radiography/ })).toContainText('Student')
    await expectAccessible(page, 'programs of a connection')
    await page.getByRole('button', { name: /^Change level/ }).click()
    await page.getByRole('dialog').getByRole('combobox').click()
    await page.getByRole('option', { name: 'Faculty', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('row', { name: /Radiography/ })).toContainText('Faculty')
    await page.goBack()
    await act('People')
    await page.getByLabel('Name, user name, email or name at the provider').fill('student-at-harbor')
    const linked = page.getByRole('row', { name: /student@example\.org/ })
    await expect(linked).toContainText('student-at-harbor')
    await expectAccessible(page, 'people of a connection')

    const again = await (await browser.newContext()).newPage()
    await again.goto(url('login'))
    await again.getByRole('link', { name: 'Sign in with your college' }).click()
    await again.getByRole('link', { name: 'Yes, it is me' }).click()
    await again.waitForURL(url('clock'))
    await again.context().close()
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
