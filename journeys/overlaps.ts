import { expect, type Page } from '@playwright/test'

/**
 * Runs in the page: texts that lie over another text or over a picture in the same main part or dialog, where neither was put over the
 * other on purpose. Only what can be seen counts, without what scrolling hides.
 */
export const findOverlaps = (): string[] => {
  const pictures = 'img, iframe, canvas, video'
  const clips = (overflow: string): boolean => overflow !== 'visible'
  const seen = new Map<Element, { box: DOMRect | undefined; isPlaced: boolean }>()
  /** What of an element's inside can be seen, and whether something around it was taken out of the flow. */
  const insideOf = (element: Element, root: Element): { box: DOMRect | undefined; isPlaced: boolean } => {
    const known = seen.get(element)
    if (known) return known
    const { position, overflowX, overflowY, float } = getComputedStyle(element)
    const own = element.getBoundingClientRect()
    const around =
      element === root || !element.parentElement
        ? { box: new DOMRect(0, 0, innerWidth, innerHeight), isPlaced: false }
        : insideOf(element.parentElement, root)
    const { box } = around
    const [cutsX, cutsY] = [clips(overflowX), clips(overflowY)]
    const found = {
      box:
        box &&
        within(box, {
          left: cutsX ? own.left : Number.NEGATIVE_INFINITY,
          right: cutsX ? own.right : Number.POSITIVE_INFINITY,
          top: cutsY ? own.top : Number.NEGATIVE_INFINITY,
          bottom: cutsY ? own.bottom : Number.POSITIVE_INFINITY,
        }),
      isPlaced:
        around.isPlaced ||
        float !== 'none' ||
        (element !== root && (position === 'absolute' || position === 'fixed' || position === 'sticky')),
    }
    seen.set(element, found)
    return found
  }
  const within = (
    box: DOMRect,
    other: { left: number; right: number; top: number; bottom: number },
  ): DOMRect | undefined => {
    const left = Math.max(box.left, other.left)
    const top = Math.max(box.top, other.top)
    const width = Math.min(box.right, other.right) - left
    const height = Math.min(box.bottom, other.bottom) - top
    return width > 0 && height > 0 ? new DOMRect(left, top, width, height) : undefined
  }
  interface Thing {
    element: Element
    name: string
    box: DOMRect
    isText: boolean
  }
  const found: string[] = []
  for (const root of document.querySelectorAll('main, [role=dialog]')) {
    const things: Thing[] = []
    const add = (element: Element, box: DOMRect, name: string, isText: boolean): void => {
      const { box: room, isPlaced } = insideOf(element, root)
      const visible = !isPlaced && room && within(room, box)
      if (visible && visible.width > 2 && visible.height > 2)
        things.push({ element, name: name.slice(0, 40), box: visible, isText })
    }
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (texts.nextNode()) {
      const holder = texts.currentNode.parentElement
      const text = texts.currentNode.textContent?.trim()
      if (!text || !holder?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (holder.closest('svg, .p-sr-only')) continue
      range.selectNodeContents(texts.currentNode)
      for (const box of range.getClientRects()) add(holder, box, text, true)
    }
    for (const picture of root.querySelectorAll(pictures))
      if (picture.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        add(picture, picture.getBoundingClientRect(), picture.localName, false)
    for (const [index, thing] of things.entries())
      for (const other of things.slice(index + 1)) {
        if ((!thing.isText && !other.isText) || thing.element === other.element) continue
        const shared = within(thing.box, other.box)
        // The box of a text is as high as its font, which may be more than its line.
        if (!shared || shared.width < 4 || shared.height < Math.min(thing.box.height, other.box.height) / 2)
          continue
        found.push(`"${thing.name}" and "${other.name}"`)
      }
    // Icons have no text: what leaves the end of its row lies under the column before it.
    for (const button of root.querySelectorAll('td:last-child button'))
      if (
        button.checkVisibility() &&
        button.getBoundingClientRect().left < button.closest('td')!.getBoundingClientRect().left - 1
      )
        found.push(`"${button.getAttribute('aria-label') ?? button.textContent}" and the column before it`)
  }
  return [...new Set(found)]
}

/** Nothing lies over something else on the page as it can be seen now. What moves to its place is waited for. */
export const expectNothingOverlaps = (page: Page, what: string): Promise<void> =>
  expect
    .poll(() => page.evaluate(findOverlaps), { message: `${what}: one over the other`, timeout: 5_000 })
    .toEqual([])
