import { expect, expectGoodScreen, signIn, test, url } from './support.ts'

test('a developer finds a call, reads its fields and rights, and sends somebody the link to it', async ({
  page,
  context,
}) => {
  await page.goto(url('api/docs'))
  await expect(page).toHaveURL(/\/new\/login/)
  await signIn(page, 'coordinator')
  const outside: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url()).origin) outside.push(request.url())
  })
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  await page.goto(url('api/docs'))
  await expect(page.getByRole('heading', { name: 'API', exact: true })).toBeVisible()
  await expect(page.getByText(/^\d+ calls$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'How to call' })).toBeVisible()
  await expectGoodScreen(page, 'all calls')

  await page.getByRole('textbox', { name: /^Search/ }).fill('clock record')
  await expect(page).toHaveURL(/search=clock/)
  await page.getByRole('textbox', { name: /^Search/ }).fill('updateArea')
  await expect(page.getByText(/^\d of \d+ calls$/)).toBeVisible()
  const call = page.getByRole('group').filter({ hasText: '/programs/{programId}/areas/{areaId}' })
  await call.getByText('Change an area').click()
  await expect(call).toContainText('Permission areas.write: SuperAdmin, Admin, Director, Coord')
  await expect(call).toContainText('AreNotificationsEnabled')
  await expect(call).toContainText('≤ 100 characters')
  await expect(call).toContainText('Keys with the right areas.write')
  await expect(call).toContainText('Authorization: Bearer $PRACTICUM_KEY')
  await expect(call).toContainText("await call('updateArea', {")
  await call.getByLabel(/^Key/).fill('psk_wrong')
  await call.getByRole('button', { name: 'Send and change data' }).click()
  await expect(call.getByRole('status')).toContainText('unknown_key')
  await expectGoodScreen(page, 'one call')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectGoodScreen(page, 'one call, dark')
  await call.getByRole('link', { name: 'Link to updateArea' }).click()
  await expect(page).toHaveURL(/#updateArea$/)

  const other = await context.newPage()
  await other.goto(url('api/docs#punch'))
  const linked = other.getByRole('group').filter({ hasText: '/clock/punches' })
  await expect(linked).toContainText('Idempotency-Key')
  await expect(linked).toBeInViewport()
  await page.getByRole('textbox', { name: /^Search/ }).fill('no such call')
  await expect(page.getByText('No matches.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText(/^\d+ calls$/)).toBeVisible()
  expect(outside).toEqual([])
  expect(refused).toEqual([])
})
