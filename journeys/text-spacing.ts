import type { Page } from '@playwright/test'
import { settle } from './support.ts'

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
  const isHidden = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
  /** Whether an element cuts off what is in these boxes. */
  const cuts = (element: Element, boxes: readonly DOMRect[]): boolean => {
    const { overflowX, overflowY, clipPath, visibility } = getComputedStyle(element)
    if (clipPath !== 'none' || visibility === 'hidden') return false
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return boxes.some(
      (box) =>
        (isHidden(overflowX) && (box.right > right + 1 || box.left < left - 1)) ||
        (isHidden(overflowY) && (box.bottom > bottom + 1 || box.top < top - 1)),
    )
  }
  /** Whatever is in it can be brought into view. */
  const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflow)
  const cut: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent?.trim() ?? ''
    const holder = texts.currentNode.parentElement
    if (text === '' || !holder?.checkVisibility({ visibilityProperty: true }) || holder.closest('.p-sr-only'))
      continue
    range.selectNodeContents(texts.currentNode)
    const boxes = [...range.getClientRects()]
    for (let up: Element | null = holder; up && up !== document.body && !scrolls(up); up = up.parentElement)
      if (cuts(up, boxes)) {
        cut.push(`${text.slice(0, 60)} in ${up.localName}.${up.className}`)
        break
      }
  }
  return cut
}

/** The texts that are cut with a reader's own spacing and not without it. The page is as before afterwards. */
export const cutBySpacing = async (page: Page): Promise<string[]> => {
  const before = new Set(await page.evaluate(findCut))
  const style = await page.addStyleTag({ content: spacing })
  await settle(page)
  const cut = (await page.evaluate(findCut)).filter((text) => !before.has(text))
  await style.evaluate((element) => (element as HTMLStyleElement).remove())
  await settle(page)
  return cut
}
