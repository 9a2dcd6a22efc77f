import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Frame, type Page } from '@playwright/test'
import type axeCore from 'axe-core'

/**
 * The looks of text whose contrast passed before, in this worker: its colors, size and weight, and all that is behind it.
 * Contrast is two thirds of axe's work, and the same look has the same contrast on every screen and at every size: three
 * elements of a look are measured where it is new.
 */
const passed = new Set<number>()

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
/** Frames may be of another origin, as the preview of an email is. */
const source = `${axe};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`

/** axe finds nothing on the screen as it is now (WCAG 2.2 AA and best practices). */
export const expectAccessible = async (page: Page, what: string): Promise<void> => {
  await page.evaluate(waitForContent)
  await Promise.all(page.frames().map((frame) => prepare(page, frame)))
  const { found, looks } = await page.evaluate(scan, [...passed])
  expect(found, what).toEqual([])
  for (const look of looks) passed.add(look)
}

/** Runs in the page: waits for its heading and for what loads. What does not come is for axe to say. */
const waitForContent = async (): Promise<void> => {
  const isThere = () => document.querySelector('main') && document.querySelector('h1')
  const isBusy = () => document.querySelector('main [aria-busy="true"]')
  const end = performance.now() + 5_000
  while ((!isThere() || isBusy()) && performance.now() < end)
    await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Loads axe once in each page, and waits for transitions: colors in the middle of one are nobody's colors. */
const prepare = async (page: Page, frame: Frame): Promise<void> => {
  const isLoaded = await frame.evaluate(async () => {
    // What turns for ever has no end to wait for, and the time a toast has left changes no color.
    const animations = document
      .getAnimations()
      .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) <= 1_000)
    await Promise.all(animations.map((animation) => animation.finished.catch(() => {})))
    return 'axe' in window
  })
  if (isLoaded) return
  if (frame !== page.mainFrame()) return frame.evaluate(source)
  // As a script of its own, not as a text to be evaluated by one: the browser compiles it once for all pages.
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Runtime.evaluate', { expression: source })
  await devtools.detach()
}

/** Runs in the page: what is wrong on it, and the looks of text whose contrast passed. */
const scan = async (known: readonly number[]): Promise<{ found: string[]; looks: number[] }> => {
  const { axe } = window as unknown as { axe: typeof axeCore }
  const mark = 'data-new-look'
  const hash = (text: string): number => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57]
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      high = Math.imul(high ^ code, 2654435761)
      low = Math.imul(low ^ code, 1597334677)
    }
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
    return 4294967296 * (2097151 & low) + (high >>> 0)
  }

  const grounds = new Map<Element, number>()
  const groundOf = (element: Element): number => {
    const before = grounds.get(element)
    if (before !== undefined) return before
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
    const above = element.parentElement ? groundOf(element.parentElement) : 0
    const name = `${element.tagName}.${element.getAttribute('class') ?? ''}`
    const ground = hash([above, name, backgroundColor, backgroundImage, opacity].join('|'))
    grounds.set(element, ground)
    return ground
  }
  const lookOf = (element: Element): number => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const isOff = element.closest(':disabled, [aria-disabled="true"], [inert], [aria-hidden="true"]') !== null
    return hash([groundOf(element), color, fontSize, fontWeight, textShadow, isOff].join('|'))
  }
  const hasText = (element: Element): boolean =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())

  const seen = new Set(known)
  const fresh = new Map<Element, number>()
  const examples = new Map<number, number>()
  for (const element of document.querySelectorAll('body, body *')) {
    if (!hasText(element) || !element.checkVisibility({ visibilityProperty: true })) continue
    const look = lookOf(element)
    const count = examples.get(look) ?? 0
    if (seen.has(look) || count === 3) continue
    examples.set(look, count + 1)
    fresh.set(element, look)
  }
  // Of the rows of a list that are built alike, whatever their texts and values, three are looked at.
  const buildOf = (element: Element): number => {
    const named = ['class', 'role', 'type', 'aria-hidden']
    const attributes = [...element.attributes]
      .filter(({ name }) => !['style', 'id'].includes(name))
      .map(({ name, value }) => (named.includes(name) || value === '' ? `${name}=${value}` : name))
    return hash([element.tagName, ...attributes, ...[...element.children].map(buildOf)].join('|'))
  }
  const alike: Element[] = []
  for (const list of document.querySelectorAll('main *')) {
    if (list.childElementCount < 10) continue
    const counts = new Map<number, number>()
    for (const row of list.children) {
      const build = buildOf(row)
      const count = (counts.get(build) ?? 0) + 1
      counts.set(build, count)
      if (count > 3) alike.push(row)
    }
  }
  for (const element of fresh.keys()) element.setAttribute(mark, '')
  axe.configure({ rules: [{ id: 'color-contrast', selector: `[${mark}]` }] })
  const { violations, incomplete } = await axe.run(
    { include: [document.documentElement], exclude: alike },
    {
      resultTypes: ['violations', 'incomplete'],
      // There is neither sound nor a style for one direction of the screen to be loaded for axe.
      preload: false,
      rules: { 'color-contrast': { enabled: fresh.size > 0 } },
      elementRef: true,
    },
  )
  for (const element of fresh.keys()) element.removeAttribute(mark)
  // What is under something else cannot be measured here, and is tried again where it is next.
  const unmeasured = incomplete
    .filter(({ id }) => id === 'color-contrast')
    .flatMap(({ nodes }) => nodes.flatMap(({ element }) => fresh.get(element as Element) ?? []))
  return {
    found: violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    ),
    looks: [...new Set(fresh.values())].filter((look) => !unmeasured.includes(look)),
  }
}
