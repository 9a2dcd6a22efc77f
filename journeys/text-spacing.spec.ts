import { expect, settle, signIn, test, url } from './support.ts'
import { cutBySpacing } from './text-spacing.ts'

/** Pages that the journey over every page with a form or a list does not open. */
const pages: Record<'student' | 'supervisor' | 'coordinator', readonly string[]> = {
  student: [
    '',
    'clock',
    'schedule',
    'competencies',
    'competencies/log',
    'requirements',
    'evaluate',
    'hours',
    'progress',
  ],
  supervisor: ['', 'approve', 'verify-procedures', 'exams', 'students'],
  coordinator: ['admin/home', 'admin/visualization', 'admin/approve-time-records', 'admin/hours-summary'],
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
