import { expect, expectGoodScreen, signIn, test, url } from './support.ts'

test('an administrator creates a key, a system calls with it, and it ends when it is revoked', async ({
  page,
  request,
}) => {
  await signIn(page, 'admin', 'admin/api-keys')
  await expect(page.getByRole('heading', { name: 'API Keys' })).toBeVisible()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Data warehouse')
  await dialog.getByRole('combobox', { name: 'Rights' }).click()
  await page.getByRole('option', { name: /^Read sites/ }).click()
  await dialog.getByText('Create an API key').click()
  await dialog.getByLabel('Allowed networks').fill('10.0.0.0/33')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog.getByText(/10\.0\.0\.0\/33 /).first()).toBeVisible()
  await expectGoodScreen(page, 'create a key')
  await dialog.getByLabel('Allowed networks').fill('')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const secret = dialog.getByRole('textbox', { name: 'Key for Data warehouse' })
  await expect(secret).toHaveValue(/^psk_/)
  const key = await secret.inputValue()
  await expectGoodScreen(page, 'a key, this once')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const call = (path: string) =>
    request.get(url(`api/${path}`), { headers: { authorization: `Bearer ${key}` } })
  const { ProgramId } = await (await page.request.get(url('api/state'))).json()
  expect((await call(`programs/${ProgramId}/sites`)).status()).toBe(200)
  expect((await call(`programs/${ProgramId}/areas`)).status()).toBe(403)
  expect((await call('auth/session')).status()).toBe(403)

  await page.reload()
  const row = page.getByRole('row', { name: /Data warehouse/ })
  await expect(row).toContainText('127.0.0.1')
  await expectGoodScreen(page, 'keys')
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('Key Data warehouse revoked')).toBeVisible()
  expect((await call(`programs/${ProgramId}/sites`)).status()).toBe(401)
})
