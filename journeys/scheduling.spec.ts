import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { password } from './start.ts'
import {
  closeToasts,
  expect,
  expectAccessible,
  expectGoodScreen,
  phone,
  signIn,
  test,
  url,
  visitor,
} from './support.ts'

/** A month that the demo has not planned yet; days in it are far from every other assignment. */
const first = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 4, 1))
const month = first.toISOString().slice(0, 7)
const typed = (day: number): string =>
  `${month.slice(5)}/${String(day).padStart(2, '0')}/${month.slice(0, 4)}`
const monthName = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
}).format(first)
/** The day as a calendar says it: 'March 10, 2027'. */
const spoken = (day: number): string => monthName.replace(' ', ` ${day}, `)

const toast = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

const addRotation = async (page: Page, name: string) => {
  await page.goto(url('admin/rotations'))
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel(/^Start date/).fill(typed(1))
  await page.getByLabel(/^End date/).fill(typed(28))
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
}

const addShift = async (page: Page, code: string, capacity: string, times: [string, string]) => {
  await page.goto(url('admin/shifts'))
  await page.getByRole('button', { name: 'Add New' }).first().click()
  // The list's filter has that name too.
  await expect(page.getByRole('heading', { name: 'New site shift' })).toBeVisible()
  await page.getByRole('combobox', { name: /^Site/ }).click()
  await page.getByRole('option').first().click()
  await page.getByLabel('Code').fill(code)
  await page.getByText('Sat', { exact: true }).click()
  await page.getByText('Sun', { exact: true }).click()
  await page.getByLabel(/^Start time/).fill(times[0])
  await page.getByLabel(/^End time/).fill(times[1])
  await page.getByLabel(/^End date/).fill(typed(28))
  await page.getByLabel(/^Capacity/).fill(capacity)
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('row', { name: new RegExp(code) })).toBeVisible()
}

const chooseIn = async (page: Page, chip: string, name: string) => {
  await page.getByRole('combobox', { name: new RegExp(`^${chip}:`) }).click()
  await page.keyboard.type(name)
  await page.getByRole('option', { name: new RegExp(name) }).click()
}

