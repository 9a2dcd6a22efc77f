import { openLayers, watchLayers } from './ui/layers.ts'

type Point = { x: number; y: number }

/** Farther than this from its beginning a press has gone elsewhere on purpose. */
const nearPx = 24
/** Within this the second of two quick taps follows the first. */
const quickMs = 500
/** As long as somebody needs to see that something else has come under the pointer. */
const seenMs = 700
/** What has not come of a press within this does not come of it any more. */
const outcomeMs = 10_000

let begun: { button: HTMLElement; top: number; left: number } | undefined
let last: (Point & { isInDialog: boolean }) | undefined
let outcome: MutationObserver | undefined
let once: { button: Element; at: number } | undefined
let shield: Point & { until: number; isBesideDialog?: boolean } = { x: 0, y: 0, until: 0 }

const isNear = ({ clientX, clientY }: MouseEvent, { x, y }: Point): boolean =>
  Math.hypot(clientX - x, clientY - y) < nearPx

/** Stops what a shield is for. A key presses a button at no place, and is not meant. */
const hold = (event: MouseEvent): void => {
  const isByKey = event.type === 'click' && event.detail === 0
  if (isByKey || performance.now() > shield.until || !isNear(event, shield)) return
  if (shield.isBesideDialog && event.target instanceof Element && event.target.closest('[role=dialog]'))
    return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** What a dialog does it does once, also where the second of two quick taps comes before its button shows that it runs. */
const takeOnce = (event: MouseEvent): void => {
  const button = event.target instanceof Element ? event.target.closest('[data-once]') : null
  if (!button) return
  const now = performance.now()
  if (once?.button === button && now - once.at < quickMs) {
    event.preventDefault()
    event.stopImmediatePropagation()
  } else once = { button, at: now }
}

const begin = (event: MouseEvent): void => {
  const element = event.target instanceof Element ? event.target : undefined
  // Whoever has pressed elsewhere meanwhile means the next press.
  shield.until = 0
  const at = { x: event.clientX, y: event.clientY }
  last = { ...at, isInDialog: Boolean(element?.closest('[role=dialog]')) }
  outcome?.disconnect()
  const verb = element?.closest<HTMLElement>('button')
  if (verb?.closest('[data-decides]')) watchVerb(verb, at)
  const button = event.button === 0 ? element?.closest<HTMLElement>('button, a[href]') : undefined
  begun = button ? { button, ...placeOf(button) } : undefined
}

/** When a verb that decides about a row goes, with its row or for the next verb, what slides to its place is not meant. */
const watchVerb = (verb: HTMLElement, at: Point): void => {
  const latest = performance.now() + outcomeMs
  const observer = new MutationObserver(() => {
    const hasGone = !verb.isConnected
    if (hasGone && performance.now() < latest) shield = { ...at, until: performance.now() + seenMs }
    if (hasGone || performance.now() > latest) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  outcome = observer
}

const end = (event: MouseEvent): void => {
  const press = begun
  begun = undefined
  if (!press || !last || press.button.contains(event.target as Node)) return
  const { top, left } = placeOf(press.button)
  const hasMoved = press.button.isConnected && (top !== press.top || left !== press.left)
  // After the click that the browser makes of it, which meets what is around both.
  if (hasMoved && isNear(event, last)) setTimeout(() => press.button.click())
}

const placeOf = (element: HTMLElement): { top: number; left: number } => {
  const { top, left } = element.getBoundingClientRect()
  return { top, left }
}

/**
 * A press counts for the button on which it began: where the focus leaves a field at its beginning, an error may go or come and
 * move the button from under the pointer before it ends. And when a press has closed a dialog, the second of
 * two quick taps does not reach what was beneath: for half a second nothing is pressed at the same place. For a
 * little longer it does not close the dialog that the first has opened, nor decide about the row that slides to the place of one
 * that it has decided (`data-decides`).
 */
export const startPress = (): void => {
  for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'] as const)
    window.addEventListener(type, hold, true)
  window.addEventListener('click', takeOnce, true)
  window.addEventListener('mousedown', begin, true)
  window.addEventListener('mouseup', end, true)
  // Whoever types has seen what came.
  window.addEventListener(
    'input',
    () => {
      shield.until = 0
      once = undefined
    },
    true,
  )
  watchLayers((closed) => {
    if (!last) return
    const now = performance.now()
    if (closed?.isDialog && last.isInDialog) shield = { ...last, until: now + quickMs }
    else if (!closed && openLayers.at(-1)?.isDialog)
      shield = { ...last, until: now + seenMs, isBesideDialog: true }
    // It covers nothing any more: Back or Escape has closed it.
    else if (closed?.isDialog) shield.until = 0
  })
}
