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
const controls = 'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=switch]'

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

/** What can be pressed now: of a dialog alone while one is open. Whoever works with the keys must see where the focus is. */
const controlsBeside = (own: Element): Control[] => {
  const dialog = openLayers.at(-1)?.isDialog && [...document.querySelectorAll('[role=dialog]')].at(-1)
  return [...(dialog || document).querySelectorAll(controls)].flatMap((element) => {
    if (own.contains(element) || !element.checkVisibility({ visibilityProperty: true })) return []
    const { left, top, right, bottom } = element.getBoundingClientRect()
    if (right <= left) return []
    const weight = element === document.activeElement ? 1_000 : element.closest('header, footer') ? 10 : 1
    return [{ left, top, right, bottom, weight }]
  })
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
    const place = freePlace(box, all, {
      left: isNarrow ? 0 : width / 3,
      right: width - margin,
      top,
      bottom: innerHeight * (isNarrow ? 0.7 : 0.6),
    })
    own.style.top = `${place.top}px`
    own.style.right = `${width - place.right}px`
  }
  const soon = (): void => {
    timer ??= setTimeout(look, pauseMs)
  }
  const resized = new ResizeObserver(soon)
  const changed = new MutationObserver(soon)
  resized.observe(own)
  changed.observe(document.body, { childList: true, subtree: true })
  for (const type of ['scroll', 'focusin', 'resize']) addEventListener(type, soon, true)
  look()
  return () => {
    clearTimeout(timer)
    resized.disconnect()
    changed.disconnect()
    for (const type of ['scroll', 'focusin', 'resize']) removeEventListener(type, soon, true)
    own.style.top = own.style.right = ''
  }
}
