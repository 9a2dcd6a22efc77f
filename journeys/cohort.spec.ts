import type { Page } from '@playwright/test'
import { desktop, expect, expectAccessible, expectGoodScreen, phone, signIn, test } from './support.ts'

/** Three months that neither the demo nor another journey has planned. */
const monthAhead = (months: number, day: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)).toISOString().slice(0, 10)
}
const term = { StartDate: monthAhead(6, 1), EndDate: monthAhead(9, 0) }

/** A rotation and six shifts at one site, of the journey's own. */
const prepare = (page: Page, code: string, capacity: number) =>
  page.evaluate(
    async ({ code, range, capacity }) => {
      const session = await (await fetch('/new/api/auth/session')).json()
      const { ProgramId } = await (await fetch('/new/api/state')).json()
      const within = `/new/api/programs/${ProgramId}`
      const post = async (address: string, body: object) => {
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrf-token': session.CsrfToken },
          body: JSON.stringify(body),
        })
        if (!response.ok) throw new Error(await response.text())
        return response.json()
      }
      await post(`${within}/rotations`, { Name: `${code} term`, ...range })
      const { Items } = await (await fetch(`${within}/scheduling-options?Kind=site&search=`)).json()
      for (const letter of 'ABCDEF')
        await post(`${within}/site-shifts`, {
          SiteId: Items[0].Id,
          Code: `${code}-${letter}`,
          Type: 'day',
          Weekdays: [1, 2, 3, 4, 5],
          StartTime: '07:00',
          EndTime: '15:00',
          Capacity: capacity,
          ...range,
        })
    },
    { code, range: term, capacity },
  )

const toast = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