test('A71 D1-073 D1-084 D1-085 D3-047 D3-048 D3-058 D3-060 D3-061 D3-062 D3-064 D3-065 D3-066 D3-067 D3-068 D3-070 D3-348 a coordinator plans a rotation, is refused with the reason, changes, removes, undoes and exports', async ({
  page,
}) => {
  const rotation = `Journey ${Date.now() % 100_000}`
  const code = `J${Date.now() % 100_000}`
  await signIn(page, 'coordinator')
  await addRotation(page, rotation)
  await addShift(page, `${code}-D`, '2', ['07:00', '15:30'])
  await addShift(page, `${code}-E`, '5', ['15:30', '23:00'])

  await page.goto(url('admin/shift-assignments'))
  for (const name of ['Search', 'Apply Filter', 'Reset Filter', 'Export to Excel', 'Add/Remove Assignments'])
    await expect(page.getByRole(name.startsWith('Export') ? 'link' : 'button', { name })).toBeVisible()
  for (const name of ['Rotation', 'Date', 'Lastname', 'Firstname', 'Area', 'Site', 'Site Code', 'Shift Code'])
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
  for (const name of ['Rotation', 'Student', 'Area', 'Site', 'Site shift'])
    await expect(page.getByRole('combobox', { name: new RegExp(`^${name}:`) })).toBeVisible()
  for (const name of ['From Date', 'Through Date'])
    await expect(page.getByRole('button', { name: new RegExp(`^${name}:`) })).toBeVisible()
  await expectGoodScreen(page, 'schedule assignments')
  // Of two months behind and two ahead it opens in the middle, at what is to come.
  await expect(page.getByRole('button', { name: 'Previous page' })).toBeEnabled()

  await chooseIn(page, 'Rotation', rotation)
  await page.getByRole('button', { name: 'Apply Filter' }).click()
  await expect(page).toHaveURL(/rotation=\d+/)
  await expect(page.getByText('No matches.')).toBeVisible()

  await page.getByRole('button', { name: 'Add/Remove Assignments' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add/Remove Assignments' })
  await expect(dialog.getByText(monthName)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Site, code or time' }).fill(code)
  await dialog.getByRole('radio', { name: new RegExp(`${code}-D`) }).check()
  const students = dialog.getByRole('group', { name: 'Students' })
  expect((await students.boundingBox())!.height).toBe(515)
  const dates = dialog.getByRole('region', { name: 'Dates' })
  expect((await dates.boundingBox())!.width).toBe(412)
  const free = students.getByRole('checkbox', { disabled: false })
  for (const index of [0, 1, 2]) await free.nth(index).check()
  const day = dates.getByRole('button', { name: new RegExp(`^${spoken(10)}`) })
  await day.click()
  await expect(dialog.getByText('3 students × 1 date = 3 assignments')).toBeVisible()
  await expect(
    dialog.getByText(/is full on .*: 2 of 2 places.*1 can’t be added, 2 will be\./).first(),
  ).toBeVisible()
  await expectAccessible(page, 'the Add/Remove dialog')
  await dialog.getByRole('button', { name: 'Add 2 assignments' }).click()
  await expect(toast(page, 'Added 2 assignments')).toBeVisible()
  await expect(toast(page, /is full on .*: 2 of 2 places. Pick another date or shift./)).toBeVisible()
  await expect(day).toContainText('full')
  await expect(
    dialog.getByText('Days with a red frame already have the maximum number of students'),
  ).toBeVisible()

  await dialog.getByRole('button', { name: 'Use Last' }).click()
  await expect(day).toHaveAttribute('aria-pressed', 'true')
  await expect(dialog.getByRole('button', { name: 'Remove 2' })).toBeVisible()
  await dates.getByRole('button', { name: 'Clear' }).click()
  await expect(day).toHaveAttribute('aria-pressed', 'false')
  await dates.getByRole('button', { name: 'All', exact: true }).click()
  await expect(day).toHaveAttribute('aria-pressed', 'false')
  await closeToasts(page)
  await dialog.getByRole('button', { name: 'Close' }).click()

  // The list opens at what was added, and with one press at everything again.
  await expect(page.getByText('2 assignments')).toBeVisible()
  await expect(page.getByText('just now')).toBeVisible()
  const rows = page.getByRole('row', { name: new RegExp(rotation) })
  await expect(rows).toHaveCount(2)
  await page.getByRole('checkbox', { name: /all/i }).first().check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Change' }).click()
  const change = page.getByRole('dialog', { name: 'Change assignments' })
  await change.getByRole('combobox', { name: /^Site shift/ }).click()
  await page.keyboard.type(code)
  await page.getByRole('option', { name: new RegExp(`${code}-E`) }).click()
  await change.getByRole('button', { name: 'Change 2 assignments' }).click()
  await expect(toast(page, 'Changed 2 assignments')).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(`${code}-E`) })).toHaveCount(2)
  await toast(page, 'Changed 2 assignments').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`${code}-D`) })).toHaveCount(2)

  await rows.first().getByRole('checkbox').check()
  await bar.getByRole('button', { name: 'Remove' }).click()
  await expect(rows).toHaveCount(1)
  await toast(page, 'Removed 1 assignment').getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(2)

  const [sheet] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export to Excel' }).click(),
  ])
  expect(sheet.suggestedFilename()).toMatch(/^Schedule assignments .*\.xlsx$/)
  const files = unzipSync(await readFile(await sheet.path()))
  const xml = new TextDecoder().decode(files['xl/worksheets/sheet1.xml'])
  expect(xml.match(/<row\b/g)).toHaveLength(3)
  expect(new TextDecoder().decode(files['xl/sharedStrings.xml'])).toContain(rotation)
  await page.getByRole('button', { name: 'More formats' }).click()
  const [text] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  const table = parse(await readFile(await text.path()), { bom: true }) as string[][]
  expect(table).toHaveLength(3)
  expect(table[0]!.slice(0, 4)).toEqual(['Rotation', 'Date', 'Lastname', 'Firstname'])
  expect(table[1]!.slice(0, 2)).toEqual([rotation, typed(10)])

  await page.getByRole('button', { name: 'Reset Filter' }).click()
  await expect(page).not.toHaveURL(/rotation=/)
})

/** The next stretch of days; the old picture stays until the new one has come, so this waits for it. */
const showLater = async (page: Page) => {
  const firstDay = page.getByRole('columnheader').nth(1)
  const before = (await firstDay.textContent()) ?? ''
  await page.getByRole('button', { name: 'Later' }).click()
  await expect(firstDay).not.toHaveText(before)
}

