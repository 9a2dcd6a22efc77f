import { another, api, expect, expectGoodScreen, phone, signIn, test } from './support.ts'

test('a coordinator plans a cohort, a student ranks its sites on the phone, and staff see what is wanted', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/placement')
  await expect(page.getByRole('row', { name: /Clinical III/ })).toBeVisible()
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await page.getByLabel(/^Name( \*)?$/).fill('Journey plan')
  await page.getByRole('combobox', { name: /^Rotation/ }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('combobox', { name: 'Cohort' }).click()
  await page.getByRole('option', { name: '2027' }).click()
  await page.getByRole('button', { name: 'Add experience' }).click()
  await expect(page.getByLabel('Experience', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Remove Experience 1' }).click()
  await expectGoodScreen(page, 'a placement plan that is added')
  await page.getByRole('button', { name: /^Save/ }).first().click()
  await expect(page.getByText('This field is required').first()).toBeVisible()

  const { ProgramId } = await api(page, 'GET', '/state')
  const { Items } = await api(page, 'GET', `/programs/${ProgramId}/rotations?pageSize=1`)
  const [{ Id, StartDate, EndDate }] = Items
  await page.evaluate(() => sessionStorage.clear())
  const plan = await api(page, 'POST', `/programs/${ProgramId}/placement-plans`, {
    Name: 'Journey plan',
    RotationId: Id,
    Template: 'ranked',
    StartDate,
    EndDate,
    WeeksPerBlock: 4,
    Cohort: '2027',
    Rules: { Groups: [{ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2, 3, 4, 5] }] },
    OpensDate: '2020-01-06',
    OpensTime: '08:00',
    ClosesDate: '2090-01-06',
    ClosesTime: '17:00',
  })

  const student = await another(browser, 'student', { size: phone, at: 'placement' })
  await student.page.getByRole('link', { name: /Journey plan/ }).click()
  await student.page.getByRole('button', { name: /^Rank Mercy Ridge/ }).click()
  await student.page.getByRole('button', { name: /^Rank Harbor General/ }).click()
  await expect(student.page.getByText('Saved as you go.', { exact: false })).toBeVisible()
  await expectGoodScreen(student.page, 'the ranking of a student')
  await student.page.getByRole('button', { name: 'Submit my 2 choices' }).click()
  await expect(student.page.getByText('Submitted. We emailed you a receipt.')).toBeVisible()
  await student.page.reload()
  await expect(student.page.getByRole('button', { name: /^Remove Mercy Ridge/ })).toBeVisible()

  await page.goto('about:blank')
  await signIn(page, 'coordinator', `admin/placement/${plan.Id}`)
  await expect(page.getByText(/^1 first choices/)).toBeVisible()
  await expectGoodScreen(page, 'what keeps a plan from working')
  await page.getByRole('tab', { name: /^Students/ }).click()
  await page.getByRole('row', { name: /Okafor, Amara/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note', { exact: true }).fill('Has no car')
  await expectGoodScreen(page, 'a student of a plan')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved for Okafor, Amara')).toBeVisible()
  await expectGoodScreen(page, 'the students of a plan')
  await api(page, 'DELETE', `/programs/${ProgramId}/placement-plans/${plan.Id}`)
  await student.context.close()
})

test('a coordinator has a draft made, asks why, locks a cell, compares, accepts and undoes; a student reads her placement', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/placement')
  await page.getByRole('row', { name: /Clinical III/ }).click()
  await page.getByRole('button', { name: '2 drafts' }).click()
  await page.getByRole('button', { name: 'Make a draft' }).click()
  const making = page.getByRole('dialog')
  await making.getByRole('combobox', { name: 'How long it looks' }).click()
  await page.getByRole('option', { name: 'Short' }).click()
  await expectGoodScreen(page, 'how a draft is made')
  await making.getByRole('button', { name: 'Solve' }).click()
  await expect(making).toBeHidden()
  await expect(page.getByText(/placed · found in/)).toBeVisible({ timeout: 90_000 })

  const chip = page.getByRole('table').getByRole('button').first()
  await chip.click()
  await page.getByRole('button', { name: 'Lock as it is' }).click()
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  await expect(page.getByText(/^The student sees: /)).toBeVisible()
  await expectGoodScreen(page, 'a draft that says why')
  await page.getByRole('button', { name: 'Close' }).click()

  await page.getByText('Equity', { exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Who got what' })).toBeVisible()
  await expectGoodScreen(page, 'the equity of a draft')

  await page.getByText('Compare', { exact: true }).click()
  await expect(page.getByRole('rowheader', { name: 'Mean rank' })).toBeVisible()
  await expectGoodScreen(page, 'drafts side by side')
  await page.getByText('Draft', { exact: true }).first().click()

  await page.getByRole('button', { name: /^Accept \d+ placements$/ }).click()
  await expectGoodScreen(page, 'accepting a draft')
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText(/^[\d,]+ shifts made$/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: /^\d+ accepted$/ }).click()
  await expectGoodScreen(page, 'what was accepted')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await page
    .getByRole('dialog', { name: /^Remove the/ })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(page.getByText(/^[\d,]+ shifts removed$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete draft' }).click()
  await expect(page.getByRole('button', { name: /^Delete draft$/ })).toBeVisible()

  const student = await another(browser, 'student', { size: phone, at: 'placement' })
  await student.page.getByRole('link', { name: /Clinical I, / }).click()
  await expect(student.page.getByText('Your schedule shows later changes.')).toBeVisible()
  await expectGoodScreen(student.page, 'the placement of a student')
})
