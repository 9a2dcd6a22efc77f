import { appendFileSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Frame, type Page } from '@playwright/test'
import type axeCore from 'axe-core'
import { expectNothingOverlaps, findOverlaps } from './overlaps.ts'

type Known = 'looks' | 'parts' | 'partsAtSize'

/**
 * What passed before, in any worker: looks of text for its contrast, and parts of screens for the rules that ask about
 * a part alone. Axe was a third of what browsers did in all journeys, and most of a screen is that of the one before.
 */
const passed = { looks: new Set<number>(), parts: new Set<number>(), partsAtSize: new Set<number>() }

/** Workers tell each other by lines of this file: what it is, and its number. */
const file = process.env.PRACTICUM_JOURNEYS_PASSED
let read = 0

const learn = (): void => {
  if (!file) return
  const lines = readFileSync(file, 'utf8')
  // The last line may be half written.
  const end = lines.lastIndexOf('\n') + 1
  for (const line of lines.slice(read, end).split('\n')) {
    const [known, number] = line.split(' ')
    if (number) passed[known as Known].add(Number(number))
  }
  read = end
}

const remember = (found: Record<Known, number[]>): void => {
  let lines = ''
  for (const known of ['looks', 'parts', 'partsAtSize'] as const)
    for (const number of found[known]) {
      if (passed[known].has(number)) continue
      passed[known].add(number)
      lines += `${known} ${number}\n`
    }
  if (file && lines) appendFileSync(file, lines)
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Frames may be of another origin, as the preview of an email is. Rules leave out the elements that `window.leftOut` has for
 * them: axe can leave out elements only for all rules together.
 */
const source = (): string => `${axe};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] });
for (const rule of axe._audit.rules) {
  const gather = rule.gather
  rule.gather = function (...given) {
    const found = gather.apply(this, given)
    const leftOut = window.leftOut?.[this.id]
    return leftOut ? found.filter(({ actualNode }) => !leftOut.has(actualNode)) : found
  }
}
window.tools = { ${Object.entries(tools).map(([name, tool]) => `${name}: ${tool}`)} }`

/** Leaves the tools with the page that opens the others, which take them from it: more than half a megabyte is sent once, not to every page. */
export const leaveTools = (opener: Page): Promise<void> =>
  opener.evaluate((text) => void Object.assign(window, { toolsForOthers: text }), source())

const takeTools = `try { (0, eval)(opener.toolsForOthers) } catch {}; 'tools' in window`

/** As a script of its own, not as a text to be evaluated by one: the browser compiles it once for all pages. */
const prepare = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page)
  const { result } = await devtools.send('Runtime.evaluate', { expression: takeTools, returnByValue: true })
  // Few pages were opened by no other.
  if (!result.value) await devtools.send('Runtime.evaluate', { expression: source() })
  await devtools.detach()
}

const prepareFrame = async (frame: Frame): Promise<void> => {
  await frame.evaluate(waitForTransitions)
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source())
}

/** How a screen is arranged. */
interface Arrangement {
  /** Pixels by which it is wider than what is seen of it. */
  overflow: number
  /** What `findOverlaps` found. */
  overlaps: string[]
}

/** axe finds nothing on the screen. Answers how it is arranged, when it has another size now: all that in two round trips. */
const look = async (page: Page, what: string, isNewSize: boolean): Promise<Arrangement> => {
  for (let tries = 1; tries <= 5; ) {
    const seen = await page.evaluate(async (waits) => {
      const { tools } = window as WithTools
      if (!tools) return undefined
      if (waits) await tools.waitUntilQuiet()
      await tools.waitForContent()
      await tools.waitForTransitions()
      return tools.see()
    }, isNewSize)
    if (!seen) {
      await prepare(page)
      continue
    }
    tries++
    await Promise.all(page.frames().slice(1).map(prepareFrame))
    learn()
    const isKnown = (numbers: number[], known: ReadonlySet<number>) => numbers.map((each) => known.has(each))
    const result = await page.evaluate(
      async (is) => {
        const { scan, findOverlaps } = (window as WithTools).tools!
        const scanned = await scan(is)
        if (!scanned) return null
        const { scrollWidth, clientWidth } = document.documentElement
        return {
          ...scanned,
          overflow: scrollWidth - clientWidth,
          overlaps: is.newSize ? findOverlaps() : [],
        }
      },
      {
        newSize: isNewSize,
        looks: isKnown(seen.looks, passed.looks),
        parts: isKnown(seen.parts, passed.parts),
        partsAtSize: isKnown(seen.partsAtSize, passed.partsAtSize),
      },
    )
    // The screen is another by now, which has to be seen first.
    if (!result) continue
    expect(result.found, what).toEqual([])
    const measured = seen.looks.filter((_look, index) => !result.unmeasured.includes(index))
    remember({ ...seen, looks: measured })
    return result
  }
  throw new Error(`${what} never stays as it is.`)
}

/** axe finds nothing on the screen as it is now (WCAG 2.2 AA and best practices). */
export const expectAccessible = async (page: Page, what: string): Promise<void> => {
  await look(page, what, false)
}