test('D1-020 D1-021 D1-022 the visualization is outside the shell, moves assignments by keyboard and by dragging, and undoes', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/visualization')
  await expect(page.getByRole('grid', { name: 'Schedule by student and day' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'MENU' })).toHaveCount(0)
  for (const name of ['Rotation', 'Area', 'Site', 'Level'])
    await expect(page.getByRole('combobox', { name: new RegExp(`^${name}:`) })).toBeVisible()
  for (const type of ['Day', 'Evening', 'Night', 'Weekend', 'Other'])
    await expect(page.getByRole('listitem').filter({ hasText: type })).toBeVisible()
  await expectGoodScreen(page, 'visualization')

  await showLater(page)
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}/)
  const cell = page.locator('[data-cell]').first()
  await cell.click()
  const card = page.locator('[data-card]')
  await expect(card.getByRole('button', { name: 'Change' })).toBeVisible()
  await expectAccessible(page, 'the card of an assignment')
  await card.getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'Removed 1 assignment')).toBeVisible()
  await toast(page, 'Removed 1 assignment').getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, '1 assignment restored')).toBeVisible()

  const grid = page.getByRole('grid')
  await page.locator('[data-cell]').first().click()
  await page.keyboard.press('Escape')
  await grid.focus()
  const before = await grid.getAttribute('aria-activedescendant')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(grid).toHaveAttribute('aria-activedescendant', before!)
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(toast(page, /moved to|could not be added/).first()).toBeVisible()

  await showLater(page)
  await page.mouse.move(5, 5)
  await expect(page.locator('[data-card]')).toHaveCount(0)
  await closeToasts(page)
  await expect(toast(page, /moved to|could not be added/)).toHaveCount(0)
  const carried = page.locator('[data-cell]').first()
  const id = await carried.getAttribute('data-cell')
  const from = (await carried.boundingBox())!
  const day = (await page.getByRole('columnheader').nth(1).boundingBox())!.width
  // To the first of the next days that is free and no day off, which the demo has on a Thursday and Friday.
  const heads = await page.getByRole('columnheader').allTextContents()
  const left = (await page.getByRole('columnheader').nth(1).boundingBox())!.x
  const columnOf = (x: number) => Math.floor((x + 5 - left) / day)
  const taken = await page
    .locator('[data-cell]')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().toJSON()))
  const busy = new Set(taken.filter(({ y }) => Math.abs(y - from.y) < 20).map(({ x }) => columnOf(x)))
  const steps = [1, 2, 3, 4, 5, 6].find((ahead) => {
    const column = columnOf(from.x) + ahead
    return /Mon|Tue|Wed/.test(heads[column + 1] ?? '') && !busy.has(column)
  })!
  await page.mouse.move(from.x + 20, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 20 + steps * day, from.y + 10, { steps: 6 })
  await page.mouse.up()
  await expect(toast(page, /moved to/).first()).toBeVisible()
  await expect
    .poll(async () => (await page.locator(`[data-cell="${id}"]`).boundingBox())?.x)
    .toBeCloseTo(from.x + steps * day, -1)
  await toast(page, /moved to/)
    .last()
    .getByRole('button', { name: 'Undo' })
    .last()
    .click()
  await expect
    .poll(async () => (await page.locator(`[data-cell="${id}"]`).boundingBox())?.x)
    .toBeCloseTo(from.x, -1)
})

test('D3-063 D3-071 D3-249 where a program looks first the button is a link to the picture, and faculty may be kept from editing', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator2', 'admin/shift-assignments')
  const setOptions = (options: Record<string, boolean>) =>
    page.evaluate(async (body) => {
      const api = `${location.pathname.replace(/\/new\/.*/, '')}/new/api`
      const read = async (path: string) => (await fetch(`${api}${path}`)).json()
      const { CsrfToken } = await read('/auth/session')
      const { ProgramId } = await read('/state')
      const answer = await fetch(`${api}/programs/${ProgramId}/options`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-csrf-token': CsrfToken },
        body: JSON.stringify({ ...(await read(`/programs/${ProgramId}/options`)), ...body }),
      })
      return answer.status
    }, options)
  expect(await setOptions({ VisualizeFirst: true, DisableScheduleAssignmentsForFaculty: true })).toBeLessThan(
    300,
  )
  await page.goto(url('admin/shift-assignments'))
  await page.getByRole('combobox', { name: /^Rotation:/ }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Apply Filter' }).click()
  const link = page.getByRole('link', { name: 'Add/Remove Assignments' }).first()
  await expect(link).toHaveAttribute('href', /admin\/visualization\?rotation_id=\d+$/)
  await expect(page.getByRole('button', { name: 'Add/Remove Assignments' })).toHaveCount(0)
  await link.click()
  await expect(page).toHaveURL(/visualization\?rotation_id=\d+/)

  const { page: faculty, leave } = await visitor(browser)
  await signIn(faculty, 'faculty2', 'admin/shift-assignments')
  await expect(faculty.getByText('Add/Edit Disabled for faculty')).toBeVisible()
  await expect(faculty.getByRole('link', { name: 'Add/Remove Assignments' })).toHaveCount(0)
  await expect(faculty.getByRole('row').nth(1).getByRole('checkbox')).toHaveCount(0)
  await leave()
  await page.goto(url('admin/shift-assignments'))
  expect(
    await setOptions({ VisualizeFirst: false, DisableScheduleAssignmentsForFaculty: false }),
  ).toBeLessThan(300)
})

