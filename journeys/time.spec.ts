import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { another, desktop, expect, expectGoodScreen, phone, settle, signIn, test, url } from './support.ts'

// Each on its own: as the last of the long files it would keep one worker busy while the others have nothing left to do.
test.describe.configure({ mode: 'parallel' })

const insight = (page: Page, name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) })
const choose = async (page: Page, name: string) => {
  await page
    .locator('label')
    .filter({ has: insight(page, name) })
    .click()
  await expect(insight(page, name)).toBeChecked()
}
const count = async (page: Page, name: string): Promise<number> => {
  const label = page.locator('label').filter({ has: insight(page, name) })
  await expect(label).toHaveText(/\d/)
  return Number((await label.innerText()).replace(/\D/g, ''))
}

test('A70 A71 D1-034 D3-075 D3-076 D3-078 D3-079 D3-081 D3-082 a coordinator sees why records need a look, filters, approves and undoes', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/approve-time-records')
  await expect(page.getByRole('heading', { name: 'Approve Time Records' })).toBeVisible()
  for (const name of ['Type', 'Student', 'Date', 'Time', 'Time change request', 'IPName', 'Location'])
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: /^Actions/ })).toBeVisible()
  for (const name of ['Status', 'Area', 'Site', 'Student', 'Level', 'Date'])
    await expect(
      page
        .getByRole('button', { name: new RegExp(`^${name}:`) })
        .or(page.getByRole('combobox', { name: new RegExp(`^${name}:`) }))
        .first(),
    ).toBeVisible()
  await expect(page.getByText(/Cohort/i)).toHaveCount(0)
  await expectGoodScreen(page, 'approve time records')

  await choose(page, 'Careful Review')
  await expect(page).toHaveURL(/insight=3/)
  const top = page.getByRole('row').nth(1)
  const reason =
    /from site|No assignment|Time change request|Clocks|Much longer|Impossible travel|Sent later|Self-reported|Overlaps|needs review/
  await expect(top).toContainText(reason)
  await choose(page, 'Clean')
  const before = await count(page, 'Clean')
  // Rows that are still those of before would count as moved by the next order.
  await expect(top).not.toContainText(reason)
  // The oldest first: today's clock-ins cannot be approved before they have their clock-outs.
  const byDate = page.getByRole('columnheader', { name: 'Date', exact: true })
  const newest = await top.innerText()
  await byDate.getByRole('button').click()
  await expect(byDate).toHaveAttribute('aria-sort', 'ascending')
  // The rows follow a moment after the arrow.
  await expect(top).not.toHaveText(newest, { useInnerText: true })
  await page
    .getByRole('checkbox', { name: /Select|Choose|Tick/ })
    .nth(1)
    .check()
  await page
    .getByRole('checkbox', { name: /Select|Choose|Tick/ })
    .nth(2)
    .check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await expectGoodScreen(page, 'approve with selection')
  await page.getByRole('button', { name: 'Approve Selected' }).click()
  await expect(page.getByText(/^Approved 2 records, [\d.]+ h · Students: [12]$/)).toBeVisible()
  await expect.poll(() => count(page, 'Clean')).toBe(before - 2)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('2 records are pending again')).toBeVisible()
  await expect.poll(() => count(page, 'Clean')).toBe(before)

  // Whoever has the most: of one record the other half may wait for a time change.
  const names = (await page.getByRole('row').allInnerTexts()).flatMap(
    (text) => text.split('\n').find((line) => line.includes(', ')) ?? [],
  )
  const counted = [...Map.groupBy(names, (each) => each)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  const name = counted[0]![0]
  await page.getByRole('combobox', { name: /^Student:/ }).click()
  await page.keyboard.type(name.split(',')[0]!)
  await page
    .getByRole('option', { name: new RegExp(name.split(', ')[1]!) })
    .first()
    .click()
  // The list is what its chips say, without Apply.
  await expect(page).toHaveURL(/student=\d+/)
  await expect.poll(() => count(page, 'Clean')).toBeLessThan(before)
  const theirs = await count(page, 'Clean')
  const approveAll = page.getByRole('button', { name: /^Approve All \d+$/ }).first()
  const ready = Number.parseInt((await approveAll.innerText()).replace(/\D+/, ''), 10)
  expect(ready).toBeGreaterThan(0)
  if (ready < theirs)
    await expect(approveAll).toHaveAccessibleDescription(
      new RegExp(`^Approves ${ready} of ${theirs}\\. Left out: `),
    )
  await approveAll.click()
  await expect(page.getByText(new RegExp(`^Approved ${ready} records?, `))).toBeVisible()
  await expect.poll(() => count(page, 'Clean')).toBe(theirs - ready)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => count(page, 'Clean')).toBe(theirs)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).not.toHaveURL(/student=/)
  await expect(page.getByRole('button', { name: 'Reset' })).toBeVisible()
  await page.getByRole('button', { name: /^Date:/ }).click()
  await page.getByRole('button', { name: 'Yesterday' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&through=/)

  // Another status and all records are of the same days.
  const days = /[?&]from=\d{4}-\d\d-\d\d&through=\d{4}-\d\d-\d\d/.exec(page.url())![0].slice(1)
  await page.getByRole('combobox', { name: /^Status:/ }).click()
  await page.getByRole('option', { name: 'Approved' }).click()
  await expect(page).toHaveURL(/status=approved/)
  expect(page.url()).toContain(days)
  await page.getByRole('link', { name: 'All records' }).click()
  await expect(page.getByRole('heading', { name: 'All Time Records' })).toBeVisible()
  expect(page.url()).toContain(days)
  expect(page.url()).not.toContain('status=')
})

