import { another, desktop, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

test('a coordinator reads results by item, subject and comment, and takes them along', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/evaluations/status')
  await page.getByRole('link', { name: 'Results' }).last().click()
  await expect(page.getByRole('heading', { name: 'Results', level: 1 })).toBeVisible()
  await expect(page.getByRole('img', { name: /Scores by month/ })).toBeVisible()
  await expect(page.getByText('Positions the patient correctly.')).toBeVisible()
  await expectGoodScreen(page, 'results by item')

  await page.getByRole('radiogroup', { name: 'Results by' }).getByText('Subjects').click()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('columnheader', { name: 'Subjects' }).getByRole('button').click()
  await page.getByRole('row', { name: /Okafor, Amara/ }).click()
  await expect(page).toHaveURL(/subject=\d+/)
  await expect(page.getByRole('combobox', { name: 'Subject: Okafor, Amara' })).toBeVisible()
  await expect(page.getByText('Chosen', { exact: true }).first()).toBeVisible()
  await expectGoodScreen(page, 'results of one student')
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Subject: Okafor, Amara' })).toBeVisible()

  await page.getByRole('radiogroup', { name: 'Results by' }).getByText('Comments').click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Student performance' }).first()).toBeVisible()
  await expectGoodScreen(page, 'comments')
  await page.getByRole('checkbox', { name: 'Low scores only' }).check()
  await expect(page).toHaveURL(/low=true/)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More formats' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe('Evaluation comments.csv')

  await page.getByRole('button', { name: 'Reset Filter' }).click()
  await expect(page).not.toHaveURL(/low=true/)
  await page.goto(url('admin/evaluations/results?from=2001-01-01&through=2001-01-02'))
  await expect(page.getByText('No matches.')).toBeVisible()
  await expectGoodScreen(page, 'no results')
})

test('a low score tells the coordinator, and the student sees the own results on a phone', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/evaluations/templates')
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await page.getByLabel('Title').fill('Day in emergency')
  await expect(page.getByRole('checkbox', { name: 'Visible to the person evaluated' })).toBeChecked()
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByRole('button', { name: 'Bulk Insert' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Lines' }).fill('Keeps calm in a trauma room')
  await dialog.getByRole('button', { name: 'Insert', exact: true }).click()
  await expect(dialog).toBeHidden()
  const template = Number(/template=(\d+)/.exec(page.url())![1])
  const people = await (await page.request.get(url('api/programs/1/users'))).json()
  const idOf = (name: string) => people.find(({ UserName }: { UserName: string }) => UserName === name).Id
  await page.goto(url('admin/evaluations/status'))
  await page.getByRole('button', { name: /Add evaluation/ }).click()
  const choose = async (label: string, text: string) => {
    await dialog.getByRole('combobox', { name: label }).click()
    await page.keyboard.type(text)
    await page
      .getByRole('option', { name: new RegExp(text) })
      .first()
      .click()
  }
  const nameOf = (name: string) => {
    const person = people.find(({ Id }: { Id: number }) => Id === idOf(name))
    return `${person.LastName}, ${person.FirstName}`
  }
  await choose('Template', 'Day in emergency')
  await choose('Evaluator', nameOf('supervisor'))
  await choose('Subject', 'Okafor, Amara')
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(dialog).toBeHidden()

  const supervisor = await another(browser, 'supervisor', { size: phone, at: 'evaluate' })
  await supervisor.page.getByRole('link', { name: /Day in emergency/ }).click()
  await supervisor.page.getByRole('radio', { name: /^1,/ }).check()
  await supervisor.page.getByLabel(/What would have helped/).fill('Step back and breathe')
  await expect(supervisor.page.getByText('Saved')).toBeVisible()
  await supervisor.page.getByRole('button', { name: 'Submit' }).click()
  await expect(supervisor.page.getByText('Submitted', { exact: true })).toBeVisible()
  await supervisor.leave()

  await page.setViewportSize(desktop)
  await page.goto(url('admin/inbox'))
  await expect(page.getByText('1 low score for Amara Okafor: Day in emergency')).toBeVisible()
  await page.goto(url(`admin/evaluations/results?template=${template}`))
  await expect(page.getByRole('row', { name: /Keeps calm in a trauma room/ })).toContainText('1 low')

  const student = await another(browser, 'student', { size: phone, at: 'evaluate' })
  await student.page.getByRole('link', { name: 'My results' }).click()
  await expect(student.page.getByText('Step back and breathe')).toBeVisible()
  await expectGoodScreen(student.page, 'own results')
  await student.leave()
})

test('the filters of the status list follow its address, and what is pending goes with a quick choice', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/evaluations/status?from=2026-01-05&quick=completed')
  const from = page.getByText(/01\/05\/2026|Jan 5, 2026/).first()
  await expect(from).toBeVisible()
  await page.getByRole('checkbox', { name: 'Alumni only' }).check()
  await page.getByRole('radiogroup').getByText('Stopped', { exact: true }).click()
  await expect(page).toHaveURL(/alumni=true/)
  await expect(page).toHaveURL(/from=2026-01-05/)
  await page.evaluate(() => history.pushState({}, '', location.pathname))
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
  await expect(from).toBeHidden()
  await expect(page.getByRole('checkbox', { name: 'Alumni only' })).not.toBeChecked()
})
