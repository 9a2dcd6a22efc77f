import { api, expect, expectGoodScreen, signIn, test } from './support.ts'

test('a coordinator solves their plan together with one of another program of the college, and reads why in their own draft', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/placement')
  await page.getByRole('row', { name: /Specialties/ }).click()
  await page.getByRole('button', { name: 'Make a draft' }).first().click()
  const making = page.getByRole('dialog')
  const other = making.getByRole('checkbox', { name: /^Sonography: Specialties/ })
  await other.check()
  await expect(making.getByText(/12 students · shares /)).toBeVisible()
  await making.getByRole('combobox', { name: 'How long it looks' }).click()
  await page.getByRole('option', { name: 'Short' }).click()
  await expectGoodScreen(page, 'a draft of two programs that is made')
  await making.getByRole('button', { name: 'Solve' }).click()
  await expect(making).toBeHidden()
  await expect(page.getByText(/placed · found in/)).toBeVisible({ timeout: 90_000 })
  await expect(page.getByText(/^Solved together with Sonography \(12 students\)\./)).toBeVisible()
  await page.getByRole('table').getByRole('button').first().click()
  await expect(page.getByText(/^The student sees: /)).toBeVisible()
  await expectGoodScreen(page, 'a draft that was solved together')

  const { ProgramId } = await api(page, 'GET', '/state')
  const plan = `/programs/${ProgramId}/placement-plans/${/placement\/(\d+)/.exec(page.url())?.[1]}`
  const { Drafts } = await api(page, 'GET', `${plan}/drafts`)
  // Of the other program its name and how many students are known, and nobody.
  expect(Drafts[0].Together).toEqual([{ Program: 'Sonography', Students: 12 }])
  await api(page, 'DELETE', `${plan}/drafts/${Drafts[0].Id}`)
})
