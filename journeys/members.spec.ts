import { expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

test('D1-184 D1-185 a student finds notifications, the guide and the account behind More', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'more')
  await expectGoodScreen(page, 'more')
  await page.setViewportSize(phone)
  await page.getByRole('link', { name: 'User Guide' }).click()
  await expect(page.getByRole('heading', { name: 'At the door' })).toBeVisible()
  await expectGoodScreen(page, 'guide')
  await page.goto(url('inbox'))
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  await expectGoodScreen(page, 'inbox')
})

test('a supervisor starts with what waits, and sees the students of the own sites', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'supervisor')
  await expect(page.getByRole('link', { name: /Approve hours/ })).toBeVisible()
  await expectGoodScreen(page, 'supervisor inbox')
  await page.goto(url('students'))
  await expect(page.getByRole('heading', { name: 'Students' })).toBeVisible()
  await expectGoodScreen(page, 'supervised students')
})

test('the bell leads a coordinator to the notifications, and reading them clears it', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/inbox')
  await expect(page.getByText(/^Time change requested by /).first()).toBeVisible()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('button', { name: 'Notifications: 0' })).toBeVisible()
  await page.getByRole('button', { name: 'Help' }).click()
  await expect(page.getByRole('heading', { name: 'User Guide' })).toBeVisible()
})
