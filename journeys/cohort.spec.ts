import type { Page } from '@playwright/test'
import { desktop, expect, expectAccessible, expectGoodScreen, phone, signIn, test } from './support.ts'

const year = new Date().getUTCFullYear() + 3

/** A rotation, six shifts at one site and thirty students of a level, of the journey's own. */
const prepare = (page: Page, code: string) =>
  page.evaluate(
    async ({ code, year }) => {
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
      const form = new FormData()
      const rows = Array.from(
        { length: 30 },
        (_, index) =>
          `${code}-${index},Ann,${code}${String(index).padStart(2, '0')},${code}${index}@example.org`,
      )
      form.set('file', new File([['Student ID,First,Last,Email', ...rows].join('\n')], 'cohort.csv'))
      const imported = await fetch(`${within}/imports?Kind=students`, {
        method: 'POST',
        headers: { 'x-csrf-token': session.CsrfToken },
        body: form,
      })
      if (!imported.ok) throw new Error(await imported.text())
      const range = { StartDate: `${year}-01-08`, EndDate: `${year}-04-30` }
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
          Capacity: 5,
          ...range,
        })
    },
    { code, year },
  )

const toast = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

test('a cohort of 30 is placed for a term in 6 groups with at most 20 clicks, and undone as one', async ({
  page,
}) => {
  test.slow()
  const code = `T${Date.now() % 100_000}`
  await signIn(page, 'coordinator', 'admin/shift-assignments')
  await prepare(page, code)
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
  await dialog.getByRole('textbox', { name: 'Name or level' }).fill(code)
  await expect(dialog.getByRole('group', { name: 'Students' }).getByRole('checkbox').first()).toBeVisible()
  const students = dialog.getByRole('region', { name: 'Students' })
  await students.getByRole('button', { name: 'All' }).click()
  await dialog.getByRole('textbox', { name: 'Site, code or time' }).fill(code)
  const shifts = dialog.getByRole('region', { name: 'Shifts' })
  await expect(shifts.getByRole('checkbox')).toHaveCount(6)
  await shifts.getByRole('button', { name: 'All' }).click()
  await dialog.getByText('Tue', { exact: true }).click()
  await dialog.getByText('Thu', { exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Groups change shifts' }).click()
  await page.getByRole('option', { name: 'Every 2 weeks' }).click()
  await expect(dialog.getByText(/^30 students · 6 groups · \d+ dates$/)).toBeVisible()
  await expectAccessible(page, 'schedule a term')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('Group A · 5')).toBeVisible()
  await expect(dialog.getByText('Group F · 5')).toBeVisible()
  await expectAccessible(page, 'schedule a term: preview')
  await dialog.getByRole('button', { name: /^Add (the other )?[\d,]+/ }).click()
  await expect(toast(page, /^Added \d+ assignments/)).toBeVisible()
  const clicks = await page.evaluate(() => (window as unknown as { clicks: number }).clicks)
  expect(clicks).toBeLessThanOrEqual(20)
  await toast(page, /^Added/)
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(toast(page, /^Removed \d+ assignments/)).toBeVisible()
})

test('on a phone a term is planned step by step, and what cannot be placed is told by reason with names', async ({
  page,
}) => {
  test.slow()
  const code = `P${Date.now() % 100_000}`
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/shift-assignments')
  await prepare(page, code)
  await page.setViewportSize(phone)
  await page.reload()
  await page.getByRole('button', { name: 'Schedule a term' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule a term' })
  await dialog.getByRole('combobox', { name: /^Rotation/ }).click()
  await page.keyboard.type(code)
  await page.getByRole('option', { name: new RegExp(code) }).click()
  await expect(dialog.getByText('Step 1 of 4')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name or level' }).fill(code)
  await expect(dialog.getByRole('group', { name: 'Students' }).getByRole('checkbox').first()).toBeVisible()
  await dialog.getByRole('region', { name: 'Students' }).getByRole('button', { name: 'All' }).click()
  await expectGoodScreen(page, 'schedule a term on a phone: students')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('textbox', { name: 'Site, code or time' }).fill(`${code}-A`)
  await dialog.getByRole('checkbox').first().check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Tue', { exact: true }).click()
  await expectGoodScreen(page, 'schedule a term on a phone: when')
  await expect(dialog.getByText(/can’t\.$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const full = dialog.getByRole('group').filter({ hasText: 'is full' }).first()
  await expect(full).toContainText(`${code}05, Ann`)
  await expectGoodScreen(page, 'schedule a term on a phone: preview')
  await dialog.getByRole('button', { name: /^Add the other/ }).click()
  await expect(toast(page, /^Added \d+ assignments/)).toBeVisible()
})
