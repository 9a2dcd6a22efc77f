import type { Page } from '@playwright/test'
import { desktop, expect, expectGoodScreen, phone, signIn, test } from './support.ts'

test.use({ viewport: desktop })

const grid = (page: Page) => page.getByRole('grid', { name: 'Competencies by student' })
const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const cells = (page: Page) => page.locator('[data-body] [role="gridcell"]')
const names = (page: Page) => grid(page).locator('[data-body] [role="rowheader"] a')

const openGrid = async (page: Page, query = ''): Promise<void> => {
  await signIn(page, 'coordinator', `admin/competencies/progress${query}`)
  await expect(cells(page).first()).toBeVisible()
}

const choose = async (page: Page, chip: string, option: string) => {
  await page.getByRole('combobox', { name: new RegExp(`^${chip}:`) }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('the coordinator walks the grid by keys, opens the history of a cell, and narrows it by what the address keeps', async ({
  page,
}) => {
  await openGrid(page)
  await expectGoodScreen(page, 'Competency progress')
  await expect(page.getByText('46 students').first()).toBeVisible()
  await grid(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const current = page.locator('#competency-cursor')
  await expect(current).toHaveAccessibleName(/^Ribs: /)
  const student = await names(page).nth(1).textContent()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('heading', { name: 'Ribs' })).toBeVisible()
  const [last, first] = (student ?? '').split(', ')
  await expect(dialog(page).getByText(`${first} ${last} · Chest and Thorax · Mandatory`)).toBeVisible()
  await expect(dialog(page).getByText('Exams', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('Control+End')
  await expect(current).toBeInViewport()
  await expect(grid(page).locator('[data-body] [data-row="45"]')).toBeInViewport()

  const count = page.getByText(/^\d+ students?$/).first()
  await choose(page, 'Major study', 'Chest and Thorax')
  await choose(page, 'Status', 'Passed')
  await expect(page).toHaveURL(/study=\d+/)
  await expect(page).toHaveURL(/state=passed/)
  await expect(page.getByRole('columnheader', { name: 'Humerus' })).toHaveCount(0)
  await expect(count).not.toHaveText('46 students')
  const shown = (await count.textContent()) ?? ''
  await page.reload()
  await expect(count).toHaveText(shown)
  await button(page, 'Reset').click()
  await expect(page.getByText('46 students').first()).toBeVisible()
  await page.getByLabel('Search by name or ID').fill('nobody of this name')
  await expect(page.getByText('No matches.')).toBeVisible()
})

test('however far the grid is scrolled, only what is in view is drawn', async ({ page }) => {
  await openGrid(page)
  const box = await grid(page).boundingBox()
  // Rows and columns in view, with those that are drawn ahead on either side.
  const mostRows = Math.ceil(box!.height / 34) + 14
  const mostCells = mostRows * (Math.ceil(box!.width / 34) + 28)
  const drawn = await grid(page).evaluate(async (element, most) => {
    const seen: { cells: number; rows: number; first: number }[] = []
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (const [left, top] of [
      [0, 0],
      [400, 200],
      [900, 500],
      [1_500, 900],
      [10_000, 10_000],
      [0, 10_000],
      [700, 0],
    ]) {
      element.scrollTo(left!, top!)
      // One for the event of scrolling, one for what it draws.
      await frame()
      await frame()
      const now = () => ({
        cells: element.querySelectorAll('[data-body] [role="gridcell"]').length,
        rows: element.querySelectorAll('[data-body] [data-row]').length,
      })
      // What was in view before goes as soon as there is time.
      const first = now().cells
      for (let more = 0; more < 120 && now().rows > most; more++) await frame()
      seen.push({ ...now(), first })
    }
    return seen
  }, mostRows)
  for (const { cells: count, rows, first } of drawn) {
    expect(rows).toBeLessThanOrEqual(mostRows)
    expect(count).toBeLessThanOrEqual(mostCells)
    expect(first).toBeGreaterThan(0)
  }
})

test('ticked students are written to, and their records are one file', async ({ page }) => {
  await openGrid(page)
  const [first, second] = await names(page).allTextContents()
  await grid(page).focus()
  await page.keyboard.press(' ')
  await page.getByRole('checkbox', { name: `Select ${second}`, exact: true }).check()
  await expect(page.getByText('2 selected')).toBeVisible()
  const download = page.waitForEvent('download')
  await button(page, 'Competency records').click()
  expect((await download).suggestedFilename()).toBe('Competency records.pdf')
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Email' }).click()
  await expect(page).toHaveURL(/admin\/emails/)
  for (const name of [first, second]) await expect(page.getByText(name!).first()).toBeVisible()
})

test('term targets say who is behind, and procedures by site what nobody gets', async ({ page }) => {
  await openGrid(page)
  const behind = button(page, /^\d+ behind$/)
  await behind.click()
  await expect(page).toHaveURL(/behind=true/)
  await expect(
    page.getByRole('img', { name: /^Behind: \d+ passed, [\d.]+ expected by today$/ }).first(),
  ).toBeVisible()

  const come = Promise.withResolvers<void>()
  await page.route('**/term-targets', async (route) => {
    await come.promise
    await route.continue()
  })
  await page.goto(page.url().replace(/progress.*/, 'rules'))
  // The terms that come above it would move it away from a press.
  await expect(page.getByRole('group', { name: 'Term targets' })).toBeVisible()
  await expect(button(page, 'Set term targets')).toHaveCount(0)
  come.resolve()
  await button(page, 'Set term targets').click()
  await expect(dialog(page).getByRole('heading', { name: 'Term targets' })).toBeVisible()
  await button(page, 'Add term').click()
  await button(page, 'Save term targets').click()
  await expect(dialog(page).getByText('Enter a name such as Clinical II')).toBeVisible()
  const term = dialog(page).getByRole('group').last()
  await term.getByLabel('Term').fill('Clinical III')
  await term.getByLabel(/^From/).fill('01/04/2027')
  await term.getByLabel(/^Through/).fill('05/14/2027')
  await term.getByLabel('Exams').fill('12')
  await button(page, 'Save term targets').click()
  await expect(page.getByText('Clinical III (All cohorts): 12 exams, 01/04/2027 to 05/14/2027')).toBeVisible()

  await page.goto(page.url().replace(/rules.*/, 'progress'))
  await button(page, 'Procedures by site').click()
  await expect(dialog(page).getByText(/logged at no site|logged at a site/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Hand', exact: true }).click()
  await expect(page).toHaveURL(/procedure=\d+/)
  await expect(grid(page).getByRole('columnheader', { name: 'Hand' })).toBeVisible()
})

test('on a phone students are a list with bars, and each opens their card', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'coordinator', 'admin/competencies/progress')
  const first = page.getByRole('list', { name: 'Competencies by student' }).getByRole('link').first()
  await expect(first).toBeVisible()
  await expectGoodScreen(page, 'Competency progress on a phone')
  // Below the name and as wide as the card: beside the name it was too small to read.
  const bar = await page
    .getByRole('listitem')
    .first()
    .locator('[data-state]')
    .first()
    .locator('..')
    .boundingBox()
  expect(bar?.width).toBeGreaterThan(300)
  await first.click()
  await expect(page.getByRole('tab', { name: 'Competencies' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('link', { name: 'Competency record' })).toBeVisible()
  await button(page, 'All procedures').click()
  await expect(page.getByText('Chest Routine', { exact: true })).toBeVisible()
  await expectGoodScreen(page, 'Competencies of a student')
})

test('a student sees where what they still owe can be had', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'competencies')
  await button(page, 'All procedures').click()
  const place = page.locator('[data-place]').first()
  await expect(place).toBeVisible()
  await expect(place).toHaveText(/\(\d+\)|Not logged at any/)
  await expectGoodScreen(page, 'All procedures')
})
