import { type Product, startProduct } from './start.ts'
import { expect, expectGoodScreen, phone, test } from './support.ts'

let product: Product
test.beforeAll(async () => {
  product = await startProduct({ DEMO: '0' })
})
test.afterAll(() => product?.stop())

test('I10 whoever opens an empty installation makes the first account by the code of the log, and is in', async ({
  page,
}) => {
  await expect.poll(() => product.said()).toMatch(/with the code \S+"/)
  const code = /with the code (\S+)"/.exec(product.said())![1]!
  await page.goto(`${product.address}/new/`)
  await expect(page.getByRole('heading', { name: 'Create the first account' })).toBeVisible()
  await expectGoodScreen(page, 'first account')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('This field is required').first()).toBeVisible()
  await page.setViewportSize(phone)
  await page.getByRole('link', { name: 'Español' }).click()
  await expect(page.getByRole('heading', { name: 'Crear la primera cuenta' })).toBeVisible()
  await page.getByRole('link', { name: 'English' }).click()
  const fill = async (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
  await fill('Code from the server’s log', 'wrong')
  await fill('First name', 'Ada')
  await fill('Last name', 'Renner')
  await fill('Email', 'ada@example.edu')
  await fill('User name', 'ada')
  await fill('New password', 'Kingfisher-7-lake')
  await fill('Repeat password', 'Kingfisher-7-lake')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('alert')).toContainText('The code is not right.')
  await fill('Code from the server’s log', code)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/new\/admin\/home$/)
  await page.goto(`${product.address}/new/first-account`)
  await expect(page).not.toHaveURL(/first-account/)
})