/** After a change of its size: axe finds nothing, the page does not scroll sideways, and nothing lies over something else. */
export const expectGood = async (page: Page, what: string): Promise<void> => {
  const { overflow, overlaps } = await look(page, what, true)
  expect(overflow, `${what} scrolls sideways`).toBeLessThanOrEqual(0)
  if (overlaps.length > 0) await expectNothingOverlaps(page, what)
}

/** Runs in the page: waits until nothing on it has changed for three frames in a row, as after a change of its size. */
export const waitUntilQuiet = (): Promise<void> =>
  new Promise<void>((resolve) => {
    let quiet = 0
    const observer = new MutationObserver(() => {
      quiet = 0
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    const look = () => {
      if (++quiet <= 3) return requestAnimationFrame(look)
      observer.disconnect()
      resolve()
    }
    requestAnimationFrame(look)
  })

/** Runs in the page: waits for its heading and for what loads. What does not come is for axe to say. */
const waitForContent = async (): Promise<void> => {
  const isThere = () => document.querySelector('main') && document.querySelector('h1')
  const isBusy = () => document.querySelector('main [aria-busy="true"]')
  const end = performance.now() + 5_000
  while ((!isThere() || isBusy()) && performance.now() < end)
    await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Runs in the page: waits for transitions. Colors in the middle of one are nobody's colors. */
const waitForTransitions = async (): Promise<void> => {
  // What turns for ever has no end to wait for, and the time a toast has left changes no color.
  const animations = document
    .getAnimations()
    .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) <= 1_000)
  await Promise.all(animations.map((animation) => animation.finished.catch(() => {})))
}

interface Seen {
  /** Three elements of each look of text. */
  looks: Element[][]
  parts: Element[]
  /** Looks whether anything has changed since. */
  changes: MutationObserver
  isChanged: boolean
}

/**
 * Runs in the page: what is on it, as numbers that are the same for the same. A look of text is its colors, size and weight,
 * and all that is behind it. A part is an element with five or more in it: names, roles, classes, texts and whatever is shown or
 * not, of all that is in it, and what it is in.
 */
const see = (): Record<Known, number[]> => {
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
  const isShown = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })

  const unpainted = 'rgba(0, 0, 0, 0)|none|1|none|normal'
  const grounds = new Map<Element, number>()
  const groundOf = (element: Element): number => {
    const before = grounds.get(element)
    if (before !== undefined) return before
    const style = getComputedStyle(element)
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = style
    const above = element.parentElement ? groundOf(element.parentElement) : 0
    const painted = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join('|')
    const isPlaced = style.position !== 'static'
    const name = isPlaced ? `${element.tagName}.${element.getAttribute('class') ?? ''}` : ''
    // What is in the flow and paints nothing leaves what is behind the text as it is.
    const ground = isPlaced || painted !== unpainted ? hash([above, name, painted].join('|')) : above
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
  const looks = new Map<number, Element[]>()
  for (const element of document.querySelectorAll('body, body *')) {
    if (!hasText(element) || !isShown(element)) continue
    const look = lookOf(element)
    const examples = looks.get(look)
    if (!examples) looks.set(look, [element])
    else if (examples.length < 3) examples.push(element)
  }

  // Which number it is makes no difference to any rule.
  const plain = (text: string): string => text.trim().replace(/\d+/g, '0')
  const textsOf = (ids: string): string =>
    ids
      .split(' ')
      .map((id) => plain(document.getElementById(id)?.textContent ?? 'nowhere'))
      .join(' ')
  const attributeOf = ({ name, value }: Attr): string => {
    if (name === 'style') return ''
    if (name === 'aria-labelledby' || name === 'aria-describedby') return `${name}=${textsOf(value)}`
    if (
      name === 'for' ||
      name === 'aria-controls' ||
      name === 'aria-owns' ||
      name === 'aria-activedescendant'
    )
      return `${name}=${document.getElementById(value)?.tagName}`
    return name === 'id' || name === 'href' || name === 'src' ? name : `${name}=${value}`
  }
  // Most elements are like others, and the same text has the same number.
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    const before = numbers.get(text)
    if (before !== undefined) return before
    const number = hash(plain(text))
    numbers.set(text, number)
    return number
  }
  const parts: { element: Element; part: number }[] = []
  const partOf = (element: Element, within: number): { inside: number; count: number } => {
    let text = `${element.tagName} ${isShown(element)}`
    for (const attribute of element.attributes) text += ` ${attributeOf(attribute)}`
    for (const { textContent } of (element as HTMLInputElement).labels ?? []) text += `|${textContent}`
    const own = numberOf(text)
    const here = hash(`${within} ${own}`)
    let [inner, count] = [String(own), 1]
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) inner += ` ${numberOf(node.nodeValue ?? '')}`
      if (node.nodeType !== Node.ELEMENT_NODE) continue
      const child = partOf(node as Element, here)
      inner += ` ${child.inside}`
      count += child.count
    }
    const inside = hash(inner)
    if (count > 5) parts.push({ element, part: hash(`${within} ${inside}`) })
    return { inside, count }
  }
  partOf(document.body, numberOf([...document.documentElement.attributes].map(attributeOf).join(' ')))

  const changes = new MutationObserver(() => {
    seen.isChanged = true
  })
  const seen: Seen = {
    looks: [...looks.values()],
    parts: parts.map(({ element }) => element),
    changes,
    isChanged: false,
  }
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  Object.assign(window, { seen })
  return {
    looks: [...looks.keys()],
    parts: parts.map(({ part }) => part),
    partsAtSize: parts.map(({ part }) => hash(`${part} ${innerWidth} ${innerHeight}`)),
  }
}

