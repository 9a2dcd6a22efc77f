import { expect, settle, signIn, test, url } from './support.ts'
import { cutBySpacing } from './text-spacing.ts'

/** The pages that people of each kind open most; `every-page.spec.ts` opens the others. */
const pages: Record<'student' | 'supervisor' | 'coordinator', readonly string[]> = {
  student: [
    '',
    'clock',
    'schedule',
    'competencies',
    'competencies/log',
    'requirements',
    'evaluate',
    'progress',
    'placement',
  ],
  supervisor: ['', 'approve', 'verify-procedures', 'exams'],
  coordinator: ['admin/home', 'admin/requirements'],
}

for (const person of ['student', 'supervisor', 'coordinator'] as const)
  test(`no text is cut by a reader's own spacing on pages of a ${person}`, async ({ page }) => {
    await signIn(page, person, pages[person][0])
    for (const path of pages[person]) {
      await page.goto(url(path))
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      // Rows that come in between would count as cut by the spacing.
      await page.waitForLoadState('load')
      await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
      await settle(page)
      expect.soft(await cutBySpacing(page), path).toEqual([])
    }
  })

test('on a wide screen a page of a student that is longer than the window scrolls', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await signIn(page, 'student', 'hours')
  const last = page.getByRole('main').getByRole('listitem').last()
  await expect(last).toBeAttached()
  await expect(last).not.toBeInViewport()
  await page.getByRole('heading', { level: 1 }).hover()
  await page.mouse.wheel(0, 100_000)
  await expect(last).toBeInViewport()
})