test('A65 Approve All names what is careful by reason and count, and never takes what is unmatched', async ({
  page,
}) => {
  await signIn(page, 'coordinator2', 'admin/approve-time-records')
  const [review, careful, unmatched] = [
    await count(page, 'Need Review'),
    await count(page, 'Careful Review'),
    await count(page, 'Unmatched'),
  ]
  expect(careful).toBeGreaterThan(0)
  const all = page.getByRole('button', { name: /^Approve All \d+$/ }).first()
  const leaving = page.getByText(/^Approve All leaves out \d+: \d+ unmatched, \d+ with /)
  const [left] = (await leaving.innerText()).match(/\d+/) ?? []
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await expect(page.getByText(`${left} pending ·`)).toBeVisible()
  await expectGoodScreen(page, 'what Approve All leaves out')
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await all.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(/^Approve \d+ records that are not clean too\?/)
  await expect(dialog).toContainText(/\d+ in Careful Review, because of:/)
  await expect(dialog).toContainText(/\d+ in Need Review, because of:/)
  await expect(dialog.getByRole('listitem').first()).toContainText(/\d+$/)
  await expectGoodScreen(page, 'asking about careful records')
  const label = await dialog.getByRole('button', { name: /^Approve \d+ clean$/ }).innerText()
  await page.keyboard.press('Escape')

  // The main button takes the clean ones alone, and as many as it says.
  await page.getByRole('button', { name: label, exact: true }).click()
  await expect(page.getByText(`Approved ${label.replace(/\D+/g, '')} records, `)).toBeVisible()
  await expect.poll(() => count(page, 'Need Review')).toBe(review)
  await expect.poll(() => count(page, 'Careful Review')).toBe(careful)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('button', { name: label, exact: true })).toBeVisible()

  // So does the question's, which tells what it leaves out; time changes that are asked for stay whatever is chosen.
  await all.click()
  await expect(dialog).toContainText(/Left out: \d+ with (a )?time change requests?/)
  await dialog.getByRole('button', { name: label, exact: true }).click()
  await expect(
    page.getByText(
      /^Left out: \d+ in Careful Review, \d+ in Need Review, \d+ with (a )?time change requests?$/,
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect(page.getByRole('button', { name: label, exact: true })).toBeVisible()

  await all.click()
  await dialog.getByRole('button', { name: /^Approve all \d+, / }).click()
  await expect(page.getByText(/^Approved \d+ records, /).first()).toBeVisible()
  // What could not be approved is named.
  const leftOut = page.getByRole('dialog', { name: /records? (was|were) not approved$/ })
  await expect(leftOut.getByRole('listitem').first()).toContainText(/is missing|still runs|is requested/)
  await expectGoodScreen(page, 'what was left out')
  await leftOut.getByRole('button', { name: 'Close' }).last().click()
  await expect.poll(() => count(page, 'Unmatched')).toBe(unmatched)
  // That of the news may be gone by now.
  await page
    .getByRole('button', { name: /^Undo: / })
    .first()
    .click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText(/Make all \d+ records that you approved together pending again\?/)
  await question.getByRole('button', { name: /^Undo all \d+$/ }).click()
  await expect(page.getByText(/^\d+ records are pending again$/).last()).toBeVisible()
})

test('D3-084 a record is rejected with a reason, edited with its old value kept, and found again', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/approve-time-records?insight=2')
  const row = page.getByRole('row').nth(1)
  await row.hover()
  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Reject…' }).click()
  const dialog = page.getByRole('dialog')
  // What is typed at once is the reason, and presses no button.
  await expect(dialog.getByLabel(/^Reason/)).toBeFocused()
  await page.keyboard.type('Left early ')
  await dialog.getByLabel(/^Reason/).fill('')
  const name = (await row.innerText()).split('\n').find((line) => line.includes(', '))
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(dialog.getByText('This field is required').first()).toBeVisible()
  await expectGoodScreen(page, 'rejecting')
  await dialog.getByLabel(/^Reason/).fill('Left without telling the instructor')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(page.getByText(/^Rejected .+, .+, \d\d\/\d\d/)).toBeVisible()

  await page.goto(url('admin/logclock-list?status=rejected'))
  const rejected = page.getByRole('row').filter({ hasText: 'Rejected' })
  await expect(rejected.filter({ hasText: name! }).first()).toBeVisible()
  await expectGoodScreen(page, 'all records')
  // It is not too late without the news.
  await rejected
    .filter({ hasText: name! })
    .first()
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Undo rejection', exact: true }).click()
  await expect(page.getByText(/^.+, .+, \d\d\/\d\d.*: pending again$/)).toBeVisible()

  await page.goto(url('admin/logclock-list?type=exception&status=pending'))
  await page
    .getByRole('row')
    .nth(1)
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel(/^Time/).fill('06:45')
  await page
    .getByRole('dialog')
    .getByLabel(/^Reason/)
    .fill('As the supervisor wrote')
  await expectGoodScreen(page, 'editing a record')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Saved .+’s record$/)).toBeVisible()
  await page
    .getByRole('row')
    .filter({ hasText: '06:45' })
    .first()
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  await expect(page.getByRole('dialog')).toContainText('As the supervisor wrote')
  await expectGoodScreen(page, 'history of a record')
})