/**
 * Runs in the page: what is wrong on it, and which looks of text could not be measured; null where it has changed since it was
 * seen. True is what is known of `seen`.
 */
const scan = async (
  is: Record<Known, boolean[]>,
): Promise<{ found: string[]; unmeasured: number[] } | null> => {
  const { axe, seen } = window as unknown as { axe: typeof axeCore; seen: Seen }
  const hasChanged = seen.isChanged || seen.changes.takeRecords().length > 0
  seen.changes.disconnect()
  if (hasChanged) return null

  const mark = 'data-new-look'
  const fresh = new Map<Element, number>()
  for (const [index, elements] of seen.looks.entries())
    if (!is.looks[index]) for (const element of elements) fresh.set(element, index)

  // Of the rows of a list that are built alike, whatever their texts and values, three are looked at.
  const buildOf = (element: Element): string => {
    const named = ['class', 'role', 'type', 'aria-hidden']
    const attributes = [...element.attributes]
      .filter(({ name }) => !['style', 'id'].includes(name))
      .map(({ name, value }) => (named.includes(name) || value === '' ? `${name}=${value}` : name))
    return [element.tagName, ...attributes, ...[...element.children].map(buildOf)].join('|')
  }
  const alike: Element[] = []
  for (const list of document.querySelectorAll('main *')) {
    if (list.childElementCount < 10) continue
    const counts = new Map<string, number>()
    for (const row of list.children) {
      const build = buildOf(row)
      const count = (counts.get(build) ?? 0) + 1
      counts.set(build, count)
      if (count > 3) alike.push(row)
    }
  }
  const elementsOf = (roots: Element[]): Set<Element> => {
    const all = new Set<Element>()
    // A part comes after those in it.
    for (const root of roots.toReversed())
      if (!all.has(root)) for (const element of [root, ...root.querySelectorAll('*')]) all.add(element)
    return all
  }
  const knownParts = (isPartKnown: boolean[]) => seen.parts.filter((_part, index) => isPartKnown[index])
  const inRows = elementsOf(alike)
  const known = elementsOf([...alike, ...knownParts(is.parts)])
  const knownAtSize = elementsOf([...alike, ...knownParts(is.partsAtSize)])
  const ofSize = 'scrollable-region-focusable'
  // These ask how an element and others of the page go together.
  const ofPage = /^(accesskeys|bypass|document|duplicate|frame|heading|html|landmark|meta|page|region|skip)/
  const leftOutBy = (ruleId: string): Set<Element> => {
    if (ofPage.test(ruleId)) return inRows
    return ruleId === ofSize ? knownAtSize : known
  }
  const rules = axe.getRules().filter(({ ruleId }) => ruleId !== 'color-contrast')
  const leftOut = Object.fromEntries(rules.map(({ ruleId }) => [ruleId, leftOutBy(ruleId)]))
  Object.assign(window, { leftOut })

  const isSame = (set: Set<Element>) => set.has(document.body) && document.querySelector('iframe') === null
  if (isSame(knownAtSize) && fresh.size === 0) return { found: [], unmeasured: [] }

  for (const element of fresh.keys()) element.setAttribute(mark, '')
  axe.configure({ rules: [{ id: 'color-contrast', selector: `[${mark}]` }] })
  const contrast = fresh.size > 0 ? ['color-contrast'] : []
  const { violations, incomplete } = await axe.run(document, {
    resultTypes: ['violations', 'incomplete'],
    // There is neither sound nor a style for one direction of the screen to be loaded for axe.
    preload: false,
    // The same screen at another size is asked only what its size may change.
    ...(isSame(known)
      ? { runOnly: [ofSize, ...contrast] }
      : { rules: { 'color-contrast': { enabled: fresh.size > 0 } } }),
    elementRef: true,
  })
  for (const element of fresh.keys()) element.removeAttribute(mark)
  // What is under something else cannot be measured here, and is tried again where it is next.
  const unmeasured = incomplete
    .filter(({ id }) => id === 'color-contrast')
    .flatMap(({ nodes }) => nodes.flatMap(({ element }) => fresh.get(element as Element) ?? []))
  return {
    found: violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    ),
    unmeasured,
  }
}

/** What looks at a page from within, beside axe. */
const tools = { waitUntilQuiet, waitForContent, waitForTransitions, see, scan, findOverlaps }
type WithTools = Window & { tools?: typeof tools }
