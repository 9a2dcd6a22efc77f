import { watchLayers } from './ui/layers.ts'

type Point = { x: number; y: number }

/** Farther than this from its beginning a press has gone elsewhere on purpose. */
const nearPx = 24
/** Within this the second of two quick taps follows the first. */
const quickMs = 500

let begun: { button: HTMLElement; top: number; left: number } | undefined
let last: (Point & { isInDialog: boolean }) | undefined
let shield: Point & { until: number } = { x: 0, y: 0, until: 0 }

const isNear = ({ clientX, clientY }: MouseEvent, { x, y }: Point): boolean =>
  Math.hypot(clientX - x, clientY - y) < nearPx

/** Stops what a shield is for. A key presses a button at no place, and is not meant. */
const hold = (event: MouseEvent): void => {
  const isByKey = event.type === 'click' && event.detail === 0
  if (isByKey || performance.now() > shield.until || !isNear(event, shield)) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

const begin = (event: MouseEvent): void => {
  const element = event.target instanceof Element ? event.target : undefined
  // Whoever has pressed elsewhere meanwhile means the next press.
  shield.until = 0
  last = { x: event.clientX, y: event.clientY, isInDialog: Boolean(element?.closest('[role=dialog]')) }
  const button = event.button === 0 ? element?.closest<HTMLElement>('button, a[href]') : undefined
  begun = button ? { button, ...placeOf(button) } : undefined
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
 * two quick taps does not reach what was beneath: for half a second nothing is pressed at the same place.
 */
export const startPress = (): void => {
  for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'] as const)
    window.addEventListener(type, hold, true)
  window.addEventListener('mousedown', begin, true)
  window.addEventListener('mouseup', end, true)
  watchLayers((closed) => {
    if (closed?.isDialog && last?.isInDialog) shield = { ...last, until: performance.now() + quickMs }
  })
}