test('a cohort of 30 is placed for a term in 6 groups with at most 20 clicks, and undone as one', async ({
  page,
}) => {
  test.slow()
  const code = `T${Date.now() % 100_000}`
  await signIn(page, 'coordinator', 'admin/shift-assignments')
  await prepare(page, code, 10)
  await page.reload()
  await page.evaluate(() => {
    const counter = window as unknown as { clicks: number }
    counter.clicks = 0
    addEventListener('click', (event) => {
      // A click on a label sends a second one to its control, which nobody made.
      if (event.isTrusted && event.detail > 0) counter.clicks++
    })
  })
  await page.getByRole('button', { name: 'Schedule a term' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule a term' })
  await dialog.getByRole('combobox', { name: /^Rotation/ }).click()
  await page.keyboard.type(code)
  await page.getByRole('option', { name: new RegExp(code) }).click()
  await dialog.getByRole('textbox', { name: 'Name or level' }).click()
  await page.keyboard.type('level')
  await expect(dialog.getByRole('group', { name: 'Students' }).getByRole('checkbox').first()).toBeVisible()
  const students = dialog.getByRole('region', { name: 'Students' })
  await students.getByRole('button', { name: 'All' }).click()
  await dialog.getByRole('textbox', { name: 'Site, code or time' }).click()
  await page.keyboard.type(code)
  const shifts = dialog.getByRole('region', { name: 'Shifts' })
  await expect(shifts.getByRole('checkbox')).toHaveCount(6)
  await shifts.getByRole('button', { name: 'All' }).click()
  await dialog.getByText('Tue', { exact: true }).click()
  await dialog.getByText('Thu', { exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Groups change shifts' }).click()
  await page.getByRole('option', { name: 'Every 2 weeks' }).click()
  const summary = dialog.getByText(/^\d+ students · 6 groups · \d+ dates$/)
  await expect(summary).toBeVisible()
  expect(Number.parseInt((await summary.textContent())!, 10)).toBeGreaterThanOrEqual(30)
  await expectAccessible(page, 'schedule a term')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText(/^Group A · \d/)).toBeVisible()
  await expect(dialog.getByText(/^Group F · \d/)).toBeVisible()
  const group = (name: string) => dialog.getByRole('list', { name: `Group ${name}`, exact: true })
  const moving = group('A').getByRole('button').first()
  const student = (await moving.textContent())!
  const sizeOfB = await group('B').getByRole('button').count()
  await moving.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveCount(5)
  await page.getByRole('menuitem', { name: /^Group B · / }).press('Enter')
  const movedTo = group('B').getByRole('button', { name: `${student}, group B: move` })
  await expect(movedTo).toBeFocused()
  await expect(group('B').getByRole('button')).toHaveCount(sizeOfB + 1)
  await expect(dialog.getByRole('button', { name: 'Split evenly again' })).toBeVisible()
  await expectAccessible(page, 'schedule a term: preview')
  await dialog.getByRole('button', { name: /^Add (the other )?[\d,]+/ }).click()
  await expect(toast(page, /^Added [\d,]+ assignments/)).toBeVisible()
  const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks)
  expect(clicks).toBeLessThanOrEqual(20)
  await toast(page, /^Added/)
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(toast(page, /^Removed [\d,]+ assignments/)).toBeVisible()
})

test('the open list of rotations stays open when the newest one has been read', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/shift-assignments')
  let read = () => {}
  const isAsked = new Promise<void>((asked) =>
    page.route(/\/rotations\/\d+$/, async (route) => {
      asked()
      await new Promise<void>((resolve) => {
        read = resolve
      })
      await route.continue()
    }),
  )
  await page.getByRole('button', { name: 'Schedule a term' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule a term' })
  await isAsked
  await dialog.getByRole('combobox', { name: /^Rotation/ }).click()
  const rotations = page.getByRole('listbox', { name: 'Rotation' })
  await expect(rotations.getByRole('option').first()).toBeVisible()
  read()
  await expect(dialog.getByText(/\d{2}\/\d{2}\/\d{4} – \d{2}\/\d{2}\/\d{4}/)).toBeVisible()
  await expect(rotations.getByRole('option').first()).toBeVisible()
})

test('on a phone a term is planned step by step, and what cannot be placed is told by reason with names', async ({
  page,
}) => {
  test.slow()
  const code = `P${Date.now() % 100_000}`
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/shift-assignments')
  await prepare(page, code, 1)
  await page.setViewportSize(phone)
  await page.reload()
  await page.getByRole('button', { name: 'Schedule a term' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule a term' })
  await dialog.getByRole('combobox', { name: /^Rotation/ }).click()
  await page.keyboard.type(code)
  await page.getByRole('option', { name: new RegExp(code) }).click()
  await expect(dialog.getByText('Step 1 of 4')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name or level' }).click()
  await page.keyboard.type('level')
  await expect(dialog.getByRole('group', { name: 'Students' }).getByRole('checkbox').first()).toBeVisible()
  await dialog.getByRole('region', { name: 'Students' }).getByRole('button', { name: 'All' }).click()
  await expectGoodScreen(page, 'schedule a term on a phone: students')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  for (const shift of ['A', 'B']) {
    await dialog.getByRole('textbox', { name: 'Site, code or time' }).fill(`${code}-${shift}`)
    await dialog.getByRole('checkbox', { name: `${code}-${shift}` }).check()
  }
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Tue', { exact: true }).click()
  await expectGoodScreen(page, 'schedule a term on a phone: when')
  await expect(dialog.getByText(/can be added\. \d+ can’t\.$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const full = dialog.locator('details').filter({ hasText: 'is full' })
  await full.locator('summary').click()
  await expect(full.getByText(/is full on .*: 1 of 1 places/).first()).toBeVisible()
  const group = (name: string) => dialog.getByRole('list', { name: `Group ${name}`, exact: true })
  const moving = group('B').getByRole('button').first()
  const student = (await moving.textContent())!
  await moving.click()
  await page.getByRole('menuitem', { name: /^Group A · / }).click()
  await expect(group('A').getByRole('button', { name: `${student}, group A: move` })).toBeVisible()
  await expectGoodScreen(page, 'schedule a term on a phone: after a move')
  await dialog.getByRole('button', { name: 'Split evenly again' }).click()
  await expect(group('B').getByRole('button', { name: `${student}, group B: move` })).toBeVisible()
  await expectGoodScreen(page, 'schedule a term on a phone: preview')
  await dialog.getByRole('button', { name: /^Add the other/ }).click()
  await toast(page, /^Added [\d,]+ assignments/)
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(toast(page, /^Removed [\d,]+ assignments/)).toBeVisible()
})