test('D3-083 an unmatched punch gets its other half, and students are written to', async ({ page }) => {
  await signIn(page, 'coordinator2', 'admin/approve-time-records?insight=u')
  const panel = page.getByRole('region', { name: 'Unmatched' })
  await expect(panel.getByRole('button', { name: 'Add new record' })).toBeVisible()
  await expectGoodScreen(page, 'unmatched')
  const rows = panel.getByRole('listitem')
  if ((await rows.count()) === 0) {
    await expect(panel).toContainText('No unmatched records.')
    return
  }
  await panel.getByRole('button', { name: 'Generate email notifications' }).click()
  // Whom, before anything goes.
  const mailing = page.getByRole('dialog', { name: /^Email \d+ students?$/ })
  await expect(mailing.getByRole('listitem').first()).toHaveText(/^.+, .+ · \d+$/)
  await expectGoodScreen(page, 'whom the emails go to')
  await expect(rows.filter({ hasText: /emailed \d\d/ })).toHaveCount(0)
  await mailing.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/^(Emailed|Queued an email to|Queued emails to) \d+/)).toBeVisible()
  await expect(rows.first()).toContainText(/emailed \d\d\/\d\d/)
  const before = await rows.count()
  await rows
    .first()
    .getByRole('button', { name: /^Add clock-(in|out):/ })
    .click()
  await expectGoodScreen(page, 'adding the other half')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await expect(rows).toHaveCount(before - 1)
})

test('D1-067 D3-046 missed shifts are listed, and an absence is recorded and taken back', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/missed-time-records')
  await expect(page.getByRole('heading', { name: 'Missed time records' })).toBeVisible()
  const rows = page.getByRole('row')
  await expect(rows.nth(1)).toBeVisible()
  await expectGoodScreen(page, 'missed records')
  await expect(rows.nth(1)).toBeVisible()
  // The screen is wide again only now: rows are drawn until nothing changes.
  await settle(page)
  const before = await rows.count()
  await rows
    .nth(1)
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Record absence' }).click()
  await expect(page.getByText(/^Recorded an absence for/)).toBeVisible()
  await expect(rows).toHaveCount(before - 1)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(rows).toHaveCount(before)
})

