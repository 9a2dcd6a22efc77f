import type { Page } from '@playwright/test'
import { expect, settle, signIn, test, url } from './support.ts'

/** As WCAG 1.4.12 asks for it, the way that readers' style sheets set it. */
const spacing = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }`

/**
 * Runs in the page: the texts that are cut, by what holds them. Text for screen readers alone, and what scrolls, is not cut.
 */
const findCut = (): string[] => {
  const isCut = (element: Element): boolean => {
    const { overflowX, overflowY, clipPath, visibility } = getComputedStyle(element)
    if (clipPath !== 'none' || visibility === 'hidden') return false
    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    return (
      (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (hides(overflowY) && element.scrollHeight > element.clientHeight + 1)
    )
  }
  const cut: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent?.trim() ?? ''
    const holder = texts.currentNode.parentElement
    if (text === '' || !holder?.checkVisibility({ visibilityProperty: true }) || holder.closest('.p-sr-only'))
      continue
    for (let up: Element | null = holder; up && up !== document.body; up = up.parentElement)
      if (isCut(up)) {
        cut.push(`${text.slice(0, 60)} in ${up.localName}.${up.className}`)
        break
      }
  }
  return cut
}

/** The texts that are cut with a reader's spacing and not without it. */
const cutBySpacing = async (page: Page): Promise<string[]> => {
  // Rows that come in between would count as cut by the spacing.
  await page.waitForLoadState('load')
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  await settle(page)
  const before = new Set(await page.evaluate(findCut))
  await page.addStyleTag({ content: spacing })
  await settle(page)
  return (await page.evaluate(findCut)).filter((text) => !before.has(text))
}

const pages: Record<'student' | 'coordinator', readonly string[]> = {
  student: ['clock', 'schedule', 'evaluate', 'competencies/log'],
  coordinator: ['admin/shift-assignments', 'admin/manage-users', 'admin/sites'],
}

for (const person of ['student', 'coordinator'] as const)
  test(`no text is cut by a reader's own spacing on pages of a ${person}`, async ({ page }) => {
    await signIn(page, person, pages[person][0])
    for (const path of pages[person]) {
      await page.goto(url(path))
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      expect.soft(await cutBySpacing(page), path).toEqual([])
    }
  })
