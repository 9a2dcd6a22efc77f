import { openLayers } from './layers.ts'

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}
/** A control, and how much it matters that it can be seen and pressed. */
export type Control = Box & { weight: number }

const gap = 8
const pauseMs = 100
/** After these a control may be elsewhere: dialogs and sheets come in by a transition, and are at their place at its end. */
const movements = ['scroll', 'focusin', 'resize', 'transitionend', 'animationend']
const controls =
  'button, a[href], input, select, textarea, summary, label, [role=button], [role=tab], [role=switch], [role=option], [role=menuitem]'

/** What matters less than this is covered before a toast leaves the upper right part. */
const matters = 10
const weights = { focus: 1_000, main: 100, edge: matters, other: 1 }

const isOver = (one: Box, other: Box): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top

const coveredBy = (box: Box, all: readonly Control[]): number =>
  all.reduce((sum, control) => sum + (isOver(box, control) ? control.weight : 0), 0)

/** The place of this size in a room that covers the least, as near to the upper right corner as can be. */
export const freePlace = (
  { width, height }: { width: number; height: number },
  all: readonly Control[],
  room: Box,
): Box => {
  const near = all.filter((control) => isOver(control, room))
  const tops = new Set([room.top, ...near.map(({ bottom }) => bottom + gap)])
  const rights = new Set([room.right, ...near.map(({ left }) => left - gap)])
  const places = [...tops]
    .flatMap((top) => [...rights].map((right) => ({ left: right - width, right, top, bottom: top + height })))
    .filter(
      ({ left, top, right, bottom }) =>
        (top === room.top || bottom <= room.bottom) && (right === room.right || left >= room.left),
    )
    .sort((one, other) => one.top - one.right - (other.top - other.right))
  let best = places[0]!
  let least = Number.POSITIVE_INFINITY
  for (const place of places) {
    const covered = coveredBy(place, near)
    if (covered < least) [best, least] = [place, covered]
    if (least === 0) break
  }
  return best
}

/** Whether something is in the foot of a dialog or of the page, or in a bar that sticks to the lower edge. */
const isInFoot = (element: Element | null, known: Map<Element, boolean>): boolean => {
  if (!element) return false
  const before = known.get(element)
  if (before !== undefined) return before
  const { position, bottom } = getComputedStyle(element)
  const is =
    element.matches('footer, [data-foot]') ||
    (position === 'sticky' && bottom !== 'auto') ||
    isInFoot(element.parentElement, known)
  known.set(element, is)
  return is
}

/** What one goes on with, the main button or the foot, matters most after the focus, which whoever works with the keys must see. */
const weightOf = (element: Element, feet: Map<Element, boolean>): number => {
  if (element === document.activeElement) return weights.focus
  if (element.matches('[data-variant=filled]') || isInFoot(element, feet)) return weights.main
  return element.closest('header') ? weights.edge : weights.other
}

/** What can be pressed now: while a dialog is open of it alone, and of the list that floats over it. */
const controlsBeside = (own: Element): Control[] => {
  const dialog =
    openLayers.some(({ isDialog }) => isDialog) &&
    [...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1)
  const feet = new Map<Element, boolean>()
  return [...document.querySelectorAll(controls)].flatMap((element) => {
    if (own.contains(element) || !element.checkVisibility({ visibilityProperty: true })) return []
    if (dialog && !dialog.contains(element) && !element.closest('[role=listbox], [role=menu]')) return []
    const { left, top, right, bottom } = element.getBoundingClientRect()
    if (right <= left) return []
    return [{ left, top, right, bottom, weight: weightOf(element, feet) }]
  })
}

/** The place in the upper right part, or anywhere on the screen where that one covers something that matters. */
export const bestPlace = (
  size: { width: number; height: number },
  all: readonly Control[],
  part: Box,
  screen: Box,
): Box => {
  const near = freePlace(size, all, part)
  const covered = coveredBy(near, all)
  if (covered < matters) return near
  const far = freePlace(size, all, screen)
  return coveredBy(far, all) < covered ? far : near
}

/**
 * Keeps what is shown for a moment off the buttons of the page: at its corner while nothing is beneath, else beside or below them,
 * in the upper right part. Whoever points at it or has the focus in it finds it where it is.
 *
 * @returns ends it
 */
export const standAside = (own: HTMLElement): (() => void) => {
  const { top, right } = own.getBoundingClientRect()
  const margin = document.documentElement.clientWidth - right
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (): void => {
    timer = undefined
    if (own.matches(':hover') || own.contains(document.activeElement)) return
    const box = own.getBoundingClientRect()
    const all = controlsBeside(own)
    if (coveredBy(box, all) === 0) return
    const isNarrow = innerWidth < 768
    const width = document.documentElement.clientWidth
    const upperRight = {
      left: isNarrow ? 0 : width / 3,
      right: width - margin,
      top,
      bottom: innerHeight * (isNarrow ? 0.7 : 0.6),
    }
    const screen = { left: 0, right: width - margin, top: 0, bottom: innerHeight }
    const place = bestPlace(box, all, upperRight, screen)
    own.style.top = `${place.top}px`
    own.style.right = `${width - place.right}px`
  }
  const soon = (): void => {
    timer ??= setTimeout(look, pauseMs)
  }
  // Before it is painted: one message more may reach over a button.
  const resized = new ResizeObserver(look)
  const changed = new MutationObserver(soon)
  resized.observe(own)
  changed.observe(document.body, { childList: true, subtree: true })
  for (const type of movements) addEventListener(type, soon, true)
  look()
  return () => {
    clearTimeout(timer)
    resized.disconnect()
    changed.disconnect()
    for (const type of movements) removeEventListener(type, soon, true)
    own.style.top = own.style.right = ''
  }
}