test('D3-007 a supervisor sees and approves the records of their sites only, with the thumb', async ({
  browser,
}) => {
  const { page, leave } = await another(browser, 'supervisor', { size: phone, at: 'approve' })
  const heading = page.getByRole('heading', { name: /^\d+ shifts? to approve$/ })
  await expect(heading).toBeVisible()
  const waiting = Number((await heading.innerText()).split(' ')[0])
  await expectGoodScreen(page, 'approving on the phone')
  const mine = await page.evaluate(async () => {
    const { ProgramId } = await (await fetch('/new/api/state')).json()
    const list = await (await fetch(`/new/api/programs/${ProgramId}/time-records?pageSize=500`)).json()
    return list.Items.map(({ Location }: { Location: string }) => Location) as string[]
  })
  const staff = await another(browser, 'coordinator')
  const all = await staff.page.evaluate(async () => {
    const { ProgramId } = await (await fetch('/new/api/state')).json()
    const list = await (await fetch(`/new/api/programs/${ProgramId}/time-records?pageSize=500`)).json()
    return list.Items.map(({ Location }: { Location: string }) => Location) as string[]
  })
  await staff.leave()
  expect(new Set(mine).size).toBeLessThan(new Set(all).size)
  const clean = page.getByRole('region', { name: 'Clean' }).getByRole('listitem')
  await clean.first().getByRole('button').click()
  const details = page.getByRole('dialog')
  await expect(details.getByRole('listitem').first()).toContainText('Clock in')
  await expectGoodScreen(page, 'a shift on the phone')
  await details.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText(/^Approved [\d.]+ h$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: `${waiting - 1} shift` })).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('The shifts are pending again')).toBeVisible()
  await expect(heading).toHaveText(new RegExp(`^${waiting} shifts? to approve$`))
  await expect(page.getByRole('button', { name: /^Approve \d+ clean shifts? · [\d.]+ h$/ })).toBeVisible()
  // What is ticked is what is approved, and nothing that is out of sight.
  const toLookAt = page.getByRole('region', { name: 'Review these first' }).getByRole('checkbox')
  await toLookAt.first().check()
  await expect(page.getByRole('button', { name: /^Approve 1 shift · / })).toBeVisible()
  await toLookAt.first().uncheck()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await clean.first().getByRole('checkbox').uncheck()
  await page.getByRole('button', { name: /^Approve \d+ clean shifts? · [\d.]+ h$/ }).click()
  await expect(page.getByText(/^Approved [\d.]+ h/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(heading).toHaveText(new RegExp(`^${waiting} shifts? to approve$`))
  await leave()
})

test('D1-054 D3-073 D3-074 the hours summary reloads with its filters and comes as XLSX and PDF', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/hours-summary')
  await page.setViewportSize(desktop)
  await expect(page.getByText(/\d+ of \d+ will have their hours/)).toBeVisible()
  await expectGoodScreen(page, 'hours summary')
  const students = page.getByRole('row').filter({ hasText: /short|\+\d/ })
  await students.first().getByRole('button').first().hover()
  await expect(page.getByText('Completed so far')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: /^Level:/ }).click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/levels=1/)
  const footer = page.getByText(/^\d+ students/)
  await expect(footer).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Excel' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('Hours summary.xlsx')
  const parts = unzipSync(new Uint8Array(await readFile((await file.path())!)))
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!)
  expect(sheet).toContain('Projection')
  // Besides the heads and the sums.
  expect(sheet.match(/<row\b/g)!.length - 2).toBe(Number((await footer.innerText()).split(' ')[0]))
  const printed = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More formats' }).click()
  await page.getByRole('menuitem', { name: 'PDF' }).click()
  expect((await printed).suggestedFilename()).toBe('Hours summary.pdf')
})

test('A31 the hours summary begins with the rotation that home counts, and leads to an email to chosen students', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/home')
  const told = await page.getByText(/^\d+ of \d+ will have their hours$/).innerText()
  const [onTime, all] = told.match(/\d+/g)!
  await page.goto(url('admin/hours-summary'))
  await expect(page.getByText(`${onTime} of ${all} will have their hours`)).toBeVisible()
  const tick = page.getByRole('checkbox', { name: /^Select .+, / }).first()
  const name = (await tick.getAttribute('aria-label'))!.replace('Select ', '')
  await tick.check()
  await page.getByRole('button', { name: 'Email students' }).click()
  await expect(page).toHaveURL(/admin\/emails$/)
  await expect(page.getByRole('region', { name: 'Send to' })).toContainText(name)
  await expect(page.getByText('1 person gets this email')).toBeVisible()
})

test('A18 the address of the clock leads staff home, who have no hours of their own', async ({ page }) => {
  await signIn(page, 'coordinator', 'clock')
  await expect(page).toHaveURL(/admin\/home$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a clock-out that is approved by itself says what counts, and what is still pending', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/approve-time-records?insight=1')
  const out = page
    .getByRole('row')
    .filter({ hasText: /Clock.out/i })
    .first()
  await out.getByRole('button', { name: /^Approve: / }).click()
  await expect(
    page.getByText(
      /^Approved only the clock-out of .+ \d+\.\d h count as approved; the clock-in is still pending\.$/,
    ),
  ).toBeVisible()
  await page.getByRole('status').getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText(/pending again/).first()).toBeVisible()
})

test('on a phone a plain record to approve takes 90 px, and requirements by student have no row wider than the screen', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'coordinator', 'admin/approve-time-records')
  const cards = page.getByRole('list', { name: 'Approve Time Records' }).getByRole('listitem')
  await expect(
    cards
      .nth(3)
      .getByText(/\d\d:\d\d/)
      .first(),
  ).toBeVisible()
  const heights = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeLessThanOrEqual(90)
  await page.goto(url('admin/requirements'))
  const students = page.getByRole('list', { name: 'Requirements by student' })
  await expect(students.getByText(/ \d+ of \d+ met$/).first()).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  expect(await students.evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true)
  await expectGoodScreen(page, 'requirements by student on a phone')
})
