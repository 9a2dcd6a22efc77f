import { expect, expectGoodScreen, signIn, test, url } from './support.ts'

test('A39 D1-062 D3-120 D3-219 D3-221 D3-335 a coordinator names the levels of students', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-levels')
  await expect(page.getByRole('textbox', { name: /^Level \d+$/ })).toHaveCount(20)
  await expectGoodScreen(page, 'levels')
  const level = (n: number) => page.getByRole('textbox', { name: `Level ${n}`, exact: true })
  const save = page.getByRole('button', { name: /^Save/ })
  await level(19).fill('Journey, level')
  await save.click()
  // Once, at the field; the box above only names it.
  await expect(
    page.getByText(
      'Data not saved. Level 19 contains an illegal character (,). Please correct it and try again.',
    ),
  ).toHaveCount(1)
  await expect(page.getByText(/Nothing was saved/)).toHaveCount(0)
  await expectGoodScreen(page, 'levels refused')
  await level(19).fill('Journey level')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await save.click()
  expect((await sent).postDataJSON()).toEqual([expect.objectContaining({ Id: 19, Name: 'Journey level' })])
  await expect(page.getByText('Saved Successfully')).toBeVisible()
})

test('A74 a level that students have is kept, and trying again is offered only where it can help', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/manage-levels')
  const level = (n: number) => page.getByRole('textbox', { name: `Level ${n}`, exact: true })
  const save = page.getByRole('button', { name: /^Save/ })
  const again = page.getByRole('button', { name: 'Try again' })
  const label = await level(1).inputValue()
  await level(1).fill('')
  await save.click()
  await expect(page.getByRole('alert')).toContainText(/students have a student level that would be cleared/)
  await expect(again).toHaveCount(0)
  await page.route('**/student-levels', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { Message: 'The server is busy.' } })
      : route.fallback(),
  )
  await level(1).fill(label)
  await level(18).fill('Journey busy')
  await save.click()
  await expect(page.getByRole('alert')).toContainText('The server is busy.')
  await page.unrouteAll()
  await again.click()
  await expect(page.getByText('Saved Successfully')).toBeVisible()
})

test('A68 D1-083 D3-121 a coordinator gives ticked students a level, and takes it back', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/set-levels')
  const apply = page.getByRole('button', { name: 'Apply' })
  await expect(apply).toHaveAttribute('aria-disabled', 'true')
  await expectGoodScreen(page, 'set levels')
  await page.getByText('Set to', { exact: true }).click()
  const given = page.getByRole('option').first()
  const level = (await given.innerText()).trim()
  await given.click()
  await expect(page.getByLabel(`Set to: ${level}`, { exact: true })).toBeVisible()
  const first = page.getByRole('row').nth(1)
  const before = await first.textContent()
  await first.getByRole('checkbox').click()
  await page.getByRole('row').nth(2).getByRole('checkbox').click()
  await apply.click()
  await expect(page.getByText(`${level}: 2 students`)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(first).toHaveText(before ?? '')
  await page.goto(url('admin/manage-levels'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
