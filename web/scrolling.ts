import { type Place, shownPlace } from './api/place.ts'

type Positions = Record<string, [left: number, top: number]>

const storageKey = 'practicum-scrolling'
const page = 'page'

const readKept = (): Record<string, Positions> => {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}

let kept: Record<string, Positions> = {}
/** What was scrolled since the page came. */
const scrolled = new Set<EventTarget>()

/** Where an element is in the document, for the time when another one is there after Back. */
const pathOf = (element: Element): string => {
  const parts: string[] = []
  for (let at: Element | null = element; at?.parentElement; at = at.parentElement)
    parts.unshift(`${at.localName}:nth-child(${[...at.parentElement.children].indexOf(at) + 1})`)
  return parts.join('>')
}

/** Notes how far the page on the screen is scrolled, and what scrolls by itself on it. */
export const keepScrolling = (): void => {
  const key = shownPlace()?.key
  if (key === undefined) return
  const positions = kept[key] ?? {}
  for (const target of scrolled)
    if (target === document) positions[page] = [scrollX, scrollY]
    else if (target instanceof Element && target.isConnected)
      positions[pathOf(target)] = [target.scrollLeft, target.scrollTop]
  kept[key] = positions
}

let lastPath: string | undefined

/** Scrolls a page that has just come to where it was when it was left, to the place that its address names, or to its top. */
export const restoreScrolling = ({ key, hash, path: to }: Place): void => {
  scrolled.clear()
  const positions = kept[key] ?? {}
  // On a phone the frame's main part scrolls, and stays when the page in it goes.
  if (to !== lastPath) document.querySelector('main')?.scrollTo(0, 0)
  lastPath = to
  for (const [path, [left, top]] of Object.entries(positions))
    if (path !== page) document.querySelector(path)?.scrollTo(left, top)
  if (positions[page]) scrollTo(...positions[page])
  else if (hash) document.getElementById(hash)?.scrollIntoView()
  else scrollTo(0, 0)
}

/** Takes scrolling over from the browser, which would do it before the page is there. */
export const startScrolling = (): void => {
  kept = readKept()
  const takeOver = () => {
    history.scrollRestoration = 'manual'
  }
  takeOver()
  document.addEventListener('scroll', ({ target }) => target && scrolled.add(target), true)
  addEventListener('pageshow', takeOver)
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto'
    keepScrolling()
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(kept))
    } catch {
      // The tab keeps nothing: a reload begins at the top.
    }
  })
}
