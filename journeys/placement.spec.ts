import type { Locator, Page } from '@playwright/test'
import type { DraftRow } from '#contract/placement/drafts.ts'
import { another, api, desktop, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

const cellOf = (page: Page, { Student }: DraftRow): Locator =>
  page.getByRole('row', { name: Student }).getByRole('button').first()

/** Two students near the top of the newest draft whose places in the first block the rules let them swap; they are as before then. */
const findSwap = async (page: Page): Promise<[DraftRow, DraftRow]> => {
  const { ProgramId } = await api(page, 'GET', '/state')
  const plan = `/programs/${ProgramId}/placement-plans/${/placement\/(\d+)/.exec(page.url())?.[1]}`
  const { Drafts } = await api(page, 'GET', `${plan}/drafts`)
  const draft = `${plan}/drafts/${Drafts.at(-1).Id}`
  const { Rows } = await api(page, 'GET', draft)
  const shiftOf = ({ Cells }: DraftRow) => Cells.find(({ Block }) => Block === 0)?.SiteShiftId ?? null
  const put = (one: DraftRow, other: DraftRow, [first, second]: (number | null)[]) =>
    api(page, 'POST', `${draft}/cells`, {
      Block: 0,
      Cells: [
        { StudentId: one.StudentId, SiteShiftId: first, IsLocked: false },
        { StudentId: other.StudentId, SiteShiftId: second, IsLocked: false },
      ],
    })
  const near: DraftRow[] = Rows.slice(0, 9).filter((row: DraftRow) => shiftOf(row) !== null)
  for (const [at, one] of near.entries())
    for (const other of near.slice(at + 1)) {
      const [own, its] = [shiftOf(one), shiftOf(other)]
      if (own === its) continue
      const isAllowed = await put(one, other, [its, own]).then(
        () => true,
        () => false,
      )
      if (!isAllowed) continue
      await put(one, other, [own, its])
      return [one, other]
    }
  throw new Error('The rules let no two of the first students swap.')
}

test('a coordinator plans a cohort, a student ranks its sites on the phone, and staff see what is wanted', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/placement')
  await expect(page.getByRole('row', { name: /Clinical III/ })).toBeVisible()
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await page.getByLabel(/^Name( \*)?$/).fill('Journey plan')
  await page.getByRole('combobox', { name: /^Rotations/ }).click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Cohort' }).click()
  await page.getByRole('option', { name: '2027' }).click()
  await page.getByRole('button', { name: 'Add experience' }).click()
  await expect(page.getByLabel('Experience', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Remove Experience 1' }).click()
  await expectGoodScreen(page, 'a placement plan that is added')
  await page.getByLabel(/^Name( \*)?$/).fill('')
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
  await student.leave()
})

test('a coordinator has a draft made, asks why, locks a cell, compares, accepts and undoes; a student reads their placement', async ({
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

  const [one, other] = await findSwap(page)
  const places = async () => [await cellOf(page, one).innerText(), await cellOf(page, other).innerText()]
  const before = await places()
  const sites = before.map((text) => text.split('\n')[0])
  const expectPlaces = (first: string | undefined, second: string | undefined) =>
    expect
      .poll(async () => (await places()).map((text) => text.split('\n')[0]), 'places of two students')
      .toEqual([first, second])
  await cellOf(page, one).click()
  await page.getByRole('combobox', { name: 'Swap with' }).click()
  await page.getByRole('option', { name: other.Student }).click()
  await page.getByRole('button', { name: 'Swap', exact: true }).click()
  await expectPlaces(sites[1], sites[0])
  await expect(cellOf(page, one).getByRole('img', { name: 'Locked' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(places).toEqual(before)
  await expect(cellOf(page, one).getByRole('img', { name: 'Locked' })).toBeHidden()
  // Tall enough that no edge is near: there the list scrolls by itself during a drag.
  await page.setViewportSize({ ...desktop, height: 1_600 })
  await cellOf(page, one).dragTo(cellOf(page, other))
  await expectPlaces(sites[1], sites[0])
  await page.setViewportSize(desktop)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(places).toEqual(before)

  const chip = page.getByRole('table').getByRole('button').first()
  await chip.click()
  await page.getByRole('button', { name: 'Lock as it is' }).click()
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  await expect(page.getByText(/^The student sees: /)).toBeVisible()
  await expectGoodScreen(page, 'a draft that says why')
  await page.getByRole('main').getByRole('button', { name: 'Close' }).click()

  await page.getByText('Equity', { exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Who got what' })).toBeVisible()
  await expectGoodScreen(page, 'the equity of a draft')

  await page.getByText('Compare', { exact: true }).click()
  await expect(page.getByRole('rowheader', { name: 'Mean rank', exact: true })).toBeVisible()
  await expectGoodScreen(page, 'drafts side by side')
  await page.getByText('Draft', { exact: true }).first().click()

  await page.getByRole('button', { name: /^Accept \d+ placements$/ }).click()
  await expectGoodScreen(page, 'accepting a draft')
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText(/^[\d,]+ shifts made$/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Publish or undo' }).click()
  await expectGoodScreen(page, 'what was accepted')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await page
    .getByRole('dialog', { name: /^Remove the/ })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(page.getByText(/^[\d,]+ shifts removed$/)).toBeVisible()
  await page.keyboard.press('Escape')
  // The other buttons move when this one goes.
  await expect(page.getByRole('button', { name: 'Publish or undo' })).toBeHidden()
  await expect(page.getByRole('button', { name: /^Accept \d+ placements$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Delete draft' }).click()
  await expect(page.getByRole('button', { name: /^Delete draft$/ })).toBeVisible()

  const student = await another(browser, 'student', { size: phone, at: 'placement' })
  await student.page.getByRole('link', { name: /Clinical I, / }).click()
  await expect(student.page.getByText('Your schedule shows later changes.')).toBeVisible()
  await expectGoodScreen(student.page, 'the placement of a student')
})

test('a wheel that is planned in the form gives all students the same of everything, and its equity is a table and a file', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/placement')
  await expect(page.getByRole('row', { name: /Clinical III/ })).toBeVisible()
  const { ProgramId } = await api(page, 'GET', '/state')
  const plans = `/programs/${ProgramId}/placement-plans`
  const { Items } = await api(page, 'GET', `${plans}?pageSize=100`)
  const like = Items.find(({ Name }: { Name: string }) => /^Clinical III/.test(Name))
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await page.getByLabel(/^Name( \*)?$/).fill('Journey wheel')
  await page.getByRole('combobox', { name: /^Rotations/ }).click()
  await page.getByRole('option', { name: like.Rotation }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: /^Template/ })).toHaveText(/^Wheel/)
  const day = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`
  await page.getByLabel(/^Start date/).fill(day(like.StartDate))
  await page.keyboard.press('Escape')
  await page.getByLabel(/^End date/).fill(day(like.EndDate))
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Cohort' }).click()
  await page.getByRole('option', { name: '2027' }).click()
  await page.getByRole('button', { name: 'Add experience' }).click()
  await page.getByLabel('Experience', { exact: true }).fill('Late shift')
  await page.getByRole('combobox', { name: 'Types of shifts' }).last().click()
  await page.getByRole('option', { name: 'Evening' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Save/ }).first().click()
  await expect(page.getByText('Journey wheel is saved')).toBeVisible()
  const made = (await api(page, 'GET', `${plans}?pageSize=100`)).Items.find(
    ({ Name }: { Name: string }) => Name === 'Journey wheel',
  )
  expect(made).toMatchObject({ Template: 'wheel' })

  await page.goto(url(`admin/placement/${made.Id}/drafts`))
  await page.getByRole('button', { name: 'Make a draft' }).first().click()
  const making = page.getByRole('dialog')
  await making.getByRole('combobox', { name: 'How long it looks' }).click()
  await page.getByRole('option', { name: 'Short' }).click()
  await making.getByRole('button', { name: 'Solve' }).click()
  await expect(page.getByText(/placed · found in/)).toBeVisible({ timeout: 90_000 })
  await page.getByText('Equity', { exact: true }).click()
  const table = page.getByRole('table')
  await expect(table.getByRole('columnheader', { name: 'Late shift' })).toBeVisible()
  await expect(table.getByRole('cell', { name: '1 of 1' }).first()).toBeVisible()
  await expectGoodScreen(page, 'the equity of a wheel')
  const { Drafts } = await api(page, 'GET', `${plans}/${made.Id}/drafts`)
  const file = await page.request.get(url(`api${plans}/${made.Id}/drafts/${Drafts[0].Id}/export?Format=csv`))
  expect((await file.text()).split('\r\n')[0]).toContain('Late shift')
  await api(page, 'DELETE', `${plans}/${made.Id}`)
})

test('a plan of two rotations is begun by its kind; a student ranks its blocks on the phone, and staff see both in the demand and in a draft', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/placement/edit')
  const kinds = page.getByRole('radiogroup', { name: 'Kind of plan' })
  await expect(kinds.getByText('Usual for Radiography')).toBeVisible()
  await kinds.getByText('Sonography: ranking each block').click()
  await expect(page.getByRole('combobox', { name: /^Ranking/ })).toHaveText('For each block')
  await expect(page.getByLabel('Weeks in a block')).toHaveValue('5')
  await expectGoodScreen(page, 'the kinds of plans')
  await page.getByRole('combobox', { name: /^Rotations/ }).click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: /^Start date/ })).toHaveValue(/^\d\d\/\d\d\/\d{4}$/)
  await expect(page.getByRole('textbox', { name: /^End date/ })).toHaveValue(/^\d\d\/\d\d\/\d{4}$/)
  const chosenSites = page.getByRole('combobox', { name: 'Sites', exact: true })
  await chosenSites.click()
  await page.getByRole('option', { name: /^Harbor General/ }).click()
  await page.keyboard.press('Escape')
  await expect(chosenSites).toHaveText(/^Harbor General/)
  const { ProgramId } = await api(page, 'GET', '/state')
  const program = `/programs/${ProgramId}`
  const { Items } = await api(page, 'GET', `${program}/rotations?pageSize=1`)
  const [{ Id, StartDate, EndDate }] = Items
  const other = await api(page, 'POST', `${program}/rotations`, {
    Name: 'Journey rotation',
    StartDate,
    EndDate,
    Cohorts: ['2027'],
  })
  await page.evaluate(() => sessionStorage.clear())
  const plan = await api(page, 'POST', `${program}/placement-plans`, {
    Name: 'Journey blocks',
    RotationId: other.Id,
    MoreRotationIds: [Id],
    Template: 'ranked',
    StartDate,
    EndDate,
    WeeksPerBlock: 4,
    RanksPer: 'block',
    Cohort: '2027',
    Rules: { Groups: [{ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2, 3, 4, 5] }] },
    OpensDate: '2020-01-06',
    OpensTime: '08:00',
    ClosesDate: '2090-01-06',
    ClosesTime: '17:00',
  })

  const student = await another(browser, 'student', { size: phone, at: `placement/${plan.Id}` })
  const blocks = student.page.getByRole('radiogroup', { name: 'Blocks' })
  await student.page.getByRole('button', { name: /^Rank Mercy Ridge/ }).click()
  await student.page.getByRole('button', { name: /^Rank Harbor General/ }).click()
  await student.page.getByRole('button', { name: 'Copy to other blocks' }).click()
  await expectGoodScreen(student.page, 'copying a ranking')
  await student.page.getByRole('button', { name: /^Copy to \d+ blocks?$/ }).click()
  await blocks.getByText('Block 2').click()
  await student.page.getByRole('button', { name: /^Remove Mercy Ridge/ }).click()
  await expect(student.page.getByText('Saved as you go.', { exact: false })).toBeVisible()
  await expectGoodScreen(student.page, 'the ranking of blocks')
  await student.page.getByRole('button', { name: /^Submit my ranking of \d+ blocks$/ }).click()
  await expect(student.page.getByText('Submitted. We emailed you a receipt.')).toBeVisible()
  await student.page.reload()
  await expect(student.page.getByRole('button', { name: /^Remove Mercy Ridge/ })).toBeVisible()
  await blocks.getByText('Block 2').click()
  await expect(student.page.getByRole('button', { name: /^Rank Mercy Ridge/ })).toBeVisible()
  await student.leave()

  const draft = await api(page, 'POST', `${program}/placement-plans/${plan.Id}/drafts`, {
    Name: 'Journey draft',
    Effort: 'quick',
  })
  await page.goto(url(`admin/placement/${plan.Id}`))
  await expect(page.getByText(/^Journey rotation, /)).toBeVisible()
  await page.getByRole('combobox', { name: 'Block' }).click()
  await page.getByRole('option', { name: 'Block 2' }).click()
  await expect(page.getByRole('img', { name: /^Harbor General.*: 1 first choices/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Mercy Ridge.*: 0 first choices/ })).toBeVisible()
  await expectGoodScreen(page, 'what is wanted in a block')
  await page.goto(url(`admin/placement/${plan.Id}/drafts?draft=${draft.Id}&view=equity`))
  await expect(page.getByRole('columnheader', { name: 'Journey rotation' })).toBeVisible({ timeout: 90_000 })
  await expectGoodScreen(page, 'the equity of a plan of two rotations')
  await api(page, 'DELETE', `${program}/placement-plans/${plan.Id}`)
  await api(page, 'DELETE', `${program}/rotations/${other.Id}`)
})