test('D3-059 D3-160 D3-161 personal filters appear once they are enabled', async ({ page }) => {
  await signIn(page, 'director', 'admin/shift-assignments')
  await expect(page.getByRole('checkbox', { name: 'My students' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Personal filters' }).click()
  const dialog = page.getByRole('dialog', { name: 'Personal filters' })
  await dialog.getByLabel('Student filter').check()
  await dialog.getByRole('combobox', { name: 'My students' }).click()
  const student = page.getByRole('option').first()
  const name = ((await student.textContent()) ?? '').split(',')[0]!
  await student.click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('checkbox', { name: 'My students' }).check()
  await page.getByRole('button', { name: 'Apply Filter' }).click()
  await expect(page).toHaveURL(/myStudents=true/)
  await expect(page.getByRole('row').nth(1)).toContainText(name.trim())
})

test('a student reads the own schedule on the phone', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'schedule')
  await expect(page.getByRole('heading', { name: 'My schedule' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Directions/ }).first()).toBeVisible()
  await expectGoodScreen(page, 'the own schedule')
  await page.getByRole('button', { name: 'Sync to your calendar' }).click()
  await page.getByRole('button', { name: 'Create calendar link' }).click()
  await expect(page.getByText(/\/new\/api\/calendar\/[\w-]+\.ics$/)).toBeVisible()
  await expect(page.getByText(/^On since .* No calendar has read it yet\.$/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open in calendar app' })).toHaveAttribute('href', /^webcal:/)
  await expectAccessible(page, 'the calendar link')
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page
    .getByRole('dialog', { name: 'Turn off the calendar link?' })
    .getByRole('button', { name: 'Turn off' })
    .click()
  await page.getByRole('button', { name: 'Create calendar link' }).click()
  await expect(page.getByText(/\/new\/api\/calendar\/[\w-]+\.ics$/)).toBeVisible()

  await page.goto(url('change-password'))
  await page.getByRole('textbox', { name: 'Old password' }).fill(password)
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await page.getByRole('textbox', { name: 'Repeat password' }).fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  const stays = page.getByRole('dialog', { name: 'Turn off your calendar link too?' })
  await expect(stays).toContainText('Your calendar link from')
  await expectAccessible(page, 'the calendar link after a new password')
  await stays.getByRole('button', { name: 'Turn off link' }).click()
  await expect(page.getByText('Calendar link turned off')).toBeVisible()
})

test('the forms of rotations and shifts say what is missing and are good screens', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/rotations/edit')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Fix 3 fields before saving:')).toBeVisible()
  await expectGoodScreen(page, 'rotation form')
  await page.goto(url('admin/shifts/edit'))
  await page.getByRole('button', { name: /^Save/ }).click()
  await expectGoodScreen(page, 'shift form')
  for (const [at, what] of [
    ['admin/rotations', 'rotations'],
    ['admin/shifts', 'shifts'],
  ] as const) {
    await page.goto(url(at))
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await expectGoodScreen(page, what)
  }
})

test('from anywhere in the list and in a student’s weeks, Today leads back, and today is marked', async ({
  page,
}) => {
  await signIn(page, 'coordinator2', 'admin/shift-assignments?page=1')
  await page.getByRole('button', { name: 'Today', exact: true }).press('Enter')
  await expect(page).not.toHaveURL(/page=/)
  await expect(page.getByRole('button', { name: 'Today', exact: true })).toBeVisible()
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'schedule')
  const now = page.locator('li[aria-current=date]')
  await expect(now).toContainText(/Today/)
  await expect(page.getByRole('button', { name: 'Today' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Earlier weeks' }).click()
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(page).not.toHaveURL(/from=/)
  await expect(now).toBeInViewport()
})
